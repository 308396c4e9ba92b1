#ifndef TMK_BENCH_MDTEST_LAUNCH_H
#define TMK_BENCH_MDTEST_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "bench/mdtest_conf.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_outputs.h"
#include "bench/mdtest_plan.h"
#include "bench/mdtest_site.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/report.h"
#include "run/result.h"

enum { TMK_MDTEST_ENGINES_MAX = 16, TMK_MDTEST_WRITERS_MAX = 8 };

/* Everything of one launch. */
struct tmk_mdtest_launch {
    struct tmk_job *job;
    const struct tmk_mdtest_parts *parts;
    struct tmk_mdtest_conf conf;
    const struct tmk_engine_ops *ops;
    void *engine_conf[TMK_MDTEST_ENGINES_MAX]; /* owned, of every engine */
    size_t n_engines;
    struct tmk_engine *engine;
    struct tmk_mdtest_root root;
    struct tmk_writer writers[TMK_MDTEST_WRITERS_MAX + 1];
    struct tmk_mdtest_outputs outputs;
    struct tmk_report_run report;
    struct tmk_result *result;
    uint64_t seed; /* of the shuffle, the same on all ranks */
    int32_t pattern_seed;
    bool begun;   /* the report */
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

/* Warn of options of an engine that is not used: somebody forgot -a. */
void tmk_mdtest_unused_notes(struct tmk_mdtest_launch *launch);

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
