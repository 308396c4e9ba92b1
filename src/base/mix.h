#ifndef TMK_BASE_MIX_H
#define TMK_BASE_MIX_H

#include <stdint.h>

/*
 * SplitMix64 (Steele, Lea and Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014): the n-th number of a sequence is the mix of its
 * start + n steps, so that any place of it is found at once.
 */
static const uint64_t tmk_mix_step = 0x9e3779b97f4a7c15u;

/* A bijection in which every bit of the result depends on every bit of z. */
static inline uint64_t tmk_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The number whose mix is z.  The factors are inverse modulo 2^64. */
static inline uint64_t tmk_mix_undo(uint64_t z)
{
    z = (z ^ z >> 31 ^ z >> 62) * 0x319642b2d24d8ec3u;
    z = (z ^ z >> 27 ^ z >> 54) * 0x96de1b173f119089u;
    return z ^ z >> 30 ^ z >> 60;
}

/*
 * A bijection of fewer steps for numbers that follow each other: for those the
 * first product is a sum, and what is left needs no multiplication, so that
 * compilers can do several at once.
 */
static inline uint64_t tmk_mix_light(uint64_t n)
{
    uint64_t z = n * tmk_mix_step;

    z ^= z >> 32;
    z += z << 21;
    return z ^ z >> 29;
}

static inline uint64_t tmk_mix_light_undo(uint64_t z)
{
    z = (z ^ z >> 29 ^ z >> 58) * 0x800003ffffe00001u;
    z ^= z >> 32;
    return z * 0xf1de83e19937733du;
}

#endif
