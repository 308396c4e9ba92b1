#ifndef TMK_BENCH_IO500_PHASES_H
#define TMK_BENCH_IO500_PHASES_H

#include "bench/io500_launch.h"

/*
 * Run the phases that are wanted and not over, one after the other, judge each
 * and write it down.  Returns 0, or -EINTR after a signal.  Collective.
 */
int tmk_io500_phases_all(struct tmk_io500_launch *launch);

/* Print the command of every phase that is wanted. */
void tmk_io500_phases_explain(struct tmk_io500_launch *launch);

#endif
