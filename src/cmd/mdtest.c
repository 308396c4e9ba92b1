/*
 * mdtest(1): metadata rates of a file system.
 *
 *     cmd/mdtest.c            argv in, exit status out       (this file)
 *     bench/mdtest_parse.c    argv -> options
 *     bench/mdtest_conf.c     one row per option
 *     bench/mdtest_main.c     argv -> result
 *     bench/mdtest_plan.c     options -> plan, pure
 *     bench/mdtest_check.c    which options go together
 *     bench/mdtest_space.c    does the plan fit?
 *     bench/mdtest_direct.c   does the file system take O_DIRECT?
 *     bench/mdtest_site.c     -d, test directories, leftovers
 *     bench/mdtest_marker.c   which run is at work in a directory
 *     bench/mdtest_test.c     iterations of phases, cleaning up
 *     bench/mdtest_progress.c who waits is told
 *     bench/mdtest_phases.c   a phase, one row each
 *     bench/mdtest_items.c    a phase on items
 *     bench/mdtest_visit.c      its measured loops
 *     bench/mdtest_operations.c what is done to an item
 *     bench/mdtest_data.c       what files hold
 *     bench/mdtest_dirs.c       names relative to directories
 *     bench/mdtest_rename.c     chains of renames
 *     bench/mdtest_known.c    who does what, who knows what was made
 *     bench/mdtest_made.c     what was made
 *     bench/mdtest_trees.c    the directories of trees
 *     bench/mdtest_selfcheck.c what phases say, against the disk (--check)
 *     bench/mdtest_cleanup.c  after an interrupt or a full disk
 *     bench/mdtest_status*.c  the status file (-x)
 *     bench/mdtest_outputs.c  files beside the report
 *     run/phase.c             barrier, clock, combine
 *     run/progress.c          how far a phase is, while it runs
 *     run/totals.c              known to rank 0 without stopping others
 *     engine/<api>.c          the calls that are being measured
 *     run/report_<form>.c     results -> text, JSON, CSV
 *     run/verdict.c           what a run is worth
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_main.h"
#include "cmd/command.h"
#include "cmd/engines.h"
#include "cmd/launch.h"
#include "cmd/version.h"
#include "run/report.h"

/* The exit status is rank 0's alone: launchers combine those of all ranks. */
static int run_all(int argc, char **argv)
{
    const struct tmk_writer writers[] = {
        {.ops = &tmk_report_text, .state = stdout},
        {.ops = NULL},
    };
    const struct tmk_mdtest_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines_mdtest,
        .writers = writers,
    };
    struct tmk_job *job = malloc(sizeof(*job));
    struct tmk_result result;
    int status;
    int rank;

    if (job == NULL) {
        fputs("mdtest: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    if (tmk_job_init_all(job, MPI_COMM_WORLD, "mdtest", stdout, stderr) != 0) {
        fputs("mdtest: the node map cannot be found\n", stderr);
        status = 1;
    } else {
        status = tmk_mdtest_main_all(job, argc, argv, &parts, &result);
    }
    rank = job->rank;
    tmk_job_fini_all(job);
    free(job);
    if (rank != 0) {
        return 0;
    }
    return tmk_command_flush("mdtest", status);
}

static bool version_asked(int argc, char **argv)
{
    return argc == 2 && strcmp(argv[1], "--version") == 0;
}

int tmk_cmd_mdtest(int argc, char **argv)
{
    int rank;
    int status = 0;

    tmk_job_hold_signals();
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (tmk_launch_refused("mdtest", &status)) {
        /* said */
    } else if (version_asked(argc, argv)) {
        if (rank == 0) {
            printf("mdtest-4.1.0+treemark-%s%s%s\n", tmk_version,
                   tmk_version_git[0] != '\0' ? " " : "", tmk_version_git);
            status = tmk_command_flush("mdtest", 0);
        }
    } else {
        tmk_job_catch_signals();
        status = run_all(argc, argv);
    }
    MPI_Finalize();
    return status;
}
