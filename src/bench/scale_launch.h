#ifndef TMK_BENCH_SCALE_LAUNCH_H
#define TMK_BENCH_SCALE_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/scale_args.h"
#include "bench/scale_conf.h"
#include "bench/scale_main.h"
#include "bench/scale_plan.h"
#include "bench/scale_table.h"
#include "run/job.h"
#include "run/report.h"
#include "run/result.h"
#include "run/results.h"

/* The benchmark with one value of --vary. */
struct tmk_scale_variant {
    char *vary;                   /* owned; NULL = nothing is varied */
    struct tmk_scale_words words; /* with it */
    struct tmk_scale_args args;   /* of those words */
};

/* A study, from argv to result. */
struct tmk_scale_launch {
    struct tmk_job *job;
    const struct tmk_scale_parts *parts;
    struct tmk_scale_conf conf;
    struct tmk_opt_table table;
    struct tmk_result *result;
    struct tmk_scale_variant variants[TMK_SCALE_VALUES_MAX];
    unsigned n_variants;
    bool strong;
    struct tmk_scale_places places;
    struct tmk_scale_plan plan;
    struct tmk_scale_entry entries[TMK_SCALE_POINTS_MAX]; /* of each point */
    uint64_t shuffle_seed;
    struct tmk_report_run report;
    struct tmk_results results;
    bool begun;              /* the report */
    char *extra;             /* owned; for the report */
    char *earlier;           /* owned; tests of the file that is resumed */
    struct json_t *warnings; /* owned; of the launches that it had */
    size_t n_run, n_kept;
    uint64_t start_ns, spent_ns; /* of all; in the benchmarks */
};

#endif
