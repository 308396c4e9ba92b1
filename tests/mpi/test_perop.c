#include "mpi/ranks.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/clock.h"
#include "run/perop.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const names[] = {"File creation", "File stat"};

/* A directory of its own for every case and rank, which runs inside it. */
struct place {
    char dir[4096];
    struct tmk_perop po;
    uint64_t t0_ns;
};

static int enter(void **state)
{
    const char *below = getenv("TEST_DIR");
    struct place *p = calloc(1, sizeof(*p));

    if (p == NULL) {
        return -1;
    }
    snprintf(p->dir, sizeof(p->dir), "%s/perop.XXXXXX",
             below != NULL ? below : "/tmp");
    if (mkdtemp(p->dir) == NULL || chdir(p->dir) != 0) {
        free(p);
        return -1;
    }
    p->t0_ns = 1000;
    *state = p;
    return 0;
}

/* Nothing but the files that a case expects, which it removes, is left. */
static int leave(void **state)
{
    struct place *p = *state;
    int err;

    (void)tmk_perop_close(&p->po);
    err = chdir("/") == 0 ? rmdir(p->dir) : -1;
    free(p);
    return err;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* The file holds this text, and goes. */
static void expect_and_remove(const char *path, const char *text)
{
    char got[1024] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
    fclose(f);
    assert_string_equal(got, text);
    assert_int_equal(unlink(path), 0);
}

static void expect_gone(const char *path)
{
    assert_int_equal(access(path, F_OK), -1);
}

static void open_them(struct place *p, bool original)
{
    const struct tmk_perop_how how = {
        .prefix = "my run", .rank = 7, .original = original};

    assert_int_equal(tmk_perop_open(&p->po, &how, names, COUNT(names)), 0);
}

/* A phase with one operation that begins at `start_ns` and takes 0.25 s. */
static void run(struct place *p, const char *name, int tasks, int iteration,
                uint64_t start_ns, uint64_t bytes)
{
    assert_true(tmk_perop_begin(&p->po, name, tasks, iteration, &p->t0_ns, 1));
    assert_false(
        tmk_perop_record(&p->po, start_ns, start_ns + 250000000, bytes));
    tmk_perop_end(&p->po);
}

static void an_operation_is_a_line(void **state)
{
    struct place *p = *state;

    open_them(p, false);
    run(p, "File creation", 4, 2, p->t0_ns + 1500000000, 1000);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_gone("my run-File-stat-00007.csv");
    expect_and_remove("my run-File-creation-00007.csv",
                      "time,runtime,tp,tasks,iteration\n"
                      "1.50000000e+00,2.50000000e-01,4.000000e+03,4,2\n");
}

static void without_bytes_operations_per_second_are_told(void **state)
{
    struct place *p = *state;

    open_them(p, false);
    run(p, "File stat", 1, 0, p->t0_ns, 0);
    assert_true(tmk_perop_begin(&p->po, "File stat", 1, 1, &p->t0_ns, 5));
    (void)tmk_perop_record(&p->po, p->t0_ns, p->t0_ns, 100); /* no time */
    tmk_perop_end(&p->po);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_and_remove("my run-File-stat-00007.csv",
                      "time,runtime,tp,tasks,iteration\n"
                      "0.00000000e+00,2.50000000e-01,4.000000e+00,1,0\n"
                      "0.00000000e+00,0.00000000e+00,0.000000e+00,1,1\n");
}

static void iterations_and_tests_follow_each_other(void **state)
{
    struct place *p = *state;

    put("my run-File-stat-00007.csv", "an earlier launch\n");
    open_them(p, false);
    run(p, "File stat", 1, 0, p->t0_ns, 0);
    run(p, "File stat", 1, 1, p->t0_ns, 0);
    run(p, "File stat", 2, 0, p->t0_ns, 0);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_and_remove("my run-File-stat-00007.csv",
                      "time,runtime,tp,tasks,iteration\n"
                      "0.00000000e+00,2.50000000e-01,4.000000e+00,1,0\n"
                      "0.00000000e+00,2.50000000e-01,4.000000e+00,1,1\n"
                      "0.00000000e+00,2.50000000e-01,4.000000e+00,2,0\n");
}

static void the_form_of_the_original_has_three_columns_and_blanks(void **state)
{
    struct place *p = *state;

    open_them(p, true);
    run(p, "File creation", 4, 0, p->t0_ns, 1000);
    run(p, "File creation", 4, 1, p->t0_ns + 1000000000, 1000);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_and_remove("my run-File creation-00007.csv",
                      "time,runtime,tp\n"
                      "1.00000000e+00,2.50000000e-01,4.000000e+03\n");
}

static void a_launch_that_measures_nothing_changes_nothing(void **state)
{
    struct place *p = *state;

    put("my run-File-stat-00007.csv", "an earlier launch\n");
    open_them(p, false);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_and_remove("my run-File-stat-00007.csv", "an earlier launch\n");
    assert_int_equal(tmk_perop_close(&p->po), 0); /* again is fine */
}

static void what_an_earlier_launch_wrote_does_not_stand_beside(void **state)
{
    struct place *p = *state;

    put("my run-File-stat-00007.csv", "an earlier launch\n");
    put("my run-File-read-00007.csv", "not ours\n");
    open_them(p, false);
    run(p, "File creation", 1, 0, p->t0_ns, 0);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    expect_gone("my run-File-stat-00007.csv");
    expect_and_remove("my run-File-read-00007.csv", "not ours\n");
    assert_int_equal(unlink("my run-File-creation-00007.csv"), 0);
}

static void a_prefix_that_cannot_be_written_is_refused(void **state)
{
    struct place *p = *state;
    static char longer[TMK_PEROP_PATH_SIZE];
    struct tmk_perop_how how = {.prefix = "no/such"};

    assert_int_equal(tmk_perop_open(&p->po, &how, names, COUNT(names)),
                     -ENOENT);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    memset(longer, 'x', sizeof(longer) - 1);
    how.prefix = longer;
    assert_int_equal(tmk_perop_open(&p->po, &how, names, COUNT(names)),
                     -ENAMETOOLONG);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    /* One of several; what was made for the others goes. */
    how.prefix = "a";
    assert_int_equal(mkdir("a-File-stat-00000.csv", 0777), 0);
    assert_int_equal(tmk_perop_open(&p->po, &how, names, COUNT(names)),
                     -EISDIR);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    assert_int_equal(rmdir("a-File-stat-00000.csv"), 0);
}

static void a_phase_that_has_no_file_is_not_recorded(void **state)
{
    struct place *p = *state;

    open_them(p, false);
    assert_false(tmk_perop_begin(&p->po, "File read", 1, 0, &p->t0_ns, 10));
    assert_false(tmk_perop_record(&p->po, 1, 2, 3));
    tmk_perop_end(&p->po);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    /* Nor is anything that was never opened. */
    p->po = (struct tmk_perop){0};
    assert_false(tmk_perop_begin(&p->po, "File stat", 1, 0, &p->t0_ns, 10));
    assert_false(tmk_perop_record(&p->po, 1, 2, 3));
    tmk_perop_end(&p->po);
}

static void a_full_buffer_is_written_and_nothing_is_lost(void **state)
{
    enum { PLANNED = 100, DONE = 2 * PLANNED + 1 };
    struct place *p = *state;
    char line[128];
    double before = -1;
    int lines = 0;
    int flushes = 0;
    FILE *f;

    open_them(p, false);
    assert_true(tmk_perop_begin(&p->po, "File stat", 1, 0, &p->t0_ns, PLANNED));
    for (uint64_t i = 0; i < DONE; i++) {
        flushes += tmk_perop_record(&p->po, p->t0_ns + 1000 * i,
                                    p->t0_ns + 1000 * i + 1, 0);
    }
    tmk_perop_end(&p->po);
    assert_int_equal(flushes, 2);
    assert_int_equal(tmk_perop_flushed(&p->po, 0), 0);
    assert_true(tmk_perop_flushed(&p->po, 1) > 0);
    assert_int_equal(tmk_perop_flushed(&p->po, 1), 0); /* was asked for */
    assert_int_equal(tmk_perop_close(&p->po), 0);
    f = fopen("my run-File-stat-00007.csv", "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof(line), f));
    while (fgets(line, sizeof(line), f) != NULL) {
        double at = strtod(line, NULL);

        assert_true(at > before && fabs(at - 1e-6 * lines) < 1e-12);
        before = at;
        lines++;
    }
    fclose(f);
    assert_int_equal(lines, DONE);
    assert_int_equal(unlink("my run-File-stat-00007.csv"), 0);
}

static void as_many_as_planned_are_not_written_in_the_phase(void **state)
{
    struct place *p = *state;

    open_them(p, false);
    assert_true(tmk_perop_begin(&p->po, "File stat", 1, 0, &p->t0_ns, 100));
    for (int i = 0; i < 100; i++) {
        assert_false(tmk_perop_record(&p->po, p->t0_ns, p->t0_ns + 1, 0));
    }
    tmk_perop_end(&p->po);
    assert_int_equal(tmk_perop_flushed(&p->po, 1), 0);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    assert_int_equal(unlink("my run-File-stat-00007.csv"), 0);
}

/* What will be: 10^12 operations need no more memory than the buffer. */
static void memory_is_bounded(void **state)
{
    struct place *p = *state;

    open_them(p, false);
    assert_true(tmk_perop_begin(&p->po, "File stat", 1, 0, &p->t0_ns,
                                UINT64_C(1000000000000)));
    assert_int_equal(p->po.capacity, TMK_PEROP_ROWS_MAX);
    tmk_perop_end(&p->po);
    assert_int_equal(tmk_perop_close(&p->po), 0);
    assert_int_equal(unlink("my run-File-stat-00007.csv"), 0);
}

static void an_error_of_writing_is_remembered(void **state)
{
    struct place *p = *state;
    struct rlimit before;

    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    open_them(p, false);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, before.rlim_max});
    run(p, "File creation", 1, 0, p->t0_ns, 0);
    setrlimit(RLIMIT_FSIZE, &before);
    run(p, "File stat", 1, 0, p->t0_ns, 0);
    assert_true(tmk_perop_close(&p->po) < 0);
    expect_and_remove("my run-File-stat-00007.csv",
                      "time,runtime,tp,tasks,iteration\n"
                      "0.00000000e+00,2.50000000e-01,4.000000e+00,1,0\n");
    assert_int_equal(unlink("my run-File-creation-00007.csv"), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_operation_is_a_line),
        CASE(without_bytes_operations_per_second_are_told),
        CASE(iterations_and_tests_follow_each_other),
        CASE(the_form_of_the_original_has_three_columns_and_blanks),
        CASE(a_launch_that_measures_nothing_changes_nothing),
        CASE(what_an_earlier_launch_wrote_does_not_stand_beside),
        CASE(a_prefix_that_cannot_be_written_is_refused),
        CASE(a_phase_that_has_no_file_is_not_recorded),
        CASE(a_full_buffer_is_written_and_nothing_is_lost),
        CASE(as_many_as_planned_are_not_written_in_the_phase),
        CASE(memory_is_bounded),
        CASE(an_error_of_writing_is_remembered),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
