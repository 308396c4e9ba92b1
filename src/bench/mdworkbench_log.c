/*
 * mdworkbench_log: the files of -L.
 */
#include "bench/mdworkbench_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/output.h"
#include "run/say.h"

enum { PIECE = 4096 }; /* samples that go over at a time */

/* What files are named after; NULL: the phase has no file of these. */
static const char *name_of(enum tmk_mdworkbench_kind kind, int op)
{
    if (kind == TMK_MDWORKBENCH_PRECREATE) {
        return op == TMK_MDWORKBENCH_CREATE ? "precreate" : NULL;
    }
    if (kind == TMK_MDWORKBENCH_CLEANUP) {
        return op == TMK_MDWORKBENCH_DELETE ? "cleanup" : NULL;
    }
    return tmk_mdworkbench_op_names[op];
}

static int path_of(const struct tmk_mdworkbench_log *log, double waiting,
                   uint64_t iteration, const char *name, char *path)
{
    const struct tmk_mdworkbench_conf *conf = log->plan->conf;
    int n = snprintf(path, TMK_MDWORKBENCH_PATH_SIZE,
                     "%s-%.2f-%" PRIu64 "-%s%s.csv", conf->latency, waiting,
                     iteration, name, conf->latency_all != 0 ? "-all" : "");

    return n > 0 && n < TMK_MDWORKBENCH_PATH_SIZE ? 0 : -ENAMETOOLONG;
}

int tmk_mdworkbench_log_open_all(struct tmk_mdworkbench_log *log,
                                 struct tmk_job *job,
                                 const struct tmk_mdworkbench_plan *plan)
{
    char path[TMK_MDWORKBENCH_PATH_SIZE];
    struct tmk_output *out = NULL;
    int err = 0;

    *log = (struct tmk_mdworkbench_log){
        .job = job,
        .plan = plan,
        .on = plan->conf->latency != NULL,
    };
    if (!log->on) {
        return 0;
    }
    if (job->rank == 0) {
        err = path_of(log, 0.0, 0, "precreate", path);
        if (err == 0) {
            err = tmk_output_open(path, job->id, &out);
        }
        tmk_output_close(out);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "-L: %s-...: %s", plan->conf->latency,
                      strerror(-err));
    }
    return err;
}

static void release(struct tmk_mdworkbench_log *log)
{
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        free(log->samples[op].list);
        log->samples[op] = (struct tmk_mdworkbench_samples){0};
    }
}

void tmk_mdworkbench_log_begin_all(struct tmk_mdworkbench_log *log,
                                   struct tmk_mdworkbench_run *run,
                                   enum tmk_mdworkbench_kind kind)
{
    const bool records =
        log->on && (log->job->rank == 0 || log->plan->conf->latency_all != 0);
    int err = 0;

    run->samples = NULL;
    if (!log->on) {
        return;
    }
    for (int op = 0; records && op < TMK_MDWORKBENCH_OPS; op++) {
        struct tmk_mdworkbench_samples *s = &log->samples[op];
        uint64_t n = name_of(kind, op) != NULL
                         ? tmk_mdworkbench_planned_of(
                               run, kind, (enum tmk_mdworkbench_op)op)
                         : 0;

        if (n != 0) {
            s->list = calloc(n, sizeof(*s->list));
            err = s->list == NULL ? -ENOMEM : err;
            s->capacity = s->list != NULL ? n : 0;
        }
    }
    err = tmk_job_agree_all(log->job, err);
    if (err != 0) {
        tmk_say_error(log->job, "-L: %s", strerror(-err));
        log->lost = true;
        release(log);
        return;
    }
    run->samples = records ? log->samples : NULL;
}

static void write_list(FILE *to, const struct tmk_mdworkbench_sample *list,
                       uint64_t n)
{
    for (uint64_t i = 0; to != NULL && i < n; i++) {
        fprintf(to, "%.7f,%.4e\n", tmk_units_seconds(list[i].start_ns),
                tmk_units_seconds(list[i].took_ns));
    }
}

/* The samples of `rank` to rank 0, a piece at a time; others have no part. */
static void write_of(struct tmk_mdworkbench_log *log, int rank,
                     const struct tmk_mdworkbench_samples *s, FILE *to)
{
    const struct tmk_wait *wait = &log->job->wait;
    struct tmk_mdworkbench_sample piece[PIECE];
    struct tmk_mdworkbench_sample unused[PIECE];
    uint64_t n = s->n;
    uint64_t other = 0;
    const bool gets = log->job->rank == 0;
    const int peer = gets ? rank : 0;

    memset(piece, 0, sizeof(piece));
    tmk_wait_exchange(wait, &n, peer, &other, peer, (int)sizeof(n));
    n = gets ? other : n;
    for (uint64_t at = 0; at < n; at += PIECE) {
        const uint64_t part = n - at < PIECE ? n - at : PIECE;

        if (!gets) {
            memcpy(piece, s->list + at, part * sizeof(*piece));
        }
        tmk_wait_exchange(wait, piece, peer, unused, peer, (int)sizeof(piece));
        if (gets) {
            write_list(to, unused, part);
        }
    }
}

/* One file; 0 or -errno, of rank 0. */
static int write_file(struct tmk_mdworkbench_log *log, const char *path, int op)
{
    const struct tmk_mdworkbench_samples *s = &log->samples[op];
    struct tmk_output *out = NULL;
    FILE *to = NULL;
    int err = 0;

    if (log->job->rank == 0) {
        err = tmk_output_open(path, log->job->id, &out);
        if (err == 0) {
            err = tmk_output_anew(out, &to);
        }
        if (err == 0) {
            fputs("time,runtime\n", to);
            write_list(to, s->list, s->n);
        }
    }
    for (int rank = 1;
         log->plan->conf->latency_all != 0 && rank < log->job->size; rank++) {
        if (log->job->rank == 0 || log->job->rank == rank) {
            write_of(log, rank, s, to);
        }
    }
    if (out != NULL && err == 0) {
        err = tmk_output_commit(out);
    }
    tmk_output_close(out);
    return err;
}

void tmk_mdworkbench_log_end_all(struct tmk_mdworkbench_log *log,
                                 struct tmk_mdworkbench_run *run,
                                 const struct tmk_mdworkbench_phase *phase)
{
    char path[TMK_MDWORKBENCH_PATH_SIZE];
    int worst = 0;

    run->samples = NULL;
    if (!log->on || log->lost) {
        release(log);
        return;
    }
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        const char *name = tmk_mdworkbench_has(log->plan, phase->kind,
                                               (enum tmk_mdworkbench_op)op)
                               ? name_of(phase->kind, op)
                               : NULL;
        int err;

        if (name == NULL) {
            continue;
        }
        err = path_of(log, phase->waiting, phase->iteration, name, path);
        if (err == 0) {
            err = write_file(log, path, op);
        }
        worst = err < worst ? err : worst;
    }
    worst = tmk_job_agree_all(log->job, worst);
    if (worst != 0) {
        tmk_say_error(log->job, "-L: writing %s-...: %s",
                      log->plan->conf->latency, strerror(-worst));
        log->lost = true;
    }
    release(log);
}
