/*
 * report_lines: lines that the texts of several benchmarks have alike.
 */
#include "run/report_lines.h"

#include <inttypes.h>

#include "base/errnum.h"
#include "base/units.h"
#include "run/say.h"

static double percent(uint64_t part, uint64_t whole)
{
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

struct tmk_report_lines_usage tmk_report_lines_usage_of(uint64_t size_bytes,
                                                        uint64_t used_bytes,
                                                        uint64_t inodes,
                                                        uint64_t used_inodes)
{
    struct tmk_report_lines_usage text = {.size = ""};
    const double gib = 1024.0 * 1024.0 * 1024.0;
    const double mi = 1024.0 * 1024.0;
    double amount = (double)size_bytes / gib;
    const char *unit = "GiB";

    if (amount > 1024.0) {
        amount /= 1024.0;
        unit = "TiB";
    }
    (void)snprintf(text.size, sizeof(text.size), "%.1f %s", amount, unit);
    (void)snprintf(text.used, sizeof(text.used), "%2.1f%%",
                   percent(used_bytes, size_bytes));
    (void)snprintf(text.inodes, sizeof(text.inodes), "%.1f Mi",
                   (double)inodes / mi);
    (void)snprintf(text.used_inodes, sizeof(text.used_inodes), "%2.1f%%",
                   percent(used_inodes, inodes));
    return text;
}

void tmk_report_lines_fs(FILE *to, const struct tmk_report_lines_usage *usage)
{
    fprintf(to,
            "%-20s: %s   Used FS: %s   Inodes: %s   "
            "Used Inodes: %s\n",
            "FS", usage->size, usage->used, usage->inodes, usage->used_inodes);
}

void tmk_report_lines_failed(FILE *to, uint64_t operations, uint64_t failed,
                             const uint64_t *failed_by, uint64_t missed)
{
    const char *comma = "";

    if (failed != 0) {
        fprintf(to, "      failed             %" PRIu64 " of %" PRIu64 " (",
                failed, failed + operations);
        for (int e = 0; e < TMK_ERRNUM_SLOTS; e++) {
            char name[32];

            if (failed_by[e] != 0) {
                fprintf(to, "%s%s %" PRIu64, comma,
                        e == 0 ? "other"
                               : tmk_errnum_name(e, name, sizeof(name)),
                        failed_by[e]);
                comma = ", ";
            }
        }
        fputs(")\n", to);
    }
    if (missed != 0) {
        fprintf(to, "      not tried          %" PRIu64 " of %" PRIu64 "\n",
                missed, missed + failed + operations);
    }
}

void tmk_report_lines_latency_heading(FILE *to, const char *what)
{
    fprintf(to,
            "   %-9s                  Min        Mean         p50         "
            "p90         p99       p99.9         Max  of rank  on host\n"
            "   ---------                  ---        ----         ---         "
            "---         ---       -----         ---  -------  -------\n",
            what);
}

static double us(double ns)
{
    return ns / 1000.0;
}

/* A bucket ends behind its longest one. */
void tmk_report_lines_latency(FILE *to, const struct tmk_layout *layout,
                              const struct tmk_result_latency *latency)
{
    static const double percents[] = {50.0, 90.0, 99.0, 99.9};
    const struct tmk_result_latency *l = latency;

    fprintf(to, " %11.2f %11.2f", us((double)l->min_ns),
            us(l->sum_ns / (double)l->operations));
    for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
        uint64_t ns = tmk_hist_percentile_ns(&l->hist, percents[i]);

        fprintf(to, " %11.2f",
                us((double)(ns < l->max.time_ns ? ns : l->max.time_ns)));
    }
    fprintf(to, " %11.2f %8d  %s\n", us((double)l->max.time_ns), l->max.rank,
            tmk_layout_host_of(layout, l->max.rank));
}

void tmk_report_lines_intervals(struct tmk_job *job, const char *name,
                                const struct tmk_sample_series *series)
{
    char text[21 * TMK_SAMPLE_SLOTS + 1] = "";
    size_t used = 0;

    if (series->n == 0 || job->verbosity < 1) {
        return;
    }
    for (size_t i = 0; i < series->n; i++) {
        int n = snprintf(text + used, sizeof(text) - used, " %" PRIu64,
                         series->operations[i]);

        used += n > 0 ? (size_t)n : 0;
    }
    tmk_say_verbose(job, 1, "%-22s operations in every %g s:%s", name,
                    tmk_units_seconds(series->width_ns), text);
}

void tmk_report_lines_partial(FILE *to, const char *rounds,
                              const struct tmk_result_test *test)
{
    fprintf(to, "-- partial report: %s %d of %d, %d tasks --\n", rounds,
            test->iterations_done, test->iterations, test->tasks);
}
