#ifndef TMK_BENCH_IOR_CACHE_H
#define TMK_BENCH_IOR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_doubt.h"
#include "bench/ior_files.h"
#include "bench/ior_run.h"

/*
 * Memory that may answer in place of storage: what is done about it before a
 * read, and what is said of it.
 */

/*
 * Before a phase that reads, with run->path and run->source set: caches are
 * emptied as was asked for, before the `first` pass alone, because later ones
 * show what a cache does.  *share is what of the data that is to be read the
 * nodes that will read it hold in memory (0 to 1), or negative where that
 * cannot be told or memory is the storage.  *done is for the result.
 * Collective.
 */
void tmk_ior_cache_before_read_all(struct tmk_ior_run *run,
                                   const struct tmk_ior_files *files,
                                   bool first, struct tmk_result_caches *done,
                                   double *share);

/* After a write phase, with --posix.fadvise=dontneed: this rank's file.
 * Collective. */
void tmk_ior_cache_after_write_all(struct tmk_ior_run *run,
                                   const struct tmk_ior_files *files);

/*
 * The size of the data that will be read against memory, said once a test, with
 * run->dir set; with -D, where nobody knows it, after the phases.  Collective.
 */
void tmk_ior_cache_notes_all(struct tmk_ior_run *run);

/* Whether data is read without the caches of the nodes, by whatever was asked
 * for; and by O_DIRECT. */
bool tmk_ior_cache_is_around(const struct tmk_ior_run *run);
bool tmk_ior_cache_is_direct(const struct tmk_ior_run *run);

/* After the phases of a test: are rates those of a cache? */
void tmk_ior_cache_judge(struct tmk_ior_run *run,
                         const struct tmk_ior_doubt *doubt);

/*
 * -M, memoryPerTask: memory that is taken away, and touched, for the time of a
 * test.  0, or -errno, said.  Collective.
 */
int tmk_ior_cache_hog_all(struct tmk_ior_run *run, void **memory,
                          uint64_t *bytes);
void tmk_ior_cache_unhog(void *memory, uint64_t bytes);

#endif
