/*
 * ior_plain: `ior -w -r` against the loop that one would write by hand, by
 * turns in one program.
 *
 *     ior_plain DIR BLOCK TRANSFER PAIRS [-F]
 *
 * Each of these writes BLOCK bytes per rank in pieces of TRANSFER, one after
 * the other, reads them and removes them, in one file or, with -F, in one for
 * each rank:
 *
 *     ior     the program as it is
 *     plain   open, pwrite or pread in a loop, close
 *     again   the same once more, which shows the noise
 *
 * In a pair each has three turns, and each follows each of the others; the
 * times are added up.  Before a turn there is a nap: a kernel that keeps 50 ms
 * of each second from processes under real-time scheduling shall not take them
 * out of a phase.
 *
 * A phase is from a barrier to a barrier; the data is what -l timestamp gives,
 * filled in once, before the clock.
 *
 * Prints a line for writes and one for reads: MiB/s of ior and of plain
 * (geometric means), and two ratios of the rates of a pair, ior / plain and
 * again / plain, each as geometric mean and 95 % confidence interval (Student's
 * t of the logarithms).
 */
#include <fcntl.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/stats.h"
#include "bench/ior_main.h"
#include "engine/engine.h"
#include "run/clock.h"
#include "run/job.h"
#include "run/result.h"

enum {
    PATH_SIZE = 4096,
    ALIGN = 4096,
    MIB = 1048576,
    TURNS = 3,
    NAP_NS = 8000000
};

enum access { WRITE, READ, ACCESSES };

enum series { IOR, PLAIN, AGAIN, SERIES };

struct bench {
    struct tmk_job job;
    const char *dir;
    char *block_text, *transfer_text;
    size_t block, transfer; /* bytes */
    bool file_per_rank;
    void *buf;
    char path[PATH_SIZE]; /* by hand */
    uint64_t begin;       /* of this rank's block in its file */
    FILE *said;           /* by ior, in `text` */
    char *text;
    size_t text_size;
    double times_s[SERIES][ACCESSES]; /* of a pair */
};

static void give_up(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/*
 * By hand.
 */

static void fill(const struct bench *b)
{
    uint64_t *words = b->buf;
    uint64_t seed = (uint64_t)time(NULL);

    for (size_t j = 0; j < b->transfer / sizeof(*words); j++) {
        words[j] = (uint64_t)b->job.rank << 32 | (seed + j);
    }
}

static void write_block(const struct bench *b)
{
    int fd = open(b->path, O_RDWR | O_CREAT, 0664);

    for (size_t done = 0; done < b->block; done += b->transfer) {
        if (pwrite(fd, b->buf, b->transfer, (off_t)(b->begin + done)) !=
            (ssize_t)b->transfer) {
            give_up(b->path);
        }
    }
    if (close(fd) != 0) {
        give_up(b->path);
    }
}

static void read_block(const struct bench *b)
{
    int fd = open(b->path, O_RDONLY);

    for (size_t done = 0; done < b->block; done += b->transfer) {
        if (pread(fd, b->buf, b->transfer, (off_t)(b->begin + done)) !=
            (ssize_t)b->transfer) {
            give_up(b->path);
        }
    }
    if (close(fd) != 0) {
        give_up(b->path);
    }
}

/* The longest of a rank. */
static double time_all(void (*move)(const struct bench *),
                       const struct bench *b)
{
    uint64_t took;

    MPI_Barrier(MPI_COMM_WORLD);
    took = tmk_clock_ns();
    move(b);
    MPI_Barrier(MPI_COMM_WORLD);
    took = tmk_clock_ns() - took;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_UINT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    return (double)took / 1e9;
}

static double all_mib(const struct bench *b)
{
    return (double)b->block * b->job.size / MIB;
}

static void by_hand_all(struct bench *b, enum series which)
{
    fill(b);
    b->times_s[which][WRITE] += time_all(write_block, b);
    b->times_s[which][READ] += time_all(read_block, b);
    if ((b->file_per_rank || b->job.rank == 0) && unlink(b->path) != 0) {
        give_up(b->path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/*
 * ior.
 */

/* What stands behind a word. */
static double said(const struct bench *b, const char *word)
{
    const char *at = strstr(b->text, word);
    double value = at != NULL ? strtod(at + strlen(word), NULL) : 0.0;

    if (value <= 0.0) {
        (void)fprintf(stderr, "ior_plain: no \"%s\" in\n%s", word, b->text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return value;
}

static void ior_all(struct bench *b)
{
    static const struct tmk_engine_ops *const engines[] = {&tmk_engine_posix,
                                                           NULL};
    static const struct tmk_ior_parts parts = {
        .version = "",
        .version_git = "",
        .engines = engines,
    };
    char path[PATH_SIZE];
    char *argv[] = {"ior",
                    "-w",
                    "-r",
                    "-b",
                    b->block_text,
                    "-t",
                    b->transfer_text,
                    "-o",
                    path,
                    b->file_per_rank ? "-F" : NULL,
                    NULL};
    struct tmk_result result;

    (void)snprintf(path, sizeof(path), "%s/ior", b->dir);
    rewind(b->said);
    if (tmk_ior_main_all(&b->job, b->file_per_rank ? 10 : 9, argv, &parts,
                         &result) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    (void)fflush(b->said);
    if (b->job.rank == 0) {
        b->times_s[IOR][WRITE] += all_mib(b) / said(b, "Max Write:");
        b->times_s[IOR][READ] += all_mib(b) / said(b, "Max Read:");
    }
}

/*
 * Comparing.
 */

struct ratios {
    struct tmk_stats ours, control; /* logarithms */
    struct tmk_stats ior, plain;    /* of rates */
};

static void add_pair(const struct bench *b, struct ratios *ratios)
{
    for (int access = 0; access < ACCESSES; access++) {
        double log_ior = log(b->times_s[IOR][access]);
        double log_plain = log(b->times_s[PLAIN][access]);
        double log_again = log(b->times_s[AGAIN][access]);
        double log_mib = log(all_mib(b) * TURNS);
        struct ratios *r = &ratios[access];

        tmk_stats_add(&r->ior, log_mib - log_ior);
        tmk_stats_add(&r->plain, log_mib - log_plain);
        tmk_stats_add(&r->ours, log_plain - log_ior);
        tmk_stats_add(&r->control, log_plain - log_again);
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
    static const char *const names[ACCESSES] = {"write", "read"};

    for (int access = 0; access < ACCESSES; access++) {
        printf("%s %.0f %.0f", names[access], exp(ratios[access].ior.mean),
               exp(ratios[access].plain.mean));
        print_ratio(&ratios[access].ours);
        print_ratio(&ratios[access].control);
        putchar('\n');
    }
}

static void run_pair(struct bench *b, long pair)
{
    static const enum series orders[2][TURNS][SERIES] = {
        {{IOR, PLAIN, AGAIN}, {PLAIN, AGAIN, IOR}, {AGAIN, IOR, PLAIN}},
        {{AGAIN, PLAIN, IOR}, {IOR, AGAIN, PLAIN}, {PLAIN, IOR, AGAIN}},
    };

    memset(b->times_s, 0, sizeof(b->times_s));
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < SERIES; i++) {
            enum series which = orders[pair % 2][turn][i];

            tmk_job_sleep(NAP_NS);
            if (which == IOR) {
                ior_all(b);
            } else {
                by_hand_all(b, which);
            }
        }
    }
}

static int init_all(struct bench *b, char **argv)
{
    b->dir = argv[1];
    b->block_text = argv[2];
    b->transfer_text = argv[3];
    b->block = strtoull(argv[2], NULL, 10);
    b->transfer = strtoull(argv[3], NULL, 10);
    if (b->transfer == 0 || b->block % b->transfer != 0) {
        return -1;
    }
    b->buf = aligned_alloc(ALIGN, (b->transfer + ALIGN - 1) / ALIGN * ALIGN);
    b->said = open_memstream(&b->text, &b->text_size);
    if (b->buf == NULL || b->said == NULL ||
        tmk_job_init_all(&b->job, MPI_COMM_WORLD, "ior", b->said, stderr) !=
            0) {
        give_up("ior_plain");
    }
    b->begin = b->file_per_rank ? 0 : (uint64_t)b->job.rank * b->block;
    (void)snprintf(b->path, sizeof(b->path), "%s/plain.%08d", b->dir,
                   b->file_per_rank ? b->job.rank : 0);
    return 0;
}

int main(int argc, char **argv)
{
    static struct bench b;
    static struct ratios ratios[ACCESSES];
    long pairs;

    MPI_Init(&argc, &argv);
    b.file_per_rank = argc == 6 && strcmp(argv[5], "-F") == 0;
    if ((argc != 5 && !b.file_per_rank) || strlen(argv[1]) > PATH_SIZE / 2 ||
        init_all(&b, argv) != 0) {
        fputs("usage: ior_plain DIR BLOCK TRANSFER PAIRS [-F]\n", stderr);
        MPI_Finalize();
        return 2;
    }
    pairs = strtol(argv[4], NULL, 10);
    run_pair(&b, 0); /* to warm up */
    for (long pair = 0; pair < pairs; pair++) {
        run_pair(&b, pair);
        if (b.job.rank == 0) {
            add_pair(&b, ratios);
        }
    }
    if (b.job.rank == 0) {
        print_ratios(ratios);
    }
    tmk_job_fini_all(&b.job);
    (void)fclose(b.said);
    free(b.text);
    free(b.buf);
    MPI_Finalize();
    return 0;
}
