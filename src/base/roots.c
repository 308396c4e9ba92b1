/*
 * roots: several paths in one option, "a@b@c".
 */
#include "base/roots.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int64_t tmk_roots_get(const char *list, const char *separators, uint64_t k,
                      char *buf, size_t size)
{
    uint64_t n = 0;
    size_t length = 0; /* of this part */
    bool fits = true;
    bool empty = false;

    for (const char *c = list;; c++) {
        if (*c == '\0' || strchr(separators, *c) != NULL) {
            empty = empty || length == 0;
            if (n++ == k) {
                buf[length < size ? length : size - 1] = '\0';
            }
            length = 0;
            if (*c == '\0') {
                break;
            }
            continue;
        }
        if (c[0] == '\\' && c[1] == '@') {
            c++;
        }
        if (n == k && length + 1 < size) {
            buf[length] = *c;
        }
        length++;
        fits = fits && (n != k || length < size);
    }
    if (n > 1 && empty) {
        return -EINVAL;
    }
    return fits ? (int64_t)n : -ENAMETOOLONG;
}
