#ifndef TMK_BASE_PATTERN_H
#define TMK_BASE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/*
 * Fill `bytes` with the original's pattern 't': 64-bit
 * words in native order, word j = owner * 2^32 | (seed + j), seed
 * sign-extended; the last bytes % 8 bytes hold the low 8 bits of their offset.
 */
void tmk_pattern_fill_timestamp(void *buf, size_t bytes, uint64_t owner,
                                int32_t seed);

#endif
