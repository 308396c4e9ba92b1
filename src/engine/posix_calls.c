/*
 * posix_calls: the plain calls of libc, so that an interposed file system sees
 * what it would see from any program, and as little else as possible.
 */
#include "engine/posix_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The least block that a file system may have for O_DIRECT. */
enum { BLOCK_BYTES = 512 };

int tmk_posix_calls_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)e;
    return mkdir(path, mode) == 0 ? 0 : -errno;
}

int tmk_posix_calls_rmdir(struct tmk_engine *e, const char *path)
{
    (void)e;
    return rmdir(path) == 0 ? 0 : -errno;
}

int tmk_posix_calls_unlink(struct tmk_engine *e, const char *path)
{
    (void)e;
    return unlink(path) == 0 ? 0 : -errno;
}

int tmk_posix_calls_rename(struct tmk_engine *e, const char *from,
                           const char *to)
{
    (void)e;
    return rename(from, to) == 0 ? 0 : -errno;
}

int tmk_posix_calls_stat(struct tmk_engine *e, const char *path,
                         struct stat *st)
{
    (void)e;
    return stat(path, st) == 0 ? 0 : -errno;
}

int tmk_posix_calls_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)e;
    return mknod(path, S_IFREG | mode, 0) == 0 ? 0 : -errno;
}

int tmk_posix_calls_opened(int fd, intptr_t *file)
{
    if (fd < 0) {
        return -errno;
    }
    *file = fd;
    return 0;
}

int tmk_posix_calls_flag(enum tmk_engine_access access)
{
    static const int flags[] = {
        [TMK_ENGINE_READ] = O_RDONLY,
        [TMK_ENGINE_WRITE] = O_WRONLY,
        [TMK_ENGINE_READ_WRITE] = O_RDWR,
    };

    return flags[access];
}

/* Never O_EXCL or O_TRUNC: a second create opens what is there. */
int tmk_posix_calls_create(const char *path, int more_flags, mode_t mode,
                           intptr_t *file)
{
    return tmk_posix_calls_opened(
        open(path, O_RDWR | O_CREAT | more_flags, mode), file);
}

int tmk_posix_calls_open(const char *path, enum tmk_engine_access access,
                         int more_flags, intptr_t *file)
{
    return tmk_posix_calls_opened(
        open(path, tmk_posix_calls_flag(access) | more_flags), file);
}

/* Not repeated after EINTR: the descriptor is gone on Linux either way. */
int tmk_posix_calls_close(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return close((int)file) == 0 ? 0 : -errno;
}

int tmk_posix_calls_rewind(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return lseek((int)file, 0, SEEK_SET) == 0 ? 0 : -errno;
}

int tmk_posix_calls_fsync(struct tmk_engine *e, intptr_t file)
{
    (void)e;
    return fsync((int)file) == 0 ? 0 : -errno;
}

int tmk_posix_calls_sync(struct tmk_engine *e)
{
    (void)e;
    sync();
    return 0;
}

int tmk_posix_calls_size(struct tmk_engine *e, const char *path,
                         uint64_t *bytes)
{
    struct stat st;
    int err = tmk_posix_calls_stat(e, path, &st);

    if (err == 0) {
        *bytes = (uint64_t)st.st_size;
    }
    return err;
}

int tmk_posix_calls_list(struct tmk_engine *e, const char *path,
                         bool (*visit)(void *arg, const char *name,
                                       bool is_dir),
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

int tmk_posix_calls_usage(struct tmk_engine *e, const char *path,
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
 * Transfers: one loop around four calls.
 */

enum call { WRITE, READ, PWRITE, PREAD };

static inline ssize_t piece(enum call call, int fd, char *at, size_t bytes,
                            uint64_t offset)
{
    switch (call) {
    case WRITE: return write(fd, at, bytes);
    case READ: return read(fd, at, bytes);
    case PWRITE: return pwrite(fd, at, bytes, (off_t)offset);
    default: return pread(fd, at, bytes, (off_t)offset);
    }
}

/* Whether to try for the rest after a part of `n` bytes. */
static inline bool goes_on(ssize_t n, unsigned rules)
{
    /* 0: the end of the file, or trying for ever would not help. */
    return n != 0 && (rules & TMK_POSIX_CALLS_SINGLE) == 0 &&
           ((rules & TMK_POSIX_CALLS_DIRECT) == 0 || n % BLOCK_BYTES == 0);
}

/* The end of a transfer whose first call came to `n`, not to all of it. */
static int64_t finish(enum call call, int fd, char *buf, size_t bytes,
                      uint64_t offset, unsigned rules, ssize_t n)
{
    size_t done = 0;

    for (;;) {
        if (n >= 0) {
            done += (size_t)n;
            if (done == bytes || !goes_on(n, rules)) {
                return (int64_t)done;
            }
        } else if (errno == EINVAL && done != 0 &&
                   (rules & TMK_POSIX_CALLS_DIRECT) != 0) {
            return (int64_t)done; /* a part of a block of this file system */
        } else if (errno != EINTR) {
            return -errno; /* the reason counts, not the part */
        }
        n = piece(call, fd, buf + done, bytes - done, offset + done);
    }
}

static inline int64_t transfer(enum call call, int fd, char *buf, size_t bytes,
                               uint64_t offset, unsigned rules)
{
    ssize_t n = piece(call, fd, buf, bytes, offset);

    return n == (ssize_t)bytes ? n
                               : finish(call, fd, buf, bytes, offset, rules, n);
}

/* The cast: one loop for reads and writes; these do not write to `buf`. */
int64_t tmk_posix_calls_write(int fd, const void *buf, size_t bytes,
                              unsigned rules)
{
    return transfer(WRITE, fd, (char *)buf, bytes, 0, rules);
}

int64_t tmk_posix_calls_read(int fd, void *buf, size_t bytes, unsigned rules)
{
    return transfer(READ, fd, buf, bytes, 0, rules);
}

int64_t tmk_posix_calls_pwrite(int fd, const void *buf, size_t bytes,
                               uint64_t offset, unsigned rules)
{
    return transfer(PWRITE, fd, (char *)buf, bytes, offset, rules);
}

int64_t tmk_posix_calls_pread(int fd, void *buf, size_t bytes, uint64_t offset,
                              unsigned rules)
{
    return transfer(PREAD, fd, buf, bytes, offset, rules);
}

int64_t tmk_posix_calls_rest(bool writing, int fd, void *buf, size_t bytes,
                             uint64_t offset, unsigned rules, ssize_t n)
{
    return finish(writing ? PWRITE : PREAD, fd, buf, bytes, offset, rules, n);
}
