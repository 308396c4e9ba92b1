#ifndef TMK_BENCH_IOR_MAIN_H
#define TMK_BENCH_IOR_MAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/engine.h"
#include "run/job.h"
#include "run/report.h"
#include "run/result.h"

struct tmk_ior_phase;

/*
 * Whoever wants the numbers themselves, on every rank: a program around.
 * Called outside of clocks; a slot may be NULL.
 */
struct tmk_ior_listener {
    /* Repetitions to come, of test number `test`, from 0 on.  Not if the
     * request was wrong. */
    void (*planned)(void *state, int test, int repetitions);
    /* One phase; `timed`: a result, not the check of what was written.  On
     * ranks that take part in the test. */
    void (*phase)(void *state, int test, int tasks,
                  const struct tmk_ior_phase *phase, bool timed);
    void *state;
};

/* What the program around hands down.  All borrowed. */
struct tmk_ior_parts {
    const char *version;                         /* "0.1.0" */
    const char *version_git;                     /* "" = not known */
    const struct tmk_engine_ops *const *engines; /* NULL-terminated */
    const struct tmk_ior_listener *listener;     /* NULL = nobody */
    const struct tmk_writer *writers; /* more of them, ended by one without
                                         ops; NULL = none */
};

/*
 * ior from argv to result: the same on every rank.  Results and messages go to
 * job->out and job->err.  Returns the exit status: 0 well, 1 something failed,
 * 2 the request was wrong, 128 + n interrupted by signal n.  Collective over
 * job.
 */
int tmk_ior_main_all(struct tmk_job *job, int argc, char **argv,
                     const struct tmk_ior_parts *parts,
                     struct tmk_result *result);

/* Print every option with its default. */
void tmk_ior_help(FILE *to, const struct tmk_engine_ops *const *engines);

#endif
