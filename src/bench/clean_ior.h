#ifndef TMK_BENCH_CLEAN_IOR_H
#define TMK_BENCH_CLEAN_IOR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a file in an open directory holds what ior writes: nothing, a hole,
 * or one of its patterns where its data begins.  1, 0 (other data, or no
 * regular file), or -errno.
 *
 * Less than TMK_CLEAN_IOR_SURE bytes tell it only of patterns whose every word
 * follows from the one before it, and less than 16 never do: that is 0.
 */
enum { TMK_CLEAN_IOR_SURE = 32 };

int tmk_clean_ior_file(int dir, const char *name);

/* Whether the first words of a file may be of a pattern, the original's or
 * ours. */
bool tmk_clean_ior_words(const uint64_t words[4]);

#endif
