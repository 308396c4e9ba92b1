/*
 * student: is a difference of means more than chance?
 */
#include "base/student.h"

#include <math.h>

/* The fraction converges in about sqrt(max(a, b)) steps. */
enum { STEPS = 10000 };

#define TINY     1e-300
#define ACCURACY 1e-15

/* The continued fraction of I_x(a, b), by Lentz' method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1;
    double d = 1 - (a + b) * x / (a + 1);
    double f;

    d = 1 / (fabs(d) > TINY ? d : TINY);
    f = d;
    for (int m = 1; m < STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd =
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        const double terms[] = {even, odd};
        double change = 1;

        for (int i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) > TINY ? d : TINY);
            c = fabs(c) > TINY ? c : TINY;
            change = c * d;
            f *= change;
        }
        if (fabs(change - 1) < ACCURACY) {
            break;
        }
    }
    return f;
}

/* I_x(a, b) */
static double beta(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1) {
        return x <= 0 ? 0 : 1;
    }
    front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) {
        return front * beta_fraction(a, b, x) / a;
    }
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double tmk_student_two_sided(double t, double df)
{
    if (isinf(t)) {
        return 0;
    }
    return beta(df / 2, 0.5, df / (df + t * t));
}

double tmk_student_quantile(double probability, double df)
{
    double low = 0;
    double high = 1;

    while (tmk_student_two_sided(high, df) > probability && high < 1e15) {
        high *= 2;
    }
    for (int i = 0; i < 200 && high - low > ACCURACY * high; i++) {
        double middle = (low + high) / 2;

        if (tmk_student_two_sided(middle, df) > probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

double tmk_fisher_above(double f, double df1, double df2)
{
    return f > 0 ? beta(df2 / 2, df1 / 2, df2 / (df2 + df1 * f)) : 1;
}

struct tmk_welch tmk_welch_test(const struct tmk_stats *a,
                                const struct tmk_stats *b)
{
    struct tmk_welch result = {.p = 1, .low = -INFINITY, .high = INFINITY};
    double difference = b->mean - a->mean;
    double va;
    double vb;
    double error;
    double df;
    double half;

    if (a->n < 2 || b->n < 2) {
        return result;
    }
    va = a->m2 / (double)(a->n - 1) / (double)a->n;
    vb = b->m2 / (double)(b->n - 1) / (double)b->n;
    error = sqrt(va + vb);
    if (!(error > 0)) {
        return (struct tmk_welch){.p = difference != 0 ? 0 : 1,
                                  .low = difference,
                                  .high = difference};
    }
    df = (va + vb) * (va + vb) /
         (va * va / (double)(a->n - 1) + vb * vb / (double)(b->n - 1));
    half = tmk_student_quantile(0.05, df) * error;
    result.p = tmk_student_two_sided(difference / error, df);
    result.low = difference - half;
    result.high = difference + half;
    return result;
}

void tmk_holm_correct(double *p, size_t *order, size_t n)
{
    double least = 0;

    for (size_t i = 0; i < n; i++) {
        size_t k = i;

        for (; k > 0 && p[order[k - 1]] > p[i]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
    for (size_t i = 0; i < n; i++) {
        double corrected = p[order[i]] * (double)(n - i);

        corrected = corrected < 1 ? corrected : 1;
        least = corrected > least ? corrected : least;
        p[order[i]] = least;
    }
}
