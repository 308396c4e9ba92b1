#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/explain_words.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Words with '|' between them. */
static void join(const struct tmk_explain_words *words, char *buf, size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (int i = 0; i < words->argc; i++) {
        used += (size_t)snprintf(buf + used, size - used, "%s%s",
                                 i == 0 ? "" : "|", words->argv[i]);
        assert_true(used < size);
    }
}

static void a_line_is_cut_as_a_shell_does(void **state)
{
    static const struct {
        const char *line, *want, *rest;
    } rows[] = {
        {"", "", NULL},
        {"   ", "", NULL},
        {"a", "a", NULL},
        {" mdtest  -n\t10 ", "mdtest|-n|10", NULL},
        {"a 'b c' \"d e\"", "a|b c|d e", NULL},
        {"a b' 'c", "a|b c", NULL},
        {"a ''", "a|", NULL},
        {"a \"\"b", "a|b", NULL},
        {"a b\\ c", "a|b c", NULL},
        {"a '\\'", "a|\\", NULL},
        {"a \"\\\"\"", "a|\"", NULL},
        {"a \"\\x\"", "a|\\x", NULL},
        {"a \\\n  b", "a|b", NULL},
        {"a b\\", "a|b\\", NULL},
        {"a $B `c`", "a|$B|`c`", NULL},
        {"a >out", "a", ">out"},
        {"a 2>&1 b", "a", "2>&1 b"},
        {"a | b", "a", "| b"},
        {"a; b", "a", "; b"},
        {"a &", "a", "&"},
        {"a b>c", "a|b", ">c"},
        {"a '>' 2 3", "a|>|2|3", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_words words;
        char got[256];

        assert_int_equal(tmk_explain_words_split(rows[i].line, &words), 0);
        join(&words, got, sizeof(got));
        assert_string_equal(got, rows[i].want);
        assert_null(words.argv[words.argc]);
        if (rows[i].rest != NULL) {
            assert_string_equal(words.rest, rows[i].rest);
        } else {
            assert_null(words.rest);
        }
        tmk_explain_words_fini(&words);
    }
}

static void a_quote_that_is_not_closed_is_refused(void **state)
{
    static const char *const rows[] = {"a 'b", "a \"b", "a \"b\\", "'",
                                       "a\"\\\""};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_words words;

        assert_int_equal(tmk_explain_words_split(rows[i], &words), -EINVAL);
        tmk_explain_words_fini(&words);
    }
}

static void words_that_are_cut_stay_as_they_are(void **state)
{
    char *argv[] = {"ior", "-o", "a b", NULL};
    struct tmk_explain_words words;

    (void)state;
    assert_int_equal(tmk_explain_words_take(3, argv, &words), 0);
    assert_int_equal(words.argc, 3);
    assert_string_equal(words.argv[2], "a b");
    assert_null(words.argv[3]);
    tmk_explain_words_fini(&words);
}

static void the_program_is_found_behind_a_launcher(void **state)
{
    static const struct {
        const char *line;
        enum tmk_explain_program program;
        int at;
    } rows[] = {
        {"mdtest -n 1", TMK_EXPLAIN_MDTEST, 0},
        {"./IOR -w", TMK_EXPLAIN_IOR, 0},
        {"/x/mdtest-4.1 -n 1", TMK_EXPLAIN_MDTEST, 0},
        {"/x.y/ior.exe", TMK_EXPLAIN_IOR, 0},
        {"mpirun -np 4 ior", TMK_EXPLAIN_IOR, 3},
        {"treemark mdtest -n 1", TMK_EXPLAIN_MDTEST, 1},
        {"srun -n 4 treemark ior -d 1", TMK_EXPLAIN_IOR, 4},
        {"mpirun --wdir /x/mdtest -np 4 ior -w", TMK_EXPLAIN_IOR, 5},
        {"srun -l mdtest -n 1 -d /x/mdtest", TMK_EXPLAIN_MDTEST, 2},
        {"/ior/bin/prog", TMK_EXPLAIN_NONE, 1},
        {"mdtests iors", TMK_EXPLAIN_NONE, 2},
        {"", TMK_EXPLAIN_NONE, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_explain_words words;
        int at = -1;

        assert_int_equal(tmk_explain_words_split(rows[i].line, &words), 0);
        assert_int_equal(tmk_explain_words_program(&words, &at),
                         rows[i].program);
        assert_int_equal(at, rows[i].at);
        tmk_explain_words_fini(&words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_cut_as_a_shell_does),
        cmocka_unit_test(a_quote_that_is_not_closed_is_refused),
        cmocka_unit_test(words_that_are_cut_stay_as_they_are),
        cmocka_unit_test(the_program_is_found_behind_a_launcher),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
