/*
 * mdtest_marker: the file that says which run is at work in a test directory.
 */
#include "bench/mdtest_marker.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/mdtest_direct.h"
#include "run/say.h"

enum { PATH_SIZE = TMK_ITEM_PATH_SIZE, MARKER_SIZE = TMK_MDTEST_MARKER_SIZE };
enum { BLOCK = TMK_MDTEST_DIRECT_BLOCK };

/* On another host a marker counts as alive for so long after its last touch. */
enum { MARKER_FRESH_S = 600 };

/* "<test dir of the iteration>/<.treemark...uuid>" */
int tmk_mdtest_marker_path(const struct tmk_mdtest_site *site,
                           uint64_t iteration, enum tmk_names_kind kind,
                           char *buf, size_t size)
{
    int n = tmk_mdtest_site_test_dir(site->plan->root, iteration, 0, buf, size);
    int m;

    if (n < 0 || (size_t)n + 2 > size) {
        return -ENAMETOOLONG;
    }
    buf[n++] = '/';
    m = tmk_names_make_id(kind, site->job->id, buf + n, size - (size_t)n);
    return m < 0 ? m : n + m;
}

int tmk_mdtest_marker_put(const struct tmk_mdtest_site *site, const char *path,
                          const char *text)
{
    /* Direct transfers are of whole blocks: empty lines fill it up. */
    alignas(BLOCK) char block[BLOCK];
    size_t bytes = strlen(text);
    intptr_t file;
    int err = site->ops->create(site->engine, path, 0644, &file);
    int closed;
    int64_t wrote;

    if (err != 0) {
        return err;
    }
    assert(bytes <= sizeof(block));
    memset(block, '\n', sizeof(block));
    memcpy(block, text, bytes);
    if (bytes != 0 && tmk_mdtest_direct_on(site->ops, site->engine)) {
        bytes = sizeof(block);
    }
    wrote = site->ops->write(site->engine, file, block, bytes);
    closed = site->ops->close(site->engine, file);
    if (wrote < 0) {
        return (int)wrote;
    }
    return (size_t)wrote < bytes ? -ENOSPC : closed;
}

static int write_marker(struct tmk_mdtest_site *site, uint64_t iteration)
{
    char path[PATH_SIZE];
    char text[MARKER_SIZE];
    int err = tmk_mdtest_marker_path(site, iteration, TMK_NAMES_MARKER, path,
                                     sizeof(path));

    if (err < 0) {
        return err;
    }
    if (site->start_ns == 0) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME, &now);
        site->start_ns =
            (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    (void)snprintf(text, sizeof(text),
                   "treemark-marker/1\nhost %s\npid %ld\nboot %s\n"
                   "start_ns %" PRIu64 "\n",
                   site->job->layout.host, (long)getpid(),
                   site->job->layout.boot, site->start_ns);
    return tmk_mdtest_marker_put(site, path, text);
}

/* The rest of the line that begins with `key`; "" if there is none. */
static void get_line(const char *text, const char *key, char *buf, size_t size)
{
    const char *at = strstr(text, key);

    buf[0] = '\0';
    if (at != NULL) {
        at += strlen(key);
        (void)snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
    }
}

void tmk_mdtest_marker_parse(const char *text, struct tmk_mdtest_marker *marker)
{
    char number[32];

    *marker = (struct tmk_mdtest_marker){.host = "unknown"};
    if (text[0] == '\0') {
        return; /* a file system was full */
    }
    get_line(text, "\nhost ", marker->host, sizeof(marker->host));
    get_line(text, "\nboot ", marker->boot, sizeof(marker->boot));
    get_line(text, "\npid ", number, sizeof(number));
    marker->pid = strtol(number, NULL, 10);
    get_line(text, "\nstart_ns ", number, sizeof(number));
    marker->start_ns = strtoull(number, NULL, 10);
}

/* 0, or -errno where it is gone or says nothing that we understand. */
static int read_marker(const struct tmk_mdtest_site *site, const char *path,
                       struct tmk_mdtest_marker *marker)
{
    alignas(BLOCK) char text[BLOCK + 1] = "";
    struct stat st;
    intptr_t file;
    int64_t n;
    int err = site->ops->stat(site->engine, path, &st);

    if (err == 0) {
        err = site->ops->open(site->engine, path, TMK_ENGINE_READ, &file);
    }
    if (err != 0) {
        return err;
    }
    n = site->ops->read(site->engine, file, text, sizeof(text) - 1);
    (void)site->ops->close(site->engine, file);
    tmk_mdtest_marker_parse(n > 0 ? text : "", marker);
    marker->touched = st.st_mtim;
    return 0;
}

/* Of a process: its state's letter, and when it began, in ticks since boot.
 * False if the kernel does not tell. */
static bool read_stat(int64_t pid, char *state, unsigned long long *ticks)
{
    enum { BEGIN = 20 }; /* the number of that word, counted from the state */
    char path[64];
    char text[1024] = "";
    char *rest;
    char *save = NULL;
    char *word;
    FILE *f;

    (void)snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", pid);
    f = fopen(path, "re");
    if (f == NULL) {
        return false;
    }
    (void)fread(text, 1, sizeof(text) - 1, f);
    (void)fclose(f);
    rest = strrchr(text, ')'); /* its name may hold anything */
    word = rest != NULL ? strtok_r(rest + 1, " ", &save) : NULL;
    if (word == NULL) {
        return false;
    }
    *state = word[0];
    for (int i = 1; word != NULL && i < BEGIN; i++) {
        word = strtok_r(NULL, " ", &save);
    }
    if (word == NULL) {
        return false;
    }
    *ticks = strtoull(word, NULL, 10);
    return true;
}

/*
 * Whether a process of this host is the one that wrote a marker, at `start_ns`
 * (CLOCK_REALTIME, 0 = not known): it has not ended, though nobody may have
 * waited for it yet, and has not got the number of one that began later.
 */
static bool process_alive(int64_t pid, uint64_t start_ns)
{
    const double slack_s = 60.0; /* clocks are set */
    char state = '?';
    unsigned long long ticks = 0;
    struct timespec now;
    struct timespec up;
    double began_s;

    if (kill((pid_t)pid, 0) != 0 && errno != EPERM) {
        return false;
    }
    if (!read_stat(pid, &state, &ticks)) {
        return true;
    }
    if (state == 'Z' || state == 'X') {
        return false;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    began_s = (double)now.tv_sec - (double)up.tv_sec +
              (double)ticks / (double)sysconf(_SC_CLK_TCK);
    return start_ns == 0 || began_s < (double)start_ns / 1e9 + slack_s;
}

bool tmk_mdtest_marker_alive(const struct tmk_layout *here,
                             const struct tmk_mdtest_marker *marker)
{
    if (marker->pid > 0 && strcmp(marker->boot, here->boot) == 0 &&
        strcmp(marker->host, here->host) == 0) {
        return process_alive(marker->pid, marker->start_ns);
    }
    return time(NULL) - marker->touched.tv_sec < MARKER_FRESH_S;
}

static bool marker_alive(const struct tmk_mdtest_site *site,
                         const struct tmk_mdtest_marker *marker)
{
    return tmk_mdtest_marker_alive(&site->job->layout, marker);
}

/*
 * Of two runs that wrote their markers at about the same time, the one that
 * began first goes on.  Times of two hosts may differ, so a marker that was on
 * disk before ours wins as well: then both may give way, never neither.
 */
static bool marker_first(const struct tmk_mdtest_site *site,
                         const struct tmk_mdtest_marker *theirs,
                         const struct tmk_mdtest_marker *ours)
{
    if (theirs->start_ns < site->start_ns) {
        return true;
    }
    if (theirs->touched.tv_sec != ours->touched.tv_sec) {
        return theirs->touched.tv_sec < ours->touched.tv_sec;
    }
    return theirs->touched.tv_nsec < ours->touched.tv_nsec;
}

struct marker_search {
    const char *own_id;
    char ids[8][64]; /* names of other runs' markers */
    size_t n;
};

static bool visit_marker(void *arg, const char *name, bool is_dir)
{
    struct marker_search *search = arg;
    enum tmk_names_kind kind;

    (void)is_dir;
    if (tmk_names_match(name, &kind, NULL, NULL) && kind == TMK_NAMES_MARKER &&
        strstr(name, search->own_id) == NULL &&
        search->n < sizeof(search->ids) / sizeof(search->ids[0])) {
        (void)snprintf(search->ids[search->n++], sizeof(search->ids[0]), "%s",
                       name);
    }
    return true;
}

/*
 * Another run that is at work in a test directory: -EBUSY, said.  With `ours`,
 * our marker is there too, and only runs that were first count.
 */
static int check_markers(struct tmk_mdtest_site *site, uint64_t iteration,
                         const struct tmk_mdtest_marker *ours)
{
    struct marker_search search = {.own_id = site->job->id};
    struct tmk_mdtest_marker marker;
    char dir[PATH_SIZE];
    char path[PATH_SIZE + 80];

    if (tmk_mdtest_site_test_dir(site->plan->root, iteration, 0, dir,
                                 sizeof(dir)) < 0 ||
        site->ops->list(site->engine, dir, visit_marker, &search) != 0) {
        return 0;
    }
    for (size_t i = 0; i < search.n; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", dir, search.ids[i]);
        if (read_marker(site, path, &marker) != 0 ||
            !marker_alive(site, &marker) ||
            (ours != NULL && !marker_first(site, &marker, ours))) {
            continue;
        }
        tmk_say_error(site->job,
                      "%s: run %s on host %s is at work here; wait for it, or "
                      "use another -d",
                      dir, search.ids[i] + strlen(".treemark."), marker.host);
        return -EBUSY;
    }
    return 0;
}

int tmk_mdtest_marker_agree_all(struct tmk_mdtest_site *site, int err)
{
    int worst = tmk_job_agree_all(site->job, err);

    if (worst != err) { /* rank 0 has not met it: others' words are not heard */
        tmk_say_error(site->job,
                      "-d: another run is at work in one of the directories; "
                      "wait for it, or use others");
    }
    return worst;
}

int tmk_mdtest_marker_check(struct tmk_mdtest_site *site, uint64_t iteration)
{
    return check_markers(site, iteration, NULL);
}

/*
 * Say that this run is at work, then look whether another one said so at the
 * same time.  A run goes on without a marker: a full file system takes none.
 */
int tmk_mdtest_marker_write_all(struct tmk_mdtest_site *site)
{
    struct tmk_mdtest_marker ours;
    char path[PATH_SIZE];
    int err = 0;

    if (site->leads) {
        (void)tmk_mdtest_marker_path(site, site->iteration, TMK_NAMES_MARKER,
                                     path, sizeof(path));
        err = write_marker(site, site->iteration);
        site->marked = err == 0;
        if (err == 0) {
            err = read_marker(site, path, &ours);
        } else {
            /* A full file system takes the name and not the text. */
            (void)site->ops->unlink(site->engine, path);
        }
        if (err == 0) {
            err = check_markers(site, site->iteration, &ours);
        } else {
            tmk_say_warning(site->job, "NO_MARKER",
                            "no marker in %s (%s): other runs cannot tell "
                            "that this one is at work",
                            site->plan->root, strerror(-err));
            err = 0;
        }
    }
    return tmk_mdtest_marker_agree_all(site, err);
}

void tmk_mdtest_marker_touch(struct tmk_mdtest_site *site)
{
    if (site->marked) {
        (void)write_marker(site, site->iteration);
    }
}

int tmk_mdtest_marker_remove(struct tmk_mdtest_site *site)
{
    char path[PATH_SIZE];
    int err;

    if (!site->marked) {
        return 0;
    }
    site->marked = false;
    (void)tmk_mdtest_marker_path(site, site->iteration, TMK_NAMES_MARKER, path,
                                 sizeof(path));
    err = site->ops->unlink(site->engine, path);
    return err == -ENOENT ? 0 : err; /* gone is gone, whoever did it */
}

/* Markers of runs that died, which would keep a test directory alive. */
void tmk_mdtest_marker_remove_dead(const struct tmk_mdtest_site *site)
{
    struct marker_search search = {.own_id = site->job->id};
    struct tmk_mdtest_marker marker;
    char dir[PATH_SIZE];
    char path[PATH_SIZE + 80];

    if (tmk_mdtest_site_test_dir(site->plan->root, site->iteration, 0, dir,
                                 sizeof(dir)) < 0 ||
        site->ops->list(site->engine, dir, visit_marker, &search) != 0) {
        return;
    }
    for (size_t i = 0; i < search.n; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", dir, search.ids[i]);
        if (read_marker(site, path, &marker) == 0 &&
            !marker_alive(site, &marker)) {
            (void)site->ops->unlink(site->engine, path);
        }
    }
}
