/*
 * queue: work that is divided among ranks on demand.
 *
 *     busy rank             idle rank
 *     work, poll  <-- ask --          one question at a time, to one rank
 *     half of it  -- gift ->          or an empty one: ask another, later
 *
 * The end: idle ranks without a question of their own add up, in a reduction
 * that is not waited for, how many gifts and notes they sent and received.  Two
 * rounds with the same sums, as many received as sent: nothing is left, and
 * nothing under way (Mattern's four counters).
 */
#include "run/queue.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/deque.h"
#include "run/clock.h"
#include "run/stop.h"
#include "run/wait.h"

/* Tags 1 and 2 are those of run/stop. */
enum { TAG_WORD = 3 };

/* The first byte of a message. */
enum { ASK, GIFT, NOTE };

enum { PATIENT_NS = 5000000 };
enum { POLL_NS = 50000, NAP_LEAST_NS = 20000, NAP_MOST_NS = 1000000 };
enum { GIFT_MAX = 4 * TMK_QUEUE_ITEM_MAX, LENGTH = sizeof(uint32_t) };
static_assert(GIFT_MAX > 1 + LENGTH + TMK_QUEUE_ITEM_MAX, "an item is a gift");

/* Words of the reduction; the user's sums follow. */
enum { SENT, RECEIVED, STOPPED, LOST, OWN_WORDS };

/* A message under way. */
struct letter {
    struct letter *next;
    MPI_Request request;
    char bytes[];
};

struct tmk_queue {
    const struct tmk_job *job;
    const struct tmk_queue_ops *ops;
    void *user;
    struct tmk_wait wait; /* our communicator */
    struct tmk_stop stop;
    struct tmk_deque deque;
    struct letter *letters; /* owned */
    char *item;             /* owned; the one at hand */
    char *buffer;           /* owned; of what comes in and of gifts */
    bool at_work, stopping;
    uint64_t poll_ns; /* when to look for messages again */
    /* asking */
    int asked;     /* a rank whose answer is awaited; -1 = none */
    int feeder;    /* who gave last; -1 = none */
    bool near;     /* ask on this node next */
    char question; /* the message */
    MPI_Request asking;
    uint64_t ask_ns;      /* when to ask again */
    uint64_t back_off_ns; /* how long after the next refusal */
    uint64_t random;
    /* the end */
    uint64_t sent, received, lost;
    struct tmk_queue_traffic traffic;
    uint64_t words[OWN_WORDS + TMK_QUEUE_SUMS_MAX];
    uint64_t last[2]; /* SENT and RECEIVED of the round before */
    bool reducing;
    MPI_Request reduction;
};

struct tmk_queue *tmk_queue_new_all(const struct tmk_job *job,
                                    const struct tmk_queue_ops *ops, void *user)
{
    struct tmk_queue *queue = calloc(1, sizeof(*queue));
    bool fine = false;

    if (queue != NULL) {
        *queue = (struct tmk_queue){.job = job, .ops = ops, .user = user};
        queue->item = malloc(TMK_QUEUE_ITEM_MAX);
        queue->buffer = malloc(GIFT_MAX);
        queue->random = (uint64_t)job->rank * UINT64_C(0x9e3779b97f4a7c15) + 1;
        queue->asking = MPI_REQUEST_NULL;
        fine = queue->item != NULL && queue->buffer != NULL;
    }
    if (tmk_job_agree_all(job, fine ? 0 : -ENOMEM) != 0 || queue == NULL) {
        if (queue != NULL) {
            free(queue->item);
            free(queue->buffer);
            free(queue);
        }
        return NULL;
    }
    queue->wait = job->wait;
    queue->wait.comm = tmk_wait_dup_all(job->comm);
    tmk_stop_init(&queue->stop, queue->wait.comm);
    return queue;
}

void tmk_queue_free_all(struct tmk_queue *queue)
{
    if (queue == NULL) {
        return;
    }
    tmk_stop_fini_all(&queue->stop);
    MPI_Comm_free(&queue->wait.comm);
    tmk_deque_fini(&queue->deque);
    free(queue->item);
    free(queue->buffer);
    free(queue);
}

int tmk_queue_push(struct tmk_queue *queue, const void *item, size_t bytes)
{
    if (bytes > TMK_QUEUE_ITEM_MAX) {
        return -EMSGSIZE;
    }
    return queue->stopping ? 0 : tmk_deque_push(&queue->deque, item, bytes);
}

/*
 * Messages out.
 */

/* The first byte and the rest; 0 or -ENOMEM. */
static int send_letter(struct tmk_queue *queue, int to, char kind,
                       const void *bytes, size_t n)
{
    struct letter *letter = malloc(sizeof(*letter) + 1 + n);

    if (letter == NULL) {
        return -ENOMEM;
    }
    letter->bytes[0] = kind;
    if (n != 0) {
        memcpy(letter->bytes + 1, bytes, n);
    }
    MPI_Isend(letter->bytes, (int)n + 1, MPI_BYTE, to, TAG_WORD,
              queue->wait.comm, &letter->request);
    letter->next = queue->letters;
    queue->letters = letter;
    return 0;
}

/* Release the letters that have arrived. */
static void forget_letters(struct tmk_queue *queue)
{
    struct letter **at = &queue->letters;

    while (*at != NULL) {
        struct letter *letter = *at;
        int done = 0;

        MPI_Test(&letter->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            *at = letter->next;
            free(letter);
        } else {
            at = &letter->next;
        }
    }
}

int tmk_queue_tell(struct tmk_queue *queue, int rank, const void *note,
                   size_t bytes)
{
    int err = bytes > TMK_QUEUE_NOTE_MAX ? -EMSGSIZE : 0;

    if (err == 0) {
        err = send_letter(queue, rank, NOTE, note, bytes);
    }
    queue->sent += err == 0;
    return err;
}

/* The oldest half of the items, as many as a gift holds, to the buffer; the
 * bytes of it. */
static size_t pack(struct tmk_queue *queue, size_t *packed)
{
    struct tmk_deque copy = queue->deque; /* its ends, not its bytes */
    /* Who has nothing at hand needs one himself. */
    size_t most = (copy.count + queue->at_work) / 2;
    size_t used = 0;
    size_t n = 0;

    while (n < most) {
        size_t bytes = 0;
        const void *item = tmk_deque_oldest(&copy, &bytes);
        uint32_t length = (uint32_t)bytes;

        if (used + LENGTH + bytes > GIFT_MAX - 1) {
            break;
        }
        memcpy(queue->buffer + used, &length, LENGTH);
        memcpy(queue->buffer + used + LENGTH, item, bytes);
        used += LENGTH + bytes;
        n++;
        tmk_deque_drop_oldest(&copy);
    }
    *packed = n;
    return used;
}

static void give(struct tmk_queue *queue, int to)
{
    size_t n = 0;
    size_t bytes;

    queue->traffic.asked_by_others++;
    if (queue->deque.count == 0 && queue->at_work && !queue->stopping &&
        queue->ops->split != NULL) {
        queue->ops->split(queue->user, queue);
    }
    bytes = queue->stopping ? 0 : pack(queue, &n);
    if (send_letter(queue, to, GIFT, queue->buffer, bytes) == 0) {
        queue->sent += n != 0;
        queue->traffic.items_given += n;
        for (; n != 0; n--) {
            tmk_deque_drop_oldest(&queue->deque);
        }
        return;
    }
    /* No memory: they must hear all the same, and one byte does not block. */
    MPI_Send(&(char){GIFT}, 1, MPI_BYTE, to, TAG_WORD, queue->wait.comm);
}

/*
 * Messages in.
 */

static uint64_t longer(uint64_t ns)
{
    return 2 * ns < NAP_MOST_NS ? 2 * ns : NAP_MOST_NS;
}

static void take_gift(struct tmk_queue *queue, int from, size_t bytes)
{
    const char *at = queue->buffer + 1;
    const char *end = queue->buffer + bytes;

    assert(queue->asked == from);
    queue->asked = -1;
    if (at == end) { /* refused */
        queue->feeder = -1;
        queue->near = !queue->near;
        queue->ask_ns = tmk_clock_ns() + queue->back_off_ns;
        queue->back_off_ns = longer(queue->back_off_ns);
        return;
    }
    queue->received++;
    queue->feeder = from;
    queue->back_off_ns = NAP_LEAST_NS;
    while (at < end) {
        uint32_t length;

        memcpy(&length, at, LENGTH);
        queue->traffic.items_taken++;
        if (tmk_queue_push(queue, at + LENGTH, length) != 0) {
            queue->lost++;
        }
        at += LENGTH + length;
    }
}

/* Whether a message came; it is dealt with. */
static bool receive(struct tmk_queue *queue)
{
    MPI_Status status;
    int came = 0;
    int bytes;

    MPI_Iprobe(MPI_ANY_SOURCE, TAG_WORD, queue->wait.comm, &came, &status);
    if (!came) {
        return false;
    }
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    assert(bytes > 0 && bytes <= GIFT_MAX);
    MPI_Recv(queue->buffer, bytes, MPI_BYTE, status.MPI_SOURCE, TAG_WORD,
             queue->wait.comm, MPI_STATUS_IGNORE);
    switch (queue->buffer[0]) {
    case ASK: give(queue, status.MPI_SOURCE); break;
    case GIFT: take_gift(queue, status.MPI_SOURCE, (size_t)bytes); break;
    default:
        queue->received++;
        queue->ops->told(queue->user, queue, queue->buffer + 1,
                         (size_t)bytes - 1);
        break;
    }
    return true;
}

/* Signals, the word to stop, messages. */
static bool attend(struct tmk_queue *queue)
{
    bool something = false;

    if (tmk_job_signal() != 0) {
        tmk_stop_raise(&queue->stop, TMK_STOP_SIGNAL);
    }
    if (tmk_stop_poll(&queue->stop) != TMK_STOP_NONE && !queue->stopping) {
        queue->stopping = true;
        tmk_deque_fini(&queue->deque);
    }
    if (queue->job->size > 1) {
        while (receive(queue)) {
            something = true;
        }
        forget_letters(queue);
    }
    return something;
}

bool tmk_queue_poll(struct tmk_queue *queue)
{
    uint64_t now = tmk_clock_ns();

    if (now >= queue->poll_ns) {
        (void)attend(queue);
        queue->poll_ns = now + POLL_NS;
    }
    return !queue->stopping;
}

void tmk_queue_stop(struct tmk_queue *queue)
{
    tmk_stop_raise(&queue->stop, TMK_STOP_SIGNAL);
    queue->poll_ns = 0;
}

/*
 * Being idle.
 */

/* xorshift: who is asked need not be hard to guess. */
static uint64_t draw(struct tmk_queue *queue, uint64_t below)
{
    queue->random ^= queue->random << 13;
    queue->random ^= queue->random >> 7;
    queue->random ^= queue->random << 17;
    return queue->random % below;
}

/* Who gave last, or another rank of this node, or any; never this one. */
static int choose(struct tmk_queue *queue)
{
    const struct tmk_layout *layout = &queue->job->layout;
    uint32_t ranks = (uint32_t)queue->job->size;
    uint32_t here = (uint32_t)queue->job->rank;
    uint32_t other;

    if (queue->feeder >= 0) {
        return queue->feeder;
    }
    if (queue->near && layout->ranks_on_node > 1) {
        /* Ranks of a node are side by side in the ring of nodes. */
        uint32_t n = (uint32_t)layout->ranks_on_node;
        uint32_t step = 1 + (uint32_t)draw(queue, 2 * n - 1);

        other = layout->map
                    .at[(layout->map.place[here] + ranks - n + step) % ranks];
        if (other != here && layout->map.node[other] == layout->node) {
            return (int)other;
        }
    }
    other = (uint32_t)draw(queue, ranks - 1);
    return (int)(other + (other >= here));
}

static bool ask(struct tmk_queue *queue)
{
    if (queue->asked >= 0 || queue->stopping ||
        tmk_clock_ns() < queue->ask_ns) {
        return false;
    }
    tmk_wait_finish(1, &queue->asking); /* it was answered */
    queue->asked = choose(queue);
    queue->question = ASK;
    queue->traffic.asked++;
    MPI_Isend(&queue->question, 1, MPI_BYTE, queue->asked, TAG_WORD,
              queue->wait.comm, &queue->asking);
    return true;
}

/* Whether it is over, on all ranks; joins the next round of counting. */
static bool ended(struct tmk_queue *queue, const uint64_t *sums, size_t n)
{
    uint64_t *words = queue->words;
    int done = 0;

    if (!queue->reducing && queue->asked < 0) {
        words[SENT] = queue->sent;
        words[RECEIVED] = queue->received;
        words[STOPPED] = queue->stopping;
        words[LOST] = queue->lost;
        if (n != 0) {
            memcpy(words + OWN_WORDS, sums, n * sizeof(*sums));
        }
        MPI_Iallreduce(MPI_IN_PLACE, words, (int)(OWN_WORDS + n), MPI_UINT64_T,
                       MPI_SUM, queue->wait.comm, &queue->reduction);
        queue->reducing = true;
        queue->traffic.rounds++;
    }
    if (!queue->reducing) {
        return false;
    }
    MPI_Test(&queue->reduction, &done, MPI_STATUS_IGNORE);
    if (!done) {
        return false;
    }
    queue->reducing = false;
    if (words[SENT] == words[RECEIVED] && words[SENT] == queue->last[SENT] &&
        words[RECEIVED] == queue->last[RECEIVED]) {
        return true;
    }
    memcpy(queue->last, words, sizeof(queue->last));
    return false;
}

/* Give the core away: by the turn at first, where ranks have a core each, else
 * and after PATIENT_NS in sleep. */
static void nap(const struct tmk_queue *queue, uint64_t began_ns,
                uint64_t *nap_ns)
{
    if (!queue->job->layout.yields && tmk_clock_ns() - began_ns < PATIENT_NS) {
        sched_yield();
        return;
    }
    nanosleep(&(struct timespec){.tv_nsec = (long)*nap_ns}, NULL);
    *nap_ns = longer(*nap_ns);
}

/* Until there is something to do, false; or the end has come, true. */
static bool idle(struct tmk_queue *queue, const uint64_t *sums, size_t n)
{
    const uint64_t began_ns = tmk_clock_ns();
    uint64_t nap_ns = NAP_LEAST_NS;

    for (;;) {
        bool moved = attend(queue);

        if (queue->deque.count != 0) {
            queue->traffic.idle_ns += tmk_clock_ns() - began_ns;
            return false;
        }
        if (ended(queue, sums, n)) {
            queue->traffic.idle_ns += tmk_clock_ns() - began_ns;
            return true;
        }
        moved = ask(queue) || moved;
        if (moved) {
            nap_ns = NAP_LEAST_NS;
        }
        if (queue->ops->idle != NULL) {
            queue->ops->idle(queue->user);
        }
        nap(queue, began_ns, &nap_ns);
    }
}

/* After the end: answer late questions until no rank has one. */
static void part_all(struct tmk_queue *queue)
{
    const uint64_t began_ns = tmk_clock_ns();
    uint64_t nap_ns = NAP_LEAST_NS;
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool joined = false;
    int done = 0;

    while (!done) {
        (void)attend(queue);
        if (!joined && queue->asked < 0) {
            MPI_Ibarrier(queue->wait.comm, &barrier);
            joined = true;
        }
        if (joined) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        }
        if (!done) {
            nap(queue, began_ns, &nap_ns);
        }
    }
    tmk_wait_finish(1, &queue->asking);
    while (queue->letters != NULL) {
        tmk_wait_finish(1, &queue->letters->request);
        forget_letters(queue);
    }
}

static void work(struct tmk_queue *queue)
{
    const void *newest;
    size_t bytes;

    while (!queue->stopping) {
        newest = tmk_deque_newest(&queue->deque, &bytes);
        if (newest == NULL) {
            return;
        }
        memcpy(queue->item, newest, bytes);
        tmk_deque_drop_newest(&queue->deque);
        queue->at_work = true;
        (void)tmk_queue_poll(queue);
        if (!queue->stopping) {
            queue->ops->work(queue->user, queue, queue->item, bytes);
        }
        queue->at_work = false;
    }
}

/* A run begins as the first one did. */
static void reset(struct tmk_queue *queue)
{
    queue->stopping = false;
    queue->poll_ns = 0;
    queue->asked = -1;
    queue->feeder = -1;
    queue->ask_ns = 0;
    queue->back_off_ns = NAP_LEAST_NS;
    queue->sent = 0;
    queue->received = 0;
    queue->lost = 0;
    queue->traffic = (struct tmk_queue_traffic){0};
    queue->last[SENT] = UINT64_MAX;
    queue->last[RECEIVED] = UINT64_MAX;
}

struct tmk_queue_traffic tmk_queue_traffic(const struct tmk_queue *queue)
{
    return queue->traffic;
}

void tmk_queue_run_all(struct tmk_queue *queue, uint64_t *sums, size_t n,
                       struct tmk_queue_end *end)
{
    assert(n <= TMK_QUEUE_SUMS_MAX);
    reset(queue);
    tmk_stop_begin(&queue->stop);
    if (queue->job->size == 1) {
        work(queue);
        *end = (struct tmk_queue_end){.stopped = queue->stopping};
        return;
    }
    /* Nobody is told of a run that he has not begun. */
    tmk_wait_barrier_all(&queue->wait);
    do {
        work(queue);
    } while (!idle(queue, sums, n));
    part_all(queue);
    if (n != 0) {
        memcpy(sums, queue->words + OWN_WORDS, n * sizeof(*sums));
    }
    *end = (struct tmk_queue_end){
        .stopped = queue->words[STOPPED] != 0,
        .lost = queue->words[LOST],
        .messages = queue->words[SENT],
    };
}
