/*
 * mdtest_made: what a creation made, when it did not make everything.
 */
#include "bench/mdtest_made.h"

static uint64_t known_holes(const struct tmk_mdtest_made *made)
{
    return made->n_holes < TMK_MDTEST_HOLES_MAX ? made->n_holes
                                                : TMK_MDTEST_HOLES_MAX;
}

void tmk_mdtest_made_miss(struct tmk_mdtest_made *made, uint64_t position)
{
    if (made->n_holes < TMK_MDTEST_HOLES_MAX) {
        made->holes[made->n_holes] = position;
    } else if (made->n_holes == TMK_MDTEST_HOLES_MAX) {
        made->count = position; /* nothing behind is visited */
    }
    made->n_holes++;
}

void tmk_mdtest_made_end(struct tmk_mdtest_made *made, uint64_t attempted)
{
    made->attempted = attempted;
    if (made->n_holes <= TMK_MDTEST_HOLES_MAX) {
        made->count = attempted;
    }
}

/* The first hole at or behind a position: an index, the number if none. */
static uint64_t find(const struct tmk_mdtest_made *made, uint64_t position)
{
    uint64_t low = 0;
    uint64_t high = known_holes(made);

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (made->holes[middle] < position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool tmk_mdtest_made_is_hole(const struct tmk_mdtest_made *made,
                             uint64_t position)
{
    uint64_t i = find(made, position);

    return i < known_holes(made) && made->holes[i] == position;
}

/* How many of n positions from `first` on are below `end`. */
static uint64_t below(uint64_t end, uint64_t first, uint64_t n)
{
    uint64_t rest = end > first ? end - first : 0;

    return rest < n ? rest : n;
}

uint64_t tmk_mdtest_made_within(const struct tmk_mdtest_made *made,
                                uint64_t first, uint64_t n)
{
    uint64_t there = below(made->count, first, n);

    return there - (find(made, first + there) - find(made, first));
}

void tmk_mdtest_made_part(const struct tmk_mdtest_made *made, uint64_t first,
                          uint64_t n, struct tmk_mdtest_made *part)
{
    uint64_t there = below(made->count, first, n);
    uint64_t from = find(made, first);

    part->count = there;
    part->attempted = below(made->attempted, first, n);
    part->n_holes = find(made, first + there) - from;
    for (uint64_t i = 0; i < part->n_holes; i++) {
        part->holes[i] = made->holes[from + i] - first;
    }
}

/* An owner's share of so many positions of all. */
static uint64_t share_of(uint64_t all, uint64_t owner, uint64_t owners,
                         uint64_t slots)
{
    uint64_t loop = owners * slots;

    return all / loop * slots + below(all % loop, owner * slots, slots);
}

void tmk_mdtest_made_for(const struct tmk_mdtest_made *made, uint64_t owner,
                         uint64_t owners, uint64_t slots,
                         struct tmk_mdtest_made *part)
{
    part->count = share_of(made->count, owner, owners, slots);
    part->attempted = share_of(made->attempted, owner, owners, slots);
    part->n_holes = 0;
    for (uint64_t i = 0; i < known_holes(made); i++) {
        uint64_t hole = made->holes[i];

        if (hole / slots % owners == owner && hole < made->count) {
            part->holes[part->n_holes++] =
                hole / (owners * slots) * slots + hole % slots;
        }
    }
}
