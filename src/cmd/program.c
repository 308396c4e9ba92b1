/*
 * program: what all commands do that run on all MPI ranks.
 */
#include "cmd/program.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/launch.h"

static int run_job(const struct tmk_program *program, int argc, char **argv)
{
    struct tmk_job *job = malloc(sizeof(*job));
    int status = 1;
    int rank;

    if (job == NULL) {
        fprintf(stderr, "%s: out of memory\n", program->name);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    if (tmk_job_init_all(job, MPI_COMM_WORLD, program->name, stdout, stderr) !=
        0) {
        fprintf(stderr, "%s: the node map cannot be found\n", program->name);
    } else {
        status = program->run(job, argc, argv);
    }
    rank = job->rank;
    tmk_job_fini_all(job);
    free(job);
    return rank == 0 ? tmk_command_flush(program->name, status) : 0;
}

static int print_version(const struct tmk_program *program)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        return 0;
    }
    printf("%s%s%s%s\n", program->version, tmk_version,
           tmk_version_git[0] != '\0' ? " " : "", tmk_version_git);
    return tmk_command_flush(program->name, 0);
}

int tmk_program_run(const struct tmk_program *program, int argc, char **argv)
{
    int status = 0;

    tmk_job_hold_signals();
    MPI_Init(NULL, NULL);
    if (tmk_launch_refused(program->name, &status)) {
        /* said */
    } else if (program->version != NULL && argc == 2 &&
               strcmp(argv[1], "--version") == 0) {
        status = print_version(program);
    } else {
        tmk_job_catch_signals();
        status = run_job(program, argc, argv);
    }
    MPI_Finalize();
    return status;
}
