/*
 * Preloaded into the program under test: writes the file-system calls of a
 * rank on paths below TREEMARK_RECORD_BELOW, in order, one a line, to
 * TREEMARK_RECORD_TO.<rank>:
 *
 *     open O_RDWR|O_CREAT /tmp/d/file
 *     rename /tmp/d/a /tmp/d/b -> ENOENT
 *
 * A call keeps the name of the libc function, so that openat() is seen to be
 * no open().  More in the environment:
 *
 *     TREEMARK_RECORD_ROOMY    file systems claim to have plenty of room, so
 *                              that a full one is met in mid-run
 *     TREEMARK_RECORD_INDIRECT they do not take O_DIRECT, which is found out,
 *                              as in Linux, when the file has been made
 *     TREEMARK_RECORD_DATA     what is done to open files is written, too:
 *                              "lseek 0 PATH", "write 16 PATH", "close PATH"
 *     TREEMARK_RECORD_SHORT    a read or write moves so many bytes at most
 *     TREEMARK_RECORD_SPOIL    a read gives another first byte than there is
 *     TREEMARK_RECORD_DELAY    microseconds that making a file or directory
 *                              of a task takes longer
 *     TREEMARK_RECORD_REFUSE   every so many-th of these fails with EACCES
 *     TREEMARK_RECORD_DELAYED  the last two on this rank only
 */
#define _GNU_SOURCE
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

static int log_fd = -1;
static const char *below;
static int roomy;
static int indirect;
static int data;
static int spoil;
static size_t at_once;            /* bytes of a transfer; 0: any */
static long refused;              /* every so many-th item; 0: none */
static long delay_us;             /* for what a task makes */
static char *file_of[MOST_FILES]; /* the paths of open files below */

static long number_in(const char *name, const char *otherwise)
{
    const char *text = getenv(name);

    return strtol(text != NULL ? text : otherwise, NULL, 10);
}

__attribute__((constructor)) static void begin(void)
{
    static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK",
                                        "PMIX_RANK"};
    const char *to = getenv("TREEMARK_RECORD_TO");
    const char *rank = "0";
    char path[PATH_MAX];

    indirect = getenv("TREEMARK_RECORD_INDIRECT") != NULL;
    roomy = getenv("TREEMARK_RECORD_ROOMY") != NULL;
    below = getenv("TREEMARK_RECORD_BELOW");
    for (size_t i = sizeof(ranks) / sizeof(ranks[0]); i > 0; i--) {
        if (getenv(ranks[i - 1]) != NULL) {
            rank = getenv(ranks[i - 1]);
        }
    }
    data = getenv("TREEMARK_RECORD_DATA") != NULL;
    spoil = getenv("TREEMARK_RECORD_SPOIL") != NULL;
    at_once = (size_t)number_in("TREEMARK_RECORD_SHORT", "0");
    if (number_in("TREEMARK_RECORD_DELAYED", rank) == strtol(rank, NULL, 10)) {
        delay_us = number_in("TREEMARK_RECORD_DELAY", "0");
        refused = number_in("TREEMARK_RECORD_REFUSE", "0");
    }
    /* The launching "timeout" is no rank's program. */
    if (to == NULL || below == NULL ||
        strstr(program_invocation_short_name, "mdtest") == NULL) {
        return;
    }
    snprintf(path, sizeof(path), "%s.%s", to, rank);
    log_fd =
        (int)syscall(SYS_openat, AT_FDCWD, path,
                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
}

/* The path as an absolute one, in buf if it was not. */
static const char *whole(int dir, const char *path, char *buf, size_t size)
{
    char link[64];
    ssize_t n;

    if (path[0] == '/') {
        return path;
    }
    if (dir == AT_FDCWD) {
        snprintf(link, sizeof(link), "/proc/self/cwd");
    } else {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
    }
    n = readlink(link, buf, size - 1);
    if (n < 0) {
        return path;
    }
    snprintf(buf + n, size - (size_t)n, "/%s", path);
    return buf;
}

/* A call on a path, or on two of which the other is below to_dir. */
static void note_two(const char *call, const char *flags, int dir,
                     const char *path, int to_dir, const char *to, int result)
{
    int saved = errno;
    char line[4 * PATH_MAX];
    char buf[2 * PATH_MAX];
    char buf_to[2 * PATH_MAX];
    int n;

    if (log_fd < 0 || path == NULL) {
        return;
    }
    path = whole(dir, path, buf, sizeof(buf));
    if (strncmp(path, below, strlen(below)) != 0) {
        errno = saved;
        return;
    }
    n = snprintf(line, sizeof(line), "%s %s%s%s", call, flags, path,
                 to != NULL ? " " : "");
    if (to != NULL) {
        n += snprintf(line + n, sizeof(line) - (size_t)n, "%s",
                      whole(to_dir, to, buf_to, sizeof(buf_to)));
    }
    if (result < 0) {
        const char *name = strerrorname_np(saved);

        n += snprintf(line + n, sizeof(line) - (size_t)n, " -> %s",
                      name != NULL ? name : "?");
    }
    line[n++] = '\n';
    (void)!write(log_fd, line, (size_t)n);
    errno = saved;
}

static void note(const char *call, const char *flags, int dir, const char *path,
                 int result)
{
    note_two(call, flags, dir, path, AT_FDCWD, NULL, result);
}

/*
 * Take longer than the file system does to make an item, or do not make it:
 * then false, with errno set.
 */
static int may_make(const char *path)
{
    struct timespec ts = {delay_us / 1000000, delay_us % 1000000 * 1000};
    static long made;

    if (strstr(path, ".mdtest.") == NULL) {
        return 1;
    }
    if (delay_us > 0) {
        nanosleep(&ts, NULL);
    }
    if (refused > 0 && ++made % refused == 0) {
        errno = EACCES;
        return 0;
    }
    return 1;
}

/* Remember what a file is called; -1 is none. */
static int opened(int fd, int dir, const char *path)
{
    char buf[2 * PATH_MAX];

    if (fd < 0 || fd >= MOST_FILES || log_fd < 0) {
        return fd;
    }
    path = whole(dir, path, buf, sizeof(buf));
    if (strncmp(path, below, strlen(below)) == 0) {
        free(file_of[fd]);
        file_of[fd] = strdup(path);
    }
    return fd;
}

/* The path of an open file below, or NULL. */
static const char *path_of(int fd)
{
    return fd >= 0 && fd < MOST_FILES ? file_of[fd] : NULL;
}

/* A call on an open file with a number, if that is wanted. */
static void note_data(const char *call, long long number, int fd, int result)
{
    char text[32];

    if (data && path_of(fd) != NULL) {
        snprintf(text, sizeof(text), "%lld ", number);
        note(call, number < 0 ? "" : text, AT_FDCWD, path_of(fd), result);
    }
}

static const char *flag_names(int flags, char *buf, size_t size)
{
    static const struct {
        int flag;
        const char *name;
    } names[] = {
        {O_CREAT, "|O_CREAT"},         {O_EXCL, "|O_EXCL"},
        {O_TRUNC, "|O_TRUNC"},         {O_APPEND, "|O_APPEND"},
        {O_DIRECTORY, "|O_DIRECTORY"}, {O_DIRECT, "|O_DIRECT"},
    };
    size_t n;

    n = (size_t)snprintf(buf, size, "%s",
                         (flags & O_ACCMODE) == O_RDWR     ? "O_RDWR"
                         : (flags & O_ACCMODE) == O_WRONLY ? "O_WRONLY"
                                                           : "O_RDONLY");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if ((flags & names[i].flag) == names[i].flag) {
            n += (size_t)snprintf(buf + n, size - n, "%s", names[i].name);
        }
    }
    snprintf(buf + n, size - n, " ");
    return buf;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

/* What an open comes to where nothing takes O_DIRECT. */
static int refuse_direct(int flags, int fd)
{
    if (indirect && (flags & O_DIRECT) != 0 && fd >= 0) {
        close(fd);
        errno = EINVAL;
        return -1;
    }
    return fd;
}

#define DEFINE_OPEN(name)                                                      \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        char buf[128];                                                         \
        va_list args;                                                          \
        int fd = -1;                                                           \
                                                                               \
        va_start(args, flags);                                                 \
        if ((flags & O_CREAT) == 0 || may_make(path)) {                        \
            fd = refuse_direct(flags,                                          \
                               NEXT(name)(path, flags, mode_of(flags, args))); \
        }                                                                      \
        va_end(args);                                                          \
        note("open", flag_names(flags, buf, sizeof(buf)), AT_FDCWD, path, fd); \
        return opened(fd, AT_FDCWD, path);                                     \
    }

#define DEFINE_OPENAT(name)                                                    \
    int name(int dir, const char *path, int flags, ...)                        \
    {                                                                          \
        char buf[128];                                                         \
        va_list args;                                                          \
        int fd = -1;                                                           \
                                                                               \
        va_start(args, flags);                                                 \
        if ((flags & O_CREAT) == 0 || may_make(path)) {                        \
            fd = refuse_direct(                                                \
                flags, NEXT(name)(dir, path, flags, mode_of(flags, args)));    \
        }                                                                      \
        va_end(args);                                                          \
        note("openat", flag_names(flags, buf, sizeof(buf)), dir, path, fd);    \
        return opened(fd, dir, path);                                          \
    }

DEFINE_OPEN(open)
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

/* A function of a path and one more argument. */
#define DEFINE_PATH(name, call, type)                                          \
    int name(const char *path, type arg)                                       \
    {                                                                          \
        int result = NEXT(name)(path, arg);                                    \
                                                                               \
        note(call, "", AT_FDCWD, path, result);                                \
        return result;                                                         \
    }

#define DEFINE_PLAIN(name, call)                                               \
    int name(const char *path)                                                 \
    {                                                                          \
        int result = NEXT(name)(path);                                         \
                                                                               \
        note(call, "", AT_FDCWD, path, result);                                \
        return result;                                                         \
    }

DEFINE_PATH(creat, "creat", mode_t)
DEFINE_PATH(creat64, "creat", mode_t)
DEFINE_PATH(stat, "stat", struct stat *)
DEFINE_PATH(stat64, "stat", struct stat64 *)
DEFINE_PATH(lstat, "lstat", struct stat *)
DEFINE_PATH(lstat64, "lstat", struct stat64 *)
DEFINE_PLAIN(rmdir, "rmdir")
DEFINE_PLAIN(unlink, "unlink")
DEFINE_PLAIN(remove, "remove")

int mkdir(const char *path, mode_t mode)
{
    int result;

    result = may_make(path) ? NEXT(mkdir)(path, mode) : -1;
    note("mkdir", "", AT_FDCWD, path, result);
    return result;
}

int rename(const char *from, const char *to)
{
    int result = NEXT(rename)(from, to);

    note_two("rename", "", AT_FDCWD, from, AT_FDCWD, to, result);
    return result;
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    int result = NEXT(renameat)(from_dir, from, to_dir, to);

    note_two("renameat", "", from_dir, from, to_dir, to, result);
    return result;
}

int mknod(const char *path, mode_t mode, dev_t dev)
{
    int result;

    result = may_make(path) ? NEXT(mknod)(path, mode, dev) : -1;
    note("mknod", "", AT_FDCWD, path, result);
    return result;
}

int mknodat(int dir, const char *path, mode_t mode, dev_t dev)
{
    int result;

    result = may_make(path) ? NEXT(mknodat)(dir, path, mode, dev) : -1;
    note("mknodat", "", dir, path, result);
    return result;
}

int mkdirat(int dir, const char *path, mode_t mode)
{
    int result;

    result = may_make(path) ? NEXT(mkdirat)(dir, path, mode) : -1;
    note("mkdirat", "", dir, path, result);
    return result;
}

int unlinkat(int dir, const char *path, int flags)
{
    int result = NEXT(unlinkat)(dir, path, flags);

    note("unlinkat", "", dir, path, result);
    return result;
}

int fstatat(int dir, const char *path, struct stat *st, int flags)
{
    int result = NEXT(fstatat)(dir, path, st, flags);

    note("fstatat", "", dir, path, result);
    return result;
}

int fstatat64(int dir, const char *path, struct stat64 *st, int flags)
{
    int result = NEXT(fstatat64)(dir, path, st, flags);

    note("fstatat", "", dir, path, result);
    return result;
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *st)
{
    int result = NEXT(statx)(dir, path, flags, mask, st);

    note("statx", "", dir, path, result);
    return result;
}

static size_t cut(int fd, size_t n)
{
    return path_of(fd) != NULL && at_once > 0 && n > at_once ? at_once : n;
}

ssize_t read(int fd, void *buf, size_t n)
{
    ssize_t done = NEXT(read)(fd, buf, cut(fd, n));

    if (spoil && path_of(fd) != NULL && done > 0) {
        *(char *)buf = (char)(*(char *)buf + 1);
    }
    note_data("read", (long long)n, fd, (int)done);
    return done;
}

ssize_t write(int fd, const void *buf, size_t n)
{
    ssize_t done = NEXT(write)(fd, buf, cut(fd, n));

    note_data("write", (long long)n, fd, (int)done);
    return done;
}

#define DEFINE_SEEK(name, type)                                                \
    type name(int fd, type offset, int whence)                                 \
    {                                                                          \
        type at = NEXT(name)(fd, offset, whence);                              \
                                                                               \
        note_data("lseek", (long long)offset, fd, at < 0 ? -1 : 0);            \
        return at;                                                             \
    }

DEFINE_SEEK(lseek, off_t)
DEFINE_SEEK(lseek64, off64_t)

int fsync(int fd)
{
    int result = NEXT(fsync)(fd);

    note_data("fsync", -1, fd, result);
    return result;
}

int close(int fd)
{
    int result = NEXT(close)(fd);

    note_data("close", -1, fd, result);
    if (path_of(fd) != NULL) {
        free(file_of[fd]);
        file_of[fd] = NULL;
    }
    return result;
}

#define DEFINE_ROOM(name, type, free_to_user)                                  \
    int name(const char *path, struct type *st)                                \
    {                                                                          \
        int result = NEXT(name)(path, st);                                     \
                                                                               \
        if (roomy && result == 0) {                                            \
            st->f_blocks += 1u << 24;                                          \
            st->f_bfree += 1u << 24;                                           \
            st->f_bavail += 1u << 24;                                          \
            st->f_files += 1u << 24;                                           \
            st->f_ffree += 1u << 24;                                           \
            st->free_to_user += 1u << 24;                                      \
        }                                                                      \
        return result;                                                         \
    }

DEFINE_ROOM(statfs, statfs, f_spare[0])
DEFINE_ROOM(statfs64, statfs64, f_spare[0])
DEFINE_ROOM(statvfs, statvfs, f_favail)
DEFINE_ROOM(statvfs64, statvfs64, f_favail)
