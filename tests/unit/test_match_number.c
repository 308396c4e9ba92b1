#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/match_number.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define DAY_S INT64_C(86400)

static void numbers_have_a_sign_that_says_less_or_more(void **state)
{
    static const struct {
        const char *text;
        enum tmk_match_order order;
        uint64_t n;
    } rows[] = {
        {"0", TMK_MATCH_EQUAL, 0},
        {"007", TMK_MATCH_EQUAL, 7},
        {" 3", TMK_MATCH_EQUAL, 3}, /* wc -l pads */
        {"+3", TMK_MATCH_MORE, 3},
        {"-3", TMK_MATCH_LESS, 3},
        {"+ 3", TMK_MATCH_MORE, 3},
        {"18446744073709551615", TMK_MATCH_EQUAL, UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_number number;

        assert_int_equal(tmk_match_number_parse(rows[i].text, &number), 0);
        assert_int_equal(number.order, rows[i].order);
        assert_true(number.n == rows[i].n);
    }
}

static void other_texts_are_no_numbers(void **state)
{
    static const struct {
        const char *text;
        int err;
    } rows[] = {
        {"", -EINVAL},
        {"+", -EINVAL},
        {"-", -EINVAL},
        {"x", -EINVAL},
        {"1x", -EINVAL},
        {"0x1", -EINVAL},
        {"--1", -EINVAL},
        {"+-1", -EINVAL},
        {"1 ", -EINVAL},
        {"1.0", -EINVAL},
        {" +1", -EINVAL},
        {"18446744073709551616", -ERANGE},
        {"99999999999999999999", -ERANGE},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_number number;

        assert_int_equal(tmk_match_number_parse(rows[i].text, &number),
                         rows[i].err);
    }
}

/* Seen to be so with GNU find 4.9. */
static void sizes_are_rounded_up_to_their_unit(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
        bool want;
    } rows[] = {
        {"0", 0, true},
        {"0", 1, false},
        {"1", 0, false},
        {"1", 1, true},
        {"1", 512, true},
        {"1", 513, false},
        {"+0", 0, false},
        {"+0", 1, true},
        {"+1", 512, false},
        {"+1", 513, true},
        {"-1", 0, true},
        {"-1", 1, false},
        {"-2", 512, true},
        {"-2", 513, false},
        {"1b", 512, true},
        {"2b", 512, false},
        {"3901c", 3901, true},
        {"3901c", 3902, false},
        {"+3901c", 3902, true},
        {"-3901c", 3900, true},
        {"-3901c", 3901, false},
        {"1w", 1, true},
        {"1w", 2, true},
        {"1w", 3, false},
        {"1k", 1, true},
        {"1k", 1024, true},
        {"1k", 1025, false},
        {"1k", 0, false},
        {"-1k", 0, true},
        {"-1k", 1, false},
        {"-1M", 0, true},
        {"-1M", 1, false},
        {"-1M", 1048576, false},
        {"-2M", 1048576, true},
        {"-2M", 1048577, false},
        {"+1M", 1048576, false},
        {"+1M", 1048577, true},
        {"1G", 1, true},
        {"1G", UINT64_C(1) << 30, true},
        {"+1G", (UINT64_C(1) << 30) + 1, true},
        {"+0G", UINT64_MAX, true},
        {"17179869184G", UINT64_MAX, true},
        {"18446744073709551615c", UINT64_MAX, true},
        {"+18446744073709551614G", UINT64_MAX, false},
        {" 6c", 6, true},
        {"-0", 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_number number;
        uint64_t unit;

        assert_int_equal(
            tmk_match_number_parse_size(rows[i].text, &number, &unit), 0);
        if (tmk_match_number_test_size(number, unit, rows[i].bytes) !=
            rows[i].want) {
            fail_msg("-size %s, %llu bytes", rows[i].text,
                     (unsigned long long)rows[i].bytes);
        }
    }
}

static void a_unit_is_one_letter_of_those(void **state)
{
    static const char *const rows[] = {"",     "c",    "+",    "1x", "1kk",
                                       "1cb",  "1T",   "1K",   "1m", "1 k",
                                       "1.5k", "0x6c", "+-6c", "6c "};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_number number;
        uint64_t unit;

        assert_int_equal(tmk_match_number_parse_size(rows[i], &number, &unit),
                         -EINVAL);
    }
}

struct age_row {
    const char *text;
    int64_t age_s;   /* of what is asked about */
    uint32_t age_ns; /* more */
    bool want;
};

/* Now is 0.5 s after a second. */
static void check_ages(const struct age_row *rows, size_t n, int64_t unit_s,
                       int64_t origin_s)
{
    static const struct tmk_match_time now = {1800000000, 500000000};

    for (size_t i = 0; i < n; i++) {
        struct tmk_match_time age = {rows[i].age_s, rows[i].age_ns};
        struct tmk_match_time origin = {now.s + origin_s, now.ns};
        struct tmk_match_window window;

        assert_int_equal(
            tmk_match_number_parse_age(rows[i].text, origin, unit_s, &window),
            0);
        if (tmk_match_number_test_window(
                &window, tmk_match_time_less(now, age)) != rows[i].want) {
            fail_msg("%s, %lld.%09u s old", rows[i].text, (long long)age.s,
                     age.ns);
        }
    }
}

static void days_are_rounded_down(void **state)
{
    static const struct age_row rows[] = {
        {"0", 0, 0, true},
        {"0", DAY_S - 1, 999999999, true},
        {"0", DAY_S, 0, false},
        {"0", -1, 0, false}, /* the future is no day */
        {"1", DAY_S - 1, 0, false},
        {"1", DAY_S, 0, true},
        {"1", 2 * DAY_S - 1, 0, true},
        {"1", 2 * DAY_S, 0, false},
        {"+0", DAY_S, 0, false}, /* GNU: strictly more */
        {"+0", DAY_S, 1, true},
        {"+1", 2 * DAY_S, 0, false},
        {"+1", 2 * DAY_S, 1, true},
        {"+1", DAY_S + 5, 0, false},
        {"-1", 0, 0, true},
        {"-1", -1000, 0, true},
        {"-1", DAY_S - 1, 0, true},
        {"-1", DAY_S, 999999999, true}, /* GNU find's odd second */
        {"-1", DAY_S + 1, 0, false},
        {"-0", 1, 0, false},
        {"-0", 0, 0, true}, /* the same second */
        {"-0", -1, 0, true},
        {"1.5", DAY_S * 3 / 2, 0, true},
        {"1.5", DAY_S * 3 / 2 - 1, 0, false},
        {"+.5", DAY_S * 3 / 2, 1, true},
        {"+.5", DAY_S * 3 / 2, 0, false},
        {" 1.", DAY_S, 0, true},
        {"0.00001", 0, 864000000, true},
        {"0.00001", 0, 863999999, false},
    };

    (void)state;
    check_ages(rows, COUNT(rows), DAY_S, -DAY_S);
}

static void minutes_are_rounded_up(void **state)
{
    static const struct age_row rows[] = {
        {"0", 0, 0, false},          {"0", -1, 0, true},
        {"0", -60, 0, true},         {"0", -61, 0, false},
        {"1", 0, 0, true},           {"1", 59, 999999999, true},
        {"1", 60, 0, false},         {"2", 60, 0, true},
        {"2", 119, 0, true},         {"2", 120, 0, false},
        {"+0", 0, 0, false},         {"+0", 0, 1, true},
        {"+1", 60, 0, false},        {"+1", 60, 1, true},
        {"-1", 59, 999999999, true}, {"-1", 60, 0, false},
        {"-1", -3600, 0, true},      {"-0", 0, 0, false},
        {"-0", -1, 0, true},         {"0.5", 29, 0, true},
        {"0.5", 30, 0, false},       {"1440", 86399, 0, true},
    };

    (void)state;
    check_ages(rows, COUNT(rows), 60, 0);
}

static void other_texts_are_no_ages(void **state)
{
    static const struct {
        const char *text;
        int err;
    } rows[] = {
        {"", -EINVAL},
        {"+", -EINVAL},
        {".", -EINVAL},
        {"x", -EINVAL},
        {"1x", -EINVAL},
        {"1e2", -EINVAL},
        {"inf", -EINVAL},
        {"nan", -EINVAL},
        {"0x10", -EINVAL},
        {"+-1", -EINVAL},
        {"-+1", -EINVAL},
        {"1.2.3", -EINVAL},
        {"1 ", -EINVAL},
        {"99999999999999999999", -ERANGE},
        {"104249991374.7", -ERANGE}, /* 2^53 seconds */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_window window;

        assert_int_equal(
            tmk_match_number_parse_age(
                rows[i].text, (struct tmk_match_time){0, 0}, DAY_S, &window),
            rows[i].err);
    }
}

static void an_age_beyond_all_times_is_held_at_the_end(void **state)
{
    struct tmk_match_window window;

    (void)state;
    assert_int_equal(
        tmk_match_number_parse_age("+104249991374",
                                   (struct tmk_match_time){INT64_MIN + 5, 0},
                                   DAY_S, &window),
        0);
    assert_true(window.from.s == INT64_MIN);
    assert_false(tmk_match_number_test_window(
        &window, (struct tmk_match_time){INT64_MIN, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_a_sign_that_says_less_or_more),
        cmocka_unit_test(other_texts_are_no_numbers),
        cmocka_unit_test(sizes_are_rounded_up_to_their_unit),
        cmocka_unit_test(a_unit_is_one_letter_of_those),
        cmocka_unit_test(days_are_rounded_down),
        cmocka_unit_test(minutes_are_rounded_up),
        cmocka_unit_test(other_texts_are_no_ages),
        cmocka_unit_test(an_age_beyond_all_times_is_held_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
