/*
 * find(1): what is in a tree, found by all ranks.
 *
 *     cmd/find.c             argv in, exit status out       (this file)
 *     bench/find_main.c      argv -> result
 *     base/match*.c          expressions
 *     bench/find_walk.c      reading directories with all ranks
 *     bench/find_*.c         what is asked and done on the way
 *     engine/dents.c         entries, from the kernel's buffer
 *     engine/below.c         directories, opened a component at a time
 *     run/queue.c            work, divided among ranks on demand
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/find_main.h"
#include "cmd/command.h"
#include "cmd/launch.h"
#include "cmd/version.h"

/* Also "/x/pfind-1.0". */
static bool is_pfind(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    const char *base = slash != NULL ? slash + 1 : argv0;
    const char name[] = "pfind";

    return strcspn(base, "-.") == sizeof(name) - 1 &&
           strncmp(base, name, sizeof(name) - 1) == 0;
}

/* The exit status is rank 0's alone: launchers combine those of all ranks. */
static int run_all(int argc, char **argv)
{
    const struct tmk_find_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .pfind = is_pfind(argv[0]),
    };
    const char *program = parts.pfind ? "pfind" : "find";
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
        status = tmk_find_main_all(job, argc, argv, &parts);
    }
    rank = job->rank;
    tmk_job_fini_all(job);
    free(job);
    return rank == 0 ? tmk_command_flush(program, status) : 0;
}

int tmk_cmd_find(int argc, char **argv)
{
    int status = 0;

    tmk_job_hold_signals();
    MPI_Init(NULL, NULL);
    if (!tmk_launch_refused("find", &status)) {
        tmk_job_catch_signals();
        status = run_all(argc, argv);
    }
    MPI_Finalize();
    return status;
}
