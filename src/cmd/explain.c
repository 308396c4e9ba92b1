/*
 * explain(1): what a command line of mdtest or ior does, in words; no MPI.
 *
 *     cmd/explain.c           argv in, exit status out        (this file)
 *     bench/explain_main.c    which program's line it is
 *     bench/explain_line*.c   the line -> plan -> headings
 *     bench/explain_words.c     a line in quotes -> words
 *     bench/explain_launch.c    mpirun, srun -> ranks on nodes
 *     bench/explain_gone.c      words of the past
 *     bench/explain_mdtest*.c   sentences about mdtest
 *     bench/explain_ior*.c      sentences about ior
 *     bench/explain_text.c      sentences -> lines
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/opt.h"
#include "bench/engines.h"
#include "bench/explain_main.h"
#include "cmd/command.h"

static const char program[] = "treemark explain";

struct conf {
    int nodes, ppn; /* 0 = as the line says */
};

static const struct tmk_opt rows[] = {
    TMK_OPT_INT(0, "nodes", struct conf, nodes, "N", 1, 1 << 20,
                "on so many nodes; default: as the line says"),
    TMK_OPT_INT(0, "ppn", struct conf, ppn, "M", 1, 1 << 20,
                "with so many ranks on each; likewise"),
};

static void usage(const struct tmk_opt_table *table)
{
    printf("Usage: %s [--nodes N] [--ppn M] 'COMMAND LINE'\n"
           "       %s [--nodes N] [--ppn M] COMMAND LINE...\n"
           "What a command line of mdtest or ior does, in words.  It may begin "
           "with mpirun,\nmpiexec or srun.  Nothing is run.\n\n",
           program, program);
    tmk_opt_help(table, 1, stdout);
}

/* How many words from the first are options of ours, argv[0] among them. */
static int count_options(int argc, char *const argv[])
{
    int i = 1;

    while (i < argc && argv[i][0] == '-') {
        if (strcmp(argv[i], "--nodes") == 0 || strcmp(argv[i], "--ppn") == 0) {
            i++;
        }
        i++;
    }
    return i < argc ? i : argc;
}

/*
 * The line: one word in quotes, behind which more options of ours may come, or
 * all words that are left.  0 or -errno.
 */
static int find_line(int argc, char **argv, int first,
                     struct tmk_explain_words *words, int *options_again)
{
    const char *line = argv[first];

    *options_again = argc;
    if (strpbrk(line, " \t\n") == NULL) {
        return tmk_explain_words_take(argc - first, argv + first, words);
    }
    *options_again = first + 1;
    return tmk_explain_words_split(line, words);
}

static int complain(int err, const char *why)
{
    if (err == -ENOMEM) {
        fprintf(stderr, "%s: out of memory\n", program);
        return 1;
    }
    fprintf(stderr, "%s: %s\n", program, why);
    return 2;
}

int tmk_cmd_explain(int argc, char **argv)
{
    struct conf conf = {0};
    const struct tmk_opt_table table = {.title = "Options",
                                        .rows = rows,
                                        .n_rows =
                                            sizeof(rows) / sizeof(rows[0]),
                                        .conf = &conf};
    struct tmk_explain_words words = {0};
    const int first = count_options(argc, argv);
    char why[512] = "a quote is not closed";
    int again = argc;
    int err = tmk_opt_parse(&table, 1, first, argv, why, sizeof(why));

    if (err == TMK_OPT_HELP) {
        usage(&table);
        return tmk_command_flush(program, 0);
    }
    if (err == 0 && first == argc) {
        return complain(-EINVAL, "no command line of mdtest or ior is given");
    }
    if (err == 0) {
        err = find_line(argc, argv, first, &words, &again);
    }
    if (err == 0 && again < argc) {
        err = tmk_opt_parse(&table, 1, argc - again + 1, argv + again - 1, why,
                            sizeof(why));
    }
    if (err == 0) {
        const struct tmk_explain_asked asked = {
            .nodes = conf.nodes,
            .ppn = conf.ppn,
            .engines_mdtest = tmk_engines_mdtest,
            .engines_ior = tmk_engines,
        };

        err = tmk_explain_main(stdout, &words, &asked, why, sizeof(why));
    }
    tmk_explain_words_fini(&words);
    return tmk_command_flush(program, err == 0 ? 0 : complain(err, why));
}
