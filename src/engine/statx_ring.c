/*
 * statx_ring: statx(2) in batches, where the program was built with liburing.
 */
#include "engine/statx_ring.h"

#include <errno.h>

#ifdef TMK_WITH_URING

#    include <liburing.h>
#    include <stdbool.h>
#    include <stdlib.h>
#    include <string.h>

struct slot {
    struct statx st;
    void *user;
    struct slot *next; /* of those that are free */
};

struct tmk_statx_ring {
    struct io_uring uring;
    struct slot *slots; /* owned */
    struct slot *free;
    struct slot *last; /* reaped, free after the next call */
    unsigned depth, pending, unsent;
};

/* Whether the kernel has this call in a ring, which a policy may forbid. */
static bool has_statx(struct io_uring *uring)
{
    struct io_uring_probe *probe = io_uring_get_probe_ring(uring);
    bool has =
        probe != NULL && io_uring_opcode_supported(probe, IORING_OP_STATX) != 0;

    if (probe != NULL) {
        io_uring_free_probe(probe);
    }
    return has;
}

struct tmk_statx_ring *tmk_statx_ring_new(unsigned depth, int *err)
{
    struct tmk_statx_ring *ring = calloc(1, sizeof(*ring));
    unsigned workers[2] = {depth, depth};

    *err = -ENOMEM;
    if (ring == NULL) {
        return NULL;
    }
    ring->depth = depth;
    ring->slots = calloc(depth, sizeof(*ring->slots));
    if (ring->slots == NULL) {
        free(ring);
        return NULL;
    }
    *err = io_uring_queue_init(depth, &ring->uring, 0);
    if (*err != 0) {
        if (*err == -ENOSYS || *err == -EPERM) {
            *err = -ENOTSUP;
        }
        free(ring->slots);
        free(ring);
        return NULL;
    }
    if (!has_statx(&ring->uring)) {
        *err = -ENOTSUP;
        tmk_statx_ring_free(ring);
        return NULL;
    }
    /* Each call waits in a thread of the kernel's; there are 4 per core by
     * default. */
    (void)io_uring_register_iowq_max_workers(&ring->uring, workers);
    for (unsigned i = 0; i < depth; i++) {
        ring->slots[i].next = ring->free;
        ring->free = &ring->slots[i];
    }
    *err = 0;
    return ring;
}

void tmk_statx_ring_free(struct tmk_statx_ring *ring)
{
    if (ring != NULL) {
        io_uring_queue_exit(&ring->uring);
        free(ring->slots);
        free(ring);
    }
}

unsigned tmk_statx_ring_room(const struct tmk_statx_ring *ring)
{
    return ring->depth - ring->pending;
}

unsigned tmk_statx_ring_pending(const struct tmk_statx_ring *ring)
{
    return ring->pending;
}

/* What was reaped last may be written over from now on. */
static void release(struct tmk_statx_ring *ring)
{
    if (ring->last != NULL) {
        ring->last->next = ring->free;
        ring->free = ring->last;
        ring->last = NULL;
    }
}

void tmk_statx_ring_push(struct tmk_statx_ring *ring, int dir, const char *name,
                         int flags, unsigned mask, void *user)
{
    struct io_uring_sqe *sqe;
    struct slot *slot;

    release(ring);
    slot = ring->free;
    sqe = io_uring_get_sqe(&ring->uring);
    ring->free = slot->next;
    slot->user = user;
    io_uring_prep_statx(sqe, dir, name, flags, mask, &slot->st);
    io_uring_sqe_set_data(sqe, slot);
    ring->pending++;
    ring->unsent++;
}

int tmk_statx_ring_reap(struct tmk_statx_ring *ring,
                        struct tmk_statx_result *result)
{
    struct io_uring_cqe *cqe;
    struct slot *slot;
    int err = 0;

    release(ring);
    if (ring->unsent != 0) {
        err = io_uring_submit(&ring->uring);
        ring->unsent = 0;
        if (err < 0) {
            return err;
        }
    }
    do {
        err = io_uring_wait_cqe(&ring->uring, &cqe);
    } while (err == -EINTR);
    if (err != 0) {
        return err;
    }
    slot = io_uring_cqe_get_data(cqe);
    *result = (struct tmk_statx_result){
        .user = slot->user,
        .err = cqe->res < 0 ? cqe->res : 0,
        .st = &slot->st,
    };
    io_uring_cqe_seen(&ring->uring, cqe);
    ring->last = slot;
    ring->pending--;
    return 0;
}

#else

struct tmk_statx_ring *tmk_statx_ring_new(unsigned depth, int *err)
{
    (void)depth;
    *err = -ENOTSUP;
    return NULL;
}

void tmk_statx_ring_free(struct tmk_statx_ring *ring)
{
    (void)ring;
}

unsigned tmk_statx_ring_room(const struct tmk_statx_ring *ring)
{
    (void)ring;
    return 0;
}

unsigned tmk_statx_ring_pending(const struct tmk_statx_ring *ring)
{
    (void)ring;
    return 0;
}

void tmk_statx_ring_push(struct tmk_statx_ring *ring, int dir, const char *name,
                         int flags, unsigned mask, void *user)
{
    (void)ring;
    (void)dir;
    (void)name;
    (void)flags;
    (void)mask;
    (void)user;
}

int tmk_statx_ring_reap(struct tmk_statx_ring *ring,
                        struct tmk_statx_result *result)
{
    (void)ring;
    (void)result;
    return -ENOTSUP;
}

#endif
