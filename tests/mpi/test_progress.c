#include "mpi/phases.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "run/progress.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MS       UINT64_C(1000000)
#define S        UINT64_C(1000000000)

static const struct tmk_progress_round one_round = {
    .name = "file stat",
    .iteration = 2,
    .iterations = 3,
    .planned = 1000,
};

/*
 * The line.
 */

static void a_line_says_how_far_it_is(void **state)
{
    static const struct {
        uint64_t done, failed, planned, ranks;
        double rate_per_s;
        uint64_t left_ns;
        int iteration;
        const char *want;
    } rows[] = {
        {500, 0, 2000, 4, 100.0, 15 * S, 1,
         "file stat, iteration 1 of 3: 500 of 2000 (25.0%), 100/s, 0:15 left, "
         "0 failed"},
        {500, 2, 1004, 4, 0.4, 3661 * S, 3,
         "file stat, iteration 3 of 3: 502 of 1004 (50.0%), 0/s, 1:01:01 left, "
         "2 failed"},
        {7, 0, 0, 4, 1e6, 0, 0,
         "file stat, uncounted iteration: 7 of 0 (100.0%), 1000000/s, 0:00 "
         "left, 0 failed"},
        {7, 0, 70, 3, 0.0, UINT64_MAX, 1,
         "file stat, iteration 1 of 3: 7 of 70 (10.0%) on 3 of 4 ranks, 0/s, "
         "no end in sight, 0 failed"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_progress_round round = one_round;
        const struct tmk_progress_view view = {
            .round = &round,
            .sums = {rows[i].done, rows[i].failed, rows[i].ranks},
            .ranks = 4,
            .rate_per_s = rows[i].rate_per_s,
            .left_ns = rows[i].left_ns,
        };
        char text[256];

        round.planned = rows[i].planned;
        round.iteration = rows[i].iteration;
        tmk_progress_line(&view, text, sizeof(text));
        assert_string_equal(text, rows[i].want);
        tmk_progress_line(&view, text, 10); /* cut, not overrun */
        assert_string_equal(text, "file stat");
    }
}

static void a_line_in_a_course_tells_of_all_of_it(void **state)
{
    static const struct {
        int iterations;
        uint64_t left_ns;
        const char *want;
    } rows[] = {
        {3, 15 * S,
         "file stat, iteration 2 of 3: 500 of 1000 (50.0%), 100/s, 0:15 left, "
         "0 failed; step 3 of 13, about 1:15 to the end"},
        {3, UINT64_MAX,
         "file stat, iteration 2 of 3: 500 of 1000 (50.0%), 100/s, no end in "
         "sight, 0 failed; step 3 of 13, about 1:00 to the end"},
        {0, UINT64_MAX,
         "file stat: 500, 100/s, 0 failed; step 3 of 13, about 1:00 to the "
         "end"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_progress_round round = one_round;
        const struct tmk_progress_view view = {
            .round = &round,
            .sums = {500, 0, 4},
            .ranks = 4,
            .rate_per_s = 100.0,
            .left_ns = rows[i].left_ns,
            .course = {.step = 3, .steps = 13, .rest_ns = 60 * S},
        };
        char text[256];

        round.iterations = rows[i].iterations;
        tmk_progress_line(&view, text, sizeof(text));
        assert_string_equal(text, rows[i].want);
    }
}

/*
 * Phases.
 */

/* What rank 0 has said so far. */
static size_t said(const struct fixture *f, char *buf, size_t size)
{
    size_t n;

    rewind(f->job.err);
    n = fread(buf, 1, size - 1, f->job.err);
    buf[n] = '\0';
    return n;
}

static void begin_progress_all(struct fixture *f, struct tmk_progress *pr,
                               uint64_t period_ns)
{
    f->job.err = tmpfile();
    assert_non_null(f->job.err);
    tmk_progress_init_all(pr, &f->job, period_ns);
    f->job.progress = pr;
}

static void end_progress_all(struct fixture *f, struct tmk_progress *pr)
{
    f->job.progress = NULL;
    tmk_progress_fini_all(pr, &f->job);
    fclose(f->job.err);
    f->job.err = stderr;
}

/* Operations for a time. */
static void operate_for(struct fixture *f, uint64_t ns)
{
    uint64_t end = tmk_clock_ns() + ns;

    while (tmk_clock_ns() < end) {
        sched_yield();
        operate(f, 1, 0);
    }
}

static void there_are_lines_when_asked_for(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;
    char text[65536];
    char whole[64];
    size_t n;

    begin_progress_all(f, &pr, 20 * MS);
    tmk_progress_begin(&pr, &f->job, &one_round);
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, f->job.rank == f->job.size - 1 ? 3 : 0, -EACCES);
    operate_for(f, 200 * MS);
    if (f->job.rank == f->job.size - 1) {
        nap_ms(10);
        operate(f, 1, 0); /* now at the latest it looks */
        nap_ms(200);      /* rank 0 waits, and goes on saying so */
    }
    end_all(f);
    tmk_progress_end(&pr);
    n = said(f, text, sizeof(text));
    if (f->job.rank == 0) {
        assert_non_null(strstr(text, "test: file stat, iteration 2 of 3: "));
        assert_non_null(strstr(text, ", 3 failed\n"));
        assert_null(strchr(text, '\r'));
        assert_int_equal(text[n - 1], '\n');
        (void)snprintf(whole, sizeof(whole), ": %ju of 1000 (",
                       (uintmax_t)(f->result.operations + 3));
        if (f->job.size > 1) { /* the last lines are of a phase that waits */
            assert_non_null(strstr(text, whole));
        }
    } else {
        assert_int_equal(n, 0);
    }
    end_progress_all(f, &pr);
}

static void there_are_none_unless_asked_for(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;
    char text[64];

    begin_progress_all(f, &pr, 0);
    tmk_progress_begin(&pr, &f->job, &one_round);
    begin_all(f, (struct tmk_phase_how){0});
    operate_for(f, 50 * MS);
    end_all(f);
    tmk_progress_end(&pr);
    assert_int_equal(said(f, text, sizeof(text)), 0);
    end_progress_all(f, &pr);
}

/* A line on a slow terminal is no operation's time. */
static void printing_is_not_in_the_latency_of_an_operation(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;

    begin_progress_all(f, &pr, 1);
    tmk_progress_begin(&pr, &f->job, &one_round);
    begin_all(f, (struct tmk_phase_how){0});
    operate_for(f, 100 * MS);
    if (f->job.rank == 0) {
        assert_true(f->phase.other_ns > 0);
        assert_true(f->phase.other_ns < 100 * MS);
    }
    end_all(f);
    tmk_progress_end(&pr);
    end_progress_all(f, &pr);
}

static void phases_of_a_group_are_counted_together(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;
    uint64_t epoch_ns;

    begin_progress_all(f, &pr, 10 * MS);
    tmk_progress_begin(&pr, &f->job, &one_round);
    epoch_ns = tmk_phase_group_begin_all(&f->job);
    for (int k = 0; k < 3; k++) {
        tmk_phase_begin(&f->phase, &f->job, &(struct tmk_phase_how){0},
                        epoch_ns);
        operate(f, 10, 0);
        operate(f, k, -EACCES);
        tmk_phase_close(&f->phase);
        tmk_phase_end(&f->phase);
    }
    assert_int_equal(pr.base_done, 30);
    assert_int_equal(pr.base_failed, 3);
    (void)tmk_progress_look(&pr, tmk_clock_ns(), 5, 1);
    assert_int_equal(pr.totals.own.done, 35);
    assert_int_equal(pr.totals.own.failed, 4);
    tmk_phase_combine_all(&f->phase, &f->result);
    tmk_progress_end(&pr);
    tmk_progress_begin(&pr, &f->job, &one_round);
    assert_int_equal(pr.base_done, 0);
    end_progress_all(f, &pr);
}

/*
 * Reports.
 */

static void print_report(void *arg, FILE *to)
{
    int *reports = arg;

    ++*reports;
    fputs("what there is so far\n", to);
}

/* Whichever rank gets the signal; the phase goes on. */
static void sigusr1_of_any_rank_makes_rank_0_report(void **state)
{
    struct fixture *f = *state;

    tmk_job_catch_signals();
    for (int i = 0; i < 2 * f->job.size; i++) {
        struct tmk_progress pr;
        char text[4096];
        int reports = 0;
        bool shared = i >= f->job.size;

        begin_progress_all(f, &pr, shared ? 1000 * S : 0);
        tmk_progress_on_report(&pr, print_report, &reports);
        tmk_progress_begin(&pr, &f->job, &one_round);
        begin_all(f, (struct tmk_phase_how){0});
        operate(f, 5, 0);
        if (f->job.rank == i % f->job.size) {
            assert_int_equal(raise(SIGUSR1), 0);
        }
        operate_for(f, 30 * MS); /* it polls every 10 */
        if (f->job.rank == 0) {
            uint64_t end = tmk_clock_ns() + PHASES_PATIENCE_S * S;

            while (reports == 0 && tmk_clock_ns() < end) {
                sched_yield();
                operate(f, 1, 0);
            }
        }
        end_all(f);
        tmk_progress_end(&pr);
        assert_false(tmk_phase_over(&f->phase));
        assert_int_equal(f->result.interrupted, 0);
        assert_int_equal(reports, f->job.rank == 0);
        if (f->job.rank == 0) {
            char *line;

            (void)said(f, text, sizeof(text));
            assert_int_equal(strncmp(text, "what there is so far\n", 21), 0);
            line = text + 21;
            assert_int_equal(
                strncmp(line, "test: file stat, iteration 2 of 3: ", 35), 0);
            assert_ptr_equal(strchr(line, '\n') + 1, line + strlen(line));
        }
        end_progress_all(f, &pr);
    }
}

/* As from a launcher: one report, of what all have done. */
static void sigusr1_of_all_ranks_makes_one_report_of_all(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;
    char text[4096];
    int reports = 0;

    tmk_job_catch_signals();
    begin_progress_all(f, &pr, 0);
    tmk_progress_on_report(&pr, print_report, &reports);
    tmk_progress_begin(&pr, &f->job, &one_round);
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 5, 0);
    assert_int_equal(raise(SIGUSR1), 0);
    end_all(f); /* and in waiting for others */
    tmk_progress_end(&pr);
    assert_int_equal(reports, f->job.rank == 0);
    (void)said(f, text, sizeof(text));
    assert_int_equal(strstr(text, "file stat") != NULL, f->job.rank == 0);
    end_progress_all(f, &pr);
}

/* A rank in a long operation sees the signal of the launcher late. */
static void a_late_sigusr1_makes_no_second_report(void **state)
{
    struct fixture *f = *state;
    struct tmk_progress pr;
    uint64_t end = tmk_clock_ns() + PHASES_PATIENCE_S * S;
    int reports = 0;

    tmk_job_catch_signals();
    begin_progress_all(f, &pr, 0);
    tmk_progress_on_report(&pr, print_report, &reports);
    tmk_progress_begin(&pr, &f->job, &one_round);
    begin_all(f, (struct tmk_phase_how){0});
    if (f->job.rank == 0) {
        assert_int_equal(raise(SIGUSR1), 0);
        while (reports == 0 && tmk_clock_ns() < end) {
            sched_yield();
            operate(f, 1, 0);
        }
    }
    tmk_phase_meet_all(&f->phase);
    if (f->job.rank == f->job.size - 1) {
        assert_int_equal(raise(SIGUSR1), 0);
    }
    operate_for(f, 300 * MS);
    if (f->job.rank == 0 && tmk_clock_ns() < pr.reported_ns + S) {
        assert_int_equal(reports, 1);
    }
    end_all(f);
    tmk_progress_end(&pr);
    end_progress_all(f, &pr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_says_how_far_it_is),
        cmocka_unit_test(a_line_in_a_course_tells_of_all_of_it),
        cmocka_unit_test(there_are_lines_when_asked_for),
        cmocka_unit_test(there_are_none_unless_asked_for),
        cmocka_unit_test(printing_is_not_in_the_latency_of_an_operation),
        cmocka_unit_test(phases_of_a_group_are_counted_together),
        cmocka_unit_test(sigusr1_of_any_rank_makes_rank_0_report),
        cmocka_unit_test(sigusr1_of_all_ranks_makes_one_report_of_all),
        cmocka_unit_test(a_late_sigusr1_makes_no_second_report),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
