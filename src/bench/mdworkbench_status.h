#ifndef TMK_BENCH_MDWORKBENCH_STATUS_H
#define TMK_BENCH_MDWORKBENCH_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/mdworkbench_plan.h"

/*
 * The text of --run-info-file.  The first line is that of md-workbench, which
 * reads no further; lines behind it say what the sets are like.
 *
 *     pos: 6
 *     ranks: 4
 *     data-sets: 10
 *     precreate-per-set: 3000
 *     object-size: 3901
 *     pattern: timestamp
 *     seed: 77
 *     first: 0                oldest object that precreate made
 *     directory: made         by precreate; or "found"
 *     state: whole            or "torn": sets are not alike any more
 */
enum { TMK_MDWORKBENCH_STATUS_SIZE = 1024 };

struct tmk_mdworkbench_status {
    uint64_t pos;
    bool known; /* the lines behind the first; all of what follows */
    uint64_t ranks, sets, per_set, bytes, first;
    int pattern_kind;
    int32_t seed;
    bool made_dir;
    bool torn;
};

/* What sets of a plan are like. */
struct tmk_mdworkbench_status
tmk_mdworkbench_status_of(const struct tmk_mdworkbench_plan *plan, uint64_t pos,
                          int32_t seed);

/* Text for the file; its length. */
size_t tmk_mdworkbench_status_write(const struct tmk_mdworkbench_status *status,
                                    char buf[TMK_MDWORKBENCH_STATUS_SIZE]);

/* Read it: 0, or -EINVAL if the first line is not that of a position, or a
 * line behind it that we know is not as we write it. */
int tmk_mdworkbench_status_read(struct tmk_mdworkbench_status *status,
                                const char *text);

/*
 * Whether a plan fits sets that are there: 0, or -EINVAL with one line in
 * `why` that names the option.
 */
int tmk_mdworkbench_status_check(const struct tmk_mdworkbench_status *status,
                                 const struct tmk_mdworkbench_plan *plan,
                                 char *why, size_t size);

#endif
