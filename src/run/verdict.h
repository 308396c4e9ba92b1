#ifndef TMK_RUN_VERDICT_H
#define TMK_RUN_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "run/job.h"
#include "run/result.h"

/*
 * What a run is worth, in a line: "ok", or what is wrong and how to run it
 * better.
 *
 *     12 of 100 operations failed; too short to trust: raise -n, or give
 *     --min-time
 */
enum { TMK_VERDICT_REASONS_MAX = 16, TMK_VERDICT_SIZE = 2048 };

struct tmk_verdict {
    char text[TMK_VERDICT_SIZE]; /* without "verdict: " or a newline */
    bool ok;                     /* the text is "ok" or begins with "ok," */
    /* Where each reason begins and how long it is; none if ok. */
    struct tmk_verdict_reason {
        size_t at, length;
    } reasons[TMK_VERDICT_REASONS_MAX];
    size_t n_reasons;
};

/*
 * Judge a whole run from its result and what was warned of.  `kind` of
 * benchmark, as in tmk_report_run, says what options would help.  Pure.
 */
void tmk_verdict_make(struct tmk_verdict *verdict, const char *kind,
                      const struct tmk_result *result,
                      const struct tmk_job_warnings *warnings);

#endif
