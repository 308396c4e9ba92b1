/*
 * ior_mix: two directions of one phase.
 *
 * A side of a rank is one array, so that all sides are added by one reduction.
 */
#include "bench/ior_mix.h"

#include <stdlib.h>
#include <string.h>

#include "base/at_rank.h"
#include "base/units.h"

enum { SIDES = 2 }; /* by TMK_IOR_WRITE and TMK_IOR_READ */

/* What is added over ranks. */
enum {
    DONE, /* operations that succeeded */
    TRIED,
    BYTES,
    TOOK, /* ns */
    HIST,
    SUMS = HIST + TMK_HIST_BUCKETS
};

/* What is maximised; minima as their distance from TOP, 0 = none. */
enum { LONGEST, LONGEST_RANK, SHORTEST, MEAN, MAXIMA };

#define TOP ((uint64_t)INT64_MAX)

struct tmk_ior_mix {
    uint64_t sums[SIDES][SUMS];
    uint64_t min_ns[SIDES], max_ns[SIDES];
    struct tmk_result_latency latency[SIDES]; /* of all ranks */
};

struct tmk_ior_mix *tmk_ior_mix_new(void)
{
    struct tmk_ior_mix *mix = calloc(1, sizeof(*mix));

    if (mix != NULL) {
        tmk_ior_mix_begin(mix);
    }
    return mix;
}

void tmk_ior_mix_free(struct tmk_ior_mix *mix)
{
    free(mix);
}

void tmk_ior_mix_begin(struct tmk_ior_mix *mix)
{
    memset(mix, 0, sizeof(*mix));
    for (int i = 0; i < SIDES; i++) {
        mix->min_ns[i] = TOP;
    }
}

void tmk_ior_mix_count(struct tmk_ior_mix *mix, bool writing, int err,
                       uint64_t bytes, uint64_t took_ns)
{
    const int i = writing ? TMK_IOR_WRITE : TMK_IOR_READ;
    uint64_t *sums = mix->sums[i];

    if (err == 0) {
        sums[DONE]++;
        sums[BYTES] += bytes;
    }
    sums[TRIED]++;
    sums[TOOK] += took_ns;
    sums[HIST + tmk_hist_index(took_ns)]++;
    if (took_ns < mix->min_ns[i]) {
        mix->min_ns[i] = took_ns;
    }
    if (took_ns > mix->max_ns[i]) {
        mix->max_ns[i] = took_ns;
    }
}

static void fill_maxima(const struct tmk_ior_mix *mix, int rank,
                        uint64_t maxima[SIDES][MAXIMA])
{
    for (int i = 0; i < SIDES; i++) {
        const uint64_t tried = mix->sums[i][TRIED];

        memset(maxima[i], 0, sizeof(maxima[i]));
        if (tried != 0) {
            maxima[i][LONGEST] = mix->max_ns[i];
            maxima[i][LONGEST_RANK] = tmk_at_rank(mix->max_ns[i], rank);
            maxima[i][SHORTEST] = TOP - mix->min_ns[i];
            maxima[i][MEAN] = TOP - mix->sums[i][TOOK] / tried;
        }
    }
}

static struct tmk_result_side side_of(struct tmk_ior_mix *mix, int i,
                                      const uint64_t *maxima, uint64_t total_ns)
{
    const uint64_t *sums = mix->sums[i];
    struct tmk_result_latency *latency = &mix->latency[i];

    memcpy(latency->hist.counts, &sums[HIST], sizeof(latency->hist.counts));
    latency->operations = sums[TRIED];
    latency->sum_ns = (double)sums[TOOK];
    latency->min_ns = sums[TRIED] != 0 ? TOP - maxima[SHORTEST] : 0;
    latency->max = (struct tmk_result_rank){
        .rank = tmk_at_rank_rank(maxima[LONGEST_RANK]),
        .time_ns = maxima[LONGEST],
    };
    return (struct tmk_result_side){
        .bytes = sums[BYTES],
        .operations = sums[DONE],
        .bytes_per_s = tmk_units_per_s(sums[BYTES], total_ns),
        .rate_per_s = tmk_units_per_s(sums[DONE], total_ns),
        .latency = latency,
    };
}

void tmk_ior_mix_combine_all(struct tmk_ior_mix *mix, struct tmk_job *job,
                             struct tmk_ior_phase *phase)
{
    uint64_t maxima[SIDES][MAXIMA];

    fill_maxima(mix, job->rank, maxima);
    tmk_wait_allreduce_all(&job->wait, mix->sums, SIDES * SUMS, MPI_UINT64_T,
                           MPI_SUM);
    tmk_wait_allreduce_all(&job->wait, maxima, SIDES * MAXIMA, MPI_UINT64_T,
                           MPI_MAX);
    for (int i = 0; i < SIDES; i++) {
        phase->sides[i] = side_of(mix, i, maxima[i], phase->total_ns);
        phase->side_mean_ns[i] =
            maxima[i][MEAN] != 0 ? TOP - maxima[i][MEAN] : 0;
    }
    phase->read_bytes = phase->sides[TMK_IOR_READ].bytes;
}

void tmk_ior_mix_add(struct tmk_result_latency *to,
                     const struct tmk_result_latency *more)
{
    if (more->operations == 0) {
        return;
    }
    if (to->operations == 0 || more->min_ns < to->min_ns) {
        to->min_ns = more->min_ns;
    }
    if (to->operations == 0 || more->max.time_ns > to->max.time_ns) {
        to->max = more->max;
    }
    to->operations += more->operations;
    to->sum_ns += more->sum_ns;
    tmk_hist_add(&to->hist, &more->hist);
}
