/*
 * scale_points: point after point: rank 0 leads, the others sleep until they
 * are wanted.
 */
#include "bench/scale_points.h"

#include <errno.h>
#include <stdlib.h>

#include "base/order.h"
#include "bench/scale_run.h"
#include "run/say.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

enum { GO_TAG = 7, GO_END = -1 };

/* Tell the others what is next: the ranks of a point, which is a number, or all
 * of them that it is over. */
static void send_go(struct tmk_scale_launch *launch, int at, int *ranks)
{
    const struct tmk_job *job = launch->job;
    int n = job->size;

    if (at >= 0) {
        n = tmk_scale_run_ranks(launch, (size_t)at, ranks);
    }
    for (int i = 1; i < n; i++) { /* rank 0 is the first of all */
        MPI_Request request;

        MPI_Isend(&at, 1, MPI_INT, at >= 0 ? ranks[i] : i, GO_TAG, job->comm,
                  &request);
        tmk_wait_finish(1, &request);
    }
}

/* Rank 0: points that are not there yet, one after the other. */
static int lead(struct tmk_scale_launch *launch, int *ranks)
{
    const bool shuffled =
        launch->conf.shuffle != 0 || launch->conf.shuffle_seed != 0;
    struct tmk_order order;
    int status = STATUS_OK;

    tmk_order_init(&order, launch->plan.n, launch->shuffle_seed);
    for (size_t i = 0; i < launch->plan.n && tmk_job_signal() == 0; i++) {
        size_t at = shuffled ? (size_t)tmk_order_at(&order, i) : i;
        const bool first = launch->n_run == 0;
        int ended;

        if (launch->entries[at].state != TMK_SCALE_NOT_RUN) {
            continue;
        }
        send_go(launch, (int)at, ranks);
        ended = tmk_scale_run_all(launch, at);
        if (tmk_scale_run_is_refused(launch, first, ended)) {
            status = STATUS_REFUSED;
            break;
        }
        status = ended != STATUS_OK ? STATUS_FAILED : status;
        if (launch->entries[at].state == TMK_SCALE_INTERRUPTED) {
            break;
        }
    }
    send_go(launch, GO_END, ranks);
    return status;
}

/* The others: asleep, but at their points. */
static void follow(struct tmk_scale_launch *launch)
{
    int at = 0;

    while (at != GO_END) {
        tmk_wait_receive_sleep(&launch->job->wait, &at, (int)sizeof(at), 0,
                               GO_TAG);
        if (at != GO_END) {
            (void)tmk_scale_run_all(launch, (size_t)at);
        }
    }
}

/* The exit status, the same on every rank.  Collective. */
int tmk_scale_points_all(struct tmk_scale_launch *launch)
{
    struct tmk_job *job = launch->job;
    int *ranks = calloc((size_t)job->size, sizeof(*ranks));
    int status = STATUS_FAILED;

    if (tmk_job_agree_all(job, ranks != NULL ? 0 : -ENOMEM) != 0 ||
        ranks == NULL) {
        tmk_say_error(job, "out of memory");
    } else if (job->rank == 0) {
        status = lead(launch, ranks);
    } else {
        follow(launch);
    }
    free(ranks);
    tmk_wait_bcast_all(&job->wait, &status, 1, MPI_INT);
    (void)tmk_job_interrupted_all(job);
    return status;
}
