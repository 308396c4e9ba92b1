#ifndef TMK_BENCH_MDTEST_ITEMS_H
#define TMK_BENCH_MDTEST_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdtest_phases.h"

/* A phase on items: which, in what order, and until when. */

/*
 * Before the clock starts: stand on the first item of a rank's part, of which
 * run->theirs is there; false if there is none.  *set is the caller's and must
 * outlive the phase.
 */
bool tmk_mdtest_items_stand(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which, uint32_t rank,
                            struct tmk_item_set *set);

/*
 * Run the operations of a phase; the first item has been found, if there is
 * any.  Collective where rank 0 creates files for all, and with a stonewall.
 */
void tmk_mdtest_items_run_all(struct tmk_mdtest_run *run,
                              enum tmk_mdtest_phase which, bool found);

/* After removing, not measured: what removal did not come to. */
void tmk_mdtest_items_remove_strays(struct tmk_mdtest_run *run,
                                    enum tmk_mdtest_phase which);

#endif
