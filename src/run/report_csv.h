#ifndef TMK_RUN_REPORT_CSV_H
#define TMK_RUN_REPORT_CSV_H

#include <stddef.h>

#include "run/append.h"
#include "run/report.h"

/*
 * Results as comma-separated values (RFC 4180, but lines end in LF alone): a
 * line for each phase of each iteration of each test, all parameters in each
 * line, so that files of many runs can be put together.  A column of each
 * option of `run` is named "opt_<name>".  The kind "ior" has columns of its own
 * about bytes moved.
 */
struct tmk_report_csv {
    struct tmk_append file;           /* owned */
    int err;                          /* the first error, -errno; 0 = none */
    const struct tmk_report_run *run; /* the writer's own */
};

/*
 * Open `path`, which is made, or holds lines of the same columns: -EINVAL if
 * its columns are others.  `run` need only have its kind and tables.  0 or
 * -errno.
 */
int tmk_report_csv_open(struct tmk_report_csv *csv, const char *path,
                        const struct tmk_report_run *run);

/* Also of a state that is all 0 but for file.fd = -1.  0 or -errno. */
int tmk_report_csv_close(struct tmk_report_csv *csv);

/* The writer; its state is a struct tmk_report_csv that is open. */
extern const struct tmk_writer_ops tmk_report_csv;

#endif
