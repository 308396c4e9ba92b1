/*
 * dents: getdents64(2), or readdir(3) where a library is preloaded.
 */
#include "engine/dents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALIGN = sizeof(uint64_t) };

int tmk_dents_init(struct tmk_dents *d, size_t bytes)
{
    const char *preload = getenv("LD_PRELOAD");

    *d = (struct tmk_dents){
        .size = bytes,
        .fd = -1,
        .by_readdir = preload != NULL && preload[0] != '\0',
    };
    d->buf = malloc(bytes);
    return d->buf != NULL ? 0 : -ENOMEM;
}

static void drop_stream(struct tmk_dents *d)
{
    if (d->stream != NULL) {
        (void)closedir(d->stream);
        d->stream = NULL;
    }
    d->kept = NULL;
}

void tmk_dents_fini(struct tmk_dents *d)
{
    drop_stream(d);
    free(d->buf);
    d->buf = NULL;
}

int tmk_dents_begin(struct tmk_dents *d, int fd)
{
    int copy;

    drop_stream(d);
    d->fd = fd;
    d->from = 0;
    d->to = 0;
    if (!d->by_readdir) {
        return 0;
    }
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    d->stream = copy >= 0 ? fdopendir(copy) : NULL;
    if (d->stream == NULL) {
        int err = -errno;

        if (copy >= 0) {
            (void)close(copy);
        }
        return err;
    }
    rewinddir(d->stream);
    return 0;
}

/* An entry to the buffer; false if it does not fit. */
static bool put(struct tmk_dents *d, const struct dirent *entry)
{
    const size_t head = offsetof(struct tmk_dents_record, name);
    size_t length = strlen(entry->d_name);
    size_t bytes = (head + length + 1 + ALIGN - 1) / ALIGN * ALIGN;
    struct tmk_dents_record r = {
        .inode = entry->d_ino,
        .bytes = (uint16_t)bytes,
        .type = entry->d_type,
    };

    if (d->to + bytes > d->size) {
        return false;
    }
    memcpy(d->buf + d->to, &r, head);
    memcpy(d->buf + d->to + head, entry->d_name, length + 1);
    d->to += bytes;
    return true;
}

static int fill_by_readdir(struct tmk_dents *d)
{
    for (;;) {
        const struct dirent *entry = d->kept;

        d->kept = NULL;
        if (entry == NULL) {
            errno = 0;
            entry = readdir(d->stream);
        }
        if (entry == NULL) {
            return errno != 0 ? -errno : d->to != 0;
        }
        if (!put(d, entry)) {
            d->kept = entry;
            return 1;
        }
    }
}

int tmk_dents_fill(struct tmk_dents *d)
{
    long n;

    d->from = 0;
    d->to = 0;
    if (d->by_readdir) {
        return fill_by_readdir(d);
    }
    n = syscall(SYS_getdents64, d->fd, d->buf, d->size);
    if (n < 0) {
        return -errno;
    }
    d->to = (size_t)n;
    return n > 0;
}
