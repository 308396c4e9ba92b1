/*
 * ior_steps: the repetitions of a test: writing, checking, reading, removing.
 */
#include "bench/ior_steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mix.h"
#include "base/units.h"
#include "bench/ior_cache.h"
#include "bench/ior_each.h"
#include "bench/ior_ends.h"
#include "bench/ior_fill.h"
#include "bench/ior_log.h"
#include "bench/ior_statusfile.h"
#include "run/caches.h"
#include "run/clock.h"
#include "run/failures.h"
#include "run/report_lines.h"
#include "run/say.h"

static const char *const row_names[] = {
    [TMK_IOR_ROW_WRITE] = "write",
    [TMK_IOR_ROW_READ] = "read",
    [TMK_IOR_ROW_CHECK] = "write check",
    [TMK_IOR_ROW_MIX] = "mixed",
    [TMK_IOR_ROWS] = "read pass 2",
    "read pass 3",
    "read pass 4",
    "read pass 5",
    "read pass 6",
    "read pass 7",
    "read pass 8",
    "read pass 9",
};

const char *tmk_ior_steps_name(int row)
{
    return row_names[row];
}

/* The row of a pass; those that have none go to the last. */
static int row_of_pass(const struct tmk_ior_job *t, int pass)
{
    const int last = (int)t->result.n_rows - 1;
    const int row = pass == 0 ? TMK_IOR_ROW_READ : TMK_IOR_ROWS + pass - 1;

    return row < last || pass == 0 ? row : last;
}

/* Where the transfers of this rank lie in the phase to come.  0 or -errno. */
static int set_offsets(struct tmk_ior_job *t, enum tmk_ior_access access,
                       bool sequential)
{
    struct tmk_ior_run *run = &t->run;
    const struct tmk_ior_conf *conf = t->plan.conf;
    struct tmk_ior_offsets_how how = {
        .order = TMK_IOR_SEQUENTIAL,
        .shared = t->plan.shared,
        .ranks = (uint64_t)t->job->size,
        .segments = t->plan.segments != 0 ? t->plan.segments : 1,
        .block_bytes = t->plan.block_bytes,
        .transfer_bytes = t->plan.transfer_bytes,
        .seed = tmk_mix((uint64_t)run->random_seed +
                        (uint64_t)run->repetition * UINT64_C(0x9e3779b9)),
        .legacy_seed = (uint32_t)run->random_seed,
        .file_bytes = t->plan.file_bytes,
        .extends = t->plan.writes,
    };

    if (!sequential && conf->random_offset == 1) {
        how.order = conf->semantics == TMK_IOR_AS_IOR_4_1 ? TMK_IOR_LEGACY
                                                          : TMK_IOR_SHUFFLED;
    } else if (!sequential && conf->random_offset > 1) {
        how.order = TMK_IOR_BLOCKS;
        if (access != TMK_IOR_WRITE && t->files.ops->stores) {
            how.file_bytes =
                tmk_ior_files_size_of(&t->files, run->source, run->repetition);
        }
    }
    tmk_ior_offsets_fini(&run->offsets);
    return tmk_ior_offsets_init(&run->offsets, &how, run->source);
}

/* Transfers that there are in the file of a rank. */
static uint64_t limit_of(const struct tmk_ior_job *t, uint32_t source)
{
    if (t->limits != NULL) {
        return t->limits[source];
    }
    return t->status_limit;
}

int tmk_ior_steps_aim_all(struct tmk_ior_job *t, const struct tmk_ior_how *how,
                          bool in_order)
{
    struct tmk_ior_run *run = &t->run;
    const bool reads = how->access == TMK_IOR_READ;
    int err;

    run->tasks.nodes_on = t->plan.conf->node_offset + (how->timed ? 0 : 1);
    run->source = (uint32_t)t->job->rank;
    if (reads) {
        run->source = tmk_ior_tasks_source(&run->tasks, (uint32_t)t->job->rank,
                                           run->repetition);
    }
    run->limit = reads ? limit_of(t, run->source) : 0;
    err = tmk_ior_plan_path(&t->plan, run->source, run->repetition, run->path,
                            sizeof(run->path));
    err = err < 0 ? err : set_offsets(t, how->access, in_order);
    err = tmk_job_agree_all(t->job, err);
    if (err == -EINVAL) {
        tmk_say_error(t->job,
                      "-z -z: a file of at least one block (-b %" PRIu64
                      ") is needed",
                      t->plan.block_bytes);
    } else if (err != 0) {
        tmk_say_error(t->job, "%s: %s", run->path, strerror(-err));
    }
    return err;
}

static void fill_seeds(const struct tmk_ior_job *t, struct tmk_phase_result *p)
{
    const struct tmk_ior_plan *plan = &t->plan;

    p->seeds = (struct tmk_result_seeds){
        .data_known = tmk_ior_steps_has_data(plan),
        .offsets_known = plan->conf->random_offset != 0,
        .data = t->run.seed,
        .offsets = t->run.random_seed,
    };
}

/* Results of a phase into the whole, and to the writers. */
static void fold(struct tmk_ior_job *t, int row, struct tmk_phase_result *p)
{
    struct tmk_ior_launch *launch = t->launch;
    struct tmk_result *result = launch->result;
    char when[64];

    tmk_result_row_add(&t->result.rows[row], p, t->job->barrier_ns);
    result->operations += p->operations;
    result->failed_operations += p->failed;
    result->wrong += p->wrong;
    t->full = t->full || (p->full && p->failed != 0);
    (void)snprintf(when, sizeof(when), "repetition %d", t->run.repetition);
    tmk_failures_say(launch->job, p, row_names[row], when, launch->said[row]);
    if (t->job->rank == 0) {
        tmk_ior_log_wrong(&launch->text,
                          row == TMK_IOR_ROW_CHECK ? "write" : "read", p->wrong,
                          t->run.seed);
    }
    if (p->wrong > 1) {
        tmk_ior_each_wrong_all(t, row_names[row]);
    }
    fill_seeds(t, p);
    tmk_report_lines_intervals(launch->job, row_names[row], &p->intervals);
    tmk_report_phase(launch->results.writers, &launch->report, &t->result,
                     &t->result.rows[row], t->run.repetition, p);
}

static void print_phase(struct tmk_ior_job *t, struct tmk_ior_phase *phase)
{
    tmk_ior_text_add(&t->text, phase);
    if (t->job->rank == 0) {
        tmk_ior_text_phase(&t->launch->text, &t->text, phase);
    }
}

static void fill_transfer(struct tmk_phase_result *p,
                          const struct tmk_ior_phase *phase)
{
    p->transfer = (struct tmk_result_transfer){
        .on = true,
        .open_ns = phase->open_ns,
        .transfer_ns = phase->transfer_ns,
        .close_ns = phase->close_ns,
        .total_ns = phase->total_ns,
        .bytes_per_s =
            phase->total_ns != 0
                ? (double)p->bytes / tmk_units_seconds(phase->total_ns)
                : 0.0,
        .cached_share = phase->cached_share,
        .mixed = phase->access == TMK_IOR_MIX,
        .write = phase->sides[TMK_IOR_WRITE],
        .read = phase->sides[TMK_IOR_READ],
    };
}

void tmk_ior_steps_progress(struct tmk_ior_job *t, const char *name)
{
    const struct tmk_progress_round round = {
        .name = name,
        .iteration = t->run.repetition + 1,
        .iterations = t->plan.conf->repetitions,
        .planned = t->plan.per_rank * (uint64_t)t->job->size,
        .limit_ns = t->plan.conf->deadline_ns,
    };

    tmk_progress_begin(&t->launch->progress, t->job, &round);
}

/* -d: before a write and before a read.  Collective. */
static void delay_all(struct tmk_ior_job *t)
{
    const uint64_t ns = t->plan.conf->delay_ns;

    if (ns != 0) {
        if (t->job->rank == 0) {
            tmk_ior_log_delay(&t->launch->text, &t->text, ns);
        }
        tmk_job_sleep(ns);
        (void)tmk_job_interrupted_all(t->job);
    }
}

int tmk_ior_steps_perop_open_all(struct tmk_ior_job *t, int repetition)
{
    struct tmk_perop_how how = {.prefix = t->perop_prefix,
                                .rank = t->job->rank};
    const char *prefix = t->plan.conf->per_op;
    size_t names = TMK_IOR_ROWS;
    int err;

    if (prefix == NULL) {
        return 0;
    }
    (void)snprintf(t->perop_prefix, sizeof(t->perop_prefix), "%s-%d", prefix,
                   repetition);
    t->perop_open = true;
    if (t->plan.reads) {
        names += (size_t)t->plan.conf->read_passes - 1;
    }
    err = tmk_perop_open(&t->perop, &how, row_names, names);
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        tmk_say_error(t->job, "--savePerOpDataCSV: %s-...: %s", t->perop_prefix,
                      strerror(-err));
    }
    return err;
}

void tmk_ior_steps_perop_close_all(struct tmk_ior_job *t)
{
    int err;

    if (!t->perop_open) {
        return;
    }
    t->perop_open = false;
    err = tmk_job_agree_all(t->job, tmk_perop_close(&t->perop));
    if (err != 0) {
        tmk_say_error(t->job, "--savePerOpDataCSV: writing %s-...: %s",
                      t->perop_prefix, strerror(-err));
        t->launch->result->output_failed = true;
    }
}

static void perop_begin(struct tmk_ior_job *t, int row)
{
    struct tmk_ior_run *run = &t->run;

    run->perop = NULL;
    if (t->plan.conf->per_op != NULL &&
        tmk_perop_begin(&t->perop, row_names[row], t->job->size,
                        run->repetition, &run->phase.t0_ns, t->plan.per_rank)) {
        run->perop = &t->perop;
    }
}

static void perop_end(struct tmk_ior_job *t)
{
    if (t->run.perop != NULL) {
        tmk_perop_end(t->run.perop);
        t->run.perop = NULL;
    }
}

/* What the user wants to be told by the engine (--mpiio.showHints): once. */
static void describe_engine(struct tmk_ior_job *t)
{
    const char *text = NULL;

    if (!t->described && t->run.ops->describe != NULL) {
        text = t->run.ops->describe(t->run.engine);
    }
    t->described = true;
    if (text != NULL && t->job->rank == 0) {
        fputs(text, t->launch->text.log);
        fflush(t->launch->text.log);
    }
}

/* One phase with all that belongs to it; false: nothing should follow. */
static bool phase_all(struct tmk_ior_job *t, int row,
                      const struct tmk_ior_how *how,
                      const struct tmk_result_caches *caches, double share)
{
    struct tmk_ior_phase phase;
    struct tmk_phase_result *p = &t->phase;

    if (t->job->rank == 0 && how->timed) {
        tmk_ior_log_commencing(&t->launch->text, &t->text, how->access,
                               time(NULL));
    }
    tmk_ior_steps_progress(t, row_names[row]);
    perop_begin(t, row);
    tmk_ior_phase_all(&t->run, how, &phase, p);
    perop_end(t);
    tmk_progress_end(&t->launch->progress);
    describe_engine(t);
    phase.cached_share = share;
    if (caches != NULL) {
        p->caches = *caches;
    }
    if (how->timed) {
        phase.stat_known = tmk_ior_files_size_all(&t->files, t->run.repetition,
                                                  &phase.stat_bytes);
        print_phase(t, &phase);
        tmk_ior_each_all(t, &phase);
        fill_transfer(p, &phase);
        tmk_ior_doubt_add(&t->doubt, &phase);
    }
    if (how->access == TMK_IOR_READ && how->timed) {
        p->foreign_share =
            tmk_ior_tasks_foreign_share(&t->run.tasks, t->run.repetition);
    }
    fold(t, row, p);
    tmk_ior_ends_phase(t, row_names[row], &phase, p);
    for (int i = 0; how->access == TMK_IOR_MIX && i < 2; i++) {
        tmk_ior_mix_add(&t->sides[i], phase.sides[i].latency);
    }
    tmk_ior_tell_phase(t->launch, t->text.id, t->job->size, &phase, how->timed);
    if (row == TMK_IOR_ROW_WRITE && !t->wrote) {
        t->wrote = true;
        t->first_pairs = phase.pairs_accessed;
    }
    return !tmk_ior_steps_gave_up(t);
}

/*
 * After a write that -D stopped: others read what each rank has written.
 * Collective.
 */
static void learn_limits_all(struct tmk_ior_job *t)
{
    const size_t n = (size_t)t->job->size;
    uint64_t own = t->run.marks.transfers;
    MPI_Request request;
    int err;

    if (t->plan.conf->deadline_ns == 0 || !t->phase.wall.hit) {
        return;
    }
    if (t->plan.conf->wear_out != 0) {
        t->status_limit = tmk_job_max_all(t->job, own);
        return;
    }
    t->limits = calloc(n, sizeof(*t->limits));
    err = tmk_job_agree_all(t->job, t->limits != NULL ? 0 : -ENOMEM);
    if (err != 0) {
        free(t->limits);
        t->limits = NULL;
        return;
    }
    tmk_wait_start_allgather_all(&t->job->wait, &own, t->limits,
                                 (int)sizeof(own), &request);
    tmk_wait_finish(1, &request);
}

static bool write_all(struct tmk_ior_job *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_WRITE, .timed = true};

    free(t->limits);
    t->limits = NULL;
    t->status_limit = 0;
    if (tmk_ior_files_begin_all(&t->files, t->run.repetition) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    if (t->plan.conf->prefill_bytes != 0 &&
        !tmk_ior_fill_all(t, t->plan.conf->prefill_bytes, 0)) {
        return false;
    }
    if (tmk_ior_steps_aim_all(t, &how, false) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    delay_all(t);
    if (t->job->interrupted != 0 ||
        !phase_all(t, TMK_IOR_ROW_WRITE, &how, NULL, -1.0)) {
        return false;
    }
    learn_limits_all(t);
    tmk_ior_cache_after_write_all(&t->run, &t->files);
    return true;
}

static bool check_all(struct tmk_ior_job *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_READ, .checks = true};

    if (t->job->rank == 0) {
        tmk_ior_log_verifying(&t->launch->text, &t->text, time(NULL));
    }
    if (tmk_ior_steps_aim_all(t, &how, false) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    return phase_all(t, TMK_IOR_ROW_CHECK, &how, NULL, -1.0);
}

static bool read_all(struct tmk_ior_job *t, int pass)
{
    const struct tmk_ior_how how = {
        .access = TMK_IOR_READ,
        .checks = t->plan.checks_read,
        .timed = true,
        .pass = pass,
    };
    struct tmk_result_caches caches = {.on = false};
    double share = -1.0;

    if (!t->plan.writes && t->plan.conf->status_file != NULL) {
        t->status_limit =
            tmk_ior_statusfile_read_all(t->job, t->plan.conf->status_file);
        tmk_ior_ends_limit(t);
    }
    if (tmk_ior_steps_aim_all(t, &how, false) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    tmk_ior_cache_before_read_all(&t->run, &t->files, pass == 0, &caches,
                                  &share);
    delay_all(t);
    return t->job->interrupted == 0 &&
           phase_all(t, row_of_pass(t, pass), &how, &caches, share);
}

/* Reads and writes in one phase, of files that are whole. */
static bool mix_all(struct tmk_ior_job *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_MIX, .timed = true};
    struct tmk_result_caches caches = {.on = false};
    double share = -1.0;
    uint64_t limit = 0;
    bool whole = true;

    if (tmk_ior_files_begin_all(&t->files, t->run.repetition) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    if (t->files.ops->stores && t->files.cares) {
        whole = tmk_ior_files_size_of(&t->files, (uint64_t)t->job->rank,
                                      t->run.repetition) >= t->plan.file_bytes;
    }
    if (tmk_job_max_all(t->job, !whole) != 0 &&
        !tmk_ior_fill_whole_all(t, &limit)) {
        return false;
    }
    if (tmk_ior_steps_aim_all(t, &how, false) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    t->run.limit = limit;
    tmk_ior_cache_before_read_all(&t->run, &t->files, true, &caches, &share);
    delay_all(t);
    return t->job->interrupted == 0 &&
           phase_all(t, TMK_IOR_ROW_MIX, &how, &caches, share);
}

/*
 * The end of a repetition: what this launch made goes, unless -k; what was
 * interrupted in any case.
 */
static void remove_all(struct tmk_ior_job *t)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    const bool wrong = t->launch->result->wrong != t->wrong_before;
    struct tmk_ior_phase phase = {
        .access = TMK_IOR_REMOVE,
        .repetition = t->run.repetition,
    };
    bool any;
    int err;

    if (!t->files.wrote ||
        (t->job->interrupted == 0 &&
         (conf->keep != 0 || (conf->keep_with_error != 0 && wrong)))) {
        return;
    }
    err = tmk_ior_files_remove_all(&t->files, t->run.repetition,
                                   &phase.total_ns, &any);
    if (err != 0) {
        tmk_say_error(t->job, "removing %s: %s", conf->path, strerror(-err));
        t->launch->result->left_behind = true;
        return;
    }
    if (any && t->job->rank == 0) {
        tmk_ior_text_phase(&t->launch->text, &t->text, &phase);
    }
}

/* The seed of the data of a repetition.  One that the clock gave is another
 * each time, so that what is left of an earlier one is no right data. */
static void choose_seed(struct tmk_ior_job *t)
{
    t->run.seed = t->first_seed;
    if (t->plan.conf->seed == 0) {
        t->run.seed =
            (int32_t)((uint32_t)t->first_seed + (uint32_t)t->run.repetition);
    }
    tmk_ior_data_seed(&t->run.data, t->run.seed);
    if (t->job->rank == 0) {
        tmk_ior_log_time_stamp(&t->launch->text, &t->text, t->run.seed);
    }
}

static bool phases_all(struct tmk_ior_job *t)
{
    const int i = t->run.repetition;

    if (t->plan.mixes && !tmk_ior_ends_late_all(t, i, TMK_IOR_ROW_MIX) &&
        !mix_all(t)) {
        return false;
    }
    if (t->plan.writes && !tmk_ior_ends_late_all(t, i, TMK_IOR_ROW_WRITE) &&
        !write_all(t)) {
        return false;
    }
    if (t->plan.checks_write &&
        !tmk_ior_ends_late_all(t, i, TMK_IOR_ROW_CHECK) && !check_all(t)) {
        return false;
    }
    for (int pass = 0; t->plan.reads && pass < t->plan.conf->read_passes;
         pass++) {
        if (!tmk_ior_ends_late_all(t, i, row_of_pass(t, pass)) &&
            !read_all(t, pass)) {
            return false;
        }
    }
    return true;
}

/* The row of what a repetition begins with. */
static int first_row(const struct tmk_ior_plan *plan)
{
    return plan->mixes          ? TMK_IOR_ROW_MIX
           : plan->writes       ? TMK_IOR_ROW_WRITE
           : plan->checks_write ? TMK_IOR_ROW_CHECK
                                : TMK_IOR_ROW_READ;
}

void tmk_ior_steps_all(struct tmk_ior_job *t)
{
    for (int i = 0; i < t->plan.conf->repetitions; i++) {
        bool goes_on;

        t->run.repetition = i;
        t->wrong_before = t->launch->result->wrong;
        t->result.iterations_done = i + 1;
        if (i > 0 && tmk_ior_steps_perop_open_all(t, i) != 0) {
            t->launch->result->output_failed = true;
        }
        choose_seed(t);
        goes_on = phases_all(t);
        if (!goes_on && t->job->interrupted != 0 &&
            t->plan.conf->keep_interrupted != 0) {
            return;
        }
        tmk_ior_steps_perop_close_all(t);
        remove_all(t);
        if (!goes_on || i + 1 == t->plan.conf->repetitions ||
            tmk_ior_ends_late_all(t, i + 1, first_row(&t->plan))) {
            return;
        }
    }
}
