#ifndef TMK_BENCH_CLEAN_UNIQUE_H
#define TMK_BENCH_CLEAN_UNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/clean_tally.h"
#include "engine/below.h"

/* Removing directories of ior -u.  All is borrowed. */
struct tmk_clean_unique {
    struct tmk_below *dirs;
    struct tmk_clean_tally *tally;
    bool dry;                /* count and remove nothing */
    bool (*poll)(void *arg); /* now and then; false: leave the rest */
    void *arg;
};

/*
 * A directory in a root, called as ior -u calls those of ranks.  It goes if
 * all that it holds are files of that rank with data of ior, or if it is empty
 * and has the mode that ior gives.  Else nothing in it is touched: it is the
 * tally's OTHER if none of it is called as a file of that rank, or FOREIGN,
 * with the name of the first entry that keeps it.
 */
void tmk_clean_unique(const struct tmk_clean_unique *how, size_t root,
                      const char *name);

#endif
