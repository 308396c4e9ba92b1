#ifndef TMK_RUN_STOP_H
#define TMK_RUN_STOP_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * One rank's reason to stop becomes every rank's, without a collective: the
 * rank tells rank 0, rank 0 tells its children in a binary tree, and so on
 * down.  Every rank keeps one receive posted and tests it now and then.
 * Rounds (phases, or groups of them) are numbered, so that a late message is
 * known as such.  A greater reason is told after a smaller one, not the other
 * way round.
 */
enum tmk_stop_reason {
    TMK_STOP_NONE,
    TMK_STOP_FULL,   /* the file system takes no more; going on is useless */
    TMK_STOP_SIGNAL, /* SIGINT or SIGTERM */
    TMK_STOP_REASONS
};

struct tmk_stop {
    MPI_Comm comm; /* borrowed; tags 1 and 2 on it are ours */
    int rank, size;
    uint64_t round;
    int reason;                   /* of this round, as far as this rank knows */
    int told_root, told_children; /* the greatest that it told them */
    /* messages, for each reason: round, reason, 1 = upwards */
    uint64_t received[3];
    uint64_t sent_up[TMK_STOP_REASONS][3], sent_down[TMK_STOP_REASONS][3];
    MPI_Request receive;
    MPI_Request sends[TMK_STOP_REASONS][3]; /* to the root, to two children */
    /* messages in all rounds */
    uint64_t up_sent, up_received, down_sent[2], down_received;
};

/*
 * Begin to listen on `comm`, which stays the caller's and must outlive this.
 * One at a time on a communicator, on all of its ranks.
 */
void tmk_stop_init(struct tmk_stop *stop, MPI_Comm comm);

/* Receive every message still under way and release.  Collective. */
void tmk_stop_fini_all(struct tmk_stop *stop);

/*
 * A new round.  Every rank calls this before a barrier, so that nobody can be
 * told of a round that it has not begun.
 */
void tmk_stop_begin(struct tmk_stop *stop);

/*
 * This rank has a reason; the others will hear of it, if every rank polls until
 * the round ends: ranks pass it on.
 */
void tmk_stop_raise(struct tmk_stop *stop, enum tmk_stop_reason reason);

/* Take and pass on what has come in; returns the reason known so far. */
int tmk_stop_poll(struct tmk_stop *stop);

#endif
