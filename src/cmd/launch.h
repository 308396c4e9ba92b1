#ifndef TMK_CMD_LAUNCH_H
#define TMK_CMD_LAUNCH_H

#include <stdbool.h>

/*
 * Whether another MPI's launcher started several of us, of which this MPI
 * knows one only: N programs that each believe to be alone.  Then the first of
 * them says so, with `program` in front, and *status is the exit status.
 * After MPI_Init.
 */
bool tmk_launch_refused(const char *program, int *status);

#endif
