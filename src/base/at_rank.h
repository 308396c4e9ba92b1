#ifndef TMK_BASE_AT_RANK_H
#define TMK_BASE_AT_RANK_H

#include <stdint.h>

/*
 * A value above a rank of up to 2^20 in one word, so that a maximum over words
 * finds both.  That leaves 43 bits for the value, in which greater ones are all
 * the same: 100 days in us, 2.4 hours in ns.
 */
enum { TMK_AT_RANK_BITS = 20, TMK_AT_RANK_VALUE_BITS = 63 - TMK_AT_RANK_BITS };

static inline uint64_t tmk_at_rank(uint64_t value, int rank)
{
    const uint64_t most = (UINT64_C(1) << TMK_AT_RANK_VALUE_BITS) - 1;

    return (value < most ? value : most) << TMK_AT_RANK_BITS | (uint64_t)rank;
}

static inline int tmk_at_rank_rank(uint64_t word)
{
    return (int)(word & ((1u << TMK_AT_RANK_BITS) - 1));
}

static inline uint64_t tmk_at_rank_value(uint64_t word)
{
    return word >> TMK_AT_RANK_BITS;
}

#endif
