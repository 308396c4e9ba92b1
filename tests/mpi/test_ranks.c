#include "mpi/ranks.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "run/ranks.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { ROWS = 3, TREE = 0, FILES = 1, LAST = 2, ITERATIONS = 2 };

struct fixture {
    struct tmk_job job;
    struct tmk_ranks ranks;
    struct tmk_result_test test;
};

static int enter(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    if (f == NULL) {
        return -1;
    }
    *state = f;
    f->test = (struct tmk_result_test){
        .items = 1000, .iterations = ITERATIONS, .n_rows = ROWS};
    f->test.rows[TREE].tree = true;
    return tmk_job_init_all(&f->job, MPI_COMM_WORLD, "test", stdout, stderr);
}

static int leave(void **state)
{
    struct fixture *f = *state;

    tmk_ranks_fini(&f->ranks);
    tmk_ranks_fini(&f->ranks); /* again is fine */
    tmk_job_fini_all(&f->job);
    free(f);
    return 0;
}

static void init(struct fixture *f, bool each)
{
    assert_int_equal(tmk_ranks_init(&f->ranks, &f->job, ROWS, ITERATIONS, each),
                     0);
}

/* A phase in which this rank did so much in so many ms, before others. */
static void add(struct fixture *f, size_t row, int iteration, int64_t done,
                uint64_t failed, uint64_t ms)
{
    const uint64_t ms_ns = 1000000;
    const struct tmk_phase phase = {
        .done = (uint64_t)done,
        .failed = failed,
        .t0_ns = 5 * ms_ns,
        .t1_ns = (5 + ms) * ms_ns,
        .t2_ns = (5 + 100) * ms_ns,
    };
    const struct tmk_phase_result result = {.rate_per_s = 7.0 + iteration,
                                            .time_ns = 100 * ms_ns};

    tmk_ranks_add(&f->ranks, row, iteration, &phase, &result);
}

static void near(double want, double got)
{
    assert_true(fabs(want - got) <= 1e-9 * fabs(want));
}

/* 10 operations in 1 ms on rank 0, 2 ms on rank 1, ...; twice as long in the
 * second iteration. */
static void statistics_are_over_all_ranks_and_iterations(void **state)
{
    struct fixture *f = *state;
    const struct tmk_result_row *row = &f->test.rows[FILES];
    const int p = f->job.size;
    uint64_t ms = (uint64_t)f->job.rank + 1;
    double rates = 0.0;

    init(f, false);
    add(f, FILES, 0, 10, 0, ms);
    add(f, FILES, 1, 10, 0, 2 * ms);
    tmk_ranks_spread_all(&f->ranks, &f->job, &f->test);
    for (int rank = 0; rank < p; rank++) {
        rates += 10000.0 / (rank + 1) + 5000.0 / (rank + 1);
    }
    if (f->job.rank == 0) {
        near(10000.0, row->rank_rate_per_s.max);
        near(5000.0 / p, row->rank_rate_per_s.min);
        near(rates / (2 * p), row->rank_rate_per_s.mean);
        near(0.002 * p, row->rank_time_s.max);
        near(0.001, row->rank_time_s.min);
        near(0.001 * 1.5 * (p + 1) / 2, row->rank_time_s.mean);
        assert_true(f->test.rows[LAST].rank_rate_per_s.max == 0.0 &&
                    f->test.rows[LAST].rank_rate_per_s.min == 0.0 &&
                    f->test.rows[LAST].rank_rate_per_s.mean == 0.0);
    }
}

static void a_rank_that_had_nothing_to_do_is_left_out(void **state)
{
    struct fixture *f = *state;
    const struct tmk_result_row *row = &f->test.rows[LAST];
    const bool worked = f->job.rank == f->job.size - 1;

    init(f, false);
    add(f, LAST, 0, worked ? 50 : 0, 0, worked ? 10 : 0);
    tmk_ranks_spread_all(&f->ranks, &f->job, &f->test);
    if (f->job.rank == 0) {
        near(5000.0, row->rank_rate_per_s.max);
        near(5000.0, row->rank_rate_per_s.min);
        near(5000.0, row->rank_rate_per_s.mean);
        near(0.01, row->rank_time_s.min);
    }
}

static void a_rank_that_only_failed_is_not(void **state)
{
    struct fixture *f = *state;
    const bool failed = f->job.rank == 0;

    init(f, false);
    add(f, FILES, 0, failed ? 0 : 50, failed ? 50 : 0, 10);
    tmk_ranks_spread_all(&f->ranks, &f->job, &f->test);
    if (f->job.rank == 0) {
        assert_true(f->test.rows[FILES].rank_rate_per_s.min == 0.0);
        near(0.01, f->test.rows[FILES].rank_time_s.max);
    }
}

static void trees_repeat_what_is_known_of_iterations(void **state)
{
    struct fixture *f = *state;
    struct tmk_result_row *row = &f->test.rows[TREE];

    init(f, false);
    tmk_stats_add(&row->rate_per_s, 3.0);
    tmk_stats_add(&row->rate_per_s, 5.0);
    tmk_stats_add(&row->time_s, 0.5);
    add(f, TREE, 0, 1, 0, 1);
    tmk_ranks_spread_all(&f->ranks, &f->job, &f->test);
    if (f->job.rank == 0) {
        near(5.0, row->rank_rate_per_s.max);
        near(3.0, row->rank_rate_per_s.min);
        near(4.0, row->rank_rate_per_s.mean);
        near(0.5, row->rank_time_s.max);
    }
}

static void rank_0_sees_every_rank_of_an_iteration(void **state)
{
    struct fixture *f = *state;
    const int r = f->job.rank;

    init(f, true);
    for (int i = 0; i < ITERATIONS; i++) {
        add(f, FILES, i, 100 * r + i, (uint64_t)r, (uint64_t)r + 1);
    }
    add(f, LAST, 1, 1, 0, 1);
    for (int i = ITERATIONS - 1; i >= 0; i--) {
        struct tmk_result_ranks all =
            tmk_ranks_gather_all(&f->ranks, &f->job, i);

        if (r != 0) {
            continue;
        }
        assert_int_equal(all.iteration, i);
        assert_int_equal(all.ranks, f->job.size);
        assert_int_equal(all.rows, ROWS);
        for (int k = 0; k < all.ranks; k++) {
            const struct tmk_result_cell *cell = &all.cells[k * ROWS + FILES];

            assert_int_equal(cell->operations, 100 * k + i);
            assert_int_equal(cell->failed, k);
            assert_int_equal(cell->busy_ns, (k + 1) * 1000000);
            assert_int_equal(cell->time_ns, 100000000);
            assert_int_equal(all.cells[k * ROWS + TREE].time_ns, 0);
        }
        assert_true(all.wholes[FILES].ran);
        near(7.0 + i, all.wholes[FILES].rate_per_s);
        assert_int_equal(all.wholes[FILES].time_ns, 100000000);
        assert_false(all.wholes[TREE].ran);
        assert_int_equal(all.wholes[LAST].ran, i == 1);
    }
}

/* It took back what another rank had counted. */
static void a_rank_never_did_less_than_nothing(void **state)
{
    struct fixture *f = *state;
    struct tmk_result_ranks all;

    init(f, true);
    add(f, FILES, 0, -3, 3, 1);
    all = tmk_ranks_gather_all(&f->ranks, &f->job, 0);
    if (f->job.rank == 0) {
        assert_int_equal(all.cells[FILES].operations, 0);
        assert_int_equal(all.cells[FILES].failed, 3);
    }
}

static void items_are_the_most_that_were_tried_in_a_phase(void **state)
{
    const struct fixture *f = *state;
    struct tmk_result_cell cells[ROWS] = {
        [TREE] = {.operations = 900},
        [FILES] = {.operations = 90, .failed = 5},
        [LAST] = {.operations = 94},
    };

    assert_int_equal(tmk_result_items(&f->test, cells), 95);
    cells[LAST].operations = 5000; /* for other ranks, too */
    assert_int_equal(tmk_result_items(&f->test, cells), f->test.items);
}

static void nothing_is_kept_of_iterations_unless_asked_for(void **state)
{
    struct fixture *f = *state;

    init(f, false);
    assert_null(f->ranks.cells);
    assert_null(f->ranks.wholes);
    assert_null(f->ranks.all);
    tmk_ranks_fini(&f->ranks);
    init(f, true);
    assert_non_null(f->ranks.cells);
    assert_int_equal(f->ranks.all != NULL, f->job.rank == 0);
    tmk_ranks_fini(&f->ranks);
    assert_int_equal(
        tmk_ranks_init(&f->ranks, &f->job, SIZE_MAX / 16, 32, true), -ENOMEM);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(statistics_are_over_all_ranks_and_iterations),
        CASE(a_rank_that_had_nothing_to_do_is_left_out),
        CASE(a_rank_that_only_failed_is_not),
        CASE(trees_repeat_what_is_known_of_iterations),
        CASE(rank_0_sees_every_rank_of_an_iteration),
        CASE(a_rank_never_did_less_than_nothing),
        CASE(items_are_the_most_that_were_tried_in_a_phase),
        CASE(nothing_is_kept_of_iterations_unless_asked_for),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
