/*
 * ior_statusfile: the status file of the stonewall.
 */
#include "bench/ior_statusfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/output.h"
#include "run/say.h"

/* The number that a file holds; 0, or -errno: -EINVAL if there is none, or
 * anything else. */
static int read_number(const char *path, uint64_t *number)
{
    char text[64] = "";
    char *end;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t n;

    if (fd < 0) {
        return -errno;
    }
    n = read(fd, text, sizeof(text) - 1);
    (void)close(fd);
    if (n < 0) {
        return -errno;
    }
    if (strspn(text, "0123456789 \n") == 0 || text[0] == '\n') {
        return -EINVAL;
    }
    errno = 0;
    *number = strtoull(text, &end, 10);
    return end == text || errno != 0 || strspn(end, " \t\r\n") != strlen(end)
               ? -EINVAL
               : 0;
}

uint64_t tmk_ior_statusfile_read_all(struct tmk_job *job, const char *path)
{
    uint64_t n = 0;

    if (job->rank == 0) {
        int err = read_number(path, &n);

        if (err != 0 || n == 0) {
            n = 0;
            tmk_say_warning(
                job, "NO_STATUS",
                "--stoneWallingStatusFile %s: %s; everything is read", path,
                err == 0 || err == -EINVAL ? "it does not hold a number"
                                           : strerror(-err));
        }
    }
    tmk_wait_bcast_all(&job->wait, &n, 1, MPI_UINT64_T);
    return n;
}

/* The same on all ranks, said. */
static int agree_all(struct tmk_job *job, const char *path, int err)
{
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--stoneWallingStatusFile %s: %s", path,
                      strerror(-err));
    }
    return err;
}

int tmk_ior_statusfile_open_all(struct tmk_job *job, const char *path,
                                struct tmk_output **out)
{
    int err = 0;

    if (job->rank == 0) {
        err = tmk_output_open(path, job->id, out);
    }
    return agree_all(job, path, err);
}

int tmk_ior_statusfile_close_all(struct tmk_job *job, const char *path,
                                 struct tmk_output **out, uint64_t transfers)
{
    FILE *to;
    int err = 0;

    if (*out != NULL && transfers != 0) {
        err = tmk_output_anew(*out, &to);
        if (err == 0) {
            fprintf(to, "%" PRIu64, transfers);
            err = tmk_output_commit(*out);
        }
    }
    tmk_output_close(*out);
    *out = NULL;
    return agree_all(job, path, err);
}
