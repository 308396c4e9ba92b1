/*
 * mdtest_site: the place on disk before, between and after the phases.
 */
#include "bench/mdtest_site.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "bench/clean_main.h"
#include "bench/mdtest_direct.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_marker.h"
#include "bench/probe.h"
#include "run/say.h"

enum { PATH_SIZE = TMK_ITEM_PATH_SIZE };

int tmk_mdtest_site_test_dir(const char *root, uint64_t iteration,
                             uint64_t loop, char *buf, size_t size)
{
    size_t length = strlen(root);
    bool slash = length > 0 && root[length - 1] != '/';
    int n = snprintf(buf, size, "%s%s", root, slash ? "/" : "");
    int m;

    if (n < 0 || (size_t)n >= size) {
        return -ENAMETOOLONG;
    }
    m = tmk_names_make(TMK_NAMES_TEST_DIR, iteration, loop, buf + n,
                       size - (size_t)n);
    return m < 0 ? m : n + m;
}

void tmk_mdtest_site_init(struct tmk_mdtest_site *site, struct tmk_job *job,
                          const struct tmk_mdtest_plan *plan,
                          struct tmk_mdtest_root *root,
                          const struct tmk_engine_ops *ops,
                          struct tmk_engine *engine)
{
    bool leads = (uint64_t)job->rank < plan->roots;

    *site = (struct tmk_mdtest_site){
        .job = job,
        .plan = plan,
        .ops = ops,
        .engine = engine,
        .root = root,
        .makes_dirs = leads,
        .leads = leads,
        .silent =
            job->embedded || plan->conf->semantics == TMK_MDTEST_AS_MDTEST_4_1,
    };
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

/* Errors that say that nothing is there; others say nothing. */
static bool is_absent(int err)
{
    return err == -ENOENT || err == -ENOTDIR;
}

/* 1 if something is there, 0 if not, -errno if that cannot be told. */
static int look_at(const struct tmk_mdtest_site *site, const char *path)
{
    struct stat st;
    int err = site->ops->stat(site->engine, path, &st);

    if (err == 0) {
        return 1;
    }
    return is_absent(err) ? 0 : err;
}

/*
 * Items in the tree directories of one test directory.  A shared tree is
 * divided among the ranks; a private one is its rank's.  The path of the
 * first directory with items is left in `path`.  Returns 1 if there are any, 0,
 * or -errno where that cannot be told.
 */
static int tree_has_items(const struct tmk_mdtest_site *site,
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
    int err;

    (void)tmk_item_tree_path(&set, loop, 0, path, size);
    err = look_at(site, path);
    if (err <= 0) {
        return err;
    }
    for (uint64_t dir = first; dir < plan->tree.dirs; dir += step) {
        (void)tmk_item_tree_path(&set, loop, dir, path, size);
        err = site->ops->list(site->engine, path, visit_item, &search);
        if (search.found) {
            return 1;
        }
        if (err != 0 && !is_absent(err)) {
            return err;
        }
    }
    return 0;
}

static int has_items(const struct tmk_mdtest_site *site, char *path,
                     size_t size)
{
    const struct tmk_mdtest_plan *plan = site->plan;

    for (int i = 0; i < plan->conf->iterations; i++) {
        for (uint64_t loop = 0; loop < plan->loops; loop++) {
            int found;

            (void)tmk_mdtest_site_test_dir(plan->root, (uint64_t)i, loop, path,
                                           size);
            found = look_at(site, path);
            if (found > 0) {
                found = tree_has_items(site, (uint64_t)i, loop, path, size);
            }
            if (found != 0) {
                return found;
            }
        }
    }
    return 0;
}

/*
 * --leftovers=clean: remove the test directories in every -d, whatever is in
 * them.  What is not ours stays there, said.  0 or -errno, said.
 */
static int clean_all(struct tmk_mdtest_site *site)
{
    const char *text = site->plan->conf->dir;
    uint64_t n = site->plan->roots;
    char(*roots)[PATH_SIZE] = calloc(n, sizeof(*roots));
    const char **paths = calloc(n, sizeof(*paths));
    struct tmk_clean_ask ask = {.paths = paths, .n = n, .quiet = true};
    struct tmk_clean_done done;
    bool fine = roots != NULL && paths != NULL;
    int err = tmk_job_agree_all(site->job, fine ? 0 : -ENOMEM);

    for (uint64_t i = 0; err == 0 && fine && i < n; i++) {
        (void)tmk_mdtest_plan_root(text, i, roots[i], sizeof(roots[i]));
        paths[i] = roots[i];
    }
    if (err == 0) {
        err = tmk_clean_all(site->job, &ask, &done);
    }
    if (err == 0) {
        site->root->cleaned = done.cleaned;
        site->root->found_dirs = done.cleaned.foreign + done.failed != 0;
    }
    if (err == 0 && done.interrupted != 0) {
        tmk_say_error(site->job, "interrupted in removing what was left");
        err = -EINTR;
    }
    free(paths);
    free(roots);
    return err;
}

/*
 * Items of an earlier run: 1 on all ranks, the path of the first directory with
 * some in `path`; 0; or -errno, said.
 */
static int find_leftovers_all(struct tmk_mdtest_site *site, char *path)
{
    struct tmk_job *job = site->job;
    int found = has_items(site, path, PATH_SIZE);
    int err = tmk_job_agree_all(job, found < 0 ? found : 0);
    int finder;

    if (err != 0) {
        tmk_say_error(job, "%s: looking for items of an earlier run: %s",
                      site->plan->root, strerror(-err));
        return err;
    }
    finder = tmk_job_agree_all(job, found > 0 ? -(job->size - job->rank) : 0);
    if (finder == 0) {
        return 0;
    }
    if (found == 0 || finder != -(job->size - job->rank)) {
        memset(path, 0, PATH_SIZE); /* the finder's alone is to remain */
    }
    tmk_wait_allreduce_all(&job->wait, path, PATH_SIZE, MPI_BYTE, MPI_BOR);
    return 1;
}

static int check_leftovers_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    char path[PATH_SIZE] = "";
    char line[TMK_MDTEST_EXPLAIN_CLEAN_SIZE];
    int found = find_leftovers_all(site, path);

    if (found > 0 && site->plan->conf->leftovers == TMK_LEFTOVERS_CLEAN) {
        int err = clean_all(site);

        if (err != 0) {
            return err;
        }
        memset(path, 0, sizeof(path));
        found = find_leftovers_all(site, path);
    }
    if (found <= 0) {
        return found;
    }
    if (site->plan->conf->leftovers == TMK_LEFTOVERS_REUSE) {
        tmk_say_warning(job, "REUSED",
                        "%s holds items of an earlier run: creation opens "
                        "what is there",
                        path);
        /* The directories are that run's, too, and go with the items. */
        site->root->reuses = true;
        site->root->found_dirs = false;
        return 0;
    }
    tmk_mdtest_explain_clean(site->plan->conf->dir, line, sizeof(line));
    tmk_say_error(job,
                  "%s holds items of an earlier run: clean up (%s), or use "
                  "--leftovers=clean, --leftovers=reuse or another -d",
                  path, line);
    return -EEXIST;
}

int tmk_mdtest_site_check_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    struct dir_search search = {.plan = site->plan};
    int err = tmk_mdtest_direct_check(site);

    if (err != 0 || !site->ops->stores || !site->plan->creates) {
        return err;
    }
    if (job->layout.leads_node || site->leads) {
        int listed = site->ops->list(site->engine, site->plan->root,
                                     visit_test_dir, &search);

        /* What cannot be listed is looked for by name. */
        search.found = search.found || (listed != 0 && !is_absent(listed));
        if (site->leads && !is_absent(listed)) {
            err = tmk_mdtest_marker_check(site);
        }
    }
    err = tmk_mdtest_marker_agree_all(site, err);
    if (err != 0) {
        return err;
    }
    site->root->found_dirs = tmk_job_max_all(job, search.found) != 0;
    return site->root->found_dirs ? check_leftovers_all(site) : 0;
}

/*
 * -d and its parents.
 */

/* mkdir -p, remembering what it made. */
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
    if (site->silent) { /* no more calls than it takes */
        err = site->root->exists ? -EEXIST
                                 : site->ops->mkdir(site->engine, path, 0775);
        if (err == 0) {
            site->root->made[length / 8] |= (uint8_t)(1u << length % 8);
        }
        if (err == 0 || err == -EEXIST) {
            return 0;
        }
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
        if (err == 0) {
            site->root->made[i / 8] |= (uint8_t)(1u << i % 8);
        }
        if (err != 0 && err != -EEXIST) {
            return err;
        }
    }
    return 0;
}

int tmk_mdtest_site_remove_root(struct tmk_mdtest_site *site)
{
    char path[PATH_SIZE];

    for (size_t i = sizeof(path) - 1; i > 0; i--) {
        int err;

        if ((site->root->made[i / 8] & (1u << i % 8)) == 0) {
            continue;
        }
        memcpy(path, site->plan->root, i);
        path[i] = '\0';
        err = site->ops->rmdir(site->engine, path);
        if (err == -ENOTEMPTY || err == -EEXIST) {
            return 0; /* somebody else's */
        }
        if (err != 0 && err != -ENOENT) {
            return err;
        }
        site->root->made[i / 8] &= (uint8_t) ~(1u << i % 8);
    }
    return 0;
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
        (void)tmk_mdtest_site_remove_root(site);
    }
    return err;
}

/*
 * Test directories.
 */

static void adopt_bit(struct tmk_mdtest_site *site, uint64_t bit)
{
    site->n_adopted++;
    if (site->adopted != NULL) {
        site->adopted[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
}

static bool adopted_bit(const struct tmk_mdtest_site *site, uint64_t bit)
{
    return site->adopted != NULL &&
           (site->adopted[bit / 8] & (1u << bit % 8)) != 0;
}

/* Whether one rank may come to make directories of any tree. */
static bool makes_all(const struct tmk_mdtest_plan *plan)
{
    return plan->makers != plan->trees;
}

static uint64_t tree_bit(const struct tmk_mdtest_site *site, uint64_t tree,
                         uint64_t loop, uint64_t dir)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    uint64_t which = makes_all(plan) ? tree * plan->loops + loop : loop;

    return plan->loops + which * plan->tree.dirs + dir;
}

void tmk_mdtest_site_adopt(struct tmk_mdtest_site *site, uint64_t tree,
                           uint64_t loop, uint64_t dir)
{
    adopt_bit(site, tree_bit(site, tree, loop, dir));
}

bool tmk_mdtest_site_adopted(const struct tmk_mdtest_site *site, uint64_t tree,
                             uint64_t loop, uint64_t dir)
{
    return adopted_bit(site, tree_bit(site, tree, loop, dir));
}

/* Room to remember what existed; only where anything did. */
static int clear_adopted(struct tmk_mdtest_site *site)
{
    const struct tmk_mdtest_plan *plan = site->plan;
    uint64_t trees = makes_all(plan) ? plan->trees : 1;
    uint64_t bits = plan->loops + trees * plan->loops * plan->tree.dirs;
    uint64_t bytes = bits / 8 + 1;

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

int tmk_mdtest_site_end(struct tmk_mdtest_site *site, bool remove_dirs)
{
    char path[PATH_SIZE];
    int first = tmk_mdtest_marker_remove(site);

    if (!remove_dirs || !site->makes_dirs) {
        return first;
    }
    if (site->ops->stores) {
        tmk_mdtest_marker_remove_dead(site);
    }
    for (uint64_t loop = 0; loop < site->plan->loops; loop++) {
        int err;

        if (site->plan->creates && adopted_bit(site, loop)) {
            continue;
        }
        (void)tmk_mdtest_site_test_dir(site->plan->root, site->iteration, loop,
                                       path, sizeof(path));
        err = site->ops->rmdir(site->engine, path);
        if (err != 0 && err != -ENOENT && first == 0) {
            first = err;
        }
    }
    return first;
}

void tmk_mdtest_site_fini(struct tmk_mdtest_site *site)
{
    free(site->adopted);
    site->adopted = NULL;
}

/*
 * Is it shared?
 */

/* Every node looks for a file that rank 0 made in the test directory. */
static int probe_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    char path[PATH_SIZE];
    int err = tmk_mdtest_marker_path(site, site->iteration, TMK_NAMES_PROBE,
                                     path, sizeof(path));
    bool sees = true;
    uint64_t blind;

    if (err > 0) {
        err = job->rank == 0 ? tmk_mdtest_marker_put(site, path, "") : 0;
    }
    if (tmk_probe_all(job, site->ops, site->engine, path, err, &sees, &blind) !=
        0) {
        return 0;
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

/*
 * Several directories in -d: each rank looks for the first test directory of
 * its own, which another node may have made.
 */
static int see_roots_all(struct tmk_mdtest_site *site)
{
    struct tmk_job *job = site->job;
    char path[PATH_SIZE];
    bool sees = tmk_mdtest_site_test_dir(site->plan->root, site->iteration, 0,
                                         path, sizeof(path)) >= 0 &&
                tmk_probe_sees(site->ops, site->engine, path);
    uint64_t blind = tmk_job_sum_all(job, !sees);

    site->shared = TMK_MDTEST_SHARED_YES;
    if (blind == 0) {
        return 0;
    }
    tmk_say_error(job,
                  "-d: %" PRIu64 " ranks do not see what another node makes in "
                  "their directory; use shared file systems",
                  blind);
    return -ENODEV;
}

/* What failed is undone on every rank. */
static int undo(struct tmk_mdtest_site *site, int err)
{
    (void)tmk_mdtest_site_end(site, true);
    (void)tmk_mdtest_site_remove_root(site);
    return err;
}

static int begin_dirs_all(struct tmk_mdtest_site *site, bool mine)
{
    int err = mine ? make_test_dirs(site, site->iteration) : 0;

    return agree_and_say_all(site, err, "making test directories in",
                             site->plan->root);
}

int tmk_mdtest_site_begin_all(struct tmk_mdtest_site *site, uint64_t iteration)
{
    struct tmk_job *job = site->job;
    bool made = site->makes_dirs;
    bool ask = site->ops->stores && site->shared == TMK_MDTEST_SHARED_UNKNOWN &&
               job->layout.map.nodes > 1 && !site->silent;
    int err;

    site->iteration = iteration;
    err = agree_and_say_all(site, clear_adopted(site), "remembering", "");
    if (err != 0) {
        return err;
    }
    err = begin_dirs_all(site, made);
    if (err == 0 && ask && site->plan->roots > 1) {
        err = see_roots_all(site);
    } else if (err == 0 && ask) {
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
    if (err == 0 && site->ops->stores && iteration == 0) {
        err = tmk_mdtest_direct_try_all(site);
    }
    if (err == 0 && site->ops->stores && !site->silent) {
        err = tmk_mdtest_marker_write_all(site);
    }
    return err != 0 ? undo(site, err) : 0;
}
