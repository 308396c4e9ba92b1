/*
 * io500_find: the phases that search, by pfind or by a script of the user's.
 */
#include "bench/io500_find.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/names.h"
#include "base/units.h"
#include "bench/find_main.h"
#include "run/clock.h"
#include "run/say.h"

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
static void run_script(const struct tmk_io500_args *args, FILE *out,
                       struct tmk_io500_done *done)
{
    char *line = tmk_io500_args_line(args);
    char *command = NULL;
    uint64_t begin = tmk_clock_ns();
    uint64_t lines;
    FILE *from;
    int status;

    if (line == NULL || asprintf(&command, "%s </dev/null", line) < 0) {
        free(line);
        done->status = -ENOMEM;
        return;
    }
    free(line);
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
    done->engine_s = tmk_units_seconds(tmk_clock_ns() - begin);
}

static void call_script_all(struct tmk_io500_calls *calls,
                            const struct tmk_io500_args *args, FILE *out,
                            struct tmk_io500_done *done)
{
    struct tmk_job *job = calls->job;

    done->external = true;
    if (job->rank == 0) {
        run_script(args, out, done);
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
        .latency = calls->phase,
    };

    return tmk_find_main_all(job, (int)args->n, args->words, &parts);
}

/* What a rank did, as pfind's own counters are called. */
struct row {
    uint64_t errors, unknown, found, total, checked;
    struct tmk_queue_traffic traffic;
};

static void print_rows(FILE *to, const struct row *rows, int n,
                       uint64_t time_ns)
{
    uint64_t total = 0;

    for (int i = 0; i < n; i++) {
        total += rows[i].total;
    }
    (void)fprintf(to, "runtime: %f rate: %f\n", tmk_units_seconds(time_ns),
                  tmk_units_per_s(total, time_ns));
    (void)fputs("rank,errors,unknown,found,total,checked,job_steal_inbound,"
                "work_send,job_steal_tries,work_stolen,job_steal_time,"
                "completion_tokens_send\n",
                to);
    for (int i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        const struct tmk_queue_traffic *t = &r->traffic;

        (void)fprintf(to,
                      "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                      ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                      ",%" PRIu64 ",%.3fs,%" PRIu64 "\n",
                      i, r->errors, r->unknown, r->found, r->total, r->checked,
                      t->asked_by_others, t->items_given, t->asked,
                      t->items_taken, tmk_units_seconds(t->idle_ns), t->rounds);
    }
}

/* On rank 0. */
static int write_rows(const struct tmk_io500_calls *calls,
                      enum tmk_io500_phase phase, const struct row *rows, int n,
                      uint64_t time_ns)
{
    char *path = NULL;
    FILE *to;
    int err = 0;

    if (asprintf(&path, "%s/%s.csv", calls->site->resultdir,
                 tmk_io500_phase_name(phase)) < 0) {
        return -ENOMEM;
    }
    to = fopen(path, "we");
    if (to == NULL) {
        err = -errno;
    } else {
        print_rows(to, rows, n, time_ns);
        err = fclose(to) != 0 ? -errno : 0;
    }
    free(path);
    return err;
}

/* What each rank did, to a file.  Collective over the ranks that search. */
static void write_csv_all(struct tmk_io500_calls *calls, struct tmk_job *job,
                          enum tmk_io500_phase phase,
                          const struct tmk_find_done *found)
{
    const struct row own = {
        .errors = found->failed,
        .unknown = found->unknown,
        .found = found->matches,
        .total = found->files,
        .checked = found->entries,
        .traffic = found->traffic,
    };
    uint64_t time_ns = tmk_job_max_all(job, found->time_ns);
    struct row *rows =
        job->rank == 0 ? calloc((size_t)job->size, sizeof(*rows)) : NULL;
    int err =
        tmk_job_agree_all(job, job->rank != 0 || rows != NULL ? 0 : -ENOMEM);

    if (err == 0) {
        tmk_wait_gather_all(&job->wait, &own, rows, (int)sizeof(own));
        err = rows != NULL ? write_rows(calls, phase, rows, job->size, time_ns)
                           : 0;
    }
    if (err != 0) {
        tmk_say_error(job, "%s/%s.csv: %s", calls->site->resultdir,
                      tmk_io500_phase_name(phase), strerror(-err));
        calls->output_failed = true;
    }
    free(rows);
}

/* As the other benchmarks hand down what was timed. */
static void keep_phase(struct tmk_io500_calls *calls,
                       const struct tmk_io500_done *done,
                       const struct tmk_find_done *found)
{
    uint64_t time_ns = (uint64_t)(done->engine_s * 1e9);
    struct tmk_phase_result *phase = calls->phase; /* has the latencies */

    phase->time_ns = time_ns;
    phase->busy_ns = time_ns;
    phase->operations = done->operations;
    phase->failed = done->failed;
    phase->rate_per_s = tmk_units_per_s(done->operations, time_ns);
    phase->foreign_share = -1;
    phase->intervals = found->intervals;
    calls->timed = true;
}

static void call_find_all(struct tmk_io500_calls *calls,
                          enum tmk_io500_phase phase,
                          const struct tmk_io500_args *args, FILE *out,
                          struct tmk_io500_done *done)
{
    const struct tmk_io500_part *part =
        &calls->site->conf->parts[tmk_io500_phase_rows[phase].section];
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
        sub.out = out;
        tmk_io500_calls_ask(calls, &sub);
        *calls->phase = (struct tmk_phase_result){.max_op = {.rank = -1}};
        status = search_all(calls, &sub, args, &found);
        if (found.searched) {
            write_csv_all(calls, &sub, phase, &found);
        }
    }
    job->interrupted = sub.size != 0 ? sub.interrupted : job->interrupted;
    tmk_job_fini_all(&sub);
    done->status = (int)tmk_job_max_all(job, (uint64_t)status);
    done->found = tmk_job_sum_all(job, found.matches);
    done->total = tmk_job_sum_all(job, found.files);
    done->failed = tmk_job_sum_all(job, found.failed);
    done->operations = tmk_job_sum_all(job, found.entries);
    done->engine_s = tmk_units_seconds(tmk_job_max_all(job, found.time_ns));
    keep_phase(calls, done, &found);
}

void tmk_io500_find_all(struct tmk_io500_calls *calls,
                        enum tmk_io500_phase phase,
                        const struct tmk_io500_args *args, FILE *out,
                        struct tmk_io500_done *done)
{
    const struct tmk_io500_part *part =
        &calls->site->conf->parts[tmk_io500_phase_rows[phase].section];

    if (part->script != NULL) {
        call_script_all(calls, args, out, done);
    } else {
        call_find_all(calls, phase, args, out, done);
    }
    if (done->engine_s > 0) {
        done->score = (double)done->total / done->engine_s / 1000;
    }
    done->expected = UINT64_MAX;
    if (phase != TMK_IO500_P_FIND_EASY && calls->hard_files != UINT64_MAX) {
        done->expected = tmk_job_sum_all(calls->job, count_names(calls));
    }
}
