#ifndef TMK_BENCH_FIND_ENTRY_H
#define TMK_BENCH_FIND_ENTRY_H

#include "base/match.h"
#include "bench/find_walk.h"

/*
 * What an expression asks of the system, about an entry of the directory at
 * hand.  The argument of the calls is the struct tmk_find_walk.
 */

/* All functions of the table but `act`, and the moment is the caller's. */
void tmk_find_entry_calls(struct tmk_match_calls *calls);

#endif
