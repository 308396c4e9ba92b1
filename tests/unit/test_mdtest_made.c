#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "base/mix.h"
#include "bench/mdtest_made.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { MOST = TMK_MDTEST_HOLES_MAX, POSITIONS_MAX = 3000 };

/* The same thing, item by item. */
struct model {
    uint64_t n; /* attempted */
    bool failed[POSITIONS_MAX];
    uint64_t end; /* nothing from here on is visited */
};

static uint64_t next_random(uint64_t *state)
{
    *state += tmk_mix_step;
    return tmk_mix(*state);
}

static uint64_t below(uint64_t *state, uint64_t n)
{
    return next_random(state) % n;
}

/* n positions of which about one in `every` fails; 0: none does. */
static void model_init(struct model *m, uint64_t n, uint64_t every,
                       uint64_t *random)
{
    uint64_t holes = 0;

    assert_true(n <= POSITIONS_MAX);
    *m = (struct model){.n = n, .end = n};
    for (uint64_t i = 0; i < n; i++) {
        m->failed[i] = every != 0 && below(random, every) == 0;
        holes += m->failed[i];
        if (m->failed[i] && holes == MOST + 1) {
            m->end = i;
        }
    }
}

/* Create as a phase does, the end being told after each of some parts. */
static void create(const struct model *m, uint64_t parts,
                   struct tmk_mdtest_made *made)
{
    *made = (struct tmk_mdtest_made){0};
    for (uint64_t k = 0; k < parts; k++) {
        for (uint64_t i = m->n * k / parts; i < m->n * (k + 1) / parts; i++) {
            if (m->failed[i]) {
                tmk_mdtest_made_miss(made, i);
            }
        }
        tmk_mdtest_made_end(made, m->n * (k + 1) / parts);
    }
}

static bool is_there(const struct model *m, uint64_t position)
{
    return position < m->end && !m->failed[position];
}

/* How many of n positions from `first` on are. */
static uint64_t there_of(const struct model *m, uint64_t first, uint64_t n)
{
    uint64_t there = 0;

    for (uint64_t i = first; i < m->n && i - first < n; i++) {
        there += is_there(m, i);
    }
    return there;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void check(const struct tmk_mdtest_made *made, const struct model *m,
                  uint64_t *random)
{
    uint64_t failed = 0;

    assert_int_equal(made->count, m->end);
    assert_int_equal(made->attempted, m->n);
    for (uint64_t i = 0; i < m->n; i++) {
        failed += m->failed[i];
        assert_int_equal(tmk_mdtest_made_is_hole(made, i),
                         i < m->end && m->failed[i]);
    }
    assert_int_equal(made->n_holes, failed);
    for (int i = 0; i < 50; i++) {
        uint64_t first = below(random, m->n + 10);
        uint64_t n = below(random, m->n + 10);

        assert_int_equal(tmk_mdtest_made_within(made, first, n),
                         there_of(m, first, n));
    }
    assert_int_equal(tmk_mdtest_made_within(made, 0, UINT64_MAX),
                     there_of(m, 0, UINT64_MAX));
}

/* From no failures at all to far more than are kept. */
static const uint64_t frequencies[] = {0, 1000, 100, 20, 9, 4, 2, 1};

static void what_was_made_is_known_item_by_item(void **state)
{
    uint64_t random = 1;

    (void)state;
    for (int i = 0; i < 400; i++) {
        uint64_t every = frequencies[below(&random, COUNT(frequencies))];
        uint64_t n = below(&random, i % 2 == 0 ? 50 : POSITIONS_MAX);
        struct tmk_mdtest_made made;
        struct model m;

        model_init(&m, n, every, &random);
        create(&m, 1 + below(&random, 4), &made);
        check(&made, &m, &random);
    }
}

/* `n` positions of which the first `holes` odd ones failed. */
static void make_with_holes(struct tmk_mdtest_made *made, uint64_t n,
                            uint64_t holes)
{
    *made = (struct tmk_mdtest_made){0};
    for (uint64_t i = 0; i < holes; i++) {
        tmk_mdtest_made_miss(made, 2 * i + 1);
    }
    tmk_mdtest_made_end(made, n);
}

static void behind_the_first_hole_too_many_nothing_is_visited(void **state)
{
    static const struct {
        uint64_t holes, count, there;
    } rows[] = {
        {0, 1000, 1000},
        {1, 1000, 999},
        {MOST - 1, 1000, 1000 - (MOST - 1)},
        {MOST, 1000, 1000 - MOST},
        {MOST + 1, 2 * MOST + 1, MOST + 1}, /* where the next hole is */
        {MOST + 2, 2 * MOST + 1, MOST + 1},
        {2 * MOST - 20, 2 * MOST + 1, MOST + 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_made made;

        make_with_holes(&made, 1000, rows[i].holes);
        assert_int_equal(made.attempted, 1000);
        assert_int_equal(made.n_holes, rows[i].holes);
        assert_int_equal(made.count, rows[i].count);
        assert_int_equal(tmk_mdtest_made_within(&made, 0, 1000), rows[i].there);
        assert_false(tmk_mdtest_made_is_hole(&made, 2 * MOST + 1));
    }
}

static void nothing_made_has_neither_items_nor_holes(void **state)
{
    struct tmk_mdtest_made made = {0};
    struct tmk_mdtest_made part;

    (void)state;
    assert_false(tmk_mdtest_made_is_hole(&made, 0));
    assert_int_equal(tmk_mdtest_made_within(&made, 0, 100), 0);
    assert_int_equal(tmk_mdtest_made_within(&made, 5, 0), 0);
    tmk_mdtest_made_part(&made, 3, 10, &part);
    assert_int_equal(part.count, 0);
    assert_int_equal(part.attempted, 0);
    assert_int_equal(part.n_holes, 0);
    tmk_mdtest_made_for(&made, 1, 3, 5, &part);
    assert_int_equal(part.count, 0);
    assert_int_equal(part.attempted, 0);
    assert_int_equal(part.n_holes, 0);
}

static void a_part_is_what_the_whole_says_of_it(void **state)
{
    uint64_t random = 2;

    (void)state;
    for (int i = 0; i < 400; i++) {
        uint64_t every = frequencies[below(&random, COUNT(frequencies))];
        uint64_t n = below(&random, POSITIONS_MAX);
        struct tmk_mdtest_made made;
        struct tmk_mdtest_made part;
        struct model m;
        uint64_t first;
        uint64_t holes = 0;

        model_init(&m, n, every, &random);
        create(&m, 1, &made);
        first = below(&random, n + 5);
        n = below(&random, n + 5);
        tmk_mdtest_made_part(&made, first, n, &part);
        assert_int_equal(part.count,
                         least(n, m.end > first ? m.end - first : 0));
        assert_int_equal(part.attempted,
                         least(n, m.n > first ? m.n - first : 0));
        for (uint64_t k = 0; k < part.count; k++) {
            holes += m.failed[first + k];
            assert_int_equal(tmk_mdtest_made_is_hole(&part, k),
                             m.failed[first + k]);
        }
        assert_int_equal(part.n_holes, holes);
        assert_int_equal(tmk_mdtest_made_within(&part, 0, n),
                         there_of(&m, first, n));
    }
}

/* Of the items that rank 0 went through for all, those of one owner. */
static void model_for(const struct model *all, uint64_t owner, uint64_t owners,
                      uint64_t slots, struct model *m)
{
    *m = (struct model){0};
    for (uint64_t i = 0; i < all->n; i++) {
        if (i / slots % owners == owner) {
            m->failed[m->n++] = all->failed[i];
            m->end += i < all->end;
        }
    }
}

static void an_owners_share_is_found_among_those_of_all(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (int i = 0; i < 400; i++) {
        uint64_t every = frequencies[below(&random, COUNT(frequencies))];
        uint64_t owners = 1 + below(&random, 9);
        uint64_t slots = 1 + below(&random, i % 2 == 0 ? 5 : 150);
        struct tmk_mdtest_made made;
        struct model all;

        /* Any end: in the middle of an owner, of a loop, or behind one. */
        model_init(&all, below(&random, POSITIONS_MAX), every, &random);
        create(&all, 1, &made);
        for (uint64_t owner = 0; owner < owners; owner++) {
            struct tmk_mdtest_made part;
            struct model m;
            uint64_t holes = 0;

            model_for(&all, owner, owners, slots, &m);
            tmk_mdtest_made_for(&made, owner, owners, slots, &part);
            assert_int_equal(part.count, m.end);
            assert_int_equal(part.attempted, m.n);
            for (uint64_t k = 0; k < m.end; k++) {
                holes += m.failed[k];
                assert_int_equal(tmk_mdtest_made_is_hole(&part, k),
                                 m.failed[k]);
            }
            assert_int_equal(part.n_holes, holes);
            for (int k = 0; k < 10; k++) {
                uint64_t first = below(&random, m.n + 5);

                assert_int_equal(tmk_mdtest_made_within(&part, first, slots),
                                 there_of(&m, first, slots));
            }
        }
    }
}

/* A status file may tell of fewer items than it has holes for. */
static void holes_behind_the_last_item_do_not_count(void **state)
{
    struct tmk_mdtest_made made = {.count = 10, .attempted = 10};
    struct tmk_mdtest_made part;

    (void)state;
    made.holes[made.n_holes++] = 4;
    made.holes[made.n_holes++] = 10;
    made.holes[made.n_holes++] = 17;
    assert_int_equal(tmk_mdtest_made_within(&made, 0, 100), 9);
    assert_int_equal(tmk_mdtest_made_within(&made, 5, 100), 5);
    tmk_mdtest_made_part(&made, 2, 100, &part);
    assert_int_equal(part.count, 8);
    assert_int_equal(part.n_holes, 1);
    tmk_mdtest_made_for(&made, 0, 2, 10, &part);
    assert_int_equal(part.count, 10);
    assert_int_equal(part.n_holes, 1);
    tmk_mdtest_made_for(&made, 1, 2, 10, &part);
    assert_int_equal(part.count, 0);
    assert_int_equal(part.n_holes, 0);
}

/* As many items as a plan may have: 4 owners, 2 loops of 2^59 each. */
static void large_numbers_do_not_overflow(void **state)
{
    const uint64_t slots = UINT64_C(1) << 59;
    const uint64_t all = 8 * slots;
    struct tmk_mdtest_made made = {0};
    struct tmk_mdtest_made part;

    (void)state;
    tmk_mdtest_made_miss(&made, slots + 7);
    tmk_mdtest_made_miss(&made, all - 1);
    tmk_mdtest_made_end(&made, all);
    assert_int_equal(tmk_mdtest_made_within(&made, 0, UINT64_MAX), all - 2);
    assert_int_equal(tmk_mdtest_made_within(&made, all - 1, UINT64_MAX), 0);
    assert_int_equal(tmk_mdtest_made_within(&made, UINT64_MAX, UINT64_MAX), 0);
    tmk_mdtest_made_part(&made, all - 3, UINT64_MAX, &part);
    assert_int_equal(part.count, 3);
    assert_int_equal(part.n_holes, 1);
    assert_int_equal(part.holes[0], 2);
    tmk_mdtest_made_for(&made, 1, 4, slots, &part);
    assert_int_equal(part.count, 2 * slots);
    assert_int_equal(part.n_holes, 1);
    assert_int_equal(part.holes[0], 7);
    tmk_mdtest_made_for(&made, 3, 4, slots, &part);
    assert_int_equal(part.count, 2 * slots);
    assert_int_equal(part.n_holes, 1);
    assert_int_equal(part.holes[0], 2 * slots - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_made_is_known_item_by_item),
        cmocka_unit_test(behind_the_first_hole_too_many_nothing_is_visited),
        cmocka_unit_test(nothing_made_has_neither_items_nor_holes),
        cmocka_unit_test(a_part_is_what_the_whole_says_of_it),
        cmocka_unit_test(an_owners_share_is_found_among_those_of_all),
        cmocka_unit_test(holes_behind_the_last_item_do_not_count),
        cmocka_unit_test(large_numbers_do_not_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
