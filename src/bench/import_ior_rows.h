#ifndef TMK_BENCH_IMPORT_IOR_ROWS_H
#define TMK_BENCH_IMPORT_IOR_ROWS_H

#include "bench/import_ior.h"

/* Columns behind the mean time in wide rows, whatever their order. */
enum tmk_import_ior_column {
    TMK_IMPORT_IOR_IGNORED,
    TMK_IMPORT_IOR_TEST,
    TMK_IMPORT_IOR_TASKS,
    TMK_IMPORT_IOR_PER_NODE,
    TMK_IMPORT_IOR_REPETITIONS,
    TMK_IMPORT_IOR_BLOCK_SIZE,
    TMK_IMPORT_IOR_TRANSFER_SIZE,
    TMK_IMPORT_IOR_KINDS
};

/*
 * A row of one access of one repetition.  `line` is all of it, `rest` what is
 * behind `name`.  1, 0 if it is not understood, or -ENOMEM.
 */
int tmk_import_ior_row(struct tmk_import_ior *state,
                       struct tmk_import_launch *launch, const char *name,
                       struct tmk_import_scan_text line,
                       struct tmk_import_scan_text rest);

/* One of all repetitions, likewise. */
int tmk_import_ior_wide_row(const struct tmk_import_ior *state,
                            struct tmk_import_launch *launch, const char *name,
                            struct tmk_import_scan_text rest);

#endif
