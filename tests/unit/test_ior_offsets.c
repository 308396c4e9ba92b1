#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ior_offsets.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define K UINT64_C(1024)

static const enum tmk_ior_order orders[] = {
    TMK_IOR_SEQUENTIAL, TMK_IOR_SHUFFLED, TMK_IOR_BLOCKS, TMK_IOR_LEGACY};

/* N, S, B, T */
struct shape {
    uint64_t ranks, segments, block, transfer;
};

static const struct shape shapes[] = {
    {1, 1, K, K},          {1, 5, K, K},          {1, 1, 8 * K, K},
    {2, 2, 16 * K, 8 * K}, {3, 1, 8 * K, K},      {3, 4, 7 * K, K},
    {4, 9, 47001, 47001},  {4, 3, 141003, 47001}, {5, 2, 6, 1},
    {7, 3, 33, 11},
};

static struct tmk_ior_offsets_how how_of(const struct shape *s,
                                         enum tmk_ior_order order, bool shared)
{
    return (struct tmk_ior_offsets_how){
        .order = order,
        .shared = shared,
        .ranks = s->ranks,
        .segments = s->segments,
        .block_bytes = s->block,
        .transfer_bytes = s->transfer,
        .seed = 7,
        .legacy_seed = 7,
        .file_bytes = (shared ? s->ranks : 1) * s->segments * s->block,
    };
}

static void init(struct tmk_ior_offsets *o,
                 const struct tmk_ior_offsets_how *how, uint64_t rank)
{
    assert_int_equal(tmk_ior_offsets_init(o, how, rank), 0);
}

/* A rank's first n offsets, as a cursor has them. */
static void expect(const struct tmk_ior_offsets_how *how, uint64_t rank,
                   const uint64_t *want, size_t n)
{
    struct tmk_ior_offsets o;
    struct tmk_ior_cursor c;

    init(&o, how, rank);
    tmk_ior_cursor_init(&c, &o);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(tmk_ior_cursor_next(&c), want[i]);
    }
    tmk_ior_offsets_fini(&o);
}

/* ---- the original's ---- */

static void sequential_orders_are_those_of_the_original(void **state)
{
    static const struct {
        struct shape shape;
        bool shared;
        uint64_t rank, count;
        uint64_t want[4];
    } rows[] = {
        {{2, 2, 16 * K, 8 * K}, true, 0, 4, {0, 8192, 32768, 40960}},
        {{2, 2, 16 * K, 8 * K}, true, 1, 4, {16384, 24576, 49152, 57344}},
        {{2, 2, 16 * K, 8 * K}, false, 1, 4, {0, 8192, 16384, 24576}},
        {{2, 3, 2 * K, K}, true, 0, 6, {0, 1024, 4096}},
        {{2, 3, 2 * K, K}, true, 1, 6, {2048, 3072, 6144}},
        {{4, 9, 47008, 47008}, true, 2, 9, {94016, 282048, 470080, 658112}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_ior_offsets_how how =
            how_of(&rows[i].shape, TMK_IOR_SEQUENTIAL, rows[i].shared);
        struct tmk_ior_offsets o;

        expect(&how, rows[i].rank, rows[i].want, rows[i].want[3] == 0 ? 3 : 4);
        init(&o, &how, rows[i].rank);
        assert_int_equal(o.count, rows[i].count);
        tmk_ior_offsets_fini(&o);
    }
}

static void legacy_orders_of_a_shared_file_are_dealt_out_by_rand(void **state)
{
    static const struct {
        uint64_t rank, count;
        uint64_t want[9];
    } rows[] = {
        {0, 8, {8192, 1024, 13312, 15360, 5120, 0, 22528, 19456}},
        {1, 7, {3072, 7168, 9216, 12288, 14336, 11264, 16384}},
        {2, 9, {20480, 2048, 17408, 23552, 6144, 18432, 10240, 4096, 21504}},
    };
    const struct shape shape = {3, 2, 8 * K, K};
    struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_LEGACY, true);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_ior_offsets o;

        expect(&how, rows[i].rank, rows[i].want, rows[i].count);
        init(&o, &how, rows[i].rank);
        assert_int_equal(o.count, 2 * rows[i].count);
        for (uint64_t j = 0; j < rows[i].count; j++) { /* again, further on */
            assert_int_equal(tmk_ior_offsets_random(&o, rows[i].count + j),
                             rows[i].want[j] + 24 * K);
        }
        tmk_ior_offsets_fini(&o);
    }
}

static void legacy_orders_of_a_file_per_rank_are_shuffled_by_rand(void **state)
{
    static const uint64_t want[2][16] = {
        {5120, 2048, 6144, 4096, 0, 7168, 1024, 3072, 13312, 10240, 14336,
         12288, 8192, 15360, 9216, 11264},
        {1024, 0, 2048, 5120, 7168, 4096, 6144, 3072, 9216, 8192, 10240, 13312,
         15360, 12288, 14336, 11264},
    };
    const struct shape shape = {2, 2, 8 * K, K};
    struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_LEGACY, false);

    (void)state;
    expect(&how, 0, want[0], 16);
    expect(&how, 1, want[1], 16);
}

static void a_legacy_rank_may_have_nothing_to_do(void **state)
{
    unsigned idle = 0;

    (void)state;
    for (uint32_t seed = 0; seed < 20; seed++) {
        const struct shape shape = {8, 3, 2 * K, K};
        struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_LEGACY, true);
        uint64_t count = 0;

        how.legacy_seed = seed;
        for (uint64_t rank = 0; rank < shape.ranks; rank++) {
            struct tmk_ior_offsets o;

            init(&o, &how, rank);
            idle += o.count == 0;
            count += o.count;
            tmk_ior_offsets_fini(&o);
        }
        assert_int_equal(count, 8 * 3 * 2);
    }
    assert_true(idle > 0);
}

/* ---- each transfer once ---- */

/* Count the transfers of a rank at each place of the file. */
static void tally(const struct tmk_ior_offsets_how *how, uint64_t rank,
                  unsigned *hits)
{
    struct tmk_ior_offsets o;
    struct tmk_ior_cursor c;

    init(&o, how, rank);
    tmk_ior_cursor_init(&c, &o);
    for (uint64_t i = 0; i < o.count; i++) {
        uint64_t at = tmk_ior_cursor_next(&c);

        assert_int_equal(at % how->transfer_bytes, 0);
        assert_true(at + how->transfer_bytes <= how->file_bytes);
        hits[at / how->transfer_bytes]++;
    }
    tmk_ior_offsets_fini(&o);
}

static void all_but_random_blocks_touch_every_transfer_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes) * COUNT(orders) * 2; i++) {
        const struct shape *s = &shapes[i / 2 / COUNT(orders)];
        enum tmk_ior_order order = orders[i / 2 % COUNT(orders)];
        struct tmk_ior_offsets_how how = how_of(s, order, i % 2 == 0);
        uint64_t n = how.file_bytes / how.transfer_bytes;

        for (uint64_t rank = 0; rank < s->ranks && order != TMK_IOR_BLOCKS;) {
            unsigned *hits = calloc(n, sizeof(*hits));

            assert_non_null(hits);
            do {
                tally(&how, rank++, hits);
            } while (how.shared && rank < s->ranks);
            for (uint64_t j = 0; j < n; j++) {
                assert_int_equal(hits[j], 1);
            }
            free(hits);
        }
    }
}

static void shuffled_shares_are_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes) * 2; i++) {
        const struct shape *s = &shapes[i / 2];
        struct tmk_ior_offsets_how how =
            how_of(s, TMK_IOR_SHUFFLED, i % 2 == 0);
        struct tmk_ior_offsets o;

        for (uint64_t rank = 0; rank < s->ranks; rank++) {
            init(&o, &how, rank);
            assert_int_equal(o.count, s->segments * (s->block / s->transfer));
            tmk_ior_offsets_fini(&o);
        }
    }
}

/* How many of a rank's first n offsets are the same in both. */
static unsigned agreeing(const struct tmk_ior_offsets_how *a,
                         uint64_t rank_of_a,
                         const struct tmk_ior_offsets_how *b,
                         uint64_t rank_of_b, unsigned n)
{
    struct tmk_ior_offsets x;
    struct tmk_ior_offsets y;
    unsigned same = 0;

    init(&x, a, rank_of_a);
    init(&y, b, rank_of_b);
    for (unsigned i = 0; i < n; i++) {
        same += tmk_ior_offsets_random(&x, i) == tmk_ior_offsets_random(&y, i);
    }
    tmk_ior_offsets_fini(&x);
    tmk_ior_offsets_fini(&y);
    return same;
}

/* A repetition is mixed into the seed; ranks must not read in step. */
static void random_orders_differ_by_seed_and_by_rank(void **state)
{
    enum { N = 1000 };
    static const enum tmk_ior_order ours[] = {TMK_IOR_SHUFFLED, TMK_IOR_BLOCKS};
    const struct shape shape = {4, 1000, K, K};

    (void)state;
    for (size_t i = 0; i < COUNT(ours) * 2; i++) {
        struct tmk_ior_offsets_how a = how_of(&shape, ours[i / 2], i % 2 == 0);
        struct tmk_ior_offsets_how b = a;

        for (uint64_t seed = 0; seed < 20; seed++) {
            a.seed = seed;
            b.seed = seed + 1;
            assert_in_range(agreeing(&a, 0, &a, 0, N), N, N);
            assert_true(agreeing(&a, 2, &b, 2, N) < 10);
            assert_true(agreeing(&a, 1, &a, 2, N) < 10);
            assert_true(agreeing(&a, 0, &b, 1, N) < 10);
        }
    }
}

static void segments_of_a_shuffled_order_are_not_alike(void **state)
{
    const struct shape shape = {1, 2, 500 * K, K};
    struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_SHUFFLED, false);
    struct tmk_ior_offsets o;
    unsigned low = 0;
    unsigned alike = 0;

    (void)state;
    init(&o, &how, 0);
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t first = tmk_ior_offsets_random(&o, i);
        uint64_t second = tmk_ior_offsets_random(&o, i + 500);

        low += first < 500 * K;
        alike += first % (500 * K) == second % (500 * K);
    }
    assert_in_range(low, 200, 300);
    assert_true(alike < 10);
    tmk_ior_offsets_fini(&o);
}

/* ---- random blocks ---- */

static void random_blocks_are_whole_and_anywhere_in_the_file(void **state)
{
    enum { BLOCKS = 50, SEGMENTS = 50000 };
    const struct shape shape = {2, SEGMENTS, 33, 11};
    unsigned hits[BLOCKS] = {0};

    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_BLOCKS, true);
        struct tmk_ior_offsets o;
        struct tmk_ior_cursor c;

        how.seed = seed;
        how.file_bytes = BLOCKS * shape.block + 32; /* not a block more */
        memset(hits, 0, sizeof(hits));
        init(&o, &how, 1);
        tmk_ior_cursor_init(&c, &o);
        for (unsigned i = 0; i < SEGMENTS; i++) {
            uint64_t at = tmk_ior_cursor_next(&c);

            assert_int_equal(at % 33, 0);
            assert_true(at / 33 < BLOCKS);
            hits[at / 33]++;
            assert_int_equal(tmk_ior_cursor_next(&c), at + 11);
            assert_int_equal(tmk_ior_cursor_next(&c), at + 22);
        }
        for (unsigned b = 0; b < BLOCKS; b++) { /* 1000, deviation 32 */
            assert_in_range(hits[b], 1000 - 160, 1000 + 160);
        }
        tmk_ior_offsets_fini(&o);
    }
}

static void a_file_written_in_random_blocks_gets_its_full_length(void **state)
{
    const struct shape shape = {3, 4, 2 * K, K};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_BLOCKS, i == 0);
        unsigned last[3] = {0};

        how.extends = true;
        for (how.seed = 0; how.seed < 50; how.seed++) {
            for (uint64_t rank = 0; rank < 3; rank++) {
                struct tmk_ior_offsets o;

                init(&o, &how, rank);
                last[rank] +=
                    tmk_ior_offsets_random(&o, 1) + K == how.file_bytes;
                tmk_ior_offsets_fini(&o);
            }
        }
        assert_int_equal(last[0], 50);
        assert_true(how.shared ? last[1] < 25 && last[2] < 25
                               : last[1] == 50 && last[2] == 50);
    }
}

static void a_file_without_a_block_has_no_random_blocks(void **state)
{
    const struct shape shape = {2, 4, 2 * K, K};
    struct tmk_ior_offsets_how how = how_of(&shape, TMK_IOR_BLOCKS, true);
    struct tmk_ior_offsets o;

    (void)state;
    for (how.file_bytes = 0; how.file_bytes < 4 * K; how.file_bytes += K) {
        assert_int_equal(tmk_ior_offsets_init(&o, &how, 0),
                         how.file_bytes < 2 * K ? -EINVAL : 0);
        tmk_ior_offsets_fini(&o);
    }
}

/* ---- cursors ---- */

static void a_cursor_goes_round_through_the_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes) * COUNT(orders) * 2; i++) {
        const struct shape *s = &shapes[i / 2 / COUNT(orders)];
        struct tmk_ior_offsets_how how =
            how_of(s, orders[i / 2 % COUNT(orders)], i % 2 == 0);

        for (uint64_t rank = 0; rank < s->ranks; rank++) {
            struct tmk_ior_offsets o;
            struct tmk_ior_cursor c;

            init(&o, &how, rank);
            tmk_ior_cursor_init(&c, &o);
            for (uint64_t j = 0; j < 3 * o.count; j++) {
                assert_int_equal(tmk_ior_cursor_next(&c),
                                 tmk_ior_offsets_random(&o, j % o.count));
            }
            tmk_ior_offsets_fini(&o);
        }
    }
}

static void files_of_nearly_2_to_the_63_bytes_are_met_to_their_end(void **state)
{
    static const struct shape huge[] = {
        {1, 1, INT64_MAX, INT64_MAX},
        {7, 1, UINT64_C(1) << 60, UINT64_C(1) << 20},
        {1u << 20, UINT64_C(1) << 31, 4095, 1365},
        {1u << 20, (UINT64_C(1) << 43) - 1, 1, 1},
        {3, 1, INT64_MAX / 3 / 47001 * 47001, 47001},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(huge) * 6; i++) {
        const struct shape *s = &huge[i / 6];
        struct tmk_ior_offsets_how how =
            how_of(s, orders[i / 2 % 3], i % 2 == 0);
        struct tmk_ior_offsets o;
        uint64_t end = 0;

        init(&o, &how, s->ranks - 1);
        assert_true(how.file_bytes <= INT64_MAX);
        for (uint64_t j = 0; j < 1000; j++) {
            uint64_t from = j < o.count ? o.count - 1 - j : 0;
            uint64_t at = tmk_ior_offsets_random(&o, from);

            assert_true(at <= how.file_bytes - s->transfer);
            assert_int_equal(at % s->transfer, 0);
            end = at + s->transfer > end ? at + s->transfer : end;
        }
        assert_true(how.order != TMK_IOR_SEQUENTIAL || end == how.file_bytes);
        tmk_ior_offsets_fini(&o);
    }
}

/* ---- whose data ---- */

static void data_of_a_shared_file_is_of_the_rank_whose_block_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes) * 3; i++) {
        const struct shape *s = &shapes[i / 3];
        struct tmk_ior_offsets_how how = how_of(s, orders[i % 3], true);
        struct tmk_ior_offsets_how in_order =
            how_of(s, TMK_IOR_SEQUENTIAL, true);
        struct tmk_ior_offsets o;

        init(&o, &how, 0);
        for (uint64_t rank = 0; rank < s->ranks; rank++) {
            struct tmk_ior_offsets other;

            init(&other, &in_order, rank);
            for (uint64_t j = 0; j < other.count; j++) {
                uint64_t at = tmk_ior_offsets_random(&other, j);

                assert_int_equal(tmk_ior_offsets_writer(&o, at), rank);
                assert_int_equal(
                    tmk_ior_offsets_writer(&o, at + s->transfer - 1), rank);
            }
            tmk_ior_offsets_fini(&other);
        }
        tmk_ior_offsets_fini(&o);
    }
}

static void other_data_is_of_the_rank_itself(void **state)
{
    const struct shape shape = {3, 2, 2 * K, K};

    (void)state;
    for (size_t i = 0; i < COUNT(orders) * 2; i++) {
        enum tmk_ior_order order = orders[i / 2];
        struct tmk_ior_offsets_how how = how_of(&shape, order, i % 2 == 0);
        struct tmk_ior_offsets o;

        if (how.shared && order != TMK_IOR_LEGACY) {
            continue;
        }
        init(&o, &how, 2);
        for (uint64_t j = 0; j < o.count; j++) {
            assert_int_equal(
                tmk_ior_offsets_writer(&o, tmk_ior_offsets_random(&o, j)), 2);
        }
        tmk_ior_offsets_fini(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_orders_are_those_of_the_original),
        cmocka_unit_test(legacy_orders_of_a_shared_file_are_dealt_out_by_rand),
        cmocka_unit_test(legacy_orders_of_a_file_per_rank_are_shuffled_by_rand),
        cmocka_unit_test(a_legacy_rank_may_have_nothing_to_do),
        cmocka_unit_test(all_but_random_blocks_touch_every_transfer_once),
        cmocka_unit_test(shuffled_shares_are_equal),
        cmocka_unit_test(random_orders_differ_by_seed_and_by_rank),
        cmocka_unit_test(segments_of_a_shuffled_order_are_not_alike),
        cmocka_unit_test(random_blocks_are_whole_and_anywhere_in_the_file),
        cmocka_unit_test(a_file_written_in_random_blocks_gets_its_full_length),
        cmocka_unit_test(a_file_without_a_block_has_no_random_blocks),
        cmocka_unit_test(a_cursor_goes_round_through_the_order),
        cmocka_unit_test(
            files_of_nearly_2_to_the_63_bytes_are_met_to_their_end),
        cmocka_unit_test(
            data_of_a_shared_file_is_of_the_rank_whose_block_it_is),
        cmocka_unit_test(other_data_is_of_the_rank_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
