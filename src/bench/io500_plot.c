/*
 * io500_plot: pictures of latencies and rates.
 */
#include "bench/io500_plot.h"

#include <math.h>

/* In pixels. */
enum {
    LABELS = 170, /* names of phases */
    ROW = 24,
    AXIS = 38, /* with its title */
    WIDE = 860,
    SMALL_WIDTH = 410,
    SMALL_HEIGHT = 190,
    LEFT = 58,
    RIGHT = 14,
    TOP = 28,
};

/* An axis has about so many marks. */
enum { MARKS = 4 };

void tmk_io500_plot_text(FILE *to, const char *text)
{
    for (const char *s = text != NULL ? text : ""; *s != '\0'; s++) {
        switch (*s) {
        case '&': (void)fputs("&amp;", to); break;
        case '<': (void)fputs("&lt;", to); break;
        case '>': (void)fputs("&gt;", to); break;
        case '"': (void)fputs("&quot;", to); break;
        case '\'': (void)fputs("&#39;", to); break;
        default:
            /* The others have no place in a page. */
            if ((unsigned char)*s >= ' ' || *s == '\n' || *s == '\t') {
                (void)fputc(*s, to);
            }
        }
    }
}

/* Three digits, but those that would be zeros. */
static int decimals(double value)
{
    if (value >= 100 || value == floor(value)) {
        return 0;
    }
    return value >= 10 ? 1 : 2;
}

void tmk_io500_plot_time(FILE *to, double ns)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "\xc2\xb5s"}, {1, "ns"}};
    size_t i = 0;

    while (i + 1 < sizeof(units) / sizeof(units[0]) && ns < units[i].ns) {
        i++;
    }
    (void)fprintf(to, "%.*f %s", decimals(ns / units[i].ns), ns / units[i].ns,
                  units[i].unit);
}

/* The step between marks of an axis up to `most`: 1, 2 or 5 times a power of
 * ten. */
static double step_of(double most)
{
    double rough = most / MARKS;
    double power = pow(10, floor(log10(rough)));

    if (rough <= power) {
        return power;
    }
    return rough <= 2 * power   ? 2 * power
           : rough <= 5 * power ? 5 * power
                                : 10 * power;
}

/*
 * Latencies.
 */

struct decades {
    double first, last; /* exponents */
};

static double x_of(const struct decades *axis, double ns)
{
    double share =
        (log10(ns > 1 ? ns : 1) - axis->first) / (axis->last - axis->first);

    return LABELS + share * (WIDE - LABELS - 2 * RIGHT);
}

static struct decades decades_of(const struct tmk_io500_plot_latency *rows,
                                 size_t n)
{
    struct decades axis = {.first = 18, .last = 0};

    for (size_t i = 0; i < n; i++) {
        double min = rows[i].min > 1 ? rows[i].min : 1;
        double max = rows[i].max > 1 ? rows[i].max : 1;

        axis.first = fmin(axis.first, floor(log10(min)));
        axis.last = fmax(axis.last, ceil(log10(max)));
    }
    if (axis.last <= axis.first) {
        axis.last = axis.first + 1;
    }
    return axis;
}

static void draw_decades(FILE *to, const struct decades *axis, int bottom)
{
    for (int e = (int)axis->first; e <= (int)axis->last; e++) {
        double x = x_of(axis, pow(10, e));

        (void)fprintf(to,
                      "<line class='grid' x1='%.1f' y1='4' x2='%.1f' "
                      "y2='%d'/><text class='mark' x='%.1f' y='%d' "
                      "text-anchor='middle'>",
                      x, x, bottom, x, bottom + 15);
        tmk_io500_plot_time(to, pow(10, e));
        (void)fputs("</text>\n", to);
    }
    (void)fprintf(to,
                  "<text class='mark' x='%d' y='%d' text-anchor='middle'>time "
                  "of an operation (logarithmic)</text>\n",
                  (LABELS + WIDE) / 2, bottom + 31);
}

static void draw_row(FILE *to, const struct decades *axis,
                     const struct tmk_io500_plot_latency *row, double y)
{
    double p50 = x_of(axis, row->p50);
    double p99 = x_of(axis, row->p99);
    double max = x_of(axis, row->max);

    (void)fprintf(to, "<g><title>");
    tmk_io500_plot_text(to, row->name);
    (void)fputs(": p50 ", to);
    tmk_io500_plot_time(to, row->p50);
    (void)fputs(", p99 ", to);
    tmk_io500_plot_time(to, row->p99);
    (void)fputs(", max ", to);
    tmk_io500_plot_time(to, row->max);
    (void)fprintf(to, "</title><text x='%d' y='%.1f' text-anchor='end'>",
                  LABELS - 10, y + 4);
    tmk_io500_plot_text(to, row->name);
    (void)fprintf(to,
                  "</text><line class='thin' x1='%.1f' y1='%.1f' x2='%.1f' "
                  "y2='%.1f'/><line class='thick' x1='%.1f' y1='%.1f' "
                  "x2='%.1f' y2='%.1f'/><circle class='dot' cx='%.1f' "
                  "cy='%.1f' r='5'/><rect class='p99' x='%.1f' y='%.1f' "
                  "width='4' height='14'/><path class='max' d='M%.1f %.1fl5 "
                  "5l-5 5l-5 -5z'/></g>\n",
                  x_of(axis, row->min), y, max, y, p50, y, p99, y, p50, y,
                  p99 - 2, y - 7, max, y - 5);
}

void tmk_io500_plot_latencies(FILE *to,
                              const struct tmk_io500_plot_latency *rows,
                              size_t n)
{
    struct decades axis = decades_of(rows, n);
    int bottom = (int)n * ROW + 8;

    (void)fprintf(to,
                  "<svg class='wide' viewBox='0 0 %d %d' role='img' "
                  "aria-label='Latencies of all phases'>\n",
                  WIDE, bottom + AXIS);
    draw_decades(to, &axis, bottom);
    for (size_t i = 0; i < n; i++) {
        draw_row(to, &axis, &rows[i], 8 + ((double)i + 0.5) * ROW);
    }
    (void)fputs("</svg>\n", to);
}

/*
 * Rates.
 */

/* How long an interval is: the last one ends with the phase. */
static double width_of(const struct tmk_io500_plot_rate *rate, size_t i)
{
    double rest = rate->time_s - (double)i * rate->width_s;

    return i + 1 == rate->n && rest < rate->width_s ? rest : rate->width_s;
}

/* A last interval that is nearly nothing says nothing. */
static size_t intervals_of(const struct tmk_io500_plot_rate *rate)
{
    size_t n = rate->n;

    if (n > 1 && width_of(rate, n - 1) < rate->width_s / 4) {
        n--;
    }
    return n;
}

struct frame {
    double x_most, y_most;
};

static double across(const struct frame *f, double s)
{
    return LEFT + s / f->x_most * (SMALL_WIDTH - LEFT - RIGHT);
}

static double up(const struct frame *f, double value)
{
    return SMALL_HEIGHT - AXIS -
           value / f->y_most * (SMALL_HEIGHT - AXIS - TOP);
}

static void draw_frame(FILE *to, const struct frame *f,
                       const struct tmk_io500_plot_rate *rate)
{
    double step = step_of(f->y_most);

    for (int i = 0; i <= (int)(f->y_most * 1.001 / step); i++) {
        double y = i * step;

        (void)fprintf(to,
                      "<line class='grid' x1='%d' y1='%.1f' x2='%d' "
                      "y2='%.1f'/><text class='mark' x='%d' y='%.1f' "
                      "text-anchor='end'>%g</text>\n",
                      LEFT, up(f, y), SMALL_WIDTH - RIGHT, up(f, y), LEFT - 6,
                      up(f, y) + 4, y);
    }
    step = step_of(f->x_most);
    for (int i = 0; i <= (int)(f->x_most * 1.001 / step); i++) {
        double x = i * step;

        (void)fprintf(to,
                      "<text class='mark' x='%.1f' y='%d' "
                      "text-anchor='middle'>%g</text>\n",
                      across(f, x), SMALL_HEIGHT - AXIS + 16, x);
    }
    (void)fprintf(to,
                  "<text class='mark' x='%d' y='%d' text-anchor='middle'>"
                  "seconds</text>\n<text x='%d' y='15'><tspan class='name'>",
                  (LEFT + SMALL_WIDTH) / 2, SMALL_HEIGHT - 6, LEFT);
    tmk_io500_plot_text(to, rate->name);
    (void)fputs("</tspan> <tspan class='mark'>", to);
    tmk_io500_plot_text(to, rate->unit);
    (void)fputs("</tspan>", to);
    (void)fputs("</text>\n", to);
}

/* Steps: a rate is that of an interval, not of a moment. */
static void draw_steps(FILE *to, const struct frame *f,
                       const struct tmk_io500_plot_rate *rate, size_t n)
{
    double end = 0;

    (void)fprintf(to, "<path class='area' d='M%.1f %.1f", across(f, 0),
                  up(f, 0));
    for (size_t i = 0; i < n; i++) {
        double width = width_of(rate, i);
        double y = up(f, width > 0 ? rate->amounts[i] / width : 0);

        end = (double)i * rate->width_s + width;
        (void)fprintf(to, "V%.1fH%.1f", y, across(f, end));
    }
    (void)fprintf(to, "V%.1fz'/>\n", up(f, 0));
    if (rate->stonewall_s > 0 && rate->stonewall_s <= end) {
        double x = across(f, rate->stonewall_s);

        (void)fprintf(to,
                      "<line class='wall' x1='%.1f' y1='%d' x2='%.1f' "
                      "y2='%d'/><text class='mark' x='%.1f' y='%d' "
                      "text-anchor='end'>time is up</text>\n",
                      x, TOP - 6, x, SMALL_HEIGHT - AXIS, x - 4, TOP);
    }
}

void tmk_io500_plot_rate(FILE *to, const struct tmk_io500_plot_rate *rate)
{
    struct frame f = {.x_most = rate->time_s, .y_most = 0};
    size_t n = intervals_of(rate);

    for (size_t i = 0; i < n; i++) {
        double width = width_of(rate, i);

        f.y_most = fmax(f.y_most, width > 0 ? rate->amounts[i] / width : 0);
    }
    if (!(f.x_most > 0)) {
        f.x_most = rate->width_s > 0 ? rate->width_s : 1;
    }
    if (!(f.y_most > 0)) {
        f.y_most = 1;
    }
    (void)fprintf(to,
                  "<svg class='small' viewBox='0 0 %d %d' role='img' "
                  "aria-label='Rate over time of ",
                  SMALL_WIDTH, SMALL_HEIGHT);
    tmk_io500_plot_text(to, rate->name);
    (void)fputs("'>\n", to);
    draw_frame(to, &f, rate);
    draw_steps(to, &f, rate, n);
    (void)fputs("</svg>\n", to);
}
