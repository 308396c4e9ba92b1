/*
 * md-workbench.h: metadata rates on a standing population of objects, measured
 * by the ranks of a communicator.
 */
#ifndef TREEMARK_MD_WORKBENCH_H
#define TREEMARK_MD_WORKBENCH_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Times of single operations, in s. */
typedef struct {
    float min;
    float q1;
    float median;
    float q3;
    float q90;
    float q99;
    float max;
} time_statistics_t;

/* One phase, or one run of the benchmark. */
typedef struct {
    time_statistics_t stats_create;
    time_statistics_t stats_read;
    time_statistics_t stats_stat;
    time_statistics_t stats_delete;
    int errors;
    double rate;        /* operations / s */
    double max_op_time; /* s */
    double runtime;     /* s */
    uint64_t iterations_done;
} mdworkbench_result_t;

typedef struct {
    int count;  /* of results */
    int errors; /* of all; not 0 if the results are not to be used */
    /* In the order in which they were run; two at least can be read. */
#ifdef __cplusplus
    mdworkbench_result_t result[2]; /* in truth `count` of them */
#else
    mdworkbench_result_t result[];
#endif
} mdworkbench_results_t;

/*
 * Run md-workbench with the words argv[1] ... argv[argc - 1]; argv needs no
 * NULL at its end, and is neither changed nor kept.  Rank 0 writes the report,
 * and the reason of a failure, to `out`, which is neither closed nor kept; the
 * `out` of other ranks is not used.
 *
 * Returns on every rank one malloc'ed block that is the caller's to free; NULL
 * only if there is no memory.  Nothing ends the program or the communicator.
 * Collective over comm.
 */
mdworkbench_results_t *md_workbench_run(int argc, char **argv, MPI_Comm comm,
                                        FILE *out);

#ifdef __cplusplus
}
#endif

#endif
