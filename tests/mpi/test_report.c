#include "mpi/place.h"
#include "mpi/ranks.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/append.h"
#include "run/clock.h"
#include "run/output.h"
#include "run/report.h"
#include "run/report_csv.h"
#include "run/report_json.h"
#include "run/verdict.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * The verdict.
 */

static void a_verdict_says_what_is_wrong(void **state)
{
    static const struct {
        struct tmk_result result;
        const char *codes[3];
        const char *text;
        size_t reasons;
    } rows[] = {
        {{.operations = 5}, {NULL}, "ok", 0},
        {{.operations = 5}, {"READ_ZERO", "ROUNDED", NULL}, "ok", 0},
        {{.operations = 5, .failed_operations = 2},
         {NULL},
         "ok, with 2 failed operations tolerated",
         0},
        {{.operations = 5, .failed_operations = 2, .over_tolerance = true},
         {NULL},
         "2 of 7 operations failed",
         1},
        {{.interrupted = SIGTERM, .left_behind = true},
         {NULL},
         "interrupted by SIGTERM: the results are partial; something was left "
         "behind",
         2},
        {{.wrong = 3}, {NULL}, "data was not as written 3 times", 1},
        {{.commands_failed = true},
         {NULL},
         "commands before or after phases failed",
         1},
        {{.output_failed = true, .status_lost = true},
         {NULL},
         "an output file could not be written",
         1},
        {{.broken_off = true}, {NULL}, "not everything could be run", 1},
        {{.operations = 5},
         {"OVERSUBSCRIBED", "TOO_SHORT", NULL},
         "phases too short to trust: raise -n, or give --min-time; more ranks "
         "than cores: start fewer on a node",
         2},
        {{.operations = 5},
         {"UNEVEN_NODES", "UNEVEN_NODES", NULL},
         "nodes have different numbers of ranks: give each as many",
         1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_job_warnings *warnings = calloc(1, sizeof(*warnings));
        struct tmk_verdict v;

        assert_non_null(warnings);
        for (size_t k = 0; rows[i].codes[k] != NULL; k++) {
            warnings->list[warnings->n++].code = rows[i].codes[k];
        }
        tmk_verdict_make(&v, "mdtest", &rows[i].result, warnings);
        assert_string_equal(v.text, rows[i].text);
        assert_int_equal(v.n_reasons, rows[i].reasons);
        assert_int_equal(v.ok, rows[i].reasons == 0);
        if (v.n_reasons != 0) {
            const struct tmk_verdict_reason *last = &v.reasons[v.n_reasons - 1];

            assert_int_equal(last->at + last->length, strlen(v.text));
            assert_int_equal(v.reasons[0].at, 0);
        }
        free(warnings);
    }
}

static void commands_of_a_search_are_those_of_exec(void **state)
{
    const struct tmk_job_warnings none = {.n = 0};
    const struct tmk_result result = {.commands_failed = true};
    struct tmk_verdict v;

    (void)state;
    tmk_verdict_make(&v, "find", &result, &none);
    assert_string_equal(v.text, "a command of -exec failed");
    assert_false(v.ok);
}

static void a_verdict_names_options_of_the_benchmark(void **state)
{
    static const struct {
        const char *kind, *code, *text;
        int around; /* caches; 2 = by O_DIRECT */
    } rows[] = {
        {"mdtest", "TOO_SHORT",
         "phases too short to trust: raise -n, or give --min-time", 0},
        {"ior", "TOO_SHORT",
         "phases too short to trust: raise -s or -b, or give -O "
         "minTimeDuration=SECONDS",
         0},
        {"ior", "SAME_NODE",
         "the node that wrote may read from its memory: -C over two nodes or "
         "more, --posix.odirect (--uring.odirect), --posix.fadvise=dontneed, "
         "--drop-caches, or more data than memory (--total=2xRAM)",
         0},
        {"ior", "CACHED_READ",
         "read from this node's memory: -C over two nodes or more, "
         "--posix.odirect (--uring.odirect), --posix.fadvise=dontneed, "
         "--drop-caches, or more data than memory (--total=2xRAM)",
         0},
        {"ior", "SMALL_DATA",
         "a cache can hold all of the data: more of it than memory (-s, -b, or "
         "--total=2xRAM), or --posix.odirect (--uring.odirect)",
         0},
        {"ior", "SMALL_DATA",
         "a cache of the servers can hold all of the data: more of it (-s, -b, "
         "or --total=2xRAM with --server-memory)",
         1},
        {"ior", "ABOVE_LINKS",
         "faster than the network of the nodes, so that it was a cache: -e "
         "when writing, and when reading -C over two nodes or more, "
         "--posix.odirect (--uring.odirect), --posix.fadvise=dontneed, "
         "--drop-caches, or more data than memory (--total=2xRAM)",
         1},
        {"ior", "ABOVE_LINKS",
         "faster than the network of the nodes, although it went around their "
         "caches: are these all of their links?",
         2},
        {"ior", "TOO_SHORT",
         "phases too short to trust: raise -s or -b, or give -O "
         "minTimeDuration=SECONDS",
         2},
        {"mdworkbench", "TOO_SHORT",
         "phases too short to trust: raise -I and -P", 0},
        {"mdworkbench", "SAME_NODE",
         "objects are taken on the node that made them: raise -O to the ranks "
         "of a node",
         0},
        {"ior", "UNEVEN_NODES",
         "nodes have different numbers of ranks: give each as many", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_job_warnings *warnings = calloc(1, sizeof(*warnings));
        const struct tmk_result result = {
            .operations = 5,
            .around = rows[i].around > 0,
            .direct = rows[i].around > 1,
        };
        struct tmk_verdict v;

        assert_non_null(warnings);
        warnings->list[warnings->n++].code = rows[i].code;
        tmk_verdict_make(&v, rows[i].kind, &result, warnings);
        assert_string_equal(v.text, rows[i].text);
        free(warnings);
    }
}

/*
 * Files of lines.
 */

static void expect_file(const char *path, const char *want)
{
    char text[256] = "";
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    assert_true(fread(text, 1, sizeof(text) - 1, f) < sizeof(text));
    fclose(f);
    assert_string_equal(text, want);
}

static void append(const char *header, const char *line)
{
    struct tmk_append a;

    assert_int_equal(tmk_append_open(&a, "f", header, strlen(header)), 0);
    if (line != NULL) {
        assert_int_equal(tmk_append_line(&a, line, strlen(line)), 0);
    }
    assert_int_equal(tmk_append_close(&a), 0);
}

static void lines_go_below_one_header(void **state)
{
    struct tmk_append a;

    (void)state;
    append("h\n", "1\n");
    append("h\n", "2\n");
    append("h\n", NULL);
    expect_file("f", "h\n1\n2\n");
    assert_int_equal(tmk_append_open(&a, "f", "hh\n", 3), -EINVAL);
    assert_int_equal(tmk_append_open(&a, "f", "i\n", 2), -EINVAL);
    assert_int_equal(tmk_append_open(&a, "f", "h\n1\n2\n3\n", 8), -EINVAL);
    expect_file("f", "h\n1\n2\n");
}

static void a_file_that_gets_no_line_is_not_made(void **state)
{
    (void)state;
    append("h\n", NULL);
    assert_int_equal(access("f", F_OK), -1);
    assert_int_equal(fclose(fopen("f", "w")), 0);
    append("h\n", NULL); /* it was there before: it stays */
    assert_int_equal(access("f", F_OK), 0);
    append("h\n", "1\n");
    expect_file("f", "h\n1\n");
}

static void of_two_that_begin_at_once_one_writes_the_header(void **state)
{
    struct tmk_append a;
    struct tmk_append b;

    (void)state;
    assert_int_equal(tmk_append_open(&a, "f", "h\n", 2), 0);
    assert_int_equal(tmk_append_open(&b, "f", "h\n", 2), 0);
    assert_int_equal(tmk_append_line(&b, "b\n", 2), 0);
    assert_int_equal(tmk_append_line(&a, "a\n", 2), 0);
    assert_int_equal(tmk_append_close(&a), 0);
    assert_int_equal(tmk_append_close(&b), 0);
    expect_file("f", "h\nb\na\n");
}

/*
 * Results of a machine that is not here.
 */

enum { RANKS = 100000, PER_NODE = 20, ROWS = 10, ITERATIONS = 3 };

struct machine {
    struct tmk_job job;
    struct tmk_job_warnings warnings;
    uint32_t *arrays;
    char (*hosts)[TMK_LAYOUT_HOST_SIZE];
    struct tmk_report_run run;
    struct tmk_result_test test;
    struct tmk_phase_result phase;
};

static void make_up(struct machine *m)
{
    static char *argv[] = {(char *)(uintptr_t) "mdtest", NULL};

    m->arrays = calloc(3 * (size_t)RANKS, sizeof(*m->arrays));
    assert_non_null(m->arrays);
    tmk_owner_block_nodes(m->arrays, RANKS / PER_NODE, PER_NODE);
    assert_int_equal(tmk_owner_map_init(&m->job.layout.map, RANKS, m->arrays,
                                        m->arrays + RANKS,
                                        m->arrays + 2 * (size_t)RANKS),
                     0);
    m->hosts = calloc(RANKS / PER_NODE, sizeof(*m->hosts));
    assert_non_null(m->hosts);
    for (int i = 0; i < RANKS / PER_NODE; i++) {
        snprintf(m->hosts[i], sizeof(m->hosts[i]), "node%05d.cluster.example",
                 i);
    }
    m->job.layout.hosts = m->hosts;
    m->job.size = RANKS;
    m->job.barrier_ns = 20000;
    m->job.layout.cores = PER_NODE;
    m->job.warnings = &m->warnings;
    memcpy(m->job.id, "00000000-0000-4000-8000-000000000000", TMK_JOB_ID_SIZE);
    memcpy(m->job.layout.host, "a", 2);
    m->run = (struct tmk_report_run){
        .job = &m->job,
        .banner = "mdtest",
        .kind = "mdtest",
        .version = "0.1.0",
        .version_git = "",
        .semantics = "treemark",
        .argc = 1,
        .argv = argv,
        .path = "/d",
        .engine = "POSIX",
        .rates = true,
        .times = true,
    };
    m->test = (struct tmk_result_test){.tasks = RANKS,
                                       .nodes = RANKS / PER_NODE,
                                       .ranks_per_node = PER_NODE,
                                       .items = 1000,
                                       .iterations = ITERATIONS,
                                       .n_rows = ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        m->test.rows[i].name = "File stat";
        m->test.rows[i].shown = true;
    }
    /* Every bucket between 1 us and 1 s is in use. */
    for (unsigned i = tmk_hist_index(1000); i < tmk_hist_index(1000000000);
         i++) {
        m->phase.latency.counts[i] = 123456 + i;
    }
    m->phase.operations = tmk_hist_total(&m->phase.latency);
    m->phase.time_ns = 5000000000;
    m->phase.rate_per_s = (double)m->phase.operations / 5.0;
}

static void write_all(struct machine *m, const struct tmk_writer *writers)
{
    const struct tmk_result result = {.operations = 1};

    tmk_report_begin(writers, &m->run);
    tmk_report_test_begin(writers, &m->run, &m->test, "many tasks");
    for (int i = 0; i < ITERATIONS; i++) {
        for (size_t r = 0; r < ROWS; r++) {
            tmk_result_row_add(&m->test.rows[r], &m->phase, m->job.barrier_ns);
            tmk_report_phase(writers, &m->run, &m->test, &m->test.rows[r], i,
                             &m->phase);
        }
    }
    tmk_report_table(writers, &m->run, &m->test, true);
    tmk_report_table(writers, &m->run, &m->test, false);
    tmk_report_test_end(writers, &m->run, &m->test);
    tmk_report_end(writers, &m->run, &result);
}

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int lines = 0;

    assert_non_null(f);
    for (int c = fgetc(f); c != EOF; c = fgetc(f)) {
        lines += c == '\n';
    }
    fclose(f);
    return lines;
}

static long peak_kib(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Whether a tool that takes memory of its own looks on. */
static bool is_watched(void)
{
    const char *preload = getenv("LD_PRELOAD");
    bool watched = preload != NULL && strstr(preload, "vgpreload") != NULL;

#if defined(__SANITIZE_ADDRESS__)
    watched = true;
#endif
    return watched;
}

static void results_of_100000_ranks_stay_small(void **state)
{
    struct machine *m = calloc(1, sizeof(*m));
    struct tmk_report_json json = {.out = NULL};
    struct tmk_report_csv csv;
    FILE *text = fopen("text", "w");
    long before_kib;
    struct stat st;

    (void)state;
    assert_non_null(m);
    assert_non_null(text);
    make_up(m);
    assert_int_equal(tmk_output_open("json", "id", &json.out), 0);
    assert_int_equal(tmk_report_csv_open(&csv, "csv", &m->run), 0);
    before_kib = peak_kib();
    write_all(m, (const struct tmk_writer[]){
                     {.ops = &tmk_report_text, .state = text},
                     {.ops = &tmk_report_json, .state = &json},
                     {.ops = &tmk_report_csv, .state = &csv},
                     {.ops = NULL},
                 });
    assert_int_equal(fclose(text), 0);
    assert_int_equal(json.err, 0);
    assert_int_equal(tmk_report_csv_close(&csv), 0);
    tmk_output_close(json.out);
    tmk_report_json_fini(&json);
    assert_true(lines_of("text") <= 200);
    assert_int_equal(lines_of("csv"), 1 + ITERATIONS * ROWS);
    assert_int_equal(stat("json", &st), 0);
    assert_true(st.st_size > 100000 && st.st_size <= 5000000);
    assert_true(is_watched() || peak_kib() - before_kib <= 65536);
    free(m->hosts);
    free(m->arrays);
    free(m);
}

/*
 * Phases that move data.
 */

static void give_transfer(struct machine *m,
                          const struct tmk_result_latency *reads)
{
    m->run.kind = "ior";
    m->phase.bytes = 3 << 20;
    m->phase.transfer = (struct tmk_result_transfer){
        .on = true,
        .open_ns = 1000000,
        .transfer_ns = 400000000,
        .close_ns = 2000000,
        .total_ns = 500000000,
        .bytes_per_s = 6 << 20,
        .cached_share = 0.25,
        .mixed = reads != NULL,
        .write = {.bytes = 1 << 20, .operations = 4, .bytes_per_s = 2 << 20},
        .read = {.bytes = 2 << 20,
                 .operations = 8,
                 .bytes_per_s = 4 << 20,
                 .latency = reads},
    };
    for (size_t i = 0; i < ROWS; i++) {
        m->test.rows[i].name = i == 0 ? "write" : "read";
    }
    m->test.n_rows = 2;
}

/* The first phase that was written, and in *summary its row's; borrowed. */
static json_t *first_phase(json_t *root, json_t **summary)
{
    json_t *test = json_array_get(json_object_get(root, "tests"), 0);
    json_t *iteration = json_array_get(json_object_get(test, "iterations"), 0);
    json_t *phase = json_array_get(json_object_get(iteration, "phases"), 0);

    *summary = json_object_get(test, "summary");
    assert_non_null(phase);
    return phase;
}

static void expect_number(const json_t *object, const char *name, double want)
{
    const json_t *value = json_object_get(object, name);

    assert_true(json_is_number(value));
    assert_true(json_number_value(value) >= want * 0.999999);
    assert_true(json_number_value(value) <= want * 1.000001);
}

static json_t *written(struct machine *m)
{
    struct tmk_report_json json = {.out = NULL};
    struct tmk_report_csv csv;
    json_t *root;

    assert_int_equal(tmk_output_open("json", "id", &json.out), 0);
    assert_int_equal(tmk_report_csv_open(&csv, "csv", &m->run), 0);
    write_all(m, (const struct tmk_writer[]){
                     {.ops = &tmk_report_json, .state = &json},
                     {.ops = &tmk_report_csv, .state = &csv},
                     {.ops = NULL},
                 });
    assert_int_equal(json.err, 0);
    assert_int_equal(tmk_report_csv_close(&csv), 0);
    tmk_output_close(json.out);
    tmk_report_json_fini(&json);
    root = json_load_file("json", 0, NULL);
    assert_non_null(root);
    return root;
}

/* The field of the first line of "csv" below this heading; -1 = no such. */
static int csv_field(const char *name, char *field, size_t size)
{
    char header[4096];
    char line[4096];
    FILE *f = fopen("csv", "r");
    char *at = header;
    char *text = line;
    int found = -1;

    assert_non_null(f);
    assert_non_null(fgets(header, sizeof(header), f));
    assert_non_null(fgets(line, sizeof(line), f));
    fclose(f);
    while (found < 0 && at != NULL && text != NULL) {
        char *column = strsep(&at, ",\n");
        char *value = strsep(&text, ",\n");

        if (strcmp(column, name) == 0) {
            found = snprintf(field, size, "%s", value);
        }
    }
    return found;
}

static void data_that_moves_has_a_bandwidth(void **state)
{
    static const struct {
        const char *column, *field;
    } fields[] = {
        {"bandwidth_bytes_per_s", "6291456.000"},
        {"open_s", "0.001000000"},
        {"transfer_s", "0.400000000"},
        {"close_s", "0.002000000"},
        {"total_s", "0.500000000"},
        {"cached_share", "0.250000"},
        {"mixed_write_bytes", ""},
        {"mixed_read_bytes_per_s", ""},
    };
    struct machine *m = calloc(1, sizeof(*m));
    char field[64];
    json_t *root;
    json_t *phase;
    json_t *summary;

    (void)state;
    assert_non_null(m);
    make_up(m);
    give_transfer(m, NULL);
    root = written(m);
    phase = first_phase(root, &summary);
    assert_string_equal(json_string_value(json_object_get(root, "kind")),
                        "ior");
    expect_number(phase, "bandwidth_bytes_per_s", 6291456.0);
    expect_number(phase, "open_s", 0.001);
    expect_number(phase, "transfer_s", 0.4);
    expect_number(phase, "close_s", 0.002);
    expect_number(phase, "total_s", 0.5);
    expect_number(phase, "cached_share", 0.25);
    assert_true(json_is_null(json_object_get(phase, "mixed")));
    assert_int_equal(json_array_size(summary), 2 * 3);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(summary, 2), "unit")),
        "bytes/s");
    expect_number(json_array_get(summary, 2), "mean", 6291456.0);
    json_decref(root);
    for (size_t i = 0; i < COUNT(fields); i++) {
        assert_true(csv_field(fields[i].column, field, sizeof(field)) >= 0);
        assert_string_equal(field, fields[i].field);
    }
    free(m->hosts);
    free(m->arrays);
    free(m);
}

static void a_mixed_phase_tells_reads_from_writes(void **state)
{
    struct machine *m = calloc(1, sizeof(*m));
    struct tmk_result_latency *reads = calloc(1, sizeof(*reads));
    char field[64];
    json_t *root;
    json_t *read;
    json_t *summary;

    (void)state;
    assert_non_null(m);
    assert_non_null(reads);
    tmk_hist_record(&reads->hist, 1000);
    *reads = (struct tmk_result_latency){.hist = reads->hist,
                                         .operations = 1,
                                         .sum_ns = 1000.0,
                                         .min_ns = 1000,
                                         .max = {3, 1000}};
    make_up(m);
    give_transfer(m, reads);
    m->phase.transfer.cached_share = -1.0;
    root = written(m);
    read = json_object_get(
        json_object_get(first_phase(root, &summary), "mixed"), "read");
    expect_number(read, "bytes", 2097152.0);
    expect_number(read, "operations", 8.0);
    expect_number(read, "bandwidth_bytes_per_s", 4194304.0);
    expect_number(json_object_get(read, "latency_ns"), "p99", 1000.0);
    expect_number(json_object_get(read, "latency_ns"), "max_rank", 3.0);
    assert_true(json_is_null(
        json_object_get(first_phase(root, &summary), "cached_share")));
    json_decref(root);
    assert_true(csv_field("mixed_read_bytes_per_s", field, sizeof(field)) >= 0);
    assert_string_equal(field, "4194304.000");
    assert_true(csv_field("cached_share", field, sizeof(field)) >= 0);
    assert_string_equal(field, "");
    free(reads);
    free(m->hosts);
    free(m->arrays);
    free(m);
}

static void other_phases_have_none(void **state)
{
    static const char *const names[] = {
        "bandwidth_bytes_per_s", "open_s", "transfer_s", "close_s", "total_s",
        "cached_share",          "mixed"};
    struct machine *m = calloc(1, sizeof(*m));
    char field[64];
    json_t *root;
    json_t *phase;
    json_t *summary;

    (void)state;
    assert_non_null(m);
    make_up(m);
    root = written(m);
    phase = first_phase(root, &summary);
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(json_is_null(json_object_get(phase, names[i])));
        assert_int_equal(csv_field(names[i], field, sizeof(field)), -1);
    }
    assert_int_equal(json_array_size(summary), ROWS * 2);
    json_decref(root);
    free(m->hosts);
    free(m->arrays);
    free(m);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, place_enter, place_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_says_what_is_wrong),
        cmocka_unit_test(commands_of_a_search_are_those_of_exec),
        cmocka_unit_test(a_verdict_names_options_of_the_benchmark),
        CASE(lines_go_below_one_header),
        CASE(a_file_that_gets_no_line_is_not_made),
        CASE(of_two_that_begin_at_once_one_writes_the_header),
        CASE(results_of_100000_ranks_stay_small),
        CASE(data_that_moves_has_a_bandwidth),
        CASE(a_mixed_phase_tells_reads_from_writes),
        CASE(other_phases_have_none),
    };

    ranks_begin();
    return ranks_end(cmocka_run_group_tests(tests, NULL, NULL));
}
