/*
 * report_csv: one line per test, iteration and phase.
 */
#include "run/report_csv.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errnum.h"
#include "base/units.h"

/* What a line is made of. */
struct line {
    FILE *to;
    const struct tmk_report_run *run;
    const struct tmk_result_test *test;
    const struct tmk_result_row *row;
    int iteration;
    const struct tmk_phase_result *phase;
};

/* A text, quoted if it has to be. */
static void put_text(FILE *to, const char *text)
{
    if (text == NULL) {
        return;
    }
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', to);
        }
        fputc(*text, to);
    }
    fputc('"', to);
}

static void put_count(FILE *to, uint64_t value)
{
    fprintf(to, "%" PRIu64, value);
}

static void put_seconds(FILE *to, uint64_t ns)
{
    fprintf(to, "%.9f", tmk_units_seconds(ns));
}

/* ISO 8601, UTC. */
static void put_started(const struct line *l)
{
    char buf[32] = "";
    struct tm tm;

    if (gmtime_r(&l->run->started, &tm) != NULL) {
        (void)strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm);
    }
    fputs(buf, l->to);
}

/* "EEXIST:10 ENOSPC:2" */
static void put_errors(const struct line *l)
{
    const char *space = "";

    for (int e = 0; e < TMK_ERRNUM_SLOTS; e++) {
        char name[32];

        if (l->phase->failed_by[e] != 0) {
            fprintf(l->to, "%s%s:%" PRIu64, space,
                    e == 0 ? "other" : tmk_errnum_name(e, name, sizeof(name)),
                    l->phase->failed_by[e]);
            space = " ";
        }
    }
}

static void put_foreign_share(const struct line *l)
{
    if (l->phase->foreign_share >= 0.0) {
        fprintf(l->to, "%.6f", l->phase->foreign_share);
    }
}

static void put_stonewall(const struct line *l)
{
    if (l->phase->wall.on) {
        fputs(l->phase->wall.hit ? "hit" : "not hit", l->to);
    }
}

static void put_host(const struct line *l, int rank)
{
    put_text(l->to, tmk_layout_host_of(&l->run->job->layout, rank));
}

/* Latency, where there was an operation. */
static void put_percentile(const struct line *l, double percent)
{
    if (tmk_result_has_latency(l->phase)) {
        put_count(l->to, tmk_result_percentile_ns(l->phase, percent));
    }
}

static void put_latency(const struct line *l, uint64_t ns)
{
    if (tmk_result_has_latency(l->phase)) {
        put_count(l->to, ns);
    }
}

enum column {
    RUN_ID,
    LABEL,
    KIND,
    VERSION,
    STARTED,
    PATH,
    TASKS,
    NODES,
    RANKS_PER_NODE,
    ITERATION,
    PHASE,
    TIME,
    RATE,
    OPERATIONS,
    FAILED,
    ERRORS,
    VERIFICATION_ERRORS,
    NOT_TRIED,
    BYTES,
    INTERRUPTED,
    STONEWALL,
    FOREIGN_SHARE,
    WAITING_SHARE,
    FASTEST_RANK,
    FASTEST_HOST,
    FASTEST,
    SLOWEST_RANK,
    SLOWEST_HOST,
    SLOWEST,
    LATENCY_MIN,
    LATENCY_MEAN,
    LATENCY_P50,
    LATENCY_P90,
    LATENCY_P99,
    LATENCY_P999,
    LATENCY_MAX,
    LATENCY_MAX_RANK,
    LATENCY_MAX_HOST,
    INTERVAL,
    INTERVAL_OPERATIONS,
    COLUMNS
};

static const char *const names[] = {
    [RUN_ID] = "run_id",
    [LABEL] = "label",
    [KIND] = "kind",
    [VERSION] = "version",
    [STARTED] = "started",
    [PATH] = "path",
    [TASKS] = "tasks",
    [NODES] = "nodes",
    [RANKS_PER_NODE] = "ranks_per_node",
    [ITERATION] = "iteration",
    [PHASE] = "phase",
    [TIME] = "time_s",
    [RATE] = "rate_per_s",
    [OPERATIONS] = "operations",
    [FAILED] = "failed_operations",
    [ERRORS] = "failed",
    [VERIFICATION_ERRORS] = "verification_errors",
    [NOT_TRIED] = "not_tried",
    [BYTES] = "bytes",
    [INTERRUPTED] = "interrupted",
    [STONEWALL] = "stonewall",
    [FOREIGN_SHARE] = "foreign_share",
    [WAITING_SHARE] = "waiting_share",
    [FASTEST_RANK] = "fastest_rank",
    [FASTEST_HOST] = "fastest_host",
    [FASTEST] = "fastest_s",
    [SLOWEST_RANK] = "slowest_rank",
    [SLOWEST_HOST] = "slowest_host",
    [SLOWEST] = "slowest_s",
    [LATENCY_MIN] = "latency_min_ns",
    [LATENCY_MEAN] = "latency_mean_ns",
    [LATENCY_P50] = "latency_p50_ns",
    [LATENCY_P90] = "latency_p90_ns",
    [LATENCY_P99] = "latency_p99_ns",
    [LATENCY_P999] = "latency_p999_ns",
    [LATENCY_MAX] = "latency_max_ns",
    [LATENCY_MAX_RANK] = "latency_max_rank",
    [LATENCY_MAX_HOST] = "latency_max_host",
    [INTERVAL] = "interval_s",
    [INTERVAL_OPERATIONS] = "interval_operations",
};
static_assert(sizeof(names) / sizeof(names[0]) == COLUMNS, "a name for each");

/* Which run, and where in it. */
static void put_place(const struct line *l, enum column column)
{
    const struct tmk_report_run *run = l->run;

    switch (column) {
    case RUN_ID: put_text(l->to, run->job->id); break;
    case LABEL: put_text(l->to, run->label); break;
    case KIND: put_text(l->to, run->kind); break;
    case VERSION: put_text(l->to, run->version); break;
    case STARTED: put_started(l); break;
    case PATH:
        put_text(l->to, l->test->path != NULL ? l->test->path : run->path);
        break;
    case TASKS: fprintf(l->to, "%d", l->test->tasks); break;
    case NODES: fprintf(l->to, "%d", l->test->nodes); break;
    case RANKS_PER_NODE: fprintf(l->to, "%d", l->test->ranks_per_node); break;
    case ITERATION: fprintf(l->to, "%d", l->iteration); break;
    default: put_text(l->to, l->row->name); break;
    }
}

/* What came of it. */
static void put_outcome(const struct line *l, enum column column)
{
    const struct tmk_phase_result *p = l->phase;
    FILE *to = l->to;

    switch (column) {
    case TIME: put_seconds(to, p->time_ns); break;
    case RATE: fprintf(to, "%.3f", p->rate_per_s); break;
    case OPERATIONS: put_count(to, p->operations); break;
    case FAILED: put_count(to, p->failed); break;
    case ERRORS: put_errors(l); break;
    case VERIFICATION_ERRORS: put_count(to, p->wrong); break;
    case NOT_TRIED: put_count(to, p->missed); break;
    case BYTES: put_count(to, p->bytes); break;
    case INTERRUPTED: put_count(to, p->interrupted != 0); break;
    case STONEWALL: put_stonewall(l); break;
    case FOREIGN_SHARE: put_foreign_share(l); break;
    case WAITING_SHARE: fprintf(to, "%.6f", p->waiting_share); break;
    case FASTEST_RANK: fprintf(to, "%d", p->fastest.rank); break;
    case FASTEST: put_seconds(to, p->fastest.time_ns); break;
    case FASTEST_HOST: put_host(l, p->fastest.rank); break;
    case SLOWEST_HOST: put_host(l, p->slowest.rank); break;
    case SLOWEST_RANK: fprintf(to, "%d", p->slowest.rank); break;
    default: put_seconds(to, p->slowest.time_ns); break;
    }
}

static void put_latencies(const struct line *l, enum column column)
{
    const struct tmk_phase_result *p = l->phase;

    switch (column) {
    case LATENCY_MIN: put_latency(l, p->min_op_ns); break;
    case LATENCY_MEAN: put_latency(l, (uint64_t)(p->mean_op_ns + 0.5)); break;
    case LATENCY_P50: put_percentile(l, 50.0); break;
    case LATENCY_P90: put_percentile(l, 90.0); break;
    case LATENCY_P99: put_percentile(l, 99.0); break;
    case LATENCY_P999: put_percentile(l, 99.9); break;
    default: put_latency(l, p->max_op_ns); break;
    }
}

/* Whose the longest operation was, and operations over time. */
static void put_rest(const struct line *l, enum column column)
{
    const struct tmk_phase_result *p = l->phase;

    switch (column) {
    case LATENCY_MAX_RANK:
        if (p->max_op.rank >= 0) {
            fprintf(l->to, "%d", p->max_op.rank);
        }
        break;
    case LATENCY_MAX_HOST:
        if (p->max_op.rank >= 0) {
            put_host(l, p->max_op.rank);
        }
        break;
    case INTERVAL:
        if (p->intervals.n != 0) {
            put_seconds(l->to, p->intervals.width_ns);
        }
        break;
    default:
        for (size_t i = 0; i < p->intervals.n; i++) {
            fprintf(l->to, "%s%" PRIu64, i != 0 ? " " : "",
                    p->intervals.operations[i]);
        }
        break;
    }
}

/*
 * Columns of the bandwidth mode alone: files of others keep theirs.
 */

/* Of one way of a phase that goes both. */
enum side_column {
    SIDE_BYTES,
    SIDE_BANDWIDTH,
    SIDE_OPERATIONS,
    SIDE_MEAN,
    SIDE_P99,
    SIDE_COLUMNS
};

enum transfer_column {
    TEST,
    BANDWIDTH,
    OPEN,
    TRANSFER,
    CLOSE,
    TOTAL,
    CACHED_SHARE,
    WRITE_SIDE,
    READ_SIDE = WRITE_SIDE + SIDE_COLUMNS,
    DATA_SEED = READ_SIDE + SIDE_COLUMNS,
    OFFSET_SEED,
    TRANSFER_COLUMNS
};

static const char *const transfer_names[] = {
    [TEST] = "test",
    [BANDWIDTH] = "bandwidth_bytes_per_s",
    [OPEN] = "open_s",
    [TRANSFER] = "transfer_s",
    [CLOSE] = "close_s",
    [TOTAL] = "total_s",
    [CACHED_SHARE] = "cached_share",
    [WRITE_SIDE + SIDE_BYTES] = "mixed_write_bytes",
    [WRITE_SIDE + SIDE_BANDWIDTH] = "mixed_write_bytes_per_s",
    [WRITE_SIDE + SIDE_OPERATIONS] = "mixed_write_operations",
    [WRITE_SIDE + SIDE_MEAN] = "mixed_write_latency_mean_ns",
    [WRITE_SIDE + SIDE_P99] = "mixed_write_latency_p99_ns",
    [READ_SIDE + SIDE_BYTES] = "mixed_read_bytes",
    [READ_SIDE + SIDE_BANDWIDTH] = "mixed_read_bytes_per_s",
    [READ_SIDE + SIDE_OPERATIONS] = "mixed_read_operations",
    [READ_SIDE + SIDE_MEAN] = "mixed_read_latency_mean_ns",
    [READ_SIDE + SIDE_P99] = "mixed_read_latency_p99_ns",
    [DATA_SEED] = "data_seed",
    [OFFSET_SEED] = "random_offset_seed",
};
static_assert(sizeof(transfer_names) / sizeof(transfer_names[0]) ==
                  TRANSFER_COLUMNS,
              "a name for each");

static bool has_transfers(const struct tmk_report_run *run)
{
    return strcmp(run->kind, "ior") == 0;
}

static void put_side(FILE *to, const struct tmk_result_side *side, int column)
{
    const struct tmk_result_latency *l = side->latency;
    const bool timed = l != NULL && l->operations != 0;

    switch (column) {
    case SIDE_BYTES: put_count(to, side->bytes); break;
    case SIDE_BANDWIDTH: fprintf(to, "%.3f", side->bytes_per_s); break;
    case SIDE_OPERATIONS: put_count(to, side->operations); break;
    case SIDE_MEAN:
        if (timed) {
            fprintf(to, "%.0f", l->sum_ns / (double)l->operations);
        }
        break;
    default:
        if (timed) {
            const uint64_t ns = tmk_hist_percentile_ns(&l->hist, 99.0);

            put_count(to, ns < l->max.time_ns ? ns : l->max.time_ns);
        }
        break;
    }
}

static void put_transfer(FILE *to, const struct tmk_result_transfer *t,
                         enum transfer_column column)
{
    if (!t->on || (column >= WRITE_SIDE && !t->mixed) ||
        (column == CACHED_SHARE && t->cached_share < 0.0)) {
        return;
    }
    if (column >= WRITE_SIDE && column < DATA_SEED) {
        const int at = (int)column - WRITE_SIDE;

        put_side(to, at < SIDE_COLUMNS ? &t->write : &t->read,
                 at % SIDE_COLUMNS);
        return;
    }
    switch (column) {
    case BANDWIDTH: fprintf(to, "%.3f", t->bytes_per_s); break;
    case OPEN: put_seconds(to, t->open_ns); break;
    case TRANSFER: put_seconds(to, t->transfer_ns); break;
    case CLOSE: put_seconds(to, t->close_ns); break;
    case TOTAL: put_seconds(to, t->total_ns); break;
    case CACHED_SHARE: fprintf(to, "%.6f", t->cached_share); break;
    default: break;
    }
}

/* Which test, and what would make it the same again. */
static void put_test(const struct line *l, enum transfer_column column)
{
    const struct tmk_result_seeds *seeds = &l->phase->seeds;

    if (column == TEST) {
        fprintf(l->to, "%d", l->test->number);
    } else if (column == DATA_SEED && seeds->data_known) {
        fprintf(l->to, "%" PRId64, seeds->data);
    } else if (column == OFFSET_SEED && seeds->offsets_known) {
        fprintf(l->to, "%" PRId64, seeds->offsets);
    }
}

static void put_line(const struct line *l)
{
    const struct tmk_report_run *run = l->run;
    char text[4096];

    for (int i = 0; i < COLUMNS; i++) {
        if (i != 0) {
            fputc(',', l->to);
        }
        if (i < TIME) {
            put_place(l, (enum column)i);
        } else if (i < LATENCY_MIN) {
            put_outcome(l, (enum column)i);
        } else if (i <= LATENCY_MAX) {
            put_latencies(l, (enum column)i);
        } else {
            put_rest(l, (enum column)i);
        }
    }
    for (int i = 0; has_transfers(run) && i < TRANSFER_COLUMNS; i++) {
        fputc(',', l->to);
        put_test(l, (enum transfer_column)i);
        put_transfer(l->to, &l->phase->transfer, (enum transfer_column)i);
    }
    for (size_t t = 0; t < run->n_tables; t++) {
        const struct tmk_opt_table *table =
            &(l->test->tables != NULL ? l->test->tables : run->tables)[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            tmk_opt_show(&table->rows[i], table->conf, text, sizeof(text));
            fputc(',', l->to);
            put_text(l->to, text);
        }
    }
    fputc('\n', l->to);
}

static void put_header(FILE *to, const struct tmk_report_run *run)
{
    for (int i = 0; i < COLUMNS; i++) {
        fprintf(to, "%s%s", i != 0 ? "," : "", names[i]);
    }
    for (int i = 0; has_transfers(run) && i < TRANSFER_COLUMNS; i++) {
        fprintf(to, ",%s", transfer_names[i]);
    }
    for (size_t t = 0; t < run->n_tables; t++) {
        const struct tmk_opt_table *table = &run->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            char name[128];

            tmk_opt_name(table, &table->rows[i], name, sizeof(name));
            fprintf(to, ",opt_%s", name);
        }
    }
    fputc('\n', to);
}

int tmk_report_csv_open(struct tmk_report_csv *csv, const char *path,
                        const struct tmk_report_run *run)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    int err = -ENOMEM;

    *csv = (struct tmk_report_csv){.run = run, .file.fd = -1};
    if (to != NULL) {
        put_header(to, run);
        if (fclose(to) == 0) {
            err = tmk_append_open(&csv->file, path, text, length);
        }
    }
    free(text);
    return err;
}

int tmk_report_csv_close(struct tmk_report_csv *csv)
{
    int err = tmk_append_close(&csv->file);

    return csv->err != 0 ? csv->err : err;
}

static void begin(void *state, const struct tmk_report_run *run)
{
    struct tmk_report_csv *csv = state;

    csv->run = run;
}

static void phase(void *state, const struct tmk_result_test *test,
                  const struct tmk_result_row *row, int iteration,
                  const struct tmk_phase_result *result)
{
    struct tmk_report_csv *csv = state;
    char *text = NULL;
    size_t length = 0;
    struct line l = {.to = open_memstream(&text, &length),
                     .run = csv->run,
                     .test = test,
                     .row = row,
                     .iteration = iteration,
                     .phase = result};
    int err = -ENOMEM;

    if (l.to != NULL) {
        put_line(&l);
        if (fclose(l.to) == 0) {
            err = tmk_append_line(&csv->file, text, length);
        }
    }
    free(text);
    if (csv->err == 0) {
        csv->err = err;
    }
}

const struct tmk_writer_ops tmk_report_csv = {
    .begin = begin,
    .phase = phase,
};
