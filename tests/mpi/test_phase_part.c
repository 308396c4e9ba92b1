#include "mpi/phases.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "run/phase_part.h"

#define MS UINT64_C(1000000)

/* A phase of two kinds of operations. */
struct parted {
    struct fixture *f;
    struct tmk_phase part[2];
    struct tmk_phase_result result[2];
};

static void part_begin(struct parted *t, struct fixture *f,
                       struct tmk_phase_how how, bool creates)
{
    t->f = f;
    begin_all(f, how);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tmk_phase_init(&t->part[i]), 0);
        tmk_phase_part_begin(&t->part[i], &f->phase, creates && i == 1);
    }
}

static void did(struct parted *t, int i, int err, const char *path)
{
    tmk_phase_part_did_at(&t->f->phase, &t->part[i], err, path, tmk_clock_ns());
}

static void part_end(struct parted *t)
{
    end_all(t->f);
    for (int i = 0; i < 2; i++) {
        tmk_phase_part_combine_all(&t->part[i], &t->f->phase, &t->result[i]);
        tmk_phase_fini(&t->part[i]);
    }
}

static void the_whole_counts_what_its_parts_count(void **state)
{
    struct fixture *f = *state;
    struct parted t;
    const uint64_t ranks = (uint64_t)f->job.size;

    part_begin(&t, f, (struct tmk_phase_how){0}, false);
    for (int i = 0; i < 5; i++) {
        did(&t, 0, 0, "a");
        did(&t, 1, i == 2 ? -EACCES : 0, "b");
    }
    part_end(&t);
    assert_int_equal(t.result[0].operations, 5 * ranks);
    assert_int_equal(t.result[0].failed, 0);
    assert_int_equal(t.result[1].operations, 4 * ranks);
    assert_int_equal(t.result[1].failed_by[EACCES], ranks);
    assert_int_equal(f->result.operations, 9 * ranks);
    assert_int_equal(f->result.failed_by[EACCES], ranks);
    assert_int_equal(tmk_hist_total(&t.result[0].latency), 5 * ranks);
    assert_int_equal(tmk_hist_total(&t.result[1].latency), 5 * ranks);
    assert_int_equal(tmk_hist_total(&f->result.latency), 10 * ranks);
}

static void a_part_takes_the_time_of_the_whole(void **state)
{
    struct fixture *f = *state;
    struct parted t;

    part_begin(&t, f, (struct tmk_phase_how){0}, false);
    did(&t, 0, 0, "a");
    nap_ms(2);
    part_end(&t);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(t.result[i].time_ns, f->result.time_ns);
    }
    assert_int_equal(t.result[1].operations, 0);
    assert_int_equal(t.result[1].max_op_ns, 0);
}

static void an_operation_is_as_long_as_the_call(void **state)
{
    struct fixture *f = *state;
    struct parted t;

    part_begin(&t, f, (struct tmk_phase_how){0}, false);
    nap_ms(5);
    did(&t, 0, 0, "a"); /* 5 ms */
    nap_ms(20);
    tmk_phase_resume(&f->phase);
    did(&t, 1, 0, "b"); /* as good as nothing */
    nap_ms(20);
    tmk_phase_skip(&f->phase);
    nap_ms(5);
    did(&t, 0, 0, "a");
    part_end(&t);
    assert_true(t.result[0].min_op_ns >= 5 * MS);
    assert_true(t.result[0].mean_op_ns >= 5.0 * (double)MS);
    assert_true(t.result[1].min_op_ns < 20 * MS);
    if (f->job.rank == 0) { /* else others may have delayed it */
        assert_true(t.result[1].mean_op_ns < 20.0 * (double)MS);
    }
}

static void the_first_failure_is_told_with_its_path(void **state)
{
    struct fixture *f = *state;
    struct parted t;

    part_begin(&t, f, (struct tmk_phase_how){.path = "other"}, false);
    did(&t, 0, -ENOENT, "first");
    did(&t, 0, -ENOENT, "second");
    part_end(&t);
    assert_int_equal(t.result[0].n_failures, 1);
    assert_int_equal(f->result.n_failures, 1);
    if (f->job.rank == 0) {
        assert_string_equal(t.result[0].failures[0].path, "first");
        assert_string_equal(f->result.failures[0].path, "first");
    }
}

static void only_a_part_that_creates_stops_the_whole(void **state)
{
    struct fixture *f = *state;

    for (int which = 0; which < 2; which++) {
        struct parted t;
        int n = 0;

        part_begin(&t, f, (struct tmk_phase_how){.creates = true}, true);
        while (n < 3 && !tmk_phase_over(&f->phase)) {
            did(&t, which, -ENOSPC, "full");
            n++;
        }
        part_end(&t);
        assert_int_equal(f->result.full, which == 1);
        if (which == 0) {
            assert_int_equal(n, 3);
        }
    }
}

static void one_rank_says_so_and_all_hear_it(void **state)
{
    struct fixture *f = *state;

    for (int who = -1; who < f->job.size; who++) {
        begin_all(f, (struct tmk_phase_how){0});
        assert_int_equal(tmk_phase_any_all(&f->phase, f->job.rank == who),
                         who >= 0);
        end_all(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_counts_what_its_parts_count),
        cmocka_unit_test(a_part_takes_the_time_of_the_whole),
        cmocka_unit_test(an_operation_is_as_long_as_the_call),
        cmocka_unit_test(the_first_failure_is_told_with_its_path),
        cmocka_unit_test(only_a_part_that_creates_stops_the_whole),
        cmocka_unit_test(one_rank_says_so_and_all_hear_it),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
