#ifndef TMK_BENCH_SCALE_RUN_H
#define TMK_BENCH_SCALE_RUN_H

#include <stdbool.h>

#include "bench/scale_launch.h"

/*
 * Run point number `at` of the plan, as often as it is wanted; rank 0 puts what
 * came of it into its entry and into the report.  Returns the benchmark's exit
 * status, 1 if there was no memory, said.  Collective over the point's ranks.
 */
int tmk_scale_run_all(struct tmk_scale_launch *launch, size_t at);

/* Whether the study is over with this status: the benchmark refuses its words
 * at the first point, and so it would at all others. */
bool tmk_scale_run_is_refused(const struct tmk_scale_launch *launch, bool first,
                              int status);

/*
 * The ranks of a point, as the launch numbers them, in the order that they have
 * there: into `ranks`, the caller's, which has room for all; how many.
 */
int tmk_scale_run_ranks(const struct tmk_scale_launch *launch, size_t at,
                        int *ranks);

#endif
