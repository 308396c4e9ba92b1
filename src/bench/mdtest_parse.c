/*
 * mdtest_parse: argv into the conf structs of mdtest and of every engine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "bench/engine_tables.h"
#include "bench/leftovers.h"
#include "bench/mdtest_launch.h"
#include "run/say.h"

/* Tables of mdtest and of every engine; 0 or -ENOMEM. */
static int make_tables(struct tmk_mdtest_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    struct tmk_opt_table *tables = launch->tables;
    size_t n = 0;

    tables[n++] = (struct tmk_opt_table){
        .title = "Options of mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &launch->conf,
    };
    for (size_t i = 0; engines[i] != NULL && i + 1 < TMK_MDTEST_ENGINES_MAX;
         i++) {
        if (tmk_engine_table_make(&tables[n++], engines[i],
                                  &launch->engine_conf[i]) != 0) {
            return -ENOMEM;
        }
    }
    launch->n_engines = n - 1;
    return 0;
}

void tmk_mdtest_help(FILE *to, const struct tmk_engine_ops *const *engines)
{
    const struct tmk_mdtest_parts parts = {.engines = engines};
    struct tmk_mdtest_launch launch = {.parts = &parts};

    tmk_mdtest_conf_init(&launch.conf);
    if (make_tables(&launch) == 0) {
        fputs("Usage: mdtest -n ITEMS [-b N -z N] [-d DIR] [option...]\n"
              "Metadata rates of a file system, measured by all MPI ranks.\n"
              "\n",
              to);
        tmk_opt_help(launch.tables, launch.n_engines + 1, to);
        fputs("\n"
              "  -h, --help                  print this and end\n"
              "  --version                   print the version and end\n"
              "\n"
              "Exit status: 0 well, 1 something failed, 2 the request was "
              "wrong,\n"
              "130 and 143 interrupted.  More in the manual page, "
              "treemark-mdtest(1).\n",
              to);
    }
    for (size_t i = 0; i < TMK_MDTEST_ENGINES_MAX; i++) {
        free(launch.engine_conf[i]);
    }
}

/* In the original these make up nodes, which changes what -N means. */
static void fake_notes(struct tmk_job *job)
{
    static const char *const names[] = {"IOR_FAKE_NODES",
                                        "IOR_FAKE_TASK_PER_NODES"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (getenv(names[i]) != NULL) {
            tmk_say_warning(job, "NO_EFFECT",
                            "the variable %s has no effect: nodes are counted "
                            "(--dry-run plans for other ones)",
                            names[i]);
        }
    }
}

void tmk_mdtest_unused_notes(struct tmk_mdtest_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;

    fake_notes(launch->job);
    for (size_t i = 0; i < launch->n_engines; i++) {
        const struct tmk_engine_ops *ops = engines[i];

        /* By name: launch->ops may be a trace of it. */
        if (strcmp(ops->name, launch->ops->name) != 0 &&
            tmk_engine_is_set(ops, launch->engine_conf[i])) {
            tmk_say_warning(launch->job, "NO_EFFECT",
                            "options of %s have no effect with -a %s",
                            ops->name, launch->ops->name);
        }
    }
}

int tmk_mdtest_parse_all(struct tmk_mdtest_launch *launch, int argc,
                         char **argv)
{
    char why[1024] = "out of memory";
    int err;

    tmk_mdtest_conf_init(&launch->conf);
    if (tmk_leftovers_default_all(launch->job, &launch->conf.leftovers) != 0) {
        return -EINVAL;
    }
    err = make_tables(launch);
    if (err == 0) {
        err = tmk_opt_parse(launch->tables, launch->n_engines + 1, argc, argv,
                            why, sizeof(why));
    }
    if (err < 0) {
        tmk_say_error(launch->job, "%s", why);
        return err;
    }
    launch->ops = tmk_engine_find(launch->parts->engines, launch->conf.api);
    if (err == 0 && launch->ops == NULL) {
        char names[256] = "";
        char quoted[64];

        for (size_t i = 0; i < launch->n_engines; i++) {
            size_t used = strlen(names);

            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           i == 0 ? "" : ", ", launch->parts->engines[i]->name);
        }
        tmk_quote(quoted, sizeof(quoted), launch->conf.api,
                  strlen(launch->conf.api));
        tmk_say_error(launch->job, "-a: %s is not available here (%s are)",
                      quoted, names);
        return -EINVAL;
    }
    return err;
}
