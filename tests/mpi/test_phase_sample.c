#include "mpi/phases.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "run/phase.h"

#define MS UINT64_C(1000000)

static uint64_t sum(const struct tmk_sample_series *series)
{
    uint64_t total = 0;

    for (size_t i = 0; i < TMK_SAMPLE_SLOTS; i++) {
        total += i < series->n ? series->operations[i] : 0;
        assert_true(i < series->n || series->operations[i] == 0);
    }
    return total;
}

/* n operations that end at this time of the phase. */
static void operate_at(struct fixture *f, int n, uint64_t after_ns)
{
    for (int i = 0; i < n; i++) {
        tmk_phase_did_at(&f->phase, 0, f->phase.t0_ns + after_ns);
    }
}

/* Until a time of the phase has come. */
static void wait_until(const struct fixture *f, uint64_t after_ns)
{
    while (tmk_clock_ns() < f->phase.t0_ns + after_ns) {
        nap_ms(1);
    }
}

/* The slot of a time of the phase: slots may have merged on a busy machine. */
static uint64_t slot_at(const struct fixture *f, uint64_t after_ns)
{
    const struct tmk_sample_series *series = &f->result.intervals;

    return series->operations[after_ns / series->width_ns];
}

static void nothing_is_sampled_unless_asked_for(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 10, 0);
    end_all(f);
    assert_int_equal(f->result.intervals.n, 0);
}

static void operations_of_all_ranks_are_in_the_slots_they_ended_in(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;
    const uint64_t p = (uint64_t)f->job.size;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 10 * MS});
    operate_at(f, 1 + f->job.rank, 1 * MS);
    operate_at(f, f->job.rank == f->job.size - 1 ? 7 : 0, 105 * MS);
    operate_at(f, 2, 205 * MS);
    wait_until(f, 210 * MS);
    end_all(f);
    assert_int_equal(sum(series), f->result.operations);
    assert_int_equal(slot_at(f, 1 * MS), p * (p + 1) / 2);
    assert_int_equal(slot_at(f, 105 * MS), 7);
    assert_int_equal(slot_at(f, 205 * MS), 2 * p);
    assert_int_equal(series->n, f->result.time_ns / series->width_ns + 1);
    assert_int_equal(series->width_ns % (10 * MS), 0);
}

/* Shorter than the time between two looks at what others say. */
static void short_slots_are_told_apart(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;
    const uint64_t p = (uint64_t)f->job.size;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 2 * MS});
    for (int i = 0; i < 4; i++) {
        operate_at(f, i + 1, (2 * (uint64_t)i + 1) * MS);
    }
    wait_until(f, 8 * MS);
    end_all(f);
    assert_int_equal(sum(series), 10 * p);
    for (uint64_t i = 0; i < 4 && series->width_ns == 2 * MS; i++) {
        assert_int_equal(series->operations[i], (i + 1) * p);
    }
}

/* A rank that merges more often than others makes slots wide for all. */
static void slots_are_as_wide_as_the_longest_rank_needs_them(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;
    const bool last = f->job.rank == f->job.size - 1;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 100000});
    for (uint64_t i = 0; i < (last ? 60 : 4); i++) {
        operate_at(f, 10, i * MS);
    }
    wait_until(f, last ? 60 * MS : 4 * MS);
    end_all(f);
    assert_true(series->width_ns >= 400000);
    assert_true(series->width_ns % 100000 == 0);
    assert_int_equal(series->n, f->result.time_ns / series->width_ns + 1);
    assert_int_equal(sum(series), f->result.operations);
    assert_int_equal(sum(series), 600 + 40 * (f->job.size - 1));
}

static void a_stall_of_all_ranks_shows_as_slots_of_0(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;
    uint64_t end;
    size_t run = 0;
    size_t longest = 0;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 10 * MS});
    for (int half = 0; half < 2; half++) {
        end = tmk_clock_ns() + 50 * MS;
        while (tmk_clock_ns() < end) {
            sched_yield();
            operate(f, 1, 0);
        }
        if (half == 0) {
            tmk_phase_meet_all(&f->phase);
            nap_ms(200);
        }
    }
    end_all(f);
    assert_int_equal(sum(series), f->result.operations);
    for (size_t i = 0; i < series->n; i++) {
        run = series->operations[i] == 0 ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    assert_true((longest + 1) * series->width_ns >= 190 * MS);
    assert_int_not_equal(series->operations[0], 0);
}

static void failures_are_no_operations(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 1 * MS});
    for (int i = 0; i < 20; i++) {
        operate(f, 3, 0);
        operate(f, 2, -EACCES);
        nap_ms(1);
    }
    end_all(f);
    assert_int_equal(f->result.operations, 60 * f->job.size);
    assert_int_equal(sum(&f->result.intervals), f->result.operations);
}

/* Rank 0 counts them, others find them wrong, in a slot of its own. */
static void what_another_rank_spoils_is_taken_from_the_slots(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 1 * MS});
    operate(f, f->job.rank == 0 ? 100 : 0, 0);
    wait_until(f, 20 * MS);
    if (f->job.rank == f->job.size - 1) {
        for (int i = 0; i < 10; i++) {
            tmk_phase_spoil(&f->phase, -EBADMSG);
            tmk_phase_look(&f->phase);
            nap_ms(2);
        }
    }
    end_all(f);
    assert_int_equal(f->result.operations, 90);
    assert_int_equal(sum(series), 90);
    for (size_t i = 0; i < series->n; i++) {
        assert_true(series->operations[i] <= 90);
    }
}

static void a_stonewall_ends_no_sample(void **state)
{
    struct fixture *f = *state;
    const struct tmk_sample_series *series = &f->result.intervals;
    uint64_t visited = 0;
    uint64_t most;

    begin_all(f, (struct tmk_phase_how){.interval_ns = 10 * MS,
                                        .stop_after_ns = 50 * MS});
    while (!tmk_phase_over(&f->phase)) {
        sched_yield();
        visited += (uint64_t)operate(f, 1 + f->job.rank, 0);
    }
    most = tmk_phase_even_all(&f->phase, visited);
    for (; visited < most && !tmk_phase_over(&f->phase); visited++) {
        operate(f, 1, 0);
    }
    end_all(f);
    assert_int_equal(f->result.operations, most * (uint64_t)f->job.size);
    assert_int_equal(sum(series), f->result.operations);
    assert_true(series->n * series->width_ns >= 50 * MS);
}

/* Without barriers slots count from when the first rank began. */
static void ranks_that_begin_later_are_later_in_the_sample(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_how how = {.interval_ns = 10 * MS};
    const struct tmk_sample_series *series = &f->result.intervals;
    const bool late = f->job.size > 1 && f->job.rank == f->job.size - 1;
    uint64_t epoch_ns = tmk_phase_group_begin_all(&f->job);
    uint64_t begin_ns;
    uint64_t first_ns;
    uint64_t later_ns;

    if (late) {
        nap_ms(100);
    }
    tmk_phase_begin(&f->phase, &f->job, &how, epoch_ns);
    begin_ns = f->phase.t0_ns - epoch_ns;
    operate_at(f, late ? 5 : 11, 0);
    tmk_phase_close(&f->phase);
    tmk_phase_end(&f->phase);
    tmk_phase_combine_all(&f->phase, &f->result);
    assert_int_equal(sum(series), f->result.operations);
    assert_int_equal(series->n, f->result.time_ns / series->width_ns + 1);
    MPI_Allreduce(&begin_ns, &first_ns, 1, MPI_UINT64_T, MPI_MIN,
                  MPI_COMM_WORLD);
    later_ns = begin_ns - first_ns;
    MPI_Bcast(&later_ns, 1, MPI_UINT64_T, f->job.size - 1, MPI_COMM_WORLD);
    if (f->job.size > 1 && later_ns > 50 * MS) { /* or else all were late */
        assert_true(slot_at(f, later_ns) >= 5);
        assert_true(slot_at(f, 0) >= 11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_sampled_unless_asked_for),
        cmocka_unit_test(
            operations_of_all_ranks_are_in_the_slots_they_ended_in),
        cmocka_unit_test(short_slots_are_told_apart),
        cmocka_unit_test(slots_are_as_wide_as_the_longest_rank_needs_them),
        cmocka_unit_test(a_stall_of_all_ranks_shows_as_slots_of_0),
        cmocka_unit_test(failures_are_no_operations),
        cmocka_unit_test(what_another_rank_spoils_is_taken_from_the_slots),
        cmocka_unit_test(a_stonewall_ends_no_sample),
        cmocka_unit_test(ranks_that_begin_later_are_later_in_the_sample),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
