#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/hist.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const uint64_t top = UINT64_C(1) << TMK_HIST_MAX_BITS;

static void every_bucket_ends_where_the_next_begins(void **state)
{
    (void)state;
    assert_int_equal(tmk_hist_index(0), 0);
    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        uint64_t upper = tmk_hist_upper_ns(i);

        assert_int_equal(tmk_hist_index(upper), i);
        if (i + 1 < TMK_HIST_BUCKETS) {
            assert_int_equal(tmk_hist_index(upper + 1), i + 1);
        } else {
            assert_true(upper == top - 1);
        }
    }
}

static void a_bound_is_off_by_less_than_1_in_128(void **state)
{
    (void)state;
    for (uint64_t ns = 1; ns < top; ns += ns / 50 + 1) {
        uint64_t upper = tmk_hist_upper_ns(tmk_hist_index(ns));

        assert_true(upper >= ns && (upper - ns) * 128 < ns + 128);
        assert_true(ns >= 256 || upper == ns);
    }
}

static void values_beyond_the_top_share_the_last_bucket(void **state)
{
    static const uint64_t rows[] = {UINT64_C(1) << TMK_HIST_MAX_BITS,
                                    UINT64_C(1) << 63, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_hist_index(rows[i]), TMK_HIST_BUCKETS - 1);
    }
}

static void an_empty_histogram_has_percentile_0(void **state)
{
    static const struct tmk_hist h;

    (void)state;
    assert_true(tmk_hist_total(&h) == 0);
    assert_true(tmk_hist_percentile_ns(&h, 50) == 0);
}

static void a_percentile_is_the_bound_that_so_many_do_not_exceed(void **state)
{
    static const struct {
        double percent;
        uint64_t want;
    } rows[] = {
        {0, 1},     {-5, 1},  {0.1, 1}, {1, 1},      {1.01, 2},
        {50, 50},   {90, 90}, {99, 99}, {99.9, 100}, {100, 100},
        {150, 100}, {7, 7},   {14, 14}, {28, 28},    {55, 55},
    };
    static struct tmk_hist h;

    (void)state;
    for (uint64_t ns = 1; ns <= 100; ns++) {
        tmk_hist_record(&h, ns);
    }
    assert_true(tmk_hist_total(&h) == 100);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_hist_percentile_ns(&h, rows[i].percent),
                         rows[i].want);
    }
    assert_int_equal(tmk_hist_percentile_ns(&h, 0.0 / 0.0), 1);
}

static void many_values_need_no_more_room(void **state)
{
    static struct tmk_hist h;

    (void)state;
    h.counts[3] = UINT64_C(1) << 62;
    h.counts[5] = 1;
    assert_int_equal(tmk_hist_percentile_ns(&h, 99.999), 3);
    assert_int_equal(tmk_hist_percentile_ns(&h, 100), 5);
}

static void adding_histograms_is_as_recording_into_one(void **state)
{
    static struct tmk_hist both;
    static struct tmk_hist a;
    static struct tmk_hist b;

    (void)state;
    for (uint64_t ns = 0; ns < 100000; ns += 7) {
        tmk_hist_record(&both, ns);
        tmk_hist_record(ns % 2 == 0 ? &a : &b, ns);
    }
    tmk_hist_add(&a, &b);
    assert_memory_equal(&a, &both, sizeof(a));
}

/*
 * Percentiles against a sorted list of the same values.
 */

/* A number below 2^53, by xorshift. */
static uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 11;
}

/* Between 0 and 1, and neither. */
static double draw_share(uint64_t *seed)
{
    return ((double)draw(seed) + 0.5) / 9007199254740992.0;
}

static uint64_t constant(uint64_t *seed)
{
    (void)draw(seed);
    return 123457;
}

static uint64_t uniform(uint64_t *seed)
{
    return draw(seed) % 1000000;
}

/* Most are about 1 us, one in a million takes a second. */
static uint64_t heavy_tailed(uint64_t *seed)
{
    return (uint64_t)(1000.0 / draw_share(seed));
}

/* Quick ones from memory, slow ones from a disk. */
static uint64_t two_humps(uint64_t *seed)
{
    return draw(seed) % 10 == 0 ? 8000000 + draw(seed) % 4000000
                                : 300 + draw(seed) % 200;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The percentile itself: the value that so many do not exceed. */
static uint64_t exact(const uint64_t *sorted, size_t n, unsigned permille)
{
    size_t rank = (n * permille + 999) / 1000;

    return sorted[rank != 0 ? rank - 1 : 0];
}

static void percentiles_agree_with_a_sorted_list(void **state)
{
    static uint64_t (*const kinds[])(uint64_t *) = {constant, uniform,
                                                    heavy_tailed, two_humps};
    static const size_t sizes[] = {1, 2, 10, 99, 1000, 12345, 100000};
    static const unsigned permilles[] = {1, 10, 250, 500, 900, 990, 999, 1000};
    static struct tmk_hist parts[3];
    static uint64_t values[100000];
    uint64_t seed = 88172645463325252;

    (void)state;
    for (size_t i = 0; i < COUNT(kinds) * COUNT(sizes); i++) {
        size_t n = sizes[i % COUNT(sizes)];

        memset(parts, 0, sizeof(parts));
        for (size_t k = 0; k < n; k++) { /* of three ranks */
            values[k] = kinds[i / COUNT(sizes)](&seed);
            tmk_hist_record(&parts[k % 3], values[k]);
        }
        tmk_hist_add(&parts[0], &parts[1]);
        tmk_hist_add(&parts[0], &parts[2]);
        qsort(values, n, sizeof(values[0]), by_value);
        for (size_t k = 0; k < COUNT(permilles); k++) {
            uint64_t want = exact(values, n, permilles[k]);
            uint64_t got =
                tmk_hist_percentile_ns(&parts[0], permilles[k] / 10.0);

            if (got < want || (got - want) * 128 > want) {
                fail_msg("kind %zu, %zu values, %u/1000: %ju, not %ju",
                         i / COUNT(sizes), n, permilles[k], (uintmax_t)got,
                         (uintmax_t)want);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bucket_ends_where_the_next_begins),
        cmocka_unit_test(a_bound_is_off_by_less_than_1_in_128),
        cmocka_unit_test(values_beyond_the_top_share_the_last_bucket),
        cmocka_unit_test(an_empty_histogram_has_percentile_0),
        cmocka_unit_test(a_percentile_is_the_bound_that_so_many_do_not_exceed),
        cmocka_unit_test(many_values_need_no_more_room),
        cmocka_unit_test(adding_histograms_is_as_recording_into_one),
        cmocka_unit_test(percentiles_agree_with_a_sorted_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
