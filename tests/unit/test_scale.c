/*
 * The points of a study, and what is read from them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/scale_judge.h"
#include "bench/scale_plan.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { RANKS_MAX = 16 };

/* A machine. */
struct machine {
    uint32_t node[RANKS_MAX], at[RANKS_MAX], place[RANKS_MAX];
    struct tmk_owner_map map;
    struct tmk_scale_places places;
};

/* "0011": the node of each rank. */
static void build(struct machine *m, const char *nodes)
{
    for (size_t i = 0; nodes[i] != '\0'; i++) {
        m->node[i] = (uint32_t)(nodes[i] - '0');
    }
    assert_int_equal(tmk_owner_map_init(&m->map, (uint32_t)strlen(nodes),
                                        m->node, m->at, m->place),
                     0);
    assert_int_equal(tmk_scale_places_init(&m->places, &m->map), 0);
}

static void lists_are_numbers_and_doublings(void **state)
{
    static const struct {
        const char *text;
        unsigned n; /* 0 = refused */
        uint32_t first, last;
    } rows[] = {
        {"1", 1, 1, 1},    {"1,2,4", 3, 1, 4}, {"4,1", 2, 4, 1},
        {"1..8", 4, 1, 8}, {"1..6", 4, 1, 6},  {"1,2,4..512", 10, 1, 512},
        {"3..3", 1, 3, 3}, {"2,2,2", 1, 2, 2}, {"", 0, 0, 0},
        {"0", 0, 0, 0},    {"1,", 0, 0, 0},    {",1", 0, 0, 0},
        {"a", 0, 0, 0},    {"1..", 0, 0, 0},   {"4..1", 0, 0, 0},
        {"-1", 0, 0, 0},   {"1 2", 0, 0, 0},   {"99999999999", 0, 0, 0},
        {"1.5", 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_list list;
        int err = tmk_scale_list_parse(&list, rows[i].text);

        assert_int_equal(err, rows[i].n == 0 ? -EINVAL : 0);
        if (err == 0) {
            assert_int_equal(list.n, rows[i].n);
            assert_int_equal(list.values[0], rows[i].first);
            assert_int_equal(list.values[list.n - 1], rows[i].last);
        }
    }
}

static void check_members(const struct machine *m,
                          const struct tmk_scale_point *point, const char *want)
{
    char got[RANKS_MAX + 1] = "";

    for (uint32_t i = 0; i < m->map.ranks; i++) {
        got[i] = tmk_scale_point_has(point, &m->places, i) ? 'x' : '.';
    }
    assert_string_equal(got, want);
}

static void a_grid_takes_the_first_ranks_of_the_first_nodes(void **state)
{
    struct machine m;
    struct tmk_scale_plan plan;
    struct tmk_scale_ask ask = {.variants = 1};
    char why[256];

    (void)state;
    build(&m, "00112233");
    assert_int_equal(
        tmk_scale_plan_make(&plan, &ask, &m.places, why, sizeof(why)), 0);
    assert_int_equal(plan.n, 6);
    check_members(&m, &plan.points[0], "x.......");
    check_members(&m, &plan.points[1], "x.x.....");
    check_members(&m, &plan.points[2], "x.x.x.x.");
    check_members(&m, &plan.points[3], "xx......");
    check_members(&m, &plan.points[5], "xxxxxxxx");
    assert_int_equal(plan.points[4].ranks, 4);
    tmk_scale_places_fini(&m.places);

    /* Cyclic, and uneven: not all points of the default are there. */
    build(&m, "0101010");
    assert_int_equal(
        tmk_scale_plan_make(&plan, &ask, &m.places, why, sizeof(why)), 0);
    check_members(&m, &plan.points[1], "xx.....");
    assert_int_equal(plan.n, 5);
    assert_int_equal(plan.points[4].nodes, 1);
    assert_int_equal(plan.points[4].ppn, 4);
    check_members(&m, &plan.points[4], "x.x.x.x");
    tmk_scale_places_fini(&m.places);
}

static void a_path_fills_nodes_or_deals_ranks_out(void **state)
{
    struct machine m;
    struct tmk_scale_plan plan;
    struct tmk_scale_ask ask = {.variants = 1, .map = TMK_SCALE_SPREAD};
    char why[256];

    (void)state;
    build(&m, "000112");
    assert_int_equal(tmk_scale_list_parse(&ask.ranks, "1,3,4,6"), 0);
    assert_int_equal(
        tmk_scale_plan_make(&plan, &ask, &m.places, why, sizeof(why)), 0);
    check_members(&m, &plan.points[0], "x.....");
    check_members(&m, &plan.points[1], "x..x.x");
    check_members(&m, &plan.points[2], "xx.x.x");
    check_members(&m, &plan.points[3], "xxxxxx");
    assert_int_equal(plan.points[2].nodes, 3);
    assert_int_equal(plan.points[2].ppn, 2);
    ask.map = TMK_SCALE_PACK;
    assert_int_equal(
        tmk_scale_plan_make(&plan, &ask, &m.places, why, sizeof(why)), 0);
    check_members(&m, &plan.points[1], "xxx...");
    check_members(&m, &plan.points[2], "xxxx..");
    assert_int_equal(plan.points[2].nodes, 2);
    assert_int_equal(plan.points[2].ppn, 3);
    tmk_scale_places_fini(&m.places);
}

static void more_than_there_is_is_refused(void **state)
{
    static const struct {
        const char *nodes, *ppn, *ranks, *why;
    } rows[] = {
        {"4", NULL, NULL, "--nodes: 4: there are 2"},
        {NULL, "3", NULL, "--ppn: 3: one of the first 2 nodes has 2 ranks"},
        {NULL, NULL, "6", "--ranks: 6: there are 5"},
        {"1", NULL, "2",
         "--ranks is a path, --nodes and --ppn a grid: one of "
         "the two"},
    };
    struct machine m;

    (void)state;
    build(&m, "00011");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_plan plan;
        struct tmk_scale_ask ask = {.variants = 1};
        char why[256] = "";

        if (rows[i].nodes != NULL) {
            (void)tmk_scale_list_parse(&ask.nodes, rows[i].nodes);
        }
        if (rows[i].ppn != NULL) {
            (void)tmk_scale_list_parse(&ask.ppn, rows[i].ppn);
        }
        if (rows[i].ranks != NULL) {
            (void)tmk_scale_list_parse(&ask.ranks, rows[i].ranks);
        }
        assert_int_equal(
            tmk_scale_plan_make(&plan, &ask, &m.places, why, sizeof(why)),
            -EINVAL);
        assert_string_equal(why, rows[i].why);
    }
    tmk_scale_places_fini(&m.places);
}

static void totals_are_shared_in_whole_units(void **state)
{
    uint64_t left;

    (void)state;
    assert_int_equal(tmk_scale_share(2097152, 512, 1, &left), 4096);
    assert_int_equal(left, 0);
    assert_int_equal(tmk_scale_share(10, 3, 1, &left), 3);
    assert_int_equal(left, 1);
    assert_int_equal(tmk_scale_share(100, 3, 16, &left), 32);
    assert_int_equal(left, 4);
    assert_int_equal(tmk_scale_share(2, 8, 1, &left), 1);
    assert_int_equal(left, 0);
}

/* A published study: -n 16000 -i 3 -p 10 -F -u -N 2 on a Lustre file system. */
static void a_published_study_says_what_its_author_says(void **state)
{
    static const double rates[][4] = {{3723, 3524, 6487, 6211},
                                      {10222, 18005, 17277, 34348},
                                      {6764, 6558, 11435, 11389},
                                      {4520, 4308, 4202, 5002}};
    static const char *const said[] = {
        "by nodes, x1.0 with ranks per node, x1.8 with nodes",
        "by ranks, x1.9 with ranks per node, x1.8 with nodes",
        "by nodes, x1.0 with ranks per node, x1.7 with nodes",
        "by what all share, x1.1 with ranks per node, x1.0 with nodes"};

    (void)state;
    for (size_t i = 0; i < COUNT(rates); i++) {
        const struct tmk_scale_value values[] = {{1, 4, 4, rates[i][0]},
                                                 {1, 8, 8, rates[i][1]},
                                                 {2, 4, 8, rates[i][2]},
                                                 {2, 8, 16, rates[i][3]}};
        struct tmk_scale_bound bound = tmk_scale_bound_of(values, 4);
        char text[128];

        tmk_scale_bound_say(&bound, text, sizeof(text));
        assert_string_equal(text, said[i]);
    }
}

static void one_axis_says_less(void **state)
{
    static const struct tmk_scale_value values[] = {{1, 1, 1, 10},
                                                    {4, 1, 4, 40}};
    struct tmk_scale_bound bound = tmk_scale_bound_of(values, 2);
    char text[128];

    (void)state;
    tmk_scale_bound_say(&bound, text, sizeof(text));
    assert_string_equal(text, "by nodes or ranks, x2.0 with nodes");
    bound = tmk_scale_bound_of(values, 1);
    tmk_scale_bound_say(&bound, text, sizeof(text));
    assert_string_equal(text, "not seen: it takes points that differ in nodes "
                              "alone, or in ranks per node alone");
}

static void the_peak_is_reached_with_the_least_ranks(void **state)
{
    static const struct tmk_scale_value values[] = {
        {1, 1, 1, 50},  {1, 2, 2, 96},  {1, 4, 4, 100},  {2, 1, 2, 90},
        {2, 2, 4, 180}, {2, 4, 8, 185}, {2, 8, 16, 170},
    };

    (void)state;
    assert_int_equal(tmk_scale_peak(values, COUNT(values), true), 1);
    assert_int_equal(tmk_scale_peak(values, COUNT(values), false), 4);
    assert_int_equal(tmk_scale_peak(values, 0, true), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_numbers_and_doublings),
        cmocka_unit_test(a_grid_takes_the_first_ranks_of_the_first_nodes),
        cmocka_unit_test(a_path_fills_nodes_or_deals_ranks_out),
        cmocka_unit_test(more_than_there_is_is_refused),
        cmocka_unit_test(totals_are_shared_in_whole_units),
        cmocka_unit_test(a_published_study_says_what_its_author_says),
        cmocka_unit_test(one_axis_says_less),
        cmocka_unit_test(the_peak_is_reached_with_the_least_ranks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
