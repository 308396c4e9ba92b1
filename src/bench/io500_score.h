#ifndef TMK_BENCH_IO500_SCORE_H
#define TMK_BENCH_IO500_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/io500_plan.h"

/* What the phases of a run came to; those that were not run have 0. */
struct tmk_io500_scores {
    double score[TMK_IO500_PHASES]; /* GiB/s or kIOPS */
    bool invalid;                   /* the run */
    bool invalid_extended;          /* the run with its optional phases */
};

/* The means of a run. */
struct tmk_io500_means {
    double bw;    /* GiB/s */
    double md;    /* kIOPS */
    double total; /* the square root of their product */
};

/*
 * Geometric means over the phases of a group; what is not above 0 is left out,
 * and a group in which nothing is left has 0.  The extended mode has more
 * phases.
 */
struct tmk_io500_means
tmk_io500_score_means(const struct tmk_io500_scores *scores, bool extended);

/* The hashes of [SCORE] and [SCOREX] in result.txt. */
uint32_t tmk_io500_score_hash(const struct tmk_io500_scores *scores,
                              const char *version);
uint32_t tmk_io500_score_hash_extended(const struct tmk_io500_scores *scores);

#endif
