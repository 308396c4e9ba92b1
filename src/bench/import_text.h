#ifndef TMK_BENCH_IMPORT_TEXT_H
#define TMK_BENCH_IMPORT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/import_launch.h"

/*
 * Text output of mdtest 1.9, 3 and 4, of our mdtest, and of ior 2.10, 3 and 4,
 * as it comes: bytes in, launches out.  Blanks may be collapsed and lines cut.
 * Memory is what one launch's results take: nothing else is kept.
 */
struct tmk_import_text;

/* What is told while bytes come in: 0, or -errno, which ends the reading. */
struct tmk_import_text_ops {
    /* A launch has ended; it is released afterwards. */
    int (*launch)(void *state, const struct tmk_import_launch *launch);
    /*
     * A line that is not understood; `text` has no newline, and not all of a
     * very long line.
     */
    int (*unknown)(void *state, uint64_t line,
                   struct tmk_import_scan_text text);
};

/* `state` is handed to ops.  NULL: out of memory. */
struct tmk_import_text *
tmk_import_text_new(const struct tmk_import_text_ops *ops, void *state);

/* NULL is allowed. */
void tmk_import_text_free(struct tmk_import_text *text);

/*
 * Take some bytes, as many as there are.  0, -ENOMEM, or what an operation
 * returned.
 */
int tmk_import_text_push(struct tmk_import_text *text, const char *bytes,
                         size_t n);

/* That was all: the last line and the last launch end.  As push. */
int tmk_import_text_end(struct tmk_import_text *text);

#endif
