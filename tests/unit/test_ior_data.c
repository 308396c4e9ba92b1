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

#include "bench/ior_data.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PAGE = 4096, SEED = 1234, BYTES_MAX = 47001 };

static const size_t sizes[] = {1, 7, 8, 512, 513, PAGE, BYTES_MAX};

static struct tmk_pattern pattern_of(int kind)
{
    return (struct tmk_pattern){
        .kind = (enum tmk_pattern_kind)kind,
        .seed = SEED,
        .items_are_offsets = true,
        .owners = 16,
        .file_bytes = UINT64_C(1) << 40,
    };
}

static void begin(struct tmk_ior_data *data, int kind, size_t bytes, unsigned n,
                  bool checks)
{
    const struct tmk_pattern pattern = pattern_of(kind);

    assert_int_equal(tmk_ior_data_init(data, &pattern, bytes, n, checks), 0);
    assert_int_equal(data->n, n);
    assert_int_equal(data->bytes, bytes);
}

/* What a transfer has to hold, made anew. */
static void make(const struct tmk_ior_data *data, uint64_t owner,
                 uint64_t offset, unsigned char *buf)
{
    const struct tmk_pattern *p = &data->pattern;

    memset(buf, 0, data->bytes);
    tmk_pattern_begin(p, owner, buf, data->bytes);
    tmk_pattern_item(p, owner, offset, buf, data->bytes);
}

/* A read that went well. */
static void read_well(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                      uint64_t offset)
{
    static unsigned char there[BYTES_MAX];

    make(data, owner, offset, there);
    memcpy(data->bufs[i], there, data->bytes);
}

/*
 * Filling.
 */

static void a_buffer_holds_what_its_owner_writes_at_an_offset(void **state)
{
    static const struct {
        unsigned i;
        uint64_t owner, offset; /* in transfers */
    } turns[] = {
        {0, 3, 0}, {0, 3, 1}, {1, 3, 1}, {0, 3, 0},       {0, 5, 0}, {1, 5, 9},
        {0, 3, 2}, {2, 0, 0}, {2, 0, 1}, {2, 15, 100000}, {0, 3, 2},
    };
    static unsigned char want[BYTES_MAX];
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            begin(&data, kind, sizes[s], 3, false);
            for (size_t i = 0; i < COUNT(turns); i++) {
                uint64_t offset = turns[i].offset * sizes[s];

                tmk_ior_data_fill(&data, turns[i].i, turns[i].owner, offset);
                make(&data, turns[i].owner, offset, want);
                assert_memory_equal(data.bufs[turns[i].i], want, sizes[s]);
            }
            tmk_ior_data_fini(&data);
        }
    }
}

static void one_buffer_is_not_touched_when_another_is_filled(void **state)
{
    static unsigned char before[BYTES_MAX];
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        begin(&data, kind, BYTES_MAX, 4, true);
        tmk_ior_data_fill(&data, 2, 1, 0);
        memcpy(before, data.bufs[2], BYTES_MAX);
        tmk_ior_data_fill(&data, 1, 9, BYTES_MAX);
        tmk_ior_data_fill(&data, 3, 1, UINT64_C(7) * BYTES_MAX);
        tmk_ior_data_spoil(&data, 0, 1, 0);
        (void)tmk_ior_data_check(&data, 0, 1, 0);
        assert_memory_equal(data.bufs[2], before, BYTES_MAX);
        tmk_ior_data_fini(&data);
    }
}

/* Direct I/O needs that. */
static void buffers_begin_at_pages(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        begin(&data, TMK_PATTERN_NOISE, sizes[s], 5, true);
        for (unsigned i = 0; i < 5; i++) {
            assert_int_equal((uintptr_t)data.bufs[i] % PAGE, 0);
        }
        assert_int_equal((uintptr_t)data.want % PAGE, 0);
        tmk_ior_data_fini(&data);
    }
}

static void another_size_gets_other_buffers(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            size_t other = sizes[(s + 3) % COUNT(sizes)];

            begin(&data, kind, sizes[s], 2, true);
            tmk_ior_data_fill(&data, 1, 3, 0);
            tmk_ior_data_fini(&data);
            tmk_ior_data_fini(&data); /* again is fine */
            assert_null(data.bufs);
            begin(&data, kind, other, 1, true);
            tmk_ior_data_fill(&data, 0, 3, other);
            assert_int_equal(tmk_ior_data_check(&data, 0, 3, other), 0);
            tmk_ior_data_fini(&data);
        }
    }
}

/*
 * Checking.
 */

static void what_was_written_is_what_should_be_read(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            begin(&data, kind, sizes[s], 2, true);
            for (uint64_t turn = 0; turn < 40; turn++) {
                uint64_t owner = turn / 3 % 4;
                uint64_t offset = turn * sizes[s];

                tmk_ior_data_fill(&data, turn % 2, owner, offset);
                assert_int_equal(
                    tmk_ior_data_check(&data, turn % 2, owner, offset), 0);
                assert_string_equal(data.detail, "");
            }
            tmk_ior_data_fini(&data);
        }
    }
}

/* With a wrong bit in any place. */
static void each_wrong_byte_is_found(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            size_t step = sizes[s] < 600 ? 1 : 97;

            begin(&data, kind, sizes[s], 1, true);
            for (size_t at = 0; at < sizes[s]; at += step) {
                read_well(&data, 0, 2, 5 * sizes[s]);
                data.bufs[0][at] ^= 4;
                assert_int_equal(tmk_ior_data_check(&data, 0, 2, 5 * sizes[s]),
                                 -EBADMSG);
            }
            data.bufs[0][sizes[s] - 1] ^= 4;
            read_well(&data, 0, 2, 5 * sizes[s]);
            assert_int_equal(tmk_ior_data_check(&data, 0, 2, 5 * sizes[s]), 0);
            tmk_ior_data_fini(&data);
        }
    }
}

/* Of the original's kinds two do not tell transfers apart, and of a rank's own
 * file nobody could. */
static void data_of_others_is_found_where_it_differs(void **state)
{
    static const struct {
        int kind;
        bool owners, offsets; /* tell transfers of whole words apart */
    } rows[] = {
        {TMK_PATTERN_TIMESTAMP, true, false},
        {TMK_PATTERN_OFFSET, true, true}, /* words of 4096 bytes */
        {TMK_PATTERN_INCOMPRESSIBLE, true, true},
        {TMK_PATTERN_RANDOM, true, true},
        {TMK_PATTERN_UNIQUE, true, true},
        {TMK_PATTERN_NOISE, true, true},
        {TMK_PATTERN_PLACE, true, true},
    };
    struct tmk_ior_data data;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        begin(&data, rows[i].kind, BYTES_MAX, 1, true);
        read_well(&data, 0, 2, BYTES_MAX);
        assert_int_equal(tmk_ior_data_check(&data, 0, 3, BYTES_MAX) != 0,
                         rows[i].owners);
        assert_int_equal(
            tmk_ior_data_check(&data, 0, 2, UINT64_C(3) * BYTES_MAX) != 0,
            rows[i].offsets);
        assert_int_equal(tmk_ior_data_check(&data, 0, 2, BYTES_MAX), 0);
        tmk_ior_data_fini(&data);
    }
}

static void another_seed_gives_other_data(void **state)
{
    static unsigned char before[BYTES_MAX];
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        begin(&data, kind, BYTES_MAX, 2, true);
        for (unsigned i = 0; i < 2; i++) {
            tmk_ior_data_fill(&data, i, 1, 0);
            assert_int_equal(tmk_ior_data_check(&data, i, 1, 0), 0);
        }
        memcpy(before, data.bufs[0], BYTES_MAX);
        tmk_ior_data_seed(&data, -77);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(tmk_ior_data_check(&data, i, 1, 0), -EBADMSG);
            tmk_ior_data_fill(&data, i, 1, 0);
            assert_int_equal(tmk_ior_data_check(&data, i, 1, 0), 0);
            assert_true(memcmp(data.bufs[i], before, BYTES_MAX) != 0);
        }
        tmk_ior_data_seed(&data, SEED);
        tmk_ior_data_fill(&data, 1, 1, 0);
        assert_memory_equal(data.bufs[1], before, BYTES_MAX);
        tmk_ior_data_fini(&data);
    }
}

/*
 * Spoiling.  Short transfers have few values: each of many offsets is tried.
 */

static void a_read_that_did_nothing_is_found(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            uint64_t turns = sizes[s] < 8 ? 2000 : 3;

            begin(&data, kind, sizes[s], 1, true);
            for (uint64_t turn = 0; turn < turns; turn++) {
                uint64_t offset = turn * sizes[s];

                /* What was here is just what should be read now. */
                read_well(&data, 0, 1, offset);
                for (int again = 0; again < 3; again++) {
                    tmk_ior_data_spoil(&data, 0, 1, offset);
                    assert_int_equal(tmk_ior_data_check(&data, 0, 1, offset),
                                     -EBADMSG);
                }
                tmk_ior_data_spoil(&data, 0, 1, offset);
                read_well(&data, 0, 1, offset);
                assert_int_equal(tmk_ior_data_check(&data, 0, 1, offset), 0);
            }
            tmk_ior_data_fini(&data);
        }
    }
}

/* It came short, and said that it did not. */
static void a_read_that_ended_early_is_found(void **state)
{
    static const size_t ends[] = {0, 511, 512, PAGE, BYTES_MAX - 512};
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        static unsigned char there[BYTES_MAX];

        begin(&data, kind, BYTES_MAX, 1, true);
        make(&data, 1, 0, there);
        for (size_t i = 0; i < COUNT(ends); i++) {
            memcpy(data.bufs[0], there, BYTES_MAX);
            tmk_ior_data_spoil(&data, 0, 1, 0);
            memcpy(data.bufs[0], there, ends[i]);
            assert_int_equal(tmk_ior_data_check(&data, 0, 1, 0), -EBADMSG);
        }
        tmk_ior_data_fini(&data);
    }
}

static void a_spoilt_buffer_can_be_written_from(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            begin(&data, kind, sizes[s], 1, true);
            tmk_ior_data_fill(&data, 0, 1, 0);
            tmk_ior_data_spoil(&data, 0, 1, 0);
            tmk_ior_data_fill(&data, 0, 1, sizes[s]);
            assert_int_equal(tmk_ior_data_check(&data, 0, 1, sizes[s]), 0);
            tmk_ior_data_fini(&data);
        }
    }
}

/*
 * What is told.
 */

static void the_words_that_differ_are_counted(void **state)
{
    static const struct {
        size_t bytes;
        size_t at[4]; /* wrong bytes */
        size_t n;
        const char *text;
    } rows[] = {
        {8, {3}, 1, "1 word differs"},
        {1, {0}, 1, "1 word differs"},
        {7, {0, 6}, 2, "1 word differs"},
        {16, {7, 8}, 2, "2 words differ"},
        {513, {0, 7, 511, 512}, 4, "3 words differ"},
        {BYTES_MAX, {46999, 47000}, 2, "2 words differ"},
        {BYTES_MAX, {8, 15, 16, 32000}, 4, "3 words differ"},
    };
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            const uint64_t offset = 5 * rows[i].bytes;
            const size_t length = strlen(rows[i].text);
            char head[128];

            begin(&data, kind, rows[i].bytes, 1, true);
            read_well(&data, 0, 3, offset);
            for (size_t k = 0; k < rows[i].n; k++) {
                data.bufs[0][rows[i].at[k]] ^= 0x55;
            }
            assert_int_equal(tmk_ior_data_check(&data, 0, 3, offset), -EBADMSG);
            assert_string_equal(data.detail + strlen(data.detail) - length,
                                rows[i].text);
            (void)snprintf(head, sizeof(head),
                           "transfer at offset %" PRIu64
                           ", written by rank 3: at offset ",
                           offset);
            assert_memory_equal(data.detail, head, strlen(head));
            tmk_ior_data_fini(&data);
        }
    }
}

/* The first of them is told by its place in the file. */
static void the_first_word_that_differs_is_told(void **state)
{
    struct tmk_ior_data data;

    (void)state;
    begin(&data, TMK_PATTERN_TIMESTAMP, 4096, 1, true);
    read_well(&data, 0, 3, 8192);
    data.bufs[0][16] ^= 1;
    data.bufs[0][40] ^= 1;
    assert_int_equal(tmk_ior_data_check(&data, 0, 3, 8192), -EBADMSG);
    assert_string_equal(data.detail,
                        "transfer at offset 8192, written by rank 3: at offset "
                        "8208: 0x00000003000004d4 expected, 0x00000003000004d5 "
                        "found; 2 words differ");
    tmk_ior_data_fini(&data);
}

/* Of the largest numbers, too. */
static void nothing_of_it_is_cut(void **state)
{
    static const char tail[] = "; 131072 words differ";
    static unsigned char there[1 << 20];
    const size_t bytes = sizeof(there);
    struct tmk_ior_data data;

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        begin(&data, kind, bytes, 1, true);
        data.pattern.owners = UINT64_C(1) << 31;
        data.pattern.file_bytes = UINT64_MAX;
        make(&data, INT32_MAX, UINT64_MAX - 2 * bytes, there);
        for (size_t at = 0; at < bytes; at += 8) { /* of another place */
            uint64_t word = UINT64_C(0x0123456789abcdef) ^ at;

            memcpy(data.bufs[0] + at, &word, sizeof(word));
        }
        assert_int_equal(
            tmk_ior_data_check(&data, 0, INT32_MAX, UINT64_MAX - 2 * bytes),
            -EBADMSG);
        assert_string_equal(
            data.detail + strlen(data.detail) + 1 - sizeof(tail), tail);
        tmk_ior_data_fini(&data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_holds_what_its_owner_writes_at_an_offset),
        cmocka_unit_test(one_buffer_is_not_touched_when_another_is_filled),
        cmocka_unit_test(buffers_begin_at_pages),
        cmocka_unit_test(another_size_gets_other_buffers),
        cmocka_unit_test(what_was_written_is_what_should_be_read),
        cmocka_unit_test(each_wrong_byte_is_found),
        cmocka_unit_test(data_of_others_is_found_where_it_differs),
        cmocka_unit_test(another_seed_gives_other_data),
        cmocka_unit_test(a_read_that_did_nothing_is_found),
        cmocka_unit_test(a_read_that_ended_early_is_found),
        cmocka_unit_test(a_spoilt_buffer_can_be_written_from),
        cmocka_unit_test(the_words_that_differ_are_counted),
        cmocka_unit_test(the_first_word_that_differs_is_told),
        cmocka_unit_test(nothing_of_it_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
