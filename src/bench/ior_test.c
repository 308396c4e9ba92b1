/*
 * ior_test: one test: its plan and engine, what is printed before and after.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/units.h"
#include "bench/ior_cache.h"
#include "bench/ior_log.h"
#include "bench/ior_statusfile.h"
#include "bench/ior_steps.h"
#include "run/say.h"

/*
 * Before.
 */

static const struct tmk_engine_ops *ops_of(const struct tmk_ior_launch *launch,
                                           size_t i)
{
    return tmk_engine_find(launch->parts->engines,
                           tmk_ior_launch_conf(launch, i)->api);
}

/* An engine that cannot do what is asked of it.  NULL: it can. */
/* A test that is refused: of a script, by the line that ends it. */
__attribute__((format(printf, 3, 4))) static void
refuse(const struct tmk_ior_launch *launch, size_t i, const char *format, ...)
{
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, i);
    char script[128];
    char why[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(why, sizeof(why), format, args);
    va_end(args);
    if (conf->script_line == 0) {
        tmk_say_error(launch->job, "%s", why);
        return;
    }
    tmk_quote(script, sizeof(script), conf->script, strlen(conf->script));
    tmk_say_error(launch->job, "%s:%zu: test %zu: %s", script,
                  conf->script_line, i, why);
}

static const char *engine_lacks(const struct tmk_engine_ops *ops,
                                const struct tmk_ior_conf *conf)
{
    if (ops->pwrite == NULL || ops->pread == NULL) {
        return "it moves no data";
    }
    if ((conf->fsync != 0 || conf->fsync_per_write != 0) &&
        ops->fsync == NULL) {
        return conf->fsync != 0 ? "-e: it has no fsync" : "-Y: it has no fsync";
    }
    if (conf->fsync_per_write != 0 && conf->collective == 0 &&
        conf->file_per_proc == 0 && strcmp(ops->name, "MPIIO") == 0) {
        return "-Y: ranks sync a shared file together, which takes -c";
    }
    if ((conf->check_read != 0 || conf->check_write != 0) && !ops->stores) {
        return conf->check_read != 0
                   ? "-R: nothing is stored that could be checked"
                   : "-W: nothing is stored that could be checked";
    }
    return NULL;
}

/* Whether transfers bypass the page cache, which takes whole blocks. */
static int check_direct(struct tmk_ior_launch *launch,
                        const struct tmk_ior_plan *plan,
                        const struct tmk_engine_ops *ops,
                        struct tmk_engine *engine)
{
    enum { LEAST_BLOCK = 512 };

    if (ops->direct == NULL || !ops->direct(engine) ||
        plan->transfer_bytes % LEAST_BLOCK == 0) {
        return 0;
    }
    tmk_say_error(launch->job,
                  "-t: %" PRIu64 " bytes cannot be transferred with O_DIRECT: "
                  "a multiple of %d can",
                  plan->transfer_bytes, (int)LEAST_BLOCK);
    return -EINVAL;
}

struct tmk_ior_here tmk_ior_launch_here(const struct tmk_ior_launch *launch)
{
    const struct tmk_job *job = launch->job;

    return (struct tmk_ior_here){
        .ranks = job->size,
        .nodes = (int)job->layout.map.nodes,
        .ranks_per_node = (int)job->layout.map.most_ranks,
        .memory_bytes = launch->memory_bytes,
        .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
    };
}

static int make_plan(struct tmk_ior_launch *launch, size_t i,
                     struct tmk_ior_plan *plan, bool says_notes)
{
    const struct tmk_ior_here here = tmk_ior_launch_here(launch);
    struct tmk_ior_notes notes = {.n = 0};
    char why[512] = "";
    int err = tmk_ior_plan_make(plan, tmk_ior_launch_conf(launch, i), &here,
                                &notes, why, sizeof(why));

    if (err != 0) {
        refuse(launch, i, "%s", why);
    }
    for (size_t k = 0; err == 0 && says_notes && k < notes.n; k++) {
        if (notes.list[k].code != NULL) {
            tmk_say_warning(launch->job, notes.list[k].code, "%s",
                            notes.list[k].text);
        } else {
            tmk_say(launch->job, "%s", notes.list[k].text);
        }
    }
    return err;
}

int tmk_ior_test_check(struct tmk_ior_launch *launch, size_t i)
{
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, i);
    const struct tmk_engine_ops *ops = ops_of(launch, i);
    struct tmk_ior_plan plan;
    const char *lack;
    char names[256] = "";
    char quoted[64];

    if (ops == NULL) {
        for (size_t k = 0; launch->parts->engines[k] != NULL; k++) {
            size_t used = strlen(names);

            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           k == 0 ? "" : ", ", launch->parts->engines[k]->name);
        }
        tmk_quote(quoted, sizeof(quoted), conf->api, strlen(conf->api));
        refuse(launch, i, "-a: %s is not available here (%s are)", quoted,
               names);
        return -EINVAL;
    }
    lack = engine_lacks(ops, conf);
    if (lack != NULL) {
        refuse(launch, i, "-a %s: %s", ops->name, lack);
        return -ENOTSUP;
    }
    if (make_plan(launch, i, &plan, false) != 0) {
        return -EINVAL;
    }
    if (i == 0) { /* where results come from: known before they are opened */
        (void)tmk_ior_plan_path(&plan, 0, 0, launch->path,
                                sizeof(launch->path));
    }
    return 0;
}

/*
 * Setting up.
 */

/* --trace: a file of each rank, and for later tests of a script of each. */
static int trace_all(struct tmk_ior_job *t, size_t i,
                     const struct tmk_engine_ops **ops,
                     struct tmk_engine **engine)
{
    const char *prefix = t->plan.conf->trace;

    if (prefix != NULL && i != 0) {
        (void)snprintf(t->trace_prefix, sizeof(t->trace_prefix), "%s.test%zu",
                       prefix, i);
        prefix = t->trace_prefix;
    }
    return tmk_trace_files_begin_all(&t->trace, t->job, prefix, ops, engine);
}

static int open_engine_all(struct tmk_ior_job *t, size_t i)
{
    struct tmk_ior_launch *launch = t->launch;
    const struct tmk_engine_ops *ops = ops_of(launch, i);
    struct tmk_engine *engine = NULL;
    int err = 0;

    for (size_t k = 0; launch->parts->engines[k] != NULL; k++) {
        if (launch->parts->engines[k] == ops) {
            engine = ops->open_instance(
                launch->tests.confs[i * launch->tests.n_tables + k + 1],
                (unsigned)t->job->rank, &err);
        }
    }
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        tmk_say_error(t->job, "-a %s: %s", ops->name, strerror(-err));
    }
    if (err == 0) {
        err = check_direct(launch, &t->plan, ops, engine);
    }
    if (err == 0) {
        t->engine_ops = ops;
        t->engine = engine;
        err = trace_all(t, i, &ops, &engine);
    }
    t->traced_ops = ops;
    if (ops->legacy != NULL && t->plan.conf->semantics == TMK_IOR_AS_IOR_4_1) {
        ops = ops->legacy;
    }
    t->run.ops = t->files.ops = ops;
    t->run.engine = t->files.engine = engine;
    return err;
}

/* Seeds: as given, or the time of day.  Collective. */
static void choose_seeds_all(struct tmk_ior_job *t)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    int64_t now = (int64_t)time(NULL);

    if (conf->seed == 0 || conf->random_seed < 0) {
        tmk_wait_bcast_all(&t->job->wait, &now, 1, MPI_INT64_T);
    }
    t->first_seed = conf->seed != 0 ? conf->seed : (int32_t)now;
    t->run.random_seed = conf->random_seed >= 0 ? conf->random_seed : now;
}

static void describe(struct tmk_ior_job *t, size_t i)
{
    struct tmk_ior_test *text = &t->text;
    *text = (struct tmk_ior_test){
        .id = (int)i,
        .started = time(NULL),
        .plan = &t->plan,
        .ops = t->run.ops,
        .path = t->path,
        .nodes = (int)t->map.map.nodes,
        .ranks_per_node = (int)t->map.map.first_node_ranks,
        .data_seed_chosen =
            t->plan.conf->seed == 0 && tmk_ior_steps_has_data(&t->plan),
        .offset_seed_chosen =
            t->plan.conf->random_seed < 0 && t->plan.conf->random_offset != 0,
        .data_seed = t->first_seed,
        .offset_seed = t->run.random_seed,
    };
    (void)tmk_ior_plan_path(&t->plan, 0, 0, t->path, sizeof(t->path));
    tmk_ior_run_find_dir(&t->run);
    text->usage_known =
        t->job->rank == 0 && t->run.ops->usage != NULL &&
        t->run.ops->usage(t->run.engine, t->run.dir, &text->usage) == 0;
    if (i == 0 && text->usage_known) {
        struct tmk_report_run *report = &t->launch->report;

        report->usage_known = true;
        report->size_bytes = text->usage.size_bytes;
        report->used_bytes = text->usage.used_bytes;
        report->inodes = text->usage.inodes;
        report->used_inodes = text->usage.inodes - text->usage.free_inodes;
    }
}

static void make_rows(struct tmk_ior_job *t, size_t i)
{
    const struct tmk_ior_launch *launch = t->launch;

    for (size_t k = 0; k < launch->n_tables; k++) {
        t->tables[k] = launch->tables[k];
        t->tables[k].conf = launch->tests.confs[i * launch->n_tables + k];
    }
    t->result = (struct tmk_result_test){
        .tasks = t->job->size,
        .nodes = (int)t->job->layout.map.nodes,
        .ranks_per_node = (int)t->job->layout.map.most_ranks,
        .iterations = t->plan.conf->repetitions,
        .items = t->plan.per_rank,
        .n_rows = TMK_IOR_ROWS,
        .tables = t->tables,
        .number = (int)i,
        .path = t->path,
    };
    t->doubt = TMK_IOR_DOUBT_NONE;
    for (int k = 0; k < t->plan.conf->read_passes - 1 &&
                    t->result.n_rows < TMK_RESULT_ROWS_MAX;
         k++) {
        t->result.n_rows++;
    }
    for (int k = 0; k < (int)t->result.n_rows; k++) {
        t->result.rows[k] = (struct tmk_result_row){
            .name = tmk_ior_steps_name(k),
            .foreign_share = -1.0,
            .latency = t->plan.conf->percentiles != 0 && t->job->rank == 0
                           ? &t->latency[k]
                           : NULL,
        };
    }
}

/* Whether the engine can make such transfers.  0 or -errno, said. */
static int expect_all(struct tmk_ior_job *t)
{
    const struct tmk_engine_ops *ops = t->run.ops;
    const char *why = NULL;
    int err;

    t->run.source = (uint32_t)t->job->rank;
    err = tmk_ior_expect_all(&t->run,
                             t->plan.writes ? TMK_IOR_WRITE : TMK_IOR_READ);
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        why = ops->describe != NULL ? ops->describe(t->run.engine) : NULL;
        tmk_say_error(t->job, "-a %s: %s", ops->name,
                      why != NULL ? why : strerror(-err));
    }
    return err;
}

static int set_up_all(struct tmk_ior_job *t, size_t i)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    int err = tmk_ior_map_init(&t->map, t->job, conf, t->launch->fake_nodes,
                               t->launch->fake_ranks);

    t->files.job = t->run.job = t->job;
    t->files.plan = t->run.plan = &t->plan;
    t->run.memory_bytes = t->launch->memory_bytes;
    if (t->launch->tests.n > 1) {
        (void)snprintf(t->run.which, sizeof(t->run.which), "test %zu: ", i);
    }
    t->run.tasks = tmk_ior_map_tasks(&t->map, conf);
    err = err != 0 ? err : tmk_ior_files_init(&t->files);
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        tmk_say_error(t->job, "%s", strerror(-err));
        return err;
    }
    err = open_engine_all(t, i);
    if (err != 0) {
        return err;
    }
    err = tmk_job_agree_all(t->job, tmk_ior_run_init(&t->run));
    if (err != 0) {
        tmk_say_error(t->job, "-t: buffers of %" PRIu64 " bytes: %s",
                      t->plan.transfer_bytes, strerror(-err));
        return err;
    }
    err = expect_all(t);
    if (err == 0) {
        err = tmk_ior_files_check_all(&t->files);
    }
    if (err == 0) {
        err = tmk_ior_files_probe_all(&t->files, &t->shared);
    }
    if (err == 0 && t->plan.writes && conf->status_file != NULL) {
        err = tmk_ior_statusfile_open_all(t->job, conf->status_file,
                                          &t->status_out);
    }
    if (err == 0) {
        err = tmk_ior_steps_perop_open_all(t, 0);
    }
    choose_seeds_all(t);
    return err;
}

/* Phases too short to trust, in one warning. */
static void short_notes(struct tmk_ior_job *t)
{
    char names[64] = "";

    for (int i = 0; i < (int)t->result.n_rows; i++) {
        size_t used = strlen(names);

        if (t->result.rows[i].too_short != 0) {
            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           used == 0 ? "" : ", ", tmk_ior_steps_name(i));
        }
    }
    if (names[0] != '\0') {
        tmk_say_warning(t->job, "TOO_SHORT",
                        "%sshorter than %.1f ms (100 barriers, 1 ms at least), "
                        "too short to trust: %s",
                        t->run.which,
                        (double)tmk_result_short_ns(t->job->barrier_ns) / 1e6,
                        names);
    }
}

static void print_latency(struct tmk_ior_job *t)
{
    struct tmk_ior_text_latency lines[TMK_RESULT_ROWS_MAX + 2];
    size_t n = 0;

    for (size_t i = 0; i < t->result.n_rows; i++) {
        lines[n++] = (struct tmk_ior_text_latency){t->result.rows[i].name,
                                                   t->result.rows[i].latency};
        if (i == TMK_IOR_ROW_MIX) {
            lines[n++] = (struct tmk_ior_text_latency){
                "mixed write", &t->sides[TMK_IOR_WRITE]};
            lines[n++] = (struct tmk_ior_text_latency){"mixed read",
                                                       &t->sides[TMK_IOR_READ]};
        }
    }
    if (t->plan.conf->percentiles != 0) {
        tmk_ior_text_latency(&t->launch->text, &t->text, &t->job->layout, lines,
                             n);
    }
}

static void finish_test_all(struct tmk_ior_job *t)
{
    struct tmk_ior_launch *launch = t->launch;

    short_notes(t);
    tmk_ior_cache_judge(&t->run, &t->doubt);
    if (t->job->rank == 0) {
        print_latency(t);
        tmk_ior_text_test_end(&launch->text, &t->text);
    }
    tmk_report_test_end(launch->results.writers, &launch->report, &t->result);
}

static const char *host_of(void *state, int task)
{
    const struct tmk_ior_job *t = state;

    return tmk_layout_host_of(&t->job->layout, task);
}

/* How far the ranks' clocks of the day are apart, in s.  Collective. */
static double skew_all(const struct tmk_ior_job *t)
{
    struct timespec now;
    uint64_t late_ns;
    uint64_t early_ns;

    tmk_wait_barrier_all(&t->job->wait);
    clock_gettime(CLOCK_REALTIME, &now);
    late_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    early_ns = tmk_job_max_all(t->job, (uint64_t)INT64_MAX - late_ns);
    late_ns = tmk_job_max_all(t->job, late_ns);
    return tmk_units_seconds(late_ns - ((uint64_t)INT64_MAX - early_ns));
}

/* With -Z: how many files are read how often. */
static void log_hits(struct tmk_ior_job *t)
{
    uint64_t hits[16] = {0};
    uint32_t n = sizeof(hits) / sizeof(hits[0]);

    if (t->plan.conf->reorder_random == 0) {
        return;
    }
    tmk_ior_tasks_hits(&t->run.tasks, 0, hits, n);
    while (n > 1 && hits[n - 1] == 0) {
        n--;
    }
    tmk_ior_log_hits(&t->launch->text, &t->text, hits, n);
}

/* Lines of version 2.10.3, with -vv.  Collective. */
static void log_tasks_all(struct tmk_ior_job *t)
{
    struct tmk_ior_text *text = &t->launch->text;
    double skew_s;

    if (t->plan.conf->verbose < 2) {
        return;
    }
    skew_s = skew_all(t);
    if (t->job->rank == 0) {
        tmk_ior_log_environment(text, &t->text, environ);
        tmk_ior_log_skew(text, &t->text, skew_s);
        tmk_ior_log_tasks(text, &t->text, tmk_ior_log_mapping_of(&t->map.map),
                          host_of, t);
        log_hits(t);
    }
}

/* What holds for the launch if it holds for each test of it. */
static void note_around(struct tmk_ior_job *t, size_t i)
{
    struct tmk_result *result = t->launch->result;

    result->around =
        (i == 0 || result->around) && tmk_ior_cache_is_around(&t->run);
    result->direct =
        (i == 0 || result->direct) && tmk_ior_cache_is_direct(&t->run);
}

/* --debug: the user's own words, at the head of a test. */
static void say_debug(struct tmk_ior_job *t)
{
    const char *debug = t->plan.conf->debug;
    char text[512];

    if (debug != NULL) {
        tmk_quote(text, sizeof(text), debug, strlen(debug));
        tmk_say(t->job, "debug: %s", text);
    }
}

static int run_all(struct tmk_ior_job *t, size_t i)
{
    struct tmk_ior_launch *launch = t->launch;
    void *hog = NULL;
    uint64_t hog_bytes = 0;
    int err = set_up_all(t, i);

    if (err == 0) {
        err = tmk_ior_cache_hog_all(&t->run, &hog, &hog_bytes);
    }
    if (err == 0) {
        struct tmk_ior_plan again;

        describe(t, i);
        make_rows(t, i);
        launch->report.engine = t->run.ops->name;
        launch->report.shared = t->shared;
        tmk_ior_begin_report(launch);
        (void)make_plan(launch, i, &again, true);
        tmk_ior_map_notes(&t->map, t->job, &t->run);
        t->run.goes_elsewhere = !t->map.made_up && tmk_ior_tasks_foreign_share(
                                                       &t->run.tasks, 0) >= 1.0;
        note_around(t, i);
        tmk_ior_cache_notes_all(&t->run);
        say_debug(t);
        if (t->job->rank == 0) {
            tmk_ior_text_test_begin(&launch->text, &t->text);
        }
        log_tasks_all(t);
        tmk_report_test_begin(launch->results.writers, &launch->report,
                              &t->result, "");
        launch->reported = t;
        tmk_ior_steps_all(t);
        launch->reported = NULL;
        finish_test_all(t);
    }
    tmk_ior_cache_unhog(hog, hog_bytes);
    return err;
}

/* What a test writes beside its results. */
static void close_files_all(struct tmk_ior_job *t)
{
    struct tmk_result *result = t->launch->result;

    if (t->plan.conf->status_file != NULL && t->plan.writes &&
        tmk_ior_statusfile_close_all(t->job, t->plan.conf->status_file,
                                     &t->status_out,
                                     t->wrote ? t->first_pairs : 0) != 0) {
        result->status_lost = true;
    }
    tmk_ior_steps_perop_close_all(t);
}

int tmk_ior_test_all(struct tmk_ior_launch *launch, size_t i)
{
    struct tmk_ior_job *t = calloc(1, sizeof(*t));
    struct tmk_job *job = launch->job;
    struct tmk_job sub = {0};
    int err = tmk_job_agree_all(job, t != NULL ? 0 : -ENOMEM);

    if (err != 0 || t == NULL) {
        free(t);
        return err;
    }
    t->launch = launch;
    err = make_plan(launch, i, &t->plan, false);
    if (err == 0 && t->plan.tasks != job->size) {
        err = tmk_job_sub_all(job, t->plan.tasks, &sub);
        t->job = &sub;
    } else {
        t->job = job;
    }
    if (err == 0 && t->job->size != 0) {
        err = run_all(t, i);
        job->interrupted = t->job->interrupted;
        close_files_all(t);
        if (!tmk_trace_files_end_all(&t->trace, t->job, launch->begun,
                                     &t->traced_ops, &t->run.engine)) {
            launch->result->trace_lost = true;
        }
        if (t->engine != NULL) {
            t->engine_ops->close_instance(t->engine);
        }
        tmk_ior_run_fini(&t->run);
        tmk_ior_files_fini(&t->files);
        tmk_ior_map_fini(&t->map);
    }
    if (t->job == &sub) {
        tmk_job_fini_all(&sub);
        tmk_wait_barrier_sleep_all(&job->wait);
    }
    free(t->limits);
    free(t);
    return tmk_job_agree_all(job, err);
}
