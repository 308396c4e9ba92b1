/*
 * plot_axes: what the axes of a panel show.
 */
#include "bench/plot_axes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/plot_data.h"

/* The greatest rate: bars have it along x. */
static double greatest(const struct tmk_plot_panel *panel)
{
    double most = 0;

    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        for (size_t k = 0; k < c->n; k++) {
            const double rate =
                panel->n_rows != 0 ? c->spots[k].x : c->spots[k].y;

            most = fmax(most, fmax(rate, c->spots[k].high));
        }
    }
    return most;
}

struct tmk_plot_unit tmk_plot_unit_of(const struct tmk_plot_panel *panel)
{
    static const struct tmk_plot_unit rates[] = {
        {1, "op/s"}, {1e3, "k op/s"}, {1e6, "M op/s"}, {1e9, "G op/s"}};
    static const struct tmk_plot_unit bytes[] = {{1, "B/s"},
                                                 {1e3, "kB/s"},
                                                 {1e6, "MB/s"},
                                                 {1e9, "GB/s"},
                                                 {1e12, "TB/s"}};
    const struct tmk_plot_unit *units = panel->bytes ? bytes : rates;
    const size_t n = panel->bytes ? sizeof(bytes) / sizeof(bytes[0])
                                  : sizeof(rates) / sizeof(rates[0]);
    const double most = greatest(panel);
    size_t i = 0;

    while (i + 1 < n && most >= units[i + 1].factor * (panel->bytes ? 1 : 4)) {
        i++;
    }
    return units[i];
}

static void add_tic(struct tmk_plot_axis *axis, double at, const char *text)
{
    if (axis->n_tics < TMK_PLOT_TICS_MAX) {
        struct tmk_plot_tic *tic = &axis->tics[axis->n_tics++];

        tic->at = at;
        (void)snprintf(tic->text, sizeof(tic->text), "%s", text);
    }
}

static void add_number(struct tmk_plot_axis *axis, double at)
{
    char text[24];

    (void)snprintf(text, sizeof(text), "%.6g", at);
    add_tic(axis, at, text);
}

/* Powers of two from low to high, six of them at most. */
static void add_powers(struct tmk_plot_axis *axis)
{
    const int from = (int)ceil(log2(axis->low) - 1e-9);
    const int to = (int)floor(log2(axis->high) + 1e-9);
    const int step = (to - from) / 6 + 1;

    for (int i = from; i <= to; i += step) {
        add_number(axis, ldexp(1, i));
    }
}

/* Tics at x itself, where they have room, and are few. */
static void add_measured(struct tmk_plot_axis *axis,
                         const struct tmk_plot_panel *panel)
{
    const double apart = pow(axis->high / axis->low, 1.0 / 12);
    double x = 0;

    for (;;) {
        double next = DBL_MAX;

        for (size_t i = 0; i < panel->n_curves; i++) {
            for (size_t k = 0; k < panel->curves[i].n; k++) {
                const double at = panel->curves[i].spots[k].x;

                next = at > x * fmax(apart, 1.2) && at < next ? at : next;
            }
        }
        if (next >= DBL_MAX) {
            return;
        }
        x = next;
        add_number(axis, x);
    }
}

static void scaling_x(const struct tmk_plot_panel *panel,
                      struct tmk_plot_axis *x)
{
    size_t tics;

    x->low = DBL_MAX;
    x->high = 0;
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        x->low = fmin(x->low, c->spots[0].x);
        x->high = fmax(x->high, c->spots[c->n - 1].x);
    }
    x->low /= 1.15;
    x->high *= 1.15;
    add_measured(x, panel);
    tics = x->n_tics;
    if (tics > 8) {
        x->n_tics = 0;
        add_powers(x);
    }
}

/*
 * All points, error bars as far as they leave the points to be seen, and the
 * ideal lines as long as they are not far above.
 */
static void scaling_y(const struct tmk_plot_panel *panel, double high_x,
                      double factor, struct tmk_plot_axis *y)
{
    double ideal = 0;

    y->low = DBL_MAX;
    y->high = 0;
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        for (size_t k = 0; k < c->n; k++) {
            const struct tmk_plot_spot *s = &c->spots[k];

            y->high = fmax(y->high, fmax(s->y, s->high));
            y->low = fmin(y->low, s->y);
            if (s->high > 0) {
                y->low = fmin(y->low, fmax(s->low, s->y / 2));
            }
        }
        if (c->ideal_x > 0) {
            ideal = fmax(ideal, c->ideal_y * high_x / c->ideal_x);
        }
    }
    y->high = fmax(y->high, fmin(ideal, 4 * y->high));
    y->low /= factor * 1.25;
    y->high *= 1.25 / factor;
    add_powers(y);
    if (y->n_tics < 2) { /* a factor of less than two in all */
        y->low = exp2(floor(log2(y->low)));
        y->high = exp2(ceil(log2(y->high)));
        y->n_tics = 0;
        add_powers(y);
    }
}

/* "10 us", "1 ms", "5 s" */
static void add_time(struct tmk_plot_axis *axis, double us)
{
    char text[24];

    if (us < 0.999) {
        (void)snprintf(text, sizeof(text), "%.3g ns", us * 1e3);
    } else if (us < 999) {
        (void)snprintf(text, sizeof(text), "%.3g us", us);
    } else if (us < 999e3) {
        (void)snprintf(text, sizeof(text), "%.3g ms", us / 1e3);
    } else {
        (void)snprintf(text, sizeof(text), "%.5g s", us / 1e6);
    }
    add_tic(axis, us, text);
}

/* Each decade, or every second one; of less than two, 1, 2 and 5 of each. */
static void latency_x(struct tmk_plot_axis *x)
{
    static const double parts[] = {1, 2, 5};
    const int from = (int)floor(log10(x->low));
    const int to = (int)ceil(log10(x->high));
    const bool fine = x->high / x->low < 60;
    const int step = to - from > 5 ? 2 : 1;

    for (int i = from; i <= to; i += step) {
        for (size_t k = 0; k < (fine ? 3 : 1); k++) {
            const double at = pow(10, i) * parts[k];

            if (at >= x->low && at <= x->high) {
                add_time(x, at);
            }
        }
    }
}

static void latency_axes(const struct tmk_plot_panel *panel,
                         struct tmk_plot_axis *x, struct tmk_plot_axis *y)
{
    static const char *const names[] = {"90 %",      "99 %",     "99.9 %",
                                        "99.99 %",   "99.999 %", "99.9999 %",
                                        "99.99999 %"};

    x->low = DBL_MAX;
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        x->low = fmin(x->low, c->spots[0].x);
        x->high = fmax(x->high, c->spots[c->n - 1].x);
        y->high = fmax(y->high, c->spots[c->n - 1].y);
    }
    x->low /= 1.2;
    x->high *= 1.2;
    latency_x(x);
    y->high *= 1.02;
    if (y->high < 3) {
        add_tic(y, 0, "0 %");
    }
    add_tic(y, log10(2), "50 %");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if ((double)(i + 1) <= y->high) {
            add_tic(y, (double)(i + 1), names[i]);
        }
    }
}

/* 1, 2 or 5 times a power of ten: about `n` of them in the range. */
static void add_steps(struct tmk_plot_axis *axis, double n)
{
    const double least = axis->high / n;
    double step = pow(10, floor(log10(least)));

    if (step * 5 < least) {
        step *= 10;
    } else if (step * 2 < least) {
        step *= 5;
    } else if (step < least) {
        step *= 2;
    }
    for (int i = 0; step > 0 && i * step <= axis->high; i++) {
        add_number(axis, i * step);
    }
}

static void time_axes(const struct tmk_plot_panel *panel, double factor,
                      struct tmk_plot_axis *x, struct tmk_plot_axis *y)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        const struct tmk_plot_curve *c = &panel->curves[i];

        x->high = fmax(x->high, c->spots[c->n - 1].x);
    }
    y->high = greatest(panel) / factor * 1.08;
    y->high = y->high > 0 ? y->high : 1;
    add_steps(x, 6);
    add_steps(y, 5);
}

static void bars_axes(const struct tmk_plot_panel *panel, double factor,
                      struct tmk_plot_axis *x, struct tmk_plot_axis *y)
{
    x->high = greatest(panel) / factor;
    x->high = x->high > 0 ? x->high : 1;
    add_steps(x, 6);
    x->high *= 1.16; /* the number at the end of the longest */
    y->low = (double)panel->n_rows - 0.45;
    y->high = -0.55;
}

void tmk_plot_axes(const struct tmk_plot_figure *figure,
                   const struct tmk_plot_panel *panel, struct tmk_plot_axis *x,
                   struct tmk_plot_axis *y)
{
    const double factor = tmk_plot_unit_of(panel).factor;

    *x = (struct tmk_plot_axis){0};
    *y = (struct tmk_plot_axis){0};
    switch (figure->type) {
    case TMK_PLOT_SCALING:
        scaling_x(panel, x);
        scaling_y(panel, x->high, factor, y);
        break;
    case TMK_PLOT_LATENCY: latency_axes(panel, x, y); break;
    case TMK_PLOT_TIME: time_axes(panel, factor, x, y); break;
    default: bars_axes(panel, factor, x, y); break;
    }
}
