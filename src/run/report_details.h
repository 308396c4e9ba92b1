#ifndef TMK_RUN_REPORT_DETAILS_H
#define TMK_RUN_REPORT_DETAILS_H

#include <stdbool.h>
#include <stdio.h>

#include "run/output.h"
#include "run/report.h"

/*
 * The results of every rank as comma-separated values, in the columns of
 * mdtest: rank, items, rate and time of each phase; then tasks and iteration.
 * Of each iteration a line "all", whose times are those of whole phases, and
 * one of each rank, whose times end before the last barrier.  A field is empty
 * where nothing was done.
 */
struct tmk_report_details {
    struct tmk_output *out; /* borrowed */
    /* The form of mdtest 4.1: neither tasks nor iteration, "all" of the first
     * iteration alone, ranks without items and trees. */
    bool original;
    FILE *to; /* NULL: an error was met */
    int err;  /* the first, -errno; 0 = none */
};

/* State is a struct tmk_report_details. */
extern const struct tmk_writer_ops tmk_report_details;

#endif
