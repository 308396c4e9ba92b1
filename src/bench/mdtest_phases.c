/*
 * mdtest_phases: the measured loops.
 *
 * Every operation on items is a function of a name (mdtest_operations); visit()
 * is the loop around it, visit_watched() the same where something goes beside
 * the operation.  Rename chains and trees have loops of their own.
 */
#include "bench/mdtest_phases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_marker.h"
#include "bench/mdtest_operations.h"
#include "bench/mdtest_trees.h"
#include "run/say.h"
#include "run/shell.h"

/*
 * The measured loops.  All begin with the item that run->item stands on, and
 * return how many of its owner's items have been visited in the end.
 */

static uint64_t visit(struct tmk_mdtest_run *run, tmk_mdtest_operation *op,
                      uint64_t end)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        tmk_phase_did(p, op(run, it->path));
    } while (!tmk_phase_over(p) && it->visited + 1 < end && tmk_item_next(it));
    return it->visited + 1;
}

/* Where names are relative: use the directory of the current item. */
static int enter(struct tmk_mdtest_run *run)
{
    struct tmk_item *it = &run->item;
    intptr_t dir;
    int err;

    if (run->calls == run->ops) {
        return 0;
    }
    run->name = tmk_item_name(it);
    err = tmk_mdtest_dirs_get(&run->dirs, it, &dir);
    if (err == 0) {
        run->calls->use_dirs(run->engine, dir, dir);
    }
    return err;
}

/* How a phase visits items where visit() is not enough. */
struct watch {
    struct tmk_mdtest_steps steps;
    enum tmk_mdtest_target target;
    const struct tmk_mdtest_made *made; /* holes are skipped */
    bool aside;   /* fills or checks: not part of an operation's time */
    bool creates; /* an item that cannot be tried is one that is not made */
    bool second;  /* the second step of -c: operations are counted already */
};

/* One item. */
static void watch_item(struct tmk_mdtest_run *run, const struct watch *watch)
{
    const struct tmk_mdtest_steps *steps = &watch->steps;
    struct tmk_phase *p = &run->phase;
    uint64_t end_ns;
    int err = enter(run);

    if (err != 0 && watch->creates) {
        tmk_mdtest_made_miss(&run->made[watch->target],
                             run->first_position + run->item.position);
    }
    if (err == 0 && steps->fill != NULL) {
        err = steps->fill(run);
    }
    if (watch->aside) {
        tmk_phase_resume(p);
    }
    if (err == 0) {
        err = steps->op(run, run->name);
    }
    end_ns = tmk_clock_ns();
    if (err == 0 && steps->check != NULL) {
        err = steps->check(run);
    }
    if (!watch->second) {
        tmk_mdtest_did(run, err, end_ns);
    } else if (err != 0) {
        tmk_phase_spoil(p, err);
    }
}

static uint64_t visit_watched(struct tmk_mdtest_run *run,
                              const struct watch *watch, uint64_t end)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        if (!tmk_mdtest_made_is_hole(watch->made, it->position)) {
            watch_item(run, watch);
        }
        if (watch->second) {
            tmk_phase_look(p);
        }
    } while (!tmk_phase_over(p) && it->visited + 1 < end && tmk_item_next(it));
    return it->visited + 1;
}

/* The loop that a phase needs. */
static uint64_t visit_with(struct tmk_mdtest_run *run,
                           const struct watch *watch, uint64_t end)
{
    bool plain = !watch->aside && !watch->second && !run->records &&
                 run->calls == run->ops && watch->made->n_holes == 0;

    return plain ? visit(run, watch->steps.op, end)
                 : visit_watched(run, watch, end);
}

static struct watch watch_phase(const struct tmk_mdtest_run *run,
                                enum tmk_mdtest_phase which,
                                const struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    struct watch watch = {
        .steps = tmk_mdtest_operations_choose(run, which),
        .target = row->target,
        .made = made,
        .creates = row->action == TMK_MDTEST_CREATE,
    };

    watch.aside = watch.steps.fill != NULL || watch.steps.check != NULL;
    return watch;
}

/*
 * Renaming.
 */

/* Items of a task in one loop directory. */
static uint64_t slots_of(const struct tmk_mdtest_plan *plan)
{
    return plan->items / plan->loops;
}

/* run->other: the name that the current item has amid a chain of renames. */
static void name_moved(struct tmk_mdtest_run *run)
{
    (void)snprintf(run->other, sizeof(run->other), "%.*s-XX",
                   (int)(sizeof(run->other) - 4), run->item.path);
}

/* The name behind the last slash. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* The current item gets the name run->other. */
static int move_out(struct tmk_mdtest_run *run)
{
    int err = enter(run);

    if (err != 0 || run->calls == run->ops) {
        return err != 0
                   ? err
                   : run->ops->rename(run->engine, run->item.path, run->other);
    }
    return run->calls->rename(run->engine, run->name, last_name(run->other));
}

/* The current item gets the name that run->hole stands on. */
static int move_item(struct tmk_mdtest_run *run)
{
    intptr_t from;
    intptr_t to;
    int err;

    if (run->calls == run->ops) {
        return run->ops->rename(run->engine, run->item.path, run->hole.path);
    }
    err = tmk_mdtest_dirs_get(&run->dirs, &run->item, &from);
    if (err == 0) {
        err = tmk_mdtest_dirs_get(&run->dirs, &run->hole, &to);
    }
    if (err != 0) {
        return err;
    }
    run->calls->use_dirs(run->engine, from, to);
    return run->calls->rename(run->engine, tmk_item_name(&run->item),
                              tmk_item_name(&run->hole));
}

/* What was moved out gets the name that run->hole stands on: by whole paths,
 * because its directory may be closed by now. */
static int move_back(struct tmk_mdtest_run *run)
{
    return run->ops->rename(run->engine, run->other, run->hole.path);
}

/* Move on to an item that was made; false at the end of the loop directory. */
static bool next_made(struct tmk_item *it, const struct tmk_mdtest_made *made,
                      uint64_t chain_loop)
{
    do {
        if (!tmk_item_next(it) || it->loop != chain_loop) {
            return false;
        }
    } while (tmk_mdtest_made_is_hole(made, it->position));
    return true;
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
    err = move_out(run);
    tmk_mdtest_did(run, err, tmk_clock_ns());
    if (err != 0) {
        return;
    }
    for (uint64_t i = 2; i < n && !tmk_phase_over(p); i++) {
        if (!next_made(it, made, loop)) {
            break;
        }
        err = move_item(run);
        tmk_mdtest_did(run, err, tmk_clock_ns());
        while (err == 0 && hole->position != it->position) {
            (void)tmk_item_next(hole);
        }
    }
    p->how.path = run->other; /* should this one fail, it is named */
    err = move_back(run);
    tmk_mdtest_did(run, err, tmk_clock_ns());
    p->how.path = it->path;
}

/* Rename in every loop directory; returns the operations that takes. */
static uint64_t rename_chains(struct tmk_mdtest_run *run,
                              const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;
    uint64_t planned = 0;
    uint64_t loop = 0;
    bool more = !tmk_mdtest_made_is_hole(made, it->position) ||
                next_made(it, made, it->loop);

    while (more && !tmk_phase_over(p)) {
        uint64_t slots = slots_of(run->plan);
        uint64_t n = tmk_mdtest_made_within(made, it->loop * slots, slots);

        loop = it->loop;
        tmk_item_copy(&run->hole, it);
        if (n >= 2) {
            planned += n;
            rename_chain(run, n, made);
        }
        /* On to the next loop directory. */
        do {
            more = tmk_item_next(it);
        } while (more && (it->loop == loop ||
                          tmk_mdtest_made_is_hole(made, it->position)));
    }
    return planned;
}

/*
 * What creation made, and who has to know.
 */

/* The ranks whose part in a phase this rank does: first, and how many. */
struct duty {
    uint32_t first, n;
};

/* Whether rank 0 does a phase on items for all (-c). */
static bool for_all(const struct tmk_mdtest_run *run,
                    const struct tmk_mdtest_phase_row *row)
{
    return run->plan->conf->collective && (row->action == TMK_MDTEST_CREATE ||
                                           row->action == TMK_MDTEST_REMOVE);
}

/* What rank 0 made for an owner (-c). */
static void made_for(const struct tmk_mdtest_run *run,
                     enum tmk_mdtest_target target, uint64_t owner,
                     struct tmk_mdtest_made *made)
{
    tmk_mdtest_made_for(&run->made[target], owner, run->plan->tasks,
                        slots_of(run->plan), made);
}

static struct duty duty_of(const struct tmk_mdtest_run *run,
                           const struct tmk_mdtest_phase_row *row)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    uint32_t rank = (uint32_t)run->job->rank;
    const bool removes = row->action == TMK_MDTEST_REMOVE;

    if (for_all(run, row)) {
        return (struct duty){0, rank == 0 ? run->plan->tasks : 0};
    }
    if (conf->shared && removes) {
        return (struct duty){0, rank == 0};
    }
    return (struct duty){rank, 1};
}

/* Everything that the plan, or the status file, says. */
static void all_made(const struct tmk_mdtest_run *run,
                     enum tmk_mdtest_target target, uint64_t owner,
                     struct tmk_mdtest_made *made)
{
    if (run->status != NULL && !run->plan->creates) {
        tmk_mdtest_status_made(run->status, target, run->iteration, owner,
                               made);
        if (made->count > run->plan->items) {
            made->count = run->plan->items;
        }
    } else {
        made->count = run->count[target];
        made->n_holes = 0;
    }
    made->attempted = made->count;
}

/*
 * What the owner of a rank's items in a phase made: run->theirs.  If a creation
 * was incomplete, that is asked from the owner, which takes every rank.
 */
static void learn(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                  uint32_t rank)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    const struct tmk_owner *owner = &run->plan->owner;
    uint32_t theirs = tmk_owner_of(owner, rank, row->hops);
    struct tmk_mdtest_made *made = &run->made[row->target];
    uint64_t items = run->plan->items;

    if (row->action == TMK_MDTEST_CREATE) {
        run->theirs.count = items;
        run->theirs.n_holes = 0;
    } else if (!run->incomplete[row->target]) {
        all_made(run, row->target, conf->shared ? 0 : theirs, &run->theirs);
    } else if (conf->collective) {
        made_for(run, row->target, theirs, &run->theirs);
    } else if (conf->shared || conf->no_barriers) {
        run->theirs = *made;
    } else {
        tmk_wait_exchange(&run->job->wait, made,
                          (int)tmk_owner_visitor(owner, rank, row->hops),
                          &run->theirs, (int)theirs, (int)sizeof(run->theirs));
    }
}

/* The lowest of the ranks that came furthest gives its holes to all. */
static void furthest_all(struct tmk_mdtest_run *run,
                         struct tmk_mdtest_made *made)
{
    const struct tmk_job *job = run->job;
    uint64_t furthest = tmk_job_max_all(job, made->count);
    bool mine = made->count == furthest;
    uint64_t turn =
        tmk_job_max_all(job, mine ? (uint64_t)(job->size - job->rank) : 0);

    if (turn != (uint64_t)(job->size - job->rank)) {
        memset(made, 0, sizeof(*made));
    }
    tmk_wait_allreduce_all(&job->wait, made, (int)sizeof(*made), MPI_BYTE,
                           MPI_BOR);
}

/* Of files that all tasks make (-S), a hole is where none could. */
static void unite_all(struct tmk_mdtest_run *run, struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_made mine = *made;
    uint8_t missing[TMK_MDTEST_HOLES_MAX];
    uint64_t n = 0;

    furthest_all(run, made);
    memset(missing, 1, sizeof(missing));
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        missing[i] = tmk_mdtest_made_within(&mine, made->holes[i], 1) == 0;
    }
    tmk_wait_allreduce_all(&run->job->wait, missing, (int)sizeof(missing),
                           MPI_BYTE, MPI_BAND);
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        if (missing[i]) {
            made->holes[n++] = made->holes[i];
        }
    }
    if (made->n_holes <= TMK_MDTEST_HOLES_MAX) {
        made->n_holes = n;
    }
}

/* After creating: how far the ranks came. */
static void note_made_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_target target,
                          struct tmk_phase_result *result)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    struct tmk_mdtest_made *made = &run->made[target];
    struct tmk_phase_wall *wall = &result->wall;

    run->incomplete[target] = result->failed != 0 || result->missed != 0;
    if (plan->conf->collective) {
        tmk_wait_bcast_all(&run->job->wait, made, (int)sizeof(*made), MPI_BYTE);
        run->incomplete[target] =
            run->incomplete[target] || made->count < plan->distinct;
        made_for(run, target, 0, &run->theirs);
        wall->max = run->theirs.count;
        made_for(run, target, plan->tasks - 1, &run->theirs);
        wall->min = run->theirs.count;
    } else if (wall->on) {
        run->count[target] = wall->max;
    }
    if (plan->conf->shared && run->incomplete[target]) {
        unite_all(run, made);
    }
}

/*
 * Items of a phase.
 */

static enum tmk_item_order order_of(const struct tmk_mdtest_run *run,
                                    enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    bool shuffled = row->shuffles && run->plan->shuffled;

    if (row->action == TMK_MDTEST_REMOVE) {
        shuffled = run->plan->conf->random_remove != 0;
    }
    return shuffled ? TMK_ITEM_SHUFFLED : row->order;
}

/* Stand on the first item of run->theirs; false if there is none. */
static bool stand(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                  uint32_t rank, struct tmk_item_set *set)
{
    *set = tmk_mdtest_plan_set(run->plan, which, rank, run->iteration,
                               run->theirs.count);
    run->first_position = 0;
    if (set->made == 0) {
        return false;
    }
    if (tmk_mdtest_phase_rows[which].shuffles && run->list != NULL) {
        tmk_order_fill_legacy(run->list, set->made, (uint32_t)run->seed);
        return tmk_item_init_listed(&run->item, set, run->list) == 0;
    }
    return tmk_item_init(&run->item, set, order_of(run, which), run->seed) == 0;
}

/*
 * The rest of a phase with a stonewall: until all have visited as many.
 * *planned becomes that.
 */
static uint64_t even_all(struct tmk_mdtest_run *run, const struct watch *watch,
                         uint64_t visited, uint64_t *planned)
{
    uint64_t most = tmk_phase_even_all(&run->phase, visited);

    if (run->plan->conf->collective && watch->creates) {
        /* There is nobody to catch up. */
        *planned = run->phase.ended ? *planned : visited;
        return visited;
    }
    if (visited < most && visited != 0 && !tmk_phase_over(&run->phase) &&
        tmk_item_next(&run->item)) {
        visited = visit_with(run, watch, most);
    }
    *planned = *planned < most ? *planned : most;
    return visited;
}

/* Operations on run->theirs when nothing fails. */
static uint64_t expected(const struct tmk_mdtest_run *run,
                         const struct tmk_mdtest_phase_row *row)
{
    if (row->action == TMK_MDTEST_CREATE) {
        return run->plan->items;
    }
    /* Where creation ended as it was to end, these are all there should be. */
    if (run->status != NULL ||
        (run->plan->conf->collective && run->plan->conf->stonewall_s != 0)) {
        return run->theirs.count - run->theirs.n_holes;
    }
    return run->count[row->target];
}

/* The same in one loop directory alone, with what is there of it. */
static bool stand_in_loop(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which, uint32_t rank,
                          uint64_t loop, struct tmk_item_set *set)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_made all = run->theirs;
    uint64_t slots = slots_of(plan);

    tmk_mdtest_made_part(&all, loop * slots, slots, &run->theirs);
    run->first_position = (loop * plan->tasks + rank) * slots;
    tmk_mdtest_dirs_close(&run->dirs);
    *set = tmk_mdtest_plan_set(plan, which, rank, run->iteration,
                               run->theirs.count);
    set->loops = 1;
    set->first_loop = loop;
    return set->made != 0 &&
           tmk_item_init(&run->item, set, order_of(run, which), run->seed) == 0;
}

/* What rank 0 made for all in a loop directory gets its data from each rank,
 * for which no stonewall holds. */
static void fill_all(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                     uint64_t loop)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_mdtest_made *made = &run->made[TMK_MDTEST_FILES];
    const uint64_t deadline_ns = p->deadline_ns;
    const bool over = p->over;
    struct watch watch = {
        .steps = tmk_mdtest_operations_second(run),
        .target = TMK_MDTEST_FILES,
        .made = &run->theirs,
        .second = true,
    };
    struct tmk_item_set set;
    uint64_t visited = 0;
    uint64_t untried;

    p->deadline_ns = UINT64_MAX;
    p->over = p->ended;
    tmk_phase_bcast_all(p, made, (int)sizeof(*made));
    made_for(run, TMK_MDTEST_FILES, (uint32_t)run->job->rank, &run->theirs);
    if (stand_in_loop(run, which, (uint32_t)run->job->rank, loop, &set) &&
        !tmk_phase_over(p)) {
        visited = visit_with(run, &watch, UINT64_MAX);
    }
    untried =
        tmk_mdtest_made_within(&run->theirs, visited, slots_of(run->plan));
    p->done -= untried; /* these have not got their data */
    p->missed += untried;
    p->deadline_ns = deadline_ns;
    p->over = p->ended || over;
}

/* Rank 0's items of all ranks in a loop directory; returns how many it has
 * visited, and adds to *planned how many there should be. */
static uint64_t run_loop(struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which, const struct watch *watch,
                         uint64_t loop, uint64_t *planned)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    uint64_t visited = 0;

    for (uint32_t rank = 0; rank < run->plan->tasks; rank++) {
        struct tmk_item_set set;
        bool found;

        learn(run, which, rank);
        found = stand_in_loop(run, which, rank, loop, &set);
        *planned += row->action == TMK_MDTEST_CREATE ||
                            run->plan->conf->stonewall_s == 0
                        ? slots_of(run->plan)
                        : run->theirs.count - run->theirs.n_holes;
        if (found && !tmk_phase_over(&run->phase)) {
            visited += visit_with(run, watch, UINT64_MAX);
        }
    }
    return visited;
}

/* A phase that rank 0 does for all, loop by loop. */
static uint64_t run_for_all(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which,
                            const struct watch *watch, uint64_t *planned)
{
    const bool fills =
        which == TMK_MDTEST_FILE_CREATE && !run->plan->conf->mknod;
    uint64_t visited = 0;

    for (uint64_t loop = 0; loop < run->plan->loops; loop++) {
        if (run->job->rank == 0) {
            visited += run_loop(run, which, watch, loop, planned);
        }
        if (watch->creates) {
            tmk_mdtest_made_end(&run->made[watch->target], visited);
        }
        if (fills) {
            fill_all(run, which, loop);
        }
    }
    return visited;
}

/* Run the operations of a phase on items.  The first has been found, if there
 * is any. */
static void run_items_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which, bool found)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct watch watch = watch_phase(run, which, &run->theirs);
    struct tmk_phase *p = &run->phase;
    const uint64_t missed = p->missed;
    uint64_t planned = 0;
    uint64_t visited = 0;
    uint64_t tried;

    if (for_all(run, row)) {
        visited = run_for_all(run, which, &watch, &planned);
    } else if (duty_of(run, row).n != 0) {
        planned = expected(run, row);
        if (found && tmk_phase_over(p)) {
            visited = 0;
        } else if (found && row->action == TMK_MDTEST_RENAME) {
            planned = rename_chains(run, &run->theirs);
        } else if (found) {
            visited = visit_with(run, &watch, UINT64_MAX);
        }
    }
    if (p->how.stop_after_ns != 0) {
        visited = even_all(run, &watch, visited, &planned);
    }
    if (watch.creates) {
        tmk_mdtest_made_end(&run->made[row->target], visited);
    }
    tried = p->done + p->failed + (p->missed - missed);
    p->missed += planned > tried ? planned - tried : 0;
    tmk_mdtest_dirs_close(&run->dirs);
}

/*
 * Items behind the last one that others visit: there were too many holes to
 * tell them all.  Not measured; what is not there is no failure.
 */
static void remove_rest(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                        uint32_t rank, const struct tmk_mdtest_made *made)
{
    const int signal = tmk_job_signal();
    const struct tmk_mdtest_steps steps =
        tmk_mdtest_operations_choose(run, which);
    struct tmk_item_set set = tmk_mdtest_plan_set(
        run->plan, which, rank, run->iteration, made->attempted);

    if (made->attempted <= made->count ||
        tmk_item_init(&run->item, &set, TMK_ITEM_CREATION, 0) != 0) {
        return;
    }
    do {
        if (run->item.position >= made->count) {
            (void)steps.op(run, run->item.path);
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

/*
 * After removing: what removal did not come to.  Not measured.
 */
static void remove_strays(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct duty duty = duty_of(run, row);
    const bool moved = which == TMK_MDTEST_DIR_REMOVE && !run->phase.over &&
                       run->phase.failed_by[ENOENT] != 0;

    run->calls = run->ops; /* whole paths */
    for (uint32_t i = 0; i < duty.n; i++) {
        uint32_t rank = duty.first + i;
        struct tmk_item_set set;

        if (for_all(run, row)) {
            learn(run, which, rank);
        }
        remove_rest(run, which, rank, &run->theirs);
        set = tmk_mdtest_plan_set(run->plan, which, rank, run->iteration,
                                  run->theirs.count);
        if (moved && set.made != 0) {
            tmk_mdtest_remove_moved(run, &set, UINT64_MAX);
        }
    }
    run->calls = run->item_calls;
}

/*
 * Running a phase.
 */

/* A command of the user's; failures are counted. */
static void run_command(struct tmk_mdtest_run *run, const char *command)
{
    int status;

    if (command == NULL || command[0] == '\0') {
        return;
    }
    status = tmk_shell_run(command);
    if (status != 0 && run->command_failures++ == 0) {
        run->command_status = status;
        run->command = command;
    }
}

/* Bytes that an operation of a phase moves. */
static uint64_t bytes_of(const struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which)
{
    switch (which) {
    case TMK_MDTEST_FILE_CREATE:
    case TMK_MDTEST_FILE_REMOVE: return run->data.write_bytes;
    case TMK_MDTEST_FILE_READ: return run->data.read_bytes;
    default: return 0;
    }
}

/* Record the operations of a phase, if that is asked for. */
static void record(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct duty duty = duty_of(run, row);
    uint64_t planned = row->target == TMK_MDTEST_TREE ? plan->operations[which]
                                                      : duty.n * plan->items;

    run->bytes = bytes_of(run, which);
    run->records =
        run->perop != NULL &&
        tmk_perop_begin(run->perop, row->name, run->job->size,
                        (int)run->iteration, &run->phase.t0_ns, planned);
}

static void end_record(struct tmk_mdtest_run *run)
{
    if (run->records) {
        tmk_perop_end(run->perop);
        run->records = false;
    }
}

static uint64_t stop_after_ns(const struct tmk_mdtest_conf *conf,
                              const struct tmk_mdtest_phase_row *row)
{
    int limit_s = 0;

    if (row->target == TMK_MDTEST_TREE) {
        return 0;
    }
    switch (row->action) {
    case TMK_MDTEST_CREATE: limit_s = conf->stonewall_s; break;
    case TMK_MDTEST_STAT:
    case TMK_MDTEST_READ: limit_s = conf->stonewall_read_s; break;
    default: break;
    }
    return (uint64_t)limit_s * 1000000000u;
}

/* What does not belong to the measured time, before it. */
static void prepare(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                    struct tmk_item_set *set, bool *found)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct duty duty = duty_of(run, row);
    uint32_t rank = (uint32_t)run->job->rank;

    *found = false;
    run->data.detail[0] = '\0';
    run_command(run, plan->conf->cmd_before);
    tmk_mdtest_marker_touch(run->site);
    record(run, which);
    if (row->target == TMK_MDTEST_TREE) {
        run->tree_made = run->tree_made || row->action == TMK_MDTEST_CREATE;
        return;
    }
    tmk_mdtest_data_writes(&run->data, plan->conf->shared ? 0 : rank);
    tmk_mdtest_data_reads(
        &run->data,
        plan->conf->shared ? 0 : tmk_owner_of(&plan->owner, rank, row->hops));
    if (!for_all(run, row)) {
        learn(run, which, duty.n != 0 ? duty.first : rank);
    }
    if (!for_all(run, row) && duty.n != 0) {
        *found = stand(run, which, duty.first, set);
    }
    run->name = run->item.path;
}

static struct tmk_phase_how how(const struct tmk_mdtest_run *run,
                                enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    return (struct tmk_phase_how){
        .creates = row->action == TMK_MDTEST_CREATE,
        .max_errors = conf->max_errors,
        .stop_after_ns = stop_after_ns(conf, row),
        .path = row->target == TMK_MDTEST_TREE ? run->other : run->item.path,
        .detail = run->data.detail,
    };
}

/* The operations, and what is to be done before the last barrier. */
static void operate_all(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                        bool found)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    if (which == TMK_MDTEST_TREE_CREATE) {
        run->phase.missed = tmk_mdtest_trees_make(run);
    } else if (which == TMK_MDTEST_TREE_REMOVE) {
        run->phase.missed = tmk_mdtest_trees_remove(run);
    } else {
        run_items_all(run, which, found);
    }
    tmk_phase_close(&run->phase);
    if (conf->sync && run->as_original) {
        run_command(run, "sync");
    } else if (conf->sync) {
        (void)run->ops->sync(run->engine);
    }
    run_command(run, conf->cmd_after);
}

/* What follows from a phase for those after it. */
static void conclude_all(struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which,
                         struct tmk_phase_result *result)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const bool tree = row->target == TMK_MDTEST_TREE;

    result->foreign_share = run->plan->foreign_share[which];
    if (!tree && row->action == TMK_MDTEST_CREATE) {
        note_made_all(run, row->target, result);
    }
    if (result->wall.on) {
        result->wall.hit =
            result->wall.sum < run->plan->items * run->plan->tasks;
    }
    if (which == TMK_MDTEST_TREE_CREATE) {
        run->tree_failed = run->phase.failed != 0 || run->phase.missed != 0;
    }
    if (!tree && row->action == TMK_MDTEST_REMOVE) {
        remove_strays(run, which);
    }
}

void tmk_mdtest_phase_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          struct tmk_phase_result *result)
{
    const struct tmk_phase_how asked = how(run, which);
    struct tmk_item_set set;
    bool found;

    prepare(run, which, &set, &found);
    tmk_phase_begin_all(&run->phase, run->job, &asked);
    operate_all(run, which, found);
    tmk_phase_end_all(&run->phase, result);
    end_record(run);
    conclude_all(run, which, result);
}

/*
 * Phases without barriers.
 */

void tmk_mdtest_group_begin_all(struct tmk_mdtest_run *run)
{
    run->n_kept = 0;
    run->epoch_ns = tmk_phase_group_begin_all(run->job);
}

void tmk_mdtest_group_run(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_phase_how asked = how(run, which);
    struct tmk_phase *p = &run->phase;
    struct tmk_item_set set;
    bool found;

    prepare(run, which, &set, &found);
    tmk_phase_begin(p, run->job, &asked, run->epoch_ns);
    operate_all(run, which, found);
    tmk_phase_end(p);
    end_record(run);
    if (row->action == TMK_MDTEST_CREATE) {
        run->incomplete[row->target] = p->failed != 0 || p->missed != 0;
    }
    if (row->action == TMK_MDTEST_REMOVE) {
        remove_strays(run, which);
    }
    run->kept[run->n_kept] = *p;
    run->kept_which[run->n_kept++] = which;
}

enum tmk_mdtest_phase
tmk_mdtest_group_combine_all(struct tmk_mdtest_run *run, size_t index,
                             struct tmk_phase_result *result)
{
    run->phase = run->kept[index];
    tmk_phase_combine_all(&run->phase, result);
    result->foreign_share = -1.0;
    return run->kept_which[index];
}

/*
 * Setting up.
 */

/* The original's order of -R: an array, made before anything is timed. */
static int make_list(struct tmk_mdtest_run *run)
{
    uint64_t items = run->plan->items;

    if (!run->as_original || !run->plan->shuffled) {
        return 0;
    }
    run->list = items <= SIZE_MAX / sizeof(*run->list)
                    ? malloc(items * sizeof(*run->list))
                    : NULL;
    return run->list != NULL ? 0 : -ENOMEM;
}

int tmk_mdtest_run_init_all(struct tmk_mdtest_run *run)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    int err = tmk_phase_init(&run->phase);

    run->as_original = conf->semantics == TMK_MDTEST_AS_MDTEST_4_1;
    run->read_access =
        run->as_original ? TMK_ENGINE_READ_WRITE : TMK_ENGINE_READ;
    run->calls = run->ops;
    if (conf->access == TMK_MDTEST_ACCESS_DIRFD) {
        run->calls = run->ops->relative;
        tmk_mdtest_dirs_init(&run->dirs, run->calls, run->engine);
    }
    run->item_calls = run->calls;
    if (err == 0) {
        err = make_list(run);
    }
    if (err == 0) {
        err = tmk_mdtest_data_init(&run->data, conf, run->pattern_seed);
    }
    err = tmk_job_agree_all(run->job, err);
    if (err != 0) {
        tmk_say_error(run->job,
                      "-w, -e, -n: buffers for %" PRIu64 " and %" PRIu64
                      " bytes: %s",
                      conf->write_bytes, conf->read_bytes, strerror(-err));
    }
    return err;
}

void tmk_mdtest_run_fini(struct tmk_mdtest_run *run)
{
    tmk_phase_fini(&run->phase);
    tmk_mdtest_data_fini(&run->data);
    free(run->list);
    run->list = NULL;
}

void tmk_mdtest_run_begin(struct tmk_mdtest_run *run, uint64_t iteration)
{
    uint64_t items = run->plan->items;

    run->iteration = iteration;
    run->tree_made = false;
    run->tree_failed = false;
    for (int i = 0; i < TMK_MDTEST_TARGETS; i++) {
        run->made[i] = (struct tmk_mdtest_made){0};
        run->incomplete[i] = false;
        run->count[i] = items;
        if (run->status != NULL && !run->plan->creates) {
            uint64_t n = tmk_mdtest_status_count(
                run->status, (enum tmk_mdtest_target)i, iteration);

            run->count[i] = n < items ? n : items;
        }
    }
}
