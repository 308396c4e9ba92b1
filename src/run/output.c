/*
 * output: files that are replaced as a whole.
 *
 * Of a committed file a descriptor is kept, so that a longer version can begin
 * with a copy of it: neither is all of it kept in memory, nor does anyone ever
 * see a half of the longer one.
 */
#include "run/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct tmk_output {
    char *path;  /* what is replaced; owned */
    char *temp;  /* owned; NULL: written directly */
    FILE *to;    /* NULL: nothing is being written */
    int last_fd; /* of what was committed last; -1 = nothing was */
    mode_t mode; /* of the file before; 0 = there was none */
};

/*
 * Writing directly.
 */

int tmk_output_open_pipe(const char *path)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

    for (int i = 0; fd < 0 && errno == ENXIO && i < 100; i++) {
        nanosleep(&pause, NULL);
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (fd >= 0) {
        (void)fcntl(fd, F_SETFL, 0);
    }
    return fd;
}

/* The standard output or error, if that is the file; else -1. */
static int standard_fd(const struct stat *file)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat st;

        if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev &&
            st.st_ino == file->st_ino) {
            return fd;
        }
    }
    return -1;
}

/* `standard`: see standard_fd(). */
static int open_direct(struct tmk_output *out, const struct stat *file,
                       int standard)
{
    int fd;
    int err;

    if (standard >= 0) {
        fd = fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (S_ISFIFO(file->st_mode)) {
        fd = tmk_output_open_pipe(out->path);
    } else {
        fd = open(out->path, O_WRONLY | O_CLOEXEC);
    }
    if (fd < 0) {
        return -errno;
    }
    out->to = fdopen(fd, "w");
    if (out->to == NULL) {
        err = -errno;
        close(fd);
        return err;
    }
    return 0;
}

/*
 * Writing beside.
 */

static int open_temp(struct tmk_output *out)
{
    int fd;
    int err;

    assert(out->temp != NULL);
    fd = open(out->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        return -errno;
    }
    if (out->mode != 0) {
        (void)fchmod(fd, out->mode); /* better than nothing if it may not */
    }
    out->to = fdopen(fd, "w+");
    if (out->to == NULL) {
        err = -errno;
        close(fd);
        (void)unlink(out->temp);
        return err;
    }
    return 0;
}

static void drop_temp(struct tmk_output *out)
{
    if (out->to != NULL) {
        fclose(out->to);
        out->to = NULL;
        (void)unlink(out->temp);
    }
}

static void drop_last(struct tmk_output *out)
{
    if (out->last_fd >= 0) {
        close(out->last_fd);
        out->last_fd = -1;
    }
}

/* What was committed last, to the stream. */
static int copy_last(struct tmk_output *out)
{
    char piece[16384];
    off_t at = 0;

    while (out->last_fd >= 0) {
        ssize_t n = pread(out->last_fd, piece, sizeof(piece), at);

        if (n < 0) {
            return -errno;
        }
        if (n == 0) {
            break;
        }
        if (fwrite(piece, 1, (size_t)n, out->to) != (size_t)n) {
            return -errno;
        }
        at += n;
    }
    return 0;
}

/*
 * The interface.
 */

static int set_names(struct tmk_output *out, const char *path, const char *id,
                     bool exists)
{
    size_t size;

    out->path = exists ? realpath(path, NULL) : strdup(path);
    if (out->path == NULL) {
        return -errno;
    }
    size = strlen(out->path) + strlen(".tmp.") + strlen(id) + 1;
    out->temp = malloc(size);
    if (out->temp == NULL) {
        return -ENOMEM;
    }
    (void)snprintf(out->temp, size, "%s.tmp.%s", out->path, id);
    return 0;
}

/* A file that may not be written is not replaced either. */
static int check_writable(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0) {
        return -errno;
    }
    close(fd);
    return 0;
}

static int open_any(struct tmk_output *out, const char *path, const char *id)
{
    struct stat st = {.st_mode = 0};
    bool exists = stat(path, &st) == 0;
    int standard;
    int err;

    if (strcmp(path, "-") == 0) {
        out->path = strdup(path);
        return out->path == NULL ? -ENOMEM
                                 : open_direct(out, &st, STDOUT_FILENO);
    }
    if (!exists && (errno != ENOENT || path[0] == '\0')) {
        return -errno;
    }
    if (exists) {
        standard = standard_fd(&st);
        if (standard >= 0 || !S_ISREG(st.st_mode)) {
            out->path = strdup(path);
            return out->path == NULL ? -ENOMEM
                                     : open_direct(out, &st, standard);
        }
        out->mode = st.st_mode & 07777;
    }
    err = set_names(out, path, id, exists);
    if (err == 0 && exists) {
        err = check_writable(out->path);
    }
    return err != 0 ? err : open_temp(out);
}

int tmk_output_open(const char *path, const char *id, struct tmk_output **out)
{
    struct tmk_output *new = calloc(1, sizeof(*new));
    int err;

    if (new == NULL) {
        return -ENOMEM;
    }
    new->last_fd = -1;
    err = open_any(new, path, id);
    if (err != 0) {
        tmk_output_close(new);
        return err;
    }
    *out = new;
    return 0;
}

bool tmk_output_is_direct(const struct tmk_output *out)
{
    return out->temp == NULL;
}

int tmk_output_anew(struct tmk_output *out, FILE **to)
{
    int err = 0;

    if (!tmk_output_is_direct(out)) {
        drop_temp(out);
        drop_last(out);
        err = open_temp(out);
    }
    *to = out->to;
    return err;
}

int tmk_output_more(struct tmk_output *out, FILE **to)
{
    int err = 0;

    if (out->to == NULL) {
        err = open_temp(out);
        if (err == 0) {
            err = copy_last(out);
        }
        if (err != 0) {
            drop_temp(out);
        }
    }
    *to = out->to;
    return err;
}

/* Everything written, as far as the system tells.  0 or -errno. */
static int flush(FILE *to)
{
    errno = EIO; /* of an error that happened earlier only this is known */
    if (fflush(to) != 0 || ferror(to)) {
        return -errno;
    }
    return 0;
}

int tmk_output_commit(struct tmk_output *out)
{
    int fd;
    int err;

    if (out->to == NULL) {
        return 0; /* nothing was written since */
    }
    err = flush(out->to);
    if (tmk_output_is_direct(out)) {
        return err;
    }
    fd = fcntl(fileno(out->to), F_DUPFD_CLOEXEC, 0);
    if (err == 0 && fd < 0) {
        err = -errno;
    }
    if (fclose(out->to) != 0 && err == 0) {
        err = -errno; /* NFS tells now */
    }
    out->to = NULL;
    if (err == 0 && rename(out->temp, out->path) != 0) {
        err = -errno;
    }
    if (err != 0) {
        (void)unlink(out->temp);
        if (fd >= 0) {
            close(fd);
        }
        return err;
    }
    drop_last(out);
    out->last_fd = fd;
    return 0;
}

void tmk_output_close(struct tmk_output *out)
{
    if (out == NULL) {
        return;
    }
    if (!tmk_output_is_direct(out)) {
        drop_temp(out);
    } else if (out->to != NULL) {
        fclose(out->to);
    }
    drop_last(out);
    free(out->temp);
    free(out->path);
    free(out);
}
