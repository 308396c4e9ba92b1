#ifndef TMK_BENCH_MDTEST_MADE_H
#define TMK_BENCH_MDTEST_MADE_H

#include <stdbool.h>
#include <stdint.h>

enum { TMK_MDTEST_HOLES_MAX = 256 };

/*
 * What a creation made: the first `count` positions but for the holes.  Of one
 * owner's items, or, where rank 0 creates for all (-c), of all owners' in each
 * loop directory, one after the other.  Sent from rank to rank as it is.
 */
struct tmk_mdtest_made {
    uint64_t count;
    uint64_t attempted; /* >= count; more if there were too many holes */
    uint64_t n_holes;
    uint64_t holes[TMK_MDTEST_HOLES_MAX]; /* ascending positions */
};

/* The item at a position, beyond all before, could not be made. */
void tmk_mdtest_made_miss(struct tmk_mdtest_made *made, uint64_t position);

/* The creation is over after so many positions. */
void tmk_mdtest_made_end(struct tmk_mdtest_made *made, uint64_t attempted);

bool tmk_mdtest_made_is_hole(const struct tmk_mdtest_made *made,
                             uint64_t position);

/* How many of the positions first ... first + n - 1 are there. */
uint64_t tmk_mdtest_made_within(const struct tmk_mdtest_made *made,
                                uint64_t first, uint64_t n);

/* Those positions alone, counted from 0. */
void tmk_mdtest_made_part(const struct tmk_mdtest_made *made, uint64_t first,
                          uint64_t n, struct tmk_mdtest_made *part);

/*
 * What rank 0 made for one of `owners`, where it went through them all in one
 * loop directory after the other, with `slots` items of each in a loop.
 * `part` counts the owner's positions, over all loops.
 */
void tmk_mdtest_made_for(const struct tmk_mdtest_made *made, uint64_t owner,
                         uint64_t owners, uint64_t slots,
                         struct tmk_mdtest_made *part);

#endif
