#ifndef TMK_CMD_COMMAND_H
#define TMK_CMD_COMMAND_H

/*
 * One row per command.  `run` gets argv with argv[0] naming the command and
 * returns the exit status.
 */
struct tmk_command {
    const char *name;
    const char *alias; /* answers to this argv[0] too; NULL = none */
    const char *summary;
    int (*run)(int argc, char **argv);
};

extern const struct tmk_command tmk_commands[]; /* ended by a NULL name */

int tmk_cmd_mdtest(int argc, char **argv);
int tmk_cmd_clean(int argc, char **argv);
int tmk_cmd_find(int argc, char **argv);
int tmk_cmd_ior(int argc, char **argv);
int tmk_cmd_io500(int argc, char **argv);
int tmk_cmd_mdworkbench(int argc, char **argv);
int tmk_cmd_scale(int argc, char **argv);
int tmk_cmd_import(int argc, char **argv);
int tmk_cmd_compare(int argc, char **argv);
int tmk_cmd_plot(int argc, char **argv);
int tmk_cmd_explain(int argc, char **argv);
int tmk_cmd_help(int argc, char **argv);

/* The row with this name; NULL if there is none. */
const struct tmk_command *tmk_command_find(const char *name);

/* Flush stdout; `status`, or 1 with a message where output was lost. */
int tmk_command_flush(const char *program, int status);

#endif
