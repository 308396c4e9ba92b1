/*
 * import_ior: the report of ior, line by line.
 *
 *     IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O
 *     api                 : POSIX                    options of a test
 *     access    bw(MiB/s)  IOPS  Latency(s) ...
 *     write     4441       17993 0.000082  ...       rows
 *     Summary of all tests:
 *     Operation   Max(MiB)   Min(MiB) ...
 *     write       12365.74    4440.77 ...            wide rows
 */
#include "bench/import_ior.h"

#include <errno.h>
#include <string.h>

#include "bench/import_ior_opts.h"
#include "bench/import_ior_rows.h"

/* Two layouts of rows: the second since 3.3. */
static const char *const headings[] = {
    "access bw(MiB/s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) total(s) "
    "iter",
    "access bw(MiB/s) IOPS Latency(s) block(KiB) xfer(KiB) open(s) wr/rd(s) "
    "close(s) total(s) iter",
};

static const struct {
    const char *name;
    enum tmk_import_ior_column column;
} columns[] = {
    {"Stonewall(s)", TMK_IMPORT_IOR_IGNORED},
    {"Stonewall(MiB)", TMK_IMPORT_IOR_IGNORED},
    {"Test#", TMK_IMPORT_IOR_TEST},
    {"#Tasks", TMK_IMPORT_IOR_TASKS},
    {"tPN", TMK_IMPORT_IOR_PER_NODE},
    {"reps", TMK_IMPORT_IOR_REPETITIONS},
    {"fPP", TMK_IMPORT_IOR_IGNORED},
    {"reord", TMK_IMPORT_IOR_IGNORED},
    {"reordoff", TMK_IMPORT_IOR_IGNORED},
    {"reordrand", TMK_IMPORT_IOR_IGNORED},
    {"seed", TMK_IMPORT_IOR_IGNORED},
    {"segcnt", TMK_IMPORT_IOR_IGNORED},
    {"blksiz", TMK_IMPORT_IOR_BLOCK_SIZE},
    {"xsize", TMK_IMPORT_IOR_TRANSFER_SIZE},
    {"aggs(MiB)", TMK_IMPORT_IOR_IGNORED},
    {"aggsize", TMK_IMPORT_IOR_IGNORED},
    {"API", TMK_IMPORT_IOR_IGNORED},
    {"RefNum", TMK_IMPORT_IOR_IGNORED},
};

/* The access that a row begins with, cut off; NULL = none. */
static const char *cut_access(struct tmk_import_scan_text *line)
{
    static const char *const names[] = {"write", "read", "mixed", "remove"};
    struct tmk_import_scan_text rest = *line;
    struct tmk_import_scan_text word = tmk_import_scan_word(&rest);

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (tmk_import_scan_is(word, names[i])) {
            *line = rest;
            return names[i];
        }
    }
    return NULL;
}

/*
 * Headings.
 */

static bool is_row_heading(struct tmk_import_ior *state,
                           struct tmk_import_scan_text line)
{
    for (size_t i = 0; i < 2; i++) {
        if (tmk_import_scan_heading(line, headings[i], 3)) {
            *state = (struct tmk_import_ior){.table = TMK_IMPORT_IOR_ROWS,
                                             .iops = i == 1};
            return true;
        }
    }
    return false;
}

/* The columns behind the mean time, or none of them if one is not known. */
static void read_columns(struct tmk_import_ior *state,
                         struct tmk_import_scan_text rest)
{
    struct tmk_import_scan_text word;

    state->n_columns = 0;
    while ((word = tmk_import_scan_word(&rest)).length > 0) {
        size_t i = 0;

        while (i < sizeof(columns) / sizeof(columns[0]) &&
               !tmk_import_scan_is(word, columns[i].name)) {
            i++;
        }
        if (i == sizeof(columns) / sizeof(columns[0]) ||
            state->n_columns == TMK_IMPORT_IOR_COLUMNS) {
            state->n_columns = 0;
            return;
        }
        state->columns[state->n_columns++] = columns[i].column;
    }
}

static bool is_wide_heading(struct tmk_import_ior *state,
                            struct tmk_import_scan_text line)
{
    static const struct {
        const char *pattern;
        bool ops, skip;
    } kinds[] = {
        {"Operation Max(MiB) Min(MiB) Mean(MiB) StdDev Max(OPs) Min(OPs) "
         "Mean(OPs) StdDev Mean(s)*",
         true, false},
        {"Operation Max(MiB) Min(MiB) Mean(MiB) StdDev Mean(s)*", false, false},
        /* 2.10: those operations are not transfers. */
        {"Operation Max (MiB) Min (MiB) Mean (MiB) Std Dev Max (OPs) Min (OPs) "
         "Mean (OPs) Std Dev Mean (s)*",
         false, true},
    };
    struct tmk_import_scan found;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (tmk_import_scan(line, kinds[i].pattern, &found)) {
            *state = (struct tmk_import_ior){.table = TMK_IMPORT_IOR_WIDE,
                                             .ops = kinds[i].ops,
                                             .skip = kinds[i].skip};
            read_columns(state, found.texts[0]);
            return true;
        }
    }
    return false;
}

enum tmk_import_start tmk_import_ior_start(struct tmk_import_scan_text line)
{
    struct tmk_import_ior unused;
    struct tmk_import_scan found;

    if (tmk_import_scan(line, "IOR-$ MPI Coordinated Test of Parallel I/O",
                        &found)) {
        return TMK_IMPORT_START_HEAD;
    }
    return is_row_heading(&unused, line) || is_wide_heading(&unused, line)
               ? TMK_IMPORT_START_BODY
               : TMK_IMPORT_START_NONE;
}

/*
 * The frame.
 */

/* Times and the like; `*known` if it was one. */
static int frame(struct tmk_import_launch *launch,
                 struct tmk_import_scan_text line, bool *known)
{
    static const struct {
        const char *pattern;
        bool begins;
    } moments[] = {
        {"Run began_:_*", true},
        {"Began_:_*", true},
        {"Run finished_:_*", false},
        {"Finished_:_*", false},
    };
    struct tmk_import_scan found;

    *known = true;
    for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
        if (tmk_import_scan(line, moments[i].pattern, &found)) {
            *known = tmk_import_scan_moment(found.texts[0],
                                            moments[i].begins ? launch->started
                                                              : launch->ended);
            return 0;
        }
    }
    if (tmk_import_scan(line, "Machine_:_*", &found)) {
        return tmk_import_launch_keep(&launch->machine, found.texts[0]);
    }
    if (tmk_import_scan(line, "Participating tasks_:_#", &found) &&
        found.numbers[0].whole > 0) {
        launch->ranks = found.numbers[0].whole;
        return 0;
    }
    if (tmk_import_scan(line, "IOR-$ MPI Coordinated Test of Parallel I/O",
                        &found)) {
        struct tmk_import_scan_text version = found.texts[0];

        if (version.at[version.length - 1] == ':') {
            version.length--;
        }
        /* What 3 divides by is not known here. */
        if (version.at[0] == '2' || version.at[0] == '4') {
            launch->stddev = "population";
        }
        return tmk_import_launch_keep(&launch->version, version);
    }
    *known = false;
    return 0;
}

/* Where a test begins; several lines may say so of one. */
static int test_begins(struct tmk_import_launch *launch,
                       struct tmk_import_scan_text line, bool *known)
{
    struct tmk_import_scan found;
    struct tmk_import_test *test;
    bool numbered = tmk_import_scan(line, "TestID_:_#", &found) ||
                    tmk_import_scan(line, "Test # started_:_*", &found);

    *known = numbered || tmk_import_scan(line, "Options_:", &found) ||
             tmk_import_scan(line, "Summary_:", &found);
    if (!*known) {
        return 0;
    }
    test = tmk_import_launch_test(launch);
    if (test != NULL && (test->n_options != 0 || test->n_phases != 0 ||
                         (numbered && test->number >= 0))) {
        test = tmk_import_launch_add_test(launch);
    }
    if (test == NULL) {
        return -ENOMEM;
    }
    if (numbered) {
        test->number = found.numbers[0].whole;
    }
    return 0;
}

/* Known, but nothing that a result has a place for. */
static const char *const beside[] = {
    "StartTime_:_*",
    "Results_:",
    "Summary of all tests_:",
    "Using synchronized MPI timer",
    "Start time skew across all tasks_:_# sec",
    "Using reorderTasks *",
    "task # on *",
    "Using Time Stamp *",
    "Used Time Stamp *",
    "Commencing write performance test.",
    "Commencing read performance test.",
    "Commencing $ performance test_:_*",
    "$ Hits Dist: *",
    "in memory before #%",
    "data: *",
    "# nodes share one kernel.",
    "Nodes as they were asked for: *",
    "Results go to *",
    "sizes in kB, MB, GB ... are taken as *",
    "-D: # seconds are # days",
    "--total: *",
    "--rwmix: *",
    "--stoneWallingStatusFile $ of # transfers *",
    "debug: *",
    /* Ours, of the other stream. */
    "ior: read from another node: #% of the data",
    "ior: what of the data is in memory is not known: *",
    "ior: -M: memory cannot be locked: *",
    "task # writing *",
    "task # reading *",
    "task # mixing *",
    "task # removing *",
    "Max Mixed_:_# MiB/sec (# MB/sec)",
    "[RANK #] open for reading file *",
    "Max Write_:_# MiB/sec (# MB/sec)",
    "Max Read_:_# MiB/sec (# MB/sec)",
    "Verifying contents of the file(s) just written.",
    "delaying # seconds . . .",
    "#: stonewalling pairs accessed: #",
    "stonewalling pairs accessed min: *",
    "Test #: Iter=#, Task=#, *",
    NULL,
};

/* --mpiio.showHints: a title, and "  name = value" as long as they come. */
static bool is_hints(struct tmk_import_ior *state,
                     struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;
    const bool title = tmk_import_scan(line, "hints given to $", &found) ||
                       tmk_import_scan(line, "hints given to $ none", &found) ||
                       tmk_import_scan(line, "hints in use:*", &found);

    state->hints =
        title || (state->hints && line.length > 2 && line.at[0] == ' ' &&
                  line.at[1] == ' ' && tmk_import_scan(line, "$ = *", &found));
    return state->hints;
}

/* What we write below a row, and behind the rows. */
static bool ours(struct tmk_import_ior *state, struct tmk_import_launch *launch,
                 struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;

    if (state->row && launch->n_tests != 0) {
        struct tmk_import_test *test = &launch->tests[launch->n_tests - 1];

        if (test->n_phases != 0 &&
            tmk_import_frame_counts(&test->phases[test->n_phases - 1].counts,
                                    line)) {
            return true;
        }
    }
    if (tmk_import_scan(
            line, "LATENCY (in us per transfer): (of # repetitions)", &found)) {
        state->latencies = true;
        return true;
    }
    if (is_hints(state, line)) {
        return true;
    }
    return state->latencies &&
           (tmk_import_scan(line, "of $ # # # # # # # # *", &found) ||
            tmk_import_scan(line, "of $ $ # # # # # # # # *", &found) ||
            tmk_import_scan(line, "of read pass # # # # # # # # # *", &found) ||
            tmk_import_scan_heading(line,
                                    "Transfers Min Mean p50 p90 p99 p99.9 Max "
                                    "of rank on host",
                                    2));
}

/* Whether the line is of a section that is passed over, or begins or ends
 * one. */
static bool passed_over(struct tmk_import_ior *state,
                        struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;

    switch (state->section) {
    case TMK_IMPORT_IOR_PARAMETERS:
        if (tmk_import_scan(line, "Options_:", &found)) {
            state->section = TMK_IMPORT_IOR_RESULTS;
            return false;
        }
        return true;
    case TMK_IMPORT_IOR_ENVIRONMENT:
        if (tmk_import_scan(line, "-- end of environment --", &found)) {
            state->section = TMK_IMPORT_IOR_RESULTS;
        }
        return true;
    case TMK_IMPORT_IOR_RESULTS: break;
    }
    if (tmk_import_scan(line, "Parameters_:", &found)) {
        state->section = TMK_IMPORT_IOR_PARAMETERS;
    } else if (tmk_import_scan(line, "-- environment --", &found)) {
        state->section = TMK_IMPORT_IOR_ENVIRONMENT;
    }
    return state->section != TMK_IMPORT_IOR_RESULTS;
}

static int table_line(struct tmk_import_ior *state,
                      struct tmk_import_launch *launch,
                      struct tmk_import_scan_text line)
{
    struct tmk_import_scan_text rest = line;
    const char *name = cut_access(&rest);

    if (name != NULL && state->table == TMK_IMPORT_IOR_ROWS) {
        return tmk_import_ior_row(state, launch, name, line, rest);
    }
    if (name != NULL && state->table == TMK_IMPORT_IOR_WIDE) {
        return tmk_import_ior_wide_row(state, launch, name, rest);
    }
    return is_row_heading(state, line) || is_wide_heading(state, line) ? 1 : 0;
}

int tmk_import_ior_line(struct tmk_import_ior *state,
                        struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line)
{
    char moment[TMK_IMPORT_SCAN_MOMENT_SIZE];
    struct tmk_import_scan found;
    bool known = false;
    int err;

    if (passed_over(state, line)) {
        return 1;
    }
    err = table_line(state, launch, line);
    if (err != 0) {
        return err;
    }
    if (ours(state, launch, line)) {
        return 1;
    }
    if (tmk_import_scan(line, "verdict: *", &found)) {
        err = tmk_import_frame_verdict(launch, found.texts[0]);
        return err != 0 ? err : 1;
    }
    err = frame(launch, line, &known);
    if (err == 0 && !known) {
        err = test_begins(launch, line, &known);
    }
    if (err != 0 || known) {
        return err != 0 ? err : 1;
    }
    if (tmk_import_frame_is_one(line, beside) ||
        tmk_import_scan_moment(line, moment)) {
        return 1;
    }
    if (tmk_import_scan(line, "ior: *", &found)) {
        err = tmk_import_launch_warn(launch, "ERROR", found.texts[0]);
        return err != 0 ? err : 1;
    }
    err = tmk_import_ior_opts_line(launch, line);
    return err != 0 ? err : tmk_import_frame_line(launch, line);
}
