#ifndef TMK_RUN_TOTALS_H
#define TMK_RUN_TOTALS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/wait.h"

/*
 * How far all ranks have come, known to rank 0 while they work: nobody stops
 * for it and no collective is needed.
 *
 *     rank   put    its counts into a slot of memory that its node shares
 *     leader send   how the sum of its node's slots has grown, to rank 0
 *     rank 0 get    what has been received, and the slots of its own node
 *
 * Without that memory a rank sends its own counts, when it asks for something.
 * Rounds (phases, or groups of them) have numbers, so that late messages are
 * known as such.
 */
struct tmk_totals_slot; /* of a rank, in shared memory */

struct tmk_totals_sums {
    uint64_t done, failed; /* operations in this round */
    uint64_t ranks;        /* whose operations these are */
};

enum { TMK_TOTALS_WORDS = 5 };

struct tmk_totals {
    MPI_Comm comm; /* borrowed; tag 4 on it is ours */
    int rank, size;
    bool leads; /* its node; without shared memory, each rank itself */
    uint64_t round;
    struct tmk_totals_sums own;
    bool asks; /* this rank, and rank 0 has not been told */
    /* The node's memory; NULL = there is none. */
    struct tmk_totals_slot *slots;
    int n_slots, own_slot;
    MPI_Win window;
    uint64_t asked_on_node; /* questions of its ranks that are known of */
    /* Messages to rank 0: what they told in this round, the last one. */
    struct tmk_totals_sums told;
    uint64_t message[TMK_TOTALS_WORDS];
    MPI_Request send;
    uint64_t sent; /* in all rounds */
    /* Rank 0. */
    struct tmk_totals_sums heard;
    uint64_t received[TMK_TOTALS_WORDS];
    MPI_Request receive;
    uint64_t came; /* in all rounds */
};

/*
 * For the ranks of `wait->comm`, which must outlive this.  `shared`: counts
 * are wanted all the time, not only with questions.  Collective.
 */
void tmk_totals_init_all(struct tmk_totals *t, const struct tmk_wait *wait,
                         bool shared);

/* Receive every message that is still under way, and release.  Collective. */
void tmk_totals_fini_all(struct tmk_totals *t, const struct tmk_wait *wait);

/*
 * A new round, whose number is another than those before and alike on its
 * ranks, which are the first ones.  Each calls this before a barrier, after
 * which the first counts are sent.
 */
void tmk_totals_begin(struct tmk_totals *t, uint64_t round);

/* What this rank has done in this round. */
void tmk_totals_put(struct tmk_totals *t, uint64_t done, uint64_t failed);

/* This rank asks rank 0 for something: tmk_totals_receive() will say so. */
void tmk_totals_ask(struct tmk_totals *t);

/*
 * Tell rank 0 what there is to tell, if the last message is on its way: all
 * that is new if it is `due`, or if somebody asks.  Does not wait.  Returns
 * whether a message was sent.
 */
bool tmk_totals_send(struct tmk_totals *t, bool due);

/* Rank 0: take what has come in; whether somebody has asked since the last
 * call. */
bool tmk_totals_receive(struct tmk_totals *t);

/* Rank 0: what is known. */
struct tmk_totals_sums tmk_totals_get(const struct tmk_totals *t);

#endif
