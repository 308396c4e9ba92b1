/*
 * ior_main: from argv to a result.
 *
 *     ior_parse (asked) -> ior_plan (decided) -> ior_test, ior_phases (done)
 *     -> result -> ior_text, writers
 *
 * Every rank parses and plans for itself, so that all come to the same end
 * without a word; what a rank meets on disk is agreed on.
 */
#include "bench/ior_main.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "bench/ior_launch.h"
#include "run/clock.h"
#include "run/machine.h"
#include "run/provenance.h"
#include "run/say.h"
#include "run/verdict.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

static const struct tmk_ior_conf *first(const struct tmk_ior_launch *launch)
{
    return tmk_ior_launch_conf(launch, 0);
}

/* Where results go to the standard output, what is said goes to the other. */
static void free_standard_output(struct tmk_ior_launch *launch)
{
    const struct tmk_ior_conf *conf = first(launch);
    struct tmk_job *job = launch->job;
    const bool theirs =
        conf->format != TMK_IOR_FORMAT_TEXT && conf->summary_file == NULL;
    FILE *out = job->out;

    tmk_results_yield(&launch->results, job, conf->json, conf->csv);
    launch->text.out = job->out;
    if (theirs && job->out == out) {
        job->out = job->err;
    }
    launch->text.log = job->out;
}

/*
 * Files beside the report.
 */

/* A file of rank 0's, checked before anything is measured.  Collective. */
static int open_file_all(struct tmk_ior_launch *launch, const char *option,
                         const char *path, struct tmk_output **out, FILE **to)
{
    struct tmk_job *job = launch->job;
    int err = 0;

    if (path == NULL) {
        return 0;
    }
    if (job->rank == 0) {
        err = tmk_output_open(path, job->id, out);
        err = err == 0 ? tmk_output_anew(*out, to) : err;
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "%s: %s: %s", option, path, strerror(-err));
    }
    return err;
}

static int open_files_all(struct tmk_ior_launch *launch)
{
    const struct tmk_ior_conf *conf = first(launch);
    int err = open_file_all(launch, "--summaryFile", conf->summary_file,
                            &launch->summary_out, &launch->text.out);

    if (err == 0) {
        err = open_file_all(launch, "--saveRankPerformanceDetailsCSV",
                            conf->rank_details, &launch->ranks_out,
                            &launch->ranks_file);
    }
    if (err == 0) {
        err = tmk_results_open_all(&launch->results, launch->job,
                                   &launch->report, conf->json, conf->csv);
    }
    return err;
}

/* Whether it was written; said if not.  Collective. */
static void commit_all(struct tmk_ior_launch *launch, const char *option,
                       const char *path, struct tmk_output **out)
{
    int err = 0;

    if (path == NULL) {
        return;
    }
    if (*out != NULL && launch->begun) {
        err = tmk_output_commit(*out);
    }
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "%s: writing %s: %s", option, path,
                      strerror(-err));
        launch->result->output_failed = true;
    }
    tmk_output_close(*out);
    *out = NULL;
}

static void close_files_all(struct tmk_ior_launch *launch)
{
    const struct tmk_ior_conf *conf = first(launch);

    commit_all(launch, "--summaryFile", conf->summary_file,
               &launch->summary_out);
    commit_all(launch, "--saveRankPerformanceDetailsCSV", conf->rank_details,
               &launch->ranks_out);
    if (!tmk_results_close_all(&launch->results, launch->job)) {
        launch->result->output_failed = true;
    }
}

/*
 * The report.
 */

void tmk_ior_begin_report(struct tmk_ior_launch *launch)
{
    const struct tmk_ior_text_run run = {
        .banner = launch->report.banner,
        .started = launch->report.started,
        .argc = launch->argc,
        .argv = launch->argv,
        .format = (enum tmk_ior_format)first(launch)->format,
        .verbosity = launch->job->verbosity,
        .summary_at_end = true,
    };

    if (launch->begun) {
        return;
    }
    launch->begun = true;
    if (launch->job->rank == 0) {
        if (first(launch)->summary_file != NULL) {
            tmk_say(launch->job, "Results go to %s",
                    first(launch)->summary_file);
        }
        tmk_ior_text_begin(&launch->text, &run);
        if (launch->ranks_file != NULL) {
            tmk_ior_text_ranks_header(launch->ranks_file);
        }
    }
    tmk_report_begin(launch->results.writers, &launch->report);
    tmk_say_release(launch->job);
}

/* Whether anything was warned of. */
static bool warned(const struct tmk_job *job)
{
    return job->warnings->n != 0;
}

static int finish_all(struct tmk_ior_launch *launch, int err)
{
    struct tmk_result *result = launch->result;
    const bool refused = err != 0 && !launch->begun;
    struct tmk_verdict verdict;

    result->interrupted = launch->job->interrupted;
    result->over_tolerance = result->failed_operations != 0;
    result->warned =
        first(launch)->warning_as_errors != 0 && warned(launch->job);
    if (!refused) {
        result->broken_off = result->broken_off || err != 0;
        if (launch->job->rank == 0) {
            tmk_ior_text_end(&launch->text);
        }
        tmk_report_end(launch->results.writers, &launch->report, result);
    }
    close_files_all(launch);
    if (refused && result->interrupted == 0) {
        return STATUS_REFUSED;
    }
    if (!refused) {
        tmk_verdict_make(&verdict, "ior", result, launch->job->warnings);
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
 * What would be done.
 */

static void dry_run_all(struct tmk_ior_launch *launch)
{
    tmk_say_release(launch->job);
    for (size_t i = 0; i < launch->tests.n; i++) {
        tmk_ior_test_explain_all(launch, i);
    }
}

/* Tests one after the other.  0 or -errno, said. */
static int tests_all(struct tmk_ior_launch *launch)
{
    struct tmk_job *job = launch->job;
    int err = 0;

    for (size_t i = 0; err == 0 && i < launch->tests.n; i++) {
        err = tmk_ior_test_all(launch, i);
        if (tmk_job_interrupted_all(job) != 0) {
            break;
        }
    }
    return err;
}

static int measure_all(struct tmk_ior_launch *launch)
{
    struct tmk_job *job = launch->job;
    int err = open_files_all(launch);

    if (err == 0) {
        err = tmk_results_hosts_all(job);
    }
    if (err != 0) {
        return err;
    }
    tmk_machine_time_barrier_all(job);
    tmk_ior_progress_init_all(launch);
    launch->began_ns = tmk_clock_ns();
    err = tests_all(launch);
    tmk_ior_progress_fini_all(launch);
    return err;
}

static int check_all(struct tmk_ior_launch *launch)
{
    int err = 0;

    for (size_t i = 0; err == 0 && i < launch->tests.n; i++) {
        err = tmk_ior_test_check(launch, i);
    }
    return tmk_job_agree_all(launch->job, err);
}

static void tell_planned(const struct tmk_ior_launch *launch, int test)
{
    const struct tmk_ior_listener *listener = launch->parts->listener;

    if (listener != NULL && listener->planned != NULL) {
        listener->planned(
            listener->state, test,
            tmk_ior_launch_conf(launch, (size_t)test)->repetitions);
    }
}

void tmk_ior_tell_phase(const struct tmk_ior_launch *launch, int test,
                        int tasks, const struct tmk_ior_phase *phase,
                        bool timed)
{
    const struct tmk_ior_listener *listener = launch->parts->listener;

    if (listener != NULL && listener->phase != NULL) {
        listener->phase(listener->state, test, tasks, phase, timed);
    }
}

static int run_all(struct tmk_ior_launch *launch, int err)
{
    struct tmk_job *job = launch->job;

    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_ior_help(job->out, launch->parts->engines);
        }
        return STATUS_OK;
    }
    if (err != 0) {
        return STATUS_REFUSED;
    }
    job->verbosity =
        (int)(first(launch)->verbose < 100 ? first(launch)->verbose : 100);
    launch->report.label = first(launch)->label;
    launch->report.semantics =
        first(launch)->semantics == TMK_IOR_AS_IOR_4_1 ? "ior-4.1" : "treemark";
    /* Nodes that are simulated have all one memory. */
    launch->memory_bytes =
        tmk_provenance_memory() / (uint64_t)job->layout.nodes_on_kernel;
    tmk_wait_bcast_all(&job->wait, &launch->memory_bytes, 1, MPI_UINT64_T);
    if (check_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    tmk_ior_parse_notes(launch);
    if (first(launch)->dry_run != 0) {
        dry_run_all(launch);
        return STATUS_OK;
    }
    for (size_t i = 0; i < launch->tests.n; i++) {
        tell_planned(launch, (int)i);
    }
    free_standard_output(launch);
    return finish_all(launch, measure_all(launch));
}

int tmk_ior_main_all(struct tmk_job *job, int argc, char **argv,
                     const struct tmk_ior_parts *parts,
                     struct tmk_result *result)
{
    struct tmk_ior_launch *launch = calloc(1, sizeof(*launch));
    char banner[128];
    int status;
    int err = tmk_job_agree_all(job, launch != NULL ? 0 : -ENOMEM);

    *result = (struct tmk_result){0};
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
    (void)snprintf(banner, sizeof(banner), "IOR-4.1.0+treemark-%s",
                   parts->version);
    for (size_t i = 0; parts->writers != NULL && parts->writers[i].ops != NULL;
         i++) {
        tmk_results_add(&launch->results, parts->writers[i]);
    }
    tmk_say_hold(job);
    err = tmk_ior_parse_all(launch, argc, argv);
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = banner,
        .kind = "ior",
        .version = parts->version,
        .version_git = parts->version_git,
        .started = time(NULL),
        .tables = launch->tables,
        .n_tables = launch->n_tables,
        .argc = argc,
        .argv = argv,
        .path = launch->path,
        .engine = "",
    };
    status = run_all(launch, err);
    tmk_ior_parse_fini(launch);
    free(launch);
    return status;
}
