#ifndef TMK_BASE_ORDER_H
#define TMK_BASE_ORDER_H

#include <stdint.h>

/*
 * A shuffled order of 0 ... n-1 in constant memory: a Feistel network over the
 * next number that has a power of two near its root as a factor, walked until
 * it lands inside (Black and Rogaway, CT-RSA 2002), which it does at once but
 * for about one in root n.  Every n has its own bijection per seed.
 */
struct tmk_order {
    uint64_t n;
    uint64_t lefts;      /* how many left halves there are */
    unsigned right_bits; /* the right halves are a power of two */
    uint64_t keys[4];
};

void tmk_order_init(struct tmk_order *order, uint64_t n, uint64_t seed);

/* The i-th of the order, i < n.  A bijection on 0 ... n-1. */
uint64_t tmk_order_at(const struct tmk_order *order, uint64_t i);

/*
 * The original's shuffled order: n numbers, 0 ... n-1, into the caller's
 * array.  They are drawn as by the C library's rand() after srand(seed), but
 * from a state of its own: nobody else's numbers change.
 */
void tmk_order_fill_legacy(uint64_t *array, uint64_t n, uint32_t seed);

#endif
