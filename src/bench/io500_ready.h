#ifndef TMK_BENCH_IO500_READY_H
#define TMK_BENCH_IO500_READY_H

#include "bench/io500_launch.h"

/*
 * What a phase would refuse after others have run: APIs that are not there,
 * sizes, scripts that cannot be executed.  0, or -EINVAL, said.  Collective.
 */
int tmk_io500_ready_all(struct tmk_io500_launch *launch);

#endif
