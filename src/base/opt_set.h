#ifndef TMK_BASE_OPT_SET_H
#define TMK_BASE_OPT_SET_H

#include <stddef.h>

#include "base/opt.h"

/*
 * Put a value into the field of a row of the table, for those who find rows in
 * other ways than tmk_opt_parse().  `option` is how the user spelt it.  A NULL
 * text is legal only where the row says value_optional.  0, or -EINVAL with one
 * line in `why`: "-n: 'abc' is not a whole number (10, 4k and 2m are)".
 */
int tmk_opt_set(const struct tmk_opt_table *table, const struct tmk_opt *row,
                const char *option, const char *text, char *why,
                size_t why_size);

#endif
