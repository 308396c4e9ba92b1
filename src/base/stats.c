/*
 * Mean, deviation and confidence of a handful of repetitions.
 */
#include "base/stats.h"

#include <math.h>

void tmk_stats_add(struct tmk_stats *s, double value)
{
    double delta;

    if (!isfinite(value)) {
        return;
    }
    if (s->n == 0 || value < s->min) {
        s->min = value;
    }
    if (s->n == 0 || value > s->max) {
        s->max = value;
    }
    s->n++;
    delta = value - s->mean;
    s->mean += delta / (double)s->n;
    s->m2 += delta * (value - s->mean);
}

void tmk_stats_merge(struct tmk_stats *s, const struct tmk_stats *more)
{
    const double ours = (double)s->n;
    const double theirs = (double)more->n;
    const double delta = more->mean - s->mean;

    if (s->n == 0 || more->n == 0) {
        *s = s->n == 0 ? *more : *s;
        return;
    }
    s->min = more->min < s->min ? more->min : s->min;
    s->max = more->max > s->max ? more->max : s->max;
    s->n += more->n;
    s->mean += delta * theirs / (ours + theirs);
    s->m2 += more->m2 + delta * delta * ours * theirs / (ours + theirs);
}

double tmk_stats_stddev(const struct tmk_stats *s)
{
    return s->n >= 2 ? sqrt(s->m2 / (double)(s->n - 1)) : 0.0;
}

/*
 * The 0.975 quantile of Student's t.  Up to 30 degrees of freedom from the
 * usual table (NIST/SEMATECH e-Handbook, 1.3.6.7.2); beyond, the expansion
 * around the normal quantile (Abramowitz and Stegun, 26.7.5), which is good
 * to 5 digits there.
 */
static double t_975(uint64_t freedom)
{
    static const double table[] = {
        0.0,    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
        2.3060, 2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
        2.1199, 2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687,
        2.0639, 2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
    };
    const double z = 1.959963985; /* of the normal distribution */
    const double z2 = z * z;
    double v = (double)freedom;

    if (freedom < sizeof(table) / sizeof(table[0])) {
        return table[freedom];
    }
    return z + z * (z2 + 1) / (4 * v) +
           z * ((5 * z2 + 16) * z2 + 3) / (96 * v * v) +
           z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * v * v * v);
}

double tmk_stats_ci95(const struct tmk_stats *s)
{
    if (s->n < 2) {
        return 0.0;
    }
    return t_975(s->n - 1) * tmk_stats_stddev(s) / sqrt((double)s->n);
}

double tmk_stats_geomean(const double *values, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0.0)) {
            return 0.0;
        }
        sum += log(values[i]);
    }
    return n != 0 ? exp(sum / (double)n) : 0.0;
}
