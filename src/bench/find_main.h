#ifndef TMK_BENCH_FIND_MAIN_H
#define TMK_BENCH_FIND_MAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "run/job.h"

/* What the program around hands down.  All borrowed. */
struct tmk_find_parts {
    const char *version;     /* "0.1.0" */
    const char *version_git; /* "" = not known */
    bool pfind;              /* called by that name */
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
