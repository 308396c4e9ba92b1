#include "mpi/ranks.h"

#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "run/clock.h"
#include "run/totals.h"

enum { PATIENCE_S = 30 };

#define S UINT64_C(1000000000)

static struct tmk_wait everyone(void)
{
    return (struct tmk_wait){.comm = MPI_COMM_WORLD, .yields = true};
}

static void begin_all(struct tmk_totals *t, uint64_t round)
{
    const struct tmk_wait wait = everyone();

    tmk_totals_begin(t, round);
    tmk_wait_barrier_all(&wait);
}

/* As phases do, until rank 0 knows of so many operations and ranks. */
static void work_until_known_all(struct tmk_totals *t, uint64_t done,
                                 uint64_t failed, uint64_t ranks)
{
    uint64_t end = tmk_clock_ns() + PATIENCE_S * S;
    MPI_Request barrier;
    int all = 0;

    if (t->rank == 0) {
        struct tmk_totals_sums sums;

        do {
            (void)tmk_totals_receive(t);
            sums = tmk_totals_get(t);
            sched_yield();
        } while ((sums.done != done || sums.failed != failed ||
                  sums.ranks != ranks) &&
                 tmk_clock_ns() < end);
        assert_int_equal(sums.done, done);
        assert_int_equal(sums.failed, failed);
        assert_int_equal(sums.ranks, ranks);
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!all) {
        (void)tmk_totals_send(t, true);
        MPI_Test(&barrier, &all, MPI_STATUS_IGNORE);
        sched_yield();
    }
}

static void rank_0_comes_to_know_what_all_have_done(void **state)
{
    const struct tmk_wait wait = everyone();
    const uint64_t p = (uint64_t)ranks_size();
    const uint64_t rank = (uint64_t)ranks_rank();
    struct tmk_totals t;

    (void)state;
    tmk_totals_init_all(&t, &wait, true);
    for (uint64_t round = 1; round < 4; round++) {
        begin_all(&t, round);
        for (uint64_t k = 1; k < 4; k++) {
            tmk_totals_put(&t, k * (rank + 1), k * rank);
            work_until_known_all(&t, k * p * (p + 1) / 2, k * p * (p - 1) / 2,
                                 p);
        }
    }
    tmk_totals_fini_all(&t, &wait);
}

/* What another rank spoils is counted down on this one. */
static void counts_may_go_below_0_on_a_rank(void **state)
{
    const struct tmk_wait wait = everyone();
    const uint64_t p = (uint64_t)ranks_size();
    struct tmk_totals t;

    (void)state;
    tmk_totals_init_all(&t, &wait, true);
    begin_all(&t, 1);
    tmk_totals_put(&t, t.rank == 0 ? 100 : (uint64_t)-3, 0);
    work_until_known_all(&t, 100 - 3 * (p - 1), 0, p);
    tmk_totals_fini_all(&t, &wait);
}

/* A scan: the rounds of a part of the ranks. */
static void ranks_outside_of_a_round_do_not_count(void **state)
{
    const struct tmk_wait wait = everyone();
    const int p = ranks_size();
    struct tmk_totals t;

    (void)state;
    tmk_totals_init_all(&t, &wait, true);
    for (int part = 1; part <= p; part++) {
        if (t.rank < part) {
            tmk_totals_begin(&t, (uint64_t)part);
        }
        tmk_wait_barrier_all(&wait);
        if (t.rank < part) {
            tmk_totals_put(&t, 5, 0);
        }
        work_until_known_all(&t, 5 * (uint64_t)part, 0, (uint64_t)part);
    }
    tmk_totals_fini_all(&t, &wait);
}

static void without_shared_memory_those_who_ask_are_known(void **state)
{
    const struct tmk_wait wait = everyone();
    const int p = ranks_size();
    struct tmk_totals t;

    (void)state;
    tmk_totals_init_all(&t, &wait, false);
    begin_all(&t, 1);
    tmk_totals_put(&t, 10, 0);
    work_until_known_all(&t, 10, 0, 1);
    for (int who = 1; who < p; who++) {
        if (t.rank == who) {
            tmk_totals_ask(&t);
        }
        work_until_known_all(&t, 10 * (uint64_t)(who + 1), 0,
                             (uint64_t)who + 1);
    }
    tmk_totals_put(&t, 30, 0);
    tmk_totals_ask(&t);
    work_until_known_all(&t, 30 * (uint64_t)p, 0, (uint64_t)p);
    tmk_totals_fini_all(&t, &wait);
}

static void a_question_of_any_rank_is_heard_once(void **state)
{
    const struct tmk_wait wait = everyone();

    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        struct tmk_totals t;

        tmk_totals_init_all(&t, &wait, shared != 0);
        begin_all(&t, 1);
        for (int who = 0; who < t.size; who++) {
            uint64_t end = tmk_clock_ns() + PATIENCE_S * S;
            MPI_Request barrier;
            bool asked = false;
            int all = 0;

            if (t.rank == who) {
                tmk_totals_ask(&t);
            }
            while (t.rank == 0 && !asked && tmk_clock_ns() < end) {
                asked = tmk_totals_receive(&t);
                sched_yield();
            }
            assert_int_equal(asked, t.rank == 0);
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
            while (!all) {
                (void)tmk_totals_send(&t, false);
                MPI_Test(&barrier, &all, MPI_STATUS_IGNORE);
                sched_yield();
            }
        }
        if (t.rank == 0) {
            assert_false(tmk_totals_receive(&t));
        }
        tmk_totals_fini_all(&t, &wait);
    }
}

/* A question is one whenever it comes; what it tells is of its own round. */
static void a_late_message_counts_for_no_other_round(void **state)
{
    const struct tmk_wait wait = everyone();
    struct tmk_totals t;

    (void)state;
    tmk_totals_init_all(&t, &wait, false);
    begin_all(&t, 1);
    tmk_totals_put(&t, 10, 0);
    if (t.rank != 0) {
        tmk_totals_ask(&t);
        assert_true(tmk_totals_send(&t, false));
    }
    begin_all(&t, 2);
    tmk_totals_put(&t, 1, 0);
    if (t.rank == 0 && t.size > 1) {
        uint64_t end = tmk_clock_ns() + PATIENCE_S * S;
        bool asked = false;

        while ((!asked || t.came + 1 < (uint64_t)t.size) &&
               tmk_clock_ns() < end) {
            asked = tmk_totals_receive(&t) || asked;
            sched_yield();
        }
        assert_true(asked);
        assert_int_equal(tmk_totals_get(&t).done, 1);
        assert_int_equal(tmk_totals_get(&t).ranks, 1);
    }
    tmk_totals_fini_all(&t, &wait);
}

/* The communicator is as before: nothing waits there for anybody. */
static void no_message_is_left_over(void **state)
{
    const struct tmk_wait wait = everyone();
    int waiting = 1;

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct tmk_totals t;

        tmk_totals_init_all(&t, &wait, i % 2 != 0);
        begin_all(&t, 1);
        for (int k = 0; k < 3; k++) {
            tmk_totals_put(&t, (uint64_t)k, 0);
            tmk_totals_ask(&t);
            (void)tmk_totals_send(&t, true);
        }
        tmk_totals_fini_all(&t, &wait);
        tmk_wait_barrier_all(&wait);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting,
                   MPI_STATUS_IGNORE);
        assert_false(waiting);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_0_comes_to_know_what_all_have_done),
        cmocka_unit_test(counts_may_go_below_0_on_a_rank),
        cmocka_unit_test(ranks_outside_of_a_round_do_not_count),
        cmocka_unit_test(without_shared_memory_those_who_ask_are_known),
        cmocka_unit_test(a_question_of_any_rank_is_heard_once),
        cmocka_unit_test(a_late_message_counts_for_no_other_round),
        cmocka_unit_test(no_message_is_left_over),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
