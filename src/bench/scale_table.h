#ifndef TMK_BENCH_SCALE_TABLE_H
#define TMK_BENCH_SCALE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/result_values.h"
#include "bench/scale_plan.h"

enum tmk_scale_state {
    TMK_SCALE_NOT_RUN,
    TMK_SCALE_DONE,
    TMK_SCALE_FAILED,
    TMK_SCALE_TIMED_OUT,
    TMK_SCALE_INTERRUPTED,
};

/* A point with what came of it. */
struct tmk_scale_entry {
    struct tmk_scale_point point;
    char *vary; /* owned: "-w=4096"; NULL = nothing is varied */
    enum tmk_scale_state state;
    struct tmk_result_values values; /* owned */
    struct json_t *what; /* owned; of --show: the work; NULL = not known */
};

/* "done", "timed out" */
const char *tmk_scale_state_name(enum tmk_scale_state state);

/* "2 nodes x 4 = 8 ranks, -w=4096"; buf gets as much as fits. */
void tmk_scale_entry_name(const struct tmk_scale_entry *entry, char *buf,
                          size_t size);

/*
 * A table of each operation and value of --vary, in the order of the entries:
 * rates, and how they grow.  Speed-up and efficiency are against the first
 * entry of a table that has a rate.
 */
void tmk_scale_table_print(const struct tmk_scale_entry *entries, size_t n,
                           bool peak, FILE *to);

/* What is more efficient than the first entry of its table. */
struct tmk_scale_excess {
    const struct tmk_scale_entry *entry; /* NULL = nothing is */
    const char *name;                    /* of the operation */
    double efficiency;
};

/* The most efficient of all, above 1; borrowed from the entries. */
struct tmk_scale_excess
tmk_scale_table_excess(const struct tmk_scale_entry *entries, size_t n);

void tmk_scale_entry_fini(struct tmk_scale_entry *entry);

#endif
