/*
 * report_details: every rank's results as comma-separated values.
 */
#include "run/report_details.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

/* The original's tests in its order; it has one that is never run. */
static const char *const columns[] = {
    "Directory creation", "Directory stat",    "Directory read",
    "Directory rename",   "Directory removal", "File creation",
    "File stat",          "File read",         "File removal",
    "Tree creation",      "Tree removal",
};

enum {
    COLUMNS = sizeof(columns) / sizeof(columns[0]),
    ITEM_COLUMNS = COLUMNS - 2
};

static void note(struct tmk_report_details *d, int err)
{
    if (err != 0) {
        d->to = NULL;
        if (d->err == 0) {
            d->err = err;
        }
    }
}

/* The row of a column, or n_rows: there is none. */
static size_t find_row(const struct tmk_result_test *test, size_t column)
{
    size_t i = 0;

    while (i < test->n_rows &&
           strcmp(test->rows[i].name, columns[column]) != 0) {
        i++;
    }
    return i;
}

static void print_pair(FILE *to, bool done, double rate_per_s, uint64_t time_ns)
{
    if (done) {
        fprintf(to, ",%.10e,%.10e", rate_per_s, tmk_units_seconds(time_ns));
    } else {
        fputs(",,", to);
    }
}

/* What only we tell, and the end of the line. */
static void print_end(const struct tmk_report_details *d,
                      const struct tmk_result_test *test, int iteration)
{
    if (d->original) {
        fputc('\n', d->to);
    } else {
        fprintf(d->to, ",%d,%d\n", test->tasks, iteration);
    }
}

/* The items of a task: the most of any. */
static uint64_t most_items(const struct tmk_result_test *test,
                           const struct tmk_result_ranks *ranks)
{
    uint64_t most = 0;

    for (int rank = 0; rank < ranks->ranks; rank++) {
        uint64_t items =
            tmk_result_items(test, &ranks->cells[(size_t)rank * ranks->rows]);

        most = items > most ? items : most;
    }
    return most;
}

static void print_whole(const struct tmk_report_details *d,
                        const struct tmk_result_test *test,
                        const struct tmk_result_ranks *ranks)
{
    fprintf(d->to, "all,%" PRIu64, most_items(test, ranks));
    for (size_t c = 0; c < COLUMNS; c++) {
        struct tmk_result_whole whole = {0};
        size_t row = find_row(test, c);

        if (row < ranks->rows) {
            whole = ranks->wholes[row];
        }
        print_pair(d->to, whole.ran, whole.rate_per_s, whole.time_ns);
    }
    print_end(d, test, ranks->iteration);
}

static void print_rank(const struct tmk_report_details *d,
                       const struct tmk_result_test *test,
                       const struct tmk_result_ranks *ranks, int rank)
{
    const struct tmk_result_cell *cells =
        &ranks->cells[(size_t)rank * ranks->rows];

    fprintf(d->to, "%d,", rank);
    if (!d->original) {
        fprintf(d->to, "%" PRIu64, tmk_result_items(test, cells));
    }
    for (size_t c = 0; c < (d->original ? ITEM_COLUMNS : COLUMNS); c++) {
        struct tmk_result_cell cell = {0};
        size_t row = find_row(test, c);

        if (row < ranks->rows) {
            cell = cells[row];
        }
        print_pair(d->to, cell.operations + cell.failed != 0,
                   tmk_units_per_s(cell.operations, cell.busy_ns),
                   cell.busy_ns);
    }
    print_end(d, test, ranks->iteration);
}

static void begin(void *state, const struct tmk_report_run *run)
{
    struct tmk_report_details *d = state;

    (void)run;
    note(d, tmk_output_anew(d->out, &d->to));
    if (d->to == NULL) {
        return;
    }
    fputs("rank,items", d->to);
    for (size_t c = 0; c < COLUMNS; c++) {
        fprintf(d->to, ",rate-%s,time-%s", columns[c], columns[c]);
    }
    fputs(d->original ? "\n" : ",tasks,iteration\n", d->to);
}

static void ranks(void *state, const struct tmk_result_test *test,
                  const struct tmk_result_ranks *ranks)
{
    struct tmk_report_details *d = state;

    if (d->to == NULL) {
        return;
    }
    if (!d->original || ranks->iteration == 0) {
        print_whole(d, test, ranks);
    }
    for (int rank = 0; rank < ranks->ranks; rank++) {
        print_rank(d, test, ranks, rank);
    }
}

static void test_begin(void *state, const struct tmk_result_test *test,
                       const char *headline)
{
    struct tmk_report_details *d = state;

    (void)test;
    (void)headline;
    if (d->err == 0) {
        note(d, tmk_output_more(d->out, &d->to));
    }
}

static void test_end(void *state, const struct tmk_report_run *run,
                     const struct tmk_result_test *test)
{
    struct tmk_report_details *d = state;

    (void)run;
    (void)test;
    if (d->to != NULL) {
        note(d, tmk_output_commit(d->out));
        d->to = NULL;
    }
}

const struct tmk_writer_ops tmk_report_details = {
    .begin = begin,
    .test_begin = test_begin,
    .ranks = ranks,
    .test_end = test_end,
};
