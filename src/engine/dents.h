#ifndef TMK_ENGINE_DENTS_H
#define TMK_ENGINE_DENTS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The entries of directories, straight from the kernel's buffer: no copy and no
 * call per entry.
 *
 *     tmk_dents_begin(&d, fd)
 *     while (tmk_dents_fill(&d) > 0) {
 *         while (tmk_dents_next(&d, &entry)) ...
 *     }
 *
 * Where a library is preloaded, which may be a file system of its own, entries
 * come from readdir(3) by the same buffer.
 */
struct tmk_dent {
    const char *name; /* valid until the next fill; NUL-terminated */
    uint64_t inode;
    unsigned char type; /* DT_*; DT_UNKNOWN = the file system does not say */
};

/* What getdents64(2) fills in. */
struct tmk_dents_record {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

struct tmk_dents {
    char *buf; /* owned */
    size_t size;
    size_t from, to; /* what has not been seen yet */
    int fd;          /* borrowed */
    bool by_readdir;
    DIR *stream; /* owned; with by_readdir */
    const struct dirent *kept;
};

/* A buffer of `bytes`, 4096 at least.  0 or -ENOMEM. */
int tmk_dents_init(struct tmk_dents *d, size_t bytes);

/* Also after a failed init. */
void tmk_dents_fini(struct tmk_dents *d);

/* Read this directory, whose offset is at its beginning.  fd stays the caller's
 * and must be open until the last fill.  0 or -errno. */
int tmk_dents_begin(struct tmk_dents *d, int fd);

/* The next piece: 1, 0 at the end, -errno.  What was left is dropped. */
int tmk_dents_fill(struct tmk_dents *d);

/* The next entry of this piece but "." and ".."; false if there is none. */
static inline bool tmk_dents_next(struct tmk_dents *d, struct tmk_dent *entry)
{
    while (d->from < d->to) {
        const struct tmk_dents_record *r =
            (const struct tmk_dents_record *)(const void *)(d->buf + d->from);
        const char *name = r->name;

        d->from += r->bytes;
        if (name[0] == '.' &&
            (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'))) {
            continue;
        }
        entry->name = name;
        entry->inode = r->inode;
        entry->type = r->type;
        return true;
    }
    return false;
}

#endif
