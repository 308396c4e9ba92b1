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
#include <stdbool.h>
#include <string.h>

#include "bench/find_main.h"
#include "bench/version.h"
#include "cmd/command.h"
#include "cmd/program.h"

/* Also "/x/pfind-1.0". */
static bool is_pfind(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    const char *base = slash != NULL ? slash + 1 : argv0;
    const char name[] = "pfind";

    return strcspn(base, "-.") == sizeof(name) - 1 &&
           strncmp(base, name, sizeof(name) - 1) == 0;
}

static int run_all(struct tmk_job *job, int argc, char **argv)
{
    const struct tmk_find_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .pfind = is_pfind(argv[0]),
    };

    return tmk_find_main_all(job, argc, argv, &parts);
}

int tmk_cmd_find(int argc, char **argv)
{
    const struct tmk_program program = {
        .name = is_pfind(argv[0]) ? "pfind" : "find",
        .run = run_all,
    };

    return tmk_program_run(&program, argc, argv);
}
