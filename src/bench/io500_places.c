/*
 * io500_places: the directories of a run, before it and after it.
 */
#include "bench/io500_places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/units.h"
#include "run/caches.h"
#include "run/say.h"

enum { IOR_HARD_BYTES = 47008, MDTEST_HARD_BYTES = 3901, SKEW_MS = 500 };

const struct tmk_io500_place tmk_io500_places[TMK_IO500_PLACES] = {
    {"ior-easy", TMK_IO500_P_IOR_EASY_WRITE, true},
    {"mdtest-easy", TMK_IO500_P_MDTEST_EASY_WRITE, false},
    {"mdworkbench", TMK_IO500_P_MDWORKBENCH_CREATE, false},
    {"ior-hard", TMK_IO500_P_IOR_HARD_WRITE, true},
    {"mdtest-hard", TMK_IO500_P_MDTEST_HARD_WRITE, false},
};

static char *join(const char *dir, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", dir, name) >= 0 ? path : NULL;
}

char *tmk_io500_in_results(const struct tmk_io500_launch *launch,
                           const char *name)
{
    return join(launch->resultdir, name);
}

char *tmk_io500_in_data(const struct tmk_io500_launch *launch, const char *name)
{
    return join(launch->datadir, name);
}

/* Make a directory and those above it.  On an error *at is the length of the
 * part of the path that it is about. */
static int make_dirs(const char *path, mode_t mode, size_t *at)
{
    char part[PATH_MAX];
    size_t length = strlen(path);

    *at = length;
    if (length >= sizeof(part)) {
        return -ENAMETOOLONG;
    }
    for (size_t i = 1; i <= length; i++) {
        struct stat st;

        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, mode) != 0 && errno != EEXIST &&
            (stat(part, &st) != 0 || !S_ISDIR(st.st_mode))) {
            *at = i;
            return -errno;
        }
    }
    return 0;
}

/* A directory of rank 0's, with the key that names it. */
static int make_all(struct tmk_io500_launch *launch, const char *key,
                    const char *path, mode_t mode)
{
    struct tmk_job *job = launch->job;
    size_t at = 0;
    int err = job->rank == 0 ? make_dirs(path, mode, &at) : 0;

    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "%s: making %.*s: %s", key, (int)at, path,
                      strerror(-err));
    }
    return err;
}

int tmk_io500_holds_something(const char *path)
{
    DIR *dir = opendir(path);
    int found = 0;

    if (dir == NULL) {
        return errno == ENOENT ? 0 : -errno;
    }
    errno = 0;
    for (struct dirent *e; found == 0 && (e = readdir(dir)) != NULL;) {
        found = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    if (errno != 0) {
        found = -errno;
    }
    (void)closedir(dir);
    return found;
}

/* What an earlier run left where this one would write. */
static int refuse_leftovers(const struct tmk_io500_launch *launch, char *why,
                            size_t size)
{
    for (size_t i = 0; i < TMK_IO500_PLACES; i++) {
        char *path = tmk_io500_in_data(launch, tmk_io500_places[i].name);
        int found;

        if (path == NULL) {
            return -ENOMEM;
        }
        found = tmk_io500_is_wanted(launch, tmk_io500_places[i].writer)
                    ? tmk_io500_holds_something(path)
                    : 0;
        if (found < 0) {
            (void)snprintf(why, size, "%s: %s", path, strerror(-found));
        } else if (found > 0) {
            (void)snprintf(
                why, size,
                "%s holds data of an earlier run: treemark io500 %s "
                "--cleanup%s%s removes it, --resume goes on",
                path, launch->options.ini != NULL ? launch->options.ini : "",
                launch->options.timestamp != NULL ? " --timestamp=" : "",
                launch->options.timestamp != NULL ? launch->options.timestamp
                                                  : "");
            found = -EEXIST;
        }
        free(path);
        if (found < 0) {
            return found;
        }
    }
    return 0;
}

/* Results are never written over. */
static int refuse_results(const struct tmk_io500_launch *launch, char *why,
                          size_t size)
{
    static const char *const names[] = {"result.txt", "result_summary.txt",
                                        "result.json"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = tmk_io500_in_results(launch, names[i]);
        int there = path != NULL ? access(path, F_OK) == 0 : -ENOMEM;

        free(path);
        if (there < 0) {
            return there;
        }
        if (there > 0) {
            (void)snprintf(why, size,
                           "%s holds results already: --resume goes on with "
                           "them, another resultdir begins anew",
                           launch->resultdir);
            return -EEXIST;
        }
    }
    return 0;
}

/* Say what rank 0 has found, on all.  Collective. */
static int agree_all(struct tmk_io500_launch *launch, int err, const char *why)
{
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        if (launch->job->rank == 0 && why[0] != '\0') {
            tmk_say_error(launch->job, "%s", why);
        } else {
            tmk_say_error(launch->job, "%s", strerror(-err));
        }
    }
    return err;
}

/* Put a file there; *when is its time as the file system has it, in ms, less
 * that of this node's clock. */
static int put(const char *path, int64_t *when)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    struct timespec now;
    struct stat st;
    int err = 0;

    if (fd < 0) {
        return -errno;
    }
    if (write(fd, "", 1) != 1 || fsync(fd) != 0 || fstat(fd, &st) != 0 ||
        clock_gettime(CLOCK_REALTIME, &now) != 0) {
        err = -errno;
    } else {
        *when = (int64_t)(st.st_mtim.tv_sec - now.tv_sec) * 1000 +
                (st.st_mtim.tv_nsec - now.tv_nsec) / 1000000;
    }
    (void)close(fd);
    return err;
}

/*
 * A file of rank 0 in a directory, that a rank of each node looks for.  *when:
 * see put(), on rank 0.  Collective.
 */
static int probe_all(struct tmk_io500_launch *launch, const char *key,
                     const char *dir, int64_t *when)
{
    struct tmk_job *job = launch->job;
    char name[64];
    char *path;
    uint64_t blind = 0;
    int err;

    (void)snprintf(name, sizeof(name), ".treemark-probe.%s", job->id);
    path = join(dir, name);
    err = tmk_job_agree_all(job, path != NULL ? 0 : -ENOMEM);
    if (err == 0 && path != NULL) {
        err = tmk_job_agree_all(job, job->rank == 0 ? put(path, when) : 0);
    }
    if (err != 0 || path == NULL) {
        tmk_say_error(job, "%s: writing in %s: %s", key, dir, strerror(-err));
        free(path);
        return err;
    }
    if (job->layout.leads_node) {
        bool sees = false;

        for (int i = 0; i < 10 && !sees; i++) {
            sees = access(path, F_OK) == 0;
            if (!sees) {
                tmk_job_sleep(100000000);
            }
        }
        blind = !sees;
    }
    blind = tmk_job_sum_all(job, blind);
    if (job->rank == 0) {
        (void)unlink(path);
    }
    free(path);
    if (blind != 0) {
        tmk_say_error(job,
                      "%s: %s is not shared: %" PRIu64 " of %" PRIu32
                      " nodes do not see what another one writes there",
                      key, dir, blind, job->layout.map.nodes);
        return -ENODEV;
    }
    return 0;
}

/* A number of bytes as the options of ior have it; 0 if it is none. */
static double bytes_of(const char *text)
{
    uint64_t bytes = 0;

    return text != NULL && tmk_units_parse_u64(text, &bytes) == 0
               ? (double)bytes
               : 0;
}

struct tmk_io500_need tmk_io500_need_of(const struct tmk_io500_launch *launch)
{
    const struct tmk_io500_part *parts = launch->conf.parts;
    double procs = launch->job->size;
    struct tmk_io500_need need = {0};

    if (tmk_io500_is_wanted(launch, TMK_IO500_P_IOR_EASY_WRITE)) {
        need.bytes += bytes_of(parts[TMK_IO500_IOR_EASY].block_size) * procs;
        need.inodes +=
            tmk_io500_is_true(parts[TMK_IO500_IOR_EASY].file_per_proc, true)
                ? procs
                : 1;
    }
    if (tmk_io500_is_wanted(launch, TMK_IO500_P_IOR_HARD_WRITE)) {
        need.bytes += (double)tmk_io500_number(
                          parts[TMK_IO500_IOR_HARD].segment_count, 0) *
                      IOR_HARD_BYTES * procs;
        need.inodes++;
    }
    if (tmk_io500_is_wanted(launch, TMK_IO500_P_MDTEST_EASY_WRITE)) {
        need.inodes +=
            (double)tmk_io500_number(parts[TMK_IO500_MDTEST_EASY].n, 0) * procs;
    }
    if (tmk_io500_is_wanted(launch, TMK_IO500_P_MDTEST_HARD_WRITE)) {
        double files =
            (double)tmk_io500_number(parts[TMK_IO500_MDTEST_HARD].n, 0) * procs;

        need.inodes += files;
        need.bytes += files * MDTEST_HARD_BYTES;
    }
    return need;
}

/* Sizes are upper bounds: time ends the phases, as a rule. */
static void weigh_space(struct tmk_io500_launch *launch)
{
    struct tmk_io500_need need = tmk_io500_need_of(launch);
    struct statvfs fs;

    if (launch->job->rank != 0 || statvfs(launch->datadir, &fs) != 0) {
        return;
    }
    if (need.bytes > (double)fs.f_bavail * (double)fs.f_frsize) {
        tmk_say_warning(launch->job, "SPACE",
                        "%s: the phases write up to %.1f GiB, %.1f GiB are "
                        "free: a phase that is not ended by time will fail",
                        launch->datadir, need.bytes / (1 << 30),
                        (double)fs.f_bavail * (double)fs.f_frsize / (1 << 30));
    }
    if (fs.f_files != 0 && need.inodes > (double)fs.f_favail) {
        tmk_say_warning(launch->job, "INODES",
                        "%s: the phases make up to %.0f files, %.0f inodes "
                        "are free",
                        launch->datadir, need.inodes, (double)fs.f_favail);
    }
}

/* The clocks of nodes, and those of the two file systems. */
static void compare_clocks_all(struct tmk_io500_launch *launch, int64_t data_ms,
                               int64_t results_ms)
{
    struct tmk_job *job = launch->job;
    struct timespec now = {0};
    uint64_t ms;
    uint64_t last;
    uint64_t first;

    tmk_wait_barrier_all(&job->wait);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    last = tmk_job_max_all(job, ms);
    first = INT64_MAX - tmk_job_max_all(job, INT64_MAX - ms);
    if (last - first > SKEW_MS) {
        tmk_say_warning(job, "CLOCK_SKEW",
                        "the clocks of the nodes differ by %.1f s: start times "
                        "and seeds are those of rank 0",
                        (double)(last - first) / 1000);
    }
    if (job->rank == 0 && llabs(data_ms) > SKEW_MS) {
        tmk_say_warning(job, "CLOCK_SKEW",
                        "%s: its file system is %.1f s from this node's clock",
                        launch->datadir, (double)data_ms / 1000);
    }
    if (job->rank == 0 && llabs(data_ms - results_ms) > SKEW_MS) {
        tmk_say_warning(job, "CLOCK_SKEW",
                        "%s and %s keep times that differ by %.1f s: find "
                        "-newer may take files for older than they are",
                        launch->datadir, launch->resultdir,
                        (double)(data_ms - results_ms) / 1000);
    }
}

static void look_at_nodes(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;

    tmk_say(job, "%d procs on %" PRIu32 " node%s", job->size,
            job->layout.map.nodes, job->layout.map.nodes == 1 ? "" : "s");
    if (job->layout.map.nodes == 1) {
        tmk_say_warning(job, "SAME_NODE_READ",
                        "on one node, what is read was written by the same "
                        "node, and may come from its memory");
    }
}

/* Drop caches once: a command that does not work is better known now.
 * Collective. */
static int try_drop_all(struct tmk_io500_launch *launch)
{
    const struct tmk_caches_how how = {
        .drop = launch->conf.global.drop_caches_cmd,
        .path = launch->datadir,
    };
    struct tmk_result_caches done;

    if (!tmk_io500_is_true(launch->conf.global.drop_caches, false)) {
        return 0;
    }
    (void)tmk_caches_before_all(&how, launch->job, &done);
    if (!done.dropped) {
        tmk_say_error(launch->job,
                      "[global] drop-caches-cmd fails on a node: %s",
                      launch->conf.global.drop_caches_cmd);
        return -EPERM;
    }
    return 0;
}

int tmk_io500_prepare_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    bool fresh = launch->options.resume == 0;
    char why[PATH_MAX + 512] = "";
    int64_t data_ms = 0;
    int64_t results_ms = 0;
    int err = 0;

    if (fresh && job->rank == 0) {
        err = refuse_results(launch, why, sizeof(why));
        err = err == 0 ? refuse_leftovers(launch, why, sizeof(why)) : err;
    }
    err = agree_all(launch, err, why);
    if (err == 0) {
        err = make_all(launch, "[global] datadir", launch->datadir, 0755);
    }
    if (err == 0) {
        err = make_all(launch, "[global] resultdir", launch->resultdir, 0700);
    }
    if (err == 0) {
        err = probe_all(launch, "[global] datadir", launch->datadir, &data_ms);
    }
    if (err == 0) {
        err = probe_all(launch, "[global] resultdir", launch->resultdir,
                        &results_ms);
    }
    for (size_t i = 0; i < TMK_IO500_PLACES && err == 0; i++) {
        if (tmk_io500_places[i].made) {
            char *path = tmk_io500_in_data(launch, tmk_io500_places[i].name);

            err = tmk_job_agree_all(job, path != NULL ? 0 : -ENOMEM);
            if (err == 0 && path != NULL) {
                err = make_all(launch, "[global] datadir", path, 0755);
            }
            free(path);
        }
    }
    if (err == 0) {
        err = try_drop_all(launch);
    }
    if (err == 0) {
        look_at_nodes(launch);
        weigh_space(launch);
        compare_clocks_all(launch, data_ms, results_ms);
    }
    return err;
}
