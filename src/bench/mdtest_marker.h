#ifndef TMK_BENCH_MDTEST_MARKER_H
#define TMK_BENCH_MDTEST_MARKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/names.h"
#include "bench/mdtest_site.h"
#include "run/layout.h"

/*
 * The marker, ".treemark.<uuid>" in the first test directory of an iteration:
 * host, process, boot and start of the run that is at work there.  It keeps a
 * second run from creating in the same place while the first is alive.  The
 * business of the rank that leads in a -d: rank 0, where there is but one.
 */

struct tmk_mdtest_marker {
    char host[TMK_LAYOUT_HOST_SIZE]; /* "unknown" */
    long pid;                        /* 0 = not said */
    char boot[TMK_LAYOUT_BOOT_SIZE];
    uint64_t start_ns;       /* CLOCK_REALTIME */
    struct timespec touched; /* not in the text: its st_mtim */
};

enum { TMK_MDTEST_MARKER_SIZE = 512 }; /* bytes of text at most */

/* What a marker says; what it does not say keeps the value of "not said". */
void tmk_mdtest_marker_parse(const char *text,
                             struct tmk_mdtest_marker *marker);

/*
 * Is its owner still at work?  A process of this host and boot is looked for;
 * of others, those count as alive that touched it in the last ten minutes.
 */
bool tmk_mdtest_marker_alive(const struct tmk_layout *here,
                             const struct tmk_mdtest_marker *marker);

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

/* Is another run at work in any iteration's test directory?  -EBUSY, said, if
 * so; else 0. */
int tmk_mdtest_marker_check(struct tmk_mdtest_site *site);

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
