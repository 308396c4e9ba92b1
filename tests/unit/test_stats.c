#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/stats.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void statistics_match_a_known_sample(void **state)
{
    static const double values[] = {4, 9, 4, 2, 5, 4, 7, 5};
    struct tmk_stats s = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(values); i++) {
        tmk_stats_add(&s, values[i]);
    }
    assert_int_equal(s.n, 8);
    assert_true(s.min == 2 && s.max == 9);
    assert_true(fabs(s.mean - 5) < 1e-12);
    assert_true(fabs(tmk_stats_stddev(&s) - 2.138089935) < 1e-8);
    assert_true(fabs(tmk_stats_ci95(&s) - 1.787488) < 1e-4);
}

static void fewer_than_two_values_have_no_spread(void **state)
{
    struct tmk_stats s = {0};

    (void)state;
    assert_true(tmk_stats_stddev(&s) == 0 && tmk_stats_ci95(&s) == 0);
    tmk_stats_add(&s, -3);
    assert_true(s.min == -3 && s.max == -3 && s.mean == -3);
    assert_true(tmk_stats_stddev(&s) == 0 && tmk_stats_ci95(&s) == 0);
}

static void values_that_are_not_finite_are_ignored(void **state)
{
    struct tmk_stats s = {0};

    (void)state;
    tmk_stats_add(&s, NAN);
    tmk_stats_add(&s, INFINITY);
    tmk_stats_add(&s, -INFINITY);
    assert_int_equal(s.n, 0);
    tmk_stats_add(&s, 1);
    tmk_stats_add(&s, NAN);
    assert_true(s.n == 1 && s.mean == 1);
}

static void a_small_spread_survives_a_large_mean(void **state)
{
    struct tmk_stats s = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        tmk_stats_add(&s, 1e9 + i % 2);
    }
    assert_true(fabs(tmk_stats_stddev(&s) - 0.5002501876) < 1e-7);
}

static void parts_together_are_the_whole(void **state)
{
    static const double values[] = {4, 9, 4, 2, 5, 4, 7, 5};

    (void)state;
    for (size_t cut = 0; cut <= COUNT(values); cut++) {
        struct tmk_stats parts[2] = {{0}, {0}};

        for (size_t i = 0; i < COUNT(values); i++) {
            tmk_stats_add(&parts[i < cut ? 0 : 1], values[i]);
        }
        tmk_stats_merge(&parts[0], &parts[1]);
        assert_int_equal(parts[0].n, 8);
        assert_true(parts[0].min == 2 && parts[0].max == 9);
        assert_true(fabs(parts[0].mean - 5) < 1e-12);
        assert_true(fabs(tmk_stats_stddev(&parts[0]) - 2.138089935) < 1e-8);
    }
}

static void a_small_spread_survives_putting_parts_together(void **state)
{
    struct tmk_stats sum = {0};

    (void)state;
    for (int i = 0; i < 500; i++) {
        struct tmk_stats part = {0};

        tmk_stats_add(&part, 1e9);
        tmk_stats_add(&part, 1e9 + 1);
        tmk_stats_merge(&sum, &part);
    }
    assert_int_equal(sum.n, 1000);
    assert_true(fabs(tmk_stats_stddev(&sum) - 0.5002501876) < 1e-7);
}

/* n values with deviation sqrt(n): half the width is then t itself. */
static double quantile(uint64_t freedom)
{
    const struct tmk_stats s = {
        .n = freedom + 1,
        .m2 = (double)freedom * (double)(freedom + 1),
    };

    return tmk_stats_ci95(&s);
}

static void the_quantile_of_t_is_the_published_one(void **state)
{
    static const struct {
        uint64_t freedom;
        double want;
    } rows[] = {
        {1, 12.7062047},  {2, 4.3026527},    {4, 2.7764451},
        {9, 2.2621572},   {29, 2.0452296},   {30, 2.0422725},
        {31, 2.0395134},  {40, 2.0210754},   {60, 2.0002978},
        {120, 1.9799304}, {1000, 1.9623391}, {1000000000, 1.9599640},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(fabs(quantile(rows[i].freedom) - rows[i].want) < 5e-5);
        assert_true(rows[i].freedom <= 30 ||
                    fabs(quantile(rows[i].freedom) - rows[i].want) < 2e-6);
    }
    for (uint64_t freedom = 2; freedom < 200; freedom++) {
        assert_true(quantile(freedom) < quantile(freedom - 1));
    }
}

static void the_geometric_mean_is_of_positive_values(void **state)
{
    static const struct {
        double values[3];
        size_t n;
        double want;
    } rows[] = {
        {{0}, 0, 0},
        {{5}, 1, 5},
        {{2, 8}, 2, 4},
        {{1, 10, 100}, 3, 10},
        {{1e300, 1e300, 1e300}, 3, 1e300},
        {{1, 0, 3}, 3, 0},
        {{1, -2, 3}, 3, 0},
        {{1, NAN, 3}, 3, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double got = tmk_stats_geomean(rows[i].values, rows[i].n);

        assert_true(fabs(got - rows[i].want) <= 1e-12 * rows[i].want * 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_match_a_known_sample),
        cmocka_unit_test(fewer_than_two_values_have_no_spread),
        cmocka_unit_test(values_that_are_not_finite_are_ignored),
        cmocka_unit_test(a_small_spread_survives_a_large_mean),
        cmocka_unit_test(parts_together_are_the_whole),
        cmocka_unit_test(a_small_spread_survives_putting_parts_together),
        cmocka_unit_test(the_quantile_of_t_is_the_published_one),
        cmocka_unit_test(the_geometric_mean_is_of_positive_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
