#ifndef TMK_RUN_PHASE_H
#define TMK_RUN_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "base/hist.h"
#include "base/sample.h"
#include "run/clock.h"
#include "run/job.h"
#include "run/result.h"

/*
 * The timing core.  A phase is
 *
 *   begin_all | barrier | t0 | operations | t1 | after | barrier | t2 | combine
 *                                          \-- closed --\         end_all
 *
 *     tmk_phase_begin_all(p, job, &how);
 *     do {
 *         tmk_phase_did(p, op(path));
 *     } while (!tmk_phase_over(p) && next item);
 *     tmk_phase_close(p);
 *     ... sync, after-command ...
 *     tmk_phase_end_all(p, &result);
 *
 * Between t0 and t1 there is the operation, one clock read, its accounting and
 * the next name.  About every 10 ms tmk_phase_did() also looks whether the
 * phase should stop for another rank's reason.
 */
struct tmk_phase_how {
    bool creates;           /* ENOSPC and the like stop every rank */
    uint64_t max_errors;    /* failures that stop this rank; 0 = no limit */
    uint64_t stop_after_ns; /* stonewall, see tmk_phase_even_all(); 0 = none */
    uint64_t interval_ns;   /* operations are sampled in such steps; 0 = not */
    const char *path;       /* of the current item, for messages; borrowed */
    const char *detail;     /* more about a failure, likewise; may be NULL */
};

struct tmk_phase {
    /* what every operation touches */
    uint64_t last_ns; /* end of the operation before */
    uint64_t poll_ns; /* when to look around next */
    uint64_t done;    /* operations that succeeded */
    uint64_t min_ns, max_ns;
    uint64_t took_ns; /* the operation before; at first 0, as if there were */
    bool over;
    struct tmk_hist latency; /* of the others: that 0 was taken away */
    /* the rest */
    struct tmk_job *job;
    struct tmk_phase_how how;
    uint64_t t0_ns, t1_ns, t2_ns;
    uint64_t epoch_ns;    /* a moment that all ranks have in common */
    bool alone;           /* begun without a barrier */
    bool full;            /* creation was given up */
    bool ended;           /* over for good, not for the stonewall's sake */
    uint64_t deadline_ns; /* of the stonewall; UINT64_MAX = none */
    bool evened;          /* tmk_phase_even_all() was called: */
    uint64_t walled;      /* items of this rank by then */
    uint64_t walled_ns;   /* since t0 */
    uint64_t aside_ns;    /* time between operations: data is filled, checked */
    uint64_t waited_ns;   /* likewise: for others, before t1 */
    uint64_t other_ns;    /* likewise: work that is no operation */
    uint64_t overlap_ns;  /* of operations that were under way with others */
    uint64_t failed;
    uint64_t wrong; /* of those: data that was not what was written */
    uint64_t bytes;
    uint64_t missed; /* operations never tried; set by the caller */
    uint64_t failed_by[TMK_ERRNUM_SLOTS];
    struct tmk_failure first[TMK_RESULT_FAILURES_MAX]; /* one per errno */
    size_t n_first;
    struct tmk_sample sample;
    uint64_t *sums; /* for combining; owned */
};

/* The caller's memory; 0 or -ENOMEM. */
int tmk_phase_init(struct tmk_phase *p);

/* Also after a failed init; NULL members are fine. */
void tmk_phase_fini(struct tmk_phase *p);

/* Reset, meet all ranks, start the clock.  Collective over job. */
void tmk_phase_begin_all(struct tmk_phase *p, struct tmk_job *job,
                         const struct tmk_phase_how *how);

/*
 * Slow halves of tmk_phase_did().  Polling is told how many operations have
 * succeeded just now, none or one, which may be in a new slot of the sample.
 */
void tmk_phase_fail(struct tmk_phase *p, int err);
void tmk_phase_poll(struct tmk_phase *p, uint64_t now_ns, uint64_t succeeded);

/* The phase should not go on on this rank. */
static inline bool tmk_phase_over(const struct tmk_phase *p)
{
    return p->over;
}

/* One operation ended at `now`, with 0 or -errno. */
static inline void tmk_phase_did_at(struct tmk_phase *p, int err, uint64_t now)
{
    uint64_t took = now - p->last_ns;

    /* One operation late, because where in memory `took` has to be counted is
     * not known until the clock was read, and that would take as long again. */
    tmk_hist_record(&p->latency, p->took_ns);
    p->took_ns = took;
    p->last_ns = now;
    if (took > p->max_ns) {
        p->max_ns = took;
    }
    if (took < p->min_ns) {
        p->min_ns = took;
    }
    if (err == 0) {
        p->done++;
    } else {
        tmk_phase_fail(p, err);
    }
    if (now >= p->poll_ns) {
        tmk_phase_poll(p, now, err == 0);
    }
}

/*
 * One of several operations that are under way at a time began at `start` and
 * ended at `now`.
 */
static inline void tmk_phase_did_since(struct tmk_phase *p, int err,
                                       uint64_t start, uint64_t now)
{
    p->overlap_ns += p->last_ns - start;
    p->last_ns = start;
    tmk_phase_did_at(p, err, now);
}

/* One operation has ended, with 0 or -errno.  Reads the clock, once. */
static inline void tmk_phase_did(struct tmk_phase *p, int err)
{
    tmk_phase_did_at(p, err, tmk_clock_ns());
}

/* What was done since the last operation is none: the next begins now. */
static inline void tmk_phase_resume(struct tmk_phase *p)
{
    uint64_t now = tmk_clock_ns();

    p->aside_ns += now - p->last_ns;
    p->last_ns = now;
}

/* The same where that is work to be measured, not data put aside. */
static inline void tmk_phase_skip(struct tmk_phase *p)
{
    uint64_t now = tmk_clock_ns();

    p->other_ns += now - p->last_ns;
    p->last_ns = now;
}

/* Look around if it is time to: for work that is no operation. */
static inline void tmk_phase_look(struct tmk_phase *p)
{
    uint64_t now = tmk_clock_ns();

    if (now >= p->poll_ns) {
        tmk_phase_poll(p, now, 0);
    }
}

/*
 * An operation that was counted as done, maybe by another rank, failed after
 * all.
 */
void tmk_phase_spoil(struct tmk_phase *p, int err);

/*
 * The stonewall begins now, not with the phase, which has how.stop_after_ns =
 * 0: operations stop after so long.
 */
void tmk_phase_wall(struct tmk_phase *p, uint64_t stop_after_ns);

/* Wait for all ranks in the middle of a phase, which is no operation's time.
 * Collective. */
void tmk_phase_meet_all(struct tmk_phase *p);

/* The same, and whether any rank says so.  Collective. */
bool tmk_phase_any_all(struct tmk_phase *p, bool own);

/* `bytes` at `buf` from rank 0 to all, likewise.  Collective. */
void tmk_phase_bcast_all(struct tmk_phase *p, void *buf, int bytes);

/* The greatest of all ranks in the place of each of `n` values, below 2^63,
 * likewise.  Collective. */
void tmk_phase_max_all(struct tmk_phase *p, uint64_t *values, int n);

/*
 * The stonewall: this rank has come through `visited` of its items, all of
 * them or those that how.stop_after_ns left it the time for.  Returns the most
 * that any rank has; a rank that was stopped by the time alone may go on until
 * it has as many.  Collective, in phases with a stonewall.
 */
uint64_t tmk_phase_even_all(struct tmk_phase *p, uint64_t visited);

/* Take t1: this rank's operations are over. */
void tmk_phase_close(struct tmk_phase *p);

/*
 * Wait for all ranks, stop the clock, combine.  The result is the same on
 * every rank, but for `failures`, which rank 0 gets.  Collective.
 */
void tmk_phase_end_all(struct tmk_phase *p, struct tmk_phase_result *result);

/*
 * Phases without barriers.  Some of them make a group:
 *
 *     epoch_ns = tmk_phase_group_begin_all(job);
 *     for each phase: tmk_phase_begin(p, job, &how, epoch_ns),
 *                     operations, tmk_phase_close(p), tmk_phase_end(p)
 *     for each phase: tmk_phase_combine_all(p, &result)
 *
 * The time of a phase is from the first rank's begin to the last rank's end,
 * by the moment that all have in common.
 */
uint64_t tmk_phase_group_begin_all(struct tmk_job *job);
void tmk_phase_begin(struct tmk_phase *p, struct tmk_job *job,
                     const struct tmk_phase_how *how, uint64_t epoch_ns);
void tmk_phase_end(struct tmk_phase *p);
void tmk_phase_combine_all(struct tmk_phase *p,
                           struct tmk_phase_result *result);

#endif
