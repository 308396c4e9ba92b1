#ifndef TMK_BENCH_PLOT_DRAW_H
#define TMK_BENCH_PLOT_DRAW_H

#include <stddef.h>

#include "bench/plot_data.h"
#include "bench/plot_script.h"

/*
 * Let gnuplot draw what the script says, to the file, which is replaced as a
 * whole, or (NULL) to the standard output.  0; -ENOENT: there is no gnuplot; or
 * -errno with one line in `why`.
 */
int tmk_plot_draw(const struct tmk_plot_figure *figure,
                  const struct tmk_plot_sheet *sheet, const char *path,
                  char *why, size_t why_size);

#endif
