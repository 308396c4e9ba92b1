#ifndef TMK_BENCH_IOR_RUN_H
#define TMK_BENCH_IOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_data.h"
#include "bench/ior_mix.h"
#include "bench/ior_offsets.h"
#include "bench/ior_plan.h"
#include "bench/ior_tasks.h"
#include "bench/ior_text.h"
#include "engine/engine.h"
#include "run/perop.h"
#include "run/phase.h"

/*
 * One rank's part of one test.
 *
 *     ior_test      repetitions, what comes before and after phases
 *     ior_files     what is there, names, sizes, removal
 *     ior_phases    a phase: open, transfers, close
 *     ior_transfer    its measured loops
 *     ior_data        what is written and read
 */

enum { TMK_IOR_WRONG_MAX = 4 }; /* data errors of a rank that are told */

/* A transfer that is under way. */
struct tmk_ior_slot {
    uint64_t at, start_ns;
    bool writing;
};

/* Times of a rank since its phase began. */
struct tmk_ior_marks {
    uint64_t open_end_ns;
    uint64_t transfer_begin_ns, transfer_end_ns;
    uint64_t close_begin_ns, close_end_ns;
    uint64_t transfers;
};

struct tmk_ior_run {
    struct tmk_job *job; /* of the ranks that take part */
    char which[24];      /* "test 1: ", where there are several; or "" */
    const struct tmk_ior_plan *plan;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    struct tmk_ior_tasks tasks;
    struct tmk_ior_data data;
    struct tmk_ior_offsets offsets;
    struct tmk_ior_cursor cursor;
    struct tmk_phase phase;
    struct tmk_ior_mix *mix;    /* --rwmix: owned; else NULL */
    struct tmk_perop *perop;    /* NULL = operations are not kept */
    bool in_step;               /* every rank makes the same calls (-c) */
    unsigned depth;             /* transfers under way; 0 = one by one */
    struct tmk_ior_slot *slots; /* owned; depth of them */
    unsigned *idle;             /* owned: numbers of those that are free */
    int64_t random_seed;        /* of -z, settled */
    int32_t seed;               /* of data, in this repetition */
    int repetition;
    uint32_t source; /* whose data this rank touches: P */
    char path[TMK_IOR_PATH_SIZE];
    intptr_t file;
    uint64_t limit;      /* transfers of a rank that there are; 0 = all */
    bool goes_elsewhere; /* every rank reads what another node wrote */
    char dir[TMK_IOR_PATH_SIZE];        /* that files lie in; of rank 0 */
    char wrong[TMK_IOR_WRONG_MAX][256]; /* the first data errors of a phase */
    unsigned n_wrong;
    struct tmk_ior_marks marks; /* of the last phase */
    uint64_t memory_bytes;      /* of a node; 0 = not known */
    uint64_t file_bytes;        /* of the file that is read; for -z -z */
};

/* What a phase does. */
struct tmk_ior_how {
    enum tmk_ior_access access;
    bool checks; /* what is read is compared */
    bool timed;  /* a result; else -W */
    int pass;
    uint64_t limit_ns; /* if it is not timed: stop after so long; 0 = do not */
};

/* Memory.  0 or -ENOMEM, on this rank. */
int tmk_ior_run_init(struct tmk_ior_run *run);
/* The plan has another size of transfers: buffers for it.  Likewise. */
int tmk_ior_run_resize(struct tmk_ior_run *run);
void tmk_ior_run_fini(struct tmk_ior_run *run);

/* run->dir, of a run with a plan and ops: where rank 0's first file lies, or
 * the directory that -u makes for it. */
void tmk_ior_run_find_dir(struct tmk_ior_run *run);

/* Tell the engine what comes.  0 or -errno, alike on all ranks: see
 * tmk_engine_ops.expect.  Collective. */
int tmk_ior_expect_all(struct tmk_ior_run *run, enum tmk_ior_access access);

/* Transfers that this rank will make in the phase to come, as far as nothing
 * stops it; source, offsets and limit are set. */
uint64_t tmk_ior_planned(const struct tmk_ior_run *run);

/*
 * A phase: everything between two barriers, and the numbers of spec 4.  The
 * caller has set path, source and offsets.  *phase is the same on all ranks,
 * but for what only rank 0 gets (see tmk_phase_end_all()).  Collective.
 */
void tmk_ior_phase_all(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       struct tmk_ior_phase *phase,
                       struct tmk_phase_result *result);

/* ior_transfer: transfers number `from` up to `end` of this rank, as far as the
 * phase lets it; how far it came. */
uint64_t tmk_ior_transfer(struct tmk_ior_run *run,
                          const struct tmk_ior_how *how, uint64_t from,
                          uint64_t end);

/* The same where every rank makes the same call at the same time (-c).
 * Collective. */
uint64_t tmk_ior_transfer_all(struct tmk_ior_run *run,
                              const struct tmk_ior_how *how, uint64_t from,
                              uint64_t end);

#endif
