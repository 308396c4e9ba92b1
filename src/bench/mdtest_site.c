/*
 * mdtest_site: the place on disk before, between and after the phases.
 */
#include "bench/mdtest_site.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/names.h"
#include "run/say.h"

enum { PATH_SIZE = TMK_ITEM_PATH_SIZE, MARKER_SIZE = 512 };

/* On another host a marker counts as alive for so long after its last touch. */
enum { MARKER_FRESH_S = 600 };

/* NFS keeps "no such file" in its cache for a moment. */
enum { PROBE_TRIES = 10, PROBE_PAUSE_NS = 100000000 };

int tmk_mdtest_site_test_dir(const char *root, uint64_t iteration,
                             uint64_t loop, char *buf, size_t size)
{
    size_t n = strlen(root);
    bool slash = n > 0 && root[n - 1] != '/';
    int length;

    if (n + 2 > size) {
        return -ENAMETOOLONG;
    }
    memcpy(buf, root, n);
    if (slash) {
        buf[n++] = '/';
    }
    length =
        tmk_names_make(TMK_NAMES_TEST_DIR, iteration, loop, buf + n, size - n);
    return length < 0 ? length : (int)n + length;
}

/* "<test dir of the iteration>/<.treemark...uuid>" */
static int id_path(const struct tmk_mdtest_site *site, uint64_t iteration,
                   enum tmk_names_kind kind, char *buf, size_t size)
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

/*
 * The marker: who is at work here.
 */

static void read_boot_id(char *buf, size_t size)
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

    buf[0] = '\0';
    if (f != NULL) {
        if (fgets(buf, (int)size, f) == NULL) {
            buf[0] = '\0';
        }
        fclose(f);
    }
    buf[strcspn(buf, "\n")] = '\0';
}

static int write_file(const struct tmk_mdtest_site *site, const char *path,
                      const char *text)
{
    intptr_t file;
    int err = site->ops->create(site->engine, path, 0644, &file);
    int closed;
    int64_t wrote;

    if (err != 0) {
        return err;
    }
    wrote = site->ops->write(site->engine, file, text, strlen(text));
    closed = site->ops->close(site->engine, file);
    return wrote < 0 ? (int)wrote : closed;
}

static int write_marker(struct tmk_mdtest_site *site, uint64_t iteration)
{
    char path[PATH_SIZE];
    char boot[64];
    char text[MARKER_SIZE];
    int err = id_path(site, iteration, TMK_NAMES_MARKER, path, sizeof(path));

    if (err < 0) {
        return err;
    }
    if (site->start_ns == 0) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME, &now);
        site->start_ns =
            (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    }
    read_boot_id(boot, sizeof(boot));
    (void)snprintf(text, sizeof(text),
                   "treemark-marker/1\nhost %s\npid %ld\nboot %s\n"
                   "start_ns %" PRIu64 "\n",
                   site->job->layout.host, (long)getpid(), boot,
                   site->start_ns);
    return write_file(site, path, text);
}

void tmk_mdtest_site_touch(struct tmk_mdtest_site *site)
{
    if (site->marked) {
        (void)write_marker(site, site->iteration);
    }
}

/* What a marker says. */
struct marker {
    char host[TMK_LAYOUT_HOST_SIZE];
    long pid;
    char boot[64];
    uint64_t start_ns;
    struct timespec touched;
};

/* 0, or -errno where it is gone or says nothing that we understand. */
static int read_marker(const struct tmk_mdtest_site *site, const char *path,
                       struct marker *marker)
{
    char text[MARKER_SIZE] = "";
    struct stat st;
    intptr_t file;
    int64_t n;
    int err = site->ops->stat(site->engine, path, &st);

    *marker = (struct marker){.host = "unknown"};
    if (err == 0) {
        err = site->ops->open(site->engine, path, &file);
    }
    if (err != 0) {
        return err;
    }
    marker->touched = st.st_mtim;
    n = site->ops->read(site->engine, file, text, sizeof(text) - 1);
    (void)site->ops->close(site->engine, file);
    if (n > 0) {
        (void)sscanf(text,
                     "treemark-marker/1\nhost %64s\npid %ld\nboot %63s\n"
                     "start_ns %" SCNu64 "\n",
                     marker->host, &marker->pid, marker->boot,
                     &marker->start_ns);
    }
    return 0;
}

/* Is its owner still at work? */
static bool marker_alive(const struct tmk_mdtest_site *site,
                         const struct marker *marker)
{
    char boot[64];

    read_boot_id(boot, sizeof(boot));
    if (marker->pid > 0 && strcmp(marker->boot, boot) == 0 &&
        strcmp(marker->host, site->job->layout.host) == 0) {
        return kill((pid_t)marker->pid, 0) == 0 || errno == EPERM;
    }
    return time(NULL) - marker->touched.tv_sec < MARKER_FRESH_S;
}

/*
 * Of two runs that wrote their markers at about the same time, the one that
 * began first goes on.  Times of two hosts may differ, so a marker that was on
 * disk before ours wins as well: then both may give way, never neither.
 */
static bool marker_first(const struct tmk_mdtest_site *site,
                         const struct marker *theirs, const struct marker *ours)
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
                         const struct marker *ours)
{
    struct marker_search search = {.own_id = site->job->id};
    struct marker marker;
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

/*
 * What an earlier run left.
 */

struct dir_search {
    const struct tmk_mdtest_plan *plan;
    bool found;
};

static bool visit_test_dir(void *arg, const char *name, bool is_dir)
{
    struct dir_search *search = arg;
    enum tmk_names_kind kind;
    uint64_t iteration;
    uint64_t loop;

    (void)is_dir;
    if (tmk_names_match(name, &kind, &iteration, &loop) &&
        kind == TMK_NAMES_TEST_DIR &&
        iteration < (uint64_t)search->plan->conf->iterations &&
        loop < search->plan->loops) {
        search->found = true;
    }
    return !search->found;
}

struct item_search {
    bool dirs, files; /* looked for */
    bool found;
};

static bool visit_item(void *arg, const char *name, bool is_dir)
{
    struct item_search *search = arg;
    enum tmk_names_kind kind;

    (void)is_dir;
    if (tmk_names_match(name, &kind, NULL, NULL)) {
        search->found =
            (search->dirs &&
             (kind == TMK_NAMES_DIR || kind == TMK_NAMES_DIR_MOVED)) ||
            (search->files &&
             (kind == TMK_NAMES_FILE || kind == TMK_NAMES_FILE_SHARED));
    }
    return !search->found;
}

/*
 * Items in the tree directories of one test directory.  A shared tree is
 * divided among the ranks; a private one is its rank's.  The path of the
 * first directory with items is left in `path`.
 */
static bool tree_has_items(const struct tmk_mdtest_site *site,
                           uint64_t iteration, uint64_t loop, char *path,
                           size_t size)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    const struct tmk_job *job = site->job;
    struct tmk_item_set set =
        tmk_mdtest_plan_set(plan, TMK_MDTEST_TREE_CREATE, (uint32_t)job->rank,
                            iteration, plan->items);
    uint64_t step = set.unique ? 1 : (uint64_t)job->size;
    uint64_t first = set.unique ? 0 : (uint64_t)job->rank;
    struct item_search search = {
        .dirs = plan->on[TMK_MDTEST_DIR_CREATE],
        .files = plan->on[TMK_MDTEST_FILE_CREATE],
    };
    struct stat st;

    if (tmk_item_tree_path(&set, loop, 0, path, size) < 0 ||
        site->ops->stat(site->engine, path, &st) != 0) {
        return false;
    }
    for (uint64_t dir = first; dir < plan->tree.dirs; dir += step) {
        if (tmk_item_tree_path(&set, loop, dir, path, size) >= 0) {
            (void)site->ops->list(site->engine, path, visit_item, &search);
            if (search.found) {
                return true;
            }
        }
    }
    return false;
}

static bool has_items(const struct tmk_mdtest_site *site, char *path,
                      size_t size)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    struct stat st;

    for (int i = 0; i < plan->conf->iterations; i++) {
        for (uint64_t loop = 0; loop < plan->loops; loop++) {
            if (tmk_mdtest_site_test_dir(plan->root, (uint64_t)i, loop, path,
                                         size) < 0 ||
                site->ops->stat(site->engine, path, &st) != 0) {
                continue;
            }
            if (tree_has_items(site, (uint64_t)i, loop, path, size)) {
                return true;
            }
        }
    }
    return false;
}

static int check_leftovers_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    char path[PATH_SIZE] = "";
    bool found = has_items(site, path, sizeof(path));
    int finder = tmk_job_agree_all(job, found ? -(job->size - job->rank) : 0);

    if (finder == 0) {
        return 0;
    }
    if (!found || finder != -(job->size - job->rank)) {
        path[0] = '\0';
    }
    tmk_wait_allreduce_all(&job->wait, path, (int)sizeof(path), MPI_BYTE,
                           MPI_BOR);
    if (site->plan->conf->leftovers == TMK_MDTEST_LEFTOVERS_REUSE) {
        tmk_say_warning(job, "REUSED",
                        "%s holds items of an earlier run: creation opens "
                        "what is there",
                        path);
        /* The directories are that run's, too, and go with the items. */
        site->root->reuses = true;
        site->root->found_dirs = false;
        return 0;
    }
    tmk_say_error(job,
                  "%s holds items of an earlier run: clean up (rm -r "
                  "'%s'/test-dir.*), or use --leftovers=reuse or another -d",
                  path, site->plan->root);
    return -EEXIST;
}

int tmk_mdtest_site_check_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    struct dir_search search = {.plan = site->plan};
    int err = 0;

    if (!site->ops->stores || !site->plan->creates) {
        return 0;
    }
    if (job->layout.leads_node) {
        (void)site->ops->list(site->engine, site->plan->root, visit_test_dir,
                              &search);
    }
    site->root->found_dirs = tmk_job_max_all(job, search.found) != 0;
    if (!site->root->found_dirs) {
        return 0;
    }
    if (job->rank == 0) {
        for (int i = 0; i < site->plan->conf->iterations && err == 0; i++) {
            err = check_markers(site, (uint64_t)i, NULL);
        }
    }
    err = tmk_job_agree_all(job, err);
    return err != 0 ? err : check_leftovers_all(site);
}

/*
 * -d and its parents.
 */

/* mkdir -p, remembering where it began to make. */
static int make_root(struct tmk_mdtest_site *site)
{
    const char *root = site->plan->root;
    char path[PATH_SIZE];
    size_t length = strlen(root);
    size_t exists;
    struct stat st;
    int err;

    if (length >= sizeof(path)) {
        return -ENAMETOOLONG;
    }
    memcpy(path, root, length + 1);
    while (length > 1 && path[length - 1] == '/') {
        path[--length] = '\0';
    }
    err = site->ops->stat(site->engine, path, &st);
    if (err == 0) {
        return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
    }
    /* The longest parent that exists. */
    for (exists = length; exists > 0 && err == -ENOENT;) {
        while (exists > 0 && path[exists - 1] != '/') {
            exists--;
        }
        while (exists > 1 && path[exists - 1] == '/') {
            exists--;
        }
        if (exists == 0) {
            break; /* relative: the current directory */
        }
        memcpy(path, root, exists);
        path[exists] = '\0';
        err = site->ops->stat(site->engine, path, &st);
    }
    if (err != 0 && err != -ENOENT) {
        return err;
    }
    for (size_t i = exists + 1; i <= length; i++) {
        if (i < length && root[i] != '/') {
            continue;
        }
        if (root[i - 1] == '/') {
            continue; /* doubled slashes */
        }
        memcpy(path, root, i);
        path[i] = '\0';
        err = site->ops->mkdir(site->engine, path, 0775);
        if (err == 0 && site->root->made_from == 0) {
            site->root->made_from = i;
        }
        if (err != 0 && err != -EEXIST) {
            return err;
        }
    }
    return 0;
}

void tmk_mdtest_site_remove_root(struct tmk_mdtest_site *site)
{
    const char *root = site->plan->root;
    size_t length = strlen(root);
    char path[PATH_SIZE];

    if (site->root->made_from == 0) {
        return;
    }
    while (length > 1 && root[length - 1] == '/') {
        length--;
    }
    while (length >= site->root->made_from) {
        memcpy(path, root, length);
        path[length] = '\0';
        if (site->ops->rmdir(site->engine, path) != 0) {
            return; /* not empty: somebody else's */
        }
        while (length > 0 && root[length - 1] != '/') {
            length--;
        }
        while (length > 0 && root[length - 1] == '/') {
            length--;
        }
    }
    site->root->made_from = 0;
}

/* The worst of all ranks' results; the lowest rank's that failed is said. */
static int agree_and_say_all(struct tmk_mdtest_site *site, int err,
                             const char *what, const char *path)
{
    int worst = tmk_job_agree_all(site->job, err);

    if (worst != 0) {
        tmk_say_error(site->job, "%s %s: %s", what, path, strerror(-worst));
    }
    return worst;
}

int tmk_mdtest_site_make_root_all(struct tmk_mdtest_site *site)
{
    bool mine = site->makes_dirs && site->ops->stores;
    int err = mine ? make_root(site) : 0;

    err = agree_and_say_all(site, err, "making directory", site->plan->root);
    if (err != 0) {
        tmk_mdtest_site_remove_root(site);
    }
    return err;
}

/*
 * Test directories.
 */

static void adopt_bit(struct tmk_mdtest_site *site, uint64_t bit)
{
    if (site->adopted != NULL) {
        site->adopted[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

static bool adopted_bit(const struct tmk_mdtest_site *site, uint64_t bit)
{
    return site->adopted != NULL &&
           (site->adopted[bit / 8] & (1u << bit % 8)) != 0;
}

static uint64_t tree_bit(const struct tmk_mdtest_site *site, uint64_t loop,
                         uint64_t dir)
{
    return site->plan->loops + loop * site->plan->tree.dirs + dir;
}

void tmk_mdtest_site_adopt(struct tmk_mdtest_site *site, uint64_t loop,
                           uint64_t dir)
{
    adopt_bit(site, tree_bit(site, loop, dir));
}

bool tmk_mdtest_site_adopted(const struct tmk_mdtest_site *site, uint64_t loop,
                             uint64_t dir)
{
    return adopted_bit(site, tree_bit(site, loop, dir));
}

/* Room to remember what existed; only where anything did. */
static int clear_adopted(struct tmk_mdtest_site *site)
{
    uint64_t bytes = tree_bit(site, site->plan->loops, 0) / 8 + 1;

    free(site->adopted);
    site->adopted = NULL;
    if (site->root->found_dirs) {
        site->adopted = calloc(bytes, 1);
        return site->adopted != NULL ? 0 : -ENOMEM;
    }
    return 0;
}

static int make_test_dirs(struct tmk_mdtest_site *site, uint64_t iteration)
{
    char path[PATH_SIZE];

    for (uint64_t loop = 0; loop < site->plan->loops; loop++) {
        int err = tmk_mdtest_site_test_dir(site->plan->root, iteration, loop,
                                           path, sizeof(path));

        if (err >= 0) {
            err = site->ops->mkdir(site->engine, path, 0775);
        }
        if (err == -EEXIST) {
            adopt_bit(site, loop);
        } else if (err != 0) {
            return err;
        }
    }
    return 0;
}

uint64_t tmk_mdtest_site_end(struct tmk_mdtest_site *site, bool remove_dirs)
{
    char path[PATH_SIZE];
    uint64_t failures = 0;

    if (site->marked && id_path(site, site->iteration, TMK_NAMES_MARKER, path,
                                sizeof(path)) > 0) {
        failures += site->ops->unlink(site->engine, path) != 0;
    }
    site->marked = false;
    for (uint64_t loop = 0;
         remove_dirs && site->makes_dirs && loop < site->plan->loops; loop++) {
        int err;

        if (site->plan->creates && adopted_bit(site, loop)) {
            continue;
        }
        (void)tmk_mdtest_site_test_dir(site->plan->root, site->iteration, loop,
                                       path, sizeof(path));
        err = site->ops->rmdir(site->engine, path);
        failures += err != 0 && err != -ENOENT;
    }
    return failures;
}

void tmk_mdtest_site_fini(struct tmk_mdtest_site *site)
{
    free(site->adopted);
    site->adopted = NULL;
}

/*
 * Is it shared?
 */

static bool sees_probe(const struct tmk_mdtest_site *site, const char *path)
{
    struct stat st;

    for (int i = 0; i < PROBE_TRIES; i++) {
        if (site->ops->stat(site->engine, path, &st) == 0) {
            return true;
        }
        tmk_job_sleep(PROBE_PAUSE_NS);
    }
    return false;
}

/* Every node looks for a file that rank 0 made in the test directory. */
static int probe_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    char path[PATH_SIZE];
    int err =
        id_path(site, site->iteration, TMK_NAMES_PROBE, path, sizeof(path));
    bool sees = true;
    uint64_t blind;

    if (err > 0) {
        err = job->rank == 0 ? write_file(site, path, "") : 0;
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_warning(job, "NO_PROBE",
                        "%s: %s: cannot tell whether nodes share it", path,
                        strerror(-err));
        return 0;
    }
    if (job->layout.leads_node) {
        sees = sees_probe(site, path);
    }
    blind = tmk_job_sum_all(job, !sees);
    if (job->rank == 0) {
        (void)site->ops->unlink(site->engine, path);
    }
    site->shared = TMK_MDTEST_SHARED_YES;
    if (blind != 0) {
        site->shared = blind + 1 == job->layout.map.nodes
                           ? TMK_MDTEST_SHARED_PER_NODE
                           : TMK_MDTEST_SHARED_MIXED;
        site->makes_dirs = site->makes_dirs || !sees;
    }
    if (blind != 0 && site->plan->crosses_nodes) {
        tmk_say_error(job,
                      "-d %s: %" PRIu64 " of %" PRIu32 " nodes do not see "
                      "what another node makes there; use a shared file "
                      "system, or -u without -N",
                      site->plan->root, blind, job->layout.map.nodes);
        return -ENODEV;
    }
    return 0;
}

/* What failed is undone on every rank. */
static int undo(struct tmk_mdtest_site *site, int err)
{
    (void)tmk_mdtest_site_end(site, true);
    tmk_mdtest_site_remove_root(site);
    return err;
}

static int begin_dirs_all(struct tmk_mdtest_site *site, bool mine)
{
    int err = mine ? make_test_dirs(site, site->iteration) : 0;

    return agree_and_say_all(site, err, "making test directories in",
                             site->plan->root);
}

/*
 * Say that this run is at work, then look whether another one said so at the
 * same time.  A run goes on without a marker: a full file system takes none.
 */
static int mark_all(struct tmk_mdtest_site *site)
{
    struct marker ours;
    char path[PATH_SIZE];
    int err = 0;

    if (site->job->rank == 0) {
        err = write_marker(site, site->iteration);
        site->marked = err == 0;
        if (err == 0) {
            (void)id_path(site, site->iteration, TMK_NAMES_MARKER, path,
                          sizeof(path));
            err = read_marker(site, path, &ours);
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
    return tmk_job_agree_all(site->job, err);
}

int tmk_mdtest_site_begin_all(struct tmk_mdtest_site *site, uint64_t iteration)
{
    struct tmk_job *job = site->job;
    bool made = site->makes_dirs;
    bool ask = site->ops->stores && site->shared == TMK_MDTEST_SHARED_UNKNOWN &&
               job->layout.map.nodes > 1;
    int err;

    site->iteration = iteration;
    err = agree_and_say_all(site, clear_adopted(site), "remembering", "");
    if (err != 0) {
        return err;
    }
    err = begin_dirs_all(site, made);
    if (err == 0 && ask) {
        err = probe_all(site);
        if (err == 0 && site->shared != TMK_MDTEST_SHARED_YES) {
            /* Nodes on their own: each leader does what rank 0 did. */
            bool late = site->makes_dirs && !made;

            err = agree_and_say_all(site, late ? make_root(site) : 0,
                                    "making directory", site->plan->root);
            if (err == 0) {
                err = begin_dirs_all(site, late);
            }
        }
    }
    if (err == 0 && site->ops->stores) {
        err = mark_all(site);
    }
    return err != 0 ? undo(site, err) : 0;
}
