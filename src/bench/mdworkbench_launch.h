#ifndef TMK_BENCH_MDWORKBENCH_LAUNCH_H
#define TMK_BENCH_MDWORKBENCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "bench/mdworkbench_conf.h"
#include "bench/mdworkbench_log.h"
#include "bench/mdworkbench_main.h"
#include "bench/mdworkbench_phases.h"
#include "bench/mdworkbench_plan.h"
#include "bench/mdworkbench_site.h"
#include "bench/mdworkbench_status.h"
#include "bench/mdworkbench_text.h"
#include "bench/trace_files.h"
#include "run/output.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/results.h"

enum { TMK_MDWORKBENCH_ENGINES_MAX = 16, TMK_MDWORKBENCH_ROWS = 11 };

/* Everything of one launch. */
struct tmk_mdworkbench_launch {
    struct tmk_job *job;
    const struct tmk_mdworkbench_parts *parts;
    int argc;
    char *const *argv;
    struct tmk_mdworkbench_conf conf;
    void *engine_conf[TMK_MDWORKBENCH_ENGINES_MAX]; /* owned, of every engine */
    size_t n_engines;
    /* of those confs, mdworkbench's first */
    struct tmk_opt_table tables[TMK_MDWORKBENCH_ENGINES_MAX];
    const struct tmk_engine_ops *ops; /* that are asked for, or trace them */
    struct tmk_engine *engine;        /* owned */
    struct tmk_trace_files trace;
    struct tmk_mdworkbench_plan plan;
    struct tmk_mdworkbench_run run;
    struct tmk_mdworkbench_site site;
    struct tmk_mdworkbench_log log;
    struct tmk_mdworkbench_text text;
    struct tmk_mdworkbench_status status; /* as it is, or will be written */
    struct tmk_output *status_out;        /* owned; --run-info-file; rank 0's */
    bool status_kept;                     /* this launch writes it */
    bool status_written;
    struct tmk_results results;
    struct tmk_report_run report;
    struct tmk_progress progress;
    struct tmk_result *result;
    struct tmk_mdworkbench_outcome *outcome; /* NULL = not wanted */
    struct tmk_result_test test;
    struct tmk_result_latency *latency; /* owned; of its rows; rank 0, if they
                                           are wanted */
    struct tmk_mdworkbench_phase phase; /* the last one */
    double foreign_first, foreign; /* share of objects that were made on other
                                      nodes: by precreate, later */
    bool begun;                    /* the report */
    /* failures said so far: one message per row and errno */
    bool said[TMK_MDWORKBENCH_ROWS][TMK_ERRNUM_SLOTS];
};

/*
 * mdworkbench_parse: argv into launch->conf and the confs of the engines, and
 * the engine that is asked for into launch->ops.  Returns 0, TMK_OPT_HELP, or
 * -errno, said.  Collective.
 */
int tmk_mdworkbench_parse_all(struct tmk_mdworkbench_launch *launch, int argc,
                              char *const *argv);
void tmk_mdworkbench_parse_fini(struct tmk_mdworkbench_launch *launch);

/* Warn of options of an engine that is not used. */
void tmk_mdworkbench_unused_notes(struct tmk_mdworkbench_launch *launch);

/*
 * mdworkbench_statusfile: what --run-info-file says, into launch->status, if
 * the launch does not make the sets: 0 or -errno, said.  Then the run stands at
 * their oldest object, or its cleanup goes by what there is.  Collective.
 */
int tmk_mdworkbench_status_load_all(struct tmk_mdworkbench_launch *launch);

/* See that it can be written, in a launch that keeps the sets.  0 or -errno,
 * said.  Collective. */
int tmk_mdworkbench_status_open_all(struct tmk_mdworkbench_launch *launch);

/* Write it: where the run stands, or that sets are not alike.  What is lost is
 * said, and noted in the result.  Collective. */
void tmk_mdworkbench_status_save_all(struct tmk_mdworkbench_launch *launch,
                                     bool torn);

/* The sets are gone: so is what was written of them in this launch. */
void tmk_mdworkbench_status_drop(struct tmk_mdworkbench_launch *launch);

/* mdworkbench_steps: rows of the table of results. */
void tmk_mdworkbench_steps_rows(struct tmk_mdworkbench_launch *launch);

/* All phases, what is said of them, and what is removed in the end.  What fails
 * is in the results.  Collective. */
void tmk_mdworkbench_steps_all(struct tmk_mdworkbench_launch *launch);

#endif
