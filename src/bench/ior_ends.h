#ifndef TMK_BENCH_IOR_ENDS_H
#define TMK_BENCH_IOR_ENDS_H

#include <stdbool.h>

#include "bench/ior_steps.h"

/*
 * Why less is done than was asked for: nothing ends without a line that says
 * so.  Signals and -D are told of elsewhere.
 */

/* -T: whether it is too late to begin the phase of a row; said once.
 * Collective. */
bool tmk_ior_ends_late_all(struct tmk_ior_job *t, int repetition, int row);

/* A phase that has ended: an error that lasts, --max-errors, -q. */
void tmk_ior_ends_phase(struct tmk_ior_job *t, const char *name,
                        const struct tmk_ior_phase *phase,
                        const struct tmk_phase_result *p);

/* A status file that tells of less than the plan. */
void tmk_ior_ends_limit(struct tmk_ior_job *t);

#endif
