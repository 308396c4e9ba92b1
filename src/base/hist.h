#ifndef TMK_BASE_HIST_H
#define TMK_BASE_HIST_H

#include <stdint.h>

/*
 * A latency histogram of nanoseconds, log-linear: values below 2^7 have a
 * bucket each, above that every power of two is cut in 128 equal buckets, so
 * a value is known to better than 1 part in 128.  Values of 2^42 ns (73 min)
 * and more share the last bucket.  Counts only, so that adding the arrays
 * merges histograms.
 */
enum {
    TMK_HIST_SUB_BITS = 7,
    TMK_HIST_MAX_BITS = 42,
    TMK_HIST_BUCKETS = (TMK_HIST_MAX_BITS - TMK_HIST_SUB_BITS + 1)
                       << TMK_HIST_SUB_BITS,
};

struct tmk_hist {
    uint64_t counts[TMK_HIST_BUCKETS];
};

/* The bucket of a value. */
static inline unsigned tmk_hist_index(uint64_t ns)
{
    unsigned shift;

    if (ns >> TMK_HIST_MAX_BITS != 0) {
        return TMK_HIST_BUCKETS - 1;
    }
    if (ns < 1u << TMK_HIST_SUB_BITS) {
        return (unsigned)ns;
    }
    shift = 63u - (unsigned)__builtin_clzll(ns) - TMK_HIST_SUB_BITS;
    return (shift << TMK_HIST_SUB_BITS) + (unsigned)(ns >> shift);
}

static inline void tmk_hist_record(struct tmk_hist *h, uint64_t ns)
{
    h->counts[tmk_hist_index(ns)]++;
}

/* The largest value of bucket i, in ns; 2^42 - 1 for the shared last one. */
uint64_t tmk_hist_upper_ns(unsigned i);

/* How many values were recorded. */
uint64_t tmk_hist_total(const struct tmk_hist *h);

/*
 * The smallest bucket bound (upper end) that at least `percent` (0 to 100)
 * of the values do not exceed, in ns; 0 if there are no values.
 */
uint64_t tmk_hist_percentile_ns(const struct tmk_hist *h, double percent);

/* Add `more` to `h`. */
void tmk_hist_add(struct tmk_hist *h, const struct tmk_hist *more);

#endif
