/*
 * mdtest_test: one test, a number of tasks: iterations of phases, what is said
 * of them, and cleaning up.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_launch.h"
#include "bench/mdtest_phases.h"
#include "run/clock.h"
#include "run/failures.h"
#include "run/report_lines.h"
#include "run/say.h"

/* One test of a launch: a number of tasks. */
struct test {
    struct tmk_mdtest_launch *launch;
    struct tmk_job *job;
    struct tmk_mdtest_conf conf; /* the launch's, but for -n of --min-time */
    struct tmk_mdtest_plan plan;
    struct tmk_mdtest_site site;
    struct tmk_mdtest_run run;
    struct tmk_result_test result;
    struct tmk_phase_result phase;
    struct tmk_ranks ranks;
    struct tmk_result_latency *latency; /* of the rows; owned; may be NULL */
    bool full;                          /* a create phase gave up for good */
    bool counts;          /* phases are results, not a warm-up or a pilot */
    uint64_t shortest_ns; /* phase on items of an iteration that does not */
    int shortest;
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
    char when[64];

    (void)snprintf(when, sizeof(when), "%s %d",
                   test->counts ? "iteration" : "uncounted iteration",
                   iteration + 1);
    tmk_failures_say(test->launch->job, &test->phase,
                     tmk_mdtest_phase_rows[phase].said, when,
                     test->launch->said[phase]);
}

/* The line of the original where not all had made everything in time. */
static void say_wall(const struct test *test, int phase)
{
    const struct tmk_phase_wall *wall = &test->phase.wall;

    if (wall->on && wall->hit &&
        tmk_mdtest_phase_rows[phase].action == TMK_MDTEST_CREATE) {
        tmk_say(test->job,
                "Continue stonewall hit min: %" PRIu64 " max: %" PRIu64
                " avg: %.1f \n",
                wall->min, wall->max, (double)wall->sum / test->job->size);
    }
}

/* Data that takes a good part of a phase is not the file system's doing. */
static void say_aside(const struct test *test, int phase)
{
    const double much = 0.05;

    if (test->phase.aside_share > much) {
        tmk_say_verbose(test->job, 1,
                        "%s: %.0f%% of the time went into filling and "
                        "checking data",
                        tmk_mdtest_phase_rows[phase].said,
                        100.0 * test->phase.aside_share);
    }
}

/* A phase of a warm-up or a pilot: only what failed in it counts. */
static void note_shortest(struct test *test, int phase)
{
    if (tmk_mdtest_phase_rows[phase].target != TMK_MDTEST_TREE &&
        test->phase.time_ns < test->shortest_ns) {
        test->shortest_ns = test->phase.time_ns;
        test->shortest = phase;
    }
}

static void tell_listener(const struct test *test, int phase, int iteration)
{
    const struct tmk_mdtest_listener *listener = test->launch->parts->listener;

    if (listener != NULL && listener->phase != NULL) {
        listener->phase(listener->state, test->job->size, phase, iteration,
                        &test->phase);
    }
}

static void fold_phase(struct test *test, int phase, int iteration)
{
    struct tmk_result *result = test->launch->result;
    const struct tmk_phase_result *p = &test->phase;

    if (test->counts) {
        tmk_result_row_add(&test->result.rows[phase], p, test->job->barrier_ns);
        tmk_ranks_add(&test->ranks, (size_t)phase, iteration, &test->run.phase,
                      p);
        result->operations += p->operations;
    } else {
        note_shortest(test, phase);
    }
    result->failed_operations += p->failed;
    result->wrong += p->wrong;
    result->check_failed =
        result->check_failed || (p->check.on && !p->check.ok);
    if (p->full && p->failed != 0) {
        test->full = true;
    }
    say_failures(test, phase, iteration);
    if (!test->counts) {
        return;
    }
    say_wall(test, phase);
    say_aside(test, phase);
    tmk_mdtest_status_note_all(test->launch, &test->run, phase, p);
    tmk_say_verbose(test->job, 1, "%-22s %14.3f sec, %14.3f ops/sec",
                    tmk_mdtest_phase_rows[phase].said,
                    tmk_units_seconds(p->time_ns), p->rate_per_s);
    tmk_report_lines_intervals(test->job, tmk_mdtest_phase_rows[phase].said,
                               &test->phase.intervals);
    tell_listener(test, phase, iteration);
    tmk_report_phase(test->launch->results.writers, &test->launch->report,
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

/* The phases on one kind of items without barriers between them. */
static void run_group_all(struct test *test, int first, int iteration)
{
    const enum tmk_mdtest_target target = tmk_mdtest_phase_rows[first].target;

    tmk_mdtest_group_begin_all(&test->run);
    for (int i = first; i < TMK_MDTEST_PHASES; i++) {
        if (test->plan.on[i] && tmk_mdtest_phase_rows[i].target == target) {
            tmk_mdtest_group_run(&test->run, (enum tmk_mdtest_phase)i);
        }
    }
    for (size_t i = 0; i < test->run.n_kept; i++) {
        int phase =
            (int)tmk_mdtest_group_combine_all(&test->run, i, &test->phase);

        tmk_progress_end(&test->launch->progress);
        fold_phase(test, phase, iteration);
    }
}

/* Whether a phase has been run with the group of an earlier one. */
static bool grouped(const struct test *test, int phase)
{
    const struct tmk_mdtest_phase_row *rows = tmk_mdtest_phase_rows;

    if (!test->conf.no_barriers || rows[phase].target == TMK_MDTEST_TREE) {
        return false;
    }
    for (int i = 0; i < phase; i++) {
        if (test->plan.on[i] && rows[i].target == rows[phase].target) {
            return true;
        }
    }
    return false;
}

static void run_phases_all(struct test *test, int iteration)
{
    int last_target = TMK_MDTEST_TREE;
    bool no_tree = false;

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const bool tree = tmk_mdtest_phase_rows[i].target == TMK_MDTEST_TREE;

        if (test->plan.on[i] && no_tree && !tree) { /* nowhere to work */
            test->result.rows[i].missed +=
                test->counts ? test->plan.operations[i] : 0;
            continue;
        }
        if (!test->plan.on[i] || grouped(test, i)) {
            continue;
        }
        pause_all(test, i, &last_target);
        if (test->job->interrupted != 0) {
            return;
        }
        tmk_mdtest_progress_begin(test->launch, &test->run, i,
                                  test->counts ? iteration + 1 : 0);
        if (test->conf.no_barriers && !tree) {
            run_group_all(test, i, iteration);
        } else {
            tmk_mdtest_phase_all(&test->run, (enum tmk_mdtest_phase)i,
                                 &test->phase);
            tmk_progress_end(&test->launch->progress);
            fold_phase(test, i, iteration);
        }
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

/* Iterations that will not be run: their operations are not tried. */
static void miss_iterations(struct test *test)
{
    uint64_t rest =
        (uint64_t)(test->conf.iterations - test->result.iterations_done);

    for (size_t i = 0; i < test->result.n_rows; i++) {
        test->result.rows[i].missed += rest * test->plan.operations[i];
    }
}

/*
 * Iterations, after those of the warm-up, which have the place of the first.
 * The first of all has begun.
 */
static void run_iterations_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
    const struct tmk_mdtest_conf *conf = &test->conf;
    const int first = -conf->warmup;
    int err = 0;

    for (int i = first; i < conf->iterations; i++) {
        int place = i < 0 ? 0 : i;
        int ended;

        if (i != first && begin_iteration_all(test, place) != 0) {
            test->launch->result->broken_off = true;
            break;
        }
        test->counts = i >= 0;
        test->result.iterations_done += test->counts;
        test->run.perop = test->counts ? &launch->outputs.perop : NULL;
        run_phases_all(test, place);
        if (gave_up(test)) {
            break; /* cleaning up comes after the report */
        }
        ended = tmk_mdtest_site_end(&test->site, test->plan.removes);
        err = ended < err ? ended : err;
    }
    if (test->job->interrupted == 0) {
        miss_iterations(test);
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
    const struct tmk_mdtest_conf *conf = &test->conf;
    uint32_t rank = (uint32_t)test->job->rank;

    test->run = (struct tmk_mdtest_run){
        .job = test->job,
        .plan = &test->plan,
        .ops = launch->ops,
        .engine = launch->engine,
        .site = &test->site,
        /* With -R every rank has its own order, without it all the same. */
        .seed = launch->seed + (conf->random.on ? rank : 0),
        .pattern_seed = launch->pattern_seed,
        .status = launch->has_status ? &launch->status : NULL,
    };
    return tmk_mdtest_run_init_all(&test->run);
}

/* The phases after a remount that failed: said once a test. */
static void remounts_note(const struct test *test)
{
    uint64_t n = test->run.remounts_failed;

    if (n != 0) {
        tmk_say_error(test->job,
                      "--remount failed before %" PRIu64
                      " phases, which may have been on another file system",
                      n);
        test->launch->result->commands_failed = true;
    }
}

/* Commands of the user's that failed: said once a test. */
static void commands_note_all(struct test *test)
{
    const struct tmk_mdtest_run *run = &test->run;
    uint64_t n = tmk_job_sum_all(test->job, run->command_failures);
    int status = run->command_status > 0 ? run->command_status : 127;
    uint64_t worst;

    if (n == 0) {
        return;
    }
    worst = tmk_job_max_all(test->job,
                            run->command_failures != 0 ? (uint64_t)status : 0);
    tmk_say_error(test->job,
                  "a command run before or after a phase%s%s%s failed %" PRIu64
                  " times (highest status: %" PRIu64 ")",
                  run->command != NULL ? " (" : "",
                  run->command != NULL ? run->command : "",
                  run->command != NULL ? ")" : "", n, worst);
    test->launch->result->commands_failed = true;
}

/* A later launch that checks the data has to know its seed. */
static void seed_note(const struct test *test)
{
    const struct tmk_mdtest_plan *plan = &test->plan;

    if (plan->on[TMK_MDTEST_FILE_CREATE] && !plan->on[TMK_MDTEST_FILE_READ] &&
        test->conf.write_bytes != 0 && test->conf.pattern_seed == -1) {
        tmk_say(test->job, "data seed: %" PRId32 " (-G)",
                test->launch->pattern_seed);
    }
}

/* The line of the original behind the tables. */
static void wrong_note(const struct test *test, uint64_t wrong)
{
    if (wrong != 0) {
        tmk_say(test->job,
                "\nERROR: verification failed with %" PRIu64
                " error%s: what was read is not what was written, and the "
                "results are not to be relied on\n",
                wrong, wrong == 1 ? "" : "s");
    }
}

static const char *shared_name(enum tmk_mdtest_shared shared)
{
    switch (shared) {
    case TMK_MDTEST_SHARED_YES: return "shared";
    case TMK_MDTEST_SHARED_PER_NODE: return "per node";
    case TMK_MDTEST_SHARED_MIXED: return "mixed";
    default: return NULL;
    }
}

/* Whether data goes around the page cache, or nowhere at all. */
static bool is_direct(const struct tmk_mdtest_launch *launch)
{
    return !launch->ops->stores ||
           (launch->ops->direct != NULL && launch->ops->direct(launch->engine));
}

static int run_test_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
    uint64_t wrong = launch->result->wrong;
    char headline[128];
    int err = begin_iteration_all(test, 0);

    if (err != 0) {
        return err;
    }
    launch->report.shared = shared_name(test->site.shared);
    tmk_mdtest_begin_report(launch);
    tmk_mdtest_explain_notes(test->job, &test->plan, is_direct(launch));
    seed_note(test);
    tmk_mdtest_explain_headline(&test->plan, headline, sizeof(headline));
    tmk_report_test_begin(launch->results.writers, &launch->report,
                          &test->result, headline);
    run_iterations_all(test);
    commands_note_all(test);
    remounts_note(test);
    adopted_note_all(test);
    short_notes(test);
    tmk_mdtest_outputs_test_all(launch, test->job, &test->ranks, &test->result);
    wrong_note(test, launch->result->wrong - wrong);
    if (gave_up(test)) {
        clean_up_all(test);
    }
    return 0;
}

/* Plan and set up for test->conf.  0 or -errno, said. */
static int open_test_all(struct test *test)
{
    struct tmk_mdtest_launch *launch = test->launch;
    struct tmk_job *job = test->job;
    char why[512] = "";
    int err = tmk_mdtest_plan_make(&test->conf, &job->layout.map, &test->plan,
                                   why, sizeof(why));

    if (err != 0) {
        tmk_say_error(job, "%s", why);
        return err;
    }
    tmk_mdtest_plan_settle(&test->plan, (uint32_t)job->rank);
    make_rows(test);
    test->result.items = test->plan.items;
    tmk_mdtest_site_init(&test->site, job, &test->plan, &launch->root,
                         launch->ops, launch->engine);
    launch->removed = test->plan.removes;
    return set_up_all(test);
}

static void close_test(struct test *test)
{
    tmk_mdtest_run_fini(&test->run);
    tmk_mdtest_site_fini(&test->site);
}

/*
 * One iteration that does not count, with test->conf.items.  Returns 0, or
 * -errno, said, if it could not begin.
 */
static int try_items_all(struct test *test)
{
    int err = open_test_all(test);

    test->shortest_ns = UINT64_MAX;
    test->counts = false;
    if (err == 0) {
        err = tmk_mdtest_space_all(test->launch, &test->plan, test->job);
    }
    if (err == 0) {
        err = begin_iteration_all(test, 0);
    }
    if (err == 0) {
        tmk_mdtest_begin_report(test->launch);
        run_phases_all(test, 0);
        if (gave_up(test)) {
            clean_up_all(test);
        } else {
            (void)tmk_mdtest_site_end(&test->site, true);
        }
    }
    close_test(test);
    return err;
}

/*
 * --min-time: raise test->conf.items until each phase on items takes so long.
 * Every rank sees the same times and comes to the same number.  The growth of
 * one round is bounded, because a first phase of a few items says little.
 */
static int find_items_all(struct test *test)
{
    const uint64_t limit_ns = (uint64_t)test->conf.min_time_s * 1000000000u;
    const double most = 64.0;
    int err = 0;

    if (limit_ns == 0) {
        return 0;
    }
    for (;;) {
        double grow;

        err = try_items_all(test);
        if (err != 0 || gave_up(test) || test->shortest_ns >= limit_ns) {
            break;
        }
        grow = 1.2 * (double)limit_ns / (double)(test->shortest_ns + 1);
        grow = grow < most ? grow : most;
        test->conf.items =
            (uint64_t)((double)test->plan.items * (grow > 1.2 ? grow : 1.2)) +
            test->plan.tree.dirs;
        tmk_say_verbose(test->job, 1,
                        "--min-time: %s took %.3f s; trying -n %" PRIu64,
                        tmk_mdtest_phase_rows[test->shortest].said,
                        tmk_units_seconds(test->shortest_ns), test->conf.items);
    }
    if (err == 0 && !gave_up(test)) {
        test->conf.items = test->plan.items;
        tmk_say(test->job,
                "--min-time: -n %" PRIu64 " (%s, the shortest phase, took "
                "%.3f s)",
                test->conf.items, tmk_mdtest_phase_rows[test->shortest].said,
                tmk_units_seconds(test->shortest_ns));
    }
    return err;
}

/* One number of tasks: the ranks that take part. */
int tmk_mdtest_test_all(struct tmk_mdtest_launch *launch, struct tmk_job *job)
{
    struct test *test = calloc(1, sizeof(*test));
    int err = tmk_job_agree_all(job, test != NULL ? 0 : -ENOMEM);

    if (err != 0 || test == NULL) {
        free(test);
        return err;
    }
    test->launch = launch;
    test->job = job;
    test->conf = launch->conf;
    test->result.tasks = job->size;
    test->result.nodes = (int)job->layout.map.nodes;
    test->result.ranks_per_node = (int)job->layout.map.most_ranks;
    test->result.iterations = launch->conf.iterations;
    launch->reported = &test->result;
    err = find_items_all(test);
    if (err == 0 && !gave_up(test)) {
        err = open_test_all(test);
        if (err == 0) {
            err = tmk_mdtest_outputs_ranks_all(launch, job, test->result.n_rows,
                                               &test->ranks);
        }
        if (err == 0) {
            err = tmk_mdtest_outputs_latency_all(launch, job, &test->result,
                                                 &test->latency);
        }
        if (err == 0) {
            err = run_test_all(test);
        }
        tmk_ranks_fini(&test->ranks);
        free(test->latency);
        close_test(test);
    }
    launch->reported = NULL;
    launch->job->interrupted = job->interrupted;
    free(test);
    return err;
}
