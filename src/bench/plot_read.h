#ifndef TMK_BENCH_PLOT_READ_H
#define TMK_BENCH_PLOT_READ_H

#include <stddef.h>

#include "bench/plot_data.h"

/*
 * Add the results of a file.  0, -ENOMEM, or -EINVAL with one line in `why`: it
 * cannot be read, is cut, or holds no results of treemark.
 */
int tmk_plot_read(struct tmk_plot_data *data, const char *path, char *why,
                  size_t why_size);

#endif
