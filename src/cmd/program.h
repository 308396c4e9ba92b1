#ifndef TMK_CMD_PROGRAM_H
#define TMK_CMD_PROGRAM_H

#include "run/job.h"

/* A command that runs on all MPI ranks. */
struct tmk_program {
    const char *name;    /* goes before messages */
    const char *version; /* what --version prints before the number of our
                            release; NULL: the command knows no --version */
    /* The same exit status on every rank.  Collective over job. */
    int (*run)(struct tmk_job *job, int argc, char **argv);
};

/*
 * Start MPI, run, end MPI.  The exit status, which is rank 0's alone: launchers
 * combine those of all ranks.
 */
int tmk_program_run(const struct tmk_program *program, int argc, char **argv);

#endif
