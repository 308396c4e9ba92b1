/*
 * Engine POSIX: the plain calls of libc on whole paths.  The second table makes
 * the calls that take a directory and a name, the third those of ior 4.1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/posix_calls.h"

struct conf {
    unsigned odirect, rangelocks;
};

static const struct tmk_opt opts[] = {
    TMK_OPT_FLAG('\0', "odirect", struct conf, odirect,
                 "create and open files with O_DIRECT"),
    TMK_OPT_FLAG('\0', "rangelocks", struct conf, rangelocks,
                 "hold an advisory lock on the range of each transfer"),
};

struct tmk_engine {
    bool direct, locks;
    unsigned rules;  /* of transfers that come short */
    int more_flags;  /* of each open of a file */
    int dir, to_dir; /* in use, for the relative table; borrowed */
};

static struct tmk_engine *posix_open_instance(const void *conf, unsigned index,
                                              int *err)
{
    const struct conf *c = conf;
    struct tmk_engine *e = calloc(1, sizeof(*e));

    (void)index;
    if (e == NULL) {
        *err = -ENOMEM;
        return NULL;
    }
    *err = 0;
    e->direct = c->odirect != 0;
    e->locks = c->rangelocks != 0;
    e->rules = e->direct ? TMK_POSIX_CALLS_DIRECT : 0;
    e->more_flags = e->direct ? O_DIRECT : 0;
    e->dir = AT_FDCWD;
    e->to_dir = AT_FDCWD;
    return e;
}

static void posix_close_instance(struct tmk_engine *e)
{
    free(e);
}

static int posix_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    return tmk_posix_calls_create(path, e->more_flags, mode, file);
}

static int posix_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    return tmk_posix_calls_open(path, access, e->more_flags, file);
}

static int posix_expect(struct tmk_engine *e,
                        const struct tmk_engine_transfers *transfers)
{
    e->rules &= ~(unsigned)TMK_POSIX_CALLS_SINGLE;
    if (transfers->single) {
        e->rules |= TMK_POSIX_CALLS_SINGLE;
    }
    return 0;
}

/*
 * Transfers, within locks of their ranges if that was asked for.
 */

static int lock(int fd, const struct flock *range)
{
    while (fcntl(fd, F_SETLKW, range) != 0) {
        if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

/* What a range was locked for: SEEK_CUR is the current offset. */
static int64_t move(int fd, const struct flock *range, void *buf,
                    unsigned rules)
{
    size_t bytes = (size_t)range->l_len;
    uint64_t offset = (uint64_t)range->l_start;

    if (range->l_whence == SEEK_CUR) {
        return range->l_type == F_WRLCK
                   ? tmk_posix_calls_write(fd, buf, bytes, rules)
                   : tmk_posix_calls_read(fd, buf, bytes, rules);
    }
    return range->l_type == F_WRLCK
               ? tmk_posix_calls_pwrite(fd, buf, bytes, offset, rules)
               : tmk_posix_calls_pread(fd, buf, bytes, offset, rules);
}

/*
 * A transfer within a lock, which is the only one that this process has on the
 * file.  0 bytes would be all that follow.  Kept out of the transfers without
 * locks, which it would cost registers.
 */
__attribute__((noinline)) static int64_t locked(int fd, short type,
                                                short whence, void *buf,
                                                size_t bytes, uint64_t offset,
                                                unsigned rules)
{
    static const struct flock none = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    const struct flock range = {
        .l_type = type,
        .l_whence = whence,
        .l_start = (off_t)offset,
        .l_len = (off_t)bytes,
    };
    int64_t n = bytes != 0 ? lock(fd, &range) : 0;
    int err;

    if (n != 0) {
        return n;
    }
    n = move(fd, &range, buf, rules);
    err = lock(fd, &none);
    return n >= 0 && err != 0 ? err : n;
}

static int64_t posix_write(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes)
{
    if (e->locks) {
        return locked((int)file, F_WRLCK, SEEK_CUR, (void *)buf, bytes, 0,
                      e->rules);
    }
    return tmk_posix_calls_write((int)file, buf, bytes, e->rules);
}

static int64_t posix_read(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes)
{
    if (e->locks) {
        return locked((int)file, F_RDLCK, SEEK_CUR, buf, bytes, 0, e->rules);
    }
    return tmk_posix_calls_read((int)file, buf, bytes, e->rules);
}

static int64_t posix_pwrite(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes, uint64_t offset)
{
    if (e->locks) {
        return locked((int)file, F_WRLCK, SEEK_SET, (void *)buf, bytes, offset,
                      e->rules);
    }
    return tmk_posix_calls_pwrite((int)file, buf, bytes, offset, e->rules);
}

static int64_t posix_pread(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes, uint64_t offset)
{
    if (e->locks) {
        return locked((int)file, F_RDLCK, SEEK_SET, buf, bytes, offset,
                      e->rules);
    }
    return tmk_posix_calls_pread((int)file, buf, bytes, offset, e->rules);
}

/*
 * The same by one call.  With locks, rest() does it all.
 */

static int64_t posix_pwrite_once(struct tmk_engine *e, intptr_t file,
                                 const void *buf, size_t bytes, uint64_t offset)
{
    if (e->locks) {
        return -1;
    }
    return pwrite((int)file, buf, bytes, (off_t)offset);
}

static int64_t posix_pread_once(struct tmk_engine *e, intptr_t file, void *buf,
                                size_t bytes, uint64_t offset)
{
    if (e->locks) {
        return -1;
    }
    return pread((int)file, buf, bytes, (off_t)offset);
}

static int64_t posix_rest(struct tmk_engine *e, intptr_t file, bool writing,
                          void *buf, size_t bytes, uint64_t offset,
                          int64_t once)
{
    if (e->locks) {
        return writing ? posix_pwrite(e, file, buf, bytes, offset)
                       : posix_pread(e, file, buf, bytes, offset);
    }
    return tmk_posix_calls_rest(writing, (int)file, buf, bytes, offset,
                                e->rules, once);
}

/*
 * The same as ior 4.1 has them.
 */

static int64_t legacy_pwrite(struct tmk_engine *e, intptr_t file,
                             const void *buf, size_t bytes, uint64_t offset)
{
    if (lseek((int)file, (off_t)offset, SEEK_SET) < 0) {
        return -errno;
    }
    return posix_write(e, file, buf, bytes);
}

static int64_t legacy_pread(struct tmk_engine *e, intptr_t file, void *buf,
                            size_t bytes, uint64_t offset)
{
    if (lseek((int)file, (off_t)offset, SEEK_SET) < 0) {
        return -errno;
    }
    return posix_read(e, file, buf, bytes);
}

/*
 * Calls relative to a directory.
 */

static int at_mkdir(struct tmk_engine *e, const char *name, mode_t mode)
{
    return mkdirat(e->dir, name, mode) == 0 ? 0 : -errno;
}

static int at_rmdir(struct tmk_engine *e, const char *name)
{
    return unlinkat(e->dir, name, AT_REMOVEDIR) == 0 ? 0 : -errno;
}

static int at_unlink(struct tmk_engine *e, const char *name)
{
    return unlinkat(e->dir, name, 0) == 0 ? 0 : -errno;
}

static int at_rename(struct tmk_engine *e, const char *from, const char *to)
{
    return renameat(e->dir, from, e->to_dir, to) == 0 ? 0 : -errno;
}

static int at_stat(struct tmk_engine *e, const char *name, struct stat *st)
{
    return fstatat(e->dir, name, st, 0) == 0 ? 0 : -errno;
}

static int at_create(struct tmk_engine *e, const char *name, mode_t mode,
                     intptr_t *file)
{
    return tmk_posix_calls_opened(
        openat(e->dir, name, O_RDWR | O_CREAT | e->more_flags, mode), file);
}

static int at_mknod(struct tmk_engine *e, const char *name, mode_t mode)
{
    return mknodat(e->dir, name, S_IFREG | mode, 0) == 0 ? 0 : -errno;
}

static int at_open(struct tmk_engine *e, const char *name,
                   enum tmk_engine_access access, intptr_t *file)
{
    int flags = tmk_posix_calls_flag(access) | e->more_flags;

    return tmk_posix_calls_opened(openat(e->dir, name, flags), file);
}

/*
 * For reading, as find(1) and rm(1) hold their directories and every
 * interposed file system knows it; O_PATH would spare the file system an open,
 * but not all of those take it.
 */
static int posix_open_dir(struct tmk_engine *e, const char *path, intptr_t *dir)
{
    (void)e;
    return tmk_posix_calls_opened(
        open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), dir);
}

static void posix_use_dirs(struct tmk_engine *e, intptr_t dir, intptr_t to_dir)
{
    e->dir = (int)dir;
    e->to_dir = (int)to_dir;
}

static bool posix_direct(const struct tmk_engine *e)
{
    return e->direct;
}

/* What the tables have in common. */
#define CALLS                                                                  \
    .name = "POSIX", .prefix = "posix.", .opts = opts,                         \
    .n_opts = sizeof(opts) / sizeof(opts[0]),                                  \
    .conf_size = sizeof(struct conf), .open_instance = posix_open_instance,    \
    .close_instance = posix_close_instance, .close = tmk_posix_calls_close,    \
    .write = posix_write, .read = posix_read, .expect = posix_expect,          \
    .rewind = tmk_posix_calls_rewind, .fsync = tmk_posix_calls_fsync,          \
    .sync = tmk_posix_calls_sync, .size = tmk_posix_calls_size,                \
    .list = tmk_posix_calls_list, .usage = tmk_posix_calls_usage,              \
    .open_dir = posix_open_dir, .close_dir = tmk_posix_calls_close,            \
    .use_dirs = posix_use_dirs, .direct = posix_direct, .stores = true

#define WHOLE_PATHS                                                            \
    .mkdir = tmk_posix_calls_mkdir, .rmdir = tmk_posix_calls_rmdir,            \
    .unlink = tmk_posix_calls_unlink, .rename = tmk_posix_calls_rename,        \
    .stat = tmk_posix_calls_stat, .create = posix_create,                      \
    .mknod = tmk_posix_calls_mknod, .open = posix_open

static const struct tmk_engine_ops relative = {
    CALLS,
    .mkdir = at_mkdir,
    .rmdir = at_rmdir,
    .unlink = at_unlink,
    .rename = at_rename,
    .stat = at_stat,
    .create = at_create,
    .mknod = at_mknod,
    .open = at_open,
    .pwrite = posix_pwrite,
    .pread = posix_pread,
};

static const struct tmk_engine_ops legacy = {
    CALLS,
    WHOLE_PATHS,
    .pwrite = legacy_pwrite,
    .pread = legacy_pread,
};

const struct tmk_engine_ops tmk_engine_posix = {
    CALLS,
    WHOLE_PATHS,
    .pwrite = posix_pwrite,
    .pread = posix_pread,
    .pwrite_once = posix_pwrite_once,
    .pread_once = posix_pread_once,
    .rest = posix_rest,
    .relative = &relative,
    .legacy = &legacy,
};
