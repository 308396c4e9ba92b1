/*
 * ior.h: bandwidth of a file system, measured by the ranks of a communicator.
 */
#ifndef TREEMARK_IOR_H
#define TREEMARK_IOR_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "aiori.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef long long IOR_offset_t;

/* One direction of one repetition; the same on every rank.  All 0: not run. */
typedef struct {
    double time; /* s, from the first open to the last close; where it failed
                    before, of the whole call, so that it may be divided by */
    size_t pairs_accessed; /* transfers of the rank that made most */
    double stonewall_time; /* s, until all ranks were stopped by -D or done;
                              without -D, as `time` */
    /* Of one rank by then: the least, the mean; of all ranks. */
    long long stonewall_min_data_accessed;
    long long stonewall_avg_data_accessed;
    long long stonewall_total_data_accessed;
    /* Bytes that all ranks moved; 0 if anything failed. */
    IOR_offset_t aggFileSizeFromStat;
    IOR_offset_t aggFileSizeFromXfer;
    IOR_offset_t aggFileSizeForBW;
} IOR_point_t;

/* One repetition. */
typedef struct {
    int errors; /* failed calls and wrong data; in the first repetition those
                   of the whole test.  Not 0 if the result is not to be used */
    IOR_point_t write;
    IOR_point_t read;
} IOR_results_t;

/* One test, and the next of a script. */
typedef struct IOR_test_t {
    IOR_results_t *results; /* one for each repetition (-i), one at least */
    int repetitions;        /* of them */
    struct IOR_test_t *next;
} IOR_test_t;

/*
 * Run ior with the words argv[1] ... argv[argc - 1]; argv needs no NULL at its
 * end, and is neither changed nor kept.  Rank 0 writes the report, and the
 * reason of a failure, to `out`, which is neither closed nor kept; the `out` of
 * other ranks is not used.
 *
 * Returns on every rank; NULL only if there is no memory.  It is one malloc'ed
 * block with the results in it: free(test) releases all.  Nothing ends the
 * program or the communicator.  Collective over comm.
 */
IOR_test_t *ior_run(int argc, char **argv, MPI_Comm comm, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
