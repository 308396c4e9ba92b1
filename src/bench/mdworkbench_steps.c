/*
 * mdworkbench_steps: the phases one after the other, and what becomes of them.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdworkbench_launch.h"
#include "run/failures.h"
#include "run/say.h"

/* Rows of the results: a phase as a whole, or its calls of one kind. */
enum { WHOLE = -1 };

static const struct row {
    const char *name;
    enum tmk_mdworkbench_kind kind;
    int op;
} rows[] = {
    {"precreate", TMK_MDWORKBENCH_PRECREATE, WHOLE},
    {"precreate mkdir", TMK_MDWORKBENCH_PRECREATE, TMK_MDWORKBENCH_MKDIR},
    {"precreate create", TMK_MDWORKBENCH_PRECREATE, TMK_MDWORKBENCH_CREATE},
    {"benchmark", TMK_MDWORKBENCH_BENCHMARK, WHOLE},
    {"benchmark stat", TMK_MDWORKBENCH_BENCHMARK, TMK_MDWORKBENCH_STAT},
    {"benchmark read", TMK_MDWORKBENCH_BENCHMARK, TMK_MDWORKBENCH_READ},
    {"benchmark delete", TMK_MDWORKBENCH_BENCHMARK, TMK_MDWORKBENCH_DELETE},
    {"benchmark create", TMK_MDWORKBENCH_BENCHMARK, TMK_MDWORKBENCH_CREATE},
    {"cleanup", TMK_MDWORKBENCH_CLEANUP, WHOLE},
    {"cleanup delete", TMK_MDWORKBENCH_CLEANUP, TMK_MDWORKBENCH_DELETE},
    {"cleanup rmdir", TMK_MDWORKBENCH_CLEANUP, TMK_MDWORKBENCH_RMDIR},
};
static_assert(sizeof(rows) / sizeof(rows[0]) == TMK_MDWORKBENCH_ROWS,
              "as many rows");

static uint64_t iterations(const struct tmk_mdworkbench_launch *launch)
{
    return launch->plan.runs != 0 ? launch->plan.runs : 1;
}

void tmk_mdworkbench_steps_rows(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_job *job = launch->job;
    const bool percentiles = launch->conf.percentiles != 0 && job->rank == 0;

    launch->test = (struct tmk_result_test){
        .tasks = job->size,
        .nodes = (int)job->layout.map.nodes,
        .ranks_per_node = (int)job->layout.map.most_ranks,
        .items = launch->conf.sets * launch->conf.per_set,
        .iterations = (int)iterations(launch),
        .n_rows = TMK_MDWORKBENCH_ROWS,
    };
    if (percentiles) { /* without memory there is no table */
        launch->latency =
            calloc(TMK_MDWORKBENCH_ROWS, sizeof(*launch->latency));
    }
    for (size_t i = 0; i < TMK_MDWORKBENCH_ROWS; i++) {
        launch->test.rows[i] = (struct tmk_result_row){
            .name = rows[i].name,
            .foreign_share = -1.0,
            .latency = launch->latency != NULL && rows[i].op != WHOLE
                           ? &launch->latency[i]
                           : NULL,
        };
    }
}

/*
 * What came of a phase.
 */

/* Room for one more; false if memory is out. */
static bool grow(struct tmk_mdworkbench_outcome *outcome)
{
    const size_t room = 2 * outcome->room;
    struct tmk_mdworkbench_outcome_phase *more;

    if (outcome->count < outcome->room) {
        return true;
    }
    more = realloc(outcome->phases, room * sizeof(*more));
    if (more == NULL) {
        return false;
    }
    memset(more + outcome->room, 0, (room - outcome->room) * sizeof(*more));
    outcome->phases = more;
    outcome->room = room;
    return true;
}

static void times_of(const struct tmk_phase_result *part, uint64_t *times)
{
    static_assert((int)TMK_MDWORKBENCH_OUTCOME_TIMES ==
                      (int)TMK_MDWORKBENCH_TIMES,
                  "the same times");

    tmk_mdworkbench_text_times(&part->latency, part->min_op_ns, part->max_op_ns,
                               times);
}

static void add_outcome(struct tmk_mdworkbench_launch *launch)
{
    static const enum tmk_mdworkbench_op objects[] = {
        [TMK_MDWORKBENCH_PRECREATE] = TMK_MDWORKBENCH_CREATE,
        [TMK_MDWORKBENCH_BENCHMARK] = TMK_MDWORKBENCH_READ,
        [TMK_MDWORKBENCH_CLEANUP] = TMK_MDWORKBENCH_DELETE,
    };
    struct tmk_mdworkbench_outcome *outcome = launch->outcome;
    const struct tmk_mdworkbench_phase *phase = &launch->phase;
    struct tmk_mdworkbench_outcome_phase *o;
    uint64_t errors = phase->whole.failed;

    if (errors == 0) { /* an interrupt alone */
        errors = phase->whole.missed;
    }
    if (outcome == NULL || !grow(outcome)) {
        return;
    }
    o = &outcome->phases[outcome->count++];
    times_of(&phase->parts[TMK_MDWORKBENCH_CREATE], o->create_ns);
    times_of(&phase->parts[TMK_MDWORKBENCH_READ], o->read_ns);
    times_of(&phase->parts[TMK_MDWORKBENCH_STAT], o->stat_ns);
    times_of(&phase->parts[TMK_MDWORKBENCH_DELETE], o->delete_ns);
    o->errors = errors;
    o->rate_per_s =
        errors != 0 && launch->parts->embedded ? 0.0 : phase->whole.rate_per_s;
    o->max_op_ns = phase->whole.max_op_ns;
    o->time_ns = phase->whole.time_ns;
    o->objects = phase->parts[objects[phase->kind]].operations;
    outcome->errors += errors;
}

static void fold_row(struct tmk_mdworkbench_launch *launch, size_t i)
{
    struct tmk_mdworkbench_phase *phase = &launch->phase;
    struct tmk_phase_result *p =
        rows[i].op == WHOLE ? &phase->whole : &phase->parts[rows[i].op];
    const bool benchmarks = phase->kind == TMK_MDWORKBENCH_BENCHMARK;
    char when[64] = "";

    if (rows[i].op != WHOLE) {
        if (benchmarks) {
            (void)snprintf(when, sizeof(when), "iteration %" PRIu64,
                           phase->run + 1);
        }
        tmk_failures_say(launch->job, p, rows[i].name,
                         benchmarks ? when : rows[i].name, launch->said[i]);
    }
    tmk_result_row_add(&launch->test.rows[i], p, launch->job->barrier_ns);
    tmk_report_phase(launch->results.writers, &launch->report, &launch->test,
                     &launch->test.rows[i], (int)phase->run, p);
}

/* The share of objects that were made on another node than that of the rank
 * that takes them. */
static double foreign_share(const struct tmk_mdworkbench_launch *launch,
                            uint64_t pos, uint64_t steps)
{
    const uint64_t first_end = launch->status.first + launch->conf.per_set;
    uint64_t of_first = 0;

    if (pos < first_end) {
        of_first = first_end - pos < steps ? first_end - pos : steps;
    }
    return steps == 0 ? -1.0
                      : ((double)of_first * launch->foreign_first +
                         (double)(steps - of_first) * launch->foreign) /
                            (double)steps;
}

static void fold_all(struct tmk_mdworkbench_launch *launch)
{
    struct tmk_mdworkbench_phase *phase = &launch->phase;
    struct tmk_result *result = launch->result;

    if (launch->job->rank == 0) {
        tmk_mdworkbench_text_phase(&launch->text, phase);
    }
    result->operations += phase->whole.operations;
    result->failed_operations += phase->whole.failed;
    result->wrong += phase->whole.wrong;
    for (size_t i = 0; i < TMK_MDWORKBENCH_ROWS; i++) {
        if (rows[i].kind == phase->kind &&
            (rows[i].op == WHOLE ||
             tmk_mdworkbench_has(&launch->plan, phase->kind,
                                 (enum tmk_mdworkbench_op)rows[i].op))) {
            fold_row(launch, i);
        }
    }
    add_outcome(launch);
    if (launch->parts->whole != NULL) {
        *launch->parts->whole = phase->whole;
    }
    tmk_mdworkbench_text_reports_all(&launch->text, &launch->run, phase);
}

/* One phase with all that belongs to it; whether another may follow. */
static bool phase_all(struct tmk_mdworkbench_launch *launch,
                      enum tmk_mdworkbench_kind kind, uint64_t number)
{
    struct tmk_mdworkbench_run *run = &launch->run;
    struct tmk_mdworkbench_phase *phase = &launch->phase;
    const struct tmk_mdworkbench_plan *plan = &launch->plan;
    const bool benchmarks = kind == TMK_MDWORKBENCH_BENCHMARK;
    const uint64_t factors =
        plan->runs != 0 && launch->conf.iterations != 0
            ? plan->runs / (uint64_t)launch->conf.iterations
            : 1;
    const uint64_t pos = run->pos;
    const struct tmk_progress_round round = {
        .name = tmk_mdworkbench_kind_names[kind],
        .iteration = (int)number + 1,
        .iterations = benchmarks ? (int)plan->runs : 1,
        .planned = tmk_mdworkbench_planned(run, kind),
        .limit_ns = benchmarks ? run->limit_ns : 0,
    };

    memset(phase, 0, sizeof(*phase));
    phase->kind = kind;
    phase->run = number;
    phase->iteration = benchmarks ? number / factors : 0;
    phase->waiting = tmk_mdworkbench_plan_factor(plan, benchmarks ? number : 0);
    if (kind == TMK_MDWORKBENCH_CLEANUP) {
        phase->iteration = plan->runs / factors;
    }
    launch->test.iterations_done = (int)number + 1;
    tmk_mdworkbench_log_begin_all(&launch->log, run, kind);
    tmk_progress_begin(&launch->progress, launch->job, &round);
    tmk_mdworkbench_phase_all(run, phase);
    tmk_progress_end(&launch->progress);
    tmk_mdworkbench_log_end_all(&launch->log, run, phase);
    if (benchmarks) {
        phase->whole.foreign_share = foreign_share(launch, pos, phase->steps);
    }
    fold_all(launch);
    return launch->job->interrupted == 0 && !phase->whole.full;
}

/*
 * All of them.
 */

/* Whether what follows is worth it. */
static bool precreate_all(struct tmk_mdworkbench_launch *launch)
{
    if (!phase_all(launch, TMK_MDWORKBENCH_PRECREATE, 0)) {
        return false;
    }
    if (launch->phase.whole.failed + launch->phase.whole.missed != 0) {
        launch->run.torn = launch->phase.whole.missed != 0;
        if (launch->plan.benchmarks &&
            launch->conf.ignore_precreate_errors == 0) {
            tmk_say_error(launch->job,
                          "nothing is measured, because not all objects could "
                          "be made (--ignore-precreate-errors does all the "
                          "same)");
            launch->result->broken_off = true;
            return false;
        }
    }
    tmk_mdworkbench_status_save_all(launch, launch->run.torn);
    return true;
}

static bool benchmark_all(struct tmk_mdworkbench_launch *launch)
{
    const bool moves = launch->conf.read_only == 0;
    bool goes_on = true;

    for (uint64_t i = 0; goes_on && i < launch->plan.runs; i++) {
        if (moves) { /* for those who find it after we were killed */
            tmk_mdworkbench_status_save_all(launch, true);
        }
        goes_on = phase_all(launch, TMK_MDWORKBENCH_BENCHMARK, i);
        tmk_mdworkbench_status_save_all(launch, launch->run.torn);
        goes_on = goes_on && !launch->run.torn;
    }
    return goes_on;
}

static uint64_t grace_ns(const struct tmk_mdworkbench_launch *launch)
{
    return (uint64_t)launch->conf.grace_s * UINT64_C(1000000000);
}

/* After a cleanup that did not get everything, or in place of one. */
static void sweep_all(struct tmk_mdworkbench_launch *launch)
{
    const bool interrupted = launch->job->interrupted != 0;
    const uint64_t limit_ns = grace_ns(launch);
    int err = 0;

    if (!interrupted || limit_ns != 0) {
        err = tmk_mdworkbench_site_sweep_all(&launch->site,
                                             interrupted ? limit_ns : 0);
    } else {
        err = -ETIME;
    }
    if (err != 0) {
        launch->result->left_behind = true;
        tmk_say_error(launch->job,
                      "something is left in %s: %s; the same with -3 removes "
                      "it",
                      launch->plan.dir,
                      err == -ETIME ? "there was no time" : strerror(-err));
        return;
    }
    tmk_mdworkbench_status_drop(launch);
    tmk_mdworkbench_site_remove_all(&launch->site);
}

static void cleanup_all(struct tmk_mdworkbench_launch *launch)
{
    struct tmk_mdworkbench_run *run = &launch->run;
    const uint64_t last = iterations(launch) - 1;

    run->sweeps = run->sweeps || run->torn;
    if (!phase_all(launch, TMK_MDWORKBENCH_CLEANUP, last) ||
        launch->phase.whole.failed + launch->phase.whole.missed != 0) {
        sweep_all(launch);
    } else {
        tmk_mdworkbench_site_remove_all(&launch->site);
    }
}

/* After an interrupt or a full disk: what this launch made, or was to remove,
 * goes. */
static void rescue_all(struct tmk_mdworkbench_launch *launch)
{
    const bool ours = launch->plan.precreates || launch->plan.cleans;

    if (ours && launch->conf.keep == 0) {
        sweep_all(launch);
    } else if (launch->run.torn) {
        tmk_say_error(launch->job,
                      "the sets in %s are not alike any more: -3 removes them",
                      launch->plan.dir);
        launch->result->left_behind = true;
    }
}

void tmk_mdworkbench_steps_all(struct tmk_mdworkbench_launch *launch)
{
    const struct tmk_mdworkbench_plan *plan = &launch->plan;
    bool goes_on = true;

    if (plan->precreates) {
        goes_on = precreate_all(launch);
    }
    if (goes_on && plan->benchmarks) {
        goes_on = benchmark_all(launch);
    }
    if (plan->cleans && launch->job->interrupted == 0) {
        launch->run.sweeps = launch->run.sweeps || !goes_on;
        cleanup_all(launch);
    } else if (!goes_on) {
        rescue_all(launch);
    }
}
