#ifndef TMK_RUN_REPORT_LINES_H
#define TMK_RUN_REPORT_LINES_H

#include <stdint.h>
#include <stdio.h>

#include "base/sample.h"
#include "run/job.h"
#include "run/layout.h"
#include "run/result.h"

/* Lines that the texts of several benchmarks have alike. */

/* How full a file system is: "252.0 GiB", "7.0%", "16.0 Mi", "2.7%". */
struct tmk_report_lines_usage {
    char size[32], used[16];
    char inodes[32], used_inodes[16];
};

struct tmk_report_lines_usage tmk_report_lines_usage_of(uint64_t size_bytes,
                                                        uint64_t used_bytes,
                                                        uint64_t inodes,
                                                        uint64_t used_inodes);

/* "FS                  : 252.0 GiB   Used FS: 7.0%   Inodes: ..." */
void tmk_report_lines_fs(FILE *to, const struct tmk_report_lines_usage *usage);

/*
 * Below a row, where there is something to tell:
 * "      failed             12 of 100 (EEXIST 10, ENOSPC 2)"
 * "      not tried          80 of 100"
 */
void tmk_report_lines_failed(FILE *to, uint64_t operations, uint64_t failed,
                             const uint64_t *failed_by, uint64_t missed);

/*
 * With -v, for whoever has asked for --interval; on the job's err:
 * "write                  operations in every 0.1 s: 12 14 0 13"
 */
void tmk_report_lines_intervals(struct tmk_job *job, const char *name,
                                const struct tmk_sample_series *series);

/*
 * The first line of what SIGUSR1 asks for; rounds are "iteration"s:
 * "-- partial report: iteration 1 of 3, 4 tasks --"
 */
void tmk_report_lines_partial(FILE *to, const char *rounds,
                              const struct tmk_result_test *test);

/*
 * A table of latencies: its two lines of headings, of which `what` (9
 * characters) is the first column's; then of each line, behind a label of 21
 * characters, what follows.  There must have been operations.
 */
void tmk_report_lines_latency_heading(FILE *to, const char *what);
void tmk_report_lines_latency(FILE *to, const struct tmk_layout *layout,
                              const struct tmk_result_latency *latency);

#endif
