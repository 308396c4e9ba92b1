/*
 * ior_map: which rank sits where, and what follows from it.
 */
#include "bench/ior_map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "run/machine.h"
#include "run/say.h"

int tmk_ior_map_init(struct tmk_ior_map *map, const struct tmk_job *job,
                     const struct tmk_ior_conf *conf, int nodes, int per_node)
{
    const uint32_t n = (uint32_t)job->size;
    uint32_t each = 0;

    *map = (struct tmk_ior_map){
        .map = job->layout.map,
        .ranks_on_first = job->layout.map.first_node_ranks,
    };
    nodes = conf->num_nodes > 0 ? conf->num_nodes : nodes;
    per_node = conf->tasks_on_node_0 > 0 ? conf->tasks_on_node_0 : per_node;
    if (per_node > 0) {
        each = (uint32_t)per_node;
    } else if (nodes > 0) {
        each = (n + (uint32_t)nodes - 1) / (uint32_t)nodes;
    } else {
        return 0;
    }
    map->arrays = calloc((size_t)3 * n, sizeof(*map->arrays));
    if (map->arrays == NULL) {
        return -ENOMEM;
    }
    for (uint32_t i = 0; i < n; i++) {
        map->arrays[i] = i / each;
    }
    map->made_up = true;
    map->ranks_on_first = each;
    return tmk_owner_map_init(&map->map, n, map->arrays, map->arrays + n,
                              map->arrays + (size_t)2 * n);
}

void tmk_ior_map_fini(struct tmk_ior_map *map)
{
    free(map->arrays);
    map->arrays = NULL;
}

static enum tmk_ior_tasks_kind kind_of(const struct tmk_ior_conf *conf)
{
    if (conf->reorder != 0) {
        return TMK_IOR_TASKS_CONSTANT;
    }
    if (conf->reorder_random > 1) {
        return TMK_IOR_TASKS_SHUFFLE;
    }
    if (conf->reorder_random == 1) {
        return conf->semantics == TMK_IOR_AS_IOR_4_1 ? TMK_IOR_TASKS_LEGACY
                                                     : TMK_IOR_TASKS_RANDOM;
    }
    return TMK_IOR_TASKS_OWN;
}

struct tmk_ior_tasks tmk_ior_map_tasks(const struct tmk_ior_map *map,
                                       const struct tmk_ior_conf *conf)
{
    return (struct tmk_ior_tasks){
        .map = &map->map,
        .kind = kind_of(conf),
        .nodes_on = conf->node_offset,
        .seed = conf->reorder_seed,
        .original = conf->semantics == TMK_IOR_AS_IOR_4_1,
        .ranks_on_first = map->ranks_on_first,
    };
}

void tmk_ior_map_notes(const struct tmk_ior_map *map, struct tmk_job *job,
                       const struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    const bool shifts = run->tasks.kind != TMK_IOR_TASKS_OWN;
    double foreign;

    tmk_machine_notes(job, &job->layout.map, plan->conf->dry_run == 0);
    if (map->made_up) {
        tmk_say(job,
                "Nodes as they were asked for: %" PRIu32 ", with %" PRIu32
                " tasks on the first.",
                map->map.nodes, map->ranks_on_first);
    }
    if (!plan->reads && !plan->checks_write) {
        return;
    }
    foreign = tmk_ior_tasks_foreign_share(&run->tasks, 0);
    if (shifts) {
        tmk_say_verbose(job, 1, "read from another node: %.1f%% of the data",
                        100.0 * foreign);
    }
    if (shifts && foreign < 1.0) {
        tmk_say_warning(job, "ROTATION_SELF",
                        "%s: %.0f%% of the ranks read what their own node "
                        "wrote (%" PRIu32 " node%s)",
                        plan->conf->reorder != 0 ? "-C" : "-Z",
                        100.0 * (1.0 - foreign), map->map.nodes,
                        map->map.nodes == 1 ? "" : "s");
    }
}
