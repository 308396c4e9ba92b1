#ifndef TMK_BENCH_IMPORT_IOR_H
#define TMK_BENCH_IMPORT_IOR_H

#include "bench/import_frame.h"
#include "bench/import_launch.h"

enum tmk_import_ior_table {
    TMK_IMPORT_IOR_NONE,
    TMK_IMPORT_IOR_ROWS, /* a row for each access of each repetition */
    TMK_IMPORT_IOR_WIDE  /* a row for each access of each test */
};

/* Lines that are no results, or the same once more; from -vvv on. */
enum tmk_import_ior_section {
    TMK_IMPORT_IOR_RESULTS,
    TMK_IMPORT_IOR_PARAMETERS, /* up to "Options:" */
    TMK_IMPORT_IOR_ENVIRONMENT /* ours */
};

enum { TMK_IMPORT_IOR_COLUMNS = 32 };

/* Where in a report of ior we are; {0} at its beginning. */
struct tmk_import_ior {
    enum tmk_import_ior_table table;
    bool iops;        /* ROWS: with the columns IOPS and Latency */
    bool ops;         /* WIDE: with statistics of transfers per second */
    bool skip;        /*       with such columns that mean something else */
    size_t n_columns; /* WIDE: after the mean time; 0: not to be read */
    unsigned columns[TMK_IMPORT_IOR_COLUMNS]; /* enum in import_ior_rows.h */
    bool row;       /* ROWS: what is told next may be of the last one */
    bool latencies; /* ours: a table that no result has a place for */
    bool hints;     /* ours: of MPI-IO */
    enum tmk_import_ior_section section;
};

/* What a line is where no report of ior is being read. */
enum tmk_import_start tmk_import_ior_start(struct tmk_import_scan_text line);

/*
 * Take one line of a report by ior 2.10, 3 or 4.  1, 0 if it is not
 * understood, or -ENOMEM.
 */
int tmk_import_ior_line(struct tmk_import_ior *state,
                        struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line);

#endif
