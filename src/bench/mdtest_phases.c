/*
 * mdtest_phases: the measured loops.
 *
 * Every operation on items is a function of a path; visit() is the loop around
 * it, the same for all.  Rename chains and trees have loops of their own.
 */
#include "bench/mdtest_phases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_marker.h"
#include "run/say.h"

enum { DIR_MODE = 0775, FILE_MODE = 0664 };

/* One operation on the item at `path`: 0 or -errno. */
typedef int operation(struct tmk_mdtest_run *run, const char *path);

/* This rank's item could not be made: those who come later skip it. */
static void note_hole(struct tmk_mdtest_run *run, enum tmk_mdtest_target target)
{
    struct tmk_mdtest_made *made = &run->made[target];

    if (made->n_holes < TMK_MDTEST_HOLES_MAX) {
        made->holes[made->n_holes] = run->item.position;
    } else if (made->n_holes == TMK_MDTEST_HOLES_MAX) {
        made->count = run->item.position; /* nothing behind is visited */
    }
    made->n_holes++;
}

static int make_dir(struct tmk_mdtest_run *run, const char *path)
{
    int err = run->ops->mkdir(run->engine, path, DIR_MODE);

    if (err != 0) {
        if (err == -EEXIST &&
            run->plan->conf->leftovers == TMK_MDTEST_LEFTOVERS_REUSE) {
            return 0;
        }
        note_hole(run, TMK_MDTEST_DIRS);
    }
    return err;
}

static int stat_item(struct tmk_mdtest_run *run, const char *path)
{
    struct stat st;

    return run->ops->stat(run->engine, path, &st);
}

static int remove_dir(struct tmk_mdtest_run *run, const char *path)
{
    return run->ops->rmdir(run->engine, path);
}

/* Make the file at `path` and leave it open. */
static inline int create_file(struct tmk_mdtest_run *run, const char *path,
                              intptr_t *file)
{
    int err = run->ops->create(run->engine, path, FILE_MODE, file);

    if (err != 0) {
        note_hole(run, TMK_MDTEST_FILES);
    }
    return err;
}

static int make_file(struct tmk_mdtest_run *run, const char *path)
{
    intptr_t file;
    int err = create_file(run, path, &file);

    return err != 0 ? err : run->ops->close(run->engine, file);
}

/* The first failure of a sequence is the operation's. */
static int first_of(int a, int b)
{
    return a != 0 ? a : b;
}

/* Write the buffer; a short write is a full disk. */
static int put_data(struct tmk_mdtest_run *run, intptr_t file)
{
    uint64_t bytes = run->plan->conf->write_bytes;
    int64_t n = run->ops->write(run->engine, file, run->buffer, bytes);

    if (n > 0) {
        run->phase.bytes += (uint64_t)n;
    }
    if (n < 0) {
        return (int)n;
    }
    return (uint64_t)n == bytes ? 0 : -ENOSPC;
}

static int write_file(struct tmk_mdtest_run *run, const char *path)
{
    intptr_t file;
    int err = create_file(run, path, &file);

    if (err != 0) {
        return err;
    }
    err = put_data(run, file);
    return first_of(err, run->ops->close(run->engine, file));
}

static int write_file_fsync(struct tmk_mdtest_run *run, const char *path)
{
    intptr_t file;
    int err = create_file(run, path, &file);

    if (err != 0) {
        return err;
    }
    err = put_data(run, file);
    err = first_of(err, run->ops->fsync(run->engine, file));
    return first_of(err, run->ops->close(run->engine, file));
}

static int open_file(struct tmk_mdtest_run *run, const char *path)
{
    intptr_t file;
    int err = run->ops->open(run->engine, path, TMK_ENGINE_READ, &file);

    return err != 0 ? err : run->ops->close(run->engine, file);
}

/* A file shorter than -e is a failure: ENODATA. */
static int read_file(struct tmk_mdtest_run *run, const char *path)
{
    uint64_t bytes = run->plan->conf->read_bytes;
    intptr_t file;
    int err = run->ops->open(run->engine, path, TMK_ENGINE_READ, &file);
    int64_t n;

    if (err != 0) {
        return err;
    }
    n = run->ops->read(run->engine, file, run->buffer, bytes);
    if (n > 0) {
        run->phase.bytes += (uint64_t)n;
    }
    if (n < 0) {
        err = (int)n;
    } else if ((uint64_t)n < bytes) {
        err = -ENODATA;
    }
    return first_of(err, run->ops->close(run->engine, file));
}

static int remove_file(struct tmk_mdtest_run *run, const char *path)
{
    return run->ops->unlink(run->engine, path);
}

/* The operation of a phase on items, chosen before the clock starts. */
static operation *choose(const struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    switch (which) {
    case TMK_MDTEST_DIR_CREATE: return make_dir;
    case TMK_MDTEST_DIR_STAT: return stat_item;
    case TMK_MDTEST_DIR_REMOVE: return remove_dir;
    case TMK_MDTEST_FILE_CREATE:
        if (conf->write_bytes == 0) {
            return make_file;
        }
        return conf->fsync ? write_file_fsync : write_file;
    case TMK_MDTEST_FILE_STAT: return stat_item;
    case TMK_MDTEST_FILE_READ:
        return conf->read_bytes == 0 ? open_file : read_file;
    case TMK_MDTEST_FILE_REMOVE: return remove_file;
    default: return NULL;
    }
}

/* The measured loop. */
static void visit(struct tmk_mdtest_run *run, operation *op)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        tmk_phase_did(p, op(run, it->path));
    } while (!tmk_phase_over(p) && tmk_item_next(it));
}

static bool is_hole(const struct tmk_mdtest_made *made, uint64_t position)
{
    uint64_t n = made->n_holes < TMK_MDTEST_HOLES_MAX ? made->n_holes
                                                      : TMK_MDTEST_HOLES_MAX;
    uint64_t low = 0;

    while (low < n) {
        uint64_t middle = low + (n - low) / 2;

        if (made->holes[middle] == position) {
            return true;
        }
        if (made->holes[middle] < position) {
            low = middle + 1;
        } else {
            n = middle;
        }
    }
    return false;
}

/* The same after a creation that left holes. */
static void visit_skipping(struct tmk_mdtest_run *run, operation *op,
                           const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        if (!is_hole(made, it->position)) {
            tmk_phase_did(p, op(run, it->path));
        }
    } while (!tmk_phase_over(p) && tmk_item_next(it));
}

/* Move on to an item that was made; false at the end of the loop directory. */
static bool next_made(struct tmk_item *it, const struct tmk_mdtest_made *made,
                      uint64_t chain_loop)
{
    do {
        if (!tmk_item_next(it) || it->loop != chain_loop) {
            return false;
        }
    } while (is_hole(made, it->position));
    return true;
}

/* run->other: the name that the current item has amid a chain of renames. */
static void name_moved(struct tmk_mdtest_run *run)
{
    (void)snprintf(run->other, sizeof(run->other), "%.*s-XX",
                   (int)(sizeof(run->other) - 4), run->item.path);
}

/*
 * Rename the directories of one loop in a chain: x0 -> "x0-XX", x1 -> x0, ...
 * and "x0-XX" to the name that is missing in the end.  run->item stands on x0
 * and moves; run->hole follows it at the missing name.  The last item is not
 * touched, as in the original.  `n` is how many items the loop has.
 */
static void rename_chain(struct tmk_mdtest_run *run, uint64_t n,
                         const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;
    struct tmk_item *hole = &run->hole;
    const uint64_t loop = it->loop;
    int err;

    name_moved(run);
    err = run->ops->rename(run->engine, it->path, run->other);
    tmk_phase_did(p, err);
    if (err != 0) {
        return;
    }
    for (uint64_t i = 2; i < n && !tmk_phase_over(p); i++) {
        if (!next_made(it, made, loop)) {
            break;
        }
        err = run->ops->rename(run->engine, it->path, hole->path);
        tmk_phase_did(p, err);
        while (err == 0 && hole->position != it->position) {
            (void)tmk_item_next(hole);
        }
    }
    p->how.path = run->other; /* should this one fail, it is named */
    tmk_phase_did(p, run->ops->rename(run->engine, run->other, hole->path));
    p->how.path = it->path;
}

/* Items of one loop directory that are there. */
static uint64_t made_in_loop(const struct tmk_mdtest_run *run, uint64_t loop,
                             const struct tmk_mdtest_made *made)
{
    uint64_t slots = run->plan->items / run->plan->loops;
    uint64_t first = loop * slots;
    uint64_t n = made->count > first ? made->count - first : 0;

    if (n > slots) {
        n = slots;
    }
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        n -= made->holes[i] >= first && made->holes[i] < first + slots &&
             made->holes[i] < made->count;
    }
    return n;
}

/* Rename in every loop directory; returns the operations that takes. */
static uint64_t rename_chains(struct tmk_mdtest_run *run,
                              const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;
    uint64_t planned = 0;
    uint64_t loop = 0;
    bool more = !is_hole(made, it->position) || next_made(it, made, it->loop);

    while (more && !tmk_phase_over(p)) {
        uint64_t n = made_in_loop(run, it->loop, made);

        loop = it->loop;
        tmk_item_copy(&run->hole, it);
        if (n >= 2) {
            planned += n;
            rename_chain(run, n, made);
        }
        /* On to the next loop directory. */
        do {
            more = tmk_item_next(it);
        } while (more && (it->loop == loop || is_hole(made, it->position)));
    }
    return planned;
}

/*
 * Trees.
 */

bool tmk_mdtest_makes_tree(const struct tmk_mdtest_run *run)
{
    return run->plan->conf->unique || run->job->rank == 0;
}

/* Make this rank's trees; returns how many directories were not tried. */
static uint64_t make_tree(struct tmk_mdtest_run *run,
                          const struct tmk_item_set *set)
{
    struct tmk_phase *p = &run->phase;
    const struct tmk_tree *tree = set->tree;

    for (uint64_t loop = 0; loop < set->loops; loop++) {
        for (uint64_t i = 0; i < tree->dirs; i++) {
            uint64_t dir = tmk_tree_at_preorder(tree, i);
            int err;

            if (tmk_phase_over(p)) {
                return (set->loops - loop) * tree->dirs - i;
            }
            (void)tmk_item_tree_path(set, loop, dir, run->other,
                                     sizeof(run->other));
            err = run->ops->mkdir(run->engine, run->other, DIR_MODE);
            if (err == -EEXIST) {
                tmk_mdtest_site_adopt(run->site, loop, dir);
                err = 0;
            }
            tmk_phase_did(p, err);
        }
    }
    return 0;
}

/* Remove them, but for those that this launch found there. */
static uint64_t remove_tree(struct tmk_mdtest_run *run,
                            const struct tmk_item_set *set)
{
    struct tmk_phase *p = &run->phase;
    const struct tmk_tree *tree = set->tree;

    for (uint64_t loop = 0; loop < set->loops; loop++) {
        for (uint64_t i = 0; i < tree->dirs; i++) {
            uint64_t dir = tmk_tree_at_postorder(tree, i);

            if (tmk_phase_over(p)) {
                return (set->loops - loop) * tree->dirs - i;
            }
            int err;

            if (tmk_mdtest_site_adopted(run->site, loop, dir)) {
                continue;
            }
            (void)tmk_item_tree_path(set, loop, dir, run->other,
                                     sizeof(run->other));
            err = run->ops->rmdir(run->engine, run->other);
            if (err != -ENOENT || !run->tree_failed) {
                tmk_phase_did(p, err); /* else it was never made */
            }
        }
    }
    return 0;
}

/*
 * Running a phase.
 */

/* What the owner of this rank's items in a phase made: asked from it if any
 * creation was incomplete, else everything. */
static void learn_made(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                       struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_owner *owner = &run->plan->owner;
    uint32_t rank = (uint32_t)run->job->rank;

    if (!run->incomplete[row->target]) {
        made->count = run->plan->items;
        made->attempted = made->count;
        made->n_holes = 0;
        return;
    }
    tmk_wait_exchange(&run->job->wait, &run->made[row->target],
                      (int)tmk_owner_visitor(owner, rank, row->hops), made,
                      (int)tmk_owner_of(owner, rank, row->hops),
                      (int)sizeof(*made));
}

/* Run the operations of a phase on items; returns how many were not tried
 * though the tree was to hold them. */
static uint64_t run_items(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          const struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    struct tmk_phase *p = &run->phase;
    uint64_t expected = run->plan->items;
    uint64_t tried;

    if (tmk_phase_over(p) || made->count == 0) {
        return expected;
    }
    if (row->action == TMK_MDTEST_RENAME) {
        expected = rename_chains(run, made);
    } else if (made->n_holes != 0) {
        visit_skipping(run, choose(run, which), made);
    } else {
        visit(run, choose(run, which));
    }
    tried = p->done + p->failed;
    return expected > tried ? expected - tried : 0;
}

static uint64_t run_tree(struct tmk_mdtest_run *run, bool creates,
                         const struct tmk_item_set *set)
{
    if (!tmk_mdtest_makes_tree(run)) {
        return 0;
    }
    return creates ? make_tree(run, set) : remove_tree(run, set);
}

/* After creating: how far this rank came. */
static void note_made(struct tmk_mdtest_run *run, enum tmk_mdtest_target target,
                      const struct tmk_phase_result *result)
{
    struct tmk_mdtest_made *made = &run->made[target];

    made->attempted = run->phase.done + run->phase.failed;
    if (made->n_holes <= TMK_MDTEST_HOLES_MAX) {
        made->count = made->attempted;
    }
    run->incomplete[target] = result->failed != 0 || result->missed != 0;
}

/* Stand on the first item of a phase; nothing if there is none. */
static void find_first_item(struct tmk_mdtest_run *run,
                            const struct tmk_mdtest_phase_row *row,
                            const struct tmk_item_set *set)
{
    enum tmk_item_order order = row->order;

    if (row->shuffles && run->plan->shuffled) {
        order = TMK_ITEM_SHUFFLED;
    }
    if (set->made != 0) {
        (void)tmk_item_init(&run->item, set, order, run->seed);
    }
}

/*
 * Items behind the last one that others visit: there were too many holes to
 * tell them all.  Not measured; what is not there is no failure.
 */
static void remove_rest(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                        const struct tmk_mdtest_made *made)
{
    const int signal = tmk_job_signal();
    operation *op = choose(run, which);
    struct tmk_item_set set =
        tmk_mdtest_plan_set(run->plan, which, (uint32_t)run->job->rank,
                            run->iteration, made->attempted);

    if (made->attempted <= made->count ||
        tmk_item_init(&run->item, &set, TMK_ITEM_CREATION, 0) != 0) {
        return;
    }
    do {
        if (run->item.position >= made->count) {
            (void)op(run, run->item.path);
        }
    } while (tmk_job_signal() == signal && tmk_item_next(&run->item));
}

void tmk_mdtest_remove_moved(struct tmk_mdtest_run *run,
                             const struct tmk_item_set *set,
                             uint64_t deadline_ns)
{
    const int signal = tmk_job_signal();

    if (tmk_item_init(&run->item, set, TMK_ITEM_CREATION, 0) != 0) {
        return;
    }
    do {
        name_moved(run);
        (void)run->ops->rmdir(run->engine, run->other);
    } while (tmk_job_signal() == signal && tmk_clock_ns() < deadline_ns &&
             tmk_item_next(&run->item));
}

void tmk_mdtest_phase_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          struct tmk_phase_result *result)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_plan *plan = run->plan;
    const bool tree = row->target == TMK_MDTEST_TREE;
    const bool creates = row->action == TMK_MDTEST_CREATE;
    struct tmk_mdtest_made made = {.count = plan->items};
    struct tmk_phase_how how = {
        .creates = creates,
        .max_errors = plan->conf->max_errors,
        .path = tree ? run->other : run->item.path,
    };
    struct tmk_item_set set;

    if (!tree && !creates) {
        learn_made(run, which, &made);
    }
    set = tmk_mdtest_plan_set(plan, which, (uint32_t)run->job->rank,
                              run->iteration, made.count);
    if (!tree) {
        find_first_item(run, row, &set);
    }
    if (tree && creates) {
        run->tree_made = true;
    }
    tmk_mdtest_marker_touch(run->site);

    tmk_phase_begin_all(&run->phase, run->job, &how);
    run->phase.missed =
        tree ? run_tree(run, creates, &set) : run_items(run, which, &made);
    tmk_phase_close(&run->phase);
    if (plan->conf->sync) {
        (void)run->ops->sync(run->engine);
    }
    tmk_phase_end_all(&run->phase, result);
    result->foreign_share = plan->foreign_share[which];
    if (!tree && creates) {
        note_made(run, row->target, result);
    }
    if (tree && creates) {
        run->tree_failed = run->phase.failed != 0 || run->phase.missed != 0;
    }
    if (!tree && row->action == TMK_MDTEST_REMOVE) {
        remove_rest(run, which, &made);
    }
    if (which == TMK_MDTEST_DIR_REMOVE && !run->phase.over &&
        run->phase.failed_by[ENOENT] != 0 && made.count != 0) {
        tmk_mdtest_remove_moved(run, &set, UINT64_MAX);
    }
}

/*
 * Setting up.
 */

int tmk_mdtest_run_init_all(struct tmk_mdtest_run *run)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    uint64_t bytes = conf->write_bytes > conf->read_bytes ? conf->write_bytes
                                                          : conf->read_bytes;
    int err = tmk_phase_init(&run->phase);

    if (err == 0 && bytes != 0) {
        if (bytes <= SIZE_MAX - 4096) {
            run->buffer = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        }
        if (run->buffer == NULL) {
            err = -ENOMEM;
        }
    }
    err = tmk_job_agree_all(run->job, err);
    if (err != 0) {
        tmk_say_error(run->job, "-w, -e: buffers of %" PRIu64 " bytes: %s",
                      bytes, strerror(-err));
    }
    return err;
}

void tmk_mdtest_run_fini(struct tmk_mdtest_run *run)
{
    tmk_phase_fini(&run->phase);
    free(run->buffer);
    run->buffer = NULL;
}

void tmk_mdtest_run_begin(struct tmk_mdtest_run *run, uint64_t iteration)
{
    run->iteration = iteration;
    run->tree_made = false;
    run->tree_failed = false;
    for (int i = 0; i < TMK_MDTEST_TARGETS; i++) {
        run->made[i] = (struct tmk_mdtest_made){0};
        run->incomplete[i] = false;
    }
}
