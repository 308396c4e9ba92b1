#ifndef TMK_BASE_QUOTE_H
#define TMK_BASE_QUOTE_H

#include <stddef.h>

/*
 * The first `length` bytes of a text of the user's, for a message: control
 * characters become '?', and "..." ends what does not fit into `size`, which
 * is more than 4.  UTF-8 is not torn apart; other bytes stay as they are,
 * unless they are control characters in Latin-1.
 */
void tmk_quote(char *buf, size_t size, const char *text, size_t length);

#endif
