#ifndef TMK_BENCH_CLEAN_WALK_H
#define TMK_BENCH_CLEAN_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/clean_tally.h"
#include "engine/below.h"
#include "run/job.h"
#include "run/queue.h"

/*
 * Removing trees with all ranks.  A directory is listed by one rank, which
 * removes what it holds or gives parts of that away, keeps count of what is
 * under way, and has the directory itself removed when all has come back.
 */
struct tmk_clean_walk; /* opaque */

enum { TMK_CLEAN_PATH_SIZE = 8192 }; /* of a path below a root */

/*
 * Over the ranks of a job; dirs and tally are borrowed.  `dry`: count and
 * remove nothing.  NULL on all ranks if one has no memory.  Collective.
 */
struct tmk_clean_walk *tmk_clean_walk_new_all(const struct tmk_job *job,
                                              struct tmk_below *dirs,
                                              struct tmk_clean_tally *tally,
                                              bool dry);

/* NULL is allowed, on all ranks.  Collective. */
void tmk_clean_walk_free_all(struct tmk_clean_walk *walk);

/* Before the run, on any rank: a directory in a root, with all it holds; one
 * of a rank of ior -u (clean_unique.h); or a file, of ior if its data is such.
 */
void tmk_clean_walk_add_tree(struct tmk_clean_walk *walk, size_t root,
                             const char *name);
void tmk_clean_walk_add_unique(struct tmk_clean_walk *walk, size_t root,
                               const char *name);
void tmk_clean_walk_add_file(struct tmk_clean_walk *walk, size_t root,
                             const char *name, bool of_ior);

/*
 * Do it; the sums of the tally are those of all ranks then.  Returns whether
 * it was stopped by a signal, alike on all ranks.  Collective.
 */
bool tmk_clean_walk_run_all(struct tmk_clean_walk *walk);

#endif
