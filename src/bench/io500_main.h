#ifndef TMK_BENCH_IO500_MAIN_H
#define TMK_BENCH_IO500_MAIN_H

#include <stdio.h>

#include "bench/io500_calls.h"
#include "run/job.h"
#include "run/result.h"

/* Complete, but not valid by the rules of the suite. */
enum { TMK_IO500_STATUS_INVALID = 4 };

/*
 * The suite from argv to result: the same on every rank.  Returns the exit
 * status: 0 valid, 4 complete but invalid by the rules, 1 a phase failed, 2 the
 * request was wrong, 128 + n interrupted by signal n.  Collective over job.
 */
int tmk_io500_main_all(struct tmk_job *job, int argc, char **argv,
                       const struct tmk_io500_parts *parts,
                       struct tmk_result *result);

/* Print every option with its default. */
void tmk_io500_help(FILE *to);

#endif
