#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/owner.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { HOPS = 5, SMALL = 32 };

static const enum tmk_owner_unit units[] = {
    TMK_OWNER_UNIT_AUTO, TMK_OWNER_UNIT_RANK, TMK_OWNER_UNIT_NODE};

/* What phases touch before stat, read and remove, as hops. */
static const unsigned before[] = {0, 1, 2};
enum { STAT = 1, READ = 2, REMOVE = 3 };

static const struct {
    uint32_t ranks, nodes, first, most, fewest;
    bool block;
    uint32_t node[SMALL];
    uint32_t at[SMALL];
} maps[] = {
    {1, 1, 1, 1, 1, false, {0}, {0}},
    {2, 1, 2, 2, 2, true, {0, 0}, {0, 1}},
    {2, 2, 1, 1, 1, false, {0, 1}, {0, 1}},
    {3, 1, 3, 3, 3, true, {0, 0, 0}, {0, 1, 2}},
    {4, 2, 2, 2, 2, true, {0, 0, 1, 1}, {0, 1, 2, 3}},
    {4, 2, 2, 2, 2, false, {0, 1, 0, 1}, {0, 2, 1, 3}},
    {5, 2, 3, 3, 2, true, {0, 0, 0, 1, 1}, {0, 1, 2, 3, 4}},
    {5, 2, 1, 4, 1, false, {0, 1, 1, 1, 1}, {0, 1, 2, 3, 4}},
    {6, 3, 2, 3, 1, false, {0, 1, 1, 2, 0, 1}, {0, 4, 1, 2, 5, 3}},
    {6, 3, 2, 2, 2, false, {0, 1, 2, 0, 1, 2}, {0, 3, 1, 4, 2, 5}},
    {7, 3, 1, 5, 1, false, {0, 1, 1, 2, 1, 1, 1}, {0, 1, 2, 4, 5, 6, 3}},
    {8, 2, 4, 4, 4, true, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7}},
    /* Not numbered by the lowest rank, which is tolerated. */
    {4, 2, 2, 2, 2, true, {1, 1, 0, 0}, {2, 3, 0, 1}},
};

/* A map with arrays of its own. */
struct machine {
    struct tmk_owner_map map;
    uint32_t *node, *at, *place;
};

/* Nodes in turn, as with -ppn 1, or filled one after the other. */
static void machine_init(struct machine *m, uint32_t nodes, uint32_t per_node,
                         bool cyclic)
{
    uint32_t ranks = nodes * per_node;

    m->node = calloc(ranks, sizeof(*m->node));
    m->at = calloc(ranks, sizeof(*m->at));
    m->place = calloc(ranks, sizeof(*m->place));
    assert_true(m->node != NULL && m->at != NULL && m->place != NULL);
    tmk_owner_block_nodes(m->node, nodes, per_node);
    for (uint32_t rank = 0; cyclic && rank < ranks; rank++) {
        m->node[rank] = rank % nodes;
    }
    assert_int_equal(
        tmk_owner_map_init(&m->map, ranks, m->node, m->at, m->place), 0);
}

static void machine_fini(struct machine *m)
{
    free(m->node);
    free(m->at);
    free(m->place);
}

static void a_map_counts_its_nodes_and_sorts_its_ring(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(maps); i++) {
        struct tmk_owner_map map;
        uint32_t at[SMALL];
        uint32_t place[SMALL];

        assert_int_equal(
            tmk_owner_map_init(&map, maps[i].ranks, maps[i].node, at, place),
            0);
        assert_int_equal(map.ranks, maps[i].ranks);
        assert_int_equal(map.nodes, maps[i].nodes);
        assert_int_equal(map.first_node_ranks, maps[i].first);
        assert_int_equal(map.most_ranks, maps[i].most);
        assert_int_equal(map.fewest_ranks, maps[i].fewest);
        assert_int_equal(map.block, maps[i].block);
        assert_ptr_equal(map.node, maps[i].node);
        assert_ptr_equal(map.at, at);
        assert_ptr_equal(map.place, place);
        assert_memory_equal(at, maps[i].at, maps[i].ranks * sizeof(at[0]));
        for (uint32_t rank = 0; rank < map.ranks; rank++) {
            assert_int_equal(at[place[rank]], rank);
        }
    }
}

static void nodes_that_are_not_numbered_without_gaps_are_refused(void **state)
{
    static const struct {
        uint32_t ranks;
        uint32_t node[4];
    } rows[] = {
        {0, {0}},       {1, {1}},          {2, {0, 2}},          {2, {1, 1}},
        {3, {0, 2, 2}}, {4, {3, 1, 0, 0}}, {2, {0, UINT32_MAX}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_owner_map map;
        uint32_t at[4];
        uint32_t place[4];

        assert_int_equal(
            tmk_owner_map_init(&map, rows[i].ranks, rows[i].node, at, place),
            -EINVAL);
    }
}

static void block_nodes_are_filled_one_by_one(void **state)
{
    static const uint32_t want[] = {0, 0, 0, 1, 1, 1};
    uint32_t node[] = {9, 9, 9, 9, 9, 9, 9};

    (void)state;
    tmk_owner_block_nodes(node, 2, 3);
    assert_memory_equal(node, want, sizeof(want));
    assert_int_equal(node[6], 9);
}

static void a_stride_is_resolved_by_its_unit(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        enum tmk_owner_unit unit;
        bool cyclic;
        uint64_t n;
        uint64_t stride;
    } rows[] = {
        {1, 4, TMK_OWNER_UNIT_AUTO, false, 0, 0},
        {1, 4, TMK_OWNER_UNIT_AUTO, false, 1, 1},
        {1, 3, TMK_OWNER_UNIT_AUTO, false, 7, 7},
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 0, 0},
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 1, 4},
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 2, 8},
        {2, 4, TMK_OWNER_UNIT_AUTO, true, 2, 2},
        {2, 1, TMK_OWNER_UNIT_AUTO, false, 1, 1},
        {2, 4, TMK_OWNER_UNIT_RANK, false, 2, 2},
        {2, 4, TMK_OWNER_UNIT_RANK, true, 2, 2},
        {2, 4, TMK_OWNER_UNIT_NODE, false, 1, 4},
        {2, 4, TMK_OWNER_UNIT_NODE, true, 1, 4},
        {2, 4, TMK_OWNER_UNIT_NODE, true, 0, 0},
        {1, 4, TMK_OWNER_UNIT_NODE, false, 3, 12},
        {2, 4, TMK_OWNER_UNIT_RANK, false, UINT64_MAX, UINT64_MAX},
        /* UINT64_MAX * 4 turns 8 ranks by (2^64 - 1) * 4 mod 8 = 4. */
        {2, 4, TMK_OWNER_UNIT_AUTO, false, UINT64_MAX, 8 + 4},
        {2, 4, TMK_OWNER_UNIT_NODE, true, UINT64_MAX, 8 + 4},
        {2, 4, TMK_OWNER_UNIT_NODE, true, UINT64_MAX / 4, UINT64_MAX - 3},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct machine m;
        struct tmk_owner owner;

        machine_init(&m, rows[i].nodes, rows[i].per_node, rows[i].cyclic);
        tmk_owner_init(&owner, &m.map, rows[i].n, rows[i].unit);
        assert_ptr_equal(owner.map, &m.map);
        assert_int_equal(owner.stride, rows[i].stride);
        assert_int_equal(owner.by_node, rows[i].unit == TMK_OWNER_UNIT_NODE);
        machine_fini(&m);
    }
}

static void the_automatic_unit_follows_host_names_not_nodes(void **state)
{
    struct machine m;
    struct tmk_owner owner;

    (void)state;
    machine_init(&m, 2, 2, true); /* simulated: all have one host name */
    m.map.block = true;
    tmk_owner_init(&owner, &m.map, 1, TMK_OWNER_UNIT_AUTO);
    assert_int_equal(owner.stride, 2);
    machine_fini(&m);
    machine_init(&m, 2, 2, false);
    m.map.block = false;
    tmk_owner_init(&owner, &m.map, 1, TMK_OWNER_UNIT_AUTO);
    assert_int_equal(owner.stride, 1);
    machine_fini(&m);
}

/* Section 4.2 of the specification: 4 ranks, N = 1 and N = 3. */
static void phases_rotate_as_in_the_original(void **state)
{
    struct machine m;
    struct tmk_owner owner;

    (void)state;
    machine_init(&m, 1, 4, false);
    for (uint64_t n = 1; n <= 3; n += 2) {
        tmk_owner_init(&owner, &m.map, n, TMK_OWNER_UNIT_AUTO);
        for (uint32_t rank = 0; rank < 4; rank++) {
            for (unsigned hops = 0; hops < HOPS; hops++) {
                assert_int_equal(tmk_owner_of(&owner, rank, hops),
                                 (rank + hops * n) % 4);
            }
        }
    }
    machine_fini(&m);
}

static void a_shift_of_more_than_all_ranks_wraps_around(void **state)
{
    struct machine m;
    struct tmk_owner owner;

    (void)state;
    machine_init(&m, 1, 3, false);
    tmk_owner_init(&owner, &m.map, 7, TMK_OWNER_UNIT_AUTO);
    assert_int_equal(tmk_owner_of(&owner, 0, 1), 1);
    assert_int_equal(tmk_owner_of(&owner, 2, 1), 0);
    assert_int_equal(tmk_owner_of(&owner, 0, 2), 2);
    assert_int_equal(tmk_owner_visitor(&owner, 0, 1), 2);
    machine_fini(&m);
}

static void huge_shifts_and_hops_do_not_overflow(void **state)
{
    struct machine m;
    struct tmk_owner owner;

    (void)state;
    machine_init(&m, 1, 10, false);
    tmk_owner_init(&owner, &m.map, UINT64_MAX, TMK_OWNER_UNIT_RANK);
    /* 2^64 - 1 ends in 5 */
    assert_int_equal(tmk_owner_of(&owner, 9, 1), 4);
    assert_int_equal(tmk_owner_of(&owner, 9, UINT32_MAX), 4);
    assert_int_equal(tmk_owner_of(&owner, 9, UINT32_MAX - 1), 9);
    assert_int_equal(tmk_owner_visitor(&owner, 4, UINT32_MAX), 9);
    machine_fini(&m);
}

/* Owner and visitor are inverse, and each is a permutation. */
static void check_bijection(const struct tmk_owner *owner)
{
    uint32_t ranks = owner->map->ranks;
    bool *seen = calloc(ranks + 1, sizeof(*seen));

    assert_non_null(seen);
    for (unsigned hops = 0; hops < HOPS; hops++) {
        memset(seen, 0, ranks * sizeof(*seen));
        for (uint32_t rank = 0; rank < ranks; rank++) {
            uint32_t of = tmk_owner_of(owner, rank, hops);

            if (of >= ranks || seen[of] ||
                tmk_owner_visitor(owner, of, hops) != rank) {
                fail_msg("rank %u, %u hops: %u", rank, hops, of);
            }
            seen[of] = true;
        }
    }
    free(seen);
}

static void owner_and_visitor_are_inverse_on_every_map(void **state)
{
    static const uint64_t shifts[] = {0, 1, 2, 3, 4, 7, 1000, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(maps); i++) {
        struct tmk_owner_map map;
        uint32_t at[SMALL];
        uint32_t place[SMALL];

        assert_int_equal(
            tmk_owner_map_init(&map, maps[i].ranks, maps[i].node, at, place),
            0);
        for (size_t j = 0; j < COUNT(shifts); j++) {
            for (size_t u = 0; u < COUNT(units); u++) {
                struct tmk_owner owner;

                tmk_owner_init(&owner, &map, shifts[j], units[u]);
                check_bijection(&owner);
            }
        }
    }
}

static void a_hundred_thousand_ranks_on_uneven_nodes_are_looked_up(void **state)
{
    enum { RANKS = 100000, NODES = 1000 };
    struct machine m;

    (void)state;
    machine_init(&m, 1, RANKS, false);
    for (uint32_t rank = NODES; rank < RANKS; rank++) {
        uint32_t x = rank * 2654435761u % NODES; /* scattered, */

        m.node[rank] = x * x / NODES; /* and more on the lower nodes */
    }
    for (uint32_t rank = 0; rank < NODES; rank++) {
        m.node[rank] = rank;
    }
    assert_int_equal(tmk_owner_map_init(&m.map, RANKS, m.node, m.at, m.place),
                     0);
    assert_int_equal(m.map.nodes, NODES);
    assert_true(m.map.most_ranks > 2 * m.map.fewest_ranks);
    for (uint32_t i = 1; i < RANKS; i++) {
        uint32_t a = m.at[i - 1];
        uint32_t b = m.at[i];

        assert_true(m.node[a] < m.node[b] || (m.node[a] == m.node[b] && a < b));
    }
    for (size_t u = 0; u < COUNT(units); u++) {
        struct tmk_owner owner;

        tmk_owner_init(&owner, &m.map, 3, units[u]);
        check_bijection(&owner);
    }
    machine_fini(&m);
}

/* The share by sets: touched[node][item] after each phase of before[]. */
static double share_by_sets(const struct tmk_owner *owner, unsigned hops,
                            size_t n_before)
{
    const struct tmk_owner_map *map = owner->map;
    bool touched[SMALL][SMALL] = {{false}};
    uint32_t foreign = 0;

    for (size_t i = 0; i < n_before; i++) {
        for (uint32_t rank = 0; rank < map->ranks; rank++) {
            uint32_t of = tmk_owner_of(owner, rank, before[i]);

            touched[map->node[rank]][of] = true;
        }
    }
    for (uint32_t rank = 0; rank < map->ranks; rank++) {
        foreign += !touched[map->node[rank]][tmk_owner_of(owner, rank, hops)];
    }
    return (double)foreign / map->ranks;
}

static void the_foreign_share_is_that_of_a_set_computation(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(maps); i++) {
        struct tmk_owner_map map;
        uint32_t at[SMALL];
        uint32_t place[SMALL];

        assert_int_equal(
            tmk_owner_map_init(&map, maps[i].ranks, maps[i].node, at, place),
            0);
        for (uint64_t n = 0; n < 10; n++) {
            for (size_t u = 0; u < COUNT(units); u++) {
                struct tmk_owner owner;

                tmk_owner_init(&owner, &map, n, units[u]);
                for (unsigned hops = 0; hops < HOPS; hops++) {
                    for (size_t k = 0; k <= COUNT(before); k++) {
                        double share =
                            tmk_owner_foreign_share(&owner, hops, before, k);

                        assert_true(share == share_by_sets(&owner, hops, k));
                    }
                }
            }
        }
    }
}

/* The shares of stat, read and remove in one run. */
static void check_shares(const struct tmk_owner *owner, const double *want)
{
    for (unsigned hops = STAT; hops <= REMOVE; hops++) {
        double share = tmk_owner_foreign_share(owner, hops, before, hops);

        assert_true(share == want[hops - STAT]);
    }
}

static void known_rotations_have_their_known_shares(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        enum tmk_owner_unit unit;
        bool cyclic;
        uint64_t n;
        double shares[3];
    } rows[] = {
        /* -N <ranks per node> on two nodes rotates by nothing. */
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 4, {0, 0, 0}},
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 2, {0, 0, 0}},
        {2, 2, TMK_OWNER_UNIT_AUTO, false, 2, {0, 0, 0}},
        /* -N 1: another node stats, the creator's reads. */
        {2, 4, TMK_OWNER_UNIT_AUTO, false, 1, {1, 0, 0}},
        {2, 4, TMK_OWNER_UNIT_AUTO, true, 1, {1, 0, 0}},
        {3, 4, TMK_OWNER_UNIT_AUTO, false, 1, {1, 1, 0}},
        {4, 4, TMK_OWNER_UNIT_AUTO, false, 1, {1, 1, 1}},
        /* Ranks of one node in a row: only some leave it. */
        {2, 4, TMK_OWNER_UNIT_RANK, false, 1, {0.25, 0.25, 0.25}},
        {2, 4, TMK_OWNER_UNIT_RANK, false, 4, {1, 0, 0}},
        /* The next node, under any mapping. */
        {1, 4, TMK_OWNER_UNIT_NODE, false, 1, {0, 0, 0}},
        {2, 4, TMK_OWNER_UNIT_NODE, false, 1, {1, 0, 0}},
        {2, 4, TMK_OWNER_UNIT_NODE, true, 1, {1, 0, 0}},
        {3, 4, TMK_OWNER_UNIT_NODE, false, 1, {1, 1, 0}},
        {3, 4, TMK_OWNER_UNIT_NODE, true, 1, {1, 1, 0}},
        {4, 4, TMK_OWNER_UNIT_NODE, false, 1, {1, 1, 1}},
        {4, 4, TMK_OWNER_UNIT_NODE, true, 1, {1, 1, 1}},
        {5, 1, TMK_OWNER_UNIT_NODE, true, 1, {1, 1, 1}},
        /* Two nodes further on among four comes back after two hops. */
        {4, 2, TMK_OWNER_UNIT_NODE, true, 2, {1, 0, 0}},
        {4, 4, TMK_OWNER_UNIT_AUTO, false, 0, {0, 0, 0}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct machine m;
        struct tmk_owner owner;

        machine_init(&m, rows[i].nodes, rows[i].per_node, rows[i].cyclic);
        tmk_owner_init(&owner, &m.map, rows[i].n, rows[i].unit);
        check_shares(&owner, rows[i].shares);
        machine_fini(&m);
    }
}

static void
a_wrapped_block_rotation_on_a_cyclic_map_is_seen_through(void **state)
{
    static const double shares[] = {0, 0, 0};
    struct machine m;
    struct tmk_owner owner;

    (void)state;
    machine_init(&m, 2, 2, true);
    m.map.block = true; /* as on simulated nodes: stride 2 = own node */
    tmk_owner_init(&owner, &m.map, 1, TMK_OWNER_UNIT_AUTO);
    check_shares(&owner, shares);
    machine_fini(&m);
}

static void
the_node_unit_leaves_the_node_wherever_that_is_possible(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(maps); i++) {
        struct tmk_owner_map map;
        struct tmk_owner owner;
        uint32_t at[SMALL];
        uint32_t place[SMALL];
        double best = 1;

        assert_int_equal(
            tmk_owner_map_init(&map, maps[i].ranks, maps[i].node, at, place),
            0);
        if (2 * map.most_ranks > map.ranks) {
            /* Whoever is on the fullest node cannot all find others. */
            best = 2.0 * (map.ranks - map.most_ranks) / map.ranks;
        }
        tmk_owner_init(&owner, &map, 1, TMK_OWNER_UNIT_NODE);
        assert_true(tmk_owner_foreign_share(&owner, STAT, before, 1) == best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_counts_its_nodes_and_sorts_its_ring),
        cmocka_unit_test(nodes_that_are_not_numbered_without_gaps_are_refused),
        cmocka_unit_test(block_nodes_are_filled_one_by_one),
        cmocka_unit_test(a_stride_is_resolved_by_its_unit),
        cmocka_unit_test(the_automatic_unit_follows_host_names_not_nodes),
        cmocka_unit_test(phases_rotate_as_in_the_original),
        cmocka_unit_test(a_shift_of_more_than_all_ranks_wraps_around),
        cmocka_unit_test(huge_shifts_and_hops_do_not_overflow),
        cmocka_unit_test(owner_and_visitor_are_inverse_on_every_map),
        cmocka_unit_test(
            a_hundred_thousand_ranks_on_uneven_nodes_are_looked_up),
        cmocka_unit_test(the_foreign_share_is_that_of_a_set_computation),
        cmocka_unit_test(known_rotations_have_their_known_shares),
        cmocka_unit_test(
            a_wrapped_block_rotation_on_a_cyclic_map_is_seen_through),
        cmocka_unit_test(
            the_node_unit_leaves_the_node_wherever_that_is_possible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
