#ifndef TMK_RUN_FAILURES_H
#define TMK_RUN_FAILURES_H

#include <stdbool.h>

#include "run/job.h"
#include "run/result.h"

/*
 * Say the failures of a phase, one message for each errno that was not said
 * before: "file creation: /x/y: No space left on device (ENOSPC), first on rank
 * 3 of host a; 12 failed so in iteration 1".  `said` has TMK_ERRNUM_SLOTS
 * elements, of this kind of phase; `when` ends the message.
 */
void tmk_failures_say(struct tmk_job *job,
                      const struct tmk_phase_result *result, const char *phase,
                      const char *when, bool *said);

#endif
