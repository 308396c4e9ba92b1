#ifndef TMK_BENCH_PLOT_SCRIPT_H
#define TMK_BENCH_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/plot_data.h"

/* Where the picture goes to. */
enum tmk_plot_format {
    TMK_PLOT_SVG,
    TMK_PLOT_PNG,
    TMK_PLOT_PDF,
    TMK_PLOT_TERMINAL,
};

struct tmk_plot_sheet {
    enum tmk_plot_format format;
    const char *output;     /* the script says so; NULL = its standard output */
    unsigned columns, rows; /* TMK_PLOT_TERMINAL: of the terminal */
    bool colours;           /* likewise: it has them */
};

/* The script of gnuplot (5.0 or later), with its data inside. */
void tmk_plot_script(FILE *to, const struct tmk_plot_figure *figure,
                     const struct tmk_plot_sheet *sheet);

#endif
