#ifndef TMK_BENCH_IOR_STATUSFILE_H
#define TMK_BENCH_IOR_STATUSFILE_H

#include <stdint.h>

#include "run/job.h"

/*
 * stoneWallingStatusFile: how many transfers each rank made when writing was
 * stopped, as a decimal number, for launches that read.
 */

/*
 * The number in the file; 0 and a warning if there is none, or no file.
 * Collective.
 */
uint64_t tmk_ior_statusfile_read_all(struct tmk_job *job, const char *path);

/* Write it.  0, or -errno, said.  Rank 0 writes; collective. */
int tmk_ior_statusfile_write_all(struct tmk_job *job, const char *path,
                                 uint64_t transfers);

#endif
