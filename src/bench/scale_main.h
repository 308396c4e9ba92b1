#ifndef TMK_BENCH_SCALE_MAIN_H
#define TMK_BENCH_SCALE_MAIN_H

#include <stdio.h>

#include "engine/engine.h"
#include "run/job.h"
#include "run/result.h"

/* What the program around hands down.  All borrowed. */
struct tmk_scale_parts {
    const char *version;                         /* "0.1.0" */
    const char *version_git;                     /* "" = not known */
    const struct tmk_engine_ops *const *engines; /* ior's, NULL-terminated */
    const struct tmk_engine_ops *const *engines_mdtest; /* likewise */
};

/*
 * scale from argv to result: the same on every rank.  Returns the exit status:
 * 0 well, 1 a point failed or took too long, 2 the request was wrong, 128 + n
 * interrupted by signal n.  Collective over job.
 */
int tmk_scale_main_all(struct tmk_job *job, int argc, char **argv,
                       const struct tmk_scale_parts *parts,
                       struct tmk_result *result);

/* Print every option with its default. */
void tmk_scale_help(FILE *to);

#endif
