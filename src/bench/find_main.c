/*
 * find_main: from argv to a result.
 *
 *     find_conf    options that are no words of an expression
 *     find_env     what the parser asks, alike on all ranks
 *     base/match*  the expression, compiled
 *     find_walk    reading directories, dividing them over run/queue
 *     find_entry   statx, and what else an expression asks
 *     find_act     printing, removing, commands
 *     find_output  whole records from many ranks
 *     find_report  what was done
 */
#include "bench/find_main.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/at_rank.h"
#include "base/units.h"
#include "bench/find_act.h"
#include "bench/find_conf.h"
#include "bench/find_entry.h"
#include "bench/find_env.h"
#include "bench/find_output.h"
#include "bench/find_report.h"
#include "bench/find_walk.h"
#include "engine/posix_calls.h"
#include "engine/statx_ring.h"
#include "run/clock.h"
#include "run/links.h"
#include "run/results.h"
#include "run/say.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

enum { REMOTE_DEPTH = 64 }; /* stats at a time */

struct find {
    struct tmk_job *job;
    const struct tmk_find_parts *parts;
    int argc;
    char **argv;
    struct tmk_find_conf conf;
    bool pfind;
    struct tmk_match_pfind pfind_conf;
    struct tmk_match *match; /* owned */
    struct tmk_match_calls calls;
    struct tmk_find_walk walk;
    struct tmk_find_output *output; /* owned */
    struct tmk_find_result result;
    struct tmk_progress progress;
    struct tmk_opt_table table;
    struct tmk_report_run report;
    struct tmk_results results;
    time_t started;
};

void tmk_find_help(FILE *to)
{
    struct tmk_find_conf conf;
    const struct tmk_opt_table table = {
        .title = "Options of our own",
        .rows = tmk_find_opts,
        .n_rows = tmk_find_n_opts,
        .conf = &conf,
    };

    tmk_find_conf_init(&conf);
    fputs("Usage: treemark find [-H] [-L] [-P] [DIR...] [expression] "
          "[option...]\n"
          "       pfind DIR [-newer F] [-size Nc] [-name P] [-regex P] "
          "[option...]\n"
          "Find files, with all MPI ranks; expressions are those of GNU find.\n"
          "\n",
          to);
    tmk_opt_help(&table, 1, to);
    fputs("\n"
          "  --pfind                     take the words, and print the lines, "
          "of pfind\n"
          "  -help, --help               print this and end\n"
          "  -version, --version         print the version and end\n"
          "\n"
          "Exit status: 0 well, 1 errors on the way, 2 the request was wrong,\n"
          "130 and 143 interrupted.  More in the manual page, "
          "treemark-find(1).\n",
          to);
}

/*
 * Asking.
 */

/* The words without "--pfind", which switches the grammar. */
static int drop_pfind(struct find *f)
{
    int n = 1;

    for (int i = 1; i < f->argc; i++) {
        if (strcmp(f->argv[i], "--pfind") == 0) {
            f->pfind = true;
        } else {
            f->argv[n++] = f->argv[i];
        }
    }
    f->argv[n] = NULL;
    return n;
}

static int compile_all(struct find *f)
{
    struct tmk_find_env env = {.job = f->job, .conf = &f->conf};
    struct tmk_match_env calls;
    char why[1024] = "out of memory";
    int argc;
    int err;

    f->pfind = f->parts->pfind;
    f->argc = drop_pfind(f);
    argc = f->argc - 1;
    tmk_find_env_all(&calls, &env);
    err = f->pfind ? tmk_match_pfind(&f->match, &f->pfind_conf, argc,
                                     f->argv + 1, &calls, why, sizeof(why))
                   : tmk_match_compile(&f->match, argc, f->argv + 1, &calls,
                                       why, sizeof(why));
    f->calls.now = calls.now;
    err = tmk_job_agree_all(f->job, err);
    if (err != 0) {
        tmk_say_error(f->job, "%s", why);
    }
    return err;
}

/* What pfind says with its own options. */
static void take_pfind(struct find *f)
{
    const struct tmk_match_pfind *p = &f->pfind_conf;

    if (!f->pfind) {
        return;
    }
    f->conf.count = f->conf.count || p->count_only;
    if (p->results_dir != NULL) {
        f->conf.results_dir = p->results_dir;
    }
    f->walk.remove_dirs = p->delete_dirs;
    if (p->limit_ns != 0) {
        f->conf.stonewall_ns = p->limit_ns;
    }
}

static int check(const struct find *f)
{
    const struct tmk_find_conf *conf = &f->conf;
    const bool json = tmk_results_is_standard(conf->json);
    const bool csv = tmk_results_is_standard(conf->csv);

    if (json && csv) {
        tmk_say_error(f->job, "--json, --csv: only one can have the standard "
                              "output");
        return -EINVAL;
    }
    if ((json || csv) && !conf->count && conf->results_dir == NULL) {
        tmk_say_error(f->job,
                      "%s -: names go to the standard output; add "
                      "--count",
                      json ? "--json" : "--csv");
        return -EINVAL;
    }
    return 0;
}

/*
 * Files of results.
 */

/* How full the file system is that the first start point lies on. */
static void find_usage(struct find *f)
{
    struct tmk_engine_usage usage;

    if (f->job->rank == 0 &&
        tmk_posix_calls_usage(NULL, f->report.path, &usage) == 0) {
        f->report.usage_known = true;
        f->report.size_bytes = usage.size_bytes;
        f->report.used_bytes = usage.used_bytes;
        f->report.inodes = usage.inodes;
        f->report.used_inodes = usage.inodes - usage.free_inodes;
    }
}

static int open_results_all(struct find *f)
{
    struct tmk_job *job = f->job;
    int err = 0;

    f->table = (struct tmk_opt_table){
        .rows = tmk_find_opts, .n_rows = tmk_find_n_opts, .conf = &f->conf};
    f->report = (struct tmk_report_run){
        .job = job,
        .banner = "find",
        .kind = "find",
        .version = f->parts->version,
        .version_git = f->parts->version_git,
        .label = f->conf.label,
        .semantics = f->pfind ? "pfind" : "treemark",
        .started = f->started,
        .argc = f->argc,
        .argv = f->argv,
        .tables = &f->table,
        .n_tables = 1,
        .path = f->match->starts[0],
        .engine = "POSIX",
    };
    for (size_t i = 0;
         f->parts->writers != NULL && f->parts->writers[i].ops != NULL; i++) {
        tmk_results_add(&f->results, f->parts->writers[i]);
    }
    if (f->conf.json != NULL || f->conf.csv != NULL) {
        find_usage(f);
        err = tmk_results_hosts_all(job);
    }
    if (err == 0) {
        err = tmk_results_open_all(&f->results, job, &f->report, f->conf.json,
                                   f->conf.csv);
    }
    return err;
}

/* Write and close; false if something was lost.  Collective. */
static bool write_results_all(struct find *f, const struct tmk_result *whole)
{
    if (f->results.writers[0].ops != NULL) {
        tmk_find_report_write(f->results.writers, &f->report, &f->result,
                              whole);
    }
    return tmk_results_close_all(&f->results, f->job);
}

/*
 * Searching.
 */

/*
 * How many stats at a time: where a server is asked, it pays many times over;
 * where the kernel has the answer, a thread for each costs more than it saves.
 * 0, or -errno, said.  Collective.
 */
static int find_depth_all(struct find *f, unsigned *depth)
{
    const int asked = f->conf.uring_depth;
    int chosen = asked;
    int err = 0;

    if (asked < 0) {
        chosen = tmk_links_are_needed(f->match->starts[0]) ? REMOTE_DEPTH : 0;
        tmk_wait_bcast_all(&f->job->wait, &chosen, 1, MPI_INT);
    }
    if (chosen > 0) {
        f->walk.ring = tmk_statx_ring_new((unsigned)chosen, &err);
        err = tmk_job_agree_all(f->job, err);
    }
    if (err != 0) {
        tmk_statx_ring_free(f->walk.ring);
        f->walk.ring = NULL;
        chosen = 0;
    }
    if (err != 0 && asked > 0) {
        tmk_say_error(f->job, "--uring: %s",
                      err == -ENOTSUP ? "not available here" : strerror(-err));
        return err;
    }
    *depth = (unsigned)chosen;
    return 0;
}

static int prepare_all(struct find *f)
{
    struct tmk_find_walk *w = &f->walk;
    const bool measured = f->conf.percentiles != 0 || f->conf.json != NULL ||
                          f->conf.csv != NULL || f->parts->latency != NULL ||
                          f->parts->writers != NULL;
    const char *which = "";
    int err = tmk_find_output_new_all(
        &f->output, f->job, f->match->outputs, f->match->n_outputs,
        f->conf.count ? NULL : f->conf.results_dir, &which);

    if (err != 0) {
        tmk_say_error(f->job, "%s: %s", which, strerror(-err));
        return err;
    }
    w->job = f->job;
    w->match = f->match;
    w->calls = &f->calls;
    w->output = f->output;
    w->silent = f->conf.count != 0;
    w->lazy_stat = f->conf.lazy_stat != 0;
    err = find_depth_all(f, &w->uring_depth);
    if (err != 0) {
        return err;
    }
    w->read_ns = measured ? &f->result.read_ns : NULL;
    w->stat_ns = measured ? &f->result.stat_ns : NULL;
    w->users = tmk_find_names_new(false);
    w->groups = tmk_find_names_new(true);
    tmk_find_entry_calls(&f->calls);
    f->calls.act = tmk_find_act;
    err = tmk_find_act_init(w);
    if (w->users == NULL || w->groups == NULL) {
        err = -ENOMEM;
    }
    err = tmk_job_agree_all(f->job, err);
    if (err == 0) {
        err = tmk_find_walk_init_all(w);
    }
    if (err != 0) {
        tmk_say_error(f->job, "%s", strerror(-err));
    }
    return err;
}

static struct tmk_result_rank unpack(uint64_t word)
{
    return (struct tmk_result_rank){
        .rank = tmk_at_rank_rank(word),
        .time_ns = tmk_at_rank_value(word) * 1000,
    };
}

/* What all ranks did, from what each did.  Collective. */
static void combine_all(struct find *f, uint64_t time_ns)
{
    enum { TIME, SLOWEST, FASTEST, READ, STAT, MAXIMA };
    const struct tmk_job *job = f->job;
    const uint64_t top = INT64_MAX;
    struct tmk_find_result *r = &f->result;
    uint64_t busy_ns = f->walk.busy_ns;
    uint64_t maxima[MAXIMA] = {
        [TIME] = time_ns,
        [SLOWEST] = tmk_at_rank(busy_ns / 1000, job->rank),
        [FASTEST] = top - tmk_at_rank(busy_ns / 1000, job->rank),
        [READ] = tmk_at_rank(tmk_hist_percentile_ns(&r->read_ns, 100.0) / 1000,
                             job->rank),
        [STAT] = tmk_at_rank(tmk_hist_percentile_ns(&r->stat_ns, 100.0) / 1000,
                             job->rank),
    };

    tmk_wait_allreduce_all(&job->wait, maxima, MAXIMA, MPI_UINT64_T, MPI_MAX);
    busy_ns = tmk_job_sum_all(job, busy_ns);
    if (f->walk.read_ns != NULL) {
        tmk_wait_allreduce_all(&job->wait, r->read_ns.counts, TMK_HIST_BUCKETS,
                               MPI_UINT64_T, MPI_SUM);
        tmk_wait_allreduce_all(&job->wait, r->stat_ns.counts, TMK_HIST_BUCKETS,
                               MPI_UINT64_T, MPI_SUM);
    }
    r->time_ns = maxima[TIME];
    r->slowest = unpack(maxima[SLOWEST]);
    r->fastest = unpack(top - maxima[FASTEST]);
    r->longest_read = unpack(maxima[READ]);
    r->longest_stat = unpack(maxima[STAT]);
    if (r->time_ns != 0) {
        r->waiting_share =
            1.0 - (double)busy_ns / ((double)r->time_ns * (double)job->size);
        r->waiting_share = r->waiting_share > 0.0 ? r->waiting_share : 0.0;
    }
    memcpy(r->sums, f->walk.sums, sizeof(r->sums));
}

/* Errors after the walk, of commands that waited, and those that failed: to
 * all ranks. */
static void count_late_all(struct find *f, const uint64_t *before)
{
    enum { MOST = 1 + TMK_ERRNUM_SLOTS, FAILED = MOST, SUMS };
    struct tmk_find_walk *w = &f->walk;
    uint64_t *failed = &w->sums[TMK_FIND_FAILED];
    uint64_t sums[SUMS] = {[FAILED] = w->command_failed};

    for (int i = 0; i < MOST; i++) {
        sums[i] = failed[i] - before[i];
    }
    tmk_wait_allreduce_all(&f->job->wait, sums, SUMS, MPI_UINT64_T, MPI_SUM);
    for (int i = 0; i < MOST; i++) {
        failed[i] = before[i] + sums[i];
    }
    w->command_failed = sums[FAILED] != 0;
}

/* Entries over time, of all ranks.  Collective. */
static void combine_samples_all(struct find *f, uint64_t end_ns)
{
    struct tmk_sample *sample = &f->walk.sample;
    struct tmk_sample_series *series = &sample->series;
    uint64_t time_ns = tmk_job_max_all(f->job, end_ns - sample->start_ns);
    uint64_t width_ns = tmk_sample_fit_ns(f->conf.interval_ns, time_ns);
    size_t n = (size_t)(time_ns / width_ns) + 1;

    tmk_sample_end(sample, end_ns, f->walk.own[TMK_FIND_ENTRIES]);
    tmk_sample_align(series, width_ns, n, 0);
    tmk_wait_allreduce_all(&f->job->wait, series->operations, (int)n,
                           MPI_UINT64_T, MPI_SUM);
    tmk_sample_settle(series);
    f->result.intervals = *series;
}

static void fill_done(const struct find *f, uint64_t took_ns)
{
    const uint64_t *own = f->walk.own;

    if (f->parts->done != NULL) {
        *f->parts->done = (struct tmk_find_done){
            .searched = true,
            .entries = own[TMK_FIND_ENTRIES],
            .files = own[TMK_FIND_FILES],
            .matches = own[TMK_FIND_MATCHES],
            .unknown = own[TMK_FIND_UNKNOWN],
            .failed = own[TMK_FIND_FAILED],
            .all_failed = f->result.sums[TMK_FIND_FAILED],
            .time_ns = took_ns,
            .traffic = tmk_queue_traffic(f->walk.queue),
            .intervals = f->result.intervals,
        };
    }
    if (f->parts->latency != NULL) {
        tmk_find_report_fill_latency(f->parts->latency, &f->result);
    }
}

static void search_all(struct find *f)
{
    static const struct tmk_progress_round round = {.name = "search"};
    struct tmk_find_walk *w = &f->walk;
    uint64_t start_ns;
    uint64_t took_ns;
    uint64_t failed[1 + TMK_ERRNUM_SLOTS]; /* and by errno */

    if (f->conf.interval_ns == 0) {
        f->conf.interval_ns = f->job->interval_ns;
    }
    tmk_progress_init_all(&f->progress, f->job,
                          tmk_progress_period_ns(f->job, &f->conf.progress));
    w->progress = &f->progress;
    tmk_progress_begin(&f->progress, f->job, &round);
    tmk_wait_barrier_all(&f->job->wait);
    start_ns = tmk_clock_ns();
    tmk_sample_init(&w->sample, f->conf.interval_ns, start_ns);
    if (f->conf.stonewall_ns > 0) {
        w->deadline_ns = start_ns + f->conf.stonewall_ns;
    }
    f->result.stopped = tmk_find_walk_run_all(w);
    took_ns = tmk_clock_ns() - start_ns;
    tmk_find_output_finish_all(f->output); /* before the last commands write */
    start_ns = tmk_clock_ns() - took_ns;
    memcpy(failed, &w->sums[TMK_FIND_FAILED], sizeof(failed));
    tmk_find_act_finish(w);
    took_ns = tmk_clock_ns() - start_ns;
    if (f->conf.interval_ns != 0) {
        combine_samples_all(f, tmk_clock_ns());
    }
    tmk_progress_end(&f->progress);
    tmk_progress_fini_all(&f->progress, f->job);
    w->progress = NULL;
    count_late_all(f, failed);
    combine_all(f, took_ns);
    fill_done(f, took_ns);
}

/* Whether matches are removed, as -e of pfind or -delete asks. */
static bool deletes(const struct find *f)
{
    for (size_t i = 0; i < f->match->n_actions; i++) {
        if (f->match->actions[i]->act == TMK_MATCH_DELETE) {
            return true;
        }
    }
    return false;
}

/* The last lines of pfind.  Collective. */
static void report_pfind_all(struct find *f)
{
    const struct tmk_queue_traffic own = tmk_queue_traffic(f->walk.queue);
    const struct tmk_queue_traffic *traffic =
        f->pfind_conf.verbosity > 0 ? &own : NULL;

    if (f->pfind_conf.by_rank) {
        tmk_find_report_ranks_all(f->job, f->walk.own, deletes(f), traffic);
    }
    tmk_find_report_pfind(f->job, &f->result, f->pfind_conf.rates, deletes(f),
                          traffic);
}

/* Say what was done; the exit status. */
static int conclude_all(struct find *f)
{
    struct tmk_job *job = f->job;
    const struct tmk_find_result *r = &f->result;
    const int written =
        tmk_job_agree_all(job, tmk_find_output_failed(f->output));
    struct tmk_result whole = {
        .failed_operations = r->sums[TMK_FIND_FAILED],
        .operations = r->sums[TMK_FIND_ENTRIES],
        .over_tolerance = r->sums[TMK_FIND_FAILED] != 0,
        .interrupted = tmk_job_interrupted_all(job),
        .output_failed = written != 0,
        .commands_failed = f->walk.command_failed,
    };
    bool fine;

    if (written != 0) {
        tmk_say_error(job, "writing the output: %s", strerror(-written));
    }
    if (f->pfind && !(f->parts->done != NULL && job->embedded)) {
        report_pfind_all(f);
    } else if (f->conf.count && !tmk_results_is_standard(f->conf.json) &&
               !tmk_results_is_standard(f->conf.csv)) {
        tmk_say(job, "%" PRIu64, r->sums[TMK_FIND_MATCHES]);
    }
    if (f->conf.stats) {
        tmk_find_report_stats(job, r);
    }
    if (f->conf.percentiles) {
        tmk_find_report_latency(job, r);
    }
    fine = write_results_all(f, &whole);
    if (r->sums[TMK_FIND_FAILED] != 0) {
        tmk_say_error(job, "%" PRIu64 " error%s", r->sums[TMK_FIND_FAILED],
                      r->sums[TMK_FIND_FAILED] == 1 ? "" : "s");
    }
    if (whole.interrupted != 0) {
        return 128 + whole.interrupted;
    }
    fine = fine && !whole.over_tolerance && !whole.output_failed &&
           !whole.commands_failed;
    return fine ? STATUS_OK : STATUS_FAILED;
}

static int run_all(struct find *f)
{
    int status = STATUS_REFUSED;

    take_pfind(f);
    if (check(f) != 0 || open_results_all(f) != 0) {
        return status;
    }
    if (prepare_all(f) == 0) {
        search_all(f);
        status = conclude_all(f);
    }
    return status;
}

int tmk_find_main_all(struct tmk_job *job, int argc, char **argv,
                      const struct tmk_find_parts *parts)
{
    struct find *f = calloc(1, sizeof(*f));
    int status = STATUS_REFUSED;
    int err = tmk_job_agree_all(job, f != NULL ? 0 : -ENOMEM);

    if (err != 0 || f == NULL) {
        tmk_say_error(job, "out of memory");
        free(f);
        return STATUS_FAILED;
    }
    f->job = job;
    f->parts = parts;
    f->argc = argc;
    f->argv = argv;
    f->started = time(NULL);
    tmk_find_conf_init(&f->conf);
    err = compile_all(f);
    if (err == 0 && (f->match->help || f->match->version)) {
        if (job->rank == 0 && f->match->help) {
            tmk_find_help(job->out);
        } else if (job->rank == 0) {
            fprintf(job->out, "treemark find %s\n", parts->version);
        }
        status = STATUS_OK;
    } else if (err == 0) {
        status = run_all(f);
    }
    (void)tmk_results_close_all(&f->results, job); /* if it was refused */
    tmk_find_walk_fini_all(&f->walk);
    tmk_statx_ring_free(f->walk.ring);
    tmk_find_act_fini(&f->walk);
    tmk_find_names_free(f->walk.users);
    tmk_find_names_free(f->walk.groups);
    tmk_find_output_free(f->output);
    tmk_match_free(f->match);
    free(f);
    return status;
}
