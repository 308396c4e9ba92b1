/*
 * scale_main: from argv to a result.
 *
 *     scale_conf (asked) + scale_args (the benchmark's words)
 *     -> scale_plan (which) -> scale_points, scale_run (done) -> entries
 *     -> scale_table
 */
#include "bench/scale_main.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/scale_kept.h"
#include "bench/scale_launch.h"
#include "bench/scale_leftovers.h"
#include "bench/scale_points.h"
#include "bench/scale_say.h"
#include "run/clock.h"
#include "run/machine.h"
#include "run/say.h"
#include "run/verdict.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

static struct tmk_opt_table table_of(struct tmk_scale_conf *conf)
{
    return (struct tmk_opt_table){
        .title = "Options of a study",
        .rows = tmk_scale_opts,
        .n_rows = tmk_scale_n_opts,
        .conf = conf,
    };
}

void tmk_scale_help(FILE *to)
{
    struct tmk_scale_conf conf;
    const struct tmk_opt_table table = table_of(&conf);

    tmk_scale_conf_init(&conf);
    fputs("Usage: treemark scale [option...] -- mdtest|ior|find [its "
          "option...]\n"
          "       treemark scale --show FILE[,FILE...]\n"
          "A benchmark on growing numbers of nodes and ranks, in one launch.\n"
          "\n",
          to);
    tmk_opt_help(&table, 1, to);
    fputs("\n"
          "  -h, --help                  print this and end\n"
          "\n"
          "Exit status: 0 well, 1 a point failed or took too long, 2 the "
          "request was\nwrong, 130 and 143 interrupted.  More in the manual "
          "page, treemark-scale(1).\n",
          to);
}

/* ---- asking -------------------------------------------------------------- */

/* Where the benchmark's words begin: behind "--"; argc if there is none. */
static int find_words(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            return i;
        }
    }
    return argc;
}

/* The benchmark with each value of --vary. */
static int read_variants(struct tmk_scale_launch *launch, int argc,
                         char *const *argv, char *why, size_t size)
{
    const struct tmk_scale_parts *parts = launch->parts;
    const unsigned n = launch->conf.vary.n != 0 ? launch->conf.vary.n : 1;
    struct tmk_scale_args args;
    int err = tmk_scale_args_read(&args, argc, argv, parts->engines_mdtest,
                                  parts->engines, why, size);

    while (err == 0 && launch->n_variants < n) {
        struct tmk_scale_variant *v = &launch->variants[launch->n_variants++];

        if (launch->conf.vary.n != 0) {
            v->vary =
                tmk_scale_vary_word(&launch->conf.vary, launch->n_variants - 1);
            err = v->vary != NULL ? 0 : -ENOMEM;
        }
        if (err == 0) {
            err = tmk_scale_words_make(&v->words, &args, v->vary, false, 1);
        }
        if (err == 0) {
            err = tmk_scale_args_read(&v->args, v->words.argc, v->words.argv,
                                      parts->engines_mdtest, parts->engines,
                                      why, size);
        }
    }
    if (err == -ENOMEM) {
        (void)snprintf(why, size, "out of memory");
    }
    return err;
}

/* What --strong and --weak mean for the benchmark. */
static int choose_mode(struct tmk_scale_launch *launch, char *why, size_t size)
{
    const struct tmk_scale_args *args = &launch->variants[0].args;

    launch->strong = launch->conf.strong != 0;
    if (args->benchmark == TMK_SCALE_FIND) {
        launch->strong = true;
        if (launch->conf.weak != 0) {
            (void)snprintf(why, size,
                           "--weak: find searches the same tree at every "
                           "point");
            return -EINVAL;
        }
    }
    if (!launch->strong || args->benchmark != TMK_SCALE_MDTEST) {
        return 0;
    }
    for (unsigned i = 0; i < launch->n_variants; i++) {
        args = &launch->variants[i].args;
        if (args->items == 0 && args->items_per_dir == 0) {
            (void)snprintf(why, size,
                           "--strong: mdtest has no total to divide: give it "
                           "-n or -I");
            return -EINVAL;
        }
        if (args->min_time_s != 0) {
            (void)snprintf(why, size,
                           "--strong: mdtest --min-time raises -n, each point "
                           "on its own");
            return -EINVAL;
        }
        /* mdtest would not see it in what is divided. */
        if (args->items_per_dir != 0 &&
            args->items % args->items_per_dir != 0) {
            (void)snprintf(why, size,
                           "mdtest: -n: %" PRIu64
                           " is no multiple of -I %" PRIu64,
                           args->items, args->items_per_dir);
            return -EINVAL;
        }
    }
    return 0;
}

static int make_points(struct tmk_scale_launch *launch, char *why, size_t size)
{
    const struct tmk_scale_ask ask = {
        .nodes = launch->conf.nodes,
        .ppn = launch->conf.ppn,
        .ranks = launch->conf.ranks,
        .map = (enum tmk_scale_map)launch->conf.map,
        .variants = launch->n_variants,
    };
    int err = tmk_scale_places_init(&launch->places, &launch->job->layout.map);

    if (err == 0) {
        err = tmk_scale_plan_make(&launch->plan, &ask, &launch->places, why,
                                  size);
    }
    for (size_t i = 0; err == 0 && i < launch->plan.n; i++) {
        struct tmk_scale_entry *entry = &launch->entries[i];
        const char *vary =
            launch->variants[launch->plan.points[i].variant].vary;

        entry->point = launch->plan.points[i];
        if (vary != NULL && (entry->vary = strdup(vary)) == NULL) {
            err = -ENOMEM;
        }
    }
    if (err == -ENOMEM) {
        (void)snprintf(why, size, "out of memory");
    }
    return err;
}

/* ---- what is there already ----------------------------------------------- */

static int show_all(struct tmk_scale_launch *launch)
{
    struct tmk_scale_shown shown = {.n = 0};
    char *files = strdup(launch->conf.show);
    char why[512] = "out of memory";
    int err = files != NULL ? 0 : -ENOMEM;

    if (launch->job->rank == 0) {
        for (char *path = files; path != NULL && err == 0;) {
            char *comma = strchr(path, ',');

            if (comma != NULL) {
                *comma = '\0';
            }
            err = tmk_scale_shown_read(&shown, path, why, sizeof(why));
            path = comma != NULL ? comma + 1 : NULL;
        }
    }
    err = tmk_job_agree_all(launch->job, err);
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    } else if (launch->job->rank == 0) {
        fprintf(launch->job->out, "%s: %zu point%s\n", shown.benchmark, shown.n,
                shown.n == 1 ? "" : "s");
        tmk_scale_table_print(shown.list, shown.n, launch->conf.peak != 0,
                              launch->job->out);
    }
    tmk_scale_shown_fini(&shown);
    free(files);
    return err == 0 ? STATUS_OK : STATUS_REFUSED;
}

/* Points of --resume, which rank 0 knows.  Collective. */
static int resume_all(struct tmk_scale_launch *launch)
{
    struct tmk_job *job = launch->job;
    char why[512] = "out of memory";
    int err = 0;

    if (launch->conf.resume == NULL) {
        return 0;
    }
    if (job->rank == 0) {
        err = tmk_scale_kept_read(launch, launch->conf.resume, &launch->earlier,
                                  why, sizeof(why));
        if (err == -ENOENT) {
            tmk_say(job, "%s is not there yet: the study begins",
                    launch->conf.resume);
            err = 0;
        }
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "%s", why);
        return err;
    }
    for (size_t i = 0; i < launch->plan.n; i++) {
        launch->n_kept += launch->entries[i].state != TMK_SCALE_NOT_RUN;
    }
    if (launch->n_kept != 0) {
        tmk_say(job, "%zu of %zu points are in %s", launch->n_kept,
                launch->plan.n, launch->conf.resume);
    }
    return 0;
}

/* ---- running ------------------------------------------------------------- */

static int open_results_all(struct tmk_scale_launch *launch, int argc,
                            char **argv)
{
    const struct tmk_scale_conf *conf = &launch->conf;
    struct tmk_job *job = launch->job;
    const char *json = conf->resume != NULL ? conf->resume : conf->json;
    int err;

    if (asprintf(&launch->extra,
                 "\"scale\": {\"benchmark\": \"%s\", \"mode\": \"%s\", "
                 "\"points\": %zu}",
                 tmk_scale_benchmark_name(launch->variants[0].args.benchmark),
                 launch->strong ? "strong" : "weak", launch->plan.n) < 0) {
        launch->extra = NULL;
    }
    if (tmk_job_agree_all(job, launch->extra != NULL ? 0 : -ENOMEM) != 0) {
        tmk_say_error(job, "out of memory");
        return -ENOMEM;
    }
    launch->report = (struct tmk_report_run){
        .job = job,
        .banner = "scale",
        .kind = "scale",
        .version = launch->parts->version,
        .version_git = launch->parts->version_git,
        .label = conf->label,
        .semantics = "treemark",
        .started = time(NULL),
        .argc = argc,
        .argv = argv,
        .tables = &launch->table,
        .n_tables = 1,
        .path = launch->variants[0].args.path,
        .engine = launch->variants[0].args.engine,
        .extra = launch->extra,
        .earlier_tests = launch->earlier,
    };
    tmk_results_yield(&launch->results, job, json, conf->csv);
    err = tmk_results_hosts_all(job);
    if (err == 0) {
        err = tmk_results_open_all(&launch->results, job, &launch->report, json,
                                   conf->csv);
    }
    return err;
}

static int finish_all(struct tmk_scale_launch *launch, int status)
{
    struct tmk_job *job = launch->job;
    struct tmk_result *result = launch->result;
    struct tmk_verdict verdict;
    bool fine;

    result->interrupted = job->interrupted;
    result->broken_off = status == STATUS_FAILED;
    result->benchmark =
        tmk_scale_benchmark_name(launch->variants[0].args.benchmark);
    tmk_scale_say_caches(launch);
    if (job->rank == 0 && !launch->begun && status != STATUS_REFUSED) {
        tmk_report_begin(launch->results.writers, &launch->report);
        launch->begun = true;
    }
    if (launch->begun) {
        tmk_report_end(launch->results.writers, &launch->report, result);
    }
    fine = tmk_results_close_all(&launch->results, job);
    if (status == STATUS_REFUSED) {
        return status;
    }
    if (job->rank == 0) {
        tmk_scale_table_print(launch->entries, launch->plan.n,
                              launch->conf.peak != 0, job->out);
    }
    result->output_failed = result->output_failed || !fine;
    tmk_scale_say_time(launch);
    tmk_verdict_make(&verdict, "scale", result, job->warnings);
    tmk_say(job, "verdict: %s", verdict.text);
    if (job->interrupted != 0) {
        return 128 + job->interrupted;
    }
    return fine ? status : STATUS_FAILED;
}

static int run_all(struct tmk_scale_launch *launch, int argc, char **argv)
{
    launch->shuffle_seed = launch->conf.shuffle_seed != 0
                               ? (uint64_t)launch->conf.shuffle_seed
                               : (uint64_t)time(NULL);
    tmk_wait_bcast_all(&launch->job->wait, &launch->shuffle_seed, 1,
                       MPI_UINT64_T);
    if (tmk_scale_leftovers_check_all(launch) != 0) {
        return STATUS_REFUSED;
    }
    if (launch->conf.dry_run != 0) {
        tmk_scale_say_head(launch);
        tmk_scale_say_plan(launch);
        return STATUS_OK;
    }
    if (resume_all(launch) != 0 || open_results_all(launch, argc, argv) != 0) {
        (void)tmk_results_close_all(&launch->results, launch->job);
        return STATUS_REFUSED;
    }
    tmk_scale_say_head(launch);
    tmk_scale_say_kept(launch);
    launch->start_ns = tmk_clock_ns();
    tmk_machine_time_barrier_all(launch->job);
    return finish_all(launch, tmk_scale_points_all(launch));
}

/* From words to points; the exit status, or -1 to go on. */
static int ask(struct tmk_scale_launch *launch, int argc, char **argv)
{
    const int words = find_words(argc, argv);
    char why[1024] = "out of memory";
    int err;

    tmk_scale_conf_init(&launch->conf);
    launch->table = table_of(&launch->conf);
    err = tmk_opt_parse(&launch->table, 1, words, argv, why, sizeof(why));
    if (err == TMK_OPT_HELP) {
        if (launch->job->rank == 0) {
            tmk_scale_help(launch->job->out);
        }
        return STATUS_OK;
    }
    if (err == 0) {
        err = tmk_scale_conf_check(&launch->conf, why, sizeof(why));
    }
    if (err == 0 && launch->conf.show != NULL) {
        if (words == argc) {
            return show_all(launch);
        }
        (void)snprintf(why, sizeof(why),
                       "--show: it prints what is there; no benchmark is run");
        err = -EINVAL;
    }
    if (err == 0) {
        err = read_variants(launch, words < argc ? argc - words - 1 : 0,
                            words < argc ? argv + words + 1 : argv, why,
                            sizeof(why));
    }
    if (err == 0) {
        err = choose_mode(launch, why, sizeof(why));
    }
    if (err == 0) {
        err = make_points(launch, why, sizeof(why));
    }
    if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
        return STATUS_REFUSED;
    }
    return -1;
}

static void release(struct tmk_scale_launch *launch)
{
    for (size_t i = 0; i < launch->plan.n; i++) {
        tmk_scale_entry_fini(&launch->entries[i]);
    }
    for (unsigned i = 0; i < launch->n_variants; i++) {
        tmk_scale_words_fini(&launch->variants[i].words);
        free(launch->variants[i].vary);
    }
    tmk_scale_places_fini(&launch->places);
    json_decref(launch->warnings);
    free(launch->extra);
    free(launch->earlier);
    free(launch);
}

int tmk_scale_main_all(struct tmk_job *job, int argc, char **argv,
                       const struct tmk_scale_parts *parts,
                       struct tmk_result *result)
{
    struct tmk_scale_launch *launch = calloc(1, sizeof(*launch));
    int status;

    *result = (struct tmk_result){0};
    if (tmk_job_agree_all(job, launch != NULL ? 0 : -ENOMEM) != 0 ||
        launch == NULL) {
        tmk_say_error(job, "out of memory");
        free(launch);
        return STATUS_FAILED;
    }
    launch->job = job;
    launch->parts = parts;
    launch->result = result;
    status = ask(launch, argc, argv);
    status = tmk_job_agree_all(job, status);
    if (status < 0) {
        status = run_all(launch, argc, argv);
    }
    release(launch);
    return (int)tmk_job_max_all(job, (uint64_t)status);
}
