#ifndef TMK_BENCH_MDTEST_SCAN_H
#define TMK_BENCH_MDTEST_SCAN_H

#include <stddef.h>

#include "bench/mdtest_conf.h"
#include "bench/mdtest_plan.h"

/* The numbers of tasks: one test, or several (-f, -l, -s). */
struct tmk_mdtest_scan {
    int first, last, step;
};

/* 0, or -EINVAL with one line in `why`: there are not so many ranks. */
int tmk_mdtest_scan_make(const struct tmk_mdtest_conf *conf, int ranks,
                         struct tmk_mdtest_scan *scan, char *why, size_t size);

/* Whether a plan can be run so often.  0, or -EINVAL, likewise. */
int tmk_mdtest_scan_check(const struct tmk_mdtest_scan *scan,
                          const struct tmk_mdtest_plan *plan, char *why,
                          size_t size);

#endif
