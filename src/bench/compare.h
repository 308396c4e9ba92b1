#ifndef TMK_BENCH_COMPARE_H
#define TMK_BENCH_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/stats.h"

/*
 * Two sides of results, row by row: the same operation with the same
 * parameters.  Each iteration of each file of a side is one value.
 */
enum tmk_compare_verdict {
    TMK_COMPARE_SAME, /* no difference is shown */
    TMK_COMPARE_FASTER,
    TMK_COMPARE_SLOWER,
    TMK_COMPARE_NOT, /* comparable: why */
};

enum { TMK_COMPARE_SIDES = 2 };

struct tmk_compare_row {
    char *point; /* owned: "mdtest, 8 tasks on 2 nodes (4 each), 100 items" */
    char *name;  /* owned; of the operation */
    bool bytes;  /* values are bytes/s, otherwise operations/s */
    struct tmk_stats side[TMK_COMPARE_SIDES];
    bool spoilt[TMK_COMPARE_SIDES]; /* something failed, or was interrupted */
    /* Judged: */
    enum tmk_compare_verdict verdict;
    char why[160];    /* TMK_COMPARE_NOT */
    double ratio;     /* of the means, B to A */
    double low, high; /* 95 % interval of the ratio less 1; infinite if there
                         is none */
    double p;         /* Holm-corrected; 1 = not tested */
};

struct tmk_compare {
    struct tmk_compare_row *rows; /* owned */
    size_t n, space;
    unsigned runs[TMK_COMPARE_SIDES];
    char *kind;           /* owned; of benchmark, alike in all files */
    struct json_t *first; /* owned; of the first file of A */
    char *notes;          /* owned; lines about what differs; "" = nothing */
    bool other_work;      /* what is done differs: no row is comparable */
    char work[160];       /* in what */
};

/*
 * Add a file to a side (0 or 1): results of treemark, or what `treemark import`
 * made of text.  0, -ENOMEM, or -EINVAL with `why`: it cannot be read, is no
 * JSON, of another schema or kind, or has no results.
 */
int tmk_compare_read(struct tmk_compare *compare, unsigned side,
                     const char *path, char *why, size_t why_size);

void tmk_compare_fini(struct tmk_compare *compare);

/*
 * Judge all rows: a difference counts if Welch's test, corrected by Holm over
 * the rows, has p < 0.05 and the means differ by more than `threshold` (0.05 =
 * 5 %).  0 or -ENOMEM.
 */
int tmk_compare_judge(struct tmk_compare *compare, double threshold);

/* The rows and their verdicts. */
void tmk_compare_print(const struct tmk_compare *compare, bool markdown,
                       FILE *to);

#endif
