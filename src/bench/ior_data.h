#ifndef TMK_BENCH_IOR_DATA_H
#define TMK_BENCH_IOR_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pattern.h"

/*
 * The contents of transfers: a buffer for each that may be under way, filled
 * before a write and checked after a read, outside of the transfer's time.
 */
struct tmk_ior_data {
    struct tmk_pattern pattern;
    size_t bytes;         /* of a transfer */
    unsigned n;           /* buffers */
    unsigned char **bufs; /* owned, as what they point to; aligned to pages */
    uint64_t *owners;     /* owned: whose contents each buffer was begun with */
    unsigned char *want;  /* owned; what should have been read */
    uint64_t want_owner;
    bool fills;       /* contents differ from transfer to transfer */
    char detail[256]; /* of the last mismatch, or of a short transfer */
};

/* The contents of a buffer are nobody's. */
#define TMK_IOR_DATA_NOBODY UINT64_MAX

/* 0 or -ENOMEM. */
int tmk_ior_data_init(struct tmk_ior_data *data,
                      const struct tmk_pattern *pattern, size_t bytes,
                      unsigned n, bool checks);

/* Also after a failed init. */
void tmk_ior_data_fini(struct tmk_ior_data *data);

/* Another seed: all buffers are to be filled anew. */
void tmk_ior_data_seed(struct tmk_ior_data *data, int32_t seed);

/* Buffer i: what `owner` writes at `offset` of its file. */
void tmk_ior_data_fill(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                       uint64_t offset);

/* Before a read that will be checked: buffer i holds nothing that could be
 * taken for what `owner` writes at `offset`. */
void tmk_ior_data_spoil(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                        uint64_t offset);

/*
 * Whether buffer i holds what `owner` writes at `offset`.  0, or -EBADMSG with
 * data->detail: the first word that differs, and how many do.
 */
int tmk_ior_data_check(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                       uint64_t offset);

#endif
