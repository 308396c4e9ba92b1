#ifndef TMK_BASE_ROOTS_H
#define TMK_BASE_ROOTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Paths joined by '@' or another one of `separators`; "\@" is the character
 * itself.  Path k, counted from 0, is written to buf (nothing is if there are
 * fewer).  Returns how many there are, -EINVAL if one of several is empty, or
 * -ENAMETOOLONG if path k does not fit.
 */
int64_t tmk_roots_get(const char *list, const char *separators, uint64_t k,
                      char *buf, size_t size);

#endif
