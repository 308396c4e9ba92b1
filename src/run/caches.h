#ifndef TMK_RUN_CACHES_H
#define TMK_RUN_CACHES_H

#include <stdbool.h>

#include "run/job.h"
#include "run/result.h"

/*
 * What is done about caches before a phase, outside every clock: by one rank of
 * each node, in this order:
 *
 *     sync      syncfs(2) on the file system that is tested
 *     remount   a command of the user's
 *     drop      the kernel's page cache, directory entries and inodes, or a
 *               command of the user's
 */
struct tmk_caches_how {
    bool sync;
    const char *remount; /* NULL = no */
    const char *drop;    /* "" = the kernel's; NULL = no */
    const char *path;    /* on the file system; borrowed like the others */
};

/* Nothing at all is asked for. */
static inline bool tmk_caches_none(const struct tmk_caches_how *how)
{
    return !how->sync && how->remount == NULL && how->drop == NULL;
}

/*
 * Do it on every node and wait until all have.  *done says what succeeded on
 * all of them; what did not is warned of (CACHES_KEPT), and a remount that
 * failed is -EIO, because what follows may be on another file system.  The
 * same on every rank.  Collective over job.
 */
int tmk_caches_before_all(const struct tmk_caches_how *how, struct tmk_job *job,
                          struct tmk_result_caches *done);

#endif
