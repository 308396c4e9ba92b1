/*
 * ior_parse: argv, and a script, into the conf structs of every test.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/engine_tables.h"
#include "bench/ior_launch.h"
#include "bench/leftovers.h"
#include "run/say.h"
#include "run/text_file.h"

enum { SCRIPT_MAX = 1 << 20 }; /* bytes */

/* Tables of ior and of every engine; 0 or -ENOMEM. */
static int make_tables(struct tmk_ior_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    size_t n = 0;

    launch->conf_bytes[n] = sizeof(launch->conf);
    launch->tables[n++] = (struct tmk_opt_table){
        .title = "Options of ior",
        .rows = tmk_ior_opts,
        .n_rows = tmk_ior_n_opts,
        .gone = tmk_ior_gone,
        .n_gone = tmk_ior_n_gone,
        .conf = &launch->conf,
    };
    for (size_t i = 0; engines[i] != NULL && n < TMK_IOR_TABLES_MAX; i++) {
        launch->conf_bytes[n] =
            engines[i]->conf_size != 0 ? engines[i]->conf_size : 1;
        if (tmk_engine_table_make(&launch->tables[n++], engines[i],
                                  &launch->engine_conf[i]) != 0) {
            return -ENOMEM;
        }
    }
    launch->n_tables = n;
    return 0;
}

static void free_confs(struct tmk_ior_launch *launch)
{
    for (size_t i = 0; i < TMK_IOR_TABLES_MAX; i++) {
        free(launch->engine_conf[i]);
        launch->engine_conf[i] = NULL;
    }
}

void tmk_ior_help(FILE *to, const struct tmk_engine_ops *const *engines)
{
    const struct tmk_ior_parts parts = {.engines = engines};
    struct tmk_ior_launch *launch = calloc(1, sizeof(*launch));

    if (launch == NULL) {
        return;
    }
    launch->parts = &parts;
    tmk_ior_conf_init(&launch->conf);
    if (make_tables(launch) == 0) {
        fputs("Usage: ior [-w] [-r] [-b SIZE] [-t SIZE] [-s N] [-F] [-o FILE] "
              "[option...]\n"
              "       ior -f SCRIPT\n"
              "Bandwidth of a file system, measured by all MPI ranks.\n"
              "\n",
              to);
        tmk_opt_help(launch->tables, launch->n_tables, to);
        fputs("\n"
              "  -h, --help                  print this and end\n"
              "  --version                   print the version and end\n"
              "\n"
              "Exit status: 0 well, 1 something failed, 2 the request was "
              "wrong,\n"
              "130 and 143 interrupted.  More in the manual page, "
              "treemark-ior(1).\n",
              to);
    }
    free_confs(launch);
    free(launch);
}

/* The variables of the original that make up nodes; those of rank 0 count.
 * Collective. */
static void read_variables_all(struct tmk_ior_launch *launch)
{
    const char *nodes = getenv("IOR_FAKE_NODES");
    const char *ranks = getenv("IOR_FAKE_TASK_PER_NODES");
    int values[2] = {0, 0};

    if (nodes != NULL) {
        values[0] = (int)strtol(nodes, NULL, 10);
    }
    if (ranks != NULL) {
        values[1] = (int)strtol(ranks, NULL, 10);
    }
    tmk_wait_bcast_all(&launch->job->wait, values, 2, MPI_INT);
    launch->fake_nodes = values[0];
    launch->fake_ranks = values[1];
}

/* The one test of a command line.  0 or -ENOMEM. */
static int make_test(struct tmk_ior_launch *launch)
{
    struct tmk_ior_tests *tests = &launch->tests;

    tests->confs = calloc(launch->n_tables, sizeof(*tests->confs));
    if (tests->confs == NULL) {
        return -ENOMEM;
    }
    tests->n = 1;
    for (size_t k = 0; k < launch->n_tables; k++) {
        tests->confs[k] = malloc(launch->conf_bytes[k]);
        if (tests->confs[k] == NULL) {
            return -ENOMEM;
        }
        memcpy(tests->confs[k], launch->tables[k].conf, launch->conf_bytes[k]);
    }
    return 0;
}

static int make_tests_all(struct tmk_ior_launch *launch)
{
    struct tmk_ior_tests *tests = &launch->tests;
    char why[1024] = "out of memory";
    size_t ignored = 0;
    int err;

    tests->tables = launch->tables;
    tests->n_tables = launch->n_tables;
    tests->conf_bytes = launch->conf_bytes;
    if (launch->conf.script == NULL) {
        err = make_test(launch);
    } else {
        err = tmk_text_file_read_all(launch->job, "-f ", launch->conf.script,
                                     SCRIPT_MAX - 1, &launch->script);
        if (err != 0) {
            return err;
        }
        err = tmk_ior_script_read(tests, launch->conf.script, launch->script,
                                  &ignored, why, sizeof(why));
    }
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    } else if (ignored != 0) {
        tmk_say_warning(launch->job, "IGNORED",
                        "%s: %zu line%s outside of IOR START and IOR STOP %s "
                        "not read",
                        launch->conf.script, ignored, ignored == 1 ? "" : "s",
                        ignored == 1 ? "is" : "are");
    }
    return err;
}

int tmk_ior_parse_all(struct tmk_ior_launch *launch, int argc, char **argv)
{
    char why[1024] = "out of memory";
    int err;

    tmk_ior_conf_init(&launch->conf);
    read_variables_all(launch);
    if (tmk_leftovers_default_all(launch->job, &launch->conf.leftovers) != 0) {
        return -EINVAL;
    }
    err = make_tables(launch);
    if (err == 0) {
        err = tmk_ior_parse(launch->tables, launch->n_tables, argc, argv,
                            &launch->texts, why, sizeof(why));
    }
    if (err < 0) {
        tmk_say_error(launch->job, "%s", why);
    }
    if (err != 0) {
        return err;
    }
    err = make_tests_all(launch);
    /* What a script read last is no longer what the tables are about. */
    for (size_t k = 0; err == 0 && k < launch->n_tables; k++) {
        launch->tables[k].conf = launch->tests.confs[k];
    }
    return err;
}

/* The first test that has set an option of engine k; tests.n = none, or one
 * uses the engine. */
static size_t first_idle(const struct tmk_ior_launch *launch, size_t k)
{
    const struct tmk_ior_tests *tests = &launch->tests;
    const struct tmk_engine_ops *ops = launch->parts->engines[k];
    size_t found = tests->n;

    for (size_t i = 0; i < tests->n; i++) {
        if (strcasecmp(tmk_ior_launch_conf(launch, i)->api, ops->name) == 0) {
            return tests->n;
        }
        if (found == tests->n &&
            tmk_engine_is_set(ops, tests->confs[i * tests->n_tables + k + 1])) {
            found = i;
        }
    }
    return found;
}

void tmk_ior_parse_notes(struct tmk_ior_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;

    for (size_t k = 0; engines[k] != NULL && k + 1 < launch->n_tables; k++) {
        const size_t i = first_idle(launch, k);
        /* -B is of POSIX, too. */
        const bool posix = strcmp(engines[k]->name, "POSIX") == 0;

        if (i < launch->tests.n) {
            tmk_say_warning(launch->job, "NO_EFFECT",
                            "options of %s%s have no effect with -a %s",
                            engines[k]->name, posix ? " (--posix..., -B)" : "",
                            tmk_ior_launch_conf(launch, i)->api);
        }
    }
}

void tmk_ior_parse_fini(struct tmk_ior_launch *launch)
{
    tmk_ior_tests_fini(&launch->tests);
    tmk_ior_texts_fini(&launch->texts);
    free(launch->script);
    free_confs(launch);
}
