#ifndef TMK_TESTS_MPI_IOR_WAYS_H
#define TMK_TESTS_MPI_IOR_WAYS_H

#include "mpi/made.h"

#include <stdio.h>

#include "bench/ior_run.h"

/*
 * Phases of ior in all the ways that transfers are made.
 */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define US       UINT64_C(1000)
#define MS       UINT64_C(1000000)

/* How transfers are made. */
struct way {
    const char *name;
    bool queues;
    void (*ask)(struct tmk_ior_conf *conf); /* NULL: nothing more */
};

struct bench {
    struct tmk_job job;
    struct tmk_ior_conf conf;
    struct tmk_ior_plan plan;
    struct tmk_ior_run run;
    struct tmk_engine engine;
    /* of the last phase */
    struct tmk_ior_phase phase;
    struct tmk_phase_result result;
};

enum { BLOCK = 640, TRANSFER = 40, SEGMENTS = 3, EACH = 48, LAST = -1 };

static inline void ask_each(struct tmk_ior_conf *c)
{
    c->file_per_proc = 1;
}

static inline void ask_noise(struct tmk_ior_conf *c)
{
    c->pattern_kind = TMK_PATTERN_NOISE;
}

static inline void ask_together(struct tmk_ior_conf *c)
{
    c->collective = 1;
    c->barriers = 1;
}

static inline void ask_each_together(struct tmk_ior_conf *c)
{
    c->collective = 1;
    c->file_per_proc = 1;
    c->fsync = 1;
}

static inline void ask_barriers(struct tmk_ior_conf *c)
{
    c->barriers = 1;
    c->fsync = 1;
}

static inline void ask_syncs(struct tmk_ior_conf *c)
{
    c->fsync_per_write = 1;
}

static inline void ask_shuffled(struct tmk_ior_conf *c)
{
    c->random_offset = 1;
    c->pattern_kind = TMK_PATTERN_PLACE;
}

static inline void ask_shuffled_together(struct tmk_ior_conf *c)
{
    ask_shuffled(c);
    c->collective = 1;
}

static inline void ask_deadline(struct tmk_ior_conf *c)
{
    c->deadline_ns = 3600000 * MS;
    c->wear_out = 1;
}

static inline void ask_deadline_together(struct tmk_ior_conf *c)
{
    ask_deadline(c);
    c->collective = 1;
}

static const struct way ways[] = {
    {"plain", false, NULL},
    {"a file each", false, ask_each},
    {"contents that change", false, ask_noise},
    {"together", false, ask_together},
    {"each together", false, ask_each_together},
    {"with barriers", false, ask_barriers},
    {"with a sync each", false, ask_syncs},
    {"shuffled", false, ask_shuffled},
    {"shuffled together", false, ask_shuffled_together},
    {"before a deadline", false, ask_deadline},
    {"together before a deadline", false, ask_deadline_together},
    {"queued", true, NULL},
    {"queued to a file each", true, ask_each},
    {"queued, with a sync each", true, ask_syncs},
    {"queued, shuffled", true, ask_shuffled},
    {"queued, with barriers", true, ask_barriers},
    {"queued before a deadline", true, ask_deadline},
    {"queued together", true, ask_together},
};

static inline bool is_together(const struct bench *b)
{
    return b->conf.collective != 0;
}

/* Everything but the phases.  Release it. */
static inline void begin(struct bench *b, const struct way *way,
                         void (*ask)(struct tmk_ior_conf *conf))
{
    const struct tmk_ior_here here = {
        .ranks = b->job.size, .nodes = 1, .ranks_per_node = b->job.size};
    struct tmk_ior_notes notes;
    char why[256] = "";

    tmk_ior_conf_init(&b->conf);
    b->conf.path = "made";
    b->conf.block_bytes = BLOCK;
    b->conf.transfer_bytes = TRANSFER;
    b->conf.segments = SEGMENTS;
    b->conf.write = b->conf.read = b->conf.check_read = 1;
    b->conf.seed = 7;
    b->conf.random_seed = 9;
    b->conf.max_errors = 0;
    if (way->ask != NULL) {
        way->ask(&b->conf);
    }
    if (ask != NULL) {
        ask(&b->conf);
    }
    if (tmk_ior_plan_make(&b->plan, &b->conf, &here, &notes, why,
                          sizeof(why)) != 0) {
        fail_msg("%s: %s", way->name, why);
    }
    b->engine = (struct tmk_engine){.file_bytes = b->plan.file_bytes};
    b->engine.content = calloc(1, b->plan.file_bytes);
    b->engine.moves = calloc(MOVES_MAX, sizeof(*b->engine.moves));
    assert_non_null(b->engine.content);
    assert_non_null(b->engine.moves);
    b->run = (struct tmk_ior_run){
        .job = &b->job,
        .plan = &b->plan,
        .ops = way->queues ? &made_queue : &made,
        .engine = &b->engine,
        .seed = 7,
        .source = (uint32_t)b->job.rank,
    };
    (void)snprintf(b->run.path, sizeof(b->run.path), "made.%d", b->job.rank);
    assert_int_equal(tmk_ior_run_init(&b->run), 0);
}

static inline void end(struct bench *b)
{
    tmk_ior_run_fini(&b->run);
    tmk_ior_run_fini(&b->run); /* again is fine */
    free(b->engine.content);
    free(b->engine.moves);
}

static inline void aim(struct bench *b, enum tmk_ior_order order)
{
    const struct tmk_ior_offsets_how how = {
        .order = order,
        .shared = b->plan.shared,
        .ranks = (uint64_t)b->job.size,
        .segments = b->plan.segments,
        .block_bytes = b->plan.block_bytes,
        .transfer_bytes = b->plan.transfer_bytes,
        .seed = 3,
        .legacy_seed = 3,
        .file_bytes = b->plan.file_bytes,
    };

    tmk_ior_offsets_fini(&b->run.offsets);
    assert_int_equal(tmk_ior_offsets_init(&b->run.offsets, &how, b->run.source),
                     0);
}

static inline enum tmk_ior_order order_of(const struct bench *b)
{
    return b->conf.random_offset == 0                ? TMK_IOR_SEQUENTIAL
           : b->conf.semantics == TMK_IOR_AS_IOR_4_1 ? TMK_IOR_LEGACY
                                                     : TMK_IOR_SHUFFLED;
}

/* A phase; what was called before is forgotten, a fault is not. */
static inline void go_all(struct bench *b, enum tmk_ior_access access)
{
    const struct tmk_ior_how how = {
        .access = access,
        .checks = access == TMK_IOR_READ && b->plan.checks_read,
        .timed = true,
    };

    aim(b, order_of(b));
    b->engine.n_moves = 0;
    memset(b->engine.called, 0, sizeof(b->engine.called));
    tmk_ior_phase_all(&b->run, &how, &b->phase, &b->result);
    assert_int_equal(b->engine.open_files, 0);
}

static inline uint64_t sum_of_all(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    return value;
}

static inline uint64_t max_of_all(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    return value;
}

/* A rank that is out of the ordinary: the last, or 0 ... */
static inline bool is_who(const struct bench *b, int who)
{
    return b->job.rank == (who == LAST ? b->job.size - 1 : who);
}

/* Transfers of all ranks. */
static inline uint64_t planned(const struct bench *b)
{
    return b->plan.per_rank * (uint64_t)b->job.size;
}

/* What is true of every phase. */
static inline void assert_sane(const struct bench *b)
{
    const struct tmk_ior_phase *ph = &b->phase;
    const struct tmk_phase_result *r = &b->result;

    assert_int_equal(r->bytes, r->operations * b->plan.transfer_bytes);
    assert_int_equal(ph->moved_bytes, r->bytes);
    assert_int_equal(ph->total_ns, r->time_ns);
    assert_true(ph->open_ns <= ph->total_ns);
    assert_true(ph->transfer_ns <= ph->total_ns);
    assert_true(ph->close_ns <= ph->total_ns);
    assert_true(ph->best_mean_ns <= ph->transfer_ns);
    assert_true(r->busy_ns <= r->time_ns);
    assert_true(r->mean_op_ns <= (double)r->max_op_ns);
    assert_true(r->max_op_ns <= r->time_ns);
    assert_true(r->mean_op_ns >= (double)r->min_op_ns);
    assert_true(r->waiting_share >= 0 && r->waiting_share <= 1);
    assert_true(r->aside_share >= 0 && r->aside_share <= 1);
    assert_true(ph->result == r);
    assert_int_equal(ph->errors, r->wrong);
}

/* With all transfers accounted for; `others` failures are of other calls. */
static inline void assert_counts(const struct bench *b, uint64_t failed,
                                 uint64_t others)
{
    const struct tmk_phase_result *r = &b->result;

    assert_sane(b);
    assert_int_equal(r->failed, failed);
    assert_int_equal(r->operations + r->failed - others + r->missed,
                     planned(b));
}

static inline int init(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    *state = b;
    return b == NULL ? -1
                     : tmk_job_init_all(&b->job, MPI_COMM_WORLD, "test", stdout,
                                        stderr);
}

static inline int fini(void **state)
{
    struct bench *b = *state;

    tmk_job_fini_all(&b->job);
    free(b);
    return 0;
}

#endif
