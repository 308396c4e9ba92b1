#include "mpi/ranks.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/layout.h"

/* MPI's own word: the lowest rank of this rank's node, and its ranks. */
static uint32_t lowest_of_node(int *ranks)
{
    MPI_Comm node;
    uint32_t lowest = (uint32_t)ranks_rank();

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks_rank(),
                        MPI_INFO_NULL, &node);
    MPI_Comm_size(node, ranks);
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_UINT32_T, MPI_MIN, node);
    MPI_Comm_free(&node);
    return lowest;
}

static int init(void **state)
{
    struct tmk_layout *layout = calloc(1, sizeof(*layout));

    *state = layout;
    return layout != NULL ? tmk_layout_init_all(layout, MPI_COMM_WORLD) : -1;
}

/* As in a large job: the map in memory that a node shares. */
static int init_shared(void **state)
{
    struct tmk_layout *layout = calloc(1, sizeof(*layout));

    *state = layout;
    return layout != NULL ? tmk_layout_init_limit_all(layout, MPI_COMM_WORLD, 0)
                          : -1;
}

static int fini(void **state)
{
    struct tmk_layout *layout = *state;

    tmk_layout_fini_all(layout);
    tmk_layout_fini_all(layout); /* again is fine */
    free(layout);
    return 0;
}

static void ranks_are_on_the_node_that_mpi_says(void **state)
{
    const struct tmk_layout *layout = *state;
    uint32_t p = (uint32_t)ranks_size();
    uint32_t *lowest = calloc(p, sizeof(*lowest));
    uint32_t next = 0;
    uint32_t mine;
    int ranks;

    assert_non_null(lowest);
    mine = lowest_of_node(&ranks);
    MPI_Allgather(&mine, 1, MPI_UINT32_T, lowest, 1, MPI_UINT32_T,
                  MPI_COMM_WORLD);
    assert_int_equal(layout->map.ranks, p);
    for (uint32_t r = 0; r < p; r++) {
        /* Nodes are numbered by their lowest rank. */
        uint32_t want = lowest[r] == r ? next++ : layout->map.node[lowest[r]];

        assert_int_equal(layout->map.node[r], want);
    }
    assert_int_equal(layout->map.nodes, next);
    assert_int_equal(layout->node, layout->map.node[ranks_rank()]);
    assert_int_equal(layout->leads_node, mine == (uint32_t)ranks_rank());
    assert_int_equal(layout->ranks_on_node, ranks);
    free(lowest);
}

static void every_rank_sees_the_same_map(void **state)
{
    const struct tmk_layout *layout = *state;
    const struct tmk_owner_map *map = &layout->map;
    const uint32_t *const arrays[] = {map->node, map->at, map->place};
    size_t bytes = map->ranks * sizeof(uint32_t);
    uint32_t *of_rank_0 = malloc(bytes);
    uint32_t counts[6] = {map->ranks,        map->nodes,
                          map->block,        map->most_ranks,
                          map->fewest_ranks, map->first_node_ranks};
    uint32_t counts_0[6];

    assert_non_null(of_rank_0);
    for (int i = 0; i < 3; i++) {
        memcpy(of_rank_0, arrays[i], bytes);
        MPI_Bcast(of_rank_0, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        assert_memory_equal(of_rank_0, arrays[i], bytes);
    }
    memcpy(counts_0, counts, sizeof(counts));
    MPI_Bcast(counts_0, 6, MPI_UINT32_T, 0, MPI_COMM_WORLD);
    assert_memory_equal(counts_0, counts, sizeof(counts));
    free(of_rank_0);
}

static void the_ring_is_sorted_by_node_and_place_is_its_inverse(void **state)
{
    const struct tmk_layout *layout = *state;
    const struct tmk_owner_map *map = &layout->map;

    for (uint32_t i = 0; i < map->ranks; i++) {
        assert_true(map->at[i] < map->ranks);
        assert_int_equal(map->place[map->at[i]], i);
        assert_int_equal(map->at[map->place[i]], i);
        if (i > 0) {
            uint32_t a = map->at[i - 1];
            uint32_t b = map->at[i];

            assert_true(map->node[a] < map->node[b] ||
                        (map->node[a] == map->node[b] && a < b));
        }
    }
}

static void counts_of_ranks_are_those_of_the_map(void **state)
{
    const struct tmk_layout *layout = *state;
    const struct tmk_owner_map *map = &layout->map;
    uint32_t most = 0;
    uint32_t fewest = map->ranks;

    for (uint32_t node = 0; node < map->nodes; node++) {
        uint32_t n = 0;

        for (uint32_t r = 0; r < map->ranks; r++) {
            n += map->node[r] == node;
        }
        most = n > most ? n : most;
        fewest = n < fewest ? n : fewest;
        if (node == 0) {
            assert_int_equal(map->first_node_ranks, n);
        }
        if (node == layout->node) {
            assert_int_equal(layout->ranks_on_node, n);
        }
    }
    assert_int_equal(map->most_ranks, most);
    assert_int_equal(map->fewest_ranks, fewest);
}

static void there_is_one_leader_for_each_node(void **state)
{
    const struct tmk_layout *layout = *state;
    int leaders = layout->leads_node;

    MPI_Allreduce(MPI_IN_PLACE, &leaders, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(leaders, layout->map.nodes);
}

/* As many ranks as cores do without yielding; one node is enough. */
static void all_yield_where_ranks_outnumber_cores(void **state)
{
    const struct tmk_layout *layout = *state;
    int crowded = layout->ranks_on_kernel > layout->cores;
    int yields[2] = {layout->yields, !layout->yields};

    assert_true(layout->cores >= 1);
    assert_true(layout->ranks_on_kernel >= layout->ranks_on_node);
    MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    assert_true(layout->yields || !crowded);
    if (layout->nodes_on_kernel == 1) {
        assert_int_equal(layout->yields, crowded);
        assert_int_equal(layout->ranks_on_kernel, layout->ranks_on_node);
    }
    MPI_Allreduce(MPI_IN_PLACE, yields, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    assert_int_equal(yields[0] + yields[1], 1); /* all or none */
}

static void ranks_of_a_node_share_its_host_and_its_cores(void **state)
{
    const struct tmk_layout *layout = *state;
    char host[TMK_LAYOUT_HOST_SIZE];
    int cores = layout->cores;
    MPI_Comm node;

    MPI_Comm_split(MPI_COMM_WORLD, (int)layout->node, ranks_rank(), &node);
    memcpy(host, layout->host, sizeof(host));
    assert_true(strlen(host) > 0);
    MPI_Bcast(host, (int)sizeof(host), MPI_CHAR, 0, node);
    MPI_Bcast(&cores, 1, MPI_INT, 0, node);
    assert_string_equal(host, layout->host);
    assert_int_equal(cores, layout->cores);
    MPI_Comm_free(&node);
}

static void block_says_whether_rank_1_has_the_host_of_rank_0(void **state)
{
    const struct tmk_layout *layout = *state;
    char hosts[2][TMK_LAYOUT_HOST_SIZE] = {{0}};

    for (int r = 0; r < 2 && r < ranks_size(); r++) {
        memcpy(hosts[r], layout->host, sizeof(hosts[r]));
        MPI_Bcast(hosts[r], (int)sizeof(hosts[r]), MPI_CHAR, r, MPI_COMM_WORLD);
    }
    assert_int_equal(layout->map.block, strcmp(hosts[0], hosts[1]) == 0);
}

/* -N node: whoever follows sits on another node, if nodes are equally full. */
static void the_next_node_is_another_one(void **state)
{
    const struct tmk_layout *layout = *state;
    const struct tmk_owner_map *map = &layout->map;
    struct tmk_owner owner;
    uint32_t rank = (uint32_t)ranks_rank();
    uint32_t of;

    tmk_owner_init(&owner, map, 1, TMK_OWNER_UNIT_NODE);
    of = tmk_owner_of(&owner, rank, 1);
    assert_int_equal(tmk_owner_visitor(&owner, of, 1), rank);
    if (map->nodes > 1 && 2 * map->most_ranks <= map->ranks) {
        assert_int_not_equal(map->node[of], layout->node);
    }
}

/* Some ranks, in reverse: nodes are numbered anew. */
static void a_layout_of_a_part_is_its_own(void **state)
{
    const struct tmk_layout *whole = *state;
    struct tmk_layout part;
    MPI_Comm comm;
    int size = ranks_size();
    int half = (size + 1) / 2;

    MPI_Comm_split(MPI_COMM_WORLD, ranks_rank() < half, -ranks_rank(), &comm);
    assert_int_equal(tmk_layout_init_all(&part, comm), 0);
    assert_int_equal(part.map.ranks, ranks_rank() < half ? half : size - half);
    assert_int_equal(part.map.node[0], 0);
    assert_string_equal(part.host, whole->host);
    for (uint32_t r = 0; r < part.map.ranks; r++) {
        assert_int_equal(part.map.at[part.map.place[r]], r);
    }
    tmk_layout_fini_all(&part);
    MPI_Comm_free(&comm);
}

static void layouts_come_and_go(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tmk_layout layout;

        assert_int_equal(tmk_layout_init_all(&layout, MPI_COMM_WORLD), 0);
        tmk_layout_fini_all(&layout);
    }
}

/* Names are made up, because simulated nodes share one. */
static void rank_0_knows_the_host_of_each_rank(void **state)
{
    struct tmk_layout *layout = *state;
    const struct tmk_layout before = *layout;
    struct tmk_layout part = *layout;

    assert_string_equal(tmk_layout_host_of(layout, 0), "unknown");
    (void)snprintf(layout->host, sizeof(layout->host), "node%u", layout->node);
    assert_int_equal(tmk_layout_hosts_all(layout, MPI_COMM_WORLD), 0);
    tmk_layout_borrow_hosts(&part, layout);
    for (int r = 0; r < ranks_size(); r++) {
        char want[TMK_LAYOUT_HOST_SIZE] = "unknown";

        if (ranks_rank() == 0) {
            (void)snprintf(want, sizeof(want), "node%u", layout->map.node[r]);
        }
        assert_string_equal(tmk_layout_host_of(layout, r), want);
        assert_string_equal(tmk_layout_host_of(&part, r), want);
    }
    memcpy(layout->host, before.host, sizeof(layout->host));
}

/* For tests/e2e/nodes.sh, which knows what it should be. */
static void the_map_can_be_printed(void **state)
{
    const struct tmk_layout *layout = *state;

    if (ranks_rank() == 0) {
        print_message("node of each rank:");
        for (uint32_t r = 0; r < layout->map.ranks; r++) {
            print_message(" %u", (unsigned)layout->map.node[r]);
        }
        print_message("\nnodes of this kernel: %d\n", layout->nodes_on_kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_on_the_node_that_mpi_says),
        cmocka_unit_test(every_rank_sees_the_same_map),
        cmocka_unit_test(the_ring_is_sorted_by_node_and_place_is_its_inverse),
        cmocka_unit_test(counts_of_ranks_are_those_of_the_map),
        cmocka_unit_test(there_is_one_leader_for_each_node),
        cmocka_unit_test(all_yield_where_ranks_outnumber_cores),
        cmocka_unit_test(ranks_of_a_node_share_its_host_and_its_cores),
        cmocka_unit_test(block_says_whether_rank_1_has_the_host_of_rank_0),
        cmocka_unit_test(the_next_node_is_another_one),
        cmocka_unit_test(a_layout_of_a_part_is_its_own),
        cmocka_unit_test(layouts_come_and_go),
        cmocka_unit_test(rank_0_knows_the_host_of_each_rank),
        cmocka_unit_test(the_map_can_be_printed),
    };

    int failed;

    ranks_begin();
    failed = cmocka_run_group_tests_name("private map", tests, init, fini);
    failed +=
        cmocka_run_group_tests_name("shared map", tests, init_shared, fini);
    return ranks_end(failed);
}
