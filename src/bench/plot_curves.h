#ifndef TMK_BENCH_PLOT_CURVES_H
#define TMK_BENCH_PLOT_CURVES_H

#include "bench/plot_data.h"
#include "bench/plot_plan.h"

/* The panels of a type: whatever there is, which may be nothing.  0 or -ENOMEM.
 */
int tmk_plot_latency(struct tmk_plot_figure *figure,
                     const struct tmk_plot_choice *choice);
int tmk_plot_time(struct tmk_plot_figure *figure,
                  const struct tmk_plot_choice *choice);
int tmk_plot_bars(struct tmk_plot_figure *figure,
                  const struct tmk_plot_choice *choice);

#endif
