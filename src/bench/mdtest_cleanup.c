/*
 * mdtest_cleanup: removing what a launch created when its own remove phases do
 * not come to it: after an interrupt, or a full file system.
 */
#include <errno.h>

#include "bench/mdtest_phases.h"
#include "run/clock.h"

static bool late(uint64_t deadline_ns)
{
    return tmk_clock_ns() >= deadline_ns;
}

/* Remove this rank's items of a kind; true if something may be left. */
static bool clean_items(struct tmk_mdtest_run *run,
                        enum tmk_mdtest_phase create, uint64_t iteration,
                        uint64_t made, uint64_t deadline_ns)
{
    const bool dirs = create == TMK_MDTEST_DIR_CREATE;
    struct tmk_item_set set = tmk_mdtest_plan_set(
        run->plan, create, (uint32_t)run->job->rank, iteration, made);
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
        tmk_mdtest_remove_moved(run, &set, deadline_ns);
    }
    return left;
}

/* Remove this rank's trees of an iteration; likewise. */
static bool clean_trees(struct tmk_mdtest_run *run, uint64_t iteration,
                        uint64_t deadline_ns)
{
    const struct tmk_tree *tree = &run->plan->tree;
    struct tmk_item_set set =
        tmk_mdtest_plan_set(run->plan, TMK_MDTEST_TREE_REMOVE,
                            (uint32_t)run->job->rank, iteration, 0);
    bool left = false;

    for (uint64_t loop = 0; loop < set.loops; loop++) {
        for (uint64_t i = 0; i < tree->dirs; i++) {
            uint64_t dir = tmk_tree_at_postorder(tree, i);
            int err;

            if (tmk_mdtest_site_adopted(run->site, loop, dir)) {
                continue;
            }
            if (late(deadline_ns)) {
                return true;
            }
            (void)tmk_item_tree_path(&set, loop, dir, run->other,
                                     sizeof(run->other));
            err = run->ops->rmdir(run->engine, run->other);
            left = left || (err != 0 && err != -ENOENT);
        }
    }
    return left;
}

bool tmk_mdtest_clean_up_all(struct tmk_mdtest_run *run, uint64_t deadline_ns)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    uint64_t first = plan->removes ? run->iteration : 0;
    bool left = false;

    for (uint64_t i = first; i <= run->iteration; i++) {
        bool now = i == run->iteration;
        uint64_t dirs =
            now ? run->made[TMK_MDTEST_DIRS].attempted : plan->items;
        uint64_t files =
            now ? run->made[TMK_MDTEST_FILES].attempted : plan->items;

        left |= clean_items(run, TMK_MDTEST_DIR_CREATE, i, dirs, deadline_ns);
        left |= clean_items(run, TMK_MDTEST_FILE_CREATE, i, files, deadline_ns);
    }
    /* A directory can go when every rank's items are gone. */
    tmk_wait_barrier_all(&run->job->wait);
    for (uint64_t i = first; i <= run->iteration; i++) {
        if (tmk_mdtest_makes_tree(run) &&
            (run->tree_made || i < run->iteration)) {
            left |= clean_trees(run, i, deadline_ns);
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
