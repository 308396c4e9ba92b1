/*
 * report_json: the values are jansson's, the frame around them is ours, so
 * that what is written of a phase need not be kept as a tree.
 *
 *     { "schema" ... "barrier_us"         as it is now
 *       "tests": [ {... "iterations": [ {"phases": [ P, P, P      kept as text
 *       ]} ], "summary": [...] } ]        as it is now
 *       "warnings", "verdict" }           likewise
 */
#include "run/report_json.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "run/clock.h"
#include "run/json_value.h"
#include "run/report_json_phase.h"
#include "run/verdict.h"

enum { DUMP = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) };

static void note(struct tmk_report_json *d, int err)
{
    if (d->bad == 0) {
        d->bad = err;
    }
}

/*
 * Values.  NULL where memory is short: jansson hands that on to the object
 * around, and dump() notes it.
 */

static json_t *count(struct tmk_report_json *d, uint64_t value)
{
    return tmk_json_value_count(value, &d->bad);
}

static json_t *real(double value)
{
    return tmk_json_value_real(value);
}

static json_t *string(const char *text)
{
    return tmk_json_value_text(text);
}

/* ISO 8601, UTC. */
static json_t *moment(time_t t)
{
    char buf[32] = "";
    struct tm tm;

    if (gmtime_r(&t, &tm) != NULL) {
        (void)strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm);
    }
    return json_string(buf);
}

/* Write a value and let go of it. */
static void dump(struct tmk_report_json *d, FILE *to, json_t *value)
{
    errno = 0;
    if (value == NULL) {
        note(d, -ENOMEM);
    } else if (json_dumpf(value, to, DUMP) != 0) {
        if (to == d->tests) {
            note(d, -ENOMEM);
        } else if (d->lost == 0) {
            d->lost = errno != 0 ? -errno : -EIO;
        }
    }
    json_decref(value);
}

/* A member of the outermost object. */
static void member(struct tmk_report_json *d, FILE *to, const char *name,
                   json_t *value)
{
    fprintf(to, " \"%s\": ", name);
    dump(d, to, value);
    fputs(",\n", to);
}

/*
 * Tests.
 */

static json_t *summary_of(const char *name, const char *unit,
                          const struct tmk_stats *stats)
{
    bool spread = stats->n > 1;

    return json_pack(
        "{s:o,s:s,s:I,s:o,s:o,s:o,s:o,s:o}", "name", string(name), "unit", unit,
        "n", (json_int_t)stats->n, "max", real(stats->max), "min",
        real(stats->min), "mean", real(stats->mean), "stddev",
        spread ? real(tmk_stats_stddev(stats)) : json_null(), "ci95",
        spread ? real(tmk_stats_ci95(stats)) : json_null());
}

static json_t *summary(const struct tmk_result_test *test)
{
    json_t *list = json_array();

    for (size_t i = 0; i < test->n_rows; i++) {
        const struct tmk_result_row *row = &test->rows[i];

        if (row->ran) {
            json_array_append_new(
                list, summary_of(row->name, "op/s", &row->rate_per_s));
            json_array_append_new(list,
                                  summary_of(row->name, "s", &row->time_s));
        }
        if (row->bytes_per_s.n != 0) {
            json_array_append_new(
                list, summary_of(row->name, "bytes/s", &row->bytes_per_s));
        }
    }
    return list;
}

/* What ends the text of a test that is at work. */
static void end_of_test(struct tmk_report_json *d, FILE *to)
{
    fputs(d->iteration >= 0 ? "\n   ]}], \"summary\": " : "], \"summary\": ",
          to);
    dump(d, to, summary(d->test));
    if (d->test->extra != NULL) {
        fprintf(to, ", %s", d->test->extra);
    }
    fputc('}', to);
}

/*
 * The run.
 */

static json_t *command(const struct tmk_report_run *run)
{
    json_t *list = json_array();

    for (int i = 0; i < run->argc; i++) {
        json_array_append_new(list, string(run->argv[i]));
    }
    return list;
}

static const char *signal_name(int number)
{
    return number == SIGINT    ? "SIGINT"
           : number == SIGALRM ? "SIGALRM"
           : number != 0       ? "SIGTERM"
                               : NULL;
}

static json_t *run_value(const struct tmk_report_run *run,
                         const struct tmk_result *result)
{
    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "id", string(run->job->id),
        "label", string(run->label), "command", command(run), "version",
        string(run->version), "git",
        string(run->version_git[0] != '\0' ? run->version_git : NULL),
        "started", moment(run->started), "ended",
        result != NULL ? moment(time(NULL)) : json_null(), "interrupted",
        string(signal_name(run->job->interrupted)));
}

static json_t *ranks_per_node(struct tmk_report_json *d)
{
    const struct tmk_owner_map *map = &d->run->job->layout.map;
    uint32_t *ranks = calloc(map->nodes, sizeof(*ranks));
    json_t *list = ranks != NULL ? json_array() : NULL;

    for (uint32_t i = 0; ranks != NULL && i < map->ranks; i++) {
        ranks[map->node[i]]++;
    }
    for (uint32_t i = 0; list != NULL && i < map->nodes; i++) {
        json_array_append_new(list, count(d, ranks[i]));
    }
    free(ranks);
    return list;
}

/* The name of each node, by its lowest rank. */
static json_t *hosts(const struct tmk_report_json *d)
{
    const struct tmk_layout *layout = &d->run->job->layout;
    json_t *list = json_array();

    for (uint32_t node = 0; node < layout->map.nodes; node++) {
        json_array_append_new(list, layout->hosts != NULL
                                        ? string(layout->hosts[node])
                                        : json_null());
    }
    return list;
}

/* How ranks are spread over nodes. */
static const char *mapping(const struct tmk_owner_map *map)
{
    bool block = true;
    bool cyclic = true;

    for (uint32_t i = 1; i < map->ranks; i++) {
        block = block && map->node[i] >= map->node[i - 1];
        cyclic = cyclic && map->node[i] == i % map->nodes;
    }
    return block ? "block" : cyclic ? "cyclic" : "other";
}

static json_t *mpi_value(struct tmk_report_json *d)
{
    const struct tmk_owner_map *map = &d->run->job->layout.map;
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;

    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    for (char *tab = library; (tab = strchr(tab, '\t')) != NULL;) {
        *tab = ' ';
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:s}", "library", string(library),
                     "ranks", count(d, map->ranks), "nodes",
                     count(d, map->nodes), "ranks_per_node", ranks_per_node(d),
                     "hosts", hosts(d), "mapping", mapping(map));
}

/* "" is null. */
static json_t *known(const char *text)
{
    return string(text[0] != '\0' ? text : NULL);
}

static json_t *positive(struct tmk_report_json *d, uint64_t value)
{
    return value != 0 ? count(d, value) : json_null();
}

static json_t *system_value(struct tmk_report_json *d,
                            const struct tmk_provenance *p)
{
    return json_pack(
        "{s:o,s:o,s:o,s:i,s:i,s:o,s:{s:o,s:o},s:{s:o,s:o},s:{s:o,s:i,s:i}}",
        "host", string(d->run->job->layout.host), "kernel", known(p->kernel),
        "cpu", known(p->cpu), "cores", p->cores, "cores_usable",
        d->run->job->layout.cores, "memory_bytes", positive(d, p->memory_bytes),
        "clock", "source", known(p->clock_source), "read_ns",
        real(p->clock_read_ns), "cgroup", "cores",
        p->cgroup_cores > 0.0 ? real(p->cgroup_cores) : json_null(),
        "memory_bytes", positive(d, p->cgroup_memory), "binding", "rank0_cpus",
        known(p->cpus), "fewest_cpus", p->cpus_fewest, "most_cpus",
        p->cpus_most);
}

static json_t *scheduler(const struct tmk_provenance *p)
{
    if (p->scheduler[0] == '\0') {
        return json_null();
    }
    return json_pack("{s:o,s:o,s:o,s:o}", "name", string(p->scheduler),
                     "job_id", string(p->job_id), "job_name",
                     known(p->job_name), "queue", known(p->queue));
}

static json_t *layout(const struct tmk_provenance *p)
{
    if (p->layout_command[0] == '\0') {
        return json_null();
    }
    return json_pack("{s:o,s:o}", "command", string(p->layout_command), "text",
                     string(p->layout));
}

static json_t *file_system(struct tmk_report_json *d,
                           const struct tmk_provenance *p)
{
    const struct tmk_report_run *run = d->run;
    json_t *object = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "path", string(run->path), "shared",
        string(run->shared), "type", known(p->type), "mount_point",
        known(p->mount_point), "mount_source", known(p->source),
        "mount_options", known(p->options), "layout", layout(p));
    const struct {
        const char *name;
        uint64_t value;
        bool known;
    } sizes[] = {
        {"size_bytes", run->size_bytes, run->usage_known},
        {"used_bytes", run->used_bytes, run->usage_known},
        {"inodes", run->inodes, run->usage_known && run->inodes != 0},
        {"inodes_used", run->used_inodes, run->usage_known && run->inodes != 0},
    };

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        json_object_set_new(object, sizes[i].name,
                            sizes[i].known ? count(d, sizes[i].value)
                                           : json_null());
    }
    return object;
}

/* "4096", "0.5"; what is no number stays text. */
static json_t *shown_number(const char *text)
{
    char *end = NULL;
    double value;

    if (text[strspn(text, "0123456789")] == '\0' && text[0] != '\0') {
        long long whole;

        errno = 0;
        whole = strtoll(text, &end, 10);
        if (errno == 0) {
            return json_integer((json_int_t)whole);
        }
    }
    value = strtod(text, &end);
    return end != text && *end == '\0' ? real(value) : string(text);
}

static json_t *option_value(struct tmk_report_json *d,
                            const struct tmk_opt *row, const void *conf)
{
    const char *field = (const char *)conf + row->offset;
    char text[4096];

    switch (row->kind) {
    case TMK_OPT_KIND_FLAG: return count(d, *(const unsigned *)field);
    case TMK_OPT_KIND_INT: return json_integer(*(const int *)field);
    case TMK_OPT_KIND_I64: return json_integer(*(const int64_t *)field);
    case TMK_OPT_KIND_U64: return count(d, *(const uint64_t *)field);
    case TMK_OPT_KIND_STR: return string(*(const char *const *)field);
    case TMK_OPT_KIND_CHOICE:
    case TMK_OPT_KIND_CALL: break;
    }
    tmk_opt_show(row, conf, text, sizeof(text));
    return row->number ? shown_number(text) : string(text);
}

static json_t *options(struct tmk_report_json *d,
                       const struct tmk_opt_table *tables)
{
    json_t *object = json_object();

    for (size_t t = 0; t < d->run->n_tables; t++) {
        const struct tmk_opt_table *table = &tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            const struct tmk_opt *row = &table->rows[i];
            char name[128];

            tmk_opt_name(table, row, name, sizeof(name));
            json_object_set_new(object, name,
                                option_value(d, row, table->conf));
        }
    }
    return object;
}

static json_t *warnings(const struct tmk_job_warnings *said)
{
    json_t *list = json_array();

    for (size_t i = 0; i < said->n; i++) {
        json_array_append_new(
            list, json_pack("{s:o,s:o}", "code", string(said->list[i].code),
                            "text", string(said->list[i].text)));
    }
    return list;
}

/* null while the run goes on. */
static json_t *verdict(struct tmk_report_json *d,
                       const struct tmk_result *result)
{
    struct tmk_verdict v;
    json_t *reasons;

    if (result == NULL) {
        return json_null();
    }
    tmk_verdict_make(&v, d->run->kind, result, d->run->job->warnings);
    reasons = json_array();
    for (size_t i = 0; i < v.n_reasons; i++) {
        json_array_append_new(reasons, json_stringn(v.text + v.reasons[i].at,
                                                    v.reasons[i].length));
    }
    return json_pack("{s:b,s:o,s:o,s:o,s:o}", "ok", v.ok, "failed_operations",
                     count(d, result->failed_operations), "verification_errors",
                     count(d, result->wrong), "text", string(v.text), "reasons",
                     reasons);
}

/*
 * The file.
 */

static void print(struct tmk_report_json *d, FILE *to,
                  const struct tmk_result *result)
{
    static const struct tmk_provenance unknown;
    const struct tmk_provenance *p =
        d->run->provenance != NULL ? d->run->provenance : &unknown;

    fputs("{\n", to);
    member(d, to, "schema", json_string("treemark-result/1"));
    member(d, to, "kind", string(d->run->kind));
    member(d, to, "run", run_value(d->run, result));
    member(d, to, "mpi", mpi_value(d));
    member(d, to, "system", system_value(d, p));
    member(d, to, "scheduler", scheduler(p));
    member(d, to, "filesystem", file_system(d, p));
    member(d, to, "options", options(d, d->run->tables));
    member(d, to, "semantics", string(d->run->semantics));
    member(d, to, "barrier_us", real((double)d->run->job->barrier_ns / 1000.0));
    if (d->run->extra != NULL) {
        fprintf(to, " %s,\n", d->run->extra);
    }
    fputs(" \"tests\": [", to);
    if (d->tests == NULL || fflush(d->tests) != 0) {
        note(d, -ENOMEM);
    } else {
        fwrite(d->text, 1, d->length, to);
    }
    if (d->test != NULL) {
        end_of_test(d, to);
    }
    fputs("],\n", to);
    member(d, to, "warnings", warnings(d->run->job->warnings));
    fputs(" \"verdict\": ", to);
    dump(d, to, verdict(d, result));
    fputs("\n}\n", to);
}

/* A file that has taken more than a tenth of the run can wait. */
static bool worth_writing(const struct tmk_report_json *d)
{
    const uint64_t little_ns = 100000000;

    return d->spent_ns < little_ns ||
           d->spent_ns < (tmk_clock_ns() - d->begun_ns) / 10;
}

/*
 * `result` is NULL while the run goes on.  A disk that is full now need not be
 * so the next time.
 */
static void write_file(struct tmk_report_json *d,
                       const struct tmk_result *result)
{
    uint64_t start_ns = tmk_clock_ns();
    FILE *to = NULL;

    if (result == NULL && (tmk_output_is_direct(d->out) || !worth_writing(d))) {
        return;
    }
    d->err = d->bad;
    if (d->err == 0) {
        d->err = tmk_output_anew(d->out, &to);
    }
    if (d->err == 0) {
        d->lost = 0;
        print(d, to, result);
        d->err = d->bad != 0 ? d->bad : d->lost;
    }
    if (d->err == 0) {
        d->err = tmk_output_commit(d->out);
    }
    d->spent_ns += tmk_clock_ns() - start_ns;
}

/*
 * The writer.
 */

static void begin(void *state, const struct tmk_report_run *run)
{
    struct tmk_report_json *d = state;

    d->run = run;
    d->iteration = -1;
    d->begun_ns = tmk_clock_ns();
    d->tests = open_memstream(&d->text, &d->length);
    if (d->tests == NULL) {
        note(d, -ENOMEM);
    } else if (run->earlier_tests != NULL) {
        fprintf(d->tests, "\n  %s", run->earlier_tests);
        d->n_tests++;
    }
}

static void begin_iteration(struct tmk_report_json *d, int iteration)
{
    fprintf(d->tests, "%s\n   {\"iteration\": %d, \"phases\": [",
            d->iteration >= 0 ? "\n   ]}," : "", iteration);
    d->iteration = iteration;
}

static void test_begin(void *state, const struct tmk_result_test *test,
                       const char *headline)
{
    struct tmk_report_json *d = state;

    (void)headline;
    if (d->tests == NULL) {
        return;
    }
    d->test = test;
    d->iteration = -1;
    fprintf(d->tests,
            "%s\n  {\"tasks\": %d, \"nodes\": %d, \"ranks_per_node\": %d, "
            "\"items_per_task\": %" PRIu64 ", \"repetitions\": %d, ",
            d->n_tests++ != 0 ? "," : "", test->tasks, test->nodes,
            test->ranks_per_node, test->items, test->iterations);
    if (test->tables != NULL) {
        fprintf(d->tests, "\"test\": %d, \"path\": ", test->number);
        dump(d, d->tests, string(test->path));
        fputs(", \"options\": ", d->tests);
        dump(d, d->tests, options(d, test->tables));
        fputs(", ", d->tests);
    }
    fputs("\"iterations\": [", d->tests);
    if (d->run->earlier != NULL && d->n_tests == 1) {
        begin_iteration(d, 0);
        fprintf(d->tests, "\n    %s", d->run->earlier);
    }
}

static void phase(void *state, const struct tmk_result_test *test,
                  const struct tmk_result_row *row, int iteration,
                  const struct tmk_phase_result *result)
{
    struct tmk_report_json *d = state;

    (void)test;
    if (d->tests == NULL) {
        return;
    }
    if (iteration != d->iteration) {
        begin_iteration(d, iteration);
    } else {
        fputc(',', d->tests);
    }
    fputs("\n    ", d->tests);
    dump(d, d->tests, tmk_report_json_phase(d, row, result));
    write_file(d, NULL);
}

static void test_end(void *state, const struct tmk_report_run *run,
                     const struct tmk_result_test *test)
{
    struct tmk_report_json *d = state;

    (void)run;
    (void)test;
    if (d->tests != NULL) {
        end_of_test(d, d->tests);
    }
    d->test = NULL;
}

static void end(void *state, const struct tmk_report_run *run,
                const struct tmk_result *result)
{
    (void)run;
    write_file(state, result);
}

const struct tmk_writer_ops tmk_report_json = {
    .begin = begin,
    .test_begin = test_begin,
    .phase = phase,
    .test_end = test_end,
    .end = end,
};

void tmk_report_json_fini(struct tmk_report_json *json)
{
    if (json->tests != NULL) {
        fclose(json->tests);
    }
    free(json->text);
    json->tests = NULL;
    json->text = NULL;
}
