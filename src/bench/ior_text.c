/*
 * ior_text: what ior prints, at every verbosity.
 *
 *     ior_row      a phase as numbers
 *     ior_asked    options and parameters of a test
 *     ior_wide     the table at the end
 *     ior_summary  JSON and CSV
 *     ior_log      lines of higher verbosities
 */
#include "bench/ior_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/quote.h"
#include "base/units.h"
#include "bench/ior_asked.h"
#include "bench/ior_row.h"
#include "bench/ior_summary.h"
#include "bench/ior_wide.h"
#include "run/report_lines.h"

static const double mib = 1024.0 * 1024.0;
static const double mb = 1000.0 * 1000.0;

enum { WORD_SIZE = TMK_IOR_PATH_SIZE + 4 };

/*
 * Numbers and texts.
 */

char *tmk_ior_text_size(uint64_t bytes, char *buf, size_t size)
{
    static const struct {
        const char *unit;
        unsigned bits;
    } units[] = {{"TiB", 40}, {"GiB", 30}, {"MiB", 20}};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        const uint64_t unit = UINT64_C(1) << units[i].bits;

        if (bytes >= unit) {
            if (bytes % unit == 0) {
                (void)snprintf(buf, size, "%" PRIu64 " %s", bytes / unit,
                               units[i].unit);
            } else {
                (void)snprintf(buf, size, "%.2f %s",
                               (double)bytes / (double)unit, units[i].unit);
            }
            return buf;
        }
    }
    (void)snprintf(buf, size, "%" PRIu64 " bytes", bytes);
    return buf;
}

char *tmk_ior_text_number(double value, char *buf, size_t size)
{
    int decimals = 0;

    if (!isfinite(value) || value < 0.0) {
        (void)snprintf(buf, size, "-");
        return buf;
    }
    if (value < 1.0) {
        decimals = 6;
    } else if (value < 3600.0) {
        decimals = 2;
    }
    (void)snprintf(buf, size, "%.*f", decimals, value);
    return buf;
}

char *tmk_ior_text_time(time_t when, char *buf, size_t size)
{
    struct tm tm;

    if (localtime_r(&when, &tm) == NULL ||
        strftime(buf, size, "%a %b %e %T %Y", &tm) == 0) {
        (void)snprintf(buf, size, "%s", "-");
    }
    return buf;
}

char *tmk_ior_text_machine(int verbosity, char *buf, size_t size)
{
    struct utsname names;

    if (uname(&names) != 0) {
        (void)snprintf(buf, size, "%s", "-");
    } else if (verbosity >= 2) {
        (void)snprintf(buf, size, "%s %s %s %s %s", names.sysname,
                       names.nodename, names.release, names.version,
                       names.machine);
    } else {
        (void)snprintf(buf, size, "%s %s", names.sysname, names.nodename);
    }
    return buf;
}

/* A line of the head; no value can look like another line. */
static void print_line(FILE *to, const char *key, const char *value)
{
    char text[WORD_SIZE];

    tmk_quote(text, sizeof(text), value, strlen(value));
    fprintf(to, "%-20s: %s\n", key, text);
}

static void print_time(FILE *to, const char *key, time_t when)
{
    char text[64];

    print_line(to, key, tmk_ior_text_time(when, text, sizeof(text)));
}

static bool is_text(const struct tmk_ior_text *t)
{
    return t->run.format == TMK_IOR_FORMAT_TEXT;
}

/* JSON, unless memory is short. */
static bool is_json(const struct tmk_ior_text *t)
{
    return t->run.format == TMK_IOR_FORMAT_JSON && t->summary != NULL;
}

static bool is_csv(const struct tmk_ior_text *t)
{
    return t->run.format == TMK_IOR_FORMAT_CSV;
}

/*
 * The run begins.
 */

static void print_command(FILE *to, const struct tmk_ior_text_run *run)
{
    fprintf(to, "%-20s:", "Command line");
    for (int i = 0; i < run->argc; i++) {
        char word[WORD_SIZE];

        tmk_quote(word, sizeof(word), run->argv[i], strlen(run->argv[i]));
        fprintf(to, " %s", word);
    }
    fputc('\n', to);
}

void tmk_ior_text_begin(struct tmk_ior_text *t,
                        const struct tmk_ior_text_run *run)
{
    char machine[512];

    t->run = *run;
    t->wide = NULL;
    t->n_wide = 0;
    t->n_tests = 0;
    t->summary =
        run->format == TMK_IOR_FORMAT_JSON ? tmk_ior_summary_new(run) : NULL;
    if (!is_text(t)) {
        return;
    }
    fprintf(t->out, "%s: MPI Coordinated Test of Parallel I/O\n", run->banner);
    print_time(t->out, "Began", run->started);
    print_command(t->out, run);
    print_line(t->out, "Machine",
               tmk_ior_text_machine(run->verbosity, machine, sizeof(machine)));
    fflush(t->out);
}

/*
 * A test begins.
 */

static void asked_text(void *state, const char *key, const char *value)
{
    print_line(state, key, value != NULL ? value : "");
}

static void asked_integer(void *state, const char *key, int64_t value)
{
    fprintf(state, "%-20s: %" PRId64 "\n", key, value);
}

static void asked_real(void *state, const char *key, double value)
{
    fprintf(state, "%-20s: %g\n", key, value);
}

static void print_file_system(FILE *to, const struct tmk_ior_test *test)
{
    struct tmk_report_lines_usage usage;

    print_line(to, "Path", test->path);
    if (!test->usage_known) {
        fprintf(to, "%-20s: not reported (%s)\n", "FS", test->ops->name);
        return;
    }
    usage = tmk_report_lines_usage_of(
        test->usage.size_bytes, test->usage.used_bytes, test->usage.inodes,
        test->usage.inodes - test->usage.free_inodes);
    tmk_report_lines_fs(to, &usage);
}

/* What makes the same data and offsets again. */
static void print_seeds(FILE *to, const struct tmk_ior_test *test)
{
    if (test->data_seed_chosen) {
        fprintf(to, "%-20s: %" PRId64 "%s\n", "data seed (-G)", test->data_seed,
                test->plan->conf->repetitions > 1
                    ? ", one more in each repetition"
                    : "");
    }
    if (test->offset_seed_chosen) {
        fprintf(to, "%-20s: %" PRId64 "\n", "random-offset-seed",
                test->offset_seed);
    }
}

static void print_heading(FILE *to)
{
    fputs("\nResults: \n\n"
          "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  "
          "open(s)    wr/rd(s)   close(s)   total(s)   iter\n"
          "------    ---------  ----       ----------  ---------- ---------  "
          "--------   --------   --------   --------   ----\n",
          to);
}

static void print_test(struct tmk_ior_text *t, const struct tmk_ior_test *test)
{
    const struct tmk_ior_asked to = {
        .state = t->out,
        .text = asked_text,
        .integer = asked_integer,
        .real = asked_real,
    };

    fprintf(t->out, "%s%-20s: %d\n", t->n_tests != 0 ? "\n" : "", "TestID",
            test->id);
    print_time(t->out, "StartTime", test->started);
    print_file_system(t->out, test);
    if (test->plan->conf->verbose >= 3) {
        fputs("\nParameters: \n", t->out);
        tmk_ior_asked_parameters(&to, test);
    }
    fputs("\nOptions: \n", t->out);
    tmk_ior_asked_options(&to, test);
    print_seeds(t->out, test);
    print_heading(t->out);
}

void tmk_ior_text_test_begin(struct tmk_ior_text *t,
                             const struct tmk_ior_test *test)
{
    if (is_text(t)) {
        print_test(t, test);
    } else if (is_json(t)) {
        tmk_ior_summary_test_begin(t->summary, test);
    } else if (is_csv(t)) {
        tmk_ior_summary_csv_heading(t->out);
    }
    t->n_tests++;
    fflush(t->out);
}

/*
 * A phase.
 */

static void add_sum(struct tmk_ior_sum *sum, const struct tmk_ior_plan *plan,
                    const struct tmk_ior_phase *phase, uint64_t bytes)
{
    const double total_s = tmk_units_seconds(phase->total_ns);

    if (phase->total_ns != 0) {
        tmk_stats_add(&sum->bytes_per_s, (double)bytes / total_s);
        if (plan->transfer_bytes != 0) {
            tmk_stats_add(&sum->ops_per_s, (double)bytes /
                                               (double)plan->transfer_bytes /
                                               total_s);
        }
        tmk_stats_add(&sum->total_s, total_s);
        sum->max_bytes_per_s = sum->bytes_per_s.max;
    }
    if (phase->repetition == 0) {
        sum->first_bytes = bytes;
    }
    if (plan->conf->wear_out && phase->result != NULL &&
        phase->result->wall.on) {
        sum->wall_s += tmk_units_seconds(phase->wall_ns);
        sum->wall_bytes += (double)phase->wall_avg_bytes;
        sum->walls++;
    }
}

void tmk_ior_text_add(struct tmk_ior_test *test,
                      const struct tmk_ior_phase *phase)
{
    struct tmk_ior_sum *sums = test->sums;

    switch (phase->access) {
    case TMK_IOR_WRITE:
    case TMK_IOR_READ:
        if (phase->pass == 0) {
            add_sum(&sums[phase->access], test->plan, phase,
                    phase->moved_bytes);
        }
        break;
    case TMK_IOR_MIX:
        add_sum(&sums[TMK_IOR_WRITE], test->plan, phase,
                phase->moved_bytes - phase->read_bytes);
        add_sum(&sums[TMK_IOR_READ], test->plan, phase, phase->read_bytes);
        add_sum(&sums[TMK_IOR_MIX], test->plan, phase, phase->moved_bytes);
        break;
    case TMK_IOR_REMOVE: break;
    }
}

/* More than the sizes says how much is moved. */
static bool is_bounded(const struct tmk_ior_conf *conf,
                       const struct tmk_ior_phase *phase)
{
    return conf->deadline_ns != 0 || conf->wear_out_iterations != 0 ||
           conf->status_file != NULL || conf->min_time_ns != 0 ||
           (phase->result != NULL && phase->result->interrupted != 0);
}

static bool is_walled(const struct tmk_ior_phase *phase)
{
    return phase->result != NULL && phase->result->wall.hit;
}

/* Where the plan, the file and what was moved differ. */
static void print_mismatch(FILE *to, const struct tmk_ior_plan *plan,
                           const struct tmk_ior_phase *phase)
{
    /* What was read, but is wrong, was moved all the same. */
    const uint64_t moved_bytes =
        phase->moved_bytes + phase->errors * plan->transfer_bytes;
    const bool stat_differs = phase->access != TMK_IOR_MIX &&
                              phase->stat_known &&
                              phase->stat_bytes != moved_bytes;
    const char *kind = is_bounded(plan->conf, phase) ? "INFO" : "WARNING";

    if (plan->total_bytes == moved_bytes && !stat_differs) {
        return;
    }
    fprintf(to, "%s: Expected aggregate file size       = %" PRIu64 "\n", kind,
            plan->total_bytes);
    if (phase->access != TMK_IOR_MIX && phase->stat_known) {
        fprintf(to, "%s: Stat() of aggregate file size      = %" PRIu64 "\n",
                kind, phase->stat_bytes);
    }
    fprintf(to, "%s: Using actual aggregate bytes moved = %" PRIu64 "\n", kind,
            phase->moved_bytes);
    if (plan->conf->deadline_ns != 0 && (phase->limited || is_walled(phase))) {
        fprintf(to, "%s: Maybe caused by deadlineForStonewalling\n", kind);
    }
}

static void print_wall(FILE *to, const struct tmk_ior_phase *phase)
{
    const double gib = 1024.0 * mib;

    fprintf(to,
            "stonewalling pairs accessed min: %" PRIu64 " max: %" PRIu64
            " -- min data: %.1f GiB mean data: %.1f GiB time: %.1fs\n",
            phase->result->wall.min, phase->result->wall.max,
            (double)phase->wall_min_bytes / gib,
            (double)phase->wall_avg_bytes / gib,
            tmk_units_seconds(phase->wall_ns));
}

/* A column; "-" stands in the middle of it. */
static void print_number(FILE *to, double value, const char *space)
{
    char text[32];

    tmk_ior_text_number(value, text, sizeof(text));
    fprintf(to, "%-10s%s", text[0] == '-' ? "   -" : text, space);
}

static void print_row(FILE *to, const struct tmk_ior_row *row)
{
    fprintf(to, "%-10s", row->access);
    print_number(to, row->mib_per_s, " ");
    print_number(to, row->iops, " ");
    print_number(to, row->latency_s, "  ");
    print_number(to, row->block_kib, " ");
    print_number(to, row->transfer_kib, " ");
    print_number(to, row->open_s, " ");
    print_number(to, row->transfer_s, " ");
    print_number(to, row->close_s, " ");
    print_number(to, row->total_s, " ");
    fprintf(to, "%-4d", row->repetition);
    if (row->pass != 0) {
        fprintf(to, " pass %d", row->pass + 1);
    }
    fputs(row->mixed ? " mixed\n" : "\n", to);
}

/* What only we tell. */
static void print_below(FILE *to, const struct tmk_ior_phase *phase)
{
    const struct tmk_phase_result *result = phase->result;

    if (result != NULL) {
        tmk_report_lines_failed(to, result->operations, result->failed,
                                result->failed_by, result->missed);
    }
    if (phase->access != TMK_IOR_REMOVE && phase->cached_share >= 0.0) {
        fprintf(to, "      in memory before   %.1f%%\n",
                100.0 * phase->cached_share);
    }
}

void tmk_ior_text_phase(struct tmk_ior_text *t, const struct tmk_ior_test *test,
                        const struct tmk_ior_phase *phase)
{
    const struct tmk_ior_conf *conf = test->plan->conf;
    struct tmk_ior_row rows[TMK_IOR_ROW_MAX];
    size_t n = tmk_ior_row_make(rows, test, phase);

    if (phase->access == TMK_IOR_REMOVE && conf->verbose == 0) {
        n = 0;
    }
    if (phase->access != TMK_IOR_REMOVE) {
        if (conf->wear_out && phase->result != NULL && phase->result->wall.on) {
            print_wall(t->log, phase);
        }
        print_mismatch(t->log, test->plan, phase);
        fflush(t->log);
    }
    for (size_t i = 0; i < n; i++) {
        if (is_text(t)) {
            print_row(t->out, &rows[i]);
        } else if (is_json(t)) {
            tmk_ior_summary_row(t->summary, &rows[i]);
        } else if (is_csv(t) && phase->access != TMK_IOR_REMOVE) {
            tmk_ior_summary_csv(t->out, &rows[i], test->plan->tasks);
        }
    }
    if (is_text(t)) {
        print_below(t->out, phase);
    }
    fflush(t->out);
}

void tmk_ior_text_latency(struct tmk_ior_text *t,
                          const struct tmk_ior_test *test,
                          const struct tmk_layout *layout,
                          const struct tmk_ior_text_latency *lines, size_t n)
{
    if (!is_text(t)) {
        return;
    }
    fprintf(t->out, "\nLATENCY (in us per transfer): (of %d repetitions)\n",
            test->plan->conf->repetitions);
    tmk_report_lines_latency_heading(t->out, "Transfers");
    for (size_t i = 0; i < n; i++) {
        const struct tmk_result_latency *latency = lines[i].latency;

        if (latency->operations != 0) {
            /* To a parser, a row would begin with the name. */
            fprintf(t->out, "   of %-15s", lines[i].name);
            tmk_report_lines_latency(t->out, layout, latency);
        }
    }
    fputc('\n', t->out);
    fflush(t->out);
}

/*
 * Ends.
 */

static void print_max(FILE *to, const char *what, const struct tmk_stats *stats)
{
    if (stats->n != 0) {
        fprintf(to, "%s %.2f MiB/sec (%.2f MB/sec)\n", what, stats->max / mib,
                stats->max / mb);
    }
}

/* Lines for the end of the run; they are lost where memory is short. */
static void keep_wide(struct tmk_ior_text *t, const struct tmk_ior_wide *lines,
                      size_t n)
{
    struct tmk_ior_wide *more =
        realloc(t->wide, (t->n_wide + n) * sizeof(*more));

    if (more != NULL) {
        memcpy(more + t->n_wide, lines, n * sizeof(*lines));
        t->wide = more;
        t->n_wide += n;
    }
}

void tmk_ior_text_test_end(struct tmk_ior_text *t,
                           const struct tmk_ior_test *test)
{
    struct tmk_ior_wide lines[TMK_IOR_WIDE_MAX];
    const size_t n = tmk_ior_wide_make(lines, test);

    if (is_json(t)) {
        tmk_ior_summary_test_end(t->summary, test);
    }
    if (!is_text(t)) {
        return;
    }
    print_max(t->out, "Max Write:", &test->sums[TMK_IOR_WRITE].bytes_per_s);
    print_max(t->out, "Max Read: ", &test->sums[TMK_IOR_READ].bytes_per_s);
    print_max(t->out, "Max Mixed:", &test->sums[TMK_IOR_MIX].bytes_per_s);
    if (n != 0) {
        keep_wide(t, lines, n);
    }
    if (n != 0 && test->plan->conf->summary_always) {
        fputc('\n', t->out);
        tmk_ior_wide_print(lines, n, t->out);
    }
    fflush(t->out);
}

void tmk_ior_text_end(struct tmk_ior_text *t)
{
    if (is_text(t)) {
        if (t->run.summary_at_end || t->run.verbosity >= 1) {
            fputc('\n', t->out);
            tmk_ior_wide_print(t->wide, t->n_wide, t->out);
        }
        print_time(t->out, "Finished", time(NULL));
    }
    if (t->run.format == TMK_IOR_FORMAT_JSON) {
        int err = t->summary != NULL ? tmk_ior_summary_write(t->summary, t->out)
                                     : -ENOMEM;

        if (err != 0) {
            fprintf(t->log, "ERROR: summaryFormat=JSON: %s\n", strerror(-err));
        }
    }
    fflush(t->out);
    tmk_ior_summary_free(t->summary);
    t->summary = NULL;
    free(t->wide);
    t->wide = NULL;
    t->n_wide = 0;
}
