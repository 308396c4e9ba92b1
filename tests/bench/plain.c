/*
 * plain: `mdtest -F` against the loops that one would write by hand, by turns
 * in one program.
 *
 *     plain DIR N ROUNDS
 *
 * In every round each of these creates, stats, reads (open and close) and
 * removes N files per rank of the same names in a tree of one directory.  The
 * order changes so that in four rounds each follows every other once:
 *
 *     mdtest   the program as it is
 *     plain    a loop with snprintf for the name and the calls
 *     again    the same once more, which shows the noise
 *     ready    a loop over names that were made before: nothing but the calls
 *
 * Prints a line per operation: its name, the rates of mdtest and plain
 * (geometric means, per second), and three ratios of the rates of a round:
 * mdtest / plain, again / plain, mdtest / ready, each as geometric mean and 95
 * % confidence interval (Student's t of the logarithms).
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stats.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_plan.h"
#include "engine/engine.h"
#include "run/clock.h"
#include "run/job.h"
#include "run/report.h"

enum { NAME_SIZE = 256 };

enum operation { CREATE, STAT, READ, REMOVE, OPERATIONS };

enum series { MDTEST, PLAIN, AGAIN, READY, SERIES };

struct bench {
    struct tmk_job job;
    const char *dir;
    char *n_text;
    size_t n;
    char (*ready)[NAME_SIZE];
    double rates[SERIES][OPERATIONS]; /* of a round, per second */
};

static void give_up(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/*
 * By hand.
 */

static int create_file(const char *name)
{
    int fd = open(name, O_RDWR | O_CREAT, 0664);

    return fd < 0 ? fd : close(fd);
}

static int stat_file(const char *name)
{
    struct stat st;

    return stat(name, &st);
}

static int read_file(const char *name)
{
    int fd = open(name, O_RDONLY);

    return fd < 0 ? fd : close(fd);
}

static inline void operate(enum operation op, const char *name)
{
    int err = -1;

    switch (op) {
    case CREATE: err = create_file(name); break;
    case STAT: err = stat_file(name); break;
    case READ: err = read_file(name); break;
    case REMOVE: err = unlink(name); break;
    case OPERATIONS: break;
    }
    if (err != 0) {
        give_up(name);
    }
}

static void name_file(const struct bench *b, const char *tree, size_t i,
                      char *name)
{
    (void)snprintf(name, NAME_SIZE, "%s/file.mdtest.%d.%zu", tree, b->job.rank,
                   i);
}

static void loop(const struct bench *b, const char *tree, enum operation op)
{
    char name[NAME_SIZE];

    for (size_t i = 0; i < b->n; i++) {
        name_file(b, tree, i, name);
        operate(op, name);
    }
}

static void loop_ready(const struct bench *b, enum operation op)
{
    for (size_t i = 0; i < b->n; i++) {
        operate(op, b->ready[i]);
    }
}

/* The longest time of a rank, from barrier to barrier, as a phase has it. */
static double rate_all(const struct bench *b, enum operation op,
                       const char *tree, enum series which)
{
    uint64_t took;

    MPI_Barrier(MPI_COMM_WORLD);
    took = tmk_clock_ns();
    if (which == READY) {
        loop_ready(b, op);
    } else {
        loop(b, tree, op);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    took = tmk_clock_ns() - took;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_UINT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    return (double)b->n * b->job.size * 1e9 / (double)took;
}

static void must_mkdir(const char *path)
{
    if (mkdir(path, 0775) != 0 && errno != EEXIST) {
        give_up(path);
    }
}

static void by_hand_all(struct bench *b, enum series which)
{
    char top[NAME_SIZE / 2];
    char tree[NAME_SIZE - 64];

    (void)snprintf(top, sizeof(top), "%s/test-dir.0-0", b->dir);
    (void)snprintf(tree, sizeof(tree), "%s/mdtest_tree.0", top);
    if (b->job.rank == 0) {
        must_mkdir(top);
        must_mkdir(tree);
    }
    for (size_t i = 0; which == READY && i < b->n; i++) {
        name_file(b, tree, i, b->ready[i]);
    }
    for (int op = 0; op < OPERATIONS; op++) {
        b->rates[which][op] = rate_all(b, (enum operation)op, tree, which);
    }
    if (b->job.rank == 0) {
        (void)rmdir(tree);
        (void)rmdir(top);
    }
}

/*
 * mdtest.
 */

/* Phases that are no operation of ours go into nothing. */
static void keep_rate(void *state, const struct tmk_result_test *test,
                      const struct tmk_result_row *row, int iteration,
                      const struct tmk_phase_result *phase)
{
    static const enum tmk_mdtest_phase phases[OPERATIONS] = {
        [CREATE] = TMK_MDTEST_FILE_CREATE,
        [STAT] = TMK_MDTEST_FILE_STAT,
        [READ] = TMK_MDTEST_FILE_READ,
        [REMOVE] = TMK_MDTEST_FILE_REMOVE,
    };
    struct bench *b = state;

    (void)iteration;
    for (int op = 0; op < OPERATIONS; op++) {
        if (row == &test->rows[phases[op]]) {
            b->rates[MDTEST][op] = phase->rate_per_s;
        }
    }
}

static void mdtest_all(struct bench *b)
{
    static const struct tmk_engine_ops *const engines[] = {&tmk_engine_posix,
                                                           NULL};
    static const struct tmk_writer_ops ops = {.phase = keep_rate};
    const struct tmk_writer writers[] = {{&ops, b}, {NULL, NULL}};
    const struct tmk_mdtest_parts parts = {
        .version = "",
        .engines = engines,
        .writers = writers,
    };
    char dir[NAME_SIZE];
    char *argv[] = {"mdtest", "-F", "-n", b->n_text, "-d", dir, NULL};
    struct tmk_result result;

    (void)snprintf(dir, sizeof(dir), "%s", b->dir);
    if (tmk_mdtest_main_all(&b->job, 6, argv, &parts, &result) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/*
 * Comparing.
 */

struct ratios {
    struct tmk_stats ours, control, bare; /* logarithms */
    struct tmk_stats mdtest, plain;       /* of rates */
};

static void add_round(const struct bench *b, struct ratios *ratios)
{
    for (int op = 0; op < OPERATIONS; op++) {
        double log_plain = log(b->rates[PLAIN][op]);
        double log_mdtest = log(b->rates[MDTEST][op]);
        struct ratios *r = &ratios[op];

        tmk_stats_add(&r->mdtest, log_mdtest);
        tmk_stats_add(&r->plain, log_plain);
        tmk_stats_add(&r->ours, log_mdtest - log_plain);
        tmk_stats_add(&r->control, log(b->rates[AGAIN][op]) - log_plain);
        tmk_stats_add(&r->bare, log_mdtest - log(b->rates[READY][op]));
    }
}

static void print_ratio(const struct tmk_stats *s)
{
    double half = tmk_stats_ci95(s);

    printf(" %.4f %.4f %.4f", exp(s->mean), exp(s->mean - half),
           exp(s->mean + half));
}

static void print_ratios(const struct ratios *ratios)
{
    static const char *const names[OPERATIONS] = {"create", "stat", "read",
                                                  "remove"};

    for (int op = 0; op < OPERATIONS; op++) {
        printf("%s %.0f %.0f", names[op], exp(ratios[op].mdtest.mean),
               exp(ratios[op].plain.mean));
        print_ratio(&ratios[op].ours);
        print_ratio(&ratios[op].control);
        print_ratio(&ratios[op].bare);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    static const enum series orders[SERIES][SERIES] = {
        {MDTEST, PLAIN, READY, AGAIN},
        {PLAIN, AGAIN, MDTEST, READY},
        {AGAIN, READY, PLAIN, MDTEST},
        {READY, MDTEST, AGAIN, PLAIN},
    };
    static struct bench b;
    static struct ratios ratios[OPERATIONS];
    FILE *null = fopen("/dev/null", "w");
    long rounds;

    MPI_Init(&argc, &argv);
    if (argc != 4 || strlen(argv[1]) > NAME_SIZE / 4) {
        fputs("usage: plain DIR N ROUNDS\n", stderr);
        MPI_Finalize();
        return 2;
    }
    b.dir = argv[1];
    b.n_text = argv[2];
    b.n = strtoull(argv[2], NULL, 10);
    rounds = strtol(argv[3], NULL, 10);
    b.ready = calloc(b.n, sizeof(*b.ready));
    if (null == NULL || b.ready == NULL ||
        tmk_job_init_all(&b.job, MPI_COMM_WORLD, "plain", null, stderr) != 0) {
        give_up("plain");
    }
    for (long round = -1; round < rounds; round++) { /* one to warm up */
        for (int turn = 0; turn < SERIES; turn++) {
            enum series which = orders[(round + 1) % SERIES][turn];

            if (which == MDTEST) {
                mdtest_all(&b);
            } else {
                by_hand_all(&b, which);
            }
        }
        if (round >= 0) {
            add_round(&b, ratios);
        }
    }
    if (b.job.rank == 0) {
        print_ratios(ratios);
    }
    tmk_job_fini_all(&b.job);
    free(b.ready);
    (void)fclose(null);
    MPI_Finalize();
    return 0;
}
