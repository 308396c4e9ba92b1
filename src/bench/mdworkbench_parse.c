/*
 * mdworkbench_parse: argv into the conf structs of mdworkbench and of every
 * engine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "bench/engine_tables.h"
#include "bench/leftovers.h"
#include "bench/mdworkbench_launch.h"
#include "run/say.h"

/* Tables of mdworkbench and of every engine; 0 or -ENOMEM. */
static int make_tables(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    struct tmk_opt_table *tables = launch->tables;
    size_t n = 0;

    tables[n++] = (struct tmk_opt_table){
        .title = "Options of mdworkbench",
        .rows = tmk_mdworkbench_opts,
        .n_rows = tmk_mdworkbench_n_opts,
        .gone = tmk_mdworkbench_gone,
        .n_gone = tmk_mdworkbench_n_gone,
        .conf = &launch->conf,
    };
    for (size_t i = 0;
         engines[i] != NULL && i + 1 < TMK_MDWORKBENCH_ENGINES_MAX; i++) {
        if (tmk_engine_table_make(&tables[n++], engines[i],
                                  &launch->engine_conf[i]) != 0) {
            return -ENOMEM;
        }
    }
    launch->n_engines = n - 1;
    return 0;
}

void tmk_mdworkbench_parse_fini(struct tmk_mdworkbench_launch *launch)
{
    for (size_t i = 0; i < TMK_MDWORKBENCH_ENGINES_MAX; i++) {
        free(launch->engine_conf[i]);
        launch->engine_conf[i] = NULL;
    }
}

void tmk_mdworkbench_help(FILE *to, const struct tmk_engine_ops *const *engines)
{
    const struct tmk_mdworkbench_parts parts = {.engines = engines};
    struct tmk_mdworkbench_launch *launch = calloc(1, sizeof(*launch));

    if (launch == NULL) {
        return;
    }
    launch->parts = &parts;
    tmk_mdworkbench_conf_init(&launch->conf);
    if (make_tables(launch) == 0) {
        fputs("Usage: mdworkbench [-P OBJECTS] [-I OBJECTS] [-D SETS] [-o DIR] "
              "[option...]\n"
              "Metadata rates of a file system that stays as full as it is.\n"
              "\n",
              to);
        tmk_opt_help(launch->tables, launch->n_engines + 1, to);
        fputs("\n"
              "  -h, --help                  print this and end\n"
              "  --version                   print the version and end\n"
              "\n"
              "Exit status: 0 well, 1 something failed, 2 the request was "
              "wrong,\n"
              "130 and 143 interrupted.  More in the manual page, "
              "treemark-mdworkbench(1).\n",
              to);
    }
    tmk_mdworkbench_parse_fini(launch);
    free(launch);
}

/* conf structs of engines hold numbers, alike at every start. */
void tmk_mdworkbench_unused_notes(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;

    for (size_t i = 0; i < launch->n_engines; i++) {
        const struct tmk_engine_ops *ops = engines[i];
        void *fresh = ops->conf_size != 0 ? calloc(1, ops->conf_size) : NULL;

        /* By name: launch->ops may be a trace of it. */
        if (strcmp(ops->name, launch->ops->name) == 0 || fresh == NULL) {
            free(fresh);
            continue;
        }
        if (ops->conf_init != NULL) {
            ops->conf_init(fresh);
        }
        if (memcmp(fresh, launch->engine_conf[i], ops->conf_size) != 0) {
            tmk_say_warning(launch->job, "NO_EFFECT",
                            "options of %s have no effect with -a %s",
                            ops->name, launch->ops->name);
        }
        free(fresh);
    }
}

static int find_engine(struct tmk_mdworkbench_launch *launch)
{
    char names[256] = "";
    char quoted[64];

    launch->ops = tmk_engine_find(launch->parts->engines, launch->conf.api);
    if (launch->ops != NULL) {
        return 0;
    }
    for (size_t i = 0; i < launch->n_engines; i++) {
        size_t used = strlen(names);

        (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                       i == 0 ? "" : ", ", launch->parts->engines[i]->name);
    }
    tmk_quote(quoted, sizeof(quoted), launch->conf.api,
              strlen(launch->conf.api));
    tmk_say_error(launch->job, "-a: %s is not available here (%s are)", quoted,
                  names);
    return -EINVAL;
}

int tmk_mdworkbench_parse_all(struct tmk_mdworkbench_launch *launch, int argc,
                              char *const *argv)
{
    char why[1024] = "out of memory";
    int err;

    tmk_mdworkbench_conf_init(&launch->conf);
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
    }
    return err == 0 ? find_engine(launch) : err;
}
