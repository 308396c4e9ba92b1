#ifndef TMK_BENCH_FIND_WALK_H
#define TMK_BENCH_FIND_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/errnum.h"
#include "base/hist.h"
#include "base/match.h"
#include "base/sample.h"
#include "bench/find_names.h"
#include "engine/below.h"
#include "engine/dents.h"
#include "run/job.h"
#include "run/progress.h"
#include "run/queue.h"

/*
 * Walking trees with all ranks.  A directory is read by one rank, which looks
 * at its entries where the kernel put them, and gives names away only if
 * another rank has nothing to do.
 */

/* What is counted; sums over ranks in the end. */
enum {
    TMK_FIND_ENTRIES, /* all that were looked at, start points included */
    TMK_FIND_FILES,   /* of these: no directories */
    TMK_FIND_DIRS,    /* directories that were read */
    TMK_FIND_STATS,   /* calls of statx */
    TMK_FIND_MATCHES, /* entries of which the expression is true */
    TMK_FIND_UNKNOWN, /* entries whose type the directory did not tell */
    TMK_FIND_FAILED,  /* errors met on the way */
    TMK_FIND_ERRNO,   /* the same by errno */
    TMK_FIND_SUMS = TMK_FIND_ERRNO + TMK_ERRNUM_SLOTS
};

struct tmk_find_output;
struct tmk_find_batch;
struct tmk_find_deferred;
struct tmk_statx_ring;

/* One rank's part.  The fields are those of find_walk and find_entry. */
struct tmk_find_walk {
    struct tmk_job *job;
    const struct tmk_match *match;
    const struct tmk_match_calls *calls;
    struct tmk_find_output *output; /* borrowed */
    bool lazy_stat;                 /* attributes may be old ones */
    bool silent;                    /* records are not printed */
    bool remove_dirs; /* that are empty in the end; with contents_first */
    struct tmk_hist *read_ns, *stat_ns; /* borrowed; NULL = not measured */
    uint64_t sums[TMK_FIND_SUMS];
    uint64_t said; /* errors that this rank printed */
    struct tmk_queue *queue;
    struct tmk_below dirs;
    struct tmk_dents dents;
    uint64_t *devices;             /* owned; of each start point, for -xdev */
    uint64_t busy_ns;              /* in items */
    uint64_t own[TMK_FIND_SUMS];   /* what this rank alone did; after the run */
    unsigned units;                /* of work since the last poll */
    uint64_t tick_ns;              /* the coarse clock then */
    bool slow;                     /* that was long after the one before */
    uint64_t deadline_ns;          /* stop then; UINT64_MAX = never */
    bool expired;                  /* -quit, or a signal */
    struct tmk_progress *progress; /* borrowed; NULL = none */
    struct tmk_sample sample;      /* of entries; begun by the caller */
    /* the directory at hand */
    int fd;     /* AT_FDCWD: of start points */
    char *path; /* owned; its path and a slash, then an entry's name */
    size_t path_size;
    size_t prefix; /* bytes of the path before the name */
    uint32_t start, depth;
    uint64_t began_ns, entries_before; /* of it */
    size_t record;                     /* of it, with -depth */
    const uint64_t *chain; /* device and inode of those above, with -L */
    size_t n_chain;
    struct tmk_find_record *records; /* owned */
    size_t n_records, n_free, first_free;
    char *item; /* owned; to put one together */
    /* stats under way */
    struct tmk_statx_ring *ring; /* borrowed; NULL = one by one */
    unsigned uring_depth;
    struct tmk_find_deferred *deferred; /* owned; uring_depth of them */
    struct tmk_find_deferred *idle;     /* those that wait for nothing */
    /* what was looked up before */
    struct tmk_find_names *users, *groups; /* owned */
    char fstype[64];                       /* of fstype_dev; "" = not known */
    uint64_t fstype_dev;
    char target[4096 + 1]; /* of a symbolic link */
    /* commands that wait for more paths */
    struct tmk_find_batch *batches; /* owned; one for each action */
    bool command_failed;            /* one of these, with a status */
};

/*
 * Over the ranks of walk->job; the caller has set job, match, calls, output
 * and what is to be measured, and zeroed the rest.  0 or -ENOMEM, the same on
 * all ranks.  Collective.
 */
int tmk_find_walk_init_all(struct tmk_find_walk *walk);

/* Also after a failed init.  Collective. */
void tmk_find_walk_fini_all(struct tmk_find_walk *walk);

/*
 * Walk from all start points; walk->sums are those of all ranks then.  Returns
 * whether it was stopped, alike on all ranks: by -quit, the deadline, or a
 * signal.  Collective.
 */
bool tmk_find_walk_run_all(struct tmk_find_walk *walk);

/* An error met on the way: counted, and said as long as there are few. */
void tmk_find_failed(struct tmk_find_walk *walk, int err, const char *path);

/* What others may want to know now: progress, entries over time. */
void tmk_find_walk_look(struct tmk_find_walk *walk);

/* The path of an entry of the directory at hand; valid until the next call. */
const char *tmk_find_path(struct tmk_find_walk *walk,
                          struct tmk_match_entry *entry);

/* find_entry: statx of an entry for the fields in `mask`.  0 or -errno. */
int tmk_find_stat(struct tmk_find_walk *walk, struct tmk_match_entry *entry,
                  uint32_t mask);

/* The same in two steps: ask for an entry's statx by `user`, and take what came
 * of it.  The first needs room in the ring; the second may ask again where a
 * link is followed that leads nowhere. */
void tmk_find_stat_begin(struct tmk_find_walk *walk,
                         const struct tmk_match_entry *entry, uint32_t mask,
                         void *user);
int tmk_find_stat_end(struct tmk_find_walk *walk, struct tmk_match_entry *entry,
                      uint32_t mask, int err, const struct statx *st);

/* Device of an open directory; 0 if that cannot be told. */
uint64_t tmk_find_device(int fd);

/* enum tmk_match_type of a DT_ number. */
static inline uint8_t tmk_find_type(unsigned char dt)
{
    switch (dt) {
    case DT_FIFO: return TMK_MATCH_FIFO;
    case DT_CHR: return TMK_MATCH_CHAR;
    case DT_DIR: return TMK_MATCH_DIR;
    case DT_BLK: return TMK_MATCH_BLOCK;
    case DT_REG: return TMK_MATCH_FILE;
    case DT_LNK: return TMK_MATCH_LINK;
    case DT_SOCK: return TMK_MATCH_SOCKET;
    default: return TMK_MATCH_UNKNOWN;
    }
}

#endif
