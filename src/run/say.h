#ifndef TMK_RUN_SAY_H
#define TMK_RUN_SAY_H

#include "run/job.h"

/*
 * Everything said to a person goes through here: rank 0 prints, the others
 * return at once.  Never inside a phase.
 */

/* "mdtest: <text>" on the job's err. */
__attribute__((format(printf, 2, 3))) void
tmk_say_error(struct tmk_job *job, const char *format, ...);

/* A line of the report on the job's out. */
__attribute__((format(printf, 2, 3))) void tmk_say(struct tmk_job *job,
                                                   const char *format, ...);

/*
 * "WARNING: <text> (<CODE>)" on the job's out, and kept for the result.  A
 * code that was said with the same text before is not repeated.  `code` is
 * static.
 */
__attribute__((format(printf, 3, 4))) void
tmk_say_warning(struct tmk_job *job, const char *code, const char *format, ...);

/*
 * Keep warnings until released, for what is found out before the report
 * begins; a refused run prints none.
 */
void tmk_say_hold(struct tmk_job *job);
void tmk_say_release(struct tmk_job *job);

/* "mdtest: <text>" on the job's err if the verbosity is at least `level`. */
__attribute__((format(printf, 3, 4))) void
tmk_say_verbose(struct tmk_job *job, int level, const char *format, ...);

#endif
