#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { SIZE = 12400, GUARD = 0xa5, BLOCK = 4096 };

static uint64_t word_of(const void *buf, size_t j)
{
    uint64_t word;

    memcpy(&word, (const unsigned char *)buf + j * sizeof(word), sizeof(word));
    return word;
}

static struct tmk_pattern make_pattern(enum tmk_pattern_kind kind, int32_t seed,
                                       uint64_t bytes)
{
    return (struct tmk_pattern){.kind = kind, .seed = seed, .bytes = bytes};
}

/* The kind may be a number, as loops have it. */
#define PATTERN_OF(kind, seed, bytes)                                          \
    make_pattern((enum tmk_pattern_kind)(kind), (seed), (bytes))

static void make(const struct tmk_pattern *p, uint64_t owner, uint64_t item,
                 void *buf, size_t length)
{
    tmk_pattern_begin(p, owner, buf, length);
    tmk_pattern_item(p, owner, item, buf, length);
}

/* ---- names ---- */

static void a_kind_is_found_by_any_beginning_of_its_name(void **state)
{
    static const char *const names[] = {
        "timestamp", "offset", "incompressible", "random",
        "unique",    "noise",  "place",
    };

    (void)state;
    assert_int_equal(COUNT(names), TMK_PATTERN_KINDS);
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        const char *name = names[kind];
        char text[20] = "";

        assert_string_equal(tmk_pattern_name((enum tmk_pattern_kind)kind),
                            name);
        for (size_t n = 0; n < strlen(name); n++) {
            text[n] = name[n];
            assert_int_equal(tmk_pattern_find(text), kind);
        }
    }
}

static void what_begins_no_name_is_no_kind(void **state)
{
    static const char *const texts[] = {
        "",  "tomato", "timestamps", "T", "x",     " t",         "t ",
        "1", "oo",     "i,o,",       "-", "noisy", "uniqueness",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(tmk_pattern_find(texts[i]), strcmp(texts[i], "of") == 0
                                                         ? TMK_PATTERN_OFFSET
                                                         : -EINVAL);
    }
}

/* ---- the original's ---- */

/* Appendix A6 of the original's description: -w 4120 -G 1000. */
static void the_words_of_the_original_are_reproduced(void **state)
{
    static const struct {
        enum tmk_pattern_kind kind;
        uint64_t owner, item;
        size_t j;
        uint64_t word;
    } rows[] = {
        {TMK_PATTERN_RANDOM, 0, 0, 0, 0x0bfacae9fe2f03c5},
        {TMK_PATTERN_RANDOM, 0, 0, 1, 0x092d5a45bde36078},
        {TMK_PATTERN_RANDOM, 1, 1, 0, 0x1c17ee876aca2665},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 0, 0, 0},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 0, 1, 0x6a2c1e2d7c5eb2d6},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 0, 256, 0x6a2c1e2d7c5eb2d6},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 0, 511, 0x6a2c1e2d7c5eb2d6},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 0, 514, 0x6a2c1e2d7c5eb2d6},
        {TMK_PATTERN_INCOMPRESSIBLE, 1, 1, 0, 0x0000000100000001},
        {TMK_PATTERN_INCOMPRESSIBLE, 1, 1, 1, 0x0686a6ab5cbd3ab3},
        {TMK_PATTERN_INCOMPRESSIBLE, 1, 1, 512, 0x0000000100000002},
        {TMK_PATTERN_OFFSET, 1, 1, 0, 0x0000000100000001},
        {TMK_PATTERN_OFFSET, 1, 1, 1, 0x00000001000003e9},
        {TMK_PATTERN_OFFSET, 1, 1, 256, 0x00000001000004e8},
        {TMK_PATTERN_OFFSET, 1, 1, 512, 0x0000000100000002},
        {TMK_PATTERN_OFFSET, 1, 1, 513, 0x00000001000005e9},
        {TMK_PATTERN_TIMESTAMP, 1, 0, 0, 0x00000001000003e8},
        {TMK_PATTERN_TIMESTAMP, 1, 7, 513, 0x00000001000005e9},
    };
    unsigned char buf[4120];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p =
            PATTERN_OF(rows[i].kind, 1000, sizeof(buf));

        make(&p, rows[i].owner, rows[i].item, buf, sizeof(buf));
        assert_int_equal(word_of(buf, rows[i].j), rows[i].word);
    }
}

static void numbers_wrap_as_in_the_original(void **state)
{
    static const struct {
        enum tmk_pattern_kind kind;
        int32_t seed;
        uint64_t owner, item;
        size_t j;
        uint64_t word;
    } rows[] = {
        /* The sign of a negative seed hides the rank ... */
        {TMK_PATTERN_TIMESTAMP, -1, 1, 0, 0, UINT64_MAX},
        {TMK_PATTERN_OFFSET, -2, 3, 9, 1, UINT64_MAX},
        /* ... until the index makes it positive. */
        {TMK_PATTERN_TIMESTAMP, -1, 1, 0, 1, 0x0000000100000000},
        {TMK_PATTERN_TIMESTAMP, -3, 1, 0, 10, 0x0000000100000007},
        /* Beyond 32 bits the owner's lowest bit may already be there. */
        {TMK_PATTERN_TIMESTAMP, INT32_MAX, 1, 0, 1, 0x0000000180000000},
        {TMK_PATTERN_TIMESTAMP, INT32_MIN, 1, 0, 0, 0xffffffff80000000},
        {TMK_PATTERN_TIMESTAMP, 0, 0xffffffff, 0, 1, 0xffffffff00000001},
        {TMK_PATTERN_TIMESTAMP, 0, 0x500000002, 0, 1, 0x0000000200000001},
        /* The seed is not in the words that the item has. */
        {TMK_PATTERN_OFFSET, -1, 2, 5, 512, 0x000000020000000a},
        {TMK_PATTERN_OFFSET, 0, 2, 5, 1024, 0x000000020000000f},
        {TMK_PATTERN_OFFSET, 0, 2, 0x80000001, 512, 0x0000000200000002},
        {TMK_PATTERN_OFFSET, 0, 2, 0x700000003, 0, 0x0000000200000003},
        {TMK_PATTERN_INCOMPRESSIBLE, 0, 2, 0xffffffff, 1024,
         0x00000002fffffffd},
    };
    unsigned char buf[SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p =
            PATTERN_OF(rows[i].kind, rows[i].seed, sizeof(buf));

        make(&p, rows[i].owner, rows[i].item, buf, sizeof(buf));
        assert_int_equal(word_of(buf, rows[i].j), rows[i].word);
    }
}

/* The sum of seed, owner and item has 32 bits in the original. */
static void rand_r_is_started_with_a_sum_of_32_bits(void **state)
{
    static const struct {
        enum tmk_pattern_kind kind;
        int32_t seed;
        uint64_t owner, item;
    } rows[] = {
        {TMK_PATTERN_RANDOM, 1000, 0, 0},
        {TMK_PATTERN_RANDOM, 0, 1000, 0},
        {TMK_PATTERN_RANDOM, 0, 0, 1000},
        {TMK_PATTERN_RANDOM, -1, 1, 1000},
        {TMK_PATTERN_RANDOM, 1000, UINT64_MAX, 0x100000001},
        {TMK_PATTERN_INCOMPRESSIBLE, 1000, 0, 4},
        {TMK_PATTERN_INCOMPRESSIBLE, -1000, 2000, 5},
        {TMK_PATTERN_INCOMPRESSIBLE, -1, 1001 + (UINT64_C(1) << 32), 6},
    };
    unsigned char buf[64];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p = PATTERN_OF(rows[i].kind, rows[i].seed, 0);
        uint64_t want = rows[i].kind == TMK_PATTERN_RANDOM ? 0x092d5a45bde36078
                                                           : 0x6a2c1e2d7c5eb2d6;

        make(&p, rows[i].owner, rows[i].item, buf, sizeof(buf));
        assert_int_equal(word_of(buf, 1), want);
    }
}

static void the_tail_of_the_original_holds_its_offsets(void **state)
{
    unsigned char buf[SIZE];

    (void)state;
    for (int kind = 0; kind <= TMK_PATTERN_RANDOM; kind++) {
        for (size_t length = 0; length < 600; length++) {
            const struct tmk_pattern p =
                PATTERN_OF(kind, 9, length % 2 == 0 ? length : 0);

            memset(buf, GUARD, sizeof(buf));
            make(&p, 2, length, buf, length);
            for (size_t n = length / 8 * 8; n < length; n++) {
                assert_int_equal(buf[n], n & 0xff);
            }
        }
    }
}

static void fewer_than_eight_bytes_of_the_original_are_all_alike(void **state)
{
    static const unsigned char want[] = {0, 1, 2, 3, 4, 5, 6};
    unsigned char buf[sizeof(want)];

    (void)state;
    for (int kind = 0; kind <= TMK_PATTERN_RANDOM; kind++) {
        for (uint64_t owner = 0; owner < 3; owner++) {
            const struct tmk_pattern p =
                PATTERN_OF(kind, (int32_t)owner - 1, sizeof(buf));

            memset(buf, GUARD, sizeof(buf));
            make(&p, owner, 3 * owner, buf, sizeof(buf));
            assert_memory_equal(buf, want, sizeof(want));
        }
    }
}

/* ---- all kinds ---- */

static void nothing_is_written_beside_the_content(void **state)
{
    unsigned char buf[SIZE];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t length = 0; length < 70; length++) {
            const struct tmk_pattern p = PATTERN_OF(kind, 9, 40);
            size_t end = 1 + (length < 40 ? length : 40);

            memset(buf, GUARD, sizeof(buf));
            make(&p, 2, 3, buf + 1, length);
            assert_int_equal(buf[0], GUARD);
            for (size_t n = end; n < sizeof(buf); n++) {
                assert_int_equal(buf[n], GUARD);
            }
        }
    }
}

static void any_alignment_gives_the_same_bytes(void **state)
{
    unsigned char want[BLOCK + 100];
    unsigned char buf[BLOCK + 100 + 8];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, -17, 0);

        make(&p, 5, 6, want, sizeof(want));
        for (size_t shift = 1; shift < 8; shift++) {
            make(&p, 5, 6, buf + shift, sizeof(want));
            assert_memory_equal(buf + shift, want, sizeof(want));
        }
    }
}

static void an_item_takes_the_place_of_another(void **state)
{
    unsigned char want[2 * BLOCK + 5];
    unsigned char buf[2 * BLOCK + 5];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, 1000, 2 * BLOCK + 8);

        for (size_t length = 0; length <= sizeof(buf); length += 1366) {
            tmk_pattern_begin(&p, 3, buf, length);
            for (uint64_t item = 0; item < 5; item++) {
                make(&p, 3, item, want, length);
                tmk_pattern_item(&p, 3, item, buf, length);
                assert_memory_equal(buf, want, length);
            }
        }
    }
}

/* W19 of the original's description: -w 16 -e 10 */
static void the_first_bytes_are_the_same_however_many_are_made(void **state)
{
    unsigned char all[BLOCK + 13];
    unsigned char part[BLOCK + 13];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, 77, sizeof(all));

        make(&p, 3, 4, all, sizeof(all));
        for (size_t length = 0; length < sizeof(all); length++) {
            memset(part, GUARD, sizeof(part));
            make(&p, 3, 4, part, length);
            assert_memory_equal(part, all, length);
            if (length == 100) { /* and the rest is about blocks */
                length = BLOCK - 9;
            }
        }
    }
}

static void the_tail_of_our_kinds_begins_the_next_word(void **state)
{
    unsigned char longer[64];
    unsigned char buf[64];

    (void)state;
    for (int kind = TMK_PATTERN_UNIQUE; kind <= TMK_PATTERN_PLACE; kind++) {
        for (size_t length = 0; length < sizeof(buf); length++) {
            const struct tmk_pattern p = PATTERN_OF(kind, 77, length);
            const struct tmk_pattern whole =
                PATTERN_OF(p.kind, 77, sizeof(longer));

            make(&p, 3, 4, buf, length);
            make(&whole, 3, 4, longer, sizeof(longer));
            assert_memory_equal(buf, longer, length);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x;
    uint64_t y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

static size_t equal_words(uint64_t *words, size_t n)
{
    size_t equal = 0;

    qsort(words, n, sizeof(*words), by_value);
    for (size_t j = 1; j < n; j++) {
        equal += words[j] == words[j - 1];
    }
    return equal;
}

/* W17: the original's incompressible data is one word, again and again. */
static void no_word_of_noise_comes_twice(void **state)
{
    enum { FILES = 8, BYTES = 1 << 20, WORDS = BYTES / 8 };
    uint64_t *words = calloc((size_t)FILES * WORDS, sizeof(*words));

    (void)state;
    assert_non_null(words);
    for (uint64_t i = 0; i < FILES; i++) {
        const struct tmk_pattern p =
            PATTERN_OF(TMK_PATTERN_NOISE, i < 4 ? 0 : 1, BYTES);

        make(&p, i / 2 % 2, i % 2, words + i * WORDS, BYTES);
    }
    assert_int_equal(equal_words(words, (size_t)FILES * WORDS), 0);
    free(words);
}

static void no_word_of_unique_files_of_half_a_megabyte_comes_twice(void **state)
{
    enum { FILES = 8, BYTES = 1 << 19, WORDS = BYTES / 8 };
    uint64_t *words = calloc((size_t)FILES * WORDS, sizeof(*words));

    (void)state;
    assert_non_null(words);
    for (uint64_t i = 0; i < FILES; i++) {
        const struct tmk_pattern p =
            PATTERN_OF(TMK_PATTERN_UNIQUE, i < 4 ? 0 : 1, BYTES);

        make(&p, i / 2 % 2, i % 2, words + i * WORDS, BYTES);
    }
    assert_int_equal(equal_words(words, (size_t)FILES * WORDS), 0);
    free(words);
}

/* Every bit of every byte is 1 in half of the words, every byte has any value.
 */
static void the_bytes_of_our_kinds_are_evenly_spread(void **state)
{
    enum { BYTES = 1 << 19 };
    unsigned char *buf = malloc(BYTES);

    (void)state;
    assert_non_null(buf);
    for (int kind = TMK_PATTERN_UNIQUE; kind <= TMK_PATTERN_PLACE; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, 0, BYTES);
        static unsigned seen[8][256];

        memset(seen, 0, sizeof(seen));
        make(&p, 0, 0, buf, BYTES);
        for (size_t n = 0; n < BYTES; n++) {
            seen[n % 8][buf[n]]++;
        }
        for (size_t place = 0; place < 8; place++) {
            for (size_t v = 0; v < 256; v++) { /* 256, deviation 16 */
                assert_in_range(seen[place][v], 256 - 80, 256 + 80);
            }
        }
    }
    free(buf);
}

enum varied { OWNER, ITEM, SEED, VARIED };

/* How many of 2000 neighbours cannot be told apart. */
static unsigned alike(enum tmk_pattern_kind kind, enum varied varied,
                      size_t length)
{
    unsigned char before[64] = {0};
    unsigned char buf[64];
    unsigned same = 0;

    for (uint64_t i = 0; i <= 2000; i++) {
        const struct tmk_pattern p =
            PATTERN_OF(kind, varied == SEED ? (int32_t)i : 0, length);

        make(&p, varied == OWNER ? i : 3, varied == ITEM ? i : 5, buf, length);
        same += i > 0 && memcmp(before, buf, length) == 0;
        memcpy(before, buf, length);
    }
    return same;
}

static void each_kind_tells_apart_what_it_should(void **state)
{
    static const bool tells[TMK_PATTERN_KINDS][VARIED] = {
        [TMK_PATTERN_TIMESTAMP] = {[OWNER] = true, [SEED] = true},
        [TMK_PATTERN_OFFSET] = {true, true, true},
        [TMK_PATTERN_INCOMPRESSIBLE] = {true, true, true},
        [TMK_PATTERN_RANDOM] = {true, true, true},
        [TMK_PATTERN_UNIQUE] = {true, true, true},
        [TMK_PATTERN_NOISE] = {true, true, true},
        [TMK_PATTERN_PLACE] = {true, true, true},
    };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (int varied = 0; varied < VARIED; varied++) {
            assert_int_equal(
                alike((enum tmk_pattern_kind)kind, (enum varied)varied, 16),
                tells[kind][varied] ? 0 : 2000);
        }
    }
}

/* W18: as far as so few bytes can, which is 255 times in 256 for one. */
static void our_kinds_tell_files_of_a_few_bytes_apart(void **state)
{
    static const unsigned at_most[] = {2000, 25, 2, 0, 0, 0, 0, 0};

    (void)state;
    for (int kind = TMK_PATTERN_UNIQUE; kind <= TMK_PATTERN_PLACE; kind++) {
        for (int varied = 0; varied < VARIED; varied++) {
            for (size_t length = 1; length < 8; length++) {
                assert_true(alike((enum tmk_pattern_kind)kind,
                                  (enum varied)varied,
                                  length) <= at_most[length]);
            }
        }
    }
}

static void noise_makes_use_of_64_bits_of_owner_and_item(void **state)
{
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_NOISE, 0, 8);
    uint64_t words[129];
    size_t n = 0;

    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        make(&p, UINT64_C(1) << bit, 0, &words[n++], 8);
        make(&p, 0, UINT64_C(1) << bit, &words[n++], 8);
    }
    make(&p, 0, 0, &words[n++], 8);
    assert_int_equal(equal_words(words, n), 0);
}

/* ---- checking ---- */

static void damage_is_found_where_it_is(void **state)
{
    enum { LENGTH = BLOCK + 13 };
    static const size_t places[] = {
        0, 1, 7, 8, 9, 2000, BLOCK, BLOCK + 7, BLOCK, BLOCK + 8, BLOCK + 12};
    unsigned char want[LENGTH];
    unsigned char got[LENGTH + 1];

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < 2 * COUNT(places); i++) {
            size_t place = places[i / 2];
            const struct tmk_pattern p =
                PATTERN_OF(kind, 5, i % 2 == 0 ? LENGTH : 0);
            struct tmk_pattern_mismatch bad;
            uint64_t expected = 0;
            uint64_t found = 0;
            size_t at = place / 8 * 8;
            size_t bytes = LENGTH - at < 8 ? LENGTH - at : 8;

            make(&p, 1, 8, want, LENGTH);
            memcpy(got + 1, want, LENGTH);
            assert_true(
                tmk_pattern_same(&p, 1, 8, want, got + 1, LENGTH, &bad));
            got[1 + place] ^= 0x40;
            got[LENGTH] ^= place % 2; /* more, behind it */
            assert_false(
                tmk_pattern_same(&p, 1, 8, want, got + 1, LENGTH, &bad));
            memcpy(&expected, want + at, bytes);
            memcpy(&found, got + 1 + at, bytes);
            assert_int_equal(bad.owner, 1);
            assert_int_equal(bad.item, 8);
            assert_int_equal(bad.offset, at);
            assert_int_equal(bad.bytes, bytes);
            assert_int_equal(bad.expected, expected);
            assert_int_equal(bad.found, found);
        }
    }
}

static void nothing_is_the_same_as_nothing(void **state)
{
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_TIMESTAMP, 5, 0);
    unsigned char want[1] = {1};
    unsigned char got[1] = {2};
    struct tmk_pattern_mismatch bad;

    (void)state;
    assert_true(tmk_pattern_same(&p, 0, 0, want, got, 0, &bad));
}

/* The first `length` bytes of a file of `written` bytes, if that is known. */
static bool read_is_right(enum tmk_pattern_kind kind, size_t written,
                          size_t length, bool known)
{
    const struct tmk_pattern p = PATTERN_OF(kind, 1000, written);
    const struct tmk_pattern reader =
        PATTERN_OF(kind, 1000, known ? written : 0);
    unsigned char file[BLOCK + 64];
    unsigned char want[BLOCK + 64];
    struct tmk_pattern_mismatch bad;

    make(&p, 3, 7, file, written);
    make(&reader, 3, 7, want, length);
    return tmk_pattern_same(&reader, 3, 7, want, file, length, &bad);
}

/* W19 */
static void less_may_be_read_than_was_written(void **state)
{
    static const struct {
        size_t written, length;
    } rows[] = {
        {16, 10},
        {16, 16},
        {16, 8},
        {16, 7},
        {16, 1},
        {10, 10},
        {13, 10},
        {23, 20},
        {24, 20},
        {20, 12},
        {BLOCK + 8, BLOCK + 3},
        {7, 7},
        {7, 3},
        {8, 3},
        {8, 8},
        {BLOCK + 40, 3901},
    };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            assert_true(read_is_right((enum tmk_pattern_kind)kind,
                                      rows[i].written, rows[i].length, true));
            assert_true(read_is_right((enum tmk_pattern_kind)kind,
                                      rows[i].written, rows[i].length, false));
        }
    }
}

/* If the length as written is known, the other form is damage. */
static void
only_one_form_of_the_end_is_right_if_the_length_is_known(void **state)
{
    (void)state;
    for (int kind = 0; kind <= TMK_PATTERN_RANDOM; kind++) {
        const struct tmk_pattern words = PATTERN_OF(kind, 1000, 16);
        const struct tmk_pattern tail = PATTERN_OF(words.kind, 1000, 10);
        const struct tmk_pattern unknown = PATTERN_OF(words.kind, 1000, 0);
        unsigned char a[16];
        unsigned char b[16];
        struct tmk_pattern_mismatch bad;

        make(&words, 3, 7, a, 10);
        make(&tail, 3, 7, b, 10);
        assert_false(tmk_pattern_same(&words, 3, 7, a, b, 10, &bad));
        assert_int_equal(bad.offset, 8);
        assert_int_equal(bad.bytes, 2);
        assert_false(tmk_pattern_same(&tail, 3, 7, b, a, 10, &bad));
        make(&unknown, 3, 7, b, 10);
        assert_true(tmk_pattern_same(&unknown, 3, 7, b, a, 10, &bad));
        a[9]++; /* neither form */
        assert_false(tmk_pattern_same(&unknown, 3, 7, b, a, 10, &bad));
        assert_int_equal(bad.offset, 8);
    }
}

/* A file may be shorter than what was asked for. */
static void a_tail_is_right_before_what_was_expected_ends(void **state)
{
    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, 1000, 0);
        unsigned char want[24];
        unsigned char got[13];
        struct tmk_pattern_mismatch bad;

        make(&p, 3, 7, want, sizeof(want));
        make(&p, 3, 7, got, sizeof(got));
        assert_true(tmk_pattern_same(&p, 3, 7, want, got, sizeof(got), &bad));
    }
}

static void a_tail_of_the_original_is_damage_in_our_kinds(void **state)
{
    static const unsigned char tail[] = {8, 9, 10};

    (void)state;
    for (int kind = TMK_PATTERN_UNIQUE; kind <= TMK_PATTERN_PLACE; kind++) {
        const struct tmk_pattern p = PATTERN_OF(kind, 1000, 0);
        unsigned char want[11];
        unsigned char got[11];
        struct tmk_pattern_mismatch bad;

        make(&p, 3, 8, want, sizeof(want));
        memcpy(got, want, sizeof(want));
        memcpy(got + 8, tail, sizeof(tail));
        assert_false(tmk_pattern_same(&p, 3, 8, want, got, sizeof(got), &bad));
        assert_int_equal(bad.offset, 8);
    }
}

static void a_word_of_unique_data_tells_where_it_belongs(void **state)
{
    static const struct {
        uint64_t owner, item, offset;
        int32_t seed;
    } rows[] = {
        {0, 0, 0, 0},
        {3, 17, 4096, 5},
        {1048575, 268435455, 8, -1},
        {1048575, 0, 4096, INT32_MIN},
        {0, 268435455, 8, INT32_MAX},
    };
    unsigned char buf[BLOCK + 8];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_pattern p =
            PATTERN_OF(TMK_PATTERN_UNIQUE, rows[i].seed, 0);
        struct tmk_pattern_place place;

        make(&p, rows[i].owner, rows[i].item, buf, sizeof(buf));
        place = tmk_pattern_decode(&p, word_of(buf, rows[i].offset / 8));
        assert_int_equal(place.owner, rows[i].owner);
        assert_int_equal(place.item, rows[i].item);
        assert_int_equal(place.offset, rows[i].offset);
    }
}

static void a_word_of_unique_data_wraps_at_its_widths(void **state)
{
    enum { LENGTH = (1 << 19) + 16 };
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_UNIQUE, 8, 0);
    unsigned char *buf = malloc(LENGTH);
    struct tmk_pattern_place place;

    (void)state;
    assert_non_null(buf);
    make(&p, (1 << 20) + 2, (1 << 28) + 3, buf, LENGTH);
    place = tmk_pattern_decode(&p, word_of(buf, (1 << 16) + 1));
    assert_int_equal(place.owner, 2);
    assert_int_equal(place.item, 3);
    assert_int_equal(place.offset, 8);
    free(buf);
}

/* ---- in words ---- */

static void a_mismatch_is_said_in_words(void **state)
{
    static const struct {
        struct tmk_pattern_mismatch bad;
        const char *text;
    } rows[] = {
        {{1, 2, 8, 0x1000003e9, 0x1000003ea, 8},
         "at byte 8: 0x00000001000003e9 expected, 0x00000001000003ea found"},
        {{1, 2, 0, 1, 0, 8},
         "at byte 0: 0x0000000000000001 expected, 0x0000000000000000 found"},
        {{1, 2, 0, 0x1000003e8, 0x100000007, 8},
         "at byte 0: 0x00000001000003e8 expected, 0x0000000100000007 found, "
         "what -G 7 gives"},
        {{1, 2, 0, 0x1000003e8, 0xfffffffffffffff7, 8},
         "at byte 0: 0x00000001000003e8 expected, 0xfffffffffffffff7 found, "
         "what -G -9 gives"},
    };
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_TIMESTAMP, 1000, 4120);
    char text[TMK_PATTERN_EXPLAIN_SIZE];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        tmk_pattern_explain(&p, &rows[i].bad, text, sizeof(text));
        assert_string_equal(text, rows[i].text);
    }
}

static void a_bad_tail_is_said_in_bytes(void **state)
{
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_OFFSET, 1000, 19);
    unsigned char want[19];
    unsigned char got[19];
    struct tmk_pattern_mismatch bad;
    char text[TMK_PATTERN_EXPLAIN_SIZE];

    (void)state;
    make(&p, 1, 2, want, sizeof(want));
    memcpy(got, want, sizeof(want));
    got[17] = 0xfe;
    assert_false(tmk_pattern_same(&p, 1, 2, want, got, sizeof(got), &bad));
    tmk_pattern_explain(&p, &bad, text, sizeof(text));
    assert_string_equal(text, "at byte 16: 10 11 12 expected, 10 fe 12 found");
}

static void data_of_another_place_is_named_if_it_is_unique(void **state)
{
    enum { LENGTH = (1 << 19) + 64 };
    static const struct {
        uint64_t owner, item;
        size_t at;
        uint64_t found_owner, found_item;
        size_t found_at;
        const char *whose;
    } rows[] = {
        {3, 16, 4096, 3, 17, 4096, ", that of rank 3, item 17, byte 4096"},
        {3, 16, 0, 4, 16, 0, ", that of rank 4, item 16, byte 0"},
        {3, 16, 8, 3, 16, 16, ", that of rank 3, item 16, byte 16"},
        {3, 16, 8, 9, 2, 8, ", that of rank 9, item 2, byte 8"},
        {3, 16, 8, 9, 16, 0, ", that of rank 9, item 16, byte 0"},
        {3, 16, 8, 3, 2, 0, ", that of rank 3, item 2, byte 0"},
        /* Behind 2^19 bytes and 2^28 items. */
        {3, 16, 524296, 3, 17, 524296,
         ", that of rank 3, item 17, byte 524296"},
        {3, 300000000, 0, 3, 300000001, 0,
         ", that of rank 3, item 300000001, byte 0"},
        /* Nothing in common: it may be anything. */
        {3, 16, 8, 9, 2, 4096, ""},
    };
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_UNIQUE, 1234, 0);
    const struct tmk_pattern noise = PATTERN_OF(TMK_PATTERN_NOISE, 1234, 0);
    unsigned char *want = malloc(LENGTH);
    unsigned char *got = malloc(LENGTH);

    (void)state;
    assert_non_null(want);
    assert_non_null(got);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_pattern_mismatch bad;
        char text[TMK_PATTERN_EXPLAIN_SIZE];
        const char *found;

        make(&p, rows[i].owner, rows[i].item, want, LENGTH);
        make(&p, rows[i].found_owner, rows[i].found_item, got, LENGTH);
        memmove(got + rows[i].at, got + rows[i].found_at, 8);
        memcpy(got, want, rows[i].at);
        assert_false(tmk_pattern_same(&p, rows[i].owner, rows[i].item, want,
                                      got, rows[i].at + 8, &bad));
        tmk_pattern_explain(&p, &bad, text, sizeof(text));
        found = strstr(text, " found");
        assert_non_null(found);
        assert_string_equal(found + strlen(" found"), rows[i].whose);
        tmk_pattern_explain(&noise, &bad, text, sizeof(text));
        assert_null(strstr(text, "that of"));
    }
    free(want);
    free(got);
}

static void holes_in_unique_data_are_nobodys(void **state)
{
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_UNIQUE, 0, 0);
    unsigned char want[BLOCK];
    const unsigned char got[BLOCK] = {0};
    struct tmk_pattern_mismatch bad;
    char text[TMK_PATTERN_EXPLAIN_SIZE];

    (void)state;
    for (uint64_t item = 0; item < 100; item++) {
        make(&p, 0, item, want, sizeof(want));
        assert_false(
            tmk_pattern_same(&p, 0, item, want, got, sizeof(want), &bad));
        tmk_pattern_explain(&p, &bad, text, sizeof(text));
        assert_null(strstr(text, "that of"));
    }
}

static void the_longest_explanation_fits(void **state)
{
    const struct tmk_pattern p = PATTERN_OF(TMK_PATTERN_UNIQUE, 0, 0);
    struct tmk_pattern_mismatch bad = {.owner = UINT64_MAX,
                                       .item = UINT64_MAX,
                                       .offset = UINT64_MAX - 7,
                                       .bytes = 8};
    char text[TMK_PATTERN_EXPLAIN_SIZE];
    char cut[30];

    (void)state;
    make(&p, UINT64_MAX, UINT64_MAX - 1, &bad.found, 8);
    tmk_pattern_explain(&p, &bad, text, sizeof(text));
    assert_non_null(strstr(text, "that of rank 18446744073709551615, item "
                                 "18446744073709551614, byte "
                                 "18446744073709027328"));
    tmk_pattern_explain(&p, &bad, cut, sizeof(cut));
    assert_int_equal(strlen(cut), sizeof(cut) - 1);
    assert_memory_equal(cut, text, sizeof(cut) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_is_found_by_any_beginning_of_its_name),
        cmocka_unit_test(what_begins_no_name_is_no_kind),
        cmocka_unit_test(the_words_of_the_original_are_reproduced),
        cmocka_unit_test(numbers_wrap_as_in_the_original),
        cmocka_unit_test(rand_r_is_started_with_a_sum_of_32_bits),
        cmocka_unit_test(the_tail_of_the_original_holds_its_offsets),
        cmocka_unit_test(fewer_than_eight_bytes_of_the_original_are_all_alike),
        cmocka_unit_test(nothing_is_written_beside_the_content),
        cmocka_unit_test(any_alignment_gives_the_same_bytes),
        cmocka_unit_test(an_item_takes_the_place_of_another),
        cmocka_unit_test(the_first_bytes_are_the_same_however_many_are_made),
        cmocka_unit_test(the_tail_of_our_kinds_begins_the_next_word),
        cmocka_unit_test(no_word_of_noise_comes_twice),
        cmocka_unit_test(
            no_word_of_unique_files_of_half_a_megabyte_comes_twice),
        cmocka_unit_test(the_bytes_of_our_kinds_are_evenly_spread),
        cmocka_unit_test(each_kind_tells_apart_what_it_should),
        cmocka_unit_test(our_kinds_tell_files_of_a_few_bytes_apart),
        cmocka_unit_test(noise_makes_use_of_64_bits_of_owner_and_item),
        cmocka_unit_test(damage_is_found_where_it_is),
        cmocka_unit_test(nothing_is_the_same_as_nothing),
        cmocka_unit_test(less_may_be_read_than_was_written),
        cmocka_unit_test(
            only_one_form_of_the_end_is_right_if_the_length_is_known),
        cmocka_unit_test(a_tail_is_right_before_what_was_expected_ends),
        cmocka_unit_test(a_tail_of_the_original_is_damage_in_our_kinds),
        cmocka_unit_test(a_word_of_unique_data_tells_where_it_belongs),
        cmocka_unit_test(a_word_of_unique_data_wraps_at_its_widths),
        cmocka_unit_test(a_mismatch_is_said_in_words),
        cmocka_unit_test(a_bad_tail_is_said_in_bytes),
        cmocka_unit_test(data_of_another_place_is_named_if_it_is_unique),
        cmocka_unit_test(holes_in_unique_data_are_nobodys),
        cmocka_unit_test(the_longest_explanation_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
