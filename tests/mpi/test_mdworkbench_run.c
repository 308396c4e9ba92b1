/*
 * mdworkbench in a program of others: on communicators of theirs, again and
 * again, with results that are the same on every rank.
 */
#include "mpi/ranks.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/mdworkbench_main.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct tmk_engine_ops *const engines[] = {
    &tmk_engine_posix,
    &tmk_engine_dummy,
    NULL,
};

static const struct tmk_mdworkbench_parts parts = {
    .version = "0.0",
    .version_git = "",
    .engines = engines,
    .embedded = true,
};

enum { ARGS_MAX = 40, TEXT_MAX = 1 << 16 };

struct bench {
    MPI_Comm comm;
    int rank, size;
    char dir[256];            /* of the group of this rank, shared */
    char args[ARGS_MAX][512]; /* as they were given */
    char *argv[ARGS_MAX];     /* copies, without a NULL behind them */
    int argc;
    FILE *out;
    char text[TEXT_MAX]; /* what was printed on this rank */
    struct tmk_mdworkbench_outcome outcome;
    int status;
};

static void add(struct bench *b, const char *word)
{
    assert_true(b->argc < ARGS_MAX);
    (void)snprintf(b->args[b->argc], sizeof(b->args[0]), "%s", word);
    b->argc++;
}

/* Words without quotes behind those of the directory. */
static void ask(struct bench *b, const char *line)
{
    char text[1024];
    char word[512];
    char *save = NULL;

    b->argc = 0;
    add(b, "./md-workbench");
    (void)snprintf(word, sizeof(word), "-o=%s/md", b->dir);
    add(b, word);
    (void)snprintf(word, sizeof(word), "--run-info-file=%s/status", b->dir);
    add(b, word);
    (void)snprintf(text, sizeof(text), "%s", line);
    for (char *at = strtok_r(text, " ", &save); at != NULL;
         at = strtok_r(NULL, " ", &save)) {
        add(b, at);
    }
}

/* Run; the outcome is to be released. */
static void run_all(struct bench *b, const char *line)
{
    char **argv;
    size_t n;

    ask(b, line);
    argv = malloc((size_t)b->argc * sizeof(*argv)); /* nothing behind */
    assert_non_null(argv);
    for (int i = 0; i < b->argc; i++) {
        argv[i] = strdup(b->args[i]);
        assert_non_null(argv[i]);
    }
    rewind(b->out);
    assert_int_equal(ftruncate(fileno(b->out), 0), 0);
    b->status = tmk_mdworkbench_run_all(b->comm, b->argc, argv, b->out, &parts,
                                        &b->outcome);
    assert_int_equal(fflush(b->out), 0); /* it is still open */
    rewind(b->out);
    n = fread(b->text, 1, sizeof(b->text) - 1, b->out);
    b->text[n] = '\0';
    for (int i = 0; i < b->argc; i++) {
        assert_string_equal(argv[i], b->args[i]);
        free(argv[i]);
    }
    free(argv);
    if (b->rank != 0) {
        assert_string_equal(b->text, "");
    }
    assert_non_null(b->outcome.phases);
    assert_true(b->outcome.room >= 2);
}

static void release(struct bench *b)
{
    tmk_mdworkbench_outcome_fini(&b->outcome);
}

static void works(struct bench *b, const char *line)
{
    run_all(b, line);
    if (b->status != 0 || b->outcome.errors != 0) {
        fail_msg("%s: status %d, %llu errors: %s", line, b->status,
                 (unsigned long long)b->outcome.errors, b->text);
    }
}

static bool is_there(const struct bench *b, const char *name)
{
    char path[512];
    struct stat st;

    (void)snprintf(path, sizeof(path), "%s/%s", b->dir, name);
    return stat(path, &st) == 0;
}

/* The same on every rank. */
static void expect_alike(const struct bench *b)
{
    uint64_t own[] = {
        b->outcome.count, b->outcome.errors, b->outcome.phases[0].objects,
        b->outcome.phases[0].time_ns, b->outcome.phases[0].create_ns[6]};
    uint64_t first[COUNT(own)];

    memcpy(first, own, sizeof(own));
    MPI_Bcast(first, COUNT(own), MPI_UINT64_T, 0, b->comm);
    assert_memory_equal(own, first, sizeof(own));
}

static void expect_rising(const uint64_t *times)
{
    assert_true(times[0] != 0);
    for (int i = 1; i < TMK_MDWORKBENCH_OUTCOME_TIMES; i++) {
        assert_true(times[i - 1] <= times[i]);
    }
}

static void the_three_launches_of_the_suite_go_well(void **state)
{
    static const char common[] =
        "--dataPacketType=timestamp -v -v --process-reports -a POSIX "
        "-t=0.000000 -O=1 -D=10 -G=-1936528466 -P=4 -I=4 ";
    struct bench *b = *state;
    const uint64_t objects = (uint64_t)b->size * 40;
    const struct tmk_mdworkbench_outcome_phase *p;
    char line[512];

    (void)snprintf(line, sizeof(line), "%s-1", common);
    works(b, line);
    p = b->outcome.phases;
    assert_int_equal(b->outcome.count, 1);
    assert_int_equal(p->objects, objects);
    assert_true(p->rate_per_s > 0.0 && p->max_op_ns != 0 && p->time_ns != 0);
    expect_rising(p->create_ns);
    assert_int_equal(p->read_ns[6] + p->stat_ns[6] + p->delete_ns[6], 0);
    expect_alike(b);
    release(b);
    assert_true(is_there(b, "md"));

    (void)snprintf(line, sizeof(line), "%s-2 -R=2 -X", common);
    works(b, line);
    assert_int_equal(b->outcome.count, 2);
    for (int i = 0; i < 2; i++) {
        p = &b->outcome.phases[i];
        assert_int_equal(p->objects, objects);
        expect_rising(p->stat_ns);
        expect_rising(p->read_ns);
        expect_rising(p->delete_ns);
        expect_rising(p->create_ns);
    }
    expect_alike(b);
    release(b);

    (void)snprintf(line, sizeof(line), "%s-3", common);
    works(b, line);
    p = b->outcome.phases;
    assert_int_equal(b->outcome.count, 1);
    assert_int_equal(p->objects, objects);
    expect_rising(p->delete_ns);
    release(b);
    assert_false(is_there(b, "md"));
}

/* A set holds objects from `pos` on, and no other. */
static void expect_set(const struct bench *b, int owner, int set, int pos,
                       int per_set)
{
    char name[64];

    for (int i = pos - 2; i < pos + per_set + 2; i++) {
        (void)snprintf(name, sizeof(name), "md/%d_%d/file-%d", owner, set, i);
        if (is_there(b, name) != (i >= pos && i < pos + per_set)) {
            fail_msg("%s, with objects from %d on", name, pos);
        }
    }
}

static void populations_stay_as_large(void **state)
{
    static const struct {
        int offset, sets, per_set, steps, iterations;
    } rows[] = {
        {1, 1, 1, 1, 3},  {1, 3, 4, 4, 1}, {1, 5, 2, 3, 2}, {-1, 3, 3, 2, 3},
        {0, 2, 3, 10, 1}, {2, 4, 2, 2, 2}, {7, 2, 5, 1, 4}, {1, 10, 1, 9, 1},
    };
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        const int pos = rows[i].steps * rows[i].iterations;
        char common[128];
        char line[256];

        (void)snprintf(common, sizeof(common), "-O %d -D %d -P %d -X -G 9",
                       rows[i].offset, rows[i].sets, rows[i].per_set);
        (void)snprintf(line, sizeof(line), "%s -1", common);
        works(b, line);
        release(b);
        (void)snprintf(line, sizeof(line), "%s -2 -I %d -R %d", common,
                       rows[i].steps, rows[i].iterations);
        works(b, line);
        assert_int_equal(b->outcome.count, rows[i].iterations);
        release(b);
        for (int set = 0; set < rows[i].sets; set++) {
            expect_set(b, b->rank, set, pos, rows[i].per_set);
        }
        MPI_Barrier(b->comm);
        (void)snprintf(line, sizeof(line), "%s -3", common);
        works(b, line);
        assert_int_equal(b->outcome.phases[0].objects,
                         b->size * rows[i].sets * rows[i].per_set);
        release(b);
        assert_false(is_there(b, "md"));
    }
}

static void nothing_to_do_is_survived(void **state)
{
    struct bench *b = *state;

    works(b, "-P=0 -I=0 -D=10 -1");
    assert_int_equal(b->outcome.count, 1);
    assert_int_equal(b->outcome.phases[0].objects, 0);
    assert_true(b->outcome.phases[0].rate_per_s > 0.0); /* of sets */
    release(b);
    works(b, "-P=0 -I=0 -D=10 -2 -R=2 -X");
    assert_int_equal(b->outcome.count, 2);
    assert_true(b->outcome.phases[1].rate_per_s == 0.0);
    release(b);
    works(b, "-P=0 -I=0 -D=10 -3");
    assert_int_equal(b->outcome.count, 1);
    release(b);
    assert_false(is_there(b, "md"));
}

static void bad_requests_come_back_as_errors(void **state)
{
    static const char *const rows[] = {
        "--nothing", "-P x",    "-a NONE",        "-2",
        "-S 1p",     "-T -t 1", "-o=/dev/null/1", "-L /dev/null/x -P 1",
    };
    struct bench *b = *state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        run_all(b, rows[i]);
        assert_int_equal(b->status, 2);
        assert_int_equal(b->outcome.count, 0);
        assert_int_equal(b->outcome.errors, 1);
        assert_true(b->outcome.phases[1].rate_per_s == 0.0);
        if (b->rank == 0) {
            assert_non_null(strstr(b->text, "mdworkbench: "));
        }
        release(b);
        assert_false(is_there(b, "md"));
    }
}

static void what_failed_has_no_rate(void **state)
{
    struct bench *b = *state;
    char path[512];

    works(b, "-P 20 -D 2 -1 -G 5");
    release(b);
    (void)snprintf(path, sizeof(path), "%s/md/0_1/file-7", b->dir);
    if (b->rank == 0) {
        assert_int_equal(truncate(path, 10), 0);
    }
    MPI_Barrier(b->comm);
    run_all(b, "-P 20 -I 20 -D 2 -2 -R 2 -X -G 5");
    assert_int_equal(b->status, 1);
    assert_int_equal(b->outcome.count, 2);
    assert_int_equal(b->outcome.errors, 1);
    assert_int_equal(b->outcome.phases[0].errors, 1);
    assert_true(b->outcome.phases[0].rate_per_s == 0.0);
    assert_true(b->outcome.phases[1].rate_per_s > 0.0);
    assert_int_equal(b->outcome.phases[0].objects, (uint64_t)b->size * 40 - 1);
    release(b);
    works(b, "-P 20 -D 2 -3");
    release(b);
}

/* Whatever fails on whatever rank, nobody waits for ever, and all agree. */
static void one_rank_fails_and_all_come_back(void **state)
{
    static const char *const calls[] = {"mkdir", "stat",  "open",   "read",
                                        "write", "close", "create", "unlink",
                                        "rmdir", "any"};
    static const char *const ways[] = {
        "-P 6 -I 6 -R 2",
        "-P 3 -I 8 -R 2", /* in step */
        "-P 6 -I 6 -R 2 -w 1",
        "-P 3 -I 8 -R 1 -w 1 --max-errors=1",
    };
    struct bench *b = *state;

    for (size_t c = 0; c < COUNT(calls); c++) {
        for (size_t w = 0; w < COUNT(ways); w++) {
            char line[512];

            (void)snprintf(line, sizeof(line),
                           "-a DUMMY -D 2 %s --dummy.fail-every=%s:5:ENOSPC "
                           "--dummy.fail-only-rank=%d",
                           ways[w], calls[c], b->size - 1);
            run_all(b, line);
            expect_alike(b);
            if (b->status == 0 || b->outcome.errors == 0) {
                /* There may be fewer than five of these. */
                assert_true(strcmp(calls[c], "mkdir") == 0 ||
                            strcmp(calls[c], "rmdir") == 0);
            }
            release(b);
        }
    }
}

static void again_and_again(void **state)
{
    struct bench *b = *state;

    for (int i = 0; i < 20; i++) {
        works(b, "-P 2 -I 2 -D 2 -R 1 -X -T");
        assert_int_equal(b->outcome.count, 10);
        assert_true(b->outcome.room >= 10);
        release(b);
    }
}

static void handlers_of_signals_stay(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1, SIGPIPE, SIGXFSZ};
    struct bench *b = *state;
    struct sigaction before[COUNT(signals)];
    struct sigaction after;

    for (size_t i = 0; i < COUNT(signals); i++) {
        assert_int_equal(sigaction(signals[i], NULL, &before[i]), 0);
    }
    works(b, "-P 2 -I 2 -D 1 -R 1");
    release(b);
    for (size_t i = 0; i < COUNT(signals); i++) {
        assert_int_equal(sigaction(signals[i], NULL, &after), 0);
        assert_true(after.sa_handler == before[i].sa_handler);
    }
}

/* Halves of the ranks at once, each with a population of its own. */
static void two_communicators_work_at_once(void **state)
{
    struct bench *all = *state;
    struct bench *b = calloc(1, sizeof(*b));
    MPI_Comm half;

    assert_non_null(b);
    MPI_Comm_split(all->comm, all->rank % 2, -all->rank, &half);
    *b = *all;
    b->comm = half;
    MPI_Comm_rank(half, &b->rank);
    MPI_Comm_size(half, &b->size);
    (void)snprintf(b->dir, sizeof(b->dir), "%.200s/half-%d", all->dir,
                   all->rank % 2);
    if (b->rank == 0) {
        assert_int_equal(mkdir(b->dir, 0700), 0);
    }
    MPI_Barrier(half);
    for (int i = 0; i < 3; i++) {
        works(b, "-P 5 -I 5 -D 3 -R 2 -X");
        assert_int_equal(b->outcome.count, 4);
        assert_int_equal(b->outcome.phases[1].objects, (uint64_t)b->size * 15);
        release(b);
    }
    MPI_Barrier(half);
    if (b->rank == 0) {
        assert_int_equal(rmdir(b->dir), 0);
    }
    MPI_Barrier(all->comm);
    MPI_Comm_free(&half);
    free(b);
}

static int init(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));
    const char *tmp = getenv("TMPDIR");

    *state = b;
    if (b == NULL) {
        return -1;
    }
    b->comm = MPI_COMM_WORLD;
    b->rank = ranks_rank();
    b->size = ranks_size();
    b->out = tmpfile();
    (void)snprintf(b->dir, sizeof(b->dir), "%.100s/mdworkbench-XXXXXX",
                   tmp != NULL ? tmp : "/tmp");
    if (b->out == NULL || (b->rank == 0 && mkdtemp(b->dir) == NULL)) {
        return -1;
    }
    MPI_Bcast(b->dir, (int)sizeof(b->dir), MPI_CHAR, 0, MPI_COMM_WORLD);
    return 0;
}

static int fini(void **state)
{
    struct bench *b = *state;
    char path[512];

    MPI_Barrier(MPI_COMM_WORLD);
    (void)snprintf(path, sizeof(path), "%s/status", b->dir);
    if (b->rank == 0) {
        (void)unlink(path);
        (void)rmdir(b->dir);
    }
    (void)fclose(b->out);
    free(b);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_three_launches_of_the_suite_go_well),
        cmocka_unit_test(populations_stay_as_large),
        cmocka_unit_test(nothing_to_do_is_survived),
        cmocka_unit_test(bad_requests_come_back_as_errors),
        cmocka_unit_test(what_failed_has_no_rate),
        cmocka_unit_test(one_rank_fails_and_all_come_back),
        cmocka_unit_test(again_and_again),
        cmocka_unit_test(handlers_of_signals_stay),
        cmocka_unit_test(two_communicators_work_at_once),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
