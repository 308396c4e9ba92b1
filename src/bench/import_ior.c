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
#include <math.h>
#include <string.h>

#include "bench/import_ior_opts.h"

static const double mib = 1024.0 * 1024.0;
static const double unsaid = (double)NAN;

/* Two layouts of rows: the second since 3.3. */
static const char *const headings[] = {
    "access bw(MiB/s) block(KiB) xfer(KiB) open(s) wr/rd(s) close(s) total(s) "
    "iter",
    "access bw(MiB/s) IOPS Latency(s) block(KiB) xfer(KiB) open(s) wr/rd(s) "
    "close(s) total(s) iter",
};

/* Columns behind the mean time in wide rows, whatever their order. */
enum column {
    IGNORED,
    TEST,
    TASKS,
    PER_NODE,
    REPETITIONS,
    BLOCK_SIZE,
    TRANSFER_SIZE,
    KINDS
};

static const struct {
    const char *name;
    enum column column;
} columns[] = {
    {"Stonewall(s)", IGNORED}, {"Stonewall(MiB)", IGNORED},
    {"Test#", TEST},           {"#Tasks", TASKS},
    {"tPN", PER_NODE},         {"reps", REPETITIONS},
    {"fPP", IGNORED},          {"reord", IGNORED},
    {"reordoff", IGNORED},     {"reordrand", IGNORED},
    {"seed", IGNORED},         {"segcnt", IGNORED},
    {"blksiz", BLOCK_SIZE},    {"xsize", TRANSFER_SIZE},
    {"aggs(MiB)", IGNORED},    {"aggsize", IGNORED},
    {"API", IGNORED},          {"RefNum", IGNORED},
};

/* The access that a row begins with, cut off; NULL = none. */
static const char *cut_access(struct tmk_import_scan_text *line)
{
    static const char *const names[] = {"write", "read", "remove"};
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
 * Rows.
 */

/*
 * Whether no digit can have been cut off the end: numbers below 1 have 6
 * decimals, those below 3600 have 2, greater ones none.
 */
static bool is_whole(const struct tmk_import_scan_number *number)
{
    return number->value < 1.0
               ? number->decimals == 6
               : number->value < 3600.0 && number->decimals == 2;
}

/* "-" stands for no number.  `last`: of a line, right at its end. */
static bool row_number(struct tmk_import_scan_text word, bool last,
                       struct tmk_import_scan_number *number)
{
    *number = (struct tmk_import_scan_number){unsaid, 0, -1};
    if (tmk_import_scan_is(word, "-")) {
        return true;
    }
    if (!last) {
        return tmk_import_scan_number(word, number);
    }
    if (!tmk_import_scan_last_number(word, number)) {
        return false;
    }
    if (!is_whole(number)) {
        number->value = unsaid;
    }
    return true;
}

/*
 * The numbers of a row, NAN where it was cut off; 0 if the row has anything
 * else.  2.10 puts a mark behind rows.
 */
static size_t row_numbers(struct tmk_import_scan_text line,
                          struct tmk_import_scan_text rest, double *values,
                          size_t most, int64_t *iteration)
{
    const char *end = line.at + line.length;
    struct tmk_import_scan_number number = {unsaid, 0, -1};
    struct tmk_import_scan_text word;
    size_t n = 0;

    *iteration = -1;
    while ((word = tmk_import_scan_word(&rest)).length > 0) {
        if (n == most && *iteration < 0 &&
            tmk_import_scan_number(word, &number) && number.whole >= 0) {
            *iteration = number.whole;
            continue;
        }
        if (n == most && (tmk_import_scan_is(word, "XXCEL") ||
                          tmk_import_scan_is(word, "EXCEL"))) {
            continue;
        }
        if (n == most ||
            !row_number(word, word.at + word.length == end, &number)) {
            return 0;
        }
        values[n++] = number.value;
    }
    return n;
}

static int row(const struct tmk_import_ior *state,
               struct tmk_import_launch *launch, const char *name,
               struct tmk_import_scan_text line,
               struct tmk_import_scan_text rest)
{
    enum { MOST = 9, FEWEST = 7 };
    double v[MOST] = {unsaid, unsaid, unsaid, unsaid, unsaid,
                      unsaid, unsaid, unsaid, unsaid};
    size_t at = state->iops ? 3 : 1; /* of the block size */
    struct tmk_import_test *test;
    struct tmk_import_phase *phase;
    int64_t iteration;

    if (row_numbers(line, rest, v, state->iops ? MOST : FEWEST, &iteration) ==
        0) {
        return 0;
    }
    test = tmk_import_launch_test(launch);
    phase = test != NULL ? tmk_import_launch_add_phase(test, name) : NULL;
    if (phase == NULL) {
        return -ENOMEM;
    }
    phase->iteration = iteration;
    phase->bandwidth_bytes_per_s = v[0] * mib;
    phase->transfers_per_s = state->iops ? v[1] : unsaid;
    phase->latency_s = state->iops ? v[2] : unsaid;
    phase->open_s = v[at + 2];
    phase->transfer_s = v[at + 3];
    phase->close_s = v[at + 4];
    phase->time_s = v[at + 5];
    return 1;
}

/* The test that a wide row is of; NULL if that cannot be told. */
static struct tmk_import_test *test_of(struct tmk_import_launch *launch,
                                       const int64_t *found)
{
    for (size_t i = 0; found[TEST] >= 0 && i < launch->n_tests; i++) {
        if (launch->tests[i].number == found[TEST]) {
            return &launch->tests[i];
        }
    }
    return launch->n_tests <= 1 ? tmk_import_launch_test(launch) : NULL;
}

/* One of the groups of a wide row. */
static int add_summary(struct tmk_import_test *test, const char *name,
                       const char *unit, const double *values, double factor)
{
    struct tmk_import_summary *summary =
        tmk_import_launch_add_summary(test, name, unit);

    if (summary == NULL) {
        return -ENOMEM;
    }
    summary->n = test->repetitions;
    summary->max = values[0] * factor;
    summary->min = values[1] * factor;
    summary->mean = values[2] * factor;
    summary->stddev = values[3] * factor;
    return 0;
}

/* What stands behind the mean time, as far as it is known what it is. */
static void wide_rest(const struct tmk_import_ior *state,
                      struct tmk_import_scan_text rest, int64_t found[KINDS])
{
    for (size_t i = 0; i < state->n_columns; i++) {
        struct tmk_import_scan_text word = tmk_import_scan_word(&rest);
        struct tmk_import_scan_number number;

        /* The last one may have been cut. */
        if (tmk_import_scan_trim(rest).length > 0 &&
            tmk_import_scan_number(word, &number)) {
            found[state->columns[i]] = number.whole;
        }
    }
}

/* A size that the options of the test have with too few digits, or not. */
static int fill_in_size(struct tmk_import_test *test, const char *name,
                        int64_t bytes)
{
    struct tmk_import_option *option = tmk_import_launch_add_option(test, name);

    if (option == NULL) {
        return -ENOMEM;
    }
    option->number = bytes;
    return 0;
}

static int fill_in(struct tmk_import_test *test, const int64_t found[KINDS])
{
    int err = 0;

    if (test->tasks < 0 && found[TASKS] > 0) {
        test->tasks = found[TASKS];
    }
    if (test->ranks_per_node < 0 && found[PER_NODE] > 0) {
        test->ranks_per_node = found[PER_NODE];
    }
    if (test->repetitions < 0 && found[REPETITIONS] > 0) {
        test->repetitions = found[REPETITIONS];
    }
    if (found[BLOCK_SIZE] > 0) {
        err = fill_in_size(test, "blocksize_bytes", found[BLOCK_SIZE]);
    }
    if (err == 0 && found[TRANSFER_SIZE] > 0) {
        err = fill_in_size(test, "xfersize_bytes", found[TRANSFER_SIZE]);
    }
    return err;
}

/*
 * The numbers up to the mean time: two decimals each, five in the time.  How
 * many there are before the row was cut; 0 if it has anything else.
 */
static size_t wide_numbers(struct tmk_import_scan_text *rest, double *values,
                           size_t most)
{
    for (size_t i = 0; i < most; i++) {
        struct tmk_import_scan_number number;
        struct tmk_import_scan_text word = tmk_import_scan_word(rest);
        int decimals = i + 1 == most ? 5 : 2;

        if (word.length == 0) {
            return i;
        }
        if (!tmk_import_scan_number(word, &number)) {
            return 0;
        }
        if (isfinite(number.value) && number.decimals != decimals) {
            return number.decimals < decimals && rest->length == 0 ? i : 0;
        }
        values[i] = number.value;
    }
    return most;
}

static int wide_row(const struct tmk_import_ior *state,
                    struct tmk_import_launch *launch, const char *name,
                    struct tmk_import_scan_text rest)
{
    const size_t most = state->ops || state->skip ? 9 : 5;
    int64_t found[KINDS] = {-1, -1, -1, -1, -1, -1, -1};
    double values[9] = {unsaid, unsaid, unsaid, unsaid, unsaid,
                        unsaid, unsaid, unsaid, unsaid};
    size_t n = wide_numbers(&rest, values, most);
    struct tmk_import_test *test;
    int err;

    wide_rest(state, rest, found);
    test = n != 0 ? test_of(launch, found) : NULL;
    if (test == NULL) {
        return 0;
    }
    err = fill_in(test, found);
    if (err == 0) {
        err = add_summary(test, name, "bytes/s", values, mib);
    }
    if (err == 0 && state->ops && n > 4) {
        err = add_summary(test, name, "op/s", values + 4, 1.0);
    }
    if (err == 0 && n == most) {
        const double only_mean[4] = {unsaid, unsaid, values[most - 1], unsaid};

        err = add_summary(test, name, "s", only_mean, 1.0);
    }
    return err != 0 ? err : 1;
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
    "Commencing write performance test_:_*",
    "Commencing read performance test_:_*",
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

static int table_line(struct tmk_import_ior *state,
                      struct tmk_import_launch *launch,
                      struct tmk_import_scan_text line)
{
    struct tmk_import_scan_text rest = line;
    const char *name = cut_access(&rest);

    if (name != NULL && state->table == TMK_IMPORT_IOR_ROWS) {
        return row(state, launch, name, line, rest);
    }
    if (name != NULL && state->table == TMK_IMPORT_IOR_WIDE) {
        return wide_row(state, launch, name, rest);
    }
    return is_row_heading(state, line) || is_wide_heading(state, line) ? 1 : 0;
}

int tmk_import_ior_line(struct tmk_import_ior *state,
                        struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line)
{
    char moment[TMK_IMPORT_SCAN_MOMENT_SIZE];
    bool known = false;
    int err = table_line(state, launch, line);

    if (err != 0) {
        return err;
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
    err = tmk_import_ior_opts_line(launch, line);
    return err != 0 ? err : tmk_import_frame_line(launch, line);
}
