#include "mpi/ranks.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/mix.h"
#include "run/clock.h"
#include "run/queue.h"

/* A tree of work: item i of `items` has the items below it as children whose
 * number, scrambled, says so. */
enum { ITEMS = 3000 };

enum { DONE, ERRORS, BYTES, SUMS };

struct work {
    struct tmk_job job;
    struct tmk_queue *queue;
    uint64_t sums[SUMS];
    uint8_t seen[ITEMS];
    uint64_t seed;
    uint64_t sleep_ns;   /* for each item; 0 = none */
    uint64_t stop_after; /* items done here; 0 = never */
    /* of a flat piece of work: numbers from ... to - 1 are at hand */
    uint64_t from, to;
    uint64_t splits, told, told_sum;
};

/* The item above item k > 0: any of those before it. */
static uint64_t parent(const struct work *w, uint64_t k)
{
    return k != 0 ? tmk_mix(w->seed + k) % k : 0;
}

struct item {
    uint64_t number, to; /* of a flat piece: numbers to `to` - 1 */
    char padding[200];
};

static void push(struct work *w, uint64_t number, uint64_t to)
{
    struct item item = {.number = number, .to = to};

    /* Items of several lengths. */
    assert_int_equal(
        tmk_queue_push(w->queue, &item, sizeof(item) - number % 200), 0);
}

static void spend(uint64_t ns)
{
    if (ns != 0) {
        nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
    }
}

static void do_one(struct work *w, uint64_t number)
{
    assert_true(number < ITEMS);
    w->seen[number]++;
    w->sums[DONE]++;
    w->sums[ERRORS] += number % 7 == 0;
    spend(w->sleep_ns);
    if (w->stop_after != 0 && w->sums[DONE] >= w->stop_after) {
        tmk_queue_stop(w->queue);
    }
}

static void do_item(void *user, struct tmk_queue *queue, const void *bytes,
                    size_t n)
{
    struct work *w = user;
    struct item item = {0};

    memcpy(&item, bytes, n);
    assert_int_equal(n, sizeof(item) - item.number % 200);
    w->sums[BYTES] += n;
    if (item.to != 0) {
        for (w->from = item.number, w->to = item.to; w->from < w->to;) {
            do_one(w, w->from++);
            if (!tmk_queue_poll(queue)) {
                break;
            }
        }
        w->from = w->to = 0;
        return;
    }
    do_one(w, item.number);
    for (uint64_t k = item.number + 1; k < ITEMS; k++) {
        if (parent(w, k) == item.number) {
            push(w, k, 0);
        }
        if (k % 64 == 0 && !tmk_queue_poll(queue)) {
            return;
        }
    }
}

static void split(void *user, struct tmk_queue *queue)
{
    struct work *w = user;
    uint64_t middle = w->to - (w->to - w->from) / 2;

    (void)queue;
    if (middle < w->to) {
        push(w, middle, w->to);
        w->to = middle;
        w->splits++;
    }
}

static void told(void *user, struct tmk_queue *queue, const void *note,
                 size_t bytes)
{
    struct work *w = user;
    uint64_t number;

    (void)queue;
    assert_int_equal(bytes, sizeof(number));
    memcpy(&number, note, sizeof(number));
    w->told++;
    w->told_sum += number;
}

static const struct tmk_queue_ops ops = {
    .work = do_item,
    .split = split,
    .told = told,
};

static struct work *begin_all(void)
{
    struct work *w = calloc(1, sizeof(*w));

    assert_non_null(w);
    assert_int_equal(
        tmk_job_init_all(&w->job, MPI_COMM_WORLD, "test", stdout, stderr), 0);
    w->queue = tmk_queue_new_all(&w->job, &ops, w);
    assert_non_null(w->queue);
    return w;
}

static void end_all(struct work *w)
{
    int came = 0;

    tmk_queue_free_all(w->queue);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->job.comm, &came,
               MPI_STATUS_IGNORE);
    assert_false(came);
    tmk_job_fini_all(&w->job);
    free(w);
}

static struct tmk_queue_end run_all(struct work *w)
{
    struct tmk_queue_end end = {0};

    tmk_queue_run_all(w->queue, w->sums, SUMS, &end);
    return end;
}

/* Each of the first `n` items was done once, on some rank, and no other. */
static void check_once_all(struct work *w, uint64_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, w->seen, ITEMS, MPI_UINT8_T, MPI_SUM,
                  MPI_COMM_WORLD);
    for (uint64_t i = 0; i < ITEMS; i++) {
        assert_int_equal(w->seen[i], i < n);
    }
    assert_int_equal(w->sums[DONE], n);
    assert_int_equal(w->sums[ERRORS], (n + 6) / 7);
    memset(w->seen, 0, sizeof(w->seen));
    memset(w->sums, 0, sizeof(w->sums));
}

static void nothing_to_do_ends(void **state)
{
    struct work *w = begin_all();
    struct tmk_queue_end end = run_all(w);

    (void)state;
    assert_false(end.stopped);
    assert_int_equal(end.lost, 0);
    assert_int_equal(end.messages, 0);
    check_once_all(w, 0);
    end_all(w);
}

static void each_item_of_a_random_tree_is_done_once(void **state)
{
    struct work *w = begin_all();

    (void)state;
    for (w->seed = 1; w->seed < 4; w->seed++) {
        if (w->job.rank == (int)(w->seed % (uint64_t)w->job.size)) {
            push(w, 0, 0);
        }
        assert_false(run_all(w).stopped);
        check_once_all(w, ITEMS);
    }
    end_all(w);
}

static void work_may_begin_on_every_rank(void **state)
{
    struct work *w = begin_all();
    uint64_t size = (uint64_t)w->job.size;

    (void)state;
    for (uint64_t i = (uint64_t)w->job.rank; i < 1000; i += size) {
        push(w, i, i + 1);
    }
    assert_false(run_all(w).stopped);
    check_once_all(w, 1000);
    end_all(w);
}

static void one_piece_of_work_is_split_among_all(void **state)
{
    struct work *w = begin_all();
    uint64_t mine;
    uint64_t least;

    (void)state;
    w->sleep_ns = 200000;
    if (w->job.rank == 0) {
        push(w, 0, 800);
    }
    assert_false(run_all(w).stopped);
    mine = 0;
    for (int i = 0; i < ITEMS; i++) {
        mine += w->seen[i];
    }
    MPI_Allreduce(&mine, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    assert_true(least >= (uint64_t)(800 / w->job.size / 4));
    if (w->job.size > 1 && w->job.rank == 0) {
        assert_true(w->splits > 0);
    }
    check_once_all(w, 800);
    end_all(w);
}

static void ranks_without_work_leave_the_cores_alone(void **state)
{
    struct work *w = begin_all();
    struct timespec before;
    struct timespec after;
    uint64_t start = tmk_clock_ns();
    uint64_t took;
    int64_t busy;

    (void)state;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    if (w->job.rank == 0) { /* one item, which nobody can share */
        w->sleep_ns = 400000000;
        push(w, 0, 1);
    }
    (void)run_all(w);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    took = tmk_clock_ns() - start;
    busy = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec -
           before.tv_nsec;
    assert_true(took >= 400000000);
    assert_true(busy < 200000000);
    end_all(w);
}

static void the_word_to_stop_is_heard_by_all(void **state)
{
    struct work *w = begin_all();
    struct tmk_queue_end end;

    (void)state;
    w->sleep_ns = 100000;
    w->stop_after = w->job.rank == w->job.size - 1 ? 20 : 0;
    for (uint64_t i = 0; i < ITEMS; i += 10) { /* the same on all ranks */
        push(w, i, i + 10);
    }
    end = run_all(w);
    assert_true(end.stopped);
    assert_true(w->sums[DONE] >= 20);
    assert_true(w->sums[DONE] < ITEMS * (uint64_t)w->job.size / 2);
    assert_int_equal(tmk_queue_push(w->queue, "x", 1), 0); /* dropped */
    w->stop_after = 0;
    w->sleep_ns = 0;
    memset(w->seen, 0, sizeof(w->seen));
    memset(w->sums, 0, sizeof(w->sums));
    tmk_wait_barrier_all(&w->job.wait);
    end = run_all(w);
    assert_false(end.stopped);
    check_once_all(w, 0);
    end_all(w);
}

static void a_signal_stops_all(void **state)
{
    struct work *w = begin_all();
    struct tmk_queue_end end;

    (void)state;
    w->sleep_ns = 1000000;
    if (w->job.rank == 0) {
        push(w, 0, ITEMS);
        raise(SIGTERM);
    }
    end = run_all(w);
    assert_true(end.stopped);
    assert_true(w->sums[DONE] < ITEMS);
    end_all(w);
}

static void two_queues_follow_each_other_on_a_communicator(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct work *w = begin_all();
        struct tmk_queue *second = tmk_queue_new_all(&w->job, &ops, w);

        if (w->job.rank == 0) {
            push(w, 0, 300);
        }
        (void)run_all(w);
        check_once_all(w, 300);
        tmk_queue_free_all(w->queue);
        w->queue = second;
        w->seed = 7;
        if (w->job.rank == w->job.size - 1) {
            push(w, 0, 0);
        }
        (void)run_all(w);
        check_once_all(w, ITEMS);
        end_all(w);
    }
}

static void tell_others(void *user, struct tmk_queue *queue, const void *bytes,
                        size_t n)
{
    struct work *w = user;
    uint64_t number;

    assert_int_equal(n, sizeof(number));
    memcpy(&number, bytes, sizeof(number));
    for (int to = 0; to < w->job.size; to++) {
        if (to != w->job.rank) {
            assert_int_equal(tmk_queue_tell(queue, to, &number, sizeof(number)),
                             0);
        }
    }
}

static void every_note_arrives_before_the_end(void **state)
{
    const struct tmk_queue_ops telling = {.work = tell_others, .told = told};
    struct work *w = begin_all();
    struct tmk_queue *queue = tmk_queue_new_all(&w->job, &telling, w);
    struct tmk_queue_end end;
    uint64_t sums[2];
    uint64_t others = (uint64_t)w->job.size - 1;

    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        assert_int_equal(tmk_queue_push(queue, &i, sizeof(i)), 0);
    }
    tmk_queue_run_all(queue, NULL, 0, &end);
    sums[0] = w->told;
    sums[1] = w->told_sum;
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(sums[0], others * 500 * (others + 1));
    assert_int_equal(sums[1], others * (499 * 500 / 2) * (others + 1));
    assert_true(end.messages >= sums[0]);
    tmk_queue_free_all(queue);
    end_all(w);
}

static void what_is_too_long_is_refused(void **state)
{
    static char item[TMK_QUEUE_ITEM_MAX + 1];
    struct work *w = begin_all();

    (void)state;
    assert_int_equal(tmk_queue_push(w->queue, item, sizeof(item)), -EMSGSIZE);
    assert_int_equal(tmk_queue_tell(w->queue, 0, item, TMK_QUEUE_NOTE_MAX + 1),
                     -EMSGSIZE);
    end_all(w);
}

/* Items as long as may be, more of them than a gift holds. */
static void count_long(void *user, struct tmk_queue *queue, const void *bytes,
                       size_t n)
{
    struct work *w = user;
    const unsigned char *item = bytes;

    assert_int_equal(n, TMK_QUEUE_ITEM_MAX);
    w->seen[item[0]]++;
    for (size_t i = 1; i < n; i++) {
        assert_int_equal(item[i], item[0]);
    }
    w->sums[DONE]++;
    w->sums[ERRORS] += item[0] % 7 == 0;
    spend(2000000);
    (void)tmk_queue_poll(queue);
}

static void long_items_arrive_whole(void **state)
{
    static unsigned char item[TMK_QUEUE_ITEM_MAX];
    const struct tmk_queue_ops counting = {.work = count_long};
    struct work *w = begin_all();
    struct tmk_queue *queue = tmk_queue_new_all(&w->job, &counting, w);
    struct tmk_queue_end end;

    (void)state;
    for (int i = 0; w->job.rank == 0 && i < 60; i++) {
        memset(item, i, sizeof(item));
        assert_int_equal(tmk_queue_push(queue, item, sizeof(item)), 0);
    }
    tmk_queue_run_all(queue, w->sums, SUMS, &end);
    check_once_all(w, 60);
    tmk_queue_free_all(queue);
    end_all(w);
}

static void many_short_runs_end(void **state)
{
    struct work *w = begin_all();

    (void)state;
    for (uint64_t i = 0; i < 200 / (uint64_t)w->job.size; i++) {
        if (tmk_mix(i) % (uint64_t)w->job.size == (uint64_t)w->job.rank) {
            push(w, 0, 1 + i % 3);
        }
        assert_false(run_all(w).stopped);
        check_once_all(w, 1 + i % 3);
    }
    end_all(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do_ends),
        cmocka_unit_test(each_item_of_a_random_tree_is_done_once),
        cmocka_unit_test(work_may_begin_on_every_rank),
        cmocka_unit_test(one_piece_of_work_is_split_among_all),
        cmocka_unit_test(ranks_without_work_leave_the_cores_alone),
        cmocka_unit_test(the_word_to_stop_is_heard_by_all),
        cmocka_unit_test(two_queues_follow_each_other_on_a_communicator),
        cmocka_unit_test(every_note_arrives_before_the_end),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(long_items_arrive_whole),
        cmocka_unit_test(many_short_runs_end),
        /* the last: a signal is never forgotten */
        cmocka_unit_test(a_signal_stops_all),
    };

    ranks_begin();
    tmk_job_catch_signals();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
