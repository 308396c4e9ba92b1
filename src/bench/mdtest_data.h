#ifndef TMK_BENCH_MDTEST_DATA_H
#define TMK_BENCH_MDTEST_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pattern.h"
#include "bench/mdtest_conf.h"

/*
 * The contents of files: buffers that are filled before a write and checked
 * after a read, outside of an operation's time.
 */
struct tmk_mdtest_data {
    struct tmk_pattern pattern;
    uint64_t write_bytes, read_bytes;
    unsigned char *write; /* owned; write_bytes; what is written */
    unsigned char *read;  /* owned; the larger of both; what was read */
    unsigned char *want;  /* owned; read_bytes; what should be read */
    uint64_t write_owner, want_owner;
    bool fills; /* contents differ from item to item */
    char detail[TMK_PATTERN_EXPLAIN_SIZE]; /* of the last mismatch */
};

/* Buffers aligned to pages, as O_DIRECT needs them.  0 or -ENOMEM. */
int tmk_mdtest_data_init(struct tmk_mdtest_data *data,
                         const struct tmk_mdtest_conf *conf, int32_t seed);

/* Also after a failed init. */
void tmk_mdtest_data_fini(struct tmk_mdtest_data *data);

/* The files of this owner are written, or read, from now on. */
void tmk_mdtest_data_writes(struct tmk_mdtest_data *data, uint64_t owner);
void tmk_mdtest_data_reads(struct tmk_mdtest_data *data, uint64_t owner);

/* data->write: the contents of an item. */
void tmk_mdtest_data_fill(struct tmk_mdtest_data *data, uint64_t item);

/*
 * Before reading: data->read does not hold the contents of an item, as it is
 * just written (data->write) or as it should be, whatever was there.
 */
void tmk_mdtest_data_spoil_written(struct tmk_mdtest_data *data);
void tmk_mdtest_data_spoil_read(struct tmk_mdtest_data *data, uint64_t item);

/*
 * Whether data->read now holds the contents of that item.  Of a file that is
 * longer than write_bytes the rest is not known, and not looked at.  0, or
 * -EBADMSG with data->detail.
 */
int tmk_mdtest_data_check_written(struct tmk_mdtest_data *data, uint64_t item);
int tmk_mdtest_data_check_read(struct tmk_mdtest_data *data, uint64_t item);

#endif
