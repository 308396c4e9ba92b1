/*
 * plot_page: where everything is on a page.
 *
 * All places are worked out here, in pixels, so that the picture is the same
 * whatever gnuplot's own layout would be:
 *
 *     title, note
 *     panel   panel       one or two columns
 *     panel   panel
 *     series, series      what the curves are called
 */
#include "bench/plot_page.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito's, which the colour-blind tell apart; grey for yellow, which is
 * too pale on white. */
const char *const tmk_plot_colours[TMK_PLOT_STYLES] = {
    "#0072B2", "#D55E00", "#009E73", "#CC79A7",
    "#E69F00", "#56B4E9", "#000000", "#7F7F7F"};

/* Filled and open circle, square, triangle, diamond, ... */
const int tmk_plot_shapes[TMK_PLOT_STYLES] = {7, 5, 9, 13, 6, 4, 8, 11};

const char *const tmk_plot_dashes[TMK_PLOT_STYLES] = {
    "1",      "(10,4)", "(3,3)",          "(10,3,3,3)",
    "(16,5)", "(6,3)",  "(10,3,3,3,3,3)", "(2,5)"};

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

void tmk_plot_quote(FILE *to, const char *text, size_t most, bool format)
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

enum { KEY_LETTERS = 48 };

/* About so wide, of letters in the usual mixture. */
static double width_of(const struct tmk_plot_page *p, const char *text,
                       size_t most)
{
    const size_t n = length_of(text);

    return p->font * 0.56 * (double)(n < most ? n : most + 3);
}

/* ---- the page ----------------------------------------------------------- */

/* Series that have a name; bars of one run have none. */
size_t tmk_plot_page_named(const struct tmk_plot_figure *f)
{
    return f->n_series > 1 ||
                   (f->n_series == 1 && f->series[0].title[0] != '\0' &&
                    f->type != TMK_PLOT_LATENCY)
               ? f->n_series
               : 0;
}

enum { SAMPLE = 64, BETWEEN = 28 }; /* the line before a name; after it */

static double key_width(const struct tmk_plot_page *p, size_t series)
{
    return SAMPLE + BETWEEN +
           width_of(p, p->figure->series[series].title, KEY_LETTERS);
}

/* Series in one line of any widths, or in columns of one width. */
static void lay_out_key(struct tmk_plot_page *p)
{
    const size_t n = tmk_plot_page_named(p->figure);
    double all = 0;
    double widest = 0;

    for (size_t i = 0; i < n; i++) {
        all += key_width(p, i);
        widest = fmax(widest, key_width(p, i));
    }
    p->in_line = n;
    if (n > 0 && all > p->width - 20) {
        const double fit = floor((p->width - 20) / widest);

        const size_t lines = fit < 1 ? n : (n + (size_t)fit - 1) / (size_t)fit;

        p->in_line = (n + lines - 1) / lines;
        p->key_column = widest;
        all = widest * (double)p->in_line;
    }
    p->key_left = (p->width - all + BETWEEN) / 2;
}

static double key_height(const struct tmk_plot_page *p)
{
    return p->font * 1.6;
}

static double row_height(const struct tmk_plot_page *p)
{
    const double bars = (double)p->figure->n_series;

    return fmax(p->font * 1.9, bars * p->font * 1.15 + p->font * 0.7);
}

static double panel_height(const struct tmk_plot_page *p, size_t panel)
{
    const struct tmk_plot_figure *f = p->figure;

    if (f->type == TMK_PLOT_BARS) {
        return (double)f->panels[panel].n_rows * row_height(p) + p->font * 4.6;
    }
    return f->n_panels == 1 ? 470 : 330;
}

void tmk_plot_page_init(struct tmk_plot_page *p, FILE *to,
                        const struct tmk_plot_figure *f,
                        const struct tmk_plot_sheet *sheet)
{
    *p = (struct tmk_plot_page){.to = to, .figure = f, .sheet = sheet};

    p->columns = f->n_panels == 1 || f->type == TMK_PLOT_BARS ? 1 : 2;
    p->width = p->columns == 1 ? 840 : 1080;
    p->font = p->columns == 1 ? 19 : 21;
    p->top = p->font * (f->note[0] != '\0' ? 3.8 : 2.5);
    p->scale = p->sheet->format == TMK_PLOT_PNG ? 1.5 : 1;
    p->line_width = 2.4 * p->scale;
    /* Symbols grow with the letters in an SVG, and not in others. */
    p->point = sheet->format == TMK_PLOT_SVG ? 0.62 : 1.3 * p->scale;
    lay_out_key(p);
    for (size_t i = 0; i < tmk_plot_page_named(f); i += p->in_line) {
        p->key += key_height(p);
    }
    p->key += p->font * (p->key > 0 ? 1.2 : 0.9);
    p->height = p->top + p->key;
    for (size_t i = 0; i < f->n_panels; i += p->columns) {
        p->height += panel_height(p, i);
    }
}

/* Below the last of a column is what x is. */
bool tmk_plot_page_is_last(const struct tmk_plot_page *p, size_t panel)
{
    return panel + p->columns >= p->figure->n_panels;
}

static double across(const struct tmk_plot_page *p, double x)
{
    return x / p->width;
}

static double up(const struct tmk_plot_page *p, double y)
{
    return 1 - y / p->height;
}

/* In pixels; top counts downwards. */
static struct tmk_plot_box box_of(const struct tmk_plot_page *p, size_t panel)
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
                                                    TMK_PLOT_ROW_LETTERS));
        }
    }
    for (size_t i = p->columns; i <= panel; i += p->columns) {
        top += panel_height(p, i - p->columns);
    }
    return (struct tmk_plot_box){
        .left = width * (double)(panel % p->columns) + left,
        .right = width * (double)(panel % p->columns + 1) - p->font * 1.2,
        .top = top + p->font * (titled ? 1.7 : 0.7),
        .bottom = top + panel_height(p, panel) - p->font * 3.1,
    };
}

struct tmk_plot_box tmk_plot_page_box(const struct tmk_plot_page *p,
                                      size_t panel)
{
    const struct tmk_plot_box box = box_of(p, panel);

    return (struct tmk_plot_box){.left = across(p, box.left),
                                 .right = across(p, box.right),
                                 .top = up(p, box.top),
                                 .bottom = up(p, box.bottom)};
}

double tmk_plot_page_font(const struct tmk_plot_page *p, double pixels)
{
    switch (p->sheet->format) {
    case TMK_PLOT_PNG: return pixels * 0.75 * p->scale;
    case TMK_PLOT_PDF: return pixels * 0.56;
    default: return pixels;
    }
}

void tmk_plot_page_begin(const struct tmk_plot_page *p)
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
        fprintf(
            p->to,
            "set terminal pngcairo size %.0f,%.0f noenhanced dashlength 1.6 "
            "font 'sans-serif,%.0f' background '#FFFFFF'\n",
            p->width * p->scale, p->height * p->scale,
            tmk_plot_page_font(p, p->font));
        break;
    case TMK_PLOT_PDF:
        fprintf(p->to,
                "set terminal pdfcairo size %.2fin,%.2fin noenhanced "
                "dashlength 1.6 "
                "font 'sans-serif,%.1f' fontscale 1 background '#FFFFFF'\n",
                p->width / 96, p->height / 96, tmk_plot_page_font(p, p->font));
        break;
    default:
        fprintf(p->to, "set terminal dumb noenhanced size %u,%u%s\n",
                s->columns, s->rows, s->colours ? " ansi" : "");
        return;
    }
    if (s->output != NULL) {
        fputs("set output ", p->to);
        /* What begins with | or ~ is something else to gnuplot. */
        tmk_plot_quote(p->to, s->output, strlen(s->output), false);
        fputc('\n', p->to);
    } else {
        fprintf(p->to, "# to the standard output: gnuplot SCRIPT >x.%s\n",
                endings[s->format]);
    }
}

/* Text on the page, which begins here ("left") or has its middle here. */
static void say_at(struct tmk_plot_page *p, const char *text, size_t most,
                   double x, double y, double size, const char *how,
                   const char *colour)
{
    if (text[0] == '\0') {
        return;
    }
    fprintf(p->to, "set label %zu ", ++p->labels);
    tmk_plot_quote(p->to, text, most, false);
    fprintf(p->to, " at screen %.5f,%.5f %s front font ',%.1f' tc rgb '%s'\n",
            across(p, x), up(p, y), how, tmk_plot_page_font(p, size), colour);
}

/* The line and the point before a name of a series. */
static void draw_sample(struct tmk_plot_page *p, size_t series, double x,
                        double y)
{
    const struct tmk_plot_series *s = &p->figure->series[series];

    if (p->figure->type == TMK_PLOT_BARS) {
        fprintf(p->to,
                "set object %zu rectangle from screen %.5f,%.5f to screen "
                "%.5f,%.5f front fc rgb '%s' fs solid 1 border lc rgb "
                "'#000000'\n",
                series + 1, across(p, x), up(p, y + p->font * 0.35),
                across(p, x + SAMPLE - 12), up(p, y - p->font * 0.35),
                tmk_plot_colours[s->colour]);
        return;
    }
    fprintf(p->to,
            "set arrow %zu from screen %.5f,%.5f to screen %.5f,%.5f nohead "
            "front lw %.1f dt %s lc rgb '%s'\n",
            series + 1, across(p, x), up(p, y), across(p, x + SAMPLE - 10),
            up(p, y), p->line_width, tmk_plot_dashes[s->shape],
            tmk_plot_colours[s->colour]);
    if (p->figure->type != TMK_PLOT_TIME) {
        fprintf(p->to,
                "set label %zu '' at screen %.5f,%.5f front point pt %d "
                "ps %.2f lc rgb '%s'\n",
                ++p->labels, across(p, x + (SAMPLE - 10) / 2.0), up(p, y),
                tmk_plot_shapes[s->shape], p->point,
                tmk_plot_colours[s->colour]);
    }
}

static void draw_key(struct tmk_plot_page *p)
{
    double y = p->height - p->key + p->font * 1.3;
    double x = p->key_left;

    for (size_t i = 0; i < tmk_plot_page_named(p->figure); i++) {
        draw_sample(p, i, x, y);
        say_at(p, p->figure->series[i].title, KEY_LETTERS, x + SAMPLE, y,
               p->font, "left", "#000000");
        x += p->key_column > 0 ? p->key_column : key_width(p, i);
        if ((i + 1) % p->in_line == 0) {
            x = p->key_left;
            y += key_height(p);
        }
    }
}

/* Title and key: labels of the first panel, though far away from it. */
void tmk_plot_page_frame(struct tmk_plot_page *p)
{
    const struct tmk_plot_figure *f = p->figure;

    say_at(p, f->title, 72, p->width / 2, p->font * 1.15, p->font + 3, "center",
           "#000000");
    if (f->note[0] != '\0') {
        say_at(p, f->note, 90, p->width / 2, p->font * 2.7, p->font - 2,
               "center", "#404040");
    }
    draw_key(p);
}

void tmk_plot_page_labels(struct tmk_plot_page *p, size_t panel, const char *x,
                          const char *y)
{
    const struct tmk_plot_box box = box_of(p, panel);
    const double middle = (box.left + box.right) / 2;

    say_at(p, p->figure->panels[panel].title, 40, middle,
           box.top - p->font * 0.9, p->font, "center", "#000000");
    say_at(p, x, 60, middle, box.bottom + p->font * 2.65, p->font, "center",
           "#000000");
    say_at(p, y, 60,
           p->width / (double)p->columns * (double)(panel % p->columns) +
               p->font * 0.9,
           (box.top + box.bottom) / 2, p->font, "center rotate by 90",
           "#000000");
}
