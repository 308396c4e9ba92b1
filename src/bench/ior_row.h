#ifndef TMK_BENCH_IOR_ROW_H
#define TMK_BENCH_IOR_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/ior_text.h"

/* A row of ior's table, whatever it is written as.  Numbers below 0 are not
 * known, or would be those of nothing. */
struct tmk_ior_row {
    const char *access; /* "write", "read", "mixed", "remove"; static */
    double mib_per_s;
    double iops;      /* whole transfers / transfer_s */
    double latency_s; /* of the rank with the least mean */
    double block_kib, transfer_kib;
    double open_s, transfer_s, close_s, total_s;
    int repetition;
    int pass;   /* from 0 */
    bool mixed; /* one way of a phase that goes both */
};

enum { TMK_IOR_ROW_MAX = 3 };

/* The rows of a phase; how many there are. */
size_t tmk_ior_row_make(struct tmk_ior_row rows[TMK_IOR_ROW_MAX],
                        const struct tmk_ior_test *test,
                        const struct tmk_ior_phase *phase);

#endif
