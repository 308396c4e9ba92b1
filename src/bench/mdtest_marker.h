#ifndef TMK_BENCH_MDTEST_MARKER_H
#define TMK_BENCH_MDTEST_MARKER_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "bench/mdtest_site.h"

/*
 * The marker, ".treemark.<uuid>" in the first test directory of an iteration:
 * host, process, boot and start of the run that is at work there.  It keeps a
 * second run from creating in the same place while the first is alive.  The
 * business of the rank that leads in a -d: rank 0, where there is but one.
 */

/* "<first test directory of an iteration>/<name of the kind with our id>";
 * the length, or -ENAMETOOLONG. */
int tmk_mdtest_marker_path(const struct tmk_mdtest_site *site,
                           uint64_t iteration, enum tmk_names_kind kind,
                           char *buf, size_t size);

/* Make a file that holds a text.  0 or -errno. */
int tmk_mdtest_marker_put(const struct tmk_mdtest_site *site, const char *path,
                          const char *text);

/* Every rank's result of the two below: the worst, said.  Collective. */
int tmk_mdtest_marker_agree_all(struct tmk_mdtest_site *site, int err);

/* Is another run at work in an iteration's test directory?  -EBUSY, said, if
 * so; else 0. */
int tmk_mdtest_marker_check(struct tmk_mdtest_site *site, uint64_t iteration);

/*
 * Say that this run is at work in site->iteration, then look whether another
 * one said so at the same time: -EBUSY, said, if that one was first.  A run
 * goes on without a marker, warned: a full file system takes none.
 * Collective.
 */
int tmk_mdtest_marker_write_all(struct tmk_mdtest_site *site);

/* The run is alive: write it once more.  Nothing where there is none. */
void tmk_mdtest_marker_touch(struct tmk_mdtest_site *site);

/* Remove ours if it is there.  0 or -errno. */
int tmk_mdtest_marker_remove(struct tmk_mdtest_site *site);

/* Remove the markers of runs that died, which keep a directory from going. */
void tmk_mdtest_marker_remove_dead(const struct tmk_mdtest_site *site);

#endif
