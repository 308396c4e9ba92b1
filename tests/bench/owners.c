/*
 * owners: what a look-up of an owner or a visitor costs at 100,000 ranks on
 * uneven nodes, in ns; the worst over units, placements and hops.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/owner.h"
#include "run/clock.h"

enum { RANKS = 100000, HOPS = 3, TRIES = 5 };

/* Walks through all ranks, far from each other; prime to RANKS. */
enum { STEP = 40507 };

typedef uint32_t look_up(const struct tmk_owner *owner, uint32_t rank,
                         unsigned hops);

/* ns per look-up, the best of some tries. */
static double cost_ns(look_up *f, const struct tmk_owner *owner, unsigned hops,
                      uint64_t *sum)
{
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start = tmk_clock_ns();
        uint32_t rank = 0;
        uint64_t took;

        for (uint32_t k = 0; k < RANKS; k++) {
            *sum += f(owner, rank, hops);
            rank = (rank + STEP) % RANKS;
        }
        took = tmk_clock_ns() - start;
        best = took < best ? took : best;
    }
    return (double)best / RANKS;
}

/* Nodes of 1 to 97 ranks one after the other; or, cyclic, one rank each in
 * turn, and the last 500 ranks on one node. */
static void place_ranks(uint32_t *node, bool cyclic)
{
    uint32_t rank = 0;
    uint32_t nodes = 0;

    while (rank < RANKS) {
        uint32_t n = 1 + nodes * 31 % 97;

        for (uint32_t i = 0; i < n && rank < RANKS; i++) {
            node[rank++] = nodes;
        }
        nodes++;
    }
    if (cyclic) {
        for (rank = 0; rank < RANKS; rank++) {
            node[rank] = rank < RANKS - 500 ? rank % nodes : nodes - 1;
        }
    }
}

int main(void)
{
    static const enum tmk_owner_unit units[] = {
        TMK_OWNER_UNIT_AUTO, TMK_OWNER_UNIT_RANK, TMK_OWNER_UNIT_NODE};
    static uint32_t node[RANKS];
    static uint32_t at[RANKS];
    static uint32_t place[RANKS];
    double of_ns = 0;
    double visitor_ns = 0;
    uint64_t sum = 0;

    for (int cyclic = 0; cyclic < 2; cyclic++) {
        struct tmk_owner_map map;

        place_ranks(node, cyclic);
        if (tmk_owner_map_init(&map, RANKS, node, at, place) != 0) {
            fputs("owners: bad map\n", stderr);
            return 1;
        }
        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
            struct tmk_owner owner;

            tmk_owner_init(&owner, &map, 1, units[i]);
            for (unsigned hops = 1; hops <= HOPS; hops++) {
                double of = cost_ns(tmk_owner_of, &owner, hops, &sum);
                double visitor = cost_ns(tmk_owner_visitor, &owner, hops, &sum);

                of_ns = of > of_ns ? of : of_ns;
                visitor_ns = visitor > visitor_ns ? visitor : visitor_ns;
            }
        }
    }
    printf("%.1f %.1f\n", of_ns, visitor_ns);
    return sum == 0; /* it is used */
}
