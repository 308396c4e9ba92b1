#ifndef TMK_TESTS_MPI_PHASES_H
#define TMK_TESTS_MPI_PHASES_H

#include "mpi/ranks.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run/phase.h"

/* What tests of phases share: a job and a phase in it. */

enum { PHASES_PATIENCE_S = 30 };

struct fixture {
    struct tmk_job job;
    struct tmk_phase phase;
    struct tmk_phase_result result;
};

static inline int init(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    *state = f;
    if (f == NULL || tmk_phase_init(&f->phase) != 0) {
        return -1;
    }
    return tmk_job_init_all(&f->job, MPI_COMM_WORLD, "test", stdout, stderr);
}

static inline int fini(void **state)
{
    struct fixture *f = *state;

    tmk_phase_fini(&f->phase);
    tmk_phase_fini(&f->phase); /* again is fine */
    tmk_job_fini_all(&f->job);
    free(f);
    return 0;
}

static inline void begin_all(struct fixture *f, struct tmk_phase_how how)
{
    tmk_phase_begin_all(&f->phase, &f->job, &how);
}

static inline void end_all(struct fixture *f)
{
    tmk_phase_close(&f->phase);
    tmk_phase_end_all(&f->phase, &f->result);
}

/* n operations with this outcome, or fewer if the phase is over. */
static inline int operate(struct fixture *f, int n, int err)
{
    int i = 0;

    while (i < n && !tmk_phase_over(&f->phase)) {
        tmk_phase_did(&f->phase, err);
        i++;
    }
    return i;
}

/* Operations that succeed until the phase is over, or patience is. */
static inline void operate_until_over(struct fixture *f)
{
    uint64_t end = tmk_clock_ns() + PHASES_PATIENCE_S * UINT64_C(1000000000);

    while (!tmk_phase_over(&f->phase) && tmk_clock_ns() < end) {
        sched_yield();
        tmk_phase_did(&f->phase, 0);
    }
}

static inline void nap_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* One that cannot be, if there was none. */
static inline const struct tmk_failure *
failure_of(const struct tmk_phase_result *r, int err)
{
    static const struct tmk_failure none = {.err = -1, .rank = -1};

    for (size_t i = 0; i < r->n_failures; i++) {
        if (r->failures[i].err == err) {
            return &r->failures[i];
        }
    }
    return &none;
}

#endif
