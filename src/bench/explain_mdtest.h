#ifndef TMK_BENCH_EXPLAIN_MDTEST_H
#define TMK_BENCH_EXPLAIN_MDTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/mdtest_plan.h"

/*
 * What a plan of mdtest does, in sentences.  Pure.
 *
 *     explain_mdtest         what is made, and phase by phase who does what
 *     explain_mdtest_doubt   the stride, caches, flags that mean something else
 */

/* What is made, and where. */
void tmk_explain_mdtest_makes(FILE *to, const struct tmk_mdtest_plan *plan);

/* Each phase of an iteration. */
void tmk_explain_mdtest_phases(FILE *to, const struct tmk_mdtest_plan *plan);

/* What -N comes to. */
void tmk_explain_mdtest_stride(FILE *to, const struct tmk_mdtest_plan *plan);

/* What a cache may answer.  `direct`: data goes around the page cache. */
void tmk_explain_mdtest_caches(FILE *to, const struct tmk_mdtest_plan *plan,
                               bool direct);

/* Flags of this line that other versions take for something else; how many. */
size_t tmk_explain_mdtest_flags(FILE *to, const struct tmk_mdtest_plan *plan);

/*
 * The share (0 to 1) of a phase's items that were made on another node than
 * the one that visits them; -1 where that means nothing.
 */
double tmk_explain_mdtest_from_elsewhere(const struct tmk_mdtest_plan *plan,
                                         enum tmk_mdtest_phase phase);

#endif
