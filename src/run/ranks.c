/*
 * ranks: what single ranks did, kept where it happened.
 */
#include "run/ranks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"

int tmk_ranks_init(struct tmk_ranks *r, const struct tmk_job *job, size_t rows,
                   int iterations, bool each)
{
    size_t n;

    *r = (struct tmk_ranks){.rows = rows, .iterations = iterations};
    if (!each) {
        return 0;
    }
    if (__builtin_mul_overflow(rows, (size_t)iterations, &n)) {
        return -ENOMEM;
    }
    r->cells = calloc(n, sizeof(*r->cells));
    if (r->cells == NULL) {
        return -ENOMEM;
    }
    if (job->rank == 0) {
        r->wholes = calloc(n, sizeof(*r->wholes));
        r->all = calloc((size_t)job->size * rows, sizeof(*r->all));
        if (r->wholes == NULL || r->all == NULL) {
            return -ENOMEM;
        }
    }
    return 0;
}

void tmk_ranks_fini(struct tmk_ranks *r)
{
    free(r->cells);
    free(r->wholes);
    free(r->all);
    *r = (struct tmk_ranks){0};
}

void tmk_ranks_add(struct tmk_ranks *r, size_t row, int iteration,
                   const struct tmk_phase *phase,
                   const struct tmk_phase_result *result)
{
    const struct tmk_result_cell cell = {
        /* Negative: this rank only spoilt what others did. */
        .operations = (int64_t)phase->done > 0 ? phase->done : 0,
        .failed = phase->failed,
        .busy_ns = phase->t1_ns - phase->t0_ns,
        .time_ns = phase->t2_ns - phase->t0_ns,
    };
    const size_t at = (size_t)iteration * r->rows + row;
    struct tmk_ranks_own *own = &r->own[row];

    if (cell.operations + cell.failed != 0) {
        tmk_stats_add(&own->rate_per_s,
                      tmk_units_per_s(cell.operations, cell.busy_ns));
        tmk_stats_add(&own->time_s, tmk_units_seconds(cell.busy_ns));
    }
    if (r->cells != NULL) {
        r->cells[at] = cell;
    }
    if (r->wholes != NULL) {
        r->wholes[at] = (struct tmk_result_whole){
            .ran = true,
            .rate_per_s = result->rate_per_s,
            .time_ns = result->time_ns,
        };
    }
}

/*
 * Statistics over ranks.
 */

/* What is added of each row, */
enum { SUM_COUNT, SUM_RATE, SUM_TIME, SUMS };

/* and what is maximised; minima by their negative. */
enum { MAX_RATE, MIN_RATE, MAX_TIME, MIN_TIME, MAXIMA };

static struct tmk_result_spread spread_of_stats(const struct tmk_stats *s)
{
    return (struct tmk_result_spread){s->max, s->min, s->mean};
}

void tmk_ranks_spread_all(const struct tmk_ranks *r, const struct tmk_job *job,
                          struct tmk_result_test *test)
{
    double sums[TMK_RESULT_ROWS_MAX][SUMS] = {{0.0}};
    double maxima[TMK_RESULT_ROWS_MAX][MAXIMA] = {{0.0}};

    for (size_t i = 0; i < r->rows; i++) {
        const struct tmk_stats *rate = &r->own[i].rate_per_s;
        const struct tmk_stats *time = &r->own[i].time_s;
        const double n = (double)rate->n;

        sums[i][SUM_COUNT] = n;
        sums[i][SUM_RATE] = n * rate->mean;
        sums[i][SUM_TIME] = n * time->mean;
        maxima[i][MAX_RATE] = rate->n != 0 ? rate->max : -INFINITY;
        maxima[i][MIN_RATE] = rate->n != 0 ? -rate->min : -INFINITY;
        maxima[i][MAX_TIME] = time->n != 0 ? time->max : -INFINITY;
        maxima[i][MIN_TIME] = time->n != 0 ? -time->min : -INFINITY;
    }
    tmk_wait_reduce_all(&job->wait, sums, (int)r->rows * SUMS, MPI_DOUBLE,
                        MPI_SUM);
    tmk_wait_reduce_all(&job->wait, maxima, (int)r->rows * MAXIMA, MPI_DOUBLE,
                        MPI_MAX);
    for (size_t i = 0; i < r->rows && job->rank == 0; i++) {
        struct tmk_result_row *row = &test->rows[i];
        const double n = sums[i][SUM_COUNT];

        if (row->tree) {
            row->rank_rate_per_s = spread_of_stats(&row->rate_per_s);
            row->rank_time_s = spread_of_stats(&row->time_s);
        } else if (n > 0.0) {
            row->rank_rate_per_s = (struct tmk_result_spread){
                maxima[i][MAX_RATE], -maxima[i][MIN_RATE],
                sums[i][SUM_RATE] / n};
            row->rank_time_s = (struct tmk_result_spread){
                maxima[i][MAX_TIME], -maxima[i][MIN_TIME],
                sums[i][SUM_TIME] / n};
        }
    }
}

struct tmk_result_ranks tmk_ranks_gather_all(struct tmk_ranks *r,
                                             const struct tmk_job *job,
                                             int iteration)
{
    const size_t at = (size_t)iteration * r->rows;

    tmk_wait_gather_all(&job->wait, &r->cells[at], r->all,
                        (int)(r->rows * sizeof(*r->cells)));
    return (struct tmk_result_ranks){
        .iteration = iteration,
        .ranks = job->size,
        .rows = r->rows,
        .cells = r->all,
        .wholes = r->wholes != NULL ? &r->wholes[at] : NULL,
    };
}
