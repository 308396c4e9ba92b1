#ifndef TMK_BENCH_IMPORT_MDTEST_H
#define TMK_BENCH_IMPORT_MDTEST_H

#include "bench/import_frame.h"
#include "bench/import_launch.h"

/* Where in a report of mdtest we are; {0} at its beginning. */
struct tmk_import_mdtest {
    const char *unit;     /* of the table: "op/s", "s"; NULL: none yet */
    int64_t iterations;   /* of the table */
    bool heading;         /* of the table was there */
    bool rank_columns;    /* it has statistics over ranks first */
    bool behind;          /* the tables, at what only we write */
    bool row;             /* the last line, or one before it, was a row: */
    size_t test, summary; /* which */
};

/* What a line is where no report of mdtest is being read. */
enum tmk_import_start tmk_import_mdtest_start(struct tmk_import_scan_text line);

/*
 * Take one line of a report by mdtest 1.9, 3, 4 or by us.  1, 0 if it is not
 * understood, or -ENOMEM.
 */
int tmk_import_mdtest_line(struct tmk_import_mdtest *state,
                           struct tmk_import_launch *launch,
                           struct tmk_import_scan_text line);

#endif
