/*
 * io500_hash: what finds accidents in configurations and scores.
 */
#include "bench/io500_hash.h"

#include <stdio.h>

/* What stands for the seeds that the benchmarks take for "none". */
enum { OTHER_SEED = 4711 };

static uint32_t add_text(uint32_t x, const char *text)
{
    for (const char *s = text; *s != '\0'; s++) {
        uint32_t c = (unsigned char)*s;

        x = x << 2 | x >> 30;
        x += c;
        if (c > INT8_MAX) { /* a negative number there */
            x -= UINT8_MAX + 1;
        }
    }
    return x;
}

static uint32_t of_pair(const char *key, const char *value)
{
    return add_text(add_text(0, key), value);
}

void tmk_io500_hash_add(uint32_t *hash, const char *key, const char *value)
{
    *hash ^= of_pair(key, value);
}

void tmk_io500_hash_score(uint32_t *hash, const char *key, double score)
{
    char text[400]; /* the largest double has 309 digits */

    (void)snprintf(text, sizeof(text), "%f", score);
    tmk_io500_hash_add(hash, key, text);
}

int32_t tmk_io500_seed(const char *family, const char *timestamp)
{
    uint32_t seed = of_pair(family, timestamp);

    if (seed == 0 || seed == UINT32_MAX) {
        seed = OTHER_SEED;
    }
    return (int32_t)seed;
}
