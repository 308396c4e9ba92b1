/*
 * io500_tidy: data goes, at the end of a run or of one that was broken off.
 */
#include "bench/io500_tidy.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/clean_main.h"
#include "bench/io500_places.h"
#include "run/say.h"

/* A path made of a format with one number in it, removed if it is there. */
__attribute__((format(printf, 2, 3))) static void
remove_named(const struct tmk_io500_launch *launch, const char *format, ...)
{
    char *name = NULL;
    char *path = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&name, format, args) < 0) {
        name = NULL;
    }
    va_end(args);
    path = name != NULL ? tmk_io500_in_data(launch, name) : NULL;
    if (path != NULL) {
        (void)unlink(path);
    }
    free(path);
    free(name);
}

static void remove_dir(const struct tmk_io500_launch *launch, const char *name)
{
    char *path = tmk_io500_in_data(launch, name);

    if (path != NULL) {
        (void)rmdir(path);
    }
    free(path);
}

/* Each rank its own; names are those of the command lines.  Collective. */
static void remove_ior_all(struct tmk_io500_launch *launch,
                           enum tmk_io500_phase writer)
{
    struct tmk_job *job = launch->job;
    char unique[64];

    if (writer == TMK_IO500_P_IOR_EASY_WRITE) {
        remove_named(launch, "ior-easy/ior_file_easy.%08d", job->rank);
        remove_named(launch, "ior-easy/%d/ior_file_easy.%08d", job->rank,
                     job->rank);
        (void)snprintf(unique, sizeof(unique), "ior-easy/%d", job->rank);
        remove_dir(launch, unique);
    }
    if (job->rank == 0 && writer == TMK_IO500_P_IOR_EASY_WRITE) {
        remove_named(launch, "ior-easy/%s", "ior_file_easy");
    }
    if (job->rank == 0 && writer == TMK_IO500_P_IOR_HARD_WRITE) {
        remove_named(launch, "ior-hard/%s", "file");
    }
    tmk_wait_barrier_all(&job->wait);
}

/* The number behind a prefix, which is all of the rest; -1 if it is not. */
static long number_behind(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    char *end;
    long n;

    if (strncmp(name, prefix, length) != 0 || name[length] < '0' ||
        name[length] > '9') {
        return -1;
    }
    n = strtol(name + length, &end, 10);
    return *end == '\0' ? n : -1;
}

/* Directories are those of uniqueDir. */
static uint64_t unlink_in(const char *dir, const char *prefix)
{
    DIR *entries = opendir(dir);
    uint64_t removed = 0;

    if (entries == NULL) {
        return 0;
    }
    for (struct dirent *e; (e = readdir(entries)) != NULL;) {
        if (number_behind(e->d_name, prefix) >= 0 &&
            unlinkat(dirfd(entries), e->d_name, 0) == 0) {
            removed++;
        }
    }
    (void)closedir(entries);
    return removed;
}

/*
 * What ior-easy wrote with any number of processes, by looking: ranks share by
 * the number in a name.  Returns how many this one removed.
 */
static uint64_t remove_numbered(const struct tmk_io500_launch *launch)
{
    static const char prefix[] = "ior_file_easy.";
    char *dir = tmk_io500_in_data(launch, "ior-easy");
    DIR *entries = dir != NULL ? opendir(dir) : NULL;
    uint64_t removed = 0;

    if (entries == NULL) {
        free(dir);
        return 0;
    }
    for (struct dirent *e; (e = readdir(entries)) != NULL;) {
        long file = number_behind(e->d_name, prefix);
        long of_rank = number_behind(e->d_name, "");
        char *path = NULL;

        if ((file >= 0 ? file : of_rank) % launch->job->size !=
            launch->job->rank) {
            continue;
        }
        if (file >= 0) {
            removed += unlinkat(dirfd(entries), e->d_name, 0) == 0 ? 1 : 0;
        } else if (asprintf(&path, "%s/%s", dir, e->d_name) >= 0) {
            removed += unlink_in(path, prefix);
            (void)rmdir(path);
            free(path);
        }
    }
    (void)closedir(entries);
    free(dir);
    return removed;
}

void tmk_io500_tidy_all(struct tmk_io500_launch *launch)
{
    static const char *const counts[] = {
        "ior-easy.stonewall", "ior-hard.stonewall", "mdtest-easy.stonewall",
        "mdtest-hard.stonewall"};
    struct tmk_job *job = launch->job;

    remove_ior_all(launch, TMK_IO500_P_IOR_EASY_WRITE);
    remove_ior_all(launch, TMK_IO500_P_IOR_HARD_WRITE);
    if (job->rank != 0) {
        return;
    }
    for (size_t i = 0; i < TMK_IO500_PLACES; i++) {
        remove_dir(launch, tmk_io500_places[i].name);
    }
    if (tmk_io500_is_true(launch->conf.global.timestamp_datadir, true)) {
        (void)rmdir(launch->datadir);
    }
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        char *path = tmk_io500_in_results(launch, counts[i]);

        if (path != NULL) {
            (void)unlink(path);
        }
        free(path);
    }
}

/* Remove by looking what is in a directory of data.  0 or -errno, said.
 * Collective. */
static int clear_place_all(struct tmk_io500_launch *launch,
                           const struct tmk_io500_place *place,
                           struct tmk_clean_done *done)
{
    struct tmk_job *job = launch->job;
    char *path = tmk_io500_in_data(launch, place->name);
    const char *const paths[] = {path};
    const struct tmk_clean_ask ask = {
        .paths = paths, .n = 1, .force = true, .ior = true, .quiet = true};
    struct stat st;
    bool there = path != NULL && job->rank == 0 && stat(path, &st) == 0 &&
                 S_ISDIR(st.st_mode);
    int err = tmk_job_agree_all(job, path != NULL ? 0 : -ENOMEM);

    if (err == 0 && tmk_job_max_all(job, there) != 0) {
        err = tmk_clean_all(job, &ask, done);
    }
    free(path);
    return err;
}

int tmk_io500_clear_all(struct tmk_io500_launch *launch,
                        enum tmk_io500_phase phase)
{
    struct tmk_clean_done done;

    for (size_t i = 0; i < TMK_IO500_PLACES; i++) {
        if (tmk_io500_places[i].writer == phase) {
            remove_ior_all(launch, phase);
            return clear_place_all(launch, &tmk_io500_places[i], &done);
        }
    }
    return 0;
}

int tmk_io500_clean_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    struct tmk_clean_done done = {0};
    uint64_t numbered = tmk_job_sum_all(job, remove_numbered(launch));
    int err = 0;

    for (size_t i = 0; i < TMK_IO500_PLACES && err == 0; i++) {
        struct tmk_clean_done of_place = {0};

        err = clear_place_all(launch, &tmk_io500_places[i], &of_place);
        done.cleaned.files += of_place.cleaned.files;
        done.cleaned.dirs += of_place.cleaned.dirs;
    }
    if (err == 0) {
        tmk_io500_tidy_all(launch);
    }
    for (size_t i = 0; i < TMK_IO500_PLACES && err == 0 && job->rank == 0;
         i++) {
        char *path = tmk_io500_in_data(launch, tmk_io500_places[i].name);

        if (path == NULL || tmk_io500_holds_something(path) != 0) {
            tmk_say_error(job, "%s: something stays there",
                          path != NULL ? path : tmk_io500_places[i].name);
            err = -EBUSY;
        }
        free(path);
    }
    tmk_say(job, "removed: %" PRIu64 " files, %" PRIu64 " directories",
            done.cleaned.files + numbered, done.cleaned.dirs);
    return tmk_job_agree_all(job, err);
}
