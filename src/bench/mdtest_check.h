#ifndef TMK_BENCH_MDTEST_CHECK_H
#define TMK_BENCH_MDTEST_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/mdtest_plan.h"

/*
 * What a plan refuses.  All return 0, or -EINVAL with one line in `why` that
 * names the option and says what would be right.
 */

/* Contradictions between options, whatever the machine; `selected` says which
 * actions are asked for. */
int tmk_mdtest_check_conf(const struct tmk_mdtest_conf *conf,
                          const bool *selected, char *why, size_t size);

/* Several directories in -d; sets plan->roots.  plan->tasks is known. */
int tmk_mdtest_check_roots(struct tmk_mdtest_plan *plan, char *why,
                           size_t size);

#endif
