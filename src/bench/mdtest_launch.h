#ifndef TMK_BENCH_MDTEST_LAUNCH_H
#define TMK_BENCH_MDTEST_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "bench/mdtest_conf.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_outputs.h"
#include "bench/mdtest_phases.h"
#include "bench/mdtest_plan.h"
#include "bench/mdtest_site.h"
#include "bench/trace_files.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/output.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/result.h"
#include "run/results.h"

enum { TMK_MDTEST_ENGINES_MAX = 16 };

/* Everything of one launch. */
struct tmk_mdtest_launch {
    struct tmk_job *job;
    const struct tmk_mdtest_parts *parts;
    struct tmk_mdtest_conf conf;
    const struct tmk_engine_ops *ops;
    void *engine_conf[TMK_MDTEST_ENGINES_MAX]; /* owned, of every engine */
    size_t n_engines;
    struct tmk_opt_table tables[TMK_MDTEST_ENGINES_MAX]; /* of those confs,
                                                            mdtest's first */
    struct tmk_engine *engine;
    struct tmk_trace_files trace;
    struct tmk_mdtest_root root;
    struct tmk_results results;
    struct tmk_mdtest_outputs outputs;
    struct tmk_report_run report;
    struct tmk_progress progress;
    const struct tmk_result_test *reported; /* if SIGUSR1 asks for it now;
                                               borrowed; NULL = none */
    struct tmk_result *result;
    char root_path[TMK_ITEM_PATH_SIZE]; /* of rank 0, for messages */
    char *status_text;                  /* owned; what -x FILE held */
    bool has_status;
    struct tmk_mdtest_status status; /* of that text */
    struct tmk_output *status_out;   /* owned; -x, written; rank 0's */
    FILE *status_more;               /* owned; into the records */
    char *status_records;            /* owned; behind the first line */
    size_t status_length;
    uint64_t status_files; /* the first line */
    uint64_t seed;         /* of the shuffle, the same on all ranks */
    int32_t pattern_seed;
    bool begun;   /* the report */
    bool ended;   /* likewise */
    bool removed; /* the items, by a remove phase or in cleaning up */
    /* failures said so far: one message per phase and errno */
    bool said[TMK_MDTEST_PHASES][TMK_ERRNUM_SLOTS];
};

/*
 * argv into launch->conf and the confs of the engines, and the engine that is
 * asked for into launch->ops.  Returns 0, TMK_OPT_HELP, or -errno, said.
 * Collective.
 */
int tmk_mdtest_parse_all(struct tmk_mdtest_launch *launch, int argc,
                         char **argv);

/*
 * Warn of options of an engine that is not used, because somebody forgot -a,
 * and of variables that only the original looks at.
 */
void tmk_mdtest_unused_notes(struct tmk_mdtest_launch *launch);

/*
 * Refuse a plan that cannot fit, or say that it may not where only an upper
 * bound is known.  Rank 0 looks at its -d; agreed.  Collective over job, which
 * is the launch's or a part of it.
 */
int tmk_mdtest_space_all(struct tmk_mdtest_launch *launch,
                         const struct tmk_mdtest_plan *plan,
                         struct tmk_job *job);

/* A file system that is nearly full: warned of. */
void tmk_mdtest_space_notes(struct tmk_mdtest_launch *launch);

/*
 * -x FILE in a launch that does not create: read it into launch->status.
 * 0 or -errno, said.  Collective.
 */
int tmk_mdtest_status_read_all(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_plan *plan);

/* What was read says more than the headline of the report: a line of it. */
void tmk_mdtest_status_say(struct tmk_mdtest_launch *launch);

/* -x FILE in a launch that creates: see that it can be written.  Likewise. */
int tmk_mdtest_status_open_all(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_plan *plan);

/* After a phase: write what a creation made.  Collective over run->job. */
void tmk_mdtest_status_note_all(struct tmk_mdtest_launch *launch,
                                struct tmk_mdtest_run *run, int phase,
                                const struct tmk_phase_result *result);

void tmk_mdtest_status_close(struct tmk_mdtest_launch *launch);

/* --progress and SIGUSR1, for all tests of the launch.  Collective. */
void tmk_mdtest_progress_init_all(struct tmk_mdtest_launch *launch);
void tmk_mdtest_progress_fini_all(struct tmk_mdtest_launch *launch);

/*
 * A phase is going to begin, or with -B those on the same kind of items; in
 * this iteration, from 1 on; 0 = one that does not count.  On all ranks of
 * run->job.
 */
void tmk_mdtest_progress_begin(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_run *run, int phase,
                               int iteration);

/* Begin the report, unless it has begun: nothing can refuse the run any more.
 */
void tmk_mdtest_begin_report(struct tmk_mdtest_launch *launch);

/*
 * One number of tasks: the ranks of `job`, which is the launch's or a part of
 * it.  Returns 0, or -errno, said, if it could not begin.  Collective over
 * job.
 */
int tmk_mdtest_test_all(struct tmk_mdtest_launch *launch, struct tmk_job *job);

#endif
