#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ior_tasks.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { MOST = 10000, SMALL = 64 };

/* A map with arrays of its own. */
struct machine {
    struct tmk_owner_map map;
    uint32_t node[MOST], at[MOST], place[MOST];
};

static void machine_init(struct machine *m, uint32_t ranks)
{
    assert_int_equal(
        tmk_owner_map_init(&m->map, ranks, m->node, m->at, m->place), 0);
}

static void blocks_init(struct machine *m, uint32_t nodes, uint32_t per_node)
{
    tmk_owner_block_nodes(m->node, nodes, per_node);
    machine_init(m, nodes * per_node);
}

/* Ranks dealt out in turn; the last nodes may have one less. */
static void turns_init(struct machine *m, uint32_t ranks, uint32_t nodes)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        m->node[rank] = rank % nodes;
    }
    machine_init(m, ranks);
}

/* Nodes of any sizes, ranks anywhere. */
static void uneven_init(struct machine *m, uint32_t ranks, uint32_t nodes,
                        uint32_t seed)
{
    uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + ranks;

    for (uint32_t rank = 0; rank < ranks; rank++) {
        z = z * UINT64_C(6364136223846793005) + 1442695040888963407;
        m->node[rank] = rank < nodes ? rank : (uint32_t)((z >> 40) % nodes);
        if (seed % 3 == 0 && (z >> 33) % 4 != 0 && rank >= nodes) {
            m->node[rank] = nodes / 2; /* one that is full */
        }
    }
    machine_init(m, ranks);
}

static struct tmk_ior_tasks tasks_of(const struct machine *m,
                                     enum tmk_ior_tasks_kind kind)
{
    return (struct tmk_ior_tasks){.map = &m->map, .kind = kind, .nodes_on = 1};
}

static void check_sources(const struct tmk_ior_tasks *tasks,
                          const uint32_t *want, uint32_t n)
{
    assert_true(n >= tasks->map->ranks);
    for (uint32_t rank = 0; rank < n && rank < tasks->map->ranks; rank++) {
        assert_int_equal(tmk_ior_tasks_source(tasks, rank, 0), want[rank]);
    }
}

static void check_permutation(const struct tmk_ior_tasks *tasks, int repetition)
{
    uint32_t ranks = tasks->map->ranks;
    bool *seen = calloc(ranks, sizeof(*seen));

    assert_non_null(seen);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t of = tmk_ior_tasks_source(tasks, rank, repetition);

        assert_true(of < ranks);
        assert_false(seen[of]);
        seen[of] = true;
    }
    free(seen);
}

/* Nodes from a rank's own to that of its source, upwards and round. */
static uint32_t distance(const struct tmk_ior_tasks *tasks, uint32_t rank,
                         int repetition)
{
    const struct tmk_owner_map *map = tasks->map;
    uint32_t of = tmk_ior_tasks_source(tasks, rank, repetition);

    return (map->node[of] + map->nodes - map->node[rank]) % map->nodes;
}

static uint32_t least_distance(const struct tmk_ior_tasks *tasks,
                               int repetition)
{
    uint32_t least = tasks->map->nodes;

    for (uint32_t rank = 0; rank < tasks->map->ranks; rank++) {
        uint32_t d = distance(tasks, rank, repetition);

        least = d < least ? d : least;
    }
    return least;
}

static uint32_t staying(const struct tmk_ior_tasks *tasks, int repetition)
{
    uint32_t n = 0;

    for (uint32_t rank = 0; rank < tasks->map->ranks; rank++) {
        n += distance(tasks, rank, repetition) == 0;
    }
    return n;
}

static void a_rank_reads_its_own_data_unless_told_otherwise(void **state)
{
    static const uint32_t want[] = {0, 1, 2, 3, 4, 5};
    static struct machine m;
    struct tmk_ior_tasks tasks;

    (void)state;
    blocks_init(&m, 3, 2);
    tasks = tasks_of(&m, TMK_IOR_TASKS_OWN);
    check_sources(&tasks, want, COUNT(want));
    assert_true(tmk_ior_tasks_foreign_share(&tasks, 0) == 0.0);
}

/* ---- constant ---- */

static void shifts_are_those_of_the_original(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        bool cyclic;
        uint64_t nodes_on;
        uint32_t want[8];
    } rows[] = {
        {3, 1, false, 1, {1, 2, 0}},
        {3, 1, false, 2, {2, 0, 1}},
        {3, 2, false, 1, {2, 3, 4, 5, 0, 1}},
        {3, 2, false, 2, {4, 5, 0, 1, 2, 3}},
        {2, 2, false, 2, {0, 1, 2, 3}},
        {1, 4, false, 1, {0, 1, 2, 3}},
        {1, 1, false, 1, {0}},
        {2, 2, true, 1, {1, 2, 3, 0}},
        {3, 2, true, 2, {2, 3, 4, 5, 0, 1}},
        {3, 2, false, 0, {0, 1, 2, 3, 4, 5}},
        /* 2^64 - 1 is a multiple of 3. */
        {3, 2, false, UINT64_MAX, {0, 1, 2, 3, 4, 5}},
        {3, 2, false, UINT64_MAX - 1, {4, 5, 0, 1, 2, 3}},
    };
    static struct machine m;

    (void)state;
    for (size_t i = 0; i < COUNT(rows) * 2; i++) {
        uint32_t nodes = rows[i / 2].nodes;
        struct tmk_ior_tasks tasks;

        if (rows[i / 2].cyclic) {
            turns_init(&m, nodes * rows[i / 2].per_node, nodes);
        } else {
            blocks_init(&m, nodes, rows[i / 2].per_node);
        }
        tasks = tasks_of(&m, TMK_IOR_TASKS_CONSTANT);
        tasks.nodes_on = rows[i / 2].nodes_on;
        tasks.original = i % 2 == 0;
        check_sources(&tasks, rows[i / 2].want, COUNT(rows[0].want));
    }
}

/* np 4, -N 3: the node of rank 0 still counts 4. */
static void the_original_shifts_by_ranks_that_take_no_part(void **state)
{
    static const uint32_t original[] = {1, 2, 0};
    static const uint32_t ours[] = {0, 1, 2};
    static struct machine m;
    struct tmk_ior_tasks tasks;

    (void)state;
    blocks_init(&m, 1, 3);
    tasks = tasks_of(&m, TMK_IOR_TASKS_CONSTANT);
    tasks.ranks_on_first = 4;
    check_sources(&tasks, ours, COUNT(ours));
    tasks.original = true;
    check_sources(&tasks, original, COUNT(original));
}

static void a_shift_meets_another_node_wherever_it_can(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t ranks = 1; ranks <= SMALL; ranks++) {
        for (uint32_t i = 0; i < 5 * ranks; i++) {
            struct tmk_ior_tasks tasks;
            uint32_t full;

            uneven_init(&m, ranks, 1 + i / 5, i);
            full = m.map.most_ranks;
            tasks = tasks_of(&m, TMK_IOR_TASKS_CONSTANT);
            check_permutation(&tasks, 0);
            assert_int_equal(staying(&tasks, 0),
                             2 * full > ranks ? 2 * full - ranks : 0);
        }
    }
}

static void nodes_of_a_size_are_met_q_nodes_further_on(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t i = 0; i < 8 * 5 * 2 * 10; i++) {
        uint32_t nodes = 1 + i % 8;
        uint32_t per_node = 1 + i / 8 % 5;
        struct tmk_ior_tasks tasks;

        if (i / 40 % 2 == 0) {
            blocks_init(&m, nodes, per_node);
        } else {
            turns_init(&m, nodes * per_node, nodes);
        }
        tasks = tasks_of(&m, TMK_IOR_TASKS_CONSTANT);
        tasks.nodes_on = i / 80;
        check_permutation(&tasks, 0);
        for (uint32_t rank = 0; rank < m.map.ranks; rank++) {
            assert_int_equal(distance(&tasks, rank, 0), i / 80 % nodes);
        }
    }
}

/* ---- random ---- */

/* How far all can get for sure. */
static uint32_t surely(const struct tmk_ior_tasks *tasks)
{
    const struct tmk_owner_map *map = tasks->map;
    uint64_t nodes = map->ranks / map->most_ranks - 1;

    nodes = tasks->nodes_on < nodes ? tasks->nodes_on : nodes;
    return (uint32_t)(nodes < map->nodes ? nodes : map->nodes - 1);
}

static void random_sources_are_a_permutation_as_far_off_as_asked(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t ranks = 1; ranks <= SMALL; ranks++) {
        for (uint32_t i = 0; i < 4 * ranks; i++) {
            struct tmk_ior_tasks tasks;
            uint32_t full;

            if (i % 4 == 0) {
                turns_init(&m, ranks, 1 + i / 4);
            } else {
                uneven_init(&m, ranks, 1 + i / 4, i);
            }
            full = m.map.most_ranks;
            tasks = tasks_of(&m, TMK_IOR_TASKS_RANDOM);
            for (tasks.nodes_on = 0; tasks.nodes_on < 9; tasks.nodes_on += 2) {
                tasks.seed = (int)i;
                tasks.nodes_on -= tasks.nodes_on == 2; /* 0 1 3 5 7 */
                check_permutation(&tasks, 0);
                assert_true(least_distance(&tasks, 0) >= surely(&tasks));
                if (tasks.nodes_on != 0 && 2 * full > ranks) {
                    assert_int_equal(staying(&tasks, 0), 2 * full - ranks);
                }
            }
        }
    }
}

static void nodes_of_a_size_are_passed_as_asked(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t i = 0; i < 8 * 5 * 9; i++) {
        uint32_t nodes = 1 + i % 8;
        uint64_t on = i / 40;
        struct tmk_ior_tasks tasks;

        blocks_init(&m, nodes, 1 + i / 8 % 5);
        tasks = tasks_of(&m, TMK_IOR_TASKS_RANDOM);
        tasks.nodes_on = on == 8 ? UINT64_MAX : on;
        for (tasks.seed = 0; tasks.seed < 10; tasks.seed++) {
            assert_true(least_distance(&tasks, 0) >=
                        (on < nodes ? on : nodes - 1));
        }
    }
}

/* How many ranks read the same in both. */
static uint32_t agreeing(const struct tmk_ior_tasks *a, int repetition_a,
                         const struct tmk_ior_tasks *b, int repetition_b)
{
    uint32_t same = 0;

    for (uint32_t rank = 0; rank < a->map->ranks; rank++) {
        same += tmk_ior_tasks_source(a, rank, repetition_a) ==
                tmk_ior_tasks_source(b, rank, repetition_b);
    }
    return same;
}

static void a_negative_seed_is_another_one_in_each_repetition(void **state)
{
    static const enum tmk_ior_tasks_kind kinds[] = {
        TMK_IOR_TASKS_RANDOM, TMK_IOR_TASKS_LEGACY, TMK_IOR_TASKS_SHUFFLE};
    enum { RANKS = 400 };
    static struct machine m;

    (void)state;
    blocks_init(&m, RANKS / 4, 4);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct tmk_ior_tasks fixed = tasks_of(&m, kinds[i]);
        struct tmk_ior_tasks moving = fixed;

        fixed.seed = 8;
        moving.seed = -7;
        assert_int_equal(agreeing(&fixed, 0, &fixed, 5), RANKS);
        assert_int_equal(agreeing(&fixed, 0, &moving, 1), RANKS);
        assert_true(agreeing(&fixed, 0, &moving, 0) < RANKS / 10);
        assert_true(agreeing(&moving, 1, &moving, 2) < RANKS / 10);
    }
}

/* Otherwise all of a node would wait for the same other one. */
static void ranks_of_a_node_are_spread_over_many(void **state)
{
    enum { NODES = 32, PER_NODE = 16 };
    static struct machine m;
    struct tmk_ior_tasks tasks;
    unsigned met = 0;

    (void)state;
    blocks_init(&m, NODES, PER_NODE);
    tasks = tasks_of(&m, TMK_IOR_TASKS_RANDOM);
    for (tasks.seed = 0; tasks.seed < 20; tasks.seed++) {
        for (uint32_t node = 0; node < NODES; node++) {
            bool seen[NODES] = {false};

            for (uint32_t i = 0; i < PER_NODE; i++) {
                uint32_t d = distance(&tasks, node * PER_NODE + i, 0);

                met += !seen[d];
                seen[d] = true;
            }
        }
    }
    /* 12.6 of 16, if each were drawn by itself */
    assert_true(met > 20 * NODES * 10);
}

static void ranks_on_one_node_read_in_any_order(void **state)
{
    enum { RANKS = 4, SEEDS = 4000 };
    static struct machine m;
    struct tmk_ior_tasks tasks;
    unsigned hits[RANKS][RANKS] = {{0}};

    (void)state;
    blocks_init(&m, 1, RANKS);
    tasks = tasks_of(&m, TMK_IOR_TASKS_RANDOM);
    for (tasks.seed = 0; tasks.seed < SEEDS; tasks.seed++) {
        for (uint32_t rank = 0; rank < RANKS; rank++) {
            hits[rank][tmk_ior_tasks_source(&tasks, rank, 0)]++;
        }
    }
    for (unsigned i = 0; i < RANKS * RANKS; i++) {
        assert_in_range(hits[i / RANKS][i % RANKS], SEEDS / RANKS - 150,
                        SEEDS / RANKS + 150);
    }
}

/* ---- the original's ---- */

static void random_sources_of_the_original_are_reproduced(void **state)
{
    static const uint32_t want[2][3] = {{1, 2, 1}, {1, 2, 0}};
    static struct machine m;

    (void)state;
    blocks_init(&m, 3, 1);
    for (int i = 0; i < 2; i++) {
        struct tmk_ior_tasks tasks =
            tasks_of(&m, i == 0 ? TMK_IOR_TASKS_LEGACY : TMK_IOR_TASKS_SHUFFLE);

        tasks.seed = 5;
        check_sources(&tasks, want[i], COUNT(want[i]));
    }
}

/* As bad as it is, it is the original's. */
static uint32_t libc_rand(void)
{
    return (uint32_t)rand(); /* NOLINT(cert-msc30-c,cert-msc50-cpp) */
}

static void legacy_sources_are_drawn_as_with_rand(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t nodes = 2 + i % 9;
        uint32_t per_node = 1 + i / 9;
        uint32_t ranks = nodes * per_node;
        struct tmk_ior_tasks tasks;
        uint32_t far;

        blocks_init(&m, nodes, per_node);
        tasks = tasks_of(&m, TMK_IOR_TASKS_LEGACY);
        tasks.nodes_on = i % 4;
        tasks.seed = (int)i - 100;
        far = i % 4 < nodes ? i % 4 : nodes - 1;
        for (uint32_t rank = 0; rank < ranks; rank++) {
            uint32_t further;

            srand(rank + (i < 100 ? 100 - i + 3 : i - 100));
            do {
                further = libc_rand() % ranks;
            } while (further < far * per_node);
            assert_int_equal(tmk_ior_tasks_source(&tasks, rank, 3),
                             (rank + further) % ranks);
        }
    }
}

/* -N 1 on three nodes: the original goes on for ever. */
static void legacy_draws_come_to_an_end(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t ranks = 1; ranks < 20; ranks++) {
        for (uint32_t nodes = 1; nodes <= ranks; nodes++) {
            struct tmk_ior_tasks tasks;

            turns_init(&m, ranks, nodes);
            tasks = tasks_of(&m, TMK_IOR_TASKS_LEGACY);
            tasks.ranks_on_first = 100;
            tasks.nodes_on = UINT64_MAX;
            for (uint32_t rank = 0; rank < ranks; rank++) {
                uint32_t of = tmk_ior_tasks_source(&tasks, rank, 0);

                assert_true(of < ranks);
                assert_true(nodes == 1 || of == (rank + ranks - 1) % ranks);
            }
        }
    }
}

static void a_shuffle_is_drawn_as_with_rand(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 10, 4096, 4097, 4098, 8193, MOST};
    static uint32_t want[MOST];
    static struct machine m;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        uint32_t ranks = sizes[i];
        struct tmk_ior_tasks tasks;

        blocks_init(&m, ranks, 1);
        tasks = tasks_of(&m, TMK_IOR_TASKS_SHUFFLE);
        tasks.seed = (int)i;
        srand((unsigned)i);
        for (uint32_t rank = 0; rank < ranks; rank++) {
            want[rank] = rank;
        }
        for (uint32_t k = 0; k + 1 < ranks; k++) {
            uint32_t other = k + libc_rand() % (ranks - k);
            uint32_t kept = want[k];

            want[k] = want[other];
            want[other] = kept;
        }
        for (uint32_t rank = 0; rank < ranks;
             rank += 1 + (rank > 5 && rank + 5 < ranks) * (ranks / 1000)) {
            assert_int_equal(tmk_ior_tasks_source(&tasks, rank, 0), want[rank]);
        }
    }
}

/* ---- about all ranks ---- */

static void the_foreign_share_counts_what_another_node_wrote(void **state)
{
    static struct machine m;

    (void)state;
    for (uint32_t i = 0; i < 300; i++) {
        for (int kind = 0; kind <= TMK_IOR_TASKS_SHUFFLE; kind++) {
            struct tmk_ior_tasks tasks;
            double share;

            uneven_init(&m, 1 + i % 30, 1 + i % 30 / 3, i);
            tasks = tasks_of(&m, (enum tmk_ior_tasks_kind)kind);
            tasks.seed = (int)i;
            share = tmk_ior_tasks_foreign_share(&tasks, 2);
            assert_true(share * m.map.ranks + staying(&tasks, 2) ==
                        m.map.ranks);
        }
    }
}

static void files_are_counted_by_how_often_they_are_read(void **state)
{
    static const struct {
        enum tmk_ior_tasks_kind kind;
        uint32_t n;
        uint64_t want[4];
    } rows[] = {
        {TMK_IOR_TASKS_LEGACY, 4, {1, 1, 1, 0}},
        {TMK_IOR_TASKS_LEGACY, 2, {1, 2, 9, 9}},
        {TMK_IOR_TASKS_LEGACY, 1, {3, 9, 9, 9}},
        {TMK_IOR_TASKS_LEGACY, 0, {9, 9, 9, 9}},
        {TMK_IOR_TASKS_SHUFFLE, 4, {0, 3, 0, 0}},
        {TMK_IOR_TASKS_RANDOM, 2, {0, 3, 9, 9}},
        {TMK_IOR_TASKS_CONSTANT, 1, {3, 9, 9, 9}},
        {TMK_IOR_TASKS_OWN, 3, {0, 3, 0, 9}},
    };
    static struct machine m;

    (void)state;
    blocks_init(&m, 3, 1);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_ior_tasks tasks = tasks_of(&m, rows[i].kind);
        uint64_t hits[4] = {9, 9, 9, 9};

        tasks.seed = 5;
        tmk_ior_tasks_hits(&tasks, 0, hits, rows[i].n);
        assert_memory_equal(hits, rows[i].want, sizeof(hits));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rank_reads_its_own_data_unless_told_otherwise),
        cmocka_unit_test(shifts_are_those_of_the_original),
        cmocka_unit_test(the_original_shifts_by_ranks_that_take_no_part),
        cmocka_unit_test(a_shift_meets_another_node_wherever_it_can),
        cmocka_unit_test(nodes_of_a_size_are_met_q_nodes_further_on),
        cmocka_unit_test(random_sources_are_a_permutation_as_far_off_as_asked),
        cmocka_unit_test(nodes_of_a_size_are_passed_as_asked),
        cmocka_unit_test(a_negative_seed_is_another_one_in_each_repetition),
        cmocka_unit_test(ranks_of_a_node_are_spread_over_many),
        cmocka_unit_test(ranks_on_one_node_read_in_any_order),
        cmocka_unit_test(random_sources_of_the_original_are_reproduced),
        cmocka_unit_test(legacy_sources_are_drawn_as_with_rand),
        cmocka_unit_test(legacy_draws_come_to_an_end),
        cmocka_unit_test(a_shuffle_is_drawn_as_with_rand),
        cmocka_unit_test(the_foreign_share_counts_what_another_node_wrote),
        cmocka_unit_test(files_are_counted_by_how_often_they_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
