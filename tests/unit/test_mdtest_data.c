#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_data.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PAGE = 4096, SEED = 1234, BYTES_MAX = 2 * PAGE + 5 };

static struct tmk_mdtest_conf conf_of(int kind, uint64_t write_bytes,
                                      uint64_t read_bytes)
{
    return (struct tmk_mdtest_conf){
        .pattern_kind = kind,
        .write_bytes = write_bytes,
        .read_bytes = read_bytes,
        .verify_read = 1,
        .verify_write = 1,
    };
}

/* Buffers for checking, with the contents of owner 3. */
static void begin(struct tmk_mdtest_data *data, int kind, uint64_t write_bytes,
                  uint64_t read_bytes)
{
    const struct tmk_mdtest_conf conf = conf_of(kind, write_bytes, read_bytes);

    assert_int_equal(tmk_mdtest_data_init(data, &conf, SEED), 0);
    memset(data->read, 0, write_bytes > read_bytes ? write_bytes : read_bytes);
    tmk_mdtest_data_writes(data, 3);
    tmk_mdtest_data_reads(data, 3);
}

/* The first `n` bytes of a file of `written` bytes, made anew. */
static void make(int kind, uint64_t written, uint64_t owner, uint64_t item,
                 unsigned char *buf, size_t n)
{
    const struct tmk_pattern pattern = {
        .kind = (enum tmk_pattern_kind)kind,
        .seed = SEED,
        .bytes = written,
    };

    tmk_pattern_begin(&pattern, owner, buf, n);
    tmk_pattern_item(&pattern, owner, item, buf, n);
}

/*
 * Buffers.
 */

static void there_are_buffers_for_what_is_moved_and_checked(void **state)
{
    static const struct {
        uint64_t write_bytes, read_bytes;
        unsigned verify_read;
        uint64_t write, read, want; /* bytes; 0 = no buffer */
    } rows[] = {
        {0, 0, 0, 0, 0, 0},
        {0, 0, 1, 0, 0, 0},
        {1, 0, 0, 1, 1, 0},
        {1, 0, 1, 1, 1, 0},
        {0, 1, 0, 0, 1, 0},
        {0, 1, 1, 0, 1, 1},
        {PAGE, PAGE, 1, PAGE, PAGE, PAGE},
        {PAGE + 1, 10, 1, PAGE + 1, PAGE + 1, 10},
        {10, 3 * PAGE + 1, 1, 10, 3 * PAGE + 1, 3 * PAGE + 1},
        {10, 3 * PAGE + 1, 0, 10, 3 * PAGE + 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf = conf_of(
            TMK_PATTERN_TIMESTAMP, rows[i].write_bytes, rows[i].read_bytes);
        const uint64_t want[] = {rows[i].write, rows[i].read, rows[i].want};
        struct tmk_mdtest_data data;

        conf.verify_read = rows[i].verify_read;
        assert_int_equal(tmk_mdtest_data_init(&data, &conf, SEED), 0);
        assert_int_equal(data.write_bytes, rows[i].write_bytes);
        assert_int_equal(data.read_bytes, rows[i].read_bytes);
        for (size_t k = 0; k < COUNT(want); k++) {
            unsigned char *const bufs[] = {data.write, data.read, data.want};

            assert_int_equal(bufs[k] != NULL, want[k] != 0);
            assert_int_equal((uintptr_t)bufs[k] % PAGE, 0);
            if (bufs[k] != NULL) {
                memset(bufs[k], 1, want[k]);
            }
        }
        /* No buffer, nothing to do. */
        tmk_mdtest_data_writes(&data, 3);
        tmk_mdtest_data_reads(&data, 3);
        tmk_mdtest_data_fill(&data, 5);
        tmk_mdtest_data_fini(&data);
        assert_null(data.write);
        assert_null(data.read);
        assert_null(data.want);
        tmk_mdtest_data_fini(&data); /* again is fine */
    }
}

static void more_bytes_than_there_are_addresses_are_refused(void **state)
{
    static const struct {
        uint64_t write_bytes, read_bytes;
    } rows[] = {
        {UINT64_MAX, 0},
        {UINT64_MAX - PAGE + 1, 0},
        {0, UINT64_MAX},
        {10, UINT64_MAX}, /* one buffer is there already */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_mdtest_conf conf = conf_of(
            TMK_PATTERN_TIMESTAMP, rows[i].write_bytes, rows[i].read_bytes);
        struct tmk_mdtest_data data;

        assert_int_equal(tmk_mdtest_data_init(&data, &conf, SEED), -ENOMEM);
        tmk_mdtest_data_fini(&data);
    }
}

/*
 * Contents.
 */

static const uint64_t sizes[] = {1,        7,        8,    9,
                                 PAGE - 1, PAGE + 8, 5000, BYTES_MAX};

static void a_file_holds_what_its_owner_and_item_say(void **state)
{
    static const struct {
        uint64_t owner, item;
    } files[] = {{0, 0}, {0, 1}, {0, 7}, {5, 7}, {5, 0}, {1000000, 1u << 20}};

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            struct tmk_mdtest_data data;

            begin(&data, kind, sizes[i], 0);
            assert_int_equal(data.fills, kind != TMK_PATTERN_TIMESTAMP);
            for (size_t k = 0; k < COUNT(files); k++) {
                unsigned char want[BYTES_MAX];

                if (k == 0 || files[k].owner != files[k - 1].owner) {
                    tmk_mdtest_data_writes(&data, files[k].owner);
                }
                if (data.fills) {
                    tmk_mdtest_data_fill(&data, files[k].item);
                }
                make(kind, sizes[i], files[k].owner, files[k].item, want,
                     sizes[i]);
                assert_memory_equal(data.write, want, sizes[i]);
            }
            tmk_mdtest_data_fini(&data);
        }
    }
}

/* What was written is read back whole: right, then wrong in one byte. */
static void what_was_written_is_right_if_every_byte_is(void **state)
{
    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            const uint64_t at[] = {0, sizes[i] / 2, sizes[i] - 1};
            struct tmk_mdtest_data data;

            begin(&data, kind, sizes[i], 0);
            for (uint64_t item = 10; item < 13; item++) {
                tmk_mdtest_data_fill(&data, item);
                tmk_mdtest_data_spoil_written(&data);
                assert_int_equal(tmk_mdtest_data_check_written(&data, item),
                                 -EBADMSG);
                memcpy(data.read, data.write, sizes[i]);
                assert_int_equal(tmk_mdtest_data_check_written(&data, item), 0);
                data.read[at[item - 10]] ^= 1;
                assert_int_equal(tmk_mdtest_data_check_written(&data, item),
                                 -EBADMSG);
            }
            tmk_mdtest_data_fini(&data);
        }
    }
}

/* Files may be longer than what is read of them, or of unknown length. */
static void what_is_read_is_right_if_every_byte_is(void **state)
{
    static const struct {
        uint64_t write_bytes, written, read_bytes;
    } rows[] = {
        {8, 8, 8},          {5000, 5000, 5000},
        {5000, 5000, 4999}, {5000, 5000, 1},
        {5003, 5003, 5002}, {5003, 5003, 5003},
        {5003, 5003, PAGE}, {0, 5003, 5003}, /* -w was not given */
        {0, 5003, 5000},    {0, 5003, 5001},
        {0, 7, 3},          {0, BYTES_MAX, PAGE},
    };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            uint64_t n = rows[i].read_bytes;
            const uint64_t at[] = {0, n / 2, n - 1};
            struct tmk_mdtest_data data;

            begin(&data, kind, rows[i].write_bytes, n);
            for (uint64_t item = 10; item < 13; item++) {
                unsigned char file[BYTES_MAX];

                tmk_mdtest_data_spoil_read(&data, item);
                assert_int_equal(tmk_mdtest_data_check_read(&data, item),
                                 -EBADMSG);
                make(kind, rows[i].written, 3, item, file, rows[i].written);
                memcpy(data.read, file, n);
                assert_int_equal(tmk_mdtest_data_check_read(&data, item), 0);
                data.read[at[item - 10]] ^= 0x10;
                assert_int_equal(tmk_mdtest_data_check_read(&data, item),
                                 -EBADMSG);
            }
            tmk_mdtest_data_fini(&data);
        }
    }
}

/* Where the length as written is known, only one form of the last bytes is
 * right. */
static void a_tail_is_right_only_where_the_file_ends(void **state)
{
    static const struct {
        uint64_t write_bytes, read_bytes;
        bool tail;
    } rows[] = {{5003, 5003, true}, {5003, 4999, false}, {0, 4999, true}};

    (void)state;
    for (int kind = 0; kind <= TMK_PATTERN_RANDOM; kind++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            uint64_t n = rows[i].read_bytes;
            struct tmk_mdtest_data data;

            begin(&data, kind, rows[i].write_bytes, n);
            tmk_mdtest_data_spoil_read(&data, 1);
            make(kind, BYTES_MAX, 3, 1, data.read, n);
            for (uint64_t k = n / 8 * 8; k < n; k++) {
                data.read[k] = (unsigned char)k;
            }
            assert_int_equal(tmk_mdtest_data_check_read(&data, 1),
                             rows[i].tail ? 0 : -EBADMSG);
            tmk_mdtest_data_fini(&data);
        }
    }
}

/* A file of another owner or item, where the kind tells them apart. */
static void the_contents_of_another_file_are_wrong(void **state)
{
    static const struct {
        uint64_t owner, item; /* not 3, 10 */
        bool same[TMK_PATTERN_KINDS];
    } rows[] = {
        {4, 10, {false}},
        {3, 11, {[TMK_PATTERN_TIMESTAMP] = true}},
    };
    enum { BYTES = 800 };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct tmk_mdtest_data data;

            begin(&data, kind, BYTES, BYTES);
            tmk_mdtest_data_spoil_read(&data, 10);
            make(kind, BYTES, rows[i].owner, rows[i].item, data.read, BYTES);
            assert_int_equal(tmk_mdtest_data_check_read(&data, 10),
                             rows[i].same[kind] ? 0 : -EBADMSG);
            tmk_mdtest_data_reads(&data, rows[i].owner);
            tmk_mdtest_data_spoil_read(&data, rows[i].item);
            make(kind, BYTES, rows[i].owner, rows[i].item, data.read, BYTES);
            assert_int_equal(tmk_mdtest_data_check_read(&data, rows[i].item),
                             0);
            tmk_mdtest_data_fini(&data);
        }
    }
}

/* A read that stores nothing, again and again, never passes. */
static void what_was_not_read_is_never_right(void **state)
{
    enum { BYTES = 100 };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        struct tmk_mdtest_data data;

        begin(&data, kind, BYTES, BYTES);
        tmk_mdtest_data_spoil_read(&data, 1);
        make(kind, BYTES, 3, 1, data.read, BYTES);
        assert_int_equal(tmk_mdtest_data_check_read(&data, 1), 0);
        for (int i = 0; i < 4; i++) {
            tmk_mdtest_data_spoil_read(&data, 1);
            assert_int_equal(tmk_mdtest_data_check_read(&data, 1), -EBADMSG);
        }
        tmk_mdtest_data_fill(&data, 1);
        memcpy(data.read, data.write, BYTES);
        for (int i = 0; i < 4; i++) {
            tmk_mdtest_data_fill(&data, 1);
            tmk_mdtest_data_spoil_written(&data);
            assert_int_equal(tmk_mdtest_data_check_written(&data, 1), -EBADMSG);
        }
        tmk_mdtest_data_fini(&data);
    }
}

/* A launch that only reads may be told a -w that is too small: what the bytes
 * behind it should be is not known. */
static void bytes_behind_the_length_as_written_are_not_looked_at(void **state)
{
    enum { WRITE = 4000, READ = BYTES_MAX };

    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_KINDS; kind++) {
        struct tmk_mdtest_data data;

        begin(&data, kind, WRITE, READ);
        memset(data.want, 0x55, READ);
        tmk_mdtest_data_reads(&data, 3);
        for (int fill = 0; fill < 256; fill += 51) {
            tmk_mdtest_data_spoil_read(&data, 1);
            memset(data.read, fill, READ);
            make(kind, WRITE, 3, 1, data.read, WRITE);
            assert_int_equal(tmk_mdtest_data_check_read(&data, 1), 0);
            data.read[WRITE - 1] ^= 1;
            assert_int_equal(tmk_mdtest_data_check_read(&data, 1), -EBADMSG);
        }
        tmk_mdtest_data_fini(&data);
    }
}

/*
 * What is said of it.
 */

static void the_first_mismatch_is_described(void **state)
{
    enum { BYTES = 27 };
    struct tmk_mdtest_data data;

    (void)state;
    begin(&data, TMK_PATTERN_TIMESTAMP, BYTES, BYTES);
    assert_string_equal(data.detail, "");
    tmk_mdtest_data_spoil_read(&data, 1);
    make(TMK_PATTERN_TIMESTAMP, BYTES, 3, 1, data.read, BYTES);
    assert_int_equal(tmk_mdtest_data_check_read(&data, 1), 0);
    assert_string_equal(data.detail, "");
    data.read[17] ^= 1;
    data.read[26] ^= 1;
    assert_int_equal(tmk_mdtest_data_check_read(&data, 1), -EBADMSG);
    assert_string_equal(data.detail, "at byte 16: 0x00000003000004d4 expected, "
                                     "0x00000003000005d4 found");
    data.read[17] ^= 1;
    assert_int_equal(tmk_mdtest_data_check_read(&data, 1), -EBADMSG);
    assert_string_equal(data.detail,
                        "at byte 24: 18 19 1a expected, 18 19 1b found");
    data.read[26] ^= 1;
    assert_int_equal(tmk_mdtest_data_check_read(&data, 1), 0);
    tmk_mdtest_data_fini(&data);
}

static void the_owner_of_other_contents_is_named(void **state)
{
    enum { BYTES = 64, HIGH = 1 << 20 }; /* more than a word can hold */
    struct tmk_mdtest_data data;

    (void)state;
    begin(&data, TMK_PATTERN_UNIQUE, BYTES, BYTES);
    tmk_mdtest_data_fill(&data, 17);
    make(TMK_PATTERN_UNIQUE, BYTES, 3, 18, data.read, BYTES);
    assert_int_equal(tmk_mdtest_data_check_written(&data, 17), -EBADMSG);
    assert_non_null(
        strstr(data.detail, "found, that of rank 3, item 18, byte 0"));
    tmk_mdtest_data_reads(&data, HIGH + 3);
    tmk_mdtest_data_spoil_read(&data, 17);
    make(TMK_PATTERN_UNIQUE, BYTES, HIGH + 8, 17, data.read, BYTES);
    assert_int_equal(tmk_mdtest_data_check_read(&data, 17), -EBADMSG);
    assert_non_null(
        strstr(data.detail, "found, that of rank 1048584, item 17, byte 0"));
    tmk_mdtest_data_fini(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_buffers_for_what_is_moved_and_checked),
        cmocka_unit_test(more_bytes_than_there_are_addresses_are_refused),
        cmocka_unit_test(a_file_holds_what_its_owner_and_item_say),
        cmocka_unit_test(what_was_written_is_right_if_every_byte_is),
        cmocka_unit_test(what_is_read_is_right_if_every_byte_is),
        cmocka_unit_test(a_tail_is_right_only_where_the_file_ends),
        cmocka_unit_test(the_contents_of_another_file_are_wrong),
        cmocka_unit_test(what_was_not_read_is_never_right),
        cmocka_unit_test(bytes_behind_the_length_as_written_are_not_looked_at),
        cmocka_unit_test(the_first_mismatch_is_described),
        cmocka_unit_test(the_owner_of_other_contents_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
