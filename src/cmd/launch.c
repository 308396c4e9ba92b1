/*
 * launch: were we started by the launcher of the MPI that we are built with?
 */
#include "cmd/launch.h"

#include <stddef.h>
#include <stdlib.h>

const char *tmk_launch_foreign(int size)
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

bool tmk_launch_first(void)
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
