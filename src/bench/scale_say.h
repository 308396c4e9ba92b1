#ifndef TMK_BENCH_SCALE_SAY_H
#define TMK_BENCH_SCALE_SAY_H

#include "bench/scale_launch.h"

/* The first lines: the benchmark, the machine, how often. */
void tmk_scale_say_head(const struct tmk_scale_launch *launch);

/* Of points that are kept: what was doubtful about them still is. */
void tmk_scale_say_kept(struct tmk_scale_launch *launch);

/* --dry-run: each point with its command line. */
void tmk_scale_say_plan(const struct tmk_scale_launch *launch);

/* A warning, if more ranks seem to make each of them faster. */
void tmk_scale_say_caches(struct tmk_scale_launch *launch);

/* How long it all took. */
void tmk_scale_say_time(const struct tmk_scale_launch *launch);

#endif
