#ifndef TMK_BENCH_PLOT_SCALING_H
#define TMK_BENCH_PLOT_SCALING_H

#include "bench/plot_data.h"
#include "bench/plot_plan.h"

/* The panels: whatever there is, which may be nothing.  0 or -ENOMEM. */
int tmk_plot_scaling(struct tmk_plot_figure *figure,
                     const struct tmk_plot_choice *choice);

#endif
