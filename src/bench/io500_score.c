/*
 * io500_score: the score of a run, and the hash that goes with it.
 */
#include "bench/io500_score.h"

#include <math.h>

#include "bench/io500_hash.h"

static double mean(const struct tmk_io500_scores *scores, bool extended,
                   enum tmk_io500_group group)
{
    double logs = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        if (tmk_io500_phase_rows[i].group == group &&
            (extended ||
             !tmk_io500_phase_is_optional((enum tmk_io500_phase)i)) &&
            scores->score[i] > 0) {
            logs += log(scores->score[i]);
            n++;
        }
    }
    return n != 0 ? exp(logs / n) : 0;
}

struct tmk_io500_means
tmk_io500_score_means(const struct tmk_io500_scores *scores, bool extended)
{
    struct tmk_io500_means means = {
        .bw = mean(scores, extended, TMK_IO500_BW),
        .md = mean(scores, extended, TMK_IO500_MD),
    };

    means.total = sqrt(means.bw * means.md);
    return means;
}

static void add_phases(uint32_t *hash, const struct tmk_io500_scores *scores,
                       bool optional)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;

        if (tmk_io500_phase_rows[i].group != TMK_IO500_UNSCORED &&
            tmk_io500_phase_is_optional(phase) == optional) {
            tmk_io500_hash_score(hash, tmk_io500_phase_name(phase),
                                 scores->score[i]);
        }
    }
}

static void add_means(uint32_t *hash, const struct tmk_io500_means *means,
                      bool invalid)
{
    tmk_io500_hash_score(hash, "MD", means->md);
    tmk_io500_hash_score(hash, "BW", means->bw);
    tmk_io500_hash_score(hash, "SCORE", means->total);
    if (invalid) {
        tmk_io500_hash_add(hash, "valid", "NO");
    }
}

uint32_t tmk_io500_score_hash(const struct tmk_io500_scores *scores,
                              const char *version)
{
    struct tmk_io500_means means = tmk_io500_score_means(scores, false);
    uint32_t hash = 0;

    tmk_io500_hash_add(&hash, "version", version);
    add_phases(&hash, scores, false);
    add_means(&hash, &means, scores->invalid);
    return hash;
}

uint32_t tmk_io500_score_hash_extended(const struct tmk_io500_scores *scores)
{
    struct tmk_io500_means means = tmk_io500_score_means(scores, true);
    uint32_t hash = 0;

    add_phases(&hash, scores, true);
    add_means(&hash, &means, scores->invalid_extended);
    return hash;
}
