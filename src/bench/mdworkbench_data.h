#ifndef TMK_BENCH_MDWORKBENCH_DATA_H
#define TMK_BENCH_MDWORKBENCH_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"

/*
 * What objects hold: made from the owner of the set, and from the object and
 * the set, item object * D + d; not from the rank that writes it.
 */
struct tmk_mdworkbench_data {
    struct tmk_pattern pattern;
    uint64_t bytes;
    unsigned char *write, *read, *want; /* owned; want: with verification */
    uint64_t write_owner, want_owner;   /* whose content is there */
    bool write_begun, want_begun;
    char detail[TMK_PATTERN_EXPLAIN_SIZE]; /* of what was wrong */
};

/* 0 or -ENOMEM; fini also after that. */
int tmk_mdworkbench_data_init(struct tmk_mdworkbench_data *data,
                              const struct tmk_pattern *pattern, bool verifies);
void tmk_mdworkbench_data_fini(struct tmk_mdworkbench_data *data);

/* The content of an item to data->write. */
void tmk_mdworkbench_data_fill(struct tmk_mdworkbench_data *data,
                               uint64_t owner, uint64_t item);

/* Before an item is read: data->read must not hold its content by chance. */
void tmk_mdworkbench_data_spoil(struct tmk_mdworkbench_data *data,
                                uint64_t owner, uint64_t item);

/* After that: whether data->read is the content; 0, or -EBADMSG with what is
 * wrong in data->detail. */
int tmk_mdworkbench_data_check(struct tmk_mdworkbench_data *data,
                               uint64_t owner, uint64_t item);

#endif
