#ifndef TMK_BENCH_MDWORKBENCH_CONF_H
#define TMK_BENCH_MDWORKBENCH_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"
#include "base/opt_leftovers.h"
#include "base/opt_time.h"

/* What was asked for: one field per option, in the order of the rows. */
struct tmk_mdworkbench_conf {
    int offset; /* -O: between who makes, who owns and who takes an object */
    const char *api;
    uint64_t steps;    /* -I: objects of each set, in an iteration */
    uint64_t per_set;  /* -P: objects in each set */
    uint64_t sets;     /* -D: of each rank */
    uint64_t bytes;    /* -S: of each object */
    int iterations;    /* -R */
    int seed;          /* -G; -1 = not given */
    int pattern_kind;  /* enum tmk_pattern_kind */
    unsigned verify;   /* -X */
    const char *dir;   /* -o */
    double waiting;    /* -t: of the time of the operation before */
    unsigned adaptive; /* -T */
    int stonewall_s;   /* -w; 0 = none */
    unsigned wear_out; /* -W: as it is done anyway */
    unsigned precreate, benchmark, cleanup; /* -1 -2 -3 */
    const char *status_file;                /* --run-info-file */
    uint64_t start_item;                    /* 0 = not given */
    unsigned read_only;
    unsigned ignore_precreate_errors;
    const char *latency; /* -L: prefix; NULL = none */
    unsigned latency_all;
    unsigned verbose, quiet;
    unsigned process_reports, detailed_stats;
    /* not in the original */
    uint64_t max_errors;
    unsigned keep;
    int leftovers; /* enum tmk_leftovers */
    int grace_s;
    unsigned dry_run;
    unsigned warning_as_errors;
    unsigned percentiles;
    uint64_t interval_ns; /* of --interval; 0 = none */
    struct tmk_opt_progress progress;
    const char *trace;      /* NULL = none */
    const char *json, *csv; /* files of results; NULL = none */
    const char *label;      /* of the run in them; NULL = none */
};

/* The defaults, as in the original. */
void tmk_mdworkbench_conf_init(struct tmk_mdworkbench_conf *conf);

/* One row per option. */
extern const struct tmk_opt tmk_mdworkbench_opts[];
extern const size_t tmk_mdworkbench_n_opts;

/* Spellings of the original that are not to be had here. */
extern const struct tmk_opt_gone tmk_mdworkbench_gone[];
extern const size_t tmk_mdworkbench_n_gone;

#endif
