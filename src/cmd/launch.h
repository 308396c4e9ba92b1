#ifndef TMK_CMD_LAUNCH_H
#define TMK_CMD_LAUNCH_H

#include <stdbool.h>

/*
 * Whether another MPI's launcher started several of us, of which this MPI
 * knows one only: N programs that each believe to be alone.  `size` is MPI's;
 * the answer names the variable that tells, or is NULL.
 */
const char *tmk_launch_foreign(int size);

/* Whether, of programs so started, this one is the first: it complains. */
bool tmk_launch_first(void);

#endif
