#ifndef TMK_BENCH_MDTEST_SITE_H
#define TMK_BENCH_MDTEST_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/mdtest_plan.h"
#include "engine/engine.h"
#include "run/job.h"
#include "run/result.h"

/*
 * The place on disk, outside every clock: -d and its parents, test
 * directories, the run's marker, the probe that tells whether nodes share the
 * file system, and what an earlier run left there.
 */

/* What this rank made of -d and its parents; lives as long as the launch. */
struct tmk_mdtest_root {
    /* Bit i: the first i bytes of -d name a directory that this rank made. */
    uint8_t made[TMK_ITEM_PATH_SIZE / 8];
    bool exists;     /* this rank's -d, as was found in asking for its space */
    bool found_dirs; /* test directories of the plan existed before */
    bool reuses;     /* with items in them, which --leftovers=reuse takes */
    struct tmk_result_cleaned cleaned; /* what --leftovers=clean removed */
};

/* How nodes see the test directory. */
enum tmk_mdtest_shared {
    TMK_MDTEST_SHARED_UNKNOWN, /* one node, or not asked */
    TMK_MDTEST_SHARED_YES,
    TMK_MDTEST_SHARED_PER_NODE,
    TMK_MDTEST_SHARED_MIXED,
};

struct tmk_mdtest_site {
    struct tmk_job *job;
    const struct tmk_mdtest_plan *plan;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *engine;
    struct tmk_mdtest_root *root;
    bool makes_dirs; /* this rank makes its -d and the test directories */
    bool leads;      /* this rank is the first that works in its -d */
    bool silent;     /* neither probe nor marker */
    enum tmk_mdtest_shared shared;
    bool marked;       /* the marker of `iteration` is there (who leads) */
    uint64_t start_ns; /* CLOCK_REALTIME when the marker was first written */
    uint64_t iteration;
    uint64_t n_adopted; /* directories that this rank found there */
    uint8_t *adopted;   /* bits, this rank's: test directories that existed,
                           then directories of trees, which with a tree of
                           its own are only those; owned; NULL = none did */
};

/* A site as it is before a launch has touched anything; `root` and `plan` are
 * borrowed, and the plan is settled for this rank. */
void tmk_mdtest_site_init(struct tmk_mdtest_site *site, struct tmk_job *job,
                          const struct tmk_mdtest_plan *plan,
                          struct tmk_mdtest_root *root,
                          const struct tmk_engine_ops *ops,
                          struct tmk_engine *engine);

/*
 * Before anything is touched: can direct transfers be, is another run at work
 * in the test directories, and are there items of the kind that will be made?
 * Says why and returns -EINVAL, -EBUSY or -EEXIST; 0 if the run may begin.
 * Collective.
 */
int tmk_mdtest_site_check_all(struct tmk_mdtest_site *site);

/* Make -d with its parents on the ranks that make directories.  Says why and
 * returns -errno where that fails.  Collective. */
int tmk_mdtest_site_make_root_all(struct tmk_mdtest_site *site);

/*
 * Make the test directories and the marker of an iteration; in the first one,
 * find out whether nodes share them and direct transfers can be.  Says why and
 * returns -errno where that fails, everything made undone.  Collective.
 */
int tmk_mdtest_site_begin_all(struct tmk_mdtest_site *site, uint64_t iteration);

/*
 * Remove the marker and, if asked, the test directories that this launch did
 * not adopt.  Returns 0, or -errno of this rank's first call that failed; what
 * is not there is no failure.  Not collective.
 */
int tmk_mdtest_site_end(struct tmk_mdtest_site *site, bool remove_dirs);

/* Remove what this rank made of -d, as far as it is empty.  -errno if the file
 * system would not. */
int tmk_mdtest_site_remove_root(struct tmk_mdtest_site *site);

/* Release memory. */
void tmk_mdtest_site_fini(struct tmk_mdtest_site *site);

/* Directory `dir` of a tree in a loop existed before this rank made it. */
void tmk_mdtest_site_adopt(struct tmk_mdtest_site *site, uint64_t tree,
                           uint64_t loop, uint64_t dir);
bool tmk_mdtest_site_adopted(const struct tmk_mdtest_site *site, uint64_t tree,
                             uint64_t loop, uint64_t dir);

/* "<root>/test-dir.<iteration>-<loop>"; length or -ENAMETOOLONG. */
int tmk_mdtest_site_test_dir(const char *root, uint64_t iteration,
                             uint64_t loop, char *buf, size_t size);

#endif
