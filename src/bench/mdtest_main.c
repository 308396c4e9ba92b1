/*
 * mdtest_main: from argv to a result.
 *
 *     conf (asked) -> plan (decided) -> site, phases (done) -> result ->
 * writers
 *
 * Every rank parses and plans for itself, so that all come to the same end
 * without a word; what a rank meets on disk is agreed on.
 */
#include "bench/mdtest_main.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "bench/mdtest_dry.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_launch.h"
#include "bench/mdtest_scan.h"
#include "run/machine.h"
#include "run/say.h"
#include "run/verdict.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

/* -v and -V both raise it. */
static int verbosity(const struct tmk_mdtest_conf *conf)
{
    int v = (int)(conf->verbose < 100 ? conf->verbose : 100);

    return v > conf->verbosity ? v : conf->verbosity;
}

/* Every option as it was given, at verbosity 1 and above. */
static void dump_options(struct tmk_mdtest_launch *launch)
{
    for (size_t i = 0; i < tmk_mdtest_n_opts; i++) {
        const struct tmk_opt *row = &tmk_mdtest_opts[i];
        char value[256];

        tmk_opt_show(row, &launch->conf, value, sizeof(value));
        if (row->name != NULL) {
            tmk_say_verbose(launch->job, 1, "--%-20s %s", row->name, value);
        } else {
            tmk_say_verbose(launch->job, 1, "-%-21c %s", row->key, value);
        }
    }
}

/* --leftovers=clean. */
static void say_cleaned(struct tmk_mdtest_launch *launch)
{
    const struct tmk_result_cleaned *cleaned = &launch->root.cleaned;

    launch->result->cleaned = *cleaned;
    if (cleaned->done) {
        tmk_say(launch->job,
                "removed %" PRIu64 " files and %" PRIu64
                " directories of an earlier run in %.3f s",
                cleaned->files, cleaned->dirs,
                tmk_units_seconds(cleaned->time_ns));
    }
}

void tmk_mdtest_begin_report(struct tmk_mdtest_launch *launch)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;

    if (launch->begun) {
        return;
    }
    launch->begun = true;
    tmk_report_begin(launch->results.writers, &launch->report);
    tmk_say_release(launch->job);
    say_cleaned(launch);
    tmk_mdtest_unused_notes(launch);
    dump_options(launch);
    tmk_mdtest_space_notes(launch);
    if (conf->random.on || conf->random_seed != 0 || conf->random_remove) {
        tmk_say(launch->job, "random seed: %" PRId64, (int64_t)launch->seed);
    }
    tmk_mdtest_status_say(launch);
}

/* Every number of tasks.  0 or -errno, the same on all ranks. */
static int tests_all(struct tmk_mdtest_launch *launch,
                     const struct tmk_mdtest_scan *scan)
{
    struct tmk_job *job = launch->job;

    for (int tasks = scan->first; tasks <= scan->last; tasks += scan->step) {
        struct tmk_job sub = {0};
        int err;

        if (tasks == job->size) {
            err = tmk_mdtest_test_all(launch, job);
        } else {
            err = tmk_job_sub_all(job, tasks, &sub);
            if (sub.size != 0) {
                if (err == 0) {
                    err = tmk_mdtest_test_all(launch, &sub);
                }
                tmk_job_fini_all(&sub);
            }
            tmk_wait_barrier_sleep_all(&job->wait);
        }
        err = tmk_job_agree_all(job, err);
        if (err != 0) {
            return err;
        }
        if (tmk_job_interrupted_all(job) != 0 ||
            tasks > INT32_MAX - scan->step) {
            break;
        }
    }
    return 0;
}

/*
 * The launch.
 */

/* Seeds that all ranks share: as given, or from rank 0's clock. */
static int choose_seeds_all(struct tmk_mdtest_launch *launch,
                            const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    int64_t seeds[2] = {(int64_t)time(NULL), (int64_t)time(NULL)};

    if (conf->random.seeded) {
        seeds[0] = conf->random.seed;
    } else if (conf->random_seed != 0) {
        seeds[0] = conf->random_seed;
    }
    if (conf->pattern_seed != -1) {
        seeds[1] = conf->pattern_seed;
    } else if (launch->has_status && launch->status.has_seed) {
        seeds[1] = launch->status.seed;
    } else if (conf->verify_read && !plan->creates) {
        tmk_say_error(launch->job,
                      "-X: which seed was the data made with? Give the -G of "
                      "the run that created the files, or its status file "
                      "(-x)");
        return -EINVAL;
    }
    tmk_wait_bcast_all(&launch->job->wait, seeds, 2, MPI_INT64_T);
    launch->seed = (uint64_t)seeds[0];
    launch->pattern_seed = (int32_t)seeds[1];
    return 0;
}

/* Whether more failed than --tolerate lets pass. */
static bool too_many_failed(const struct tmk_mdtest_launch *launch)
{
    const struct tmk_mdtest_tolerance *tolerate = &launch->conf.tolerate;
    const struct tmk_result *result = launch->result;
    uint64_t all = result->operations + result->failed_operations;
    double allowed = (double)tolerate->failures;

    if (tolerate->percent > 0.0) {
        allowed = tolerate->percent / 100.0 * (double)all;
    }
    return (double)result->failed_operations > allowed;
}

/* Whether anything was warned of, but for what most runs are warned of. */
static bool warned(const struct tmk_job *job)
{
    for (size_t i = 0; i < job->warnings->n; i++) {
        if (strcmp(job->warnings->list[i].code, "READ_ZERO") != 0) {
            return true;
        }
    }
    return false;
}

static void say_verdict(struct tmk_mdtest_launch *launch)
{
    struct tmk_verdict verdict;

    tmk_verdict_make(&verdict, launch->report.kind, launch->result,
                     launch->job->warnings);
    tmk_say(launch->job, "verdict: %s", verdict.text);
}

/* End the report; the exit status. */
static int finish(struct tmk_mdtest_launch *launch, int err)
{
    struct tmk_result *result = launch->result;
    const bool refused = err != 0 && !launch->begun;

    result->interrupted = launch->job->interrupted;
    result->over_tolerance = too_many_failed(launch);
    result->warned = launch->conf.warning_as_errors && warned(launch->job);
    if (!refused) {
        result->broken_off = result->broken_off || err != 0;
        tmk_report_end(launch->results.writers, &launch->report, result);
        launch->ended = true;
    }
    tmk_mdtest_outputs_close_all(launch);
    if (refused && result->interrupted == 0) {
        return STATUS_REFUSED;
    }
    if (!refused) {
        say_verdict(launch);
    }
    if (result->interrupted != 0) {
        return 128 + result->interrupted;
    }
    return result->over_tolerance || result->left_behind ||
                   result->broken_off || result->commands_failed ||
                   result->check_failed || result->status_lost ||
                   result->output_failed || result->trace_lost || result->warned
               ? STATUS_FAILED
               : STATUS_OK;
}

/* What is asked of an engine that cannot do it.  0 or -ENOTSUP, said. */
static int check_engine(struct tmk_mdtest_launch *launch)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    const struct tmk_engine_ops *ops = launch->ops;
    const char *what = NULL;

    if (conf->access == TMK_MDTEST_ACCESS_DIRFD && ops->relative == NULL) {
        what = "--access=dirfd: items cannot be named relative to a directory";
    } else if (conf->mknod && ops->mknod == NULL) {
        what = "-k: there is no mknod";
    } else if (!ops->stores && (conf->drop_caches != NULL ||
                                conf->remount != NULL || conf->sync_fs != 0)) {
        what = "--drop-caches, --remount, --sync: nothing is stored";
    } else if (!ops->stores && conf->check != 0) {
        what = "--check: nothing is stored that could be counted";
    } else if ((conf->verify_read || conf->verify_write) && !ops->stores) {
        what = "-X, --verify-write: nothing is stored that could be checked";
    }
    if (what != NULL) {
        tmk_say_error(launch->job, "%s with -a %s", what, ops->name);
    }
    return what != NULL ? -ENOTSUP : 0;
}

/* Everything that is decided before the report begins. */
static int prepare_all(struct tmk_mdtest_launch *launch,
                       struct tmk_mdtest_scan *scan)
{
    struct tmk_job *job = launch->job;
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    struct tmk_mdtest_site site;
    char why[512] = "out of memory";
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0) {
        err = tmk_mdtest_scan_make(&launch->conf, job->size, scan, why,
                                   sizeof(why));
    }
    if (err == 0) {
        err = tmk_mdtest_plan_make(&launch->conf, &job->layout.map, plan, why,
                                   sizeof(why));
    }
    if (err == 0) {
        err = tmk_mdtest_scan_check(scan, plan, why, sizeof(why));
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0 || plan == NULL) {
        tmk_say_error(job, "%s", why);
        free(plan);
        return err;
    }
    memcpy(launch->root_path, plan->root_text, sizeof(launch->root_path));
    launch->report.path = launch->root_path;
    tmk_mdtest_plan_settle(plan, (uint32_t)job->rank);
    tmk_mdtest_site_init(&site, job, plan, &launch->root, launch->ops,
                         launch->engine);
    err = tmk_mdtest_status_read_all(launch, plan);
    if (err == 0) {
        err = check_engine(launch);
    }
    if (err == 0) {
        err = choose_seeds_all(launch, plan);
    }
    if (err == 0) {
        err = tmk_mdtest_space_all(launch, plan, job);
    }
    if (err == 0) {
        err = tmk_mdtest_site_check_all(&site);
    }
    if (err == 0) {
        err = tmk_mdtest_status_open_all(launch, plan);
    }
    if (err == 0 && plan->creates) {
        err = tmk_mdtest_site_make_root_all(&site);
    }
    if (err == 0) {
        /* After -d is there, because the files may be in it. */
        err = tmk_mdtest_outputs_open_all(launch, plan, scan->last);
        if (err != 0) {
            (void)tmk_mdtest_site_remove_root(&site);
        }
    }
    tmk_mdtest_site_fini(&site);
    free(plan);
    return err;
}

/*
 * -d goes if this launch made it, it is empty and `remove` says so on the rank
 * that made it: ranks outside of a scan do not know what became of its items.
 * Collective.
 */
static void remove_root_all(struct tmk_mdtest_launch *launch, bool remove)
{
    char root[TMK_ITEM_PATH_SIZE];
    const struct tmk_mdtest_plan plan = {.root = root};
    int64_t roots =
        tmk_mdtest_plan_root(launch->conf.dir, 0, root, sizeof(root));
    uint64_t k = (uint64_t)launch->job->rank % (uint64_t)roots;
    struct tmk_mdtest_site site = {
        .plan = &plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .root = &launch->root,
    };
    int err;

    if (tmk_mdtest_plan_root(launch->conf.dir, k, root, sizeof(root)) < 0) {
        root[0] = '\0';
    }
    err = remove ? tmk_mdtest_site_remove_root(&site) : 0;
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "removing directory %s: %s",
                      launch->report.path, strerror(-err));
        launch->result->left_behind = true;
    }
}

static int run_all(struct tmk_mdtest_launch *launch)
{
    struct tmk_job *job = launch->job;
    struct tmk_mdtest_scan scan = {0};
    int err = prepare_all(launch, &scan);

    if (err == 0) {
        err = tmk_results_hosts_all(job);
    }
    if (err != 0) {
        return err;
    }
    tmk_machine_time_barrier_all(job);
    tmk_mdtest_progress_init_all(launch);
    err = tests_all(launch, &scan);
    tmk_mdtest_progress_fini_all(launch);
    if (err != 0) { /* -d may go, unless it holds what was committed */
        tmk_mdtest_outputs_close_all(launch);
    }
    if (launch->result->left_behind) {
        char line[TMK_MDTEST_EXPLAIN_CLEAN_SIZE];

        tmk_mdtest_explain_clean(launch->conf.dir, line, sizeof(line));
        tmk_say_error(job, "something is left in %s; %s removes it",
                      launch->report.path, line);
    }
    remove_root_all(launch, err != 0 || launch->removed);
    return err;
}

static int open_engine_all(struct tmk_mdtest_launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    const struct tmk_engine_ops *ops = launch->ops;
    int err = 0;

    assert(ops != NULL); /* parsing has seen to that */
    if (ops->mkdir == NULL || ops->rmdir == NULL || ops->stat == NULL ||
        ops->create == NULL || ops->open == NULL || ops->close == NULL ||
        ops->unlink == NULL || ops->rename == NULL || ops->read == NULL ||
        ops->write == NULL || ops->fsync == NULL || ops->sync == NULL ||
        ops->list == NULL) {
        tmk_say_error(launch->job, "-a: %s has no calls for directories",
                      ops->name);
        return -ENOTSUP;
    }
    for (size_t i = 0; i < launch->n_engines; i++) {
        if (engines[i] == launch->ops) {
            launch->engine = launch->ops->open_instance(
                launch->engine_conf[i], (unsigned)launch->job->rank, &err);
        }
    }
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "-a %s: %s", launch->ops->name,
                      strerror(-err));
    }
    return err;
}

static int measure_all(struct tmk_mdtest_launch *launch)
{
    int err = open_engine_all(launch);

    if (err == 0) {
        err = tmk_trace_files_begin_all(&launch->trace, launch->job,
                                        launch->conf.trace, &launch->ops,
                                        &launch->engine);
    }
    if (err == 0) {
        err = run_all(launch);
    }
    if (!tmk_trace_files_end_all(&launch->trace, launch->job, launch->begun,
                                 &launch->ops, &launch->engine)) {
        launch->result->output_failed = true;
    }
    return err;
}

int tmk_mdtest_main_all(struct tmk_job *job, int argc, char **argv,
                        const struct tmk_mdtest_parts *parts,
                        struct tmk_result *result)
{
    struct tmk_mdtest_launch *launch = calloc(1, sizeof(*launch));
    char banner[128];
    int status;
    int err = tmk_job_agree_all(job, launch != NULL ? 0 : -ENOMEM);

    *result = (struct tmk_result){0};
    if (err != 0 || launch == NULL) {
        free(launch);
        return STATUS_FAILED;
    }
    launch->job = job;
    launch->parts = parts;
    for (size_t i = 0; parts->writers[i].ops != NULL; i++) {
        tmk_results_add(&launch->results, parts->writers[i]);
    }
    launch->result = result;
    (void)snprintf(banner, sizeof(banner), "mdtest-4.1.0+treemark-%s",
                   parts->version);
    tmk_say_hold(job);
    err = tmk_mdtest_parse_all(launch, argc, argv);
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = banner,
        .kind = "mdtest",
        .version = parts->version,
        .version_git = parts->version_git,
        .label = launch->conf.label,
        .semantics = launch->conf.semantics == TMK_MDTEST_AS_MDTEST_4_1
                         ? "mdtest-4.1"
                         : "treemark",
        .started = time(NULL),
        .tables = launch->tables,
        .n_tables = launch->n_engines + 1,
        .argc = argc,
        .argv = argv,
        .engine = launch->ops != NULL ? launch->ops->name : "",
        .rates = launch->conf.print_both || !launch->conf.print_time,
        .times = launch->conf.print_both || launch->conf.print_time,
        .tables_1_9 = launch->conf.table == TMK_MDTEST_TABLE_1_9,
        .rank_columns = launch->conf.rank_statistics,
    };
    job->verbosity = verbosity(&launch->conf);
    tmk_results_yield(&launch->results, job, launch->conf.json,
                      launch->conf.csv);
    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_mdtest_help(job->out, parts->engines);
        }
        status = STATUS_OK;
    } else if (err != 0) {
        status = STATUS_REFUSED;
    } else if (launch->conf.dry_run) {
        err = tmk_mdtest_dry_run(launch);
        status = err != 0 ? STATUS_REFUSED : STATUS_OK;
    } else {
        if (parts->listener != NULL && parts->listener->planned != NULL) {
            parts->listener->planned(parts->listener->state,
                                     launch->conf.iterations);
        }
        status = finish(launch, measure_all(launch));
    }
    if (launch->engine != NULL && launch->ops != NULL) {
        launch->ops->close_instance(launch->engine);
    }
    for (size_t i = 0; i < TMK_MDTEST_ENGINES_MAX; i++) {
        free(launch->engine_conf[i]);
    }
    tmk_mdtest_status_close(launch);
    free(launch);
    return status;
}
