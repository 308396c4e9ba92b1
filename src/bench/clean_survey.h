#ifndef TMK_BENCH_CLEAN_SURVEY_H
#define TMK_BENCH_CLEAN_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/deque.h"
#include "bench/clean_tally.h"
#include "bench/clean_walk.h"
#include "engine/below.h"
#include "run/job.h"

/*
 * What benchmarks left in one directory, and who is at work there.  The
 * business of one rank.
 */
struct tmk_clean_survey {
    struct tmk_deque found; /* owned; how to remove a name, the name, NUL */
    uint64_t trees, files, of_ior, no_dirs;
    uint64_t uniques; /* directories called as those of ior -u */
    char shown[256];  /* names of the first trees */
    bool marked;      /* there is a marker: */
    bool alive;       /* its run is at work; else it died */
    char id[64];      /* of that run */
    char host[TMK_LAYOUT_HOST_SIZE];
    int unread; /* -errno: whether a run is at work cannot be told; 0 */
    char marked_dir[256]; /* the directory with the marker, or of `unread` */
};

/* Look, for files of ior if `ior`; 0 or -errno, and release all the same.
 * Touches nothing. */
int tmk_clean_survey_look(struct tmk_clean_survey *survey,
                          struct tmk_below *dirs, size_t root, bool ior,
                          const struct tmk_layout *here);

/* Lines about what was found and is to be removed, or would be. */
void tmk_clean_survey_say(const struct tmk_clean_survey *survey,
                          const char *path, bool dry_run, struct tmk_job *job);

/* Hand over what was found to a walk, or to the tally where it is called as a
 * test directory and is none. */
void tmk_clean_survey_add(struct tmk_clean_survey *survey, size_t root,
                          struct tmk_below *dirs, struct tmk_clean_walk *walk,
                          struct tmk_clean_tally *tally);

void tmk_clean_survey_fini(struct tmk_clean_survey *survey);

#endif
