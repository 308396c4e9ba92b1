/*
 * Preloaded into the program under test, behind recorder.c if that is to see
 * it: the n-th call of a rank on what lies below TREEMARK_BREAK_BELOW fails,
 * and is not made; but a file is closed in any case.
 *
 *     TREEMARK_BREAK_N      which call, counted from 1; 0: none
 *     TREEMARK_BREAK_EVERY  if it is there: every n-th
 *     TREEMARK_BREAK_ERRNO  a number
 *     TREEMARK_BREAK_CALL   count calls of this kind alone: open, stat, mkdir,
 *                           rmdir, unlink, rename, mknod, close, read, write,
 *                           lseek, fsync, opendir, readdir or statvfs
 *     TREEMARK_BREAK_MATCH  count calls on paths with this in them alone
 *     TREEMARK_BREAK_RANK   on this rank; else on all
 *     TREEMARK_BREAK_DELAY  microseconds that each call takes longer on that
 *                           rank
 *     TREEMARK_BREAK_SLOW   only calls of this kind take longer
 *     TREEMARK_BREAK_COUNT  how many calls were counted goes to this file,
 *                           with the rank behind it
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 4096 };

static const char *below; /* NULL: this is not the program */
static const char *kind, *match, *slow;
static const char *rank;
static long n, counted;
static int every, err;
static long delay_us;
static char *file_of[MOST_FILES]; /* the paths of open files below */
static DIR *listed;               /* a directory below that is being read */

static const char *text_in(const char *name, const char *otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? text : otherwise;
}

static long number_in(const char *name)
{
    return strtol(text_in(name, "0"), NULL, 10);
}

__attribute__((constructor)) static void begin(void)
{
    rank = text_in("PMI_RANK", text_in("OMPI_COMM_WORLD_RANK", "0"));
    if (strstr(program_invocation_short_name, "mdtest") == NULL &&
        strstr(program_invocation_short_name, "treemark") == NULL) {
        return; /* "env", "timeout" */
    }
    below = getenv("TREEMARK_BREAK_BELOW");
    kind = text_in("TREEMARK_BREAK_CALL", "any");
    match = text_in("TREEMARK_BREAK_MATCH", "");
    slow = text_in("TREEMARK_BREAK_SLOW", "");
    err = (int)number_in("TREEMARK_BREAK_ERRNO");
    every = getenv("TREEMARK_BREAK_EVERY") != NULL;
    if (strcmp(text_in("TREEMARK_BREAK_RANK", rank), rank) == 0) {
        n = number_in("TREEMARK_BREAK_N");
        delay_us = number_in("TREEMARK_BREAK_DELAY");
    }
}

__attribute__((destructor)) static void end(void)
{
    const char *to = getenv("TREEMARK_BREAK_COUNT");
    char path[PATH_MAX];
    FILE *f;

    if (below == NULL || to == NULL) {
        return;
    }
    snprintf(path, sizeof(path), "%s.%s", to, rank);
    f = fopen(path, "w");
    if (f != NULL) {
        fprintf(f, "%ld\n", counted);
        fclose(f);
    }
}

/* The path as an absolute one, in buf if it was not. */
static const char *whole(int dir, const char *path, char *buf, size_t size)
{
    char link[64];
    ssize_t length;

    if (path[0] == '/') {
        return path;
    }
    if (dir == AT_FDCWD) {
        snprintf(link, sizeof(link), "/proc/self/cwd");
    } else {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
    }
    length = readlink(link, buf, size - 1);
    if (length < 0) {
        return path;
    }
    snprintf(buf + length, size - (size_t)length, "/%s", path);
    return buf;
}

/* Whether a call is to fail; errno says so then. */
static int fails(const char *call, int dir, const char *path)
{
    struct timespec ts = {delay_us / 1000000, delay_us % 1000000 * 1000};
    char buf[2 * PATH_MAX];

    if (below == NULL || path == NULL) {
        return 0;
    }
    path = whole(dir, path, buf, sizeof(buf));
    if (strncmp(path, below, strlen(below)) != 0) {
        return 0;
    }
    if (delay_us > 0 && (slow[0] == '\0' || strcmp(slow, call) == 0)) {
        nanosleep(&ts, NULL);
    }
    if ((strcmp(kind, "any") != 0 && strcmp(kind, call) != 0) ||
        strstr(path, match) == NULL) {
        return 0;
    }
    counted++;
    if (n > 0 && (counted == n || (every && counted % n == 0))) {
        errno = err;
        return 1;
    }
    return 0;
}

/* Remember what a file is called; -1 is none. */
static int opened(int fd, int dir, const char *path)
{
    char buf[2 * PATH_MAX];

    if (fd < 0 || fd >= MOST_FILES || below == NULL) {
        return fd;
    }
    path = whole(dir, path, buf, sizeof(buf));
    if (strncmp(path, below, strlen(below)) == 0) {
        free(file_of[fd]);
        file_of[fd] = strdup(path);
    }
    return fd;
}

static const char *path_of(int fd)
{
    return fd >= 0 && fd < MOST_FILES ? file_of[fd] : NULL;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                      \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        va_list args;                                                          \
        int fd;                                                                \
                                                                               \
        if (fails("open", AT_FDCWD, path)) {                                   \
            return -1;                                                         \
        }                                                                      \
        va_start(args, flags);                                                 \
        fd = NEXT(name)(path, flags, mode_of(flags, args));                    \
        va_end(args);                                                          \
        return opened(fd, AT_FDCWD, path);                                     \
    }

#define DEFINE_OPENAT(name)                                                    \
    int name(int dir, const char *path, int flags, ...)                        \
    {                                                                          \
        va_list args;                                                          \
        int fd;                                                                \
                                                                               \
        if (fails("open", dir, path)) {                                        \
            return -1;                                                         \
        }                                                                      \
        va_start(args, flags);                                                 \
        fd = NEXT(name)(dir, path, flags, mode_of(flags, args));               \
        va_end(args);                                                          \
        return opened(fd, dir, path);                                          \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

/* A function of paths. */
#define DEFINE(name, call, dir, path, parameters, arguments)                   \
    int name parameters                                                        \
    {                                                                          \
        return fails(call, dir, path) ? -1 : NEXT(name) arguments;             \
    }

DEFINE(stat, "stat", AT_FDCWD, path, (const char *path, struct stat *st),
       (path, st))
DEFINE(stat64, "stat", AT_FDCWD, path, (const char *path, struct stat64 *st),
       (path, st))
DEFINE(fstatat, "stat", dir, path,
       (int dir, const char *path, struct stat *st, int flags),
       (dir, path, st, flags))
DEFINE(fstatat64, "stat", dir, path,
       (int dir, const char *path, struct stat64 *st, int flags),
       (dir, path, st, flags))
DEFINE(mkdir, "mkdir", AT_FDCWD, path, (const char *path, mode_t mode),
       (path, mode))
DEFINE(mkdirat, "mkdir", dir, path, (int dir, const char *path, mode_t mode),
       (dir, path, mode))
DEFINE(rmdir, "rmdir", AT_FDCWD, path, (const char *path), (path))
DEFINE(unlink, "unlink", AT_FDCWD, path, (const char *path), (path))
DEFINE(unlinkat, (flags & AT_REMOVEDIR) != 0 ? "rmdir" : "unlink", dir, path,
       (int dir, const char *path, int flags), (dir, path, flags))
DEFINE(rename, "rename", AT_FDCWD, from, (const char *from, const char *to),
       (from, to))
DEFINE(renameat, "rename", dir, from,
       (int dir, const char *from, int to_dir, const char *to),
       (dir, from, to_dir, to))
DEFINE(mknod, "mknod", AT_FDCWD, path,
       (const char *path, mode_t mode, dev_t dev), (path, mode, dev))
DEFINE(mknodat, "mknod", dir, path,
       (int dir, const char *path, mode_t mode, dev_t dev),
       (dir, path, mode, dev))
DEFINE(statfs, "statvfs", AT_FDCWD, path, (const char *path, struct statfs *st),
       (path, st))
DEFINE(statvfs, "statvfs", AT_FDCWD, path,
       (const char *path, struct statvfs *st), (path, st))
DEFINE(statvfs64, "statvfs", AT_FDCWD, path,
       (const char *path, struct statvfs64 *st), (path, st))

/* Calls on open files. */

ssize_t read(int fd, void *buf, size_t bytes)
{
    return fails("read", AT_FDCWD, path_of(fd)) ? -1
                                                : NEXT(read)(fd, buf, bytes);
}

ssize_t write(int fd, const void *buf, size_t bytes)
{
    return fails("write", AT_FDCWD, path_of(fd)) ? -1
                                                 : NEXT(write)(fd, buf, bytes);
}

off_t lseek(int fd, off_t offset, int whence)
{
    return fails("lseek", AT_FDCWD, path_of(fd))
               ? -1
               : NEXT(lseek)(fd, offset, whence);
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
    return fails("lseek", AT_FDCWD, path_of(fd))
               ? -1
               : NEXT(lseek64)(fd, offset, whence);
}

int fsync(int fd)
{
    return fails("fsync", AT_FDCWD, path_of(fd)) ? -1 : NEXT(fsync)(fd);
}

int close(int fd)
{
    int broken = fails("close", AT_FDCWD, path_of(fd));
    int result = NEXT(close)(fd);

    if (path_of(fd) != NULL) {
        free(file_of[fd]);
        file_of[fd] = NULL;
    }
    if (broken) {
        errno = err;
        return -1;
    }
    return result;
}

DIR *opendir(const char *path)
{
    DIR *dir = fails("opendir", AT_FDCWD, path) ? NULL : NEXT(opendir)(path);

    if (dir != NULL && below != NULL &&
        strncmp(path, below, strlen(below)) == 0) {
        listed = dir;
    }
    return dir;
}

struct dirent *readdir(DIR *dir)
{
    return dir == listed && fails("readdir", AT_FDCWD, below)
               ? NULL
               : NEXT(readdir)(dir);
}

struct dirent64 *readdir64(DIR *dir)
{
    return dir == listed && fails("readdir", AT_FDCWD, below)
               ? NULL
               : NEXT(readdir64)(dir);
}
