#ifndef TMK_BASE_OPT_NEAR_H
#define TMK_BASE_OPT_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opt.h"

/*
 * The long name, with its prefix, that a wrong one of `length` bytes is likely
 * to mean, into buf: misspelt by one letter in four or so, three at most,
 * without its prefix, or the beginning of no other.  False if there is none.
 */
bool tmk_opt_near(const struct tmk_opt_table *tables, size_t n_tables,
                  const char *name, size_t length, char *buf, size_t size);

#endif
