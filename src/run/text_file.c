/*
 * text_file: small files that all ranks want to know.
 */
#include "run/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/say.h"

static int read_open(int fd, size_t most, char **text)
{
    char *all = malloc(most + 1);
    size_t used = 0;
    ssize_t n = 1;

    if (all == NULL) {
        return -ENOMEM;
    }
    while (n > 0 && used <= most) {
        n = read(fd, all + used, most + 1 - used);
        used += n > 0 ? (size_t)n : 0;
    }
    if (n < 0 || used > most || memchr(all, '\0', used) != NULL) {
        int err = n < 0 ? -errno : used > most ? -EFBIG : -EILSEQ;

        free(all);
        return err;
    }
    all[used] = '\0';
    *text = all;
    return 0;
}

int tmk_text_file_read(const char *path, size_t most, char **text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int err;

    *text = NULL;
    if (fd < 0) {
        return -errno;
    }
    err = read_open(fd, most, text);
    (void)close(fd);
    return err;
}

int tmk_text_file_read_all(struct tmk_job *job, const char *what,
                           const char *path, size_t most, char **text)
{
    uint64_t bytes = 0;
    int err = 0;

    *text = NULL;
    if (job->rank == 0) {
        err = tmk_text_file_read(path, most, text);
        bytes = *text != NULL ? strlen(*text) + 1 : 0;
    }
    err = tmk_job_agree_all(job, err);
    if (err == 0) {
        tmk_wait_bcast_all(&job->wait, &bytes, 1, MPI_UINT64_T);
        if (job->rank != 0) {
            *text = malloc(bytes);
        }
        err = tmk_job_agree_all(job, *text != NULL ? 0 : -ENOMEM);
    }
    if (err != 0) {
        free(*text);
        *text = NULL;
        tmk_say_error(job, "%s%s: %s", what, path,
                      err == -EILSEQ ? "it is no text: there is a NUL in it"
                                     : strerror(-err));
        return err;
    }
    tmk_wait_bcast_all(&job->wait, *text, (int)bytes, MPI_CHAR);
    return 0;
}
