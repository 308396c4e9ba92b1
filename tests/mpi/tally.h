#ifndef TMK_TESTS_MPI_TALLY_H
#define TMK_TESTS_MPI_TALLY_H

#include "mpi/faulty.h"

#include "base/errnum.h"
#include "bench/mdtest_plan.h"

/*
 * What the calls that faulty.h keeps came to, phase by phase: which phase a
 * call belongs to follows from what it does to what kind of name, and where
 * that is not enough, from the barriers that were met before.
 */
enum { PHASES = TMK_MDTEST_PHASES, NOWHERE = PHASES };

/* What rank 0 was told, phase by phase. */
struct told {
    uint64_t done[PHASES], failed[PHASES], missed[PHASES];
    uint64_t failed_by[PHASES][TMK_ERRNUM_SLOTS];
    uint64_t latencies[PHASES];
    struct {
        int which, barriers; /* met when it was over */
    } ends[64];
    size_t n_ends;
    char root[2100]; /* -d */
    bool follows;    /* an earlier launch, which made -d */
    bool begun;
    int status;
    int lines;      /* of errors */
    bool mentioned; /* each failed and each not tried line is there */
};

static struct told told;

/* Before another launch with the same -d. */
static inline void tally_forget(void)
{
    struct told fresh = {.follows = told.follows};

    memcpy(fresh.root, told.root, sizeof(fresh.root));
    told = fresh;
}

/* What a rank's calls came to. */
struct tally {
    int64_t done[PHASES]; /* below 0: another rank's turned out to be none */
    uint64_t failed[PHASES];
    uint64_t failed_by[PHASES][TMK_ERRNUM_SLOTS];
    uint64_t second;  /* of -c: files opened again, */
    uint64_t spoiled; /* and of those the ones that failed */
    uint64_t full;    /* creations that failed for good */
    uint64_t no_dir;  /* test directories that could not be made */
    uint64_t no_tree;
    uint64_t stays; /* directories that could not be removed, or markers */
    uint64_t kept;  /* paths that are left and may be */
    uint64_t fds;   /* leaked */
};

enum kind { ELSEWHERE, TEST_DIR, TREE, DIRECTORY, MOVED, FILE_ITEM };

static inline bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static inline enum kind kind_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    size_t n = strlen(name);

    if (begins(name, "test-dir.")) {
        return TEST_DIR;
    }
    if (begins(name, "mdtest_tree.")) {
        return TREE;
    }
    if (begins(name, "dir.mdtest.")) {
        return n > 3 && strcmp(name + n - 3, "-XX") == 0 ? MOVED : DIRECTORY;
    }
    return begins(name, "file.mdtest.") ? FILE_ITEM : ELSEWHERE;
}

static inline bool tally_has_word(const char *options, const char *word)
{
    const char *at = strstr(options, word);

    while (at != NULL) {
        const char end = at[strlen(word)];

        if ((at == options || at[-1] == ' ') && (end == ' ' || end == '\0')) {
            return true;
        }
        at = strstr(at + 1, word);
    }
    return false;
}

/* The number behind " -w ". */
static inline uint64_t number_of(const char *options, const char *word)
{
    const char *at = strstr(options, word);

    return at != NULL ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static inline bool is_hopeless(int err)
{
    switch (-err) {
    case ENOSPC:
    case EDQUOT:
    case EROFS:
    case ESTALE:
    case ENOTCONN:
    case EIO: return true;
    default: return false;
    }
}

static inline void did(struct tally *t, int which, int64_t result)
{
    if (result >= 0) {
        t->done[which]++;
        return;
    }
    t->failed[which]++;
    t->failed_by[which][-result < TMK_ERRNUM_SLOTS ? -result : 0]++;
    if ((which == TMK_MDTEST_TREE_CREATE || which == TMK_MDTEST_DIR_CREATE ||
         which == TMK_MDTEST_FILE_CREATE) &&
        is_hopeless((int)result)) {
        t->full++;
    }
}

/* The phase that was running, by the barriers. */
static inline int phase_at(int barriers)
{
    for (size_t i = 0; i < told.n_ends; i++) {
        if (barriers < told.ends[i].barriers) {
            return told.ends[i].which;
        }
    }
    return NOWHERE;
}

/* What a file is open for. */
struct at_work {
    int which; /* NOWHERE: for the second step of -c */
    int64_t err;
    bool odd;
};

/* Another call on the file at work. */
static inline void go_on(struct at_work *work, const struct faulty_event *event)
{
    int64_t err = event->result < 0 ? event->result : 0;

    if (event->call == FAULTY_WRITE && err == 0 &&
        (uint64_t)event->result < event->bytes) {
        err = -ENOSPC;
    }
    if (event->call == FAULTY_READ && err == 0 &&
        (uint64_t)event->result < event->bytes) {
        err = -ENODATA;
    }
    work->odd = work->odd || event->odd;
    if (work->err == 0) {
        work->err = err;
    }
}

static inline void end_work(struct tally *t, const struct at_work *work,
                            const char *options)
{
    int64_t err = work->err;

    if (err == 0 && work->odd &&
        tally_has_word(options, work->which == TMK_MDTEST_FILE_READ
                                    ? "-X"
                                    : "--verify-write")) {
        err = -EBADMSG;
    }
    if (work->which != NOWHERE) {
        did(t, work->which, err);
        return;
    }
    t->second++;
    if (err != 0) {
        t->spoiled++;
        did(t, TMK_MDTEST_FILE_CREATE, err);
    }
}

/* A file has the size that was written. */
static inline int64_t sized(const struct faulty_event *event,
                            const char *options)
{
    uint64_t bytes = number_of(options, "-w ");

    if (event->result != 0 || tally_has_word(options, "DUMMY") ||
        tally_has_word(options, "--as=mdtest-4.1")) {
        return event->result;
    }
    if (event->odd) {
        return -EBADMSG;
    }
    if (bytes == 0 || event->bytes == bytes) {
        return 0;
    }
    return event->bytes < bytes ? -ENODATA : -EFBIG;
}

/* The iteration that a path belongs to: what is up to the '-' of its test
 * directory. */
static inline size_t iteration_of(const char *path)
{
    const char *dir = strstr(path, "/test-dir.");

    return dir != NULL
               ? (size_t)(dir - path) + strlen("/test-") + strcspn(dir + 6, "-")
               : 0;
}

/* Where this rank could not make all of a tree, or did not come to it, none of
 * it is missed. */
static inline bool tree_failed(const struct faulty_event *event)
{
    const char *path = faulty_path(event);
    bool made = false;

    for (const struct faulty_event *e = faulty.events; e < event; e++) {
        const char *other = faulty_path(e);

        if (e->call != FAULTY_MKDIR || kind_of(other) != TREE) {
            continue;
        }
        if (e->result == 0 || e->result == -EEXIST) {
            made = made || strcmp(other, path) == 0;
        } else if (strncmp(other, path, iteration_of(path)) == 0) {
            return true;
        }
    }
    return !made && told.missed[TMK_MDTEST_TREE_CREATE] != 0;
}

static inline void count_directory(struct tally *t,
                                   const struct faulty_event *event,
                                   const char *options, enum kind kind)
{
    const bool removes = !tally_has_word(options, "-C");

    switch (event->call) {
    case FAULTY_MKDIR:
        if (kind == TREE) {
            /* What is there already is as good as made. */
            did(t, TMK_MDTEST_TREE_CREATE,
                event->result == -EEXIST ? 0 : event->result);
        } else {
            did(t, TMK_MDTEST_DIR_CREATE, event->result);
        }
        t->no_tree += kind == TREE && event->result != 0;
        break;
    case FAULTY_STAT:
        if (kind == DIRECTORY) {
            did(t, TMK_MDTEST_DIR_STAT, event->result);
        }
        break;
    case FAULTY_RMDIR:
        if (removes && kind == DIRECTORY) {
            did(t, TMK_MDTEST_DIR_REMOVE, event->result);
        } else if (removes &&
                   (event->result != -ENOENT || !tree_failed(event))) {
            did(t, TMK_MDTEST_TREE_REMOVE, event->result);
        }
        break;
    default: break;
    }
}

static inline void count_file(struct tally *t, const struct faulty_event *event,
                              const char *options, struct at_work *work)
{
    switch (event->call) {
    case FAULTY_STAT:
        did(t, TMK_MDTEST_FILE_STAT, sized(event, options));
        return;
    case FAULTY_MKNOD: did(t, TMK_MDTEST_FILE_CREATE, event->result); return;
    case FAULTY_UNLINK:
        if (!tally_has_word(options, "-C")) {
            did(t, TMK_MDTEST_FILE_REMOVE, event->result);
        }
        return;
    case FAULTY_CREATE:
        *work = (struct at_work){.which = TMK_MDTEST_FILE_CREATE};
        break;
    case FAULTY_OPEN:
        *work = (struct at_work){.which = NOWHERE};
        if (event->access == TMK_ENGINE_READ ||
            tally_has_word(options, "--as=mdtest-4.1")) {
            work->which = TMK_MDTEST_FILE_READ;
        }
        break;
    default: break;
    }
    go_on(work, event);
    if (event->call == FAULTY_CLOSE ||
        ((event->call == FAULTY_CREATE || event->call == FAULTY_OPEN) &&
         event->result != 0)) {
        end_work(t, work, options);
    }
}

/*
 * The removal of what was not made is no operation: it comes after a phase, or
 * where there are no barriers, has a creation of this rank that failed.
 */
static inline bool is_stray(const struct faulty_event *event,
                            const char *options, int which)
{
    const char *path = faulty_path(event);

    if (event->call != FAULTY_RMDIR && event->call != FAULTY_UNLINK) {
        return false;
    }
    if (!tally_has_word(options, "-B")) {
        return which != (event->call == FAULTY_UNLINK ? TMK_MDTEST_FILE_REMOVE
                         : kind_of(path) == TREE      ? TMK_MDTEST_TREE_REMOVE
                                                      : TMK_MDTEST_DIR_REMOVE);
    }
    for (const struct faulty_event *e = faulty.events; e < event; e++) {
        if ((e->call == FAULTY_MKDIR || e->call == FAULTY_CREATE ||
             e->call == FAULTY_MKNOD) &&
            strcmp(faulty_path(e), path) == 0) {
            return e->result != 0 && kind_of(path) != TREE;
        }
    }
    return false;
}

/* A marker, a test directory or -d should have gone; the last may be of use to
 * others. */
static inline bool stays(const struct faulty_event *event, enum kind kind)
{
    const bool root = strcmp(faulty_path(event), told.root) == 0;

    return (event->call == FAULTY_RMDIR || event->call == FAULTY_UNLINK) &&
           (kind == TEST_DIR || kind == ELSEWHERE) && event->result != 0 &&
           event->result != -ENOENT &&
           !(root && (event->result == -ENOTEMPTY || event->result == -EEXIST));
}

/* What the calls of this rank came to. */
static inline void tally_count(struct tally *t, const char *options)
{
    struct at_work work = {.which = NOWHERE};

    for (size_t i = 0; i < faulty.n_events; i++) {
        const struct faulty_event *event = &faulty.events[i];
        enum kind kind = kind_of(faulty_path(event));
        int which = phase_at(event->barriers);

        t->stays += stays(event, kind);
        if (event->call == FAULTY_RENAME) {
            did(t, TMK_MDTEST_DIR_RENAME, event->result);
        } else if (event->call == FAULTY_OPENDIR) {
            if (event->result != 0 && which != NOWHERE) {
                did(t, which, event->result);
            }
        } else if (is_stray(event, options, which)) {
            continue;
        } else if (kind == TREE || kind == DIRECTORY) {
            count_directory(t, event, options, kind);
        } else if (kind == FILE_ITEM) {
            count_file(t, event, options, &work);
        } else if (kind == TEST_DIR && event->call == FAULTY_MKDIR) {
            t->no_dir += event->result != 0 && event->result != -EEXIST;
        }
    }
}

/* Whether `path` is `below` itself or a directory on the way to it. */
static inline bool leads_to(const char *path, const char *below)
{
    size_t n = strlen(path);

    return strncmp(below, path, n) == 0 &&
           (below[n] == '\0' || below[n] == '/');
}

/* Whether `path` is directly in `dir`. */
static inline bool is_in(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    return strncmp(path, dir, n) == 0 && path[n] == '/' &&
           strchr(path + n + 1, '/') == NULL;
}

/* This call of this rank explains why a path is left. */
static inline bool explains(const struct faulty_event *e, const char *path)
{
    const char *tried = faulty_path(e);
    int which;

    if (e->result == 0) {
        return false;
    }
    switch (e->call) {
    case FAULTY_RMDIR:
    case FAULTY_UNLINK: return e->result != -ENOTEMPTY && leads_to(path, tried);
    case FAULTY_OPENDIR:
        which = phase_at(e->barriers);
        return (which == TMK_MDTEST_DIR_REMOVE ||
                which == TMK_MDTEST_FILE_REMOVE) &&
               (leads_to(path, tried) || is_in(path, tried));
    default: return false;
    }
}

/* This rank could not remove it, or something in it. */
static inline bool tally_could_not_remove(const char *path)
{
    for (size_t i = 0; i < faulty.n_events; i++) {
        if (explains(&faulty.events[i], path)) {
            return true;
        }
    }
    return false;
}

/* For all that this rank knows, somebody else made -d. */
static inline bool tally_made_by_others(const char *path)
{
    for (size_t i = 0; i < faulty.n_events; i++) {
        const struct faulty_event *e = &faulty.events[i];

        if (e->call == FAULTY_MKDIR &&
            (e->result == -EEXIST || (faulty.lost && e->result != 0)) &&
            kind_of(path) == ELSEWHERE && strcmp(faulty_path(e), path) == 0) {
            return true;
        }
    }
    return told.follows && strcmp(path, told.root) == 0;
}

#endif
