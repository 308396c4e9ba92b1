/*
 * A shuffled order without an array.  The i-th element is i, encrypted: it is
 * cut into two halves, and each in turn gets a number added that follows from
 * the other one, which is a bijection whatever that number is.  What falls
 * outside 0 ... n-1 is encrypted again until it falls inside.
 */
#include "base/order.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/rand.h"

enum { ROUNDS = 4 };

void tmk_order_init(struct tmk_order *order, uint64_t n, uint64_t seed)
{
    unsigned bits = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;

    order->n = n;
    order->right_bits = bits / 2;
    order->lefts = n > 0 ? ((n - 1) >> order->right_bits) + 1 : 1;
    for (unsigned i = 0; i < ROUNDS; i++) {
        order->keys[i] = tmk_mix(seed + (i + 1) * tmk_mix_step);
    }
}

/* 32 bits that follow from half a number. */
static uint64_t mix(uint64_t half, uint64_t key)
{
    uint64_t z = (half + key) * 0xbf58476d1ce4e5b9u;

    z = (z ^ z >> 32) * 0x94d049bb133111ebu;
    return z >> 32;
}

/* left + (0 ... lefts-1) modulo lefts, which is 2^32 at most */
static uint64_t turn_left(uint64_t left, uint64_t drawn, uint64_t lefts)
{
    left += drawn * lefts >> 32;
    return left >= lefts ? left - lefts : left;
}

uint64_t tmk_order_at(const struct tmk_order *order, uint64_t i)
{
    const uint64_t *keys = order->keys;
    uint64_t lefts = order->lefts;
    uint64_t mask = ((uint64_t)1 << order->right_bits) - 1;

    do {
        uint64_t left = i >> order->right_bits;
        uint64_t right = i & mask;

        left = turn_left(left, mix(right, keys[0]), lefts);
        right ^= mix(left, keys[1]) & mask;
        left = turn_left(left, mix(right, keys[2]), lefts);
        right ^= mix(left, keys[3]) & mask;
        i = left << order->right_bits | right;
    } while (i >= order->n);
    return i;
}

void tmk_order_fill_legacy(uint64_t *array, uint64_t n, uint32_t seed)
{
    struct tmk_rand r;

    tmk_rand_init(&r, seed);
    for (uint64_t i = 0; i < n; i++) {
        array[i] = i;
    }
    for (uint64_t k = n; k-- > 1;) {
        uint64_t kept = array[k];
        /* In this order, as the original rounds it; at most k. */
        uint64_t other =
            (uint64_t)((double)tmk_rand_next(&r) / RAND_MAX * (double)k);

        array[k] = array[other];
        array[other] = kept;
    }
}
