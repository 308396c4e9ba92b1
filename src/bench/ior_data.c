/*
 * ior_data: what is written, and whether it is what was read.
 */
#include "bench/ior_data.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 4096, SPOIL_EVERY = 512 };

static unsigned char *new_buffer(size_t bytes)
{
    size_t whole = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    unsigned char *buf = aligned_alloc(ALIGN, whole != 0 ? whole : ALIGN);

    if (buf != NULL) {
        memset(buf, 0, whole);
    }
    return buf;
}

int tmk_ior_data_init(struct tmk_ior_data *data,
                      const struct tmk_pattern *pattern, size_t bytes,
                      unsigned n, bool checks)
{
    *data = (struct tmk_ior_data){
        .pattern = *pattern,
        .bytes = bytes,
        .want_owner = TMK_IOR_DATA_NOBODY,
        .fills = pattern->kind != TMK_PATTERN_TIMESTAMP,
    };
    data->pattern.bytes = bytes;
    data->bufs = calloc(n, sizeof(*data->bufs));
    data->owners = calloc(n, sizeof(*data->owners));
    if (data->bufs == NULL || data->owners == NULL) {
        return -ENOMEM;
    }
    for (unsigned i = 0; i < n; i++) {
        data->bufs[i] = new_buffer(bytes);
        data->owners[i] = TMK_IOR_DATA_NOBODY;
        if (data->bufs[i] == NULL) {
            return -ENOMEM;
        }
        data->n = i + 1;
    }
    if (checks) {
        data->want = new_buffer(bytes);
        return data->want != NULL ? 0 : -ENOMEM;
    }
    return 0;
}

void tmk_ior_data_fini(struct tmk_ior_data *data)
{
    for (unsigned i = 0; data->bufs != NULL && i < data->n; i++) {
        free(data->bufs[i]);
    }
    free(data->bufs);
    free(data->owners);
    free(data->want);
    *data = (struct tmk_ior_data){.n = 0};
}

void tmk_ior_data_seed(struct tmk_ior_data *data, int32_t seed)
{
    data->pattern.seed = seed;
    data->want_owner = TMK_IOR_DATA_NOBODY;
    for (unsigned i = 0; i < data->n; i++) {
        data->owners[i] = TMK_IOR_DATA_NOBODY;
    }
}

void tmk_ior_data_fill(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                       uint64_t offset)
{
    if (data->owners[i] != owner) {
        tmk_pattern_begin(&data->pattern, owner, data->bufs[i], data->bytes);
        data->owners[i] = owner;
    }
    if (data->fills) {
        tmk_pattern_item(&data->pattern, owner, offset, data->bufs[i],
                         data->bytes);
    }
}

/* data->want: what `owner` writes at `offset`. */
static void make_want(struct tmk_ior_data *data, uint64_t owner,
                      uint64_t offset)
{
    if (data->want_owner != owner) {
        tmk_pattern_begin(&data->pattern, owner, data->want, data->bytes);
        data->want_owner = owner;
    }
    if (data->fills) {
        tmk_pattern_item(&data->pattern, owner, offset, data->want,
                         data->bytes);
    }
}

void tmk_ior_data_spoil(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                        uint64_t offset)
{
    static const uint64_t poison = UINT64_C(0x5bad0b5e55ed1e57);
    unsigned char *buf = data->bufs[i];

    data->owners[i] = TMK_IOR_DATA_NOBODY;
    if (data->bytes < sizeof(poison)) { /* it may be data by chance */
        make_want(data, owner, offset);
        buf[0] = data->want[0] ^ 0xff;
        return;
    }
    for (size_t at = 0; at < data->bytes; at += SPOIL_EVERY) {
        size_t left = data->bytes - at;

        memcpy(buf + at, &poison,
               left < sizeof(poison) ? left : sizeof(poison));
    }
}

/* Words that are not as they should be. */
static uint64_t count_bad(const unsigned char *want, const unsigned char *got,
                          size_t bytes)
{
    uint64_t bad = 0;

    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        size_t left = bytes - at;

        bad += memcmp(want + at, got + at,
                      left < sizeof(uint64_t) ? left : sizeof(uint64_t)) != 0;
    }
    return bad;
}

int tmk_ior_data_check(struct tmk_ior_data *data, unsigned i, uint64_t owner,
                       uint64_t offset)
{
    struct tmk_pattern_mismatch bad;
    char text[TMK_PATTERN_EXPLAIN_SIZE];
    uint64_t words;

    if (data->want_owner != owner) {
        tmk_pattern_begin(&data->pattern, owner, data->want, data->bytes);
        data->want_owner = owner;
    }
    if (tmk_pattern_check(&data->pattern, owner, offset, data->want,
                          data->bufs[i], data->bytes, &bad)) {
        return 0;
    }
    tmk_pattern_explain(&data->pattern, &bad, text, sizeof(text));
    words = count_bad(data->want, data->bufs[i], data->bytes);
    (void)snprintf(data->detail, sizeof(data->detail),
                   "transfer at offset %" PRIu64 ", written by rank %" PRIu64
                   ": %s; %" PRIu64 " word%s",
                   offset, owner, text, words,
                   words == 1 ? " differs" : "s differ");
    return -EBADMSG;
}
