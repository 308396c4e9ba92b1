#ifndef TMK_BENCH_IOR_STATUSFILE_H
#define TMK_BENCH_IOR_STATUSFILE_H

#include <stdint.h>

#include "run/job.h"
#include "run/output.h"

/*
 * stoneWallingStatusFile: how many transfers each rank made when writing was
 * stopped, as a decimal number, for launches that read.
 */

/*
 * The number in the file; 0 and a warning if there is none, or no file.
 * Collective.
 */
uint64_t tmk_ior_statusfile_read_all(struct tmk_job *job, const char *path);

/* Before anything is written: see that it can be.  0, or -errno, said; *out is
 * rank 0's, and released by the next.  Collective. */
int tmk_ior_statusfile_open_all(struct tmk_job *job, const char *path,
                                struct tmk_output **out);

/* Write it, unless it is 0; release.  0, or -errno, said.  Collective. */
int tmk_ior_statusfile_close_all(struct tmk_job *job, const char *path,
                                 struct tmk_output **out, uint64_t transfers);

#endif
