/*
 * io500(1): the whole suite from one ini file.
 *
 *     cmd/io500.c              argv in, exit status out       (this file)
 *     bench/io500_options.c    argv -> options
 *     bench/io500_conf.c       ini file -> values; one row per key; pure
 *     bench/io500_main.c       what is to be done, and in which order
 *     bench/io500_ready.c        can it be done?
 *     bench/io500_places.c       directories, before
 *     bench/io500_tidy.c         and after
 *     bench/io500_plan.c       one row per phase; pure
 *     bench/io500_args.c         the words of its command; pure
 *     bench/io500_phases.c     phase after phase
 *     bench/io500_calls.c        the benchmark is called
 *     bench/io500_find.c         or a search
 *     bench/io500_left.c         how long all will take; pure
 *     bench/io500_rules.c        its result is judged; pure
 *     bench/io500_score.c      means; pure
 *     bench/io500_record.c     result.txt and result_summary.txt
 *     bench/io500_save.c       result.json, and --resume
 *     bench/io500_verify.c     --verify; pure
 *     bench/io500_show.c       lists, plans, verdicts
 *     bench/io500_html.c       --report
 *     bench/io500_plot.c         its pictures
 */
#include "bench/engines.h"
#include "bench/io500_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"

static int run_all(struct tmk_job *job, int argc, char **argv)
{
    const struct tmk_io500_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines,
        .engines_mdtest = tmk_engines_mdtest,
    };
    struct tmk_result result;

    return tmk_io500_main_all(job, argc, argv, &parts, &result);
}

int tmk_cmd_io500(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "io500",
        .version = "IO500+treemark-",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
