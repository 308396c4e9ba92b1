#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/match_time.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define HOUR_S INT64_C(3600)
#define DAY_S  INT64_C(86400)

static void moments_are_compared_and_subtracted(void **state)
{
    static const struct {
        struct tmk_match_time a, b;
        int order;
        struct tmk_match_time less;
    } rows[] = {
        {{5, 0}, {5, 0}, 0, {0, 0}},
        {{5, 1}, {5, 0}, 1, {0, 1}},
        {{5, 0}, {5, 1}, -1, {-1, 999999999}},
        {{6, 0}, {5, 999999999}, 1, {0, 1}},
        {{-2, 500000000}, {1, 0}, -1, {-3, 500000000}},
        {{INT64_MAX, 0}, {-1, 0}, 1, {INT64_MAX, 0}},
        {{INT64_MIN, 0}, {1, 0}, -1, {INT64_MIN, 0}},
        {{INT64_MIN, 0}, {0, 1}, -1, {INT64_MIN, 0}},
        {{INT64_MIN, 5}, {0, 1}, -1, {INT64_MIN, 4}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_time less = tmk_match_time_less(rows[i].a, rows[i].b);

        assert_int_equal(tmk_match_time_compare(rows[i].a, rows[i].b),
                         rows[i].order);
        assert_true(less.s == rows[i].less.s && less.ns == rows[i].less.ns);
    }
}

/* Once around, and some days at the ends of everything. */
static void dates_are_those_of_the_c_library(void **state)
{
    static const int64_t odd[] = {0,
                                  -1,
                                  951782399,
                                  951782400,
                                  951868800,
                                  -62135596800,
                                  -62167219200,
                                  253402300800,
                                  4107542400,
                                  67767976233446399,
                                  -67768040609740800};

    (void)state;
    for (size_t i = 0; i < 20000 + COUNT(odd); i++) {
        int64_t s = i < COUNT(odd)
                        ? odd[i]
                        : ((int64_t)i - 10000) * (DAY_S * 37 / 10) + 12345;
        struct tmk_match_date d = tmk_match_time_date(s, 0);
        time_t t = (time_t)s;
        struct tm tm;

        assert_non_null(gmtime_r(&t, &tm));
        assert_true(d.year == (int64_t)tm.tm_year + 1900);
        assert_int_equal(d.month, tm.tm_mon + 1);
        assert_int_equal(d.day, tm.tm_mday);
        assert_int_equal(d.hour, tm.tm_hour);
        assert_int_equal(d.minute, tm.tm_min);
        assert_int_equal(d.second, tm.tm_sec);
        assert_int_equal(d.weekday, tm.tm_wday);
        assert_int_equal(d.yearday, tm.tm_yday);
        assert_true(tmk_match_time_second(&d) == s);
    }
}

static void an_offset_moves_the_date(void **state)
{
    struct tmk_match_date d = tmk_match_time_date(DAY_S - 1, 3600);

    (void)state;
    assert_int_equal(d.day, 2);
    assert_int_equal(d.hour, 0);
    d = tmk_match_time_date(0, -3600);
    assert_true(d.year == 1969 && d.month == 12 && d.day == 31);
    assert_int_equal(d.hour, 23);
}

static void the_ends_of_time_are_dates(void **state)
{
    struct tmk_match_date d = tmk_match_time_date(INT64_MIN, 0);

    (void)state;
    assert_true(d.year == INT64_C(-292277022657) && d.month == 1);
    assert_true(d.day == 27 && d.hour == 8 && d.minute == 29);
    d = tmk_match_time_date(INT64_MAX, 0);
    assert_true(d.year == INT64_C(292277026596) && d.month == 12);
    assert_true(d.day == 4 && d.hour == 15 && d.second == 7);
}

static void the_letters_are_those_of_the_c_library(void **state)
{
    static const char same[] = "aAbBcCdDeFgGhHIjklmMpPrRsuUVwWxyY";

    (void)state;
    for (int64_t i = 0; i < 3000; i++) {
        struct tmk_match_time time = {1262300400 + i * 133007, 0};
        time_t t = (time_t)time.s;
        struct tm tm;

        assert_non_null(gmtime_r(&t, &tm));
        for (const char *letter = same; *letter != '\0'; letter++) {
            char format[] = {'%', *letter, '\0'};
            char want[TMK_MATCH_TIME_ROOM];
            char got[TMK_MATCH_TIME_ROOM];
            size_t length;

            if (*letter == 's') {
                continue; /* local time there */
            }
            length = strftime(want, sizeof(want), format, &tm);
            assert_int_equal(tmk_match_time_format(*letter, time, 0, "UTC", got,
                                                   sizeof(got)),
                             length);
            assert_string_equal(got, want);
        }
    }
}

static void seconds_have_ten_decimals(void **state)
{
    static const struct {
        char letter;
        const char *want;
    } rows[] = {
        {'@', "1772600767.0890000000"},
        {'s', "1772600767"},
        {'S', "07.0890000000"},
        {'T', "06:06:07.0890000000"},
        {'X', "06:06:07.0890000000"},
        {'+', "2026-03-04+06:06:07.0890000000"},
        {'n', "\n"},
        {'t', "\t"},
        {'z', "+0100"},
        {'Z', "CET"},
        {'q', ""},
        {'E', ""},
    };
    static const struct tmk_match_time time = {1772600767, 89000000};
    char buf[TMK_MATCH_TIME_ROOM];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t length = tmk_match_time_format(rows[i].letter, time, 3600, "CET",
                                              buf, sizeof(buf));

        assert_int_equal(length, strlen(rows[i].want));
        assert_memory_equal(buf, rows[i].want, length);
    }
    assert_int_equal(
        tmk_match_time_format('z', time, -19800, "", buf, sizeof(buf)), 5);
    assert_string_equal(buf, "-0530");
    assert_int_equal(tmk_match_time_format_long(time, 3600, buf, sizeof(buf)),
                     35);
    assert_string_equal(buf, "Wed Mar  4 06:06:07.0890000000 2026");
}

static void a_small_buffer_gets_what_fits(void **state)
{
    char buf[8];

    (void)state;
    assert_int_equal(tmk_match_time_format('F', (struct tmk_match_time){0, 0},
                                           0, "", buf, sizeof(buf)),
                     7);
    assert_string_equal(buf, "1970-01");
}

static void ls_shows_the_year_of_what_is_long_ago_or_ahead(void **state)
{
    static const struct {
        int64_t age_s;
        const char *want;
    } rows[] = {
        {0, "Mar  4 05:06"},           {180 * DAY_S - 1, "Sep  5 05:06"},
        {180 * DAY_S, "Sep  5  2025"}, {-HOUR_S, "Mar  4 06:06"},
        {-HOUR_S - 1, "Mar  4  2026"}, {INT64_C(70000000000), "Dec 18  -193"},
    };
    static const struct tmk_match_time now = {1772600767, 0};
    char buf[TMK_MATCH_TIME_ROOM];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_time time = {now.s - rows[i].age_s, 0};

        (void)tmk_match_time_format_ls(time, now, 0, buf, sizeof(buf));
        assert_string_equal(buf, rows[i].want);
    }
}

/* Clocks go forward by an hour at 10 h. */
static int32_t offset_s(void *arg, int64_t s)
{
    (void)arg;
    return s < 10 * HOUR_S ? 3600 : 7200;
}

static void dates_are_read_with_or_without_a_zone(void **state)
{
    static const struct {
        const char *text;
        bool local;
        int64_t s;
        uint32_t ns;
    } rows[] = {
        {"@0", true, 0, 0},
        {"@1.5", true, 1, 500000000},
        {"@-1.5", true, -2, 500000000},
        {"@-3", true, -3, 0},
        {"@1.1234567899", true, 1, 123456789},
        {"1970-01-01", false, 0, 0},
        {"1970-01-01", true, -HOUR_S, 0},
        {"1970-01-02", true, 22 * HOUR_S, 0},
        {"1970-01-01T00:01", false, 60, 0},
        {"1970-01-01 00:01:02", false, 62, 0},
        {"1970-01-01 00:01:02.25", false, 62, 250000000},
        {"1970-01-01T01:00Z", true, 3600, 0},
        {"1970-01-01T01:00 UTC", true, 3600, 0},
        {"1970-01-01UTC", true, 0, 0},
        {"1970-01-01Z", true, 0, 0},
        {"1970-01-01 +01", true, -HOUR_S, 0},
        {"1970-01-01T01:00+01", true, 0, 0},
        {"1970-01-01T01:00+0130", true, -1800, 0},
        {"1970-01-01T01:00-01:30", true, 9000, 0},
        {"1970-01-01T10:30", true, 9 * HOUR_S + 1800, 0},
        {"1970-01-01T12:30", true, 10 * HOUR_S + 1800, 0},
        {"2000-02-29", false, 951782400, 0},
        {"2026-12-31T23:59:59", false, 1798761599, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_time time;

        assert_int_equal(tmk_match_time_parse(rows[i].text,
                                              rows[i].local ? offset_s : NULL,
                                              NULL, &time),
                         0);
        if (time.s != rows[i].s || time.ns != rows[i].ns) {
            fail_msg("%s: %lld.%09u", rows[i].text, (long long)time.s, time.ns);
        }
    }
}

static void other_texts_are_no_dates(void **state)
{
    static const char *const rows[] = {
        "",
        "now",
        "yesterday",
        "@",
        "@x",
        "@1.",
        "@1.x",
        "@1x",
        "@--1",
        "@9223372036854775807",
        "1970",
        "1970-01",
        "1970-1-1",
        "1970-01-1",
        "70-01-01",
        "1970-00-01",
        "1970-13-01",
        "1970-01-00",
        "1970-01-32",
        "1970-02-29",
        "1900-02-29",
        "2026-04-31",
        "1970/01/01",
        "1970-01/01",
        "1970-01-01x",
        "1970-01-01T",
        "1970-01-01 ",
        "1970-01-01T1",
        "1970-01-01T10",
        "1970-01-01T10:",
        "1970-01-01T10:0",
        "1970-01-01T24:00",
        "1970-01-01T10:60",
        "1970-01-01T10:00:60",
        "1970-01-01T10:00:0",
        "1970-01-01T10:00:00.",
        "1970-01-01T10:00:00 CET",
        "1970-01-01T10:00+",
        "1970-01-01T10:00+1",
        "1970-01-01T10:00+01:",
        "1970-01-01T10:00+01:6",
        "1970-01-01T10:00+01:60",
        "1970-01-01T10:00+25",
        "1970-01-01T10:00+01:00x",
        "1970-01-01T10:00+0100 ",
        "+1970-01-01",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_time time;

        if (tmk_match_time_parse(rows[i], NULL, NULL, &time) != -EINVAL) {
            fail_msg("'%s' was taken", rows[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_compared_and_subtracted),
        cmocka_unit_test(dates_are_those_of_the_c_library),
        cmocka_unit_test(an_offset_moves_the_date),
        cmocka_unit_test(the_ends_of_time_are_dates),
        cmocka_unit_test(the_letters_are_those_of_the_c_library),
        cmocka_unit_test(seconds_have_ten_decimals),
        cmocka_unit_test(a_small_buffer_gets_what_fits),
        cmocka_unit_test(ls_shows_the_year_of_what_is_long_ago_or_ahead),
        cmocka_unit_test(dates_are_read_with_or_without_a_zone),
        cmocka_unit_test(other_texts_are_no_dates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
