#ifndef TMK_BENCH_IOR_TASKS_H
#define TMK_BENCH_IOR_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/owner.h"

/*
 * Whose data a rank reads (-C, -Q, -Z, -X).  Pure.
 *
 *     CONSTANT   -C: Q nodes further on.  Under --as=ior-4.1, and where every
 *                node has as many ranks and they stand in blocks or in turn,
 *                that is (r + Q * shift) mod N, shift = ranks of rank 0's node
 *                (block) or 1 (cyclic).  Elsewhere: the ring of ranks sorted
 *                by node, Q * (ranks of the fullest node) places on, which
 *                meets another node wherever that is possible for Q = 1.
 *     RANDOM     -Z: a permutation of the ranks, drawn from the seed, that
 *                sends every rank at least D = min(Q, nodes - 1) nodes further
 *                on.  If nodes differ so much in size that this cannot be, as
 *                many nodes as (ranks of the fullest node) * (D + 1) <= N
 *                allows, and as few ranks as possible stay on their node.
 *                Constant memory.
 *     LEGACY     -Z under --as=ior-4.1: no permutation; draws are bounded,
 *                where the original would go on for ever
 *     SHUFFLE    -Z -Z: the original's Fisher-Yates permutation
 */
enum tmk_ior_tasks_kind {
    TMK_IOR_TASKS_OWN,
    TMK_IOR_TASKS_CONSTANT,
    TMK_IOR_TASKS_RANDOM,
    TMK_IOR_TASKS_LEGACY,
    TMK_IOR_TASKS_SHUFFLE,
};

struct tmk_ior_tasks {
    const struct tmk_owner_map *map; /* of the N ranks that take part */
    enum tmk_ior_tasks_kind kind;
    uint64_t nodes_on;       /* Q; a write-check adds 1 */
    int seed;                /* -X; negative: -X + repetition */
    bool original;           /* --as=ior-4.1 */
    uint32_t ranks_on_first; /* of the world, not of map: what the original
                                shifts by; 0 = as in map */
};

/*
 * The rank whose data `rank` touches in a repetition, counted from 0.  Once a
 * phase: O(N) for CONSTANT and SHUFFLE, as many draws as it takes for LEGACY.
 */
uint32_t tmk_ior_tasks_source(const struct tmk_ior_tasks *tasks, uint32_t rank,
                              int repetition);

/*
 * The share (0 to 1) of ranks whose data in this phase was written on another
 * node.  O(N); without memory for SHUFFLE's permutation O(N * N).
 */
double tmk_ior_tasks_foreign_share(const struct tmk_ior_tasks *tasks,
                                   int repetition);

/*
 * "#File Hits Dist:": how many files are read 0, 1, 2 ... times, in hits[]
 * (n of them, the last counts that and more).  All 0 if there is no memory,
 * which LEGACY alone needs.
 */
void tmk_ior_tasks_hits(const struct tmk_ior_tasks *tasks, int repetition,
                        uint64_t *hits, uint32_t n);

#endif
