#ifndef TMK_BENCH_IOR_LAUNCH_H
#define TMK_BENCH_IOR_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "bench/ior_conf.h"
#include "bench/ior_main.h"
#include "bench/ior_plan.h"
#include "bench/ior_script.h"
#include "bench/ior_text.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/output.h"
#include "run/perop.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/result.h"
#include "run/results.h"

/*
 * Everything of one launch of ior: one test, or several of a script.
 */

enum { TMK_IOR_TABLES_MAX = 16, TMK_IOR_WRITERS_MAX = 2 };

/* Rows of the results. */
enum {
    TMK_IOR_ROW_WRITE,
    TMK_IOR_ROW_READ,
    TMK_IOR_ROW_CHECK, /* -W */
    TMK_IOR_ROW_MIX,   /* --rwmix */
    TMK_IOR_ROWS
};

struct tmk_ior_job;

struct tmk_ior_launch {
    struct tmk_job *job;
    const struct tmk_ior_parts *parts;
    int argc;
    char *const *argv;
    struct tmk_ior_conf conf;              /* of the command line */
    void *engine_conf[TMK_IOR_TABLES_MAX]; /* owned, of every engine */
    struct tmk_opt_table tables[TMK_IOR_TABLES_MAX]; /* ior's first; once read,
                                                        of the first test */
    size_t conf_bytes[TMK_IOR_TABLES_MAX];
    size_t n_tables;
    struct tmk_ior_tests tests;
    struct tmk_ior_texts texts; /* strings of directives */
    uint64_t memory_bytes;      /* of a node; 0 = not known.  Nodes of one
                                   kernel have equal shares of its memory */
    char *script;               /* owned: text of -f */
    int fake_nodes, fake_ranks; /* IOR_FAKE_...; 0 = not set */
    struct tmk_ior_text text;
    struct tmk_output *summary_out; /* owned; summaryFile; rank 0's */
    struct tmk_output *ranks_out;   /* owned; rank details; rank 0's */
    FILE *ranks_file;               /* of it */
    struct tmk_results results;
    struct tmk_result_latency *latency; /* owned; of the rows of a test; rank
                                           0, if they are wanted */
    struct tmk_report_run report;
    struct tmk_progress progress;
    const struct tmk_ior_job *reported; /* if SIGUSR1 asks for it now; borrowed;
                                           NULL = none */
    struct tmk_result *result;
    uint64_t began_ns; /* for -T */
    bool begun, ended; /* the report */
    bool said[TMK_RESULT_ROWS_MAX][TMK_ERRNUM_SLOTS];
    char path[TMK_IOR_PATH_SIZE]; /* rank 0's, of the first test */
};

/* Where the launch runs, for its plans. */
struct tmk_ior_here tmk_ior_launch_here(const struct tmk_ior_launch *launch);

/* Of test i. */
static inline const struct tmk_ior_conf *
tmk_ior_launch_conf(const struct tmk_ior_launch *launch, size_t i)
{
    return launch->tests.confs[i * launch->tests.n_tables];
}

/* ior_parse: argv and script into launch->tests.  0, TMK_OPT_HELP, or -errno,
 * said.  Collective. */
int tmk_ior_parse_all(struct tmk_ior_launch *launch, int argc, char **argv);
/* Warn of options of engines that no test uses, because somebody forgot -a. */
void tmk_ior_parse_notes(struct tmk_ior_launch *launch);
void tmk_ior_parse_fini(struct tmk_ior_launch *launch);

/*
 * ior_test: check that test i can be run: the engine, the plan.  0 or -errno,
 * said.  Nothing is touched.  The same on all ranks.
 */
int tmk_ior_test_check(struct tmk_ior_launch *launch, size_t i);

/* Run test i.  0; or -errno, said, if it could not begin.  Collective. */
int tmk_ior_test_all(struct tmk_ior_launch *launch, size_t i);

/* --progress and SIGUSR1, for all tests of the launch.  Collective. */
void tmk_ior_progress_init_all(struct tmk_ior_launch *launch);
void tmk_ior_progress_fini_all(struct tmk_ior_launch *launch);

/* What a test would do, for people.  Nothing is touched.  Collective. */
void tmk_ior_test_explain_all(struct tmk_ior_launch *launch, size_t i);

/* A phase of a test is over: to the listener, if there is one. */
void tmk_ior_tell_phase(const struct tmk_ior_launch *launch, int test,
                        int tasks, const struct tmk_ior_phase *phase,
                        bool timed);

/* Begin the report, unless it has begun. */
void tmk_ior_begin_report(struct tmk_ior_launch *launch);

#endif
