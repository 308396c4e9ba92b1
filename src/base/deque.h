#ifndef TMK_BASE_DEQUE_H
#define TMK_BASE_DEQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Byte strings in the order in which they came, packed one behind the other,
 * to be taken from either end: the store of run/queue on one rank.  All zero
 * is an empty one.
 */
struct tmk_deque {
    char *bytes; /* owned */
    size_t room;
    size_t head, tail; /* of what is used; [length][item][length] each */
    size_t count;      /* items */
};

/* Room for items of less than 4 GiB.  Releases all; an empty one stays. */
void tmk_deque_fini(struct tmk_deque *deque);

/* Add a copy at the new end.  0 or -ENOMEM, and nothing was added. */
int tmk_deque_push(struct tmk_deque *deque, const void *item, size_t bytes);

/*
 * The item at one end: its length in *bytes, the item valid until the next
 * push.  NULL if there is none.
 */
const void *tmk_deque_newest(const struct tmk_deque *deque, size_t *bytes);
const void *tmk_deque_oldest(const struct tmk_deque *deque, size_t *bytes);

/* Take that item away; there must be one.  It can be read until the next
 * push. */
void tmk_deque_drop_newest(struct tmk_deque *deque);
void tmk_deque_drop_oldest(struct tmk_deque *deque);

#endif
