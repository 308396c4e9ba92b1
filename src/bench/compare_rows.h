#ifndef TMK_BENCH_COMPARE_ROWS_H
#define TMK_BENCH_COMPARE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/stats.h"

/*
 * Two sides of results, row by row: the same operation at the same point, which
 * is a number of ranks on nodes and a piece of work.  Each iteration of each
 * file of a side is one value.
 */
enum tmk_compare_verdict {
    TMK_COMPARE_SAME, /* no difference is shown */
    TMK_COMPARE_FASTER,
    TMK_COMPARE_SLOWER,
    TMK_COMPARE_NOT, /* comparable: why */
    TMK_COMPARE_VERDICTS,
};

enum { TMK_COMPARE_SIDES = 2, TMK_COMPARE_WHY = 160 };

struct json_t;

struct tmk_compare_point {
    char *title; /* owned; "mdtest: 8 tasks on 2 nodes (4 each)"; NULL = none
                    any more */
    char *kind;  /* owned; of benchmark */
    struct json_t *what;                   /* owned; parameters */
    struct json_t *how[TMK_COMPARE_SIDES]; /* owned; of the side's first run */
    bool on[TMK_COMPARE_SIDES];
    unsigned taken;            /* by a test of this run; they count from 1 */
    char why[TMK_COMPARE_WHY]; /* A and B did something else: what; "" = no */
};

struct tmk_compare_row {
    size_t point;
    char *name; /* owned; of the operation */
    bool bytes; /* values are bytes/s, otherwise operations/s */
    struct tmk_stats side[TMK_COMPARE_SIDES]; /* of iterations */
    struct tmk_stats runs[TMK_COMPARE_SIDES]; /* of the means of runs */
    double within[TMK_COMPARE_SIDES]; /* sum of squared differences from them */
    const char *spoilt[TMK_COMPARE_SIDES]; /* "operations failed"; NULL = is
                                              not */
    /* Judged: */
    enum tmk_compare_verdict verdict;
    char why[TMK_COMPARE_WHY]; /* TMK_COMPARE_NOT */
    double ratio;              /* of the means, B to A */
    double low, high; /* 95 % interval of (B - A) / A; infinite if there is
                         none */
    double p;         /* Holm-corrected; 1 = not tested */
};

struct tmk_compare {
    struct tmk_compare_point *points; /* owned */
    size_t n_points;
    struct tmk_compare_row *rows; /* owned */
    size_t n, space;
    unsigned runs[TMK_COMPARE_SIDES];
    char *kind;           /* owned; of results, alike in all files */
    struct json_t *notes; /* owned; lines about what differs; NULL = none */
    double threshold;     /* as judged */
};

/*
 * Add a file to a side (0 or 1): results of treemark, or what `treemark import`
 * made of text.  0, -ENOMEM, or -EINVAL with `why`: it cannot be read, is no
 * JSON, of another schema or kind, or has no results.
 */
int tmk_compare_read(struct tmk_compare *compare, unsigned side,
                     const char *path, char *why, size_t why_size);

/*
 * When all files are read: points that only one side has are put beside those
 * of the other side that are most like them, with what differs; points get
 * titles that tell them apart.  0 or -ENOMEM.
 */
int tmk_compare_settle(struct tmk_compare *compare);

void tmk_compare_fini(struct tmk_compare *compare);

/*
 * Judge all rows: a difference counts if Welch's test, corrected by Holm over
 * the rows, has p < 0.05 and the means differ by more than `threshold` (0.05 =
 * 5 %).  Where three runs of a side or more differ among themselves (F
 * test of one way, p < 0.05), their means are the values.  0 or -ENOMEM.
 */
int tmk_compare_judge(struct tmk_compare *compare, double threshold);

/* The rows and their verdicts. */
void tmk_compare_print(const struct tmk_compare *compare, bool markdown,
                       FILE *to);

#endif
