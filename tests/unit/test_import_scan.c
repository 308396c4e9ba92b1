#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/import_scan.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct tmk_import_scan_text text_of(const char *text)
{
    return (struct tmk_import_scan_text){text, strlen(text)};
}

static void numbers_are_read_as_strtod_does(void **state)
{
    static const struct {
        const char *text;
        int decimals;
        int64_t whole;
    } rows[] = {
        {"0", 0, 0},
        {"0.000", 3, -1},
        {"8763.188", 3, -1},
        {"0.1", 1, -1},
        {"2737.31", 2, -1},
        {"60.34479", 5, -1},
        {"0.000001", 6, -1},
        {"171798691840", 0, 171798691840},
        {"000", 0, 0},
        {"007", 0, 7},
        {"-1", 0, -1},
        {"-0.5", 1, -1},
        {"9223372036854775807", 0, -1},
        {"123456789012.345", 3, -1},
        {"9007199254740.992", 3, -1},
        {"999999999999999999", 0, 999999999999999999},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_import_scan_number number;
        double want = strtod(rows[i].text, NULL);

        if (!tmk_import_scan_number(text_of(rows[i].text), &number) ||
            fabs(number.value - want) > fabs(want) * 1e-16 ||
            number.decimals != rows[i].decimals ||
            (rows[i].whole >= 0 && number.whole != rows[i].whole) ||
            (number.decimals != 0 && number.whole != -1)) {
            fail_msg("%s is %.17g, %d decimals", rows[i].text, number.value,
                     number.decimals);
        }
    }
}

/* All that mdtest and ior print with three decimals, and up to 15 digits. */
static void printed_numbers_come_back_to_the_last_bit(void **state)
{
    double value = 0.001;

    (void)state;
    for (int i = 0; i < 880; i++) { /* up to 10^11 */
        struct tmk_import_scan_number number;
        char text[64];

        (void)snprintf(text, sizeof(text), "%.3f", value);
        assert_true(tmk_import_scan_number(text_of(text), &number));
        assert_true(number.value == strtod(text, NULL));
        value *= 1.0371;
    }
}

static void a_sentinel_of_309_digits_is_a_number(void **state)
{
    struct tmk_import_scan_number number;
    char text[400];

    (void)state;
    (void)snprintf(text, sizeof(text), "%.3f", 1e308);
    assert_true(tmk_import_scan_number(text_of(text), &number));
    assert_true(fabs(number.value / 1e308 - 1.0) < 1e-12);
    assert_int_equal(number.whole, -1);
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const texts[] = {
        "",     "-",        ".",     ".5",  "5.",      "1,5",      "1e5",
        "0x10", "12ab",     "1.2.3", "+1",  "--1",     "1 2",      "NA",
        "Inf",  "infinity", "-inf ", "- 1", "1.5\xff", "\xd9\xa1",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct tmk_import_scan_number number;

        if (tmk_import_scan_number(text_of(texts[i]), &number)) {
            fail_msg("'%s' is taken for %g", texts[i], number.value);
        }
    }
}

static void infinite_numbers_have_no_value(void **state)
{
    static const char *const texts[] = {"inf", "-inf", "nan", "-nan"};

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct tmk_import_scan_number number;

        assert_true(tmk_import_scan_number(text_of(texts[i]), &number));
        assert_true(isnan(number.value));
        assert_int_equal(number.whole, -1);
    }
}

static void a_pattern_matches_whole_lines_only(void **state)
{
    static const struct {
        const char *line, *pattern;
        bool want;
    } rows[] = {
        {"Using it", "Using it", true},
        {"  Using \t  it  ", "Using it", true},
        {"Usingit", "Using it", false},
        {"Using it now", "Using it", false},
        {"Using", "Using it", false},
        {"Using it now", "Using *", true},
        {"Using ", "Using_*", true},
        {"Path: x", "Path_:_*", true},
        {"Path                : x", "Path_:_*", true},
        {"Path x", "Path_:_*", false},
        {"2 tasks, 4 files", "# tasks, # $", true},
        {"2.5 tasks, 4 files", "# tasks, # $", true},
        {"two tasks, 4 files", "# tasks, # $", false},
        {"2 tasks, 4", "# tasks, # $", false},
        {"[RANK 000] x", "[RANK #] *", true},
        {"7.0%", "#%", true},
        {"7.0", "#%", false},
        {"", "$", false},
        {"", "*", true},
        {"", "", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_import_scan found;

        if (tmk_import_scan(text_of(rows[i].line), rows[i].pattern, &found) !=
            rows[i].want) {
            fail_msg("'%s' and '%s'", rows[i].line, rows[i].pattern);
        }
    }
}

static void captures_come_in_order(void **state)
{
    struct tmk_import_scan found;

    (void)state;
    assert_true(tmk_import_scan(text_of("a-1.9.1 had 16 of 2.5  the  rest "),
                                "a-$ had # of # *", &found));
    assert_int_equal(found.n_texts, 2);
    assert_true(tmk_import_scan_is(found.texts[0], "1.9.1"));
    assert_true(tmk_import_scan_is(found.texts[1], "the  rest"));
    assert_int_equal(found.n_numbers, 2);
    assert_int_equal(found.numbers[0].whole, 16);
    assert_true(found.numbers[1].value == 2.5);
    /* More than there is room for. */
    assert_true(tmk_import_scan(text_of("1 2 3 4 5 6 7 8 9 a b c d e"),
                                "# # # # # # # # # $ $ $ $ $", &found));
    assert_int_equal(found.n_numbers, TMK_IMPORT_SCAN_NUMBERS);
    assert_int_equal(found.n_texts, TMK_IMPORT_SCAN_TEXTS);
}

static void a_heading_may_be_cut_but_not_changed(void **state)
{
    static const struct {
        const char *line;
        bool want;
    } rows[] = {
        {"one two three four", true},
        {" one  two\tthree four ", true},
        {"one two three fo", true},
        {"one two three", true},
        {"one two thr", true},
        {"one two", true},
        {"one tw", false},
        {"one", false},
        {"", false},
        {"one two three four five", false},
        {"one two fo", false},
        {"one two th four", false},
        {"two three four", false},
        {"one two three fours", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (tmk_import_scan_heading(text_of(rows[i].line), "one two three four",
                                    2) != rows[i].want) {
            fail_msg("'%s'", rows[i].line);
        }
    }
}

static void times_of_day_are_read_in_both_forms(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"07/22/2015 09:34:24", "2015-07-22T09:34:24"},
        {"Wed Jul 22 12:01:16 2015", "2015-07-22T12:01:16"},
        {"Wed Jul  2 12:01:16 2015", "2015-07-02T12:01:16"},
        {"  Sun Dec 31 23:59:60 1999 ", "1999-12-31T23:59:60"},
    };
    static const char *const bad[] = {
        "",
        "07/22/2015",
        "07/22/15 09:34:24",
        "13/22/2015 09:34:24",
        "07/32/2015 09:34:24",
        "07/22/2015 24:34:24",
        "07/22/2015 9:34:24",
        "07-22-2015 09:34:24",
        "2015-07-22 09:34:24",
        "Wed Jux 22 12:01:16 2015",
        "Wed Jul 00 12:01:16 2015",
        "Wed Jul 22 12:01:16 2015 CEST",
        "Wed Jul 22 12:01:16",
        "Wed Jul 222 12:01:16 2015",
        "Wed Jul xx 12:01:16 2015",
        "mer. juil. 22 12:01:16 2015",
    };
    char moment[TMK_IMPORT_SCAN_MOMENT_SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_true(tmk_import_scan_moment(text_of(rows[i].text), moment));
        assert_string_equal(moment, rows[i].want);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        if (tmk_import_scan_moment(text_of(bad[i]), moment)) {
            fail_msg("'%s' is %s", bad[i], moment);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_as_strtod_does),
        cmocka_unit_test(printed_numbers_come_back_to_the_last_bit),
        cmocka_unit_test(a_sentinel_of_309_digits_is_a_number),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(infinite_numbers_have_no_value),
        cmocka_unit_test(a_pattern_matches_whole_lines_only),
        cmocka_unit_test(captures_come_in_order),
        cmocka_unit_test(a_heading_may_be_cut_but_not_changed),
        cmocka_unit_test(times_of_day_are_read_in_both_forms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
