#ifndef TMK_BENCH_EXPLAIN_GONE_H
#define TMK_BENCH_EXPLAIN_GONE_H

#include <stddef.h>

#include "base/opt.h"

/*
 * Words of a command line that are known but not to be had: retired options,
 * those of back ends that are not here, and back ends themselves.  Pure.
 */
enum { TMK_EXPLAIN_GONE_MAX = 32 };

struct tmk_explain_gone_word {
    char text[72]; /* as typed, printable, cut if long */
    char why[160];
};

struct tmk_explain_gone {
    struct tmk_explain_gone_word list[TMK_EXPLAIN_GONE_MAX];
    size_t n;
};

/*
 * Take such words, with their values, out of argv[1..], and put each with its
 * reason on the list; what is left is in its old order, and NULL-terminated.
 * Letters are cut out of clusters and keys out of lists of directives (-O) in
 * place: the words must be writable.  The tables are those that will read the
 * rest.  Returns the new argc.
 */
int tmk_explain_gone_take(const struct tmk_opt_table *tables, size_t n_tables,
                          int argc, char *argv[],
                          struct tmk_explain_gone *gone);

#endif
