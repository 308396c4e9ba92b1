/*
 * ior_phases: a phase, from barrier to barrier.
 *
 *     barrier | open | [barrier -g] | transfers, sync -e | [-g] | close |
 * barrier t0     t1             t2                    t3     t4      t5
 *
 * Each rank knows its times since the first barrier; what is reported is from
 * the first rank's begin to the last rank's end of each part.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/ior_run.h"
#include "run/clock.h"

enum { MODE = 0664 };

int tmk_ior_run_resize(struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    const struct tmk_pattern pattern = {
        .kind = (enum tmk_pattern_kind)conf->pattern_kind,
        .seed = run->seed,
        .compress = conf->compress,
        .items_are_offsets = true,
        .owners = (uint64_t)run->job->size,
        .file_bytes = plan->file_bytes,
    };

    tmk_ior_data_fini(&run->data);
    return tmk_ior_data_init(&run->data, &pattern, plan->transfer_bytes,
                             run->depth != 0 ? run->depth : 1,
                             plan->checks_write || plan->checks_read);
}

int tmk_ior_run_init(struct tmk_ior_run *run)
{
    int err;

    run->depth = run->ops->depth != NULL ? run->ops->depth(run->engine) : 0;
    if (run->depth != 0) {
        run->slots = calloc(run->depth, sizeof(*run->slots));
        run->idle = calloc(run->depth, sizeof(*run->idle));
        if (run->slots == NULL || run->idle == NULL) {
            return -ENOMEM;
        }
    }
    err = tmk_ior_run_resize(run);
    if (err == 0) {
        err = tmk_phase_init(&run->phase);
    }
    if (err == 0 && run->plan->mixes) {
        run->mix = tmk_ior_mix_new();
        err = run->mix != NULL ? 0 : -ENOMEM;
    }
    return err;
}

void tmk_ior_run_fini(struct tmk_ior_run *run)
{
    free(run->slots);
    free(run->idle);
    run->slots = NULL;
    run->idle = NULL;
    tmk_ior_data_fini(&run->data);
    tmk_phase_fini(&run->phase);
    tmk_ior_mix_free(run->mix);
    run->mix = NULL;
    tmk_ior_offsets_fini(&run->offsets);
}

/* The directory that a path is in, in its place. */
static void strip_name(char *path)
{
    char *slash = strrchr(path, '/');

    if (slash == NULL) {
        memcpy(path, ".", sizeof("."));
    } else {
        slash[slash == path] = '\0';
    }
}

void tmk_ior_run_find_dir(struct tmk_ior_run *run)
{
    const struct tmk_engine_ops *ops = run->ops;
    char path[TMK_IOR_PATH_SIZE] = "";

    (void)tmk_ior_plan_path(run->plan, 0, 0, path, sizeof(path));
    (void)snprintf(run->dir, sizeof(run->dir), "%s",
                   ops->plain_path != NULL ? ops->plain_path(path) : path);
    strip_name(run->dir);
    if (run->plan->conf->unique_dir != 0 && !run->plan->shared) {
        strip_name(run->dir); /* that is made later */
    }
}

/* Work that is no transfer has ended; when. */
static uint64_t mark(struct tmk_ior_run *run)
{
    tmk_phase_skip(&run->phase);
    return run->phase.last_ns - run->phase.t0_ns;
}

/*
 * -c: whether calls are made together.  Not where the original deals out
 * transfers in unequal shares.
 */
static bool goes_in_step(const struct tmk_ior_run *run)
{
    return run->plan->conf->collective != 0 &&
           !(run->plan->shared && run->offsets.how.order == TMK_IOR_LEGACY);
}

int tmk_ior_expect_all(struct tmk_ior_run *run, enum tmk_ior_access access)
{
    const struct tmk_ior_plan *plan = run->plan;
    const struct tmk_engine_transfers transfers = {
        .shared = plan->shared,
        .writes = access != TMK_IOR_READ,
        .collective = goes_in_step(run),
        .random = plan->conf->random_offset != 0,
        .single = plan->conf->single_attempt != 0,
        .may_stop = plan->conf->deadline_ns != 0,
        .ranks = (uint64_t)run->job->size,
        .rank = run->source,
        .segments = plan->segments,
        .block_bytes = plan->block_bytes,
        .transfer_bytes = plan->transfer_bytes,
        .file_bytes = plan->file_bytes,
        .comm = &run->job->comm,
    };

    return run->ops->expect != NULL ? run->ops->expect(run->engine, &transfers)
                                    : 0;
}

/* Why an engine would not have the transfers that were announced. */
static const char *refusal(const struct tmk_ior_run *run)
{
    const char *why =
        run->ops->describe != NULL ? run->ops->describe(run->engine) : NULL;

    return why != NULL ? why : "transfers are refused";
}

static int open_file(struct tmk_ior_run *run, const struct tmk_ior_how *how)
{
    const struct tmk_engine_ops *ops = run->ops;

    switch (how->access) {
    case TMK_IOR_WRITE:
        return ops->create(run->engine, run->path, MODE, &run->file);
    case TMK_IOR_MIX:
        return ops->open(run->engine, run->path, TMK_ENGINE_READ_WRITE,
                         &run->file);
    default:
        return ops->open(run->engine, run->path, TMK_ENGINE_READ, &run->file);
    }
}

/* Where calls are made together, one rank without a file, or one that was told
 * to stop, keeps all from it. */
static int agree_all(struct tmk_ior_run *run, int err)
{
    bool bad = err != 0 || tmk_phase_over(&run->phase);
    uint64_t any = bad;

    if (!run->in_step) {
        return err;
    }
    tmk_wait_max_poll_all(&run->job->wait, &any, 1, NULL, NULL);
    return any != 0 && err == 0 ? -ECANCELED : err;
}

uint64_t tmk_ior_planned(const struct tmk_ior_run *run)
{
    const uint64_t asked = run->plan->conf->wear_out_iterations;
    uint64_t n = run->plan->per_rank != 0 ? run->offsets.count : 0;

    n = run->limit != 0 && run->limit < n ? run->limit : n;
    return asked != 0 && asked < n ? asked : n;
}

static uint64_t move(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                     uint64_t from, uint64_t end)
{
    return run->in_step ? tmk_ior_transfer_all(run, how, from, end)
                        : tmk_ior_transfer(run, how, from, end);
}

/* Once, or again and again (minTimeDuration); how many transfers. */
static uint64_t passes(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       uint64_t n)
{
    const uint64_t least_ns = how->timed ? run->plan->conf->min_time_ns : 0;
    const uint64_t begin_ns = run->phase.last_ns;
    uint64_t visited = move(run, how, 0, n);

    for (;;) {
        bool more = n != 0 && visited % n == 0 &&
                    !tmk_phase_over(&run->phase) &&
                    run->phase.last_ns - begin_ns < least_ns;

        if (run->in_step && least_ns != 0) {
            tmk_phase_bcast_all(&run->phase, &more, sizeof(more));
        }
        if (!more) {
            return visited;
        }
        visited = move(run, how, visited, visited + n);
    }
}

/* The time until the stonewall. */
static uint64_t wall_ns(const struct tmk_ior_run *run,
                        const struct tmk_ior_how *how)
{
    const struct tmk_ior_conf *conf = run->plan->conf;

    if (!how->timed) {
        return how->limit_ns;
    }
    if (conf->deadline_ns == 0) {
        return 0;
    }
    return conf->deadline_ns > conf->min_time_ns ? conf->deadline_ns
                                                 : conf->min_time_ns;
}

/* Whether there is something to do.  Where calls are made together, it is for
 * all or for none: whoever is over, or has no part, goes along. */
static bool may_move(const struct tmk_ior_run *run, int err, uint64_t n)
{
    return err == 0 &&
           (run->in_step || (n != 0 && !tmk_phase_over(&run->phase)));
}

/*
 * All transfers of this rank.  With wear-out, those that the stonewall stopped
 * go on until they have as many as the first.
 */
static void transfer(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                     int err, struct tmk_ior_marks *m)
{
    struct tmk_phase *p = &run->phase;
    const uint64_t limit_ns = wall_ns(run, how);
    const uint64_t n = tmk_ior_planned(run);
    uint64_t visited = 0;

    tmk_ior_cursor_init(&run->cursor, &run->offsets);
    m->transfer_begin_ns = mark(run);
    tmk_phase_wall(p, limit_ns);
    if (may_move(run, err, n)) {
        visited = passes(run, how, n);
    }
    if (limit_ns != 0 && run->plan->conf->wear_out != 0) {
        uint64_t most = tmk_phase_even_all(p, visited);

        if (may_move(run, err, n)) {
            visited = move(run, how, visited, most);
        }
    } else if (limit_ns != 0) { /* everybody is done with what it has */
        p->evened = true;
        p->walled = visited;
        p->walled_ns = p->last_ns - p->t0_ns;
    }
    if (visited < n && (limit_ns == 0 || p->ended || err != 0)) {
        p->missed = n - visited;
    }
    m->transfers = visited;
}

/* Count a failure of a call that is no transfer, if it is one. */
static void note(struct tmk_ior_run *run, int err, const char *call)
{
    if (err != 0) {
        (void)snprintf(run->data.detail, sizeof(run->data.detail), "%s", call);
        tmk_phase_fail(&run->phase, err);
    }
}

static void sync_file(struct tmk_ior_run *run, const struct tmk_ior_how *how)
{
    if (how->access != TMK_IOR_READ && run->plan->conf->fsync != 0 &&
        run->ops->fsync != NULL) {
        note(run, run->ops->fsync(run->engine, run->file), "fsync");
    }
}

/* What the parts took, over all ranks.  Collective. */
static void combine_all(struct tmk_ior_run *run, const struct tmk_ior_marks *m,
                        bool opened, struct tmk_ior_phase *phase,
                        struct tmk_phase_result *result)
{
    enum { OPEN, TO, CLOSED, FROM, CLOSING, MEAN, MOST, WALLED, ERRORS, MARKS };
    const uint64_t most_errors = run->plan->conf->max_errors;
    const uint64_t top = INT64_MAX;
    uint64_t max[MARKS] = {[OPEN] = m->open_end_ns};

    if (opened) {
        max[TO] = m->transfer_end_ns;
        max[CLOSED] = m->close_end_ns;
        max[FROM] = top - m->transfer_begin_ns;
        max[CLOSING] = top - m->close_begin_ns;
        max[MOST] = m->transfers;
    }
    max[WALLED] = run->phase.evened && !run->phase.ended &&
                  run->phase.walled < tmk_ior_planned(run);
    max[ERRORS] = most_errors != 0 && run->phase.failed >= most_errors;
    if (m->transfers != 0) {
        max[MEAN] =
            top - (m->transfer_end_ns - m->transfer_begin_ns) / m->transfers;
    }
    tmk_wait_allreduce_all(&run->job->wait, max, MARKS, MPI_UINT64_T, MPI_MAX);
    phase->open_ns = max[OPEN];
    if (max[FROM] != 0) {
        phase->transfer_ns = max[TO] - (top - max[FROM]);
        phase->close_ns = max[CLOSED] - (top - max[CLOSING]);
    }
    phase->best_mean_ns = max[MEAN] != 0 ? top - max[MEAN] : 0;
    phase->pairs_accessed = max[MOST];
    result->wall.hit = max[WALLED] != 0;
    phase->many_errors = max[ERRORS] != 0;
}

static void finish_all(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       struct tmk_ior_phase *phase,
                       struct tmk_phase_result *result)
{
    const struct tmk_ior_plan *plan = run->plan;
    const uint64_t bytes = plan->transfer_bytes;

    tmk_phase_close(&run->phase);
    tmk_phase_end_all(&run->phase, result);
    phase->result = result;
    phase->total_ns = result->time_ns;
    phase->moved_bytes = result->bytes;
    phase->transfers = result->operations;
    if (how->access == TMK_IOR_MIX) {
        tmk_ior_mix_combine_all(run->mix, run->job, phase);
    }
    phase->errors = result->wrong;
    phase->cached_share = -1.0;
    if (result->wall.on) {
        phase->wall_min_bytes = result->wall.min * bytes;
        phase->wall_total_bytes = result->wall.sum * bytes;
        phase->wall_avg_bytes =
            phase->wall_total_bytes / (uint64_t)run->job->size;
        phase->wall_ns = result->wall.time_ns;
    }
}

void tmk_ior_phase_all(struct tmk_ior_run *run, const struct tmk_ior_how *how,
                       struct tmk_ior_phase *phase,
                       struct tmk_phase_result *result)
{
    const struct tmk_ior_conf *conf = run->plan->conf;
    const struct tmk_phase_how phase_how = {
        .creates = how->access == TMK_IOR_WRITE,
        .max_errors = conf->max_errors,
        .interval_ns = conf->interval_ns,
        .path = run->path,
        .detail = run->data.detail,
    };
    struct tmk_ior_marks m = {0};
    bool opened;
    int expected;
    int err;

    *phase = (struct tmk_ior_phase){
        .access = how->access,
        .repetition = run->repetition,
        .pass = how->pass,
        .limited = run->limit != 0 && run->limit < run->plan->per_rank,
    };
    run->data.detail[0] = '\0';
    run->n_wrong = 0;
    run->in_step = goes_in_step(run);
    expected = tmk_ior_expect_all(run, how->access);
    if (how->access == TMK_IOR_MIX) {
        tmk_ior_mix_begin(run->mix);
    }
    tmk_phase_begin_all(&run->phase, run->job, &phase_how);
    err = expected != 0 ? expected : open_file(run, how);
    m.open_end_ns = mark(run);
    opened = err == 0;
    note(run, err,
         expected != 0                  ? refusal(run)
         : how->access == TMK_IOR_WRITE ? "create"
                                        : "open");
    if (opened && run->depth != 0) {
        err = run->ops->buffers(run->engine, (void *const *)run->data.bufs,
                                run->depth, run->data.bytes);
        note(run, err, "buffers");
    }
    if (conf->barriers != 0) {
        tmk_phase_meet_all(&run->phase);
    }
    err = agree_all(run, err);
    transfer(run, how, err, &m);
    if (err == 0) {
        sync_file(run, how);
    }
    m.transfer_end_ns = mark(run);
    if (conf->barriers != 0) {
        tmk_phase_meet_all(&run->phase);
    }
    m.close_begin_ns = mark(run);
    if (opened) {
        note(run, run->ops->close(run->engine, run->file), "close");
    }
    m.close_end_ns = mark(run);
    finish_all(run, how, phase, result);
    run->marks = m;
    combine_all(run, &m, opened, phase, result);
}
