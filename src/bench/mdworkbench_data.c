/*
 * mdworkbench_data: what objects hold.
 */
#include "bench/mdworkbench_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* A buffer of whole pages, for O_DIRECT; *buf stays NULL for 0 bytes. */
static int allocate(unsigned char **buf, uint64_t bytes)
{
    if (bytes == 0) {
        return 0;
    }
    if (bytes > SIZE_MAX - PAGE) {
        return -ENOMEM;
    }
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    *buf = aligned_alloc(PAGE, bytes);
    if (*buf == NULL) {
        return -ENOMEM;
    }
    memset(*buf, 0, bytes); /* what a short read leaves is shown, too */
    return 0;
}

int tmk_mdworkbench_data_init(struct tmk_mdworkbench_data *data,
                              const struct tmk_pattern *pattern, bool verifies)
{
    int err;

    *data = (struct tmk_mdworkbench_data){
        .pattern = *pattern,
        .bytes = pattern->bytes,
    };
    err = allocate(&data->write, data->bytes);
    if (err == 0) {
        err = allocate(&data->read, data->bytes);
    }
    if (err == 0 && verifies) {
        err = allocate(&data->want, data->bytes);
    }
    return err;
}

void tmk_mdworkbench_data_fini(struct tmk_mdworkbench_data *data)
{
    free(data->write);
    free(data->read);
    free(data->want);
    *data = (struct tmk_mdworkbench_data){0};
}

/* The content of an item to a buffer that may hold one of its owner's. */
static void make(const struct tmk_mdworkbench_data *data, unsigned char *buf,
                 uint64_t *owner, bool *begun, uint64_t of, uint64_t item)
{
    if (!*begun || *owner != of) {
        tmk_pattern_begin(&data->pattern, of, buf, data->bytes);
        *owner = of;
        *begun = true;
    }
    tmk_pattern_item(&data->pattern, of, item, buf, data->bytes);
}

void tmk_mdworkbench_data_fill(struct tmk_mdworkbench_data *data,
                               uint64_t owner, uint64_t item)
{
    if (data->write != NULL) {
        make(data, data->write, &data->write_owner, &data->write_begun, owner,
             item);
    }
}

void tmk_mdworkbench_data_spoil(struct tmk_mdworkbench_data *data,
                                uint64_t owner, uint64_t item)
{
    const uint64_t last = data->bytes - 1;

    if (data->want == NULL) {
        return;
    }
    make(data, data->want, &data->want_owner, &data->want_begun, owner, item);
    for (uint64_t at = 0; at < data->bytes; at += PAGE) {
        data->read[at] = data->want[at] ^ 0xff;
    }
    data->read[last] = data->want[last] ^ 0xff;
}

int tmk_mdworkbench_data_check(struct tmk_mdworkbench_data *data,
                               uint64_t owner, uint64_t item)
{
    struct tmk_pattern_mismatch bad;

    if (data->want == NULL ||
        tmk_pattern_same(&data->pattern, owner, item, data->want, data->read,
                         data->bytes, &bad)) {
        return 0;
    }
    tmk_pattern_explain(&data->pattern, &bad, data->detail,
                        sizeof(data->detail));
    return -EBADMSG;
}
