#ifndef TMK_BENCH_IO500_PLOT_H
#define TMK_BENCH_IO500_PLOT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Plots as SVG inside of a page; classes are those of its style.  What they
 * tell is in positions and words: colours only help.
 */

/* Text that may hold anything, as text of a page; NULL is nothing. */
void tmk_io500_plot_text(FILE *to, const char *text);

/* "6.2 µs" */
void tmk_io500_plot_time(FILE *to, double ns);

/* Times of single operations of a phase, in ns. */
struct tmk_io500_plot_latency {
    const char *name;
    double min, p50, p99, max;
};

/* A line for each phase, over one logarithmic axis. */
void tmk_io500_plot_latencies(FILE *to,
                              const struct tmk_io500_plot_latency *rows,
                              size_t n);

/* A rate over time. */
struct tmk_io500_plot_rate {
    const char *name, *unit; /* "kIOPS" */
    double width_s;          /* of an interval */
    double time_s;           /* of the phase: the last interval may be cut */
    double stonewall_s;      /* when time was up; 0 = it was not */
    const double *amounts;   /* in each interval, in units times seconds */
    size_t n;
};

void tmk_io500_plot_rate(FILE *to, const struct tmk_io500_plot_rate *rate);

#endif
