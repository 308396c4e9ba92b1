/*
 * Engine POSIX: the plain calls of libc, so that an interposed file system
 * sees what it would see from any program, and as little else as possible.
 * The second table makes the calls that take a directory and a name.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "engine/engine.h"

struct conf {
    unsigned odirect;
};

static const struct tmk_opt opts[] = {
    TMK_OPT_FLAG('\0', "odirect", struct conf, odirect,
                 "create and open files with O_DIRECT"),
};

struct tmk_engine {
    bool direct;
    int more_flags;  /* of each open of a file */
    int dir, to_dir; /* in use, for the relative table; borrowed */
};

/* The least block that a file system may have for O_DIRECT. */
enum { BLOCK_BYTES = 512 };

/* By enum tmk_engine_access. */
static const int open_flags[] = {
    [TMK_ENGINE_READ] = O_RDONLY,
    [TMK_ENGINE_WRITE] = O_WRONLY,
    [TMK_ENGINE_READ_WRITE] = O_RDWR,
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
    e->more_flags = e->direct ? O_DIRECT : 0;
    e->dir = AT_FDCWD;
    e->to_dir = AT_FDCWD;
    return e;
}

static void posix_close_instance(struct tmk_engine *e)
{
    free(e);
}

static int posix_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)e;
    return mkdir(path, mode) == 0 ? 0 : -errno;
}

static int posix_rmdir(struct tmk_engine *e, const char *path)
{
    (void)e;
    return rmdir(path) == 0 ? 0 : -errno;
}

static int posix_unlink(struct tmk_engine *e, const char *path)
{
    (void)e;
    return unlink(path) == 0 ? 0 : -errno;
}

static int posix_rename(struct tmk_engine *e, const char *from, const char *to)
{
    (void)e;
    return rename(from, to) == 0 ? 0 : -errno;
}

static int posix_stat(struct tmk_engine *e, const char *path, struct stat *st)
{
    (void)e;
    return stat(path, st) == 0 ? 0 : -errno;
}

/* What an open came to. */
static int opened(int fd, intptr_t *file)
{
    if (fd < 0) {
        return -errno;
    }
    *file = fd;
    return 0;
}

/* Never O_EXCL or O_TRUNC: a second create opens what is there. */
static int posix_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    return opened(open(path, O_RDWR | O_CREAT | e->more_flags, mode), file);
}

static int posix_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)e;
    return mknod(path, S_IFREG | mode, 0) == 0 ? 0 : -errno;
}

static int posix_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    return opened(open(path, open_flags[access] | e->more_flags), file);
}

/* Not repeated after EINTR: the descriptor is gone on Linux either way. */
static int posix_close(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return close((int)file) == 0 ? 0 : -errno;
}

/* Whether to try for the rest after a part of `n` bytes. */
static bool goes_on(const struct tmk_engine *e, ssize_t n)
{
    /* 0: the end of the file, or trying for ever would not help. */
    return n != 0 && !(e->direct && n % BLOCK_BYTES != 0);
}

static int64_t posix_write(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes)
{
    const char *from = buf;
    size_t done = 0;

    do {
        ssize_t n = write((int)file, from + done, bytes - done);

        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return -errno; /* the reason counts, not the part */
        }
        done += (size_t)n;
        if (!goes_on(e, n)) {
            break;
        }
    } while (done < bytes);
    return (int64_t)done;
}

static int64_t posix_read(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes)
{
    char *to = buf;
    size_t done = 0;

    do {
        ssize_t n = read((int)file, to + done, bytes - done);

        if (n < 0) {
            if (errno == EINTR) {
                continue;
            }
            return -errno; /* the reason counts, not the part */
        }
        done += (size_t)n;
        if (!goes_on(e, n)) {
            break;
        }
    } while (done < bytes);
    return (int64_t)done;
}

static int posix_rewind(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return lseek((int)file, 0, SEEK_SET) == 0 ? 0 : -errno;
}

static int posix_fsync(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return fsync((int)file) == 0 ? 0 : -errno;
}

static int posix_sync(struct tmk_engine *e)
{
    (void)e;
    sync();
    return 0;
}

static int posix_list(struct tmk_engine *e, const char *path,
                      bool (*visit)(void *arg, const char *name, bool is_dir),
                      void *arg)
{
    DIR *dir = opendir(path);
    bool more = true;
    int err = 0;

    (void)e;
    if (dir == NULL) {
        return -errno;
    }
    while (more) {
        const struct dirent *entry;

        errno = 0; /* tells an error from the end */
        entry = readdir(dir);
        if (entry == NULL) {
            err = -errno;
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0) {
            more = visit(arg, entry->d_name, entry->d_type == DT_DIR);
        }
    }
    closedir(dir);
    return err;
}

static int posix_usage(struct tmk_engine *e, const char *path,
                       struct tmk_engine_usage *usage)
{
    struct statvfs fs;
    bool root = geteuid() == 0; /* may use the reserved blocks */

    (void)e;
    if (statvfs(path, &fs) != 0) {
        return -errno;
    }
    *usage = (struct tmk_engine_usage){
        .size_bytes = (uint64_t)fs.f_blocks * fs.f_frsize,
        .free_bytes = (uint64_t)(root ? fs.f_bfree : fs.f_bavail) * fs.f_frsize,
        .used_bytes = (uint64_t)(fs.f_blocks - fs.f_bfree) * fs.f_frsize,
        .inodes = fs.f_files,
        .free_inodes = root ? fs.f_ffree : fs.f_favail,
    };
    return 0;
}

/*
 * The same relative to a directory.
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
    return opened(openat(e->dir, name, O_RDWR | O_CREAT | e->more_flags, mode),
                  file);
}

static int at_mknod(struct tmk_engine *e, const char *name, mode_t mode)
{
    return mknodat(e->dir, name, S_IFREG | mode, 0) == 0 ? 0 : -errno;
}

static int at_open(struct tmk_engine *e, const char *name,
                   enum tmk_engine_access access, intptr_t *file)
{
    return opened(openat(e->dir, name, open_flags[access] | e->more_flags),
                  file);
}

/*
 * For reading, as find(1) and rm(1) hold their directories and every
 * interposed file system knows it; O_PATH would spare the file system an open,
 * but not all of those take it.
 */
static int posix_open_dir(struct tmk_engine *e, const char *path, intptr_t *dir)
{
    (void)e;
    return opened(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), dir);
}

static int posix_close_dir(struct tmk_engine *e, intptr_t dir)
{
    return posix_close(e, dir);
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

static const struct tmk_engine_ops relative = {
    .name = "POSIX",
    .prefix = "posix.",
    .opts = opts,
    .n_opts = sizeof(opts) / sizeof(opts[0]),
    .conf_size = sizeof(struct conf),
    .open_instance = posix_open_instance,
    .close_instance = posix_close_instance,
    .mkdir = at_mkdir,
    .rmdir = at_rmdir,
    .unlink = at_unlink,
    .rename = at_rename,
    .stat = at_stat,
    .create = at_create,
    .mknod = at_mknod,
    .open = at_open,
    .close = posix_close,
    .write = posix_write,
    .read = posix_read,
    .rewind = posix_rewind,
    .fsync = posix_fsync,
    .sync = posix_sync,
    .list = posix_list,
    .usage = posix_usage,
    .open_dir = posix_open_dir,
    .close_dir = posix_close_dir,
    .use_dirs = posix_use_dirs,
    .direct = posix_direct,
    .stores = true,
};

const struct tmk_engine_ops tmk_engine_posix = {
    .name = "POSIX",
    .prefix = "posix.",
    .opts = opts,
    .n_opts = sizeof(opts) / sizeof(opts[0]),
    .conf_size = sizeof(struct conf),
    .open_instance = posix_open_instance,
    .close_instance = posix_close_instance,
    .mkdir = posix_mkdir,
    .rmdir = posix_rmdir,
    .unlink = posix_unlink,
    .rename = posix_rename,
    .stat = posix_stat,
    .create = posix_create,
    .mknod = posix_mknod,
    .open = posix_open,
    .close = posix_close,
    .write = posix_write,
    .read = posix_read,
    .rewind = posix_rewind,
    .fsync = posix_fsync,
    .sync = posix_sync,
    .list = posix_list,
    .usage = posix_usage,
    .relative = &relative,
    .open_dir = posix_open_dir,
    .close_dir = posix_close_dir,
    .use_dirs = posix_use_dirs,
    .direct = posix_direct,
    .stores = true,
};
