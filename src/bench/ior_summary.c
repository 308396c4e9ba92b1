/*
 * ior_summary: the original's JSON and CSV.
 */
#include "bench/ior_summary.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ior_asked.h"
#include "run/json_value.h"
#include "run/report_lines.h"

static const double mib = 1024.0 * 1024.0;
static const double mb = 1000.0 * 1000.0;

struct tmk_ior_summary {
    json_t *root;            /* owned */
    json_t *tests, *summary; /* of it */
    json_t *test, *results;  /* the last one's; NULL = there is none */
    bool rows_have_passes;   /* likewise */
    int bad;                 /* the first error; 0 = none */
};

/* jansson's own errors are those of memory. */
static void set(struct tmk_ior_summary *s, json_t *object, const char *name,
                json_t *value)
{
    if (json_object_set_new(object, name, value) != 0 && s->bad == 0) {
        s->bad = -ENOMEM;
    }
}

/* A value that others go into: borrowed. */
static json_t *set_place(struct tmk_ior_summary *s, json_t *object,
                         const char *name, json_t *place)
{
    set(s, object, name, place);
    return json_object_get(object, name);
}

static json_t *append(struct tmk_ior_summary *s, json_t *list)
{
    if (json_array_append_new(list, json_object()) != 0 && s->bad == 0) {
        s->bad = -ENOMEM;
    }
    return json_array_get(list, json_array_size(list) - 1);
}

static json_t *text(const char *value)
{
    return tmk_json_value_text(value);
}

/* Below 0: not known. */
static json_t *real(double value)
{
    return value < 0.0 ? json_null() : tmk_json_value_real(value);
}

static json_t *moment(time_t when)
{
    char buf[64];

    return json_string(tmk_ior_text_time(when, buf, sizeof(buf)));
}

static json_t *command_line(const struct tmk_ior_text_run *run)
{
    char *line = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&line, &length);
    json_t *value = NULL;

    if (to == NULL) {
        return NULL;
    }
    for (int i = 0; i < run->argc; i++) {
        fprintf(to, "%s%s", i != 0 ? " " : "", run->argv[i]);
    }
    if (fclose(to) == 0) {
        value = text(line);
    }
    free(line);
    return value;
}

struct tmk_ior_summary *tmk_ior_summary_new(const struct tmk_ior_text_run *run)
{
    struct tmk_ior_summary *s = calloc(1, sizeof(*s));
    const char *version = run->banner;
    char machine[256];

    if (s == NULL) {
        return NULL;
    }
    if (strncmp(version, "IOR-", 4) == 0) {
        version += 4;
    }
    s->root = json_object();
    set(s, s->root, "Version", text(version));
    set(s, s->root, "Began", moment(run->started));
    set(s, s->root, "Command line", command_line(run));
    set(s, s->root, "Machine",
        text(tmk_ior_text_machine(run->verbosity, machine, sizeof(machine))));
    s->tests = set_place(s, s->root, "tests", json_array());
    s->summary = set_place(s, s->root, "summary", json_array());
    return s;
}

void tmk_ior_summary_free(struct tmk_ior_summary *s)
{
    if (s != NULL) {
        json_decref(s->root);
        free(s);
    }
}

/*
 * A test.
 */

struct asked {
    struct tmk_ior_summary *summary;
    json_t *object;
};

static void asked_text(void *state, const char *key, const char *value)
{
    struct asked *a = state;

    set(a->summary, a->object, key, text(value));
}

static void asked_integer(void *state, const char *key, int64_t value)
{
    struct asked *a = state;

    set(a->summary, a->object, key, json_integer((json_int_t)value));
}

static void asked_real(void *state, const char *key, double value)
{
    struct asked *a = state;

    set(a->summary, a->object, key, real(value));
}

static void set_usage(struct tmk_ior_summary *s,
                      const struct tmk_ior_test *test)
{
    const struct tmk_report_lines_usage usage = tmk_report_lines_usage_of(
        test->usage.size_bytes, test->usage.used_bytes, test->usage.inodes,
        test->usage.inodes - test->usage.free_inodes);
    const bool known = test->usage_known;

    set(s, s->test, "Capacity", text(known ? usage.size : NULL));
    set(s, s->test, "Used Capacity", text(known ? usage.used : NULL));
    set(s, s->test, "Inodes", text(known ? usage.inodes : NULL));
    set(s, s->test, "Used Inodes", text(known ? usage.used_inodes : NULL));
}

void tmk_ior_summary_test_begin(struct tmk_ior_summary *s,
                                const struct tmk_ior_test *test)
{
    struct asked a = {.summary = s};
    const struct tmk_ior_asked to = {
        .state = &a,
        .text = asked_text,
        .integer = asked_integer,
        .real = asked_real,
    };

    s->test = append(s, s->tests);
    set(s, s->test, "TestID", json_integer(test->id));
    set(s, s->test, "StartTime", moment(test->started));
    set(s, s->test, "Path", text(test->path));
    set_usage(s, test);
    a.object = set_place(s, s->test, "Parameters", json_object());
    tmk_ior_asked_parameters(&to, test);
    a.object = set_place(s, s->test, "Options", json_object());
    tmk_ior_asked_options(&to, test);
    s->results = set_place(s, s->test, "Results", json_array());
    s->rows_have_passes = test->plan->conf->read_passes > 1;
}

void tmk_ior_summary_row(struct tmk_ior_summary *s,
                         const struct tmk_ior_row *row)
{
    const bool data = strcmp(row->access, "remove") != 0;
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"bwMiB", row->mib_per_s},      {"blockKiB", row->block_kib},
        {"xferKiB", row->transfer_kib}, {"iops", row->iops},
        {"latency", row->latency_s},    {"openTime", row->open_s},
        {"wrRdTime", row->transfer_s},  {"closeTime", row->close_s},
    };
    json_t *object = append(s, s->results);

    set(s, object, "access", text(row->access));
    for (size_t i = 0; data && i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        set(s, object, numbers[i].name, real(numbers[i].value));
    }
    set(s, object, "totalTime", real(row->total_s));
    set(s, object, "iter", json_integer(row->repetition));
    if (s->rows_have_passes && strcmp(row->access, "read") == 0) {
        set(s, object, "pass", json_integer(row->pass));
    }
    if (row->mixed) {
        set(s, object, "mixed", json_true());
    }
}

/* Of stats in bytes, or NULL. */
static void set_max(struct tmk_ior_summary *s, json_t *object,
                    const struct tmk_stats *stats, const char *binary,
                    const char *decimal)
{
    if (stats->n != 0) {
        set(s, object, binary, real(stats->max / mib));
        set(s, object, decimal, real(stats->max / mb));
    }
}

/* Four numbers, null where there was no repetition. */
static void set_stats(struct tmk_ior_summary *s, json_t *object,
                      const struct tmk_stats *stats, double unit,
                      const char *const names[4])
{
    const double values[4] = {stats->max, stats->min, stats->mean,
                              tmk_ior_wide_stddev(stats)};

    for (size_t i = 0; i < 4; i++) {
        set(s, object, names[i],
            stats->n != 0 ? real(values[i] / unit) : json_null());
    }
}

static void set_wide_asked(struct tmk_ior_summary *s, json_t *object,
                           const struct tmk_ior_wide *w)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"segmentCount", w->segments},
        {"blockSize", w->block_bytes},
        {"transferSize", w->transfer_bytes},
        {"numTasks", (uint64_t)w->tasks},
        {"tasksPerNode", (uint64_t)w->ranks_per_node},
        {"repetitions", (uint64_t)w->repetitions},
        {"filePerProc", w->file_per_proc},
        {"reorderTasks", w->reorder},
        {"taskPerNodeOffset", w->reorder_offset},
        {"reorderTasksRandom", w->reorder_random},
    };

    set(s, object, "operation", text(w->operation));
    set(s, object, "API", text(w->api));
    set(s, object, "TestID", json_integer(w->test));
    set(s, object, "ReferenceNumber", json_integer(w->ref_num));
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        set(s, object, counts[i].name,
            tmk_json_value_count(counts[i].value, &s->bad));
    }
    set(s, object, "reorderTasksRandomSeed", json_integer(w->reorder_seed));
}

static void add_wide(struct tmk_ior_summary *s, const struct tmk_ior_wide *w)
{
    static const char *const rates[4] = {"bwMaxMIB", "bwMinMIB", "bwMeanMIB",
                                         "bwStdMIB"};
    static const char *const ops[4] = {"OPsMax", "OPsMin", "OPsMean", "OPsSD"};
    json_t *object = append(s, s->summary);
    double wall_s;
    double wall_mib_per_s;

    set_wide_asked(s, object, w);
    set_stats(s, object, &w->sum.bytes_per_s, mib, rates);
    set_stats(s, object, &w->sum.ops_per_s, 1.0, ops);
    set(s, object, "MeanTime",
        w->sum.total_s.n != 0 ? real(w->sum.total_s.mean) : json_null());
    if (tmk_ior_wide_wall(&w->sum, &wall_s, &wall_mib_per_s)) {
        set(s, object, "StoneWallTime", real(wall_s));
        set(s, object, "StoneWallbwMeanMIB", real(wall_mib_per_s));
    }
    set(s, object, "xsizeMiB", real((double)w->sum.first_bytes / mib));
}

void tmk_ior_summary_test_end(struct tmk_ior_summary *s,
                              const struct tmk_ior_test *test)
{
    struct tmk_ior_wide lines[TMK_IOR_WIDE_MAX];
    const size_t n = tmk_ior_wide_make(lines, test);
    json_t *max = set_place(s, s->test, "max", json_object());

    set_max(s, max, &test->sums[TMK_IOR_WRITE].bytes_per_s, "writeMiB",
            "writeMB");
    set_max(s, max, &test->sums[TMK_IOR_READ].bytes_per_s, "readMiB", "readMB");
    for (size_t i = 0; i < n; i++) {
        add_wide(s, &lines[i]);
    }
    s->test = NULL;
    s->results = NULL;
}

int tmk_ior_summary_write(struct tmk_ior_summary *s, FILE *to)
{
    set(s, s->root, "Finished", moment(time(NULL)));
    if (s->bad != 0) {
        return s->bad;
    }
    errno = 0;
    if (json_dumpf(s->root, to, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) !=
            0 ||
        fputc('\n', to) == EOF || fflush(to) != 0) {
        return errno != 0 ? -errno : -EIO;
    }
    return 0;
}

/*
 * CSV.
 */

void tmk_ior_summary_csv_heading(FILE *to)
{
    fputs("access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),"
          "close(s),total(s),numTasks,iter\n",
          to);
}

void tmk_ior_summary_csv(FILE *to, const struct tmk_ior_row *row, int tasks)
{
    const struct {
        double value;
        int decimals; /* four of the original do not do for short times */
    } fields[] = {
        {row->mib_per_s, 4},  {row->iops, 4},         {row->latency_s, 9},
        {row->block_kib, 4},  {row->transfer_kib, 4}, {row->open_s, 9},
        {row->transfer_s, 9}, {row->close_s, 9},      {row->total_s, 9},
    };

    fputs(row->access, to);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        fputc(',', to);
        if (fields[i].value >= 0.0) {
            fprintf(to, "%.*f", fields[i].decimals, fields[i].value);
        }
    }
    fprintf(to, ",%d,%d\n", tasks, row->repetition);
    fflush(to);
}
