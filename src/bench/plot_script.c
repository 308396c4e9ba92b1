/*
 * plot_script: a figure as a script of gnuplot.
 *
 * All places are worked out here, in pixels, so that the picture is the same
 * whatever gnuplot's own layout would be:
 *
 *     title, note
 *     panel   panel       one or two columns
 *     panel   panel
 *     series, series      what the curves are called
 *
 * Texts of the user's are quoted by quote(), and are not "enhanced".
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot.h"

/* Okabe and Ito's, which the colour-blind tell apart; grey for yellow, which is
 * too pale on white. */
static const char *const colours[TMK_PLOT_STYLES] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7",
    "#E69F00", "#56B4E9", "#000000", "#7F7F7F"};

/* Filled and open circle, square, triangle, diamond, ... */
static const int shapes[TMK_PLOT_STYLES] = {7, 5, 9, 13, 6, 4, 8, 11};

static const char *const dashes[TMK_PLOT_STYLES] = {
    "1",      "(10,4)", "(3,3)",          "(10,3,3,3)",
    "(16,5)", "(6,3)",  "(10,3,3,3,3,3)", "(2,5)"};

/* Sizes in pixels. */
struct page {
    FILE *to;
    const struct tmk_plot_figure *figure;
    const struct tmk_plot_sheet *sheet;
    double width, height;
    double font;
    double top;     /* title and note */
    double key;     /* the series */
    double scale;   /* of what is drawn, against these sizes */
    size_t columns; /* of panels */
    size_t in_line; /* series in a line of the key */
    double key_left;
    double key_column; /* width of each series; 0 = its own */
    size_t labels;     /* numbers of labels given out */
};

struct box {
    double left, right, top, bottom; /* of the axes; top counts downwards */
};

static bool in_terminal(const struct page *p)
{
    return p->sheet->format == TMK_PLOT_TERMINAL;
}

/* ---- texts -------------------------------------------------------------- */

/* Bytes of the UTF-8 character at s; 0 if it is none that may be shown. */
static size_t valid(const char *s)
{
    const unsigned char first = (unsigned char)s[0];
    const size_t n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

    if (first < 0x20 || first == 0x7f || (first >= 0x80 && first < 0xc2) ||
        first > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n == 2 && first == 0xc2 && (unsigned char)s[1] < 0xa0 ? 0 : n;
}

/*
 * At most `most` characters between quotes.  What means something to gnuplot,
 * even there, is written as a number; the texts of tics are formats, in which
 * "%%" is a percent sign.
 */
static void quote(FILE *to, const char *text, size_t most, bool format)
{
    size_t n;

    fputc('"', to);
    for (size_t i = 0; *text != '\0'; i++, text += n != 0 ? n : 1) {
        if (i == most) {
            fputs("...", to);
            break;
        }
        n = valid(text);
        if (n == 0) {
            fputc('?', to);
        } else if (strchr("\\\"'`@{}$#", *text) != NULL) {
            fprintf(to, "\\%03o", (unsigned char)*text);
        } else {
            (void)fwrite(text, 1, n, to);
        }
        if (format && *text == '%') {
            fputc('%', to);
        }
    }
    fputc('"', to);
}

static size_t length_of(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return n;
}

enum { KEY_LETTERS = 48, ROW_LETTERS = 26 };

/* About so wide, of letters in the usual mixture. */
static double width_of(const struct page *p, const char *text, size_t most)
{
    const size_t n = length_of(text);

    return p->font * 0.56 * (double)(n < most ? n : most + 3);
}

/* ---- the page ----------------------------------------------------------- */

/* Series that have a name; bars of one run have none. */
static size_t named(const struct tmk_plot_figure *f)
{
    return f->n_series > 1 ||
                   (f->n_series == 1 && f->series[0].title[0] != '\0' &&
                    f->type != TMK_PLOT_LATENCY)
               ? f->n_series
               : 0;
}

enum { SAMPLE = 64, BETWEEN = 28 }; /* the line before a name; after it */

static double key_width(const struct page *p, size_t series)
{
    return SAMPLE + BETWEEN +
           width_of(p, p->figure->series[series].title, KEY_LETTERS);
}

/* Series in one line of any widths, or in columns of one width. */
static void lay_out_key(struct page *p)
{
    const size_t n = named(p->figure);
    double all = 0;
    double widest = 0;

    for (size_t i = 0; i < n; i++) {
        all += key_width(p, i);
        widest = fmax(widest, key_width(p, i));
    }
    p->in_line = n;
    if (all > p->width - 20) {
        const double fit = floor((p->width - 20) / widest);

        const size_t lines = fit < 1 ? n : (n + (size_t)fit - 1) / (size_t)fit;

        p->in_line = (n + lines - 1) / lines;
        p->key_column = widest;
        all = widest * (double)p->in_line;
    }
    p->key_left = (p->width - all + BETWEEN) / 2;
}

static double key_height(const struct page *p)
{
    return p->font * 1.6;
}

static double row_height(const struct page *p)
{
    const double bars = (double)p->figure->n_series;

    return fmax(p->font * 1.9, bars * p->font * 1.15 + p->font * 0.7);
}

static double panel_height(const struct page *p, size_t panel)
{
    const struct tmk_plot_figure *f = p->figure;

    if (f->type == TMK_PLOT_BARS) {
        return (double)f->panels[panel].n_rows * row_height(p) + p->font * 4.4;
    }
    return f->n_panels == 1 ? 470 : 330;
}

static void lay_out(struct page *p)
{
    const struct tmk_plot_figure *f = p->figure;

    p->columns = f->n_panels == 1 || f->type == TMK_PLOT_BARS ? 1 : 2;
    p->width = p->columns == 1 ? 840 : 1080;
    p->font = p->columns == 1 ? 19 : 21;
    p->top = p->font * (f->note[0] != '\0' ? 3.8 : 2.5);
    p->scale = p->sheet->format == TMK_PLOT_PNG ? 1.5 : 1;
    lay_out_key(p);
    for (size_t i = 0; i < named(f); i += p->in_line) {
        p->key += key_height(p);
    }
    p->key += p->font * (p->key > 0 ? 1.2 : 0.9);
    p->height = p->top + p->key;
    for (size_t i = 0; i < f->n_panels; i += p->columns) {
        p->height += panel_height(p, i);
    }
}

/* Below the last of a column is what x is. */
static bool is_last(const struct page *p, size_t panel)
{
    return panel + p->columns >= p->figure->n_panels;
}

static struct box box_of(const struct page *p, size_t panel)
{
    const struct tmk_plot_figure *f = p->figure;
    const double width = p->width / (double)p->columns;
    const bool titled = f->panels[panel].title[0] != '\0';
    double left = p->font * (f->type == TMK_PLOT_LATENCY ? 7.2 : 5.4);
    double top = p->top;

    if (f->type == TMK_PLOT_BARS) {
        for (size_t i = 0; i < f->panels[panel].n_rows; i++) {
            left =
                fmax(left, p->font * 1.2 + width_of(p, f->panels[panel].rows[i],
                                                    ROW_LETTERS));
        }
    }
    for (size_t i = p->columns; i <= panel; i += p->columns) {
        top += panel_height(p, i - p->columns);
    }
    return (struct box){
        .left = width * (double)(panel % p->columns) + left,
        .right = width * (double)(panel % p->columns + 1) - p->font * 1.2,
        .top = top + p->font * (titled ? 1.7 : 0.7),
        .bottom = top + panel_height(p, panel) - p->font * 2.9,
    };
}

static double across(const struct page *p, double x)
{
    return x / p->width;
}

static double up(const struct page *p, double y)
{
    return 1 - y / p->height;
}

static void set_terminal(const struct page *p)
{
    static const char *const endings[] = {
        [TMK_PLOT_SVG] = "svg", [TMK_PLOT_PNG] = "png", [TMK_PLOT_PDF] = "pdf"};
    const struct tmk_plot_sheet *s = p->sheet;

    switch (s->format) {
    case TMK_PLOT_SVG:
        fprintf(p->to,
                "set terminal svg size %.0f,%.0f noenhanced "
                "font 'sans-serif,%.0f' background '#FFFFFF'\n",
                p->width, p->height, p->font);
        break;
    case TMK_PLOT_PNG:
        fprintf(p->to,
                "set terminal pngcairo size %.0f,%.0f noenhanced "
                "font 'sans-serif,%.0f' background '#FFFFFF'\n",
                p->width * p->scale, p->height * p->scale,
                p->font * 0.75 * p->scale);
        break;
    case TMK_PLOT_PDF:
        fprintf(p->to,
                "set terminal pdfcairo size %.2fin,%.2fin noenhanced "
                "font 'sans-serif,%.1f' fontscale 1 background '#FFFFFF'\n",
                p->width / 96, p->height / 96, p->font * 0.75);
        break;
    default:
        fprintf(p->to, "set terminal dumb noenhanced size %u,%u%s\n",
                s->columns, s->rows, s->colours ? " ansi" : "");
        return;
    }
    if (s->output != NULL) {
        fputs("set output ", p->to);
        /* What begins with | or ~ is something else to gnuplot. */
        quote(p->to, s->output, strlen(s->output), false);
        fputc('\n', p->to);
    } else {
        fprintf(p->to, "# to the standard output: gnuplot SCRIPT >x.%s\n",
                endings[s->format]);
    }
}

static double font_of(const struct page *p, double size)
{
    return p->sheet->format == TMK_PLOT_SVG ? size : size * 0.75 * p->scale;
}

/* Text on the page, whose left end or middle is here. */
static void say_at(struct page *p, const char *text, size_t most, double x,
                   double y, double size, bool centred, const char *colour)
{
    fprintf(p->to, "set label %zu ", ++p->labels);
    quote(p->to, text, most, false);
    fprintf(p->to, " at screen %.5f,%.5f %s front font ',%.1f' tc rgb '%s'\n",
            across(p, x), up(p, y), centred ? "center" : "left",
            font_of(p, size), colour);
}

static double line_width(const struct page *p)
{
    return 2.4 * p->scale;
}

/* The line and the point before a name of a series. */
static void draw_sample(struct page *p, size_t series, double x, double y)
{
    const struct tmk_plot_series *s = &p->figure->series[series];

    if (p->figure->type == TMK_PLOT_BARS) {
        fprintf(p->to,
                "set object %zu rectangle from screen %.5f,%.5f to screen "
                "%.5f,%.5f front fc rgb '%s' fs solid 1 border lc rgb "
                "'#000000'\n",
                series + 1, across(p, x), up(p, y + p->font * 0.35),
                across(p, x + SAMPLE - 12), up(p, y - p->font * 0.35),
                colours[s->colour]);
        return;
    }
    fprintf(p->to,
            "set arrow %zu from screen %.5f,%.5f to screen %.5f,%.5f nohead "
            "front lw %.1f dt %s lc rgb '%s'\n",
            series + 1, across(p, x), up(p, y), across(p, x + SAMPLE - 10),
            up(p, y), line_width(p), dashes[s->shape], colours[s->colour]);
    if (p->figure->type != TMK_PLOT_TIME) {
        fprintf(p->to,
                "set label %zu '' at screen %.5f,%.5f front point pt %d "
                "ps %.2f lc rgb '%s'\n",
                ++p->labels, across(p, x + (SAMPLE - 10) / 2.0), up(p, y),
                shapes[s->shape], 1.3 * p->scale, colours[s->colour]);
    }
}

static void draw_key(struct page *p)
{
    double y = p->height - p->key + p->font * 1.3;
    double x = p->key_left;

    for (size_t i = 0; i < named(p->figure); i++) {
        draw_sample(p, i, x, y);
        say_at(p, p->figure->series[i].title, KEY_LETTERS, x + SAMPLE, y,
               p->font, false, "#000000");
        x += p->key_column > 0 ? p->key_column : key_width(p, i);
        if ((i + 1) % p->in_line == 0) {
            x = p->key_left;
            y += key_height(p);
        }
    }
}

/* Title and key: labels of the first panel, though far away from it. */
static void draw_frame(struct page *p)
{
    const struct tmk_plot_figure *f = p->figure;

    say_at(p, f->title, 72, p->width / 2, p->font * 1.15, p->font + 3, true,
           "#000000");
    if (f->note[0] != '\0') {
        say_at(p, f->note, 90, p->width / 2, p->font * 2.7, p->font - 2, true,
               "#404040");
    }
    draw_key(p);
}

/* ---- a panel ------------------------------------------------------------ */

static void set_tics(const struct page *p, char axis,
                     const struct tmk_plot_axis *a)
{
    fprintf(p->to, "set %ctics nomirror scale 0.6 (", axis);
    for (size_t i = 0; i < a->n_tics; i++) {
        fputs(i != 0 ? ", " : "", p->to);
        quote(p->to, a->tics[i].text, sizeof(a->tics[i].text), true);
        fprintf(p->to, " %.9g", a->tics[i].at);
    }
    fputs(")\n", p->to);
}

/* The names of bars in place of numbers. */
static void set_rows(const struct page *p, const struct tmk_plot_panel *panel)
{
    fputs("set ytics nomirror scale 0 (", p->to);
    for (size_t i = 0; i < panel->n_rows; i++) {
        fputs(i != 0 ? ", " : "", p->to);
        quote(p->to, panel->rows[i], ROW_LETTERS, true);
        fprintf(p->to, " %zu", i);
    }
    fputs(")\n", p->to);
}

static void set_labels(const struct page *p, size_t nth)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];
    const struct tmk_plot_unit unit = tmk_plot_unit_of(panel);
    const char *const what = panel->bytes ? "bandwidth" : "rate";

    if (f->type == TMK_PLOT_BARS) {
        fprintf(p->to, "set xlabel '%s (%s)' offset 0,0.2\nunset ylabel\n",
                what, unit.name);
        return;
    }
    if (is_last(p, nth) || in_terminal(p)) {
        fputs("set xlabel ", p->to);
        quote(p->to, f->x_label, sizeof(f->x_label), false);
        fputs(" offset 0,0.2\n", p->to);
    } else {
        fputs("unset xlabel\n", p->to);
    }
    if (f->type == TMK_PLOT_LATENCY) {
        fputs("set ylabel 'share of operations'", p->to);
    } else {
        fprintf(p->to, "set ylabel '%s (%s)'", what, unit.name);
    }
    fputs(" offset 0.2,0\n", p->to);
}

static void set_axes(const struct page *p, size_t nth,
                     const struct tmk_plot_axis *x,
                     const struct tmk_plot_axis *y)
{
    const struct tmk_plot_figure *f = p->figure;
    const struct tmk_plot_panel *panel = &f->panels[nth];

    fputs("set title ", p->to);
    if (in_terminal(p)) {
        const bool rates = f->type != TMK_PLOT_LATENCY;
        char title[sizeof(f->title) + 300];

        /* Labels beside the axis are not to be had there. */
        (void)snprintf(title, sizeof(title), "%s%s%s%s%s", f->title,
                       panel->title[0] != '\0' ? ": " : "", panel->title,
                       rates ? ", " : "",
                       rates ? tmk_plot_unit_of(panel).name : "");
        quote(p->to, title, 72, false);
        fputc('\n', p->to);
    } else {
        quote(p->to, panel->title, 40, false);
        fputs(" offset 0,-0.4\n", p->to);
    }
    if (!in_terminal(p)) {
        const struct box box = box_of(p, nth);

        fprintf(p->to,
                "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                across(p, box.left), across(p, box.right), up(p, box.top),
                up(p, box.bottom));
    }
    fprintf(p->to, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x->low,
            x->high, y->low, y->high);
    set_tics(p, 'x', x);
    if (f->type == TMK_PLOT_BARS) {
        set_rows(p, panel);
    } else {
        set_tics(p, 'y', y);
    }
    set_labels(p, nth);
}

/* `$c2` is curve 2 of a panel, `$e2` its error bars, `$x` what is crossed. */
static void put_curve(const struct page *p, const struct tmk_plot_panel *panel,
                      size_t nth, const struct tmk_plot_axis *x,
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

static void put_crosses(const struct page *p,
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
static void put_title(const struct page *p, const char *title)
{
    if (in_terminal(p) && title != NULL && title[0] != '\0' &&
        named(p->figure) != 0) {
        fputs(" title ", p->to);
        quote(p->to, title, 40, false);
    } else {
        fputs(" notitle", p->to);
    }
}

static const char *colour_of(const struct page *p, size_t series)
{
    return colours[p->figure->series[series].colour];
}

static void put_line_style(const struct page *p, size_t series)
{
    fprintf(p->to, " lw %.1f dt %s lc rgb '%s'", line_width(p),
            dashes[p->figure->series[series].shape], colour_of(p, series));
}

static void put_point_style(const struct page *p, size_t series)
{
    fprintf(p->to, " pt %d ps %.2f lc rgb '%s'",
            shapes[p->figure->series[series].shape], 1.3 * p->scale,
            colour_of(p, series));
}

/* The ideal lines below all others, the points above. */
static void plot_scaling(const struct page *p,
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
                    "%s $e%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.1 "
                    "lw %.1f lc rgb '%s' notitle",
                    comma, i, 1.6 * p->scale, colour_of(p, series));
            comma = ",";
        }
        fprintf(p->to, "%s $c%zu using 1:2 with points", comma, i);
        put_point_style(p, series);
        put_title(p, p->figure->series[series].title);
        comma = ",";
    }
}

/* Steps; points at percentiles tell curves apart without colours. */
static void plot_latency(const struct page *p,
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
static void put_marks(const struct page *p, const struct tmk_plot_panel *panel)
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

static void plot_time(const struct page *p, const struct tmk_plot_panel *panel)
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
static double bar_at(const struct page *p, double row, size_t series)
{
    const double each = 0.8 / (double)p->figure->n_series;

    return row - 0.4 + each * ((double)series + 0.5);
}

/* "$c": x, y, x and y from and to; the numbers are labels. */
static void put_bars(struct page *p, const struct tmk_plot_panel *panel,
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
                    bar_at(p, s->y, c->series), font_of(p, p->font - 2));
        }
    }
}

static void plot_bars(const struct page *p, const struct tmk_plot_panel *panel)
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
                    ", $e%zu using 1:2:3:4 with xerrorbars pt 7 ps 0.1 "
                    "lw %.1f lc rgb '#000000' notitle",
                    i, 1.6 * p->scale);
        }
    }
}

static void put_panel(struct page *p, size_t nth)
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
                2.0 * p->scale, 1.8 * p->scale);
    }
    fputs("\nunset label\nunset arrow\nunset object\n", p->to);
}

void tmk_plot_script(FILE *to, const struct tmk_plot_figure *figure,
                     const struct tmk_plot_sheet *sheet)
{
    struct page p = {.to = to, .figure = figure, .sheet = sheet};

    lay_out(&p);
    fputs("# made by treemark plot\nset encoding utf8\n", to);
    set_terminal(&p);
    fputs("set border 3 lc rgb '#606060'\n"
          "set grid lw 1 dt 1 lc rgb '#C8C8C8'\nset tics textcolor rgb "
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
        draw_frame(&p);
    }
    for (size_t i = 0; i < figure->n_panels; i++) {
        put_panel(&p, i);
    }
    if (!in_terminal(&p)) {
        fputs("unset multiplot\n", to);
    }
}
