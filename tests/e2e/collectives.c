/*
 * Preloaded: counts the collectives of a rank and writes the numbers to
 * $TREEMARK_COLLECTIVES_TO.<rank> as MPI is finalized:
 *
 *     barriers reductions broadcasts gathers
 *
 * Blocking and non-blocking forms count alike; gathers are all calls whose
 * size grows with the number of ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    unsigned long barriers, reductions, broadcasts, gathers;
} seen;

#define COUNTED(name, kind, params, args)                                      \
    int MPI_##name params                                                      \
    {                                                                          \
        seen.kind++;                                                           \
        return PMPI_##name args;                                               \
    }

#define MANY                                                                   \
    const void *from, int n, MPI_Datatype type, void *to, int m,               \
        MPI_Datatype to_type

COUNTED(Barrier, barriers, (MPI_Comm c), (c))
COUNTED(Ibarrier, barriers, (MPI_Comm c, MPI_Request *r), (c, r))
COUNTED(Allreduce, reductions,
        (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
         MPI_Comm c),
        (from, to, n, type, op, c))
COUNTED(Iallreduce, reductions,
        (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
         MPI_Comm c, MPI_Request *r),
        (from, to, n, type, op, c, r))
COUNTED(Reduce, reductions,
        (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
         int root, MPI_Comm c),
        (from, to, n, type, op, root, c))
COUNTED(Ireduce, reductions,
        (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op,
         int root, MPI_Comm c, MPI_Request *r),
        (from, to, n, type, op, root, c, r))
COUNTED(Bcast, broadcasts,
        (void *buf, int n, MPI_Datatype type, int root, MPI_Comm c),
        (buf, n, type, root, c))
COUNTED(Ibcast, broadcasts,
        (void *buf, int n, MPI_Datatype type, int root, MPI_Comm c,
         MPI_Request *r),
        (buf, n, type, root, c, r))
COUNTED(Gather, gathers, (MANY, int root, MPI_Comm c),
        (from, n, type, to, m, to_type, root, c))
COUNTED(Igather, gathers, (MANY, int root, MPI_Comm c, MPI_Request *r),
        (from, n, type, to, m, to_type, root, c, r))
COUNTED(Allgather, gathers, (MANY, MPI_Comm c),
        (from, n, type, to, m, to_type, c))
COUNTED(Iallgather, gathers, (MANY, MPI_Comm c, MPI_Request *r),
        (from, n, type, to, m, to_type, c, r))
COUNTED(Gatherv, gathers,
        (const void *from, int n, MPI_Datatype type, void *to, const int *m,
         const int *at, MPI_Datatype to_type, int root, MPI_Comm c),
        (from, n, type, to, m, at, to_type, root, c))
COUNTED(Alltoall, gathers, (MANY, MPI_Comm c),
        (from, n, type, to, m, to_type, c))
COUNTED(Scatter, gathers, (MANY, int root, MPI_Comm c),
        (from, n, type, to, m, to_type, root, c))

int MPI_Finalize(void)
{
    const char *to = getenv("TREEMARK_COLLECTIVES_TO");
    char path[4096];
    int rank;
    FILE *f;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof(path), "%s.%d", to != NULL ? to : "collectives",
             rank);
    f = fopen(path, "w");
    if (f != NULL) {
        fprintf(f, "%lu %lu %lu %lu\n", seen.barriers, seen.reductions,
                seen.broadcasts, seen.gathers);
        fclose(f);
    }
    return PMPI_Finalize();
}
