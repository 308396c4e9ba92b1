/*
 * phase: barrier, clock, errors, combination over ranks.
 *
 * Combining takes one SUM and one MAX of fixed size, one more SUM only if
 * operations are sampled over time, and two more only if something failed: who
 * was the first with each errno, and its path.
 */
#include "run/phase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/at_rank.h"
#include "base/units.h"
#include "run/progress.h"

enum { POLL_EVERY_NS = 10000000 };

/* What is added over ranks. */
enum {
    SUM_DONE,
    SUM_FAILED,
    SUM_BYTES,
    SUM_MISSED,
    SUM_SPENT,  /* t2 - t0 */
    SUM_WAITED, /* t2 - t1, and in between */
    SUM_IN_OPS, /* end of the last operation - t0, less what was between them */
    SUM_ASIDE,
    SUM_WRONG,
    SUM_WALLED,
    SUM_ERRNOS,
    SUM_LATENCY = SUM_ERRNOS + TMK_ERRNUM_SLOTS,
    SUMS = SUM_LATENCY + TMK_HIST_BUCKETS,
};

/*
 * What is maximised over ranks; minima are stored as their distance from TOP.
 * All are below 2^63: MPICH 4.0 compares unsigned integers as signed ones.
 */
enum {
    MAX_TIME,
    MAX_BUSY,
    MAX_OP,
    MAX_OP_RANK, /* nanoseconds and rank in one word */
    MIN_OP,
    MAX_SLOWEST, /* microseconds and rank in one word */
    MIN_FASTEST,
    MAX_FULL,
    MAX_SIGNAL,
    MAX_END, /* since the moment that all have in common */
    MIN_BEGIN,
    MAX_EVENED,
    MAX_WALLED,
    MIN_WALLED,
    MAX_WALLED_NS,
    MAXIMA,
};

#define TOP ((uint64_t)INT64_MAX)

/* A value as a distance from TOP, and back. */
static uint64_t mirror(uint64_t value)
{
    return value < TOP ? TOP - value : 0;
}

/* Times of phases are in us there, those of operations in ns. */
static struct tmk_result_rank unpack_us(uint64_t word)
{
    return (struct tmk_result_rank){
        .rank = tmk_at_rank_rank(word),
        .time_ns = tmk_at_rank_value(word) * 1000,
    };
}

int tmk_phase_init(struct tmk_phase *p)
{
    *p = (struct tmk_phase){0};
    p->sums = calloc(SUMS, sizeof(*p->sums));
    return p->sums != NULL ? 0 : -ENOMEM;
}

void tmk_phase_fini(struct tmk_phase *p)
{
    free(p->sums);
    p->sums = NULL;
}

/* A signal is every rank's business; so is what the others say. */
static void look_around(struct tmk_phase *p)
{
    if (tmk_job_signal() != 0) {
        tmk_stop_raise(&p->job->stop, TMK_STOP_SIGNAL);
    }
    switch (tmk_stop_poll(&p->job->stop)) {
    case TMK_STOP_NONE: return;
    case TMK_STOP_FULL:
        if (!p->how.creates) {
            return; /* another phase of the group */
        }
        p->full = true;
        break;
    default: break;
    }
    p->over = true;
    p->ended = true;
}

/* Whoever waits for this run is told how far it is; whether that took time. */
static bool tell(struct tmk_phase *p, uint64_t now_ns)
{
    struct tmk_progress *progress = p->job->progress;

    return progress != NULL &&
           tmk_progress_look(progress, now_ns, p->done, p->failed);
}

static void reset(struct tmk_phase *p, struct tmk_job *job,
                  const struct tmk_phase_how *how)
{
    uint64_t *sums = p->sums;

    *p = (struct tmk_phase){
        .job = job, .how = *how, .sums = sums, .min_ns = UINT64_MAX};
    if (p->how.interval_ns == 0) {
        p->how.interval_ns = job->interval_ns;
    }
    p->latency.counts[tmk_hist_index(p->took_ns)]--;
    if (tmk_job_signal() != 0) {
        p->over = true; /* told to the others by the wait at the end */
        p->ended = true;
    }
}

static void plan_poll(struct tmk_phase *p, uint64_t now_ns)
{
    p->poll_ns = now_ns + POLL_EVERY_NS;
    if (p->deadline_ns < p->poll_ns) {
        p->poll_ns = p->deadline_ns;
    }
    if (p->sample.next_ns < p->poll_ns) {
        p->poll_ns = p->sample.next_ns;
    }
}

static void start_clock(struct tmk_phase *p)
{
    uint64_t limit_ns = p->how.stop_after_ns;

    p->t0_ns = tmk_clock_ns();
    p->last_ns = p->t0_ns;
    p->deadline_ns = limit_ns != 0 ? p->t0_ns + limit_ns : UINT64_MAX;
    tmk_sample_init(&p->sample, p->how.interval_ns, p->t0_ns);
    plan_poll(p, p->t0_ns);
}

void tmk_phase_begin_all(struct tmk_phase *p, struct tmk_job *job,
                         const struct tmk_phase_how *how)
{
    reset(p, job, how);
    tmk_stop_begin(&job->stop);
    tmk_wait_barrier_all(&job->wait);
    start_clock(p);
    p->epoch_ns = p->t0_ns;
}

uint64_t tmk_phase_group_begin_all(struct tmk_job *job)
{
    tmk_stop_begin(&job->stop);
    tmk_wait_barrier_all(&job->wait);
    return tmk_clock_ns();
}

void tmk_phase_begin(struct tmk_phase *p, struct tmk_job *job,
                     const struct tmk_phase_how *how, uint64_t epoch_ns)
{
    reset(p, job, how);
    p->alone = true;
    p->epoch_ns = epoch_ns;
    look_around(p);
    start_clock(p);
}

void tmk_phase_poll(struct tmk_phase *p, uint64_t now_ns, uint64_t succeeded)
{
    if (now_ns >= p->deadline_ns) {
        p->over = true;
    }
    if (p->job->phase_limit_ns != 0 &&
        now_ns - p->t0_ns >= p->job->phase_limit_ns) {
        p->over = true; /* nor are others caught up with */
        p->ended = true;
    }
    tmk_sample_advance(&p->sample, now_ns, p->done - succeeded);
    plan_poll(p, now_ns);
    look_around(p);
    if (tell(p, now_ns)) {
        tmk_phase_skip(p);
    }
}

/* The file system will not take the next creation either. */
static bool is_hopeless(int err)
{
    static const int hopeless[] = {ENOSPC, EDQUOT,   EROFS,
                                   ESTALE, ENOTCONN, EIO};

    for (size_t i = 0; i < sizeof(hopeless) / sizeof(hopeless[0]); i++) {
        if (err == hopeless[i]) {
            return true;
        }
    }
    return false;
}

static void remember_first(struct tmk_phase *p, int slot)
{
    struct tmk_failure *f;

    for (size_t i = 0; i < p->n_first; i++) {
        if (p->first[i].err == slot) {
            return;
        }
    }
    if (p->n_first == TMK_RESULT_FAILURES_MAX) {
        return;
    }
    f = &p->first[p->n_first++];
    f->err = slot;
    if (p->how.path != NULL) {
        size_t n = strnlen(p->how.path, sizeof(f->path) - 1);

        memcpy(f->path, p->how.path, n);
        f->path[n] = '\0';
    }
    if (p->how.detail != NULL) {
        size_t n = strnlen(p->how.detail, sizeof(f->detail) - 1);

        memcpy(f->detail, p->how.detail, n);
        f->detail[n] = '\0';
    }
}

void tmk_phase_fail(struct tmk_phase *p, int err)
{
    int slot = -err;

    if (slot <= 0 || slot >= TMK_ERRNUM_SLOTS) {
        slot = 0;
    }
    p->failed++;
    if (p->failed_by[slot]++ == 0) {
        remember_first(p, slot);
    }
    if (p->how.creates && is_hopeless(slot)) {
        tmk_stop_raise(&p->job->stop, TMK_STOP_FULL);
        p->full = true;
        p->over = true;
        p->ended = true;
    }
    if (p->how.max_errors != 0 && p->failed >= p->how.max_errors) {
        p->over = true;
        p->ended = true;
    }
}

void tmk_phase_spoil(struct tmk_phase *p, int err)
{
    p->done--; /* below 0 on this rank: the sum over ranks is right */
    tmk_phase_fail(p, err);
}

void tmk_phase_close(struct tmk_phase *p)
{
    p->t1_ns = tmk_clock_ns();
}

static void idle(void *arg)
{
    struct tmk_phase *p = arg;

    look_around(p);
    if (p->job->progress != NULL) {
        (void)tell(p, tmk_clock_ns());
    }
}

/* The same when phases of a group are over, and their counts kept. */
static void idle_alone(void *arg)
{
    struct tmk_phase *p = arg;

    look_around(p);
    if (p->job->progress != NULL) {
        (void)tmk_progress_look(p->job->progress, tmk_clock_ns(), 0, 0);
    }
}

/* The next operation, if there is one, begins now. */
static void end_wait(struct tmk_phase *p)
{
    uint64_t now = tmk_clock_ns();

    p->waited_ns += now - p->last_ns;
    p->last_ns = now;
}

void tmk_phase_wall(struct tmk_phase *p, uint64_t stop_after_ns)
{
    uint64_t now = tmk_clock_ns();

    p->deadline_ns = stop_after_ns != 0 && stop_after_ns < UINT64_MAX - now
                         ? now + stop_after_ns
                         : UINT64_MAX;
    plan_poll(p, now);
}

void tmk_phase_meet_all(struct tmk_phase *p)
{
    tmk_wait_barrier_poll_all(&p->job->wait, idle, p);
    end_wait(p);
}

bool tmk_phase_any_all(struct tmk_phase *p, bool own)
{
    uint64_t any = own;

    tmk_wait_max_poll_all(&p->job->wait, &any, 1, idle, p);
    end_wait(p);
    return any != 0;
}

void tmk_phase_bcast_all(struct tmk_phase *p, void *buf, int bytes)
{
    tmk_wait_bcast_poll_all(&p->job->wait, buf, bytes, idle, p);
    end_wait(p);
}

void tmk_phase_max_all(struct tmk_phase *p, uint64_t *values, int n)
{
    tmk_wait_max_poll_all(&p->job->wait, values, n, idle, p);
    end_wait(p);
}

uint64_t tmk_phase_even_all(struct tmk_phase *p, uint64_t visited)
{
    uint64_t most = visited;

    tmk_wait_max_poll_all(&p->job->wait, &most, 1, idle, p);
    end_wait(p);
    p->evened = true;
    p->walled = visited;
    p->walled_ns = p->last_ns - p->t0_ns;
    p->deadline_ns = UINT64_MAX;
    p->over = p->ended;
    return most;
}

/*
 * Which errno numbers go into the report: the most frequent ones of those that
 * some rank knows the first of.
 */
static size_t pick_errnos(const uint64_t *failed_by, const int *lowest,
                          int *picked)
{
    size_t n = 0;

    while (n < TMK_RESULT_FAILURES_MAX) {
        int best = -1;

        for (int e = 0; e < TMK_ERRNUM_SLOTS; e++) {
            bool taken = lowest[e] == 0;

            for (size_t i = 0; i < n && !taken; i++) {
                taken = picked[i] == e;
            }
            if (!taken && (best < 0 || failed_by[e] > failed_by[best])) {
                best = e;
            }
        }
        if (best < 0) {
            break;
        }
        picked[n++] = best;
    }
    return n;
}

/*
 * Path, rank and host of a first failure per errno, to rank 0: the lowest rank
 * that has one puts it into a buffer that is otherwise zero on every rank.
 */
static void describe_failures_all(struct tmk_phase *p,
                                  struct tmk_phase_result *result)
{
    const struct tmk_job *job = p->job;
    int lowest[TMK_ERRNUM_SLOTS] = {0}; /* size - rank, so that MAX finds it */
    int picked[TMK_RESULT_FAILURES_MAX] = {0};
    size_t n;

    memset(result->failures, 0, sizeof(result->failures));
    for (size_t i = 0; i < p->n_first; i++) {
        lowest[p->first[i].err] = job->size - job->rank;
    }
    tmk_wait_allreduce_all(&job->wait, lowest, TMK_ERRNUM_SLOTS, MPI_INT,
                           MPI_MAX);
    n = pick_errnos(result->failed_by, lowest, picked);
    for (size_t i = 0; i < n; i++) {
        if (lowest[picked[i]] != job->size - job->rank) {
            continue;
        }
        for (size_t k = 0; k < p->n_first; k++) {
            if (p->first[k].err == picked[i]) {
                result->failures[i] = p->first[k];
                result->failures[i].rank = job->rank;
                memcpy(result->failures[i].host, job->layout.host,
                       sizeof(job->layout.host));
            }
        }
    }
    tmk_wait_reduce_all(&job->wait, result->failures,
                        (int)sizeof(result->failures), MPI_BYTE, MPI_BOR);
    result->n_failures = n;
    for (size_t i = 0; i < n; i++) {
        result->failures[i].err = picked[i];
        result->failures[i].count = result->failed_by[picked[i]];
    }
}

static void fill_sums(struct tmk_phase *p)
{
    uint64_t *sums = p->sums;

    sums[SUM_DONE] = p->done;
    sums[SUM_FAILED] = p->failed;
    sums[SUM_BYTES] = p->bytes;
    sums[SUM_MISSED] = p->missed;
    sums[SUM_SPENT] = p->t2_ns - p->t0_ns;
    sums[SUM_WAITED] = p->t2_ns - p->t1_ns + p->waited_ns;
    sums[SUM_IN_OPS] = p->last_ns - p->t0_ns - p->aside_ns - p->waited_ns -
                       p->other_ns + p->overlap_ns;
    sums[SUM_ASIDE] = p->aside_ns;
    sums[SUM_WRONG] = p->wrong;
    sums[SUM_WALLED] = p->walled;
    memcpy(&sums[SUM_ERRNOS], p->failed_by, sizeof(p->failed_by));
    memcpy(&sums[SUM_LATENCY], p->latency.counts, sizeof(p->latency.counts));
    sums[SUM_LATENCY + tmk_hist_index(p->took_ns)]++;
}

static void fill_maxima(const struct tmk_phase *p, uint64_t *maxima)
{
    const uint64_t busy = p->t1_ns - p->t0_ns;
    const uint64_t busy_rank = tmk_at_rank(busy / 1000, p->job->rank);
    const bool tried = p->done != 0 || p->failed != 0;

    maxima[MAX_TIME] = p->t2_ns - p->t0_ns;
    maxima[MAX_BUSY] = busy;
    maxima[MAX_OP] = p->max_ns;
    maxima[MAX_OP_RANK] = tmk_at_rank(p->max_ns, p->job->rank);
    maxima[MIN_OP] = mirror(p->min_ns);
    maxima[MAX_SLOWEST] = tried ? busy_rank : 0;
    maxima[MIN_FASTEST] = tried ? mirror(busy_rank) : 0;
    maxima[MAX_FULL] = p->full;
    maxima[MAX_SIGNAL] = (uint64_t)tmk_job_signal();
    maxima[MAX_END] = p->t2_ns - p->epoch_ns;
    maxima[MIN_BEGIN] = mirror(p->t0_ns - p->epoch_ns);
    maxima[MAX_EVENED] = p->evened;
    maxima[MAX_WALLED] = p->walled;
    maxima[MIN_WALLED] = mirror(p->walled);
    maxima[MAX_WALLED_NS] = p->walled_ns;
}

void tmk_phase_end_all(struct tmk_phase *p, struct tmk_phase_result *result)
{
    tmk_wait_barrier_poll_all(&p->job->wait, idle, p);
    p->t2_ns = tmk_clock_ns();
    tmk_phase_combine_all(p, result);
}

void tmk_phase_end(struct tmk_phase *p)
{
    p->t2_ns = tmk_clock_ns();
    if (p->job->progress != NULL) {
        tmk_progress_keep(p->job->progress, p->done, p->failed);
    }
}

static struct tmk_phase_wall wall(const uint64_t *sums, const uint64_t *maxima)
{
    return (struct tmk_phase_wall){
        .on = maxima[MAX_EVENED] != 0,
        .time_ns = maxima[MAX_WALLED_NS],
        .min = mirror(maxima[MIN_WALLED]),
        .max = maxima[MAX_WALLED],
        .sum = sums[SUM_WALLED],
    };
}

/*
 * The samples of all ranks, from when the first one began: `first_ns` after
 * the moment that they have in common.
 */
static void combine_samples_all(struct tmk_phase *p, uint64_t first_ns,
                                struct tmk_phase_result *result)
{
    struct tmk_sample_series *series = &p->sample.series;
    uint64_t later_ns = p->t0_ns - p->epoch_ns - first_ns;
    uint64_t width_ns = tmk_sample_fit_ns(p->how.interval_ns, result->time_ns);
    size_t n = (size_t)(result->time_ns / width_ns) + 1;

    tmk_sample_end(&p->sample, p->t2_ns, p->done);
    tmk_sample_align(series, width_ns, n, (size_t)(later_ns / width_ns));
    tmk_wait_allreduce_all(&p->job->wait, series->operations, (int)n,
                           MPI_UINT64_T, MPI_SUM);
    tmk_sample_settle(series);
    result->intervals = *series;
}

/* From sums and maxima over all ranks. */
static void make_result(const struct tmk_phase *p, const uint64_t *maxima,
                        struct tmk_phase_result *result)
{
    const uint64_t *sums = p->sums;
    uint64_t timed; /* failures of other calls are no operations */

    *result = (struct tmk_phase_result){
        .time_ns = p->alone ? maxima[MAX_END] - mirror(maxima[MIN_BEGIN])
                            : maxima[MAX_TIME],
        .busy_ns = maxima[MAX_BUSY],
        .operations = sums[SUM_DONE],
        .failed = sums[SUM_FAILED],
        .wrong = sums[SUM_WRONG],
        .bytes = sums[SUM_BYTES],
        .slowest = unpack_us(maxima[MAX_SLOWEST]),
        .missed = sums[SUM_MISSED],
        .full = maxima[MAX_FULL] != 0,
        .alone = p->alone,
        .wall = wall(sums, maxima),
        .interrupted = (int)maxima[MAX_SIGNAL],
        .max_op = {.rank = -1},
        .foreign_share = -1.0,
    };
    memcpy(result->failed_by, &sums[SUM_ERRNOS], sizeof(result->failed_by));
    memcpy(result->latency.counts, &sums[SUM_LATENCY],
           sizeof(result->latency.counts));
    timed = tmk_hist_total(&result->latency);
    result->fastest = maxima[MIN_FASTEST] != 0
                          ? unpack_us(mirror(maxima[MIN_FASTEST]))
                          : result->slowest;
    result->rate_per_s = tmk_units_per_s(result->operations, result->time_ns);
    if (sums[SUM_SPENT] != 0) {
        result->waiting_share =
            (double)sums[SUM_WAITED] / (double)sums[SUM_SPENT];
        result->aside_share = (double)sums[SUM_ASIDE] / (double)sums[SUM_SPENT];
    }
    if (timed != 0) {
        result->min_op_ns = mirror(maxima[MIN_OP]);
        result->max_op_ns = maxima[MAX_OP];
        result->max_op.rank = tmk_at_rank_rank(maxima[MAX_OP_RANK]);
        result->max_op.time_ns = maxima[MAX_OP];
        result->mean_op_ns = (double)sums[SUM_IN_OPS] / (double)timed;
    }
}

void tmk_phase_combine_all(struct tmk_phase *p, struct tmk_phase_result *result)
{
    struct tmk_job *job = p->job;
    MPI_Request requests[2];
    uint64_t maxima[MAXIMA];

    if (p->alone) { /* those who still work may have something to pass on */
        tmk_wait_barrier_poll_all(&job->wait, idle_alone, p);
    }
    fill_sums(p);
    fill_maxima(p, maxima);
    tmk_wait_start_allreduce_all(&job->wait, p->sums, SUMS, MPI_UINT64_T,
                                 MPI_SUM, &requests[0]);
    tmk_wait_start_allreduce_all(&job->wait, maxima, MAXIMA, MPI_UINT64_T,
                                 MPI_MAX, &requests[1]);
    tmk_wait_finish(2, requests);

    make_result(p, maxima, result);
    if (p->how.interval_ns != 0) {
        combine_samples_all(p, mirror(maxima[MIN_BEGIN]), result);
    }
    if (result->interrupted != 0) {
        job->interrupted = result->interrupted;
    }
    if (result->failed != 0) {
        describe_failures_all(p, result);
    }
}
