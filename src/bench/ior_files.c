/*
 * ior_files: what is there, what may be written, sizes, removal.
 */
#include "bench/ior_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "base/units.h"
#include "bench/clean_ior.h"
#include "bench/probe.h"
#include "run/clock.h"
#include "run/say.h"

enum {
    DIR_MODE = 0700,
    TEXT_SIZE = 2 * TMK_IOR_PATH_SIZE + 256, /* of a message with two paths */
};

/* What is at a path that is to be written. */
enum found {
    NOTHING,
    EMPTY,   /* striped beforehand, maybe: its layout is kept */
    OURS,    /* left by a benchmark */
    FOREIGN, /* somebody's data */
    LINK,    /* to a file that somebody chose for something else, maybe */
    LOOSE,   /* a link that leads to no file */
    NO_FILE, /* a directory, a device */
};

static int names_of(const struct tmk_ior_files *files)
{
    const struct tmk_ior_conf *conf = files->plan->conf;

    return conf->multi_file != 0 ? conf->repetitions : 1;
}

static bool existed(const struct tmk_ior_files *files, int repetition)
{
    int i = files->plan->conf->multi_file != 0 ? repetition : 0;

    return (files->existed[i / 8] >> (i % 8) & 1) != 0;
}

static void set_existed(struct tmk_ior_files *files, int i)
{
    files->existed[i / 8] |= (uint8_t)(1 << (i % 8));
}

/* What MPI-IO understands as the name of a driver is no part of the path. */
static const char *plain_path(const struct tmk_ior_files *files,
                              const char *path)
{
    return files->ops->plain_path != NULL ? files->ops->plain_path(path) : path;
}

static int path_of(const struct tmk_ior_files *files, uint64_t rank,
                   int repetition, char *path)
{
    int n = tmk_ior_plan_path(files->plan, rank, repetition, path,
                              TMK_IOR_PATH_SIZE);

    return n < 0 ? n : 0;
}

/* This rank's file, or the shared one. */
static int own_path(const struct tmk_ior_files *files, int repetition,
                    char *path)
{
    return path_of(files, (uint64_t)files->job->rank, repetition, path);
}

/* The directory that a path is in. */
static void parent_of(const char *path, char *dir, size_t size)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL) {
        (void)snprintf(dir, size, ".");
    } else {
        (void)snprintf(dir, size, "%.*s",
                       slash == path ? 1 : (int)(slash - path), path);
    }
}

int tmk_ior_files_init(struct tmk_ior_files *files)
{
    files->cares = !files->plan->shared || files->job->rank == 0;
    files->existed = calloc((size_t)names_of(files) / 8 + 1, 1);
    return files->existed != NULL ? 0 : -ENOMEM;
}

void tmk_ior_files_fini(struct tmk_ior_files *files)
{
    free(files->existed);
    files->existed = NULL;
}

/*
 * Say the text of the lowest rank that has an error: "<text>: <error>".
 * Returns that error, or 0 if there is none.  Collective.
 */
static int say_lowest_all(struct tmk_ior_files *files, int err,
                          const char *text)
{
    struct tmk_job *job = files->job;
    char said[TEXT_SIZE] = "";
    int lowest = job->size +
                 tmk_job_agree_all(job, err != 0 ? job->rank - job->size : 0);

    if (lowest == job->size) {
        return 0;
    }
    if (job->rank == lowest) {
        (void)snprintf(said, sizeof(said), "%s", text);
    }
    tmk_wait_reduce_all(&job->wait, said, (int)sizeof(said), MPI_BYTE, MPI_BOR);
    err = tmk_job_agree_all(job, job->rank == lowest ? err : 0);
    if (err == -EEXIST) { /* the text says it all */
        tmk_say_error(job, "%s", said);
    } else {
        tmk_say_error(job, "%s: %s", said, strerror(-err));
    }
    return err;
}

/*
 * Before anything is opened.
 */

static enum found judge(const char *path, uint64_t *bytes, int *err)
{
    struct stat st;
    int ours;

    if (lstat(path, &st) != 0) {
        *err = errno == ENOENT ? 0 : -errno;
        return NOTHING;
    }
    if (S_ISLNK(st.st_mode)) {
        return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? LINK : LOOSE;
    }
    if (!S_ISREG(st.st_mode)) {
        return NO_FILE;
    }
    *bytes = (uint64_t)st.st_size;
    if (st.st_size == 0) {
        return EMPTY;
    }
    ours = tmk_clean_ior_file(AT_FDCWD, path);
    *err = ours < 0 ? ours : 0;
    return ours > 0 ? OURS : FOREIGN;
}

/* Whether what is there is written over in place. */
static bool stays(const struct tmk_ior_files *files)
{
    const struct tmk_ior_conf *conf = files->plan->conf;

    return conf->use_existing != 0 || conf->leftovers == TMK_LEFTOVERS_REUSE ||
           files->plan->mixes;
}

/* What will fail for want of rights, or on a file system that is read-only;
 * other errors are for those who meet them. */
static int check_rights(const char *path, int mode)
{
    if (faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 &&
        (errno == EACCES || errno == EROFS)) {
        return -errno;
    }
    return 0;
}

/* The same of the directory that a file, or with -u its directory, is made in.
 */
static int check_dir_rights(const struct tmk_ior_files *files, const char *path,
                            char *text, size_t size)
{
    char dir[TMK_IOR_PATH_SIZE];
    char above[TMK_IOR_PATH_SIZE];
    struct stat st;
    int err;

    parent_of(plain_path(files, path), dir, sizeof(dir));
    if (stat(dir, &st) != 0) {
        parent_of(dir, above, sizeof(above));
        memcpy(dir, above, sizeof(dir));
    }
    err = check_rights(dir, W_OK | X_OK);
    if (err != 0) {
        (void)snprintf(text, size, "-o %s: directory %s", path, dir);
    }
    return err;
}

/* A target that will be written: 0, or -errno with a text. */
static int check_target(struct tmk_ior_files *files, int i, const char *path,
                        char *text, size_t size)
{
    const struct tmk_ior_conf *conf = files->plan->conf;
    const bool keeps = stays(files);
    const bool asked =
        conf->use_existing != 0 || conf->leftovers == TMK_LEFTOVERS_REUSE;
    int err = 0;
    uint64_t bytes = 0;
    enum found found = judge(plain_path(files, path), &bytes, &err);

    if (err != 0 && (!keeps || found == NOTHING)) {
        (void)snprintf(text, size, "-o %s", path);
        return err;
    }
    switch (found) {
    case NOTHING: return check_dir_rights(files, path, text, size);
    case NO_FILE:
        (void)snprintf(text, size, "-o %s: it is no regular file", path);
        return -EEXIST;
    case LOOSE:
        (void)snprintf(text, size,
                       "-o %s: it is a symbolic link that leads to no file",
                       path);
        return -EEXIST;
    case LINK:
        if (!asked) {
            (void)snprintf(text, size,
                           "-o %s: it is a symbolic link; give the name of "
                           "the file itself, or -E to overwrite it in place",
                           path);
            return -EEXIST;
        }
        break;
    case FOREIGN:
        if (!asked) {
            (void)snprintf(text, size,
                           "-o %s: it exists, and %s; give another name, or "
                           "-E to overwrite it in place",
                           path,
                           bytes < TMK_CLEAN_IOR_SURE
                               ? "holds too little to tell that a benchmark "
                                 "wrote it"
                               : "does not hold what a benchmark writes");
            return -EEXIST;
        }
        break;
    case OURS:
        if (conf->leftovers == TMK_LEFTOVERS_CLEAN &&
            unlink(plain_path(files, path)) == 0) {
            return 0;
        }
        files->emptied += !keeps;
        break;
    default: break;
    }
    set_existed(files, i);
    err = check_rights(plain_path(files, path), W_OK);
    if (err != 0) {
        (void)snprintf(text, size, "-o %s", path);
    }
    return err;
}

/* A file that will only be read. */
static int check_source(struct tmk_ior_files *files, const char *path,
                        uint64_t *missing_bytes, char *text, size_t size)
{
    const struct tmk_ior_plan *plan = files->plan;
    uint64_t bytes = 0;
    struct stat st;
    int err = files->ops->stat(files->engine, path, &st);

    if (err == 0 && st.st_mode != 0 && !S_ISREG(st.st_mode)) {
        (void)snprintf(text, size, "-o %s: it is no regular file", path);
        return -EEXIST;
    }
    if (err == 0) {
        bytes = (uint64_t)st.st_size;
        if (plan->conf->random_offset > 1 && bytes < plan->block_bytes) {
            (void)snprintf(text, size,
                           "-z -z: %s has %" PRIu64 " bytes, which is less "
                           "than one block of %" PRIu64 " (-b)",
                           path, bytes, plan->block_bytes);
            return -EEXIST;
        }
        if (bytes < plan->file_bytes) {
            *missing_bytes = plan->file_bytes - bytes;
        }
        err = check_rights(plain_path(files, path), R_OK);
    }
    if (err == 0) {
        return 0;
    }
    (void)snprintf(text, size, "-o %s", path);
    return err;
}

static int check_parent(const char *path, char *text, size_t size)
{
    char dir[TMK_IOR_PATH_SIZE];
    struct stat st;
    int err;

    parent_of(path, dir, sizeof(dir));
    err = stat(dir, &st) != 0 ? -errno : 0;
    if (err == 0 && !S_ISDIR(st.st_mode)) {
        err = -ENOTDIR;
    }
    if (err != 0) {
        (void)snprintf(text, size, "-o %s: directory %s", path, dir);
    }
    return err;
}

/* -u: the directory of a file is made if it is missing, but not those above. */
static int check_unique_dir(const char *path, char *text, size_t size)
{
    char dir[TMK_IOR_PATH_SIZE];
    struct stat st;

    parent_of(path, dir, sizeof(dir));
    if (stat(dir, &st) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
        return check_parent(dir, text, size);
    }
    return check_parent(path, text, size);
}

/* This rank's names. */
static int check_names(struct tmk_ior_files *files, uint64_t *missing_bytes,
                       char *text, size_t size)
{
    const struct tmk_ior_plan *plan = files->plan;
    char path[TMK_IOR_PATH_SIZE];
    int err = 0;

    for (int i = 0; err == 0 && i < names_of(files); i++) {
        err = tmk_job_signal() != 0 ? -EINTR : own_path(files, i, path);
        if (err != 0) {
            (void)snprintf(text, size, "-o");
        } else if (plan->writes || plan->mixes) {
            err = plan->conf->unique_dir != 0 && !plan->shared
                      ? check_unique_dir(plain_path(files, path), text, size)
                      : check_parent(plain_path(files, path), text, size);
            err = err != 0 ? err : check_target(files, i, path, text, size);
        } else {
            err = check_source(files, path, missing_bytes, text, size);
        }
    }
    return err;
}

/* Rank 0 looks at its file system. */
static int check_space(struct tmk_ior_files *files, char *text, size_t size)
{
    const struct tmk_ior_plan *plan = files->plan;
    const bool fills = plan->mixes && plan->conf->random_offset != 0;
    const bool bound = plan->conf->deadline_ns != 0 && !fills;
    struct tmk_engine_usage usage;
    char path[TMK_IOR_PATH_SIZE];
    char dir[TMK_IOR_PATH_SIZE];
    char need[32];
    char have[32];

    if (files->ops->usage == NULL || (!plan->writes && !plan->mixes) ||
        plan->n_roots > 1 || own_path(files, 0, path) != 0) {
        return 0;
    }
    parent_of(plain_path(files, path), dir, sizeof(dir));
    if (files->ops->usage(files->engine, dir, &usage) != 0 ||
        plan->total_bytes <= usage.free_bytes || existed(files, 0)) {
        return 0;
    }
    (void)tmk_units_format_bytes(plan->total_bytes, need, sizeof(need));
    (void)tmk_units_format_bytes(usage.free_bytes, have, sizeof(have));
    if (bound) {
        tmk_say_warning(files->job, "MAY_NOT_FIT",
                        "if -D does not end writing before, up to %s are "
                        "needed; %s are free in %s",
                        need, have, dir);
        return 0;
    }
    (void)snprintf(text, size, "-b and -s: %s do not fit: %s are free in %s",
                   need, have, dir);
    return -EEXIST;
}

int tmk_ior_files_check_all(struct tmk_ior_files *files)
{
    struct tmk_job *job = files->job;
    const struct tmk_ior_plan *plan = files->plan;
    char text[TEXT_SIZE] = "";
    uint64_t missing_bytes = 0;
    uint64_t n;
    int err = 0;

    if (!files->ops->stores) {
        return 0;
    }
    if (files->cares) {
        err = check_names(files, &missing_bytes, text, sizeof(text));
    }
    if (err == 0 && job->rank == 0) {
        err = check_space(files, text, sizeof(text));
    }
    err = say_lowest_all(files, err, text);
    if (err != 0) {
        return err;
    }
    n = tmk_job_sum_all(job, files->emptied);
    if (n != 0) {
        tmk_say_warning(job, "EMPTIED",
                        "-o %s: %" PRIu64 " file%s of an earlier run %s "
                        "emptied first",
                        plan->conf->path, n, n == 1 ? "" : "s",
                        n == 1 ? "is" : "are");
    }
    missing_bytes = tmk_job_max_all(job, missing_bytes);
    if (missing_bytes != 0 && !plan->writes && !plan->mixes &&
        plan->conf->random_offset < 2 && plan->conf->status_file == NULL) {
        tmk_say_warning(job, "SHORT_FILE",
                        "-o %s: %" PRIu64
                        " bytes fewer than will be read (%" PRIu64
                        " in each file)",
                        plan->conf->path, missing_bytes, plan->file_bytes);
    }
    return 0;
}

/*
 * Is it shared?
 */

/* A path beside the target. */
static int probe_path(const struct tmk_ior_files *files, char *path,
                      size_t size)
{
    char target[TMK_IOR_PATH_SIZE];
    char dir[TMK_IOR_PATH_SIZE];
    char name[64];
    int err = path_of(files, 0, 0, target);
    int n =
        tmk_names_make_id(TMK_NAMES_PROBE, files->job->id, name, sizeof(name));

    if (err != 0 || n < 0) {
        return err != 0 ? err : n;
    }
    parent_of(plain_path(files, target), dir, sizeof(dir));
    if (files->plan->conf->unique_dir != 0) { /* above the directories */
        char above[TMK_IOR_PATH_SIZE];

        parent_of(dir, above, sizeof(above));
        memcpy(dir, above, sizeof(dir));
    }
    n = snprintf(path, size, "%s/%s", dir, name);
    return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int tmk_ior_files_probe_all(struct tmk_ior_files *files, const char **shared)
{
    struct tmk_job *job = files->job;
    const struct tmk_ior_plan *plan = files->plan;
    const bool crosses = plan->shared || plan->conf->reorder != 0 ||
                         plan->conf->reorder_random != 0;
    char path[TMK_IOR_PATH_SIZE];
    uint64_t blind;
    bool sees;
    int err;

    *shared = NULL;
    if (!files->ops->stores || job->layout.map.nodes < 2 || !plan->writes ||
        job->embedded) {
        return 0;
    }
    err = probe_path(files, path, sizeof(path));
    if (err == 0 && job->rank == 0) {
        int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

        err = fd < 0 ? -errno : 0;
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    if (tmk_probe_all(job, files->ops, files->engine, path, err, &sees,
                      &blind) != 0) {
        return 0;
    }
    *shared = blind == 0                           ? "shared"
              : blind + 1 == job->layout.map.nodes ? "per node"
                                                   : "mixed";
    if (blind != 0 && crosses) {
        tmk_say_error(job,
                      "-o %s: %" PRIu64 " of %" PRIu32 " nodes do not see what "
                      "another node makes there; use a shared file system, or "
                      "-F without -C and -Z",
                      plan->conf->path, blind, job->layout.map.nodes);
        return -ENODEV;
    }
    return 0;
}

/*
 * Repetitions.
 */

/* Cut to nothing, its layout kept. */
static int empty(const struct tmk_ior_files *files, const char *path)
{
    int fd = open(plain_path(files, path), O_WRONLY | O_CLOEXEC);
    int err = 0;

    if (fd < 0) {
        return errno == ENOENT ? 0 : -errno;
    }
    if (ftruncate(fd, 0) != 0) {
        err = -errno;
    }
    (void)close(fd);
    return err;
}

/* What is there before a repetition is written. */
static int clear(struct tmk_ior_files *files, int repetition, const char *path)
{
    const struct tmk_ior_conf *conf = files->plan->conf;
    int err;

    if (stays(files)) {
        return 0;
    }
    if (existed(files, repetition) && conf->semantics == TMK_IOR_AS_TREEMARK) {
        return empty(files, path);
    }
    if (!existed(files, repetition) && !files->there) {
        return 0;
    }
    err = files->ops->unlink(files->engine, path);
    return err == -ENOENT ? 0 : err;
}

static int make_dir(struct tmk_ior_files *files)
{
    char dir[TMK_IOR_PATH_SIZE];
    int n = tmk_ior_plan_dir(files->plan, (uint64_t)files->job->rank, dir,
                             sizeof(dir));
    int err;

    if (n <= 0) {
        return n;
    }
    err = files->ops->mkdir(files->engine, dir, DIR_MODE);
    files->made_dir = files->made_dir || err == 0;
    return err == -EEXIST ? 0 : err;
}

int tmk_ior_files_begin_all(struct tmk_ior_files *files, int repetition)
{
    char path[TMK_IOR_PATH_SIZE] = "";
    char text[TEXT_SIZE] = "";
    int err = 0;

    if (files->cares && files->ops->stores) {
        err = own_path(files, repetition, path);
        (void)snprintf(text, sizeof(text), "making the directory of %s", path);
        if (err == 0 && files->plan->conf->unique_dir != 0) {
            err = make_dir(files);
        }
        if (err == 0) {
            (void)snprintf(text, sizeof(text), "emptying %s", path);
            err = clear(files, repetition, path);
        }
    }
    files->wrote = true;
    files->there = files->plan->conf->multi_file == 0;
    return say_lowest_all(files, err, text);
}

uint64_t tmk_ior_files_size_of(struct tmk_ior_files *files, uint64_t rank,
                               int repetition)
{
    char path[TMK_IOR_PATH_SIZE];
    uint64_t bytes = 0;
    struct stat st;

    if (path_of(files, rank, repetition, path) != 0) {
        return 0;
    }
    if (files->ops->size != NULL) {
        return files->ops->size(files->engine, path, &bytes) == 0 ? bytes : 0;
    }
    return files->ops->stat(files->engine, path, &st) == 0
               ? (uint64_t)st.st_size
               : 0;
}

bool tmk_ior_files_size_all(struct tmk_ior_files *files, int repetition,
                            uint64_t *bytes)
{
    uint64_t own = 0;

    if (!files->ops->stores) {
        return false;
    }
    if (files->cares || files->plan->conf->semantics == TMK_IOR_AS_IOR_4_1) {
        own = tmk_ior_files_size_of(files, (uint64_t)files->job->rank,
                                    repetition);
    }
    *bytes = tmk_job_sum_all(files->job, files->cares ? own : 0);
    return true;
}

static int remove_own(struct tmk_ior_files *files, int repetition,
                      bool *removed)
{
    char path[TMK_IOR_PATH_SIZE];
    char dir[TMK_IOR_PATH_SIZE];
    struct stat st;
    int err = own_path(files, repetition, path);
    int n;

    if (err != 0) {
        return err;
    }
    files->there = false;
    if (existed(files, repetition)) {
        return stays(files) ? 0 : empty(files, path);
    }
    err = files->ops->unlink(files->engine, path);
    *removed = err == 0;
    if (err != 0 && lstat(plain_path(files, path), &st) != 0 &&
        errno == ENOENT) {
        err = 0; /* it was never made, which EROFS does not say */
    }
    if (err == 0 && files->made_dir) {
        n = tmk_ior_plan_dir(files->plan, (uint64_t)files->job->rank, dir,
                             sizeof(dir));
        if (n > 0 && files->ops->rmdir(files->engine, dir) == 0) {
            files->made_dir = false;
        }
    }
    return err;
}

int tmk_ior_files_remove_all(struct tmk_ior_files *files, int repetition,
                             uint64_t *time_ns, bool *any)
{
    uint64_t begin_ns;
    bool removed = false;
    int err = 0;

    tmk_wait_barrier_all(&files->job->wait);
    begin_ns = tmk_clock_ns();
    if (files->cares && files->wrote && files->ops->stores) {
        err = remove_own(files, repetition, &removed);
    } else if (files->cares && files->wrote) {
        char path[TMK_IOR_PATH_SIZE];

        err = own_path(files, repetition, path);
        err = err != 0 ? err : files->ops->unlink(files->engine, path);
        removed = true;
    }
    tmk_wait_barrier_all(&files->job->wait);
    *time_ns = tmk_clock_ns() - begin_ns;
    *any = tmk_job_max_all(files->job, removed) != 0;
    return tmk_job_agree_all(files->job, err);
}
