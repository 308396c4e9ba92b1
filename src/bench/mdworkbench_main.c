/*
 * mdworkbench_main: from argv to a result.
 *
 *     conf (asked) -> plan (decided) -> site, steps, phases (done) -> result
 *     -> text, writers
 *
 * Every rank parses and plans for itself, so that all come to the same end
 * without a word; what a rank meets on disk is agreed on.
 */
#include "bench/mdworkbench_main.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "bench/mdworkbench_launch.h"
#include "run/clock.h"
#include "run/machine.h"
#include "run/say.h"
#include "run/verdict.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

/*
 * The report.
 */

static void begin_report(struct tmk_mdworkbench_launch *launch)
{
    launch->begun = true;
    launch->text.began_ns = tmk_clock_ns();
    if (launch->job->rank == 0) {
        tmk_mdworkbench_text_begin(&launch->text, launch->argc, launch->argv,
                                   launch->report.started);
    }
    tmk_report_begin(launch->results.writers, &launch->report);
    tmk_say_release(launch->job);
    tmk_mdworkbench_unused_notes(launch);
    tmk_machine_notes(launch->job, &launch->job->layout.map, true);
}

/* Phases too short to trust, in one warning. */
static void short_notes(struct tmk_mdworkbench_launch *launch)
{
    char names[64] = "";

    for (int kind = 0; kind < TMK_MDWORKBENCH_KINDS; kind++) {
        const char *name = tmk_mdworkbench_kind_names[kind];

        for (size_t i = 0; i < launch->test.n_rows; i++) {
            const struct tmk_result_row *row = &launch->test.rows[i];
            size_t used = strlen(names);

            if (row->too_short != 0 && strcmp(row->name, name) == 0) {
                (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                               used == 0 ? "" : ", ", name);
            }
        }
    }
    if (names[0] != '\0') {
        tmk_say_warning(
            launch->job, "TOO_SHORT",
            "shorter than %.1f ms (100 barriers, 1 ms at least), too short to "
            "trust: %s",
            (double)tmk_result_short_ns(launch->job->barrier_ns) / 1e6, names);
    }
}

static void end_report(struct tmk_mdworkbench_launch *launch)
{
    short_notes(launch);
    if (launch->job->rank == 0) {
        tmk_mdworkbench_text_latency(&launch->text, &launch->test);
        tmk_mdworkbench_text_end(&launch->text);
    }
    tmk_report_test_end(launch->results.writers, &launch->report,
                        &launch->test);
}

static int finish_all(struct tmk_mdworkbench_launch *launch, int err)
{
    struct tmk_result *result = launch->result;
    const bool refused = err != 0 && !launch->begun;
    struct tmk_verdict verdict;

    result->interrupted = launch->job->interrupted;
    result->over_tolerance = result->failed_operations != 0;
    result->warned =
        launch->conf.warning_as_errors != 0 && launch->job->warnings->n != 0;
    result->output_failed = result->output_failed || launch->log.lost;
    if (!refused) {
        result->broken_off = result->broken_off || err != 0;
        tmk_report_end(launch->results.writers, &launch->report, result);
    }
    if (!tmk_results_close_all(&launch->results, launch->job)) {
        result->output_failed = true;
    }
    if (refused && result->interrupted == 0) {
        return STATUS_REFUSED;
    }
    if (!refused && launch->conf.quiet == 0) {
        tmk_verdict_make(&verdict, launch->report.kind, result,
                         launch->job->warnings);
        tmk_say(launch->job, "verdict: %s", verdict.text);
    }
    if (result->interrupted != 0) {
        return 128 + result->interrupted;
    }
    return result->over_tolerance || result->left_behind ||
                   result->broken_off || result->status_lost ||
                   result->output_failed || result->trace_lost || result->warned
               ? STATUS_FAILED
               : STATUS_OK;
}

/*
 * What is decided before the report begins.
 */

static const char *engine_lacks(const struct tmk_engine_ops *ops,
                                const struct tmk_mdworkbench_conf *conf)
{
    if (ops->mkdir == NULL || ops->rmdir == NULL || ops->stat == NULL ||
        ops->create == NULL || ops->open == NULL || ops->close == NULL ||
        ops->unlink == NULL || ops->read == NULL || ops->write == NULL ||
        ops->list == NULL) {
        return "it has no calls for directories";
    }
    if (conf->verify != 0 && !ops->stores) {
        return "-X: nothing is stored that could be checked";
    }
    return NULL;
}

static int check_all(struct tmk_mdworkbench_launch *launch)
{
    const char *lack = engine_lacks(launch->ops, &launch->conf);
    char why[512] = "";
    int err;

    if (lack != NULL) {
        tmk_say_error(launch->job, "-a %s: %s", launch->ops->name, lack);
        return -ENOTSUP;
    }
    err = tmk_mdworkbench_plan_make(&launch->plan, &launch->conf,
                                    (uint32_t)launch->job->size,
                                    launch->parts->embedded, why, sizeof(why));
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    }
    return err;
}

/* Shares of objects from other nodes; ranks on few nodes may want another -O.
 * Collective. */
static void learn_foreign_all(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_owner_map *map = &launch->job->layout.map;
    const double all = (double)launch->conf.sets * map->ranks;
    const uint32_t rank = (uint32_t)launch->job->rank;

    launch->foreign_first =
        (double)tmk_job_sum_all(
            launch->job,
            tmk_mdworkbench_plan_foreign(&launch->plan, map, rank, true)) /
        all;
    launch->foreign =
        (double)tmk_job_sum_all(
            launch->job,
            tmk_mdworkbench_plan_foreign(&launch->plan, map, rank, false)) /
        all;
    if (launch->plan.benchmarks && map->nodes > 1 &&
        launch->foreign_first < 0.5) {
        tmk_say_warning(launch->job, "SAME_NODE",
                        "%.0f%% of the objects are taken on the node that made "
                        "them: -O %" PRIu32 " goes to another one",
                        100.0 * (1.0 - launch->foreign_first),
                        map->first_node_ranks);
    }
}

static void plan_notes(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_conf *conf = &launch->conf;

    if (launch->plan.in_step) {
        tmk_say_warning(launch->job, "IN_STEP",
                        "-I is more than -P: ranks wait for each other after "
                        "every %" PRIu64 " objects of a set",
                        conf->per_set);
    } else if (launch->plan.benchmarks && conf->read_only != 0 &&
               conf->steps > conf->per_set) {
        tmk_say_warning(launch->job, "TOO_FEW",
                        "-I is more than -P: with --read-only there are not as "
                        "many objects, and the rest of them fails");
    }
}

static int open_engine_all(struct tmk_mdworkbench_launch *launch)
{
    enum { LEAST_BLOCK = 512 };
    const struct tmk_engine_ops *ops = launch->ops;
    int err = 0;

    for (size_t i = 0; i < launch->n_engines; i++) {
        if (launch->parts->engines[i] == ops) {
            launch->engine = ops->open_instance(
                launch->engine_conf[i], (unsigned)launch->job->rank, &err);
        }
    }
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "-a %s: %s", ops->name, strerror(-err));
    } else if (ops->direct != NULL && ops->direct(launch->engine) &&
               launch->conf.bytes % LEAST_BLOCK != 0) {
        tmk_say_error(launch->job,
                      "-S: %" PRIu64 " bytes cannot be transferred with "
                      "O_DIRECT: a multiple of %d can",
                      launch->conf.bytes, (int)LEAST_BLOCK);
        err = -EINVAL;
    }
    return err;
}

/* Whatever may refuse the launch.  0 or -errno, said. */
static int prepare_all(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_plan *plan = &launch->plan;
    struct tmk_mdworkbench_site *site = &launch->site;
    const bool embedded = launch->parts->embedded;
    int err = 0;

    if (plan->precreates) {
        err = tmk_mdworkbench_site_make_all(site);
    }
    if (err == 0 && !embedded && plan->precreates) {
        err = tmk_mdworkbench_site_share_all(site);
    }
    if (err == 0 && plan->precreates) {
        err = tmk_mdworkbench_site_leftovers_all(site, launch->conf.leftovers);
    }
    if (err == 0) {
        err = tmk_mdworkbench_site_space_all(site, &launch->report, embedded);
    }
    if (err == 0) {
        err = tmk_mdworkbench_status_load_all(launch);
    }
    if (err == 0) {
        launch->status.made_dir = site->made_dir;
        err = tmk_mdworkbench_status_open_all(launch);
    }
    if (err == 0) {
        err = tmk_mdworkbench_log_open_all(&launch->log, launch->job, plan);
    }
    launch->report.shared = site->shared;
    if (err == 0) {
        err =
            tmk_results_open_all(&launch->results, launch->job, &launch->report,
                                 launch->conf.json, launch->conf.csv);
    }
    if (err != 0 && plan->precreates) { /* as it was before */
        tmk_mdworkbench_site_remove_all(site);
    }
    return err == 0 ? tmk_results_hosts_all(launch->job) : err;
}

static int set_up_all(struct tmk_mdworkbench_launch *launch)
{
    struct tmk_job *job = launch->job;
    int err = open_engine_all(launch);

    if (err == 0) {
        err = tmk_trace_files_begin_all(&launch->trace, job, launch->conf.trace,
                                        &launch->ops, &launch->engine);
    }
    if (err != 0) {
        return err;
    }
    launch->run.job = job;
    launch->run.plan = &launch->plan;
    launch->run.ops = launch->ops;
    launch->run.engine = launch->engine;
    launch->run.limit_ns =
        (uint64_t)launch->conf.stonewall_s * UINT64_C(1000000000);
    launch->site.run = &launch->run;
    err = tmk_job_agree_all(job, tmk_mdworkbench_run_init(&launch->run, 0));
    if (err != 0) {
        tmk_say_error(job, "-S: buffers of %" PRIu64 " bytes: %s",
                      launch->conf.bytes, strerror(-err));
    }
    return err;
}

/*
 * The launch.
 */

static int run_all(struct tmk_mdworkbench_launch *launch)
{
    struct tmk_job *job = launch->job;
    int err = set_up_all(launch);

    if (err == 0) {
        err = prepare_all(launch);
    }
    if (err != 0) {
        return err;
    }
    learn_foreign_all(launch);
    plan_notes(launch);
    tmk_machine_time_barrier_all(job);
    tmk_progress_init_all(&launch->progress, job,
                          tmk_progress_period_ns(job, &launch->conf.progress));
    job->progress = &launch->progress;
    tmk_mdworkbench_steps_rows(launch);
    begin_report(launch);
    tmk_report_test_begin(launch->results.writers, &launch->report,
                          &launch->test, "");
    tmk_mdworkbench_steps_all(launch);
    end_report(launch);
    job->progress = NULL;
    tmk_progress_fini_all(&launch->progress, job);
    return 0;
}

static int measure_all(struct tmk_mdworkbench_launch *launch)
{
    int err = run_all(launch);

    if (!tmk_trace_files_end_all(&launch->trace, launch->job, launch->begun,
                                 &launch->ops, &launch->engine)) {
        launch->result->trace_lost = true;
    }
    return err;
}

/* --dry-run. */
static void explain(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_plan *plan = &launch->plan;
    const struct tmk_mdworkbench_conf *conf = &launch->conf;
    struct tmk_job *job = launch->job;
    char bytes[32];

    (void)tmk_units_format_bytes(plan->bytes, bytes, sizeof(bytes));
    tmk_say(job,
            "%" PRIu32 " ranks with %" PRIu64 " sets of %" PRIu64
            " objects each: %" PRIu64 " objects, %s, in %s",
            plan->ranks, conf->sets, conf->per_set, plan->objects, bytes,
            plan->dir);
    if (plan->precreates) {
        tmk_say(job, "precreate: %" PRIu64 " mkdir, %" PRIu64 " create",
                plan->inodes - plan->objects, plan->objects);
    }
    if (plan->benchmarks) {
        tmk_say(job,
                "benchmark: %" PRIu64 " times stat, read%s of %" PRIu64
                " objects",
                plan->runs, conf->read_only != 0 ? "" : ", delete and create",
                conf->steps * conf->sets * plan->ranks);
        tmk_say(job,
                "rank 0 takes from set 0 of rank %" PRIu32
                " and refills that of rank %" PRIu32,
                tmk_mdworkbench_plan_source(plan, 0, 0),
                tmk_mdworkbench_plan_target(plan, 0, 0));
    }
    if (plan->cleans) {
        tmk_say(job, "cleanup: %" PRIu64 " delete, %" PRIu64 " rmdir",
                plan->objects, plan->inodes - plan->objects);
    }
}

static int launch_all(struct tmk_mdworkbench_launch *launch, int err)
{
    struct tmk_job *job = launch->job;
    const struct tmk_mdworkbench_conf *conf = &launch->conf;

    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_mdworkbench_help(job->out, launch->parts->engines);
        }
        return STATUS_OK;
    }
    if (err != 0 || check_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    job->verbosity = (int)(conf->verbose < 100 ? conf->verbose : 100);
    launch->report.label = conf->label;
    launch->report.engine = launch->ops->name;
    launch->report.path = launch->plan.dir;
    if (conf->dry_run != 0) {
        explain(launch);
        return STATUS_OK;
    }
    tmk_results_yield(&launch->results, job, conf->json, conf->csv);
    launch->text.out = job->out;
    return finish_all(launch, measure_all(launch));
}

/* At least 2 of them, as IO500 looks at, all zeros. */
static void begin_outcome(struct tmk_mdworkbench_outcome *outcome)
{
    enum { LEAST = 2 };

    *outcome = (struct tmk_mdworkbench_outcome){0};
    outcome->phases = calloc(LEAST, sizeof(*outcome->phases));
    outcome->room = outcome->phases != NULL ? LEAST : 0;
}

void tmk_mdworkbench_outcome_fini(struct tmk_mdworkbench_outcome *outcome)
{
    free(outcome->phases);
    *outcome = (struct tmk_mdworkbench_outcome){0};
}

static void release(struct tmk_mdworkbench_launch *launch)
{
    tmk_mdworkbench_run_fini(&launch->run);
    if (launch->engine != NULL && launch->ops != NULL) {
        launch->ops->close_instance(launch->engine);
    }
    tmk_output_close(launch->status_out);
    tmk_mdworkbench_parse_fini(launch);
    free(launch->latency);
    free(launch);
}

int tmk_mdworkbench_main_all(struct tmk_job *job, int argc, char *const *argv,
                             const struct tmk_mdworkbench_parts *parts,
                             struct tmk_result *result,
                             struct tmk_mdworkbench_outcome *outcome)
{
    struct tmk_mdworkbench_launch *launch = calloc(1, sizeof(*launch));
    char banner[128];
    int status;
    int err = launch != NULL ? 0 : -ENOMEM;

    *result = (struct tmk_result){0};
    if (outcome != NULL) {
        begin_outcome(outcome);
        err = outcome->phases == NULL ? -ENOMEM : err;
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0 || launch == NULL) {
        tmk_say_error(job, "out of memory");
        free(launch);
        return STATUS_FAILED;
    }
    launch->job = job;
    launch->parts = parts;
    launch->argc = argc;
    launch->argv = argv;
    launch->result = result;
    launch->outcome = outcome;
    (void)snprintf(banner, sizeof(banner), "mdworkbench-4.1.0+treemark-%s",
                   parts->version);
    launch->text = (struct tmk_mdworkbench_text){
        .out = job->out,
        .plan = &launch->plan,
        .layout = &job->layout,
        .banner = banner,
    };
    tmk_say_hold(job);
    err = tmk_mdworkbench_parse_all(launch, argc, argv);
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = banner,
        .kind = "mdworkbench",
        .version = parts->version,
        .version_git = parts->version_git,
        .semantics = "treemark",
        .started = time(NULL),
        .tables = launch->tables,
        .n_tables = launch->n_engines + 1,
        .argc = argc,
        .argv = argv,
        .engine = "",
    };
    status = launch_all(launch, err);
    if (outcome != NULL && status != STATUS_OK && outcome->errors == 0) {
        outcome->errors = 1;
    }
    release(launch);
    return status;
}

int tmk_mdworkbench_run_all(MPI_Comm comm, int argc, char *const *argv,
                            FILE *out,
                            const struct tmk_mdworkbench_parts *parts,
                            struct tmk_mdworkbench_outcome *outcome)
{
    struct tmk_job *job = malloc(sizeof(*job));
    struct tmk_result result;
    int status = STATUS_FAILED;

    if (job == NULL ||
        tmk_job_init_all(job, comm, "mdworkbench", out, out) != 0) {
        begin_outcome(outcome);
        outcome->errors = 1;
    } else {
        status =
            tmk_mdworkbench_main_all(job, argc, argv, parts, &result, outcome);
    }
    if (job != NULL) {
        tmk_job_fini_all(job);
    }
    free(job);
    return status;
}
