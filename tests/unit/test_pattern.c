#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/pattern.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { SIZE = 4128, GUARD = 0xa5 };

static uint64_t word_of(const unsigned char *buf, size_t j)
{
    uint64_t word;

    memcpy(&word, buf + j * sizeof(word), sizeof(word));
    return word;
}

/* Values of the original: appendix A of its description, -w 4120. */
static void words_are_owner_above_seed_plus_index(void **state)
{
    static const struct {
        uint64_t owner;
        int32_t seed;
        size_t j;
        uint64_t word;
    } rows[] = {
        {1, 1000, 0, 0x00000001000003e8},
        {1, 1000, 1, 0x00000001000003e9},
        {1, 1000, 513, 0x00000001000005e9},
        {0, 1000, 0, 0x3e8},
        {0, 0, 0, 0},
        {0, 0, 514, 514},
        {7, 0, 2, 0x0000000700000002},
        {0x123456, 5, 0, 0x0012345600000005},
        {0xffffffff, 0, 1, 0xffffffff00000001},
        /* The sign of a negative seed hides the rank ... */
        {1, -1, 0, UINT64_MAX},
        {3, -2, 1, UINT64_MAX},
        /* ... until the index makes it positive. */
        {1, -1, 1, 0x0000000100000000},
        {1, -3, 10, 0x0000000100000007},
        /* Beyond 32 bits the owner's lowest bit may already be there. */
        {1, INT32_MAX, 0, 0x000000017fffffff},
        {1, INT32_MIN, 0, 0xffffffff80000000},
    };
    unsigned char buf[SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tmk_pattern_fill_timestamp(buf, 4120, rows[i].owner, rows[i].seed);
        assert_int_equal(word_of(buf, rows[i].j), rows[i].word);
    }
}

static void the_tail_holds_its_offsets_and_nothing_more_is_written(void **state)
{
    unsigned char buf[SIZE];

    (void)state;
    for (size_t bytes = 0; bytes < 600; bytes++) {
        size_t words = bytes / 8;

        memset(buf, GUARD, sizeof(buf));
        tmk_pattern_fill_timestamp(buf, bytes, 2, 9);
        for (size_t j = 0; j < words; j++) {
            assert_int_equal(word_of(buf, j), (UINT64_C(2) << 32) + 9 + j);
        }
        for (size_t j = words * 8; j < bytes; j++) {
            assert_int_equal(buf[j], j & 0xff);
        }
        for (size_t j = bytes; j < sizeof(buf); j++) {
            assert_int_equal(buf[j], GUARD);
        }
    }
}

static void fewer_than_eight_bytes_are_alike_for_every_owner(void **state)
{
    static const unsigned char want[] = {0, 1, 2, 3, 4, 5, 6};
    unsigned char buf[sizeof(want)];

    (void)state;
    for (uint64_t owner = 0; owner < 3; owner++) {
        memset(buf, GUARD, sizeof(buf));
        tmk_pattern_fill_timestamp(buf, sizeof(buf), owner, 1234);
        assert_memory_equal(buf, want, sizeof(want));
    }
}

static void any_alignment_gives_the_same_bytes(void **state)
{
    unsigned char want[100];
    unsigned char buf[100 + 8];

    (void)state;
    tmk_pattern_fill_timestamp(want, sizeof(want), 5, -17);
    for (size_t shift = 1; shift < 8; shift++) {
        tmk_pattern_fill_timestamp(buf + shift, sizeof(want), 5, -17);
        assert_memory_equal(buf + shift, want, sizeof(want));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_owner_above_seed_plus_index),
        cmocka_unit_test(
            the_tail_holds_its_offsets_and_nothing_more_is_written),
        cmocka_unit_test(fewer_than_eight_bytes_are_alike_for_every_owner),
        cmocka_unit_test(any_alignment_gives_the_same_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
