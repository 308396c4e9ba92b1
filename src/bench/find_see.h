#ifndef TMK_BENCH_FIND_SEE_H
#define TMK_BENCH_FIND_SEE_H

#include <stdbool.h>

#include "bench/find_walk.h"

/*
 * Looking at entries of the directory at hand: the expression is asked, first
 * with what the directory tells, then with what statx does, one by one or
 * several at a time.
 */

/* Room for stats under way.  0 or -ENOMEM. */
int tmk_find_see_init(struct tmk_find_walk *walk);
void tmk_find_see_fini(struct tmk_find_walk *walk);

/* Look at an entry, as it was read, and see to what is below it. */
void tmk_find_see(struct tmk_find_walk *walk, struct tmk_match_entry *entry);

/* The same where only the expression is to be asked: bits of enum
 * tmk_match_outcome. */
unsigned tmk_find_see_last(struct tmk_find_walk *walk,
                           struct tmk_match_entry *entry);

/* Look at what is in the buffer.  False if the walk is to end. */
bool tmk_find_see_buffer(struct tmk_find_walk *walk);

/* Finish all stats that are under way, before the directory is another. */
void tmk_find_see_finish(struct tmk_find_walk *walk);

/* Some work was done.  False if the walk is to end. */
bool tmk_find_see_breathe(struct tmk_find_walk *walk);

#endif
