#ifndef TMK_BENCH_MDTEST_TREES_H
#define TMK_BENCH_MDTEST_TREES_H

#include "bench/mdtest_phases.h"

/*
 * The directories of trees.  A tree is made and removed by one rank, depth
 * first, or each level of all trees is shared by all ranks, with a wait in
 * between, until subtrees can be (--tree=parallel).
 */

/* Whether this rank makes and removes any. */
bool tmk_mdtest_trees_mine(const struct tmk_mdtest_run *run);

/*
 * Make, or remove, this rank's part in run->phase; directories that this
 * launch found there stay.  Returns how many were not tried.  Collective where
 * levels are shared.
 */
uint64_t tmk_mdtest_trees_make(struct tmk_mdtest_run *run);
uint64_t tmk_mdtest_trees_remove(struct tmk_mdtest_run *run);

/*
 * Remove what is there of this rank's part in an iteration, until
 * `deadline_ns`.  Returns whether anything may be left.  Collective likewise.
 */
bool tmk_mdtest_trees_clean(struct tmk_mdtest_run *run, uint64_t iteration,
                            uint64_t deadline_ns);

#endif
