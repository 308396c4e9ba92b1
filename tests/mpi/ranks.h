#ifndef TMK_TESTS_MPI_RANKS_H
#define TMK_TESTS_MPI_RANKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <mpi.h>
#include <stdlib.h>

/*
 * MPI around cmocka.  Every rank runs every case.  A rank whose assertion
 * fails ends at once and takes the others along: they would wait for it.
 */
static inline void ranks_begin(void)
{
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    MPI_Init(NULL, NULL);
}

/* `failed`: what cmocka returned; the exit status. */
static inline int ranks_end(int failed)
{
    MPI_Finalize();
    return failed != 0;
}

static inline int ranks_rank(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int ranks_size(void)
{
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

#endif
