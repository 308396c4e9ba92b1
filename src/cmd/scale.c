/*
 * scale(1): a benchmark on growing numbers of nodes and ranks.
 *
 *     cmd/scale.c             argv in, exit status out       (this file)
 *     bench/scale_conf.c      argv -> options
 *     bench/scale_args.c      the benchmark's own words; pure
 *     bench/scale_plan.c      the points, and who works at each; pure
 *     bench/scale_main.c      argv -> result
 *     bench/scale_points.c    point after point
 *     bench/scale_run.c         one: the benchmark is called
 *     bench/scale_say.c       what is told besides
 *     bench/scale_kept.c      points from files: --resume, --show
 *     bench/scale_table.c     the tables
 *     bench/scale_judge.c       what rates grow with; pure
 */
#include "bench/engines.h"
#include "bench/scale_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"

static int run_all(struct tmk_job *job, int argc, char **argv)
{
    const struct tmk_scale_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines,
        .engines_mdtest = tmk_engines_mdtest,
    };
    struct tmk_result result;

    return tmk_scale_main_all(job, argc, argv, &parts, &result);
}

int tmk_cmd_scale(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "treemark scale",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
