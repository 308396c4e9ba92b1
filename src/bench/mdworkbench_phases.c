/*
 * mdworkbench_phases: the phases and their measured loops.
 */
#include "bench/mdworkbench_phases.h"

#include <assert.h>
#include <errno.h>
#include <math.h>

#include "base/units.h"
#include "run/clock.h"
#include "run/phase_part.h"

enum { DIR_MODE = 0775, FILE_MODE = 0664 };

const char *const tmk_mdworkbench_kind_names[] = {
    [TMK_MDWORKBENCH_PRECREATE] = "precreate",
    [TMK_MDWORKBENCH_BENCHMARK] = "benchmark",
    [TMK_MDWORKBENCH_CLEANUP] = "cleanup",
};
static_assert(sizeof(tmk_mdworkbench_kind_names) / sizeof(char *) ==
                  TMK_MDWORKBENCH_KINDS,
              "a name for each");

const char *const tmk_mdworkbench_op_names[] = {
    [TMK_MDWORKBENCH_MKDIR] = "mkdir",   [TMK_MDWORKBENCH_STAT] = "stat",
    [TMK_MDWORKBENCH_READ] = "read",     [TMK_MDWORKBENCH_DELETE] = "delete",
    [TMK_MDWORKBENCH_CREATE] = "create", [TMK_MDWORKBENCH_RMDIR] = "rmdir",
};
static_assert(sizeof(tmk_mdworkbench_op_names) / sizeof(char *) ==
                  TMK_MDWORKBENCH_OPS,
              "a name for each");

bool tmk_mdworkbench_has(const struct tmk_mdworkbench_plan *plan,
                         enum tmk_mdworkbench_kind kind,
                         enum tmk_mdworkbench_op op)
{
    const bool changes = plan->conf->read_only == 0;

    switch (op) {
    case TMK_MDWORKBENCH_MKDIR: return kind == TMK_MDWORKBENCH_PRECREATE;
    case TMK_MDWORKBENCH_STAT:
    case TMK_MDWORKBENCH_READ: return kind == TMK_MDWORKBENCH_BENCHMARK;
    case TMK_MDWORKBENCH_DELETE:
        return kind == TMK_MDWORKBENCH_CLEANUP ||
               (kind == TMK_MDWORKBENCH_BENCHMARK && changes);
    case TMK_MDWORKBENCH_CREATE:
        return kind == TMK_MDWORKBENCH_PRECREATE ||
               (kind == TMK_MDWORKBENCH_BENCHMARK && changes);
    default: return kind == TMK_MDWORKBENCH_CLEANUP;
    }
}

uint64_t tmk_mdworkbench_planned_of(const struct tmk_mdworkbench_run *run,
                                    enum tmk_mdworkbench_kind kind,
                                    enum tmk_mdworkbench_op op)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;

    if (!tmk_mdworkbench_has(run->plan, kind, op)) {
        return 0;
    }
    if (op == TMK_MDWORKBENCH_MKDIR || op == TMK_MDWORKBENCH_RMDIR) {
        return conf->sets;
    }
    return conf->sets *
           (kind == TMK_MDWORKBENCH_BENCHMARK ? conf->steps : conf->per_set);
}

uint64_t tmk_mdworkbench_planned(const struct tmk_mdworkbench_run *run,
                                 enum tmk_mdworkbench_kind kind)
{
    uint64_t n = 0;

    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        n += tmk_mdworkbench_planned_of(run, kind, (enum tmk_mdworkbench_op)op);
    }
    return n * (uint64_t)run->job->size;
}

int tmk_mdworkbench_run_init(struct tmk_mdworkbench_run *run, int32_t seed)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;
    const struct tmk_pattern pattern = {
        .kind = (enum tmk_pattern_kind)conf->pattern_kind,
        .seed = seed,
        .bytes = conf->bytes,
    };
    int err =
        tmk_mdworkbench_data_init(&run->data, &pattern, conf->verify != 0);

    if (err == 0) {
        err = tmk_phase_init(&run->whole);
    }
    for (int op = 0; err == 0 && op < TMK_MDWORKBENCH_OPS; op++) {
        err = tmk_phase_init(&run->parts[op]);
    }
    tmk_mdworkbench_plan_begin(run->plan, run->source);
    tmk_mdworkbench_plan_begin(run->plan, run->target);
    return err;
}

void tmk_mdworkbench_run_fini(struct tmk_mdworkbench_run *run)
{
    tmk_mdworkbench_data_fini(&run->data);
    tmk_phase_fini(&run->whole);
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        tmk_phase_fini(&run->parts[op]);
    }
}

/*
 * Operations.
 */

static int create(struct tmk_mdworkbench_run *run, const char *path)
{
    const struct tmk_engine_ops *ops = run->ops;
    const uint64_t bytes = run->data.bytes;
    intptr_t file;
    int64_t n = 0;
    int err = ops->create(run->engine, path, FILE_MODE, &file);
    int closed;

    if (err != 0) {
        return err;
    }
    if (bytes != 0) {
        n = ops->write(run->engine, file, run->data.write, bytes);
    }
    closed = ops->close(run->engine, file);
    if (n < 0) {
        return (int)n;
    }
    /* A short write is a full disk. */
    return (uint64_t)n != bytes ? -ENOSPC : closed;
}

static int read_object(struct tmk_mdworkbench_run *run, const char *path)
{
    const struct tmk_engine_ops *ops = run->ops;
    const uint64_t bytes = run->data.bytes;
    intptr_t file;
    int64_t n = 0;
    int err = ops->open(run->engine, path, TMK_ENGINE_READ, &file);
    int closed;

    if (err != 0) {
        return err;
    }
    if (bytes != 0) {
        n = ops->read(run->engine, file, run->data.read, bytes);
    }
    closed = ops->close(run->engine, file);
    if (n < 0) {
        return (int)n;
    }
    return (uint64_t)n != bytes ? -ENODATA : closed;
}

/* An operation that began when the one before ended, or behind what was put
 * aside since, and ended at `now`. */
static void did_at(struct tmk_mdworkbench_run *run, enum tmk_mdworkbench_op op,
                   int err, const char *path, uint64_t now)
{
    if (run->samples != NULL) {
        struct tmk_mdworkbench_samples *s = &run->samples[op];

        if (s->n < s->capacity) {
            s->list[s->n++] = (struct tmk_mdworkbench_sample){
                .start_ns = run->whole.last_ns - run->whole.t0_ns,
                .took_ns = now - run->whole.last_ns,
            };
        }
    }
    tmk_phase_part_did_at(&run->whole, &run->parts[op], err, path, now);
}

static void did(struct tmk_mdworkbench_run *run, enum tmk_mdworkbench_op op,
                int err, const char *path)
{
    did_at(run, op, err, path, tmk_clock_ns());
}

/*
 * -t: wait as many times as long as the operation before took.  What is shorter
 * than 10 ms is too short for sleep, which comes late, unless the core is
 * another's meanwhile.
 */
static void wait_for(struct tmk_mdworkbench_run *run)
{
    enum { SLEEP_NS = 10000000, NAP_NS = 200000 };
    struct tmk_phase *p = &run->whole;
    const uint64_t begin = p->last_ns;
    const uint64_t end = begin + (uint64_t)(run->waiting * (double)p->took_ns);

    if (run->waiting <= 0.0) {
        return;
    }
    for (uint64_t now = tmk_clock_ns(); now < end && !p->ended;
         now = tmk_clock_ns()) {
        const uint64_t rest = end - now;

        if (rest >= SLEEP_NS) {
            tmk_job_sleep(SLEEP_NS / 2);
        } else if (run->job->wait.yields && rest > NAP_NS) {
            tmk_job_sleep(rest - NAP_NS / 2);
        }
        tmk_phase_look(p);
    }
    tmk_phase_skip(p);
    run->slept_ns += p->last_ns - begin;
}

/*
 * The benchmark.
 */

static void take_object(struct tmk_mdworkbench_run *run, uint64_t owner,
                        uint64_t item, const char *path)
{
    struct tmk_phase *p = &run->whole;
    const bool verifies = run->data.want != NULL;
    uint64_t now;
    int err;

    if (verifies) {
        tmk_mdworkbench_data_spoil(&run->data, owner, item);
        tmk_phase_resume(p);
    }
    err = read_object(run, path);
    now = tmk_clock_ns();
    if (err == 0 && verifies) {
        err = tmk_mdworkbench_data_check(&run->data, owner, item);
        p->wrong += err != 0;
        run->parts[TMK_MDWORKBENCH_READ].wrong += err != 0;
    }
    did_at(run, TMK_MDWORKBENCH_READ, err, path, now);
    run->data.detail[0] = '\0';
    if (verifies) {
        tmk_phase_resume(p);
    }
    wait_for(run);
}

/* One object of one set.  It has a successor even if it was not there: a hole
 * would be met again, P steps later. */
static void turn_over(struct tmk_mdworkbench_run *run, uint64_t object,
                      uint64_t set)
{
    const struct tmk_mdworkbench_plan *plan = run->plan;
    const struct tmk_engine_ops *ops = run->ops;
    const uint32_t rank = (uint32_t)run->job->rank;
    const uint64_t sets = plan->conf->sets;
    const bool changes = plan->conf->read_only == 0;
    const uint64_t next = object + plan->conf->per_set;
    struct tmk_phase *p = &run->whole;
    uint32_t owner = tmk_mdworkbench_plan_source(plan, rank, set);
    struct stat st;
    int err;

    (void)tmk_mdworkbench_plan_object(plan, run->source, owner, set, object);
    tmk_phase_resume(p);
    err = ops->stat(run->engine, run->source, &st);
    did(run, TMK_MDWORKBENCH_STAT, err, run->source);
    wait_for(run);
    if (err == 0 && !p->ended) {
        take_object(run, owner, object * sets + set, run->source);
    } else {
        p->missed++;
        run->parts[TMK_MDWORKBENCH_READ].missed++;
    }
    if (!changes || p->ended) {
        return;
    }
    if (err == 0) {
        err = ops->unlink(run->engine, run->source);
        did(run, TMK_MDWORKBENCH_DELETE, err, run->source);
        wait_for(run);
    } else {
        p->missed++;
        run->parts[TMK_MDWORKBENCH_DELETE].missed++;
    }
    if (p->ended) {
        return;
    }
    owner = tmk_mdworkbench_plan_target(plan, rank, set);
    (void)tmk_mdworkbench_plan_object(plan, run->target, owner, set, next);
    tmk_mdworkbench_data_fill(&run->data, owner, next * sets + set);
    tmk_phase_resume(p);
    err = create(run, run->target);
    did(run, TMK_MDWORKBENCH_CREATE, err, run->target);
    wait_for(run);
}

/* Steps until `end`, or until the time is up: whole ones, unless all is over.
 * How many there have been by then. */
static uint64_t steps_to(struct tmk_mdworkbench_run *run, uint64_t from,
                         uint64_t end)
{
    struct tmk_phase *p = &run->whole;

    while (from < end && !tmk_phase_over(p)) {
        for (uint64_t set = 0; set < run->plan->conf->sets; set++) {
            turn_over(run, run->pos + from, set);
            if (p->ended) {
                return from;
            }
        }
        from++;
    }
    return from;
}

/* What was planned, in so many steps of a benchmark, and not tried. */
static void count_missed(struct tmk_mdworkbench_run *run,
                         enum tmk_mdworkbench_kind kind, uint64_t steps)
{
    struct tmk_phase *p = &run->whole;

    for (int i = 0; i < TMK_MDWORKBENCH_OPS; i++) {
        const enum tmk_mdworkbench_op op = (enum tmk_mdworkbench_op)i;
        struct tmk_phase *part = &run->parts[op];
        uint64_t planned = tmk_mdworkbench_planned_of(run, kind, op);
        uint64_t tried = part->done + part->failed + part->missed;

        if (planned != 0 && kind == TMK_MDWORKBENCH_BENCHMARK) {
            planned = run->plan->conf->sets * steps;
        }
        if (planned > tried) {
            part->missed += planned - tried;
            p->missed += planned - tried;
        }
    }
}

static void benchmark(struct tmk_mdworkbench_run *run)
{
    const struct tmk_mdworkbench_plan *plan = run->plan;
    const uint64_t steps = plan->conf->steps;
    struct tmk_phase *p = &run->whole;
    uint64_t visited = 0;
    uint64_t end = steps;

    for (uint64_t from = 0; from < steps;) {
        const uint64_t to = plan->in_step && steps - from > plan->conf->per_set
                                ? from + plan->conf->per_set
                                : steps;

        visited = steps_to(run, visited, to);
        from = to;
        /* Whoever goes on needs what the others have made. */
        if (from < steps && tmk_phase_any_all(p, tmk_phase_over(p))) {
            break;
        }
    }
    if (run->limit_ns != 0) {
        end = tmk_phase_even_all(p, visited);
        (void)steps_to(run, visited, end);
    }
    count_missed(run, TMK_MDWORKBENCH_BENCHMARK, end);
}

/*
 * Beginning and end.
 */

static void precreate(struct tmk_mdworkbench_run *run)
{
    const struct tmk_mdworkbench_plan *plan = run->plan;
    const struct tmk_mdworkbench_conf *conf = plan->conf;
    const uint64_t rank = (uint64_t)run->job->rank;
    struct tmk_phase *p = &run->whole;

    for (uint64_t set = 0; set < conf->sets && !tmk_phase_over(p); set++) {
        int err;

        (void)tmk_mdworkbench_plan_set(plan, run->target, rank, set);
        tmk_phase_resume(p);
        err = run->ops->mkdir(run->engine, run->target, DIR_MODE);
        if (err == -EEXIST && run->adopts) {
            err = 0;
        }
        did(run, TMK_MDWORKBENCH_MKDIR, err, run->target);
    }
    for (uint64_t i = 0; i < conf->per_set; i++) {
        for (uint64_t set = 0; set < conf->sets; set++) {
            const uint64_t object = run->pos + i;
            int err;

            if (tmk_phase_over(p)) {
                return;
            }
            (void)tmk_mdworkbench_plan_object(plan, run->target, rank, set,
                                              object);
            tmk_mdworkbench_data_fill(&run->data, rank,
                                      object * conf->sets + set);
            tmk_phase_resume(p);
            err = create(run, run->target);
            did(run, TMK_MDWORKBENCH_CREATE, err, run->target);
        }
    }
}

static bool did_sweep(struct tmk_mdworkbench_run *run,
                      enum tmk_mdworkbench_op op, int err, const char *path)
{
    did(run, op, err, path);
    tmk_phase_skip(&run->whole);
    return !tmk_phase_over(&run->whole);
}

static void cleanup(struct tmk_mdworkbench_run *run)
{
    const struct tmk_mdworkbench_plan *plan = run->plan;
    const uint64_t rank = (uint64_t)run->job->rank;
    struct tmk_phase *p = &run->whole;
    int err;

    if (run->sweeps) {
        err = tmk_mdworkbench_sweep(run, did_sweep);
        if (err != 0 && p->failed == 0) { /* of looking */
            tmk_phase_part_fail_at(p, &run->parts[TMK_MDWORKBENCH_RMDIR], err,
                                   plan->dir, tmk_clock_ns());
        }
        return;
    }
    for (uint64_t set = 0; set < plan->conf->sets; set++) {
        for (uint64_t i = 0; i < plan->conf->per_set; i++) {
            if (tmk_phase_over(p)) {
                return;
            }
            (void)tmk_mdworkbench_plan_object(plan, run->source, rank, set,
                                              run->pos + i);
            tmk_phase_resume(p);
            err = run->ops->unlink(run->engine, run->source);
            did(run, TMK_MDWORKBENCH_DELETE, err, run->source);
        }
        (void)tmk_mdworkbench_plan_set(plan, run->source, rank, set);
        tmk_phase_resume(p);
        err = run->ops->rmdir(run->engine, run->source);
        did(run, TMK_MDWORKBENCH_RMDIR, err, run->source);
    }
}

/*
 * A phase.
 */

static void begin_all(struct tmk_mdworkbench_run *run,
                      enum tmk_mdworkbench_kind kind)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;
    const struct tmk_phase_how how = {
        .creates = tmk_mdworkbench_has(run->plan, kind, TMK_MDWORKBENCH_CREATE),
        .max_errors = conf->max_errors,
        .stop_after_ns = kind == TMK_MDWORKBENCH_BENCHMARK ? run->limit_ns : 0,
        .interval_ns = conf->interval_ns,
        .detail = run->data.detail,
    };

    run->slept_ns = 0;
    run->data.detail[0] = '\0';
    tmk_phase_begin_all(&run->whole, run->job, &how);
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        tmk_phase_part_begin(&run->parts[op], &run->whole,
                             op == TMK_MDWORKBENCH_CREATE);
    }
}

/* What each rank took, over all of them, what it slept, and whether one of them
 * was over for good.  Collective. */
static void spread_all(struct tmk_mdworkbench_run *run,
                       struct tmk_mdworkbench_phase *phase)
{
    enum { TIME, SQUARE, SLEPT, SPENT, SUMS };
    enum { LONGEST, SHORTEST, ENDED, MAXIMA };
    const struct tmk_phase *p = &run->whole;
    const struct tmk_wait *wait = &run->job->wait;
    const double n = run->job->size;
    const double own_s = tmk_units_seconds(p->t1_ns - p->t0_ns);
    double sums[SUMS] = {own_s, own_s * own_s, tmk_units_seconds(run->slept_ns),
                         tmk_units_seconds(p->t2_ns - p->t0_ns)};
    double maxima[MAXIMA] = {own_s, -own_s, p->ended};
    double variance;

    tmk_wait_allreduce_all(wait, sums, SUMS, MPI_DOUBLE, MPI_SUM);
    tmk_wait_allreduce_all(wait, maxima, MAXIMA, MPI_DOUBLE, MPI_MAX);
    variance = n > 1.0
                   ? (sums[SQUARE] - sums[TIME] * sums[TIME] / n) / (n - 1.0)
                   : 0.0;
    phase->spread = (struct tmk_mdworkbench_spread){
        .min_s = -maxima[SHORTEST],
        .max_s = maxima[LONGEST],
        .mean_s = sums[TIME] / n,
        .stddev_s = variance > 0.0 ? sqrt(variance) : 0.0,
    };
    phase->slept_share = sums[SPENT] > 0.0 ? sums[SLEPT] / sums[SPENT] : 0.0;
    phase->torn = maxima[ENDED] > 0.0;
}

static void finish_all(struct tmk_mdworkbench_run *run,
                       struct tmk_mdworkbench_phase *phase)
{
    struct tmk_phase *p = &run->whole;
    const uint64_t bytes = run->data.bytes;

    run->parts[TMK_MDWORKBENCH_READ].bytes =
        run->parts[TMK_MDWORKBENCH_READ].done * bytes;
    run->parts[TMK_MDWORKBENCH_CREATE].bytes =
        run->parts[TMK_MDWORKBENCH_CREATE].done * bytes;
    p->bytes = run->parts[TMK_MDWORKBENCH_READ].bytes +
               run->parts[TMK_MDWORKBENCH_CREATE].bytes;
    tmk_phase_close(p);
    tmk_phase_end_all(p, &phase->whole);
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        if (tmk_mdworkbench_has(run->plan, phase->kind,
                                (enum tmk_mdworkbench_op)op)) {
            tmk_phase_part_combine_all(&run->parts[op], p, &phase->parts[op]);
        }
    }
}

/* Where the sets are now. */
static void move_on(struct tmk_mdworkbench_run *run,
                    struct tmk_mdworkbench_phase *phase)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;

    phase->steps = conf->steps;
    if (run->limit_ns != 0) {
        phase->steps = phase->whole.wall.max;
        phase->whole.wall.hit = phase->whole.wall.min < conf->steps;
    }
    if (conf->read_only != 0) {
        return;
    }
    run->torn = run->torn || phase->torn;
    run->pos += phase->steps;
}

void tmk_mdworkbench_phase_all(struct tmk_mdworkbench_run *run,
                               struct tmk_mdworkbench_phase *phase)
{
    const enum tmk_mdworkbench_kind kind = phase->kind;

    run->waiting = kind == TMK_MDWORKBENCH_BENCHMARK ? phase->waiting : 0.0;
    begin_all(run, kind);
    switch (kind) {
    case TMK_MDWORKBENCH_PRECREATE: precreate(run); break;
    case TMK_MDWORKBENCH_BENCHMARK: benchmark(run); break;
    default: cleanup(run); break;
    }
    if (kind != TMK_MDWORKBENCH_BENCHMARK && !run->sweeps) {
        count_missed(run, kind, 0);
    }
    finish_all(run, phase);
    spread_all(run, phase);
    phase->steps = 0;
    if (kind == TMK_MDWORKBENCH_BENCHMARK) {
        move_on(run, phase);
    }
}
