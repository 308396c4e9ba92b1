/*
 * A shuffled order without an array.  The i-th element is i, encrypted: four
 * Feistel rounds over 2 * half_bits bits are a bijection whatever the round
 * function is.  What falls outside 0 ... n-1 is encrypted again until it falls
 * inside; the domain is less than 4 n, so that takes less than 4 turns on the
 * average.
 */
#include "base/order.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/rand.h"

enum { ROUNDS = 4 };

void tmk_order_init(struct tmk_order *order, uint64_t n, uint64_t seed)
{
    order->n = n;
    order->half_bits = 0;
    while (order->half_bits < 32 && n > (uint64_t)1 << 2 * order->half_bits) {
        order->half_bits++;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        order->keys[i] = tmk_mix(seed + (i + 1) * tmk_mix_step);
    }
}

static uint64_t mix(uint64_t half, uint64_t key)
{
    uint64_t z = (half + key) * 0xbf58476d1ce4e5b9u;

    z = (z ^ z >> 32) * 0x94d049bb133111ebu;
    return z >> 32;
}

uint64_t tmk_order_at(const struct tmk_order *order, uint64_t i)
{
    const uint64_t *keys = order->keys;
    uint64_t mask = ((uint64_t)1 << order->half_bits) - 1;

    do {
        uint64_t left = i >> order->half_bits;
        uint64_t right = i & mask;

        left ^= mix(right, keys[0]) & mask;
        right ^= mix(left, keys[1]) & mask;
        left ^= mix(right, keys[2]) & mask;
        right ^= mix(left, keys[3]) & mask;
        i = left << order->half_bits | right;
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
