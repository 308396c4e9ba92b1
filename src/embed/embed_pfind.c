/*
 * embed_pfind: pfind_parse_args(), pfind_find(), pfind_aggregrate_results().
 */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/find_main.h"
#include "bench/version.h"
#include "embed/embed.h"
#include "run/say.h"
#include "treemark/aiori.h"
#include "treemark/pfind-options.h"

/* With its words behind it, in one block. */
struct pfind_options {
    MPI_Comm comm;
    int argc;
    char *argv[];
};

pfind_options_t *pfind_parse_args(int argc, char **argv, int force_print_help,
                                  MPI_Comm comm)
{
    static const char help[] = "--help";
    const size_t n = argc > 0 && argv != NULL ? (size_t)argc : 0;
    size_t bytes = sizeof(pfind_options_t) + (n + 1) * sizeof(char *);
    pfind_options_t *options;
    char *to;

    for (size_t i = 0; i < n; i++) {
        bytes += argv[i] != NULL ? strlen(argv[i]) + 1 : 1;
    }
    options = malloc(bytes + sizeof(help));
    if (options == NULL) {
        return NULL;
    }
    options->comm = comm;
    to = (char *)&options->argv[n + 1];
    for (size_t i = 0; i < n; i++) {
        const char *word = argv[i] != NULL ? argv[i] : "";
        const size_t length = strlen(word) + 1;

        options->argv[i] = memcpy(to, word, length);
        to += length;
    }
    options->argc = (int)n;
    if (force_print_help != 0) {
        options->argv[n] = memcpy(to, help, sizeof(help));
        options->argc++;
    }
    return options;
}

static void fill(pfind_find_results_t *r, const struct tmk_find_done *done)
{
    const struct tmk_queue_traffic *t = &done->traffic;

    r->errors = done->failed;
    r->unknown_file = done->unknown;
    r->found_files = done->matches;
    r->total_files = done->files;
    r->checked_dirents = done->entries;
    r->runtime = tmk_units_seconds(done->time_ns);
    r->rate = tmk_units_per_s(done->files, done->time_ns);
    r->monitor = (pfind_monitoring_t){
        .job_steal_inbound = t->asked_by_others,
        .work_send = t->items_given,
        .job_steal_tries = t->asked,
        .work_stolen = t->items_taken,
        .job_steal_mpitime_us = t->idle_ns / 1000,
        .completion_tokens_send = t->rounds,
    };
}

/* Of a search that failed a host sees nothing found. */
static void spoil(pfind_find_results_t *r, int rank)
{
    r->errors += r->errors == 0 && rank == 0;
    r->found_files = 0;
    r->total_files = 0;
    r->rate = 0.0;
}

/* The status; *r is filled if a search was made. */
static int search_all(struct tmk_embed_call *call, pfind_find_results_t *r,
                      bool *searched)
{
    struct tmk_find_done done = {0};
    const struct tmk_find_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .pfind = true,
        .done = &done,
    };
    int status = TMK_EMBED_REFUSED;

    if (tmk_job_agree_all(call->job, r != NULL ? 0 : -1) == 0 && r != NULL) {
        status = tmk_find_main_all(call->job, call->argc, call->argv, &parts);
        fill(r, &done);
        *searched = done.searched;
        if (done.searched && (status != TMK_EMBED_OK || done.all_failed != 0)) {
            spoil(r, call->job->rank);
            tmk_say_error(call->job, "for the program that called, nothing "
                                     "was found: the search failed in part");
        }
    }
    return status;
}

pfind_find_results_t *pfind_find(pfind_options_t *options)
{
    /* As io500 counts on: by the change of the inode, in whole seconds. */
    static const char *const more[] = {"--pfind-ctime", NULL};
    FILE *out = out_logfile != NULL ? out_logfile : stdout;
    pfind_find_results_t *r = calloc(1, sizeof(*r));
    struct tmk_embed_call call;
    bool searched = false;
    int status = TMK_EMBED_REFUSED;

    if (options == NULL) {
        free(r);
        return NULL;
    }
    if (tmk_embed_begin_all(&call, "pfind", options->argc, options->argv, more,
                            options->comm, out) == 0) {
        status = search_all(&call, r, &searched);
    }
    status = tmk_embed_end_all(&call, status);
    if (r == NULL || !searched || status > TMK_EMBED_FAILED) {
        free(r);
        return NULL;
    }
    if (status != TMK_EMBED_OK) { /* MPI's errors, too */
        spoil(r, 1);
    }
    r->com = options->comm;
    return r;
}

pfind_find_results_t *pfind_aggregrate_results(pfind_find_results_t *local)
{
    enum { ERRORS, UNKNOWN, FOUND, TOTAL, CHECKED, MONITOR, COUNTS = 11 };
    pfind_find_results_t *all = calloc(1, sizeof(*all));
    uint64_t counts[COUNTS];

    if (local == NULL) {
        free(all);
        return NULL;
    }
    counts[ERRORS] = local->errors;
    counts[UNKNOWN] = local->unknown_file;
    counts[FOUND] = local->found_files;
    counts[TOTAL] = local->total_files;
    counts[CHECKED] = local->checked_dirents;
    counts[MONITOR] = local->monitor.job_steal_inbound;
    counts[MONITOR + 1] = local->monitor.work_send;
    counts[MONITOR + 2] = local->monitor.job_steal_tries;
    counts[MONITOR + 3] = local->monitor.work_stolen;
    counts[MONITOR + 4] = local->monitor.job_steal_mpitime_us;
    counts[MONITOR + 5] = local->monitor.completion_tokens_send;
    double runtime = local->runtime;

    MPI_Allreduce(MPI_IN_PLACE, counts, COUNTS, MPI_UINT64_T, MPI_SUM,
                  local->com);
    MPI_Allreduce(MPI_IN_PLACE, &runtime, 1, MPI_DOUBLE, MPI_MAX, local->com);
    if (all == NULL) {
        return NULL;
    }
    *all = (pfind_find_results_t){
        .errors = counts[ERRORS],
        .unknown_file = counts[UNKNOWN],
        .found_files = counts[FOUND],
        .total_files = counts[TOTAL],
        .checked_dirents = counts[CHECKED],
        .rate = runtime > 0.0 ? (double)counts[TOTAL] / runtime : 0.0,
        .runtime = runtime,
        .monitor = {counts[MONITOR], counts[MONITOR + 1], counts[MONITOR + 2],
                    counts[MONITOR + 3], counts[MONITOR + 4],
                    counts[MONITOR + 5]},
        .com = local->com,
    };
    return all;
}
