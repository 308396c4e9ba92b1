#ifndef TMK_BENCH_SCALE_POINTS_H
#define TMK_BENCH_SCALE_POINTS_H

#include "bench/scale_launch.h"

/*
 * Run the points that are not there yet.  The exit status, the same on every
 * rank: 0, 1 if a point failed, 2 if the benchmark refuses its words; signals
 * are in job->interrupted.  Collective.
 */
int tmk_scale_points_all(struct tmk_scale_launch *launch);

#endif
