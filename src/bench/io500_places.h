#ifndef TMK_BENCH_IO500_PLACES_H
#define TMK_BENCH_IO500_PLACES_H

#include "bench/io500_launch.h"

/*
 * Before the first phase: the directories are made and can be written, all
 * nodes see both, there is nothing in them that would be overwritten, caches
 * can be dropped on every node; and what is doubtful is said: space, inodes,
 * clocks.  0, or -errno, said.  Collective.
 */
int tmk_io500_prepare_all(struct tmk_io500_launch *launch);

/*
 * Remove what a phase that writes left when it was broken off.  0 or -errno,
 * said.  Collective.
 */
int tmk_io500_clear_all(struct tmk_io500_launch *launch,
                        enum tmk_io500_phase phase);

/* What the phases need at most. */
struct tmk_io500_need {
    double bytes;
    double inodes;
};

struct tmk_io500_need tmk_io500_need_of(const struct tmk_io500_launch *launch);

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
