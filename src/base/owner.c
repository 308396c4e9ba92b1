/*
 * Rotation over a ring of ranks.  Everything is arithmetic modulo the number
 * of ranks, in 64 bits: ranks and hops have 32.
 */
#include "base/owner.h"

#include <errno.h>
#include <stdint.h>

int tmk_owner_map_init(struct tmk_owner_map *map, uint32_t ranks,
                       const uint32_t *node, uint32_t *at, uint32_t *place)
{
    uint32_t nodes = 0;
    uint32_t start = 0;

    *map = (struct tmk_owner_map){
        .ranks = ranks, .node = node, .at = at, .place = place};
    if (ranks == 0) {
        return -EINVAL;
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        if (node[rank] >= ranks) {
            return -EINVAL;
        }
        nodes = node[rank] >= nodes ? node[rank] + 1 : nodes;
        place[rank] = 0;
    }

    /* A counting sort; place[] serves as the table of counts, then starts. */
    for (uint32_t rank = 0; rank < ranks; rank++) {
        place[node[rank]]++;
    }
    map->nodes = nodes;
    map->first_node_ranks = place[node[0]];
    map->fewest_ranks = ranks;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t n = place[i];

        if (n == 0) {
            return -EINVAL;
        }
        map->most_ranks = n > map->most_ranks ? n : map->most_ranks;
        map->fewest_ranks = n < map->fewest_ranks ? n : map->fewest_ranks;
        place[i] = start;
        start += n;
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        at[place[node[rank]]++] = rank;
    }
    for (uint32_t i = 0; i < ranks; i++) {
        place[at[i]] = i;
    }
    map->block = ranks > 1 && node[0] == node[1];
    return 0;
}

void tmk_owner_block_nodes(uint32_t *node, uint32_t nodes, uint32_t per_node)
{
    for (uint32_t i = 0; i < nodes; i++) {
        for (uint32_t j = 0; j < per_node; j++) {
            *node++ = i;
        }
    }
}

/* n * factor, or if that exceeds 64 bits, a stride that turns as far. */
static uint64_t times(uint64_t n, uint32_t factor, uint32_t ranks)
{
    uint64_t product;

    if (__builtin_mul_overflow(n, (uint64_t)factor, &product)) {
        product = n % ranks * factor % ranks + ranks;
    }
    return product;
}

void tmk_owner_init(struct tmk_owner *owner, const struct tmk_owner_map *map,
                    uint64_t n, enum tmk_owner_unit unit)
{
    uint32_t factor = 1;

    if (unit == TMK_OWNER_UNIT_NODE) {
        factor = map->most_ranks;
    } else if (unit == TMK_OWNER_UNIT_AUTO && map->nodes > 1 && map->block) {
        factor = map->first_node_ranks;
    }
    owner->map = map;
    owner->stride = times(n, factor, map->ranks);
    owner->by_node = unit == TMK_OWNER_UNIT_NODE;
}

/* The rank so many places further on in the ring. */
static uint32_t turn(const struct tmk_owner *owner, uint32_t rank,
                     uint64_t places)
{
    const struct tmk_owner_map *map = owner->map;
    uint64_t from = owner->by_node ? map->place[rank] : rank;
    uint32_t to = (uint32_t)((from + places) % map->ranks);

    return owner->by_node ? map->at[to] : to;
}

/* How many places so many hops are, less whole turns. */
static uint64_t reach(const struct tmk_owner *owner, unsigned hops)
{
    uint64_t ranks = owner->map->ranks;

    return owner->stride % ranks * hops % ranks;
}

uint32_t tmk_owner_of(const struct tmk_owner *owner, uint32_t rank,
                      unsigned hops)
{
    return turn(owner, rank, reach(owner, hops));
}

uint32_t tmk_owner_visitor(const struct tmk_owner *owner, uint32_t of,
                           unsigned hops)
{
    return turn(owner, of, owner->map->ranks - reach(owner, hops));
}

double tmk_owner_foreign_share(const struct tmk_owner *owner, unsigned hops,
                               const unsigned *before, size_t n_before)
{
    const struct tmk_owner_map *map = owner->map;
    uint32_t foreign = 0;

    for (uint32_t rank = 0; rank < map->ranks; rank++) {
        uint32_t of = tmk_owner_of(owner, rank, hops);
        size_t i = 0;

        while (i < n_before &&
               map->node[tmk_owner_visitor(owner, of, before[i])] !=
                   map->node[rank]) {
            i++;
        }
        foreign += i == n_before;
    }
    return (double)foreign / map->ranks;
}
