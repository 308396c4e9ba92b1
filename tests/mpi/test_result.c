#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdint.h>

#include "run/result.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MS       UINT64_C(1000000)

/* One barrier takes 0.1 ms: shorter than 10 ms is too short. */
enum { BARRIER_NS = 100000 };

/* A phase of two ranks that took these times. */
static struct tmk_phase_result phase_of(uint64_t fastest_ns,
                                        uint64_t slowest_ns)
{
    return (struct tmk_phase_result){
        .time_ns = slowest_ns,
        .operations = 10,
        .fastest = {1, fastest_ns},
        .slowest = {0, slowest_ns},
        .waiting_share = (double)slowest_ns / 1e9,
    };
}

static void uneven_ranks_are_told_from_noise(void **state)
{
    static const struct {
        uint64_t fastest_ns, slowest_ns;
        bool found;
    } rows[] = {
        {100 * MS, 100 * MS, false}, {80 * MS, 100 * MS, false},
        {79 * MS, 100 * MS, true},   {20 * MS, 100 * MS, true},
        {0, 100 * MS, true},         {1 * MS, 9 * MS, false}, /* too short */
        {1 * MS, 10 * MS, true},     {0, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_result_row row = {0};
        struct tmk_phase_result phase =
            phase_of(rows[i].fastest_ns, rows[i].slowest_ns);

        tmk_result_row_add(&row, &phase, BARRIER_NS);
        assert_int_equal(row.uneven.found, rows[i].found);
        if (row.uneven.found) {
            assert_int_equal(row.uneven.iteration, 0);
            assert_int_equal(row.uneven.slowest.rank, 0);
            assert_int_equal(row.uneven.slowest.time_ns, rows[i].slowest_ns);
            assert_int_equal(row.uneven.fastest.rank, 1);
            assert_int_equal(row.uneven.fastest.time_ns, rows[i].fastest_ns);
        }
    }
}

static void the_most_uneven_iteration_is_kept(void **state)
{
    static const uint64_t fastest_ns[] = {90 * MS, 50 * MS, 20 * MS, 70 * MS};
    struct tmk_result_row row = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(fastest_ns); i++) {
        struct tmk_phase_result phase = phase_of(fastest_ns[i], 100 * MS);

        tmk_result_row_add(&row, &phase, BARRIER_NS);
    }
    assert_true(row.uneven.found);
    assert_int_equal(row.uneven.iteration, 2);
    assert_int_equal(row.uneven.fastest.time_ns, 20 * MS);
}

static void latencies_of_iterations_are_merged_if_asked_for(void **state)
{
    static struct tmk_result_latency latency;
    static struct tmk_phase_result phase;
    struct tmk_result_row row = {.latency = &latency};
    static const struct {
        uint64_t operations, failed, ns;
        int rank;
    } rows[] = {{3, 1, 500, 2}, {0, 0, 0, -1}, {4, 0, 100, 1}, {8, 0, 300, 0}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        phase = (struct tmk_phase_result){
            .operations = rows[i].operations,
            .failed = rows[i].failed,
            .min_op_ns = rows[i].ns,
            .max_op_ns = rows[i].ns,
            .mean_op_ns = (double)rows[i].ns,
            .max_op = {rows[i].rank, rows[i].ns},
        };
        phase.latency.counts[tmk_hist_index(rows[i].ns)] =
            rows[i].operations + rows[i].failed;
        tmk_result_row_add(&row, &phase, BARRIER_NS);
    }
    assert_int_equal(latency.operations, 16);
    assert_int_equal(latency.min_ns, 100);
    assert_int_equal(latency.max.time_ns, 500);
    assert_int_equal(latency.max.rank, 2);
    assert_true(latency.sum_ns == 4 * 500.0 + 4 * 100.0 + 8 * 300.0);
    assert_int_equal(tmk_hist_total(&latency.hist), 16);
    assert_in_range(tmk_hist_percentile_ns(&latency.hist, 50), 300, 302);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uneven_ranks_are_told_from_noise),
        cmocka_unit_test(the_most_uneven_iteration_is_kept),
        cmocka_unit_test(latencies_of_iterations_are_merged_if_asked_for),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
