/*
 * match_text: bytes that grow.
 */
#include "base/match_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 256 };

void tmk_match_text_fini(struct tmk_match_text *text)
{
    free(text->bytes);
    *text = (struct tmk_match_text){0};
}

static int make_room(struct tmk_match_text *text, size_t more)
{
    size_t room = text->room != 0 ? text->room : ROOM_LEAST;
    char *bytes;

    if (more <= text->room - text->length) {
        return 0;
    }
    while (room - text->length < more) {
        if (room > SIZE_MAX / 2) {
            return -ENOMEM;
        }
        room *= 2;
    }
    bytes = realloc(text->bytes, room);
    if (bytes == NULL) {
        return -ENOMEM;
    }
    text->bytes = bytes;
    text->room = room;
    return 0;
}

int tmk_match_text_add(struct tmk_match_text *text, const void *bytes,
                       size_t length)
{
    if (make_room(text, length) != 0) {
        return -ENOMEM;
    }
    if (length != 0) {
        memcpy(text->bytes + text->length, bytes, length);
    }
    text->length += length;
    return 0;
}

int tmk_match_text_pad(struct tmk_match_text *text, const char *bytes,
                       size_t length, size_t width, int left)
{
    size_t blanks = length < width ? width - length : 0;
    char *to;

    if (length + blanks == 0) {
        return 0; /* perhaps there are no bytes at all yet */
    }
    if (blanks > SIZE_MAX / 4 || make_room(text, length + blanks) != 0) {
        return -ENOMEM;
    }
    to = text->bytes + text->length;
    if (blanks != 0) {
        memset(left ? to + length : to, ' ', blanks);
    }
    if (length != 0) {
        memcpy(left ? to : to + blanks, bytes, length);
    }
    text->length += length + blanks;
    return 0;
}
