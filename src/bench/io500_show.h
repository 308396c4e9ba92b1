#ifndef TMK_BENCH_IO500_SHOW_H
#define TMK_BENCH_IO500_SHOW_H

#include "bench/io500_launch.h"

/* --verify: the exit status.  Collective. */
int tmk_io500_show_verdict_all(struct tmk_io500_launch *launch);

/* --list and --list-mandatory. */
void tmk_io500_show_list(const struct tmk_io500_launch *launch);

/* --dry-run: where, what is needed, and the commands. */
void tmk_io500_show_plan(struct tmk_io500_launch *launch);

#endif
