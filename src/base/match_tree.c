/*
 * match_tree: the memory of an expression, in pieces that are given back
 * together.
 */
#include "base/match_tree.h"

#include <errno.h>
#include <limits.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 4096 };

struct tmk_match_chunk {
    struct tmk_match_chunk *next;
    size_t used, room;
    alignas(max_align_t) char bytes[];
};

void *tmk_match_alloc(struct tmk_match *match, size_t bytes)
{
    size_t whole = (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) *
                   alignof(max_align_t);
    struct tmk_match_chunk *chunk = match->chunks;
    void *got;

    if (chunk == NULL || chunk->room - chunk->used < whole) {
        size_t room = whole > PIECE_BYTES ? whole : PIECE_BYTES;

        chunk = calloc(1, sizeof(*chunk) + room);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->room = room;
        chunk->next = match->chunks;
        match->chunks = chunk;
    }
    got = chunk->bytes + chunk->used;
    chunk->used += whole;
    return got;
}

char *tmk_match_copy(struct tmk_match *match, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = tmk_match_alloc(match, size);

    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void tmk_match_free(struct tmk_match *match)
{
    if (match == NULL) {
        return;
    }
    for (struct tmk_match_regex *r = match->regexes; r != NULL; r = r->next) {
        regfree(&r->buffer);
    }
    while (match->chunks != NULL) {
        struct tmk_match_chunk *next = match->chunks->next;

        free(match->chunks);
        match->chunks = next;
    }
    free(match);
}

uint32_t tmk_match_type_bit(char letter)
{
    static const uint8_t bits[UCHAR_MAX + 1] = {
        ['f'] = 0x1,  ['d'] = 0x2,  ['l'] = 0x4,  ['p'] = 0x8,
        ['s'] = 0x10, ['b'] = 0x20, ['c'] = 0x40, ['\0'] = 0x80,
    };

    return bits[(unsigned char)letter];
}

bool tmk_match_is_list(const struct tmk_match_node *node)
{
    return node->kind == TMK_MATCH_AND || node->kind == TMK_MATCH_OR ||
           node->kind == TMK_MATCH_COMMA;
}

const char *tmk_match_base(const char *path, size_t *length)
{
    size_t end = strlen(path);
    size_t from;

    while (end > 1 && path[end - 1] == '/') {
        end--;
    }
    from = end;
    while (from > 0 && path[from - 1] != '/') {
        from--;
    }
    if (from == end && from > 0) {
        from--; /* nothing but slashes */
    }
    *length = end - from;
    return path + from;
}
