/*
 * pattern: data to write.
 */
#include "base/pattern.h"

#include <string.h>

void tmk_pattern_fill_timestamp(void *buf, size_t bytes, uint64_t owner,
                                int32_t seed)
{
    unsigned char *to = buf;
    size_t words = bytes / sizeof(uint64_t);

    for (size_t j = 0; j < words; j++) {
        uint64_t word = owner << 32 | ((uint64_t)(int64_t)seed + j);

        memcpy(to + j * sizeof(word), &word, sizeof(word));
    }
    for (size_t j = words * sizeof(uint64_t); j < bytes; j++) {
        to[j] = (unsigned char)j;
    }
}
