/*
 * engine_tables: every engine has options, behind those of the benchmark.
 */
#include "bench/engine_tables.h"

#include <errno.h>
#include <stdlib.h>

int tmk_engine_table_make(struct tmk_opt_table *table,
                          const struct tmk_engine_ops *ops, void **conf)
{
    *conf = calloc(1, ops->conf_size != 0 ? ops->conf_size : 1);
    if (*conf == NULL) {
        return -ENOMEM;
    }
    if (ops->conf_init != NULL) {
        ops->conf_init(*conf);
    }
    *table = (struct tmk_opt_table){
        .title = ops->name,
        .prefix = ops->prefix,
        .rows = ops->opts,
        .n_rows = ops->n_opts,
        .conf = *conf,
    };
    return 0;
}

int tmk_engine_tables_make(struct tmk_engine_tables *t,
                           const struct tmk_opt_table *own,
                           const struct tmk_engine_ops *const *engines)
{
    int err = 0;

    *t = (struct tmk_engine_tables){.tables = {*own}, .n = 1};
    for (size_t i = 0;
         err == 0 && engines[i] != NULL && t->n < TMK_ENGINE_TABLES_MAX; i++) {
        err = tmk_engine_table_make(&t->tables[t->n], engines[i], &t->confs[i]);
        t->n += err == 0;
    }
    return err;
}

void tmk_engine_tables_fini(struct tmk_engine_tables *t)
{
    for (size_t i = 0; i + 1 < TMK_ENGINE_TABLES_MAX; i++) {
        free(t->confs[i]);
    }
    *t = (struct tmk_engine_tables){.n = 0};
}
