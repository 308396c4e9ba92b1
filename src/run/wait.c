/*
 * wait: collectives and waiting that yield when ranks outnumber cores.
 *
 * MPICH's blocking calls spin: with 8 ranks on 2 cores a barrier waits for
 * whole time slices of ranks that themselves only spin.
 */
#include "run/wait.h"

#include <sched.h>
#include <stddef.h>
#include <time.h>

void tmk_wait_finish(int n, MPI_Request *requests)
{
    for (int i = 0; i < n; i++) {
        int done = 0;

        for (;;) {
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            if (done) {
                break;
            }
            sched_yield();
        }
    }
}

void tmk_wait_barrier_all(const struct tmk_wait *w)
{
    MPI_Request request;

    if (!w->yields) {
        MPI_Barrier(w->comm);
        return;
    }
    MPI_Ibarrier(w->comm, &request);
    tmk_wait_finish(1, &request);
}

/* Wait for a request, with something else to do meanwhile. */
static void finish_poll(const struct tmk_wait *w, MPI_Request *request,
                        tmk_wait_idle *idle, void *arg)
{
    int done = 0;

    for (;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done) {
            return;
        }
        if (idle != NULL) {
            idle(arg);
        }
        if (w->yields) {
            sched_yield();
        }
    }
}

void tmk_wait_barrier_poll_all(const struct tmk_wait *w, tmk_wait_idle *idle,
                               void *arg)
{
    MPI_Request request;

    MPI_Ibarrier(w->comm, &request);
    finish_poll(w, &request, idle, arg);
}

void tmk_wait_bcast_poll_all(const struct tmk_wait *w, void *buf, int bytes,
                             tmk_wait_idle *idle, void *arg)
{
    MPI_Request request;

    MPI_Ibcast(buf, bytes, MPI_BYTE, 0, w->comm, &request);
    finish_poll(w, &request, idle, arg);
}

void tmk_wait_max_poll_all(const struct tmk_wait *w, uint64_t *values,
                           int count, tmk_wait_idle *idle, void *arg)
{
    MPI_Request request;

    MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_MAX, w->comm,
                   &request);
    finish_poll(w, &request, idle, arg);
}

/* Longer every time, up to 20 ms. */
static void nap(void *arg)
{
    long *nap_ns = arg;

    nanosleep(&(struct timespec){.tv_nsec = *nap_ns}, NULL);
    *nap_ns = *nap_ns < 10000000 ? *nap_ns * 2 : 20000000;
}

void tmk_wait_barrier_sleep_all(const struct tmk_wait *w)
{
    long nap_ns = 1000000;

    tmk_wait_barrier_poll_all(w, nap, &nap_ns);
}

void tmk_wait_allreduce_all(const struct tmk_wait *w, void *buf, int count,
                            MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;

    if (!w->yields) {
        MPI_Allreduce(MPI_IN_PLACE, buf, count, type, op, w->comm);
        return;
    }
    MPI_Iallreduce(MPI_IN_PLACE, buf, count, type, op, w->comm, &request);
    tmk_wait_finish(1, &request);
}

void tmk_wait_reduce_all(const struct tmk_wait *w, void *buf, int count,
                         MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    int rank;
    const void *from;

    MPI_Comm_rank(w->comm, &rank);
    from = rank == 0 ? MPI_IN_PLACE : buf;
    if (!w->yields) {
        MPI_Reduce(from, buf, count, type, op, 0, w->comm);
        return;
    }
    MPI_Ireduce(from, buf, count, type, op, 0, w->comm, &request);
    tmk_wait_finish(1, &request);
}

void tmk_wait_bcast_all(const struct tmk_wait *w, void *buf, int count,
                        MPI_Datatype type)
{
    MPI_Request request;

    if (!w->yields) {
        MPI_Bcast(buf, count, type, 0, w->comm);
        return;
    }
    MPI_Ibcast(buf, count, type, 0, w->comm, &request);
    tmk_wait_finish(1, &request);
}

void tmk_wait_gather_all(const struct tmk_wait *w, const void *from, void *to,
                         int bytes)
{
    MPI_Request request;

    if (!w->yields) {
        MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, w->comm);
        return;
    }
    MPI_Igather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, 0, w->comm,
                &request);
    tmk_wait_finish(1, &request);
}

void tmk_wait_allgather_all(const struct tmk_wait *w, const void *from,
                            void *to, int bytes)
{
    MPI_Request request;

    if (!w->yields) {
        MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, w->comm);
        return;
    }
    MPI_Iallgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, w->comm,
                   &request);
    tmk_wait_finish(1, &request);
}

MPI_Comm tmk_wait_dup_all(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_idup(comm, &copy, &request);
    tmk_wait_finish(1, &request);
    return copy;
}

void tmk_wait_exchange(const struct tmk_wait *w, const void *send, int to,
                       void *receive, int from, int bytes)
{
    MPI_Request requests[2];

    MPI_Irecv(receive, bytes, MPI_BYTE, from, 0, w->comm, &requests[0]);
    MPI_Isend(send, bytes, MPI_BYTE, to, 0, w->comm, &requests[1]);
    tmk_wait_finish(2, requests);
}
