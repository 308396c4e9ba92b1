#ifndef TMK_BENCH_IOR_WIDE_H
#define TMK_BENCH_IOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/ior_text.h"

/*
 * "Summary of all tests": a line for each access of each test over its
 * repetitions.  A line outlives its test.
 */
struct tmk_ior_wide {
    const char *operation; /* "write", "read" or "mixed"; static */
    struct tmk_ior_sum sum;
    int test, tasks, ranks_per_node, repetitions;
    unsigned file_per_proc, reorder, reorder_random;
    uint64_t reorder_offset;
    int reorder_seed;
    uint64_t segments, block_bytes, transfer_bytes;
    const char *api; /* static */
    int ref_num;
};

enum { TMK_IOR_WIDE_MAX = 3 };

/* The lines of a test; how many there are. */
size_t tmk_ior_wide_make(struct tmk_ior_wide lines[TMK_IOR_WIDE_MAX],
                         const struct tmk_ior_test *test);

/* Population standard deviation, which is what ior has. */
double tmk_ior_wide_stddev(const struct tmk_stats *stats);

/*
 * When the stonewall came, on the average, and how fast a task was until then,
 * in MiB/s; false if there was none.
 */
bool tmk_ior_wide_wall(const struct tmk_ior_sum *sum, double *time_s,
                       double *mib_per_s);

/* "Summary of all tests:", the names of the columns, and the lines. */
void tmk_ior_wide_print(const struct tmk_ior_wide *lines, size_t n, FILE *to);

#endif
