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
#include "bench/clean_main.h"
#include "cmd/command.h"
#include "cmd/program.h"

int tmk_cmd_clean(int argc, char **argv)
{
    static const struct tmk_program program = {
        .name = "treemark clean",
        .run = tmk_clean_main_all,
    };

    return tmk_program_run(&program, argc, argv);
}
