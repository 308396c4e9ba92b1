/*
 * plot_script: a figure as a script of gnuplot.
 *
 * Texts of the user's are quoted by tmk_plot_quote(), and are not "enhanced".
 */
#include "bench/plot_script.h"

#include <math.h>
#include <string.h>

#include "bench/plot_axes.h"
#include "bench/plot_page.h"

static bool in_terminal(const struct tmk_plot_page *p)
{
    return p->sheet->format == TMK_PLOT_TERMINAL;
}

static void set_tics(const struct tmk_plot_page *p, char axis,
                     const struct tmk_plot_axis *a)
{
    fprintf(p->to, "set %ctics nomirror scale 0.6 (", axis);
    for (size_t i = 0; i < a->n_tics; i++) {
        fputs(i != 0 ? ", " : "", p->to);
        tmk_plot_quote(p->to, a->tics[i].text, sizeof(a->tics[i].text), true);
        fprintf(p->to, " %.9g", a->tics[i].at);
    }
    fputs(")\n", p->to);
}

/* The names of bars in place of numbers. */
static void set_rows(const struct tmk_plot_page *p,
                     const struct tmk_plot_panel *panel)
{
    fputs("set ytics nomirror scale 0 (", p->to);
    for (size_t i = 0; i < panel->n_rows; i++) {
        fputs(i != 0 ? ", " : "", p->to);
        tmk_plot_quote(p->to, panel->rows[i], TMK_PLOT_ROW_LETTERS, true);
        fprintf(p->to, " %zu", i);
    }
    fputs(")\n", p->to);
}

static void set_labels(struct tmk_plot_page *p, size_t nth)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];
    char rate[40];

    (void)snprintf(rate, sizeof(rate), "%s (%s)",
                   panel->bytes ? "bandwidth" : "rate",
                   tmk_plot_unit_of(panel).name);
    if (f->type == TMK_PLOT_BARS) {
        tmk_plot_page_labels(p, nth, rate, "");
        return;
    }
    tmk_plot_page_labels(
        p, nth, tmk_plot_page_is_last(p, nth) ? f->x_label : "",
        f->type == TMK_PLOT_LATENCY ? "share of operations" : rate);
}

/* In the terminal, where labels beside the axis are not to be had. */
static void set_title(const struct tmk_plot_page *p, size_t nth)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];
    const bool rates = f->type != TMK_PLOT_LATENCY;
    char title[sizeof(f->title) + 300];

    (void)snprintf(title, sizeof(title), "%s%s%s%s%s", f->title,
                   panel->title[0] != '\0' ? ": " : "", panel->title,
                   rates ? ", " : "",
                   rates ? tmk_plot_unit_of(panel).name : "");
    fputs("set title ", p->to);
    tmk_plot_quote(p->to, title, 72, false);
    fputs("\nset xlabel ", p->to);
    tmk_plot_quote(p->to, f->x_label, sizeof(f->x_label), false);
    fputc('\n', p->to);
}

static void set_axes(struct tmk_plot_page *p, size_t nth,
                     const struct tmk_plot_axis *x,
                     const struct tmk_plot_axis *y)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];

    if (in_terminal(p)) {
        set_title(p, nth);
    } else {
        const struct tmk_plot_box box = tmk_plot_page_box(p, nth);

        fprintf(p->to,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                box.left, box.right, box.top, box.bottom);
        set_labels(p, nth);
    }
    fprintf(p->to, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x->low,
            x->high, y->low, y->high);
    set_tics(p, 'x', x);
    if (f->type == TMK_PLOT_BARS) {
        set_rows(p, panel);
    } else {
        set_tics(p, 'y', y);
    }
}

/* `$c2` is curve 2 of a panel, `$e2` its error bars, `$x` what is crossed. */
static void put_curve(const struct tmk_plot_page *p,
                      const struct tmk_plot_panel *panel, size_t nth,
                      const struct tmk_plot_axis *x,
                      const struct tmk_plot_axis *y)
{
    const double factor = tmk_plot_unit_of(panel).factor;
    const struct tmk_plot_curve *c = &panel->curves[nth];
    const bool rates = p->figure->type != TMK_PLOT_LATENCY;

    fprintf(p->to, "$c%zu << EOD\n", nth);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(p->to, "%.9g %.9g\n", c->spots[i].x,
                rates ? c->spots[i].y / factor : c->spots[i].y);
    }
    fputs("EOD\n", p->to);
    fprintf(p->to, "$e%zu << EOD\n", nth);
    for (size_t i = 0; i < c->n; i++) {
        const struct tmk_plot_spot *s = &c->spots[i];

        if (s->high > 0) {
            /* Without an end where it goes below all that is shown. */
            const double low = s->low / factor;

            fprintf(p->to, "%.9g %.9g %.9g %.9g\n", s->x, s->y / factor,
                    low < y->low ? y->low / 2 : low, s->high / factor);
        }
    }
    fputs("EOD\n", p->to);
    if (c->ideal_x > 0) {
        fprintf(p->to, "$i%zu << EOD\n%.9g %.9g\n%.9g %.9g\nEOD\n", nth,
                c->ideal_x, c->ideal_y / factor, x->high,
                c->ideal_y / factor * x->high / c->ideal_x);
    }
}

static void put_crosses(const struct tmk_plot_page *p,
                        const struct tmk_plot_panel *panel)
{
    const double factor = tmk_plot_unit_of(panel).factor;

    fputs("$x << EOD\n", p->to);
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        for (size_t k = 0; k < c->n; k++) {
            if (c->spots[k].spoilt) {
                fprintf(p->to, "%.9g %.9g\n", c->spots[k].x,
                        c->spots[k].y / factor);
            }
        }
    }
    fputs("EOD\n", p->to);
}

static bool has_errors(const struct tmk_plot_curve *c)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->spots[i].high > 0) {
            return true;
        }
    }
    return false;
}

static bool has_crosses(const struct tmk_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        for (size_t k = 0; k < panel->curves[i].n; k++) {
            if (panel->curves[i].spots[k].spoilt) {
                return true;
            }
        }
    }
    return false;
}

/* The name of a series is shown in the terminal by gnuplot's own key. */
static void put_title(const struct tmk_plot_page *p, const char *title)
{
    if (in_terminal(p) && title != NULL && title[0] != '\0' &&
        tmk_plot_page_named(p->figure) != 0) {
        fputs(" title ", p->to);
        tmk_plot_quote(p->to, title, 40, false);
    } else {
        fputs(" notitle", p->to);
    }
}

static const char *colour_of(const struct tmk_plot_page *p, size_t series)
{
    return tmk_plot_colours[p->figure->series[series].colour];
}

static void put_line_style(const struct tmk_plot_page *p, size_t series)
{
    fprintf(p->to, " lw %.1f dt %s lc rgb '%s'", p->line_width,
            tmk_plot_dashes[p->figure->series[series].shape],
            colour_of(p, series));
}

static void put_point_style(const struct tmk_plot_page *p, size_t series)
{
    fprintf(p->to, " pt %d ps %.2f lc rgb '%s'",
            tmk_plot_shapes[p->figure->series[series].shape], p->point,
            colour_of(p, series));
}

/*
 * The ideal lines below all others, the points above.  Error bars are arrows
 * with flat heads: gnuplot's own are hollow around their middle in an SVG.
 */
static void plot_scaling(const struct tmk_plot_page *p,
                         const struct tmk_plot_panel *panel)
{
    const char *comma = "plot";

    for (size_t i = 0; i < panel->n_curves; i++) {
        if (panel->curves[i].ideal_x > 0) {
            fprintf(p->to,
                    "%s $i%zu using 1:2 with lines lw %.1f dt (9,6) lc rgb "
                    "'#8C8C8C'",
                    comma, i, 1.6 * p->scale);
            put_title(p, i == 0 ? "ideal" : NULL);
            comma = ",";
        }
    }
    for (size_t i = 0; i < panel->n_curves; i++) {
        const size_t series = panel->curves[i].series;

        if (!in_terminal(p)) {
            fprintf(p->to, "%s $c%zu using 1:2 with lines", comma, i);
            put_line_style(p, series);
            fputs(" notitle", p->to);
            comma = ",";
        }
        if (has_errors(&panel->curves[i]) && !in_terminal(p)) {
            fprintf(p->to,
                    "%s $e%zu using 1:3:(0):($4-$3) with vectors heads "
                    "size screen %.5f,90 lw %.1f lc rgb '%s' notitle",
                    comma, i, 5 / p->width, 1.6 * p->scale,
                    colour_of(p, series));
            comma = ",";
        }
        fprintf(p->to, "%s $c%zu using 1:2 with points", comma, i);
        put_point_style(p, series);
        put_title(p, p->figure->series[series].title);
        comma = ",";
    }
}

/* Steps; points at percentiles tell curves apart without colours. */
static void plot_latency(const struct tmk_plot_page *p,
                         const struct tmk_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        const size_t series = panel->curves[i].series;

        fprintf(p->to, "%s $c%zu using 1:2 with %s", i != 0 ? "," : "plot", i,
                in_terminal(p) ? "points" : "steps");
        if (in_terminal(p)) {
            put_point_style(p, series);
        } else {
            put_line_style(p, series);
        }
        put_title(p, p->figure->series[series].title);
    }
    for (size_t i = 0; i < panel->n_curves && !in_terminal(p); i++) {
        fprintf(p->to, ", $m%zu using 1:2 with points", i);
        put_point_style(p, panel->curves[i].series);
        fputs(" notitle", p->to);
    }
}

/* Where a curve reaches 50, 90, 99, 99.9 ... %. */
static void put_marks(const struct tmk_plot_page *p,
                      const struct tmk_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];
        double level = log10(2);

        fprintf(p->to, "$m%zu << EOD\n", i);
        for (size_t k = 0; k < c->n; k++) {
            while (c->spots[k].y >= level) {
                fprintf(p->to, "%.9g %.9g\n", c->spots[k].x, level);
                level = level < 1 ? 1 : level + 1;
            }
        }
        fputs("EOD\n", p->to);
    }
}

static void plot_time(const struct tmk_plot_page *p,
                      const struct tmk_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        const size_t series = panel->curves[i].series;
        const bool first = i == 0 || panel->curves[i - 1].series != series;

        fprintf(p->to, "%s $c%zu using 1:2 with lines", i != 0 ? "," : "plot",
                i);
        put_line_style(p, series);
        put_title(p, first ? p->figure->series[series].title : NULL);
    }
}

/* Where bar `nth` of a row is; rows go down. */
static double bar_at(const struct tmk_plot_page *p, double row, size_t series)
{
    const double each = 0.8 / (double)p->figure->n_series;

    return row - 0.4 + each * ((double)series + 0.5);
}

/* "$c": x, y, x and y from and to; the numbers are labels. */
static void put_bars(struct tmk_plot_page *p,
                     const struct tmk_plot_panel *panel,
                     const struct tmk_plot_axis *x)
{
    const double factor = tmk_plot_unit_of(panel).factor;
    const double half = 0.4 / (double)p->figure->n_series;

    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        fprintf(p->to, "$c%zu << EOD\n", i);
        for (size_t k = 0; k < c->n; k++) {
            const double at = bar_at(p, c->spots[k].y, c->series);

            fprintf(p->to, "%.9g %.9g 0 %.9g %.9g %.9g\n",
                    c->spots[k].x / factor / 2, at, c->spots[k].x / factor,
                    at - half, at + half);
        }
        fprintf(p->to, "EOD\n$e%zu << EOD\n", i);
        for (size_t k = 0; k < c->n; k++) {
            const struct tmk_plot_spot *s = &c->spots[k];

            if (s->high > 0) {
                fprintf(p->to, "%.9g %.9g %.9g %.9g\n", s->x / factor,
                        bar_at(p, s->y, c->series), fmax(s->low / factor, 0),
                        s->high / factor);
            }
        }
        fputs("EOD\n", p->to);
        for (size_t k = 0; k < c->n; k++) {
            const struct tmk_plot_spot *s = &c->spots[k];

            const double rate = s->x / factor;

            fprintf(p->to,
                    "set label %zu '%.*f%s' at first %.9g,%.9g left front "
                    "font ',%.1f'\n",
                    ++p->labels,
                    rate < 9.995   ? 2
                    : rate < 99.95 ? 1
                                   : 0,
                    rate, s->spoilt ? " x" : "",
                    fmax(s->x, s->high) / factor + x->high * 0.012,
                    bar_at(p, s->y, c->series),
                    tmk_plot_page_font(p, p->font - 2));
        }
    }
}

static void plot_bars(const struct tmk_plot_page *p,
                      const struct tmk_plot_panel *panel)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        fprintf(p->to,
                "%s $c%zu using 1:2:3:4:5:6 with boxxyerror fs solid 1 border "
                "lc rgb '#000000' lw 1 fc rgb '%s'",
                i != 0 ? "," : "plot", i,
                colour_of(p, panel->curves[i].series));
        put_title(p, p->figure->series[panel->curves[i].series].title);
    }
    for (size_t i = 0; i < panel->n_curves; i++) {
        if (has_errors(&panel->curves[i]) && !in_terminal(p)) {
            fprintf(p->to,
                    ", $e%zu using 3:2:($4-$3):(0) with vectors heads size "
                    "screen %.5f,90 lw %.1f lc rgb '#000000' notitle",
                    i, 5 / p->width, 1.6 * p->scale);
        }
    }
}

static void put_panel(struct tmk_plot_page *p, size_t nth)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];
    struct tmk_plot_axis x;
    struct tmk_plot_axis y;

    fprintf(p->to, "\n# panel %zu of %zu\n", nth + 1, f->n_panels);
    tmk_plot_axes(f, panel, &x, &y);
    set_axes(p, nth, &x, &y);
    if (f->type == TMK_PLOT_BARS) {
        put_bars(p, panel, &x);
        plot_bars(p, panel);
    } else {
        for (size_t i = 0; i < panel->n_curves; i++) {
            put_curve(p, panel, i, &x, &y);
        }
        if (f->type == TMK_PLOT_SCALING) {
            put_crosses(p, panel);
            plot_scaling(p, panel);
        } else if (f->type == TMK_PLOT_LATENCY) {
            put_marks(p, panel);
            plot_latency(p, panel);
        } else {
            plot_time(p, panel);
        }
    }
    if (f->type == TMK_PLOT_SCALING && has_crosses(panel)) {
        fprintf(p->to,
                ", $x using 1:2 with points pt 2 ps %.2f lw %.1f lc rgb "
                "'#000000' notitle",
                1.5 * p->point, 1.8 * p->scale);
    }
    fputs("\nunset label\nunset arrow\nunset object\n", p->to);
}

void tmk_plot_script(FILE *to, const struct tmk_plot_figure *figure,
                     const struct tmk_plot_sheet *sheet)
{
    struct tmk_plot_page p;

    tmk_plot_page_init(&p, to, figure, sheet);
    fputs("# made by treemark plot\nset encoding utf8\n", to);
    tmk_plot_page_begin(&p);
    fputs("set border 3 lc rgb '#606060'\n"
          "set grid lw 1 dt 1 lc rgb '#BEBEBE'\nset tics textcolor rgb "
          "'#000000'\n",
          to);
    if (figure->type == TMK_PLOT_SCALING) {
        fputs("set logscale x 2\nset logscale y 2\n", to);
    } else if (figure->type == TMK_PLOT_LATENCY) {
        fputs("set logscale x 10\n", to);
    } else if (figure->type == TMK_PLOT_BARS) {
        fputs("set grid noytics\n", to);
    }
    if (in_terminal(&p)) {
        fputs("set key tmargin\n", to);
    } else {
        fputs("unset key\nset multiplot\n", to);
        tmk_plot_page_frame(&p);
    }
    for (size_t i = 0; i < figure->n_panels; i++) {
        put_panel(&p, i);
    }
    if (!in_terminal(&p)) {
        fputs("unset multiplot\n", to);
    }
}
