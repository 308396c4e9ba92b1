/*
 * report_text: the text that parsers of mdtest's output have read for twenty
 * years, column for column.
 */
#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/stats.h"
#include "base/units.h"
#include "run/report.h"
#include "run/report_lines.h"

enum { NODEMAP_MAX = 256 };

static void print_time(FILE *to, const char *what)
{
    time_t now = time(NULL);
    struct tm tm;
    char text[64] = "";

    if (localtime_r(&now, &tm) != NULL) {
        (void)strftime(text, sizeof(text), "%m/%d/%Y %T", &tm);
    }
    fprintf(to, "-- %s at %s --\n", what, text);
}

/* One digit per rank: 1 = on the node of rank 0. */
static void print_nodemap(FILE *to, const struct tmk_job *job)
{
    if (job->size > NODEMAP_MAX) {
        return;
    }
    fputs("Nodemap: ", to);
    for (int i = 0; i < job->size; i++) {
        fputc(job->layout.map.node[i] == 0 ? '1' : '0', to);
    }
    fputc('\n', to);
}

static void print_file_system(FILE *to, const struct tmk_report_run *run)
{
    struct tmk_report_lines_usage usage;

    fprintf(to, "%-20s: %s\n", "Path", run->path);
    if (!run->usage_known) {
        fprintf(to, "%-20s: not reported (%s)\n", "FS", run->engine);
        return;
    }
    usage = tmk_report_lines_usage_of(run->size_bytes, run->used_bytes,
                                      run->inodes, run->used_inodes);
    tmk_report_lines_fs(to, &usage);
}

static void begin(void *state, const struct tmk_report_run *run)
{
    FILE *to = state;

    print_time(to, "started");
    fprintf(to,
            "\n%s was launched with %d total task(s) on %" PRIu32 " node(s)\n",
            run->banner, run->job->size, run->job->layout.map.nodes);
    fprintf(to, "Command line used: %s", run->argv[0]);
    for (int i = 1; i < run->argc; i++) {
        fprintf(to, " '%s'", run->argv[i]);
    }
    fputc('\n', to);
    print_nodemap(to, run->job);
    print_file_system(to, run);
    fflush(to);
}

static void test_begin(void *state, const struct tmk_result_test *test,
                       const char *headline)
{
    FILE *to = state;

    (void)test;
    fprintf(to, "%s\n", headline);
    fflush(to);
}

static void print_label(FILE *to, const struct tmk_report_run *run,
                        const struct tmk_result_row *row)
{
    if (run->tables_1_9) {
        fprintf(to, "   %-18s:", row->name);
    } else {
        fprintf(to, row->tree ? "   %-22s " : "   %-18s ", row->name);
    }
}

/* Statistics over ranks, up to where those over iterations begin. */
static void print_spread(FILE *to, const struct tmk_result_spread *spread)
{
    fprintf(to, "%14.3f %14.3f %14.3f     ", spread->max, spread->min,
            spread->mean);
}

static void print_row(FILE *to, const struct tmk_report_run *run,
                      const struct tmk_result_row *row, bool rates)
{
    const struct tmk_stats *stats = rates ? &row->rate_per_s : &row->time_s;

    print_label(to, run, row);
    if (run->rank_columns) {
        print_spread(to, rates ? &row->rank_rate_per_s : &row->rank_time_s);
    }
    if (run->tables_1_9 ? run->rank_columns : !row->tree) {
        fputs("    ", to);
    }
    fprintf(to, "%14.3f %14.3f %14.3f %14.3f\n", stats->max, stats->min,
            stats->mean, tmk_stats_stddev(stats));
    tmk_report_lines_failed(to, row->operations, row->failed, row->failed_by,
                            row->missed);
}

static void print_title(FILE *to, const struct tmk_report_run *run,
                        const struct tmk_result_test *test, bool rates)
{
    const char *what = "time (in seconds per phase)";

    if (rates) {
        what = run->tables_1_9 ? "" : "rate (in ops/sec)";
    }
    fprintf(to, "\nSUMMARY%s%s: (of %d iterations)\n",
            what[0] != '\0' ? " " : "", what, test->iterations);
}

static void print_heading(FILE *to, const struct tmk_report_run *run)
{
    if (run->rank_columns) {
        fputs("   Operation     per Rank: Max            Min           Mean"
              "      per Iteration: Max            Min           Mean"
              "        Std Dev\n",
              to);
        fputs("   ---------               ---            ---           ----"
              "                      ---            ---           ----"
              "        -------\n",
              to);
        return;
    }
    fputs("   Operation                     Max            Min           Mean"
          "        Std Dev\n",
          to);
    fputs("   ---------                     ---            ---           ----"
          "        -------\n",
          to);
}

static void table(void *state, const struct tmk_report_run *run,
                  const struct tmk_result_test *test, bool rates)
{
    FILE *to = state;

    print_title(to, run, test, rates);
    print_heading(to, run);
    /* Items first, then trees: the order of the original. */
    for (int tree = 0; tree < 2; tree++) {
        for (size_t i = 0; i < test->n_rows; i++) {
            const struct tmk_result_row *row = &test->rows[i];

            if (row->shown && row->tree == (tree != 0)) {
                print_row(to, run, row, rates);
            }
        }
    }
    fflush(to);
}

/* "Test File creation 1.234567e+03,2.345678e+03": a value for each rank. */
static void print_ranks(FILE *to, const char *name, size_t row,
                        const struct tmk_result_ranks *ranks, bool rates)
{
    char before = ' ';

    fprintf(to, "Test %s", name);
    for (int rank = 0; rank < ranks->ranks; rank++) {
        const struct tmk_result_cell *cell =
            &ranks->cells[(size_t)rank * ranks->rows + row];

        fprintf(to, "%c%e", before,
                rates ? tmk_units_per_s(cell->operations, cell->busy_ns)
                      : tmk_units_seconds(cell->busy_ns));
        before = ',';
    }
    fputc('\n', to);
}

static void table_ranks(void *state, const struct tmk_result_test *test,
                        const struct tmk_result_ranks *ranks, bool rates)
{
    FILE *to = state;

    if (ranks->iteration == 0) {
        fprintf(to, "\nPer process result (%s):\n", rates ? "rate" : "time");
    }
    fprintf(to, "iteration: %d\n", ranks->iteration);
    for (int tree = 0; tree < 2; tree++) {
        for (size_t i = 0; i < test->n_rows; i++) {
            const struct tmk_result_row *row = &test->rows[i];

            if ((row->shown || row->ran) && row->tree == (tree != 0)) {
                print_ranks(to, row->name, i, ranks, rates);
            }
        }
    }
}

/* The name of a row where it must not look like one to a parser: "file
 * creation". */
static void print_said(FILE *to, const char *name)
{
    fprintf(to, "   %c%-17s", tolower((unsigned char)name[0]), name + 1);
}

static void latency(void *state, const struct tmk_report_run *run,
                    const struct tmk_result_test *test)
{
    FILE *to = state;

    fprintf(to, "\nLATENCY (in us per operation): (of %d iterations)\n",
            test->iterations);
    tmk_report_lines_latency_heading(to, "Operation");
    for (int tree = 0; tree < 2; tree++) {
        for (size_t i = 0; i < test->n_rows; i++) {
            const struct tmk_result_row *row = &test->rows[i];

            if (row->tree == (tree != 0) && row->latency != NULL &&
                row->latency->operations != 0) {
                print_said(to, row->name);
                tmk_report_lines_latency(to, &run->job->layout, row->latency);
            }
        }
    }
    fflush(to);
}

static void print_rank(FILE *to, const struct tmk_layout *layout,
                       const char *what, struct tmk_result_rank rank)
{
    fprintf(to, "%s rank %d on %s, %.3f s; ", what, rank.rank,
            tmk_layout_host_of(layout, rank.rank),
            tmk_units_seconds(rank.time_ns));
}

/* Below the tables: ranks that take much longer than others. */
static void test_end(void *state, const struct tmk_report_run *run,
                     const struct tmk_result_test *test)
{
    const struct tmk_layout *layout = &run->job->layout;
    FILE *to = state;
    bool begun = false;

    for (size_t i = 0; i < test->n_rows; i++) {
        const struct tmk_result_uneven *u = &test->rows[i].uneven;

        if (!u->found) {
            continue;
        }
        if (!begun) {
            fprintf(to, "\nRanks whose times differ by more than %.0f%%:\n",
                    100.0 * TMK_RESULT_UNEVEN);
            begun = true;
        }
        print_said(to, test->rows[i].name);
        fputc(' ', to);
        print_rank(to, layout, "slowest", u->slowest);
        print_rank(to, layout, "fastest", u->fastest);
        fprintf(to, "waiting %.0f%%", 100.0 * u->waiting_share);
        if (test->iterations > 1) {
            fprintf(to, "; iteration %d", u->iteration + 1);
        }
        fputc('\n', to);
    }
    fflush(to);
}

static void end(void *state, const struct tmk_report_run *run,
                const struct tmk_result *result)
{
    FILE *to = state;

    (void)run;
    if (result->interrupted != 0) {
        fprintf(to, "-- interrupted by %s: the results are partial --\n",
                result->interrupted == SIGINT    ? "SIGINT"
                : result->interrupted == SIGALRM ? "SIGALRM"
                                                 : "SIGTERM");
    }
    print_time(to, "finished");
    fputc('\n', to);
    fflush(to);
}

const struct tmk_writer_ops tmk_report_text = {
    .begin = begin,
    .test_begin = test_begin,
    .table_ranks = table_ranks,
    .table = table,
    .latency = latency,
    .test_end = test_end,
    .end = end,
};
