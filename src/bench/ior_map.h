#ifndef TMK_BENCH_IOR_MAP_H
#define TMK_BENCH_IOR_MAP_H

#include <stdint.h>

#include "base/owner.h"
#include "bench/ior_conf.h"
#include "bench/ior_run.h"
#include "run/job.h"

/*
 * Which rank sits where, for -C, -Q and -Z: as it is, or as numNodes,
 * tasksOnNode0, IOR_FAKE_NODES or IOR_FAKE_TASK_PER_NODES make it up.
 */
struct tmk_ior_map {
    struct tmk_owner_map map;
    uint32_t ranks_on_first; /* that the original shifts by: of all ranks of the
                                launch, not only those that take part */
    bool made_up;
    uint32_t *arrays; /* owned; of a map that is made up */
};

/* `nodes` and `per_node` are those of the variables; 0 = not set.  0 or
 * -ENOMEM, on this rank. */
int tmk_ior_map_init(struct tmk_ior_map *map, const struct tmk_job *job,
                     const struct tmk_ior_conf *conf, int nodes, int per_node);
void tmk_ior_map_fini(struct tmk_ior_map *map);

/* Whose data a rank reads by this map, which is borrowed. */
struct tmk_ior_tasks tmk_ior_map_tasks(const struct tmk_ior_map *map,
                                       const struct tmk_ior_conf *conf);

/* What placing means for what will be measured: lines and warnings. */
void tmk_ior_map_notes(const struct tmk_ior_map *map, struct tmk_job *job,
                       const struct tmk_ior_run *run);

#endif
