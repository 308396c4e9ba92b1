#ifndef TMK_TESTS_FUZZ_MUST_H
#define TMK_TESTS_FUZZ_MUST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What libFuzzer calls with each input; 0. */
/* NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What holds for every input; unlike assert(), whatever NDEBUG says. */
#define MUST(what) must((what), #what, __LINE__)

static inline void must(bool holds, const char *what, int line)
{
    if (!holds) {
        fprintf(stderr, "line %d: not so: %s\n", line, what);
        abort();
    }
}

/*
 * One line that a terminal can show: something, ended, and nothing to control
 * it, neither in UTF-8 nor in Latin-1.
 */
static inline void must_be_line(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    int rest = 0; /* bytes that a character still has */

    MUST(length > 0 && length < size);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        unsigned char next = (unsigned char)text[i + 1];

        MUST(c >= 0x20 && c != 0x7f);
        if (rest > 0 && c >= 0x80 && c < 0xc0) {
            rest--;
            continue;
        }
        MUST(c < 0x80 || c >= 0xa0);
        MUST(c != 0xc2 || next < 0x80 || next >= 0xa0);
        rest = c < 0xc0 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    }
}

#endif
