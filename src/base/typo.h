#ifndef TMK_BASE_TYPO_H
#define TMK_BASE_TYPO_H

#include <stddef.h>

enum { TMK_TYPO_LENGTH_MAX = 48 };

/*
 * How many slips of the keyboard make `word`, of `length` bytes, of `meant`: a
 * letter that is missing, too many or another one, or two neighbours that have
 * changed places.  Case does not count.  `most` + 1 if there are more than
 * `most`, or if a word is longer than TMK_TYPO_LENGTH_MAX.
 */
unsigned tmk_typo_distance(const char *word, size_t length, const char *meant,
                           unsigned most);

#endif
