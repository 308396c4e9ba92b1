#ifndef TMK_BENCH_SCALE_LEFTOVERS_H
#define TMK_BENCH_SCALE_LEFTOVERS_H

#include "bench/scale_launch.h"

/*
 * Refuse a study whose first run would leave items that the next one refuses to
 * meet, before it begins.  0, or -EINVAL, said.  Collective.
 */
int tmk_scale_leftovers_check_all(const struct tmk_scale_launch *launch);

#endif
