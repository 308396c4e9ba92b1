/*
 * find_walk: reading directories, dividing them among ranks.
 *
 *     START  a start point
 *     DIR    read a directory: entries are looked at in the kernel's buffer,
 *            directories become items
 *     PART   entries of a directory that another rank is reading
 *     LAST   with -depth: a directory all of whose contents are done
 *
 * With -depth a record counts what is under way of each directory.
 */
#include "bench/find_walk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/find_act.h"
#include "bench/find_items.h"
#include "bench/find_output.h"
#include "bench/find_see.h"
#include "run/clock.h"

enum {
    BUFFER_SIZE = 262144,
    PART_MOST = 8192, /* bytes of entries in an item; one fits */
};

/*
 * Giving away.
 */

/* Whether another rank has to look at an entry; if not, it is done. */
static bool is_work(struct tmk_find_walk *w, const struct tmk_dent *dent)
{
    struct tmk_match_entry e = {
        .name = dent->name,
        .name_length = strlen(dent->name),
        .start_length = strlen(w->match->starts[w->start]),
        .depth = w->depth + 1,
        .type = tmk_find_type(dent->type),
        .inode = dent->inode,
    };
    uint32_t missing;

    if (e.type == TMK_MATCH_DIR || e.type == TMK_MATCH_UNKNOWN ||
        (e.type == TMK_MATCH_LINK &&
         w->match->follow == TMK_MATCH_FOLLOW_ALL)) {
        return true;
    }
    if (e.depth >= w->match->depth_least) {
        if (w->match->path_in_tests) {
            (void)tmk_find_path(w, &e);
        }
        if (tmk_match_ahead(w->match, &e, &missing) != TMK_MATCH_NO) {
            return true;
        }
    }
    w->sums[TMK_FIND_ENTRIES]++;
    w->sums[TMK_FIND_FILES]++;
    return false;
}

static void give(struct tmk_find_walk *w, const char *entries, size_t bytes)
{
    struct tmk_find_head head = {
        .start = w->start,
        .depth = w->depth,
        .owner = TMK_FIND_NOBODY,
        .kind = TMK_FIND_PART,
    };
    /* Without the slash that was put before names. */
    size_t end = w->prefix > strlen(w->match->starts[w->start]) ? w->prefix - 1
                                                                : w->prefix;
    char keep = w->path[end];
    int err;

    if (w->match->contents_first) {
        head.owner = w->job->rank;
        head.above = w->record;
    }
    w->path[end] = '\0';
    err = tmk_find_items_push(w, &head, w->path, entries, bytes);
    w->path[end] = keep;
    if (err != 0) {
        tmk_find_failed(w, err, w->path);
    } else if (head.owner != TMK_FIND_NOBODY) {
        tmk_find_items_more(w, w->record);
    }
}

/* Whether so many bytes of entries are more work than a message is. */
static bool is_worth(const struct tmk_find_walk *w, size_t left)
{
    const size_t entry_bytes = 40; /* about */
    const uint64_t least_ns = 50000;
    uint64_t seen = w->sums[TMK_FIND_ENTRIES] - w->entries_before + 1;
    uint64_t spent = tmk_clock_ns() - w->began_ns;

    return left > 2 * entry_bytes &&
           spent / seen * (left / entry_bytes) >= least_ns;
}

/* The second half of what is left in the buffer, without what is of no
 * interest, for another rank. */
static void split(void *user, struct tmk_queue *queue)
{
    struct tmk_find_walk *w = user;
    struct tmk_dents *d = &w->dents;
    size_t left = d->to - d->from;
    size_t middle = d->from;
    size_t end = d->to;
    struct tmk_dent dent;
    char part[PART_MOST];
    size_t bytes = 0;

    (void)queue;
    if (w->expired || !is_worth(w, left)) {
        return;
    }
    while (middle < d->from + left / 2) {
        middle += ((struct tmk_dents_record *)(void *)(d->buf + middle))->bytes;
    }
    left = d->from;
    d->from = middle;
    while (tmk_dents_next(d, &dent)) {
        const char *record =
            dent.name - offsetof(struct tmk_dents_record, name);
        size_t n =
            ((const struct tmk_dents_record *)(const void *)record)->bytes;

        if (!is_work(w, &dent)) {
            continue;
        }
        if (bytes + n > sizeof(part)) {
            give(w, part, bytes);
            bytes = 0;
        }
        memcpy(part + bytes, record, n);
        bytes += n;
    }
    if (bytes != 0) {
        give(w, part, bytes);
    }
    d->from = left;
    d->to = middle;
    assert(middle <= end);
}

static void told(void *user, struct tmk_queue *queue, const void *bytes,
                 size_t n)
{
    struct tmk_find_walk *w = user;
    uint64_t record;

    (void)queue;
    if (tmk_find_output_told(w->output, bytes, n, &record)) {
        tmk_find_items_done(w, record);
    }
}

/*
 * Directories.
 */

/* The path of the directory at hand, and a slash before names. */
static int set_path(struct tmk_find_walk *w, const char *path)
{
    size_t length = strlen(path);

    if (length + 258 > w->path_size) {
        char *more = realloc(w->path, length + 4096);

        if (more == NULL) {
            return -ENOMEM;
        }
        w->path = more;
        w->path_size = length + 4096;
    }
    memcpy(w->path, path, length + 1);
    w->prefix = length;
    if (length != 0 && path[length - 1] != '/') {
        w->path[w->prefix++] = '/';
        w->path[w->prefix] = '\0';
    }
    return 0;
}

/* An open directory by its path as printed, or -errno. */
static int open_dir(struct tmk_find_walk *w, uint32_t start, const char *path)
{
    const char *below = path + strlen(w->match->starts[start]);

    return tmk_below_open(&w->dirs, start, below + strspn(below, "/"));
}

/* Whether a directory may be read: not on another device where that is asked
 * for.  0, 1 or -errno. */
static int may_read(struct tmk_find_walk *w, int fd)
{
    uint64_t *home = &w->devices[w->start];
    struct stat st;

    if (!w->match->one_device) {
        return 1;
    }
    if (fstat(fd, &st) != 0) {
        return -errno;
    }
    if (*home == 0) {
        *home = tmk_find_device(w->dirs.roots[w->start].fd);
    }
    if (*home != st.st_dev) {
        return 0;
    }
    return 1;
}

/* With -L, the chain with the directory at hand.  NULL: no memory. */
static uint64_t *longer_chain(struct tmk_find_walk *w, int fd)
{
    uint64_t *chain = malloc((w->n_chain + 2) * sizeof(*chain));
    struct stat st = {.st_dev = 0};

    if (chain != NULL) {
        (void)fstat(fd, &st);
        if (w->n_chain != 0) {
            memcpy(chain, w->chain, w->n_chain * sizeof(*chain));
        }
        chain[w->n_chain] = st.st_dev;
        chain[w->n_chain + 1] = st.st_ino;
        w->chain = chain;
        w->n_chain += 2;
    }
    return chain;
}

static int fill(struct tmk_find_walk *w)
{
    uint64_t start_ns;
    int more;

    if (w->read_ns == NULL) {
        return tmk_dents_fill(&w->dents);
    }
    start_ns = tmk_clock_ns();
    more = tmk_dents_fill(&w->dents);
    tmk_hist_record(w->read_ns, tmk_clock_ns() - start_ns);
    return more;
}

/* Read the directory at hand.  0 or -errno. */
static int read_dir(struct tmk_find_walk *w)
{
    uint64_t *chain = NULL;
    int more = may_read(w, w->fd);

    if (more <= 0) {
        return more;
    }
    if (w->match->follow == TMK_MATCH_FOLLOW_ALL) {
        chain = longer_chain(w, w->fd);
        if (chain == NULL) {
            return -ENOMEM;
        }
    }
    more = tmk_dents_begin(&w->dents, w->fd);
    if (more == 0) {
        w->sums[TMK_FIND_DIRS]++;
        do {
            more = fill(w);
        } while (more > 0 && tmk_find_see_buffer(w));
        tmk_find_see_finish(w);
    }
    w->n_chain = 0;
    free(chain);
    w->dents.to = 0;
    w->dents.from = 0;
    return more < 0 ? more : 0;
}

/* Entries that another rank has read. */
static int read_part(struct tmk_find_walk *w, const char *entries, size_t bytes)
{
    memcpy(w->dents.buf, entries, bytes);
    w->dents.from = 0;
    w->dents.to = bytes;
    (void)tmk_find_see_buffer(w);
    tmk_find_see_finish(w);
    w->dents.to = 0;
    w->dents.from = 0;
    return 0;
}

static void do_dir(struct tmk_find_walk *w, const struct tmk_find_head *head,
                   const char *path, const char *entries, size_t bytes)
{
    const bool first = w->match->contents_first;
    int err = 0;

    if (first && !tmk_find_items_begin(w, head, path, &w->record)) {
        tmk_find_failed(w, -ENOMEM, path);
        tmk_find_items_report(w, head);
        return;
    }
    w->entries_before = w->sums[TMK_FIND_ENTRIES];
    w->fd = open_dir(w, head->start, path);
    if (w->fd < 0) {
        err = w->fd;
    } else {
        err = set_path(w, path);
    }
    if (err == 0) {
        err = head->kind == TMK_FIND_PART ? read_part(w, entries, bytes)
                                          : read_dir(w);
    }
    if (err != 0 && !(err == -ENOENT && w->match->ignore_race)) {
        tmk_find_failed(w, err, path);
    }
    if (first) {
        tmk_find_items_done(w, w->record);
    }
}

/* A start point, or with -depth at last the directory that it is. */
static void do_start(struct tmk_find_walk *w, const struct tmk_find_head *head)
{
    const char *start = w->match->starts[head->start];
    struct tmk_match_entry e = {
        .path = start,
        .path_length = strlen(start),
        .start_length = strlen(start),
    };
    const char *base = tmk_match_base(start, &e.name_length);
    char *name = strndup(base, e.name_length);
    int err;

    if (name == NULL) {
        tmk_find_failed(w, -ENOMEM, start);
        return;
    }
    e.name = name;
    w->fd = AT_FDCWD;
    w->n_chain = 0;
    err = tmk_find_stat(w, &e,
                        TMK_MATCH_TYPE | TMK_MATCH_INO |
                            (w->match->needs & TMK_MATCH_STATX));
    if (err != 0) {
        tmk_find_failed(w, err, start);
    } else if (head->kind == TMK_FIND_LAST) {
        if (w->match->depth_least == 0) {
            (void)tmk_find_see_last(w, &e);
        }
        if (w->remove_dirs) {
            tmk_find_act_rmdir(w, &e);
        }
    } else {
        tmk_find_see(w, &e);
    }
    free(name);
}

/* A directory whose contents are done. */
static void do_last(struct tmk_find_walk *w, const struct tmk_find_head *head,
                    char *path)
{
    const char *start = w->match->starts[head->start];
    char *slash = strrchr(path, '/');
    struct tmk_match_entry e = {
        .path_length = strlen(path),
        .start_length = strlen(start),
        .depth = head->depth,
        .type = TMK_MATCH_DIR,
    };

    assert(slash != NULL);
    if (head->depth >= w->match->depth_least) {
        tmk_below_close(&w->dirs, head->start,
                        path + e.start_length +
                            strspn(path + e.start_length, "/"));
        *slash = '\0';
        w->fd =
            open_dir(w, head->start,
                     (size_t)(slash - path) < e.start_length ? start : path);
        *slash = '/';
        if (w->fd < 0) {
            tmk_find_failed(w, w->fd, path);
        } else {
            e.name = slash + 1;
            e.name_length = strlen(e.name);
            e.path = path;
            (void)tmk_find_see_last(w, &e);
            if (w->remove_dirs) {
                tmk_find_act_rmdir(w, &e);
            }
        }
    }
    tmk_find_items_report(w, head);
}

static void do_item(void *user, struct tmk_queue *queue, const void *bytes,
                    size_t n)
{
    struct tmk_find_walk *w = user;
    struct tmk_find_head head;
    const char *at = bytes;
    uint64_t *chain = NULL;
    char *path;

    (void)queue;
    w->began_ns = tmk_clock_ns();
    memcpy(&head, at, sizeof(head));
    at += sizeof(head);
    w->start = head.start;
    w->depth = head.depth;
    w->n_chain = head.n_chain;
    if (head.n_chain != 0) {
        chain = malloc(head.n_chain * sizeof(*chain));
        if (chain == NULL) {
            w->n_chain = 0;
        } else {
            memcpy(chain, at, head.n_chain * sizeof(*chain));
        }
        at += head.n_chain * sizeof(*chain);
    }
    w->chain = chain;
    path = strdup(at);
    at += head.path_bytes;
    if (path == NULL) {
        tmk_find_failed(w, -ENOMEM, "");
        tmk_find_items_report(w, &head);
    } else if (head.kind == TMK_FIND_START ||
               (head.kind == TMK_FIND_LAST && head.depth == 0)) {
        do_start(w, &head);
    } else if (head.kind == TMK_FIND_LAST) {
        do_last(w, &head, path);
    } else {
        do_dir(w, &head, path, at, n - (size_t)(at - (const char *)bytes));
    }
    free(path);
    free(chain);
    w->busy_ns += tmk_clock_ns() - w->began_ns;
    (void)tmk_find_see_breathe(w);
}

/*
 * The whole.
 */

void tmk_find_walk_look(struct tmk_find_walk *w)
{
    uint64_t now_ns;

    if (w->progress == NULL && w->sample.next_ns == UINT64_MAX) {
        return;
    }
    now_ns = tmk_clock_ns();
    tmk_sample_advance(&w->sample, now_ns, w->sums[TMK_FIND_ENTRIES]);
    if (w->progress != NULL) {
        (void)tmk_progress_look(w->progress, now_ns, w->sums[TMK_FIND_ENTRIES],
                                w->sums[TMK_FIND_FAILED]);
    }
}

/* The end comes after some turns of this: then sums are those of all. */
static void idle(void *user)
{
    struct tmk_find_walk *w = user;

    memcpy(w->own, w->sums, sizeof(w->own));
    tmk_find_walk_look(w);
}

static const struct tmk_queue_ops ops = {
    .work = do_item,
    .split = split,
    .told = told,
    .idle = idle,
};

int tmk_find_walk_init_all(struct tmk_find_walk *w)
{
    const struct tmk_match *match = w->match;
    const struct tmk_below_how how = {
        .other_mounts = true,
        .links = match->follow == TMK_MATCH_FOLLOW_ALL,
        .strict_roots = match->follow == TMK_MATCH_FOLLOW_NONE,
    };
    int err =
        tmk_below_init_lazy(&w->dirs, match->starts, match->n_starts, &how);

    if (w->deadline_ns == 0) {
        w->deadline_ns = UINT64_MAX;
    }
    if (err == 0) {
        err = tmk_dents_init(&w->dents, BUFFER_SIZE);
    }
    if (err == 0) {
        err = tmk_find_see_init(w);
    }
    w->devices = calloc(match->n_starts, sizeof(*w->devices));
    w->item = malloc(TMK_QUEUE_ITEM_MAX);
    w->path_size = 4096;
    w->path = malloc(w->path_size);
    if (err == 0 &&
        (w->devices == NULL || w->item == NULL || w->path == NULL)) {
        err = -ENOMEM;
    }
    err = tmk_job_agree_all(w->job, err);
    if (err == 0) {
        w->queue = tmk_queue_new_all(w->job, &ops, w);
        err = w->queue != NULL ? 0 : -ENOMEM;
    }
    return err;
}

void tmk_find_walk_fini_all(struct tmk_find_walk *w)
{
    tmk_queue_free_all(w->queue);
    w->queue = NULL;
    tmk_find_items_fini(w);
    free(w->devices);
    tmk_find_see_fini(w);
    free(w->item);
    free(w->path);
    tmk_dents_fini(&w->dents);
    tmk_below_fini(&w->dirs);
}

bool tmk_find_walk_run_all(struct tmk_find_walk *w)
{
    const size_t size = (size_t)w->job->size;
    struct tmk_queue_end end;

    /* The newest item is the first that is done. */
    for (size_t i = w->match->n_starts; i-- > 0;) {
        struct tmk_find_head head = {.start = (uint32_t)i,
                                     .owner = TMK_FIND_NOBODY,
                                     .kind = TMK_FIND_START};

        if (i % size == (size_t)w->job->rank) {
            int err = tmk_find_items_push(w, &head, "", NULL, 0);

            if (err != 0) {
                tmk_find_failed(w, err, w->match->starts[i]);
            }
        }
    }
    tmk_queue_run_all(w->queue, w->sums, TMK_FIND_SUMS, &end);
    if (w->job->size == 1) {
        memcpy(w->own, w->sums, sizeof(w->own));
    }
    if (end.lost != 0) {
        w->sums[TMK_FIND_FAILED] += end.lost;
        w->sums[TMK_FIND_ERRNO + ENOMEM] += end.lost;
    }
    return end.stopped;
}
