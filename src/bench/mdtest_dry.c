/*
 * mdtest_dry: plans that are not run.
 */
#include "bench/mdtest_dry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/why.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_launch.h"
#include "bench/mdtest_scan.h"
#include "run/say.h"

/* A plan for more ranks than anyone has is a slip of the keyboard. */
enum { RANKS_MAX = 16777216 };

/* Nodes of all ranks. */
struct machine {
    uint32_t ranks;
    bool is_here;     /* not made up */
    uint32_t *arrays; /* owned; of 4 * ranks: node, and those of a map */
};

/* The node of each rank: as they are, or as they are asked for.  0, -ENOMEM or
 * -EINVAL with `why`. */
static int place(struct machine *m, const struct tmk_mdtest_conf *conf,
                 const struct tmk_owner_map *here, char *why, size_t size)
{
    const uint32_t nodes =
        conf->nodes != 0 ? (uint32_t)conf->nodes : here->nodes;
    const uint32_t ppn =
        conf->ppn != 0 ? (uint32_t)conf->ppn : here->first_node_ranks;
    const bool made_up = conf->nodes != 0 || conf->ppn != 0;
    const uint64_t ranks = made_up ? (uint64_t)nodes * ppn : here->ranks;

    if (ranks > RANKS_MAX) {
        return tmk_why(why, size,
                       "--nodes, --ppn: %" PRIu64
                       " ranks are too many (%d is the most)",
                       ranks, RANKS_MAX);
    }
    m->ranks = (uint32_t)ranks;
    m->is_here = !made_up;
    m->arrays = calloc(4 * ranks, sizeof(*m->arrays));
    if (m->arrays == NULL) {
        return -ENOMEM;
    }
    if (made_up) {
        tmk_owner_block_nodes(m->arrays, nodes, ppn);
    } else {
        memcpy(m->arrays, here->node, ranks * sizeof(*m->arrays));
    }
    return 0;
}

/* The map of the first ranks. */
static int first_ranks(const struct machine *m, uint32_t ranks,
                       const struct tmk_owner_map *here,
                       struct tmk_owner_map *map)
{
    uint32_t *node = m->arrays + m->ranks;
    int err;

    memcpy(node, m->arrays, ranks * sizeof(*node));
    err = tmk_owner_map_init(map, ranks, node, node + m->ranks,
                             node + 2 * (size_t)m->ranks);
    if (m->is_here) {
        map->block = here->block; /* by the names of hosts */
    }
    return err;
}

/* Say the plan of each test of a scan, or only see whether it can be. */
static int explain(struct tmk_mdtest_launch *launch, const struct machine *m,
                   const struct tmk_mdtest_scan *scan,
                   struct tmk_mdtest_plan *plan, bool says, char *why,
                   size_t size)
{
    const struct tmk_owner_map *here = &launch->job->layout.map;
    struct tmk_owner_map map;
    int err = 0;

    for (int64_t tasks = scan->first; err == 0 && tasks <= scan->last;
         tasks += scan->step) {
        err = first_ranks(m, (uint32_t)tasks, here, &map);
        if (err == 0) {
            err = tmk_mdtest_plan_make(&launch->conf, &map, plan, why, size);
        }
        if (err == 0) {
            err = tmk_mdtest_scan_check(scan, plan, why, size);
        }
        if (err == 0 && says) {
            if (tasks != scan->first) {
                tmk_say(launch->job, "%s", "");
            }
            tmk_mdtest_explain_plan(launch->job, plan);
            tmk_mdtest_explain_notes(launch->job, plan, true);
        }
    }
    return err;
}

int tmk_mdtest_dry_run(struct tmk_mdtest_launch *launch)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    struct machine m = {.arrays = NULL};
    struct tmk_mdtest_scan scan;
    char why[512] = "out of memory";
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0) {
        err = place(&m, conf, &launch->job->layout.map, why, sizeof(why));
    }
    if (err == 0) {
        err = tmk_mdtest_scan_make(conf, (int)m.ranks, &scan, why, sizeof(why));
    }
    if (err == 0 && m.arrays != NULL) {
        err = explain(launch, &m, &scan, plan, false, why, sizeof(why));
    }
    if (err == 0 && m.arrays != NULL) {
        tmk_say_release(launch->job);
        err = explain(launch, &m, &scan, plan, true, why, sizeof(why));
    }
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    }
    free(m.arrays);
    free(plan);
    return err;
}
