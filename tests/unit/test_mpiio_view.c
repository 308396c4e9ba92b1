#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "engine/mpiio_view.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Blocks of 10 bytes. */
static void a_view_has_the_blocks_of_one_rank(void **state)
{
    static const struct {
        uint64_t ranks, rank, offset;
        size_t bytes;
        int64_t want; /* -1: it is not in there */
    } rows[] = {
        {1, 0, 0, 10, 0},   {1, 0, 17, 3, 17}, {1, 0, 17, 4, -1},
        {3, 0, 0, 10, 0},   {3, 0, 0, 11, -1}, {3, 0, 10, 1, -1},
        {3, 0, 30, 10, 10}, {3, 0, 29, 1, -1}, {3, 1, 0, 1, -1},
        {3, 1, 10, 10, 0},  {3, 1, 9, 2, -1},  {3, 1, 45, 5, 15},
        {3, 1, 45, 6, -1},  {3, 2, 29, 1, 9},  {3, 2, 30, 1, -1},
        {3, 2, 89, 1, 29},  {3, 2, 30, 0, -1}, {3, 1, 20, 0, 10},
        {1, 0, 5, 0, 5},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_engine_transfers t = {
            .ranks = rows[i].ranks, .rank = rows[i].rank, .block_bytes = 10};
        uint64_t offset = rows[i].offset;
        int err = tmk_mpiio_view_offset(&t, &offset, rows[i].bytes);

        assert_int_equal(err, rows[i].want < 0 ? -EINVAL : 0);
        assert_int_equal(offset, rows[i].want < 0 ? rows[i].offset
                                                  : (uint64_t)rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_has_the_blocks_of_one_rank),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
