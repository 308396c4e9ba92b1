/*
 * io500_save: result.json, and what a later launch needs of it.
 *
 *     "io500": { "mode", "timestamp", "config_hash", "procs", "complete",
 *                "scores": {...}, "reasons": [...],
 *                "phases": [ {"name", "score", ..., "reasons"} ] }
 */
#include "bench/io500_save.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "bench/io500_places.h"
#include "run/json_value.h"
#include "run/report.h"
#include "run/say.h"
#include "run/text_file.h"

enum { MOST = 64 << 20 };

/* The numbers of a phase: where they are, and what they are called. */
static const struct field {
    const char *name;
    size_t offset;
    enum { NUMBER, COUNT_OR_NONE, TRUTH, WHOLE, TIME } kind;
} fields[] = {
#define FIELD(name, f, kind)                                                   \
    {                                                                          \
        name, offsetof(struct tmk_io500_done, f), kind                         \
    }
    FIELD("score", score, NUMBER),
    FIELD("seconds", wall_s, NUMBER),
    FIELD("engine_seconds", engine_s, NUMBER),
    FIELD("status", status, WHOLE),
    FIELD("started", started, TIME),
    FIELD("ended", ended, TIME),
    FIELD("operations", operations, COUNT_OR_NONE),
    FIELD("bytes", bytes, COUNT_OR_NONE),
    FIELD("failed", failed, COUNT_OR_NONE),
    FIELD("wrong", wrong, COUNT_OR_NONE),
    FIELD("limited", limited, TRUTH),
    FIELD("limit_hit", limit_hit, TRUTH),
    FIELD("full", full, TRUTH),
    FIELD("cut", cut, TRUTH),
    FIELD("stonewall_seconds", stonewall_s, NUMBER),
    FIELD("stonewall_rate", stonewall_rate, NUMBER),
    FIELD("pairs", pairs, COUNT_OR_NONE),
    FIELD("own_share", own_share, NUMBER),
    FIELD("caches_kept", caches_kept, TRUTH),
    FIELD("found", found, COUNT_OR_NONE),
    FIELD("total", total, COUNT_OR_NONE),
    FIELD("nproc", nproc, COUNT_OR_NONE),
    FIELD("expected", expected, COUNT_OR_NONE),
    FIELD("external", external, TRUTH),
    FIELD("script_status", script_status, WHOLE),
    FIELD("per_set", per_set, COUNT_OR_NONE),
    FIELD("per_round", per_round, COUNT_OR_NONE),
    FIELD("rounds", counts, COUNT_OR_NONE),
    FIELD("max_op_seconds", max_op_s, NUMBER),
    FIELD("score_0", score_0, NUMBER),
    FIELD("max_op_0_seconds", max_op_0_s, NUMBER),
#undef FIELD
};

static json_t *value_of(const struct tmk_io500_done *done,
                        const struct field *field)
{
    const void *at = (const char *)done + field->offset;
    int bad = 0;

    switch (field->kind) {
    case NUMBER: return tmk_json_value_real(*(const double *)at);
    case TRUTH: return json_boolean(*(const bool *)at);
    case WHOLE: return json_integer(*(const int *)at);
    case TIME: return json_integer(*(const time_t *)at);
    case COUNT_OR_NONE: break;
    }
    return tmk_json_value_count(*(const uint64_t *)at, &bad);
}

static void take_value(struct tmk_io500_done *done, const struct field *field,
                       const json_t *value)
{
    void *at = (char *)done + field->offset;

    switch (field->kind) {
    case NUMBER: *(double *)at = json_number_value(value); break;
    case TRUTH: *(bool *)at = json_is_true(value); break;
    case WHOLE: *(int *)at = (int)json_integer_value(value); break;
    case TIME: *(time_t *)at = (time_t)json_integer_value(value); break;
    case COUNT_OR_NONE:
        *(uint64_t *)at = json_is_integer(value)
                              ? (uint64_t)json_integer_value(value)
                              : UINT64_MAX;
        break;
    }
}

static json_t *reasons_value(const struct tmk_io500_reasons *reasons)
{
    json_t *list = json_array();

    for (size_t i = 0; i < reasons->n; i++) {
        const struct tmk_io500_reason *reason = &reasons->list[i];

        json_array_append_new(
            list, json_pack("{s:s,s:o,s:b}", "code", reason->code, "text",
                            tmk_json_value_text(reason->text), "invalidates",
                            reason->invalidates));
    }
    return list;
}

static void take_reasons(struct tmk_io500_reasons *reasons, json_t *list)
{
    size_t i;
    json_t *item;

    json_array_foreach(list, i, item)
    {
        struct tmk_io500_reason *reason = &reasons->list[reasons->n];
        const char *text = json_string_value(json_object_get(item, "text"));
        const char *code = json_string_value(json_object_get(item, "code"));

        if (text != NULL && code != NULL &&
            reasons->n < TMK_IO500_REASONS_MAX) {
            reason->code = code; /* of what is kept */
            (void)snprintf(reason->text, sizeof(reason->text), "%s", text);
            reason->invalidates =
                json_is_true(json_object_get(item, "invalidates"));
            reasons->n++;
        }
    }
}

static json_t *phase_value(const struct tmk_io500_launch *launch,
                           enum tmk_io500_phase phase)
{
    const struct tmk_io500_done *done = &launch->done[phase];
    const struct tmk_io500_reasons *judged = &launch->judged[phase];
    json_t *object =
        json_pack("{s:s,s:s,s:b,s:b}", "name", tmk_io500_phase_name(phase),
                  "unit", tmk_io500_phase_unit(phase), "scored",
                  tmk_io500_phase_rows[phase].group != TMK_IO500_UNSCORED,
                  "valid", !tmk_io500_reasons_invalidate(judged));

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        json_object_set_new(object, fields[i].name, value_of(done, &fields[i]));
    }
    json_object_set_new(object, "reasons", reasons_value(judged));
    return object;
}

static json_t *means_value(const struct tmk_io500_scores *scores, bool extended)
{
    struct tmk_io500_means means = tmk_io500_score_means(scores, extended);

    return json_pack("{s:o,s:o,s:o,s:b}", "bandwidth_gib_per_s",
                     tmk_json_value_real(means.bw), "kiops",
                     tmk_json_value_real(means.md), "score",
                     tmk_json_value_real(means.total), "valid",
                     extended ? !scores->invalid_extended : !scores->invalid);
}

/* Make the text of the suite's own member anew. */
static void make_extra(struct tmk_io500_launch *launch)
{
    json_t *phases = json_array();
    bool complete = true;
    json_t *object;
    char *text;

    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        if (launch->over[i]) {
            json_array_append_new(phases,
                                  phase_value(launch, (enum tmk_io500_phase)i));
        } else if (tmk_io500_phase_runs(&launch->conf, (enum tmk_io500_phase)i,
                                        launch->extended)) {
            complete = false;
        }
    }
    object = json_pack(
        "{s:s,s:o,s:I,s:i,s:o,s:s,s:b,s:o,s:o,s:o,s:o}", "mode",
        launch->extended ? "extended" : "standard", "timestamp",
        tmk_json_value_text(launch->timestamp), "config_hash",
        (json_int_t)tmk_io500_conf_hash(&launch->conf), "procs",
        launch->job->size, "datadir", tmk_json_value_text(launch->datadir),
        "version", launch->version, "complete", complete, "scores",
        means_value(&launch->scores, false), "scores_extended",
        launch->extended ? means_value(&launch->scores, true) : json_null(),
        "reasons", reasons_value(&launch->reasons), "phases", phases);
    text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(object);
    free(launch->extra);
    launch->extra = NULL;
    if (text != NULL && asprintf(&launch->extra, "\"io500\": %s", text) < 0) {
        launch->extra = NULL;
    }
    free(text);
    launch->report.extra = launch->extra;
}

/* What there is before the run. */
static void look_at_space(struct tmk_io500_launch *launch)
{
    struct statvfs fs;

    if (launch->job->rank == 0 && statvfs(launch->datadir, &fs) == 0) {
        launch->report.usage_known = true;
        launch->report.size_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
        launch->report.used_bytes =
            (uint64_t)(fs.f_blocks - fs.f_bfree) * fs.f_frsize;
        launch->report.inodes = fs.f_files;
        launch->report.used_inodes = fs.f_files - fs.f_ffree;
    }
}

int tmk_io500_save_open_all(struct tmk_io500_launch *launch, int argc,
                            char **argv)
{
    struct tmk_job *job = launch->job;
    char *path = tmk_io500_in_results(launch, "result.json");
    const char *json = launch->options.json;
    int err;

    launch->table = tmk_io500_options_table(&launch->options);
    launch->json_path = path;
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = launch->version,
        .kind = "io500",
        .version = launch->parts->version,
        .version_git = launch->parts->version_git,
        .semantics = "treemark",
        .started = launch->started,
        .argc = argc,
        .argv = argv,
        .tables = &launch->table,
        .n_tables = 1,
        .path = launch->datadir,
        .engine = launch->conf.global.api,
        .shared = "shared",
        .earlier = launch->earlier,
    };
    look_at_space(launch);
    err = tmk_job_agree_all(job, path != NULL ? 0 : -ENOMEM);
    if (err == 0) {
        err = tmk_results_hosts_all(job);
    }
    if (err == 0) {
        err = tmk_results_open_all(&launch->results, job, &launch->report, path,
                                   launch->options.csv);
    }
    if (err == 0 && json != NULL) {
        err = tmk_results_open_all(&launch->more_results, job, &launch->report,
                                   json, NULL);
        for (struct tmk_writer *w = launch->more_results.writers;
             err == 0 && w->ops != NULL; w++) {
            tmk_results_add(&launch->results, *w);
        }
    }
    if (err != 0) {
        return err;
    }
    launch->test = (struct tmk_result_test){
        .tasks = job->size,
        .nodes = (int)job->layout.map.nodes,
        .ranks_per_node = job->layout.ranks_on_node,
        .iterations = 1,
    };
    if (job->rank == 0) {
        make_extra(launch);
    }
    tmk_report_begin(launch->results.writers, &launch->report);
    tmk_report_test_begin(launch->results.writers, &launch->report,
                          &launch->test, "");
    return 0;
}

void tmk_io500_save_phase(struct tmk_io500_launch *launch,
                          enum tmk_io500_phase phase)
{
    const struct tmk_io500_done *done = &launch->done[phase];
    struct tmk_result *result = launch->result;
    struct tmk_result_row row = {.name = tmk_io500_phase_name(phase)};

    result->failed_operations += done->failed;
    result->wrong += done->wrong;
    result->operations += done->operations;
    if (launch->job->rank != 0) {
        return;
    }
    if (!launch->calls.timed) {
        launch->phase = (struct tmk_phase_result){
            .time_ns = (uint64_t)(done->engine_s * 1e9),
            .busy_ns = (uint64_t)(done->engine_s * 1e9),
            .operations = done->operations,
            .failed = done->failed,
            .rate_per_s = done->engine_s > 0
                              ? (double)done->operations / done->engine_s
                              : 0,
            .max_op = {.rank = -1},
            .foreign_share = -1,
        };
    }
    make_extra(launch);
    tmk_result_row_add(&row, &launch->phase, launch->job->barrier_ns);
    if (launch->test.n_rows < TMK_RESULT_ROWS_MAX) {
        launch->test.rows[launch->test.n_rows++] = row;
    }
    tmk_report_phase(launch->results.writers, &launch->report, &launch->test,
                     &row, 0, &launch->phase);
}

bool tmk_io500_save_close_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    bool fine;

    if (job->rank == 0) {
        make_extra(launch);
    }
    tmk_report_test_end(launch->results.writers, &launch->report,
                        &launch->test);
    tmk_report_end(launch->results.writers, &launch->report, launch->result);
    fine = tmk_results_close_all(&launch->results, job);
    return tmk_results_close_all(&launch->more_results, job) && fine;
}

/*
 * A phase that has to be run again makes its data again: so have those that
 * work on it.  What mdworkbench has half done is not to be gone on with.
 */
static void forget_what_follows(struct tmk_io500_launch *launch)
{
    if (!launch->over[TMK_IO500_P_MDWORKBENCH_BENCH]) {
        launch->over[TMK_IO500_P_MDWORKBENCH_CREATE] = false;
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        bool makes = tmk_io500_phase_rows[i].writes ||
                     i == TMK_IO500_P_MDWORKBENCH_CREATE;

        for (unsigned k = i + 1;
             makes && !launch->over[i] && k < TMK_IO500_PHASES; k++) {
            if (tmk_io500_phase_rows[k].family ==
                tmk_io500_phase_rows[i].family) {
                launch->over[k] = false;
            }
        }
    }
}

/* Whether a phase that is to be run works on what `writer` wrote. */
static bool is_needed(const struct tmk_io500_launch *launch,
                      enum tmk_io500_phase writer)
{
    for (unsigned i = writer + 1; i < TMK_IO500_PHASES; i++) {
        const struct tmk_io500_phase_row *row = &tmk_io500_phase_rows[i];

        if (!launch->over[i] &&
            tmk_io500_is_wanted(launch, (enum tmk_io500_phase)i) &&
            (row->family == tmk_io500_phase_rows[writer].family ||
             row->benchmark == TMK_IO500_PFIND)) {
            return true;
        }
    }
    return false;
}

/* Data may have been removed since: by an interrupted launch itself, for one.
 * Collective. */
static void forget_what_is_gone_all(struct tmk_io500_launch *launch)
{
    for (size_t i = 0; i < TMK_IO500_PLACES; i++) {
        enum tmk_io500_phase writer = tmk_io500_places[i].writer;
        char *path = tmk_io500_in_data(launch, tmk_io500_places[i].name);
        bool gone = launch->job->rank == 0 && path != NULL &&
                    tmk_io500_holds_something(path) == 0;

        free(path);
        if (tmk_job_max_all(launch->job, gone) != 0 &&
            is_needed(launch, writer)) {
            launch->over[writer] = false;
        }
    }
}

static bool is_over(const struct tmk_io500_launch *launch, const json_t *phase)
{
    const char *name = json_string_value(json_object_get(phase, "name"));
    enum tmk_io500_phase p = name != NULL
                                 ? tmk_io500_phase_find(name, strlen(name))
                                 : TMK_IO500_PHASES;

    return p != TMK_IO500_PHASES && launch->over[p];
}

/* The phases of an earlier launch as they are written, for the next one. */
static char *text_of_phases(const struct tmk_io500_launch *launch,
                            const json_t *root)
{
    json_t *phases = json_object_get(
        json_array_get(
            json_object_get(json_array_get(json_object_get(root, "tests"), 0),
                            "iterations"),
            0),
        "phases");
    char *all = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&all, &size);
    const char *between = "";
    size_t i;
    json_t *phase;

    if (to == NULL) {
        return NULL;
    }
    json_array_foreach(phases, i, phase)
    {
        if (is_over(launch, phase)) {
            (void)fputs(between, to);
            (void)json_dumpf(phase, to, JSON_COMPACT | JSON_REAL_PRECISION(15));
            between = ",\n    ";
        }
    }
    if (fclose(to) != 0 || size == 0) {
        free(all);
        return NULL;
    }
    return all;
}

static int differs(struct tmk_io500_launch *launch, const char *path,
                   const char *what)
{
    tmk_say_error(launch->job, "--resume: %s is of a run with another %s", path,
                  what);
    return -EINVAL;
}

static int take_over(struct tmk_io500_launch *launch, const char *path,
                     json_t *root)
{
    json_t *suite = json_object_get(root, "io500");
    const char *mode = json_string_value(json_object_get(suite, "mode"));
    const char *stamp = json_string_value(json_object_get(suite, "timestamp"));
    size_t i;
    json_t *phase;

    if (mode == NULL || stamp == NULL) {
        tmk_say_error(launch->job, "--resume: %s is not of this suite", path);
        return -EINVAL;
    }
    if ((uint32_t)json_integer_value(json_object_get(suite, "config_hash")) !=
        tmk_io500_conf_hash(&launch->conf)) {
        return differs(launch, path, "configuration");
    }
    if ((strcmp(mode, "extended") == 0) != launch->extended) {
        return differs(launch, path, "mode");
    }
    if (json_integer_value(json_object_get(suite, "procs")) !=
        launch->job->size) {
        return differs(launch, path, "number of processes");
    }
    (void)snprintf(launch->timestamp, sizeof(launch->timestamp), "%s", stamp);
    json_array_foreach(json_object_get(suite, "phases"), i, phase)
    {
        const char *name = json_string_value(json_object_get(phase, "name"));
        enum tmk_io500_phase p = name != NULL
                                     ? tmk_io500_phase_find(name, strlen(name))
                                     : TMK_IO500_PHASES;

        if (p == TMK_IO500_PHASES ||
            json_integer_value(json_object_get(phase, "status")) != 0) {
            continue;
        }
        for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++) {
            take_value(&launch->done[p], &fields[k],
                       json_object_get(phase, fields[k].name));
        }
        take_reasons(&launch->judged[p], json_object_get(phase, "reasons"));
        launch->over[p] = true;
    }
    return 0;
}

int tmk_io500_save_resume_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    char *path = tmk_io500_in_results(launch, "result.json");
    char *text = NULL;
    int err = tmk_job_agree_all(job, path != NULL ? 0 : -ENOMEM);

    if (err == 0 && path != NULL &&
        tmk_job_max_all(job, job->rank == 0 && access(path, F_OK) != 0) != 0) {
        tmk_say(job, "No phase was finished: all are run.");
        free(path);
        return 0;
    }
    if (err == 0) {
        err = tmk_text_file_read_all(job, "--resume: ", path, MOST, &text);
    }
    if (err == 0) {
        launch->kept = json_loads(text, 0, NULL);
        if (launch->kept == NULL) {
            tmk_say_error(job,
                          "--resume: %s is no JSON: it is cut, or not "
                          "of treemark",
                          path);
            err = -EINVAL;
        }
    }
    if (err == 0) {
        err = take_over(launch, path, launch->kept);
    }
    if (err == 0) {
        forget_what_follows(launch);
        forget_what_is_gone_all(launch);
        forget_what_follows(launch);
    }
    if (err == 0 && job->rank == 0) {
        launch->earlier = text_of_phases(launch, launch->kept);
    }
    free(text);
    free(path);
    return err;
}
