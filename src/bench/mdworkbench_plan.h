#ifndef TMK_BENCH_MDWORKBENCH_PLAN_H
#define TMK_BENCH_MDWORKBENCH_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/owner.h"
#include "bench/mdworkbench_conf.h"

/*
 * What will be done.  Each of N ranks owns D sets, directories of P objects
 * each.  The objects of a set are numbered as they are made and taken like
 * those of a queue: pos is the oldest one, which is the same in all sets
 * whenever nothing is under way.
 *
 *     set d of rank n    objects pos ... pos + P - 1
 *         taken by       rank n + O * (d + 1)
 *         refilled by    rank n - O * (d + 1), at pos + P ...
 *
 * Names: <dir>/<n>_<d>/file-<object>.  Pure.
 */
enum {
    TMK_MDWORKBENCH_PATH_SIZE = 4096,
    /* digits of a rank, "_", of a set, "/file-" and of an object */
    TMK_MDWORKBENCH_NAME_MAX = 20 + 1 + 20 + 6 + 20,
    TMK_MDWORKBENCH_FACTORS = 8,
};

struct tmk_mdworkbench_plan {
    const struct tmk_mdworkbench_conf *conf; /* borrowed */
    uint32_t ranks;
    uint32_t shift; /* -O, 0 ... ranks - 1 */
    bool precreates, benchmarks, cleans;
    bool in_step;  /* ranks meet after each P steps, or an object might be
                      looked for before it is made */
    uint64_t runs; /* of the benchmark: iterations times factors */
    uint64_t objects, bytes, inodes;     /* of all sets */
    char dir[TMK_MDWORKBENCH_PATH_SIZE]; /* of -o, without slashes behind */
    size_t dir_length;
};

/*
 * 0, or -EINVAL with one line in `why` that names the option.  `lenient`:
 * nothing to do is no error.
 */
int tmk_mdworkbench_plan_make(struct tmk_mdworkbench_plan *plan,
                              const struct tmk_mdworkbench_conf *conf,
                              uint32_t ranks, bool lenient, char *why,
                              size_t size);

/* Whose set `set` a rank takes objects from, and whose it refills. */
uint32_t tmk_mdworkbench_plan_source(const struct tmk_mdworkbench_plan *plan,
                                     uint32_t rank, uint64_t set);
uint32_t tmk_mdworkbench_plan_target(const struct tmk_mdworkbench_plan *plan,
                                     uint32_t rank, uint64_t set);

/* The waiting factor of run number `run`, from 0 on. */
double tmk_mdworkbench_plan_factor(const struct tmk_mdworkbench_plan *plan,
                                   uint64_t run);

/* Of what a rank takes from its D sets, one object of each: how many come from
 * a set whose last writer, as -O has it, is on another node than the rank.
 * `first`: they are as precreate made them, each owner its own. */
uint64_t tmk_mdworkbench_plan_foreign(const struct tmk_mdworkbench_plan *plan,
                                      const struct tmk_owner_map *map,
                                      uint32_t rank, bool first);

/*
 * Paths, NUL-terminated, to `path`, which holds plan->dir and a slash already
 * (see begin) and has room for them.  Length.
 */
void tmk_mdworkbench_plan_begin(const struct tmk_mdworkbench_plan *plan,
                                char path[TMK_MDWORKBENCH_PATH_SIZE]);
size_t tmk_mdworkbench_plan_set(const struct tmk_mdworkbench_plan *plan,
                                char *path, uint64_t owner, uint64_t set);
size_t tmk_mdworkbench_plan_object(const struct tmk_mdworkbench_plan *plan,
                                   char *path, uint64_t owner, uint64_t set,
                                   uint64_t object);

/* Whether a name (one component) is one of a set or of an object, and of
 * which. */
bool tmk_mdworkbench_plan_is_set(const char *name, uint64_t *owner,
                                 uint64_t *set);
bool tmk_mdworkbench_plan_is_object(const char *name, uint64_t *object);

#endif
