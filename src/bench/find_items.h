#ifndef TMK_BENCH_FIND_ITEMS_H
#define TMK_BENCH_FIND_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/find_walk.h"

/*
 * The items of the queue: what is to be done with which directory; and, with
 * -depth, records that count what is under way of each.
 */
enum tmk_find_kind {
    TMK_FIND_START, /* a start point */
    TMK_FIND_DIR,   /* read a directory */
    TMK_FIND_PART,  /* entries of one that another rank is reading */
    TMK_FIND_LAST /* with -depth: a directory all of whose contents are done */
};

enum { TMK_FIND_NOBODY = -1 };

/* The beginning of an item; chain, path and entries follow. */
struct tmk_find_head {
    uint32_t start, depth;
    int32_t owner; /* rank with the record of the directory above, or nobody */
    uint32_t path_bytes;
    uint64_t above;   /* that record */
    uint32_t n_chain; /* words */
    uint8_t kind;     /* enum tmk_find_kind */
};

/*
 * Push an item of head, the chain at hand, a path and entries; lengths are
 * filled in.  0, -ENOMEM or -ENAMETOOLONG.
 */
int tmk_find_items_push(struct tmk_find_walk *walk, struct tmk_find_head *head,
                        const char *path, const char *entries, size_t bytes);

/* A record of an item that has begun.  False: no memory. */
bool tmk_find_items_begin(struct tmk_find_walk *walk,
                          const struct tmk_find_head *head, const char *path,
                          size_t *which);

/* Something more of a record is under way, and something is done. */
void tmk_find_items_more(struct tmk_find_walk *walk, size_t which);
void tmk_find_items_done(struct tmk_find_walk *walk, size_t which);

/* An item is done: its record, maybe of another rank, hears of it. */
void tmk_find_items_report(struct tmk_find_walk *walk,
                           const struct tmk_find_head *head);

void tmk_find_items_fini(struct tmk_find_walk *walk);

#endif
