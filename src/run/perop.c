/*
 * perop: the time of every operation, as comma-separated values.
 *
 *     time,runtime,tp,tasks,iteration
 *
 * begin of the operation since the begin of the phase and its duration, in
 * seconds; bytes (1 if there are none) per second of it; tasks of the test,
 * and the iteration, counted from 0.
 */
#include "run/perop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "run/clock.h"

/* Keep an error, if it is the first. */
static void note(struct tmk_perop *po, int err)
{
    if (po->err == 0) {
        po->err = err;
    }
}

/* "PREFIX-File-creation-00001.csv" */
static int name_file(const struct tmk_perop_how *how, const char *name,
                     char *path)
{
    size_t dash = strlen(how->prefix);
    int n = snprintf(path, TMK_PEROP_PATH_SIZE, "%s-%s-%05d.csv", how->prefix,
                     name, how->rank);

    if (n < 0 || n >= TMK_PEROP_PATH_SIZE) {
        return -ENAMETOOLONG;
    }
    for (char *c = path + dash; *c != '\0' && !how->original; c++) {
        if (*c == ' ') {
            *c = '-';
        }
    }
    return 0;
}

/* Whether the file can be written; made if it is missing. */
static int try_file(const struct tmk_perop_how *how,
                    struct tmk_perop_file *file)
{
    char path[TMK_PEROP_PATH_SIZE];
    int err = name_file(how, file->name, path);
    int fd;

    if (err != 0) {
        return err;
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        file->created = true;
    } else if (errno == EEXIST) {
        fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    }
    if (fd < 0) {
        return -errno;
    }
    close(fd);
    return 0;
}

int tmk_perop_open(struct tmk_perop *po, const struct tmk_perop_how *how,
                   const char *const *names, size_t n)
{
    int err = 0;

    *po = (struct tmk_perop){.how = *how};
    if (n > TMK_PEROP_PHASES_MAX) {
        return -EINVAL;
    }
    for (size_t i = 0; i < n && err == 0; i++) {
        po->files[i].name = names[i];
        po->n_files++;
        err = try_file(how, &po->files[i]);
    }
    return err;
}

/* Room for so many rows, touched: no page is missing in the phase. */
static int reserve(struct tmk_perop *po, uint64_t planned)
{
    size_t want =
        planned < TMK_PEROP_ROWS_MAX ? (size_t)planned : TMK_PEROP_ROWS_MAX;

    if (want <= po->allocated) {
        return 0;
    }
    free(po->rows);
    po->allocated = 0;
    po->rows = malloc(want * sizeof(*po->rows));
    if (po->rows == NULL) {
        return -ENOMEM;
    }
    memset(po->rows, 0xff, want * sizeof(*po->rows));
    po->allocated = want;
    return 0;
}

/* Truncated when the launch first comes here. */
static int open_file(struct tmk_perop *po, struct tmk_perop_file *file)
{
    char path[TMK_PEROP_PATH_SIZE];
    bool fresh = !file->begun || po->how.original;
    int err = name_file(&po->how, file->name, path);
    int fd;

    if (err != 0) {
        return err;
    }
    fd = open(path,
              O_WRONLY | O_CREAT | O_CLOEXEC | (fresh ? O_TRUNC : O_APPEND),
              0666);
    if (fd < 0) {
        return -errno;
    }
    po->to = fdopen(fd, "w");
    if (po->to == NULL) {
        err = -errno;
        close(fd);
        return err;
    }
    file->begun = true;
    if (fresh) {
        fputs(po->how.original ? "time,runtime,tp\n"
                               : "time,runtime,tp,tasks,iteration\n",
              po->to);
    }
    return 0;
}

bool tmk_perop_begin(struct tmk_perop *po, const char *name, int tasks,
                     int iteration, const uint64_t *t0_ns, uint64_t planned)
{
    int err;

    tmk_perop_end(po); /* should the one before not have been ended */
    for (size_t i = 0; i < po->n_files; i++) {
        if (strcmp(po->files[i].name, name) == 0) {
            po->at = &po->files[i];
        }
    }
    if (po->at == NULL) {
        return false;
    }
    po->tasks = tasks;
    po->iteration = iteration;
    po->t0_ns = t0_ns;
    err = reserve(po, planned != 0 ? planned : 1);
    if (err == 0) {
        err = open_file(po, po->at);
    }
    if (err != 0) {
        note(po, err);
        po->at = NULL;
        return false;
    }
    po->capacity = po->allocated;
    return true;
}

static void write_rows(struct tmk_perop *po)
{
    const uint64_t t0_ns = *po->t0_ns;

    for (size_t i = 0; i < po->n; i++) {
        const struct tmk_perop_row *row = &po->rows[i];

        fprintf(
            po->to, "%.8e,%.8e,%e", tmk_units_seconds(row->start_ns - t0_ns),
            tmk_units_seconds(row->took_ns),
            tmk_units_per_s(row->bytes != 0 ? row->bytes : 1, row->took_ns));
        if (po->how.original) {
            fputc('\n', po->to);
        } else {
            fprintf(po->to, ",%d,%d\n", po->tasks, po->iteration);
        }
    }
    po->n = 0;
}

bool tmk_perop_flush(struct tmk_perop *po)
{
    uint64_t start_ns = tmk_clock_ns();

    if (po->at == NULL) {
        return false;
    }
    write_rows(po);
    po->flushing_ns += tmk_clock_ns() - start_ns;
    return true;
}

void tmk_perop_end(struct tmk_perop *po)
{
    if (po->at == NULL) {
        return;
    }
    write_rows(po);
    errno = EIO; /* of an error that happened earlier only this is known */
    if (fflush(po->to) != 0 || ferror(po->to)) {
        note(po, -errno);
    }
    if (fclose(po->to) != 0) {
        note(po, -errno);
    }
    if (po->flushing_ns > po->at->flushed_ns) {
        po->at->flushed_ns = po->flushing_ns;
    }
    po->flushing_ns = 0;
    po->to = NULL;
    po->at = NULL;
    po->capacity = 0;
}

uint64_t tmk_perop_flushed(struct tmk_perop *po, size_t i)
{
    uint64_t ns = po->files[i].flushed_ns;

    po->files[i].flushed_ns = 0;
    return ns;
}

int tmk_perop_close(struct tmk_perop *po)
{
    bool any = false;
    int err;

    tmk_perop_end(po);
    err = po->err;
    for (size_t i = 0; i < po->n_files; i++) {
        any = any || po->files[i].begun;
    }
    for (size_t i = 0; i < po->n_files; i++) {
        const struct tmk_perop_file *file = &po->files[i];
        char path[TMK_PEROP_PATH_SIZE];

        /* What an earlier launch wrote must not stand beside ours. */
        if (!file->begun && (any || file->created) &&
            name_file(&po->how, file->name, path) == 0) {
            (void)unlink(path);
        }
    }
    free(po->rows);
    *po = (struct tmk_perop){0};
    return err;
}
