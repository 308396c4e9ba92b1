/*
 * What phases of ior say of transfers, files and failures is what was done, and
 * nobody hangs where one rank fails.
 */
#include "mpi/ior_ways.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where and how much.
 */

static int compare(const void *a, const void *b)
{
    const struct move *x = a;
    const struct move *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Each transfer of the plan once, and in order where there is one. */
static void assert_moves(struct bench *b, bool writing, bool in_order)
{
    struct tmk_ior_cursor cursor;
    struct move *moves = b->engine.moves;
    struct move want[EACH];

    assert_int_equal(b->engine.n_moves, EACH);
    tmk_ior_cursor_init(&cursor, &b->run.offsets);
    for (size_t i = 0; i < EACH; i++) {
        want[i] =
            (struct move){tmk_ior_cursor_next(&cursor), TRANSFER, writing};
    }
    if (!in_order) {
        qsort(moves, EACH, sizeof(*moves), compare);
        qsort(want, EACH, sizeof(*want), compare);
    }
    for (size_t i = 0; i < EACH; i++) {
        assert_int_equal(moves[i].offset, want[i].offset);
        assert_int_equal(moves[i].bytes, TRANSFER);
        assert_int_equal(moves[i].writing, writing);
    }
}

static void every_transfer_of_the_plan_is_made_once(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        assert_int_equal(b->plan.per_rank, EACH);
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            const bool writing = access == TMK_IOR_WRITE;
            const uint64_t *called = b->engine.called;

            go_all(b, (enum tmk_ior_access)access);
            assert_moves(b, writing, !ways[i].queues || is_together(b));
            assert_counts(b, 0, 0);
            assert_int_equal(b->result.operations, planned(b));
            assert_int_equal(b->phase.transfers, planned(b));
            assert_int_equal(b->phase.moved_bytes, b->plan.total_bytes);
            assert_int_equal(b->phase.pairs_accessed, EACH);
            assert_int_equal(b->result.missed, 0);
            assert_int_equal(called[OPEN], 1);
            assert_int_equal(called[EXPECT], 1);
            assert_int_equal(
                called[FSYNC],
                writing ? b->conf.fsync + b->conf.fsync_per_write * EACH : 0);
            assert_int_equal(b->result.wall.on, b->conf.deadline_ns != 0);
        }
        end(b);
    }
}

/* Without checks, too, where reading has nothing beside it. */
static void what_is_read_need_not_be_checked(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->plan.checks_read = false;
        go_all(b, TMK_IOR_READ);
        assert_moves(b, false, !ways[i].queues || is_together(b));
        assert_counts(b, 0, 0);
        assert_int_equal(b->result.operations, planned(b));
        end(b);
    }
}

/* What was written is there, at its place, and wrong data is found. */
static void wrong_data_is_counted(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        go_all(b, TMK_IOR_WRITE);
        if (is_who(b, LAST)) {
            b->engine.content[b->engine.moves[20].offset + 9] ^= 1;
            b->engine.content[b->engine.moves[47].offset] ^= 1;
        }
        go_all(b, TMK_IOR_READ);
        assert_counts(b, 2, 0);
        assert_int_equal(b->result.wrong, 2);
        assert_int_equal(b->result.failed_by[EBADMSG], 2);
        if (b->job.rank == 0) {
            assert_int_equal(b->result.failures[0].rank, b->job.size - 1);
            assert_non_null(
                strstr(b->result.failures[0].detail, "1 word differs"));
        }
        end(b);
    }
}

/* -q: whoever finds some stops, and all do where calls are made together. */
static void wrong_data_may_be_the_end(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->conf.quit_on_error = 1;
        go_all(b, TMK_IOR_WRITE);
        if (is_who(b, LAST)) {
            memset(b->engine.content, 0x55, b->engine.file_bytes);
        }
        go_all(b, TMK_IOR_READ);
        assert_sane(b);
        assert_true(b->result.wrong >= 1);
        assert_int_equal(b->result.wrong, b->result.failed);
        assert_int_equal(b->result.operations + b->result.failed +
                             b->result.missed,
                         planned(b));
        if (!is_together(b)) {
            assert_true(b->result.wrong <= DEPTH);
            assert_int_equal(b->result.missed, EACH - b->result.wrong);
        } else {
            assert_int_equal(b->result.wrong, 1);
            assert_int_equal(b->result.missed,
                             (EACH - 1) * (uint64_t)b->job.size);
        }
        end(b);
    }
}

/*
 * Failures.
 */

static void a_transfer_that_fails_on_one_rank_is_counted(void **state)
{
    static const uint64_t nth[] = {1, 2, 17, EACH};
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (size_t k = 0; k < 2 * COUNT(nth); k++) {
            const int who = k % 2 == 0 ? 0 : LAST;
            const enum tmk_ior_access access =
                k < COUNT(nth) ? TMK_IOR_WRITE : TMK_IOR_READ;

            begin(b, &ways[i], NULL);
            go_all(b, TMK_IOR_WRITE);
            if (is_who(b, who)) {
                b->engine.fault =
                    (struct fault){MOVE, nth[k % COUNT(nth)], false, -EACCES};
            }
            go_all(b, access);
            assert_counts(b, 1, 0);
            assert_int_equal(b->result.missed, 0);
            assert_int_equal(b->result.failed_by[EACCES], 1);
            if (b->job.rank == 0) {
                const struct tmk_failure *f = &b->result.failures[0];
                int rank = who == LAST ? b->job.size - 1 : who;
                char path[32];

                (void)snprintf(path, sizeof(path), "made.%d", rank);
                assert_int_equal(b->result.n_failures, 1);
                assert_int_equal(f->rank, rank);
                assert_string_equal(f->path, path);
                assert_memory_equal(f->detail, "transfer at offset ", 19);
            }
            end(b);
        }
    }
}

/* Errors that are the same for everybody stop those who write. */
static void a_full_file_system_stops_all_who_write(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->engine.nap_us[MOVE] = 300;
        if (is_who(b, LAST)) {
            b->engine.fault = (struct fault){MOVE, 2, true, -ENOSPC};
        }
        go_all(b, TMK_IOR_WRITE);
        assert_sane(b);
        assert_true(b->result.full);
        assert_true(b->result.failed >= 1);
        assert_int_equal(b->result.failed, b->result.failed_by[ENOSPC]);
        assert_int_equal(b->result.operations + b->result.failed +
                             b->result.missed,
                         planned(b));
        if (!is_together(b)) {
            assert_true(b->result.failed <= DEPTH);
            assert_true(b->result.missed >= EACH - 1 - DEPTH);
        }
        end(b);
    }
}

static void who_has_too_many_errors_stops(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->conf.max_errors = 4;
        if (is_who(b, LAST)) {
            b->engine.fault = (struct fault){MOVE, 3, true, -EACCES};
        }
        go_all(b, TMK_IOR_WRITE);
        assert_sane(b);
        assert_int_equal(b->result.operations + b->result.failed +
                             b->result.missed,
                         planned(b));
        if (!is_together(b)) {
            assert_true(b->result.failed >= 4 && b->result.failed < 4 + DEPTH);
            assert_int_equal(b->result.missed, EACH - 2 - b->result.failed);
        } else {
            assert_int_equal(b->result.failed, 4);
            assert_int_equal(b->result.missed,
                             (EACH - 6) * (uint64_t)b->job.size);
        }
        assert_false(b->result.full);
        end(b);
    }
}

/* Half of it: writing is told to lack space, reading data. */
static void a_transfer_that_comes_short_has_failed(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            const bool writing = access == TMK_IOR_WRITE;

            begin(b, &ways[i], NULL);
            b->conf.single_attempt = 1;
            go_all(b, TMK_IOR_WRITE);
            if (is_who(b, 0)) {
                b->engine.fault = (struct fault){MOVE, EACH, false, SHORT};
            }
            go_all(b, (enum tmk_ior_access)access);
            assert_sane(b);
            assert_int_equal(b->result.failed, 1);
            assert_int_equal(b->result.failed_by[writing ? ENOSPC : ENODATA],
                             1);
            assert_int_equal(b->result.full, writing);
            if (b->job.rank == 0) {
                assert_non_null(strstr(b->result.failures[0].detail,
                                       " ended after 20 of 40 bytes"));
            }
            end(b);
        }
    }
}

/*
 * Files.
 */

static void who_cannot_open_moves_nothing(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            const int who = b->job.size > 1 ? 1 : 0;
            uint64_t idle;

            begin(b, &ways[i], NULL);
            go_all(b, TMK_IOR_WRITE);
            if (is_who(b, who)) {
                b->engine.fault = (struct fault){OPEN, 1, false, -EACCES};
            }
            go_all(b, (enum tmk_ior_access)access);
            idle = is_together(b) ? planned(b) : EACH;
            assert_counts(b, 1, 1);
            assert_int_equal(b->result.failed_by[EACCES], 1);
            assert_int_equal(b->result.missed, idle);
            assert_int_equal(b->result.operations, planned(b) - idle);
            assert_int_equal(sum_of_all(b->engine.called[MOVE]),
                             planned(b) - idle);
            assert_int_equal(b->engine.called[CLOSE], !is_who(b, who));
            if (b->job.rank == 0) {
                assert_int_equal(b->result.failures[0].rank, who);
                assert_string_equal(b->result.failures[0].detail,
                                    access == TMK_IOR_WRITE ? "create"
                                                            : "open");
            }
            end(b);
        }
    }
}

static void where_nobody_can_open_nothing_is_moved(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->engine.fault = (struct fault){OPEN, 1, false, -ENOENT};
        go_all(b, TMK_IOR_READ);
        assert_counts(b, (uint64_t)b->job.size, (uint64_t)b->job.size);
        assert_int_equal(b->result.missed, planned(b));
        assert_int_equal(b->phase.transfer_ns, 0);
        assert_int_equal(b->phase.close_ns, 0);
        assert_int_equal(b->phase.best_mean_ns, 0);
        assert_int_equal(b->engine.called[MOVE], 0);
        end(b);
    }
}

static void what_an_engine_refuses_is_not_opened(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->engine.fault = (struct fault){EXPECT, 1, false, -ENOTSUP};
        go_all(b, TMK_IOR_WRITE);
        assert_counts(b, (uint64_t)b->job.size, (uint64_t)b->job.size);
        assert_int_equal(b->result.missed, planned(b));
        assert_int_equal(b->engine.called[OPEN], 0);
        assert_int_equal(b->engine.called[CLOSE], 0);
        end(b);
    }
}

/* Other calls beside transfers: all of these are made. */
static void other_calls_that_fail_are_counted(void **state)
{
    static const struct {
        enum call call;
        const char *detail;
    } rows[] = {{CLOSE, "close"}, {FSYNC, "fsync"}};
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (size_t k = 0; k < COUNT(rows); k++) {
            begin(b, &ways[i], NULL);
            if (rows[k].call == FSYNC && b->conf.fsync == 0) {
                end(b);
                continue;
            }
            if (is_who(b, LAST)) {
                b->engine.fault =
                    (struct fault){rows[k].call, 1, false, -EACCES};
            }
            go_all(b, TMK_IOR_WRITE);
            assert_counts(b, 1, 1);
            assert_int_equal(b->result.operations, planned(b));
            if (b->job.rank == 0) {
                assert_string_equal(b->result.failures[0].detail,
                                    rows[k].detail);
            }
            end(b);
        }
    }
}

/* -Y: it is a part of the transfer. */
static void a_transfer_whose_sync_fails_has_failed(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], ask_syncs);
        if (is_who(b, LAST)) {
            b->engine.fault = (struct fault){FSYNC, 5, false, -EPERM};
        }
        go_all(b, TMK_IOR_WRITE);
        assert_counts(b, 1, 0);
        assert_int_equal(b->result.failed_by[EPERM], 1);
        if (b->job.rank == 0) {
            assert_memory_equal(b->result.failures[0].detail,
                                "fsync after the transfer at offset ", 35);
        }
        end(b);
    }
}

/*
 * Reads and writes in one phase.
 */

static const struct tmk_result_side *side(const struct bench *b, int way)
{
    return &b->phase.sides[way];
}

static void reads_and_writes_are_counted_apart(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        for (int percent = 0; percent <= 100; percent += 25) {
            uint64_t reads = 0;

            begin(b, &ways[i], NULL);
            b->conf.rwmix = percent;
            b->plan.mixes = true;
            b->run.mix = tmk_ior_mix_new();
            assert_non_null(b->run.mix);
            go_all(b, TMK_IOR_MIX);
            for (size_t k = 0; k < b->engine.n_moves; k++) {
                reads += !b->engine.moves[k].writing;
            }
            assert_int_equal(b->engine.n_moves, EACH);
            assert_int_equal(reads, EACH * percent / 100);
            assert_sane(b);
            assert_int_equal(side(b, TMK_IOR_READ)->operations,
                             sum_of_all(reads));
            assert_int_equal(side(b, TMK_IOR_WRITE)->operations,
                             planned(b) - sum_of_all(reads));
            assert_int_equal(b->result.operations, planned(b));
            assert_int_equal(b->result.bytes, b->plan.total_bytes);
            for (int k = 0; k < 2; k++) {
                const struct tmk_result_latency *l = side(b, k)->latency;

                assert_int_equal(side(b, k)->bytes,
                                 side(b, k)->operations * TRANSFER);
                assert_int_equal(l->operations, side(b, k)->operations);
                assert_int_equal(tmk_hist_total(&l->hist), l->operations);
                assert_true(l->operations == 0 ||
                            (l->max.time_ns >= l->min_ns &&
                             l->max.time_ns <= b->result.max_op_ns &&
                             b->phase.side_mean_ns[k] <= l->max.time_ns));
            }
            assert_int_equal(b->phase.read_bytes, side(b, TMK_IOR_READ)->bytes);
            assert_int_equal(b->phase.moved_bytes, b->plan.total_bytes);
            assert_int_equal(b->phase.transfers, planned(b));
            assert_int_equal(b->result.missed, 0);
            end(b);
        }
    }
}

/* A read that takes long is no time that writes put aside. */
static void reads_are_not_taken_for_filling(void **state)
{
    static const struct way way = {"mixed", false, NULL};
    struct bench *b = *state;

    begin(b, &way, NULL);
    b->conf.rwmix = 50;
    b->plan.mixes = true;
    b->engine.nap_us[MOVE] = 2000;
    b->run.mix = tmk_ior_mix_new();
    assert_non_null(b->run.mix);
    go_all(b, TMK_IOR_MIX);
    assert_sane(b);
    assert_true(b->result.aside_share < 0.4);
    end(b);
}

/* Errors of reads stop a rank, with or without a stonewall. */
static void too_many_reads_that_fail_stop_a_rank(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], NULL);
        b->conf.rwmix = 100;
        b->conf.max_errors = 3;
        b->plan.mixes = true;
        b->engine.fault = (struct fault){MOVE, 1, true, -EACCES};
        b->run.mix = tmk_ior_mix_new();
        assert_non_null(b->run.mix);
        go_all(b, TMK_IOR_MIX);
        assert_int_equal(b->result.operations, 0);
        assert_int_equal(b->result.failed + b->result.missed, planned(b));
        assert_int_equal(side(b, TMK_IOR_READ)->operations, 0);
        assert_int_equal(side(b, TMK_IOR_READ)->latency->operations,
                         b->result.failed);
        if (!is_together(b)) {
            assert_true(b->result.failed < (3 + DEPTH) * (uint64_t)b->job.size);
        }
        end(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_transfer_of_the_plan_is_made_once),
        cmocka_unit_test(what_is_read_need_not_be_checked),
        cmocka_unit_test(wrong_data_is_counted),
        cmocka_unit_test(wrong_data_may_be_the_end),
        cmocka_unit_test(a_transfer_that_fails_on_one_rank_is_counted),
        cmocka_unit_test(a_full_file_system_stops_all_who_write),
        cmocka_unit_test(who_has_too_many_errors_stops),
        cmocka_unit_test(a_transfer_that_comes_short_has_failed),
        cmocka_unit_test(who_cannot_open_moves_nothing),
        cmocka_unit_test(where_nobody_can_open_nothing_is_moved),
        cmocka_unit_test(what_an_engine_refuses_is_not_opened),
        cmocka_unit_test(other_calls_that_fail_are_counted),
        cmocka_unit_test(a_transfer_whose_sync_fails_has_failed),
        cmocka_unit_test(reads_and_writes_are_counted_apart),
        cmocka_unit_test(reads_are_not_taken_for_filling),
        cmocka_unit_test(too_many_reads_that_fail_stop_a_rank),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
