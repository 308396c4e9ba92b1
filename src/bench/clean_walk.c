/*
 * clean_walk: removing trees with all ranks.
 *
 *     TREE   list a directory: files go at once, directories become items;
 *            a record counts what is under way
 *     PART   names of a directory that another rank is listing
 *     LAST   a directory whose record came to nothing: rmdir, and tell the
 *            record of the one above, on whatever rank it is
 *     UNIQUE a directory that may be of ior -u: as a whole, or not at all
 */
#include "bench/clean_walk.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/names.h"
#include "bench/clean_ior.h"
#include "bench/clean_unique.h"
#include "run/clock.h"

enum kind { TREE, PART, LAST, UNIQUE };

/* What is to be done with a name; goes before it in a list. */
enum { FILE_NAME = 'f', DIR_NAME = 'd', IOR_NAME = 'i' };

enum {
    NAMES_SIZE = 32768, /* of a list of names */
    NOBODY = -1,
    TRIES = 8,           /* of listing a directory that does not get empty */
    PAUSE_NS = 50000000, /* before the second and later ones */
    SPLIT_NS = 100000,   /* less work than this is not worth a message */
};

/* The beginning of an item; path and names follow, each with its NUL. */
struct head {
    uint32_t root;
    int32_t owner; /* rank with the record above; NOBODY */
    uint64_t above;
    uint32_t path_bytes;
    uint8_t kind;
    uint8_t tries;
};

/* Of a directory or a part of one, while anything of it is under way. */
struct record {
    struct head head;
    char *path;       /* owned; NULL: not in use */
    uint64_t pending; /* things under way; if not in use, the next such */
    bool left;        /* something stays, so that rmdir cannot go well */
    bool hidden;      /* it held .nfs*, which goes when its user does */
};

/* "Something of your record is done." */
struct note {
    uint64_t record;
    uint64_t left;
};

struct tmk_clean_walk {
    struct tmk_below *dirs;
    struct tmk_clean_tally *tally;
    struct tmk_queue *queue;
    int rank;
    bool dry;
    struct record *records; /* owned */
    size_t n_records, n_free;
    size_t first_free;
    char *item; /* owned; to put one together */
    /* names at hand */
    char *names; /* owned */
    size_t from, to;
    size_t n_names;          /* from ... to */
    size_t record;           /* of theirs */
    uint64_t began_ns, done; /* of the item at hand: when, calls so far */
};

/*
 * Records.
 */

static bool record_new(struct tmk_clean_walk *walk, const struct head *head,
                       const char *path, size_t *which)
{
    char *copy = strdup(path);

    if (copy == NULL) {
        return false;
    }
    if (walk->n_free == 0) {
        size_t n = walk->n_records != 0 ? 2 * walk->n_records : 64;
        struct record *more = realloc(walk->records, n * sizeof(*more));

        if (more == NULL) {
            free(copy);
            return false;
        }
        for (size_t i = walk->n_records; i < n; i++) {
            more[i] = (struct record){.pending = walk->first_free};
            walk->first_free = i;
        }
        walk->n_free = n - walk->n_records;
        walk->records = more;
        walk->n_records = n;
    }
    *which = walk->first_free;
    walk->first_free = walk->records[*which].pending;
    walk->n_free--;
    walk->records[*which] =
        (struct record){.head = *head, .path = copy, .pending = 1};
    return true;
}

static void record_free(struct tmk_clean_walk *walk, size_t which)
{
    free(walk->records[which].path);
    walk->records[which] = (struct record){.pending = walk->first_free};
    walk->first_free = which;
    walk->n_free++;
}

static const char *root_of(const struct tmk_clean_walk *walk,
                           const struct head *head)
{
    return walk->dirs->roots[head->root].path;
}

static void fail(struct tmk_clean_walk *walk, int err, const struct head *head,
                 const char *path, const char *name)
{
    tmk_clean_tally_failed(walk->tally, err, root_of(walk, head), path, name);
}

/* An item of head, path "<dir>/<name>" and names; 0 or -errno. */
static int push(struct tmk_clean_walk *walk, struct head *head, const char *dir,
                const char *name, const char *names, size_t bytes)
{
    size_t dir_length = strlen(dir);
    size_t name_length = strlen(name);
    bool slash = dir_length != 0 && name_length != 0;
    char *at = walk->item + sizeof(*head);

    head->path_bytes = (uint32_t)(dir_length + slash + name_length + 1);
    if (head->path_bytes > TMK_CLEAN_PATH_SIZE) {
        return -ENAMETOOLONG;
    }
    memcpy(walk->item, head, sizeof(*head));
    (void)snprintf(at, head->path_bytes, "%s%s%s", dir, slash ? "/" : "", name);
    at += head->path_bytes;
    if (bytes != 0) {
        memcpy(at, names, bytes);
    }
    return tmk_queue_push(walk->queue, walk->item,
                          sizeof(*head) + head->path_bytes + bytes);
}

static void done_one(struct tmk_clean_walk *walk, size_t which, bool left);

/* Something of a record that may be another rank's is done. */
static void report(struct tmk_clean_walk *walk, const struct head *head,
                   bool left)
{
    const struct note note = {head->above, left};

    if (head->owner == walk->rank) {
        done_one(walk, head->above, left);
    } else if (head->owner != NOBODY) {
        int err = tmk_queue_tell(walk->queue, head->owner, &note, sizeof(note));

        if (err != 0) { /* the directory above stays */
            fail(walk, err, head, "", "");
        }
    }
}

/* A directory all of whose entries are done: it goes, or is listed again. */
static void finish_tree(struct tmk_clean_walk *walk, size_t which)
{
    struct record *record = &walk->records[which];
    struct head head = record->head;
    int err = 0;

    if (record->hidden && !walk->dry) {
        head.tries++;
        if (head.tries < TRIES && !record->left) {
            err = push(walk, &head, record->path, "", NULL, 0);
        } else {
            tmk_clean_tally_foreign(walk->tally, root_of(walk, &head),
                                    record->path, ".nfs*");
            record->left = true;
        }
    }
    if (!record->left && (!record->hidden || walk->dry)) {
        head.kind = LAST;
        err = push(walk, &head, record->path, "", NULL, 0);
    }
    if (err != 0) {
        fail(walk, err, &head, record->path, "");
        record->left = true;
    }
    if (record->left) {
        record_free(walk, which);
        report(walk, &head, true);
    } else {
        record_free(walk, which);
    }
}

static void done_one(struct tmk_clean_walk *walk, size_t which, bool left)
{
    struct record *record = &walk->records[which];

    assert(which < walk->n_records && record->path != NULL &&
           record->pending > 0);
    record->left |= left;
    if (--record->pending != 0) {
        return;
    }
    if (record->head.kind == PART) {
        struct head head = record->head;

        left = record->left;
        record_free(walk, which);
        report(walk, &head, left);
    } else {
        finish_tree(walk, which);
    }
}

static void told(void *user, struct tmk_queue *queue, const void *bytes,
                 size_t n)
{
    struct tmk_clean_walk *walk = user;
    struct note note;

    (void)queue;
    assert(n == sizeof(note));
    memcpy(&note, bytes, sizeof(note));
    done_one(walk, note.record, note.left != 0);
}

/*
 * Names.
 */

/* A directory in the one of a record becomes an item. */
static void push_tree(struct tmk_clean_walk *walk, size_t which,
                      const char *name)
{
    struct record *record = &walk->records[which];
    struct head head = {
        .root = record->head.root,
        .owner = walk->rank,
        .above = which,
        .kind = TREE,
    };
    int err = push(walk, &head, record->path, name, NULL, 0);

    if (err != 0) {
        fail(walk, err, &head, record->path, name);
        record->left = true;
    } else {
        record->pending++;
    }
}

/* Remove a name that lies in an open directory, that of the record at hand. */
static int remove_name(struct tmk_clean_walk *walk, int dir, char what,
                       const char *name)
{
    if (what == IOR_NAME) {
        const struct record *record = &walk->records[walk->record];
        int ours = tmk_clean_ior_file(dir, name);

        if (ours == 0) {
            tmk_clean_tally_other(walk->tally, root_of(walk, &record->head),
                                  record->path, name);
        }
        if (ours <= 0) {
            return ours;
        }
    }
    if (!walk->dry &&
        unlinkat(dir, name, what == DIR_NAME ? AT_REMOVEDIR : 0) != 0) {
        return -errno;
    }
    walk->tally->sums[what == DIR_NAME ? TMK_CLEAN_DIRS : TMK_CLEAN_FILES]++;
    return 0;
}

/* Remove the names at hand, which lie in an open directory.  False if the
 * queue was stopped. */
static bool remove_names(struct tmk_clean_walk *walk, int dir)
{
    while (walk->from < walk->to) {
        struct record *record = &walk->records[walk->record];
        char what = walk->names[walk->from];
        const char *name = walk->names + walk->from + 1;
        int err = remove_name(walk, dir, what, name);

        walk->from += strlen(name) + 2;
        walk->n_names--;
        walk->done++;
        if (what == DIR_NAME && (err == -ENOTEMPTY || err == -EEXIST)) {
            push_tree(walk, walk->record, name);
        } else if (err != 0 && err != -ENOENT) {
            fail(walk, err, &record->head, record->path, name);
            record->left = true;
        }
        if (!tmk_queue_poll(walk->queue)) {
            return false;
        }
    }
    walk->from = 0;
    walk->to = 0;
    return true;
}

/* The second half of the names at hand, for another rank. */
static void split(void *user, struct tmk_queue *queue)
{
    struct tmk_clean_walk *walk = user;
    const struct record *record;
    struct head head;
    uint64_t spent = tmk_clock_ns() - walk->began_ns;
    size_t keep = walk->n_names / 2;
    size_t middle = walk->from;

    (void)queue;
    if (walk->n_names < 2 ||
        spent / (walk->done + 1) * walk->n_names < SPLIT_NS) {
        return;
    }
    for (size_t i = 0; i < keep; i++) {
        middle += strlen(walk->names + middle) + 1;
    }
    record = &walk->records[walk->record];
    head = (struct head){
        .root = record->head.root,
        .owner = walk->rank,
        .above = walk->record,
        .kind = PART,
    };
    if (push(walk, &head, record->path, "", walk->names + middle,
             walk->to - middle) == 0) {
        walk->records[walk->record].pending++;
        walk->to = middle;
        walk->n_names = keep;
    }
}

/*
 * Listing.
 */

static unsigned char type_of(int dir, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN) {
        return entry->d_type;
    }
    if (fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        return DT_UNKNOWN;
    }
    return S_ISREG(st.st_mode) ? DT_REG : S_ISDIR(st.st_mode) ? DT_DIR : DT_LNK;
}

/* What is to be done with an entry: a name's first byte, TREE, or -1 if it is
 * none of ours. */
static int judge(const struct tmk_clean_walk *walk, int dir,
                 const struct dirent *entry)
{
    enum tmk_names_kind kind;
    unsigned char type;

    if (!tmk_names_match(entry->d_name, &kind, NULL, NULL)) {
        return -1;
    }
    type = type_of(dir, entry);
    switch (kind) {
    case TMK_NAMES_TREE:
    case TMK_NAMES_TREE_UNIQUE: return type == DT_DIR ? TREE : -1;
    case TMK_NAMES_DIR:
    case TMK_NAMES_DIR_MOVED:
        return type != DT_DIR ? -1 : walk->dry ? TREE : DIR_NAME;
    case TMK_NAMES_FILE:
    case TMK_NAMES_FILE_SHARED:
    case TMK_NAMES_MARKER:
    case TMK_NAMES_PROBE: return type == DT_REG ? FILE_NAME : -1;
    default: return -1;
    }
}

static void add_name(struct tmk_clean_walk *walk, char what, const char *name)
{
    size_t bytes = strlen(name) + 1;

    walk->names[walk->to] = what;
    memcpy(walk->names + walk->to + 1, name, bytes);
    walk->to += bytes + 1;
    walk->n_names++;
}

static void take_entry(struct tmk_clean_walk *walk, int dir,
                       const struct dirent *entry)
{
    struct record *record = &walk->records[walk->record];
    const char *name = entry->d_name;
    int what;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return;
    }
    if (strncmp(name, ".nfs", 4) == 0) {
        record->hidden = true;
        return;
    }
    what = judge(walk, dir, entry);
    if (what == TREE) {
        push_tree(walk, walk->record, name);
    } else if (what < 0) {
        tmk_clean_tally_foreign(walk->tally, root_of(walk, &record->head),
                                record->path, name);
        record->left = true;
    } else {
        add_name(walk, (char)what, name);
    }
}

/* Entries until the list is full.  1, 0 at the end, or -errno. */
static int fill_names(struct tmk_clean_walk *walk, DIR *stream)
{
    int dir = dirfd(stream);

    while (walk->to + sizeof(((struct dirent *)0)->d_name) + 1 < NAMES_SIZE) {
        const struct dirent *entry;

        errno = 0;
        entry = readdir(stream);
        if (entry == NULL) {
            return -errno;
        }
        take_entry(walk, dir, entry);
        if (!tmk_queue_poll(walk->queue)) {
            return 0;
        }
    }
    return 1;
}

/* Remove what the directory of the record at hand holds; 0 or -errno. */
static int empty(struct tmk_clean_walk *walk, int fd)
{
    DIR *stream = tmk_below_list(fd);
    int more = 1;

    if (stream == NULL) {
        return -errno;
    }
    while (more > 0) {
        more = fill_names(walk, stream);
        if (!remove_names(walk, dirfd(stream))) {
            more = 0;
        }
    }
    (void)closedir(stream);
    return more;
}

/* Entries that came after the listing, or that it missed, show then. */
static void pause_before(const struct tmk_clean_walk *walk, unsigned tries)
{
    uint64_t end = tmk_clock_ns() + (tries > 1 ? PAUSE_NS : 0);

    while (tmk_clock_ns() < end && tmk_queue_poll(walk->queue)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* What opening a directory says: something to count, or nothing. */
static bool judge_open(struct tmk_clean_walk *walk, int err,
                       const struct head *head, const char *path)
{
    if (err == -ENOENT) {
        return false; /* gone: somebody else's work */
    }
    if (err == -ELOOP || err == -ENOTDIR || err == -EXDEV) {
        tmk_clean_tally_foreign(walk->tally, root_of(walk, head), path, "");
    } else {
        fail(walk, err, head, path, "");
    }
    return true;
}

static void do_names(struct tmk_clean_walk *walk, const struct head *head,
                     const char *path, const char *names, size_t bytes)
{
    int fd;
    int err = 0;

    pause_before(walk, head->kind == TREE ? head->tries : 0);
    fd = tmk_below_open(walk->dirs, head->root, path);
    if (fd < 0) {
        report(walk, head, judge_open(walk, fd, head, path));
        return;
    }
    if (!record_new(walk, head, path, &walk->record)) {
        fail(walk, -ENOMEM, head, path, "");
        report(walk, head, true);
        return;
    }
    walk->from = 0;
    walk->to = bytes;
    walk->n_names = 0;
    if (head->kind == PART) {
        memcpy(walk->names, names, bytes);
        for (size_t at = 0; at < bytes; at++) {
            walk->n_names += names[at] == '\0';
        }
        (void)remove_names(walk, fd);
    } else {
        err = empty(walk, fd);
    }
    walk->n_names = 0;
    if (err != 0) {
        fail(walk, err, head, path, "");
    }
    done_one(walk, walk->record, err != 0);
}

/* The directory itself, empty by now. */
static void do_last(struct tmk_clean_walk *walk, struct head *head, char *path)
{
    char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    int err = 0;
    int dir;

    if (!walk->dry) {
        tmk_below_close(walk->dirs, head->root, path);
        if (slash != NULL) {
            *slash = '\0';
        }
        dir = tmk_below_open(walk->dirs, head->root, slash != NULL ? path : "");
        if (dir < 0) {
            err = dir;
        } else if (unlinkat(dir, name, AT_REMOVEDIR) != 0) {
            err = -errno;
        }
        if (slash != NULL) {
            *slash = '/';
        }
    }
    if ((err == -ENOTEMPTY || err == -EEXIST) && head->tries + 1 < TRIES) {
        head->kind = TREE;
        head->tries++;
        err = push(walk, head, path, "", NULL, 0);
        if (err == 0) {
            return;
        }
    }
    walk->tally->sums[TMK_CLEAN_DIRS] += err == 0;
    if (err != 0 && err != -ENOENT) {
        fail(walk, err, head, path, "");
    }
    report(walk, head, err != 0 && err != -ENOENT);
}

static bool poll(void *arg)
{
    struct tmk_clean_walk *walk = arg;

    return tmk_queue_poll(walk->queue);
}

static void do_unique(struct tmk_clean_walk *walk, const struct head *head,
                      const char *name)
{
    const struct tmk_clean_unique how = {
        .dirs = walk->dirs,
        .tally = walk->tally,
        .dry = walk->dry,
        .poll = poll,
        .arg = walk,
    };

    tmk_clean_unique(&how, head->root, name);
}

static void do_item(void *user, struct tmk_queue *queue, const void *bytes,
                    size_t n)
{
    struct tmk_clean_walk *walk = user;
    struct head head;
    char path[TMK_CLEAN_PATH_SIZE];
    const char *names = (const char *)bytes + sizeof(head);

    (void)queue;
    memcpy(&head, bytes, sizeof(head));
    memcpy(path, names, head.path_bytes);
    names += head.path_bytes;
    walk->began_ns = tmk_clock_ns();
    walk->done = 0;
    if (head.kind == LAST) {
        do_last(walk, &head, path);
    } else if (head.kind == UNIQUE) {
        do_unique(walk, &head, path);
    } else {
        do_names(walk, &head, path, names, n - sizeof(head) - head.path_bytes);
    }
}

/*
 * The whole.
 */

static const struct tmk_queue_ops ops = {
    .work = do_item,
    .split = split,
    .told = told,
};

struct tmk_clean_walk *tmk_clean_walk_new_all(const struct tmk_job *job,
                                              struct tmk_below *dirs,
                                              struct tmk_clean_tally *tally,
                                              bool dry)
{
    struct tmk_clean_walk *walk = calloc(1, sizeof(*walk));
    bool fine = false;

    if (walk != NULL) {
        *walk = (struct tmk_clean_walk){
            .dirs = dirs, .tally = tally, .rank = job->rank, .dry = dry};
        walk->item = malloc(TMK_QUEUE_ITEM_MAX);
        walk->names = malloc(NAMES_SIZE);
        fine = walk->item != NULL && walk->names != NULL;
    }
    if (tmk_job_agree_all(job, fine ? 0 : -ENOMEM) == 0 && walk != NULL) {
        walk->queue = tmk_queue_new_all(job, &ops, walk);
    }
    if (walk != NULL && walk->queue == NULL) {
        tmk_clean_walk_free_all(walk);
        walk = NULL;
    }
    return walk;
}

void tmk_clean_walk_free_all(struct tmk_clean_walk *walk)
{
    if (walk == NULL) {
        return;
    }
    tmk_queue_free_all(walk->queue);
    for (size_t i = 0; i < walk->n_records; i++) {
        free(walk->records[i].path);
    }
    free(walk->records);
    free(walk->item);
    free(walk->names);
    free(walk);
}

static void add_dir(struct tmk_clean_walk *walk, enum kind kind, size_t root,
                    const char *name)
{
    struct head head = {
        .root = (uint32_t)root, .owner = NOBODY, .kind = (uint8_t)kind};
    int err = push(walk, &head, "", name, NULL, 0);

    if (err != 0) {
        fail(walk, err, &head, "", name);
    }
}

void tmk_clean_walk_add_tree(struct tmk_clean_walk *walk, size_t root,
                             const char *name)
{
    add_dir(walk, TREE, root, name);
}

void tmk_clean_walk_add_unique(struct tmk_clean_walk *walk, size_t root,
                               const char *name)
{
    add_dir(walk, UNIQUE, root, name);
}

void tmk_clean_walk_add_file(struct tmk_clean_walk *walk, size_t root,
                             const char *name, bool of_ior)
{
    struct head head = {.root = (uint32_t)root, .owner = NOBODY, .kind = PART};
    int err;

    walk->to = 0;
    add_name(walk, of_ior ? IOR_NAME : FILE_NAME, name);
    err = push(walk, &head, "", "", walk->names, walk->to);
    walk->to = 0;
    walk->n_names = 0;
    if (err != 0) {
        fail(walk, err, &head, "", name);
    }
}

bool tmk_clean_walk_run_all(struct tmk_clean_walk *walk)
{
    struct tmk_queue_end end;

    tmk_queue_run_all(walk->queue, walk->tally->sums, TMK_CLEAN_SUMS, &end);
    if (end.lost != 0) {
        walk->tally->sums[TMK_CLEAN_FAILED] += end.lost;
        walk->tally->sums[TMK_CLEAN_ERRNO + ENOMEM] += end.lost;
    }
    return end.stopped;
}
