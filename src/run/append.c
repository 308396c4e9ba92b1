/*
 * append: lines at the end of a file.
 */
#include "run/append.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/output.h"
#include "run/write.h"

/* Whether the file begins with the header: 1, 0 if it is empty, or -errno. */
static int look_at_header(const struct tmk_append *a)
{
    char piece[4096];
    size_t at = 0;

    while (at < a->header_length) {
        ssize_t n = pread(a->fd, piece, sizeof(piece), (off_t)at);
        size_t left = a->header_length - at;

        if (n < 0) {
            return -errno;
        }
        if (n == 0) {
            return at == 0 ? 0 : -EINVAL;
        }
        if (memcmp(piece, a->header + at,
                   (size_t)n < left ? (size_t)n : left) != 0) {
            return -EINVAL;
        }
        at += (size_t)n;
    }
    return 1;
}

/* Where nothing can be read back, a pipe is not held open for reading either:
 * without another reader, writing would wait for ever.  -1 with errno. */
static int open_existing(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0) {
        return -1;
    }
    if (S_ISFIFO(st.st_mode)) {
        return tmk_output_open_pipe(path);
    }
    return open(path, (S_ISREG(st.st_mode) ? O_RDWR : O_WRONLY) | O_APPEND |
                          O_CLOEXEC);
}

/* A pipe, a device or the standard output gets the header at once. */
static int open_file(struct tmk_append *a, const char *path)
{
    struct stat st;
    int err;

    if (strcmp(path, "-") == 0) {
        a->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else {
        a->fd =
            open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (a->fd >= 0) {
            a->path = strdup(path);
        } else if (errno == EEXIST) {
            a->fd = open_existing(path);
        }
    }
    if (a->fd < 0 || fstat(a->fd, &st) != 0) {
        return -errno;
    }
    a->regular = S_ISREG(st.st_mode) && strcmp(path, "-") != 0;
    if (!a->regular) {
        return 0;
    }
    err = look_at_header(a);
    a->begun = err == 1;
    return err < 0 ? err : 0;
}

int tmk_append_open(struct tmk_append *a, const char *path, const char *header,
                    size_t length)
{
    int err = -ENOMEM;

    *a = (struct tmk_append){.fd = -1, .header_length = length};
    a->header = malloc(length);
    if (a->header != NULL) {
        memcpy(a->header, header, length);
        err = open_file(a, path);
    }
    if (err != 0) {
        (void)tmk_append_close(a);
    }
    return err;
}

/* The header, unless another run has just been quicker. */
static int begin(struct tmk_append *a)
{
    int err = a->regular ? look_at_header(a) : 0;

    if (err == 0) {
        err = tmk_write_all(a->fd, a->header, a->header_length);
    }
    a->begun = err >= 0;
    return err < 0 ? err : 0;
}

int tmk_append_line(struct tmk_append *a, const char *text, size_t length)
{
    int err = 0;

    /* What cannot be locked is written all the same. */
    bool locked = a->regular && flock(a->fd, LOCK_EX) == 0;

    if (!a->begun) {
        err = begin(a);
    }
    if (err == 0) {
        err = tmk_write_all(a->fd, text, length);
    }
    if (locked) {
        (void)flock(a->fd, LOCK_UN);
    }
    return err;
}

int tmk_append_close(struct tmk_append *a)
{
    struct stat st;
    int err = 0;

    if (a->fd >= 0) {
        if (a->path != NULL && fstat(a->fd, &st) == 0 && st.st_size == 0) {
            (void)unlink(a->path);
        }
        if (close(a->fd) != 0) {
            err = -errno;
        }
    }
    free(a->path);
    free(a->header);
    *a = (struct tmk_append){.fd = -1};
    return err;
}
