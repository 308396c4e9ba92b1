#include "mpi/ranks.h"

#include <sched.h>
#include <stdbool.h>

#include "run/clock.h"
#include "run/stop.h"
#include "run/wait.h"

enum { PATIENCE_S = 20, ROUNDS = 1000 };

static const struct tmk_wait everyone = {MPI_COMM_WORLD, true};

/* A new round, as a phase begins it. */
static void begin_all(struct tmk_stop *stop)
{
    tmk_stop_begin(stop);
    tmk_wait_barrier_all(&everyone);
}

/* Poll until a reason is known. */
static int learn(struct tmk_stop *stop)
{
    uint64_t end = tmk_clock_ns() + PATIENCE_S * UINT64_C(1000000000);
    int reason;

    do {
        reason = tmk_stop_poll(stop);
        sched_yield();
    } while (reason == TMK_STOP_NONE && tmk_clock_ns() < end);
    return reason;
}

static void poll_idle(void *stop)
{
    (void)tmk_stop_poll(stop);
}

/* Meet at the end of a round, with messages answered meanwhile. */
static void meet_all(struct tmk_stop *stop)
{
    tmk_wait_barrier_poll_all(&everyone, poll_idle, stop);
}

/* Every message that was sent was received: nothing is under way. */
static void check_drained(const struct tmk_stop *stop)
{
    uint64_t sent[3] = {stop->up_sent, stop->down_sent[0], stop->down_sent[1]};
    uint64_t got[2] = {stop->up_received, stop->down_received};
    uint64_t all_sent[3];
    uint64_t all_got[2];

    MPI_Allreduce(sent, all_sent, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(got, all_got, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(all_sent[0], all_got[0]);
    assert_int_equal(all_sent[1] + all_sent[2], all_got[1]);
    assert_true(stop->comm == MPI_COMM_NULL);
    for (int i = 0; i < 3 * TMK_STOP_REASONS; i++) {
        assert_true(stop->sends[i / 3][i % 3] == MPI_REQUEST_NULL);
    }
    assert_true(stop->receive == MPI_REQUEST_NULL);
}

static void fini_all(struct tmk_stop *stop)
{
    tmk_stop_fini_all(stop);
    check_drained(stop);
}

static void nobody_stops_without_a_reason(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int round = 0; round < 3; round++) {
        begin_all(&stop);
        for (int i = 0; i < 100; i++) {
            assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_NONE);
        }
        meet_all(&stop);
        assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_NONE);
    }
    fini_all(&stop);
}

static void all_learn_of_any_ranks_reason(void **state)
{
    static const enum tmk_stop_reason reasons[] = {TMK_STOP_FULL,
                                                   TMK_STOP_SIGNAL};
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int r = 0; r < 2; r++) {
        for (int who = 0; who < ranks_size(); who++) {
            begin_all(&stop);
            assert_int_equal(tmk_stop_poll(&stop) == TMK_STOP_NONE ||
                                 tmk_stop_poll(&stop) == (int)reasons[r],
                             true);
            if (ranks_rank() == who) {
                tmk_stop_raise(&stop, reasons[r]);
                assert_int_equal(tmk_stop_poll(&stop), reasons[r]);
            }
            assert_int_equal(learn(&stop), reasons[r]);
            meet_all(&stop);
        }
    }
    fini_all(&stop);
}

static void one_may_raise_twice(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    begin_all(&stop);
    if (ranks_rank() == ranks_size() - 1) {
        for (int i = 0; i < 10; i++) {
            tmk_stop_raise(&stop, TMK_STOP_FULL);
        }
        assert_true(stop.up_sent <= 1);
    }
    assert_int_equal(learn(&stop), TMK_STOP_FULL);
    meet_all(&stop);
    fini_all(&stop);
}

static void a_greater_reason_is_kept_by_its_rank(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    begin_all(&stop);
    tmk_stop_raise(&stop, TMK_STOP_SIGNAL);
    tmk_stop_raise(&stop, TMK_STOP_FULL);
    assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_SIGNAL);
    meet_all(&stop);
    assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_SIGNAL);
    begin_all(&stop);
    tmk_stop_raise(&stop, TMK_STOP_FULL);
    tmk_stop_raise(&stop, TMK_STOP_SIGNAL);
    assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_SIGNAL);
    meet_all(&stop);
    fini_all(&stop);
}

/* Poll until this reason is known. */
static void learn_this(struct tmk_stop *stop, int reason)
{
    uint64_t end = tmk_clock_ns() + PATIENCE_S * UINT64_C(1000000000);

    while (tmk_stop_poll(stop) != reason && tmk_clock_ns() < end) {
        sched_yield();
    }
    assert_int_equal(tmk_stop_poll(stop), reason);
}

/* In a round of several phases: it is full for one of them, and interrupted. */
static void a_greater_reason_is_heard_after_a_smaller_one(void **state)
{
    struct tmk_stop stop;
    int p = ranks_size();

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * p * p; i++) {
        begin_all(&stop);
        if (ranks_rank() == i % p) {
            tmk_stop_raise(&stop, TMK_STOP_FULL);
        }
        if (i < p * p) {
            learn_this(&stop, TMK_STOP_FULL);
            meet_all(&stop);
        } /* else both are under way at once */
        if (ranks_rank() == i / p % p) {
            tmk_stop_raise(&stop, TMK_STOP_SIGNAL);
        }
        learn_this(&stop, TMK_STOP_SIGNAL);
        meet_all(&stop);
        assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_SIGNAL);
    }
    fini_all(&stop);
}

/* All of them, every second, with different reasons. */
static void several_may_raise_at_once(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int round = 0; round < 200; round++) {
        begin_all(&stop);
        if (round % 2 == 0 || ranks_rank() % 2 == 0) {
            tmk_stop_raise(&stop, ranks_rank() % 2 == 0 ? TMK_STOP_FULL
                                                        : TMK_STOP_SIGNAL);
        }
        assert_int_not_equal(learn(&stop), TMK_STOP_NONE);
        meet_all(&stop);
    }
    fini_all(&stop);
}

/* The raiser is told of no more than it said, and says it once. */
static void a_reason_costs_a_message_to_each_rank_at_most(void **state)
{
    struct tmk_stop stop;
    uint64_t sent;
    uint64_t all;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    begin_all(&stop);
    tmk_stop_raise(&stop, TMK_STOP_FULL);
    (void)learn(&stop);
    meet_all(&stop);
    tmk_stop_fini_all(&stop);
    check_drained(&stop);
    sent = stop.up_sent + stop.down_sent[0] + stop.down_sent[1];
    MPI_Allreduce(&sent, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_true(all <= 2 * ((uint64_t)ranks_size() - 1));
}

static void a_new_round_begins_without_a_reason(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    begin_all(&stop);
    if (ranks_rank() == 0) {
        tmk_stop_raise(&stop, TMK_STOP_FULL);
    }
    assert_int_equal(learn(&stop), TMK_STOP_FULL);
    meet_all(&stop);
    begin_all(&stop);
    assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_NONE);
    meet_all(&stop);
    fini_all(&stop);
}

/*
 * Nobody polls in the round in which all raise: the messages come in during
 * the next one.
 */
static void messages_of_an_earlier_round_are_ignored(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int round = 0; round < 50; round++) {
        begin_all(&stop);
        tmk_stop_raise(&stop, TMK_STOP_SIGNAL);
        tmk_wait_barrier_all(&everyone);
        begin_all(&stop);
        for (int i = 0; i < 20; i++) {
            assert_int_equal(tmk_stop_poll(&stop), TMK_STOP_NONE);
        }
        tmk_wait_barrier_all(&everyone);
    }
    fini_all(&stop);
}

/* Behind stale messages there may be a true one. */
static void a_reason_is_learnt_behind_stale_messages(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int round = 0; round < 20; round++) {
        begin_all(&stop);
        tmk_stop_raise(&stop, TMK_STOP_SIGNAL);
        tmk_wait_barrier_all(&everyone);
    }
    begin_all(&stop);
    if (ranks_rank() == ranks_size() - 1) {
        tmk_stop_raise(&stop, TMK_STOP_FULL);
    }
    assert_int_equal(learn(&stop), TMK_STOP_FULL);
    meet_all(&stop);
    fini_all(&stop);
}

/* Nobody received anything: all of it comes in at the end. */
static void the_end_receives_what_is_still_under_way(void **state)
{
    (void)state;
    for (int times = 0; times < 8; times++) {
        struct tmk_stop stop;

        tmk_stop_init(&stop, MPI_COMM_WORLD);
        for (int round = 0; round < times; round++) {
            begin_all(&stop);
            tmk_stop_raise(&stop, TMK_STOP_FULL);
        }
        fini_all(&stop);
    }
}

static void an_end_without_a_round_is_fine(void **state)
{
    struct tmk_stop stop;

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    fini_all(&stop);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Some poll, some do not, some raise early, late or not at all. */
static void a_thousand_rounds_of_random_raisers_leave_nothing(void **state)
{
    struct tmk_stop stop;
    uint32_t common = 42; /* the same on all ranks */
    uint32_t own = 17u + (uint32_t)ranks_rank();

    (void)state;
    tmk_stop_init(&stop, MPI_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        bool must = next_random(&common) % 2 == 0;
        int who = (int)(next_random(&common) % (uint32_t)ranks_size());

        begin_all(&stop);
        for (uint32_t i = next_random(&own) % 4; i > 0; i--) {
            (void)tmk_stop_poll(&stop);
        }
        if ((must && ranks_rank() == who) || next_random(&own) % 8 == 0) {
            tmk_stop_raise(&stop, next_random(&own) % 2 == 0 ? TMK_STOP_FULL
                                                             : TMK_STOP_SIGNAL);
        }
        if (must) {
            assert_int_not_equal(learn(&stop), TMK_STOP_NONE);
            meet_all(&stop); /* who knows must still pass it on */
        } else if (next_random(&common) % 2 == 0) {
            meet_all(&stop);
        }
    }
    assert_int_equal(stop.round, ROUNDS);
    fini_all(&stop);
}

/* Two of them, as a job and its sub job have. */
static void two_stops_do_not_hear_each_other(void **state)
{
    struct tmk_stop a;
    struct tmk_stop b;
    MPI_Comm other;

    (void)state;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    tmk_stop_init(&a, MPI_COMM_WORLD);
    tmk_stop_init(&b, other);
    tmk_stop_begin(&b);
    begin_all(&a);
    tmk_stop_raise(&a, TMK_STOP_FULL);
    meet_all(&a);
    assert_int_equal(tmk_stop_poll(&b), TMK_STOP_NONE);
    fini_all(&b);
    fini_all(&a);
    MPI_Comm_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_stops_without_a_reason),
        cmocka_unit_test(all_learn_of_any_ranks_reason),
        cmocka_unit_test(one_may_raise_twice),
        cmocka_unit_test(a_greater_reason_is_kept_by_its_rank),
        cmocka_unit_test(a_greater_reason_is_heard_after_a_smaller_one),
        cmocka_unit_test(several_may_raise_at_once),
        cmocka_unit_test(a_reason_costs_a_message_to_each_rank_at_most),
        cmocka_unit_test(a_new_round_begins_without_a_reason),
        cmocka_unit_test(messages_of_an_earlier_round_are_ignored),
        cmocka_unit_test(a_reason_is_learnt_behind_stale_messages),
        cmocka_unit_test(the_end_receives_what_is_still_under_way),
        cmocka_unit_test(an_end_without_a_round_is_fine),
        cmocka_unit_test(a_thousand_rounds_of_random_raisers_leave_nothing),
        cmocka_unit_test(two_stops_do_not_hear_each_other),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
