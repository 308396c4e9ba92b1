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
#include "bench/compare.h"

/* How often a difference is found that is not there, in all rows together. */
#define SIGNIFICANCE 0.05

__attribute__((format(printf, 2, 3))) static void
refuse(struct tmk_compare_row *row, const char *format, ...)
{
    va_list args;

    row->verdict = TMK_COMPARE_NOT;
    va_start(args, format);
    (void)vsnprintf(row->why, sizeof(row->why), format, args);
    va_end(args);
}

/* Whether there is something to test. */
static bool is_comparable(const struct tmk_compare *c,
                          struct tmk_compare_row *row)
{
    const struct tmk_stats *a = &row->side[0];
    const struct tmk_stats *b = &row->side[1];

    if (c->other_work) {
        refuse(row, "%s", c->work);
    } else if (a->n == 0 || b->n == 0) {
        refuse(row, "only in %c", a->n == 0 ? 'B' : 'A');
    } else if (row->spoilt[0] || row->spoilt[1]) {
        refuse(row, "operations failed or were left out in %s",
               row->spoilt[0] && row->spoilt[1] ? "both"
               : row->spoilt[0]                 ? "A"
                                                : "B");
    } else if (!(a->mean > 0)) {
        refuse(row, "A has no rate");
    } else if (a->n < 2 || b->n < 2) {
        refuse(row, "one value in %s: no spread is known, repeat it (-i)",
               a->n < 2 && b->n < 2 ? "each"
               : a->n < 2           ? "A"
                                    : "B");
    } else {
        return true;
    }
    return false;
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
    for (size_t i = 0; i < c->n; i++) {
        struct tmk_compare_row *row = &c->rows[i];
        struct tmk_welch welch;

        row->p = 1;
        row->low = -INFINITY;
        row->high = INFINITY;
        row->ratio =
            row->side[0].mean > 0 ? row->side[1].mean / row->side[0].mean : NAN;
        if (is_comparable(c, row)) {
            welch = tmk_welch_test(&row->side[0], &row->side[1]);
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
