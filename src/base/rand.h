#ifndef TMK_BASE_RAND_H
#define TMK_BASE_RAND_H

#include <stdint.h>
#include <stdlib.h>

/*
 * The numbers of the C library's rand() after srand(seed), but from a state of
 * its own: nobody else's numbers change.  Must not be copied: the state points
 * into itself.
 */
struct tmk_rand {
    int32_t numbers[32]; /* 128 bytes make it the generator of rand() */
    struct random_data state;
};

static inline void tmk_rand_init(struct tmk_rand *r, uint32_t seed)
{
    r->state = (struct random_data){0};
    /* Does not fail with a state of this size; nor does random_r(). */
    (void)initstate_r(seed, (char *)r->numbers, sizeof(r->numbers), &r->state);
}

/* 0 ... RAND_MAX */
static inline uint32_t tmk_rand_next(struct tmk_rand *r)
{
    int32_t drawn = 0;

    (void)random_r(&r->state, &drawn);
    return (uint32_t)drawn;
}

#endif
