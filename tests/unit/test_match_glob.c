#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fnmatch.h>
#include <string.h>

#include "base/match_glob.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { ROOM = 64 };

static const struct {
    const char *pattern;
    enum tmk_match_glob_kind kind;
} patterns[] = {
    {"", TMK_MATCH_GLOB_LITERAL},        {"abc", TMK_MATCH_GLOB_LITERAL},
    {"a", TMK_MATCH_GLOB_LITERAL},       {".", TMK_MATCH_GLOB_LITERAL},
    {"/", TMK_MATCH_GLOB_LITERAL},       {"a\\*c", TMK_MATCH_GLOB_LITERAL},
    {"\\a\\b", TMK_MATCH_GLOB_LITERAL},  {"\\\\", TMK_MATCH_GLOB_LITERAL},
    {"]", TMK_MATCH_GLOB_LITERAL},       {"*", TMK_MATCH_GLOB_ALL},
    {"**", TMK_MATCH_GLOB_ALL},          {"abc*", TMK_MATCH_GLOB_PREFIX},
    {"a**", TMK_MATCH_GLOB_PREFIX},      {"\\**", TMK_MATCH_GLOB_PREFIX},
    {"*abc", TMK_MATCH_GLOB_SUFFIX},     {"***c", TMK_MATCH_GLOB_SUFFIX},
    {"*.c", TMK_MATCH_GLOB_SUFFIX},      {"*01*", TMK_MATCH_GLOB_CONTAINS},
    {"**b***", TMK_MATCH_GLOB_CONTAINS}, {"*\\?*", TMK_MATCH_GLOB_CONTAINS},
    {"a*c", TMK_MATCH_GLOB_ENDS},        {"ab*bc", TMK_MATCH_GLOB_ENDS},
    {"a***c", TMK_MATCH_GLOB_ENDS},      {"a*b*c", TMK_MATCH_GLOB_FNMATCH},
    {"*b*c", TMK_MATCH_GLOB_FNMATCH},    {"a*b*", TMK_MATCH_GLOB_FNMATCH},
    {"*a*b*", TMK_MATCH_GLOB_FNMATCH},   {"a?c", TMK_MATCH_GLOB_FNMATCH},
    {"?", TMK_MATCH_GLOB_FNMATCH},       {"*?", TMK_MATCH_GLOB_FNMATCH},
    {"[ab]", TMK_MATCH_GLOB_FNMATCH},    {"[!a]*", TMK_MATCH_GLOB_FNMATCH},
    {"[", TMK_MATCH_GLOB_FNMATCH},       {"a[", TMK_MATCH_GLOB_FNMATCH},
    {"a\\", TMK_MATCH_GLOB_FNMATCH},     {"*\\", TMK_MATCH_GLOB_FNMATCH},
};

static void the_cheapest_way_is_chosen(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(patterns); i++) {
        char text[ROOM];
        struct tmk_match_glob glob;

        tmk_match_glob_init(&glob, patterns[i].pattern, false, text);
        assert_int_equal(glob.kind, patterns[i].kind);
    }
}

static void every_way_agrees_with_fnmatch(void **state)
{
    static const char *const names[] = {
        "",        "a",        "A",    "abc",       "ABC",    "aBc",  "ab",
        "bc",      "abbc",     "xabc", "abcx",      "xabcx",  "a*c",  "a\\c",
        "*",       "\\",       "?",    "[",         "]",      ".",    ".abc",
        "/",       "a/c",      "/abc", "x.c",       ".c",     "c",    "b",
        "01",      "f01",      "01f",  "file.01.7", "0",      "f0f1", "\xff",
        "a\xff/c", "\xc3\xa4", "x\ny", "ab bc",     "abcabc", "a[",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(patterns) * COUNT(names) * 2; i++) {
        const char *pattern = patterns[i / 2 / COUNT(names)].pattern;
        const char *name = names[i / 2 % COUNT(names)];
        bool fold = i % 2 != 0;
        char text[ROOM];
        struct tmk_match_glob glob;
        bool want = fnmatch(pattern, name, fold ? FNM_CASEFOLD : 0) == 0;

        tmk_match_glob_init(&glob, pattern, fold, text);
        if (tmk_match_glob_test(&glob, name, strlen(name)) != want) {
            fail_msg("'%s' (fold %d) on '%s': not %d", pattern, fold, name,
                     want);
        }
    }
}

static void ends_do_not_overlap(void **state)
{
    char text[ROOM];
    struct tmk_match_glob glob;

    (void)state;
    tmk_match_glob_init(&glob, "ab*ba", false, text);
    assert_int_equal(glob.kind, TMK_MATCH_GLOB_ENDS);
    assert_false(tmk_match_glob_test(&glob, "aba", 3));
    assert_true(tmk_match_glob_test(&glob, "abba", 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_way_is_chosen),
        cmocka_unit_test(every_way_agrees_with_fnmatch),
        cmocka_unit_test(ends_do_not_overlap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
