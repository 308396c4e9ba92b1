#ifndef TMK_BENCH_MDWORKBENCH_PHASES_H
#define TMK_BENCH_MDWORKBENCH_PHASES_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdworkbench_data.h"
#include "bench/mdworkbench_plan.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/phase.h"
#include "run/result.h"

/*
 * A phase, from barrier to barrier.
 *
 *     precreate    mkdir of the own sets, then create: first objects first
 *     benchmark    of each set in turn: stat, read, delete the oldest object,
 *                  create the next one; so many steps
 *     cleanup      delete and rmdir of the own sets, set by set
 *
 * A time of an operation is that of the call alone (open to close for read and
 * create).  Between operations data is made and checked, and waited for -t.
 */
enum tmk_mdworkbench_kind {
    TMK_MDWORKBENCH_PRECREATE,
    TMK_MDWORKBENCH_BENCHMARK,
    TMK_MDWORKBENCH_CLEANUP,
    TMK_MDWORKBENCH_KINDS
};

/* In the order of tables. */
enum tmk_mdworkbench_op {
    TMK_MDWORKBENCH_MKDIR,
    TMK_MDWORKBENCH_STAT,
    TMK_MDWORKBENCH_READ,
    TMK_MDWORKBENCH_DELETE,
    TMK_MDWORKBENCH_CREATE,
    TMK_MDWORKBENCH_RMDIR,
    TMK_MDWORKBENCH_OPS
};

/* "precreate"; "stat".  Static. */
extern const char *const tmk_mdworkbench_kind_names[];
extern const char *const tmk_mdworkbench_op_names[];

/* Whether a phase makes such operations. */
bool tmk_mdworkbench_has(const struct tmk_mdworkbench_plan *plan,
                         enum tmk_mdworkbench_kind kind,
                         enum tmk_mdworkbench_op op);

/* The time of single operations, one after the other: of -L. */
struct tmk_mdworkbench_sample {
    uint64_t start_ns, took_ns; /* since the phase began */
};

struct tmk_mdworkbench_samples {
    struct tmk_mdworkbench_sample *list; /* owned by whoever logs */
    uint64_t n, capacity; /* those that do not fit are left out */
};

struct tmk_mdworkbench_run {
    struct tmk_job *job;
    const struct tmk_mdworkbench_plan *plan;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    struct tmk_mdworkbench_data data;
    uint64_t pos;      /* the oldest object of each set */
    bool torn;         /* sets are not alike any more */
    bool sweeps;       /* cleanup goes by what there is, not by pos */
    bool adopts;       /* mkdir of what is there is well */
    double waiting;    /* of -t, in the phase that is under way */
    uint64_t limit_ns; /* of the stonewall */
    struct tmk_phase whole, parts[TMK_MDWORKBENCH_OPS];
    uint64_t slept_ns;       /* for -t */
    uint64_t sweep_until_ns; /* removing outside of phases; 0 = no limit */
    struct tmk_mdworkbench_samples *samples; /* one for each op; borrowed;
                                                NULL = not wanted */
    char source[TMK_MDWORKBENCH_PATH_SIZE], target[TMK_MDWORKBENCH_PATH_SIZE];
};

/* Over ranks: what each took until its last operation. */
struct tmk_mdworkbench_spread {
    double min_s, max_s, mean_s, stddev_s;
};

/* A phase that has ended. */
struct tmk_mdworkbench_phase {
    enum tmk_mdworkbench_kind kind;
    uint64_t run;       /* of the benchmark, from 0 on */
    uint64_t iteration; /* likewise; behind the last one for cleanup */
    double waiting;     /* of -t */
    struct tmk_phase_result whole, parts[TMK_MDWORKBENCH_OPS];
    struct tmk_mdworkbench_spread spread;
    double slept_share; /* of all ranks' time: for -t */
    uint64_t steps;     /* that all have come through; benchmark alone */
    bool torn;          /* a rank was over before it was through */
};

/* 0 or -ENOMEM; fini also after that.  job, plan, ops, engine are set before,
 * all else is 0. */
int tmk_mdworkbench_run_init(struct tmk_mdworkbench_run *run, int32_t seed);
void tmk_mdworkbench_run_fini(struct tmk_mdworkbench_run *run);

/*
 * One phase; phase->kind, run, iteration and waiting are set before.  What
 * fails is counted.  A benchmark moves run->pos, and sets run->torn where it
 * was broken off.  Collective.
 */
void tmk_mdworkbench_phase_all(struct tmk_mdworkbench_run *run,
                               struct tmk_mdworkbench_phase *phase);

/* Operations of all ranks that a phase will make, if nothing is in its way. */
uint64_t tmk_mdworkbench_planned(const struct tmk_mdworkbench_run *run,
                                 enum tmk_mdworkbench_kind kind);

/* Of one kind, of this rank. */
uint64_t tmk_mdworkbench_planned_of(const struct tmk_mdworkbench_run *run,
                                    enum tmk_mdworkbench_kind kind,
                                    enum tmk_mdworkbench_op op);

/*
 * mdworkbench_sweep: remove whatever is a set or an object by its name in the
 * directory of the plan, with the ranks sharing the sets; `did` is told of each
 * call, and says whether to go on.  Returns the worst error, 0 or -errno.
 */
typedef bool tmk_mdworkbench_did(struct tmk_mdworkbench_run *run,
                                 enum tmk_mdworkbench_op op, int err,
                                 const char *path);
int tmk_mdworkbench_sweep(struct tmk_mdworkbench_run *run,
                          tmk_mdworkbench_did *did);

#endif
