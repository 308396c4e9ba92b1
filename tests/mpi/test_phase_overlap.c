/*
 * Operations that are under way at a time.  Their latency is their own; the
 * mean is that of latencies, however they lie: beside each other, within each
 * other, with gaps between.  Times are made up, in the past of each phase.
 */
#include "mpi/phases.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "base/hist.h"
#include "run/phase.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MS       UINT64_C(1000000)

enum { PAST_MS = 30, MOST = 12 };

/* From begin to end, in us since the phase began; both 0: no more. */
struct span {
    uint64_t from, to;
};

struct way {
    const char *name;
    struct span spans[MOST]; /* in the order in which they end */
};

static const struct way ways[] = {
    {"one by one", {{0, 10}, {10, 30}, {30, 31}}},
    {"with gaps", {{5, 10}, {100, 130}, {9000, 9001}, {9500, 9501}}},
    {"in step", {{0, 10}, {0, 20}, {0, 30}, {10, 40}, {20, 50}, {30, 60}}},
    {"out of order", {{20, 25}, {10, 30}, {0, 40}, {25, 41}, {41, 42}}},
    {"one in another", {{500, 510}, {400, 600}, {300, 700}, {1, 9000}}},
    {"all at once", {{0, 7}, {0, 7}, {0, 7}, {0, 7}}},
    {"of no time", {{0, 10}, {10, 10}, {5, 10}}},
    {"after long waits", {{1, 12000}, {1, 12001}, {11999, 25000}, {2, 26000}}},
};

static uint64_t max_of_all(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    return value;
}

static uint64_t sum_of_all(uint64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    return value;
}

/* What the latencies of this rank come to, in ns. */
struct told {
    uint64_t n, sum, max, min;
};

static void tell(struct told *t, uint64_t ns)
{
    t->n++;
    t->sum += ns;
    t->max = ns > t->max ? ns : t->max;
    t->min = ns < t->min ? ns : t->min;
}

static void begin(struct fixture *f, struct tmk_phase_how how)
{
    begin_all(f, how);
    nap_ms(PAST_MS);
}

/* The operations of a way. */
static void operate_as(struct fixture *f, const struct way *way, int err,
                       struct told *told)
{
    const uint64_t t0 = f->phase.t0_ns;

    for (size_t i = 0; i < MOST && way->spans[i].to != 0; i++) {
        uint64_t start = t0 + way->spans[i].from * 1000;
        uint64_t end = t0 + way->spans[i].to * 1000;

        tmk_phase_did_since(&f->phase, err, start, end);
        assert_int_equal(f->phase.last_ns, end);
        tell(told, end - start);
    }
}

static void assert_told(struct fixture *f, const struct told *told)
{
    const struct tmk_phase_result *r = &f->result;
    uint64_t n = sum_of_all(told->n);
    uint64_t sum = sum_of_all(told->sum);

    assert_int_equal(r->operations + r->failed, n);
    assert_int_equal(tmk_hist_total(&r->latency), n);
    assert_int_equal(r->max_op_ns, max_of_all(told->max));
    assert_int_equal(r->min_op_ns,
                     INT64_MAX - max_of_all(INT64_MAX - told->min));
    assert_true(fabs(r->mean_op_ns * (double)n - (double)sum) <= 1.0);
    assert_true(r->mean_op_ns >= (double)r->min_op_ns);
    assert_true(r->mean_op_ns <= (double)r->max_op_ns);
    assert_true(r->aside_share >= 0 && r->aside_share <= 1);
    assert_true(r->waiting_share >= 0 && r->waiting_share <= 1);
}

static void the_mean_is_that_of_latencies(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        struct told told = {.min = INT64_MAX};

        begin(f, (struct tmk_phase_how){0});
        operate_as(f, &ways[i], 0, &told);
        end_all(f);
        assert_told(f, &told);
        assert_int_equal(f->result.operations, told.n * (uint64_t)f->job.size);
    }
}

/* Each in another way, the last one in none. */
static void ranks_are_combined(void **state)
{
    struct fixture *f = *state;
    const int last = f->job.size > 1 ? f->job.size - 1 : -1;

    for (size_t i = 0; i < COUNT(ways); i++) {
        struct told told = {.min = INT64_MAX};

        begin(f, (struct tmk_phase_how){0});
        if (f->job.rank != last) {
            operate_as(f, &ways[(i + (size_t)f->job.rank) % COUNT(ways)], 0,
                       &told);
        }
        end_all(f);
        assert_told(f, &told);
    }
}

static void failures_have_a_latency_like_others(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        struct told told = {.min = INT64_MAX};

        begin(f, (struct tmk_phase_how){0});
        operate_as(f, &ways[i], f->job.rank == 0 ? -EACCES : 0, &told);
        end_all(f);
        assert_told(f, &told);
        assert_int_equal(f->result.failed, told.n);
    }
}

/* Other work and waiting in between are nobody's latency. */
static void time_between_is_of_no_operation(void **state)
{
    struct fixture *f = *state;
    struct told told = {.min = INT64_MAX};

    begin(f, (struct tmk_phase_how){0});
    tmk_phase_skip(&f->phase);
    for (int i = 0; i < 5; i++) {
        uint64_t now;
        uint64_t start;

        nap_ms(1);
        tmk_phase_resume(&f->phase);
        start = f->phase.last_ns;
        nap_ms(1);
        now = tmk_clock_ns();
        tmk_phase_did_since(&f->phase, 0, start, now);
        tell(&told, now - start);
        tmk_phase_did_since(&f->phase, 0, start + 10, now);
        tell(&told, now - start - 10);
        nap_ms(1);
        tmk_phase_skip(&f->phase);
        tmk_phase_meet_all(&f->phase);
        now = f->phase.last_ns;
        tmk_phase_did(&f->phase, 0);
        tell(&told, f->phase.last_ns - now);
    }
    end_all(f);
    assert_told(f, &told);
    assert_true(f->result.aside_share > 0);
    assert_true(f->result.max_op_ns < f->result.time_ns);
}

/* It is the end that says whether it is time to look around. */
static void the_time_of_the_stonewall_is_seen(void **state)
{
    struct fixture *f = *state;
    uint64_t t0;

    begin(f, (struct tmk_phase_how){.stop_after_ns = 5 * MS});
    t0 = f->phase.t0_ns;
    tmk_phase_did_since(&f->phase, 0, t0 + 1 * MS, t0 + 2 * MS);
    assert_false(tmk_phase_over(&f->phase));
    tmk_phase_did_since(&f->phase, 0, t0 + 1 * MS, t0 + 5 * MS - 1);
    assert_false(tmk_phase_over(&f->phase));
    tmk_phase_did_since(&f->phase, 0, t0 + 1 * MS, t0 + 5 * MS);
    assert_true(tmk_phase_over(&f->phase));
    /* What was under way ends all the same. */
    tmk_phase_did_since(&f->phase, 0, t0 + 2 * MS, t0 + 6 * MS);
    (void)tmk_phase_even_all(&f->phase, 4);
    end_all(f);
    assert_int_equal(f->result.operations, 4 * f->job.size);
}

/* Operations count in the step in which they end. */
static void operations_are_sampled_by_their_end(void **state)
{
    struct fixture *f = *state;
    uint64_t t0;
    uint64_t sum = 0;

    begin(f, (struct tmk_phase_how){.interval_ns = 10 * MS});
    t0 = f->phase.t0_ns;
    tmk_phase_did_since(&f->phase, 0, t0, t0 + 9 * MS);
    tmk_phase_did_since(&f->phase, 0, t0, t0 + 11 * MS);
    tmk_phase_did_since(&f->phase, 0, t0 + 1, t0 + 12 * MS);
    tmk_phase_did_since(&f->phase, 0, t0 + 8 * MS, t0 + 25 * MS);
    end_all(f);
    assert_int_equal(f->result.operations, 4 * f->job.size);
    assert_true(f->result.intervals.n >= 3);
    for (size_t i = 0; i < f->result.intervals.n; i++) {
        sum += f->result.intervals.operations[i];
    }
    assert_int_equal(sum, f->result.operations);
    if (f->job.size == 1) { /* others may have begun a little later */
        assert_int_equal(f->result.intervals.operations[0], 1);
        assert_int_equal(f->result.intervals.operations[1], 2);
        assert_int_equal(f->result.intervals.operations[2], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_latencies),
        cmocka_unit_test(ranks_are_combined),
        cmocka_unit_test(failures_have_a_latency_like_others),
        cmocka_unit_test(time_between_is_of_no_operation),
        cmocka_unit_test(the_time_of_the_stonewall_is_seen),
        cmocka_unit_test(operations_are_sampled_by_their_end),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
