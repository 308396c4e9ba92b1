/*
 * Verdicts of comparisons.  The probabilities were computed apart from this
 * program, by integrating the density of Student's t with 30 digits.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bench/compare_options.h"
#include "bench/compare_rows.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { ROWS = 4, VALUES = 5 };

struct made {
    struct tmk_compare_point point;
    struct tmk_compare_row rows[ROWS];
    struct tmk_compare compare;
};

static void begin(struct made *m)
{
    *m = (struct made){.compare = {.points = &m->point,
                                   .n_points = 1,
                                   .rows = m->rows,
                                   .runs = {1, 1}}};
}

/* A run's values, as reading adds them. */
static void add_run(struct tmk_compare_row *row, int side, const double *values,
                    size_t n)
{
    struct tmk_stats run = {0};

    for (size_t i = 0; i < n; i++) {
        tmk_stats_add(&run, values[i]);
    }
    tmk_stats_merge(&row->side[side], &run);
    tmk_stats_add(&row->runs[side], run.mean);
    row->within[side] += run.m2;
}

static struct tmk_compare_row *add_row(struct made *m, const double *a,
                                       const double *b)
{
    struct tmk_compare_row *row = &m->rows[m->compare.n++];

    add_run(row, 0, a, VALUES);
    add_run(row, 1, b, VALUES);
    return row;
}

static void judge(struct made *m, double threshold)
{
    assert_int_equal(tmk_compare_judge(&m->compare, threshold), 0);
}

static const double base[] = {100, 102, 98, 101, 99};

static void a_difference_counts_if_it_is_sure_and_large(void **state)
{
    static const struct {
        double b[VALUES];
        double threshold, p;
        enum tmk_compare_verdict want;
    } rows[] = {
        {{100, 102, 98, 101, 99}, 0.05, 1, TMK_COMPARE_SAME},
        {{80, 82, 78, 81, 79}, 0.05, 4.07391832867e-8, TMK_COMPARE_SLOWER},
        {{80, 82, 78, 81, 79}, 0.25, 4.07391832867e-8, TMK_COMPARE_SAME},
        {{120, 122, 118, 121, 119}, 0.05, 4.07391832867e-8, TMK_COMPARE_FASTER},
        /* sure, and 3 % */
        {{97, 99, 95, 98, 96}, 0.05, 0.0170716812338, TMK_COMPARE_SAME},
        {{97, 99, 95, 98, 96}, 0.02, 0.0170716812338, TMK_COMPARE_SLOWER},
        {{96, 97, 95, 96, 96}, 0.041, 0.0026494212137, TMK_COMPARE_SAME},
        {{96, 97, 95, 96, 96}, 0, 0.0026494212137, TMK_COMPARE_SLOWER},
    };
    struct made m;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_compare_row *row;

        begin(&m);
        row = add_row(&m, base, rows[i].b);
        judge(&m, rows[i].threshold);
        assert_int_equal(row->verdict, rows[i].want);
        assert_true(fabs(row->p - rows[i].p) < 1e-9);
        assert_true(row->low <= row->ratio - 1 && row->ratio - 1 <= row->high);
    }
}

static void a_large_difference_that_may_be_chance_does_not_count(void **state)
{
    static const double a[] = {100, 110, 90, 105, 95};
    static const double b[] = {90, 80, 100, 85, 95};
    struct made m;

    (void)state;
    begin(&m);
    add_row(&m, a, b);
    judge(&m, 0.05);
    assert_int_equal(m.rows[0].verdict, TMK_COMPARE_SAME);
    assert_true(fabs(m.rows[0].p - 0.0805162379573) < 1e-9);
    assert_true(fabs(m.rows[0].low + 0.2153002068) < 1e-9);
    assert_true(fabs(m.rows[0].high - 0.01530020676) < 1e-9);
}

/* 0.0171 is below 0.05 alone, but not as the least of three. */
static void rows_are_tested_together(void **state)
{
    static const double b[] = {97, 99, 95, 98, 96};
    struct made m;

    (void)state;
    begin(&m);
    add_row(&m, base, b);
    add_row(&m, base, base);
    add_row(&m, base, base);
    judge(&m, 0.01);
    assert_int_equal(m.rows[0].verdict, TMK_COMPARE_SAME);
    assert_true(fabs(m.rows[0].p - 3 * 0.0170716812338) < 1e-9);
    /* One that is not tested does not cost anything. */
    m.rows[1].spoilt[0] = "operations failed";
    m.rows[2].spoilt[1] = "operations failed";
    judge(&m, 0.01);
    assert_int_equal(m.rows[0].verdict, TMK_COMPARE_SLOWER);
    assert_int_equal(m.rows[1].verdict, TMK_COMPARE_NOT);
    assert_string_equal(m.rows[1].why, "operations failed in A");
    assert_string_equal(m.rows[2].why, "operations failed in B");
}

static void what_cannot_be_compared_says_why(void **state)
{
    static const double zero[VALUES] = {0};
    struct made m;

    (void)state;
    begin(&m);
    add_run(&m.rows[0], 0, base, VALUES); /* none in B */
    add_run(&m.rows[1], 1, base, VALUES);
    add_run(&m.rows[2], 0, base, VALUES);
    add_run(&m.rows[2], 1, base, 1);
    m.compare.n = 3;
    add_row(&m, zero, base);
    judge(&m, 0.05);
    assert_string_equal(m.rows[0].why, "only in A");
    assert_string_equal(m.rows[1].why, "only in B");
    assert_string_equal(m.rows[2].why, "one value in B, which shows no spread");
    assert_string_equal(m.rows[3].why, "A has no rate");
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(m.rows[i].verdict, TMK_COMPARE_NOT);
        assert_true(isinf(m.rows[i].low) && isinf(m.rows[i].high));
    }

    begin(&m);
    add_row(&m, base, base);
    (void)snprintf(m.point.why, sizeof(m.point.why), "w is 0 in A, 4096 in B");
    judge(&m, 0.05);
    assert_int_equal(m.rows[0].verdict, TMK_COMPARE_NOT);
    assert_string_equal(m.rows[0].why, m.point.why);
    m.point.why[0] = '\0';
    m.rows[0].spoilt[0] = m.rows[0].spoilt[1] = "it was interrupted";
    judge(&m, 0.05);
    assert_string_equal(m.rows[0].why, "it was interrupted in both");
}

/*
 * Three runs a side that are 5 to 10 apart, whatever differs between the sides:
 * fifteen values each make a difference of 6 % look sure, three means do not.
 */
static void runs_that_differ_count_as_one_value_each(void **state)
{
    static const double slow[] = {90, 92, 88, 91, 89};
    static const double middle[] = {95, 97, 93, 96, 94};
    static const double less[] = {94, 96, 92, 95, 93};
    static const double lesser[] = {89, 91, 87, 90, 88};
    static const double least[] = {84, 86, 82, 85, 83};
    struct made m;
    struct tmk_compare_row *row = &m.rows[0];

    (void)state;
    begin(&m);
    add_run(row, 0, base, VALUES);
    add_run(row, 0, slow, VALUES);
    add_run(row, 1, less, VALUES);
    add_run(row, 1, least, VALUES);
    m.compare.n = 1;
    judge(&m, 0.05);
    assert_true(row->p < 0.05); /* two runs of a side do not say */
    add_run(row, 0, middle, VALUES);
    add_run(row, 1, lesser, VALUES);
    judge(&m, 0.05);
    assert_int_equal(row->verdict, TMK_COMPARE_SAME);
    /* 95 and 89, both with deviation 5: t = 1.4697, df = 4 */
    assert_true(fabs(row->p - 0.215584862373) < 1e-9);

    /* Runs that are alike are fifteen values. */
    begin(&m);
    add_run(row, 0, base, VALUES);
    add_run(row, 1, less, VALUES);
    add_run(row, 0, base, VALUES);
    add_run(row, 0, base, VALUES);
    add_run(row, 1, less, VALUES);
    add_run(row, 1, less, VALUES);
    m.compare.n = 1;
    judge(&m, 0.05);
    assert_int_equal(row->verdict, TMK_COMPARE_SLOWER);
    assert_true(row->p < 1e-6);
}

static void options_are_work_or_ways_or_nothing(void **state)
{
    static const struct {
        const char *kind, *name;
        enum tmk_compare_option want;
    } rows[] = {
        {"mdtest", "w", TMK_COMPARE_WHAT},
        {"mdtest", "S", TMK_COMPARE_WHAT},
        {"mdtest", "N", TMK_COMPARE_WHAT},
        {"mdtest", "a", TMK_COMPARE_HOW},
        {"mdtest", "y", TMK_COMPARE_HOW},
        {"mdtest", "posix.odirect", TMK_COMPARE_HOW},
        {"mdtest", "an-option-of-later", TMK_COMPARE_HOW},
        {"mdtest", "d", TMK_COMPARE_QUIET},
        {"mdtest", "n", TMK_COMPARE_QUIET},
        {"mdtest", "json", TMK_COMPARE_QUIET},
        {"ior", "transferSize", TMK_COMPARE_WHAT},
        {"ior", "api", TMK_COMPARE_HOW},
        {"ior", "testFile", TMK_COMPARE_QUIET},
        {"ior", "w", TMK_COMPARE_HOW},
        {"mdworkbench", "object-size", TMK_COMPARE_WHAT},
        {"mdworkbench", "iterations", TMK_COMPARE_QUIET},
        {"find", "expression", TMK_COMPARE_WHAT},
        {"find", "uring", TMK_COMPARE_HOW},
        {"io500", "config_hash", TMK_COMPARE_HOW},
        {"something", "w", TMK_COMPARE_HOW},
        {"something", "label", TMK_COMPARE_QUIET},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_compare_option_of(rows[i].kind, rows[i].name),
                         rows[i].want);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_counts_if_it_is_sure_and_large),
        cmocka_unit_test(a_large_difference_that_may_be_chance_does_not_count),
        cmocka_unit_test(rows_are_tested_together),
        cmocka_unit_test(what_cannot_be_compared_says_why),
        cmocka_unit_test(runs_that_differ_count_as_one_value_each),
        cmocka_unit_test(options_are_work_or_ways_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
