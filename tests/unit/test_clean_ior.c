#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pattern.h"
#include "bench/clean_ior.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void words_of_each_pattern_are_known(void **state)
{
    static const struct {
        uint64_t words[4];
        bool ours;
    } rows[] = {
        /* timestamp; of rank 3; with a negative signature */
        {{1000, 1001, 1002, 1003}, true},
        {{0x3000003e8, 0x3000003e9, 0x3000003ea, 0x3000003eb}, true},
        {{UINT64_MAX - 1, UINT64_MAX, 0, 1}, true},
        /* offset, incompressible: a marker, then the same as everywhere */
        {{0, 0x3000003e9, 0x3000003ea, 0x3000003eb}, true},
        {{0x300000000, 77, 77, 77}, true},
        /* zeros, as dd writes them, are worth as much */
        {{0, 0, 0, 0}, true},
        /* text; numbers; nearly ours */
        {{0x2065726120646e61, 0x6874206e61207369, 0x616c20666f207365,
          0x6e6f697461746163},
         false},
        {{1, 2, 4, 8}, false},
        {{1000, 1001, 1002, 1004}, false},
        {{5, 77, 77, 78}, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_clean_ior_words(rows[i].words), rows[i].ours);
    }
}

static void random_data_follows_from_its_first_word(void **state)
{
    uint64_t words[4] = {0x0123456789abcdef >> 3};

    (void)state;
    for (int i = 1; i < 4; i++) {
        words[i] = words[i - 1] * UINT64_C(0x9e37fffffffc0001) >> 3;
    }
    assert_true(tmk_clean_ior_words(words));
    words[3]++;
    assert_false(tmk_clean_ior_words(words));
}

static void data_of_every_kind_is_known(void **state)
{
    (void)state;
    for (int i = 0; i < TMK_PATTERN_KINDS * 100; i++) {
        const struct tmk_pattern p = {
            .kind = (enum tmk_pattern_kind)(i % TMK_PATTERN_KINDS),
            .seed = i * 12345};
        uint64_t words[4];

        tmk_pattern_begin(&p, 3, words, sizeof(words));
        tmk_pattern_item(&p, 3, 0, words, sizeof(words));
        assert_true(tmk_clean_ior_words(words));
        words[2] ^= 1;
        assert_false(tmk_clean_ior_words(words));
    }
}

/* A file of some bytes behind a hole. */
static void make(int dir, off_t hole, const void *bytes, size_t n)
{
    int fd = openat(dir, "f", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, n, hole), n);
    if (n == 0) {
        assert_int_equal(ftruncate(fd, hole), 0);
    }
    close(fd);
}

/* Where there are no four words, fewer must do, but not less than is sure. */
static void little_data_is_known_where_it_is_sure(void **state)
{
    static const uint64_t zeros[4] = {0};
    char path[] = "/tmp/test_clean_ior.XXXXXX";
    int dir;

    (void)state;
    assert_non_null(mkdtemp(path));
    dir = open(path, O_RDONLY | O_DIRECTORY);
    assert_true(dir >= 0);
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t n = 1; n < TMK_CLEAN_IOR_SURE; n++) {
            const struct tmk_pattern p = {.kind = (enum tmk_pattern_kind)kind,
                                          .seed = 1234567};
            const bool chained = kind != TMK_PATTERN_TIMESTAMP &&
                                 kind != TMK_PATTERN_OFFSET &&
                                 kind != TMK_PATTERN_INCOMPRESSIBLE;
            uint64_t words[4] = {0};

            tmk_pattern_begin(&p, 3, words, n);
            tmk_pattern_item(&p, 3, 0, words, n);
            make(dir, 0, words, n);
            if (chained && n % 8 == 0) {
                assert_int_equal(tmk_clean_ior_file(dir, "f"), n >= 16);
            }
            if (kind == TMK_PATTERN_TIMESTAMP) {
                assert_int_equal(tmk_clean_ior_file(dir, "f"), n >= 24);
            }
            if (n < 16) {
                assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
            }
            words[0] ^= 4;
            make(dir, 0, words, n);
            assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
            make(dir, 0, zeros, n);
            assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
        }
    }
    unlinkat(dir, "f", 0);
    close(dir);
    assert_int_equal(rmdir(path), 0);
}

static void files_are_judged_by_their_first_data(void **state)
{
    static const uint64_t ours[] = {7, 8, 9, 10};
    static const char text[] = "a thesis that took three years to write, and "
                               "which is called testFile";
    char path[] = "/tmp/test_clean_ior.XXXXXX";
    int dir;

    (void)state;
    assert_non_null(mkdtemp(path));
    dir = open(path, O_RDONLY | O_DIRECTORY);
    assert_true(dir >= 0);
    make(dir, 0, "", 0);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 1);
    make(dir, 1 << 20, "", 0);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 1);
    make(dir, 0, ours, sizeof(ours));
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 1);
    make(dir, 1 << 20, ours, sizeof(ours));
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 1);
    make(dir, 0, text, sizeof(text));
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
    make(dir, 1 << 20, text, sizeof(text));
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
    make(dir, 0, text, 3);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
    unlinkat(dir, "f", 0);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), -2 /* ENOENT */);
    assert_int_equal(symlinkat("/etc/passwd", dir, "f"), 0);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
    unlinkat(dir, "f", 0);
    assert_int_equal(mkfifoat(dir, "f", 0600), 0);
    assert_int_equal(tmk_clean_ior_file(dir, "f"), 0);
    unlinkat(dir, "f", 0);
    close(dir);
    assert_int_equal(rmdir(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_each_pattern_are_known),
        cmocka_unit_test(random_data_follows_from_its_first_word),
        cmocka_unit_test(data_of_every_kind_is_known),
        cmocka_unit_test(little_data_is_known_where_it_is_sure),
        cmocka_unit_test(files_are_judged_by_their_first_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
