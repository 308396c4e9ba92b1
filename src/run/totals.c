/*
 * totals: how far all ranks have come, without stopping any.
 */
#include "run/totals.h"

#include <stddef.h>

enum { TAG_TOTALS = 4, LINE = 64 };

/* A message: how much more there is than the one before told. */
enum { ROUND, DONE, FAILED, RANKS, ASKS };

/* A cache line for each rank, which others read and do not write. */
struct tmk_totals_slot {
    _Alignas(LINE) _Atomic uint64_t round;
    _Atomic uint64_t done, failed;
    _Atomic uint64_t asked; /* in all rounds */
};

static void post(struct tmk_totals *t)
{
    MPI_Irecv(t->received, TMK_TOTALS_WORDS, MPI_UINT64_T, MPI_ANY_SOURCE,
              TAG_TOTALS, t->comm, &t->receive);
}

/* A slot for each rank of the node, in round 0, which is none. */
static void share_slots_all(struct tmk_totals *t)
{
    MPI_Comm node = tmk_wait_split_node_all(t->comm, t->rank);
    MPI_Aint bytes;
    int unit;

    MPI_Comm_rank(node, &t->own_slot);
    MPI_Comm_size(node, &t->n_slots);
    t->leads = t->own_slot == 0;
    bytes = t->leads ? (MPI_Aint)((size_t)(t->n_slots + 1) * LINE) : 0;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node, &t->slots,
                            &t->window);
    MPI_Win_shared_query(t->window, 0, &bytes, &unit, &t->slots);
    t->slots = (void *)(((uintptr_t)t->slots + LINE - 1) / LINE * LINE);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, t->window);
    t->slots[t->own_slot].round = 0;
    t->slots[t->own_slot].asked = 0;
    MPI_Comm_free(&node);
}

void tmk_totals_init_all(struct tmk_totals *t, const struct tmk_wait *wait,
                         bool shared)
{
    *t = (struct tmk_totals){
        .comm = wait->comm,
        .leads = true,
        .window = MPI_WIN_NULL,
        .send = MPI_REQUEST_NULL,
        .receive = MPI_REQUEST_NULL,
    };
    MPI_Comm_rank(t->comm, &t->rank);
    MPI_Comm_size(t->comm, &t->size);
    if (t->size == 1) {
        return;
    }
    if (shared) {
        share_slots_all(t);
        tmk_wait_barrier_all(wait); /* before others look at a slot */
    }
    if (t->rank == 0) {
        post(t);
    }
}

void tmk_totals_fini_all(struct tmk_totals *t, const struct tmk_wait *wait)
{
    uint64_t sent = t->sent;
    MPI_Status status;
    int cancelled;

    if (t->size == 1) {
        return;
    }
    tmk_wait_finish(1, &t->send);
    tmk_wait_allreduce_all(wait, &sent, 1, MPI_UINT64_T, MPI_SUM);
    if (t->rank == 0) {
        MPI_Cancel(&t->receive);
        MPI_Wait(&t->receive, &status);
        MPI_Test_cancelled(&status, &cancelled);
        t->came += cancelled ? 0 : 1;
        for (; t->came < sent; t->came++) {
            MPI_Recv(t->received, TMK_TOTALS_WORDS, MPI_UINT64_T,
                     MPI_ANY_SOURCE, TAG_TOTALS, t->comm, MPI_STATUS_IGNORE);
        }
    }
    if (t->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(t->window);
        MPI_Win_free(&t->window);
    }
}

void tmk_totals_begin(struct tmk_totals *t, uint64_t round)
{
    t->round = round;
    t->own = (struct tmk_totals_sums){.ranks = 1};
    t->told = (struct tmk_totals_sums){0};
    t->heard = (struct tmk_totals_sums){0};
    if (t->slots != NULL) {
        struct tmk_totals_slot *own = &t->slots[t->own_slot];

        own->done = 0;
        own->failed = 0;
        own->round = round; /* last: whoever sees it sees the zeros */
    }
}

void tmk_totals_put(struct tmk_totals *t, uint64_t done, uint64_t failed)
{
    t->own.done = done;
    t->own.failed = failed;
    if (t->slots != NULL) {
        t->slots[t->own_slot].done = done;
        t->slots[t->own_slot].failed = failed;
    }
}

void tmk_totals_ask(struct tmk_totals *t)
{
    if (t->slots != NULL) {
        t->slots[t->own_slot].asked++;
    } else {
        t->asks = true;
    }
}

/* Of the ranks that this one speaks for. */
static struct tmk_totals_sums sum_up(const struct tmk_totals *t)
{
    struct tmk_totals_sums sums = {0};

    if (t->slots == NULL) {
        return t->own;
    }
    for (int i = 0; i < t->n_slots; i++) {
        if (t->slots[i].round == t->round) {
            sums.done += t->slots[i].done;
            sums.failed += t->slots[i].failed;
            sums.ranks++;
        }
    }
    return sums;
}

/* Whether one of them has asked since the last time. */
static void hear_questions(struct tmk_totals *t)
{
    uint64_t asked = 0;

    for (int i = 0; t->slots != NULL && i < t->n_slots; i++) {
        asked += t->slots[i].asked;
    }
    if (asked != t->asked_on_node) {
        t->asked_on_node = asked;
        t->asks = true;
    }
}

bool tmk_totals_send(struct tmk_totals *t, bool due)
{
    struct tmk_totals_sums sums;
    int gone = 0;

    if (t->rank == 0 || !t->leads) {
        return false;
    }
    hear_questions(t);
    if (!t->asks && (!due || t->slots == NULL)) {
        return false;
    }
    MPI_Test(&t->send, &gone, MPI_STATUS_IGNORE);
    if (!gone) {
        return false;
    }
    sums = sum_up(t);
    t->message[ROUND] = t->round;
    t->message[DONE] = sums.done - t->told.done;
    t->message[FAILED] = sums.failed - t->told.failed;
    t->message[RANKS] = sums.ranks - t->told.ranks;
    t->message[ASKS] = t->asks;
    MPI_Isend(t->message, TMK_TOTALS_WORDS, MPI_UINT64_T, 0, TAG_TOTALS,
              t->comm, &t->send);
    t->told = sums;
    t->asks = false;
    t->sent++;
    return true;
}

bool tmk_totals_receive(struct tmk_totals *t)
{
    enum { AT_ONCE = 64 }; /* then the next operation has its turn */
    bool asked;

    for (int i = 0; i < AT_ONCE && t->size > 1; i++) {
        int came = 0;

        MPI_Test(&t->receive, &came, MPI_STATUS_IGNORE);
        if (!came) {
            break;
        }
        t->came++;
        if (t->received[ROUND] == t->round) {
            t->heard.done += t->received[DONE];
            t->heard.failed += t->received[FAILED];
            t->heard.ranks += t->received[RANKS];
        }
        t->asks = t->asks || t->received[ASKS] != 0;
        post(t);
    }
    hear_questions(t);
    asked = t->asks;
    t->asks = false;
    return asked;
}

struct tmk_totals_sums tmk_totals_get(const struct tmk_totals *t)
{
    struct tmk_totals_sums sums = sum_up(t);

    sums.done += t->heard.done;
    sums.failed += t->heard.failed;
    sums.ranks += t->heard.ranks;
    return sums;
}
