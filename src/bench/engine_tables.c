/*
 * engine_tables: every engine has options, behind those of the benchmark.
 */
#include "bench/engine_tables.h"

#include <errno.h>
#include <stdlib.h>

int tmk_engine_tables_make(struct tmk_engine_tables *t,
                           const struct tmk_opt_table *own,
                           const struct tmk_engine_ops *const *engines)
{
    *t = (struct tmk_engine_tables){.tables = {*own}, .n = 1};
    for (size_t i = 0; engines[i] != NULL && t->n < TMK_ENGINE_TABLES_MAX;
         i++) {
        const struct tmk_engine_ops *ops = engines[i];

        t->confs[i] = calloc(1, ops->conf_size != 0 ? ops->conf_size : 1);
        if (t->confs[i] == NULL) {
            return -ENOMEM;
        }
        if (ops->conf_init != NULL) {
            ops->conf_init(t->confs[i]);
        }
        t->tables[t->n++] = (struct tmk_opt_table){
            .title = ops->name,
            .prefix = ops->prefix,
            .rows = ops->opts,
            .n_rows = ops->n_opts,
            .conf = t->confs[i],
        };
    }
    return 0;
}

void tmk_engine_tables_fini(struct tmk_engine_tables *t)
{
    for (size_t i = 0; i + 1 < TMK_ENGINE_TABLES_MAX; i++) {
        free(t->confs[i]);
    }
    *t = (struct tmk_engine_tables){.n = 0};
}
