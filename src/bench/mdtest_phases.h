#ifndef TMK_BENCH_MDTEST_PHASES_H
#define TMK_BENCH_MDTEST_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/item.h"
#include "bench/mdtest_data.h"
#include "bench/mdtest_dirs.h"
#include "bench/mdtest_made.h"
#include "bench/mdtest_plan.h"
#include "bench/mdtest_site.h"
#include "bench/mdtest_status.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/perop.h"
#include "run/phase.h"
#include "run/result.h"

/* Phases without barriers (-B) that are combined together. */
enum { TMK_MDTEST_GROUP_MAX = 8 };

/* What it takes to run phases; one per test. */
struct tmk_mdtest_run {
    struct tmk_job *job;
    const struct tmk_mdtest_plan *plan;
    const struct tmk_mdtest_status *status; /* of -x, read; NULL = none */
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    struct tmk_mdtest_site *site;
    uint64_t seed;        /* of this rank's shuffle */
    int32_t pattern_seed; /* of the data */
    uint64_t iteration;
    bool as_original; /* --as=mdtest-4.1 */
    enum tmk_engine_access read_access;

    /* The item at hand. */
    struct tmk_phase phase;
    struct tmk_item item;
    const struct tmk_engine_ops *calls; /* for items: ops, or its relative */
    const struct tmk_engine_ops *item_calls; /* what `calls` is in phases */
    const char *name;        /* of the item, as `calls` take it */
    uint64_t first_position; /* of its owner, where rank 0 creates for all */
    struct tmk_mdtest_dirs dirs;
    struct tmk_mdtest_data data;
    uint64_t *list;                 /* owned; the order of -R; NULL = ours */
    struct tmk_item hole;           /* the missing name of a rename chain */
    char other[TMK_ITEM_PATH_SIZE]; /* a second path */

    /* What creation came to. */
    struct tmk_mdtest_made made[TMK_MDTEST_TARGETS]; /* by this rank, or with
                                                        -c by rank 0 */
    uint64_t count[TMK_MDTEST_TARGETS];  /* items per task from now on */
    bool incomplete[TMK_MDTEST_TARGETS]; /* agreed: some creation was */
    bool tree_made;                      /* this launch made the tree, */
    bool tree_failed; /* but not all that this rank was to make */

    /* Of a phase. */
    struct tmk_perop *perop; /* borrowed; NULL = operations are not recorded */
    bool records;            /* those of this phase are */
    uint64_t bytes;          /* that an operation moves, if all goes well */
    struct tmk_mdtest_made theirs; /* of the owner that is visited */
    uint64_t command_failures;     /* of --run-cmd-..., on this rank */
    int command_status;            /* of the first of them */
    const char *command;           /* likewise; borrowed */
    uint64_t remounts_failed;      /* --remount; agreed */

    /* Phases that are to be combined. */
    struct tmk_phase kept[TMK_MDTEST_GROUP_MAX];
    enum tmk_mdtest_phase kept_which[TMK_MDTEST_GROUP_MAX];
    size_t n_kept;
    uint64_t epoch_ns;

    /* Of cleaning up. */
    uint64_t deadline_ns;
    bool left;
};

/* 0, or -ENOMEM, said.  Collective. */
int tmk_mdtest_run_init_all(struct tmk_mdtest_run *run);

/* Also after a failed init. */
void tmk_mdtest_run_fini(struct tmk_mdtest_run *run);

/* An operation of this phase has ended: count it, and record it if asked. */
static inline void tmk_mdtest_did(struct tmk_mdtest_run *run, int err,
                                  uint64_t end_ns)
{
    struct tmk_phase *p = &run->phase;
    uint64_t start_ns = p->last_ns;

    tmk_phase_did_at(p, err, end_ns);
    if (run->records &&
        tmk_perop_record(run->perop, start_ns, end_ns, run->bytes)) {
        tmk_phase_resume(p);
    }
}

/* Nothing made yet in a new iteration. */
void tmk_mdtest_run_begin(struct tmk_mdtest_run *run, uint64_t iteration);

/* The stonewall of a phase, in ns after its begin; 0 = none. */
uint64_t tmk_mdtest_phase_limit_ns(const struct tmk_mdtest_conf *conf,
                                   int which);

/* Run one phase.  The result is combined over ranks.  Collective. */
void tmk_mdtest_phase_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          struct tmk_phase_result *result);

/*
 * Phases without barriers: begin a group, run phases on items, then combine
 * the first ... the last of run->kept, which leaves the phase in run->phase.
 * Beginning and combining are collective.
 */
void tmk_mdtest_group_begin_all(struct tmk_mdtest_run *run);
void tmk_mdtest_group_run(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which);
enum tmk_mdtest_phase
tmk_mdtest_group_combine_all(struct tmk_mdtest_run *run, size_t index,
                             struct tmk_phase_result *result);

/*
 * Remove all that this launch created in iterations 0 ... run->iteration,
 * until `deadline_ns` (tmk_clock_ns) at the latest: items, trees, test
 * directories.  What is not there is no failure.  Returns whether anything is
 * left behind, agreed.  Collective.
 */
bool tmk_mdtest_clean_up_all(struct tmk_mdtest_run *run, uint64_t deadline_ns);

#endif
