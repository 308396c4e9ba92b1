#ifndef TMK_RUN_JOB_H
#define TMK_RUN_JOB_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "run/layout.h"
#include "run/stop.h"
#include "run/wait.h"

enum { TMK_JOB_ID_SIZE = 37, TMK_JOB_WARNINGS_MAX = 32 };

/* A warning that changes what a number means; see run/say.h. */
struct tmk_job_warning {
    const char *code; /* static: "ROTATION_SELF" */
    char text[512];
};

/* Said so far; rank 0's. */
struct tmk_job_warnings {
    struct tmk_job_warning list[TMK_JOB_WARNINGS_MAX];
    size_t n;
    bool held; /* kept until the report has begun */
};

struct tmk_progress;

/* Where a job is in a longer course of jobs. */
struct tmk_job_course {
    unsigned step, steps; /* from 1 on; 0 steps = it is alone */
    uint64_t rest_ns;     /* of the steps behind this one, about */
};

/*
 * The ranks that work together, and where they speak.  Several jobs may live
 * in one process, one after the other or nested (tmk_job_sub_all).
 */
struct tmk_job {
    MPI_Comm comm; /* our duplicate; errors are handled as on the original */
    int rank;
    int size;
    const char *program; /* "mdtest": goes before messages; borrowed */
    FILE *out;           /* results; borrowed; rank 0 writes */
    FILE *err;           /* errors, progress; borrowed; rank 0 writes */
    int verbosity;
    char id[TMK_JOB_ID_SIZE]; /* UUID of the run, the same on all ranks */
    struct tmk_layout layout;
    struct tmk_wait wait;
    struct tmk_stop stop;
    uint64_t barrier_ns; /* what a barrier costs here; 0 = not measured */
    int interrupted;     /* agreed signal number; 0 = none */
    bool embedded;       /* in another program, set after init: ranks but 0 say
                            nothing, and nothing is left on disk but what is
                            measured */
    uint64_t phase_limit_ns; /* ranks end a phase after this time, whatever is
                                left to be done; 0 = not */
    /* What a program around wants where the benchmark is asked for nothing
     * else: see --interval and --progress; 0 = not. */
    uint64_t interval_ns, progress_ns;
    struct tmk_job_course course;
    struct tmk_progress *progress; /* borrowed, a sub job's likewise; NULL =
                                      nobody is told how far phases are */
    struct tmk_job_warnings own_warnings;
    struct tmk_job_warnings *warnings; /* a sub job shares its parent's */
};

/*
 * Duplicate comm, find the layout, agree on a run id.  `program`, `out` and
 * `err` must outlive the job.  Returns 0 or -errno, alike on all ranks.
 * Collective over comm.
 */
int tmk_job_init_all(struct tmk_job *job, MPI_Comm comm, const char *program,
                     FILE *out, FILE *err);

/*
 * A job of the first `ranks` ranks of `job`; the others get sub->size 0 and
 * must not use it but for fini.  It shares id, output and warnings so far.
 * Collective over job.
 */
int tmk_job_sub_all(struct tmk_job *job, int ranks, struct tmk_job *sub);

/*
 * The same of any ranks of `job`, which are numbered in this order; the first
 * is rank 0, and they are on the first nodes of `job`.  Others have no part in
 * it.  Collective over those ranks.
 */
int tmk_job_part_all(struct tmk_job *job, const int *ranks, int n,
                     struct tmk_job *sub);

/* A job of the ranks that share this one's node; the same otherwise, and
 * released likewise.  Collective over job. */
int tmk_job_node_all(struct tmk_job *job, struct tmk_job *sub);

/* Release; also after a failed init.  Collective over the job's ranks. */
void tmk_job_fini_all(struct tmk_job *job);

/*
 * The worst (smallest) of every rank's `err`, on every rank: a rank-local
 * failure becomes everybody's before the next collective.
 */
int tmk_job_agree_all(const struct tmk_job *job, int err);

/* The largest of every rank's value (below 2^63), on every rank. */
uint64_t tmk_job_max_all(const struct tmk_job *job, uint64_t value);

/* The sum of every rank's value, on every rank. */
uint64_t tmk_job_sum_all(const struct tmk_job *job, uint64_t value);

/* Time a few barriers; the quickest goes into job->barrier_ns.  Collective. */
void tmk_job_time_barrier_all(struct tmk_job *job);

/*
 * Hold SIGUSR1 back until tmk_job_catch_signals(): it would end a process that
 * is being started.  Before MPI_Init, in programs only.
 */
void tmk_job_hold_signals(void);

/*
 * Catch SIGINT and SIGTERM from now on: the first is only noted, the second
 * kills the process at once, so that a launcher ends the other ranks as well.
 * SIGPIPE and SIGXFSZ are ignored.  SIGUSR1, which asks for a report, is
 * counted.  After MPI_Init, in programs only.
 */
void tmk_job_catch_signals(void);

/*
 * From now on in `ns`, SIGALRM is noted as a signal is that asks for an end, of
 * this process; 0: no more, and one that was noted is forgotten.  In programs
 * only.
 */
void tmk_job_alarm(uint64_t ns);

/* The signal noted by this process; 0 = none. */
int tmk_job_signal(void);

/* How often SIGUSR1 has come to this process. */
int tmk_job_reports_asked(void);

/*
 * Whether any rank noted a signal: agreed into job->interrupted, which is
 * returned.  Collective.
 */
int tmk_job_interrupted_all(struct tmk_job *job);

/* Sleep on all ranks alike, less if a signal comes.  Not collective. */
void tmk_job_sleep(uint64_t ns);

#endif
