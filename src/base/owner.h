#ifndef TMK_BASE_OWNER_H
#define TMK_BASE_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Who touches whose items on which node.  Pure: the node of every rank comes
 * in as an array, found by run/layout or made up for a machine that is not
 * here.
 *
 * Ranks stand in a ring.  In every phase a rank touches the items of the rank
 * `hops * stride` places further on; the ring is rank order, or, for
 * "-N node", the ranks sorted by node and then by rank, so that the next node
 * is met under any mapping.
 */
struct tmk_owner_map {
    uint32_t ranks;
    uint32_t nodes;
    const uint32_t *node;      /* of each rank; numbered by their lowest rank */
    const uint32_t *at;        /* the rank at each place of the node ring */
    const uint32_t *place;     /* the place of each rank in the node ring */
    uint32_t first_node_ranks; /* ranks on the node of rank 0 */
    uint32_t most_ranks;       /* on the fullest node */
    uint32_t fewest_ranks;     /* on the emptiest node */
    bool block;                /* rank 1 has the host name of rank 0 */
};

/*
 * Fill at[] and place[] (of `ranks` elements, the caller's) from node[] and
 * set every field of *map but `block`, which becomes node[0] == node[1].
 * The arrays stay the caller's and must outlive the map.  Needs O(1) memory
 * besides and time O(ranks * log) at most.  Returns 0, or -EINVAL if the
 * numbers in node[] are not 0 ... nodes-1, each used.
 */
int tmk_owner_map_init(struct tmk_owner_map *map, uint32_t ranks,
                       const uint32_t *node, uint32_t *at, uint32_t *place);

/* node[] of a machine of `nodes` x `per_node` ranks, filled node by node. */
void tmk_owner_block_nodes(uint32_t *node, uint32_t nodes, uint32_t per_node);

enum tmk_owner_unit {
    TMK_OWNER_UNIT_AUTO, /* the original's: times the ranks of the first node
                            if there are several nodes and `block` is true */
    TMK_OWNER_UNIT_RANK, /* 1.9: places in rank order */
    TMK_OWNER_UNIT_NODE, /* "-N node": n nodes further on */
};

struct tmk_owner {
    const struct tmk_owner_map *map;
    uint64_t stride; /* places per hop, as reported; may exceed ranks */
    bool by_node;    /* the ring is sorted by node */
};

/*
 * Resolve `-N n` in a unit; n = 0: no rotation.  With UNIT_NODE the stride is
 * n * most_ranks, which meets another node wherever that is possible.
 */
void tmk_owner_init(struct tmk_owner *owner, const struct tmk_owner_map *map,
                    uint64_t n, enum tmk_owner_unit unit);

/* The rank whose items `rank` touches after so many hops.  O(1). */
uint32_t tmk_owner_of(const struct tmk_owner *owner, uint32_t rank,
                      unsigned hops);

/* The rank that touches `of`'s items after so many hops: the inverse. */
uint32_t tmk_owner_visitor(const struct tmk_owner *owner, uint32_t of,
                           unsigned hops);

/*
 * The share (0 to 1) of ranks whose items after `hops` were touched before
 * on another node only: not by a rank of the toucher's node in any of the
 * n_before hop counts in before[] (the creator is hop 0).  Exact, O(ranks *
 * n_before).
 */
double tmk_owner_foreign_share(const struct tmk_owner *owner, unsigned hops,
                               const unsigned *before, size_t n_before);

#endif
