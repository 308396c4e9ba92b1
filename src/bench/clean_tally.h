#ifndef TMK_BENCH_CLEAN_TALLY_H
#define TMK_BENCH_CLEAN_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "run/job.h"

/*
 * What a rank removed and what it could not: counters that a queue adds up,
 * the first path of each errno, and some names of what is not ours.
 */
enum {
    TMK_CLEAN_FILES,   /* removed */
    TMK_CLEAN_DIRS,    /* removed */
    TMK_CLEAN_FOREIGN, /* not ours, and left where they are */
    TMK_CLEAN_OTHER,   /* called as ior's, not known to be: left */
    TMK_CLEAN_FAILED,  /* and of these by errno: */
    TMK_CLEAN_ERRNO,
    TMK_CLEAN_SUMS = TMK_CLEAN_ERRNO + TMK_ERRNUM_SLOTS
};

enum { TMK_CLEAN_SHOWN = 20, TMK_CLEAN_OTHERS = 4, TMK_CLEAN_FIRSTS = 8 };

struct tmk_clean_tally {
    uint64_t sums[TMK_CLEAN_SUMS];
    char *foreign[TMK_CLEAN_SHOWN]; /* owned */
    size_t n_foreign;
    char *others[TMK_CLEAN_OTHERS]; /* owned */
    size_t n_others;
    struct {
        int err;    /* positive errno */
        char *path; /* owned */
    } firsts[TMK_CLEAN_FIRSTS];
    size_t n_firsts;
};

void tmk_clean_tally_fini(struct tmk_clean_tally *tally);

/* Something of another's at "<root>/<dir>/<name>"; dir and name may be "". */
void tmk_clean_tally_foreign(struct tmk_clean_tally *tally, const char *root,
                             const char *dir, const char *name);

/* Something with a name of ior at such a path, that is not known to be ior's:
 * it stays, but that is no failure. */
void tmk_clean_tally_other(struct tmk_clean_tally *tally, const char *root,
                           const char *dir, const char *name);

/* A call failed with a negative errno. */
void tmk_clean_tally_failed(struct tmk_clean_tally *tally, int err,
                            const char *root, const char *dir,
                            const char *name);

/* A line about these, TMK_CLEAN_OTHERS of them by name, once the sums are those
 * of all ranks.  Collective over job. */
void tmk_clean_tally_say_others_all(struct tmk_clean_tally *tally,
                                    struct tmk_job *job);

/*
 * Say, once the sums are those of all ranks: one message per errno with its
 * first path and count; the names of what is not ours, TMK_CLEAN_SHOWN of them
 * and then a count.  Collective over job.
 */
void tmk_clean_tally_say_all(struct tmk_clean_tally *tally,
                             struct tmk_job *job);

#endif
