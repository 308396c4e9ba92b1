/*
 * Transfers of ior of which several are under way.
 */
#include "mpi/ior_ways.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* Of several under way the rest is asked for, as engines do by themselves. */
static void a_queued_transfer_that_comes_short_is_gone_on_with(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        if (!ways[i].queues || ways[i].ask == ask_together) {
            continue;
        }
        begin(b, &ways[i], NULL);
        b->engine.fault = (struct fault){MOVE, 20, false, SHORT};
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            go_all(b, (enum tmk_ior_access)access);
            assert_counts(b, 0, 0);
            assert_int_equal(b->result.operations, planned(b));
            assert_int_equal(b->engine.called[MOVE], EACH + 1);
            assert_int_equal(b->engine.moves[20].bytes, TRANSFER / 2);
            assert_int_equal(b->engine.moves[20].offset,
                             b->engine.moves[19].offset + TRANSFER / 2);
        }
        /* The rest may fail, or come short again. */
        b->engine.fault = (struct fault){MOVE, 20, true, SHORT};
        go_all(b, TMK_IOR_READ);
        assert_sane(b);
        assert_int_equal(b->result.failed_by[ENODATA], b->result.failed);
        assert_int_equal(b->result.operations, 19 * (uint64_t)b->job.size);
        end(b);
    }
}

/* With O_DIRECT an odd part cannot be gone on with. */
static void a_direct_transfer_that_comes_short_has_failed(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            if (!ways[i].queues || ways[i].ask == ask_together) {
                continue;
            }
            begin(b, &ways[i], NULL);
            go_all(b, TMK_IOR_WRITE);
            b->engine.direct = true;
            if (is_who(b, 0)) {
                b->engine.fault = (struct fault){MOVE, EACH, false, SHORT};
            }
            go_all(b, (enum tmk_ior_access)access);
            assert_sane(b);
            assert_true(b->engine.called[MOVE] <= EACH);
            assert_int_equal(b->result.failed, 1);
            assert_int_equal(
                b->result.failed_by[access == TMK_IOR_WRITE ? ENOSPC : ENODATA],
                1);
            end(b);
        }
    }
}

static void who_has_no_buffers_moves_nothing(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        uint64_t idle;

        if (!ways[i].queues) {
            continue;
        }
        begin(b, &ways[i], NULL);
        if (is_who(b, LAST)) {
            b->engine.fault = (struct fault){BUFFERS, 1, false, -ENOMEM};
        }
        go_all(b, TMK_IOR_WRITE);
        idle = is_together(b) ? planned(b) : EACH;
        assert_counts(b, 1, 1);
        assert_int_equal(b->result.missed, idle);
        assert_int_equal(b->result.operations, planned(b) - idle);
        assert_int_equal(b->engine.called[CLOSE], 1);
        end(b);
    }
}

static void a_transfer_that_cannot_be_begun_has_failed(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int on = 0; on < 2; on++) {
            if (!ways[i].queues || ways[i].ask == ask_together) {
                continue;
            }
            begin(b, &ways[i], NULL);
            if (is_who(b, LAST)) {
                b->engine.fault = (struct fault){SUBMIT, 10, on != 0, -EACCES};
            }
            go_all(b, TMK_IOR_READ);
            b->plan.checks_read = false;
            go_all(b, TMK_IOR_READ);
            assert_counts(b, on != 0 ? EACH - 9 : 1, 0);
            assert_int_equal(b->result.missed, 0);
            end(b);
        }
    }
}

/* What was under way is lost, what was not is not begun. */
static void a_broken_queue_ends_the_part_of_a_rank(void **state)
{
    static const uint64_t nth[] = {1, 20, EACH - 1, EACH};
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (size_t k = 0; k < COUNT(nth); k++) {
            uint64_t left = EACH - (nth[k] - 1);
            uint64_t lost = left < DEPTH ? left : DEPTH;

            if (!ways[i].queues || ways[i].ask == ask_together) {
                continue;
            }
            begin(b, &ways[i], NULL);
            b->plan.checks_read = false;
            if (is_who(b, LAST)) {
                b->engine.fault = (struct fault){REAP, nth[k], false, -EBADF};
            }
            go_all(b, TMK_IOR_READ);
            assert_counts(b, lost, 0);
            assert_int_equal(b->result.failed_by[EBADF], lost);
            assert_int_equal(b->result.operations,
                             planned(b) - EACH + nth[k] - 1);
            assert_int_equal(b->result.missed, left - lost);
            if (is_who(b, LAST)) {
                memset(b->engine.under_way, 0, sizeof(b->engine.under_way));
            }
            end(b);
        }
    }
}

static void ask_two(struct tmk_ior_conf *c)
{
    c->segments = 1;
    c->block_bytes = UINT64_C(2) * TRANSFER;
    c->transfer_bytes = TRANSFER;
}

/* Fewer transfers than may be under way, or none. */
static void a_queue_need_not_be_full(void **state)
{
    static const struct way way = {"queued", true, NULL};
    struct bench *b = *state;

    begin(b, &way, ask_two);
    go_all(b, TMK_IOR_WRITE);
    assert_counts(b, 0, 0);
    assert_int_equal(b->engine.called[MOVE], 2);
    b->plan.per_rank = 0;
    go_all(b, TMK_IOR_WRITE);
    assert_sane(b);
    assert_int_equal(b->result.operations, 0);
    assert_int_equal(b->engine.called[MOVE], 0);
    end(b);
}

/* The latency of a transfer is from its beginning to its end, however many
 * are under way: the mean is about as many times the gap between two ends. */
static void a_queued_transfer_has_a_latency_of_its_own(void **state)
{
    struct bench *b = *state;
    double gap_ns;

    for (size_t i = 0; i < COUNT(ways); i++) {
        if (!ways[i].queues || ways[i].ask == ask_together || b->job.size > 1) {
            continue;
        }
        begin(b, &ways[i], NULL);
        b->engine.nap_us[MOVE] = 500;
        go_all(b, TMK_IOR_WRITE);
        assert_counts(b, 0, 0);
        gap_ns = (double)b->phase.transfer_ns / EACH;
        assert_true(b->result.mean_op_ns > 2.0 * gap_ns);
        assert_true(b->result.mean_op_ns < (DEPTH + 0.5) * gap_ns);
        end(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_queued_transfer_that_comes_short_is_gone_on_with),
        cmocka_unit_test(a_direct_transfer_that_comes_short_has_failed),
        cmocka_unit_test(who_has_no_buffers_moves_nothing),
        cmocka_unit_test(a_transfer_that_cannot_be_begun_has_failed),
        cmocka_unit_test(a_broken_queue_ends_the_part_of_a_rank),
        cmocka_unit_test(a_queue_need_not_be_full),
        cmocka_unit_test(a_queued_transfer_has_a_latency_of_its_own),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
