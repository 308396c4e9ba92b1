#include "mpi/ranks.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "run/clock.h"
#include "run/wait.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { NAP_NS = 5000000, MANY = 5000 };

static const bool modes[] = {false, true};

static void nap(uint64_t ns)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

static struct tmk_wait waiting(bool yields)
{
    return (struct tmk_wait){.comm = MPI_COMM_WORLD, .yields = yields};
}

/* Nobody leaves before the last one came; all clocks are of one machine. */
static void check_order(uint64_t came_ns, uint64_t left_ns)
{
    uint64_t last_came;
    uint64_t first_left;

    MPI_Allreduce(&came_ns, &last_came, 1, MPI_UINT64_T, MPI_MAX,
                  MPI_COMM_WORLD);
    MPI_Allreduce(&left_ns, &first_left, 1, MPI_UINT64_T, MPI_MIN,
                  MPI_COMM_WORLD);
    assert_true(first_left >= last_came);
}

static void nobody_leaves_a_barrier_before_the_last_one_came(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);

        for (int late = 0; late < ranks_size(); late++) {
            uint64_t came;

            if (ranks_rank() == late) {
                nap(NAP_NS);
            }
            came = tmk_clock_ns();
            tmk_wait_barrier_all(&w);
            check_order(came, tmk_clock_ns());
        }
    }
}

/* The first call tells rank 0, which comes last and waits for that. */
static void tell(void *arg)
{
    int *calls = arg;

    if ((*calls)++ == 0) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
}

/* Rank 0 waits here until all others are waiting in a polled collective. */
static void come_last(void)
{
    for (int r = 1; ranks_rank() == 0 && r < ranks_size(); r++) {
        MPI_Recv(NULL, 0, MPI_INT, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void a_polling_barrier_calls_back_while_it_waits(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        int calls = 0;
        uint64_t came;

        come_last();
        came = tmk_clock_ns();
        tmk_wait_barrier_poll_all(&w, ranks_rank() == 0 ? NULL : tell, &calls);
        check_order(came, tmk_clock_ns());
        assert_true(ranks_rank() == 0 || calls > 0);
    }
}

static void what_rank_0_says_is_heard_by_those_who_poll(void **state)
{
    static const int sizes[] = {1, 17, MANY * 8, 0};
    static unsigned char buf[MANY * 8];

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);

        for (size_t i = 0; i < COUNT(sizes); i++) {
            int calls = 0;

            memset(buf, ranks_rank() == 0 ? (int)i + 7 : 0, sizeof(buf));
            come_last();
            tmk_wait_bcast_poll_all(&w, buf, sizes[i],
                                    ranks_rank() == 0 ? NULL : tell, &calls);
            if (ranks_rank() != 0 && calls == 0) {
                tell(&calls); /* nothing was to be waited for */
            }
            for (int k = 0; k < sizes[i]; k++) {
                assert_int_equal(buf[k], i + 7);
            }
            assert_int_equal(buf[sizeof(buf) - 1],
                             ranks_rank() == 0 || sizes[i] == MANY * 8 ? i + 7
                                                                       : 0);
        }
    }
}

static void those_who_poll_find_the_maxima_of_all(void **state)
{
    static uint64_t values[MANY];
    uint64_t last = (uint64_t)ranks_size() - 1;

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        uint64_t one = INT64_MAX - (uint64_t)ranks_rank();
        int calls = 0;
        uint64_t came;

        for (uint64_t i = 0; i < MANY; i++) {
            /* each rank is the first in some */
            values[i] = (i + (uint64_t)ranks_rank()) % (last + 1);
        }
        come_last();
        came = tmk_clock_ns();
        tmk_wait_max_poll_all(&w, values, MANY, ranks_rank() == 0 ? NULL : tell,
                              &calls);
        check_order(came, tmk_clock_ns());
        assert_true(ranks_rank() == 0 || calls > 0);
        for (uint64_t i = 0; i < MANY; i++) {
            assert_int_equal(values[i], last);
        }
        tmk_wait_max_poll_all(&w, &one, 1, NULL, NULL);
        assert_int_equal(one, INT64_MAX);
    }
}

static uint64_t cpu_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void a_sleeping_barrier_holds_and_leaves_the_cores_alone(void **state)
{
    const uint64_t long_ns = 300000000;

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        uint64_t came;
        uint64_t used;

        if (ranks_rank() == 0) {
            nap(long_ns);
        }
        used = cpu_ns();
        came = tmk_clock_ns();
        tmk_wait_barrier_sleep_all(&w);
        check_order(came, tmk_clock_ns());
        assert_true(cpu_ns() - used < long_ns / 2);
    }
}

static void a_message_is_waited_for_asleep(void **state)
{
    const uint64_t long_ns = 200000000;
    const struct tmk_wait w = waiting(true);
    const int tag = 5;

    (void)state;
    MPI_Barrier(MPI_COMM_WORLD);
    if (ranks_rank() == 0) {
        nap(long_ns);
        for (int i = 1; i < ranks_size(); i++) {
            int value = 1000 + i;

            MPI_Send(&value, 1, MPI_INT, i, tag, MPI_COMM_WORLD);
        }
    } else {
        const uint64_t used = cpu_ns();
        int value = 0;

        tmk_wait_receive_sleep(&w, &value, (int)sizeof(value), 0, tag);
        assert_int_equal(value, 1000 + ranks_rank());
        assert_true(cpu_ns() - used < long_ns / 2);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All ranks, turned round. */
static void a_part_has_its_ranks_in_their_order(void **state)
{
    const int size = ranks_size();
    int *ranks = calloc((size_t)size, sizeof(*ranks));
    MPI_Comm part;
    int rank;

    (void)state;
    assert_non_null(ranks);
    for (int i = 0; i < size; i++) {
        ranks[i] = size - 1 - i;
    }
    part = tmk_wait_part_all(MPI_COMM_WORLD, ranks, size);
    MPI_Comm_rank(part, &rank);
    assert_int_equal(rank, size - 1 - ranks_rank());
    MPI_Comm_free(&part);
    if (ranks_rank() == 0) { /* the others have no part in it */
        part = tmk_wait_part_all(MPI_COMM_WORLD, &(int){0}, 1);
        MPI_Comm_free(&part);
    }
    free(ranks);
}

static void a_reduction_to_all_is_on_every_rank(void **state)
{
    uint64_t p = (uint64_t)ranks_size();

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        uint64_t sums[MANY];
        int top[2] = {ranks_rank(), -ranks_rank()};

        for (uint64_t i = 0; i < MANY; i++) {
            sums[i] = i + (uint64_t)ranks_rank();
        }
        tmk_wait_allreduce_all(&w, sums, MANY, MPI_UINT64_T, MPI_SUM);
        for (uint64_t i = 0; i < MANY; i++) {
            assert_int_equal(sums[i], i * p + p * (p - 1) / 2);
        }
        tmk_wait_allreduce_all(&w, top, 2, MPI_INT, MPI_MAX);
        assert_int_equal(top[0], ranks_size() - 1);
        assert_int_equal(top[1], 0);
    }
}

static void a_reduction_is_on_rank_0(void **state)
{
    uint64_t p = (uint64_t)ranks_size();

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        uint64_t sums[MANY];
        unsigned char bits = (unsigned char)(1u << ranks_rank());

        for (uint64_t i = 0; i < MANY; i++) {
            sums[i] = i + (uint64_t)ranks_rank();
        }
        tmk_wait_reduce_all(&w, sums, MANY, MPI_UINT64_T, MPI_SUM);
        tmk_wait_reduce_all(&w, &bits, 1, MPI_BYTE, MPI_BOR);
        if (ranks_rank() != 0) {
            continue;
        }
        for (uint64_t i = 0; i < MANY; i++) {
            assert_int_equal(sums[i], i * p + p * (p - 1) / 2);
        }
        assert_int_equal(bits, (1u << p) - 1);
    }
}

static void what_rank_0_says_is_heard_by_all(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        char text[16] = "not yet";

        if (ranks_rank() == 0) {
            memcpy(text, "from rank 0", sizeof("from rank 0"));
        }
        tmk_wait_bcast_all(&w, text, (int)sizeof(text), MPI_CHAR);
        assert_string_equal(text, "from rank 0");
    }
}

static void what_is_gathered_lies_in_rank_order(void **state)
{
    enum { RANKS_MAX = 64 };

    (void)state;
    assert_true(ranks_size() <= RANKS_MAX);
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);
        uint64_t mine[2] = {(uint64_t)ranks_rank(), ~(uint64_t)ranks_rank()};
        uint64_t all[RANKS_MAX][2] = {{0}};

        tmk_wait_gather_all(&w, mine, ranks_rank() == 0 ? all : NULL,
                            (int)sizeof(mine));
        for (uint64_t r = 0; ranks_rank() == 0 && r < (uint64_t)ranks_size();
             r++) {
            assert_int_equal(all[r][0], r);
            assert_int_equal(all[r][1], ~r);
        }
    }
}

/* Around the ring, past every stride; also to oneself. */
static void buffers_are_exchanged_with_any_two_ranks(void **state)
{
    enum { BYTES = 100000 };
    int p = ranks_size();
    unsigned char send[BYTES];
    unsigned char got[BYTES];

    (void)state;
    for (size_t m = 0; m < COUNT(modes); m++) {
        struct tmk_wait w = waiting(modes[m]);

        for (int stride = 0; stride <= p; stride++) {
            int to = (ranks_rank() + stride) % p;
            int from = (ranks_rank() + p - stride) % p;
            unsigned char want = (unsigned char)(from + stride);

            memset(send, ranks_rank() + stride, BYTES);
            memset(got, 0xff, BYTES);
            tmk_wait_exchange(&w, send, to, got, from, BYTES);
            for (int i = 0; i < BYTES; i++) {
                assert_int_equal(got[i], want);
            }
            tmk_wait_exchange(&w, send, to, got, from, 0);
            assert_int_equal(got[0], want);
        }
    }
}

static void requests_are_waited_for_in_any_order(void **state)
{
    int p = ranks_size();
    int next = (ranks_rank() + 1) % p;
    int before = (ranks_rank() + p - 1) % p;
    int sent[2] = {ranks_rank(), ranks_rank() + 100};
    int got[2] = {-1, -1};
    MPI_Request requests[5] = {[4] = MPI_REQUEST_NULL};

    (void)state;
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&got[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Isend(&sent[1 - i], 1, MPI_INT, next, 1 - i, MPI_COMM_WORLD,
                  &requests[2 + i]);
    }
    tmk_wait_finish(5, requests);
    assert_int_equal(got[0], before);
    assert_int_equal(got[1], before + 100);
    for (int i = 0; i < 5; i++) {
        assert_true(requests[i] == MPI_REQUEST_NULL);
    }
    tmk_wait_finish(0, NULL);
}

static volatile sig_atomic_t caught;

static void catch (int number)
{
    caught = number;
}

enum { SIGNALS = 65 };

/* The handlers of real-time signals. */
static void get_handlers(struct sigaction *actions)
{
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        assert_in_range(number, 1, SIGNALS - 1);
        assert_int_equal(sigaction(number, NULL, &actions[number]), 0);
    }
}

static void check_handlers(const struct sigaction *before)
{
    struct sigaction now[SIGNALS];

    get_handlers(now);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        assert_true(now[number].sa_handler == before[number].sa_handler);
    }
}

/* Not all of them can be set under valgrind. */
static void set_handlers(int last, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    for (int number = SIGRTMIN; number <= last; number++) {
        (void)sigaction(number, &action, NULL);
    }
}

/* The others wait for rank 0. */
static void split_late(void)
{
    MPI_Comm part;
    int color = ranks_rank() % 2;
    int at[2] = {-1, -1};
    int want[2] = {ranks_rank() / 2, (ranks_size() + 1 - color) / 2};

    if (ranks_rank() == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    part = tmk_wait_split_all(MPI_COMM_WORLD, color, ranks_rank());
    MPI_Comm_rank(part, &at[0]);
    MPI_Comm_size(part, &at[1]);
    assert_memory_equal(at, want, sizeof(at));
    MPI_Comm_free(&part);
    assert_true(tmk_wait_split_all(MPI_COMM_WORLD, MPI_UNDEFINED, 0) ==
                MPI_COMM_NULL);
}

/* With the signal that is borrowed blocked, or not. */
static void split_and_check(int how)
{
    struct sigaction before[SIGNALS];
    sigset_t borrowed;
    sigset_t mask;

    get_handlers(before);
    sigemptyset(&borrowed);
    sigaddset(&borrowed, SIGRTMIN + 1);
    sigprocmask(how, &borrowed, NULL);
    split_late();
    sigpending(&mask);
    assert_int_equal(sigismember(&mask, SIGRTMIN + 1), 0);
    sigprocmask(SIG_UNBLOCK, &borrowed, &mask);
    assert_int_equal(sigismember(&mask, SIGRTMIN + 1), how == SIG_BLOCK);
    check_handlers(before);
}

static void a_split_leaves_signals_as_it_found_them(void **state)
{
    (void)state;
    caught = 0;
    set_handlers(SIGRTMIN, catch);
    split_and_check(SIG_BLOCK);
    split_and_check(SIG_UNBLOCK);
    set_handlers(SIGRTMAX, catch); /* none is left to borrow */
    split_and_check(SIG_UNBLOCK);
    set_handlers(SIGRTMAX, SIG_DFL);
    assert_int_equal(caught, 0);
}

static void ranks_that_share_memory_are_found(void **state)
{
    MPI_Comm node;
    MPI_Comm want;
    int same;

    (void)state;
    node = tmk_wait_split_node_all(MPI_COMM_WORLD, ranks_rank());
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks_rank(),
                        MPI_INFO_NULL, &want);
    MPI_Comm_compare(node, want, &same);
    assert_int_equal(same, MPI_CONGRUENT);
    MPI_Comm_free(&node);
    MPI_Comm_free(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_leaves_a_barrier_before_the_last_one_came),
        cmocka_unit_test(a_polling_barrier_calls_back_while_it_waits),
        cmocka_unit_test(what_rank_0_says_is_heard_by_those_who_poll),
        cmocka_unit_test(those_who_poll_find_the_maxima_of_all),
        cmocka_unit_test(a_sleeping_barrier_holds_and_leaves_the_cores_alone),
        cmocka_unit_test(a_message_is_waited_for_asleep),
        cmocka_unit_test(a_part_has_its_ranks_in_their_order),
        cmocka_unit_test(a_reduction_to_all_is_on_every_rank),
        cmocka_unit_test(a_reduction_is_on_rank_0),
        cmocka_unit_test(what_rank_0_says_is_heard_by_all),
        cmocka_unit_test(what_is_gathered_lies_in_rank_order),
        cmocka_unit_test(buffers_are_exchanged_with_any_two_ranks),
        cmocka_unit_test(requests_are_waited_for_in_any_order),
        cmocka_unit_test(a_split_leaves_signals_as_it_found_them),
        cmocka_unit_test(ranks_that_share_memory_are_found),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
