#ifndef TMK_BENCH_PLOT_PAGE_H
#define TMK_BENCH_PLOT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/plot_data.h"
#include "bench/plot_script.h"

/* How series look: colours, numbers of points and dashes of gnuplot. */
extern const char *const tmk_plot_colours[TMK_PLOT_STYLES];
extern const int tmk_plot_shapes[TMK_PLOT_STYLES];
extern const char *const tmk_plot_dashes[TMK_PLOT_STYLES];

enum { TMK_PLOT_ROW_LETTERS = 26 }; /* of names of bars, at most */

/* Sizes in pixels. */
struct tmk_plot_page {
    FILE *to;
    const struct tmk_plot_figure *figure;
    const struct tmk_plot_sheet *sheet;
    double width, height;
    double font;
    double top; /* title and note */
    double key; /* the series */
    double line_width, point;
    double scale;   /* of what is drawn, against these sizes */
    size_t columns; /* of panels */
    size_t in_line; /* series in a line of the key */
    double key_left;
    double key_column; /* width of each series; 0 = its own */
    size_t labels;     /* numbers of labels given out */
};

/* The axes of a panel, as shares of the page; from its lower left corner. */
struct tmk_plot_box {
    double left, right, top, bottom;
};

/* Lay out the figure. */
void tmk_plot_page_init(struct tmk_plot_page *page, FILE *to,
                        const struct tmk_plot_figure *figure,
                        const struct tmk_plot_sheet *sheet);

/* What the script begins with: the terminal, its size, the file. */
void tmk_plot_page_begin(const struct tmk_plot_page *page);

/* Title, note and the names of series: labels of the first panel, though they
 * are far away from it. */
void tmk_plot_page_frame(struct tmk_plot_page *page);

struct tmk_plot_box tmk_plot_page_box(const struct tmk_plot_page *page,
                                      size_t panel);

/* The title of a panel, and what its axes are; "" = not said. */
void tmk_plot_page_labels(struct tmk_plot_page *page, size_t panel,
                          const char *x, const char *y);

/* Whether no panel is below. */
bool tmk_plot_page_is_last(const struct tmk_plot_page *page, size_t panel);

/* How many series have names to be shown; bars of one run have none. */
size_t tmk_plot_page_named(const struct tmk_plot_figure *figure);

/* A size of letters, in pixels, in what the terminal counts. */
double tmk_plot_page_font(const struct tmk_plot_page *page, double pixels);

/*
 * At most `most` characters between quotes.  What means something to gnuplot,
 * even there, is written as a number; the texts of tics are formats, in which
 * "%%" is a percent sign.
 */
void tmk_plot_quote(FILE *to, const char *text, size_t most, bool format);

#endif
