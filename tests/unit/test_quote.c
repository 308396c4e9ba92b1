#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/quote.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void control_characters_become_question_marks(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"plain", "plain"},
        {"a\nb\033[0m\x7f", "a?b?[0m?"},
        {"\x01\x1f ~", "?? ~"},
        /* U+0085 is one in UTF-8, U+00A0 is none. */
        {"a\xc2\x85z\xc2\xa0", "a?z\xc2\xa0"},
        /* The same in Latin-1: 0x85 and 0x9b, but not 0xe9. */
        {"a\x85\x9bz\xe9", "a??z\xe9"},
        {"\xe9\x85", "\xe9?"},
        {"\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",
         "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"},
        /* One that is not whole is none. */
        {"\xe2\x82", "\xe2?"},
        {"\xf0\x9f\x98 \xf0\x9f\x98\x80\x80", "\xf0?? \xf0\x9f\x98\x80?"},
        {"\xc3\xc3\xbc", "\xc3\xc3\xbc"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buf[64];

        tmk_quote(buf, sizeof(buf), rows[i].text, strlen(rows[i].text));
        assert_string_equal(buf, rows[i].want);
    }
}

static void what_does_not_fit_ends_in_dots(void **state)
{
    static const struct {
        size_t size;
        const char *text, *want;
    } rows[] = {
        {9, "12345", "12345"},
        {8, "12345", "1234..."},
        {5, "12345", "1..."},
        {8, "123\xc3\xbc", "123..."},
        {9, "123\xc3\xbc", "123\xc3\xbc"},
        {8, "\xe2\x82\xac\xe2\x82\xac", "\xe2\x82\xac..."},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buf[64];

        memset(buf, '#', sizeof(buf));
        tmk_quote(buf, rows[i].size, rows[i].text, strlen(rows[i].text));
        assert_string_equal(buf, rows[i].want);
        assert_int_equal(buf[rows[i].size], '#');
    }
}

static void no_more_than_the_length_is_read(void **state)
{
    char buf[64];

    (void)state;
    tmk_quote(buf, sizeof(buf), "--name=value", 6);
    assert_string_equal(buf, "--name");
    /* Not even the rest of a character. */
    tmk_quote(buf, sizeof(buf), "-\xc3\xbc", 2);
    assert_string_equal(buf, "-\xc3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(what_does_not_fit_ends_in_dots),
        cmocka_unit_test(no_more_than_the_length_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
