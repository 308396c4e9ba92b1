#ifndef TMK_BENCH_MDWORKBENCH_TEXT_H
#define TMK_BENCH_MDWORKBENCH_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "bench/mdworkbench_phases.h"
#include "run/layout.h"
#include "run/result.h"

/*
 * What md-workbench says: a line for each phase, as it always was, and below it
 * a table of the times of single calls, where the line had numbers without
 * labels.  Only rank 0 calls, but for _reports_all.
 */
struct tmk_mdworkbench_text {
    FILE *out; /* borrowed */
    const struct tmk_mdworkbench_plan *plan;
    const struct tmk_layout *layout;
    const char *banner;
    uint64_t began_ns; /* tmk_clock_ns() */
};

void tmk_mdworkbench_text_begin(const struct tmk_mdworkbench_text *text,
                                int argc, char *const argv[], time_t started);

void tmk_mdworkbench_text_phase(const struct tmk_mdworkbench_text *text,
                                const struct tmk_mdworkbench_phase *phase);

/* --process-reports: a line of each rank.  Collective. */
void tmk_mdworkbench_text_reports_all(
    const struct tmk_mdworkbench_text *text,
    const struct tmk_mdworkbench_run *run,
    const struct tmk_mdworkbench_phase *phase);

/* --percentiles: of all iterations; rows without latencies are left out. */
void tmk_mdworkbench_text_latency(const struct tmk_mdworkbench_text *text,
                                  const struct tmk_result_test *test);

void tmk_mdworkbench_text_end(const struct tmk_mdworkbench_text *text);

/* The seven times of md-workbench. */
enum {
    TMK_MDWORKBENCH_MIN,
    TMK_MDWORKBENCH_Q1,
    TMK_MDWORKBENCH_MEDIAN,
    TMK_MDWORKBENCH_Q3,
    TMK_MDWORKBENCH_P90,
    TMK_MDWORKBENCH_P99,
    TMK_MDWORKBENCH_MAX,
    TMK_MDWORKBENCH_TIMES
};

/* In ns; all 0 if there were no operations. */
void tmk_mdworkbench_text_times(const struct tmk_hist *hist, uint64_t min_ns,
                                uint64_t max_ns,
                                uint64_t times[TMK_MDWORKBENCH_TIMES]);

#endif
