/*
 * find_report: what a search did, for people, pfind's readers and writers.
 */
#include "bench/find_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/say.h"

/* Rows of results. */
enum row { ENTRIES, DIRECTORIES, STATS, MATCHES, ROWS };

static const char *const names[] = {
    [ENTRIES] = "Entries",
    [DIRECTORIES] = "Directories",
    [STATS] = "Stats",
    [MATCHES] = "Matches",
};

static uint64_t count_of(const struct tmk_find_result *r, enum row row)
{
    static const int sums[] = {
        [ENTRIES] = TMK_FIND_ENTRIES,
        [DIRECTORIES] = TMK_FIND_DIRS,
        [STATS] = TMK_FIND_STATS,
        [MATCHES] = TMK_FIND_MATCHES,
    };

    return r->sums[sums[row]];
}

void tmk_find_report_stats(struct tmk_job *job, const struct tmk_find_result *r)
{
    if (job->rank != 0) {
        return;
    }
    fprintf(job->err, "%d rank%s on %" PRIu32 " node%s, %.6f s%s\n", job->size,
            job->size == 1 ? "" : "s", job->layout.map.nodes,
            job->layout.map.nodes == 1 ? "" : "s",
            tmk_units_seconds(r->time_ns), r->stopped ? ", stopped early" : "");
    for (int i = 0; i < ROWS; i++) {
        fprintf(job->err, "   %-12s %14" PRIu64 " %16.3f per second\n",
                names[i], count_of(r, (enum row)i),
                tmk_units_per_s(count_of(r, (enum row)i), r->time_ns));
    }
    if (job->size > 1) {
        fprintf(job->err,
                "   at work: rank %d %.6f s, rank %d %.6f s; without work "
                "%.0f%%\n",
                r->slowest.rank, tmk_units_seconds(r->slowest.time_ns),
                r->fastest.rank, tmk_units_seconds(r->fastest.time_ns),
                100.0 * r->waiting_share);
    }
    fflush(job->err);
}

static void print_latency(FILE *to, const char *name, const struct tmk_hist *h)
{
    static const double percents[] = {50.0, 90.0, 99.0, 99.9, 100.0};

    if (tmk_hist_total(h) == 0) {
        return;
    }
    fprintf(to, "   %-22s", name);
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
        fprintf(to, " %11.2f",
                (double)tmk_hist_percentile_ns(h, percents[i]) / 1000.0);
    }
    fputc('\n', to);
}

void tmk_find_report_latency(struct tmk_job *job,
                             const struct tmk_find_result *r)
{
    if (job->rank != 0) {
        return;
    }
    fputs("LATENCY (in us per call)\n"
          "   Call                           p50         p90         p99       "
          "p99.9         Max\n",
          job->err);
    print_latency(job->err, "getdents64", &r->read_ns);
    print_latency(job->err, "statx", &r->stat_ns);
    fflush(job->err);
}

/* `traffic` is NULL without -v. */
static void print_found(FILE *to, const uint64_t *sums, bool deletes,
                        const struct tmk_queue_traffic *traffic)
{
    fprintf(to,
            "%s: %" PRIu64 " (scanned %" PRIu64
            " files, scanned dirents: %" PRIu64 ", unknown dirents: %" PRIu64,
            deletes ? "deleted" : "found", sums[TMK_FIND_MATCHES],
            sums[TMK_FIND_FILES], sums[TMK_FIND_ENTRIES],
            sums[TMK_FIND_UNKNOWN]);
    if (traffic != NULL) {
        fprintf(to,
                ", job steal msgs received: %" PRIu64
                ", work items send: %" PRIu64 ", job steal msgs send: %" PRIu64
                ", work items stolen: %" PRIu64
                ", time spend in job stealing: %.3fs, number of completion "
                "tokens send: %" PRIu64,
                traffic->asked_by_others, traffic->items_given, traffic->asked,
                traffic->items_taken, tmk_units_seconds(traffic->idle_ns),
                traffic->rounds);
    }
    fputs(")\n", to);
}

void tmk_find_report_pfind(struct tmk_job *job, const struct tmk_find_result *r,
                           bool rates, bool deletes,
                           const struct tmk_queue_traffic *traffic)
{
    if (job->rank != 0) {
        return;
    }
    fputs("[DONE] ", job->out);
    if (rates) {
        fprintf(job->out, "rate: %.3f kiops time: %.1fs ",
                tmk_units_per_s(r->sums[TMK_FIND_FILES], r->time_ns) / 1000.0,
                tmk_units_seconds(r->time_ns));
    }
    print_found(job->out, r->sums, deletes, traffic);
    fprintf(job->out, "MATCHED %" PRIu64 "/%" PRIu64 "\n",
            r->sums[TMK_FIND_MATCHES], r->sums[TMK_FIND_FILES]);
    fflush(job->out);
}

void tmk_find_report_ranks_all(struct tmk_job *job, const uint64_t *own,
                               bool deletes,
                               const struct tmk_queue_traffic *traffic)
{
    struct line {
        uint64_t sums[TMK_FIND_ERRNO];
        struct tmk_queue_traffic traffic;
    } line = {.sums = {0}};
    struct line *all = NULL;

    if (job->rank == 0) {
        all = calloc((size_t)job->size, sizeof(*all));
    }
    memcpy(line.sums, own, sizeof(line.sums));
    if (traffic != NULL) {
        line.traffic = *traffic;
    }
    if (tmk_job_agree_all(job, job->rank != 0 || all != NULL ? 0 : -1) == 0) {
        tmk_wait_gather_all(&job->wait, &line, all, (int)sizeof(line));
        for (int i = 0; all != NULL && i < job->size; i++) {
            fprintf(job->out, "[%d] ", i);
            print_found(job->out, all[i].sums, deletes,
                        traffic != NULL ? &all[i].traffic : NULL);
        }
    }
    free(all);
}

/* Least, mean and greatest as well as the buckets tell. */
static void fill_latency(struct tmk_phase_result *p, const struct tmk_hist *h,
                         struct tmk_result_rank longest)
{
    uint64_t n = tmk_hist_total(h);
    double sum_ns = 0.0;

    p->latency = *h;
    if (n == 0) {
        return;
    }
    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        sum_ns += (double)h->counts[i] * (double)tmk_hist_upper_ns(i);
    }
    p->min_op_ns = tmk_hist_percentile_ns(h, 0.0);
    p->max_op_ns = tmk_hist_percentile_ns(h, 100.0);
    p->mean_op_ns = sum_ns / (double)n;
    p->max_op = longest;
    p->max_op.time_ns = p->max_op_ns; /* less exact than the buckets */
}

void tmk_find_report_fill_latency(struct tmk_phase_result *phase,
                                  const struct tmk_find_result *result)
{
    if (tmk_hist_total(&result->stat_ns) >= tmk_hist_total(&result->read_ns)) {
        fill_latency(phase, &result->stat_ns, result->longest_stat);
    } else {
        fill_latency(phase, &result->read_ns, result->longest_read);
    }
}

/* One row as a phase. */
static void fill(const struct tmk_find_result *r, enum row row,
                 struct tmk_phase_result *p)
{
    memset(p, 0, sizeof(*p));
    p->time_ns = r->time_ns;
    p->operations = count_of(r, row);
    p->rate_per_s = tmk_units_per_s(p->operations, p->time_ns);
    p->foreign_share = -1.0;
    p->fastest = r->fastest;
    p->slowest = r->slowest;
    p->waiting_share = r->waiting_share;
    p->max_op.rank = -1;
    if (row == ENTRIES) {
        p->failed = r->sums[TMK_FIND_FAILED];
        p->intervals = r->intervals;
        memcpy(p->failed_by, &r->sums[TMK_FIND_ERRNO], sizeof(p->failed_by));
    } else if (row == DIRECTORIES) {
        fill_latency(p, &r->read_ns, r->longest_read);
    } else if (row == STATS) {
        fill_latency(p, &r->stat_ns, r->longest_stat);
    }
}

void tmk_find_report_write(const struct tmk_writer *writers,
                           const struct tmk_report_run *run,
                           const struct tmk_find_result *r,
                           const struct tmk_result *whole)
{
    const struct tmk_job *job = run->job;
    struct tmk_result_test *test = calloc(1, sizeof(*test));
    struct tmk_phase_result *phase = calloc(1, sizeof(*phase));

    if (test != NULL && phase != NULL) {
        *test = (struct tmk_result_test){
            .tasks = job->size,
            .nodes = (int)job->layout.map.nodes,
            .ranks_per_node = (int)job->layout.map.most_ranks,
            .iterations = 1,
            .iterations_done = 1,
            .n_rows = ROWS,
        };
        tmk_report_begin(writers, run);
        tmk_report_test_begin(writers, run, test, "");
        for (int i = 0; i < ROWS; i++) {
            test->rows[i].name = names[i];
            fill(r, (enum row)i, phase);
            phase->interrupted = whole->interrupted;
            tmk_result_row_add(&test->rows[i], phase, job->barrier_ns);
            tmk_report_phase(writers, run, test, &test->rows[i], 0, phase);
        }
        tmk_report_test_end(writers, run, test);
        tmk_report_end(writers, run, whole);
    }
    free(phase);
    free(test);
}
