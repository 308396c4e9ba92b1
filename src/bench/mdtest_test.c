/*
 * mdtest_test: one test, a number of tasks: iterations of phases, what is said
 * of them, and cleaning up.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "base/units.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_launch.h"
#include "bench/mdtest_phases.h"
#include "run/clock.h"
#include "run/say.h"

/* One test of a launch: a number of tasks. */
struct test {
    struct tmk_mdtest_launch *launch;
    struct tmk_job *job;
    struct tmk_mdtest_plan plan;
    struct tmk_mdtest_site site;
    struct tmk_mdtest_run run;
    struct tmk_result_test result;
    struct tmk_phase_result phase;
    bool full; /* a create phase gave up for good */
};

static void make_rows(struct test *test)
{
    test->result.n_rows = TMK_MDTEST_PHASES;
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        test->result.rows[i] = (struct tmk_result_row){
            .name = row->name,
            .tree = row->target == TMK_MDTEST_TREE,
            .shown = tmk_mdtest_tests(&test->launch->conf, row->target),
            .foreign_share = -1.0,
        };
    }
}

/* One message per phase and errno of the launch, the first of its kind. */
static void say_failures(struct test *test, int phase, int iteration)
{
    struct tmk_mdtest_launch *launch = test->launch;
    const struct tmk_phase_result *result = &test->phase;

    for (size_t i = 0; i < result->n_failures; i++) {
        const struct tmk_failure *f = &result->failures[i];
        char name[32];

        if (launch->said[phase][f->err]) {
            continue;
        }
        launch->said[phase][f->err] = true;
        tmk_say_error(launch->job,
                      "%s: %s: %s (%s), first on rank %d of host %s; %" PRIu64
                      " failed so in iteration %d",
                      tmk_mdtest_phase_rows[phase].said, f->path,
                      f->err != 0 ? strerror(f->err) : "unknown error",
                      tmk_errnum_name(f->err, name, sizeof(name)), f->rank,
                      f->host, f->count, iteration + 1);
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
    say_failures(test, phase, iteration);
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
    bool no_tree = false;

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (!test->plan.on[i]) {
            continue;
        }
        pause_all(test, i, &last_target);
        if (test->job->interrupted != 0) {
            return;
        }
        if (no_tree && tmk_mdtest_phase_rows[i].target != TMK_MDTEST_TREE) {
            continue; /* nowhere to work */
        }
        tmk_mdtest_phase_all(&test->run, (enum tmk_mdtest_phase)i,
                             &test->phase);
        fold_phase(test, i, iteration);
        no_tree = no_tree || (i == TMK_MDTEST_TREE_CREATE && test->phase.full);
        if (test->job->interrupted != 0) {
            return;
        }
    }
}

/* The remove phases will not come to what this launch created. */
static bool gave_up(const struct test *test)
{
    return test->job->interrupted != 0 || (test->full && !test->plan.removes);
}

/*
 * After an interrupt or a full disk: what this launch created goes, unless
 * its own remove phases have done so or --keep says otherwise.
 */
static void clean_up_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
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

/* The test directories of an iteration.  0 or -errno, said. */
static int begin_iteration_all(struct test *test, int iteration)
{
    int err = 0;

    tmk_mdtest_run_begin(&test->run, (uint64_t)iteration);
    if (test->plan.creates) {
        err = tmk_mdtest_site_begin_all(&test->site, (uint64_t)iteration);
    }
    test->site.iteration = (uint64_t)iteration;
    return err;
}

/* Iterations; the first has begun. */
static void run_iterations_all(struct test *test)
{
    const struct tmk_mdtest_conf *conf = &test->launch->conf;
    int err = 0;

    for (int i = 0; i < conf->iterations; i++) {
        int ended;

        if (i != 0 && begin_iteration_all(test, i) != 0) {
            test->launch->result->broken_off = true;
            break;
        }
        test->result.iterations_done++;
        run_phases_all(test, i);
        if (gave_up(test)) {
            break; /* cleaning up comes after the report */
        }
        ended = tmk_mdtest_site_end(&test->site, test->plan.removes);
        err = ended < err ? ended : err;
    }
    err = tmk_job_agree_all(test->job, err);
    if (err != 0) {
        tmk_say_error(test->job,
                      "a test directory in %s could not be removed: %s",
                      test->plan.root, strerror(-err));
        test->launch->result->left_behind = true;
    }
}

/* Directories that were there before stay: said once a test. */
static void adopted_note_all(struct test *test)
{
    uint64_t n = tmk_job_sum_all(test->job, test->site.n_adopted);

    if (n != 0) {
        tmk_say(test->job, "Directories that were there before: %" PRIu64 "%s",
                n, test->launch->root.reuses ? "" : ", left in place");
    }
}

/* Phases too short to trust, in one warning. */
static void short_notes(struct test *test)
{
    double limit_ms =
        (double)tmk_result_short_ns(test->job->barrier_ns) / 1000000.0;
    char names[384] = "";
    bool all = true;

    for (size_t i = 0; i < test->result.n_rows; i++) {
        const struct tmk_result_row *row = &test->result.rows[i];
        size_t used = strlen(names);

        if (row->too_short != 0) {
            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           used == 0 ? "" : ", ",
                           tmk_mdtest_phase_rows[i].said);
        } else if (row->ran) {
            all = false;
        }
    }
    if (names[0] != '\0') {
        tmk_say_warning(test->job, "TOO_SHORT",
                        "shorter than %.1f ms (100 barriers, 1 ms at least), "
                        "too short to trust: %s",
                        limit_ms, all ? "all phases" : names);
    }
}

static int set_up_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
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
        const struct tmk_pattern pattern = {
            .kind = TMK_PATTERN_TIMESTAMP,
            .seed = launch->pattern_seed,
            .bytes = conf->write_bytes,
        };

        tmk_pattern_begin(&pattern, rank, test->run.buffer, conf->write_bytes);
    }
    return err;
}

static int run_test_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
    char headline[128];
    int err = begin_iteration_all(test, 0);

    if (err != 0) {
        return err;
    }
    tmk_mdtest_begin_report(launch);
    tmk_mdtest_explain_notes(test->job, &test->plan);
    tmk_mdtest_explain_headline(&test->plan, headline, sizeof(headline));
    tmk_report_test_begin(launch->parts->writers, &launch->report,
                          &test->result, headline);
    run_iterations_all(test);
    adopted_note_all(test);
    short_notes(test);
    tmk_report_test_end(launch->parts->writers, &launch->report, &test->result);
    if (gave_up(test)) {
        clean_up_all(test);
    }
    return 0;
}

/* One number of tasks: the ranks that take part. */
int tmk_mdtest_test_all(struct tmk_mdtest_launch *launch, struct tmk_job *job)
{
    struct test *test = calloc(1, sizeof(*test));
    char why[512] = "";
    int err = tmk_job_agree_all(job, test != NULL ? 0 : -ENOMEM);

    if (err != 0 || test == NULL) {
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
