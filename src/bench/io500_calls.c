/*
 * io500_calls: the benchmarks that the phases are made of, each called with
 * the words of its command line.
 */
#include "bench/io500_calls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io500_find.h"
#include "bench/ior_main.h"
#include "bench/ior_text.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_plan.h"
#include "bench/mdworkbench_main.h"

#define GIB (1024.0 * 1024 * 1024)

/* Rates over time are kept for a hundredth of a write phase, in ns: there is
 * room for a few more, and others are as long as that or shorter. */
enum { INTERVAL_LEAST = 10000000, INTERVAL_PER_S = 10000000 };

/* What a listener fills. */
struct hearing {
    struct tmk_io500_calls *calls;
    struct tmk_io500_done *done;
    int phase; /* of mdtest, that has the score */
};

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

/* What all benchmarks tell. */
static void hear(struct hearing *h, const struct tmk_phase_result *result)
{
    struct tmk_io500_done *done = h->done;

    *h->calls->phase = *result;
    h->calls->timed = true;
    done->operations = result->operations;
    done->bytes = result->bytes;
    done->engine_s = seconds(result->time_ns);
    done->full = result->full;
    done->limited = result->wall.on;
    done->limit_hit = result->wall.on && result->wall.hit;
    done->stonewall_s = seconds(result->wall.time_ns);
}

static void hear_ior(void *state, int test, int tasks,
                     const struct tmk_ior_phase *phase, bool timed)
{
    struct hearing *h = state;
    struct tmk_io500_done *done = h->done;

    (void)test;
    (void)tasks;
    if (phase->result == NULL) {
        return;
    }
    done->failed += phase->result->failed;
    done->wrong += phase->errors;
    if (!timed) {
        return;
    }
    hear(h, phase->result);
    done->bytes = phase->moved_bytes;
    done->engine_s = seconds(phase->total_ns);
    if (phase->total_ns != 0) {
        done->score =
            (double)phase->moved_bytes / seconds(phase->total_ns) / GIB;
    }
    done->pairs = phase->pairs_accessed;
    if (done->limited) {
        done->stonewall_s = seconds(phase->wall_ns);
        if (phase->wall_ns != 0) {
            done->stonewall_rate =
                (double)phase->wall_total_bytes / seconds(phase->wall_ns) / GIB;
        }
    }
}

static void hear_mdtest(void *state, int tasks, int phase, int iteration,
                        const struct tmk_phase_result *result)
{
    struct hearing *h = state;
    struct tmk_io500_done *done = h->done;

    (void)tasks;
    (void)iteration;
    done->failed += result->failed;
    done->wrong += result->wrong;
    if (phase != h->phase) {
        return;
    }
    hear(h, result);
    done->score = result->rate_per_s / 1000;
    if (done->limited && result->wall.time_ns != 0) {
        done->stonewall_rate =
            (double)result->wall.sum / seconds(result->wall.time_ns) / 1000;
    }
}

static int call_ior(struct tmk_io500_calls *calls, struct tmk_job *job,
                    enum tmk_io500_phase phase,
                    const struct tmk_io500_args *args,
                    struct tmk_io500_done *done)
{
    struct hearing h = {.calls = calls, .done = done};
    const struct tmk_ior_listener listener = {.phase = hear_ior, .state = &h};
    const struct tmk_ior_parts parts = {
        .version = calls->parts->version,
        .version_git = calls->parts->version_git,
        .engines = calls->parts->engines,
        .listener = &listener,
    };
    struct tmk_result result;

    (void)phase;
    return tmk_ior_main_all(job, (int)args->n, args->words, &parts, &result);
}

/* Phases of the suite and what they time. */
static int timed_by_mdtest(enum tmk_io500_phase phase)
{
    switch (phase) {
    case TMK_IO500_P_MDTEST_EASY_WRITE:
    case TMK_IO500_P_MDTEST_HARD_WRITE: return TMK_MDTEST_FILE_CREATE;
    case TMK_IO500_P_MDTEST_EASY_STAT:
    case TMK_IO500_P_MDTEST_HARD_STAT: return TMK_MDTEST_FILE_STAT;
    case TMK_IO500_P_MDTEST_HARD_READ: return TMK_MDTEST_FILE_READ;
    default: return TMK_MDTEST_FILE_REMOVE;
    }
}

static int call_mdtest(struct tmk_io500_calls *calls, struct tmk_job *job,
                       enum tmk_io500_phase phase,
                       const struct tmk_io500_args *args,
                       struct tmk_io500_done *done)
{
    struct hearing h = {
        .calls = calls, .done = done, .phase = timed_by_mdtest(phase)};
    const struct tmk_mdtest_listener listener = {.phase = hear_mdtest,
                                                 .state = &h};
    const struct tmk_writer no_writers = {0};
    const struct tmk_mdtest_parts parts = {
        .version = calls->parts->version,
        .version_git = calls->parts->version_git,
        .engines = calls->parts->engines_mdtest,
        .writers = &no_writers,
        .listener = &listener,
    };
    struct tmk_result result;
    int status =
        tmk_mdtest_main_all(job, (int)args->n, args->words, &parts, &result);

    if (phase == TMK_IO500_P_MDTEST_HARD_WRITE && status == 0) {
        /* Wearing out, all ranks make as many. */
        calls->hard_files = done->operations / (uint64_t)job->size;
    }
    return status;
}

/* Objects per second of a round; the last of two counts. */
static void take_rounds(const struct tmk_mdworkbench_outcome *outcome,
                        struct tmk_io500_done *done)
{
    const struct tmk_mdworkbench_outcome_phase *rounds = outcome->phases;
    size_t last = outcome->count - 1;

    done->counts = outcome->count;
    if (outcome->count == 0) {
        return;
    }
    done->score = rounds[last].rate_per_s / 1000;
    done->max_op_s = seconds(rounds[last].max_op_ns);
    if (last != 0) {
        done->score_0 = rounds[0].rate_per_s / 1000;
        done->max_op_0_s = seconds(rounds[0].max_op_ns);
    }
}

static int call_workbench(struct tmk_io500_calls *calls, struct tmk_job *job,
                          const struct tmk_io500_args *args,
                          struct tmk_io500_done *done)
{
    struct hearing h = {.calls = calls, .done = done};
    struct tmk_phase_result whole = {0};
    const struct tmk_mdworkbench_parts parts = {
        .version = calls->parts->version,
        .version_git = calls->parts->version_git,
        .engines = calls->parts->engines_mdtest,
        .embedded = true,
        .whole = &whole,
    };
    struct tmk_mdworkbench_outcome outcome = {0};
    struct tmk_result result = {0};
    int status = tmk_mdworkbench_main_all(job, (int)args->n, args->words,
                                          &parts, &result, &outcome);

    take_rounds(&outcome, done);
    if (outcome.count != 0) {
        hear(&h, &whole);
    }
    done->failed = result.failed_operations;
    done->wrong = result.wrong;
    tmk_mdworkbench_outcome_fini(&outcome);
    return status;
}

/* An empty file, whose time find compares with. */
static int stamp(const struct tmk_io500_calls *calls)
{
    char *path = NULL;
    FILE *f;
    int err = 0;

    if (asprintf(&path, "%s/timestampfile", calls->site->resultdir) < 0) {
        return -ENOMEM;
    }
    f = fopen(path, "we");
    if (f == NULL || fclose(f) != 0) {
        err = -errno;
    }
    free(path);
    return err;
}

void tmk_io500_calls_ask(const struct tmk_io500_calls *calls,
                         struct tmk_job *sub)
{
    int64_t stonewall_s = tmk_io500_stonewall_s(calls->site->conf);

    sub->phase_limit_ns = calls->max_ns;
    sub->interval_ns = stonewall_s > 1 ? (uint64_t)stonewall_s * INTERVAL_PER_S
                                       : INTERVAL_LEAST;
    sub->progress_ns = calls->progress_ns;
    sub->course = calls->course;
}

void tmk_io500_call_all(struct tmk_io500_calls *calls,
                        enum tmk_io500_phase phase,
                        const struct tmk_io500_args *args, FILE *out,
                        struct tmk_io500_done *done)
{
    const char *const programs[] = {
        [TMK_IO500_IOR] = "ior",
        [TMK_IO500_MDTEST] = "mdtest",
        [TMK_IO500_MDWB] = "md-workbench",
    };
    enum tmk_io500_benchmark benchmark = tmk_io500_phase_rows[phase].benchmark;
    struct tmk_job *job = calls->job;
    struct tmk_job sub;
    int err;

    calls->timed = false;
    if (benchmark == TMK_IO500_STAMP) {
        done->status =
            tmk_job_agree_all(job, job->rank == 0 ? stamp(calls) : 0);
        return;
    }
    if (benchmark == TMK_IO500_PFIND) {
        tmk_io500_find_all(calls, phase, args, out, done);
        return;
    }
    err = tmk_job_sub_all(job, job->size, &sub);
    if (err != 0) {
        done->status = err;
        return;
    }
    sub.program = programs[benchmark];
    sub.embedded = true;
    sub.out = out;
    tmk_io500_calls_ask(calls, &sub);
    if (benchmark == TMK_IO500_IOR) {
        done->status = call_ior(calls, &sub, phase, args, done);
    } else if (benchmark == TMK_IO500_MDTEST) {
        done->status = call_mdtest(calls, &sub, phase, args, done);
    } else {
        done->status = call_workbench(calls, &sub, args, done);
    }
    job->interrupted = sub.interrupted;
    tmk_job_fini_all(&sub);
}
