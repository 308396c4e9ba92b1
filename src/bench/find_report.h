#ifndef TMK_BENCH_FIND_REPORT_H
#define TMK_BENCH_FIND_REPORT_H

#include <stdbool.h>

#include "bench/find_conf.h"
#include "bench/find_walk.h"
#include "run/job.h"
#include "run/report.h"
#include "run/result.h"

/* What all ranks did together. */
struct tmk_find_result {
    uint64_t time_ns; /* of the slowest rank, end of the search included */
    uint64_t sums[TMK_FIND_SUMS];
    struct tmk_result_rank fastest, slowest; /* by the time at work; to 1 us */
    double waiting_share; /* of the time of all ranks: with nothing to do */
    struct tmk_hist read_ns, stat_ns; /* empty if they were not measured */
    struct tmk_result_rank longest_read, longest_stat; /* to 1 us */
    struct tmk_sample_series intervals; /* of entries; n = 0: not asked for */
    bool stopped;
};

/* "--stats": some lines on the job's err. */
void tmk_find_report_stats(struct tmk_job *job,
                           const struct tmk_find_result *result);

/* The latencies of a phase, as far as they were measured: of stats or of reads
 * of directories, whichever were more. */
void tmk_find_report_fill_latency(struct tmk_phase_result *phase,
                                  const struct tmk_find_result *result);

/* "--percentiles": a table on the job's err. */
void tmk_find_report_latency(struct tmk_job *job,
                             const struct tmk_find_result *result);

/* The last lines of pfind, on the job's out; `traffic` is this rank's, and NULL
 * without -v. */
void tmk_find_report_pfind(struct tmk_job *job,
                           const struct tmk_find_result *result, bool rates,
                           bool deletes,
                           const struct tmk_queue_traffic *traffic);

/* The line of each rank, with -P of pfind; own[TMK_FIND_ERRNO] are its counts.
 * Collective. */
void tmk_find_report_ranks_all(struct tmk_job *job, const uint64_t *own,
                               bool deletes,
                               const struct tmk_queue_traffic *traffic);

/* To writers: a row for entries, directories, stats and matches. */
void tmk_find_report_write(const struct tmk_writer *writers,
                           const struct tmk_report_run *run,
                           const struct tmk_find_result *result,
                           const struct tmk_result *whole);

#endif
