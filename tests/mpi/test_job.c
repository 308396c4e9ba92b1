#include "mpi/ranks.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/clock.h"
#include "run/job.h"
#include "run/say.h"

static int init(void **state)
{
    struct tmk_job *job = calloc(1, sizeof(*job));

    *state = job;
    return job != NULL
               ? tmk_job_init_all(job, MPI_COMM_WORLD, "test", stdout, stderr)
               : -1;
}

static int fini(void **state)
{
    struct tmk_job *job = *state;

    tmk_job_fini_all(job);
    tmk_job_fini_all(job); /* again is fine */
    free(job);
    return 0;
}

static void a_job_knows_its_ranks_and_speaks_where_it_was_told(void **state)
{
    const struct tmk_job *job = *state;
    int result;

    assert_int_equal(job->rank, ranks_rank());
    assert_int_equal(job->size, ranks_size());
    assert_string_equal(job->program, "test");
    assert_ptr_equal(job->out, stdout);
    assert_ptr_equal(job->err, stderr);
    assert_int_equal(job->interrupted, 0);
    assert_int_equal(job->warnings->n, 0);
    MPI_Comm_compare(job->comm, MPI_COMM_WORLD, &result);
    assert_int_equal(result, MPI_CONGRUENT);
    assert_true(job->wait.comm == job->comm);
    assert_int_equal(job->wait.yields, job->layout.yields);
    assert_int_equal(job->layout.map.ranks, job->size);
}

/* 8-4-4-4-12 lower-case hexadecimal digits, of a version of RFC 4122. */
static void check_uuid(const char *id)
{
    static const char form[] = "xxxxxxxx-xxxx-Vxxx-Nxxx-xxxxxxxxxxxx";

    assert_int_equal(strlen(id), TMK_JOB_ID_SIZE - 1);
    for (size_t i = 0; form[i] != '\0'; i++) {
        const char *legal = form[i] == 'x'   ? "0123456789abcdef"
                            : form[i] == 'V' ? "12345678"
                            : form[i] == 'N' ? "89ab"
                                             : "-";

        assert_non_null(strchr(legal, id[i]));
    }
}

static void the_run_id_is_one_uuid_on_all_ranks(void **state)
{
    const struct tmk_job *job = *state;
    char of_rank_0[TMK_JOB_ID_SIZE];

    check_uuid(job->id);
    memcpy(of_rank_0, job->id, sizeof(of_rank_0));
    MPI_Bcast(of_rank_0, (int)sizeof(of_rank_0), MPI_CHAR, 0, MPI_COMM_WORLD);
    assert_string_equal(job->id, of_rank_0);
}

static void another_job_has_another_run_id(void **state)
{
    const struct tmk_job *job = *state;
    struct tmk_job other;

    assert_int_equal(
        tmk_job_init_all(&other, MPI_COMM_WORLD, "other", stdout, stderr), 0);
    check_uuid(other.id);
    assert_string_not_equal(other.id, job->id);
    tmk_job_fini_all(&other);
}

static void an_error_of_any_rank_is_everybodys(void **state)
{
    const struct tmk_job *job = *state;

    assert_int_equal(tmk_job_agree_all(job, 0), 0);
    for (int r = 0; r < job->size; r++) {
        assert_int_equal(tmk_job_agree_all(job, job->rank == r ? -ENOSPC : 0),
                         -ENOSPC);
    }
    /* The worst is the smallest. */
    assert_int_equal(tmk_job_agree_all(job, -1 - job->rank), -job->size);
}

static void values_are_added_and_compared_in_64_bits(void **state)
{
    const struct tmk_job *job = *state;
    uint64_t p = (uint64_t)job->size;
    uint64_t rank = (uint64_t)job->rank;

    assert_int_equal(tmk_job_sum_all(job, rank), p * (p - 1) / 2);
    assert_int_equal(tmk_job_sum_all(job, UINT64_C(1) << 60), p << 60);
    assert_int_equal(tmk_job_max_all(job, rank), p - 1);
    assert_int_equal(tmk_job_max_all(job, INT64_MAX - rank), INT64_MAX);
    assert_int_equal(tmk_job_max_all(job, 0), 0);
}

static void a_barrier_is_timed_alike_on_all_ranks(void **state)
{
    struct tmk_job *job = *state;
    uint64_t of_rank_0;

    assert_int_equal(job->barrier_ns, 0);
    tmk_job_time_barrier_all(job);
    assert_true(job->barrier_ns > 0);
    assert_true(job->barrier_ns < 5000000000u);
    of_rank_0 = job->barrier_ns;
    MPI_Bcast(&of_rank_0, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    assert_int_equal(job->barrier_ns, of_rank_0);
}

static void a_sub_job_is_of_the_first_ranks(void **state)
{
    struct tmk_job *job = *state;

    job->verbosity = 2;
    job->barrier_ns = 1234;
    for (int ranks = 1; ranks <= job->size; ranks++) {
        struct tmk_job sub;

        assert_int_equal(tmk_job_sub_all(job, ranks, &sub), 0);
        if (job->rank < ranks) {
            assert_int_equal(sub.size, ranks);
            assert_int_equal(sub.rank, job->rank);
            assert_string_equal(sub.id, job->id);
            assert_string_equal(sub.program, job->program);
            assert_ptr_equal(sub.out, job->out);
            assert_ptr_equal(sub.err, job->err);
            assert_int_equal(sub.verbosity, 2);
            assert_int_equal(sub.barrier_ns, 1234);
            assert_int_equal(sub.layout.map.ranks, ranks);
            assert_int_equal(tmk_job_sum_all(&sub, 1), ranks);
            assert_int_equal(tmk_job_agree_all(&sub, -sub.rank), 1 - ranks);
        } else {
            assert_int_equal(sub.size, 0);
        }
        tmk_job_fini_all(&sub);
        assert_int_equal(sub.size, 0);
        assert_int_equal(tmk_job_sum_all(job, 1), job->size);
    }
    job->verbosity = 0;
}

/* Every second rank, and rank 0; the rest have no part in it. */
static void a_part_is_of_its_ranks_in_their_order(void **state)
{
    struct tmk_job *job = *state;
    int *ranks = calloc((size_t)job->size, sizeof(*ranks));
    int n = 0;
    int own = -1;
    struct tmk_job part;

    assert_non_null(ranks);
    ranks[n++] = 0;
    for (int i = job->size - 1; i > 0; i -= 2) {
        ranks[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        own = ranks[i] == job->rank ? i : own;
    }
    if (own >= 0) {
        struct tmk_owner_map *map = &part.layout.map;

        assert_int_equal(tmk_job_part_all(job, ranks, n, &part), 0);
        assert_int_equal(part.size, n);
        assert_int_equal(part.rank, own);
        assert_string_equal(part.id, job->id);
        assert_int_equal(map->ranks, n);
        for (int i = 0; i < n; i++) { /* on the nodes that they are on */
            for (int k = 0; k < n; k++) {
                assert_int_equal(map->node[i] == map->node[k],
                                 job->layout.map.node[ranks[i]] ==
                                     job->layout.map.node[ranks[k]]);
            }
        }
        assert_int_equal(part.layout.node, map->node[own]);
        assert_int_equal(tmk_job_sum_all(&part, 1), n);
        assert_int_equal(tmk_job_agree_all(&part, -part.rank), 1 - n);
        tmk_job_fini_all(&part);
        assert_int_equal(part.size, 0);
    }
    free(ranks);
}

/* All of them: what is derived is what is found by asking. */
static void a_part_is_laid_out_as_a_job_of_the_same_ranks(void **state)
{
    struct tmk_job *job = *state;
    int *ranks = calloc((size_t)job->size, sizeof(*ranks));

    assert_non_null(ranks);
    for (int i = 0; i < job->size; i++) {
        ranks[i] = i;
    }
    for (int n = 1; n <= job->size; n++) {
        struct tmk_job part;
        struct tmk_job sub;

        assert_int_equal(tmk_job_sub_all(job, n, &sub), 0);
        if (job->rank < n) {
            struct tmk_layout *a = &part.layout;
            struct tmk_layout *b = &sub.layout;

            assert_int_equal(tmk_job_part_all(job, ranks, n, &part), 0);
            assert_int_equal(a->node, b->node);
            assert_int_equal(a->leads_node, b->leads_node);
            assert_int_equal(a->ranks_on_node, b->ranks_on_node);
            assert_int_equal(a->ranks_on_kernel, b->ranks_on_kernel);
            assert_int_equal(a->nodes_on_kernel, b->nodes_on_kernel);
            assert_int_equal(a->yields, b->yields);
            assert_int_equal(a->map.block, b->map.block);
            assert_int_equal(a->map.nodes, b->map.nodes);
            assert_int_equal(a->map.most_ranks, b->map.most_ranks);
            assert_string_equal(a->host, b->host);
            assert_memory_equal(a->map.node, b->map.node,
                                (size_t)n * sizeof(*a->map.node));
            assert_memory_equal(a->map.place, b->map.place,
                                (size_t)n * sizeof(*a->map.place));
            tmk_job_fini_all(&part);
        }
        tmk_job_fini_all(&sub);
    }
    free(ranks);
}

static void an_alarm_is_a_signal_until_it_is_taken_back(void **state)
{
    (void)state;
    tmk_job_alarm(20000000);
    assert_int_equal(tmk_job_signal(), 0);
    tmk_job_sleep(2000000000); /* ends with the alarm */
    assert_int_equal(tmk_job_signal(), SIGALRM);
    tmk_job_alarm(0);
    assert_int_equal(tmk_job_signal(), 0);
    tmk_job_alarm(20000000);
    tmk_job_alarm(0);
    tmk_job_sleep(50000000);
    assert_int_equal(tmk_job_signal(), 0);
}

static void a_sub_job_repeats_no_warning_and_adds_its_own(void **state)
{
    struct tmk_job *job = *state;
    FILE *out = job->out;
    struct tmk_job sub;

    job->out = tmpfile();
    assert_non_null(job->out);
    tmk_say_warning(job, "CODE", "known %s", "before");
    assert_int_equal(tmk_job_sub_all(job, 1, &sub), 0);
    if (job->rank == 0) {
        long said = ftell(job->out);

        assert_int_equal(job->warnings->n, 1);
        tmk_say_warning(&sub, "CODE", "known before");
        assert_int_equal(ftell(job->out), said);
        tmk_say_warning(&sub, "CODE", "new");
        assert_true(ftell(job->out) > said);
        assert_int_equal(job->warnings->n, 2);
        assert_string_equal(job->warnings->list[0].text, "known before");
        assert_string_equal(job->warnings->list[1].code, "CODE");
        assert_string_equal(job->warnings->list[1].text, "new");
    } else {
        assert_int_equal(job->warnings->n, 0);
        assert_int_equal(ftell(job->out), 0);
    }
    tmk_job_fini_all(&sub);
    fclose(job->out);
    job->out = out;
}

static void jobs_come_and_go(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tmk_job job;

        assert_int_equal(
            tmk_job_init_all(&job, MPI_COMM_WORLD, "test", stdout, stderr), 0);
        tmk_job_fini_all(&job);
    }
}

static void a_sleep_lasts_as_long_as_it_should(void **state)
{
    uint64_t start = tmk_clock_ns();

    (void)state;
    tmk_job_sleep(0);
    tmk_job_sleep(20000000);
    assert_true(tmk_clock_ns() - start >= 20000000);
}

static void a_broken_pipe_ends_nothing(void **state)
{
    int ends[2];
    ssize_t n;

    (void)state;
    tmk_job_catch_signals();
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    n = write(ends[1], "x", 1);
    assert_int_equal(n, -1);
    assert_int_equal(errno, EPIPE);
    close(ends[1]);
    assert_int_equal(tmk_job_signal(), 0);
}

/* How a child ends that raises two signals; 0 = no second. */
static int status_after(int first, int second)
{
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        tmk_job_catch_signals();
        raise(first);
        if (tmk_job_signal() != first) {
            _exit(1);
        }
        if (second != 0) {
            raise(second);
        }
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    /* As a shell says it. */
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void a_second_signal_kills_the_process_at_once(void **state)
{
    (void)state;
    if (ranks_rank() != 0) {
        return;
    }
    assert_int_equal(status_after(SIGTERM, 0), 0);
    assert_int_equal(status_after(SIGINT, 0), 0);
    assert_int_equal(status_after(SIGTERM, SIGTERM), 128 + SIGTERM);
    assert_int_equal(status_after(SIGINT, SIGINT), 128 + SIGINT);
    assert_int_equal(status_after(SIGINT, SIGTERM), 128 + SIGTERM);
}

/* The last case: this process has noted a signal for good. */
static void a_signal_of_one_rank_interrupts_all(void **state)
{
    struct tmk_job *job = *state;
    uint64_t start;

    tmk_job_catch_signals();
    assert_int_equal(tmk_job_interrupted_all(job), 0);
    assert_int_equal(job->interrupted, 0);
    if (job->rank == job->size - 1) {
        raise(SIGTERM);
        assert_int_equal(tmk_job_signal(), SIGTERM);
        start = tmk_clock_ns();
        tmk_job_sleep(UINT64_C(60000000000));
        assert_true(tmk_clock_ns() - start < 30000000000u);
    } else {
        assert_int_equal(tmk_job_signal(), 0);
    }
    assert_int_equal(tmk_job_interrupted_all(job), SIGTERM);
    assert_int_equal(job->interrupted, SIGTERM);
    /* It stays so. */
    assert_int_equal(tmk_job_interrupted_all(job), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_knows_its_ranks_and_speaks_where_it_was_told),
        cmocka_unit_test(the_run_id_is_one_uuid_on_all_ranks),
        cmocka_unit_test(another_job_has_another_run_id),
        cmocka_unit_test(an_error_of_any_rank_is_everybodys),
        cmocka_unit_test(values_are_added_and_compared_in_64_bits),
        cmocka_unit_test(a_barrier_is_timed_alike_on_all_ranks),
        cmocka_unit_test(a_sub_job_is_of_the_first_ranks),
        cmocka_unit_test(a_part_is_of_its_ranks_in_their_order),
        cmocka_unit_test(a_part_is_laid_out_as_a_job_of_the_same_ranks),
        cmocka_unit_test(an_alarm_is_a_signal_until_it_is_taken_back),
        cmocka_unit_test(a_sub_job_repeats_no_warning_and_adds_its_own),
        cmocka_unit_test(jobs_come_and_go),
        cmocka_unit_test(a_sleep_lasts_as_long_as_it_should),
        cmocka_unit_test(a_broken_pipe_ends_nothing),
        cmocka_unit_test(a_second_signal_kills_the_process_at_once),
        cmocka_unit_test(a_signal_of_one_rank_interrupts_all),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
