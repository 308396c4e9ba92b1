/*
 * ior_test: one test: repetitions of writing, checking, reading and removing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mix.h"
#include "base/quote.h"
#include "base/units.h"
#include "bench/ior_cache.h"
#include "bench/ior_files.h"
#include "bench/ior_launch.h"
#include "bench/ior_map.h"
#include "bench/ior_run.h"
#include "bench/ior_statusfile.h"
#include "run/caches.h"
#include "run/clock.h"
#include "run/failures.h"
#include "run/say.h"

static const char *const row_names[] = {
    [TMK_IOR_ROW_WRITE] = "write",
    [TMK_IOR_ROW_READ] = "read",
    [TMK_IOR_ROW_CHECK] = "write-check",
};

struct test {
    struct tmk_ior_launch *launch;
    struct tmk_job *job;
    struct tmk_ior_plan plan;
    struct tmk_ior_test text; /* as it is printed */
    struct tmk_ior_files files;
    struct tmk_ior_run run;
    struct tmk_ior_map map; /* of the ranks, or as it is made up */
    struct tmk_result_test result;
    struct tmk_phase_result phase, reads;
    const char *shared;
    uint64_t status_limit; /* transfers that a status file tells of; 0 = all */
    uint64_t *limits;      /* owned: of each rank; NULL = all have as many */
    uint64_t first_pairs;  /* of the write of repetition 0 */
    uint64_t wrong_before; /* in this repetition */
    bool wrote;            /* repetition 0 */
    bool full;
};

/*
 * Before.
 */

static const struct tmk_engine_ops *ops_of(const struct tmk_ior_launch *launch,
                                           size_t i)
{
    return tmk_engine_find(launch->parts->engines,
                           tmk_ior_launch_conf(launch, i)->api);
}

/* An engine that cannot do what is asked of it.  NULL: it can. */
static const char *engine_lacks(const struct tmk_engine_ops *ops,
                                const struct tmk_ior_conf *conf)
{
    if (ops->pwrite == NULL || ops->pread == NULL) {
        return "it moves no data";
    }
    if ((conf->fsync != 0 || conf->fsync_per_write != 0) &&
        ops->fsync == NULL) {
        return "-e, -Y: it has no fsync";
    }
    if ((conf->check_read != 0 || conf->check_write != 0) && !ops->stores) {
        return "-R, -W: nothing is stored that could be checked";
    }
    return NULL;
}

/* Whether transfers bypass the page cache, which takes whole blocks. */
static int check_direct(struct tmk_ior_launch *launch,
                        const struct tmk_ior_plan *plan,
                        const struct tmk_engine_ops *ops,
                        struct tmk_engine *engine)
{
    enum { LEAST_BLOCK = 512 };

    if (ops->direct == NULL || !ops->direct(engine) ||
        plan->transfer_bytes % LEAST_BLOCK == 0) {
        return 0;
    }
    tmk_say_error(launch->job,
                  "-t: %" PRIu64 " bytes cannot be transferred with O_DIRECT: "
                  "a multiple of %d can",
                  plan->transfer_bytes, (int)LEAST_BLOCK);
    return -EINVAL;
}

static struct tmk_ior_here here_of(const struct tmk_ior_launch *launch)
{
    const struct tmk_job *job = launch->job;

    return (struct tmk_ior_here){
        .ranks = job->size,
        .nodes = (int)job->layout.map.nodes,
        .ranks_per_node = (int)job->layout.map.most_ranks,
        .memory_bytes = launch->memory_bytes,
    };
}

static int make_plan(struct tmk_ior_launch *launch, size_t i,
                     struct tmk_ior_plan *plan, bool says_notes)
{
    const struct tmk_ior_here here = here_of(launch);
    struct tmk_ior_notes notes = {.n = 0};
    char why[512] = "";
    int err = tmk_ior_plan_make(plan, tmk_ior_launch_conf(launch, i), &here,
                                &notes, why, sizeof(why));

    if (err != 0 && launch->tests.n > 1) {
        tmk_say_error(launch->job, "test %zu: %s", i, why);
    } else if (err != 0) {
        tmk_say_error(launch->job, "%s", why);
    }
    for (size_t k = 0; err == 0 && says_notes && k < notes.n; k++) {
        if (notes.list[k].code != NULL) {
            tmk_say_warning(launch->job, notes.list[k].code, "%s",
                            notes.list[k].text);
        } else {
            tmk_say(launch->job, "%s", notes.list[k].text);
        }
    }
    return err;
}

int tmk_ior_test_check(struct tmk_ior_launch *launch, size_t i)
{
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, i);
    const struct tmk_engine_ops *ops = ops_of(launch, i);
    struct tmk_ior_plan plan;
    const char *lack;
    char names[256] = "";
    char quoted[64];

    if (ops == NULL) {
        for (size_t k = 0; launch->parts->engines[k] != NULL; k++) {
            size_t used = strlen(names);

            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           k == 0 ? "" : ", ", launch->parts->engines[k]->name);
        }
        tmk_quote(quoted, sizeof(quoted), conf->api, strlen(conf->api));
        tmk_say_error(launch->job, "-a: %s is not available here (%s are)",
                      quoted, names);
        return -EINVAL;
    }
    lack = engine_lacks(ops, conf);
    if (lack != NULL) {
        tmk_say_error(launch->job, "-a %s: %s", ops->name, lack);
        return -ENOTSUP;
    }
    return make_plan(launch, i, &plan, false);
}

/*
 * Phases.
 */

static bool gave_up(const struct test *t)
{
    return t->job->interrupted != 0 || t->full;
}

/* -T: whether it is too late to begin another phase.  Collective. */
static bool late_all(struct test *t)
{
    const uint64_t most_ns = t->plan.conf->max_time_ns;
    const uint64_t now_ns = tmk_clock_ns();

    return most_ns != 0 &&
           tmk_job_max_all(t->job, now_ns - t->launch->began_ns > most_ns) != 0;
}

/* Where the transfers of this rank lie in the phase to come.  0 or -errno. */
static int set_offsets(struct test *t, enum tmk_ior_access access,
                       bool sequential)
{
    struct tmk_ior_run *run = &t->run;
    const struct tmk_ior_conf *conf = t->plan.conf;
    const bool own = !t->plan.shared;
    struct tmk_ior_offsets_how how = {
        .order = TMK_IOR_SEQUENTIAL,
        .shared = t->plan.shared,
        .ranks = (uint64_t)t->job->size,
        .segments = t->plan.segments,
        .block_bytes = t->plan.block_bytes,
        .transfer_bytes = t->plan.transfer_bytes,
        .seed = tmk_mix((uint64_t)run->random_seed +
                        (uint64_t)run->repetition * UINT64_C(0x9e3779b9)),
        .legacy_seed =
            (uint32_t)((uint64_t)run->random_seed + (own ? run->source : 0)),
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
static uint64_t limit_of(const struct test *t, uint32_t source)
{
    if (t->limits != NULL) {
        return t->limits[source];
    }
    return t->status_limit;
}

/*
 * Everything that a phase needs to know: whose data, where.  0, or -errno,
 * said.  Collective.
 */
static int aim_all(struct test *t, const struct tmk_ior_how *how)
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
    err = err < 0 ? err : set_offsets(t, how->access, false);
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

/* Results of a phase into the whole, and to the writers. */
static void fold(struct test *t, int row, const struct tmk_phase_result *p)
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
    if (p->wrong != 0) {
        tmk_say(t->job,
                "WARNING: Incorrect data on %s (%" PRIu64 " errors "
                "found).",
                row == TMK_IOR_ROW_CHECK ? "write" : "read", p->wrong);
        tmk_say(t->job,
                "Used Time Stamp %" PRIu32 " (0x%" PRIx32
                ") for Data Signature",
                (uint32_t)t->run.seed, (uint32_t)t->run.seed);
    }
    tmk_report_phase(launch->results.writers, &launch->report, &t->result,
                     &t->result.rows[row], t->run.repetition, p);
}

/* What each rank took, for saveRankPerformanceDetailsCSV.  Collective. */
static void rank_details_all(struct test *t, const struct tmk_ior_phase *phase)
{
    const struct tmk_phase *p = &t->run.phase;
    const size_t n = (size_t)t->job->size;
    uint64_t own[2] = {p->t1_ns - p->t0_ns, t->run.transfer_ns};
    uint64_t *all = NULL;
    int err = 0;

    if (t->plan.conf->rank_details == NULL) {
        return;
    }
    if (t->job->rank == 0) {
        all = calloc(4 * n, sizeof(*all));
        err = all != NULL ? 0 : -ENOMEM;
    }
    if (tmk_job_agree_all(t->job, err) == 0) {
        tmk_wait_gather_all(&t->job->wait, own, all, (int)sizeof(own));
        if (all != NULL && t->launch->ranks_file != NULL) {
            for (size_t i = 0; i < n; i++) {
                all[2 * n + i] = all[2 * i];
                all[3 * n + i] = all[2 * i + 1];
            }
            tmk_ior_text_ranks(t->launch->ranks_file, phase, t->job->size,
                               all + 2 * n, all + 3 * n);
        }
    }
    free(all);
}

static void print_phase(struct test *t, struct tmk_ior_phase *phase)
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
    };
}

static void begin_progress(struct test *t, int row)
{
    const struct tmk_progress_round round = {
        .name = row_names[row],
        .iteration = t->run.repetition + 1,
        .iterations = t->plan.conf->repetitions,
        .planned = t->plan.per_rank * (uint64_t)t->job->size,
        .limit_ns = t->plan.conf->deadline_ns,
    };

    tmk_progress_begin(&t->launch->progress, t->job, &round);
}

/* -d: before a write and before a read.  Collective. */
static void delay_all(struct test *t)
{
    const uint64_t ns = t->plan.conf->delay_ns;

    if (ns != 0) {
        tmk_say_verbose(t->job, 1, "delaying %g seconds . . .",
                        tmk_units_seconds(ns));
        tmk_job_sleep(ns);
        (void)tmk_job_interrupted_all(t->job);
    }
}

static void perop_begin(struct test *t, int row)
{
    struct tmk_ior_run *run = &t->run;

    run->perop = NULL;
    if (t->plan.conf->per_op != NULL &&
        tmk_perop_begin(&t->launch->perop, row_names[row], t->job->size,
                        run->repetition, &run->phase.t0_ns, t->plan.per_rank)) {
        run->perop = &t->launch->perop;
    }
}

static void perop_end(struct test *t)
{
    if (t->run.perop != NULL) {
        tmk_perop_end(t->run.perop);
        t->run.perop = NULL;
    }
}

/* One phase with all that belongs to it; false: nothing should follow. */
static bool phase_all(struct test *t, int row, const struct tmk_ior_how *how,
                      const struct tmk_result_caches *caches, double share)
{
    struct tmk_ior_phase phase;
    struct tmk_phase_result *p = &t->phase;

    begin_progress(t, row);
    perop_begin(t, row);
    tmk_ior_phase_all(&t->run, how, &phase, p, &t->reads);
    perop_end(t);
    tmk_progress_end(&t->launch->progress);
    phase.cached_share = share;
    if (caches != NULL) {
        p->caches = *caches;
    }
    if (how->timed) {
        phase.stat_known = tmk_ior_files_size_all(&t->files, t->run.repetition,
                                                  &phase.stat_bytes);
        print_phase(t, &phase);
        rank_details_all(t, &phase);
        fill_transfer(p, &phase);
    }
    if (how->access == TMK_IOR_READ && how->timed) {
        p->foreign_share =
            tmk_ior_tasks_foreign_share(&t->run.tasks, t->run.repetition);
        tmk_ior_cache_judge(&t->run, &phase);
    }
    fold(t, row, p);
    if (how->access == TMK_IOR_MIX) {
        fill_transfer(&t->reads, &phase);
        fold(t, TMK_IOR_ROW_READ, &t->reads);
    }
    if (row == TMK_IOR_ROW_WRITE && !t->wrote) {
        t->wrote = true;
        t->first_pairs = phase.pairs_accessed;
    }
    return !gave_up(t);
}

/*
 * After a write that -D stopped: others read what each rank has written.
 * Collective.
 */
static void learn_limits_all(struct test *t)
{
    const size_t n = (size_t)t->job->size;
    uint64_t own = t->run.visited;
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

static bool write_all(struct test *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_WRITE, .timed = true};

    free(t->limits);
    t->limits = NULL;
    t->status_limit = 0;
    if (tmk_ior_files_begin_all(&t->files, t->run.repetition) != 0 ||
        aim_all(t, &how) != 0) {
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

static bool check_all(struct test *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_READ, .checks = true};

    tmk_say_verbose(t->job, 1,
                    "Verifying contents of the file(s) just written.");
    return aim_all(t, &how) == 0 &&
           phase_all(t, TMK_IOR_ROW_CHECK, &how, NULL, -1.0);
}

static bool read_all(struct test *t, int pass)
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
    }
    if (aim_all(t, &how) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    tmk_ior_cache_before_read_all(&t->run, &t->files, &caches, &share);
    delay_all(t);
    return t->job->interrupted == 0 &&
           phase_all(t, TMK_IOR_ROW_READ, &how, &caches, share);
}

static bool mix_all(struct test *t)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_MIX, .timed = true};

    if (aim_all(t, &how) != 0) {
        t->launch->result->broken_off = true;
        return false;
    }
    delay_all(t);
    return t->job->interrupted == 0 &&
           phase_all(t, TMK_IOR_ROW_WRITE, &how, NULL, -1.0);
}

/* The end of a repetition: what this launch made goes, unless -k. */
static void remove_all(struct test *t)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    const bool wrong = t->launch->result->wrong != t->wrong_before;
    struct tmk_ior_phase phase = {
        .access = TMK_IOR_REMOVE,
        .repetition = t->run.repetition,
    };
    int err;

    if (!t->files.wrote || conf->keep != 0 ||
        (conf->keep_with_error != 0 && wrong)) {
        return;
    }
    err =
        tmk_ior_files_remove_all(&t->files, t->run.repetition, &phase.total_ns);
    if (err != 0) {
        tmk_say_error(t->job, "removing %s: %s", conf->path, strerror(-err));
        t->launch->result->left_behind = true;
        return;
    }
    if (t->job->rank == 0) {
        tmk_ior_text_phase(&t->launch->text, &t->text, &phase);
    }
}

/* The seed of the data: as given, or the time of day.  Collective. */
static void choose_seed_all(struct test *t)
{
    int64_t seed = t->plan.conf->seed;

    if (seed == 0) {
        seed = (int64_t)time(NULL);
        tmk_wait_bcast_all(&t->job->wait, &seed, 1, MPI_INT64_T);
    }
    t->run.seed = (int32_t)seed;
    tmk_ior_data_seed(&t->run.data, t->run.seed);
    tmk_say_verbose(t->job, 2,
                    "Using Time Stamp %" PRIu32 " (0x%" PRIx32
                    ") for Data Signature",
                    (uint32_t)t->run.seed, (uint32_t)t->run.seed);
}

static bool phases_all(struct test *t)
{
    if (t->plan.mixes && !late_all(t) && !mix_all(t)) {
        return false;
    }
    if (t->plan.writes && !late_all(t) && !write_all(t)) {
        return false;
    }
    if (t->plan.checks_write && !late_all(t) && !check_all(t)) {
        return false;
    }
    for (int pass = 0; t->plan.reads && pass < t->plan.conf->read_passes;
         pass++) {
        if (!late_all(t) && !read_all(t, pass)) {
            return false;
        }
    }
    return true;
}

static void repetitions_all(struct test *t)
{
    for (int i = 0; i < t->plan.conf->repetitions; i++) {
        bool goes_on;

        t->run.repetition = i;
        t->wrong_before = t->launch->result->wrong;
        t->result.iterations_done = i + 1;
        choose_seed_all(t);
        goes_on = phases_all(t);
        if (!goes_on && t->job->interrupted != 0 &&
            t->plan.conf->keep_interrupted != 0) {
            return;
        }
        remove_all(t);
        if (!goes_on || late_all(t)) {
            return;
        }
    }
}

/*
 * Setting up.
 */

static int open_engine_all(struct test *t, size_t i)
{
    struct tmk_ior_launch *launch = t->launch;
    const struct tmk_engine_ops *ops = ops_of(launch, i);
    struct tmk_engine *engine = NULL;
    int err = 0;

    for (size_t k = 0; launch->parts->engines[k] != NULL; k++) {
        if (launch->parts->engines[k] == ops) {
            engine = ops->open_instance(
                launch->tests.confs[i * launch->tests.n_tables + k + 1],
                (unsigned)t->job->rank, &err);
        }
    }
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        tmk_say_error(t->job, "-a %s: %s", ops->name, strerror(-err));
    }
    if (err == 0) {
        err = check_direct(launch, &t->plan, ops, engine);
    }
    if (ops->legacy != NULL && t->plan.conf->semantics == TMK_IOR_AS_IOR_4_1) {
        ops = ops->legacy;
    }
    t->run.ops = t->files.ops = ops;
    t->run.engine = t->files.engine = engine;
    return err;
}

static enum tmk_ior_tasks_kind kind_of(const struct tmk_ior_conf *conf)
{
    if (conf->reorder != 0) {
        return TMK_IOR_TASKS_CONSTANT;
    }
    if (conf->reorder_random > 1) {
        return TMK_IOR_TASKS_SHUFFLE;
    }
    if (conf->reorder_random == 1) {
        return conf->semantics == TMK_IOR_AS_IOR_4_1 ? TMK_IOR_TASKS_LEGACY
                                                     : TMK_IOR_TASKS_RANDOM;
    }
    return TMK_IOR_TASKS_OWN;
}

static void choose_random_seed_all(struct test *t)
{
    int64_t seed = t->plan.conf->random_seed;

    if (seed < 0) {
        seed = (int64_t)time(NULL);
        tmk_wait_bcast_all(&t->job->wait, &seed, 1, MPI_INT64_T);
    }
    t->run.random_seed = seed;
}

static void describe(struct test *t, size_t i)
{
    struct tmk_ior_test *text = &t->text;
    char path[TMK_IOR_PATH_SIZE];
    char *slash;

    *text = (struct tmk_ior_test){
        .id = (int)i,
        .started = time(NULL),
        .plan = &t->plan,
        .ops = t->run.ops,
        .path = t->launch->path,
        .nodes = (int)t->map.map.nodes,
        .ranks_per_node = (int)t->map.map.first_node_ranks,
    };
    (void)tmk_ior_plan_path(&t->plan, 0, 0, t->launch->path,
                            sizeof(t->launch->path));
    memcpy(path, t->launch->path, sizeof(path));
    slash = strrchr(path, '/');
    if (slash != NULL) {
        slash[slash == path] = '\0';
    }
    text->usage_known =
        t->job->rank == 0 && t->run.ops->usage != NULL &&
        t->run.ops->usage(t->run.engine, slash != NULL ? path : ".",
                          &text->usage) == 0;
}

static void make_rows(struct test *t)
{
    t->result = (struct tmk_result_test){
        .tasks = t->job->size,
        .nodes = (int)t->job->layout.map.nodes,
        .ranks_per_node = (int)t->job->layout.map.most_ranks,
        .iterations = t->plan.conf->repetitions,
        .n_rows = TMK_IOR_ROWS,
    };
    for (int i = 0; i < TMK_IOR_ROWS; i++) {
        t->result.rows[i] = (struct tmk_result_row){
            .name = row_names[i],
            .foreign_share = -1.0,
        };
    }
}

static int set_up_all(struct test *t, size_t i)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    int err = tmk_ior_map_init(&t->map, t->job, conf, t->launch->fake_nodes,
                               t->launch->fake_ranks);

    t->files.job = t->run.job = t->job;
    t->files.plan = t->run.plan = &t->plan;
    t->run.memory_bytes = t->launch->memory_bytes;
    t->run.tasks = (struct tmk_ior_tasks){
        .map = &t->map.map,
        .kind = kind_of(conf),
        .nodes_on = conf->node_offset,
        .seed = conf->reorder_seed,
        .original = conf->semantics == TMK_IOR_AS_IOR_4_1,
        .ranks_on_first = t->map.ranks_on_first,
    };
    err = err != 0 ? err : tmk_ior_files_init(&t->files);
    err = tmk_job_agree_all(t->job, err);
    if (err != 0) {
        tmk_say_error(t->job, "%s", strerror(-err));
        return err;
    }
    err = open_engine_all(t, i);
    if (err != 0) {
        return err;
    }
    err = tmk_job_agree_all(t->job, tmk_ior_run_init(&t->run));
    if (err != 0) {
        tmk_say_error(t->job, "-t: buffers of %" PRIu64 " bytes: %s",
                      t->plan.transfer_bytes, strerror(-err));
        return err;
    }
    err = tmk_ior_files_check_all(&t->files);
    if (err == 0) {
        err = tmk_ior_files_probe_all(&t->files, &t->shared);
    }
    choose_random_seed_all(t);
    return err;
}

/* Phases too short to trust, in one warning. */
static void short_notes(struct test *t)
{
    char names[64] = "";

    for (int i = 0; i < TMK_IOR_ROWS; i++) {
        size_t used = strlen(names);

        if (t->result.rows[i].too_short != 0) {
            (void)snprintf(names + used, sizeof(names) - used, "%s%s",
                           used == 0 ? "" : ", ", row_names[i]);
        }
    }
    if (names[0] != '\0') {
        tmk_say_warning(t->job, "TOO_SHORT",
                        "shorter than %.1f ms (100 barriers, 1 ms at least), "
                        "too short to trust: %s",
                        (double)tmk_result_short_ns(t->job->barrier_ns) / 1e6,
                        names);
    }
}

static void finish_test_all(struct test *t)
{
    struct tmk_ior_launch *launch = t->launch;
    const struct tmk_writer text[] = {
        {.ops = &tmk_report_text, .state = launch->text.log},
        {.ops = NULL},
    };

    if (t->plan.conf->status_file != NULL && t->plan.writes && t->wrote &&
        tmk_ior_statusfile_write_all(t->job, t->plan.conf->status_file,
                                     t->first_pairs) != 0) {
        launch->result->status_lost = true;
    }
    short_notes(t);
    if (t->job->rank == 0) {
        tmk_ior_text_test_end(&launch->text, &t->text);
    }
    if (t->plan.conf->percentiles != 0) {
        tmk_report_latency(text, &launch->report, &t->result);
    }
    tmk_report_test_end(launch->results.writers, &launch->report, &t->result);
}

static int run_all(struct test *t, size_t i)
{
    struct tmk_ior_launch *launch = t->launch;
    void *hog = NULL;
    uint64_t hog_bytes = 0;
    int err = set_up_all(t, i);

    if (err == 0) {
        err = tmk_ior_cache_hog_all(&t->run, &hog, &hog_bytes);
    }
    if (err == 0) {
        struct tmk_ior_plan again;

        describe(t, i);
        make_rows(t);
        launch->report.path = launch->path;
        launch->report.engine = t->run.ops->name;
        launch->report.shared = t->shared;
        tmk_ior_begin_report(launch);
        (void)make_plan(launch, i, &again, true);
        tmk_ior_map_notes(&t->map, t->job, &t->run);
        tmk_ior_cache_notes_all(&t->run);
        if (t->job->rank == 0) {
            tmk_ior_text_test_begin(&launch->text, &t->text);
        }
        tmk_report_test_begin(launch->results.writers, &launch->report,
                              &t->result, "");
        repetitions_all(t);
        finish_test_all(t);
    }
    tmk_ior_cache_unhog(hog, hog_bytes);
    return err;
}

int tmk_ior_test_all(struct tmk_ior_launch *launch, size_t i)
{
    struct test *t = calloc(1, sizeof(*t));
    struct tmk_job *job = launch->job;
    struct tmk_job sub = {0};
    int err = tmk_job_agree_all(job, t != NULL ? 0 : -ENOMEM);

    if (err != 0 || t == NULL) {
        free(t);
        return err;
    }
    t->launch = launch;
    err = make_plan(launch, i, &t->plan, false);
    if (err == 0 && t->plan.tasks != job->size) {
        err = tmk_job_sub_all(job, t->plan.tasks, &sub);
        t->job = &sub;
    } else {
        t->job = job;
    }
    if (err == 0 && t->job->size != 0) {
        err = run_all(t, i);
        job->interrupted = t->job->interrupted;
        if (t->run.engine != NULL) {
            t->run.ops->close_instance(t->run.engine);
        }
        tmk_ior_run_fini(&t->run);
        tmk_ior_files_fini(&t->files);
        tmk_ior_map_fini(&t->map);
    }
    if (t->job == &sub) {
        tmk_job_fini_all(&sub);
        tmk_wait_barrier_sleep_all(&job->wait);
    }
    free(t->limits);
    free(t);
    return tmk_job_agree_all(job, err);
}
