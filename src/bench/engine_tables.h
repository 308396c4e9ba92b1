#ifndef TMK_BENCH_ENGINE_TABLES_H
#define TMK_BENCH_ENGINE_TABLES_H

#include <stddef.h>

#include "base/opt.h"
#include "engine/engine.h"

enum { TMK_ENGINE_TABLES_MAX = 16 };

/* The options of an engine, with a conf that has the defaults and is the
 * caller's to free.  0 or -ENOMEM. */
int tmk_engine_table_make(struct tmk_opt_table *table,
                          const struct tmk_engine_ops *ops, void **conf);

/* The options of a benchmark, which are the first table, and of engines. */
struct tmk_engine_tables {
    struct tmk_opt_table tables[TMK_ENGINE_TABLES_MAX];
    size_t n;                               /* of tables */
    void *confs[TMK_ENGINE_TABLES_MAX - 1]; /* owned; of each engine, with its
                                               defaults */
};

/* 0 or -ENOMEM.  Release it whatever the result. */
int tmk_engine_tables_make(struct tmk_engine_tables *t,
                           const struct tmk_opt_table *own,
                           const struct tmk_engine_ops *const *engines);

void tmk_engine_tables_fini(struct tmk_engine_tables *t);

#endif
