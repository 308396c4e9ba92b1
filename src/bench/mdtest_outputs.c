/*
 * mdtest_outputs: what a launch writes beside its report, and what it says of
 * single ranks.
 */
#include "bench/mdtest_outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/mdtest_launch.h"
#include "run/say.h"

static bool is_original(const struct tmk_mdtest_launch *launch)
{
    return launch->conf.semantics == TMK_MDTEST_AS_MDTEST_4_1;
}

/* 0 or -errno, said: the same on all ranks. */
static int open_details_all(struct tmk_mdtest_launch *launch)
{
    struct tmk_job *job = launch->job;
    struct tmk_mdtest_outputs *outputs = &launch->outputs;
    const char *path = launch->conf.rank_details;
    int err = 0;

    if (path == NULL) {
        return 0;
    }
    if (job->rank == 0) {
        err = tmk_output_open(path, job->id, &outputs->details_file);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--saveRankPerformanceDetails: %s: %s", path,
                      strerror(-err));
        return err;
    }
    outputs->details = (struct tmk_report_details){
        .out = outputs->details_file,
        .original = is_original(launch),
    };
    tmk_results_add(&launch->results,
                    (struct tmk_writer){.ops = &tmk_report_details,
                                        .state = &outputs->details});
    return 0;
}

/* The original has files of phases on files alone. */
static int open_perop_all(struct tmk_mdtest_launch *launch,
                          const struct tmk_mdtest_plan *plan, int ranks)
{
    struct tmk_job *job = launch->job;
    const struct tmk_perop_how how = {
        .prefix = launch->conf.per_op,
        .rank = job->rank,
        .original = is_original(launch),
    };
    const char *names[TMK_MDTEST_PHASES];
    size_t n = 0;
    int err = 0;

    if (how.prefix == NULL) {
        return 0;
    }
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        if (plan->on[i] && (!how.original || row->target == TMK_MDTEST_FILES)) {
            names[n++] = row->name;
        }
    }
    if (job->rank < ranks) {
        err = tmk_perop_open(&launch->outputs.perop, &how, names, n);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--savePerOpDataCSV: %s-...: %s", how.prefix,
                      strerror(-err));
    }
    return err;
}

int tmk_mdtest_outputs_open_all(struct tmk_mdtest_launch *launch,
                                const struct tmk_mdtest_plan *plan, int ranks)
{
    int err = open_details_all(launch);

    if (err == 0) {
        err =
            tmk_results_open_all(&launch->results, launch->job, &launch->report,
                                 launch->conf.json, launch->conf.csv);
    }
    if (err == 0) {
        err = open_perop_all(launch, plan, ranks);
    }
    return err;
}

static void judge_all(struct tmk_mdtest_launch *launch, int err,
                      const char *option, const char *path)
{
    if (!tmk_results_judge_all(launch->job, err, option, path)) {
        launch->result->output_failed = true;
    }
}

void tmk_mdtest_outputs_close_all(struct tmk_mdtest_launch *launch)
{
    struct tmk_mdtest_outputs *outputs = &launch->outputs;
    const struct tmk_mdtest_conf *conf = &launch->conf;

    if (conf->rank_details != NULL) {
        judge_all(launch, outputs->details.err, "--saveRankPerformanceDetails",
                  conf->rank_details);
        outputs->details.err = 0;
        tmk_output_close(outputs->details_file);
        outputs->details_file = NULL;
    }
    /* The end of the report is written to them. */
    if ((!launch->begun || launch->ended) &&
        !tmk_results_close_all(&launch->results, launch->job)) {
        launch->result->output_failed = true;
    }
    if (conf->per_op != NULL) {
        judge_all(launch, tmk_perop_close(&outputs->perop),
                  "--savePerOpDataCSV", conf->per_op);
    }
}

/*
 * Single ranks.
 */

int tmk_mdtest_outputs_ranks_all(struct tmk_mdtest_launch *launch,
                                 struct tmk_job *job, size_t rows,
                                 struct tmk_ranks *ranks)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    bool each = conf->print_all_procs || conf->rank_details != NULL;
    int err = tmk_ranks_init(ranks, job, rows, conf->iterations, each);

    if (!each) {
        return err; /* nothing was allocated */
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "-i: results of %d iterations on each rank: %s",
                      conf->iterations, strerror(-err));
    }
    return err;
}

int tmk_mdtest_outputs_latency_all(struct tmk_mdtest_launch *launch,
                                   struct tmk_job *job,
                                   struct tmk_result_test *test,
                                   struct tmk_result_latency **latency)
{
    int err = 0;

    *latency = NULL;
    if (!launch->conf.percentiles) {
        return 0;
    }
    if (job->rank == 0) {
        *latency = calloc(test->n_rows, sizeof(**latency));
        err = *latency != NULL ? 0 : -ENOMEM;
    }
    for (size_t i = 0; *latency != NULL && i < test->n_rows; i++) {
        test->rows[i].latency = &(*latency)[i];
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--percentiles: %s", strerror(-err));
    }
    return err;
}

static void table_all(struct tmk_mdtest_launch *launch, struct tmk_job *job,
                      struct tmk_ranks *ranks,
                      const struct tmk_result_test *test, bool rates)
{
    if (launch->conf.print_all_procs) {
        for (int i = 0; i < test->iterations_done; i++) {
            struct tmk_result_ranks all = tmk_ranks_gather_all(ranks, job, i);

            tmk_report_table_ranks(launch->results.writers, &launch->report,
                                   test, &all, rates);
        }
    }
    tmk_report_table(launch->results.writers, &launch->report, test, rates);
}

/* A full buffer of operations had to be written inside of a phase. */
static void perop_notes_all(struct tmk_mdtest_launch *launch,
                            struct tmk_job *job)
{
    struct tmk_perop *po = &launch->outputs.perop;
    uint64_t took_ns[TMK_PEROP_PHASES_MAX] = {0};
    uint64_t longest_ns = 0;
    char names[384] = "";

    for (size_t i = 0; i < po->n_files; i++) {
        took_ns[i] = tmk_perop_flushed(po, i);
    }
    tmk_wait_allreduce_all(&job->wait, took_ns, TMK_PEROP_PHASES_MAX,
                           MPI_UINT64_T, MPI_MAX);
    for (size_t i = 0; i < po->n_files; i++) {
        size_t used = strlen(names);

        if (took_ns[i] != 0) {
            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           used == 0 ? "" : ", ", po->files[i].name);
        }
        longest_ns = took_ns[i] > longest_ns ? took_ns[i] : longest_ns;
    }
    if (longest_ns != 0) {
        tmk_say_warning(job, "PEROP_FLUSHED",
                        "--savePerOpDataCSV: more operations than fit into "
                        "memory; writing them took up to %.3f s of: %s",
                        tmk_units_seconds(longest_ns), names);
    }
}

void tmk_mdtest_outputs_test_all(struct tmk_mdtest_launch *launch,
                                 struct tmk_job *job, struct tmk_ranks *ranks,
                                 struct tmk_result_test *test)
{
    const struct tmk_mdtest_conf *conf = &launch->conf;
    const struct tmk_report_run *report = &launch->report;

    if (conf->per_op != NULL) {
        perop_notes_all(launch, job);
    }
    if (conf->rank_statistics) {
        tmk_ranks_spread_all(ranks, job, test);
    }
    if (report->rates) {
        table_all(launch, job, ranks, test, true);
    }
    if (report->times) {
        table_all(launch, job, ranks, test, false);
    }
    if (conf->percentiles) {
        tmk_report_latency(launch->results.writers, report, test);
    }
    if (conf->rank_details != NULL) {
        for (int i = 0; i < test->iterations_done; i++) {
            struct tmk_result_ranks all = tmk_ranks_gather_all(ranks, job, i);

            tmk_report_ranks(launch->results.writers, report, test, &all);
        }
    }
    tmk_report_test_end(launch->results.writers, report, test);
}
