#ifndef TMK_BENCH_LEFTOVERS_H
#define TMK_BENCH_LEFTOVERS_H

#include "base/opt_leftovers.h"
#include "run/job.h"

/*
 * TREEMARK_LEFTOVERS gives --leftovers its default, for old scripts; rank 0's
 * counts.  *choice is an enum tmk_leftovers.  0, or -EINVAL, said.  Collective.
 */
int tmk_leftovers_default_all(struct tmk_job *job, int *choice);

#endif
