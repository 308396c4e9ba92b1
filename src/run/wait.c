/*
 * wait: collectives and waiting that yield when ranks outnumber cores.
 *
 * MPICH's blocking calls spin: with 8 ranks on 2 cores a barrier waits for
 * whole time slices of ranks that themselves only spin.
 */
#include "run/wait.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef sigev_notify_thread_id
#    define NOTIFY_THREAD_ID sigev_notify_thread_id
#else
#    define NOTIFY_THREAD_ID _sigev_un._tid /* as glibc hides it */
#endif

/*
 * Between two tests.  Yielding is quick among ranks, but to a program beside
 * them every turn gives a whole time slice: who waits for longer sleeps, and
 * with 64 ranks on 2 busy cores a barrier takes 6 ms and not 40.
 */
enum { TURNS = 20, NAP_NS = 200000 };

static void give_way(unsigned *turns)
{
    if (*turns < TURNS) {
        ++*turns;
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
}

void tmk_wait_finish(int n, MPI_Request *requests)
{
    unsigned turns = 0;

    for (int i = 0; i < n; i++) {
        int done = 0;

        for (;;) {
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            if (done) {
                break;
            }
            give_way(&turns);
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
    unsigned turns = 0;
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
            give_way(&turns);
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

void tmk_wait_start_allreduce_all(const struct tmk_wait *w, void *buf,
                                  int count, MPI_Datatype type, MPI_Op op,
                                  MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (!w->yields) {
        MPI_Allreduce(MPI_IN_PLACE, buf, count, type, op, w->comm);
        return;
    }
    MPI_Iallreduce(MPI_IN_PLACE, buf, count, type, op, w->comm, request);
}

void tmk_wait_allreduce_all(const struct tmk_wait *w, void *buf, int count,
                            MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;

    tmk_wait_start_allreduce_all(w, buf, count, type, op, &request);
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

void tmk_wait_start_bcast_all(const struct tmk_wait *w, void *buf, int count,
                              MPI_Datatype type, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (!w->yields) {
        MPI_Bcast(buf, count, type, 0, w->comm);
        return;
    }
    MPI_Ibcast(buf, count, type, 0, w->comm, request);
}

void tmk_wait_bcast_all(const struct tmk_wait *w, void *buf, int count,
                        MPI_Datatype type)
{
    MPI_Request request;

    tmk_wait_start_bcast_all(w, buf, count, type, &request);
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

void tmk_wait_start_allgather_all(const struct tmk_wait *w, const void *from,
                                  void *to, int bytes, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    if (!w->yields) {
        MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, w->comm);
        return;
    }
    MPI_Iallgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, w->comm,
                   request);
}

MPI_Comm tmk_wait_dup_all(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Request request;

    MPI_Comm_idup(comm, &copy, &request);
    tmk_wait_finish(1, &request);
    return copy;
}

/*
 * Calls that MPI has in their blocking form alone.  A timer interrupts this
 * thread and its handler gives the core away, so that a rank that spins holds
 * it for BREAK_NS and not for a time slice: with 64 ranks on 2 cores that makes
 * half a second of 5.
 */
enum { BREAK_NS = 100000 };

struct breaks {
    timer_t timer;
    unsigned turns;
    int number;    /* of the signal; 0 = no breaks */
    sigset_t own;  /* that signal alone */
    sigset_t mask; /* as before */
    struct sigaction action;
};

/* The next break comes BREAK_NS from now. */
static void arm(timer_t timer)
{
    (void)timer_settime(
        timer, 0, &(struct itimerspec){.it_value.tv_nsec = BREAK_NS}, NULL);
}

static void take_break(int number, siginfo_t *info, void *context)
{
    struct breaks *b = info->si_value.sival_ptr;
    int err = errno;

    (void)number;
    (void)context;
    give_way(&b->turns);
    arm(b->timer); /* only now: being away does not count */
    errno = err;
}

/* A real-time signal that nobody uses is given a handler; 0 = there is none. */
static int take_signal(struct sigaction *before)
{
    struct sigaction action = {
        .sa_sigaction = take_break,
        .sa_flags = SA_SIGINFO | SA_RESTART,
    };

    sigemptyset(&action.sa_mask);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        if (sigaction(number, NULL, before) == 0 &&
            (before->sa_flags & SA_SIGINFO) == 0 &&
            before->sa_handler == SIG_DFL &&
            sigaction(number, &action, NULL) == 0) {
            return number;
        }
    }
    return 0;
}

/* `b` must stay where it is until the breaks end. */
static void begin_breaks(struct breaks *b)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID};

    *b = (struct breaks){.number = take_signal(&b->action)};
    if (b->number == 0) {
        return;
    }
    event.sigev_signo = b->number;
    event.sigev_value.sival_ptr = b;
    event.NOTIFY_THREAD_ID = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &b->timer) != 0) {
        (void)sigaction(b->number, &b->action, NULL);
        b->number = 0;
        return;
    }
    sigemptyset(&b->own);
    sigaddset(&b->own, b->number);
    (void)pthread_sigmask(SIG_UNBLOCK, &b->own, &b->mask);
    arm(b->timer);
}

/* A last signal may be under way: it must not meet another handler. */
static void end_breaks(struct breaks *b)
{
    if (b->number == 0) {
        return;
    }
    (void)pthread_sigmask(SIG_BLOCK, &b->own, NULL);
    (void)timer_delete(b->timer);
    while (sigtimedwait(&b->own, NULL, &(struct timespec){0}) > 0) {
    }
    (void)sigaction(b->number, &b->action, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &b->mask, NULL);
}

MPI_Comm tmk_wait_split_all(MPI_Comm comm, int color, int key)
{
    struct breaks breaks;
    MPI_Comm part;

    begin_breaks(&breaks);
    MPI_Comm_split(comm, color, key, &part);
    end_breaks(&breaks);
    return part;
}

MPI_Comm tmk_wait_split_node_all(MPI_Comm comm, int key)
{
    struct breaks breaks;
    MPI_Comm part;

    begin_breaks(&breaks);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &part);
    end_breaks(&breaks);
    return part;
}

MPI_Comm tmk_wait_part_all(MPI_Comm comm, const int *ranks, int n)
{
    enum { TAG = 0 };
    struct breaks breaks;
    MPI_Group all;
    MPI_Group group;
    MPI_Comm part;

    MPI_Comm_group(comm, &all);
    MPI_Group_incl(all, n, ranks, &group);
    begin_breaks(&breaks);
    MPI_Comm_create_group(comm, group, TAG, &part);
    end_breaks(&breaks);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
    return part;
}

void tmk_wait_receive_sleep(const struct tmk_wait *w, void *buf, int bytes,
                            int from, int tag)
{
    MPI_Request request;
    long nap_ns = 1000000;
    int done = 0;

    MPI_Irecv(buf, bytes, MPI_BYTE, from, tag, w->comm, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) {
            return;
        }
        nap(&nap_ns);
    }
}

void tmk_wait_exchange(const struct tmk_wait *w, const void *send, int to,
                       void *receive, int from, int bytes)
{
    MPI_Request requests[2];

    MPI_Irecv(receive, bytes, MPI_BYTE, from, 0, w->comm, &requests[0]);
    MPI_Isend(send, bytes, MPI_BYTE, to, 0, w->comm, &requests[1]);
    tmk_wait_finish(2, requests);
}
