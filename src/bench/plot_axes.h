#ifndef TMK_BENCH_PLOT_AXES_H
#define TMK_BENCH_PLOT_AXES_H

#include <stddef.h>

#include "bench/plot_data.h"

/* A tic of an axis, and the range that is shown. */
struct tmk_plot_tic {
    double at;
    char text[24];
};

enum { TMK_PLOT_TICS_MAX = 12 };

struct tmk_plot_axis {
    double low, high;
    struct tmk_plot_tic tics[TMK_PLOT_TICS_MAX];
    size_t n_tics;
};

/* What rates of a panel are divided by, and what they are then called. */
struct tmk_plot_unit {
    double factor;
    char name[16]; /* "k op/s", "GB/s" */
};

struct tmk_plot_unit tmk_plot_unit_of(const struct tmk_plot_panel *panel);

/* Of a panel; rates are in its unit. */
void tmk_plot_axes(const struct tmk_plot_figure *figure,
                   const struct tmk_plot_panel *panel, struct tmk_plot_axis *x,
                   struct tmk_plot_axis *y);

#endif
