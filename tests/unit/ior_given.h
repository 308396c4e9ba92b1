#ifndef TMK_TESTS_UNIT_IOR_GIVEN_H
#define TMK_TESTS_UNIT_IOR_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "bench/ior_conf.h"
#include "bench/ior_directives.h"
#include "engine/engine.h"

/* A command line of ior, and the structs that it is read into. */

/* The options of MPIIO that older versions had letters for. */
struct given_mpiio {
    const char *hints;
    unsigned show, preallocate, view;
};

static const struct tmk_opt given_mpiio_opts[] = {
    TMK_OPT_STR(0, "hintsFileName", struct given_mpiio, hints, "FILE", "hints"),
    TMK_OPT_FLAG(0, "showHints", struct given_mpiio, show, "show"),
    TMK_OPT_FLAG(0, "preallocate", struct given_mpiio, preallocate, "all"),
    TMK_OPT_FLAG(0, "useFileView", struct given_mpiio, view, "view"),
};

enum { GIVEN_TABLES = 4, GIVEN_WORDS = 64, GIVEN_LINE = 1024 };

struct given {
    struct tmk_ior_conf conf;
    struct given_mpiio mpiio;
    struct tmk_opt_table tables[GIVEN_TABLES];
    size_t conf_bytes[GIVEN_TABLES];
    struct tmk_ior_texts texts;
    char line[GIVEN_LINE];
    char *argv[GIVEN_WORDS + 1];
    char why[512];
    int err;
};

static inline void given_engine(struct given *g, size_t t,
                                const struct tmk_engine_ops *ops)
{
    void *conf = calloc(1, ops->conf_size);

    if (conf == NULL) {
        abort();
    }
    if (ops->conf_init != NULL) {
        ops->conf_init(conf);
    }
    g->tables[t] = (struct tmk_opt_table){
        .title = ops->name,
        .prefix = ops->prefix,
        .rows = ops->opts,
        .n_rows = ops->n_opts,
        .conf = conf,
    };
    g->conf_bytes[t] = ops->conf_size;
}

static inline void given_init(struct given *g)
{
    *g = (struct given){0};
    tmk_ior_conf_init(&g->conf);
    g->tables[0] = (struct tmk_opt_table){
        .title = "ior",
        .rows = tmk_ior_opts,
        .n_rows = tmk_ior_n_opts,
        .gone = tmk_ior_gone,
        .n_gone = tmk_ior_n_gone,
        .conf = &g->conf,
    };
    g->conf_bytes[0] = sizeof(g->conf);
    g->tables[1] = (struct tmk_opt_table){
        .title = "MPIIO",
        .prefix = "mpiio.",
        .rows = given_mpiio_opts,
        .n_rows = sizeof(given_mpiio_opts) / sizeof(given_mpiio_opts[0]),
        .conf = &g->mpiio,
    };
    g->conf_bytes[1] = sizeof(g->mpiio);
    given_engine(g, 2, &tmk_engine_posix);
    given_engine(g, 3, &tmk_engine_dummy);
}

static inline void given_fini(struct given *g)
{
    free(g->tables[2].conf);
    free(g->tables[3].conf);
    tmk_ior_texts_fini(&g->texts);
}

/* The words of a line, of which ~ stands for a blank and "" for an empty
 * word. */
static inline int given_words(struct given *g, const char *line)
{
    int argc = 0;
    char *word;
    char *rest = g->line;

    (void)snprintf(g->line, sizeof(g->line), "ior %s", line);
    while ((word = strsep(&rest, " ")) != NULL) {
        if (word[0] == '\0' || argc == GIVEN_WORDS) {
            continue;
        }
        for (char *c = word; *c != '\0'; c++) {
            if (*c == '~') {
                *c = ' ';
            }
        }
        g->argv[argc++] = strcmp(word, "\"\"") == 0 ? word + 2 : word;
    }
    return argc;
}

/* Release it whatever came of it. */
static inline int given_parse(struct given *g, const char *line)
{
    given_init(g);
    g->err = tmk_ior_parse(g->tables, GIVEN_TABLES, given_words(g, line),
                           g->argv, &g->texts, g->why, sizeof(g->why));
    return g->err;
}

/* The option by its spelling ("-o", "--posix.odirect") as text. */
static inline const char *
given_shown(const struct given *g, const char *spelling, char *buf, size_t size)
{
    for (size_t t = 0; t < GIVEN_TABLES; t++) {
        const struct tmk_opt_table *table = &g->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            const struct tmk_opt *row = &table->rows[i];
            char name[64];

            (void)snprintf(name, sizeof(name), "--%s%s",
                           table->prefix != NULL ? table->prefix : "",
                           row->name != NULL ? row->name : "");
            if (spelling[1] == '-' ? strcmp(name, spelling) == 0
                                   : row->key == spelling[1]) {
                tmk_opt_show(row, table->conf, buf, size);
                return buf;
            }
        }
    }
    return NULL;
}

#endif
