/*
 * mdworkbench(1): metadata rates of a file system that stays as full as it is.
 *
 *     cmd/mdworkbench.c               argv in, exit status out   (this file)
 *     bench/mdworkbench_parse.c       argv -> options
 *     bench/mdworkbench_conf.c        one row per option
 *     bench/mdworkbench_main.c        argv -> result
 *     bench/mdworkbench_plan.c        options -> plan, and who has what; pure
 *     bench/mdworkbench_site.c        -o, and what is in it
 *     bench/mdworkbench_status*.c     the run-info file
 *     bench/mdworkbench_steps.c       phases one after the other
 *     bench/mdworkbench_phases.c      a phase, and its measured loops
 *     bench/mdworkbench_sweep.c         removing whatever there is
 *     bench/mdworkbench_data.c          what objects hold
 *     bench/mdworkbench_log.c         the time of each operation (-L)
 *     bench/mdworkbench_text.c        what is printed
 *     run/phase*.c                    barrier, clock, combine
 *     engine/<api>.c                  the calls that are being measured
 */
#include "bench/engines.h"
#include "bench/mdworkbench_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"

static int run_all(struct tmk_job *job, int argc, char **argv)
{
    const struct tmk_mdworkbench_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines_mdtest,
    };
    struct tmk_result result;

    return tmk_mdworkbench_main_all(job, argc, argv, &parts, &result, NULL);
}

int tmk_cmd_mdworkbench(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "mdworkbench",
        .version = "mdworkbench-4.1.0+treemark-",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
