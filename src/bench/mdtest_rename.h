#ifndef TMK_BENCH_MDTEST_RENAME_H
#define TMK_BENCH_MDTEST_RENAME_H

#include <stdint.h>

#include "bench/mdtest_phases.h"

/*
 * Rename the directories in every loop directory in a chain, from the item
 * that run->item stands on.  Returns how many operations that takes.
 */
uint64_t tmk_mdtest_rename_chains(struct tmk_mdtest_run *run,
                                  const struct tmk_mdtest_made *made);

/*
 * Where a chain of renames broke, a directory has kept the name "...-XX", and
 * the name that is missing may be any other of its loop directory: remove
 * that, until `deadline_ns` or a signal.
 */
void tmk_mdtest_rename_remove_moved(struct tmk_mdtest_run *run,
                                    const struct tmk_item_set *set,
                                    uint64_t deadline_ns);

#endif
