/*
 * mdtest.h: metadata rates of a file system, measured by the ranks of a
 * communicator.
 */
#ifndef TREEMARK_MDTEST_H
#define TREEMARK_MDTEST_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Phases: indexes of the arrays below. */
typedef enum {
    MDTEST_DIR_CREATE_NUM = 0,
    MDTEST_DIR_STAT_NUM = 1,
    MDTEST_DIR_READ_NUM = 2, /* never run: all 0 */
    MDTEST_DIR_RENAME_NUM = 3,
    MDTEST_DIR_REMOVE_NUM = 4,
    MDTEST_FILE_CREATE_NUM = 5,
    MDTEST_FILE_STAT_NUM = 6,
    MDTEST_FILE_READ_NUM = 7,
    MDTEST_FILE_REMOVE_NUM = 8,
    MDTEST_TREE_CREATE_NUM = 9,
    MDTEST_TREE_REMOVE_NUM = 10,
    MDTEST_LAST_NUM
} mdtest_test_num_t;

/*
 * One iteration; the same on every rank.  A phase that was not run is all 0.
 * One in which anything failed, or was not tried, has rate 0, items 0 and
 * stonewall_item_sum 0, whatever --tolerate says.
 */
typedef struct {
    double rate[MDTEST_LAST_NUM]; /* items / time */
    double rate_before_barrier[MDTEST_LAST_NUM];
    double time[MDTEST_LAST_NUM]; /* s, of the slowest rank, with the wait for
                                     the others at the end, and without it: */
    double time_before_barrier[MDTEST_LAST_NUM];
    uint64_t items[MDTEST_LAST_NUM]; /* of all ranks */
    uint64_t total_errors; /* failed calls and wrong data of all phases; not 0
                              if the iteration is not to be used */
    /* When -W stopped all ranks, or they were done (s), and the items by then:
     * without -W, time and items. */
    double stonewall_time[MDTEST_LAST_NUM];
    uint64_t stonewall_last_item[MDTEST_LAST_NUM]; /* of a rank in the end */
    uint64_t stonewall_item_min[MDTEST_LAST_NUM];  /* least of a rank, times the
                                                      number of ranks */
    uint64_t stonewall_item_sum[MDTEST_LAST_NUM];  /* of all ranks */
} mdtest_results_t;

/*
 * Run mdtest with the words argv[1] ... argv[argc - 1]; argv needs no NULL at
 * its end, and is neither changed nor kept.  Rank 0 writes the report, and the
 * reason of a failure, to `out`, which is neither closed nor kept; the `out` of
 * other ranks is not used.
 *
 * Returns on every rank an array with one element for each iteration (-i; one
 * if the request was wrong), in one malloc'ed block that is the caller's to
 * free; NULL only if there is no memory.  Nothing ends the program or the
 * communicator.  Collective over comm.
 */
mdtest_results_t *mdtest_run(int argc, char **argv, MPI_Comm comm, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
