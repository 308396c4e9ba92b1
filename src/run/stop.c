/*
 * stop: spreading one rank's reason to stop.
 *
 *        rank 3 sees a signal
 *             | up
 *             v
 *             0 ----> 1 ----> 3, 4      down, a binary tree
 *              \----> 2 ----> 5, 6
 */
#include "run/stop.h"

#include <assert.h>

#include "run/wait.h"

enum { TAG_STOP = 1, TAG_COUNT };

/* Words of a message. */
enum { ROUND, REASON, UPWARDS, WORDS };
static_assert(sizeof(((struct tmk_stop *)0)->received) ==
                  WORDS * sizeof(uint64_t),
              "a message is three words");

static void finish_sends(struct tmk_stop *stop)
{
    for (int reason = 0; reason < TMK_STOP_REASONS; reason++) {
        tmk_wait_finish(3, stop->sends[reason]);
    }
}

static void post(struct tmk_stop *stop)
{
    MPI_Irecv(stop->received, WORDS, MPI_UINT64_T, MPI_ANY_SOURCE, TAG_STOP,
              stop->comm, &stop->receive);
}

static int child(const struct tmk_stop *stop, int i)
{
    int64_t c = 2 * (int64_t)stop->rank + 1 + i;

    return c < stop->size ? (int)c : MPI_PROC_NULL;
}

void tmk_stop_init(struct tmk_stop *stop, MPI_Comm comm)
{
    *stop = (struct tmk_stop){.comm = comm};
    MPI_Comm_rank(stop->comm, &stop->rank);
    MPI_Comm_size(stop->comm, &stop->size);
    for (int reason = 0; reason < TMK_STOP_REASONS; reason++) {
        for (int i = 0; i < 3; i++) {
            stop->sends[reason][i] = MPI_REQUEST_NULL;
        }
    }
    post(stop);
}

void tmk_stop_begin(struct tmk_stop *stop)
{
    finish_sends(stop);
    stop->round++;
    stop->reason = TMK_STOP_NONE;
    stop->told_root = TMK_STOP_NONE;
    stop->told_children = TMK_STOP_NONE;
}

/* Written once a round for each reason: sends under way keep their buffers. */
static void write_message(const struct tmk_stop *stop, uint64_t *message,
                          bool upwards)
{
    message[ROUND] = stop->round;
    message[REASON] = (uint64_t)stop->reason;
    message[UPWARDS] = upwards;
}

static void tell_children(struct tmk_stop *stop)
{
    uint64_t *message = stop->sent_down[stop->reason];

    if (stop->told_children >= stop->reason) {
        return;
    }
    stop->told_children = stop->reason;
    write_message(stop, message, false);
    for (int i = 0; i < 2; i++) {
        int to = child(stop, i);

        if (to != MPI_PROC_NULL) {
            MPI_Isend(message, WORDS, MPI_UINT64_T, to, TAG_STOP, stop->comm,
                      &stop->sends[stop->reason][1 + i]);
            stop->down_sent[i]++;
        }
    }
}

static void tell_root(struct tmk_stop *stop)
{
    uint64_t *message = stop->sent_up[stop->reason];

    if (stop->told_root >= stop->reason) {
        return;
    }
    stop->told_root = stop->reason;
    write_message(stop, message, true);
    MPI_Isend(message, WORDS, MPI_UINT64_T, 0, TAG_STOP, stop->comm,
              &stop->sends[stop->reason][0]);
    stop->up_sent++;
}

static void learn(struct tmk_stop *stop, int reason)
{
    if (reason > stop->reason) {
        stop->reason = reason;
    }
}

void tmk_stop_raise(struct tmk_stop *stop, enum tmk_stop_reason reason)
{
    learn(stop, (int)reason);
    if (stop->rank == 0) {
        tell_children(stop);
    } else {
        tell_root(stop);
    }
}

/* One message has come in. */
static void count_received(struct tmk_stop *stop)
{
    if (stop->received[UPWARDS] != 0) {
        stop->up_received++;
    } else {
        stop->down_received++;
    }
}

int tmk_stop_poll(struct tmk_stop *stop)
{
    int came = 0;

    MPI_Test(&stop->receive, &came, MPI_STATUS_IGNORE);
    if (came) {
        count_received(stop);
        if (stop->received[ROUND] == stop->round) {
            learn(stop, (int)stop->received[REASON]);
            tell_children(stop);
        }
        post(stop);
    }
    return stop->reason;
}

/* Receive until as many messages of one direction have come as were sent. */
static void drain(struct tmk_stop *stop, int source, const uint64_t *received,
                  uint64_t sent)
{
    while (*received < sent) {
        MPI_Recv(stop->received, WORDS, MPI_UINT64_T, source, TAG_STOP,
                 stop->comm, MPI_STATUS_IGNORE);
        count_received(stop);
    }
}

/*
 * Rank 0 learns how many messages went up, every child how many its parent
 * sent down, and each receives what it has not got yet.
 */
void tmk_stop_fini_all(struct tmk_stop *stop)
{
    struct tmk_wait wait = {.comm = stop->comm, .yields = true};
    uint64_t sum[1] = {stop->up_sent};
    uint64_t down = 0;
    MPI_Status status;
    int cancelled = 0;

    finish_sends(stop);
    MPI_Cancel(&stop->receive);
    MPI_Wait(&stop->receive, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) {
        count_received(stop);
    }
    tmk_wait_allreduce_all(&wait, sum, 1, MPI_UINT64_T, MPI_SUM);
    for (int i = 0; i < 2; i++) {
        MPI_Isend(&stop->down_sent[i], 1, MPI_UINT64_T, child(stop, i),
                  TAG_COUNT, stop->comm, &stop->sends[0][i]);
    }
    if (stop->rank == 0) {
        drain(stop, MPI_ANY_SOURCE, &stop->up_received, sum[0]);
    } else {
        int parent = (stop->rank - 1) / 2;

        MPI_Recv(&down, 1, MPI_UINT64_T, parent, TAG_COUNT, stop->comm,
                 MPI_STATUS_IGNORE);
        drain(stop, parent, &stop->down_received, down);
    }
    finish_sends(stop);
    stop->comm = MPI_COMM_NULL;
}
