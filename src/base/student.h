#ifndef TMK_BASE_STUDENT_H
#define TMK_BASE_STUDENT_H

#include <stddef.h>

#include "base/stats.h"

/*
 * Student's t.  The probability that a value of the distribution with `df` > 0
 * degrees of freedom (which need not be whole) is farther from 0 than |t|:
 * the regularised incomplete beta function I_x(df/2, 1/2) at
 * x = df / (df + t^2), by its continued fraction (DLMF 8.17.22).
 */
double tmk_student_two_sided(double t, double df);

/* The t beyond which, on both sides together, lies `probability` (0 to 1). */
double tmk_student_quantile(double probability, double df);

/*
 * The probability that a value of Fisher's F distribution with these degrees of
 * freedom, above 0, is larger than `f` (DLMF 8.17, as above).
 */
double tmk_fisher_above(double f, double df1, double df2);

/* Two means that may have different variances. */
struct tmk_welch {
    double p;         /* probability of such a difference by chance; 1 = the
                         means are equal, or nothing can be said */
    double low, high; /* 95 % interval of the difference b - a */
};

/*
 * Welch's test (Biometrika 34, 1947), with Satterthwaite's degrees of freedom.
 * Either side needs 2 values; with fewer, p is 1 and the interval infinite.
 * Without any variance a difference has p 0.
 */
struct tmk_welch tmk_welch_test(const struct tmk_stats *a,
                                const struct tmk_stats *b);

/*
 * Holm's correction (Scand. J. Statist. 6, 1979) of n probabilities, in
 * place: of all tests together, not one in twenty finds what is not there.
 * `order` has room for n numbers.
 */
void tmk_holm_correct(double *p, size_t *order, size_t n);

#endif
