/*
 * clean(1): remove what a run left behind.
 *
 *     cmd/clean.c           argv in, exit status out       (this file)
 *     bench/clean_main.c    argv -> what was removed
 *     bench/clean_conf.c    one row per option
 *     bench/clean_survey.c  what is there, and is anybody at work?
 *     bench/clean_walk.c    removing trees with all ranks
 *     engine/below.c          directories, opened without leaving them
 *     bench/clean_ior.c       is this file of ior?
 *     bench/clean_tally.c   what was removed, what was not
 *     run/queue.c           work, divided among ranks on demand
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/clean_main.h"
#include "cmd/command.h"
#include "cmd/launch.h"

static const char program[] = "treemark clean";

/* The exit status is rank 0's alone: launchers combine those of all ranks. */
static int run_all(int argc, char **argv)
{
    struct tmk_job *job = malloc(sizeof(*job));
    int status = 1;
    int rank;

    if (job == NULL) {
        fprintf(stderr, "%s: out of memory\n", program);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    if (tmk_job_init_all(job, MPI_COMM_WORLD, program, stdout, stderr) != 0) {
        fprintf(stderr, "%s: the node map cannot be found\n", program);
    } else {
        status = tmk_clean_main_all(job, argc, argv);
    }
    rank = job->rank;
    tmk_job_fini_all(job);
    free(job);
    return rank == 0 ? tmk_command_flush(program, status) : 0;
}

int tmk_cmd_clean(int argc, char **argv)
{
    int status = 0;

    tmk_job_hold_signals();
    MPI_Init(NULL, NULL);
    if (!tmk_launch_refused(program, &status)) {
        tmk_job_catch_signals();
        status = run_all(argc, argv);
    }
    MPI_Finalize();
    return status;
}
