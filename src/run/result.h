#ifndef TMK_RUN_RESULT_H
#define TMK_RUN_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errnum.h"
#include "base/hist.h"
#include "base/opt.h"
#include "base/sample.h"
#include "base/stats.h"
#include "run/layout.h"

/*
 * What happened, as data; writers only turn it into text.  A finished phase
 * is handed to the writers and folded into its row; nothing is kept per
 * iteration, so that memory does not grow with -i.
 */
enum {
    TMK_RESULT_FAILURES_MAX = 8,
    TMK_RESULT_PATH_SIZE = 1024,
    TMK_RESULT_DETAIL_SIZE = 256
};

/* The first of the failures with one errno, and how many there were. */
struct tmk_failure {
    int err; /* positive errno; 0 = other numbers together */
    uint64_t count;
    int rank;
    char host[TMK_LAYOUT_HOST_SIZE];
    char path[TMK_RESULT_PATH_SIZE];     /* cut if longer */
    char detail[TMK_RESULT_DETAIL_SIZE]; /* more about it; "" = nothing */
};

/* What the stonewall did: items of single ranks when time was up. */
struct tmk_phase_wall {
    bool on;          /* there was one */
    bool hit;         /* set by the bench: not all had come through by then */
    uint64_t time_ns; /* longest of a rank until all were stopped or done */
    uint64_t min, max, sum;
};

/* What was done about caches before a phase, with success on all nodes. */
struct tmk_result_caches {
    bool on; /* anything was asked for */
    bool synced, remounted, dropped;
};

/* --check: what was found on disk after a phase, and what was to be. */
struct tmk_result_check {
    bool on, ok;
    uint64_t found;
    uint64_t least, most; /* that there may be */
};

/* A rank and its time. */
struct tmk_result_rank {
    int rank;
    uint64_t time_ns;
};

/* Single operations over all iterations of a row, or of one; those that failed
 * as well. */
struct tmk_result_latency {
    struct tmk_hist hist;
    uint64_t operations;
    double sum_ns;
    uint64_t min_ns;
    struct tmk_result_rank max; /* the longest, and whose that was */
};

/* Reading or writing in a phase that does both. */
struct tmk_result_side {
    uint64_t bytes, operations;
    double bytes_per_s, rate_per_s;           /* over all of the phase */
    const struct tmk_result_latency *latency; /* borrowed; NULL = not known */
};

/* What the bandwidth mode knows of a phase that moves data. */
struct tmk_result_transfer {
    bool on;
    /* Of all ranks: from the first that begins to the last that ends. */
    uint64_t open_ns, transfer_ns, close_ns;
    uint64_t total_ns;   /* from the first open to the last close */
    double bytes_per_s;  /* of the phase: bytes / total */
    double cached_share; /* of the data: in this node's memory before;
                            negative = not asked */
    bool mixed;          /* both ways: */
    struct tmk_result_side write, read;
};

/* Numbers that make it the same again, wherever they came from. */
struct tmk_result_seeds {
    bool data_known, offsets_known; /* it went by such */
    int64_t data, offsets;
};

/* One phase of one iteration, combined over all ranks. */
struct tmk_phase_result {
    uint64_t time_ns;    /* longest t2 - t0: closing barrier included */
    uint64_t busy_ns;    /* longest t1 - t0 */
    uint64_t operations; /* that succeeded, over all ranks */
    uint64_t failed;
    uint64_t wrong; /* of those: data that was not what was written */
    uint64_t bytes;
    bool alone;        /* without barriers: time from the first begin
                          to the last end */
    double rate_per_s; /* operations / time */
    uint64_t failed_by[TMK_ERRNUM_SLOTS];                 /* counts per errno */
    struct tmk_failure failures[TMK_RESULT_FAILURES_MAX]; /* rank 0 */
    size_t n_failures;
    /* By t1 - t0, to 1 us, of the ranks that had operations; without any,
     * rank 0 and no time. */
    struct tmk_result_rank fastest, slowest;
    double waiting_share; /* of all ranks' time: waiting for the slowest */
    double aside_share;   /* likewise: filling and checking data */
    uint64_t min_op_ns, max_op_ns; /* 0 and 0: no operations */
    double mean_op_ns;
    struct tmk_result_rank max_op; /* the longest operation, which took
                                      max_op_ns, and whose that was; rank -1:
                                      no operations */
    struct tmk_hist latency;
    struct tmk_sample_series intervals; /* n = 0 without --interval */
    double foreign_share; /* see base/owner.h; negative = not said */
    uint64_t missed;      /* operations planned but never tried */
    bool full;            /* given up: the file system takes no more */
    struct tmk_phase_wall wall;
    struct tmk_result_caches caches;
    struct tmk_result_check check;
    struct tmk_result_transfer transfer; /* set by the bench */
    struct tmk_result_seeds seeds;       /* likewise */
    int interrupted;                     /* signal number; 0 = none */
};

/* Over ranks and iterations; all 0: there is no value. */
struct tmk_result_spread {
    double max, min, mean;
};

/* The iteration of a row in which ranks took the most different times. */
struct tmk_result_uneven {
    bool found;    /* there is one that is long enough to trust, and in which
                      ranks differ by more than TMK_RESULT_UNEVEN */
    int iteration; /* counted from 0 */
    struct tmk_result_rank fastest, slowest;
    double waiting_share;
};

/* Ranks whose times differ by this share of the slowest one's are uneven. */
#define TMK_RESULT_UNEVEN 0.2

/* A line of the table: one phase over all iterations of a test. */
struct tmk_result_row {
    const char *name; /* static */
    bool shown;       /* in text tables */
    bool tree;        /* laid out as the tree rows of mdtest */
    bool ran;
    struct tmk_stats rate_per_s;
    struct tmk_stats time_s;
    struct tmk_stats bytes_per_s; /* n = 0: moves no data */
    /* Of single ranks that had something to do, before the last barrier; see
     * run/ranks.h.  Rank 0. */
    struct tmk_result_spread rank_rate_per_s, rank_time_s;
    uint64_t operations, failed, missed; /* over all iterations */
    uint64_t failed_by[TMK_ERRNUM_SLOTS];
    uint64_t too_short; /* iterations shorter than tmk_result_short_ns() */
    double foreign_share;
    struct tmk_result_uneven uneven;
    struct tmk_result_latency *latency; /* borrowed; NULL = not asked for */
};

enum { TMK_RESULT_ROWS_MAX = 32 };

/* One test: a number of tasks. */
struct tmk_result_test {
    int tasks;
    int nodes;
    int ranks_per_node;  /* on the fullest */
    uint64_t items;      /* of each kind, for each task */
    int iterations;      /* asked for */
    int iterations_done; /* begun and measured, maybe in part */
    struct tmk_result_row rows[TMK_RESULT_ROWS_MAX];
    size_t n_rows;
    /* Where tests of a launch differ in their options; borrowed: */
    const struct tmk_opt_table *tables; /* as many as the run's; NULL = its */
    int number;                         /* from 0; with tables */
    const char *path;                   /* likewise; NULL = the run's */
    /* JSON of the bench's own, one more member; read when the test is written,
     * and may be another one then.  NULL = none. */
    const char *extra;
};

/* What one rank did in one phase of one iteration. */
struct tmk_result_cell {
    uint64_t operations; /* that succeeded */
    uint64_t failed;
    uint64_t busy_ns; /* t1 - t0: before the last barrier */
    uint64_t time_ns; /* t2 - t0 */
};

/* What all ranks did in it, together. */
struct tmk_result_whole {
    bool ran;
    double rate_per_s;
    uint64_t time_ns;
};

/* One iteration, rank by rank. */
struct tmk_result_ranks {
    int iteration; /* counted from 0 */
    int ranks;
    size_t rows; /* as in the test */
    /* Of row i and rank r: cells[r * rows + i]. */
    const struct tmk_result_cell *cells;
    const struct tmk_result_whole *wholes; /* of each row */
};

/* What was removed of an earlier run before this one began. */
struct tmk_result_cleaned {
    bool done;
    uint64_t files, dirs; /* removed */
    uint64_t foreign;     /* none of ours among them: left */
    uint64_t time_ns;
};

/* The whole run. */
struct tmk_result {
    uint64_t failed_operations;
    uint64_t operations;      /* that succeeded */
    uint64_t wrong;           /* failures: data that was not as written */
    uint64_t items_tolerated; /* failures that --tolerate lets pass */
    bool over_tolerance;
    int interrupted;      /* signal number; 0 = none */
    bool left_behind;     /* something this run created is still there */
    bool status_lost;     /* the status file could not be written */
    bool output_failed;   /* nor could another file beside the report */
    bool trace_lost;      /* a file of calls could not be */
    bool commands_failed; /* of the user's, before and after phases, or -exec */
    bool check_failed;    /* --check found something else on disk */
    bool warned;          /* and warnings are taken for errors */
    bool broken_off;      /* a later iteration could not be set up */
    bool around; /* caches of the nodes were emptied or gone around in all of
                    it, so that doubts are of the servers' */
    bool direct; /* by O_DIRECT */
    const char *benchmark; /* of a study: the kind whose options would help;
                              NULL = that of the report */
    struct tmk_result_cleaned cleaned;
};

/*
 * A phase shorter than this says more about barriers and the scheduler than
 * about the file system: 100 barriers, and 1 ms at least.
 */
uint64_t tmk_result_short_ns(uint64_t barrier_ns);

/* Whether operations were made and each was timed. */
bool tmk_result_has_latency(const struct tmk_phase_result *phase);

/* What `percent` of a phase's operations took at most, and so no more than the
 * longest, in ns; 0 if there were none. */
uint64_t tmk_result_percentile_ns(const struct tmk_phase_result *phase,
                                  double percent);

/* Fold a finished phase into its row.  `barrier_ns`: see tmk_job. */
void tmk_result_row_add(struct tmk_result_row *row,
                        const struct tmk_phase_result *phase,
                        uint64_t barrier_ns);

/*
 * Items of each kind that a rank worked on in an iteration, from its cells:
 * the most operations that it tried in a phase on items, test->items at most.
 */
uint64_t tmk_result_items(const struct tmk_result_test *test,
                          const struct tmk_result_cell *cells);

#endif
