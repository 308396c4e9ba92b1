#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "bench/mdworkbench_data.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t word(const unsigned char *buf, size_t i)
{
    uint64_t value;

    memcpy(&value, buf + 8 * i, sizeof(value));
    return value;
}

static void begin(struct tmk_mdworkbench_data *data, enum tmk_pattern_kind kind,
                  uint64_t bytes, int32_t seed)
{
    const struct tmk_pattern pattern = {
        .kind = kind, .seed = seed, .bytes = bytes};

    assert_int_equal(tmk_mdworkbench_data_init(data, &pattern, true), 0);
}

/* 1_1/file-1 with -G 77 -S 4125 -D 2, as dumped from the original. */
static void objects_hold_what_the_original_writes(void **state)
{
    static const struct {
        enum tmk_pattern_kind kind;
        uint64_t first, second, at_512;
    } rows[] = {
        {TMK_PATTERN_TIMESTAMP, 0x000000010000004d, 0x000000010000004e,
         0x000000010000024d},
        {TMK_PATTERN_OFFSET, 0x0000000100000003, 0x000000010000004e,
         0x0000000100000006},
        {TMK_PATTERN_INCOMPRESSIBLE, 0x0000000100000003, 0x26c59d5345f33b41,
         0x0000000100000006},
        {TMK_PATTERN_RANDOM, 0x1893c2057218a759, 0x133ebf345a9694eb, 0},
    };
    static const unsigned char tail[] = {0x18, 0x19, 0x1a, 0x1b, 0x1c};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdworkbench_data data;

        begin(&data, rows[i].kind, 4125, 77);
        tmk_mdworkbench_data_fill(&data, 1, 1 * 2 + 1);
        assert_int_equal(word(data.write, 0), rows[i].first);
        assert_int_equal(word(data.write, 1), rows[i].second);
        if (rows[i].at_512 != 0) {
            assert_int_equal(word(data.write, 512), rows[i].at_512);
        }
        assert_memory_equal(data.write + 4120, tail, sizeof(tail));
        tmk_mdworkbench_data_fini(&data);
    }
}

static void what_was_written_checks_well(void **state)
{
    (void)state;
    for (int kind = 0; kind < TMK_PATTERN_PLACE; kind++) {
        static const uint64_t sizes[] = {0, 1, 7, 8, 3901, 4096, 9000};

        for (size_t i = 0; i < COUNT(sizes); i++) {
            struct tmk_mdworkbench_data data;

            begin(&data, (enum tmk_pattern_kind)kind, sizes[i], -5);
            for (uint64_t owner = 0; owner < 3; owner++) {
                tmk_mdworkbench_data_fill(&data, owner, 10 + owner);
                tmk_mdworkbench_data_spoil(&data, owner, 10 + owner);
                if (sizes[i] != 0) { /* nothing was read yet */
                    assert_int_equal(
                        tmk_mdworkbench_data_check(&data, owner, 10 + owner),
                        -EBADMSG);
                    memcpy(data.read, data.write, sizes[i]);
                }
                assert_int_equal(
                    tmk_mdworkbench_data_check(&data, owner, 10 + owner), 0);
            }
            tmk_mdworkbench_data_fini(&data);
        }
    }
}

static void one_wrong_byte_is_told_by_its_place(void **state)
{
    struct tmk_mdworkbench_data data;

    (void)state;
    begin(&data, TMK_PATTERN_TIMESTAMP, 3901, 7);
    tmk_mdworkbench_data_fill(&data, 2, 3);
    tmk_mdworkbench_data_spoil(&data, 2, 3);
    memcpy(data.read, data.write, 3901);
    data.read[1000] ^= 1;
    assert_int_equal(tmk_mdworkbench_data_check(&data, 2, 3), -EBADMSG);
    assert_non_null(strstr(data.detail, "at byte 1000"));
    tmk_mdworkbench_data_fini(&data);
}

static void without_verification_nothing_is_kept_for_it(void **state)
{
    const struct tmk_pattern pattern = {.bytes = 10};
    struct tmk_mdworkbench_data data;

    (void)state;
    assert_int_equal(tmk_mdworkbench_data_init(&data, &pattern, false), 0);
    assert_null(data.want);
    tmk_mdworkbench_data_spoil(&data, 0, 0);
    assert_int_equal(tmk_mdworkbench_data_check(&data, 0, 0), 0);
    tmk_mdworkbench_data_fini(&data);
    tmk_mdworkbench_data_fini(&data);
}

static void what_is_too_large_is_no_memory(void **state)
{
    const struct tmk_pattern pattern = {.bytes = UINT64_MAX};
    struct tmk_mdworkbench_data data;

    (void)state;
    assert_int_equal(tmk_mdworkbench_data_init(&data, &pattern, true), -ENOMEM);
    tmk_mdworkbench_data_fini(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_hold_what_the_original_writes),
        cmocka_unit_test(what_was_written_checks_well),
        cmocka_unit_test(one_wrong_byte_is_told_by_its_place),
        cmocka_unit_test(without_verification_nothing_is_kept_for_it),
        cmocka_unit_test(what_is_too_large_is_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
