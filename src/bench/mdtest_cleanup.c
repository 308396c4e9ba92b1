/*
 * mdtest_cleanup: removing what a launch created when its own remove phases do
 * not come to it: after an interrupt, or a full file system.
 */
#include <errno.h>

#include "bench/mdtest_known.h"
#include "bench/mdtest_phases.h"
#include "bench/mdtest_rename.h"
#include "bench/mdtest_trees.h"
#include "run/clock.h"

static bool late(uint64_t deadline_ns)
{
    return tmk_clock_ns() >= deadline_ns;
}

/* Remove the items of a kind of one rank; true if something may be left. */
static bool clean_items(struct tmk_mdtest_run *run,
                        enum tmk_mdtest_phase create, uint32_t rank,
                        uint64_t iteration, uint64_t made, uint64_t deadline_ns)
{
    const bool dirs = create == TMK_MDTEST_DIR_CREATE;
    struct tmk_item_set set =
        tmk_mdtest_plan_set(run->plan, create, rank, iteration, made);
    bool missing = false;
    bool left = false;

    if (made == 0 || !run->plan->on[create] ||
        tmk_item_init(&run->item, &set, TMK_ITEM_CREATION, 0) != 0) {
        return false;
    }
    do {
        int err = dirs ? run->ops->rmdir(run->engine, run->item.path)
                       : run->ops->unlink(run->engine, run->item.path);

        missing = missing || err == -ENOENT;
        left = left || (err != 0 && err != -ENOENT);
        if (run->item.visited % 64 == 0 && late(deadline_ns)) {
            return true;
        }
    } while (tmk_item_next(&run->item));
    if (dirs && missing && run->plan->on[TMK_MDTEST_DIR_RENAME]) {
        tmk_mdtest_rename_remove_moved(run, &set, deadline_ns);
    }
    return left;
}

/*
 * Remove all of a kind that is this rank's to remove: its own items, or where
 * rank 0 created for all, those of all.
 */
static bool clean_kind(struct tmk_mdtest_run *run, enum tmk_mdtest_phase create,
                       uint64_t iteration, uint64_t deadline_ns)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const enum tmk_mdtest_target target = tmk_mdtest_phase_rows[create].target;
    const struct tmk_mdtest_made *made = &run->made[target];
    uint32_t rank = (uint32_t)run->job->rank;
    bool now = iteration == run->iteration;
    bool left = false;

    if (!plan->conf->collective) {
        return clean_items(run, create, rank, iteration,
                           now ? made->attempted : plan->items, deadline_ns);
    }
    for (uint32_t i = 0; i < (rank == 0 ? plan->tasks : 0); i++) {
        struct tmk_mdtest_made part;

        tmk_mdtest_made_for(made, i, plan->tasks, tmk_mdtest_known_turn(plan),
                            &part);
        left |= clean_items(run, create, i, iteration,
                            now ? part.attempted : plan->items, deadline_ns);
    }
    return left;
}

bool tmk_mdtest_clean_up_all(struct tmk_mdtest_run *run, uint64_t deadline_ns)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    uint64_t first = plan->removes ? run->iteration : 0;
    bool left = false;

    for (uint64_t i = first; i <= run->iteration; i++) {
        left |= clean_kind(run, TMK_MDTEST_DIR_CREATE, i, deadline_ns);
        left |= clean_kind(run, TMK_MDTEST_FILE_CREATE, i, deadline_ns);
    }
    /* A directory can go when every rank's items are gone. */
    tmk_wait_barrier_all(&run->job->wait);
    for (uint64_t i = first; i <= run->iteration; i++) {
        if (run->tree_made || i < run->iteration) {
            left |= tmk_mdtest_trees_clean(run, i, deadline_ns);
        }
    }
    tmk_wait_barrier_all(&run->job->wait);
    /* The last iteration first: it is the one with the marker. */
    for (uint64_t i = run->iteration + 1; i-- > first;) {
        run->site->iteration = i;
        left |= tmk_mdtest_site_end(run->site, true) != 0;
    }
    return tmk_job_max_all(run->job, left) != 0;
}
