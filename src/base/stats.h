#ifndef TMK_BASE_STATS_H
#define TMK_BASE_STATS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Running statistics in constant memory (Welford, Technometrics 4(3), 1962).
 * {0} is an empty one.  Values that are not finite are ignored.
 */
struct tmk_stats {
    uint64_t n;
    double min, max, mean;
    double m2; /* sum of squared differences from the mean */
};

void tmk_stats_add(struct tmk_stats *s, double value);

/* The values of `more` as well (Chan, Golub, LeVeque 1979). */
void tmk_stats_merge(struct tmk_stats *s, const struct tmk_stats *more);

/* Sample standard deviation (divisor n - 1); 0 for fewer than 2 values. */
double tmk_stats_stddev(const struct tmk_stats *s);

/*
 * Half the width of the 95 % confidence interval of the mean, by Student's t
 * with n - 1 degrees of freedom; 0 for fewer than 2 values.
 */
double tmk_stats_ci95(const struct tmk_stats *s);

/* Geometric mean of positive values; 0 if there are none or one is <= 0. */
double tmk_stats_geomean(const double *values, size_t n);

#endif
