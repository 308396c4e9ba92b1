/*
 * launch: were we started by the launcher of the MPI that we are built with?
 */
#include "cmd/launch.h"

#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The variable that tells; NULL = none. */
static const char *foreign(int size)
{
    static const char *const told[] = {
        "OMPI_COMM_WORLD_SIZE",
        "PMI_SIZE",
        "SLURM_STEP_NUM_TASKS",
    };

    if (size > 1) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        const char *value = getenv(told[i]);

        if (value != NULL && strtol(value, NULL, 10) > 1) {
            return told[i];
        }
    }
    return NULL;
}

/* Whether, of programs so started, this one is the first: it complains. */
static bool is_first(void)
{
    static const char *const told[] = {
        "OMPI_COMM_WORLD_RANK",
        "PMI_RANK",
        "SLURM_PROCID",
    };

    for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
        const char *value = getenv(told[i]);

        if (value != NULL) {
            return strtol(value, NULL, 10) == 0;
        }
    }
    return true;
}

static void complain_about(const char *program, const char *variable)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;

    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n,")] = '\0';
    for (char *tab = library; (tab = strchr(tab, '\t')) != NULL;) {
        *tab = ' ';
    }
    fprintf(stderr,
            "%s: started by another MPI's launcher (%s is %s): this program "
            "needs the mpiexec of %s, or to be built with the other one\n",
            program, variable, getenv(variable), library);
}

bool tmk_launch_refused(const char *program, int *status)
{
    const char *variable;
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    variable = foreign(size);
    if (variable == NULL) {
        return false;
    }
    /* The others end well, or a launcher would end the one that speaks. */
    *status = 0;
    if (is_first()) {
        complain_about(program, variable);
        *status = 2;
    }
    return true;
}
