/*
 * scale_run: one point: its ranks run the benchmark, the others sleep.
 *
 * The benchmark is told of one more writer, which puts its phases into the
 * report of the study.
 */
#include "bench/scale_run.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/find_main.h"
#include "bench/ior_main.h"
#include "bench/mdtest_main.h"
#include "bench/scale_judge.h"
#include "run/clock.h"
#include "run/json_value.h"
#include "run/say.h"

enum { FAILED = 1, REFUSED };

/* What is heard of a benchmark, by rank 0. */
struct hearing {
    struct tmk_scale_launch *launch;
    struct tmk_job *sub;
    struct tmk_result_test *test; /* of the report */
    struct tmk_phase_result *copy;
    struct tmk_result_latency *latencies; /* of each row */
    const int *ranks; /* of the launch, by their numbers at this point */
    bool counts;      /* it is no warm-up */
    bool begun;       /* the test */
    int iterations;   /* heard of in this run */
    int before;       /* in the runs before */
};

static void begin_test(struct hearing *h)
{
    struct tmk_scale_launch *launch = h->launch;

    if (!launch->begun) {
        launch->begun = true;
        tmk_report_begin(launch->results.writers, &launch->report);
    }
    h->begun = true;
    tmk_report_test_begin(launch->results.writers, &launch->report, h->test,
                          "");
}

static void hear_test(void *state, const struct tmk_result_test *test,
                      const char *headline)
{
    struct hearing *h = state;

    (void)headline;
    if (h->counts && !h->begun) {
        h->test->items = test->items;
        h->test->iterations = test->iterations * h->launch->conf.repeat;
        begin_test(h);
    }
}

static struct tmk_result_row *row_of(struct hearing *h,
                                     const struct tmk_result_row *from)
{
    struct tmk_result_test *test = h->test;
    struct tmk_result_row *row;

    for (size_t i = 0; i < test->n_rows; i++) {
        if (strcmp(test->rows[i].name, from->name) == 0) {
            return &test->rows[i];
        }
    }
    if (test->n_rows == TMK_RESULT_ROWS_MAX) {
        return NULL;
    }
    row = &test->rows[test->n_rows];
    *row = (struct tmk_result_row){
        .name = from->name,
        .shown = from->shown,
        .tree = from->tree,
        .latency = &h->latencies[test->n_rows],
    };
    test->n_rows++;
    return row;
}

/* Numbers of ranks as they are in the launch, which has their hosts. */
static void rename_ranks(const struct hearing *h, struct tmk_phase_result *p)
{
    struct tmk_result_rank *const ranks[] = {&p->fastest, &p->slowest,
                                             &p->max_op};

    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        if (ranks[i]->rank >= 0 && ranks[i]->rank < h->sub->size) {
            ranks[i]->rank = h->ranks[ranks[i]->rank];
        }
    }
    for (size_t i = 0; i < p->n_failures; i++) {
        struct tmk_failure *f = &p->failures[i];

        if (f->rank >= 0 && f->rank < h->sub->size) {
            f->rank = h->ranks[f->rank];
        }
    }
}

static void hear_phase(void *state, const struct tmk_result_test *test,
                       const struct tmk_result_row *row, int iteration,
                       const struct tmk_phase_result *phase)
{
    struct hearing *h = state;
    struct tmk_scale_launch *launch = h->launch;
    struct tmk_result_row *own = h->counts ? row_of(h, row) : NULL;

    (void)test;
    if (own == NULL) {
        return;
    }
    *h->copy = *phase;
    rename_ranks(h, h->copy);
    launch->job->barrier_ns = h->sub->barrier_ns;
    h->iterations = iteration + 1;
    h->test->iterations_done = h->before + h->iterations;
    tmk_result_row_add(own, h->copy, h->sub->barrier_ns);
    tmk_report_phase(launch->results.writers, &launch->report, h->test, own,
                     h->before + iteration, h->copy);
}

static const struct tmk_writer_ops hear = {
    .test_begin = hear_test,
    .phase = hear_phase,
};

/* ---- calling ------------------------------------------------------------- */

static void add_result(struct tmk_result *to, const struct tmk_result *more)
{
    to->failed_operations += more->failed_operations;
    to->operations += more->operations;
    to->wrong += more->wrong;
    to->items_tolerated += more->items_tolerated;
    to->over_tolerance = to->over_tolerance || more->over_tolerance;
    to->left_behind = to->left_behind || more->left_behind;
    to->status_lost = to->status_lost || more->status_lost;
    to->output_failed = to->output_failed || more->output_failed;
    to->trace_lost = to->trace_lost || more->trace_lost;
    to->commands_failed = to->commands_failed || more->commands_failed;
    to->check_failed = to->check_failed || more->check_failed;
}

/* The benchmark once; its exit status. */
static int call_all(struct hearing *h, const struct tmk_scale_args *args,
                    const struct tmk_scale_words *words)
{
    const struct tmk_scale_parts *parts = h->launch->parts;
    const bool text =
        h->launch->conf.verbose != 0 && args->benchmark == TMK_SCALE_MDTEST;
    const struct tmk_writer writers[] = {
        {.ops = &hear, .state = h},
        {.ops = text ? &tmk_report_text : NULL, .state = h->sub->out},
        {.ops = NULL},
    };
    const struct tmk_mdtest_parts mdtest = {
        .version = parts->version,
        .version_git = parts->version_git,
        .engines = parts->engines_mdtest,
        .writers = writers,
    };
    const struct tmk_ior_parts ior = {
        .version = parts->version,
        .version_git = parts->version_git,
        .engines = parts->engines,
        .writers = writers,
    };
    struct tmk_find_done done = {0};
    const struct tmk_find_parts find = {
        .done = &done,
        .version = parts->version,
        .version_git = parts->version_git,
        .writers = writers,
    };
    struct tmk_result result = {0};
    char **argv = calloc((size_t)words->argc + 1, sizeof(char *));
    int status = 1;

    if (tmk_job_agree_all(h->sub, argv != NULL ? 0 : -ENOMEM) == 0 &&
        argv != NULL && words->argv != NULL) {
        memcpy(argv, words->argv, (size_t)words->argc * sizeof(char *));
        switch (args->benchmark) {
        case TMK_SCALE_MDTEST:
            status = tmk_mdtest_main_all(h->sub, words->argc, argv, &mdtest,
                                         &result);
            break;
        case TMK_SCALE_IOR:
            status = tmk_ior_main_all(h->sub, words->argc, argv, &ior, &result);
            break;
        case TMK_SCALE_FIND:
            status = tmk_find_main_all(h->sub, words->argc, argv, &find);
            result.operations = tmk_job_sum_all(h->sub, done.entries);
            result.failed_operations = done.all_failed;
            result.over_tolerance = done.all_failed != 0;
            break;
        case TMK_SCALE_BENCHMARKS: break;
        }
        add_result(h->launch->result, &result);
    }
    free(argv);
    return (int)tmk_job_max_all(h->sub, (uint64_t)status);
}

/* Whether every rate is known as well as --until-ci wants it. */
static bool is_sure(const struct tmk_result_test *test, double share)
{
    for (size_t i = 0; i < test->n_rows; i++) {
        const struct tmk_result_row *row = &test->rows[i];
        const struct tmk_stats *rate =
            row->bytes_per_s.n != 0 ? &row->bytes_per_s : &row->rate_per_s;

        if (row->ran && !tmk_scale_is_sure(rate, row->too_short, share)) {
            return false;
        }
    }
    return true;
}

static bool wants_more(const struct hearing *h, int repeats)
{
    const struct tmk_scale_conf *conf = &h->launch->conf;

    return repeats < conf->repeat ||
           (conf->until_ci > 0 && repeats < conf->max_repeat &&
            !is_sure(h->test, conf->until_ci));
}

/* All runs of a point, on its ranks; *repeats are those that count. */
static int repeat_all(struct hearing *h, const struct tmk_scale_args *args,
                      const struct tmk_scale_words *words, int *repeats)
{
    const struct tmk_scale_conf *conf = &h->launch->conf;
    int more = 1;
    int status = 0;

    tmk_job_alarm(conf->timeout_ns);
    if (conf->warmup != 0) {
        status = call_all(h, args, words);
    }
    h->counts = true;
    while (status == 0 && more != 0) {
        h->before += h->iterations;
        h->iterations = 0;
        status = call_all(h, args, words);
        ++*repeats;
        more = h->sub->rank == 0 && wants_more(h, *repeats);
        tmk_wait_bcast_all(&h->sub->wait, &more, 1, MPI_INT);
    }
    tmk_job_alarm(0);
    return status;
}

/* ---- what came of it ----------------------------------------------------- */

static enum tmk_scale_state state_of(int status)
{
    return status == 0               ? TMK_SCALE_DONE
           : status == 128 + SIGALRM ? TMK_SCALE_TIMED_OUT
           : status > 128            ? TMK_SCALE_INTERRUPTED
                                     : TMK_SCALE_FAILED;
}

/* Rates and latencies for the table.  0 or -ENOMEM. */
static int fill_values(struct tmk_result_values *values,
                       const struct tmk_result_test *test)
{
    values->list = calloc(test->n_rows + 1, sizeof(*values->list));
    for (size_t i = 0; values->list != NULL && i < test->n_rows; i++) {
        const struct tmk_result_row *row = &test->rows[i];
        struct tmk_result_value *value = &values->list[values->n];

        if (!row->ran) {
            continue;
        }
        *value = (struct tmk_result_value){
            .name = strdup(row->name),
            .bytes = row->bytes_per_s.n != 0,
            .rate =
                row->bytes_per_s.n != 0 ? row->bytes_per_s : row->rate_per_s,
            .failed = row->failed,
            .not_tried = row->missed,
            .too_short = row->too_short,
        };
        values->n++;
        if (row->latency->operations != 0) {
            value->latency = malloc(sizeof(*value->latency));
            value->max_ns = row->latency->max.time_ns;
        }
        if (value->latency != NULL) {
            *value->latency = row->latency->hist;
        }
        if (value->name == NULL ||
            (row->latency->operations != 0 && value->latency == NULL)) {
            return -ENOMEM;
        }
    }
    return values->list != NULL ? 0 : -ENOMEM;
}

/* "\"point\": {...}"; NULL: out of memory. */
static char *point_json(const struct tmk_scale_entry *entry,
                        const struct tmk_scale_words *words,
                        enum tmk_scale_benchmark benchmark, int status,
                        int repeats, double elapsed_s)
{
    json_t *command = json_array();
    json_t *point;
    char *text;
    char *member = NULL;

    for (int i = 0; i < words->argc; i++) {
        json_array_append_new(command, tmk_json_value_text(words->argv[i]));
    }
    point = json_pack("{s:s,s:o,s:s,s:o,s:i,s:s,s:i,s:f}", "benchmark",
                      tmk_scale_benchmark_name(benchmark), "vary",
                      tmk_json_value_text(entry->vary), "map",
                      tmk_scale_map_name(&entry->point), "command", command,
                      "repeats", repeats, "state",
                      tmk_scale_state_name(entry->state), "status", status,
                      "elapsed_s", elapsed_s);
    text = point != NULL
               ? json_dumps(point, JSON_COMPACT | JSON_REAL_PRECISION(6))
               : NULL;
    json_decref(point);
    if (text == NULL || asprintf(&member, "\"point\": %s", text) < 0) {
        member = NULL;
    }
    free(text);
    return member;
}

/* What has not been said of another point. */
static void pass_warnings(struct tmk_job *job, const struct tmk_job *sub,
                          const char *name)
{
    for (size_t i = 0; i < sub->own_warnings.n; i++) {
        const struct tmk_job_warning *w = &sub->own_warnings.list[i];
        bool said = false;

        for (size_t k = 0; k < job->warnings->n; k++) {
            said = said || strcmp(job->warnings->list[k].code, w->code) == 0;
        }
        if (!said) {
            tmk_say_warning(job, w->code, "at %s: %s", name, w->text);
        }
    }
}

static void say_point(struct tmk_scale_launch *launch,
                      const struct tmk_scale_entry *entry, const char *name,
                      const char *note, int status, int repeats,
                      double elapsed_s)
{
    char state[48] = "";

    if (entry->state == TMK_SCALE_FAILED) {
        (void)snprintf(state, sizeof(state), ", failed (status %d)", status);
    } else if (entry->state != TMK_SCALE_DONE) {
        (void)snprintf(state, sizeof(state), ", %s",
                       tmk_scale_state_name(entry->state));
    }
    tmk_say(launch->job, "[%zu/%zu] %s: %d run%s in %.3g s%s%s%s",
            launch->n_run + launch->n_kept, launch->plan.n, name, repeats,
            repeats == 1 ? "" : "s", elapsed_s, state,
            note[0] != '\0' ? "; " : "", note);
}

/* ---- a point ------------------------------------------------------------- */

bool tmk_scale_run_is_refused(const struct tmk_scale_launch *launch, bool first,
                              int status)
{
    return first && status == REFUSED && launch->n_variants == 1;
}

int tmk_scale_run_ranks(const struct tmk_scale_launch *launch, size_t at,
                        int *ranks)
{
    const struct tmk_owner_map *map = launch->places.map;
    int n = 0;

    for (uint32_t place = 0; place < map->ranks; place++) {
        if (tmk_scale_point_has(&launch->plan.points[at], &launch->places,
                                map->at[place])) {
            ranks[n++] = (int)map->at[place];
        }
    }
    return n;
}

/* Memory for what is heard.  0 or -ENOMEM. */
static int hearing_init(struct hearing *h, const struct tmk_scale_point *point)
{
    h->test = calloc(1, sizeof(*h->test));
    h->copy = calloc(1, sizeof(*h->copy));
    h->latencies = calloc(TMK_RESULT_ROWS_MAX, sizeof(*h->latencies));
    if (h->test == NULL || h->copy == NULL || h->latencies == NULL) {
        return -ENOMEM;
    }
    *h->test = (struct tmk_result_test){
        .tasks = (int)point->ranks,
        .nodes = (int)point->nodes,
        .ranks_per_node = (int)point->ppn,
        .iterations = h->launch->conf.repeat,
    };
    return 0;
}

static void hearing_fini(struct hearing *h)
{
    free(h->test);
    free(h->copy);
    free(h->latencies);
}

/* The options of the study as they are at this point. */
static void narrow(const struct tmk_scale_launch *launch,
                   const struct tmk_scale_point *point,
                   struct tmk_scale_conf *conf)
{
    *conf = launch->conf;
    if (point->is_path) {
        conf->ranks = (struct tmk_scale_list){.n = 1, .values = {point->ranks}};
    } else {
        conf->nodes = (struct tmk_scale_list){.n = 1, .values = {point->nodes}};
        conf->ppn = (struct tmk_scale_list){.n = 1, .values = {point->ppn}};
    }
    if (conf->vary.n != 0) {
        conf->vary.values[0] = launch->conf.vary.values[point->variant];
        conf->vary.lengths[0] = launch->conf.vary.lengths[point->variant];
        conf->vary.n = 1;
    }
}

/* What rank 0 reports of a point. */
static int conclude(struct hearing *h, struct tmk_scale_entry *entry,
                    const struct tmk_scale_words *words,
                    enum tmk_scale_benchmark benchmark, int status, int repeats,
                    uint64_t took_ns)
{
    struct tmk_scale_launch *launch = h->launch;
    struct tmk_result_test *test = h->test;
    const double elapsed_s = tmk_units_seconds(took_ns);
    char name[256];
    char *extra;
    int err;

    assert(test != NULL);
    entry->state = state_of(status);
    tmk_scale_entry_name(entry, name, sizeof(name));
    extra = point_json(entry, words, benchmark, status, repeats, elapsed_s);
    if (!h->begun) {
        begin_test(h);
    }
    test->extra = extra;
    tmk_report_test_end(launch->results.writers, &launch->report, test);
    err = fill_values(&entry->values, test);
    launch->n_run++;
    launch->spent_ns += took_ns;
    pass_warnings(launch->job, h->sub, name);
    say_point(launch, entry, name, words->note, status, repeats, elapsed_s);
    free(extra);
    return extra != NULL ? err : -ENOMEM;
}

/* All of it, with a job of the point's ranks; *err is one of our own. */
static int measure_all(struct hearing *h, struct tmk_scale_entry *entry,
                       const struct tmk_scale_words *words, int *err)
{
    struct tmk_scale_launch *launch = h->launch;
    const struct tmk_scale_variant *variant =
        &launch->variants[entry->point.variant];
    const uint64_t start_ns = tmk_clock_ns();
    const uint64_t barrier_ns = launch->job->barrier_ns;
    const bool first = launch->n_run == 0;
    struct tmk_scale_conf conf;
    struct tmk_opt_table table = launch->table;
    int repeats = 0;
    int status;

    if (h->test != NULL) { /* rank 0 */
        narrow(launch, &entry->point, &conf);
        table.conf = &conf;
        h->test->tables = &table;
        h->test->number = (int)(entry - launch->entries);
        h->test->path = variant->args.path;
    }
    status = repeat_all(h, &variant->args, words, &repeats);
    if (h->sub->rank == 0 && !tmk_scale_run_is_refused(launch, first, status)) {
        *err = conclude(h, entry, words, variant->args.benchmark, status,
                        repeats, tmk_clock_ns() - start_ns);
    }
    launch->job->barrier_ns = barrier_ns;
    return status;
}

/* With memory for the words and the ranks. */
static int run_all(struct tmk_scale_launch *launch, size_t at,
                   const struct tmk_scale_words *words, const int *ranks, int n,
                   FILE *sink)
{
    struct tmk_job *job = launch->job;
    struct tmk_scale_entry *entry = &launch->entries[at];
    struct tmk_job sub;
    struct hearing h = {.launch = launch, .sub = &sub, .ranks = ranks};
    char program[288];
    char name[256];
    int status = FAILED;
    int err = tmk_job_part_all(job, ranks, n, &sub);

    if (err == 0 && sub.rank == 0) {
        err = hearing_init(&h, &entry->point);
    }
    if (err == 0 && (words->argv == NULL || sink == NULL)) {
        err = -ENOMEM;
    }
    err = tmk_job_agree_all(&sub, err);
    if (err == 0 && words->argv != NULL && (sub.rank != 0 || h.test != NULL)) {
        tmk_scale_entry_name(entry, name, sizeof(name));
        (void)snprintf(
            program, sizeof(program), "%s (%s)",
            tmk_scale_benchmark_name(
                launch->variants[entry->point.variant].args.benchmark),
            name);
        sub.program = program;
        sub.out = launch->conf.verbose != 0 ? job->out : sink;
        sub.warnings = &sub.own_warnings;
        status = measure_all(&h, entry, words, &err);
    }
    if (err != 0) {
        tmk_say_error(job, "%s", strerror(-err));
        status = FAILED;
    }
    hearing_fini(&h);
    tmk_job_fini_all(&sub);
    return status;
}

int tmk_scale_run_all(struct tmk_scale_launch *launch, size_t at)
{
    const struct tmk_scale_point *point = &launch->plan.points[at];
    int *ranks = calloc(launch->places.map->ranks, sizeof(*ranks));
    FILE *sink = fopen("/dev/null", "we");
    struct tmk_scale_words words;
    int status = FAILED;

    if (tmk_scale_words_make(&words, &launch->variants[point->variant].args,
                             NULL, launch->strong, point->ranks) != 0) {
        tmk_scale_words_fini(&words); /* and so the others are told */
    }
    if (ranks != NULL) {
        status = run_all(launch, at, &words, ranks,
                         tmk_scale_run_ranks(launch, at, ranks), sink);
    }
    tmk_scale_words_fini(&words);
    if (sink != NULL) {
        (void)fclose(sink);
    }
    free(ranks);
    return status;
}
