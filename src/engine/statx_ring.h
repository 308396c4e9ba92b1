#ifndef TMK_ENGINE_STATX_RING_H
#define TMK_ENGINE_STATX_RING_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Many statx(2) at a time, through io_uring: worth it where each takes long,
 * because a server has to be asked.
 *
 *     while (tmk_statx_ring_room(ring) > 0) tmk_statx_ring_push(...)
 *     tmk_statx_ring_reap(ring, &result)
 */
struct tmk_statx_ring; /* opaque */

enum { TMK_STATX_RING_MOST = 1024 };

struct tmk_statx_result {
    void *user;             /* as it was pushed */
    int err;                /* 0 or -errno */
    const struct statx *st; /* until the next push */
};

/*
 * Room for `depth` calls at a time, 1 to TMK_STATX_RING_MOST.  NULL with *err =
 * -ENOTSUP if this program or kernel has none, or -errno.
 */
struct tmk_statx_ring *tmk_statx_ring_new(unsigned depth, int *err);

/* NULL is allowed; nothing may be under way. */
void tmk_statx_ring_free(struct tmk_statx_ring *ring);

/* How many more can be pushed, and how many are under way. */
unsigned tmk_statx_ring_room(const struct tmk_statx_ring *ring);
unsigned tmk_statx_ring_pending(const struct tmk_statx_ring *ring);

/* One more, if there is room; `name` stays the caller's until it is reaped. */
void tmk_statx_ring_push(struct tmk_statx_ring *ring, int dir, const char *name,
                         int flags, unsigned mask, void *user);

/* Wait for one that is under way.  0 or -errno: then the ring is of no use any
 * more. */
int tmk_statx_ring_reap(struct tmk_statx_ring *ring,
                        struct tmk_statx_result *result);

#endif
