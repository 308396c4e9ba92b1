/*
 * barrier: the barrier of run/wait against the bare one, in turns.
 *
 *     barrier yields|blocks BLOCK SECONDS
 *
 * A block is so many barriers in a row.  Every round, until the time is over,
 * times one block each of
 * A: the bare barrier, B: ours, C: the bare one again, D: the one that ends a
 * phase; who comes first changes from round to round.  Prints the medians of A
 * and B in us, then B / A, C / A (which shows the noise) and D / A.
 *
 * With "yields" bare is MPI_Ibarrier, tested with sched_yield in between; with
 * "blocks" it is MPI_Barrier.
 */
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/clock.h"
#include "run/wait.h"

enum { BARE, OURS, CONTROL, PHASE_END, SERIES };

enum { ROUNDS_MAX = 4000 };

static void bare_all(const struct tmk_wait *w)
{
    MPI_Request request;
    int done = 0;

    if (!w->yields) {
        MPI_Barrier(w->comm);
        return;
    }
    MPI_Ibarrier(w->comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) {
            return;
        }
        sched_yield();
    }
}

static void phase_end_all(const struct tmk_wait *w)
{
    tmk_wait_barrier_poll_all(w, NULL, NULL);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), compare);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

int main(int argc, char **argv)
{
    static void (*const barrier_all[SERIES])(const struct tmk_wait *) = {
        bare_all, tmk_wait_barrier_all, bare_all, phase_end_all};
    struct tmk_wait w = {0};
    double us[SERIES][ROUNDS_MAX];
    double mid[SERIES];
    long block;
    size_t rounds = 0;
    uint64_t deadline_ns;
    int more = 1;
    int rank;

    MPI_Init(&argc, &argv);
    if (argc != 4) {
        fputs("usage: barrier yields|blocks BLOCK SECONDS\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    w.yields = strcmp(argv[1], "yields") == 0;
    block = strtol(argv[2], NULL, 10);
    deadline_ns = tmk_clock_ns() + strtoull(argv[3], NULL, 10) * 1000000000;
    MPI_Comm_dup(MPI_COMM_WORLD, &w.comm);
    MPI_Comm_rank(w.comm, &rank);
    while (more) {
        for (size_t turn = 0; turn < SERIES; turn++) {
            size_t k = (rounds + turn) % SERIES;
            uint64_t start;

            barrier_all[k](&w);
            start = tmk_clock_ns();
            for (long j = 0; j < block; j++) {
                barrier_all[k](&w);
            }
            us[k][rounds] =
                (double)(tmk_clock_ns() - start) / 1e3 / (double)block;
        }
        rounds++;
        more = rounds < ROUNDS_MAX && tmk_clock_ns() < deadline_ns;
        tmk_wait_bcast_all(&w, &more, 1, MPI_INT);
    }
    for (int k = 0; k < SERIES; k++) {
        mid[k] = median(us[k], rounds);
    }
    if (rank == 0) {
        printf("%.3f %.3f %.3f %.3f %.3f\n", mid[BARE], mid[OURS],
               mid[OURS] / mid[BARE], mid[CONTROL] / mid[BARE],
               mid[PHASE_END] / mid[BARE]);
    }
    MPI_Comm_free(&w.comm);
    MPI_Finalize();
    return 0;
}
