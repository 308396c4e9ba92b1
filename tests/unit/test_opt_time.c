#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/opt_time.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
    int (*parse)(void *field, const char *text, const char **want);
    void (*show)(const void *field, char *buf, size_t size);
    const char *text;
    uint64_t ns;
    const char *shown;
} times[] = {
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, "0", 0, "0"},
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, "0.5", 500000000,
     "0.5"},
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, ".25", 250000000,
     "0.25"},
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, "1048576",
     1048576000000000, "1048576"},
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, "1000000000",
     1000000000000000000, "1000000000"},
    {tmk_opt_time_parse_seconds, tmk_opt_time_show_seconds, "1234567.5",
     1234567500000000, "1234567.5"},
    {tmk_opt_time_parse_minutes, tmk_opt_time_show_minutes, "0.5", 30000000000,
     "0.5"},
    {tmk_opt_time_parse_minutes, tmk_opt_time_show_minutes, "90", 5400000000000,
     "90"},
    {tmk_opt_time_parse_us, tmk_opt_time_show_us, "10", 10000, "10"},
    {tmk_opt_time_parse_us, tmk_opt_time_show_us, "0.5", 500, "0.5"},
};

static void times_are_numbers_with_decimals(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(times); i++) {
        const char *want = NULL;
        uint64_t ns = 7;
        char shown[32];

        assert_int_equal(times[i].parse(&ns, times[i].text, &want), 0);
        assert_int_equal(ns, times[i].ns);
        times[i].show(&ns, shown, sizeof(shown));
        assert_string_equal(shown, times[i].shown);
    }
}

static void what_is_no_time_is_refused(void **state)
{
    static const char *const texts[] = {
        "",      "-1",  "1m",  "1k",  "1s",
        "1e3",   "nan", "inf", "0x8", "1000000000000000",
        "1.2.3", ".",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        for (size_t k = 0; k < COUNT(times); k++) {
            const char *want = NULL;
            uint64_t ns = 7;

            assert_int_equal(times[k].parse(&ns, texts[i], &want), -EINVAL);
            assert_int_equal(ns, 7);
            assert_non_null(strstr(want, "a number of "));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_numbers_with_decimals),
        cmocka_unit_test(what_is_no_time_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
