/*
 * mdtest_trees: making and removing the directories of trees.
 *
 * One walk serves all: it goes through the directories that are this rank's,
 * and does to each what the caller wants.  Alone, a rank goes depth first
 * through whole trees.  Sharing, it goes through its part of each level, and
 * all wait for each other before the next one, until the directories of a
 * level can be dealt out evenly: then each rank has whole subtrees, and nobody
 * to wait for.
 *
 *     level 0      0              rank 0: 0 | 1, 3, 4
 *     level 1    1   2            rank 1:   | 2, 5, 6
 *     level 2   3 4 5 6
 */
#include "bench/mdtest_trees.h"

#include <errno.h>

#include "run/clock.h"

enum { DIR_MODE = 0775 };

/* One directory: of which tree, in which loop directory. */
struct place {
    uint64_t tree, loop, dir;
};

/* What a walk does to a directory; false: it is not done, and none is
 * after it. */
typedef bool visitor(struct tmk_mdtest_run *run, const char *path,
                     const struct place *place);

struct walk {
    struct tmk_mdtest_run *run;
    visitor *visit;
    uint64_t iteration;
    bool up; /* children first */
    bool in_phase;
    uint64_t missed;
    bool stopped;
};

/* A directory of the walk, or one more that was missed. */
static void visit(struct walk *w, const struct tmk_item_set *set,
                  const struct place *place)
{
    struct tmk_mdtest_run *run = w->run;

    if (!w->stopped) {
        (void)tmk_item_tree_path(set, place->loop, place->dir, run->other,
                                 sizeof(run->other));
        w->stopped = !w->visit(run, run->other, place);
    }
    w->missed += w->stopped;
}

static struct tmk_item_set tree_set(const struct walk *w, uint64_t tree)
{
    return tmk_mdtest_plan_set(w->run->plan, TMK_MDTEST_TREE_CREATE,
                               (uint32_t)tree, w->iteration, 0);
}

/* A directory and all below it, depth first. */
static void walk_subtree(struct walk *w, struct place place)
{
    const struct tmk_tree *tree = &w->run->plan->tree;
    const struct tmk_item_set set = tree_set(w, place.tree);
    uint64_t n = tree->subtree[tmk_tree_level(tree, place.dir)];
    uint64_t first = w->up ? tmk_tree_subtree_postorder(tree, place.dir)
                           : tmk_tree_preorder(tree, place.dir);

    for (uint64_t i = first; i < first + n; i++) {
        place.dir = w->up ? tmk_tree_at_postorder(tree, i)
                          : tmk_tree_at_preorder(tree, i);
        visit(w, &set, &place);
    }
}

/* Whole trees: first ... first + n - 1. */
static void walk_alone(struct walk *w, uint64_t first, uint64_t n)
{
    uint64_t loops = w->run->plan->loops;

    for (uint64_t tree = first; tree < first + n; tree++) {
        for (uint64_t loop = 0; loop < loops; loop++) {
            walk_subtree(w, (struct place){.tree = tree, .loop = loop});
        }
    }
}

/* This rank's part of one level of all trees, each with all below it or not. */
static void walk_level(struct walk *w, unsigned level, bool below)
{
    const struct tmk_mdtest_plan *plan = w->run->plan;
    const struct tmk_tree *tree = &plan->tree;
    uint64_t end = level < tree->depth ? tree->first[level + 1] : tree->dirs;
    uint64_t width = end - tree->first[level];
    uint64_t all = width * plan->loops * plan->trees;
    uint64_t step = (uint64_t)w->run->job->size;

    for (uint64_t i = (uint64_t)w->run->job->rank; i < all; i += step) {
        struct place place = {
            .tree = i / width / plan->loops,
            .loop = i / width % plan->loops,
            .dir = tree->first[level] + i % width,
        };

        if (below) {
            walk_subtree(w, place);
        } else {
            struct tmk_item_set set = tree_set(w, place.tree);

            visit(w, &set, &place);
        }
    }
}

/* Level by level, a wait between two, and from the last one on subtrees. */
static void walk_shared_all(struct walk *w)
{
    const struct tmk_mdtest_plan *plan = w->run->plan;
    unsigned last = tmk_tree_even_level(&plan->tree, plan->loops * plan->trees,
                                        (uint64_t)w->run->job->size);

    for (unsigned i = 0; i <= last; i++) {
        unsigned level = w->up ? last - i : i;

        if (i > 0 && w->in_phase) {
            tmk_phase_meet_all(&w->run->phase);
        } else if (i > 0) {
            tmk_wait_barrier_all(&w->run->job->wait);
        }
        walk_level(w, level, level == last);
    }
}

bool tmk_mdtest_trees_mine(const struct tmk_mdtest_run *run)
{
    return run->plan->makers == 0 ||
           (uint64_t)run->job->rank < run->plan->makers;
}

static void walk_all(struct walk *w)
{
    const struct tmk_mdtest_plan *plan = w->run->plan;

    if (plan->makers == 0) {
        walk_shared_all(w);
    } else if (plan->makers == plan->trees) {
        if (tmk_mdtest_trees_mine(w->run)) {
            walk_alone(w, (uint64_t)w->run->job->rank, 1);
        }
    } else if (w->run->job->rank == 0) {
        walk_alone(w, 0, plan->trees);
    }
}

static bool make_dir(struct tmk_mdtest_run *run, const char *path,
                     const struct place *place)
{
    struct tmk_phase *p = &run->phase;
    int err;

    if (tmk_phase_over(p)) {
        return false;
    }
    err = run->ops->mkdir(run->engine, path, DIR_MODE);
    if (err == -EEXIST) {
        tmk_mdtest_site_adopt(run->site, place->tree, place->loop, place->dir);
        err = 0;
    }
    tmk_mdtest_did(run, err, tmk_clock_ns());
    return true;
}

static bool remove_dir(struct tmk_mdtest_run *run, const char *path,
                       const struct place *place)
{
    struct tmk_phase *p = &run->phase;
    int err;

    if (tmk_phase_over(p)) {
        return false;
    }
    if (tmk_mdtest_site_adopted(run->site, place->tree, place->loop,
                                place->dir)) {
        return true;
    }
    err = run->ops->rmdir(run->engine, path);
    if (err == -ENOENT && run->tree_failed) {
        p->missed++; /* it was never made */
    } else {
        tmk_mdtest_did(run, err, tmk_clock_ns());
    }
    return true;
}

static bool clean_dir(struct tmk_mdtest_run *run, const char *path,
                      const struct place *place)
{
    int err;

    if (tmk_mdtest_site_adopted(run->site, place->tree, place->loop,
                                place->dir)) {
        return true;
    }
    if (tmk_clock_ns() >= run->deadline_ns) {
        return false;
    }
    err = run->ops->rmdir(run->engine, path);
    run->left = run->left || (err != 0 && err != -ENOENT);
    return true;
}

uint64_t tmk_mdtest_trees_make(struct tmk_mdtest_run *run)
{
    struct walk w = {
        .run = run,
        .visit = make_dir,
        .iteration = run->iteration,
        .in_phase = true,
    };

    walk_all(&w);
    return w.missed;
}

uint64_t tmk_mdtest_trees_remove(struct tmk_mdtest_run *run)
{
    struct walk w = {
        .run = run,
        .visit = remove_dir,
        .iteration = run->iteration,
        .up = true,
        .in_phase = true,
    };

    walk_all(&w);
    return w.missed;
}

bool tmk_mdtest_trees_clean(struct tmk_mdtest_run *run, uint64_t iteration,
                            uint64_t deadline_ns)
{
    struct walk w = {
        .run = run,
        .visit = clean_dir,
        .iteration = iteration,
        .up = true,
    };

    run->deadline_ns = deadline_ns;
    run->left = false;
    walk_all(&w);
    return run->left || w.stopped;
}
