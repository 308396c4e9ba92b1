#ifndef TMK_BENCH_MDTEST_MAIN_H
#define TMK_BENCH_MDTEST_MAIN_H

#include <stdio.h>

#include "engine/engine.h"
#include "run/job.h"
#include "run/report.h"
#include "run/result.h"

/*
 * Whoever wants the numbers themselves, on every rank: a program around.
 * Called outside of clocks; a slot may be NULL.
 */
struct tmk_mdtest_listener {
    /* Iterations to come, of each test.  Not if the request was wrong. */
    void (*planned)(void *state, int iterations);
    /* One phase (enum tmk_mdtest_phase) of an iteration, from 0.  On ranks that
     * take part in the test. */
    void (*phase)(void *state, int tasks, int phase, int iteration,
                  const struct tmk_phase_result *result);
    void *state;
};

/* What the program around hands down.  All borrowed. */
struct tmk_mdtest_parts {
    const char *version;                         /* "0.1.0" */
    const char *version_git;                     /* "" = not known */
    const struct tmk_engine_ops *const *engines; /* NULL-terminated */
    const struct tmk_writer *writers;            /* ended by one without ops */
    const struct tmk_mdtest_listener *listener;  /* NULL = nobody */
};

/*
 * mdtest from argv to result: the same on every rank.  Messages go to job->out
 * and job->err.  Returns the exit status: 0 well, 1 something failed, 2 the
 * request was wrong, 128 + n interrupted by signal n.  Collective over job.
 */
int tmk_mdtest_main_all(struct tmk_job *job, int argc, char **argv,
                        const struct tmk_mdtest_parts *parts,
                        struct tmk_result *result);

/* Print every option with its default. */
void tmk_mdtest_help(FILE *to, const struct tmk_engine_ops *const *engines);

#endif
