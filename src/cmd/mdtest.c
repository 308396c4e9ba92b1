/*
 * mdtest(1): metadata rates of a file system.
 *
 *     cmd/mdtest.c            argv in, exit status out       (this file)
 *     bench/mdtest_parse.c    argv -> options
 *     bench/mdtest_conf.c     one row per option
 *     bench/mdtest_main.c     argv -> result
 *     bench/mdtest_plan.c     options -> plan, pure
 *     bench/mdtest_check.c    which options go together
 *     bench/mdtest_scan.c     tests on growing numbers of tasks
 *     bench/mdtest_dry.c      plans that are not run (--dry-run)
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
#include <stdio.h>

#include "bench/engines.h"
#include "bench/mdtest_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"
#include "run/report.h"

static int run_all(struct tmk_job *job, int argc, char **argv)
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
    struct tmk_result result;

    return tmk_mdtest_main_all(job, argc, argv, &parts, &result);
}

int tmk_cmd_mdtest(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "mdtest",
        .version = "mdtest-4.1.0+treemark-",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
