#ifndef TMK_RUN_WAIT_H
#define TMK_RUN_WAIT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Collectives that do not burn a time slice where ranks outnumber cores: the
 * non-blocking form, tested with sched_yield, later a nap, in between.  Where
 * every rank has a core, MPI's own blocking form is used.  All ranks of `comm`
 * must agree on `yields`, because the two forms do not match each other.
 */
struct tmk_wait {
    MPI_Comm comm; /* borrowed */
    bool yields;
};

/* Called while waiting; must not block.  May be NULL. */
typedef void tmk_wait_idle(void *arg);

/* Wait for n requests, giving the core away between tests. */
void tmk_wait_finish(int n, MPI_Request *requests);

void tmk_wait_barrier_all(const struct tmk_wait *w);

/*
 * A barrier in the non-blocking form whatever `yields` says, with idle(arg)
 * called between tests: for waits in which messages must still be answered.
 */
void tmk_wait_barrier_poll_all(const struct tmk_wait *w, tmk_wait_idle *idle,
                               void *arg);

/* The same for a broadcast of `bytes` from rank 0, and for the maxima of
 * `count` values below 2^63. */
void tmk_wait_bcast_poll_all(const struct tmk_wait *w, void *buf, int bytes,
                             tmk_wait_idle *idle, void *arg);
void tmk_wait_max_poll_all(const struct tmk_wait *w, uint64_t *values,
                           int count, tmk_wait_idle *idle, void *arg);

/* A barrier that sleeps between tests (1 ms at first, up to 20 ms): for ranks
 * that have nothing to do for a long time. */
void tmk_wait_barrier_sleep_all(const struct tmk_wait *w);

/* In place: `buf` holds this rank's part and gets the result on every rank. */
void tmk_wait_allreduce_all(const struct tmk_wait *w, void *buf, int count,
                            MPI_Datatype type, MPI_Op op);

/* In place: `buf` holds this rank's part; only rank 0's gets the result. */
void tmk_wait_reduce_all(const struct tmk_wait *w, void *buf, int count,
                         MPI_Datatype type, MPI_Op op);

void tmk_wait_bcast_all(const struct tmk_wait *w, void *buf, int count,
                        MPI_Datatype type);

/* `bytes` from every rank, in rank order, to `to` on rank 0 (else unused). */
void tmk_wait_gather_all(const struct tmk_wait *w, const void *from, void *to,
                         int bytes);

/*
 * Collectives that are only begun: tmk_wait_finish() ends them.  Several under
 * way cost one wait.  Buffers are MPI's until then.  Where nothing yields they
 * end at once and leave MPI_REQUEST_NULL.
 */
void tmk_wait_start_allreduce_all(const struct tmk_wait *w, void *buf,
                                  int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Request *request);

void tmk_wait_start_bcast_all(const struct tmk_wait *w, void *buf, int count,
                              MPI_Datatype type, MPI_Request *request);

/* `bytes` from every rank, in rank order, to `to` on every rank. */
void tmk_wait_start_allgather_all(const struct tmk_wait *w, const void *from,
                                  void *to, int bytes, MPI_Request *request);

/* A duplicate of comm, the caller's to free.  Yields always. */
MPI_Comm tmk_wait_dup_all(MPI_Comm comm);

/*
 * MPI_Comm_split, and MPI_Comm_split_type for the ranks that share memory with
 * this one: the caller's to free.  They block, but give the core away every
 * 100 us: a real-time signal that has no handler is borrowed for that.
 */
MPI_Comm tmk_wait_split_all(MPI_Comm comm, int color, int key);
MPI_Comm tmk_wait_split_node_all(MPI_Comm comm, int key);

/* A communicator of n ranks of comm, in this order.  Collective over those. */
MPI_Comm tmk_wait_part_all(MPI_Comm comm, const int *ranks, int n);

/* `bytes` from a rank, with a tag; sleeps between tests, as long as
 * tmk_wait_barrier_sleep_all(). */
void tmk_wait_receive_sleep(const struct tmk_wait *w, void *buf, int bytes,
                            int from, int tag);

/* Send one buffer and receive another, both of `bytes`. */
void tmk_wait_exchange(const struct tmk_wait *w, const void *send, int to,
                       void *receive, int from, int bytes);

#endif
