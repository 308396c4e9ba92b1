#ifndef TMK_RUN_PROGRESS_H
#define TMK_RUN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/opt_time.h"
#include "run/job.h"
#include "run/totals.h"

/*
 * What a person who waits wants to know: a line now and then, or a report when
 * SIGUSR1 asks for it.  Phases look every 10 ms and while they wait; rank 0
 * prints on the job's err.  What that takes is no operation's time.
 */

/* A phase, or several without barriers between them. */
struct tmk_progress_round {
    const char *name;  /* "file creation"; borrowed */
    int iteration;     /* from 1 on; 0 = one that does not count */
    int iterations;    /* all of them; 0 = there are none, nor a plan */
    uint64_t planned;  /* operations of all ranks */
    uint64_t limit_ns; /* the time until the stonewall; 0 = none */
};

/* A line of progress before it is text. */
struct tmk_progress_view {
    const struct tmk_progress_round *round;
    struct tmk_totals_sums sums;
    int ranks;         /* all of them: sums may be those of some */
    double rate_per_s; /* of the last while */
    uint64_t left_ns;  /* if it goes on so; UINT64_MAX = not known */
    struct tmk_job_course course;
};

struct tmk_progress {
    const char *program; /* borrowed, as the next */
    FILE *out, *err;
    struct tmk_totals totals;
    uint64_t period_ns; /* 0 = only reports */
    bool terminal;      /* err is one: a line is written over the last one */
    bool shown;         /* there is one to be wiped */
    struct tmk_progress_round round;
    struct tmk_job_course course;
    int ranks;
    uint64_t base_done, base_failed; /* of phases of the group that are over */
    int signals;                     /* SIGUSR1 that were seen */
    uint64_t next_ns;                /* line, or message to rank 0; 0 = unset */
    /* Rank 0. */
    uint64_t begin_ns, last_ns; /* of the round; of the last line */
    uint64_t last_tried;        /* operations by then */
    uint64_t report_ns;         /* when to; 0 = nobody has asked */
    uint64_t reported_ns;       /* the last one; 0 = none */
    void (*report)(void *arg, FILE *to);
    void *arg;
};

/* Whether the job's err is a terminal. */
bool tmk_progress_is_read(const struct tmk_job *job);

/*
 * How often there is a line, in ns: as asked for, of the benchmark or by the
 * program around, or every second where there
 * is one rank, and somebody at a terminal to read it; else 0.
 */
uint64_t tmk_progress_period_ns(const struct tmk_job *job,
                                const struct tmk_opt_progress *asked);

/*
 * For a job and jobs of its first ranks; a line every `period_ns`, 0 = none.
 * Afterwards job->progress may point to it.  Collective.
 */
void tmk_progress_init_all(struct tmk_progress *pr, const struct tmk_job *job,
                           uint64_t period_ns);

/* Collective over the same job. */
void tmk_progress_fini_all(struct tmk_progress *pr, const struct tmk_job *job);

/* What goes before the line in a report; report = NULL: nothing.  Rank 0 calls
 * it, in the middle of a phase. */
void tmk_progress_on_report(struct tmk_progress *pr,
                            void (*report)(void *arg, FILE *to), void *arg);

/* A round of `job` begins; all its ranks call this before its first barrier. */
void tmk_progress_begin(struct tmk_progress *pr, const struct tmk_job *job,
                        const struct tmk_progress_round *round);

/*
 * It is `now_ns`, and this rank has done so much in the phase that it is in.
 * Whether that took time, because something was printed or sent.
 */
bool tmk_progress_look(struct tmk_progress *pr, uint64_t now_ns, uint64_t done,
                       uint64_t failed);

/* A phase of a group is over on this rank, and these are its counts. */
void tmk_progress_keep(struct tmk_progress *pr, uint64_t done, uint64_t failed);

/* The round is over: the line is wiped, and a report that is due printed. */
void tmk_progress_end(struct tmk_progress *pr);

/*
 * The line, without a newline: "file creation, iteration 1 of 3: 500 of 2000
 * (25.0%), 100/s, 0:15 left, 2 failed", and in a course of jobs "; step 3 of
 * 13, about 12:34 to the end".
 */
void tmk_progress_line(const struct tmk_progress_view *view, char *buf,
                       size_t size);

#endif
