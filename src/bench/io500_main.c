/*
 * io500_main: the suite, from argv to a result.
 *
 *     io500_options, io500_conf (asked) -> io500_places (what there is)
 *     -> io500_phases: io500_args -> io500_calls -> io500_rules
 *     -> io500_record, io500_save (written) -> io500_score
 */
#include "bench/io500_main.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/io500_html.h"
#include "bench/io500_launch.h"
#include "bench/io500_phases.h"
#include "bench/io500_places.h"
#include "bench/io500_ready.h"
#include "bench/io500_save.h"
#include "bench/io500_show.h"
#include "bench/io500_tidy.h"
#include "run/machine.h"
#include "run/output.h"
#include "run/progress.h"
#include "run/say.h"
#include "run/text_file.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

enum { INI_MOST = 1 << 20 };

bool tmk_io500_is_wanted(const struct tmk_io500_launch *launch,
                         enum tmk_io500_phase phase)
{
    return launch->options.wants[phase] &&
           tmk_io500_phase_runs(&launch->conf, phase, launch->extended);
}

void tmk_io500_help(FILE *to)
{
    struct tmk_io500_options options = {.verbose = -1};
    struct tmk_opt_table table = tmk_io500_options_table(&options);

    fputs("Usage: mpiexec -n N treemark io500 CONFIG.ini [OPTION...]\n"
          "       treemark io500 CONFIG.ini --verify RESULT.txt\n"
          "       treemark io500 --list\n"
          "       treemark io500 --report RESULTDIR\n\n"
          "Runs the suite of IO500 with the benchmarks of treemark.\n\n",
          to);
    tmk_opt_help(&table, 1, to);
}

/*
 * What was asked for.
 */

static int read_ini_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    const char *path = launch->options.ini;
    char why[512];
    int err;

    tmk_io500_conf_init(&launch->conf);
    tmk_io500_options_preset(&launch->options, &launch->conf);
    if (path == NULL) {
        launch->ini_text = strdup("");
        return tmk_job_agree_all(job, launch->ini_text != NULL ? 0 : -ENOMEM);
    }
    err = tmk_text_file_read_all(job, "", path, INI_MOST, &launch->ini_text);
    if (err == 0) {
        err = tmk_io500_conf_read(&launch->conf, path, launch->ini_text, why,
                                  sizeof(why));
        if (err == -EINVAL) {
            tmk_say_error(job, "%s", why);
        }
        err = tmk_job_agree_all(job, err);
    }
    if (err == 0 && launch->conf.note[0] != '\0') {
        tmk_say_warning(job, "SET_TWICE", "%s", launch->conf.note);
    }
    return err;
}

/* The timestamp of rank 0, and the directories with it, if they want it.
 * Collective. */
static int find_places_all(struct tmk_io500_launch *launch)
{
    const struct tmk_io500_global *global = &launch->conf.global;
    struct tmk_job *job = launch->job;
    struct tm tm;
    int n = 0;

    if (launch->options.timestamp != NULL) {
        (void)snprintf(launch->timestamp, sizeof(launch->timestamp), "%s",
                       launch->options.timestamp);
    } else if (localtime_r(&launch->started, &tm) != NULL) {
        (void)strftime(launch->timestamp, sizeof(launch->timestamp),
                       "%Y.%m.%d-%H.%M.%S", &tm);
    }
    tmk_wait_bcast_all(&job->wait, launch->timestamp,
                       (int)sizeof(launch->timestamp), MPI_CHAR);
    n = tmk_io500_is_true(global->timestamp_datadir, true)
            ? asprintf(&launch->datadir, "%s/%s", global->datadir,
                       launch->timestamp)
            : asprintf(&launch->datadir, "%s", global->datadir);
    if (n >= 0) {
        n = tmk_io500_is_true(global->timestamp_resultdir, true)
                ? asprintf(&launch->resultdir, "%s/%s", global->resultdir,
                           launch->timestamp)
                : asprintf(&launch->resultdir, "%s", global->resultdir);
    }
    launch->site = (struct tmk_io500_site){
        .conf = &launch->conf,
        .datadir = launch->datadir,
        .resultdir = launch->resultdir,
        .timestamp = launch->timestamp,
    };
    return tmk_job_agree_all(job, n >= 0 ? 0 : -ENOMEM);
}

/*
 * The run.
 */

/* A file in the result directory, on rank 0; NULL with *err. */
static FILE *open_result(const struct tmk_io500_launch *launch,
                         const char *name, int *err)
{
    char *path = tmk_io500_in_results(launch, name);
    FILE *f = path != NULL ? fopen(path, "we") : NULL;

    if (f == NULL && *err == 0) {
        *err = -errno;
    }
    free(path);
    return f;
}

/* The ini as it is, and with all values. */
static int write_inis(const struct tmk_io500_launch *launch)
{
    int err = 0;
    FILE *as_is = open_result(launch, "config-orig.ini", &err);
    FILE *all = open_result(launch, "config.ini", &err);

    if (as_is != NULL) {
        (void)fputs(launch->ini_text, as_is);
        err = fclose(as_is) != 0 && err == 0 ? -errno : err;
    }
    if (all != NULL) {
        tmk_io500_conf_write(&launch->conf, all);
        err = fclose(all) != 0 && err == 0 ? -errno : err;
    }
    return err;
}

/* What an earlier launch wrote is written again, so that each section is there
 * once. */
static void write_earlier(struct tmk_io500_launch *launch)
{
    struct tmk_io500_record record = launch->record;

    record.out = NULL;
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;
        struct tmk_io500_args args = {0};
        char *line = NULL;

        if (!launch->over[i]) {
            continue;
        }
        launch->site.objects = launch->done[i].per_set;
        if (tmk_io500_args_of(&launch->site, phase, &args) == 0 &&
            args.n != 0) {
            line = tmk_io500_args_line(&args);
        }
        tmk_io500_record_begin(&record, phase, &launch->done[i], line);
        tmk_io500_record_end(&record, phase, &launch->done[i],
                             &launch->judged[i]);
        free(line);
        tmk_io500_args_fini(&args);
    }
}

static int open_record_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    const struct tmk_io500_head head = {
        .version = launch->version,
        .extended = launch->extended,
        .procs = job->size,
        .config_hash = tmk_io500_conf_hash(&launch->conf),
        .resultdir = launch->resultdir,
        .started = launch->started,
    };
    int err = 0;

    launch->record.verbosity = launch->verbosity;
    if (job->rank == 0) {
        err = write_inis(launch);
        launch->record.out = job->out;
        launch->record.result = open_result(launch, "result.txt", &err);
        launch->record.summary =
            open_result(launch, "result_summary.txt", &err);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "[global] resultdir: writing in %s: %s",
                      launch->resultdir, strerror(-err));
        return err;
    }
    if (job->rank == 0) {
        tmk_io500_record_head(&launch->record, &head);
        for (size_t i = 0; i < launch->reasons.n; i++) {
            tmk_io500_record_reason(&launch->record, &launch->reasons.list[i]);
        }
        (void)fputc('\n', launch->record.result);
        write_earlier(launch);
    }
    return 0;
}

static bool close_record(struct tmk_io500_launch *launch)
{
    struct tmk_io500_record *record = &launch->record;
    FILE *const files[] = {record->result, record->summary};
    bool lost = false;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (files[i] != NULL) {
            lost = ferror(files[i]) != 0 || lost;
            lost = fclose(files[i]) != 0 || lost;
        }
    }
    record->result = NULL;
    record->summary = NULL;
    if (lost) {
        tmk_say_error(launch->job,
                      "result.txt or result_summary.txt in %s could not be "
                      "written",
                      launch->resultdir);
    }
    return !lost;
}

/* Phases of the configuration that no launch has finished. */
static bool is_complete(const struct tmk_io500_launch *launch)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        if (!launch->over[i] &&
            tmk_io500_phase_runs(&launch->conf, (enum tmk_io500_phase)i,
                                 launch->extended)) {
            return false;
        }
    }
    return true;
}

static void judge_earlier(struct tmk_io500_launch *launch)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        bool invalid =
            launch->over[i] && tmk_io500_reasons_invalidate(&launch->judged[i]);

        launch->scores.score[i] = launch->over[i] ? launch->done[i].score : 0;
        launch->judged_invalid_extended =
            launch->judged_invalid_extended || invalid;
        launch->judged_invalid =
            launch->judged_invalid ||
            (invalid && !tmk_io500_phase_is_optional((enum tmk_io500_phase)i));
    }
}

/* An operation failed, or a benchmark could not do its work. */
static bool has_failures(const struct tmk_io500_launch *launch)
{
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        if (launch->over[i] &&
            (launch->done[i].status != 0 || launch->done[i].failed != 0 ||
             launch->done[i].script_status != 0)) {
            return true;
        }
    }
    return false;
}

static void finish_scores(struct tmk_io500_launch *launch, bool complete)
{
    bool by_rules = tmk_io500_reasons_invalidate(&launch->reasons);

    launch->scores.invalid = by_rules || !complete || launch->judged_invalid;
    launch->scores.invalid_extended =
        by_rules || !complete || launch->judged_invalid_extended;
    if (launch->job->rank == 0) {
        tmk_io500_record_scores(&launch->record, &launch->scores,
                                launch->extended, launch->version, time(NULL),
                                launch->resultdir);
    }
}

/* Data stays for a later launch, or goes. */
static void leave_all(struct tmk_io500_launch *launch, int err, bool complete)
{
    struct tmk_job *job = launch->job;

    if (err == 0 && complete) {
        tmk_io500_tidy_all(launch);
    } else if (err == -EINTR && launch->options.keep == 0) {
        (void)tmk_io500_clean_all(launch);
    } else {
        bool stamped =
            tmk_io500_is_true(launch->conf.global.timestamp_datadir, true) ||
            tmk_io500_is_true(launch->conf.global.timestamp_resultdir, true);

        tmk_say(job,
                "The data stays in %s: treemark io500 %s%s%s --resume goes on, "
                "--cleanup removes it",
                launch->datadir,
                launch->options.ini != NULL ? launch->options.ini : "",
                stamped ? " --timestamp=" : "",
                stamped ? launch->timestamp : "");
    }
}

static int run_all(struct tmk_io500_launch *launch, int argc, char **argv)
{
    struct tmk_job *job = launch->job;
    bool complete;
    bool fine;
    int err = tmk_io500_prepare_all(launch);

    if (err == 0) {
        tmk_machine_time_barrier_all(job);
        err = tmk_io500_save_open_all(launch, argc, argv);
    }
    if (err == 0) {
        err = open_record_all(launch);
    }
    if (err != 0) {
        return STATUS_REFUSED;
    }
    launch->calls = (struct tmk_io500_calls){
        .job = job,
        .parts = launch->parts,
        .site = &launch->site,
        .hard_files = UINT64_MAX,
        .phase = &launch->phase,
        .max_ns = launch->options.wearout_limit_ns,
        .progress_ns = tmk_progress_period_ns(job, &launch->options.progress),
    };
    if (launch->over[TMK_IO500_P_MDTEST_HARD_WRITE]) {
        launch->calls.hard_files =
            launch->done[TMK_IO500_P_MDTEST_HARD_WRITE].operations /
            (uint64_t)job->size;
    }
    judge_earlier(launch);
    err = tmk_io500_phases_all(launch);
    complete = is_complete(launch);
    finish_scores(launch, complete);
    fine = tmk_io500_save_close_all(launch);
    leave_all(launch, err, complete);
    if (err == -EINTR) {
        return 128 + job->interrupted;
    }
    if (has_failures(launch) || !fine ||
        tmk_job_max_all(job, launch->calls.output_failed) != 0) {
        return STATUS_FAILED;
    }
    return launch->scores.invalid ||
                   (launch->extended && launch->scores.invalid_extended)
               ? TMK_IO500_STATUS_INVALID
               : STATUS_OK;
}

/* Of directories with times in their names one has to be told. */
static int name_run(const struct tmk_io500_launch *launch)
{
    const struct tmk_io500_options *options = &launch->options;
    const struct tmk_io500_global *global = &launch->conf.global;
    bool stamped =
        tmk_io500_is_true(options->resume != 0 ? global->timestamp_resultdir
                                               : global->timestamp_datadir,
                          true);

    if ((options->resume != 0 || options->cleanup != 0) && stamped &&
        options->timestamp == NULL) {
        tmk_say_error(launch->job,
                      "%s: of which run? --timestamp=NAME tells, the name of "
                      "its directory in %s",
                      options->resume != 0 ? "--resume" : "--cleanup",
                      options->resume != 0 ? global->resultdir
                                           : global->datadir);
        return -EINVAL;
    }
    return 0;
}

/* After the configuration is read and the places are known. */
static int act_all(struct tmk_io500_launch *launch, int argc, char **argv)
{
    const struct tmk_io500_options *options = &launch->options;
    const struct tmk_io500_run_rules rules = {
        .extended = launch->extended,
        .resumed = options->resume != 0,
        .wearout_limit = options->wearout_limit_ns != 0,
        .wants = options->wants,
    };

    if (name_run(launch) != 0) {
        return STATUS_REFUSED;
    }
    tmk_io500_rules_run(&launch->conf, &rules, &launch->reasons);
    if (options->dry_run != 0) {
        tmk_io500_show_plan(launch);
        return STATUS_OK;
    }
    if (options->cleanup != 0) {
        return tmk_io500_clean_all(launch) == 0 ? STATUS_OK : STATUS_FAILED;
    }
    if (options->resume != 0 && tmk_io500_save_resume_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    return run_all(launch, argc, argv);
}

static int main_all(struct tmk_io500_launch *launch, int argc, char **argv)
{
    const struct tmk_io500_options *options = &launch->options;
    struct tmk_job *job = launch->job;
    char why[512];
    int err =
        tmk_io500_options_read(&launch->options, argc, argv, why, sizeof(why));

    if (err == TMK_OPT_HELP) {
        if (job->rank == 0) {
            tmk_io500_help(job->out);
        }
        return STATUS_OK;
    }
    if (err != 0) {
        tmk_say_error(job, "%s", why);
        return STATUS_REFUSED;
    }
    if (options->list != 0 || options->list_mandatory != 0) {
        tmk_io500_show_list(launch);
        return STATUS_OK;
    }
    if (options->report != NULL) {
        err = tmk_io500_html_all(job, options->report);
        return err == 0 ? STATUS_OK : STATUS_REFUSED;
    }
    launch->extended = options->mode != 0;
    if (read_ini_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    launch->verbosity = tmk_io500_options_verbosity(options, &launch->conf);
    if (options->config_hash != 0) {
        tmk_say(job, "config-hash     = %" PRIX32,
                tmk_io500_conf_hash(&launch->conf));
        return STATUS_OK;
    }
    if (options->verify != NULL) {
        return tmk_io500_show_verdict_all(launch);
    }
    if (tmk_io500_ready_all(launch) != 0 || find_places_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    return act_all(launch, argc, argv);
}

int tmk_io500_main_all(struct tmk_job *job, int argc, char **argv,
                       const struct tmk_io500_parts *parts,
                       struct tmk_result *result)
{
    struct tmk_io500_launch *launch = calloc(1, sizeof(*launch));
    int status = STATUS_FAILED;

    *result = (struct tmk_result){0};
    if (tmk_job_agree_all(job, launch != NULL ? 0 : -ENOMEM) != 0 ||
        launch == NULL) {
        tmk_say_error(job, "out of memory");
        free(launch);
        return status;
    }
    launch->job = job;
    launch->parts = parts;
    launch->result = result;
    launch->started = time(NULL);
    (void)snprintf(launch->version, sizeof(launch->version), "treemark-%s",
                   parts->version);
    status = main_all(launch, argc, argv);
    if (!close_record(launch) &&
        (status == STATUS_OK || status == TMK_IO500_STATUS_INVALID)) {
        status = STATUS_FAILED;
    }
    json_decref(launch->kept);
    tmk_io500_conf_fini(&launch->conf);
    free(launch->ini_text);
    free(launch->datadir);
    free(launch->resultdir);
    free(launch->json_path);
    free(launch->extra);
    free(launch->earlier);
    free(launch);
    return (int)tmk_job_max_all(job, (uint64_t)status);
}
