/*
 * ior(1): bandwidth of a file system.
 *
 *     cmd/ior.c               argv in, exit status out       (this file)
 *     bench/ior_parse.c       argv -> options of every test
 *     bench/ior_conf.c        one row per option
 *     bench/ior_script.c      directives (-O) and scripts (-f)
 *     bench/ior_main.c        argv -> result
 *     bench/ior_plan.c        options -> plan, names of files; pure
 *     bench/ior_test.c        a test: repetitions of phases
 *     bench/ior_files.c       what is there, sizes, removal
 *     bench/ior_cache.c       memory that may answer in place of storage
 *     bench/ior_map.c         which rank sits where
 *     bench/ior_tasks.c         whose data a rank reads; pure
 *     bench/ior_phases.c      a phase: open, transfers, close
 *     bench/ior_transfer.c      its measured loops
 *     bench/ior_offsets.c       where transfers lie; pure
 *     bench/ior_data.c          what is written and read
 *     bench/ior_text*.c       what ior has always printed
 *     run/phase.c             barrier, clock, combine
 *     engine/<api>.c          the calls that are being measured
 */
#include "bench/engines.h"
#include "bench/ior_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"

static int run_all(struct tmk_job *job, int argc, char **argv)
{
    const struct tmk_ior_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines,
    };
    struct tmk_result result;

    return tmk_ior_main_all(job, argc, argv, &parts, &result);
}

int tmk_cmd_ior(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "ior",
        .version = "IOR-4.1.0+treemark-",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
