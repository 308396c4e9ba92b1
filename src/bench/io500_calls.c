/*
 * io500_calls: the benchmarks that the phases are made of, each called with
 * the words of its command line.
 */
#include "bench/io500_calls.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/names.h"
#include "bench/find_main.h"
#include "bench/ior_main.h"
#include "bench/ior_text.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_plan.h"
#include "run/clock.h"

#define GIB (1024.0 * 1024 * 1024)

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

/* Files of this rank in mdtest-hard whose name has "01" in it. */
static uint64_t count_names(const struct tmk_io500_calls *calls)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < calls->hard_files; i++) {
        char name[64];

        if (tmk_names_make(TMK_NAMES_FILE, (uint64_t)calls->job->rank, i, name,
                           sizeof(name)) > 0 &&
            strstr(name, "01") != NULL) {
            n++;
        }
    }
    return n;
}

/* The last line of what a script says, without its end. */
static void keep_last_line(FILE *from, FILE *to, char *line, size_t size,
                           uint64_t *lines)
{
    char *text = NULL;
    size_t space = 0;
    ssize_t length;

    line[0] = '\0';
    *lines = 0;
    for (;;) {
        length = getline(&text, &space, from);
        if (length < 0) {
            break;
        }
        ++*lines;
        if (to != NULL) {
            (void)fputs(text, to);
        }
        if (length > 0 && text[length - 1] == '\n') {
            text[length - 1] = '\0';
        }
        (void)snprintf(line, size, "%s", text);
    }
    free(text);
}

/* What is said by a script that searches: "MATCHED 12/345", or names. */
static void read_script(struct tmk_io500_done *done, uint64_t lines)
{
    static const char matched[] = "MATCHED ";

    done->found = lines;
    done->total = lines;
    if (strncmp(done->last_output, matched, sizeof(matched) - 1) == 0) {
        char *end;

        done->found =
            strtoull(done->last_output + sizeof(matched) - 1, &end, 10);
        done->total = *end == '/' ? strtoull(end + 1, NULL, 10) : done->found;
    }
}

/* On rank 0. */
static void run_script(const struct tmk_io500_calls *calls,
                       const struct tmk_io500_part *part, FILE *out,
                       struct tmk_io500_done *done)
{
    char *command = NULL;
    uint64_t begin = tmk_clock_ns();
    uint64_t lines;
    FILE *from;
    int status;

    if (asprintf(&command,
                 "%s %s %s %s -newer %s/timestampfile -size 3901c -name "
                 "\"*01*\" </dev/null",
                 part->mpi_args, part->script, part->extra_args,
                 calls->site->datadir, calls->site->resultdir) < 0) {
        done->status = -ENOMEM;
        return;
    }
    /* The script and its words are the user's, for the user's shell. */
    from = popen(command, "r"); /* NOLINT(cert-env33-c) */
    free(command);
    if (from == NULL) {
        done->status = -errno;
        return;
    }
    keep_last_line(from, out, done->last_output, sizeof(done->last_output),
                   &lines);
    status = pclose(from);
    done->script_status = WIFEXITED(status)     ? WEXITSTATUS(status)
                          : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
                                                : 1;
    read_script(done, lines);
    done->engine_s = seconds(tmk_clock_ns() - begin);
}

static void call_script_all(struct tmk_io500_calls *calls,
                            const struct tmk_io500_part *part, FILE *out,
                            struct tmk_io500_done *done)
{
    struct tmk_job *job = calls->job;

    done->external = true;
    if (job->rank == 0) {
        run_script(calls, part, out, done);
    }
    done->status = tmk_job_agree_all(job, done->status);
    done->script_status = (int)tmk_job_max_all(
        job, (uint64_t)(job->rank == 0 ? done->script_status : 0));
    done->found = tmk_job_max_all(job, done->found);
    done->total = tmk_job_max_all(job, done->total);
}

/* Searching, by the first ranks. */
static int search_all(struct tmk_io500_calls *calls, struct tmk_job *job,
                      const struct tmk_io500_args *args,
                      struct tmk_find_done *found)
{
    const struct tmk_find_parts parts = {
        .version = calls->parts->version,
        .version_git = calls->parts->version_git,
        .pfind = true,
        .done = found,
    };

    return tmk_find_main_all(job, (int)args->n, args->words, &parts);
}

static void call_find_all(struct tmk_io500_calls *calls,
                          const struct tmk_io500_part *part,
                          const struct tmk_io500_args *args, FILE *out,
                          struct tmk_io500_done *done)
{
    struct tmk_job *job = calls->job;
    int64_t nproc = tmk_io500_number(part->nproc, job->size);
    struct tmk_find_done found = {0};
    struct tmk_job sub;
    int status = 0;

    if (nproc < 1 || nproc > job->size) {
        nproc = job->size; /* it was looked at before */
    }
    done->nproc = (uint64_t)nproc;
    if (tmk_job_sub_all(job, (int)nproc, &sub) != 0) {
        done->status = -ENOMEM;
        return;
    }
    if (sub.size != 0) {
        sub.program = "pfind";
        sub.embedded = true;
        sub.out = out;
        status = search_all(calls, &sub, args, &found);
    }
    tmk_job_fini_all(&sub);
    done->status = (int)tmk_job_max_all(job, (uint64_t)status);
    done->found = tmk_job_sum_all(job, found.matches);
    done->total = tmk_job_sum_all(job, found.files);
    done->failed = tmk_job_sum_all(job, found.failed);
    done->operations = tmk_job_sum_all(job, found.entries);
    done->engine_s = seconds(tmk_job_max_all(job, found.time_ns));
}

static void find_all(struct tmk_io500_calls *calls, enum tmk_io500_phase phase,
                     const struct tmk_io500_args *args, FILE *out,
                     struct tmk_io500_done *done)
{
    const struct tmk_io500_part *part =
        &calls->site->conf->parts[tmk_io500_phase_rows[phase].section];

    if (part->script != NULL) {
        call_script_all(calls, part, out, done);
    } else {
        call_find_all(calls, part, args, out, done);
    }
    if (done->engine_s > 0) {
        done->score = (double)done->total / done->engine_s / 1000;
    }
    done->expected = UINT64_MAX;
    if (phase != TMK_IO500_P_FIND_EASY && calls->hard_files != UINT64_MAX) {
        done->expected = tmk_job_sum_all(calls->job, count_names(calls));
    }
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
        find_all(calls, phase, args, out, done);
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
    sub.phase_limit_ns = calls->max_ns;
    if (benchmark == TMK_IO500_IOR) {
        done->status = call_ior(calls, &sub, phase, args, done);
    } else if (benchmark == TMK_IO500_MDTEST) {
        done->status = call_mdtest(calls, &sub, phase, args, done);
    } else {
        done->status = -ENOSYS;
    }
    job->interrupted = sub.interrupted;
    tmk_job_fini_all(&sub);
}
