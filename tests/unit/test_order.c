#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Every one of 0 ... n-1 occurs once. */
static void check_bijection(uint64_t n, uint64_t seed)
{
    struct tmk_order order;
    bool *seen = calloc(n, sizeof(*seen));

    assert_non_null(seen);
    tmk_order_init(&order, n, seed);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t at = tmk_order_at(&order, i);

        assert_true(at < n);
        assert_false(seen[at]);
        seen[at] = true;
    }
    free(seen);
}

static void every_order_up_to_300_is_a_bijection(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; n++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            check_bijection(n, seed);
        }
        check_bijection(n, UINT64_MAX - n);
    }
}

static void orders_about_powers_of_four_are_bijections(void **state)
{
    (void)state;
    for (uint64_t power = 1024; power <= 1 << 18; power *= 4) {
        check_bijection(power - 1, 1);
        check_bijection(power, 2);
        check_bijection(power + 1, 3);
    }
}

static void an_order_of_twenty_million_is_a_bijection(void **state)
{
    (void)state;
    check_bijection(20000000, 42);
}

static void huge_orders_stay_inside(void **state)
{
    static const uint64_t sizes[] = {
        20000001,          (uint64_t)1 << 32,       ((uint64_t)1 << 32) + 1,
        (uint64_t)1 << 62, ((uint64_t)1 << 62) + 1, UINT64_MAX,
    };

    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        struct tmk_order order;
        uint64_t before = UINT64_MAX;

        tmk_order_init(&order, sizes[s], s);
        for (uint64_t i = 0; i < 1000; i++) {
            uint64_t at = tmk_order_at(&order, sizes[s] / 1000 * i);

            assert_true(at < sizes[s]);
            assert_true(at != before);
            before = at;
        }
    }
}

static void the_same_seed_gives_the_same_order(void **state)
{
    struct tmk_order a;
    struct tmk_order b;

    (void)state;
    tmk_order_init(&a, 1000, 7);
    tmk_order_init(&b, 1000, 7);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(tmk_order_at(&a, i), tmk_order_at(&b, i));
    }
}

static void different_seeds_agree_in_few_places(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct tmk_order a;
        struct tmk_order b;
        unsigned same = 0;

        tmk_order_init(&a, 10000, seed);
        tmk_order_init(&b, 10000, seed + 1);
        for (uint64_t i = 0; i < 10000; i++) {
            same += tmk_order_at(&a, i) == tmk_order_at(&b, i);
        }
        assert_true(same < 30); /* 1 is expected */
    }
}

/* However few there are, each may come at any time. */
static void small_orders_are_fair(void **state)
{
    enum { SEEDS = 4000 };

    (void)state;
    for (uint64_t n = 2; n <= 9; n++) {
        unsigned hits[9][9] = {{0}};

        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct tmk_order order;

            tmk_order_init(&order, n, seed);
            for (uint64_t i = 0; i < n; i++) {
                hits[i][tmk_order_at(&order, i)]++;
            }
        }
        for (uint64_t i = 0; i < n * n; i++) {
            uint64_t share = hits[i / n][i % n] * n; /* of SEEDS */

            assert_in_range(share, SEEDS / 10 * 8, SEEDS / 10 * 12);
        }
    }
}

/* Caches and read-ahead must not find the next one where the last one was. */
static void neighbours_in_a_shuffled_order_are_far_apart(void **state)
{
    enum { N = 100000 };
    struct tmk_order order;
    unsigned near = 0;
    double distance = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        tmk_order_init(&order, N, seed);
        for (uint64_t i = 1; i < N; i++) {
            uint64_t a = tmk_order_at(&order, i - 1);
            uint64_t b = tmk_order_at(&order, i);
            uint64_t apart = a < b ? b - a : a - b;

            near += apart <= 10;
            distance += (double)apart;
        }
    }
    distance /= 10.0 * N * N;
    assert_true(distance > 0.31 && distance < 0.36); /* 1/3 is expected */
    assert_true(near < 400);                         /* 200 are expected */
}

/* Appendix A7 of the original's description: -n 5 -R --random-seed=5 */
static void the_orders_of_the_original_are_reproduced(void **state)
{
    static const struct {
        uint32_t seed;
        uint64_t n;
        uint64_t want[5];
    } rows[] = {
        {5, 5, {2, 3, 4, 0, 1}},
        {6, 5, {3, 4, 1, 2, 0}},
        {7, 1, {0}},
        {7, 0, {99}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t array[5] = {99, 99, 99, 99, 99};

        tmk_order_fill_legacy(array, rows[i].n, rows[i].seed);
        for (size_t j = 0; j < 5; j++) {
            assert_int_equal(array[j], j < rows[i].n ? rows[i].want[j] : 99);
        }
    }
}

/* As bad as it is, it is the original's. */
static int libc_rand(void)
{
    return rand(); /* NOLINT(cert-msc30-c,cert-msc50-cpp) */
}

/* The original's own words, with the generator of the whole process. */
static void shuffle_with_rand(uint64_t *array, uint64_t n, uint32_t seed)
{
    srand(seed);
    for (uint64_t i = 0; i < n; i++) {
        array[i] = i;
    }
    for (uint64_t k = n - 1; k > 0; k--) {
        double share = (double)libc_rand() / RAND_MAX;
        uint64_t j = (uint64_t)(share * (double)k);
        uint64_t swapped = array[k];

        array[k] = array[j];
        array[j] = swapped;
    }
}

static void an_order_of_the_original_is_drawn_as_with_rand(void **state)
{
    enum { N_MAX = 100000 };
    static const uint32_t seeds[] = {0, 1, 5, 4711, 1u << 31, UINT32_MAX};
    static const uint64_t sizes[] = {1, 2, 3, 10, 31, 1000, N_MAX};
    static uint64_t want[N_MAX];
    static uint64_t got[N_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(seeds) * COUNT(sizes); i++) {
        uint32_t seed = seeds[i / COUNT(sizes)];
        uint64_t n = sizes[i % COUNT(sizes)];

        shuffle_with_rand(want, n, seed);
        tmk_order_fill_legacy(got, n, seed);
        assert_memory_equal(got, want, n * sizeof(*got));
    }
}

static void an_order_of_the_original_leaves_rand_alone(void **state)
{
    unsigned seed = 3;
    uint64_t array[100];
    int want[2];

    (void)state;
    srand(seed);
    want[0] = libc_rand();
    want[1] = libc_rand();
    srand(seed);
    assert_int_equal(libc_rand(), want[0]);
    tmk_order_fill_legacy(array, COUNT(array), 17);
    assert_int_equal(libc_rand(), want[1]);
}

static void an_order_of_the_original_is_a_bijection(void **state)
{
    enum { N = 12345 };
    static uint64_t array[N];
    static bool seen[N];

    (void)state;
    tmk_order_fill_legacy(array, N, 42);
    for (uint64_t i = 0; i < N; i++) {
        assert_true(array[i] < N);
        assert_false(seen[array[i]]);
        seen[array[i]] = true;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_up_to_300_is_a_bijection),
        cmocka_unit_test(orders_about_powers_of_four_are_bijections),
        cmocka_unit_test(an_order_of_twenty_million_is_a_bijection),
        cmocka_unit_test(huge_orders_stay_inside),
        cmocka_unit_test(the_same_seed_gives_the_same_order),
        cmocka_unit_test(different_seeds_agree_in_few_places),
        cmocka_unit_test(small_orders_are_fair),
        cmocka_unit_test(neighbours_in_a_shuffled_order_are_far_apart),
        cmocka_unit_test(the_orders_of_the_original_are_reproduced),
        cmocka_unit_test(an_order_of_the_original_is_drawn_as_with_rand),
        cmocka_unit_test(an_order_of_the_original_leaves_rand_alone),
        cmocka_unit_test(an_order_of_the_original_is_a_bijection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
