/*
 * job: who takes part, where output goes, how ranks agree.
 */
#include "run/job.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <uuid/uuid.h>

#include "run/clock.h"

/* A handler can reach file-scope objects alone. */
static volatile sig_atomic_t tmk_job_signal_seen;
static volatile sig_atomic_t tmk_job_signal_reports; /* SIGUSR1 so far */

static void note_signal(int number)
{
    if (tmk_job_signal_seen != 0 && tmk_job_signal_seen != SIGALRM) {
        /* Death by signal, when this returns: a launcher ends ranks on other
         * nodes for that, and not for an exit. */
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    tmk_job_signal_seen = number;
}

static void note_alarm(int number)
{
    if (tmk_job_signal_seen == 0) {
        tmk_job_signal_seen = number;
    }
}

static void count_report(int number)
{
    (void)number;
    tmk_job_signal_reports++;
}

void tmk_job_alarm(uint64_t ns)
{
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(ns / 1000000000),
                     .tv_usec = (suseconds_t)(ns % 1000000000 / 1000)},
    };

    if (ns != 0) {
        sigaction(SIGALRM,
                  &(struct sigaction){.sa_handler = note_alarm,
                                      .sa_flags = SA_RESTART},
                  NULL);
    }
    (void)setitimer(ITIMER_REAL, &timer, NULL);
    if (ns == 0 && tmk_job_signal_seen == SIGALRM) {
        tmk_job_signal_seen = 0;
    }
}

void tmk_job_hold_signals(void)
{
    sigset_t held;

    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    sigprocmask(SIG_BLOCK, &held, NULL);
}

void tmk_job_catch_signals(void)
{
    struct sigaction action = {
        .sa_handler = note_signal,
        .sa_flags = SA_RESTART, /* an operation under way ends as it would */
    };
    sigset_t held;

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* In place of MPICH's handler, for which the launcher tells by SIGUSR1
     * that a rank has died, if it was told not to end the others.  A process
     * without a launcher would look for one, and wait for it for ever. */
    action.sa_handler = count_report;
    sigaction(SIGUSR1, &action, NULL);
    /* A reader that went away is an error of output, and a file larger than
     * the limit one of the write: neither is an end half-way. */
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    /* Whoever started us may ignore it, and nothing could be known of the end
     * of a command then. */
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &held, NULL);
}

int tmk_job_signal(void)
{
    return tmk_job_signal_seen;
}

int tmk_job_reports_asked(void)
{
    return tmk_job_signal_reports;
}

static int start_all(struct tmk_job *job)
{
    int err;

    MPI_Comm_rank(job->comm, &job->rank);
    MPI_Comm_size(job->comm, &job->size);
    tmk_stop_init(&job->stop, job->comm);
    err = tmk_layout_init_all(&job->layout, job->comm);
    job->wait = (struct tmk_wait){job->comm, job->layout.yields};
    return err;
}

int tmk_job_init_all(struct tmk_job *job, MPI_Comm comm, const char *program,
                     FILE *out, FILE *err)
{
    MPI_Request request;
    int failed;

    *job = (struct tmk_job){.program = program, .out = out, .err = err};
    job->warnings = &job->own_warnings;
    job->comm = tmk_wait_dup_all(comm);
    MPI_Comm_rank(job->comm, &job->rank);
    if (job->rank == 0) {
        uuid_t id;

        uuid_generate(id);
        uuid_unparse_lower(id, job->id);
    }
    tmk_wait_start_bcast_all(&(struct tmk_wait){job->comm, .yields = true},
                             job->id, TMK_JOB_ID_SIZE, MPI_CHAR, &request);
    failed = start_all(job);
    tmk_wait_finish(1, &request);
    return failed;
}

/* What a part of a job has of it. */
static void inherit(const struct tmk_job *job, struct tmk_job *sub)
{
    *sub = (struct tmk_job){0};
    sub->program = job->program;
    sub->out = job->out;
    sub->err = job->err;
    sub->verbosity = job->verbosity;
    sub->barrier_ns = job->barrier_ns;
    sub->embedded = job->embedded;
    sub->phase_limit_ns = job->phase_limit_ns;
    sub->interval_ns = job->interval_ns;
    sub->progress_ns = job->progress_ns;
    sub->course = job->course;
    sub->warnings = job->warnings;
    sub->progress = job->progress;
    memcpy(sub->id, job->id, sizeof(sub->id));
}

int tmk_job_sub_all(struct tmk_job *job, int ranks, struct tmk_job *sub)
{
    bool inside = job->rank < ranks;
    int err;

    inherit(job, sub);
    sub->comm =
        tmk_wait_split_all(job->comm, inside ? 0 : MPI_UNDEFINED, job->rank);
    if (!inside) {
        sub->comm = MPI_COMM_NULL;
        return 0;
    }
    err = start_all(sub);
    tmk_layout_borrow_hosts(&sub->layout, &job->layout);
    return err;
}

int tmk_job_part_all(struct tmk_job *job, const int *ranks, int n,
                     struct tmk_job *sub)
{
    int err;

    inherit(job, sub);
    sub->comm = tmk_wait_part_all(job->comm, ranks, n);
    MPI_Comm_rank(sub->comm, &sub->rank);
    MPI_Comm_size(sub->comm, &sub->size);
    tmk_stop_init(&sub->stop, sub->comm);
    err = tmk_layout_part_all(&sub->layout, &job->layout, sub->comm, ranks);
    sub->wait = (struct tmk_wait){sub->comm, sub->layout.yields};
    return err;
}

int tmk_job_node_all(struct tmk_job *job, struct tmk_job *sub)
{
    inherit(job, sub);
    sub->comm = tmk_wait_split_node_all(job->comm, job->rank);
    return start_all(sub);
}

void tmk_job_fini_all(struct tmk_job *job)
{
    if (job->comm == MPI_COMM_NULL || job->size == 0) {
        return;
    }
    tmk_stop_fini_all(&job->stop);
    tmk_layout_fini_all(&job->layout);
    MPI_Comm_free(&job->comm);
    job->size = 0;
}

int tmk_job_agree_all(const struct tmk_job *job, int err)
{
    tmk_wait_allreduce_all(&job->wait, &err, 1, MPI_INT, MPI_MIN);
    return err;
}

uint64_t tmk_job_max_all(const struct tmk_job *job, uint64_t value)
{
    tmk_wait_allreduce_all(&job->wait, &value, 1, MPI_UINT64_T, MPI_MAX);
    return value;
}

uint64_t tmk_job_sum_all(const struct tmk_job *job, uint64_t value)
{
    tmk_wait_allreduce_all(&job->wait, &value, 1, MPI_UINT64_T, MPI_SUM);
    return value;
}

void tmk_job_time_barrier_all(struct tmk_job *job)
{
    enum { TIMES = 10 };
    uint64_t least = UINT64_MAX;

    tmk_wait_barrier_all(&job->wait);
    for (int i = 0; i < TIMES; i++) {
        uint64_t start = tmk_clock_ns();
        uint64_t took;

        tmk_wait_barrier_all(&job->wait);
        took = tmk_clock_ns() - start;
        least = took < least ? took : least;
    }
    job->barrier_ns = least;
    tmk_wait_bcast_all(&job->wait, &job->barrier_ns, 1, MPI_UINT64_T);
}

int tmk_job_interrupted_all(struct tmk_job *job)
{
    int number = job->interrupted;

    if (number == 0) {
        number = tmk_job_signal();
    }
    tmk_wait_allreduce_all(&job->wait, &number, 1, MPI_INT, MPI_MAX);
    job->interrupted = number;
    return number;
}

void tmk_job_sleep(uint64_t ns)
{
    uint64_t end = tmk_clock_ns() + ns;

    for (;;) {
        uint64_t now = tmk_clock_ns();
        uint64_t rest = end > now ? end - now : 0;

        if (rest == 0 || tmk_job_signal() != 0) {
            return;
        }
        if (rest > 50000000) {
            rest = 50000000; /* a signal to another thread is seen in time */
        }
        nanosleep(&(struct timespec){.tv_nsec = (long)rest}, NULL);
    }
}
