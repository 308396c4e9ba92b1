#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "base/sample.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { START = 1000000, WIDTH = 100 };

static uint64_t sum(const struct tmk_sample_series *series)
{
    uint64_t total = 0;

    for (size_t i = 0; i < TMK_SAMPLE_SLOTS; i++) {
        total += series->operations[i];
    }
    return total;
}

/* An operation that ends at `now`, as phases report it. */
static void operate(struct tmk_sample *s, uint64_t now, uint64_t *done)
{
    if (now >= s->next_ns) {
        tmk_sample_advance(s, now, *done);
    }
    ++*done;
}

static void expect(const struct tmk_sample_series *series, const uint64_t *want,
                   size_t n)
{
    assert_int_equal(series->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(series->operations[i], want[i]);
    }
}

static void an_operation_is_in_the_slot_that_it_ended_in(void **state)
{
    static const uint64_t ends[] = {0, 1, 99, 100, 199, 200, 499, 500};
    static const uint64_t want[] = {3, 2, 1, 0, 1, 1};
    struct tmk_sample s;
    uint64_t done = 0;

    (void)state;
    tmk_sample_init(&s, WIDTH, START);
    for (size_t i = 0; i < COUNT(ends); i++) {
        operate(&s, START + ends[i], &done);
    }
    tmk_sample_end(&s, START + 500, done);
    expect(&s.series, want, COUNT(want));
    assert_int_equal(s.series.width_ns, WIDTH);
}

static void time_without_operations_has_slots_of_0(void **state)
{
    static const uint64_t want[] = {2, 0, 0, 1, 0, 0};
    struct tmk_sample s;
    uint64_t done = 0;

    (void)state;
    tmk_sample_init(&s, WIDTH, START);
    operate(&s, START + 10, &done);
    operate(&s, START + 20, &done);
    operate(&s, START + 350, &done);
    tmk_sample_end(&s, START + 599, done);
    expect(&s.series, want, COUNT(want));
}

static void a_phase_without_operations_has_slots_of_0(void **state)
{
    static const uint64_t want[] = {0, 0, 0};
    struct tmk_sample s;

    (void)state;
    tmk_sample_init(&s, WIDTH, START);
    tmk_sample_end(&s, START + 299, 0);
    expect(&s.series, want, COUNT(want));
}

static void nothing_is_sampled_without_a_width(void **state)
{
    struct tmk_sample s;

    (void)state;
    tmk_sample_init(&s, 0, START);
    tmk_sample_advance(&s, START + 1000, 5);
    tmk_sample_end(&s, START + 2000, 9);
    assert_int_equal(s.series.n, 0);
    assert_int_equal(s.series.width_ns, 0);
    assert_int_equal(sum(&s.series), 0);
}

/* Whatever the end, and whatever the steps on the way there. */
static void slots_that_run_out_merge_in_pairs(void **state)
{
    static const struct {
        uint64_t step, n;
        uint64_t width;
        size_t slots;
    } rows[] = {
        {100, 128, 100, 128},        {100, 129, 200, 65},
        {100, 256, 200, 128},        {100, 257, 400, 65},
        {7, 10000, 800, 88},         {1000, 1000, 12800, 79},
        {1000000, 100, 819200, 121},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_sample s;
        uint64_t want[TMK_SAMPLE_SLOTS] = {0};
        uint64_t done = 0;

        tmk_sample_init(&s, WIDTH, START);
        for (uint64_t k = 0; k < rows[i].n; k++) {
            operate(&s, START + k * rows[i].step, &done);
            want[k * rows[i].step / rows[i].width]++;
        }
        tmk_sample_end(&s, START + (rows[i].n - 1) * rows[i].step, done);
        assert_int_equal(s.series.width_ns, rows[i].width);
        expect(&s.series, want, rows[i].slots);
        assert_int_equal(sum(&s.series), rows[i].n);
        assert_int_equal(
            tmk_sample_fit_ns(WIDTH, (rows[i].n - 1) * rows[i].step),
            rows[i].width);
    }
}

static void a_stall_is_seen_after_slots_have_merged(void **state)
{
    struct tmk_sample s;
    const uint64_t width = WIDTH;
    uint64_t done = 0;
    size_t empty = 0;

    (void)state;
    tmk_sample_init(&s, WIDTH, START);
    for (uint64_t t = 0; t < 1000 * width; t += 10) {
        if (t < 300 * width || t >= 600 * width) {
            operate(&s, START + t, &done);
        }
    }
    tmk_sample_end(&s, START + 1000 * width, done);
    assert_int_equal(s.series.width_ns, 8 * WIDTH);
    assert_int_equal(sum(&s.series), done);
    for (size_t i = 0; i < s.series.n; i++) {
        empty += s.series.operations[i] == 0;
        if (s.series.operations[i] == 0 && i + 1 < s.series.n) {
            assert_in_range(i, 300 / 8, 600 / 8);
        }
    }
    assert_in_range(empty, 300 / 8, 300 / 8 + 1);
}

static void series_are_aligned_before_they_are_added(void **state)
{
    static const struct {
        uint64_t slots[6];
        size_t n;
        uint64_t width;
        size_t later, all;
        uint64_t want[6];
    } rows[] = {
        {{1, 2, 3}, 3, 100, 0, 3, {1, 2, 3}},
        {{1, 2, 3}, 3, 100, 2, 6, {0, 0, 1, 2, 3, 0}},
        {{1, 2, 3}, 3, 200, 0, 2, {3, 3}},
        {{1, 2, 3, 4, 5, 6}, 6, 200, 1, 5, {0, 3, 7, 11, 0}},
        {{1, 2, 3, 4, 5}, 5, 400, 1, 3, {0, 10, 5}},
        {{1, 2, 3, 4, 5}, 5, 12800, 0, 1, {15}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_sample_series series = {.width_ns = WIDTH, .n = rows[i].n};

        memcpy(series.operations, rows[i].slots, sizeof(rows[i].slots));
        tmk_sample_align(&series, rows[i].width, rows[i].all, rows[i].later);
        assert_int_equal(series.width_ns, rows[i].width);
        expect(&series, rows[i].want, rows[i].all);
        for (size_t k = rows[i].all; k < TMK_SAMPLE_SLOTS; k++) {
            assert_int_equal(series.operations[k], 0);
        }
    }
}

/* Operations that were counted by one rank and spoilt by another later. */
static void what_was_taken_away_elsewhere_is_made_good(void **state)
{
    static const struct {
        int64_t slots[4];
        uint64_t want[4];
    } rows[] = {
        {{5, 0, 0, 2}, {5, 0, 0, 2}},   {{5, 0, -2, 2}, {3, 0, 0, 2}},
        {{5, 3, -4, 2}, {4, 0, 0, 2}},  {{-3, 0, 5, 2}, {0, 0, 2, 2}},
        {{1, -4, 2, 2}, {0, 0, 0, 1}},  {{-1, -1, -1, 3}, {0, 0, 0, 0}},
        {{0, 4, -1, -3}, {0, 0, 0, 0}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_sample_series series = {.width_ns = WIDTH, .n = 4};

        memcpy(series.operations, rows[i].slots, sizeof(rows[i].slots));
        tmk_sample_settle(&series);
        expect(&series, rows[i].want, 4);
    }
}

/* A count that goes down, as of a rank that only spoils. */
static void a_count_may_go_below_0(void **state)
{
    struct tmk_sample s;

    (void)state;
    tmk_sample_init(&s, WIDTH, START);
    tmk_sample_advance(&s, START + 100, (uint64_t)-3);
    tmk_sample_end(&s, START + 150, (uint64_t)-1);
    assert_true(s.series.operations[0] == (uint64_t)-3);
    assert_int_equal(s.series.operations[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operation_is_in_the_slot_that_it_ended_in),
        cmocka_unit_test(time_without_operations_has_slots_of_0),
        cmocka_unit_test(a_phase_without_operations_has_slots_of_0),
        cmocka_unit_test(nothing_is_sampled_without_a_width),
        cmocka_unit_test(slots_that_run_out_merge_in_pairs),
        cmocka_unit_test(a_stall_is_seen_after_slots_have_merged),
        cmocka_unit_test(series_are_aligned_before_they_are_added),
        cmocka_unit_test(what_was_taken_away_elsewhere_is_made_good),
        cmocka_unit_test(a_count_may_go_below_0),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
