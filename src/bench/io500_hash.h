#ifndef TMK_BENCH_IO500_HASH_H
#define TMK_BENCH_IO500_HASH_H

#include <stdint.h>

/*
 * The suite's hashes of its configuration and its scores (spec/io500.md B9):
 * pairs of words, whose order does not count.  They find accidents, not
 * forgeries: two equal pairs cancel each other.
 */

/* Add the pair to a hash, which begins at 0; printed as %X. */
void tmk_io500_hash_add(uint32_t *hash, const char *key, const char *value);

/* A score, as the files hold it: %f. */
void tmk_io500_hash_score(uint32_t *hash, const char *key, double score);

/* The seed of data and random order of a family ("ior-easy") in the run with
 * this timestamp: -G, as a signed number, never 0 or -1. */
int32_t tmk_io500_seed(const char *family, const char *timestamp);

#endif
