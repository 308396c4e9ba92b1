/*
 * mdtest_items: a phase on items around its measured loops.
 */
#include "bench/mdtest_items.h"

#include <errno.h>

#include "base/order.h"
#include "bench/mdtest_known.h"
#include "bench/mdtest_operations.h"
#include "bench/mdtest_rename.h"
#include "bench/mdtest_visit.h"

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

bool tmk_mdtest_items_stand(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which, uint32_t rank,
                            struct tmk_item_set *set)
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
static uint64_t even_all(struct tmk_mdtest_run *run,
                         const struct tmk_mdtest_watch *watch, uint64_t visited,
                         uint64_t *planned)
{
    uint64_t most = tmk_phase_even_all(&run->phase, visited);

    if (run->plan->conf->collective && watch->creates) {
        return visited; /* there is nobody to catch up */
    }
    if (visited < most && visited != 0 && !tmk_phase_over(&run->phase) &&
        tmk_item_next(&run->item)) {
        visited = tmk_mdtest_visit(run, watch, most);
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
    if (run->status != NULL) {
        return run->theirs.count - run->theirs.n_holes;
    }
    return run->count[row->target];
}

/* Renames of so many items: one that is alone in its loop keeps its name. */
static uint64_t renames_of(const struct tmk_mdtest_run *run, uint64_t items)
{
    return items % tmk_mdtest_known_slots(run->plan) == 1 ? items - 1 : items;
}

/* Rename; returns how many operations that should have been. */
static uint64_t rename_all_of(struct tmk_mdtest_run *run, uint64_t items)
{
    uint64_t planned = tmk_mdtest_rename_chains(run, &run->theirs);

    return run->status != NULL ? planned : renames_of(run, items);
}

/* The same in one loop directory alone, with what is there of it. */
static bool stand_in_loop(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which, uint32_t rank,
                          uint64_t loop, struct tmk_item_set *set)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_made all = run->theirs;
    uint64_t slots = tmk_mdtest_known_slots(plan);

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

/*
 * What rank 0 made for all, in a loop directory or with a stonewall anywhere,
 * gets its data from each rank, without regard to the stonewall.
 */
static void fill_all(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                     uint64_t loop)
{
    const uint32_t rank = (uint32_t)run->job->rank;
    const bool anywhere = run->plan->conf->stonewall_s != 0;
    struct tmk_phase *p = &run->phase;
    struct tmk_mdtest_made *made = &run->made[TMK_MDTEST_FILES];
    const uint64_t deadline_ns = p->deadline_ns;
    const bool over = p->over;
    struct tmk_mdtest_watch watch = {
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
    tmk_mdtest_known_made_for(run, TMK_MDTEST_FILES, rank, &run->theirs);
    tmk_mdtest_dirs_close(&run->dirs); /* those may be of another rank's tree */
    if ((anywhere ? tmk_mdtest_items_stand(run, which, rank, &set)
                  : stand_in_loop(run, which, rank, loop, &set)) &&
        !tmk_phase_over(p)) {
        visited = tmk_mdtest_visit(run, &watch, UINT64_MAX);
    }
    untried = tmk_mdtest_made_within(&run->theirs, visited, run->plan->items);
    p->done -= untried; /* these have not got their data */
    p->missed += untried;
    p->deadline_ns = deadline_ns;
    p->over = p->ended || over;
    tmk_phase_skip(p); /* rank 0's next creation begins now */
}

/* Rank 0's items of all ranks in a loop directory; returns how many it has
 * visited, and adds to *planned how many there should be. */
static uint64_t run_loop(struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which,
                         const struct tmk_mdtest_watch *watch, uint64_t loop,
                         uint64_t *planned)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    uint64_t visited = 0;

    for (uint32_t rank = 0; rank < run->plan->tasks; rank++) {
        struct tmk_item_set set;
        bool found;

        tmk_mdtest_known_learn(run, which, rank);
        found = stand_in_loop(run, which, rank, loop, &set);
        *planned += run->count[row->target] == run->plan->items
                        ? tmk_mdtest_known_slots(run->plan)
                        : run->theirs.count;
        if (found && !tmk_phase_over(&run->phase)) {
            visited += tmk_mdtest_visit(run, watch, UINT64_MAX);
        }
    }
    return visited;
}

/*
 * The same for creation with a stonewall: one item of each rank after the
 * other.  A round that has begun is ended, so that all have as many.
 */
static uint64_t run_rounds(struct tmk_mdtest_run *run,
                           enum tmk_mdtest_phase which,
                           const struct tmk_mdtest_watch *watch,
                           uint64_t *planned)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    struct tmk_phase *p = &run->phase;
    uint64_t visited = 0;

    for (uint64_t i = 0; i < plan->items && !tmk_phase_over(p); i++) {
        for (uint32_t rank = 0; rank < plan->tasks && !p->ended; rank++) {
            struct tmk_item_set set = tmk_mdtest_plan_set(
                plan, which, rank, run->iteration, plan->items);

            (void)tmk_item_init_at(&run->item, &set, i);
            /* A miss is noted at this plus the position: see made_for. */
            run->first_position = i * plan->tasks + rank - i;
            tmk_mdtest_dirs_close(&run->dirs);
            visited += tmk_mdtest_visit(run, watch, 1);
        }
    }
    *planned += p->ended ? plan->distinct : visited;
    return visited;
}

/* A phase that rank 0 does for all, loop by loop. */
static uint64_t run_for_all(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which,
                            const struct tmk_mdtest_watch *watch,
                            uint64_t *planned)
{
    const bool fills =
        which == TMK_MDTEST_FILE_CREATE && !run->plan->conf->mknod;
    const bool rounds = watch->creates && run->plan->conf->stonewall_s != 0;
    uint64_t visited = 0;

    for (uint64_t loop = 0; loop < (rounds ? 1 : run->plan->loops); loop++) {
        if (run->job->rank == 0 && rounds) {
            visited = run_rounds(run, which, watch, planned);
        } else if (run->job->rank == 0) {
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

void tmk_mdtest_items_run_all(struct tmk_mdtest_run *run,
                              enum tmk_mdtest_phase which, bool found)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_watch watch =
        tmk_mdtest_watch_phase(run, which, &run->theirs);
    struct tmk_phase *p = &run->phase;
    const uint64_t missed = p->missed;
    uint64_t planned = 0;
    uint64_t visited = 0;
    uint64_t tried;

    if (tmk_mdtest_known_for_all(run, row)) {
        visited = run_for_all(run, which, &watch, &planned);
    } else if (tmk_mdtest_known_duty(run, row).n != 0) {
        planned = expected(run, row);
        if (found && tmk_phase_over(p)) {
            visited = 0;
        } else if (found && row->action == TMK_MDTEST_RENAME) {
            planned = rename_all_of(run, planned);
        } else if (found) {
            visited = tmk_mdtest_visit(run, &watch, UINT64_MAX);
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
 * Items behind the last one that others visit, because there were too many
 * holes to tell them all, and the holes: a creation that failed may have made
 * its item all the same, where only the answer was lost.  Not measured; what
 * is not there is no failure.
 */
static void remove_rest(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                        uint32_t rank, const struct tmk_mdtest_made *made)
{
    const int signal = tmk_job_signal();
    const struct tmk_mdtest_steps steps =
        tmk_mdtest_operations_choose(run, which);
    struct tmk_item_set set = tmk_mdtest_plan_set(
        run->plan, which, rank, run->iteration, made->attempted);
    const bool ours = !run->site->root->reuses; /* so are the holes */

    if ((made->attempted <= made->count && made->n_holes == 0) ||
        tmk_item_init(&run->item, &set, TMK_ITEM_CREATION, 0) != 0) {
        return;
    }
    do {
        if (run->item.position >= made->count ||
            (ours && tmk_mdtest_made_is_hole(made, run->item.position))) {
            (void)steps.op(run, run->item.path);
        }
    } while (tmk_job_signal() == signal && tmk_item_next(&run->item));
}

void tmk_mdtest_items_remove_strays(struct tmk_mdtest_run *run,
                                    enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_duty duty = tmk_mdtest_known_duty(run, row);
    const bool moved = which == TMK_MDTEST_DIR_REMOVE && !run->phase.over &&
                       run->phase.failed_by[ENOENT] != 0;

    run->calls = run->ops; /* whole paths */
    for (uint32_t i = 0; i < duty.n; i++) {
        uint32_t rank = duty.first + i;
        struct tmk_item_set set;

        if (tmk_mdtest_known_for_all(run, row)) {
            tmk_mdtest_known_learn(run, which, rank);
        }
        remove_rest(run, which, rank, &run->theirs);
        set = tmk_mdtest_plan_set(run->plan, which, rank, run->iteration,
                                  run->theirs.count);
        if (moved && set.made != 0) {
            tmk_mdtest_rename_remove_moved(run, &set, UINT64_MAX);
        }
    }
    run->calls = run->item_calls;
}
