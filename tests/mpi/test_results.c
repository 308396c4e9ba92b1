#include "mpi/place.h"
#include "mpi/ranks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/results.h"

/* A launch of all ranks, each in a place of its own: only rank 0's counts. */
struct launch {
    struct tmk_job job;
    struct tmk_report_run run;
    struct tmk_results results;
    struct tmk_result_test test;
    struct tmk_phase_result phase;
    FILE *out, *err;
};

static struct launch *launch_new_all(void)
{
    static char *argv[] = {(char *)(uintptr_t) "mdtest", NULL};
    struct launch *l = calloc(1, sizeof(*l));

    assert_non_null(l);
    l->out = fopen("out", "w");
    l->err = fopen("err", "w");
    assert_non_null(l->out);
    assert_non_null(l->err);
    assert_int_equal(
        tmk_job_init_all(&l->job, MPI_COMM_WORLD, "mdtest", l->out, l->err), 0);
    l->run = (struct tmk_report_run){
        .job = &l->job,
        .banner = "mdtest",
        .kind = "mdtest",
        .version = "0.1.0",
        .version_git = "",
        .semantics = "treemark",
        .argc = 1,
        .argv = argv,
        .path = ".",
        .engine = "POSIX",
    };
    l->test = (struct tmk_result_test){
        .tasks = 1, .nodes = 1, .ranks_per_node = 1, .n_rows = 1};
    l->test.rows[0].name = "File stat";
    return l;
}

static void launch_free_all(struct launch *l)
{
    tmk_job_fini_all(&l->job);
    fclose(l->out);
    fclose(l->err);
    free(l);
}

static void write_all(struct launch *l)
{
    const struct tmk_result result = {.operations = 1};
    const struct tmk_writer *w = l->results.writers;

    tmk_report_begin(w, &l->run);
    tmk_report_test_begin(w, &l->run, &l->test, "one task");
    tmk_result_row_add(&l->test.rows[0], &l->phase, 0);
    tmk_report_phase(w, &l->run, &l->test, &l->test.rows[0], 0, &l->phase);
    tmk_report_test_end(w, &l->run, &l->test);
    tmk_report_end(w, &l->run, &result);
}

/* Bytes of a file; -1: there is none. */
static long size_of(const char *path)
{
    FILE *f = fopen(path, "r");
    long size = -1;

    if (f != NULL) {
        assert_int_equal(fseek(f, 0, SEEK_END), 0);
        size = ftell(f);
        fclose(f);
    }
    return size;
}

/* What was said on the job's err begins so. */
static void said(struct launch *l, const char *want)
{
    char text[512] = "";
    FILE *f;

    fflush(l->err);
    f = fopen("err", "r");
    assert_non_null(f);
    (void)!fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    if (ranks_rank() == 0) {
        assert_memory_equal(text, want, strlen(want));
    } else {
        assert_string_equal(text, "");
    }
}

static void both_files_are_written_by_rank_0(void **state)
{
    struct launch *l = launch_new_all();

    (void)state;
    assert_int_equal(
        tmk_results_open_all(&l->results, &l->job, &l->run, "json", "csv"), 0);
    assert_non_null(l->run.provenance);
    assert_int_equal(tmk_results_hosts_all(&l->job), 0);
    write_all(l);
    assert_true(tmk_results_close_all(&l->results, &l->job));
    assert_int_equal(size_of("json") > 500, ranks_rank() == 0);
    assert_int_equal(size_of("csv") > 500, ranks_rank() == 0);
    assert_true(tmk_results_close_all(&l->results, &l->job));
    launch_free_all(l);
}

static void a_launch_that_was_refused_leaves_files_as_they_were(void **state)
{
    struct launch *l = launch_new_all();

    (void)state;
    assert_int_equal(
        tmk_results_open_all(&l->results, &l->job, &l->run, "json", "csv"), 0);
    assert_true(tmk_results_close_all(&l->results, &l->job));
    assert_int_equal(size_of("json"), -1);
    assert_int_equal(size_of("csv"), -1);
    launch_free_all(l);
}

static void a_file_that_cannot_be_written_refuses_all_ranks(void **state)
{
    static const struct {
        const char *json, *csv, *says;
        int err;
    } rows[] = {
        {"no/json", NULL, "mdtest: --json: no/json: No such file", -ENOENT},
        {"json", "no/csv", "mdtest: --csv: no/csv: No such file", -ENOENT},
        {NULL, "other", "mdtest: --csv: other: it does not begin", -EINVAL},
    };
    FILE *other = fopen("other", "w");

    (void)state;
    assert_non_null(other);
    fputs("a,b\n", other);
    assert_int_equal(fclose(other), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct launch *l = launch_new_all();

        assert_int_equal(tmk_results_open_all(&l->results, &l->job, &l->run,
                                              rows[i].json, rows[i].csv),
                         rows[i].err);
        said(l, rows[i].says);
        assert_true(tmk_results_close_all(&l->results, &l->job));
        assert_int_equal(size_of("json"), -1);
        launch_free_all(l);
    }
    assert_int_equal(size_of("other"), 4);
}

static void what_is_lost_is_said_once(void **state)
{
    struct launch *l = launch_new_all();

    (void)state;
    assert_int_equal(
        tmk_results_open_all(&l->results, &l->job, &l->run, "/dev/full", NULL),
        0);
    write_all(l);
    assert_false(tmk_results_close_all(&l->results, &l->job));
    said(l, "mdtest: --json: writing /dev/full: No space left on device\n");
    assert_true(tmk_results_close_all(&l->results, &l->job));
    launch_free_all(l);
}

static void text_makes_room_for_results_on_the_standard_output(void **state)
{
    struct launch *l = launch_new_all();
    const struct tmk_writer text = {.ops = &tmk_report_text, .state = l->out};

    (void)state;
    tmk_results_add(&l->results, text);
    tmk_results_yield(&l->results, &l->job, "file", NULL);
    assert_ptr_equal(l->job.out, l->out);
    assert_ptr_equal(l->results.writers[0].state, l->out);
    tmk_results_yield(&l->results, &l->job, NULL, "-");
    assert_ptr_equal(l->job.out, l->err);
    assert_ptr_equal(l->results.writers[0].state, l->err);
    launch_free_all(l);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, place_enter, place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(both_files_are_written_by_rank_0),
        CASE(a_launch_that_was_refused_leaves_files_as_they_were),
        CASE(a_file_that_cannot_be_written_refuses_all_ranks),
        CASE(what_is_lost_is_said_once),
        CASE(text_makes_room_for_results_on_the_standard_output),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
