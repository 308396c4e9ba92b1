#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/match_text.h"

static void must_be(const struct tmk_match_text *text, const char *want)
{
    assert_int_equal(text->length, strlen(want));
    assert_memory_equal(text->bytes, want, text->length);
}

static void bytes_are_added_at_the_end(void **state)
{
    struct tmk_match_text text = {0};

    (void)state;
    assert_int_equal(tmk_match_text_add(&text, NULL, 0), 0);
    assert_int_equal(tmk_match_text_add(&text, "ab", 2), 0);
    assert_int_equal(tmk_match_text_add(&text, "c", 1), 0);
    must_be(&text, "abc");
    text.length = 1;
    assert_int_equal(tmk_match_text_add(&text, "z", 1), 0);
    must_be(&text, "az");
    tmk_match_text_fini(&text);
    assert_null(text.bytes);
    assert_int_equal(text.room, 0);
    tmk_match_text_fini(&text);
}

static void it_grows_as_it_must(void **state)
{
    struct tmk_match_text text = {0};

    (void)state;
    for (unsigned i = 0; i < 10000; i++) {
        char c = (char)('a' + i % 26);

        assert_int_equal(tmk_match_text_add(&text, &c, 1), 0);
    }
    assert_int_equal(text.length, 10000);
    for (unsigned i = 0; i < 10000; i++) {
        assert_int_equal(text.bytes[i], 'a' + i % 26);
    }
    tmk_match_text_fini(&text);
}

static void a_field_is_filled_with_blanks_on_one_side(void **state)
{
    struct tmk_match_text text = {0};

    (void)state;
    assert_int_equal(tmk_match_text_pad(&text, "", 0, 0, 0), 0);
    assert_int_equal(tmk_match_text_pad(&text, "ab", 2, 4, 0), 0);
    assert_int_equal(tmk_match_text_pad(&text, "cd", 2, 4, 1), 0);
    assert_int_equal(tmk_match_text_pad(&text, "efg", 3, 2, 1), 0);
    assert_int_equal(tmk_match_text_pad(&text, NULL, 0, 1, 0), 0);
    assert_int_equal(tmk_match_text_pad(&text, NULL, 0, 0, 0), 0);
    must_be(&text, "  abcd  efg ");
    tmk_match_text_fini(&text);
}

static void what_no_memory_holds_leaves_the_text_as_it_was(void **state)
{
    struct tmk_match_text text = {0};

    (void)state;
    assert_int_equal(tmk_match_text_add(&text, "ab", 2), 0);
    assert_int_equal(tmk_match_text_pad(&text, "c", 1, SIZE_MAX, 0), -ENOMEM);
    assert_int_equal(tmk_match_text_add(&text, "c", SIZE_MAX - 4), -ENOMEM);
    must_be(&text, "ab");
    tmk_match_text_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_added_at_the_end),
        cmocka_unit_test(it_grows_as_it_must),
        cmocka_unit_test(a_field_is_filled_with_blanks_on_one_side),
        cmocka_unit_test(what_no_memory_holds_leaves_the_text_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
