/*
 * Student's t, Welch's test, Holm's correction: against tables, and against
 * what can be computed by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/student.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void near(double got, double want, double error)
{
    if (!(fabs(got - want) <= error)) {
        fail_msg("%.15g is not %.15g", got, want);
    }
}

static void quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        double df, t;
    } rows[] = {{1, 12.7062047362},  {2, 4.3026527297},  {3, 3.1824463053},
                {5, 2.5705818356},   {10, 2.2281388520}, {30, 2.0422724563},
                {100, 1.9839715185}, {1e6, 1.9599663}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        near(tmk_student_quantile(0.05, rows[i].df), rows[i].t,
             rows[i].df > 1000 ? 1e-6 : 1e-9);
        near(tmk_student_two_sided(rows[i].t, rows[i].df), 0.05,
             rows[i].df > 1000 ? 1e-6 : 1e-9);
    }
}

/* With one degree of freedom it is Cauchy's distribution, with two there is a
 * formula, too. */
static void probabilities_are_those_of_closed_forms(void **state)
{
    (void)state;
    for (int i = 0; i < 135; i++) {
        double t = i * 0.37;

        near(tmk_student_two_sided(t, 1), 1 - 2 / M_PI * atan(t), 1e-12);
        near(tmk_student_two_sided(-t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
    }
    near(tmk_student_two_sided(INFINITY, 7), 0, 0);
    near(tmk_student_two_sided(0, 7), 1, 0);
}

static struct tmk_stats stats_of(const double *values, size_t n)
{
    struct tmk_stats s = {0};

    for (size_t i = 0; i < n; i++) {
        tmk_stats_add(&s, values[i]);
    }
    return s;
}

/* Equal variances and sizes: Student's own test, t = 1, df = 8. */
static void means_are_tested_as_welch_does(void **state)
{
    static const double a[] = {1, 2, 3, 4, 5};
    static const double b[] = {2, 3, 4, 5, 6};
    struct tmk_stats sa = stats_of(a, 5);
    struct tmk_stats sb = stats_of(b, 5);
    struct tmk_welch w = tmk_welch_test(&sa, &sb);

    (void)state;
    near(w.p, tmk_student_two_sided(1, 8), 1e-12);
    near(w.p, 0.34659350708, 1e-9);
    near(w.low, 1 - 2.3060041350, 1e-8);
    near(w.high, 1 + 2.3060041350, 1e-8);
}

/*
 * Cushny and Peebles' hours of sleep (Student, Biometrika 6, 1908), whose
 * result by Welch's test is in the manual of R, t.test(): t = 1.8608,
 * df = 17.776, p = 0.07939, interval -0.2054832 to 3.3654832.
 */
static void a_published_sample_has_the_published_result(void **state)
{
    static const double a[] = {0.7, -1.6, -0.2, -1.2, -0.1,
                               3.4, 3.7,  0.8,  0.0,  2.0};
    static const double b[] = {1.9, 0.8, 1.1, 0.1, -0.1,
                               4.4, 5.5, 1.6, 4.6, 3.4};
    struct tmk_stats sa = stats_of(a, COUNT(a));
    struct tmk_stats sb = stats_of(b, COUNT(b));
    struct tmk_welch w = tmk_welch_test(&sa, &sb);

    (void)state;
    near(w.p, 0.07939414, 1e-8);
    near(w.low, -0.2054832, 1e-7);
    near(w.high, 3.3654832, 1e-7);
}

/* Of the tables; and with one degree of freedom it is the square of t. */
static void ratios_of_variances_are_those_of_the_tables(void **state)
{
    static const struct {
        double df1, df2, f;
    } rows[] = {{1, 8, 5.317655072},
                {2, 12, 3.885293835},
                {3, 10, 3.708264819},
                {4, 20, 2.866081402}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        near(tmk_fisher_above(rows[i].f, rows[i].df1, rows[i].df2), 0.05, 1e-9);
    }
    for (int i = 0; i < 13; i++) {
        double t = 0.1 + i * 0.7;

        near(tmk_fisher_above(t * t, 1, 8), tmk_student_two_sided(t, 8), 1e-12);
    }
    near(tmk_fisher_above(0, 3, 4), 1, 0);
}

/* Variances 1/3 and 100 over 3 and 3 values: nearly 2 degrees of freedom. */
static void unequal_variances_cost_degrees_of_freedom(void **state)
{
    static const double a[] = {9, 10, 11};
    static const double b[] = {10, 20, 30};
    struct tmk_stats sa = stats_of(a, 3);
    struct tmk_stats sb = stats_of(b, 3);
    struct tmk_welch w = tmk_welch_test(&sa, &sb);
    double va = 1.0 / 3;
    double vb = 100.0 / 3;
    double df = (va + vb) * (va + vb) / (va * va / 2 + vb * vb / 2);

    (void)state;
    near(w.p, tmk_student_two_sided(10 / sqrt(va + vb), df), 1e-12);
    assert_true(w.p > 0.05);
    assert_true(w.low < 0 && w.high > 10);
}

static void without_spread_nothing_or_everything_is_shown(void **state)
{
    static const double same[] = {5, 5, 5};
    static const double more[] = {6, 6};
    struct tmk_stats one = stats_of(more, 1);
    struct tmk_stats a = stats_of(same, 3);
    struct tmk_stats b = stats_of(more, 2);

    (void)state;
    near(tmk_welch_test(&a, &one).p, 1, 0);
    assert_true(isinf(tmk_welch_test(&a, &one).high));
    near(tmk_welch_test(&a, &b).p, 0, 0);
    near(tmk_welch_test(&a, &b).low, 1, 0);
    near(tmk_welch_test(&a, &a).p, 1, 0);
}

static void probabilities_are_corrected_in_order(void **state)
{
    double p[] = {0.01, 0.04, 0.03, 0.005};
    static const double want[] = {0.03, 0.06, 0.06, 0.02};
    size_t order[COUNT(p)];
    double one[] = {0.7};

    (void)state;
    tmk_holm_correct(p, order, COUNT(p));
    for (size_t i = 0; i < COUNT(p); i++) {
        near(p[i], want[i], 1e-15);
    }
    tmk_holm_correct(one, order, 1);
    near(one[0], 0.7, 0);
    tmk_holm_correct(NULL, NULL, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(probabilities_are_those_of_closed_forms),
        cmocka_unit_test(means_are_tested_as_welch_does),
        cmocka_unit_test(a_published_sample_has_the_published_result),
        cmocka_unit_test(ratios_of_variances_are_those_of_the_tables),
        cmocka_unit_test(unequal_variances_cost_degrees_of_freedom),
        cmocka_unit_test(without_spread_nothing_or_everything_is_shown),
        cmocka_unit_test(probabilities_are_corrected_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
