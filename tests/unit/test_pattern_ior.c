/*
 * The data of files in which an item is a transfer, numbered by its offset.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { BLOCK = 4096, FILE_BYTES = 65536, GUARD = 0xa5 };

static const uint64_t file_end = (uint64_t)1 << TMK_PATTERN_OFFSET_BITS;

static uint64_t word_of(const void *buf, size_t at)
{
    uint64_t word;

    memcpy(&word, (const unsigned char *)buf + at, sizeof(word));
    return word;
}

/* Bytes from an offset on, in transfers of a size. */
static void make(const struct tmk_pattern *p, uint64_t owner, uint64_t offset,
                 void *buf, size_t length, size_t transfer)
{
    unsigned char *to = buf;

    while (length > 0) {
        size_t some = transfer < length ? transfer : length;

        tmk_pattern_begin(p, owner, to, some);
        tmk_pattern_item(p, owner, offset, to, some);
        to += some;
        offset += some;
        length -= some;
    }
}

/* ---- the original's ---- */

/* Two ranks, -G 1000 -t 8k -b 16k -s 2 */
static void the_files_of_the_original_are_reproduced(void **state)
{
    static const enum tmk_pattern_kind kinds[] = {
        TMK_PATTERN_TIMESTAMP, TMK_PATTERN_OFFSET, TMK_PATTERN_INCOMPRESSIBLE,
        TMK_PATTERN_RANDOM};
    static const struct {
        size_t at;
        uint64_t words[4]; /* by kind */
    } rows[] = {
        {0, {0x3e8, 0, 0, 0x0bfacae9fe2f03c5}},
        {8, {0x3e9, 0x3e9, 0x6a2c1e2d7c5eb2d6, 0x092d5a45bde36078}},
        {4088, {0x5e7, 0x5e7, 0x6a2c1e2d7c5eb2d6, 0x1eddff8d15c3c95f}},
        {4096, {0x5e8, 0, 0, 0x19ee350fbe08f92b}},
        {8192, {0x3e8, 0x2000, 0x2000, 0x0794fc7b57ffaa38}},
        {12288, {0x5e8, 0x4000, 0x4000, 0x1a90e2107ee06d87}},
        {16384, {0x1000003e8, 0x100004000, 0x100004000, 0x06e7dfdf7f1c223b}},
        {16392,
         {0x1000003e9, 0x1000003e9, 0x0686a6ab5cbd3ab3, 0x0dca3c6ddec60447}},
        {32768, {0x3e8, 0x8000, 0x8000, 0x01f0d137956e9d90}},
        {49152, {0x1000003e8, 0x10000c000, 0x10000c000, 0x1cdde62d165bbc06}},
    };
    static unsigned char file[FILE_BYTES];

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const struct tmk_pattern p = {
            .kind = kinds[k], .seed = 1000, .bytes = 8192};

        for (size_t at = 0; at < FILE_BYTES; at += 8192) {
            make(&p, at / 16384 % 2, at, file + at, 8192, 8192);
        }
        for (size_t i = 0; i < COUNT(rows); i++) {
            assert_int_equal(word_of(file, rows[i].at), rows[i].words[k]);
        }
    }
}

static void a_negative_seed_hides_the_rank(void **state)
{
    const struct tmk_pattern p = {
        .kind = TMK_PATTERN_TIMESTAMP, .seed = -5, .bytes = 8192};
    unsigned char buf[8192];

    (void)state;
    for (uint64_t rank = 0; rank < 2; rank++) {
        make(&p, rank, 0, buf, sizeof(buf), sizeof(buf));
        assert_int_equal(word_of(buf, 0), 0xfffffffffffffffb);
        assert_int_equal(word_of(buf, 8), 0xfffffffffffffffc);
        assert_int_equal(word_of(buf, 16), 0xfffffffffffffffd);
    }
}

/* ---- place ---- */

static void a_place_does_not_depend_on_how_a_file_is_cut(void **state)
{
    enum { LENGTH = 3 * BLOCK + 5 };
    static const size_t transfers[] = {
        1, 2, 3, 5, 7, 8, 9, 15, 16, 1000, 4095, 47, 4097, LENGTH - 1};
    static const uint64_t starts[] = {0, 8, 3, 47001, (uint64_t)1 << 40};
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE, .seed = 77};
    static unsigned char want[LENGTH];
    static unsigned char got[LENGTH + 8];

    (void)state;
    for (size_t i = 0; i < COUNT(starts) * COUNT(transfers); i++) {
        uint64_t start = starts[i / COUNT(transfers)];
        size_t transfer = transfers[i % COUNT(transfers)];

        make(&p, 3, start, want, LENGTH, LENGTH);
        memset(got, GUARD, sizeof(got));
        make(&p, 3, start, got, LENGTH, transfer);
        assert_memory_equal(got, want, LENGTH);
        assert_int_equal(got[LENGTH], GUARD);
    }
}

/* A part of a file is a part of its data, from anywhere to anywhere. */
static void any_part_of_a_place_is_the_same_as_in_the_whole(void **state)
{
    enum { LENGTH = 64 };
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE, .seed = -1};
    unsigned char want[LENGTH];
    unsigned char got[LENGTH];

    (void)state;
    make(&p, 9, 0, want, LENGTH, LENGTH);
    for (size_t from = 0; from < LENGTH; from++) {
        for (size_t length = 0; from + length <= LENGTH; length++) {
            memset(got, GUARD, sizeof(got));
            tmk_pattern_item(&p, 9, from, got, length);
            assert_memory_equal(got, want + from, length);
            for (size_t i = length; i < LENGTH; i++) {
                assert_int_equal(got[i], GUARD);
            }
        }
    }
}

static void a_word_of_a_place_tells_where_it_belongs(void **state)
{
    static const struct {
        uint64_t owner, offset;
        int32_t seed;
    } rows[] = {
        {0, 0, 0},
        {3, 4096, 5},
        {1048575, 8, -1},
        {1048575, ((uint64_t)1 << 47) - 8, INT32_MIN},
        {0, ((uint64_t)1 << 47) - 8, INT32_MAX},
        {12345, (uint64_t)123456789 << 12, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE,
                                      .seed = rows[i].seed};
        struct tmk_pattern_place place;
        uint64_t word;

        make(&p, rows[i].owner, rows[i].offset, &word, 8, 8);
        place = tmk_pattern_decode(&p, word);
        assert_int_equal(place.owner, rows[i].owner);
        assert_int_equal(place.item, 0);
        assert_int_equal(place.offset, rows[i].offset);
    }
}

static void a_place_wraps_at_its_widths(void **state)
{
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE, .seed = 8};
    unsigned char buf[4 * 8];

    (void)state;
    make(&p, (1 << 20) + 2, file_end - 16, buf, sizeof(buf), sizeof(buf));
    for (size_t j = 0; j < 4; j++) {
        struct tmk_pattern_place place =
            tmk_pattern_decode(&p, word_of(buf, 8 * j));

        assert_int_equal(place.owner, 2);
        assert_int_equal(place.offset, (file_end - 16 + 8 * j) % file_end);
    }
}

static void damage_to_a_place_is_found_in_words_of_the_file(void **state)
{
    static const struct {
        uint64_t start;
        size_t length, damaged, at, bytes;
    } rows[] = {
        {0, 64, 0, 0, 8},         {0, 64, 63, 56, 8},
        {0, 61, 60, 56, 5},       {3, 64, 0, 0, 5},
        {3, 64, 4, 0, 5},         {3, 64, 5, 5, 8},
        {3, 64, 12, 5, 8},        {3, 64, 13, 13, 8},
        {3, 64, 63, 61, 3},       {7, 64, 0, 0, 1},
        {7, 64, 1, 1, 8},         {7, 65, 64, 57, 8},
        {1, 4, 3, 0, 4},          {1, 7, 6, 0, 7},
        {1, 8, 7, 7, 1},          {47001, 8, 0, 0, 7},
        {47001, 8, 7, 7, 1},      {8, 10000, 9999, 9992, 8},
        {5, 9000, 8999, 8995, 5},
    };
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE, .seed = 77};
    static unsigned char want[10000];
    static unsigned char got[10000];
    static unsigned char scratch[10000];

    (void)state;
    for (size_t i = 0; i < COUNT(rows) * 2; i++) {
        uint64_t start = rows[i / 2].start;
        size_t length = rows[i / 2].length;
        size_t at = rows[i / 2].at;
        struct tmk_pattern_mismatch bad;
        uint64_t expected = 0;

        make(&p, 3, start, want, length, length);
        memcpy(got, want, length);
        assert_true(tmk_pattern_same(&p, 3, start, want, got, length, &bad));
        got[rows[i / 2].damaged] ^= 1;
        assert_false(
            i % 2 == 0
                ? tmk_pattern_same(&p, 3, start, want, got, length, &bad)
                : tmk_pattern_check(&p, 3, start, scratch, got, length, &bad));
        memcpy(&expected, want + at, rows[i / 2].bytes);
        assert_int_equal(bad.offset, at);
        assert_int_equal(bad.bytes, rows[i / 2].bytes);
        assert_int_equal(bad.expected, expected);
        assert_int_not_equal(bad.found, expected);
    }
}

/* ---- in words ---- */

/* What is said of the word of `from` that is found where `to` is expected. */
static void check_whose(const struct tmk_pattern *p, uint64_t owner,
                        uint64_t offset, uint64_t from_owner,
                        uint64_t from_offset, const char *want)
{
    struct tmk_pattern_mismatch bad = {
        .owner = owner, .item = offset - 16, .offset = 16, .bytes = 8};
    char text[TMK_PATTERN_EXPLAIN_SIZE];
    const char *found;

    make(p, owner, offset, &bad.expected, 8, 8);
    make(p, from_owner, from_offset, &bad.found, 8, 8);
    tmk_pattern_explain(p, &bad, text, sizeof(text));
    found = strstr(text, " found");
    assert_non_null(found);
    assert_string_equal(found + strlen(" found"), want);
}

static void data_of_another_place_is_named(void **state)
{
    struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE, .seed = 1234};

    (void)state;
    check_whose(&p, 3, 4096, 3, 8192, ", that of rank 3, offset 8192");
    check_whose(&p, 3, 4096, 7, 4096, ", that of rank 7, offset 4096");
    /* Behind 2^47 bytes and 2^20 ranks. */
    check_whose(&p, 3, file_end + 4096, 3, file_end + 8192,
                ", that of rank 3, offset 140737488363520");
    check_whose(&p, 1048577, 4096, 1048578, 4096,
                ", that of rank 1048578, offset 4096");
    /* Nothing in common: it may be anything, but where all places are known. */
    check_whose(&p, 3, 4096, 7, 8192, "");
    p.owners = 8;
    p.file_bytes = 8200;
    check_whose(&p, 3, 4096, 7, 8192, ", that of rank 7, offset 8192");
    check_whose(&p, 3, 4096, 7, 8200, "");
    check_whose(&p, 3, 4096, 8, 8192, "");
}

static void holes_and_garbage_are_of_no_place(void **state)
{
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE,
                                  .owners = 1000,
                                  .file_bytes = (uint64_t)1 << 36};

    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        struct tmk_pattern_mismatch bad = {.item = 8 * i, .bytes = 8};
        char text[TMK_PATTERN_EXPLAIN_SIZE];

        bad.found = i * UINT64_C(0x123456789abcdef1);
        tmk_pattern_explain(&p, &bad, text, sizeof(text));
        assert_null(strstr(text, "that of"));
    }
}

static void a_mismatch_is_told_by_its_offset_in_the_file(void **state)
{
    static const struct {
        enum tmk_pattern_kind kind;
        bool offsets;
        struct tmk_pattern_mismatch bad;
        const char *text;
    } rows[] = {
        {TMK_PATTERN_TIMESTAMP,
         true,
         {1, 8192, 808, 0x10000044d, 0x10000044c, 8},
         "at offset 9000: 0x000000010000044d expected, 0x000000010000044c "
         "found"},
        {TMK_PATTERN_TIMESTAMP,
         true,
         {1, 8192, 0, 0x1000003e8, 0x100000007, 8},
         "at offset 8192: 0x00000001000003e8 expected, 0x0000000100000007 "
         "found, what -G 7 gives"},
        {TMK_PATTERN_TIMESTAMP,
         true,
         {1, 94002, 47000, 0x18, 0, 1},
         "at offset 141002: 18 expected, 00 found"},
        {TMK_PATTERN_NOISE,
         false,
         {1, 8192, 808, 1, 2, 8},
         "at byte 808: 0x0000000000000001 expected, 0x0000000000000002 found"},
        {TMK_PATTERN_PLACE,
         false,
         {1, 47001, 0, 0x0102, 0x0202, 7},
         "at offset 47001: 02 01 00 00 00 00 00 expected, 02 02 00 00 00 00 "
         "00 found"},
    };
    char text[TMK_PATTERN_EXPLAIN_SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p = {.kind = rows[i].kind,
                                      .seed = 1000,
                                      .items_are_offsets = rows[i].offsets};

        tmk_pattern_explain(&p, &rows[i].bad, text, sizeof(text));
        assert_string_equal(text, rows[i].text);
    }
}

static void the_longest_explanation_fits(void **state)
{
    const struct tmk_pattern p = {.kind = TMK_PATTERN_PLACE};
    struct tmk_pattern_mismatch bad = {
        .owner = UINT64_MAX, .item = UINT64_MAX - 15, .offset = 8, .bytes = 8};
    char text[TMK_PATTERN_EXPLAIN_SIZE];

    (void)state;
    make(&p, UINT64_MAX, UINT64_MAX - 15, &bad.found, 8, 8);
    tmk_pattern_explain(&p, &bad, text, sizeof(text));
    assert_non_null(strstr(text, "at offset 18446744073709551608: "));
    assert_non_null(strstr(text, "that of rank 18446744073709551615, offset "
                                 "18446744073709551600"));
}

/* ---- checking without a second buffer ---- */

/* Both ways say the same, of data that is right and that is not. */
static void checking_at_once_finds_what_comparing_finds(void **state)
{
    static const size_t lengths[] = {0,    1,    7,        8,        9,
                                     4095, 4096, 4096 + 3, 4096 + 8, 10000};
    static unsigned char want[10000];
    static unsigned char scratch[10000];
    static unsigned char got[10000];

    (void)state;
    for (size_t i = 0; i < COUNT(lengths) * TMK_PATTERN_KINDS * 12; i++) {
        size_t length = lengths[i / 12 / TMK_PATTERN_KINDS];
        struct tmk_pattern p = {
            .kind = (enum tmk_pattern_kind)(i / 12 % TMK_PATTERN_KINDS),
            .seed = 5,
            .compress = i % 2 == 0 ? 0 : 3.0};
        struct tmk_pattern_mismatch a = {0};
        struct tmk_pattern_mismatch b = {0};
        uint64_t item = i / 12 % 3 * 4096 + i / 2 % 2 * 5;
        bool same;

        p.bytes = i / 4 % 3 == 1 ? 10000 : 0;
        make(&p, 3, item, got, length, 10000);
        if (i / 4 % 3 == 2) { /* nothing is written behind the content */
            p.bytes = length;
        }
        for (size_t damaged = 0; damaged <= length; damaged += 1 + length / 5) {
            if (damaged > 0) {
                got[damaged - 1] ^= 0x20;
            }
            make(&p, 3, item, want, length, 10000);
            tmk_pattern_begin(&p, 3, scratch, length);
            same = tmk_pattern_same(&p, 3, item, want, got, length, &a);
            assert_int_equal(same, damaged == 0);
            assert_int_equal(
                tmk_pattern_check(&p, 3, item, scratch, got, length, &b), same);
            assert_memory_equal(&a, &b, sizeof(a));
            if (!same) {
                assert_memory_equal(scratch, want, length);
                got[damaged - 1] ^= 0x20;
            }
        }
    }
}

/* ---- noise that compresses ---- */

static void noise_compresses_as_far_as_it_is_told(void **state)
{
    static const struct {
        double compress;
        size_t kept; /* words of 512 */
    } rows[] = {
        {0.0, 512}, {1.0, 512}, {0.5, 512}, {1.001, 511},
        {1.5, 341}, {2.0, 256}, {3.0, 171}, {4.0, 128},
        {100.0, 5}, {512.0, 1}, {1e300, 1},
    };
    static unsigned char plain[5 * BLOCK + 20];
    static unsigned char buf[5 * BLOCK + 20];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_pattern p = {.kind = TMK_PATTERN_NOISE, .seed = 5};

        make(&p, 3, BLOCK, plain, sizeof(plain), sizeof(plain));
        p.compress = rows[i].compress;
        make(&p, 3, BLOCK, buf, sizeof(buf), sizeof(buf));
        for (size_t at = 0; at < sizeof(buf); at++) {
            bool kept = at % BLOCK < 8 * rows[i].kept;

            assert_int_equal(buf[at], kept ? plain[at] : 0);
        }
    }
}

static void other_kinds_do_not_compress(void **state)
{
    unsigned char want[BLOCK];
    unsigned char buf[BLOCK];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        struct tmk_pattern p = {.kind = (enum tmk_pattern_kind)kind};

        make(&p, 3, 0, want, BLOCK, BLOCK);
        p.compress = 2.0;
        make(&p, 3, 0, buf, BLOCK, BLOCK);
        assert_int_equal(memcmp(want, buf, BLOCK) == 0,
                         kind != TMK_PATTERN_NOISE);
    }
}

/* ---- known without knowing ---- */

static void our_words_are_known_whatever_made_them(void **state)
{
    (void)state;
    for (int i = 0; i < TMK_PATTERN_KINDS * 2000; i++) {
        const struct tmk_pattern p = {
            .kind = (enum tmk_pattern_kind)(i % TMK_PATTERN_KINDS),
            .seed = i - 5000,
            .compress = i % 2 * 128.0};
        const bool ours = p.kind >= TMK_PATTERN_UNIQUE;
        unsigned char buf[2 * BLOCK];
        uint64_t words[4];

        make(&p, (uint64_t)i % 17, (uint64_t)i % 1000 * BLOCK, buf, sizeof(buf),
             sizeof(buf));
        for (size_t block = 0; block < 2; block++) {
            memcpy(words, buf + block * BLOCK, sizeof(words));
            assert_int_equal(tmk_pattern_follow(words, 4), ours);
            words[i % 4] ^= UINT64_C(1) << i / 4 % 64;
            assert_false(tmk_pattern_follow(words, 4));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_of_the_original_are_reproduced),
        cmocka_unit_test(a_negative_seed_hides_the_rank),
        cmocka_unit_test(a_place_does_not_depend_on_how_a_file_is_cut),
        cmocka_unit_test(any_part_of_a_place_is_the_same_as_in_the_whole),
        cmocka_unit_test(a_word_of_a_place_tells_where_it_belongs),
        cmocka_unit_test(a_place_wraps_at_its_widths),
        cmocka_unit_test(damage_to_a_place_is_found_in_words_of_the_file),
        cmocka_unit_test(data_of_another_place_is_named),
        cmocka_unit_test(holes_and_garbage_are_of_no_place),
        cmocka_unit_test(a_mismatch_is_told_by_its_offset_in_the_file),
        cmocka_unit_test(the_longest_explanation_fits),
        cmocka_unit_test(checking_at_once_finds_what_comparing_finds),
        cmocka_unit_test(noise_compresses_as_far_as_it_is_told),
        cmocka_unit_test(other_kinds_do_not_compress),
        cmocka_unit_test(our_words_are_known_whatever_made_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
