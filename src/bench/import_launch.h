#ifndef TMK_BENCH_IMPORT_LAUNCH_H
#define TMK_BENCH_IMPORT_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/import_scan.h"

/*
 * What the report of one launch of mdtest or ior says.  Numbers that it does
 * not say are NAN, counts -1, texts NULL.
 */

enum { TMK_IMPORT_FAILED_MAX = 16, TMK_IMPORT_ERRNO_SIZE = 16 };

/* "EEXIST 10" */
struct tmk_import_failed {
    char name[TMK_IMPORT_ERRNO_SIZE];
    int64_t count;
};

/* Operations, as our lines below a row tell. */
struct tmk_import_counts {
    int64_t operations, failed_operations, not_tried;
    struct tmk_import_failed failed[TMK_IMPORT_FAILED_MAX];
    size_t n_failed;
};

/* Statistics over the repetitions of a test. */
struct tmk_import_summary {
    const char *name; /* "File creation", "write"; static */
    const char *unit; /* "op/s", "s", "bytes/s"; static */
    int64_t n;
    double max, min, mean;
    double stddev; /* as printed; NAN for one repetition */
    /* mdtest: every number is 0, and no failure is told of: did not run. */
    bool idle;
    struct tmk_import_counts counts; /* of all repetitions */
};

/* A row of ior: one access of one repetition. */
struct tmk_import_phase {
    const char *name;  /* "write", "read", "remove"; static */
    int64_t iteration; /* as printed */
    int64_t pass;      /* ours: 2 or more, of those that read again; 0 = not */
    bool mixed;        /* ours: reads and writes at once */
    struct tmk_import_counts counts;
    double time_s;
    double bandwidth_bytes_per_s; /* over time_s */
    double transfers_per_s;       /* over transfer_s */
    double latency_s;
    double open_s, transfer_s, close_s;
};

/* A line "key : value" of ior. */
struct tmk_import_option {
    const char *name; /* in JSON; static */
    char *text;       /* NULL: a number */
    int64_t number;   /* -1 and no text: printed with too few digits */
};

struct tmk_import_test {
    int64_t tasks, nodes, ranks_per_node, repetitions;
    int64_t items;  /* mdtest: of all tasks */
    int64_t number; /* ior: the TestID */
    struct tmk_import_summary *summary;
    size_t n_summary;
    struct tmk_import_phase *phases;
    size_t n_phases;
    struct tmk_import_option *options;
    size_t n_options;
};

struct tmk_import_warning {
    char *code; /* "READ_ZERO" */
    char *text;
};

enum tmk_import_program { TMK_IMPORT_MDTEST, TMK_IMPORT_IOR };

enum { TMK_IMPORT_WARNINGS_MAX = 64 };

struct tmk_import_launch {
    enum tmk_import_program program;
    uint64_t line; /* on which it begins, from 1 */
    uint64_t
        unknown_lines; /* from there on, and before it if it is the first */
    char *version;     /* "1.9.1" */
    char started[TMK_IMPORT_SCAN_MOMENT_SIZE]; /* local time; "" = not said */
    char ended[TMK_IMPORT_SCAN_MOMENT_SIZE];
    char *command; /* the line */
    char *machine; /* ior: "Linux client1" */
    char *path;
    char *verdict; /* ours: "ok", or reasons parted by "; " */
    int64_t failed_operations, verification_errors; /* as the verdict says */
    const char *interrupted; /* ours: "SIGINT" or "SIGTERM" */
    int64_t ranks, nodes;
    double size_bytes, inodes; /* with the digits that were printed */
    double used_share, inodes_used_share;
    /* NULL, or the divisor of standard deviations: n "population", n - 1
     * "sample". */
    const char *stddev;
    struct tmk_import_warning warnings[TMK_IMPORT_WARNINGS_MAX];
    size_t n_warnings;
    uint64_t more_warnings; /* that did not fit */
    struct tmk_import_test *tests;
    size_t n_tests;
};

/* A new launch without results, or NULL (out of memory). */
struct tmk_import_launch *tmk_import_launch_new(enum tmk_import_program program,
                                                uint64_t line);

/* NULL is allowed. */
void tmk_import_launch_free(struct tmk_import_launch *launch);

/*
 * What follows returns borrowed memory, valid until the next call of the same
 * function, or NULL: out of memory.
 */

/* One more test, of which nothing is known. */
struct tmk_import_test *
tmk_import_launch_add_test(struct tmk_import_launch *launch);

/* The last test; a new one if there is none. */
struct tmk_import_test *
tmk_import_launch_test(struct tmk_import_launch *launch);

struct tmk_import_summary *
tmk_import_launch_add_summary(struct tmk_import_test *test, const char *name,
                              const char *unit);
struct tmk_import_phase *
tmk_import_launch_add_phase(struct tmk_import_test *test, const char *name);
struct tmk_import_option *
tmk_import_launch_add_option(struct tmk_import_test *test, const char *name);

/* Keep a text in place of the one in *field, if any.  0 or -ENOMEM. */
int tmk_import_launch_keep(char **field, struct tmk_import_scan_text text);

/*
 * A message.  "WARNING: text (CODE)" has a code; "ERROR: text" has the code
 * ERROR.  One that was there is not repeated.  0 or -ENOMEM.
 */
int tmk_import_launch_warn(struct tmk_import_launch *launch, const char *code,
                           struct tmk_import_scan_text text);

/* At the end of the report: what only the whole of it tells. */
void tmk_import_launch_settle(struct tmk_import_launch *launch);

#endif
