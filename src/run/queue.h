#ifndef TMK_RUN_QUEUE_H
#define TMK_RUN_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/job.h"

/*
 * Work that is divided among ranks as they run out of it.  An item is a byte
 * string that means the same on every rank, such as a path.  A rank works on
 * its newest item; one that has none asks another, which gives half of its
 * items away, the oldest first, for these are near the root of a tree.  Where
 * no rank is idle, nothing is sent.
 */
struct tmk_queue; /* opaque */

enum {
    TMK_QUEUE_ITEM_MAX = 65536, /* bytes */
    TMK_QUEUE_NOTE_MAX = 4096,
    TMK_QUEUE_SUMS_MAX = 240,
};

/* What the user does; `user` is his. */
struct tmk_queue_ops {
    /*
     * Do an item, which is valid until this returns.  May push others.  Calls
     * tmk_queue_poll() every few microseconds, or after each operation that
     * takes longer, and returns soon if that says so.
     */
    void (*work)(void *user, struct tmk_queue *queue, const void *item,
                 size_t bytes);
    /*
     * Inside a poll of work: another rank wants something and there is no
     * item to give.  Push a part of what is at hand, or nothing.  Must not
     * poll.  May be NULL.
     */
    void (*split)(void *user, struct tmk_queue *queue);
    /*
     * A note of another rank (tmk_queue_tell), inside a poll of work or
     * between items.  May push; must not poll.  NULL where none is sent.
     */
    void (*told)(void *user, struct tmk_queue *queue, const void *note,
                 size_t bytes);
    /* Now and then while this rank has nothing to do; must not block.  May be
     * NULL. */
    void (*idle)(void *user);
};

/*
 * A queue over the ranks of a job, which it borrows; ops and user, too.  NULL
 * on all ranks if one of them has no memory.  Collective.
 */
struct tmk_queue *tmk_queue_new_all(const struct tmk_job *job,
                                    const struct tmk_queue_ops *ops,
                                    void *user);

/* NULL is allowed, on all ranks.  Collective. */
void tmk_queue_free_all(struct tmk_queue *queue);

/*
 * Add a copy of an item: before the run, or in a callback.  0, -ENOMEM or
 * -EMSGSIZE.  Once the queue is stopped, it is dropped.
 */
int tmk_queue_push(struct tmk_queue *queue, const void *item, size_t bytes);

/* Send a note to another rank's `told`, in a callback.  0, -ENOMEM or
 * -EMSGSIZE. */
int tmk_queue_tell(struct tmk_queue *queue, int rank, const void *note,
                   size_t bytes);

/*
 * In work: answer other ranks, if it is time to (every 50 us; else this reads
 * the clock and no more).  False if work is to return.
 */
bool tmk_queue_poll(struct tmk_queue *queue);

/*
 * Drop what there is to do on every rank, at its next poll.  A signal that was
 * noted by tmk_job_catch_signals() does so, too.
 */
void tmk_queue_stop(struct tmk_queue *queue);

/* What a run came to, alike on all ranks. */
struct tmk_queue_end {
    bool stopped;
    uint64_t lost;     /* items for which a rank had no memory: not done */
    uint64_t messages; /* with items or notes, all together */
};

/* What dividing the work of the last run took on this rank. */
struct tmk_queue_traffic {
    uint64_t asked_by_others; /* questions that came in */
    uint64_t items_given;
    uint64_t asked; /* questions to others */
    uint64_t items_taken;
    uint64_t rounds;  /* of counting, to find the end */
    uint64_t idle_ns; /* without an item */
};

struct tmk_queue_traffic tmk_queue_traffic(const struct tmk_queue *queue);

/*
 * Work until no rank has an item left and none is under way.  sums[0..n-1] are
 * this rank's counters, which callbacks may count up, and at the end the sums
 * over all ranks; NULL if n is 0.  May be called again.  Collective.
 */
void tmk_queue_run_all(struct tmk_queue *queue, uint64_t *sums, size_t n,
                       struct tmk_queue_end *end);

#endif
