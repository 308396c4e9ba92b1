#ifndef TMK_BENCH_IOR_SCRIPT_H
#define TMK_BENCH_IOR_SCRIPT_H

#include <stddef.h>

#include "base/opt.h"
#include "bench/ior_conf.h"
#include "bench/ior_directives.h"

/*
 * A test is a set of conf structs: ior's own and one for each table of an
 * engine, side by side in one block of memory, so that a later test of a script
 * begins as a copy of the one before.
 */
struct tmk_ior_tests {
    struct tmk_opt_table *tables; /* borrowed: [0] is ior's own; conf pointers
                                     are those of the test being read */
    size_t n_tables;
    const size_t *conf_bytes; /* of each table's conf; borrowed */
    /* Owned: */
    void **confs; /* of test i and table k: confs[i * n_tables + k] */
    size_t n;
    char *text; /* of the script: strings of confs point into it */
};

/*
 * The tests of a script, read already: `text` (NUL-terminated) stays the
 * caller's and is copied.  The structs of the tables are the start of the
 * first test, and hold the last one afterwards.  What concerns the whole
 * launch (--json, summaryFile ...) may only be set before the first RUN.
 *
 * The borrowed members of *tests are set, the others are made here; release
 * them whatever the result.  Errors name `path` and the line: "x.ior:12: ...".
 * Returns 0, -ENOMEM or -EINVAL with `why`.  Lines before IOR START that are
 * not blank or comments, and lines after IOR STOP, are counted in *ignored.
 */
int tmk_ior_script_read(struct tmk_ior_tests *tests, const char *path,
                        const char *text, size_t *ignored, char *why,
                        size_t why_size);

void tmk_ior_tests_fini(struct tmk_ior_tests *tests);

#endif
