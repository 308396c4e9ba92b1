#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/typo.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void slips_are_counted(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned want;
    } rows[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"same", "same", 0},
        {"Same", "sAME", 0},
        {"tree", "tre", 1},
        {"tree", "trees", 1},
        {"tree", "free", 1},
        {"tree", "rtee", 1},
        {"tree", "eert", 3},
        {"kitten", "sitting", 3},
        {"abcd", "badc", 2},
        {"ca", "abc", 3}, /* a pair that changed places stays together */
        {"verify_raed", "verify-read", 2},
        {"leftovers", "warmup", 9},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *a = rows[i].a;
        const char *b = rows[i].b;

        assert_int_equal(tmk_typo_distance(a, strlen(a), b, 20), rows[i].want);
        assert_int_equal(tmk_typo_distance(b, strlen(b), a, 20), rows[i].want);
    }
}

static void only_the_length_is_read(void **state)
{
    (void)state;
    assert_int_equal(tmk_typo_distance("tree=parallel", 4, "tree", 3), 0);
}

static void more_than_the_most_is_not_told_apart(void **state)
{
    (void)state;
    for (unsigned most = 0; most < 3; most++) {
        assert_int_equal(tmk_typo_distance("kitten", 6, "sitting", most),
                         most + 1);
    }
    assert_int_equal(tmk_typo_distance("kitten", 6, "sitting", 3), 3);
}

static void a_word_that_is_too_long_is_far_from_all(void **state)
{
    char word[TMK_TYPO_LENGTH_MAX + 2];

    (void)state;
    memset(word, 'x', sizeof(word));
    word[TMK_TYPO_LENGTH_MAX + 1] = '\0';
    assert_int_equal(tmk_typo_distance(word, TMK_TYPO_LENGTH_MAX, word, 3), 4);
    assert_int_equal(tmk_typo_distance(word, TMK_TYPO_LENGTH_MAX + 1, "x", 3),
                     4);
    word[TMK_TYPO_LENGTH_MAX] = '\0';
    assert_int_equal(tmk_typo_distance(word, TMK_TYPO_LENGTH_MAX, word, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_counted),
        cmocka_unit_test(only_the_length_is_read),
        cmocka_unit_test(more_than_the_most_is_not_told_apart),
        cmocka_unit_test(a_word_that_is_too_long_is_far_from_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
