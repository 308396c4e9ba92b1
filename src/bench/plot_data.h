#ifndef TMK_BENCH_PLOT_DATA_H
#define TMK_BENCH_PLOT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"
#include "base/stats.h"

/*
 * Pictures of results:
 *
 *     plot_read       JSON -> tmk_plot_data
 *     plot_plan       tmk_plot_data -> tmk_plot_figure; of which type
 *     plot_scaling    what is in its panels
 *     plot_curves     likewise, of the other types
 *     plot_axes       ranges, units and tics of a panel
 *     plot_page       where it is
 *     plot_script     tmk_plot_figure -> a script of gnuplot
 *     plot_draw       gnuplot, a child
 *
 * All but the first and the last are pure.
 */

/* The rate of one phase over time. */
struct tmk_plot_run {
    double interval_s;
    double last_s; /* how long the last interval was */
    double *rates; /* owned; operations/s or bytes/s, one per interval */
    size_t n;
};

/* One operation of one point. */
struct tmk_plot_value {
    char *name;                /* owned */
    bool bytes;                /* bytes/s, otherwise operations/s */
    bool spoilt;               /* something failed, or was interrupted */
    struct tmk_stats rate;     /* each iteration is one value */
    struct tmk_hist *latency;  /* owned; NULL = not known */
    struct tmk_plot_run *runs; /* owned; with --interval, one per iteration */
    size_t n_runs;
};

/* One test: so many ranks on so many nodes. */
struct tmk_plot_point {
    size_t source;               /* its index */
    char *vary;                  /* owned; "-w=4096"; "" = nothing varies */
    uint64_t tasks, nodes, ppn;  /* 0 = not known */
    bool grid;                   /* of nodes and ranks per node */
    struct tmk_plot_value *list; /* owned; in the order of the phases */
    size_t n;
};

/* One launch. */
struct tmk_plot_source {
    char *file;      /* owned; as it was given */
    char *label;     /* owned; "" = none */
    char *benchmark; /* owned; "mdtest" */
    char *mode;      /* owned; "weak", "strong"; "" = no study */
};

struct tmk_plot_data {
    struct tmk_plot_source *sources; /* owned */
    size_t n_sources;
    struct tmk_plot_point *points; /* owned */
    size_t n_points;
};

/* A new one at the end; borrowed, until the next is made.  NULL: no memory. */
struct tmk_plot_source *tmk_plot_add_source(struct tmk_plot_data *data,
                                            const char *file, const char *label,
                                            const char *benchmark,
                                            const char *mode);
struct tmk_plot_point *tmk_plot_add_point(struct tmk_plot_data *data,
                                          size_t source, const char *vary);
struct tmk_plot_value *tmk_plot_add_value(struct tmk_plot_point *point,
                                          const char *name);

void tmk_plot_data_fini(struct tmk_plot_data *data);

enum tmk_plot_type {
    TMK_PLOT_AUTO,
    TMK_PLOT_SCALING,
    TMK_PLOT_LATENCY,
    TMK_PLOT_TIME,
    TMK_PLOT_BARS,
};

enum {
    TMK_PLOT_STYLES = 8,     /* colours that are told apart */
    TMK_PLOT_PANELS_MAX = 16 /* in one picture */
};

/* What all panels call by one name, and draw alike. */
struct tmk_plot_series {
    char *title;   /* owned; "" = the only one, not named */
    size_t colour; /* 0 to TMK_PLOT_STYLES - 1; so are the others */
    size_t shape;  /* of points, and dashes */
};

struct tmk_plot_spot {
    double x, y;
    double low, high; /* error bar; both 0 = none */
    bool spoilt;
};

struct tmk_plot_curve {
    size_t series;               /* its index */
    struct tmk_plot_spot *spots; /* owned; by x */
    size_t n;
    double ideal_x, ideal_y; /* rates in proportion to x go through it; 0 =
                                none is drawn */
};

struct tmk_plot_panel {
    char *title; /* owned */
    bool bytes;  /* rates are bytes/s, otherwise operations/s */
    struct tmk_plot_curve *curves; /* owned; of bars, x is the rate and y the
                                      number of the row */
    size_t n_curves;
    char **rows; /* owned; bars: the operation of each row */
    size_t n_rows;
};

struct tmk_plot_figure {
    enum tmk_plot_type type;
    char title[160];
    char note[200]; /* below the title */
    char x_label[80];
    struct tmk_plot_series *series; /* owned */
    size_t n_series;
    struct tmk_plot_panel *panels; /* owned */
    size_t n_panels;
    bool spoilt; /* some spot is */
    bool errors; /* some spot has an error bar */
};

/* As above; of a curve or a panel that is there already, that one. */
struct tmk_plot_series *tmk_plot_add_series(struct tmk_plot_figure *figure,
                                            const char *title);
struct tmk_plot_panel *tmk_plot_get_panel(struct tmk_plot_figure *figure,
                                          const char *title, bool bytes);
struct tmk_plot_curve *tmk_plot_get_curve(struct tmk_plot_panel *panel,
                                          size_t series);
struct tmk_plot_curve *tmk_plot_add_curve(struct tmk_plot_panel *panel,
                                          size_t series);
struct tmk_plot_spot *tmk_plot_add_spot(struct tmk_plot_curve *curve, double x,
                                        double y);

/* The row of bars with this name, from 0; -ENOMEM. */
int64_t tmk_plot_get_row(struct tmk_plot_panel *panel, const char *name);

void tmk_plot_figure_fini(struct tmk_plot_figure *figure);

#endif
