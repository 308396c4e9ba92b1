/*
 * compare_judge: which differences are more than chance, and large enough to
 * count.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/student.h"
#include "bench/compare_rows.h"

/* How often a difference is found that is not there, in all rows together. */
#define SIGNIFICANCE 0.05

/* So many show how far runs are apart. */
enum { RUNS_MIN = 3 };

__attribute__((format(printf, 2, 3))) static void
refuse(struct tmk_compare_row *row, const char *format, ...)
{
    va_list args;

    row->verdict = TMK_COMPARE_NOT;
    va_start(args, format);
    (void)vsnprintf(row->why, sizeof(row->why), format, args);
    va_end(args);
}

/* "A", "B" or "each" */
static const char *which_side(bool a, bool b)
{
    return a && b ? "each" : a ? "A" : "B";
}

/* Whether there is something to test. */
static bool is_comparable(const struct tmk_compare *c,
                          struct tmk_compare_row *row)
{
    const struct tmk_compare_point *point = &c->points[row->point];
    const struct tmk_stats *a = &row->side[0];
    const struct tmk_stats *b = &row->side[1];
    const char *spoilt =
        row->spoilt[0] != NULL ? row->spoilt[0] : row->spoilt[1];

    if (a->n == 0 || b->n == 0) {
        refuse(row, "only in %s", which_side(a->n != 0, b->n != 0));
    } else if (point->why[0] != '\0') {
        refuse(row, "%s", point->why);
    } else if (spoilt != NULL) {
        refuse(row, "%s in %s", spoilt,
               row->spoilt[0] == NULL             ? "B"
               : row->spoilt[0] == row->spoilt[1] ? "both"
                                                  : "A");
    } else if (!(a->mean > 0)) {
        refuse(row, "A has no rate");
    } else if (a->n < 2 || b->n < 2) {
        refuse(row, "one value in %s, which shows no spread",
               which_side(a->n < 2, b->n < 2));
    } else {
        return true;
    }
    return false;
}

/*
 * Whether the means of a side's runs are farther apart than their iterations
 * let expect: analysis of variance, one way.  Two runs do not say: a spread
 * with one degree of freedom is no spread, and nothing would ever be shown by
 * it.
 */
static bool runs_differ(const struct tmk_compare_row *row, int side)
{
    const double within = row->within[side];
    const double between = row->side[side].m2 - within;
    const double k = (double)row->runs[side].n;
    const double rest = (double)row->side[side].n - k;

    if (k < RUNS_MIN || rest < 1) {
        return false; /* few runs, or one value each */
    }
    if (!(within > 0)) {
        return between > 0;
    }
    return tmk_fisher_above(between / (k - 1) / (within / rest), k - 1, rest) <
           SIGNIFICANCE;
}

/*
 * The values that the mean of a side rests on.  Where one run was slower than
 * another as a whole, its iterations are no more than one value together.
 */
static struct tmk_stats evidence(const struct tmk_compare_row *row, int side)
{
    struct tmk_stats values = row->side[side];

    if (runs_differ(row, side)) {
        values = row->runs[side];
        values.mean = row->side[side].mean;
    }
    return values;
}

int tmk_compare_judge(struct tmk_compare *c, double threshold)
{
    double *p = calloc(c->n + 1, sizeof(*p));
    size_t *order = calloc(c->n + 1, sizeof(*order));
    size_t *which = calloc(c->n + 1, sizeof(*which));
    size_t n = 0;

    if (p == NULL || order == NULL || which == NULL) {
        free(p);
        free(order);
        free(which);
        return -ENOMEM;
    }
    c->threshold = threshold;
    for (size_t i = 0; i < c->n; i++) {
        struct tmk_compare_row *row = &c->rows[i];
        struct tmk_welch welch;

        row->p = 1;
        row->low = -INFINITY;
        row->high = INFINITY;
        row->ratio =
            row->side[0].mean > 0 ? row->side[1].mean / row->side[0].mean : NAN;
        if (is_comparable(c, row)) {
            const struct tmk_stats a = evidence(row, 0);
            const struct tmk_stats b = evidence(row, 1);

            welch = tmk_welch_test(&a, &b);
            row->low = welch.low / row->side[0].mean;
            row->high = welch.high / row->side[0].mean;
            which[n] = i;
            p[n++] = welch.p;
        }
    }
    tmk_holm_correct(p, order, n);
    for (size_t k = 0; k < n; k++) {
        struct tmk_compare_row *row = &c->rows[which[k]];
        bool counts = p[k] < SIGNIFICANCE && fabs(row->ratio - 1) > threshold;

        row->p = p[k];
        row->verdict = !counts          ? TMK_COMPARE_SAME
                       : row->ratio > 1 ? TMK_COMPARE_FASTER
                                        : TMK_COMPARE_SLOWER;
    }
    free(p);
    free(order);
    free(which);
    return 0;
}
