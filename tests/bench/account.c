/*
 * account: N operations that do nothing, for counting instructions.
 *
 *     account clock N      the clock alone
 *     account did N        what a phase does per operation
 *     account sampled N    the same with operations counted every 10 ms
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/clock.h"
#include "run/job.h"
#include "run/phase.h"

struct bench {
    struct tmk_job job;
    struct tmk_phase phase;
    uint64_t sink;
};

static void read_clock(struct bench *b, long n)
{
    for (long i = 0; i < n; i++) {
        b->sink += tmk_clock_ns();
    }
}

static void account(struct bench *b, long n)
{
    for (long i = 0; i < n; i++) {
        tmk_phase_did(&b->phase, 0);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench;
    static struct tmk_phase_result result;
    struct tmk_phase_how how = {0};
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? strtol(argv[2], NULL, 10) : 0;

    MPI_Init(&argc, &argv);
    if (tmk_job_init_all(&bench.job, MPI_COMM_WORLD, "account", stdout,
                         stderr) != 0 ||
        tmk_phase_init(&bench.phase) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    how.interval_ns = strcmp(what, "sampled") == 0 ? 10000000 : 0;
    tmk_phase_begin_all(&bench.phase, &bench.job, &how);
    if (strcmp(what, "clock") == 0) {
        read_clock(&bench, n);
    } else {
        account(&bench, n);
    }
    tmk_phase_close(&bench.phase);
    tmk_phase_end_all(&bench.phase, &result);
    tmk_phase_fini(&bench.phase);
    tmk_job_fini_all(&bench.job);
    MPI_Finalize();
    return bench.sink == 1;
}
