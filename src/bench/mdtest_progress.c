/*
 * mdtest_progress: what a person is told while phases run.
 */
#include <stdio.h>

#include "bench/mdtest_launch.h"
#include "run/report_lines.h"

/* SIGUSR1: the tables as they are, in the middle of a phase. */
static void partial_report(void *arg, FILE *to)
{
    const struct tmk_mdtest_launch *launch = arg;
    const struct tmk_report_run *run = &launch->report;
    const struct tmk_result_test *test = launch->reported;
    const struct tmk_writer text[] = {{&tmk_report_text, to}, {NULL, NULL}};

    if (test == NULL) {
        return;
    }
    tmk_report_lines_partial(to, "iteration", test);
    if (run->rates) {
        tmk_report_table(text, run, test, true);
    }
    if (run->times) {
        tmk_report_table(text, run, test, false);
    }
}

void tmk_mdtest_progress_init_all(struct tmk_mdtest_launch *launch)
{
    struct tmk_progress *progress = &launch->progress;

    tmk_progress_init_all(
        progress, launch->job,
        tmk_progress_period_ns(launch->job, &launch->conf.progress));
    tmk_progress_on_report(progress, partial_report, launch);
    launch->job->progress = progress;
}

void tmk_mdtest_progress_fini_all(struct tmk_mdtest_launch *launch)
{
    launch->job->progress = NULL;
    tmk_progress_fini_all(&launch->progress, launch->job);
}

void tmk_mdtest_progress_begin(struct tmk_mdtest_launch *launch,
                               const struct tmk_mdtest_run *run, int phase,
                               int iteration)
{
    const struct tmk_mdtest_phase_row *rows = tmk_mdtest_phase_rows;
    const struct tmk_mdtest_plan *plan = run->plan;
    const enum tmk_mdtest_target target = rows[phase].target;
    struct tmk_progress_round round = {
        .name = rows[phase].said,
        .iteration = iteration,
        .iterations = plan->conf->iterations,
        .planned = plan->operations[phase],
        .limit_ns = tmk_mdtest_phase_limit_ns(plan->conf, phase),
    };

    if (plan->conf->no_barriers && target != TMK_MDTEST_TREE) {
        round.name = target == TMK_MDTEST_DIRS ? "phases on directories"
                                               : "phases on files";
        for (int i = phase + 1; i < TMK_MDTEST_PHASES; i++) {
            round.planned += rows[i].target == target ? plan->operations[i] : 0;
        }
    }
    tmk_progress_begin(&launch->progress, run->job, &round);
}
