/*
 * test_match_memory: expressions and records when memory ends.  The linker
 * puts these two functions in the place of calloc and realloc.
 */
#include "unit/match_env.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PAD_MOST = 4200, PAD_STEP = 16, NEVER = -1 };

static int left = NEVER; /* calls that still go well */

/* NOLINTBEGIN: these names are the linker's */
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static bool fails(void)
{
    if (left > 0) {
        left--;
    }
    return left == 0;
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}
/* NOLINTEND */

/* Let the second piece of memory fail, wherever a word before the expression
 * makes the first one end. */
static void fail_everywhere(char **argv, int argc, bool pfind)
{
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    unsigned failed = 0;

    for (int pad = 1; pad < PAD_MOST; pad += PAD_STEP) {
        /* the expression itself, its first piece, its second one */
        for (int n = 1; n <= 4; n++) {
            char name[PAD_MOST + 1];
            struct tmk_match_pfind asked;
            struct tmk_match *match;
            char why[MATCH_WHY] = "";
            int err;

            memset(name, 'x', (size_t)pad);
            name[pad] = '\0';
            argv[0] = name;
            w.said[0] = '\0';
            left = n;
            err = pfind ? tmk_match_pfind(&match, &asked, argc, argv, &env, why,
                                          sizeof(why))
                        : tmk_match_compile(&match, argc, argv, &env, why,
                                            sizeof(why));
            left = NEVER;
            if (err != 0) {
                failed++;
                assert_int_equal(err, -ENOMEM);
                assert_null(match);
                assert_string_equal(why, "Cannot allocate memory");
            }
            tmk_match_free(match);
        }
    }
    assert_true(failed > 2 * (PAD_MOST / PAD_STEP + 1));
}

static void an_expression_without_memory_is_refused(void **state)
{
    static const char *const rows[] = {
        "x",
        "x -name a*b -path c -lname d",
        "x -regex a -iregex b",
        "x -type f -xtype l -inum 1 -links 1 -size 1 -user ann -group staff",
        "x -perm 1 -mtime 1 -mmin 1 -used 1 -newer ref -newermt @1",
        "x -samefile ref -fstype a -readable -empty -nouser -true -false",
        "x -maxdepth 1 -depth -regextype awk -prune -quit",
        "x -print -print0 -ls -delete",
        "x -printf a%pb%T@ -fprintf c %s",
        "x -fprint a -fls b -fprint0 a -ls",
        "x -exec a b c {} + -execdir d e ;",
        "x ! -uid 1 -o ( -gid 1 , ! -uid 2 ) -gid 2",
        "x a b c -uid 1 -o -uid 2 , -uid 3",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[256];
        char *argv[MATCH_WORDS_MOST + 1];

        (void)snprintf(line, sizeof(line), "%s", rows[i]);
        fail_everywhere(argv, match_cut(line, argv), false);
    }
}

static void a_pfind_without_memory_is_refused(void **state)
{
    static const char *const rows[] = {
        "x -C",
        "x -name a -size 1c -newer ref -empty -e",
        "x -regex a -delete",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[256];
        char *argv[MATCH_WORDS_MOST + 1];

        (void)snprintf(line, sizeof(line), "%s", rows[i]);
        fail_everywhere(argv, match_cut(line, argv), true);
    }
}

/* A record is longer than the memory there is after `room` bytes. */
static void check_record(const char *words, char type)
{
    struct match_world w = {0};
    struct tmk_match_entry e = match_entry("top/f", type);
    struct tmk_match *match;
    char why[MATCH_WHY] = "";
    unsigned failed = 0;

    assert_int_equal(match_compile(&w, words, &match, why), 0);
    for (size_t used = 0; used < 256; used++) {
        struct tmk_match_text text = {0};
        char filler[256] = {0};

        assert_int_equal(tmk_match_text_add(&text, filler, used), 0);
        left = 1;
        if (tmk_match_record(match->actions[0], &e, &match_calls, &w, &text) !=
            0) {
            failed++;
            assert_int_equal(text.length, used);
        } else {
            assert_true(text.length > used);
        }
        left = NEVER;
        tmk_match_text_fini(&text);
    }
    assert_true(failed > 2);
    tmk_match_free(match);
}

static void a_record_without_memory_is_left_out_whole(void **state)
{
    (void)state;
    check_record(". -print", 'f');
    check_record(". -print0", 'f');
    check_record(". -ls", 'l');
    check_record(". -ls", 'c');
    check_record(". -printf %9d%-9m%+05d%p%Tc%u%l%S%s", 'l');
    check_record(". -printf abc%9d%9m", 'f');
}

static void a_word_without_memory_is_left_out_whole(void **state)
{
    static const char filler[256];
    unsigned failed = 0;

    (void)state;
    for (size_t used = 0; used < sizeof(filler); used++) {
        struct tmk_match_text text = {0};

        assert_int_equal(tmk_match_text_add(&text, filler, used), 0);
        left = 1;
        if (tmk_match_exec_word("ab{}cd{}", "top/f", &text) != 0) {
            failed++;
            assert_int_equal(text.length, used);
        }
        left = NEVER;
        tmk_match_text_fini(&text);
    }
    assert_int_equal(failed, 15); /* of its length, and when there is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_without_memory_is_refused),
        cmocka_unit_test(a_pfind_without_memory_is_refused),
        cmocka_unit_test(a_word_without_memory_is_left_out_whole),
        cmocka_unit_test(a_record_without_memory_is_left_out_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
