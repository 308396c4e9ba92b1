#include "mpi/phases.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "run/phase.h"

enum { PHASES = 3, NAP_MS = 20 };

#define MS UINT64_C(1000000)

/* A group: phases that are kept until they are combined. */
struct group {
    uint64_t epoch_ns;
    struct tmk_phase kept[PHASES];
    struct tmk_phase_result results[PHASES];
    int n;
};

static void begin_group_all(struct fixture *f, struct group *g)
{
    *g = (struct group){0};
    g->epoch_ns = tmk_phase_group_begin_all(&f->job);
}

static void begin(struct fixture *f, struct group *g, struct tmk_phase_how how)
{
    tmk_phase_begin(&f->phase, &f->job, &how, g->epoch_ns);
}

static void end(struct fixture *f, struct group *g)
{
    tmk_phase_close(&f->phase);
    tmk_phase_end(&f->phase);
    g->kept[g->n++] = f->phase;
}

static void combine_all(struct group *g)
{
    for (int i = 0; i < g->n; i++) {
        tmk_phase_combine_all(&g->kept[i], &g->results[i]);
    }
}

static void counts_are_added_over_ranks_for_each_phase(void **state)
{
    struct fixture *f = *state;
    uint64_t p = (uint64_t)f->job.size;
    struct group g;

    begin_group_all(f, &g);
    for (int k = 0; k < PHASES; k++) {
        begin(f, &g, (struct tmk_phase_how){.path = "x"});
        assert_false(tmk_phase_over(&f->phase));
        operate(f, 10 * k + f->job.rank, 0);
        operate(f, k, -EACCES);
        f->phase.bytes = (uint64_t)k;
        f->phase.missed = 2 * (uint64_t)k;
        f->phase.wrong = 3 * (uint64_t)k;
        end(f, &g);
    }
    combine_all(&g);
    for (uint64_t k = 0; k < PHASES; k++) {
        const struct tmk_phase_result *r = &g.results[k];

        assert_true(r->alone);
        assert_int_equal(r->operations, 10 * k * p + p * (p - 1) / 2);
        assert_int_equal(r->failed, k * p);
        assert_int_equal(r->failed_by[EACCES], k * p);
        assert_int_equal(r->bytes, k * p);
        assert_int_equal(r->missed, 2 * k * p);
        assert_int_equal(r->wrong, 3 * k * p);
        assert_int_equal(tmk_hist_total(&r->latency), r->operations + k * p);
        assert_false(r->full);
        assert_false(r->wall.on);
        assert_int_equal(r->interrupted, 0);
    }
    begin_all(f, (struct tmk_phase_how){0});
    end_all(f);
    assert_false(f->result.alone);
}

/* Rank 0 is in its first phase until all others have ended their last. */
static void nobody_waits_for_anybody_between_phases(void **state)
{
    struct fixture *f = *state;
    struct group g;

    begin_group_all(f, &g);
    for (int k = 0; k < PHASES; k++) {
        begin(f, &g, (struct tmk_phase_how){0});
        operate(f, 5, 0);
        for (int r = 1; k == 0 && f->job.rank == 0 && r < f->job.size; r++) {
            MPI_Recv(NULL, 0, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        end(f, &g);
    }
    if (f->job.rank != 0) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    combine_all(&g);
    for (int k = 0; k < PHASES; k++) {
        assert_int_equal(g.results[k].operations, 5 * f->job.size);
    }
}

static uint64_t max_of_all(uint64_t value)
{
    uint64_t max;

    MPI_Allreduce(&value, &max, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return max;
}

static uint64_t min_of_all(uint64_t value)
{
    uint64_t min;

    MPI_Allreduce(&value, &min, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return min;
}

static void a_phase_takes_from_the_first_begin_to_the_last_end(void **state)
{
    struct fixture *f = *state;
    struct group g;

    begin_group_all(f, &g);
    assert_true(g.epoch_ns <= tmk_clock_ns());
    for (int k = 0; k < PHASES; k++) {
        begin(f, &g, (struct tmk_phase_how){0});
        operate(f, 10, 0);
        /* some ranks are long at the first, others at the last */
        nap_ms((k == 0) == (f->job.rank % 2 == 0) ? NAP_MS : 0);
        end(f, &g);
    }
    combine_all(&g);
    for (int k = 0; k < PHASES; k++) {
        const struct tmk_phase_result *r = &g.results[k];
        const struct tmk_phase *own = &g.kept[k];
        uint64_t begun = min_of_all(own->t0_ns - g.epoch_ns);
        uint64_t ended = max_of_all(own->t2_ns - g.epoch_ns);
        double rate = (double)r->operations * 1e9 / (double)r->time_ns;

        assert_true(own->t0_ns >= g.epoch_ns);
        assert_int_equal(r->time_ns, ended - begun);
        assert_int_equal(r->busy_ns, max_of_all(own->t1_ns - own->t0_ns));
        assert_true(r->time_ns >= r->busy_ns);
        assert_true(fabs(r->rate_per_s - rate) <= 1e-9 * rate);
        if (k == 0 || f->job.size > 1) {
            assert_true(r->time_ns >= NAP_MS * MS);
        }
    }
}

static void a_phase_that_is_full_stops_no_other_of_its_group(void **state)
{
    struct fixture *f = *state;

    for (int who = 0; who < f->job.size; who++) {
        struct group g;

        begin_group_all(f, &g);
        begin(f, &g, (struct tmk_phase_how){.creates = true});
        if (f->job.rank == who) {
            assert_int_equal(operate(f, 10, -ENOSPC), 1);
        } else {
            operate_until_over(f);
        }
        assert_true(tmk_phase_over(&f->phase));
        end(f, &g);
        begin(f, &g, (struct tmk_phase_how){.creates = false});
        for (int i = 0; i < 15; i++) {
            nap_ms(1); /* time enough to look around */
            assert_int_equal(operate(f, 1, 0), 1);
        }
        assert_false(tmk_phase_over(&f->phase));
        end(f, &g);
        combine_all(&g);
        assert_true(g.results[0].full);
        assert_int_equal(g.results[0].failed, 1);
        assert_false(g.results[1].full);
        assert_int_equal(g.results[1].operations, 15 * f->job.size);
        /* The next group is none of this one's business. */
        begin_group_all(f, &g);
        begin(f, &g, (struct tmk_phase_how){.creates = true});
        assert_int_equal(operate(f, 10, 0), 10);
        end(f, &g);
        combine_all(&g);
        assert_false(g.results[0].full);
    }
}

/* The last rank comes to it when it is full already. */
static void a_creation_that_begins_late_knows_that_it_is_full(void **state)
{
    struct fixture *f = *state;
    bool late = f->job.rank == f->job.size - 1 && f->job.size > 1;
    uint64_t end_ns = tmk_clock_ns() + PHASES_PATIENCE_S * UINT64_C(1000000000);
    struct group g;

    begin_group_all(f, &g);
    while (late && tmk_stop_poll(&f->job.stop) != TMK_STOP_FULL &&
           tmk_clock_ns() < end_ns) {
        sched_yield();
    }
    begin(f, &g, (struct tmk_phase_how){.creates = true});
    if (f->job.rank == 0) {
        operate(f, 1, -EDQUOT);
    } else if (late) {
        assert_true(tmk_phase_over(&f->phase));
    } else {
        operate_until_over(f);
    }
    assert_true(tmk_phase_over(&f->phase));
    end(f, &g);
    combine_all(&g);
    assert_true(g.results[0].full);
    assert_int_equal(g.results[0].failed_by[EDQUOT], 1);
}

static void a_rank_that_gave_up_one_phase_begins_the_next(void **state)
{
    struct fixture *f = *state;
    bool fails = f->job.rank == 0;
    struct group g;

    begin_group_all(f, &g);
    begin(f, &g, (struct tmk_phase_how){.max_errors = 3});
    assert_int_equal(operate(f, 10, fails ? -EACCES : 0), fails ? 3 : 10);
    end(f, &g);
    begin(f, &g, (struct tmk_phase_how){.max_errors = 3});
    assert_int_equal(operate(f, 10, 0), 10);
    end(f, &g);
    combine_all(&g);
    assert_int_equal(g.results[0].failed, 3);
    assert_int_equal(g.results[0].operations, 10 * (f->job.size - 1));
    assert_int_equal(g.results[1].failed, 0);
    assert_int_equal(g.results[1].operations, 10 * f->job.size);
}

/* In each phase another errno, from ranks 1 and up where there are any. */
static void failures_are_described_for_each_phase(void **state)
{
    static const int errors[PHASES] = {EACCES, EPERM, EBADMSG};
    struct fixture *f = *state;
    int lowest = f->job.size > 1 ? 1 : 0;
    char path[32];
    char detail[32];
    char want[32];
    struct group g;

    begin_group_all(f, &g);
    for (int k = 0; k < PHASES; k++) {
        begin(f, &g, (struct tmk_phase_how){.path = path, .detail = detail});
        for (int i = 0; i < 3 && f->job.rank >= lowest; i++) {
            snprintf(path, sizeof(path), "phase %d of %d", k, f->job.rank);
            snprintf(detail, sizeof(detail), "failure %d", i);
            operate(f, 1, -errors[k]);
        }
        end(f, &g);
    }
    snprintf(path, sizeof(path), "long after");
    combine_all(&g);
    for (int k = 0; k < PHASES && f->job.rank == 0; k++) {
        const struct tmk_failure *first = &g.results[k].failures[0];

        snprintf(want, sizeof(want), "phase %d of %d", k, lowest);
        assert_int_equal(g.results[k].n_failures, 1);
        assert_int_equal(first->err, errors[k]);
        assert_int_equal(first->rank, lowest);
        assert_int_equal(first->count, 3 * (f->job.size - lowest));
        assert_string_equal(first->path, want);
        assert_string_equal(first->detail, "failure 0");
    }
}

/* Even if one of them has been given up before. */
static void an_interruption_ends_all_phases_of_a_group(void **state)
{
    struct fixture *f = *state;

    for (int full = 0; full < 2; full++) {
        struct group g;
        int who = full * (f->job.size - 1);

        begin_group_all(f, &g);
        begin(f, &g, (struct tmk_phase_how){.creates = true});
        if (full) {
            operate(f, 1, f->job.rank == 0 ? -ENOSPC : 0);
            operate_until_over(f);
        }
        end(f, &g);
        begin(f, &g, (struct tmk_phase_how){0});
        if (f->job.rank == who) {
            tmk_stop_raise(&f->job.stop, TMK_STOP_SIGNAL);
        }
        operate_until_over(f);
        assert_true(tmk_phase_over(&f->phase));
        end(f, &g);
        begin(f, &g, (struct tmk_phase_how){0});
        assert_true(tmk_phase_over(&f->phase)); /* at once */
        assert_int_equal(operate(f, 5, 0), 0);
        end(f, &g);
        combine_all(&g);
        assert_int_equal(g.results[0].full, full);
        assert_false(g.results[1].full);
        assert_int_equal(g.results[2].operations, 0);
    }
}

/* Rank 0 is done and waits for the others, to whom rank 1 has something to
 * say. */
static void who_is_done_with_a_group_passes_a_reason_on(void **state)
{
    struct fixture *f = *state;
    uint64_t told = f->job.stop.down_received;
    struct group g;

    begin_group_all(f, &g);
    begin(f, &g, (struct tmk_phase_how){.creates = true});
    operate(f, 1, f->job.rank == 1 ? -ENOSPC : 0);
    if (f->job.rank > 1) {
        operate_until_over(f);
        assert_true(tmk_phase_over(&f->phase));
    }
    while (f->job.rank == 1 && f->job.stop.down_received == told) {
        (void)tmk_stop_poll(&f->job.stop); /* back from rank 0 */
    }
    end(f, &g);
    combine_all(&g);
    assert_int_equal(g.results[0].full, f->job.size > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_added_over_ranks_for_each_phase),
        cmocka_unit_test(nobody_waits_for_anybody_between_phases),
        cmocka_unit_test(a_phase_takes_from_the_first_begin_to_the_last_end),
        cmocka_unit_test(a_phase_that_is_full_stops_no_other_of_its_group),
        cmocka_unit_test(a_creation_that_begins_late_knows_that_it_is_full),
        cmocka_unit_test(a_rank_that_gave_up_one_phase_begins_the_next),
        cmocka_unit_test(failures_are_described_for_each_phase),
        cmocka_unit_test(who_is_done_with_a_group_passes_a_reason_on),
        cmocka_unit_test(an_interruption_ends_all_phases_of_a_group),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
