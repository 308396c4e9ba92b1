#ifndef TMK_BASE_MATCH_TEXT_H
#define TMK_BASE_MATCH_TEXT_H

#include <stddef.h>

/* Bytes that grow: whole records before they are written.  All zero is empty;
 * `length` may be set back by who writes them. */
struct tmk_match_text {
    char *bytes; /* owned; not NUL-terminated */
    size_t length, room;
};

/* Release; an empty one stays. */
void tmk_match_text_fini(struct tmk_match_text *text);

/* Append.  0 or -ENOMEM, and nothing was added. */
int tmk_match_text_add(struct tmk_match_text *text, const void *bytes,
                       size_t length);

/* The same, in a field of at least `width` columns, to the left if `left`. */
int tmk_match_text_pad(struct tmk_match_text *text, const char *bytes,
                       size_t length, size_t width, int left);

#endif
