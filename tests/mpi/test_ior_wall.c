/*
 * Times of phases of ior, and phases that time ends.
 */
#include "mpi/ior_ways.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static void times_are_those_of_the_slowest(void **state)
{
    const uint64_t naps[CALLS] = {
        [OPEN] = 6000, [MOVE] = 200, [FSYNC] = 5000, [CLOSE] = 7000};
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        const uint64_t moves_ns = 200 * US * EACH;

        begin(b, &ways[i], NULL);
        if (b->conf.fsync_per_write != 0) {
            end(b);
            continue;
        }
        if (is_who(b, LAST)) {
            memcpy(b->engine.nap_us, naps, sizeof(naps));
        }
        go_all(b, TMK_IOR_WRITE);
        assert_counts(b, 0, 0);
        assert_true(b->phase.open_ns >= 6 * MS);
        assert_true(b->phase.transfer_ns >=
                    moves_ns + (b->conf.fsync != 0 ? 5 * MS : 0));
        assert_true(b->phase.close_ns >= 7 * MS);
        assert_true(b->phase.total_ns >= moves_ns + 13 * MS);
        assert_true(b->result.max_op_ns >= 200 * US);
        if (b->job.size == 1) {
            assert_true(b->result.min_op_ns >= 200 * US);
            assert_true(b->phase.best_mean_ns >= 200 * US);
        }
        end(b);
    }
}

/*
 * The stonewall.
 */

enum { WALL_MS = 20 };

static void ask_wall(struct tmk_ior_conf *c)
{
    c->deadline_ns = WALL_MS * MS;
    c->segments = 1000;
}

static void ask_wall_even(struct tmk_ior_conf *c)
{
    ask_wall(c);
    c->wear_out = 1;
}

/* Rank 0 is three times as slow; opening is not of that time. */
static void begin_wall(struct bench *b, const struct way *way,
                       void (*ask)(struct tmk_ior_conf *conf))
{
    begin(b, way, ask);
    b->conf.wear_out = ask == ask_wall_even;
    b->engine.nap_us[MOVE] = b->job.rank == 0 ? 900 : 300;
    b->engine.nap_us[OPEN] = (WALL_MS + 5) * MS / US;
}

static void time_that_is_up_stops_transfers(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        uint64_t own;
        const struct tmk_phase_wall *w = &b->result.wall;

        begin_wall(b, &ways[i], ask_wall);
        b->plan.checks_read = false;
        go_all(b, TMK_IOR_READ);
        own = b->engine.called[MOVE];
        assert_sane(b);
        assert_int_equal(b->result.failed, 0);
        assert_int_equal(b->result.missed, 0);
        assert_true(w->on && w->hit);
        assert_int_equal(w->sum, sum_of_all(own));
        assert_int_equal(w->max, max_of_all(own));
        assert_int_equal(b->result.operations, w->sum);
        assert_int_equal(b->phase.pairs_accessed, w->max);
        assert_int_equal(b->phase.wall_min_bytes, w->min * TRANSFER);
        assert_int_equal(b->phase.wall_total_bytes, w->sum * TRANSFER);
        assert_true(own >= 1 && own < 16000);
        assert_true(b->phase.transfer_ns >= WALL_MS * MS);
        assert_true(w->time_ns >= (2 * WALL_MS + 5) * MS);
        if (is_together(b)) {
            assert_int_equal(w->min, w->max);
        }
        end(b);
    }
}

static void all_go_on_until_they_have_as_many_transfers(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        const struct tmk_phase_wall *w = &b->result.wall;

        begin_wall(b, &ways[i], ask_wall_even);
        go_all(b, TMK_IOR_WRITE);
        assert_sane(b);
        assert_true(w->on && w->hit);
        assert_int_equal(b->result.failed, 0);
        assert_int_equal(b->result.missed, 0);
        assert_int_equal(b->engine.called[MOVE], w->max);
        assert_int_equal(b->result.operations, w->max * (uint64_t)b->job.size);
        assert_int_equal(b->phase.pairs_accessed, w->max);
        assert_true(w->min <= w->max && w->sum <= b->result.operations);
        end(b);
    }
}

/* One rank has no file, and waits for the others all the same. */
static void whoever_cannot_open_does_not_stop_the_rest(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        uint64_t most;

        begin_wall(b, &ways[i], ask_wall_even);
        if (is_who(b, LAST)) {
            b->engine.fault = (struct fault){OPEN, 1, false, -EACCES};
        }
        go_all(b, TMK_IOR_WRITE);
        assert_sane(b);
        most = max_of_all(b->engine.called[MOVE]);
        assert_int_equal(b->result.failed, 1);
        assert_int_equal(b->result.wall.max, most);
        assert_int_equal(b->result.wall.min, 0);
        assert_int_equal(b->result.operations,
                         most * (uint64_t)(b->job.size - 1));
        assert_int_equal(most != 0, b->job.size > 1 && !is_together(b));
        end(b);
    }
}

static void ask_long(struct tmk_ior_conf *c)
{
    c->min_time_ns = WALL_MS * MS;
}

/* minTimeDuration: again and again, as a whole each time. */
static void a_phase_may_have_to_last(void **state)
{
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(ways); i++) {
        begin(b, &ways[i], ask_long);
        b->engine.nap_us[MOVE] = 50;
        for (int access = TMK_IOR_WRITE; access <= TMK_IOR_READ; access++) {
            uint64_t own;

            go_all(b, (enum tmk_ior_access)access);
            own = b->engine.called[MOVE];
            assert_sane(b);
            assert_true(own >= EACH && own % EACH == 0);
            assert_int_equal(b->result.operations, sum_of_all(own));
            assert_int_equal(b->result.failed, 0);
            assert_int_equal(b->result.missed, 0);
            assert_true(b->phase.transfer_ns >= WALL_MS * MS);
        }
        end(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_the_slowest),
        cmocka_unit_test(time_that_is_up_stops_transfers),
        cmocka_unit_test(all_go_on_until_they_have_as_many_transfers),
        cmocka_unit_test(whoever_cannot_open_does_not_stop_the_rest),
        cmocka_unit_test(a_phase_may_have_to_last),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
