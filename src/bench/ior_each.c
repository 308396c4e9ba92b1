/*
 * ior_each: what each rank did in a phase, to rank 0, if that is wanted.
 */
#include "bench/ior_each.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "bench/ior_log.h"
#include "run/clock.h"
#include "run/say.h"

/* Numbers of a rank; times in ns since the phase began, or lengths. */
enum {
    START,
    CREATE,
    TRANSFER,
    CLOSE,
    END,
    WHOLE,
    PAIRS,
    TRANSFER_AT,
    CLOSE_AT,
    SOURCE, /* whose data */
    NUMBERS
};

static const char *const said[] = {
    [START] = "start",
    [CREATE] = "elapsed create",
    [TRANSFER] = "elapsed transfer",
    [CLOSE] = "elapsed close",
    [END] = "end",
};

static void fill(const struct tmk_ior_run *run, uint64_t *own)
{
    const struct tmk_ior_marks *m = &run->marks;

    own[START] = run->phase.t0_ns - run->phase.epoch_ns;
    own[CREATE] = m->open_end_ns;
    own[TRANSFER] = m->transfer_end_ns - m->transfer_begin_ns;
    own[CLOSE] = m->close_end_ns - m->close_begin_ns;
    own[END] = m->close_end_ns;
    own[WHOLE] = run->phase.t1_ns - run->phase.t0_ns;
    own[PAIRS] = m->transfers;
    own[TRANSFER_AT] = m->transfer_begin_ns;
    own[CLOSE_AT] = m->close_begin_ns;
    own[SOURCE] = run->source;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* One of the numbers of all ranks, into `column`. */
static void take(uint64_t *column, const uint64_t *all, size_t n, int which)
{
    for (size_t i = 0; i < n; i++) {
        column[i] = all[i * NUMBERS + (size_t)which];
    }
}

/*
 * -j: ranks that are so far from the middle one.  (The original compares with
 * the mean, which one slow rank drags along.)
 */
static void say_outliers(struct tmk_ior_job *t, const uint64_t *all,
                         uint64_t *column, const char *access)
{
    const size_t n = (size_t)t->job->size;
    const uint64_t most_ns = t->plan.conf->outlier_ns;

    for (int which = START; which <= END; which++) {
        uint64_t middle;

        take(column, all, n, which);
        qsort(column, n, sizeof(*column), compare);
        middle = column[n / 2];
        for (size_t i = 0; i < n; i++) {
            const uint64_t x = all[i * NUMBERS + (size_t)which];
            const uint64_t off = x > middle ? x - middle : middle - x;

            if (off > most_ns) {
                tmk_say_warning(
                    t->job, "OUTLIER",
                    "-j: %s, task %zu of host %s: %s time %.6f s, %.6f s in "
                    "the middle of all tasks (repetition %d)",
                    access, i, tmk_layout_host_of(&t->job->layout, (int)i),
                    said[which], tmk_units_seconds(x),
                    tmk_units_seconds(middle), t->run.repetition);
            }
        }
    }
}

/* -vvv: the file of each rank, and six moments, by the clock of the day. */
static void say_moments(struct tmk_ior_job *t, const uint64_t *all,
                        const char *access)
{
    static const char *const names[] = {"open start",  "open stop",
                                        "start",       "stop",
                                        "close start", "close stop"};
    FILE *to = t->launch->text.log;
    struct timespec now;
    double begin_s;

    clock_gettime(CLOCK_REALTIME, &now);
    begin_s = (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
              tmk_units_seconds(tmk_clock_ns() - t->run.phase.t0_ns);
    for (int i = 0; i < t->job->size; i++) {
        const uint64_t *own = &all[(size_t)i * NUMBERS];
        const uint64_t moments[] = {
            0,
            own[CREATE],
            own[TRANSFER_AT],
            own[TRANSFER_AT] + own[TRANSFER],
            own[CLOSE_AT],
            own[END],
        };
        char path[TMK_IOR_PATH_SIZE] = "";

        (void)tmk_ior_plan_path(&t->plan, own[SOURCE], t->run.repetition, path,
                                sizeof(path));
        fprintf(to, "task %d %s %s\n", i,
                strcmp(access, "read") == 0    ? "reading"
                : strcmp(access, "mixed") == 0 ? "mixing"
                                               : "writing",
                path);
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            fprintf(to, "Test %d: Iter=%d, Task=%d, Time=%f, %s %s\n",
                    t->text.id, t->run.repetition, i,
                    begin_s + tmk_units_seconds(moments[k]), access, names[k]);
        }
    }
    fflush(to);
}

static void say_all(struct tmk_ior_job *t, const struct tmk_ior_phase *phase,
                    const uint64_t *all, uint64_t *columns)
{
    struct tmk_ior_launch *launch = t->launch;
    const size_t n = (size_t)t->job->size;
    const char *access = phase->access == TMK_IOR_READ  ? "read"
                         : phase->access == TMK_IOR_MIX ? "mixed"
                                                        : "write";

    if (launch->ranks_file != NULL) {
        take(columns, all, n, WHOLE);
        take(columns + n, all, n, TRANSFER);
        tmk_ior_text_ranks(launch->ranks_file, phase, t->job->size, columns,
                           columns + n);
    }
    if (t->plan.conf->verbose > 0 && phase->result->wall.on) {
        take(columns, all, n, PAIRS);
        tmk_ior_log_pairs(&launch->text, &t->text, columns, t->job->size);
    }
    if (t->plan.conf->verbose > 2) {
        say_moments(t, all, access);
    }
    if (t->plan.conf->outlier_ns != 0) {
        say_outliers(t, all, columns, access);
    }
}

void tmk_ior_each_all(struct tmk_ior_job *t, const struct tmk_ior_phase *phase)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    const size_t n = (size_t)t->job->size;
    uint64_t own[NUMBERS];
    uint64_t *all = NULL;
    int err = 0;

    if (conf->rank_details == NULL && conf->outlier_ns == 0 &&
        conf->verbose < 3 && (conf->verbose == 0 || !phase->result->wall.on)) {
        return;
    }
    if (t->job->rank == 0) {
        all = calloc((NUMBERS + 2) * n, sizeof(*all));
        err = all != NULL ? 0 : -ENOMEM;
    }
    if (tmk_job_agree_all(t->job, err) == 0) {
        fill(&t->run, own);
        tmk_wait_gather_all(&t->job->wait, own, all, (int)sizeof(own));
        if (all != NULL) {
            say_all(t, phase, all, all + NUMBERS * n);
        }
    }
    free(all);
}

void tmk_ior_each_wrong_all(struct tmk_ior_job *t, const char *access)
{
    enum { TOLD_MAX = 8 };
    struct tmk_job *job = t->job;
    unsigned mine = 0;

    for (int told = 0; told < TOLD_MAX; told++) {
        char text[sizeof(t->run.wrong[0]) + TMK_IOR_PATH_SIZE] = "";
        const bool has = mine < t->run.n_wrong;
        const int lowest =
            job->size - (int)tmk_job_max_all(
                            job, has ? (uint64_t)(job->size - job->rank) : 0);

        if (lowest == job->size) {
            return;
        }
        if (lowest == job->rank) {
            (void)snprintf(text, sizeof(text), "%s: %s", t->run.path,
                           t->run.wrong[mine++]);
        }
        tmk_wait_reduce_all(&job->wait, text, (int)sizeof(text), MPI_BYTE,
                            MPI_BOR);
        if (told > 0) { /* the very first was said as the phase's failure */
            tmk_say_error(job, "%s: rank %d: %s", access, lowest, text);
        }
    }
}
