#ifndef TMK_BENCH_FIND_ACT_H
#define TMK_BENCH_FIND_ACT_H

#include <stdbool.h>

#include "base/match.h"
#include "bench/find_walk.h"

/*
 * Actions: printing, removing, commands.  Commands are run by the rank that
 * found the entry; those that take many paths when there are enough of them,
 * or at the end.
 */

/* As in struct tmk_match_calls; arg is the struct tmk_find_walk. */
bool tmk_find_act(void *arg, const struct tmk_match_action *action,
                  const struct tmk_match_entry *entry);

/* Remove the directory of an entry, if it is empty: -E of pfind. */
void tmk_find_act_rmdir(struct tmk_find_walk *walk,
                        const struct tmk_match_entry *entry);

/* Room for the actions of an expression.  0 or -ENOMEM. */
int tmk_find_act_init(struct tmk_find_walk *walk);

/* Run what waits.  After the walk. */
void tmk_find_act_finish(struct tmk_find_walk *walk);

/* Also after a failed init. */
void tmk_find_act_fini(struct tmk_find_walk *walk);

#endif
