/*
 * A histogram of latencies: what the inline recording does not need.
 *
 *     bucket  0 ... 127 | 128 ... 255 | 256 ... 383 | ...
 *     value   0 ... 127 | 128 ... 255 | 256 ... 511 | ...
 *     width      1 ns   |    1 ns     |    2 ns     | ...
 */
#include "base/hist.h"

#include <assert.h>

enum { SUB = 1 << TMK_HIST_SUB_BITS }; /* buckets per power of two */

uint64_t tmk_hist_upper_ns(unsigned i)
{
    unsigned shift;

    assert(i < TMK_HIST_BUCKETS);
    if (i < SUB) {
        return i;
    }
    shift = i / SUB - 1;
    return (((uint64_t)i % SUB + SUB + 1) << shift) - 1;
}

uint64_t tmk_hist_total(const struct tmk_hist *h)
{
    uint64_t total = 0;

    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        total += h->counts[i];
    }
    return total;
}

/* How many of `total` values `percent` of them are, rounded up; 1 to total. */
static uint64_t share(uint64_t total, double percent)
{
    double exact = (double)total * percent / 100.0;
    uint64_t n;

    if (!(exact >= 1.0)) {
        return 1;
    }
    if (exact >= (double)total) {
        return total;
    }
    n = (uint64_t)exact;
    return (double)n < exact ? n + 1 : n;
}

uint64_t tmk_hist_percentile_ns(const struct tmk_hist *h, double percent)
{
    uint64_t total = tmk_hist_total(h);
    uint64_t seen = 0;
    uint64_t want;
    unsigned i = 0;

    if (total == 0) {
        return 0;
    }
    want = share(total, percent);
    while (seen + h->counts[i] < want) {
        seen += h->counts[i];
        i++;
    }
    return tmk_hist_upper_ns(i);
}

void tmk_hist_add(struct tmk_hist *h, const struct tmk_hist *more)
{
    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        h->counts[i] += more->counts[i];
    }
}
