#ifndef TMK_BENCH_IO500_TIDY_H
#define TMK_BENCH_IO500_TIDY_H

#include "bench/io500_launch.h"

/*
 * Remove what a phase that writes left when it was broken off.  0 or -errno,
 * said.  Collective.
 */
int tmk_io500_clear_all(struct tmk_io500_launch *launch,
                        enum tmk_io500_phase phase);

/*
 * Remove the files of ior by their names, and the directories that are empty
 * then: at the end of a run.  Collective.
 */
void tmk_io500_tidy_all(struct tmk_io500_launch *launch);

/*
 * Remove all data of a run by looking what is there.  0, or -EBUSY if something
 * stayed, said.  Collective.
 */
int tmk_io500_clean_all(struct tmk_io500_launch *launch);

#endif
