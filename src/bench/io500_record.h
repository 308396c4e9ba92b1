#ifndef TMK_BENCH_IO500_RECORD_H
#define TMK_BENCH_IO500_RECORD_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "bench/io500_plan.h"
#include "bench/io500_rules.h"
#include "bench/io500_score.h"

/*
 * The files that the suite's readers know, result.txt and result_summary.txt,
 * and the same on the standard output.  All is flushed as it is written.  The
 * business of rank 0.
 */
struct tmk_io500_record {
    FILE *result, *summary; /* NULL = not written */
    FILE *out;              /* borrowed; NULL = silent */
    int verbosity;
};

/* What heads the files. */
struct tmk_io500_head {
    const char *version; /* "treemark-0.1.0" */
    bool extended;
    int procs;
    uint32_t config_hash;
    const char *resultdir;
    time_t started;
};

void tmk_io500_record_head(const struct tmk_io500_record *record,
                           const struct tmk_io500_head *head);

/* "; ERROR INVALID text" and "ERROR INVALID text", or a warning. */
void tmk_io500_record_reason(const struct tmk_io500_record *record,
                             const struct tmk_io500_reason *reason);

/* Of *done only the size of mdworkbench and the time of its start are known
 * then. */
void tmk_io500_record_begin(const struct tmk_io500_record *record,
                            enum tmk_io500_phase phase,
                            const struct tmk_io500_done *done,
                            const char *command);

/* The numbers of a phase and its line; `invalid` as judged. */
void tmk_io500_record_end(const struct tmk_io500_record *record,
                          enum tmk_io500_phase phase,
                          const struct tmk_io500_done *done,
                          const struct tmk_io500_reasons *reasons);

/* The means of the run; the extended ones, too, if `extended`. */
void tmk_io500_record_scores(const struct tmk_io500_record *record,
                             const struct tmk_io500_scores *scores,
                             bool extended, const char *version, time_t now,
                             const char *resultdir);

#endif
