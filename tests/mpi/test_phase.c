#include "mpi/phases.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "run/phase.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { NAP_MS = 400 };

#define HOUR_NS (3600 * UINT64_C(1000000000))

/*
 * Collectives, counted where MPI lets us in.
 */
static struct {
    int barriers, sums, maxima, others, reduces, moves;
} calls;

static void count_reduction(MPI_Op op)
{
    calls.sums += op == MPI_SUM;
    calls.maxima += op == MPI_MAX;
    calls.others += op != MPI_SUM && op != MPI_MAX;
}

int MPI_Barrier(MPI_Comm comm)
{
    calls.barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    calls.barriers++;
    return PMPI_Ibarrier(comm, request);
}

int MPI_Allreduce(const void *from, void *to, int n, MPI_Datatype type,
                  MPI_Op op, MPI_Comm comm)
{
    count_reduction(op);
    return PMPI_Allreduce(from, to, n, type, op, comm);
}

int MPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype type,
                   MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
    count_reduction(op);
    return PMPI_Iallreduce(from, to, n, type, op, comm, request);
}

int MPI_Reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
               int root, MPI_Comm comm)
{
    calls.reduces++;
    return PMPI_Reduce(from, to, n, type, op, root, comm);
}

int MPI_Ireduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm, MPI_Request *request)
{
    calls.reduces++;
    return PMPI_Ireduce(from, to, n, type, op, root, comm, request);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    calls.moves++;
    return PMPI_Bcast(buf, n, type, root, comm);
}

int MPI_Ibcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request)
{
    calls.moves++;
    return PMPI_Ibcast(buf, n, type, root, comm, request);
}

int MPI_Gather(const void *from, int n, MPI_Datatype type, void *to, int m,
               MPI_Datatype to_type, int root, MPI_Comm comm)
{
    calls.moves++;
    return PMPI_Gather(from, n, type, to, m, to_type, root, comm);
}

int MPI_Igather(const void *from, int n, MPI_Datatype type, void *to, int m,
                MPI_Datatype to_type, int root, MPI_Comm comm,
                MPI_Request *request)
{
    calls.moves++;
    return PMPI_Igather(from, n, type, to, m, to_type, root, comm, request);
}

/*
 * Counts.
 */

static void operations_and_bytes_are_added_over_ranks(void **state)
{
    struct fixture *f = *state;
    uint64_t p = (uint64_t)f->job.size;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 10 * (f->job.rank + 1), 0);
    f->phase.bytes += 100;
    end_all(f);
    assert_int_equal(f->result.operations, 10 * p * (p + 1) / 2);
    assert_int_equal(f->result.bytes, 100 * p);
    assert_int_equal(f->result.failed, 0);
    assert_int_equal(f->result.n_failures, 0);
    assert_int_equal(f->result.missed, 0);
    assert_false(f->result.full);
    assert_int_equal(f->result.interrupted, 0);
    assert_true(f->result.foreign_share < 0);
    assert_int_equal(tmk_hist_total(&f->result.latency), f->result.operations);
}

static void the_rate_is_what_succeeded_by_the_longest_time(void **state)
{
    struct fixture *f = *state;
    double rate;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 10, 0);
    operate(f, 90, -ENOENT);
    nap_ms(1);
    end_all(f);
    assert_int_equal(f->result.operations, 10 * f->job.size);
    assert_int_equal(f->result.failed, 90 * f->job.size);
    assert_true(f->result.time_ns >= f->result.busy_ns);
    assert_true(f->result.busy_ns >= 1000000);
    rate = (double)f->result.operations * 1e9 / (double)f->result.time_ns;
    assert_true(fabs(f->result.rate_per_s - rate) <= 1e-9 * rate);
}

static void the_result_is_the_same_on_every_rank(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;

    begin_all(f, (struct tmk_phase_how){.path = "x"});
    operate(f, f->job.rank, 0);
    operate(f, 2, -EACCES);
    nap_ms(f->job.rank);
    f->phase.missed = 3;
    end_all(f);
    {
        double own[] = {(double)r->time_ns,
                        (double)r->busy_ns,
                        (double)r->operations,
                        (double)r->failed,
                        (double)r->bytes,
                        r->rate_per_s,
                        (double)r->failed_by[EACCES],
                        (double)r->n_failures,
                        (double)r->fastest.rank,
                        (double)r->fastest.time_ns,
                        (double)r->slowest.rank,
                        (double)r->slowest.time_ns,
                        r->waiting_share,
                        (double)r->min_op_ns,
                        (double)r->max_op_ns,
                        r->mean_op_ns,
                        (double)r->missed,
                        (double)tmk_hist_percentile_ns(&r->latency, 50)};
        double of_rank_0[COUNT(own)];

        memcpy(of_rank_0, own, sizeof(own));
        MPI_Bcast(of_rank_0, (int)COUNT(own), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        assert_memory_equal(own, of_rank_0, sizeof(own));
    }
}

static void a_phase_begins_from_nothing(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.creates = true, .path = "x"});
    operate(f, 5, -ENOSPC);
    f->phase.missed = 7;
    f->phase.bytes = 9;
    end_all(f);
    begin_all(f, (struct tmk_phase_how){0});
    assert_false(tmk_phase_over(&f->phase));
    operate(f, 20, 0);
    end_all(f);
    assert_int_equal(f->result.operations, 20 * f->job.size);
    assert_int_equal(f->result.failed, 0);
    assert_int_equal(f->result.failed_by[ENOSPC], 0);
    assert_int_equal(f->result.missed, 0);
    assert_int_equal(f->result.bytes, 0);
    assert_int_equal(f->result.n_failures, 0);
    assert_false(f->result.full);
    assert_int_equal(tmk_hist_total(&f->result.latency), f->result.operations);
}

static void a_phase_without_operations_has_no_rate(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.creates = true, .max_errors = 1});
    end_all(f);
    assert_int_equal(f->result.operations, 0);
    assert_true(f->result.rate_per_s == 0);
    assert_true(f->result.mean_op_ns == 0);
    assert_int_equal(f->result.min_op_ns, 0);
    assert_int_equal(f->result.max_op_ns, 0);
    assert_true(f->result.waiting_share >= 0 && f->result.waiting_share <= 1);
    assert_int_equal(tmk_hist_total(&f->result.latency), 0);
    assert_true(f->result.time_ns > 0);
    assert_int_equal(f->result.slowest.rank, 0);
    assert_int_equal(f->result.slowest.time_ns, 0);
    assert_int_equal(f->result.fastest.rank, 0);
    assert_int_equal(f->result.fastest.time_ns, 0);
}

/* A rank that only waits is neither. */
static void fastest_and_slowest_are_ranks_with_operations(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;

    for (int who = 0; who < f->job.size; who++) {
        begin_all(f, (struct tmk_phase_how){0});
        operate(f, f->job.rank == who ? 1 : 0, who % 2 == 0 ? 0 : -EACCES);
        nap_ms(f->job.rank == who ? 2 : 4 * (f->job.rank % 2));
        end_all(f);
        assert_int_equal(r->slowest.rank, who);
        assert_int_equal(r->fastest.rank, who);
        assert_true(r->slowest.time_ns >= 1999000);
        assert_int_equal(r->fastest.time_ns, r->slowest.time_ns);
    }
}

static void ranks_without_operations_do_not_spoil_the_shortest(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){0});
    if (f->job.rank == f->job.size - 1) {
        nap_ms(2);
        operate(f, 1, 0);
    }
    end_all(f);
    assert_int_equal(f->result.operations, 1);
    assert_true(f->result.min_op_ns >= 2000000);
    assert_int_equal(f->result.min_op_ns, f->result.max_op_ns);
    assert_true(f->result.mean_op_ns == (double)f->result.max_op_ns);
}

/* Such as opening the file that operations are on. */
static void failures_of_other_calls_have_no_latency(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;

    for (int n = 0; n < 3; n++) {
        begin_all(f, (struct tmk_phase_how){0});
        operate(f, n, 0);
        nap_ms(2);
        tmk_phase_skip(&f->phase);
        tmk_phase_fail(&f->phase, -EACCES);
        end_all(f);
        assert_int_equal(r->operations, n * f->job.size);
        assert_int_equal(r->failed, f->job.size);
        assert_int_equal(tmk_hist_total(&r->latency), r->operations);
        assert_int_equal(r->max_op.rank >= 0, n != 0);
        assert_true(r->min_op_ns <= r->max_op_ns);
        assert_true((double)r->min_op_ns <= r->mean_op_ns);
        assert_true(r->mean_op_ns <= (double)r->max_op_ns);
        assert_true(n != 0 || r->max_op_ns == 0);
    }
}

static void what_was_never_tried_is_added_up(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 3, 0);
    f->phase.missed = f->job.rank == 0 ? 5 : 1;
    end_all(f);
    assert_int_equal(f->result.missed, 5 + f->job.size - 1);
    assert_int_equal(f->result.operations, 3 * f->job.size);
}

/*
 * Failures.
 */

static void failures_are_counted_by_their_errno(void **state)
{
    struct fixture *f = *state;
    int p = f->job.size;

    begin_all(f, (struct tmk_phase_how){.path = "x"});
    operate(f, 4, 0);
    operate(f, 3, -ENOENT);
    operate(f, f->job.rank == p - 1 ? 2 : 0, -EACCES);
    operate(f, 1, -TMK_ERRNUM_SLOTS); /* beyond the table */
    operate(f, 1, -5000);
    operate(f, 1, 5); /* not even an errno */
    operate(f, 1, -(TMK_ERRNUM_SLOTS - 1));
    end_all(f);
    assert_int_equal(f->result.operations, 4 * p);
    assert_int_equal(f->result.failed, 7 * p + 2);
    assert_int_equal(f->result.failed_by[ENOENT], 3 * p);
    assert_int_equal(f->result.failed_by[EACCES], 2);
    assert_int_equal(f->result.failed_by[0], 3 * p);
    assert_int_equal(f->result.failed_by[TMK_ERRNUM_SLOTS - 1], p);
    assert_int_equal(f->result.n_failures, 4);
    if (f->job.rank == 0) {
        assert_int_equal(failure_of(&f->result, ENOENT)->count, 3 * p);
        assert_int_equal(failure_of(&f->result, EACCES)->count, 2);
        assert_int_equal(failure_of(&f->result, EACCES)->rank, p - 1);
        assert_int_equal(failure_of(&f->result, 0)->count, 3 * p);
    }
    assert_int_equal(tmk_hist_total(&f->result.latency),
                     f->result.operations + f->result.failed);
}

/* Ranks 1 and up fail, rank 2 first of all; only its own clock knows. */
static void the_first_failure_is_that_of_the_lowest_rank(void **state)
{
    struct fixture *f = *state;
    char path[64] = "well";
    int lowest = f->job.size > 1 ? 1 : 0;

    begin_all(f, (struct tmk_phase_how){.path = path});
    operate(f, 1, 0);
    nap_ms(f->job.rank == 1 ? 5 : 0);
    for (int i = 0; i < 3 && f->job.rank >= lowest; i++) {
        snprintf(path, sizeof(path), "d/file.%d.%d", f->job.rank, i);
        operate(f, 1, -EPERM);
    }
    snprintf(path, sizeof(path), "later");
    operate(f, 1, f->job.rank >= lowest ? -EPERM : 0);
    end_all(f);
    if (f->job.rank == 0) {
        const struct tmk_failure *first = failure_of(&f->result, EPERM);
        char want[64];

        snprintf(want, sizeof(want), "d/file.%d.0", lowest);
        assert_int_equal(f->result.n_failures, 1);
        assert_int_equal(first->rank, lowest);
        assert_string_equal(first->path, want);
        assert_true(strlen(first->host) > 0);
        assert_int_equal(first->count, 4 * (f->job.size - lowest));
    }
}

static void a_long_path_is_cut_and_none_is_empty(void **state)
{
    struct fixture *f = *state;
    char path[2 * TMK_RESULT_PATH_SIZE];

    memset(path, 'p', sizeof(path));
    path[sizeof(path) - 1] = '\0';
    begin_all(f, (struct tmk_phase_how){.path = path});
    operate(f, 1, -EPERM);
    end_all(f);
    if (f->job.rank == 0) {
        const char *cut = failure_of(&f->result, EPERM)->path;

        assert_int_equal(strlen(cut), TMK_RESULT_PATH_SIZE - 1);
        assert_memory_equal(cut, path, TMK_RESULT_PATH_SIZE - 1);
    }
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 1, -EPERM);
    end_all(f);
    if (f->job.rank == 0) {
        assert_string_equal(failure_of(&f->result, EPERM)->path, "");
    }
}

/* What is described is true, even if there is more than can be described. */
static void no_failure_is_described_by_another_ones_words(void **state)
{
    enum { KINDS = TMK_RESULT_FAILURES_MAX + 4 };
    struct fixture *f = *state;
    char path[32];

    begin_all(f, (struct tmk_phase_how){.path = path});
    for (int err = 1; err <= KINDS; err++) {
        snprintf(path, sizeof(path), "path.%d", err);
        operate(f, err == KINDS ? 100 : 1, -err);
    }
    end_all(f);
    assert_int_equal(f->result.failed_by[KINDS], 100 * f->job.size);
    assert_in_range(f->result.n_failures, 1, TMK_RESULT_FAILURES_MAX);
    for (size_t i = 0; f->job.rank == 0 && i < f->result.n_failures; i++) {
        const struct tmk_failure *first = &f->result.failures[i];

        snprintf(path, sizeof(path), "path.%d", first->err);
        assert_string_equal(first->path, path);
        assert_string_equal(first->host, f->job.layout.host);
        assert_int_equal(first->count, f->result.failed_by[first->err]);
    }
}

/* Rank 0 does for all; the others find that some of theirs went wrong. */
static void what_goes_wrong_in_the_end_is_no_success(void **state)
{
    enum { EACH = 10, WRONG = 3 };
    struct fixture *f = *state;
    int p = f->job.size;
    int wrong = f->job.rank != 0 || p == 1 ? WRONG : 0;
    int all_wrong = WRONG * (p == 1 ? 1 : p - 1);
    char path[32];

    begin_all(f, (struct tmk_phase_how){.path = path});
    if (f->job.rank == 0) {
        operate(f, EACH * p, 0);
    }
    for (int i = 0; i < wrong; i++) {
        snprintf(path, sizeof(path), "file.%d.%d", f->job.rank, i);
        tmk_phase_spoil(&f->phase, i == 0 ? -EBADMSG : -EIO);
    }
    end_all(f);
    assert_int_equal(f->result.operations, EACH * p - all_wrong);
    assert_int_equal(f->result.failed, all_wrong);
    assert_int_equal(f->result.failed_by[EBADMSG], all_wrong / WRONG);
    assert_int_equal(f->result.failed_by[EIO], all_wrong / WRONG * (WRONG - 1));
    /* Their times were told when they were thought to be well. */
    assert_int_equal(tmk_hist_total(&f->result.latency), EACH * p);
    if (f->job.rank == 0) {
        int lowest = p > 1 ? 1 : 0;

        snprintf(path, sizeof(path), "file.%d.0", lowest);
        assert_string_equal(failure_of(&f->result, EBADMSG)->path, path);
        assert_int_equal(failure_of(&f->result, EBADMSG)->rank, lowest);
    }
}

static void spoiling_too_much_ends_a_ranks_part(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.max_errors = 2});
    operate(f, 5, 0);
    tmk_phase_spoil(&f->phase, -EBADMSG);
    assert_false(tmk_phase_over(&f->phase));
    tmk_phase_spoil(&f->phase, -EBADMSG);
    assert_true(tmk_phase_over(&f->phase));
    end_all(f);
    assert_int_equal(f->result.operations, 3 * f->job.size);
    assert_int_equal(f->result.failed, 2 * f->job.size);
}

static void wrong_data_is_counted_over_ranks(void **state)
{
    struct fixture *f = *state;
    int p = f->job.size;

    begin_all(f, (struct tmk_phase_how){0});
    for (int i = 0; i < f->job.rank + 1; i++) {
        f->phase.wrong++;
        operate(f, 1, -EBADMSG);
    }
    operate(f, 1, -ENOENT);
    end_all(f);
    assert_int_equal(f->result.wrong, p * (p + 1) / 2);
    assert_int_equal(f->result.failed, p * (p + 1) / 2 + p);
    begin_all(f, (struct tmk_phase_how){0});
    end_all(f);
    assert_int_equal(f->result.wrong, 0);
}

/* Each errno has its own, which is that of the first failure. */
static void a_failure_is_told_in_detail(void **state)
{
    struct fixture *f = *state;
    char path[32] = "";
    char detail[2 * TMK_RESULT_DETAIL_SIZE] = "";
    int who = f->job.size - 1;

    begin_all(f, (struct tmk_phase_how){.path = path, .detail = detail});
    if (f->job.rank == who) {
        operate(f, 1, -EACCES); /* of which there is nothing more to say */
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof(path), "file %d", i);
            snprintf(detail, sizeof(detail), "at byte %d of rank %d", i, who);
            operate(f, 1, -EBADMSG);
        }
        memset(detail, 'd', sizeof(detail));
        detail[sizeof(detail) - 1] = '\0';
        operate(f, 1, -EPERM);
        detail[0] = '\0';
    }
    end_all(f);
    if (f->job.rank == 0) {
        const struct tmk_failure *bad = failure_of(&f->result, EBADMSG);
        char want[64];

        snprintf(want, sizeof(want), "at byte 0 of rank %d", who);
        assert_string_equal(bad->detail, want);
        assert_string_equal(bad->path, "file 0");
        assert_string_equal(failure_of(&f->result, EACCES)->detail, "");
        assert_int_equal(strlen(failure_of(&f->result, EPERM)->detail),
                         TMK_RESULT_DETAIL_SIZE - 1);
    }
    begin_all(f, (struct tmk_phase_how){.path = path}); /* none at all */
    operate(f, 1, -EBADMSG);
    end_all(f);
    if (f->job.rank == 0) {
        assert_string_equal(failure_of(&f->result, EBADMSG)->detail, "");
    }
}

static void too_many_errors_stop_their_rank_alone(void **state)
{
    static const uint64_t limits[] = {1, 3, 1000};
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(limits); i++) {
        bool fails = f->job.rank == 0;
        int done;

        begin_all(f, (struct tmk_phase_how){.max_errors = limits[i]});
        done = operate(f, 5000, fails ? -ENOENT : 0);
        assert_int_equal(done, fails ? (int)limits[i] : 5000);
        assert_int_equal(tmk_phase_over(&f->phase), fails);
        end_all(f);
        assert_int_equal(f->result.failed, limits[i]);
        assert_int_equal(f->result.operations, 5000 * (f->job.size - 1));
        assert_false(f->result.full);
    }
}

static void no_limit_means_no_limit(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.max_errors = 0});
    assert_int_equal(operate(f, 5000, -ENOENT), 5000);
    end_all(f);
    assert_int_equal(f->result.failed, 5000 * f->job.size);
}

/*
 * A full file system.
 */

static void a_full_file_system_stops_all_that_create(void **state)
{
    static const int hopeless[] = {ENOSPC, EDQUOT,   EROFS,
                                   ESTALE, ENOTCONN, EIO};
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(hopeless); i++) {
        int who = (int)i % f->job.size;

        begin_all(f, (struct tmk_phase_how){.creates = true});
        if (f->job.rank == who) {
            assert_int_equal(operate(f, 10, -hopeless[i]), 1);
        } else {
            operate_until_over(f);
        }
        assert_true(tmk_phase_over(&f->phase));
        end_all(f);
        assert_true(f->result.full);
        assert_int_equal(f->result.failed, 1);
        assert_int_equal(f->result.failed_by[hopeless[i]], 1);
    }
}

static void other_failures_stop_no_creation(void **state)
{
    static const int passing[] = {EACCES, EEXIST, ENOENT, EMFILE, ENOTDIR};
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.creates = true});
    for (size_t i = 0; i < COUNT(passing); i++) {
        assert_int_equal(operate(f, 2, -passing[i]), 2);
    }
    end_all(f);
    assert_false(f->result.full);
    assert_int_equal(f->result.failed, 10 * f->job.size);
}

/* 30 ms are three polls: time enough to hear of it. */
static void a_full_file_system_stops_no_other_phase(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){.creates = false});
    assert_int_equal(operate(f, 2, f->job.rank == 0 ? -ENOSPC : 0), 2);
    for (int i = 0; i < 30; i++) {
        nap_ms(1);
        assert_int_equal(operate(f, 1, 0), 1);
    }
    assert_false(tmk_phase_over(&f->phase));
    end_all(f);
    assert_false(f->result.full);
    assert_int_equal(f->result.failed, 2);
    assert_int_equal(f->result.operations, 32 * f->job.size - 2);
}

/* Nobody has time to hear of it before the end. */
static void a_phase_that_is_full_at_its_end_is_called_full_by_all(void **state)
{
    struct fixture *f = *state;

    for (int who = 0; who < f->job.size; who++) {
        begin_all(f, (struct tmk_phase_how){.creates = true});
        operate(f, 1, f->job.rank == who ? -ENOSPC : 0);
        end_all(f);
        assert_true(f->result.full);
    }
}

/*
 * Times.
 */

static void the_clock_starts_when_all_are_there(void **state)
{
    struct fixture *f = *state;
    uint64_t came;
    uint64_t last_came;

    if (f->job.rank == f->job.size - 1) {
        nap_ms(20);
    }
    came = tmk_clock_ns();
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 1, 0);
    end_all(f);
    MPI_Allreduce(&came, &last_came, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    assert_true(f->phase.t0_ns >= last_came);
}

static void a_slow_rank_is_named_and_the_others_wait_for_it(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;
    const uint64_t nap_ns = NAP_MS * UINT64_C(1000000);
    int slow = f->job.size - 1;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 10, 0);
    if (f->job.rank == slow) {
        nap_ms(NAP_MS);
        operate(f, 1, 0);
    }
    end_all(f);
    assert_int_equal(r->slowest.rank, slow);
    assert_true(r->slowest.time_ns + 1000 >= nap_ns);
    assert_int_equal(r->slowest.time_ns, r->busy_ns / 1000 * 1000);
    assert_true(r->fastest.time_ns <= r->slowest.time_ns);
    assert_true(r->time_ns >= nap_ns);
    assert_true(r->max_op_ns >= nap_ns);
    assert_true(r->min_op_ns < nap_ns);
    assert_true(r->mean_op_ns >= (double)nap_ns / (10.0 * slow + 11.0));
    assert_true(r->mean_op_ns <= (double)r->max_op_ns);
    assert_true(r->mean_op_ns >= (double)r->min_op_ns);
    assert_true(tmk_hist_percentile_ns(&r->latency, 100) >= r->max_op_ns);
    assert_true(r->waiting_share >= 0 && r->waiting_share < 1);
    if (f->job.size > 1) {
        assert_int_not_equal(r->fastest.rank, slow);
        assert_true(r->waiting_share > 0.1);
    } else {
        assert_int_equal(r->fastest.rank, 0);
        assert_int_equal(r->fastest.time_ns, r->slowest.time_ns);
    }
}

/* Whoever it was that had the longest operation; the last of equals. */
static void the_rank_of_the_longest_operation_is_named(void **state)
{
    struct fixture *f = *state;
    const struct tmk_phase_result *r = &f->result;

    for (int who = 0; who < f->job.size; who++) {
        begin_all(f, (struct tmk_phase_how){0});
        operate(f, 10, 0);
        tmk_phase_did_at(&f->phase, 0,
                         f->phase.last_ns + (f->job.rank == who) * HOUR_NS +
                             (uint64_t)f->job.rank);
        end_all(f);
        assert_int_equal(r->max_op.rank, who);
        assert_int_equal(r->max_op.time_ns, r->max_op_ns);
        assert_int_equal(r->max_op_ns, HOUR_NS + (uint64_t)who);
    }

    begin_all(f, (struct tmk_phase_how){0});
    end_all(f);
    assert_int_equal(r->max_op.rank, -1);
    assert_int_equal(r->max_op.time_ns, 0);
}

/* Such times are beyond what a word has room for beside a rank. */
static void an_operation_of_days_has_a_rank_too(void **state)
{
    struct fixture *f = *state;
    const uint64_t days_ns = 100 * HOUR_NS;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 10, 0);
    if (f->job.rank == f->job.size - 1) {
        tmk_phase_did_at(&f->phase, 0, f->phase.last_ns + days_ns);
    }
    end_all(f);
    assert_int_equal(f->result.max_op.rank, f->job.size - 1);
    assert_int_equal(f->result.max_op.time_ns, days_ns);
}

/* t1 is when the operations ended, not what comes after them. */
static void what_comes_after_close_counts_for_the_rate_alone(void **state)
{
    struct fixture *f = *state;

    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 1, 0);
    tmk_phase_close(&f->phase);
    nap_ms(NAP_MS);
    tmk_phase_end_all(&f->phase, &f->result);
    assert_true(f->result.time_ns >= NAP_MS * UINT64_C(1000000));
    assert_true(f->result.time_ns - f->result.busy_ns >= NAP_MS * 1000000 / 2);
}

/* Data is filled and checked in such times, or other work is done. */
static void check_between(struct fixture *f,
                          void (*between)(struct tmk_phase *), bool aside)
{
    enum { BETWEEN_MS = 50, OPS = 3 };
    const struct tmk_phase_result *r = &f->result;
    uint64_t longest = 0;
    uint64_t sum = 0;
    uint64_t all[2];
    double share;

    begin_all(f, (struct tmk_phase_how){0});
    for (int i = 0; i < OPS; i++) {
        uint64_t begun;
        uint64_t took;

        nap_ms(BETWEEN_MS);
        between(&f->phase);
        begun = f->phase.last_ns;
        operate(f, 1, 0);
        took = f->phase.last_ns - begun;
        longest = took > longest ? took : longest;
        sum += took;
    }
    nap_ms(1);
    end_all(f);
    MPI_Allreduce(&longest, &all[0], 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &all[1], 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(r->operations, OPS * f->job.size);
    assert_int_equal(r->max_op_ns, all[0]);
    assert_true(fabs(r->mean_op_ns * OPS * f->job.size - (double)all[1]) < 1);
    share = r->aside_share * (double)r->time_ns;
    assert_true(r->aside_share < 1);
    assert_true(aside ? share >= 0.999 * OPS * BETWEEN_MS * 1e6 : share == 0);
}

static void resume(struct tmk_phase *p)
{
    tmk_phase_resume(p);
}

static void skip_work(struct tmk_phase *p)
{
    tmk_phase_skip(p);
}

static void time_between_operations_is_none_of_theirs(void **state)
{
    check_between(*state, resume, true);
    check_between(*state, skip_work, false);
}

/*
 * Collectives.
 */

static void a_phase_takes_two_barriers_and_two_reductions(void **state)
{
    struct fixture *f = *state;

    for (int failing = 0; failing < 3; failing++) {
        memset(&calls, 0, sizeof(calls));
        begin_all(f, (struct tmk_phase_how){.creates = true});
        assert_int_equal(calls.barriers, 1);
        operate(f, 10, 0);
        if (f->job.rank == f->job.size - 1) {
            operate(f, failing, failing == 1 ? -ENOSPC : -EACCES);
        }
        assert_int_equal(calls.sums + calls.maxima, 0);
        end_all(f);
        assert_int_equal(calls.barriers, 2);
        assert_int_equal(calls.sums, 1);
        assert_int_equal(calls.maxima, failing > 0 ? 2 : 1);
        assert_int_equal(calls.reduces, failing > 0 ? 1 : 0);
        assert_int_equal(calls.others, 0);
        assert_int_equal(calls.moves, 0);
    }
    memset(&calls, 0, sizeof(calls));
    begin_all(f, (struct tmk_phase_how){.interval_ns = 1000000});
    operate(f, 10, 0);
    end_all(f);
    assert_int_equal(calls.barriers, 2);
    assert_int_equal(calls.sums, 2); /* one more for what is sampled */
    assert_int_equal(calls.maxima, 1);
}

/*
 * The last case: this process has noted a signal for good.
 */
static void a_signal_of_one_rank_ends_the_phase_of_all(void **state)
{
    struct fixture *f = *state;
    int who = f->job.size - 1;

    tmk_job_catch_signals();
    begin_all(f, (struct tmk_phase_how){0});
    operate(f, 5, 0);
    if (f->job.rank == who) {
        raise(SIGTERM);
    }
    operate_until_over(f);
    assert_true(tmk_phase_over(&f->phase));
    end_all(f);
    assert_int_equal(f->result.interrupted, SIGTERM);
    assert_int_equal(f->job.interrupted, SIGTERM);
    assert_true(f->result.operations >= 5 * (uint64_t)f->job.size);
    assert_false(f->result.full);

    /* A phase that begins all the same says so, too. */
    begin_all(f, (struct tmk_phase_how){0});
    assert_int_equal(tmk_phase_over(&f->phase), f->job.rank == who);
    operate(f, 1, 0);
    end_all(f);
    assert_int_equal(f->result.interrupted, SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_and_bytes_are_added_over_ranks),
        cmocka_unit_test(the_rate_is_what_succeeded_by_the_longest_time),
        cmocka_unit_test(the_result_is_the_same_on_every_rank),
        cmocka_unit_test(a_phase_begins_from_nothing),
        cmocka_unit_test(a_phase_without_operations_has_no_rate),
        cmocka_unit_test(fastest_and_slowest_are_ranks_with_operations),
        cmocka_unit_test(ranks_without_operations_do_not_spoil_the_shortest),
        cmocka_unit_test(failures_of_other_calls_have_no_latency),
        cmocka_unit_test(what_was_never_tried_is_added_up),
        cmocka_unit_test(failures_are_counted_by_their_errno),
        cmocka_unit_test(the_first_failure_is_that_of_the_lowest_rank),
        cmocka_unit_test(a_long_path_is_cut_and_none_is_empty),
        cmocka_unit_test(no_failure_is_described_by_another_ones_words),
        cmocka_unit_test(what_goes_wrong_in_the_end_is_no_success),
        cmocka_unit_test(spoiling_too_much_ends_a_ranks_part),
        cmocka_unit_test(wrong_data_is_counted_over_ranks),
        cmocka_unit_test(a_failure_is_told_in_detail),
        cmocka_unit_test(too_many_errors_stop_their_rank_alone),
        cmocka_unit_test(no_limit_means_no_limit),
        cmocka_unit_test(a_full_file_system_stops_all_that_create),
        cmocka_unit_test(other_failures_stop_no_creation),
        cmocka_unit_test(a_full_file_system_stops_no_other_phase),
        cmocka_unit_test(a_phase_that_is_full_at_its_end_is_called_full_by_all),
        cmocka_unit_test(the_clock_starts_when_all_are_there),
        cmocka_unit_test(a_slow_rank_is_named_and_the_others_wait_for_it),
        cmocka_unit_test(the_rank_of_the_longest_operation_is_named),
        cmocka_unit_test(an_operation_of_days_has_a_rank_too),
        cmocka_unit_test(what_comes_after_close_counts_for_the_rate_alone),
        cmocka_unit_test(time_between_operations_is_none_of_theirs),
        cmocka_unit_test(a_phase_takes_two_barriers_and_two_reductions),
        cmocka_unit_test(a_signal_of_one_rank_ends_the_phase_of_all),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, init, fini));
}
