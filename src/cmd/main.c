/*
 * treemark: one program, many names.
 *
 *     argv[0] or argv[1]  ->  a row of the command table  ->  cmd/<name>.c
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "bench/version.h"
#include "cmd/command.h"

const struct tmk_command tmk_commands[] = {
    {"mdtest", NULL, "metadata rates over a directory tree", tmk_cmd_mdtest},
    {"find", "pfind", "find files in a tree, in parallel", tmk_cmd_find},
    {"ior", "IOR", "bandwidth of a file system", tmk_cmd_ior},
    {"io500", NULL, "the whole suite of IO500 from one ini file",
     tmk_cmd_io500},
    {"mdworkbench", "md-workbench", "metadata rates of a standing population",
     tmk_cmd_mdworkbench},
    {"scale", NULL, "a benchmark on growing numbers of nodes and ranks",
     tmk_cmd_scale},
    {"clean", NULL, "remove what a run left behind, in parallel",
     tmk_cmd_clean},
    {"compare", NULL, "which results are faster, and which slower",
     tmk_cmd_compare},
    {"plot", NULL, "pictures of results, drawn by gnuplot", tmk_cmd_plot},
    {"import", NULL, "text output of mdtest and ior to JSON", tmk_cmd_import},
    {"explain", NULL, "a command line of mdtest or ior in words",
     tmk_cmd_explain},
    {"help", NULL, "what a command does: treemark help mdtest", tmk_cmd_help},
    {NULL, NULL, NULL, NULL},
};

const struct tmk_command *tmk_command_find(const char *name)
{
    for (const struct tmk_command *c = tmk_commands; c->name != NULL; c++) {
        if (strcmp(c->name, name) == 0 ||
            (c->alias != NULL && strcmp(c->alias, name) == 0)) {
            return c;
        }
    }
    return NULL;
}

int tmk_command_flush(const char *program, int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: writing the output: %s\n", program,
                strerror(errno));
        return status != 0 ? status : 1;
    }
    return status;
}

/* The command that argv[0] names: "mdtest" or "/x/mdtest-4.1". */
static const struct tmk_command *by_program_name(const char *argv0)
{
    const char *slash = strrchr(argv0, '/');
    const char *base = slash != NULL ? slash + 1 : argv0;
    char name[32];

    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "-."), base);
    if (strcmp(base, "treemark") == 0 || tmk_command_find(base) != NULL) {
        return tmk_command_find(base);
    }
    return tmk_command_find(name);
}

/*
 * A standard file that is closed must not become a file or socket that is
 * opened later: the report would be written into it.  Writing to what stands
 * in its place fails, as it would have.
 */
static void hold_standard_files(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

int main(int argc, char **argv)
{
    const struct tmk_command *command =
        argc > 0 ? by_program_name(argv[0]) : NULL;

    hold_standard_files();
    if (command != NULL) {
        return command->run(argc, argv);
    }
    if (argc < 2) {
        (void)tmk_cmd_help(1, argv);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("treemark %s%s%s\n", tmk_version,
               tmk_version_git[0] != '\0' ? " " : "", tmk_version_git);
        return tmk_command_flush("treemark", 0);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return tmk_cmd_help(1, argv);
    }
    command = tmk_command_find(argv[1]);
    if (command == NULL) {
        fprintf(stderr,
                "treemark: '%.64s' is no command ('treemark help' lists "
                "them)\n",
                argv[1]);
        return 2;
    }
    return command->run(argc - 1, argv + 1);
}
