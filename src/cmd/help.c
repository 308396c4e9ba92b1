/*
 * help: the commands, or one command's options; no MPI.
 */
#include <stdio.h>

#include "bench/clean_main.h"
#include "bench/engines.h"
#include "bench/find_main.h"
#include "bench/io500_main.h"
#include "bench/ior_main.h"
#include "bench/mdtest_main.h"
#include "bench/mdworkbench_main.h"
#include "bench/scale_main.h"
#include "bench/version.h"
#include "cmd/command.h"

int tmk_cmd_help(int argc, char **argv)
{
    const struct tmk_command *command = NULL;

    if (argc > 1) {
        command = tmk_command_find(argv[1]);
        if (command == NULL) {
            fprintf(stderr, "treemark: help: '%.64s' is no command\n", argv[1]);
            return 2;
        }
    }
    if (command != NULL && command->run == tmk_cmd_mdtest) {
        tmk_mdtest_help(stdout, tmk_engines_mdtest);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_find) {
        tmk_find_help(stdout);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_ior) {
        tmk_ior_help(stdout, tmk_engines);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_mdworkbench) {
        tmk_mdworkbench_help(stdout, tmk_engines_mdtest);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_io500) {
        tmk_io500_help(stdout);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_scale) {
        tmk_scale_help(stdout);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_clean) {
        tmk_clean_help(stdout);
        return tmk_command_flush("treemark", 0);
    }
    if (command != NULL && command->run == tmk_cmd_import) {
        char *args[] = {"import", "--help", NULL};

        return tmk_cmd_import(2, args);
    }
    if (command != NULL && command->run == tmk_cmd_plot) {
        char *args[] = {"plot", "--help", NULL};

        return tmk_cmd_plot(2, args);
    }
    if (command != NULL && command->run == tmk_cmd_explain) {
        char *args[] = {"explain", "--help", NULL};

        return tmk_cmd_explain(2, args);
    }
    if (command != NULL && command->run == tmk_cmd_compare) {
        char *args[] = {"compare", "--help", NULL};

        return tmk_cmd_compare(2, args);
    }
    printf("treemark %s: benchmarks for file systems\n\n"
           "Usage: treemark COMMAND [option...]\n"
           "       mpiexec -n RANKS treemark COMMAND [option...]\n\n",
           tmk_version);
    for (const struct tmk_command *c = tmk_commands; c->name != NULL; c++) {
        printf("  %-12s %s\n", c->name, c->summary);
    }
    puts("\n'treemark help COMMAND' lists its options; --version tells the "
         "version.");
    return tmk_command_flush("treemark", 0);
}
