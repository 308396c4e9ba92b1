#ifndef TMK_RUN_RANKS_H
#define TMK_RUN_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/job.h"
#include "run/phase.h"
#include "run/result.h"

/*
 * What single ranks did in a test: each keeps its own, and rank 0 sees that of
 * all ranks only on request, one iteration at a time, or combined.
 *
 * A rank that had nothing to do in a phase, such as one that makes no tree, is
 * left out of the statistics over ranks.
 */

/* Of one row over the iterations, on this rank. */
struct tmk_ranks_own {
    struct tmk_stats rate_per_s; /* before the last barrier */
    struct tmk_stats time_s;
};

struct tmk_ranks {
    size_t rows;
    int iterations;
    struct tmk_ranks_own own[TMK_RESULT_ROWS_MAX];
    struct tmk_result_cell *cells;   /* iteration by iteration; owned */
    struct tmk_result_whole *wholes; /* likewise; owned; rank 0 */
    struct tmk_result_cell *all;     /* of one iteration; owned; rank 0 */
};

/*
 * For a test of so many rows and iterations.  `each`: tmk_ranks_gather_all()
 * will be called, which takes memory for each iteration.  0 or -ENOMEM, on
 * this rank.
 */
int tmk_ranks_init(struct tmk_ranks *r, const struct tmk_job *job, size_t rows,
                   int iterations, bool each);

/* Also after a failed init, and of one that is all zero. */
void tmk_ranks_fini(struct tmk_ranks *r);

/* A phase has ended: `phase` is this rank's, `result` that of all. */
void tmk_ranks_add(struct tmk_ranks *r, size_t row, int iteration,
                   const struct tmk_phase *phase,
                   const struct tmk_phase_result *result);

/*
 * Statistics over ranks and iterations to the rows of `test` on rank 0, by two
 * reductions; trees get those over iterations.  Collective over job.
 */
void tmk_ranks_spread_all(const struct tmk_ranks *r, const struct tmk_job *job,
                          struct tmk_result_test *test);

/*
 * What all ranks did in one iteration, to rank 0; valid there until the next
 * call.  Collective over job.
 */
struct tmk_result_ranks tmk_ranks_gather_all(struct tmk_ranks *r,
                                             const struct tmk_job *job,
                                             int iteration);

#endif
