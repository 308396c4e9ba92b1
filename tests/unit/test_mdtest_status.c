#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "bench/mdtest_status.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { WHY_SIZE = 256, MOST = 1000 };

#define FILES TMK_MDTEST_FILES
#define DIRS  TMK_MDTEST_DIRS

/* Of a text that must be fine. */
static struct tmk_mdtest_status parse_well(const char *text)
{
    struct tmk_mdtest_status status;
    char why[WHY_SIZE] = "";

    if (tmk_mdtest_status_parse(&status, text, MOST, why, sizeof(why)) !=
        TMK_MDTEST_STATUS_OK) {
        fail_msg("\"%s\" is refused: %s", text, why);
    }
    return status;
}

/* A text that must be refused for this reason. */
static void refuse(const char *text, int want, const char *reason)
{
    struct tmk_mdtest_status status;
    char why[WHY_SIZE] = "";
    int err = tmk_mdtest_status_parse(&status, text, MOST, why, sizeof(why));

    if (err != want || strstr(why, reason) == NULL) {
        fail_msg("\"%s\": %d, \"%s\"", text, err, why);
    }
    assert_null(strchr(why, '\n'));
}

/*
 * The first line.
 */

static void the_first_line_is_the_number_of_files(void **state)
{
    static const struct {
        const char *text;
        uint64_t files;
    } rows[] = {
        {"1000", 1000},   {"1000\n", 1000},   {"0", 0},        {"0\n", 0},
        {"007\n", 7},     {"1\n", 1},         {" 12\n", 12},   {"\t12", 12},
        {"12 \n", 12},    {"12\t \n", 12},    {"12\r\n", 12},  {"12 \r\n", 12},
        {"12\n\n\n", 12}, {"12\r\n\r\n", 12}, {"12\n \n", 12},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_status status = parse_well(rows[i].text);

        assert_ptr_equal(status.text, rows[i].text);
        assert_int_equal(status.files, rows[i].files);
        assert_false(status.has_seed);
        assert_int_equal(tmk_mdtest_status_count(&status, FILES, 0),
                         rows[i].files);
        assert_int_equal(tmk_mdtest_status_count(&status, FILES, 9),
                         rows[i].files);
    }
}

static void minus_one_says_nothing(void **state)
{
    static const char *const texts[] = {
        "-1", "-1\n", " -1\n", "-1 ", "-1\r\n", "-1\n\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct tmk_mdtest_status status;
        char why[WHY_SIZE];

        if (tmk_mdtest_status_parse(&status, texts[i], MOST, why,
                                    sizeof(why)) != TMK_MDTEST_STATUS_NONE) {
            fail_msg("\"%s\"", texts[i]);
        }
    }
}

static void what_is_no_number_of_files_is_refused(void **state)
{
    static const char *const texts[] = {
        "",
        " ",
        "\n",
        "\r\n",
        "\n1000",
        "-",
        "-7",
        "-10",
        "-1x",
        "-1 5",
        "--1",
        "- 1",
        "-1\n5\n",
        "-0",
        "+5",
        "x",
        "1000x",
        "x1000",
        "1.5",
        "1e3",
        "0x10",
        "10k",
        "10 20",
        "1,000",
        "1000\v",
        "1000\r1\n",
        "\v1000",
        "files",
        "files 5",
        "\xef\xbb\xbf\x35",     /* a mark of UTF-8, and 5 */
        "4611686018427387905",  /* 2^62 + 1 */
        "9223372036854775808",  /* 2^63 */
        "18446744073709551615", /* 2^64 - 1 */
        "18446744073709551616", /* 2^64 */
        "99999999999999999999999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        refuse(texts[i], -EINVAL, "line 1 ");
    }
}

static void the_largest_number_of_a_plan_is_read(void **state)
{
    const uint64_t largest = UINT64_C(1) << 62;
    struct tmk_mdtest_status status;
    char why[WHY_SIZE];

    (void)state;
    assert_int_equal(tmk_mdtest_status_parse(&status, "4611686018427387904",
                                             largest, why, sizeof(why)),
                     TMK_MDTEST_STATUS_OK);
    assert_int_equal(status.files, largest);
}

/* A text ends with its NUL, whatever is behind. */
static void nothing_is_read_behind_the_end(void **state)
{
    static const char text[] = "12\ndirectories 7\0\nnonsense";
    struct tmk_mdtest_status status = parse_well(text);

    (void)state;
    assert_int_equal(status.files, 12);
    assert_int_equal(tmk_mdtest_status_count(&status, DIRS, 0), 7);
}

/*
 * Records.
 */

static void records_are_read_whatever_ends_their_lines(void **state)
{
    static const char *const texts[] = {
        "9\ndirectories 8\nseed -5\niteration 1 files 7\n"
        "iteration 2 directories 6\nowner 3 iteration 1 files 5\n"
        "hole 3 iteration 1 files 4\n",
        /* no newline at the end */
        "9\ndirectories 8\nseed -5\niteration 1 files 7\n"
        "iteration 2 directories 6\nowner 3 iteration 1 files 5\n"
        "hole 3 iteration 1 files 4",
        "9\r\ndirectories 8\r\nseed -5\r\niteration 1 files 7\r\n"
        "iteration 2 directories 6\r\nowner 3 iteration 1 files 5\r\n"
        "hole 3 iteration 1 files 4\r\n",
        "9\n\ndirectories 8 \n\n \nseed -5\t\niteration 1 files 7  \n"
        "iteration 2 directories 6\nowner 3 iteration 1 files 5\n"
        "hole 3 iteration 1 files 4\n\n\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct tmk_mdtest_status status = parse_well(texts[i]);
        struct tmk_mdtest_made made;

        assert_int_equal(status.files, 9);
        assert_true(status.has_seed);
        assert_int_equal(status.seed, -5);
        assert_int_equal(tmk_mdtest_status_count(&status, FILES, 0), 9);
        assert_int_equal(tmk_mdtest_status_count(&status, FILES, 1), 7);
        assert_int_equal(tmk_mdtest_status_count(&status, FILES, 2), 9);
        assert_int_equal(tmk_mdtest_status_count(&status, DIRS, 0), 8);
        assert_int_equal(tmk_mdtest_status_count(&status, DIRS, 2), 6);
        tmk_mdtest_status_made(&status, FILES, 1, 3, &made);
        assert_int_equal(made.count, 5);
        assert_int_equal(made.attempted, 5);
        assert_int_equal(made.n_holes, 1);
        assert_int_equal(made.holes[0], 4);
    }
}

static void what_is_no_record_is_refused_by_its_line(void **state)
{
    static const struct {
        const char *text;
        const char *line;
    } rows[] = {
        {"5\nx", "line 2 "},
        {"5\n\n\nx\n", "line 4 "},
        {"5\r\n\r\nx\r\n", "line 3 "},
        {"5\n5\n", "line 2 "},
        {"5\n-1\n", "line 2 "},
        {"5\ndirectories\n", "line 2 "},
        {"5\ndirectories \n", "line 2 "},
        {"5\ndirectories x\n", "line 2 "},
        {"5\ndirectories -1\n", "line 2 "},
        {"5\ndirectories  5\n", "line 2 "},
        {"5\ndirectories 5 5\n", "line 2 "},
        {"5\ndirectories 5x\n", "line 2 "},
        {"5\ndirectories\t5\n", "line 2 "},
        {"5\n directories 5\n", "line 2 "},
        {"5\ndirectories 99999999999999999999\n", "line 2 "},
        {"5\ndirectory 5\n", "line 2 "},
        {"5\nDirectories 5\n", "line 2 "},
        {"5\nfiles 5\n", "line 2 "}, /* that is line 1 */
        {"5\ndirectories 5\nseed\n", "line 3 "},
        {"5\ndirectories 5\nseed \n", "line 3 "},
        {"5\ndirectories 5\nseed -\n", "line 3 "},
        {"5\ndirectories 5\nseed --5\n", "line 3 "},
        {"5\ndirectories 5\nseed +5\n", "line 3 "},
        {"5\ndirectories 5\nseed 2147483648\n", "line 3 "},
        {"5\ndirectories 5\nseed -2147483649\n", "line 3 "},
        {"5\niteration\n", "line 2 "},
        {"5\niteration 1\n", "line 2 "},
        {"5\niteration 1 \n", "line 2 "},
        {"5\niteration 1 files\n", "line 2 "},
        {"5\niteration 1 trees 5\n", "line 2 "},
        {"5\niteration files 5\n", "line 2 "},
        {"5\niteration -1 files 5\n", "line 2 "},
        {"5\niteration 1\nfiles 5\n", "line 2 "},
        {"5\nowner 1 files 5\n", "line 2 "},
        {"5\nowner 1 iteration 0\n", "line 2 "},
        {"5\nowner x iteration 0 files 5\n", "line 2 "},
        {"5\nowner 1 iteration x files 5\n", "line 2 "},
        {"5\nowner 1 iteration 0 files x\n", "line 2 "},
        {"5\nowner 1 iteration 0 files 5 files 5\n", "line 2 "},
        {"5\nowner 1 iteration 0 seed 5\n", "line 2 "},
        {"5\nowner 1\niteration 0 files 5\n", "line 2 "},
        {"5\nhole 1 files 5\n", "line 2 "},
        {"5\nhole 1 iteration 0\n", "line 2 "},
        {"5\nhole 1 iteration 0 files\n", "line 2 "},
        {"5\niteration 1 files 5\rhole 1 iteration 0 files 1\n", "line 2 "},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        refuse(rows[i].text, -EINVAL, rows[i].line);
    }
}

static void more_items_than_the_plan_has_are_refused(void **state)
{
    static const struct {
        const char *text;
        const char *reason;
    } rows[] = {
        {"1001", "1001 files are more than the 1000 per task of -n and -I"},
        {"4611686018427387904", "4611686018427387904 files"},
        {"5\ndirectories 1001\n", "1001 directories are more"},
        {"5\niteration 1 files 1002", "1002 files are more"},
        {"5\niteration 1 directories 1003", "1003 directories are more"},
        {"5\nowner 1 iteration 0 files 1004", "1004 files are more"},
        {"5\nhole 1 iteration 0 directories 1005", "position 1005 of a hole"},
        {"5\nhole 1 iteration 0 files 1000", "position 1000 of a hole"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        refuse(rows[i].text, -ERANGE, rows[i].reason);
    }
    (void)parse_well("1000\ndirectories 1000\niteration 1000000 files 1000\n"
                     "owner 1000000 iteration 1000000 files 1000\n"
                     "hole 1 iteration 0 files 999\nseed 2000\n");
}

static void a_reason_is_cut_where_there_is_no_room(void **state)
{
    struct tmk_mdtest_status status;
    char why[7];

    (void)state;
    assert_int_equal(
        tmk_mdtest_status_parse(&status, "x", MOST, why, sizeof(why)), -EINVAL);
    assert_string_equal(why, "line 1");
}

static void every_seed_of_32_bits_is_read(void **state)
{
    static const struct {
        const char *text;
        bool has;
        int32_t seed;
    } rows[] = {
        {"5\n", false, 0},
        {"5\nseed 0\n", true, 0},
        {"5\nseed -0\n", true, 0},
        {"5\nseed -1\n", true, -1},
        {"5\nseed 2147483647", true, INT32_MAX},
        {"5\nseed -2147483648\ndirectories 5", true, INT32_MIN},
        {"5\nseed 3\nseed 4\n", true, 4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_status status = parse_well(rows[i].text);

        assert_int_equal(status.has_seed, rows[i].has);
        assert_int_equal(status.seed, rows[i].seed);
    }
}

/*
 * What it says.
 */

static void counts_are_told_by_iteration_and_kind(void **state)
{
    static const struct {
        const char *text;
        uint64_t files[3], dirs[3]; /* of iterations 0 to 2 */
    } rows[] = {
        /* the original's: nothing of directories */
        {"9", {9, 9, 9}, {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
        {"9\ndirectories 8", {9, 9, 9}, {8, 8, 8}},
        {"9\ndirectories 0", {9, 9, 9}, {0, 0, 0}},
        {"0\ndirectories 8", {0, 0, 0}, {8, 8, 8}},
        {"9\niteration 1 files 7",
         {9, 7, 9},
         {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
        {"9\niteration 1 directories 7",
         {9, 9, 9},
         {UINT64_MAX, 7, UINT64_MAX}},
        {"9\niteration 0 files 1\niteration 2 files 3",
         {1, 9, 3},
         {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
        {"9\ndirectories 8\niteration 1 directories 7\n"
         "iteration 1 files 6\niteration 2 directories 0\n",
         {9, 6, 9},
         {8, 7, 0}},
        {"9\ndirectories 8\nseed 5\nowner 1 iteration 1 files 3\n"
         "hole 1 iteration 2 directories 2\n",
         {9, 9, 9},
         {8, 8, 8}},
        /* of several the last */
        {"9\ndirectories 8\ndirectories 7\niteration 2 files 1\n"
         "iteration 2 files 2\n",
         {9, 9, 2},
         {7, 7, 7}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_status status = parse_well(rows[i].text);

        for (uint64_t k = 0; k < 3; k++) {
            struct tmk_mdtest_made made;

            assert_int_equal(tmk_mdtest_status_count(&status, FILES, k),
                             rows[i].files[k]);
            assert_int_equal(tmk_mdtest_status_count(&status, DIRS, k),
                             rows[i].dirs[k]);
            tmk_mdtest_status_made(&status, DIRS, k, 17, &made);
            assert_int_equal(made.count, rows[i].dirs[k]);
            assert_int_equal(made.attempted, rows[i].dirs[k]);
            assert_int_equal(made.n_holes, 0);
        }
    }
}

static void owners_and_holes_are_those_of_their_kind_and_iteration(void **state)
{
    static const char text[] = "100\ndirectories 90\niteration 1 files 80\n"
                               "owner 2 iteration 0 files 17\n"
                               "owner 2 iteration 1 directories 16\n"
                               "owner 3 iteration 0 files 0\n"
                               "hole 2 iteration 0 files 4\n"
                               "hole 2 iteration 0 files 12\n"
                               "hole 2 iteration 0 directories 5\n"
                               "hole 2 iteration 1 files 6\n"
                               "hole 4 iteration 0 files 7\n";
    static const struct {
        enum tmk_mdtest_target target;
        uint64_t iteration, owner;
        uint64_t count, n_holes, holes[2];
    } rows[] = {
        {FILES, 0, 0, 100, 0, {0}}, {FILES, 0, 2, 17, 2, {4, 12}},
        {FILES, 0, 3, 0, 0, {0}},   {FILES, 0, 4, 100, 1, {7}},
        {FILES, 1, 2, 80, 1, {6}},  {FILES, 1, 4, 80, 0, {0}},
        {FILES, 2, 2, 100, 0, {0}}, {DIRS, 0, 2, 90, 1, {5}},
        {DIRS, 1, 2, 16, 0, {0}},   {DIRS, 0, 3, 90, 0, {0}},
    };
    struct tmk_mdtest_status status = parse_well(text);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_made made;

        tmk_mdtest_status_made(&status, rows[i].target, rows[i].iteration,
                               rows[i].owner, &made);
        assert_int_equal(made.count, rows[i].count);
        assert_int_equal(made.attempted, rows[i].count);
        assert_int_equal(made.n_holes, rows[i].n_holes);
        for (uint64_t k = 0; k < made.n_holes; k++) {
            assert_int_equal(made.holes[k], rows[i].holes[k]);
        }
    }
}

/* Whoever edits the file need not know what the search relies on. */
static void holes_may_be_told_in_any_order_and_twice(void **state)
{
    struct tmk_mdtest_status status =
        parse_well("20\n"
                   "hole 0 iteration 0 files 12\n"
                   "hole 0 iteration 0 files 3\n"
                   "hole 0 iteration 0 files 15\n"
                   "hole 0 iteration 0 files 3\n"
                   "hole 0 iteration 0 files 0\n"
                   "hole 0 iteration 0 files 12\n"
                   "hole 0 iteration 0 files 15\n");
    static const uint64_t want[] = {0, 3, 12, 15};
    struct tmk_mdtest_made made;

    (void)state;
    tmk_mdtest_status_made(&status, FILES, 0, 0, &made);
    assert_int_equal(made.n_holes, COUNT(want));
    assert_memory_equal(made.holes, want, sizeof(want));
    assert_int_equal(tmk_mdtest_made_within(&made, 0, 100), 16);
}

static void holes_behind_the_last_item_are_none(void **state)
{
    struct tmk_mdtest_status status =
        parse_well("20\n"
                   "hole 0 iteration 0 files 4\n"
                   "hole 0 iteration 0 files 9\n"
                   "hole 0 iteration 0 files 10\n"
                   "hole 0 iteration 0 files 11\n"
                   "hole 1 iteration 0 files 19\n"
                   "hole 1 iteration 0 files 20\n"
                   "owner 0 iteration 0 files 10\n");
    struct tmk_mdtest_made made;

    (void)state;
    tmk_mdtest_status_made(&status, FILES, 0, 0, &made);
    assert_int_equal(made.count, 10);
    assert_int_equal(made.n_holes, 2);
    tmk_mdtest_status_made(&status, FILES, 0, 1, &made);
    assert_int_equal(made.count, 20);
    assert_int_equal(made.n_holes, 1);
}

/* As in a creation: behind the first hole that is not kept nothing is
 * visited. */
static void of_too_many_holes_the_first_ones_are_kept(void **state)
{
    enum { EXTRA = 3, HOLES = TMK_MDTEST_HOLES_MAX + EXTRA, LINE = 40 };

    (void)state;
    for (int down = 0; down < 2; down++) {
        char *text = calloc(HOLES + 1, LINE);
        struct tmk_mdtest_status status;
        struct tmk_mdtest_made made;
        size_t used;

        assert_non_null(text);
        used = (size_t)snprintf(text, LINE, "%d\n", MOST);
        for (int i = 0; i < HOLES; i++) {
            used += (size_t)snprintf(text + used, LINE,
                                     "hole 0 iteration 0 files %d\n",
                                     2 * (down ? HOLES - 1 - i : i));
        }
        status = parse_well(text);
        tmk_mdtest_status_made(&status, FILES, 0, 0, &made);
        assert_int_equal(made.n_holes, TMK_MDTEST_HOLES_MAX);
        for (uint64_t i = 0; i < made.n_holes; i++) {
            assert_int_equal(made.holes[i], 2 * i);
        }
        assert_int_equal(made.count, 2 * TMK_MDTEST_HOLES_MAX);
        assert_int_equal(made.attempted, MOST);
        free(text);
    }
}

/*
 * Any text.
 */

static void a_long_text_is_read_to_its_end(void **state)
{
    enum { LINES = 200000, LINE = 48 };
    char *text = malloc((size_t)LINES * LINE);
    struct tmk_mdtest_status status;
    struct tmk_mdtest_made made;
    size_t used;

    (void)state;
    assert_non_null(text);
    used = (size_t)snprintf(text, LINE, "1000\n");
    for (int i = 0; i < LINES - 1; i++) {
        used += (size_t)snprintf(text + used, LINE,
                                 "owner %d iteration 0 files %d\n", i, i % 999);
    }
    status = parse_well(text);
    tmk_mdtest_status_made(&status, FILES, 0, LINES - 2, &made);
    assert_int_equal(made.count, (LINES - 2) % 999);
    text[used - 1] = 'x'; /* in place of the last newline */
    refuse(text, -EINVAL, "line 200000 ");
    /* One line of digits, and one of anything. */
    memset(text, '1', used);
    refuse(text, -EINVAL, "line 1 ");
    memset(text, 'a', used);
    text[0] = '5';
    text[1] = '\n';
    refuse(text, -EINVAL, "line 2 ");
    free(text);
}

/* A text of the words that a status file has, and of some it has not. */
static void scramble(uint64_t *random, char *text, size_t size)
{
    static const char *const words[] = {
        "files ",
        "directories ",
        "seed ",
        "iteration ",
        "owner ",
        "hole ",
        "\n",
        "\n",
        " ",
        "\r\n",
        "-",
        "x",
        "0",
        "0 ",
        "1 ",
        "2 ",
        "5 ",
        "999",
        "5\nhole 0 iteration 0 files 3\n",
        "owner 0 iteration 0 files 2\n",
    };
    uint64_t n = tmk_mix(*random += tmk_mix_step) % 40;

    (void)snprintf(text, size, "%s",
                   tmk_mix(*random += tmk_mix_step) % 4 != 0 ? "7\n" : "");
    for (uint64_t i = 0; i < n; i++) {
        size_t used = strlen(text);

        (void)snprintf(text + used, size - used, "%s",
                       words[tmk_mix(*random += tmk_mix_step) % COUNT(words)]);
    }
}

static void whatever_is_read_can_be_worked_on(void **state)
{
    enum { TEXTS = 200000 };
    uint64_t random = 1;
    int read = 0;

    (void)state;
    for (int i = 0; i < TEXTS; i++) {
        struct tmk_mdtest_status status;
        struct tmk_mdtest_made made;
        char text[512];
        char why[WHY_SIZE];

        scramble(&random, text, sizeof(text));
        if (tmk_mdtest_status_parse(&status, text, MOST, why, sizeof(why)) !=
            TMK_MDTEST_STATUS_OK) {
            continue;
        }
        read++;
        tmk_mdtest_status_made(&status, FILES, 0, 0, &made);
        assert_true(made.count <= MOST);
        assert_true(made.n_holes <= made.count);
        for (uint64_t k = 0; k < made.n_holes; k++) {
            assert_true(made.holes[k] < made.count);
            assert_true(k == 0 || made.holes[k - 1] < made.holes[k]);
        }
    }
    assert_true(read > TEXTS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_is_the_number_of_files),
        cmocka_unit_test(minus_one_says_nothing),
        cmocka_unit_test(what_is_no_number_of_files_is_refused),
        cmocka_unit_test(the_largest_number_of_a_plan_is_read),
        cmocka_unit_test(nothing_is_read_behind_the_end),
        cmocka_unit_test(records_are_read_whatever_ends_their_lines),
        cmocka_unit_test(what_is_no_record_is_refused_by_its_line),
        cmocka_unit_test(more_items_than_the_plan_has_are_refused),
        cmocka_unit_test(a_reason_is_cut_where_there_is_no_room),
        cmocka_unit_test(every_seed_of_32_bits_is_read),
        cmocka_unit_test(counts_are_told_by_iteration_and_kind),
        cmocka_unit_test(
            owners_and_holes_are_those_of_their_kind_and_iteration),
        cmocka_unit_test(holes_may_be_told_in_any_order_and_twice),
        cmocka_unit_test(holes_behind_the_last_item_are_none),
        cmocka_unit_test(of_too_many_holes_the_first_ones_are_kept),
        cmocka_unit_test(a_long_text_is_read_to_its_end),
        cmocka_unit_test(whatever_is_read_can_be_worked_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
