#ifndef TMK_BENCH_SCALE_RUN_H
#define TMK_BENCH_SCALE_RUN_H

#include "bench/scale_launch.h"

/*
 * Run point number `at` of the plan, as often as it is wanted, and put what
 * came of it into its entry and into the report.  Returns the benchmark's exit
 * status.  Collective.
 */
int tmk_scale_run_all(struct tmk_scale_launch *launch, size_t at);

#endif
