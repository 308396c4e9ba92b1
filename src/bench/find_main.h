#ifndef TMK_BENCH_FIND_MAIN_H
#define TMK_BENCH_FIND_MAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/sample.h"
#include "run/job.h"
#include "run/queue.h"
#include "run/report.h"

/* What this rank did, for a program around that wants the numbers. */
struct tmk_find_done {
    bool searched;    /* not refused */
    uint64_t entries; /* that were looked at */
    uint64_t files;   /* of these: no directories */
    uint64_t matches;
    uint64_t unknown;    /* entries whose type the directory did not tell */
    uint64_t failed;     /* errors met on the way */
    uint64_t all_failed; /* by all ranks */
    uint64_t time_ns;    /* from the first barrier to the end of the search */
    struct tmk_queue_traffic traffic;
    struct tmk_sample_series intervals; /* entries of all ranks; n = 0: not
                                           asked for */
};

/* What the program around hands down.  All borrowed. */
struct tmk_find_parts {
    const char *version;        /* "0.1.0" */
    const char *version_git;    /* "" = not known */
    bool pfind;                 /* called by that name */
    struct tmk_find_done *done; /* filled; NULL = nobody asks */
    /* Filled with latencies of all ranks, which are measured then: of single
     * stats or of reads of directories, whichever were more.  NULL = nobody
     * asks. */
    struct tmk_phase_result *latency;
    /* Of results, ended by one without ops; latencies are measured then.  NULL
     * = none. */
    const struct tmk_writer *writers;
};

/*
 * find from argv to result: the same on every rank.  Returns the exit status: 0
 * well, 1 errors on the way, 2 the request was wrong, 128 + n interrupted by
 * signal n.  Collective over job.
 */
int tmk_find_main_all(struct tmk_job *job, int argc, char **argv,
                      const struct tmk_find_parts *parts);

/* Print how it is called. */
void tmk_find_help(FILE *to);

#endif
