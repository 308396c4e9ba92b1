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

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/pattern.h"
#include "base/units.h"
#include "bench/mdtest_conf.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_phases.h"
#include "bench/mdtest_plan.h"
#include "bench/mdtest_site.h"
#include "run/clock.h"
#include "run/phase.h"
#include "run/say.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

enum { ENGINES_MAX = 16 };

/* Everything of one launch. */
struct launch {
    struct tmk_job *job;
    const struct tmk_mdtest_parts *parts;
    struct tmk_mdtest_conf conf;
    const struct tmk_engine_ops *ops;
    void *engine_conf[ENGINES_MAX]; /* owned, of every engine */
    size_t n_engines;
    struct tmk_engine *engine;
    struct tmk_mdtest_root root;
    struct tmk_report_run report;
    struct tmk_result *result;
    uint64_t seed; /* of the shuffle, the same on all ranks */
    int32_t pattern_seed;
    bool removed; /* the items, by a remove phase or in cleaning up */
    /* failures said so far: one message per phase and errno */
    uint8_t said[TMK_MDTEST_PHASES][TMK_ERRNUM_SLOTS];
};

/* One test of a launch: a number of tasks. */
struct test {
    struct launch *launch;
    struct tmk_job *job;
    struct tmk_mdtest_plan plan;
    struct tmk_mdtest_site site;
    struct tmk_mdtest_run run;
    struct tmk_result_test result;
    struct tmk_phase_result phase;
    bool full; /* a create phase gave up for good */
};

/*
 * Options.
 */

/* Tables of mdtest and of every engine; 0 or -ENOMEM. */
static int make_tables(struct launch *launch, struct tmk_opt_table *tables)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    size_t n = 0;

    tables[n++] = (struct tmk_opt_table){
        .title = "Options of mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &launch->conf,
    };
    for (size_t i = 0; engines[i] != NULL && i + 1 < ENGINES_MAX; i++) {
        const struct tmk_engine_ops *ops = engines[i];
        void *conf = calloc(1, ops->conf_size != 0 ? ops->conf_size : 1);

        if (conf == NULL) {
            return -ENOMEM;
        }
        launch->engine_conf[i] = conf;
        if (ops->conf_init != NULL) {
            ops->conf_init(conf);
        }
        tables[n++] = (struct tmk_opt_table){
            .title = ops->name,
            .prefix = ops->prefix,
            .rows = ops->opts,
            .n_rows = ops->n_opts,
            .conf = conf,
        };
    }
    launch->n_engines = n - 1;
    return 0;
}

void tmk_mdtest_help(FILE *to, const struct tmk_engine_ops *const *engines)
{
    const struct tmk_mdtest_parts parts = {.engines = engines};
    struct launch launch = {.parts = &parts};
    struct tmk_opt_table tables[ENGINES_MAX];

    tmk_mdtest_conf_init(&launch.conf);
    if (make_tables(&launch, tables) == 0) {
        fputs("Usage: mdtest -n ITEMS [-b N -z N] [-d DIR] [option...]\n"
              "Metadata rates of a file system, measured by all MPI ranks.\n",
              to);
        tmk_opt_help(tables, launch.n_engines + 1, to);
    }
    for (size_t i = 0; i < ENGINES_MAX; i++) {
        free(launch.engine_conf[i]);
    }
}

/*
 * TREEMARK_LEFTOVERS gives --leftovers its default, for old scripts; rank 0's
 * counts.  0, or -EINVAL, said.  Collective.
 */
static int default_leftovers_all(struct launch *launch)
{
    const char *text = getenv("TREEMARK_LEFTOVERS");
    int choice = TMK_MDTEST_LEFTOVERS_REFUSE;

    if (text != NULL && text[0] != '\0') {
        choice = tmk_mdtest_leftovers_find(text);
    }
    tmk_wait_bcast_all(&launch->job->wait, &choice, 1, MPI_INT);
    if (choice < 0) {
        tmk_say_error(launch->job,
                      "TREEMARK_LEFTOVERS: '%.64s' is not refuse or reuse",
                      text);
        return choice;
    }
    launch->conf.leftovers = choice;
    return 0;
}

/* argv into launch->conf and the engine's conf.  0, TMK_OPT_HELP, -errno. */
static int parse(struct launch *launch, int argc, char **argv)
{
    struct tmk_opt_table tables[ENGINES_MAX] = {0};
    char why[1024] = "out of memory";
    int err;

    tmk_mdtest_conf_init(&launch->conf);
    if (default_leftovers_all(launch) != 0) {
        return -EINVAL;
    }
    err = make_tables(launch, tables);
    if (err == 0) {
        err = tmk_opt_parse(tables, launch->n_engines + 1, argc, argv, why,
                            sizeof(why));
    }
    if (err < 0) {
        tmk_say_error(launch->job, "%s", why);
        return err;
    }
    launch->ops = tmk_engine_find(launch->parts->engines, launch->conf.api);
    if (err == 0 && launch->ops == NULL) {
        char names[256] = "";

        for (size_t i = 0; i < launch->n_engines; i++) {
            size_t used = strlen(names);

            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           i == 0 ? "" : ", ", launch->parts->engines[i]->name);
        }
        tmk_say_error(launch->job, "-a: %.64s is not available here (%s are)",
                      launch->conf.api, names);
        return -EINVAL;
    }
    return err;
}

/* -v and -V both raise it. */
static int verbosity(const struct tmk_mdtest_conf *conf)
{
    int v = (int)(conf->verbose < 100 ? conf->verbose : 100);

    return v > conf->verbosity ? v : conf->verbosity;
}

/* The numbers of tasks: one test, or a scan. */
struct scan {
    int first, last, step;
};

static int plan_scan(const struct tmk_mdtest_conf *conf, int ranks,
                     struct scan *scan, char *why, size_t size)
{
    if (conf->first > ranks || conf->last > ranks) {
        (void)snprintf(why, size, "%s: %d tasks are more than the %d ranks",
                       conf->first > ranks ? "-f" : "-l",
                       conf->first > ranks ? conf->first : conf->last, ranks);
        return -EINVAL;
    }
    *scan = (struct scan){ranks, ranks, 1};
    if (conf->last != 0) {
        *scan = (struct scan){conf->first, conf->last, conf->step};
        if (conf->first > conf->last) {
            (void)snprintf(why, size, "-f: %d is more than -l %d", conf->first,
                           conf->last);
            return -EINVAL;
        }
    }
    return 0;
}

/* A scan that leaves its items meets them in its next test. */
static int check_scan(const struct scan *scan,
                      const struct tmk_mdtest_plan *plan, char *why,
                      size_t size)
{
    if (scan->last - scan->first >= scan->step && plan->creates &&
        !plan->removes) {
        (void)snprintf(why, size,
                       "-f, -l: a scan that creates (-C) must also remove "
                       "(-r), or its tests meet each other's items");
        return -EINVAL;
    }
    return 0;
}

/*
 * Space.
 */

/* Usage of the file system that a path, or its nearest parent, lies on. */
static int find_usage(const struct launch *launch, const char *path,
                      struct tmk_engine_usage *usage)
{
    char near[TMK_ITEM_PATH_SIZE];
    size_t length = strlen(path);
    int err;

    if (launch->ops->usage == NULL || length >= sizeof(near)) {
        return -ENOTSUP;
    }
    memcpy(near, path, length + 1);
    for (;;) {
        err = launch->ops->usage(launch->engine, near, usage);
        if (err != -ENOENT || length == 0) {
            return err;
        }
        while (length > 0 && near[length - 1] == '/') {
            length--;
        }
        while (length > 0 && near[length - 1] != '/') {
            length--;
        }
        if (length == 0) {
            (void)snprintf(near, sizeof(near), ".");
        } else {
            near[length] = '\0';
        }
    }
}

/* Refuse a plan that cannot fit.  Rank 0 looks; agreed.  Collective. */
static int check_space_all(struct launch *launch,
                           const struct tmk_mdtest_plan *plan)
{
    struct tmk_job *job = launch->job;
    struct tmk_report_run *report = &launch->report;
    struct tmk_engine_usage usage = {0};
    char need[32];
    char have[32];
    int err = 0;

    if (job->rank == 0 && find_usage(launch, plan->root, &usage) == 0) {
        report->usage_known = true;
        report->size_bytes = usage.size_bytes;
        report->used_bytes = usage.used_bytes;
        report->inodes = usage.inodes;
        report->used_inodes = usage.inodes - usage.free_inodes;
        if (plan->bytes > usage.free_bytes) {
            tmk_say_error(
                job, "-w, -n: %s are needed at most, %s are free in %s",
                tmk_units_format_bytes(plan->bytes, need, sizeof(need)),
                tmk_units_format_bytes(usage.free_bytes, have, sizeof(have)),
                plan->root);
            err = -ENOSPC;
        } else if (usage.inodes != 0 && plan->inodes > usage.free_inodes) {
            tmk_say_error(job,
                          "-n, -I: %" PRIu64 " inodes are needed, %" PRIu64
                          " are free in %s",
                          plan->inodes, usage.free_inodes, plan->root);
            err = -ENOSPC;
        }
    }
    return tmk_job_agree_all(job, err);
}

static void space_notes(struct launch *launch)
{
    const struct tmk_report_run *report = &launch->report;
    double used;

    if (!report->usage_known || report->size_bytes == 0) {
        return;
    }
    used = (double)report->used_bytes / (double)report->size_bytes;
    if (used > 0.9) {
        tmk_say_warning(launch->job, "NEARLY_FULL",
                        "the file system is %.0f%% full: many slow down then",
                        100.0 * used);
    }
}

/*
 * A test.
 */

static void make_rows(struct test *test)
{
    const bool dirs =
        test->launch->conf.dirs_only != 0 || test->launch->conf.files_only == 0;
    const bool files =
        test->launch->conf.files_only != 0 || test->launch->conf.dirs_only == 0;

    test->result.n_rows = TMK_MDTEST_PHASES;
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        test->result.rows[i] = (struct tmk_result_row){
            .name = row->name,
            .tree = row->target == TMK_MDTEST_TREE,
            .shown = row->target == TMK_MDTEST_TREE ||
                     (row->target == TMK_MDTEST_DIRS ? dirs : files),
            .foreign_share = -1.0,
        };
    }
}

/* One message per phase and errno of the launch, the first of its kind. */
static void say_failures(struct test *test, int phase)
{
    struct launch *launch = test->launch;
    const struct tmk_phase_result *result = &test->phase;

    for (size_t i = 0; i < result->n_failures; i++) {
        const struct tmk_failure *f = &result->failures[i];
        char name[32];

        if (launch->said[phase][f->err]++ != 0) {
            launch->said[phase][f->err] = 1;
            continue;
        }
        tmk_say_error(launch->job,
                      "%s: %s: %s (%s), first on rank %d of host %s; %" PRIu64
                      " failed so",
                      tmk_mdtest_phase_rows[phase].said, f->path,
                      f->err != 0 ? strerror(f->err) : "unknown error",
                      tmk_errnum_name(f->err, name, sizeof(name)), f->rank,
                      f->host, f->count);
    }
}

static void fold_phase(struct test *test, int phase, int iteration)
{
    struct tmk_result *result = test->launch->result;
    const struct tmk_phase_result *p = &test->phase;

    tmk_result_row_add(&test->result.rows[phase], p, test->job->barrier_ns);
    result->operations += p->operations;
    result->failed_operations += p->failed;
    if (p->full && p->failed != 0) {
        test->full = true;
    }
    say_failures(test, phase);
    tmk_say_verbose(test->job, 1, "%-22s %14.3f sec, %14.3f ops/sec",
                    tmk_mdtest_phase_rows[phase].said,
                    tmk_units_seconds(p->time_ns), p->rate_per_s);
    tmk_report_phase(test->launch->parts->writers, &test->launch->report,
                     &test->result, &test->result.rows[phase], iteration, p);
}

/* -p: before the directory tests and before the file tests. */
static void pause_all(struct test *test, int phase, int *last_target)
{
    int target = (int)tmk_mdtest_phase_rows[phase].target;
    int delay_s = test->launch->conf.delay_s;

    if (target != *last_target && target != TMK_MDTEST_TREE && delay_s > 0) {
        tmk_job_sleep((uint64_t)delay_s * 1000000000u);
        (void)tmk_job_interrupted_all(test->job);
    }
    *last_target = target;
}

static void run_phases_all(struct test *test, int iteration)
{
    int last_target = TMK_MDTEST_TREE;

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (!test->plan.on[i]) {
            continue;
        }
        pause_all(test, i, &last_target);
        if (test->job->interrupted != 0) {
            return;
        }
        tmk_mdtest_phase_all(&test->run, (enum tmk_mdtest_phase)i,
                             &test->phase);
        fold_phase(test, i, iteration);
        if (test->job->interrupted != 0) {
            return;
        }
    }
}

/*
 * After an interrupt or a full disk: what this launch created goes, unless
 * its own remove phases have done so or --keep says otherwise.
 */
static void clean_up_all(struct test *test)
{
    struct launch *launch = test->launch;
    const struct tmk_mdtest_conf *conf = &launch->conf;
    bool interrupted = test->job->interrupted != 0;
    bool left = true;
    uint64_t deadline_ns = UINT64_MAX;

    if (!test->plan.creates) {
        return;
    }
    if (interrupted) {
        deadline_ns = tmk_clock_ns() + (uint64_t)conf->grace_s * 1000000000u;
    }
    if (!conf->keep && !launch->root.reuses) {
        left = tmk_mdtest_clean_up_all(&test->run, deadline_ns);
        launch->removed = true;
    } else {
        (void)tmk_mdtest_site_end(&test->site, false);
    }
    if (left) {
        launch->result->left_behind = true;
    }
}

static int run_iterations_all(struct test *test)
{
    const struct tmk_mdtest_conf *conf = &test->launch->conf;
    uint64_t failures = 0;
    int err = 0;

    for (int i = 0; i < conf->iterations; i++) {
        tmk_mdtest_run_begin(&test->run, (uint64_t)i);
        if (test->plan.creates) {
            err = tmk_mdtest_site_begin_all(&test->site, (uint64_t)i);
        }
        test->site.iteration = (uint64_t)i;
        if (err != 0 && i == 0) {
            return err;
        }
        if (err != 0) {
            test->launch->result->broken_off = true;
            break;
        }
        test->result.iterations_done++;
        run_phases_all(test, i);
        if (test->job->interrupted != 0 ||
            (test->full && !test->plan.removes)) {
            break; /* cleaning up comes after the report */
        }
        failures += tmk_mdtest_site_end(&test->site, test->plan.removes);
    }
    if (tmk_job_sum_all(test->job, failures) != 0) {
        tmk_say_error(test->job,
                      "a test directory in %s could not be removed: it holds "
                      "something else",
                      test->plan.root);
        test->launch->result->left_behind = true;
    }
    return 0;
}

/* Phases too short to trust, in one warning. */
static void short_notes(struct test *test)
{
    char names[384] = "";

    for (size_t i = 0; i < test->result.n_rows; i++) {
        const struct tmk_result_row *row = &test->result.rows[i];
        size_t used = strlen(names);

        if (row->too_short != 0) {
            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           used == 0 ? "" : ", ",
                           tmk_mdtest_phase_rows[i].said);
        }
    }
    if (names[0] != '\0') {
        tmk_say_warning(test->job, "TOO_SHORT",
                        "%s: shorter than 100 barriers (%.0f us each), too "
                        "short to trust",
                        names, (double)test->job->barrier_ns / 1000.0);
    }
}

static int set_up_all(struct test *test)
{
    struct launch *launch = test->launch;
    const struct tmk_mdtest_conf *conf = &launch->conf;
    uint32_t rank = (uint32_t)test->job->rank;
    int err;

    test->run = (struct tmk_mdtest_run){
        .job = test->job,
        .plan = &test->plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .site = &test->site,
        /* With -R every rank has its own order, without it all the same. */
        .seed = launch->seed + (conf->random.on ? rank : 0),
    };
    err = tmk_mdtest_run_init_all(&test->run);
    if (err == 0 && test->run.buffer != NULL) {
        tmk_pattern_fill_timestamp(test->run.buffer, conf->write_bytes, rank,
                                   launch->pattern_seed);
    }
    return err;
}

static int run_test_all(struct test *test)
{
    struct launch *launch = test->launch;
    char headline[128];
    int err;

    tmk_mdtest_explain_headline(&test->plan, headline, sizeof(headline));
    tmk_report_test_begin(launch->parts->writers, &launch->report,
                          &test->result, headline);
    err = run_iterations_all(test);
    if (err != 0) {
        return err;
    }
    short_notes(test);
    tmk_report_test_end(launch->parts->writers, &launch->report, &test->result);
    if (test->job->interrupted != 0 || (test->full && !test->plan.removes)) {
        clean_up_all(test);
    }
    return 0;
}

/* One number of tasks: the ranks that take part. */
static int test_all(struct launch *launch, struct tmk_job *job)
{
    struct test *test = calloc(1, sizeof(*test));
    char why[512] = "";
    int err = tmk_job_agree_all(job, test != NULL ? 0 : -ENOMEM);

    if (err != 0) {
        free(test);
        return err;
    }
    test->launch = launch;
    test->job = job;
    test->result.tasks = job->size;
    test->result.nodes = (int)job->layout.map.nodes;
    test->result.iterations = launch->conf.iterations;
    err = tmk_mdtest_plan_make(&launch->conf, &job->layout.map, &test->plan,
                               why, sizeof(why));
    if (err != 0) {
        tmk_say_error(job, "%s", why);
        free(test);
        return err;
    }
    make_rows(test);
    test->site = (struct tmk_mdtest_site){
        .job = job,
        .plan = &test->plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .root = &launch->root,
        .makes_dirs = job->rank == 0,
    };
    launch->removed = test->plan.removes;
    tmk_mdtest_explain_notes(job, &test->plan);
    err = set_up_all(test);
    if (err == 0) {
        err = run_test_all(test);
    }
    tmk_mdtest_run_fini(&test->run);
    tmk_mdtest_site_fini(&test->site);
    launch->job->interrupted = job->interrupted;
    free(test);
    return err;
}

/* Every number of tasks.  0 or -errno, the same on all ranks. */
static int tests_all(struct launch *launch, const struct scan *scan)
{
    struct tmk_job *job = launch->job;

    for (int tasks = scan->first; tasks <= scan->last; tasks += scan->step) {
        struct tmk_job sub;
        int err;

        if (tasks == job->size) {
            err = test_all(launch, job);
        } else {
            err = tmk_job_sub_all(job, tasks, &sub);
            if (sub.size != 0) {
                if (err == 0) {
                    err = test_all(launch, &sub);
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
static void choose_seeds_all(struct launch *launch)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    int64_t seeds[2] = {(int64_t)time(NULL), (int64_t)time(NULL)};

    if (conf->random.seeded) {
        seeds[0] = conf->random.seed;
    } else if (conf->random_seed != 0) {
        seeds[0] = conf->random_seed;
    }
    tmk_wait_bcast_all(&launch->job->wait, seeds, 2, MPI_INT64_T);
    launch->seed = (uint64_t)seeds[0];
    launch->pattern_seed = (int32_t)seeds[1];
    if (conf->random.on || conf->random_seed != 0) {
        tmk_say(launch->job, "random seed: %" PRId64, seeds[0]);
    }
}

/* Every option as it is in force, at verbosity 1 and above. */
static void dump_options(struct launch *launch)
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

/* A plan for a machine that may not be here; nothing is touched. */
static int dry_run(struct launch *launch, const struct tmk_owner_map *here)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    uint32_t nodes = conf->nodes != 0 ? (uint32_t)conf->nodes : here->nodes;
    uint32_t ppn =
        conf->ppn != 0 ? (uint32_t)conf->ppn : here->first_node_ranks;
    uint64_t ranks = (uint64_t)nodes * ppn;
    uint32_t *arrays = NULL;
    struct scan scan;
    struct tmk_owner_map made_up;
    const struct tmk_owner_map *map = here;
    char why[512] = "out of memory";
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0 && (conf->nodes != 0 || conf->ppn != 0)) {
        if (ranks <= INT32_MAX) {
            arrays = calloc(3 * ranks, sizeof(*arrays));
        }
        if (arrays == NULL) {
            err = -ENOMEM;
        } else {
            tmk_owner_block_nodes(arrays, nodes, ppn);
            err = tmk_owner_map_init(&made_up, (uint32_t)ranks, arrays,
                                     arrays + ranks, arrays + 2 * ranks);
            map = &made_up;
        }
    }
    if (err == 0) {
        err = plan_scan(conf, (int)map->ranks, &scan, why, sizeof(why));
    }
    if (err == 0) {
        err = tmk_mdtest_plan_make(conf, map, plan, why, sizeof(why));
    }
    if (err == 0) {
        err = check_scan(&scan, plan, why, sizeof(why));
    }
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    } else {
        tmk_mdtest_explain_plan(launch->job, plan);
        tmk_mdtest_explain_notes(launch->job, plan);
    }
    free(arrays);
    free(plan);
    return err;
}

/* Whether more failed than --tolerate lets pass. */
static bool too_many_failed(const struct launch *launch)
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

/* End the report; the exit status. */
static int finish(struct launch *launch, int err)
{
    struct tmk_result *result = launch->result;

    result->interrupted = launch->job->interrupted;
    result->over_tolerance = too_many_failed(launch);
    if (err != 0) {
        return STATUS_REFUSED;
    }
    tmk_report_end(launch->parts->writers, &launch->report, result);
    if (result->interrupted != 0) {
        return 128 + result->interrupted;
    }
    return result->over_tolerance || result->left_behind || result->broken_off
               ? STATUS_FAILED
               : STATUS_OK;
}

/* Everything that is decided before the report begins. */
static int prepare_all(struct launch *launch, struct scan *scan)
{
    struct tmk_job *job = launch->job;
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    struct tmk_mdtest_site site = {
        .job = job,
        .plan = plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .root = &launch->root,
        .makes_dirs = job->rank == 0,
    };
    char why[512] = "out of memory";
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0) {
        err = plan_scan(&launch->conf, job->size, scan, why, sizeof(why));
    }
    if (err == 0) {
        err = tmk_mdtest_plan_make(&launch->conf, &job->layout.map, plan, why,
                                   sizeof(why));
    }
    if (err == 0) {
        err = check_scan(scan, plan, why, sizeof(why));
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "%s", why);
        free(plan);
        return err;
    }
    launch->report.path = plan->root;
    err = check_space_all(launch, plan);
    if (err == 0) {
        err = tmk_mdtest_site_check_all(&site);
    }
    if (err == 0 && plan->creates) {
        err = tmk_mdtest_site_make_root_all(&site);
    }
    tmk_mdtest_site_fini(&site);
    free(plan);
    return err;
}

/* -d goes if this launch made it and it is empty. */
static void remove_root(struct launch *launch)
{
    const struct tmk_mdtest_plan plan = {.root = launch->report.path};
    struct tmk_mdtest_site site = {
        .plan = &plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .root = &launch->root,
    };

    tmk_mdtest_site_remove_root(&site);
}

static int run_all(struct launch *launch)
{
    struct tmk_job *job = launch->job;
    struct scan scan;
    int err = prepare_all(launch, &scan);

    if (err != 0) {
        return err;
    }
    tmk_job_time_barrier_all(job);
    tmk_report_begin(launch->parts->writers, &launch->report);
    dump_options(launch);
    space_notes(launch);
    choose_seeds_all(launch);
    err = tests_all(launch, &scan);
    if (err != 0 || launch->removed) {
        remove_root(launch);
    }
    if (launch->result->left_behind) {
        tmk_say_error(job,
                      "something of this run is left in %s; rm -r "
                      "'%s'/test-dir.* removes it",
                      launch->report.path, launch->report.path);
    }
    return err;
}

static int open_engine_all(struct launch *launch)
{
    const struct tmk_engine_ops *const *engines = launch->parts->engines;
    int err = 0;

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

static int measure_all(struct launch *launch)
{
    int err = open_engine_all(launch);

    return err != 0 ? err : run_all(launch);
}

int tmk_mdtest_main_all(struct tmk_job *job, int argc, char **argv,
                        const struct tmk_mdtest_parts *parts,
                        struct tmk_result *result)
{
    struct launch *launch = calloc(1, sizeof(*launch));
    char banner[128];
    int status;
    int err = tmk_job_agree_all(job, launch != NULL ? 0 : -ENOMEM);

    *result = (struct tmk_result){0};
    if (err != 0) {
        free(launch);
        return STATUS_FAILED;
    }
    launch->job = job;
    launch->parts = parts;
    launch->result = result;
    (void)snprintf(banner, sizeof(banner), "mdtest-4.1.0+treemark-%s",
                   parts->version);
    err = parse(launch, argc, argv);
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = banner,
        .argc = argc,
        .argv = argv,
        .engine = launch->conf.api,
        .rates = launch->conf.print_both || !launch->conf.print_time,
        .times = launch->conf.print_both || launch->conf.print_time,
    };
    job->verbosity = verbosity(&launch->conf);
    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_mdtest_help(job->out, parts->engines);
        }
        status = STATUS_OK;
    } else if (err != 0) {
        status = STATUS_REFUSED;
    } else if (launch->conf.dry_run) {
        err = dry_run(launch, &job->layout.map);
        status = err != 0 ? STATUS_REFUSED : STATUS_OK;
    } else {
        status = finish(launch, measure_all(launch));
    }
    if (launch->engine != NULL) {
        launch->ops->close_instance(launch->engine);
    }
    for (size_t i = 0; i < ENGINES_MAX; i++) {
        free(launch->engine_conf[i]);
    }
    free(launch);
    return status;
}
