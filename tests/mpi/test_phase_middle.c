#include "mpi/phases.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

#include "run/phase.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { LATE_MS = 50, WALL_MS = 20 };

#define MS UINT64_C(1000000)
#define S  UINT64_C(1000000000)

static uint64_t max_of_all(uint64_t value)
{
    uint64_t max;

    MPI_Allreduce(&value, &max, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return max;
}

static uint64_t sum_of_all(uint64_t value)
{
    uint64_t sum;

    MPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* The waits in the middle of a phase. */
enum wait { MEET, BCAST, EVEN, WAITS };

static void wait_all(struct fixture *f, enum wait wait)
{
    uint64_t value = f->job.rank == 0 ? 17 : 0;

    switch (wait) {
    case MEET: tmk_phase_meet_all(&f->phase); break;
    case BCAST:
        tmk_phase_bcast_all(&f->phase, &value, (int)sizeof(value));
        assert_int_equal(value, 17);
        break;
    default:
        assert_int_equal(
            tmk_phase_even_all(&f->phase, (uint64_t)f->job.rank + 1),
            f->job.size);
    }
}

/* When the last one came for which this rank has to wait. */
static uint64_t last_came(enum wait wait, uint64_t came)
{
    uint64_t last = came;

    if (wait != BCAST) {
        return max_of_all(came);
    }
    MPI_Bcast(&last, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return last > came ? last : came;
}

/*
 * Waiting.
 */

/* Rank 0 is late. */
static void nobody_goes_on_before_all_have_come(void **state)
{
    struct fixture *f = *state;

    for (int wait = MEET; wait < WAITS; wait++) {
        uint64_t came;
        uint64_t left;

        begin_all(f, (struct tmk_phase_how){0});
        operate(f, 3, 0);
        nap_ms(f->job.rank == 0 ? LATE_MS : 0);
        came = tmk_clock_ns();
        wait_all(f, (enum wait)wait);
        left = tmk_clock_ns();
        operate(f, 2, 0);
        end_all(f);
        assert_true(left >= last_came((enum wait)wait, came));
        assert_int_equal(f->result.operations, 5 * f->job.size);
        assert_false(tmk_phase_over(&f->phase));
    }
}

/* An operation, and how long it took. */
static uint64_t operate_once(struct fixture *f)
{
    uint64_t before = f->phase.last_ns;

    tmk_phase_did(&f->phase, 0);
    return f->phase.last_ns - before;
}

static void waiting_for_others_is_no_part_of_an_operation(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;

    for (int wait = MEET; wait < WAITS; wait++) {
        uint64_t came;
        uint64_t late;
        uint64_t took[3];
        uint64_t longest = 0;
        uint64_t sum = 0;

        begin_all(f, (struct tmk_phase_how){0});
        took[0] = operate_once(f);
        nap_ms(f->job.rank == 0 ? LATE_MS : 0);
        came = tmk_clock_ns();
        wait_all(f, (enum wait)wait);
        late = last_came((enum wait)wait, came) - came;
        assert_true(f->phase.last_ns >= came + late);
        assert_true(f->phase.waited_ns >= late);
        took[1] = operate_once(f);
        took[2] = operate_once(f);
        end_all(f);
        for (size_t i = 0; i < COUNT(took); i++) {
            longest = took[i] > longest ? took[i] : longest;
            sum += took[i];
        }
        assert_int_equal(r->max_op_ns, max_of_all(longest));
        assert_true(fabs(r->mean_op_ns * 3.0 * f->job.size -
                         (double)sum_of_all(sum)) < 1.0);
        assert_true(r->aside_share == 0);
        /* It is time spent on waiting, as that for the end is. */
        assert_true(r->waiting_share * (double)r->time_ns * f->job.size >=
                    0.999 * (double)sum_of_all(late));
        assert_true(r->waiting_share <= 1);
    }
}

/*
 * Rank 0 waits while rank 1 has a reason to stop: it hears of it, or it could
 * not have told rank 1 and all the others, who still work.
 */
static void those_who_wait_hear_of_a_reason_to_stop(void **state)
{
    static const struct {
        enum wait wait;
        enum tmk_stop_reason reason;
    } rows[] = {
        {MEET, TMK_STOP_FULL},
        {EVEN, TMK_STOP_FULL},
        {MEET, TMK_STOP_SIGNAL},
        {EVEN, TMK_STOP_SIGNAL},
    };
    struct fixture *f = *state;
    int who = f->job.size > 1 ? 1 : 0;

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t told = f->job.stop.down_received;

        begin_all(f, (struct tmk_phase_how){.creates = true});
        operate(f, 1, 0);
        if (f->job.rank == who) {
            tmk_stop_raise(&f->job.stop, rows[i].reason);
        }
        if (f->job.rank != 0 || who == 0) {
            operate_until_over(f);
        }
        while (f->job.rank == who && who != 0 &&
               f->job.stop.down_received == told) {
            tmk_phase_poll(&f->phase, tmk_clock_ns(), 0);
        }
        wait_all(f, rows[i].wait);
        assert_true(tmk_phase_over(&f->phase));
        assert_true(f->phase.ended);
        end_all(f);
        assert_int_equal(f->result.full, rows[i].reason == TMK_STOP_FULL);
        assert_int_equal(f->result.failed, 0);
    }
}

/* Rank 0 has the reason; rank 3 hears of it from rank 1, which waits. */
static void those_who_wait_for_rank_0_pass_a_reason_on(void **state)
{
    struct fixture *f = *state;
    bool chain = f->job.size > 3;

    begin_all(f, (struct tmk_phase_how){.creates = true});
    if (f->job.rank == 0) {
        operate(f, 1, -ENOSPC);
    }
    if (f->job.rank == 3) {
        operate_until_over(f);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (f->job.rank == 0 && chain) {
        MPI_Recv(NULL, 0, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    wait_all(f, BCAST);
    if (f->job.rank != 1 || !chain) {
        operate_until_over(f); /* it may be news here */
    }
    assert_true(tmk_phase_over(&f->phase));
    end_all(f);
    assert_true(f->result.full);
}

/* In other phases a full file system is nobody's reason. */
static void those_who_create_nothing_go_on_when_it_is_full(void **state)
{
    struct fixture *f = *state;

    for (int wait = MEET; wait < WAITS; wait++) {
        begin_all(f, (struct tmk_phase_how){.creates = false});
        if (f->job.rank == 0) {
            tmk_stop_raise(&f->job.stop, TMK_STOP_FULL);
        }
        nap_ms(1);
        wait_all(f, (enum wait)wait);
        operate(f, 5, 0);
        end_all(f);
        assert_false(tmk_phase_over(&f->phase));
        assert_false(f->result.full);
        assert_int_equal(f->result.operations, 5 * f->job.size);
    }
}

/* Work that is no operation looks around, too. */
static void whoever_looks_hears_of_a_reason_to_stop(void **state)
{
    struct fixture *f = *state;
    uint64_t end = tmk_clock_ns() + PHASES_PATIENCE_S * S;

    begin_all(f, (struct tmk_phase_how){.creates = true});
    operate(f, f->job.rank == f->job.size - 1 ? 1 : 0, -ENOSPC);
    while (!tmk_phase_over(&f->phase) && tmk_clock_ns() < end) {
        tmk_phase_look(&f->phase);
        sched_yield();
    }
    assert_true(tmk_phase_over(&f->phase));
    end_all(f);
    assert_int_equal(f->result.operations, 0);
    assert_int_equal(f->result.failed, 1);
}

/*
 * The stonewall.
 */

static void time_that_is_up_stops_each_rank(void **state)
{
    struct fixture *f = *state;
    uint64_t begun;

    begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS});
    begun = f->phase.t0_ns;
    operate_until_over(f);
    assert_true(tmk_phase_over(&f->phase));
    assert_false(f->phase.ended);
    assert_true(f->phase.last_ns - begun >= WALL_MS * MS);
    assert_int_equal(tmk_phase_even_all(&f->phase, 1), 1);
    assert_false(tmk_phase_over(&f->phase));
    end_all(f);
    assert_true(f->result.wall.on);
    assert_true(f->result.wall.time_ns >= WALL_MS * MS);
    assert_true(f->result.wall.time_ns <= f->result.time_ns);
    assert_false(f->result.full);
    assert_int_equal(f->result.interrupted, 0);
}

/* What went before, such as opening files, is not of that time. */
static void the_time_may_begin_later_than_the_phase(void **state)
{
    struct fixture *f = *state;

    for (int late = 0; late < 2; late++) { /* on rank 0 */
        const int before_ms = WALL_MS + 5 + (late ? LATE_MS : 0);
        uint64_t begun;

        begin_all(f, (struct tmk_phase_how){0});
        nap_ms(f->job.rank == 0 ? before_ms : WALL_MS + 5);
        operate(f, 3, 0);
        assert_false(tmk_phase_over(&f->phase));
        begun = tmk_clock_ns();
        tmk_phase_wall(&f->phase, WALL_MS * MS);
        assert_false(tmk_phase_over(&f->phase));
        operate_until_over(f);
        assert_true(tmk_phase_over(&f->phase));
        assert_false(f->phase.ended);
        assert_true(f->phase.last_ns - begun >= WALL_MS * MS);
        assert_int_equal(tmk_phase_even_all(&f->phase, 1), 1);
        /* From now on there is no limit. */
        nap_ms(WALL_MS + 5);
        assert_int_equal(operate(f, 5, 0), 5);
        assert_false(tmk_phase_over(&f->phase));
        end_all(f);
        /* It is told since the phase began. */
        assert_true(f->result.wall.on);
        assert_true(f->result.wall.time_ns >=
                    (uint64_t)(before_ms + WALL_MS) * MS);
    }
}

/* However short it is, and however much was done before. */
static void a_later_time_is_looked_at_when_it_is_up(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 1000, 0);
    tmk_phase_wall(&f->phase, MS);
    nap_ms(2);
    assert_int_equal(operate(f, 10, 0), 1);
    (void)tmk_phase_even_all(&f->phase, 1);
    end_all(f);
    assert_int_equal(f->result.operations, 1001 * f->job.size);
}

static void no_time_is_no_stonewall(void **state)
{
    static const uint64_t none[] = {0, UINT64_MAX, UINT64_MAX - 1};
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(none); i++) {
        begin_all(f, (struct tmk_phase_how){0});
        operate(f, 2, 0);
        tmk_phase_wall(&f->phase, none[i]);
        nap_ms(WALL_MS);
        assert_int_equal(operate(f, 5, 0), 5);
        assert_false(tmk_phase_over(&f->phase));
        end_all(f);
        assert_false(f->result.wall.on);
        assert_int_equal(f->result.operations, 7 * f->job.size);
    }
}

/* Only what has to do with time is forgotten. */
static void whoever_is_over_is_not_brought_back_by_it(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.max_errors = 2});
    assert_int_equal(operate(f, 5, -EACCES), 2);
    tmk_phase_wall(&f->phase, WALL_MS * MS);
    assert_true(tmk_phase_over(&f->phase));
    tmk_phase_wall(&f->phase, 0);
    assert_true(tmk_phase_over(&f->phase));
    (void)tmk_phase_even_all(&f->phase, 2);
    assert_true(tmk_phase_over(&f->phase));
    end_all(f);
    assert_int_equal(f->result.failed, 2 * f->job.size);
}

/* The time of the last operation counts, not when the time was up. */
static void the_operation_that_goes_past_the_limit_is_done(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS});
    nap_ms(WALL_MS + 5);
    assert_false(tmk_phase_over(&f->phase));
    assert_int_equal(operate(f, 10, 0), 1);
    (void)tmk_phase_even_all(&f->phase, 1);
    end_all(f);
    assert_int_equal(f->result.operations, f->job.size);
}

/* Each rank came through ten times its number and ten. */
static void all_ranks_go_on_until_they_are_even(void **state)
{
    struct fixture *f = *state;
    uint64_t p = (uint64_t)f->job.size;
    int own = 10 * (f->job.rank + 1);
    uint64_t most;

    begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS});
    operate(f, own, 0); /* or fewer: the time may be up before */
    operate_until_over(f);
    most = tmk_phase_even_all(&f->phase, (uint64_t)own);
    assert_int_equal(most, 10 * p);
    /* From now on there is no limit. */
    nap_ms(WALL_MS + 5);
    f->phase.done = (uint64_t)own;
    assert_int_equal(operate(f, (int)most - own, 0), most - (uint64_t)own);
    assert_false(tmk_phase_over(&f->phase));
    end_all(f);
    assert_int_equal(f->result.operations, 10 * p * p);
    assert_true(f->result.wall.on);
    assert_false(f->result.wall.hit); /* the caller's */
    assert_int_equal(f->result.wall.min, 10);
    assert_int_equal(f->result.wall.max, 10 * p);
    assert_int_equal(f->result.wall.sum, 10 * p * (p + 1) / 2);
}

static void who_is_through_before_the_time_is_up_waits_there(void **state)
{
    struct fixture *f = *state;
    const uint64_t hour_ns = 3600 * S;

    begin_all(f, (struct tmk_phase_how){.stop_after_ns = hour_ns});
    operate(f, 7, 0);
    assert_int_equal(tmk_phase_even_all(&f->phase, 7), 7);
    assert_false(tmk_phase_over(&f->phase));
    end_all(f);
    assert_true(f->result.wall.on);
    assert_int_equal(f->result.wall.min, 7);
    assert_int_equal(f->result.wall.max, 7);
    assert_int_equal(f->result.wall.sum, 7 * f->job.size);
    assert_true(f->result.wall.time_ns < hour_ns);
    /* A phase without one has none. */
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 7, 0);
    end_all(f);
    assert_false(f->result.wall.on);
    assert_int_equal(f->result.wall.max, 0);
    assert_int_equal(f->result.wall.sum, 0);
    assert_int_equal(f->result.wall.time_ns, 0);
}

static void a_rank_may_have_come_through_nothing(void **state)
{
    struct fixture *f = *state;
    int last = f->job.size - 1;
    uint64_t visited = f->job.rank == last ? UINT64_C(1) << 62 : 0;

    begin_all(f, (struct tmk_phase_how){.stop_after_ns = 3600 * S});
    assert_int_equal(tmk_phase_even_all(&f->phase, visited), UINT64_C(1) << 62);
    end_all(f);
    assert_int_equal(f->result.wall.min, last == 0 ? UINT64_C(1) << 62 : 0);
    assert_int_equal(f->result.wall.max, UINT64_C(1) << 62);
    assert_int_equal(f->result.wall.sum, UINT64_C(1) << 62);
}

static void who_gave_up_for_errors_does_not_go_on(void **state)
{
    struct fixture *f = *state;
    bool fails = f->job.rank == f->job.size - 1;

    /* Before the time is up, or in the operation that goes past it. */
    for (int past = 0; past < 2; past++) {
        uint64_t limit = past ? 1 : 2;

        begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS,
                                            .max_errors = limit});
        nap_ms(past ? WALL_MS + 5 : 0);
        for (uint64_t i = 0; i < limit; i++) {
            tmk_phase_did(&f->phase, fails ? -EACCES : 0);
        }
        if (!fails) {
            operate_until_over(f);
        }
        assert_true(tmk_phase_over(&f->phase));
        (void)tmk_phase_even_all(&f->phase, 1);
        assert_int_equal(tmk_phase_over(&f->phase), fails);
        assert_int_equal(operate(f, 5, 0), fails ? 0 : 5);
        end_all(f);
        assert_int_equal(f->result.failed, limit);
        assert_false(f->result.full);
    }
}

static void nobody_goes_on_where_the_file_system_is_full(void **state)
{
    struct fixture *f = *state;

    for (int who = 0; who < f->job.size; who++) {
        begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS,
                                            .creates = true});
        operate(f, 1, f->job.rank == who ? -ENOSPC : 0);
        (void)tmk_phase_even_all(&f->phase, 1);
        if (f->job.rank == who) {
            assert_true(tmk_phase_over(&f->phase));
        }
        /* It may be news after the wait, but it is heard. */
        operate_until_over(f);
        assert_true(tmk_phase_over(&f->phase));
        end_all(f);
        assert_true(f->result.full);
        assert_true(f->result.wall.on);
        assert_int_equal(f->result.failed, 1);
    }
}

/*
 * The last case: this process has noted a signal for good.
 */
static void a_signal_ends_those_who_wait_to_be_even(void **state)
{
    struct fixture *f = *state;
    int who = f->job.size - 1;

    tmk_job_catch_signals();
    begin_all(f, (struct tmk_phase_how){.stop_after_ns = WALL_MS * MS});
    operate_until_over(f);
    assert_false(f->phase.ended);
    if (f->job.rank == who) {
        nap_ms(LATE_MS);
        raise(SIGTERM); /* here nobody looks around any more */
    }
    (void)tmk_phase_even_all(&f->phase, 1);
    operate_until_over(f);
    assert_true(tmk_phase_over(&f->phase));
    assert_true(f->phase.ended);
    end_all(f);
    assert_int_equal(f->result.interrupted, SIGTERM);
    assert_int_equal(f->job.interrupted, SIGTERM);
    assert_false(f->result.full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_goes_on_before_all_have_come),
        cmocka_unit_test(waiting_for_others_is_no_part_of_an_operation),
        cmocka_unit_test(those_who_wait_hear_of_a_reason_to_stop),
        cmocka_unit_test(those_who_wait_for_rank_0_pass_a_reason_on),
        cmocka_unit_test(those_who_create_nothing_go_on_when_it_is_full),
        cmocka_unit_test(whoever_looks_hears_of_a_reason_to_stop),
        cmocka_unit_test(time_that_is_up_stops_each_rank),
        cmocka_unit_test(the_time_may_begin_later_than_the_phase),
        cmocka_unit_test(a_later_time_is_looked_at_when_it_is_up),
        cmocka_unit_test(no_time_is_no_stonewall),
        cmocka_unit_test(whoever_is_over_is_not_brought_back_by_it),
        cmocka_unit_test(the_operation_that_goes_past_the_limit_is_done),
        cmocka_unit_test(all_ranks_go_on_until_they_are_even),
        cmocka_unit_test(who_is_through_before_the_time_is_up_waits_there),
        cmocka_unit_test(a_rank_may_have_come_through_nothing),
        cmocka_unit_test(who_gave_up_for_errors_does_not_go_on),
        cmocka_unit_test(nobody_goes_on_where_the_file_system_is_full),
        cmocka_unit_test(a_signal_ends_those_who_wait_to_be_even),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
