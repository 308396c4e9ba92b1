/*
 * mdworkbench_text: what is printed.
 */
#include "bench/mdworkbench_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/clock.h"
#include "run/report_lines.h"

/* What a line says, of all ranks or of one. */
struct counts {
    double time_s, best_s, busy_s;
    uint64_t done[TMK_MDWORKBENCH_OPS];
    uint64_t failed;
    uint64_t max_op_ns;
};

static double per_s(uint64_t n, double time_s)
{
    return time_s > 0.0 ? (double)n / time_s : 0.0;
}

void tmk_mdworkbench_text_times(const struct tmk_hist *hist, uint64_t min_ns,
                                uint64_t max_ns,
                                uint64_t times[TMK_MDWORKBENCH_TIMES])
{
    static const double percents[TMK_MDWORKBENCH_TIMES] = {
        [TMK_MDWORKBENCH_Q1] = 25.0,  [TMK_MDWORKBENCH_MEDIAN] = 50.0,
        [TMK_MDWORKBENCH_Q3] = 75.0,  [TMK_MDWORKBENCH_P90] = 90.0,
        [TMK_MDWORKBENCH_P99] = 99.0,
    };

    memset(times, 0, TMK_MDWORKBENCH_TIMES * sizeof(*times));
    if (tmk_hist_total(hist) == 0) {
        return;
    }
    for (int i = TMK_MDWORKBENCH_Q1; i < TMK_MDWORKBENCH_MAX; i++) {
        uint64_t ns = tmk_hist_percentile_ns(hist, percents[i]);

        /* A bucket ends behind its longest one. */
        times[i] = ns < max_ns ? ns : max_ns;
    }
    times[TMK_MDWORKBENCH_MIN] = min_ns;
    times[TMK_MDWORKBENCH_MAX] = max_ns;
}

static void put_date(FILE *to, time_t moment)
{
    struct tm tm;
    char text[32] = "";

    if (localtime_r(&moment, &tm) != NULL) {
        (void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
    }
    fputs(text, to);
}

/* Objects that a launch makes, and those that it works on. */
static uint64_t total(const struct tmk_mdworkbench_plan *plan)
{
    return (plan->precreates ? plan->objects : 0) +
           plan->runs * plan->conf->steps * plan->conf->sets * plan->ranks;
}

void tmk_mdworkbench_text_begin(const struct tmk_mdworkbench_text *text,
                                int argc, char *const argv[], time_t started)
{
    enum { MOST_RANKS = 256 };
    const struct tmk_mdworkbench_plan *plan = text->plan;
    const struct tmk_owner_map *map = &text->layout->map;
    FILE *to = text->out;

    fputs("Args:", to);
    for (int i = 0; i < argc; i++) {
        fprintf(to, i == 0 ? " %s" : " \"%s\"", argv[i]);
    }
    fputs("\nNodemap: ", to);
    if (map->ranks <= MOST_RANKS) {
        for (uint32_t rank = 0; rank < map->ranks; rank++) {
            fputc(map->node[rank] == map->node[0] ? '1' : '0', to);
        }
    } else {
        fprintf(to, "%" PRIu32 " ranks on %" PRIu32 " nodes", map->ranks,
                map->nodes);
    }
    fputc('\n', to);
    if (plan->conf->quiet == 0) {
        fprintf(to,
                "MD-Workbench total objects: %" PRIu64
                " workingset size: %.3f MiB (version: %s) time: ",
                total(plan), (double)plan->bytes / 1048576.0, text->banner);
        put_date(to, started);
        fputc('\n', to);
    }
    if (plan->conf->detailed_stats != 0 && plan->conf->quiet == 0) {
        fputs("phase\td create\td delete\tob create\tob read\tob stat\t"
              "ob delete\terrs\tt_inc_b\tt_no_bar\tthp\tmax_t\n",
              to);
    }
    fflush(to);
}

/*
 * A phase.
 */

static void put_detailed(const struct tmk_mdworkbench_text *text,
                         const char *name, const struct counts *c)
{
    const uint64_t *done = c->done;
    const uint64_t bytes =
        (done[TMK_MDWORKBENCH_CREATE] + done[TMK_MDWORKBENCH_READ]) *
        text->plan->conf->bytes;

    fprintf(text->out,
            "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
            "\t%" PRIu64 "\t%" PRIu64 "\t%.6fs\t%.6fs\t%.2f MiB/s\t%.4e\n",
            name, done[TMK_MDWORKBENCH_MKDIR], done[TMK_MDWORKBENCH_RMDIR],
            done[TMK_MDWORKBENCH_CREATE], done[TMK_MDWORKBENCH_READ],
            done[TMK_MDWORKBENCH_STAT], done[TMK_MDWORKBENCH_DELETE], c->failed,
            c->time_s, c->busy_s, per_s(bytes, c->time_s) / 1048576.0,
            tmk_units_seconds(c->max_op_ns));
}

/* Sets and objects with their rates, in the words of each phase. */
static void put_objects(const struct tmk_mdworkbench_text *text,
                        enum tmk_mdworkbench_kind kind, const struct counts *c)
{
    const uint64_t *done = c->done;
    const double mib =
        per_s((done[TMK_MDWORKBENCH_CREATE] + done[TMK_MDWORKBENCH_READ]) *
                  text->plan->conf->bytes,
              c->time_s) /
        1048576.0;
    FILE *to = text->out;

    switch (kind) {
    case TMK_MDWORKBENCH_PRECREATE:
        fprintf(to,
                "dsets: %" PRIu64 " objects:%" PRIu64
                " rate:%.3f dset/s rate:%.1f obj/s tp:%.1f MiB/s ",
                done[TMK_MDWORKBENCH_MKDIR], done[TMK_MDWORKBENCH_CREATE],
                per_s(done[TMK_MDWORKBENCH_MKDIR], c->time_s),
                per_s(done[TMK_MDWORKBENCH_CREATE], c->time_s), mib);
        break;
    case TMK_MDWORKBENCH_BENCHMARK:
        fprintf(to, "objects:%" PRIu64 " rate:%.1f obj/s tp:%.1f MiB/s ",
                done[TMK_MDWORKBENCH_READ],
                per_s(done[TMK_MDWORKBENCH_READ], c->time_s), mib);
        break;
    default:
        fprintf(to,
                "objects:%" PRIu64 " dsets: %" PRIu64
                " rate:%.1f obj/s rate:%.3f dset/s ",
                done[TMK_MDWORKBENCH_DELETE], done[TMK_MDWORKBENCH_RMDIR],
                per_s(done[TMK_MDWORKBENCH_DELETE], c->time_s),
                per_s(done[TMK_MDWORKBENCH_RMDIR], c->time_s));
    }
}

static uint64_t sum(const struct counts *c)
{
    uint64_t n = 0;

    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        n += c->done[op];
    }
    return n;
}

/* What comes behind the times. */
static void put_rest(const struct tmk_mdworkbench_text *text,
                     const struct tmk_mdworkbench_phase *phase,
                     const struct counts *c)
{
    FILE *to = text->out;

    fprintf(to, "rate:%.1f iops/s ", per_s(sum(c), c->time_s));
    put_objects(text, phase->kind, c);
    fprintf(to, "op-max:%.4es", tmk_units_seconds(c->max_op_ns));
    if (phase->kind == TMK_MDWORKBENCH_BENCHMARK && phase->waiting > 0.0) {
        fprintf(to, " waiting_factor:%.2f", phase->waiting);
    }
    if (c->failed != 0) {
        fprintf(to, " (%" PRIu64 " errs!!!)", c->failed);
    } else if (text->plan->conf->quiet == 0) {
        fputs(" (0 errs)", to);
    }
}

static struct counts counts_of(const struct tmk_mdworkbench_text *text,
                               const struct tmk_mdworkbench_phase *phase)
{
    struct counts c = {
        .time_s = tmk_units_seconds(phase->whole.time_ns),
        .best_s = phase->spread.min_s,
        .busy_s = phase->spread.max_s,
        .failed = phase->whole.failed,
        .max_op_ns = phase->whole.max_op_ns,
    };

    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        if (tmk_mdworkbench_has(text->plan, phase->kind,
                                (enum tmk_mdworkbench_op)op)) {
            c.done[op] = phase->parts[op].operations;
        }
    }
    return c;
}

static double us(uint64_t ns)
{
    return (double)ns / 1000.0;
}

/* The table of the calls of a phase. */
static void put_table(const struct tmk_mdworkbench_text *text,
                      const struct tmk_mdworkbench_phase *phase)
{
    bool headed = false;

    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        const struct tmk_phase_result *p = &phase->parts[op];
        uint64_t times[TMK_MDWORKBENCH_TIMES];

        if (!tmk_mdworkbench_has(text->plan, phase->kind,
                                 (enum tmk_mdworkbench_op)op) ||
            p->operations + p->failed == 0) {
            continue;
        }
        if (!headed) {
            fputs("   Call [us]        Calls         Min          Q1      "
                  "Median          Q3         p90         p99         Max\n",
                  text->out);
            headed = true;
        }
        tmk_mdworkbench_text_times(&p->latency, p->min_op_ns, p->max_op_ns,
                                   times);
        fprintf(text->out, "   %-9s %12" PRIu64, tmk_mdworkbench_op_names[op],
                p->operations + p->failed);
        for (int i = 0; i < TMK_MDWORKBENCH_TIMES; i++) {
            fprintf(text->out, " %11.2f", us(times[i]));
        }
        fputc('\n', text->out);
    }
}

/* Failures and shares, below a line, where there is something to tell. */
static void put_notes(const struct tmk_mdworkbench_text *text,
                      const struct tmk_mdworkbench_phase *phase)
{
    const struct tmk_phase_result *p = &phase->whole;

    tmk_report_lines_failed(text->out, p->operations, p->failed, p->failed_by,
                            p->missed);
    if (text->plan->conf->quiet != 0) {
        return;
    }
    if (phase->slept_share > 0.0) {
        fprintf(text->out, "      waiting (-t)       %.1f%% of the time\n",
                100.0 * phase->slept_share);
    }
    if (p->aside_share > 0.05) {
        fprintf(text->out,
                "      data and names     %.1f%% of the time, between calls\n",
                100.0 * p->aside_share);
    }
    if (p->foreign_share >= 0.0 && text->layout->map.nodes > 1) {
        fprintf(text->out, "      from other nodes   %.1f%% of the objects\n",
                100.0 * p->foreign_share);
    }
}

void tmk_mdworkbench_text_phase(const struct tmk_mdworkbench_text *text,
                                const struct tmk_mdworkbench_phase *phase)
{
    const struct tmk_mdworkbench_conf *conf = text->plan->conf;
    const struct tmk_mdworkbench_spread *s = &phase->spread;
    const char *name = tmk_mdworkbench_kind_names[phase->kind];
    const struct counts c = counts_of(text, phase);
    FILE *to = text->out;

    if (conf->detailed_stats != 0) {
        put_detailed(text, name, &c);
        put_notes(text, phase);
        fflush(to);
        return;
    }
    fprintf(to,
            "%s process max:%.4fs min:%.4fs mean: %.4fs balance:%.1f "
            "stddev:%.4f ",
            name, c.time_s, s->min_s, s->mean_s,
            s->max_s > 0.0 ? 100.0 * s->min_s / s->max_s : 100.0, s->stddev_s);
    put_rest(text, phase, &c);
    if (phase->whole.wall.on && conf->quiet == 0) {
        fprintf(to, " stonewall-iter:%" PRIu64, phase->steps);
    }
    fputc('\n', to);
    put_notes(text, phase);
    if (conf->quiet == 0) {
        put_table(text, phase);
    }
    fflush(to);
}

/*
 * --process-reports.
 */

struct report {
    struct counts counts;
    uint64_t calls[TMK_MDWORKBENCH_OPS];
    uint64_t times[TMK_MDWORKBENCH_OPS][TMK_MDWORKBENCH_TIMES];
};

static void fill_report(const struct tmk_mdworkbench_run *run,
                        const struct tmk_mdworkbench_phase *phase,
                        struct report *r)
{
    const struct tmk_phase *whole = &run->whole;

    *r = (struct report){
        .counts.time_s = tmk_units_seconds(whole->t1_ns - whole->t0_ns),
        .counts.failed = whole->failed,
        .counts.max_op_ns = whole->max_ns,
    };
    r->counts.busy_s = r->counts.time_s;
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        const struct tmk_phase *part = &run->parts[op];
        struct tmk_hist hist;

        if (!tmk_mdworkbench_has(run->plan, phase->kind,
                                 (enum tmk_mdworkbench_op)op)) {
            continue;
        }
        hist = part->latency;
        tmk_hist_record(&hist, part->took_ns); /* is one operation late */
        r->counts.done[op] = part->done;
        r->calls[op] = part->done + part->failed;
        tmk_mdworkbench_text_times(&hist, part->min_ns, part->max_ns,
                                   r->times[op]);
    }
}

static void put_report(const struct tmk_mdworkbench_text *text,
                       const struct tmk_mdworkbench_phase *phase, int rank,
                       const struct report *r)
{
    static const char *const labels[] = {"min", "q1",  "median", "q3",
                                         "p90", "p99", "max"};
    const char *name = tmk_mdworkbench_kind_names[phase->kind];
    FILE *to = text->out;

    if (text->plan->conf->detailed_stats != 0) {
        fprintf(to, "%d: ", rank);
        put_detailed(text, name, &r->counts);
        return;
    }
    fprintf(to, "%d: %s process max:%.4fs ", rank, name, r->counts.time_s);
    put_rest(text, phase, &r->counts);
    for (int op = 0; op < TMK_MDWORKBENCH_OPS; op++) {
        if (r->calls[op] == 0) {
            continue;
        }
        fprintf(to, " %s(", tmk_mdworkbench_op_names[op]);
        for (int i = 0; i < TMK_MDWORKBENCH_TIMES; i++) {
            fprintf(to, "%s%s:%.4es", i != 0 ? ", " : "", labels[i],
                    tmk_units_seconds(r->times[op][i]));
        }
        fputc(')', to);
    }
    fputc('\n', to);
}

void tmk_mdworkbench_text_reports_all(const struct tmk_mdworkbench_text *text,
                                      const struct tmk_mdworkbench_run *run,
                                      const struct tmk_mdworkbench_phase *phase)
{
    const struct tmk_job *job = run->job;
    struct report own;
    struct report *all = NULL;

    if (run->plan->conf->process_reports == 0) {
        return;
    }
    fill_report(run, phase, &own);
    if (job->rank == 0) {
        all = calloc((size_t)job->size, sizeof(*all));
    }
    if (tmk_job_agree_all(job, job->rank == 0 && all == NULL ? -1 : 0) == 0) {
        tmk_wait_gather_all(&job->wait, &own, all, (int)sizeof(own));
        for (int rank = 0; all != NULL && rank < job->size; rank++) {
            put_report(text, phase, rank, &all[rank]);
        }
    }
    free(all);
    if (job->rank == 0) {
        fflush(text->out);
    }
}

/*
 * The end.
 */

void tmk_mdworkbench_text_latency(const struct tmk_mdworkbench_text *text,
                                  const struct tmk_result_test *test)
{
    bool headed = false;

    for (size_t i = 0; i < test->n_rows; i++) {
        const struct tmk_result_row *row = &test->rows[i];

        if (row->latency == NULL || row->latency->operations == 0) {
            continue;
        }
        if (!headed) {
            fputs("\nTimes of single calls, in us:\n", text->out);
            tmk_report_lines_latency_heading(text->out, "Call");
            headed = true;
        }
        fprintf(text->out, "   %-18s", row->name);
        tmk_report_lines_latency(text->out, text->layout, row->latency);
    }
}

void tmk_mdworkbench_text_end(const struct tmk_mdworkbench_text *text)
{
    if (text->plan->conf->quiet != 0) {
        return;
    }
    fprintf(text->out, "Total runtime: %.0fs time: ",
            tmk_units_seconds(tmk_clock_ns() - text->began_ns));
    put_date(text->out, time(NULL));
    fputc('\n', text->out);
    fflush(text->out);
}
