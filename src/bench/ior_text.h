#ifndef TMK_BENCH_IOR_TEXT_H
#define TMK_BENCH_IOR_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "base/stats.h"
#include "bench/ior_plan.h"
#include "engine/engine.h"
#include "run/layout.h"
#include "run/result.h"

/*
 * What ior says, column for column (spec/ior.md 5): its default text, and its
 * own JSON and CSV.  Only rank 0 calls; nothing here is inside a clock.
 * bench/ior_log.h has the lines of higher verbosities.
 *
 *     tmk_ior_text_begin(t, &run)
 *       for each test
 *         tmk_ior_text_test_begin(t, &test)
 *         for each phase: tmk_ior_text_add(&test, &phase)
 *                         tmk_ior_text_phase(t, &test, &phase)
 *         tmk_ior_text_latency(t, ...)       with --percentiles
 *         tmk_ior_text_test_end(t, &test)
 *     tmk_ior_text_end(t)
 */

enum tmk_ior_access {
    TMK_IOR_WRITE,
    TMK_IOR_READ,
    TMK_IOR_MIX,
    TMK_IOR_REMOVE
};

/* What happened in a phase; times are those of spec 4. */
struct tmk_ior_phase {
    enum tmk_ior_access access;
    int repetition;                        /* from 0 */
    int pass;                              /* from 0; of --read-passes */
    const struct tmk_phase_result *result; /* what all phases have; NULL for
                                              REMOVE */
    uint64_t open_ns, transfer_ns, close_ns, total_ns;
    uint64_t moved_bytes; /* over all ranks; total is what the rate is of */
    uint64_t read_bytes;  /* MIX: of those, read */
    /* MIX: each way for itself, by TMK_IOR_WRITE and TMK_IOR_READ */
    struct tmk_result_side sides[2];
    uint64_t side_mean_ns[2]; /* as best_mean_ns; 0 = no transfers */
    uint64_t transfers;       /* over all ranks, that succeeded */
    uint64_t best_mean_ns;    /* the least of a rank's time per transfer */
    uint64_t stat_bytes;      /* size by stat(), of all files together */
    bool stat_known;
    /* the stonewall, if result->wall.on; in transfers and bytes */
    uint64_t pairs_accessed;
    uint64_t wall_min_bytes, wall_avg_bytes, wall_total_bytes;
    uint64_t wall_ns;
    bool limited;        /* what -D left, or a status file tells of, is read */
    bool many_errors;    /* --max-errors was reached by a rank */
    uint64_t errors;     /* transfers with wrong data */
    double cached_share; /* of the data, in this node's memory before the
                            phase; negative = not asked */
};

/* One access over all repetitions that were run, as the wide table has it.
 * Filled by tmk_ior_text_add(). */
struct tmk_ior_sum {
    struct tmk_stats bytes_per_s; /* moved / total */
    struct tmk_stats ops_per_s;   /* moved / T / total */
    struct tmk_stats total_s;
    uint64_t first_bytes;      /* moved in repetition 0 */
    double wall_s, wall_bytes; /* sums, for Stonewall(s) and (MiB) */
    uint64_t walls;            /* phases with a stonewall and wear-out */
    double max_bytes_per_s;
};

struct tmk_ior_test {
    int id; /* from 0 */
    time_t started;
    const struct tmk_ior_plan *plan; /* borrowed */
    const struct tmk_engine_ops *ops;
    const char *path;          /* rank 0's file */
    int nodes, ranks_per_node; /* as shown: overridden ones too */
    bool usage_known;
    struct tmk_engine_usage usage;
    /* Seeds that the clock gave, and so are not among the options. */
    bool data_seed_chosen, offset_seed_chosen;
    int64_t data_seed; /* of repetition 0; the next ones have one more each */
    int64_t offset_seed;
    struct tmk_ior_sum sums[3]; /* by TMK_IOR_WRITE, _READ and _MIX */
};

struct tmk_ior_text_run {
    const char *banner; /* "IOR-4.1.0+treemark-0.1.0" */
    time_t started;
    int argc;
    char *const *argv;
    enum tmk_ior_format format;
    int verbosity;
    bool summary_at_end; /* the wide table: always in the program */
};

struct tmk_ior_text {
    FILE *log; /* warnings, verbose lines: borrowed */
    FILE *out; /* results: the same, or summaryFile; borrowed */
    struct tmk_ior_text_run run;
    /* private */
    struct tmk_ior_wide *wide; /* owned: of the wide table so far */
    size_t n_wide;
    struct tmk_ior_summary *summary; /* owned; with JSON */
    size_t n_tests;
};

/* One way of moving data, for the table of latencies. */
struct tmk_ior_text_latency {
    const char *name; /* "write", "read pass 2" */
    const struct tmk_result_latency *latency;
};

/* "1 MiB", "262144 bytes", "1.95 GiB": as the block of options has sizes. */
char *tmk_ior_text_size(uint64_t bytes, char *buf, size_t size);

/* "0.000428", "633.26", "4521", as the rows have numbers; "-" if it is
 * negative, or no number. */
char *tmk_ior_text_number(double value, char *buf, size_t size);

/* "Mon Nov 30 15:29:26 2026": local time. */
char *tmk_ior_text_time(time_t when, char *buf, size_t size);

/* "Linux client1"; from verbosity 2 on with release, version and hardware. */
char *tmk_ior_text_machine(int verbosity, char *buf, size_t size);

/*
 * Account a phase to the sums of its test.  Of several passes of reading only
 * the first counts: the others measure caches.  What --rwmix read and wrote
 * counts as reading and as writing, and both together as mixing.  Pure.
 */
void tmk_ior_text_add(struct tmk_ior_test *test,
                      const struct tmk_ior_phase *phase);

void tmk_ior_text_begin(struct tmk_ior_text *t,
                        const struct tmk_ior_text_run *run);
void tmk_ior_text_test_begin(struct tmk_ior_text *t,
                             const struct tmk_ior_test *test);
/*
 * A row, three of TMK_IOR_MIX; the wear-out line and the three lines about
 * sizes before it, failures below it.  Accounts nothing.
 *
 * A later pass of reading has its number behind the iteration, and one way of
 * --rwmix the word "mixed": both stay what they are to a parser, "read" or
 * "write" in the first column and the iteration, a whole number, in the last
 * one that it knows.  The third row of a mix, "mixed", is both together.
 */
void tmk_ior_text_phase(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                        const struct tmk_ior_phase *phase);
/* Latencies, below the rows; lines without operations are left out. */
void tmk_ior_text_latency(struct tmk_ior_text *t,
                          const struct tmk_ior_test *test,
                          const struct tmk_layout *layout,
                          const struct tmk_ior_text_latency *lines, size_t n);
/* "Max Write" and "Max Read", with summaryAlways the wide table too. */
void tmk_ior_text_test_end(struct tmk_ior_text *t,
                           const struct tmk_ior_test *test);
/* "Summary of all tests:", "Finished".  Releases. */
void tmk_ior_text_end(struct tmk_ior_text *t);

/*
 * saveRankPerformanceDetailsCSV (spec 5.6): the header, and N lines for a
 * phase.  open_close_ns[r] and transfer_ns[r] are of each rank.
 */
void tmk_ior_text_ranks_header(FILE *to);
void tmk_ior_text_ranks(FILE *to, const struct tmk_ior_phase *phase, int ranks,
                        const uint64_t *open_close_ns,
                        const uint64_t *transfer_ns);

#endif
