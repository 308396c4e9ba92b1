#ifndef TMK_BENCH_MDTEST_VISIT_H
#define TMK_BENCH_MDTEST_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdtest_made.h"
#include "bench/mdtest_operations.h"
#include "bench/mdtest_phases.h"

/* The measured loops over the items of one owner. */

/* How a phase visits items. */
struct tmk_mdtest_watch {
    struct tmk_mdtest_steps steps;
    enum tmk_mdtest_target target;
    const struct tmk_mdtest_made *made; /* holes are skipped */
    bool aside;   /* fills or checks: not part of an operation's time */
    bool creates; /* an item that cannot be tried is one that is not made */
    bool second;  /* the second step of -c: operations are counted already */
};

/* How a phase does.  `made` is borrowed: what is there of the items. */
struct tmk_mdtest_watch
tmk_mdtest_watch_phase(const struct tmk_mdtest_run *run,
                       enum tmk_mdtest_phase which,
                       const struct tmk_mdtest_made *made);

/*
 * Visit items from the one that run->item stands on, which is visited first,
 * until the phase is over or `end` of its owner's items have been visited in
 * all.  Returns how many have.
 */
uint64_t tmk_mdtest_visit(struct tmk_mdtest_run *run,
                          const struct tmk_mdtest_watch *watch, uint64_t end);

/*
 * Where names are relative: use the directory of the current item, and set
 * run->name.  0 or -errno.
 */
int tmk_mdtest_enter(struct tmk_mdtest_run *run);

#endif
