#ifndef TMK_BENCH_MDTEST_OPERATIONS_H
#define TMK_BENCH_MDTEST_OPERATIONS_H

#include "bench/mdtest_phases.h"

/* The operations of phases on items, chosen before the clock starts. */

/* One operation on the item of this name: 0 or -errno. */
typedef int tmk_mdtest_operation(struct tmk_mdtest_run *run, const char *name);

/* What goes before it, or what is checked after it: 0 or -errno. */
typedef int tmk_mdtest_aside(struct tmk_mdtest_run *run);

struct tmk_mdtest_steps {
    tmk_mdtest_operation *op;
    tmk_mdtest_aside *fill;  /* the data to write; NULL = nothing to do */
    tmk_mdtest_aside *check; /* what was read; NULL = nothing to do */
};

/* Of a phase on items. */
struct tmk_mdtest_steps
tmk_mdtest_operations_choose(const struct tmk_mdtest_run *run,
                             enum tmk_mdtest_phase which);

/*
 * Where rank 0 creates files for all (-c): what each rank does with its own
 * afterwards.
 */
struct tmk_mdtest_steps
tmk_mdtest_operations_second(const struct tmk_mdtest_run *run);

#endif
