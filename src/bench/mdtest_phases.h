#ifndef TMK_BENCH_MDTEST_PHASES_H
#define TMK_BENCH_MDTEST_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/item.h"
#include "bench/mdtest_plan.h"
#include "bench/mdtest_site.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/phase.h"
#include "run/result.h"

enum { TMK_MDTEST_HOLES_MAX = 256 };

/*
 * What an owner's creation made: the first `count` positions but for the
 * holes.  Sent from rank to rank as it is.
 */
struct tmk_mdtest_made {
    uint64_t count;
    uint64_t attempted; /* >= count; more if there were too many holes */
    uint64_t n_holes;
    uint64_t holes[TMK_MDTEST_HOLES_MAX]; /* ascending positions */
};

/* What it takes to run phases; one per test. */
struct tmk_mdtest_run {
    struct tmk_job *job;
    const struct tmk_mdtest_plan *plan;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    struct tmk_mdtest_site *site;
    uint64_t seed; /* of this rank's shuffle */
    uint64_t iteration;
    struct tmk_phase phase;
    struct tmk_item item;
    struct tmk_item hole;           /* the missing name of a rename chain */
    char other[TMK_ITEM_PATH_SIZE]; /* a second path */
    unsigned char *buffer; /* owned; write_bytes or read_bytes, the larger */
    struct tmk_mdtest_made made[TMK_MDTEST_TARGETS]; /* by this rank */
    bool incomplete[TMK_MDTEST_TARGETS]; /* agreed: some creation was */
    bool tree_made;                      /* this launch made the tree, */
    bool tree_failed; /* but not all that this rank was to make */
};

/* 0, or -ENOMEM, said.  Collective. */
int tmk_mdtest_run_init_all(struct tmk_mdtest_run *run);

/* Also after a failed init. */
void tmk_mdtest_run_fini(struct tmk_mdtest_run *run);

/* Whether this rank makes and removes trees. */
bool tmk_mdtest_makes_tree(const struct tmk_mdtest_run *run);

/*
 * Where a chain of renames broke, a directory has kept the name "...-XX", and
 * the name that is missing may be any other of its loop directory: remove
 * that, until `deadline_ns` or a signal.
 */
void tmk_mdtest_remove_moved(struct tmk_mdtest_run *run,
                             const struct tmk_item_set *set,
                             uint64_t deadline_ns);

/* Nothing made yet in a new iteration. */
void tmk_mdtest_run_begin(struct tmk_mdtest_run *run, uint64_t iteration);

/* Run one phase.  The result is combined over ranks.  Collective. */
void tmk_mdtest_phase_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          struct tmk_phase_result *result);

/*
 * Remove all that this launch created in iterations 0 ... run->iteration,
 * until `deadline_ns` (tmk_clock_ns) at the latest: items, trees, test
 * directories.  What is not there is no failure.  Returns whether anything is
 * left behind, agreed.  Collective.
 */
bool tmk_mdtest_clean_up_all(struct tmk_mdtest_run *run, uint64_t deadline_ns);

#endif
