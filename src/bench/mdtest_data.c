/*
 * mdtest_data: the contents of files.
 */
#include "bench/mdtest_data.h"

#include <errno.h>
#include <stdlib.h>

enum { PAGE = 4096 };

/* A buffer of whole pages; *buf stays NULL for 0 bytes. */
static int allocate(unsigned char **buf, uint64_t bytes)
{
    if (bytes == 0) {
        return 0;
    }
    if (bytes > SIZE_MAX - PAGE) {
        return -ENOMEM;
    }
    *buf = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    return *buf != NULL ? 0 : -ENOMEM;
}

int tmk_mdtest_data_init(struct tmk_mdtest_data *data,
                         const struct tmk_mdtest_conf *conf, int32_t seed)
{
    int err;

    *data = (struct tmk_mdtest_data){
        .pattern =
            {
                .kind = (enum tmk_pattern_kind)conf->pattern_kind,
                .seed = seed,
                .bytes = conf->write_bytes,
            },
        .write_bytes = conf->write_bytes,
        .read_bytes = conf->read_bytes,
        .fills = conf->pattern_kind != TMK_PATTERN_TIMESTAMP,
    };
    err = allocate(&data->write, data->write_bytes);
    if (err == 0) {
        err = allocate(&data->read, data->read_bytes > data->write_bytes
                                        ? data->read_bytes
                                        : data->write_bytes);
    }
    if (err == 0 && conf->verify_read) {
        err = allocate(&data->want, data->read_bytes);
    }
    return err;
}

void tmk_mdtest_data_fini(struct tmk_mdtest_data *data)
{
    free(data->write);
    free(data->read);
    free(data->want);
    *data = (struct tmk_mdtest_data){0};
}

void tmk_mdtest_data_writes(struct tmk_mdtest_data *data, uint64_t owner)
{
    data->write_owner = owner;
    if (data->write != NULL) {
        tmk_pattern_begin(&data->pattern, owner, data->write,
                          data->write_bytes);
    }
}

void tmk_mdtest_data_reads(struct tmk_mdtest_data *data, uint64_t owner)
{
    data->want_owner = owner;
    if (data->want != NULL) {
        tmk_pattern_begin(&data->pattern, owner, data->want, data->read_bytes);
    }
}

void tmk_mdtest_data_fill(struct tmk_mdtest_data *data, uint64_t item)
{
    tmk_pattern_item(&data->pattern, data->write_owner, item, data->write,
                     data->write_bytes);
}

void tmk_mdtest_data_spoil_written(struct tmk_mdtest_data *data)
{
    if (data->write != NULL) {
        data->read[0] = data->write[0] ^ 0xff;
    }
}

void tmk_mdtest_data_spoil_read(struct tmk_mdtest_data *data, uint64_t item)
{
    if (data->want != NULL) {
        tmk_pattern_item(&data->pattern, data->want_owner, item, data->want,
                         data->read_bytes);
        data->read[0] = data->want[0] ^ 0xff;
    }
}

static int check(struct tmk_mdtest_data *data, uint64_t owner, uint64_t item,
                 const unsigned char *want, uint64_t bytes)
{
    struct tmk_pattern_mismatch bad;

    if (tmk_pattern_same(&data->pattern, owner, item, want, data->read, bytes,
                         &bad)) {
        return 0;
    }
    tmk_pattern_explain(&data->pattern, &bad, data->detail,
                        sizeof(data->detail));
    return -EBADMSG;
}

int tmk_mdtest_data_check_written(struct tmk_mdtest_data *data, uint64_t item)
{
    return check(data, data->write_owner, item, data->write, data->write_bytes);
}

int tmk_mdtest_data_check_read(struct tmk_mdtest_data *data, uint64_t item)
{
    uint64_t bytes = data->read_bytes;

    if (data->write_bytes != 0 && data->write_bytes < bytes) {
        bytes = data->write_bytes; /* what is behind is not known */
    }
    return check(data, data->want_owner, item, data->want, bytes);
}
