/*
 * import_mdtest: the report of mdtest, line by line.
 *
 *     -- started at ... --                        head
 *     mdtest-1.9.1 was launched with ...          banner
 *     16 tasks, 80640 files/directories           a test
 *     SUMMARY: (of 20 iterations)                   its table
 *        Operation   Max  Min  Mean  Std Dev
 *        File stat : 28105.169 26091.429 27392.123 537.488
 *           failed             12 of 100 (EEXIST 12)    only ours
 *     -- finished at ... --
 */
#include "bench/import_mdtest.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench/import_frame.h"

enum { COLUMNS = 4, RANK_COLUMNS = 3 };

/*
 * Tables.  That of times has been called rates of time, "in ms/op" and what it
 * is: seconds per phase.
 */
static const struct {
    const char *pattern;
    const char *unit;
} titles[] = {
    {"SUMMARY_: (of # iterations)", "op/s"},
    {"SUMMARY rate_: (of # iterations)", "op/s"},
    {"SUMMARY rate (in ops/sec)_: (of # iterations)", "op/s"},
    {"SUMMARY time_: (of # iterations)", "s"},
    {"SUMMARY time (in ms/op)_: (of # iterations)", "s"},
    {"SUMMARY time (in seconds per phase)_: (of # iterations)", "s"},
};

static bool is_title(struct tmk_import_scan_text line,
                     struct tmk_import_scan *found, const char **unit)
{
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (tmk_import_scan(line, titles[i].pattern, found) &&
            found->numbers[0].whole > 0) {
            *unit = titles[i].unit;
            return true;
        }
    }
    return false;
}

/* "2 tasks, 994 files/directories" */
static bool is_tasks(struct tmk_import_scan_text line,
                     struct tmk_import_scan *found)
{
    static const char *const what[] = {"files/directories", "files", "file",
                                       "directories", "directory"};

    if (!tmk_import_scan(line, "# tasks, # $", found) &&
        !tmk_import_scan(line, "# task, # $", found)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(what) / sizeof(what[0]); i++) {
        if (tmk_import_scan_is(found->texts[0], what[i])) {
            return found->numbers[0].whole > 0 && found->numbers[1].whole >= 0;
        }
    }
    return false;
}

/* "mdtest-1.9.1 was launched with 16 total task(s) on 2 node(s)" */
static bool is_banner(struct tmk_import_scan_text line,
                      struct tmk_import_scan *found)
{
    return tmk_import_scan(line,
                           "mdtest-$ was launched with # total task(s) on # "
                           "node(s)",
                           found) &&
           found->numbers[0].whole > 0 && found->numbers[1].whole > 0;
}

enum tmk_import_start tmk_import_mdtest_start(struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;
    const char *unit;

    if (tmk_import_scan(line, "-- started at $ $ --", &found)) {
        return TMK_IMPORT_START_HEAD;
    }
    if (is_banner(line, &found)) {
        return TMK_IMPORT_START_BANNER;
    }
    return is_tasks(line, &found) || is_title(line, &found, &unit)
               ? TMK_IMPORT_START_BODY
               : TMK_IMPORT_START_NONE;
}

/*
 * What we write behind the tables: latencies over all iterations and slow
 * ranks, for which a result has places in the phases only, not in a summary.
 */
static bool behind_tables(struct tmk_import_mdtest *state, bool row,
                          struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;

    if (row) {
        return state->behind &&
               (tmk_import_scan(line, "# # # # # # # # *", &found) ||
                tmk_import_scan(line, "slowest rank # on *", &found));
    }
    if (tmk_import_scan(
            line, "LATENCY (in us per operation): (of # iterations)", &found) ||
        tmk_import_scan(line,
                        "Ranks whose times differ by more than #%:", &found)) {
        *state = (struct tmk_import_mdtest){.behind = true};
        return true;
    }
    return state->behind &&
           (tmk_import_scan(line, "$ $ # # # # # # # # *", &found) ||
            tmk_import_scan(line, "$ $ slowest rank # on *", &found) ||
            tmk_import_scan_heading(line,
                                    "Operation Min Mean p50 p90 p99 p99.9 Max "
                                    "of rank on host",
                                    2));
}

static bool is_heading(struct tmk_import_mdtest *state,
                       struct tmk_import_scan_text line)
{
    bool rank_columns = tmk_import_scan_heading(
        line,
        "Operation per Rank: Max Min Mean per Iteration: Max Min Mean Std Dev",
        2);

    if (!rank_columns &&
        !tmk_import_scan_heading(line, "Operation Max Min Mean Std Dev", 2)) {
        return false;
    }
    state->heading = true;
    state->rank_columns = rank_columns;
    return state->unit != NULL;
}

/*
 * Rows.
 */

/* The name at the beginning of a row, cut off with its colon; or NULL. */
static const char *cut_name(struct tmk_import_scan_text *line)
{
    static const char *const names[] = {
        "Directory creation", "Directory stat",    "Directory read",
        "Directory rename",   "Directory removal", "File creation",
        "File stat",          "File read",         "File removal",
        "Tree creation",      "Tree removal",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *second = strchr(names[i], ' ') + 1;
        struct tmk_import_scan_text rest = *line;
        struct tmk_import_scan_text words[2] = {tmk_import_scan_word(&rest),
                                                tmk_import_scan_word(&rest)};
        struct tmk_import_scan_text after = rest;

        if (words[0].length + 1 != (size_t)(second - names[i]) ||
            memcmp(words[0].at, names[i], words[0].length) != 0) {
            continue;
        }
        if (words[1].length > 0 && words[1].at[words[1].length - 1] == ':') {
            words[1].length--;
        } else if (tmk_import_scan_is(tmk_import_scan_word(&after), ":")) {
            rest = after;
        }
        if (tmk_import_scan_is(words[1], second)) {
            *line = rest;
            return names[i];
        }
    }
    return NULL;
}

/*
 * Numbers of a row into values; NAN for those that are none, or were cut off:
 * each is printed with 3 decimals.  How many there are; 0 if the row has
 * anything else.
 */
static size_t numbers(struct tmk_import_scan_text rest, double *values,
                      size_t most)
{
    struct tmk_import_scan_number number = {(double)NAN, 3, -1};
    struct tmk_import_scan_text word;
    size_t n = 0;

    while ((word = tmk_import_scan_word(&rest)).length > 0) {
        /* Only the last can have been cut. */
        if (n == most || (isfinite(number.value) && number.decimals != 3) ||
            !tmk_import_scan_last_number(word, &number) ||
            number.decimals > 3) {
            return 0;
        }
        values[n++] = number.value;
    }
    if (n != 0 && number.decimals != 3) {
        values[n - 1] = (double)NAN;
    }
    /* Where nothing came, a minimum is the greatest of all numbers. */
    for (size_t i = 0; i < n; i++) {
        if (fabs(values[i]) > 1e300) {
            values[i] = (double)NAN;
        }
    }
    return n;
}

static int row(struct tmk_import_mdtest *state,
               struct tmk_import_launch *launch, const char *name,
               struct tmk_import_scan_text rest)
{
    double values[RANK_COLUMNS + COLUMNS];
    double of[COLUMNS] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    size_t n = numbers(rest, values, RANK_COLUMNS + COLUMNS);
    size_t before = state->rank_columns ? RANK_COLUMNS : 0;
    struct tmk_import_summary *summary;
    struct tmk_import_test *test;

    if (!state->heading && n == RANK_COLUMNS + COLUMNS) {
        before = RANK_COLUMNS;
    }
    /* Without a heading, a row that is cut could be of either table. */
    if (state->unit == NULL || n == 0 || n > before + COLUMNS ||
        (!state->heading && n != before + COLUMNS)) {
        return 0;
    }
    for (size_t i = before; i < n; i++) {
        of[i - before] = values[i];
    }
    test = tmk_import_launch_test(launch);
    summary = test != NULL
                  ? tmk_import_launch_add_summary(test, name, state->unit)
                  : NULL;
    if (summary == NULL) {
        return -ENOMEM;
    }
    summary->n = state->iterations;
    summary->max = of[0];
    summary->min = of[1];
    summary->mean = of[2];
    summary->stddev = of[3];
    summary->idle =
        of[0] == 0.0 && of[1] == 0.0 && of[2] == 0.0 && of[3] == 0.0;
    state->row = true;
    state->test = launch->n_tests - 1;
    state->summary = test->n_summary - 1;
    return 1;
}

/* What we write below a row. */
static bool below_row(struct tmk_import_mdtest *state,
                      struct tmk_import_launch *launch,
                      struct tmk_import_scan_text line)
{
    struct tmk_import_summary *row;

    if (!state->row) {
        return false;
    }
    row = &launch->tests[state->test].summary[state->summary];
    if (!tmk_import_frame_counts(&row->counts, line)) {
        return false;
    }
    row->idle = false;
    return true;
}

/*
 * The frame.
 */

static int banner(struct tmk_import_launch *launch,
                  const struct tmk_import_scan *found)
{
    struct tmk_import_scan_text version = found->texts[0];

    launch->ranks = found->numbers[0].whole;
    launch->nodes = found->numbers[1].whole;
    /* 1.9 divides by n, 4.1 by n - 1. */
    if (version.length > 1 && version.at[1] == '.') {
        launch->stddev = version.at[0] == '1'   ? "population"
                         : version.at[0] == '4' ? "sample"
                                                : NULL;
    }
    return tmk_import_launch_keep(&launch->version, version);
}

static int tasks(struct tmk_import_mdtest *state,
                 struct tmk_import_launch *launch,
                 const struct tmk_import_scan *found)
{
    struct tmk_import_test *test = tmk_import_launch_add_test(launch);

    *state = (struct tmk_import_mdtest){.unit = NULL};
    if (test == NULL) {
        return -ENOMEM;
    }
    test->tasks = found->numbers[0].whole;
    test->items = found->numbers[1].whole;
    return 0;
}

static int title(struct tmk_import_mdtest *state,
                 struct tmk_import_launch *launch, const char *unit,
                 int64_t iterations)
{
    struct tmk_import_test *test = tmk_import_launch_test(launch);

    if (test == NULL) {
        return -ENOMEM;
    }
    test->repetitions = iterations;
    *state = (struct tmk_import_mdtest){.unit = unit, .iterations = iterations};
    return 0;
}

/* "-- started at 07/22/2015 09:34:24 --" and the like. */
static bool moment(struct tmk_import_launch *launch,
                   struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;
    struct tmk_import_scan_text text;
    char *to = launch->started;

    if (tmk_import_scan(line, "-- finished at $ $ --", &found)) {
        to = launch->ended;
    } else if (!tmk_import_scan(line, "-- started at $ $ --", &found)) {
        return false;
    }
    text = found.texts[0];
    text.length = (size_t)(found.texts[1].at + found.texts[1].length - text.at);
    return tmk_import_scan_moment(text, to);
}

static bool interrupted(struct tmk_import_launch *launch,
                        struct tmk_import_scan_text line)
{
    struct tmk_import_scan found;

    if (!tmk_import_scan(line, "-- interrupted by $ the results are partial --",
                         &found)) {
        return false;
    }
    if (tmk_import_scan_is(found.texts[0], "SIGINT:")) {
        launch->interrupted = "SIGINT";
    } else if (tmk_import_scan_is(found.texts[0], "SIGTERM:")) {
        launch->interrupted = "SIGTERM";
    } else {
        return false;
    }
    return true;
}

/* Known, but nothing that a result has a place for. */
static const char *const beside[] = {
    "Nodemap_:_*",
    "V-#: Rank # Line # *",
    "Shifting ranks by # for each phase.",
    "Items that no rank of the node touched before: *",
    "random seed: #",
    "Continue stonewall hit *",
    "Per process result (rate):",
    "Per process result (time):",
    "iteration: #",
    "Test Directory *",
    "Test File *",
    "Test Tree *",
    "# nodes share one kernel.",
    "-B: a phase lasts *",
    "-t: no clock is restarted *",
    "-S: every task opens all files, *",
    "-x: *",
    "data seed: # (-G)",
    "removed # files and # directories of an earlier run in # s",
    "Directories that were there before: *",
    "$ $_:_# sec, # ops/sec",
    NULL,
};

int tmk_import_mdtest_line(struct tmk_import_mdtest *state,
                           struct tmk_import_launch *launch,
                           struct tmk_import_scan_text line)
{
    struct tmk_import_scan_text rest = line;
    struct tmk_import_scan found;
    const char *unit = NULL;
    const char *name = cut_name(&rest);
    int err;

    if (name != NULL) {
        err = behind_tables(state, true, rest) ? 1
                                               : row(state, launch, name, rest);
        if (err != 0) {
            return err;
        }
    }
    if (is_title(line, &found, &unit)) {
        err = title(state, launch, unit, found.numbers[0].whole);
    } else if (is_tasks(line, &found)) {
        err = tasks(state, launch, &found);
    } else if (is_banner(line, &found)) {
        err = banner(launch, &found);
    } else if (tmk_import_scan(line, "verdict: *", &found)) {
        err = tmk_import_frame_verdict(launch, found.texts[0]);
    } else if (is_heading(state, line) || behind_tables(state, false, line) ||
               below_row(state, launch, line) || moment(launch, line) ||
               interrupted(launch, line) ||
               tmk_import_frame_is_one(line, beside)) {
        return 1;
    } else {
        return tmk_import_frame_line(launch, line);
    }
    return err != 0 ? err : 1;
}
