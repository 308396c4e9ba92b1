/*
 * deque: byte strings, packed, taken from either end.
 *
 *     bytes   ........[n][item][n][n][item][n]......
 *                     ^ head                  ^ tail        ^ room
 */
#include "base/deque.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 4096 };

static const size_t length_size = sizeof(uint32_t);

void tmk_deque_fini(struct tmk_deque *deque)
{
    free(deque->bytes);
    *deque = (struct tmk_deque){0};
}

static size_t length_at(const struct tmk_deque *deque, size_t at)
{
    uint32_t length;

    memcpy(&length, deque->bytes + at, length_size);
    return length;
}

/* See to `need` bytes behind the tail: move to the front, or grow. */
static int make_room(struct tmk_deque *deque, size_t need)
{
    size_t used = deque->tail - deque->head;
    size_t room = deque->room != 0 ? deque->room : ROOM_LEAST;
    char *bytes;

    if (need <= deque->room - deque->tail) {
        return 0;
    }
    if (deque->head >= deque->room / 2 && used + need <= deque->room) {
        memmove(deque->bytes, deque->bytes + deque->head, used);
        deque->head = 0;
        deque->tail = used;
        return 0;
    }
    while (room - deque->tail < need) {
        if (room > SIZE_MAX / 2) {
            return -ENOMEM;
        }
        room *= 2;
    }
    bytes = realloc(deque->bytes, room);
    if (bytes == NULL) {
        return -ENOMEM;
    }
    deque->bytes = bytes;
    deque->room = room;
    return 0;
}

int tmk_deque_push(struct tmk_deque *deque, const void *item, size_t bytes)
{
    uint32_t length = (uint32_t)bytes;
    char *to;

    assert(bytes <= UINT32_MAX);
    if (make_room(deque, bytes + 2 * length_size) != 0) {
        return -ENOMEM;
    }
    to = deque->bytes + deque->tail;
    memcpy(to, &length, length_size);
    if (bytes != 0) {
        memcpy(to + length_size, item, bytes);
    }
    memcpy(to + length_size + bytes, &length, length_size);
    deque->tail += bytes + 2 * length_size;
    deque->count++;
    return 0;
}

const void *tmk_deque_newest(const struct tmk_deque *deque, size_t *bytes)
{
    if (deque->count == 0) {
        return NULL;
    }
    *bytes = length_at(deque, deque->tail - length_size);
    return deque->bytes + deque->tail - length_size - *bytes;
}

const void *tmk_deque_oldest(const struct tmk_deque *deque, size_t *bytes)
{
    if (deque->count == 0) {
        return NULL;
    }
    *bytes = length_at(deque, deque->head);
    return deque->bytes + deque->head + length_size;
}

/* An empty one begins at the front again. */
static void one_less(struct tmk_deque *deque)
{
    deque->count--;
    if (deque->count == 0) {
        deque->head = 0;
        deque->tail = 0;
    }
}

void tmk_deque_drop_newest(struct tmk_deque *deque)
{
    assert(deque->count != 0);
    deque->tail -=
        length_at(deque, deque->tail - length_size) + 2 * length_size;
    one_less(deque);
}

void tmk_deque_drop_oldest(struct tmk_deque *deque)
{
    assert(deque->count != 0);
    deque->head += length_at(deque, deque->head) + 2 * length_size;
    one_less(deque);
}
