#ifndef TMK_BENCH_IOR_STEPS_H
#define TMK_BENCH_IOR_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_doubt.h"
#include "bench/ior_files.h"
#include "bench/ior_launch.h"
#include "bench/ior_map.h"
#include "bench/ior_run.h"
#include "bench/trace_files.h"

/* One test that is being run: what all its phases share. */
struct tmk_ior_job {
    struct tmk_ior_launch *launch;
    struct tmk_job *job; /* of the ranks that take part */
    struct tmk_ior_plan plan;
    struct tmk_ior_test text; /* as it is printed */
    struct tmk_ior_files files;
    struct tmk_ior_run run;
    struct tmk_ior_map map; /* of the ranks, or as it is made up */
    struct tmk_trace_files trace;
    char trace_prefix[TMK_IOR_PATH_SIZE];    /* of a later test */
    const struct tmk_engine_ops *engine_ops; /* not those that trace */
    struct tmk_engine *engine;               /* owned */
    const struct tmk_engine_ops *traced_ops; /* those that do, if asked for */
    struct tmk_result_test result;
    struct tmk_opt_table tables[TMK_IOR_TABLES_MAX]; /* of this test */
    char path[TMK_IOR_PATH_SIZE];                    /* of rank 0 */
    int32_t first_seed;         /* of data, in repetition 0 */
    struct tmk_ior_doubt doubt; /* whether rates are those of a cache */
    struct tmk_result_latency latency[TMK_RESULT_ROWS_MAX]; /* of its rows */
    struct tmk_result_latency sides[2]; /* --rwmix: of all repetitions, by
                                           TMK_IOR_WRITE, TMK_IOR_READ */
    struct tmk_phase_result phase;
    const char *shared;    /* how nodes see the files; NULL = not asked */
    uint64_t status_limit; /* transfers that a status file tells of; 0 = all */
    uint64_t *limits;      /* owned: of each rank; NULL = all have as many */
    struct tmk_output *status_out; /* owned; of rank 0 */
    struct tmk_perop perop;        /* of this repetition */
    bool perop_open;
    char perop_prefix[TMK_IOR_PATH_SIZE];
    uint64_t first_pairs;  /* of the write of repetition 0 */
    uint64_t wrong_before; /* in this repetition */
    bool described;        /* the engine has said what it has to say */
    bool wrote;            /* repetition 0 */
    bool full;
    bool late; /* -T is over, which was said */
};

/* "write", "read", "write check", and behind those "read pass 2" ...; static.
 */
const char *tmk_ior_steps_name(int row);

/* Whether data that has a seed is written or compared. */
static inline bool tmk_ior_steps_has_data(const struct tmk_ior_plan *plan)
{
    return plan->writes || plan->mixes || plan->checks_write ||
           plan->checks_read;
}

static inline bool tmk_ior_steps_gave_up(const struct tmk_ior_job *t)
{
    return t->job->interrupted != 0 || t->full;
}

/*
 * Everything that a phase needs to know: whose data, where.  `in_order`: as if
 * -z were not given.  0, or -errno, said.  Collective.
 */
int tmk_ior_steps_aim_all(struct tmk_ior_job *t, const struct tmk_ior_how *how,
                          bool in_order);

/* Tell how far a phase of this name is, from now on. */
void tmk_ior_steps_progress(struct tmk_ior_job *t, const char *name);

/*
 * savePerOpDataCSV: "<prefix>-<repetition>-<phase>-<rank>.csv".  Open those of
 * a repetition: 0 or -errno, said.  Close what is open; what was lost is said,
 * and noted in the result.  Collective.
 */
int tmk_ior_steps_perop_open_all(struct tmk_ior_job *t, int repetition);
void tmk_ior_steps_perop_close_all(struct tmk_ior_job *t);

/* All repetitions: writing, checking, reading, removing.  What fails is in the
 * results.  Collective. */
void tmk_ior_steps_all(struct tmk_ior_job *t);

#endif
