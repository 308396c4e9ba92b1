#ifndef TMK_BENCH_IO500_VERIFY_H
#define TMK_BENCH_IO500_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/io500_conf.h"
#include "bench/io500_plan.h"

/* A line of result_summary.txt. */
struct tmk_io500_summary_line {
    enum tmk_io500_phase phase; /* TMK_IO500_PHASES: a score, or unknown */
    const char *name;           /* of the phase, a part of the line */
    size_t name_length;
    double score, seconds;
    double bw, md, total; /* of a line of scores; then name_length is 0 */
    bool invalid;         /* [INVALID], or the older [RESULT-invalid] */
    bool extended;        /* [SCOREX] */
};

/* Whether the line tells a result; *line is filled then. */
bool tmk_io500_summary_parse(const char *text, size_t length,
                             struct tmk_io500_summary_line *line);

enum tmk_io500_verdict {
    TMK_IO500_VALID,   /* it agrees with itself, and with the rules */
    TMK_IO500_INVALID, /* it agrees with itself, and says that it is invalid */
    TMK_IO500_WRONG,   /* it does not */
};

/*
 * Whether a result agrees with the configuration and with itself: both hashes,
 * the means, the times that write phases must take, and the same figures in
 * the summary.  `result` is the text of result.txt, `summary` that of
 * result_summary.txt or NULL; both end in NUL.  What is found goes to `to`, a
 * line each, the last one begins with "[OK]" or "ERROR".  `version` is that of
 * this program; another one is only told of.
 */
enum tmk_io500_verdict tmk_io500_verify(const struct tmk_io500_conf *conf,
                                        const char *result, const char *summary,
                                        const char *version, FILE *to);

#endif
