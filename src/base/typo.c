/*
 * typo: the distance between what was written and what may be meant
 * (Damerau-Levenshtein, neighbours changing places once).
 *
 * cost[i % 3][k] is the distance between the first i letters of one word and
 * the first k of the other; it follows from the two rows above.
 */
#include "base/typo.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned tmk_typo_distance(const char *word, size_t length, const char *meant,
                           unsigned most)
{
    unsigned cost[3][TMK_TYPO_LENGTH_MAX + 1];
    size_t columns = strlen(meant);

    if (length > TMK_TYPO_LENGTH_MAX || columns > TMK_TYPO_LENGTH_MAX) {
        return most + 1;
    }
    for (size_t k = 0; k <= columns; k++) {
        cost[0][k] = (unsigned)k;
    }
    for (size_t i = 1; i <= length; i++) {
        unsigned *row = cost[i % 3];
        const unsigned *above = cost[(i - 1) % 3];
        const unsigned *second = cost[(i + 1) % 3]; /* i - 2 */

        row[0] = (unsigned)i;
        for (size_t k = 1; k <= columns; k++) {
            row[k] = least(least(above[k], row[k - 1]) + 1,
                           above[k - 1] + !same(word[i - 1], meant[k - 1]));
            if (i > 1 && k > 1 && same(word[i - 1], meant[k - 2]) &&
                same(word[i - 2], meant[k - 1])) {
                row[k] = least(row[k], second[k - 2] + 1);
            }
        }
    }
    return least(cost[length % 3][columns], most + 1);
}
