#ifndef TMK_BENCH_IMPORT_FRAME_H
#define TMK_BENCH_IMPORT_FRAME_H

#include "bench/import_launch.h"

/* What a line is where no report is being read. */
enum tmk_import_start {
    TMK_IMPORT_START_NONE,
    TMK_IMPORT_START_HEAD,   /* the first line of a report */
    TMK_IMPORT_START_BANNER, /* name and version; may come after the head */
    TMK_IMPORT_START_BODY    /* of a report whose beginning was cut off */
};

/*
 * A line that reports of mdtest and ior have in common: command line, path,
 * file system, messages.  1, 0 if it is none, or -ENOMEM.
 */
int tmk_import_frame_line(struct tmk_import_launch *launch,
                          struct tmk_import_scan_text line);

/*
 * "failed 12 of 100 (EEXIST 12)" or "not tried 80 of 100", below a row: whether
 * it is one of them, and makes sense with what was told before.
 */
bool tmk_import_frame_counts(struct tmk_import_counts *counts,
                             struct tmk_import_scan_text line);

/* The text of a line "verdict: ...".  0 or -ENOMEM. */
int tmk_import_frame_verdict(struct tmk_import_launch *launch,
                             struct tmk_import_scan_text text);

/* Whether the line is like one of the patterns, which NULL ends. */
bool tmk_import_frame_is_one(struct tmk_import_scan_text line,
                             const char *const *patterns);

#endif
