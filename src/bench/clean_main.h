#ifndef TMK_BENCH_CLEAN_MAIN_H
#define TMK_BENCH_CLEAN_MAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "run/job.h"
#include "run/result.h"

/* What is to be removed, alike on all ranks.  Pointers are borrowed. */
struct tmk_clean_ask {
    const char *const *paths; /* directories */
    size_t n;
    bool dry_run;
    bool force; /* even where a run is at work */
    bool ior;   /* files of ior, too */
    bool quiet; /* say what is wrong and no more */
};

/* What came of it, alike on all ranks. */
struct tmk_clean_done {
    struct tmk_result_cleaned cleaned; /* what was, or would be, removed */
    uint64_t failed;
    int interrupted; /* signal number; 0 = none */
};

/*
 * Remove what mdtest, ior and treemark left in directories.  Says what it
 * finds, then what it did.  0, or -errno, said, if it was refused: a directory
 * that is none (-ENOENT, -ENOTDIR, ...), a run at work in it (-EBUSY).
 * Collective over job.
 */
int tmk_clean_all(struct tmk_job *job, const struct tmk_clean_ask *ask,
                  struct tmk_clean_done *done);

/*
 * treemark clean from argv to the exit status, the same on every rank: 0 well,
 * 1 something stayed, 2 the request was wrong, 128 + n interrupted by signal
 * n.  Collective over job.
 */
int tmk_clean_main_all(struct tmk_job *job, int argc, char **argv);

/* Print every option. */
void tmk_clean_help(FILE *to);

#endif
