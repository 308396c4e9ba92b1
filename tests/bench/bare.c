/*
 * bare: what every MPI program pays that duplicates its communicator and finds
 * its nodes, and nothing else.  part_launch of run.sh times it against mdtest.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm own;
    MPI_Comm node;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_free(&node);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
