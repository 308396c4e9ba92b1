/*
 * quote: text of the user's in messages of one line.
 */
#include "base/quote.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 character at s, up to `most`; 1 if there is none. */
static size_t char_length(const char *s, size_t most)
{
    unsigned char first = (unsigned char)s[0];
    size_t want = 1;
    size_t n = 1;

    if (first >= 0xc0) {
        want = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    }
    while (n < want && n < most && (s[n] & 0xc0) == 0x80) {
        n++;
    }
    return n == want ? n : 1;
}

/* Would the character at s, of `n` bytes, move the cursor or break a line? */
static bool is_control(const char *s, size_t n)
{
    unsigned char first = (unsigned char)s[0];

    if (n == 1) {
        return first < 0x20 || (first >= 0x7f && first < 0xa0);
    }
    return n == 2 && first == 0xc2 && (unsigned char)s[1] < 0xa0;
}

void tmk_quote(char *buf, size_t size, const char *text, size_t length)
{
    size_t to = 0;
    size_t n;

    for (size_t from = 0; from < length; from += n) {
        n = char_length(text + from, length - from);
        if (to + n + sizeof("...") > size) {
            memcpy(buf + to, "...", sizeof("..."));
            return;
        }
        if (is_control(text + from, n)) {
            buf[to++] = '?';
        } else {
            memcpy(buf + to, text + from, n);
            to += n;
        }
    }
    buf[to] = '\0';
}
