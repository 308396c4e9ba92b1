#ifndef TMK_BENCH_MDWORKBENCH_MAIN_H
#define TMK_BENCH_MDWORKBENCH_MAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/engine.h"
#include "run/job.h"
#include "run/result.h"

/* What the program around hands down.  All borrowed. */
struct tmk_mdworkbench_parts {
    const char *version;                         /* "0.1.0" */
    const char *version_git;                     /* "" = not known */
    const struct tmk_engine_ops *const *engines; /* NULL-terminated */
    /* In a program of others: nothing to do (-P 0, -I 0) is no error, sets
     * that may not fit are warned of, no probe is written, and a phase in
     * which anything failed has a rate of 0. */
    bool embedded;
    struct tmk_phase_result *whole; /* filled with what the last phase came to;
                                       NULL = nobody asks */
};

/* The times of single calls: min, q1, median, q3, p90, p99, max; in ns. */
enum { TMK_MDWORKBENCH_OUTCOME_TIMES = 7 };

/* What came of a phase, over all ranks. */
struct tmk_mdworkbench_outcome_phase {
    /* 0: there were no such calls */
    uint64_t create_ns[TMK_MDWORKBENCH_OUTCOME_TIMES];
    uint64_t read_ns[TMK_MDWORKBENCH_OUTCOME_TIMES];
    uint64_t stat_ns[TMK_MDWORKBENCH_OUTCOME_TIMES];
    uint64_t delete_ns[TMK_MDWORKBENCH_OUTCOME_TIMES];
    uint64_t errors;    /* calls that failed, wrong data among them, or that
                           were never tried because of that */
    double rate_per_s;  /* calls that succeeded, sets among them / time */
    uint64_t max_op_ns; /* longest call */
    uint64_t time_ns;   /* from barrier to barrier */
    uint64_t objects;   /* made, worked on or removed with success: creates,
                           reads or deletes of objects */
};

/*
 * What came of a launch: the same on every rank.  Phases are in the order in
 * which they were run: precreate, each iteration of the benchmark (with -T, its
 * eight parts), cleanup.
 */
struct tmk_mdworkbench_outcome {
    size_t count;    /* phases that were run */
    uint64_t errors; /* of all of them; at least 1 if the launch was refused or
                        went wrong elsewhere */
    struct tmk_mdworkbench_outcome_phase *phases; /* owned; behind `count` there
                                                     are zeros up to `room` */
    size_t room; /* at least 2, unless memory was out (then phases is NULL) */
};

void tmk_mdworkbench_outcome_fini(struct tmk_mdworkbench_outcome *outcome);

/*
 * mdworkbench from argv to result: the same on every rank.  Results and
 * messages go to job->out and job->err.  Returns the exit status: 0 well, 1
 * something failed, 2 the request was wrong, 128 + n interrupted by signal n.
 * argv is neither changed nor kept, and needs no NULL at its end.  *outcome is
 * the caller's to fini; NULL = not wanted.  Collective over job.
 */
int tmk_mdworkbench_main_all(struct tmk_job *job, int argc, char *const *argv,
                             const struct tmk_mdworkbench_parts *parts,
                             struct tmk_result *result,
                             struct tmk_mdworkbench_outcome *outcome);

/*
 * The same for the ranks of a communicator, in a program of others
 * (parts->embedded should be set): all that is said goes to `out`, which only
 * rank 0 uses and which stays open.  Neither exits nor aborts, nor touches the
 * handlers of signals.  Errors are in the outcome, too.  Collective over comm.
 */
int tmk_mdworkbench_run_all(MPI_Comm comm, int argc, char *const *argv,
                            FILE *out,
                            const struct tmk_mdworkbench_parts *parts,
                            struct tmk_mdworkbench_outcome *outcome);

/* Print every option with its default. */
void tmk_mdworkbench_help(FILE *to,
                          const struct tmk_engine_ops *const *engines);

#endif
