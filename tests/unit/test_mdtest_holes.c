#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/mdtest_status.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { HOLES_SHOWN = 4, TEXT_SIZE = 1 << 14 };

static void a_text_that_is_none_of_ours_is_refused(void **state)
{
    static const struct {
        const char *text;
        int want;
        const char *word; /* of the reason */
    } rows[] = {
        {"5", TMK_MDTEST_STATUS_OK, ""},
        {" 5 \r\n\n", TMK_MDTEST_STATUS_OK, ""},
        {"-1\n", TMK_MDTEST_STATUS_NONE, ""},
        {"-7", -EINVAL, "line 1"},
        {"", -EINVAL, "line 1"},
        {"5\nrubbish", -EINVAL, "line 2"},
        {"5\nseed 1\nfiles 3\n", -EINVAL, "line 3"},
        {"5\nseed 2147483648\n", -EINVAL, "line 2"},
        {"5\nseed -2147483648\n", TMK_MDTEST_STATUS_OK, ""},
        {"6", -ERANGE, "6 files are more than the 5 per task"},
        {"5\ndirectories 6", -ERANGE, "6 directories are more"},
        {"5\nowner 0 iteration 0 files 6", -ERANGE, "6 files are more"},
        {"5\nhole 0 iteration 0 files 4", TMK_MDTEST_STATUS_OK, ""},
        {"5\nhole 0 iteration 0 files 5", -ERANGE, "position 5 of a hole"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_status status;
        char why[256] = "";

        assert_int_equal(
            tmk_mdtest_status_parse(&status, rows[i].text, 5, why, sizeof(why)),
            rows[i].want);
        assert_non_null(strstr(why, rows[i].word));
    }
}

static void holes_are_in_order_once_and_among_what_was_made(void **state)
{
    static const struct {
        const char *text; /* behind "9\n" */
        uint64_t count;
        uint64_t n_holes;
        uint64_t holes[HOLES_SHOWN];
    } rows[] = {
        {"", 9, 0, {0}},
        {"hole 3 iteration 0 files 8\n", 9, 1, {8}},
        {"hole 3 iteration 0 files 5\nhole 3 iteration 0 files 2\n",
         9,
         2,
         {2, 5}},
        {"hole 3 iteration 0 files 5\nhole 3 iteration 0 files 5\n", 9, 1, {5}},
        {"hole 3 iteration 0 files 4\nowner 3 iteration 0 files 4\n",
         4,
         0,
         {0}},
        {"owner 3 iteration 0 files 4\nhole 3 iteration 0 files 3\n",
         4,
         1,
         {3}},
        {"hole 2 iteration 0 files 4\nhole 3 iteration 1 files 5\n"
         "hole 3 iteration 0 directories 6\n",
         9,
         0,
         {0}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_status status;
        struct tmk_mdtest_made made;
        char text[256];
        char why[256] = "";

        (void)snprintf(text, sizeof(text), "9\n%s", rows[i].text);
        assert_int_equal(
            tmk_mdtest_status_parse(&status, text, 9, why, sizeof(why)),
            TMK_MDTEST_STATUS_OK);
        tmk_mdtest_status_made(&status, TMK_MDTEST_FILES, 0, 3, &made);
        assert_int_equal(made.count, rows[i].count);
        assert_int_equal(made.n_holes, rows[i].n_holes);
        for (uint64_t k = 0; k < made.n_holes; k++) {
            assert_int_equal(made.holes[k], rows[i].holes[k]);
        }
    }
}

/* Every second of 600 positions, the last one first or last. */
static void behind_too_many_holes_nothing_is_visited(void **state)
{
    enum { HOLES = 300 };
    static char text[TEXT_SIZE];

    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        struct tmk_mdtest_status status;
        struct tmk_mdtest_made made;
        char why[256] = "";
        size_t used = (size_t)snprintf(text, sizeof(text), "1000\n");

        for (int i = 0; i < HOLES; i++) {
            int position = 2 * (backwards ? HOLES - 1 - i : i);

            used += (size_t)snprintf(text + used, sizeof(text) - used,
                                     "hole 0 iteration 0 files %d\n", position);
        }
        assert_true(used < sizeof(text));
        assert_int_equal(
            tmk_mdtest_status_parse(&status, text, 1000, why, sizeof(why)),
            TMK_MDTEST_STATUS_OK);
        tmk_mdtest_status_made(&status, TMK_MDTEST_FILES, 0, 0, &made);
        assert_int_equal(made.n_holes, TMK_MDTEST_HOLES_MAX);
        assert_int_equal(made.count, 2 * TMK_MDTEST_HOLES_MAX);
        assert_int_equal(made.attempted, 1000);
        assert_int_equal(tmk_mdtest_made_within(&made, 0, 1000),
                         TMK_MDTEST_HOLES_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_is_none_of_ours_is_refused),
        cmocka_unit_test(holes_are_in_order_once_and_among_what_was_made),
        cmocka_unit_test(behind_too_many_holes_nothing_is_visited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
