#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define UUID     "0123abcd-ef45-6789-ABCD-EF0123456789"

static const struct {
    enum tmk_names_kind kind;
    uint64_t a, b;
    const char *name;
} known[] = {
    {TMK_NAMES_TEST_DIR, 0, 0, "test-dir.0-0"},
    {TMK_NAMES_TEST_DIR, 12, 305, "test-dir.12-305"},
    {TMK_NAMES_TEST_DIR_1, 0, 3, "#test-dir.3"},
    {TMK_NAMES_TEST_DIR_3, 3, 0, "#test-dir.3-0"},
    {TMK_NAMES_TREE, 0, 0, "mdtest_tree.0"},
    {TMK_NAMES_TREE, 0, 41, "mdtest_tree.41"},
    {TMK_NAMES_TREE_UNIQUE, 3, 0, "mdtest_tree.3.0"},
    {TMK_NAMES_TREE_UNIQUE, 10, 99, "mdtest_tree.10.99"},
    {TMK_NAMES_FILE, 7, 41, "file.mdtest.7.41"},
    {TMK_NAMES_FILE, UINT64_MAX, UINT64_MAX,
     "file.mdtest.18446744073709551615.18446744073709551615"},
    {TMK_NAMES_FILE_SHARED, 0, 5, "file.mdtest.shared.5"},
    {TMK_NAMES_DIR, 1, 2, "dir.mdtest.1.2"},
    {TMK_NAMES_DIR_MOVED, 1, 2, "dir.mdtest.1.2-XX"},
};

static void names_with_numbers_are_made_as_the_original_has_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        char buf[64];
        size_t length = strlen(known[i].name);

        assert_int_equal(tmk_names_make(known[i].kind, known[i].a, known[i].b,
                                        buf, sizeof(buf)),
                         length);
        assert_string_equal(buf, known[i].name);
    }
}

static void what_is_made_is_matched_with_its_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        enum tmk_names_kind kind = TMK_NAMES_KINDS;
        uint64_t a = 77;
        uint64_t b = 77;

        assert_true(tmk_names_match(known[i].name, &kind, &a, &b));
        assert_int_equal(kind, known[i].kind);
        assert_int_equal(a, known[i].a);
        assert_int_equal(b, known[i].b);
        assert_true(tmk_names_match(known[i].name, NULL, NULL, NULL));
    }
}

static void names_with_a_uuid_are_made_and_matched(void **state)
{
    static const struct {
        enum tmk_names_kind kind;
        const char *name;
    } rows[] = {
        {TMK_NAMES_MARKER, ".treemark." UUID},
        {TMK_NAMES_PROBE, ".treemark-probe." UUID},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buf[64];
        enum tmk_names_kind kind = TMK_NAMES_KINDS;
        uint64_t a = 77;
        uint64_t b = 77;

        assert_int_equal(
            tmk_names_make_id(rows[i].kind, UUID, buf, sizeof(buf)),
            strlen(rows[i].name));
        assert_string_equal(buf, rows[i].name);
        assert_true(tmk_names_match(buf, &kind, &a, &b));
        assert_int_equal(kind, rows[i].kind);
        assert_int_equal(a, 0);
        assert_int_equal(b, 0);
    }
}

static void a_name_that_does_not_fit_is_refused_without_overrun(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        size_t length = strlen(known[i].name);

        for (size_t size = 0; size <= length + 1; size++) {
            char buf[64];
            int want = size > length ? (int)length : -ENAMETOOLONG;

            memset(buf, '#', sizeof(buf));
            assert_int_equal(tmk_names_make(known[i].kind, known[i].a,
                                            known[i].b, buf, size),
                             want);
            assert_int_equal(buf[size], '#');
        }
    }
}

static void a_uuid_name_that_does_not_fit_is_refused(void **state)
{
    char buf[64];

    (void)state;
    assert_int_equal(tmk_names_make_id(TMK_NAMES_MARKER, UUID, buf, 46),
                     -ENAMETOOLONG);
    assert_int_equal(tmk_names_make_id(TMK_NAMES_MARKER, UUID, buf, 47), 46);
}

static void what_is_not_exactly_ours_is_not_matched(void **state)
{
    static const char *const rows[] = {
        "",
        "x",
        ".",
        "..",
        "test-dir.",
        "test-dir.0",
        "test-dir.0-",
        "test-dir.-0",
        "test-dir.0-0 ",
        " test-dir.0-0",
        "test-dir.0-0/",
        "test-dir.00-0",
        "test-dir.0-01",
        "test-dir.0.0",
        "test-dir.0--1",
        "test-dir.+1-0",
        "mdtest_tree",
        "mdtest_tree.",
        "mdtest_tree.01",
        "mdtest_tree.1.",
        "mdtest_tree..1",
        "mdtest_tree.1.02",
        "mdtest_tree.1.2.3",
        "Mdtest_tree.1",
        "file.mdtest.7",
        "file.mdtest.7.",
        "file.mdtest.7.41x",
        "file.mdtest.7.41-XX",
        "file.mdtest.07.41",
        "file.mdtest.18446744073709551616.0",
        "file.mdtest.0.18446744073709551616",
        "file.mdtest.0.99999999999999999999",
        "file.mdtest.0.184467440737095516150",
        "file.mdtest.shared",
        "file.mdtest.shared.",
        "file.mdtest.shared.05",
        "file.mdtest.shared.1.2",
        "dir.mdtest.1.2-X",
        "dir.mdtest.1.2-XXX",
        "dir.mdtest.1.2-xx",
        "dir.mdtest.-XX",
        "dir.mdtest.shared.1",
        ".treemark",
        ".treemark.",
        ".treemark.0123abcd",
        ".treemark.0123abcd-ef45-6789-ABCD-EF01234567890",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678g",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678G",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678:",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678/",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678@",
        ".treemark.0123abcd-ef45-6789-ABCD-EF012345678`",
        ".treemark.0123abcd0ef45-6789-ABCD-EF0123456789",
        ".treemark.------------------------------------",
        ".treemark-probe.",
        "x.treemark.0123abcd-ef45-6789-ABCD-EF0123456789",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        enum tmk_names_kind kind = TMK_NAMES_KINDS;
        uint64_t a = 77;
        uint64_t b = 77;

        if (tmk_names_match(rows[i], &kind, &a, &b)) {
            fail_msg("'%s' matched kind %d", rows[i], (int)kind);
        }
        assert_int_equal(kind, TMK_NAMES_KINDS);
        assert_int_equal(a, 77);
        assert_int_equal(b, 77);
    }
}

static void digits_are_those_of_printf(void **state)
{
    uint64_t power = 1;

    (void)state;
    for (int n = 0; n < 20; n++, power *= 10) {
        for (uint64_t v = power - 1; v != power + 2; v++) {
            char want[24];
            char got[24] = {0};

            snprintf(want, sizeof(want), "%" PRIu64, v);
            assert_int_equal(tmk_names_digits(got, v), strlen(want));
            assert_string_equal(got, want);
        }
    }
}

static void the_largest_number_has_twenty_digits(void **state)
{
    char got[24] = {0};

    (void)state;
    assert_int_equal(tmk_names_digits(got, UINT64_MAX), 20);
    assert_string_equal(got, "18446744073709551615");
}

static void files_of_ior_are_known_by_name(void **state)
{
    static const struct {
        const char *name;
        bool ours;
    } rows[] = {
        {"testFile", true},
        {"testFile.00000000", true},
        {"testFile.00000017", true},
        {"testFile.123456789", true},
        {"testFile.0", true}, /* -m: a repetition */
        {"testFile.12", true},
        {"testFile.00000001.3", true},
        {"testFile.", false},
        {"testFile.0000001", false},
        {"testFile.000000001", false},
        {"testFile.00000000.", false},
        {"testFile.00000000.01", false},
        {"testFile.00000000.1.2", false},
        {"testFile.txt", false},
        {"testFiles", false},
        {"mytestFile", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_names_of_ior(rows[i].name), rows[i].ours);
    }
}

static void directories_of_ior_are_known_by_name(void **state)
{
    static const struct {
        const char *name;
        int64_t rank; /* -1: it is none */
    } rows[] = {
        {"0", 0},           {"7", 7},
        {"10", 10},         {"2147483647", INT32_MAX},
        {"2147483648", -1}, {"99999999999999999999", -1},
        {"", -1},           {"00", -1},
        {"01", -1},         {"-1", -1},
        {"+1", -1},         {" 1", -1},
        {"1 ", -1},         {"1.0", -1},
        {"1a", -1},         {"0x1", -1},
        {"a", -1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t rank = 99;

        assert_int_equal(tmk_names_of_ior_dir(rows[i].name, &rank),
                         rows[i].rank >= 0);
        if (rows[i].rank >= 0) {
            assert_int_equal(rank, rows[i].rank);
        }
    }
}

static void a_file_in_such_a_directory_is_of_its_rank(void **state)
{
    static const struct {
        const char *name;
        uint64_t rank;
        bool ours;
    } rows[] = {
        {"testFile.00000000", 0, true},
        {"testFile.00000000.0", 0, true}, /* -m: a repetition */
        {"testFile.00000017", 17, true},
        {"testFile.00000017.12", 17, true},
        {"testFile.99999999", 99999999, true},
        {"testFile.123456789", 123456789, true},
        {"testFile.2147483647.3", INT32_MAX, true},
        {"testFile.00000017", 1, false},
        {"testFile.00000017", 7, false},
        {"testFile.00000001", 17, false},
        {"testFile.00000018", 17, false},
        {"testFile.00000018", 0, false},
        /* 2^64 + 17, and more digits than a number can have */
        {"testFile.18446744073709551633", 17, false},
        {"testFile.99999999999999999999999999999999", 17, false},
        {"testFile", 0, false},
        {"testFile.", 0, false},
        {"testFile.0", 0, false},
        {"testFile.0000017", 17, false},
        {"testFile.000000017", 17, false},
        {"testFile.00000017.", 17, false},
        {"testFile.00000017.01", 17, false},
        {"testFile.00000017.1.2", 17, false},
        {"testFile.00000017x", 17, false},
        {"testFile00000017", 17, false},
        {"mytestFile.00000017", 17, false},
        {"", 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_names_of_ior_rank(rows[i].name, rows[i].rank),
                         rows[i].ours);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_ior_are_known_by_name),
        cmocka_unit_test(directories_of_ior_are_known_by_name),
        cmocka_unit_test(a_file_in_such_a_directory_is_of_its_rank),
        cmocka_unit_test(names_with_numbers_are_made_as_the_original_has_them),
        cmocka_unit_test(what_is_made_is_matched_with_its_numbers),
        cmocka_unit_test(names_with_a_uuid_are_made_and_matched),
        cmocka_unit_test(a_name_that_does_not_fit_is_refused_without_overrun),
        cmocka_unit_test(a_uuid_name_that_does_not_fit_is_refused),
        cmocka_unit_test(what_is_not_exactly_ours_is_not_matched),
        cmocka_unit_test(digits_are_those_of_printf),
        cmocka_unit_test(the_largest_number_has_twenty_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
