#ifndef TMK_BENCH_IO500_PLACES_H
#define TMK_BENCH_IO500_PLACES_H

#include "bench/io500_launch.h"

/* Where phases write, below the data directory. */
struct tmk_io500_place {
    const char *name;
    enum tmk_io500_phase writer;
    bool made; /* by the suite itself */
};

enum { TMK_IO500_PLACES = 5 };

extern const struct tmk_io500_place tmk_io500_places[TMK_IO500_PLACES];

/* 1 if there is something in the directory, 0 if not or if it is not there;
 * -errno. */
int tmk_io500_holds_something(const char *path);

/*
 * Before the first phase: the directories are made and can be written, all
 * nodes see both, there is nothing in them that would be overwritten, caches
 * can be dropped on every node; and what is doubtful is said: space, inodes,
 * clocks.  0, or -errno, said.  Collective.
 */
int tmk_io500_prepare_all(struct tmk_io500_launch *launch);

/* What the phases need at most. */
struct tmk_io500_need {
    double bytes;
    double inodes;
};

struct tmk_io500_need tmk_io500_need_of(const struct tmk_io500_launch *launch);

#endif
