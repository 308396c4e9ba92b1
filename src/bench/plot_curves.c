/*
 * plot_curves: latencies, rates over time, and bars.
 */
#include "bench/plot_curves.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_data.h"
#include "bench/plot_plan.h"

enum { AT_A_TIME = 4 }; /* points whose rates over time are shown */

/* Points that have something to show, at most as many as there are colours. */
struct picked {
    size_t point[TMK_PLOT_STYLES];
    size_t n, all;
};

typedef bool has(const struct tmk_plot_value *value);

static bool has_latency(const struct tmk_plot_value *v)
{
    return v->latency != NULL && tmk_hist_total(v->latency) != 0;
}

static bool has_runs(const struct tmk_plot_value *v)
{
    return v->n_runs != 0;
}

static bool has_rate(const struct tmk_plot_value *v)
{
    return v->rate.n != 0;
}

static bool shows(const struct tmk_plot_choice *choice, size_t point,
                  has *wanted)
{
    const struct tmk_plot_point *p = &choice->data->points[point];

    for (size_t i = 0; i < p->n; i++) {
        if (wanted(&p->list[i]) && tmk_plot_chosen(choice, p->list[i].name)) {
            return true;
        }
    }
    return false;
}

/* The n-th point that shows something. */
static size_t nth_of(const struct tmk_plot_choice *choice, has *wanted,
                     size_t n)
{
    size_t i = 0;

    for (;; i++) {
        if (shows(choice, i, wanted) && n-- == 0) {
            return i;
        }
    }
}

/* With the first and the last, of more than `most`. */
static void pick(struct picked *picked, size_t most,
                 struct tmk_plot_figure *figure,
                 const struct tmk_plot_choice *choice, has *wanted)
{
    *picked = (struct picked){0};
    for (size_t i = 0; i < choice->data->n_points; i++) {
        picked->all += shows(choice, i, wanted);
    }
    picked->n = picked->all < most ? picked->all : most;
    for (size_t i = 0; i < picked->n; i++) {
        const size_t nth =
            picked->n > 1 ? i * (picked->all - 1) / (picked->n - 1) : 0;

        picked->point[i] = nth_of(choice, wanted, nth);
    }
    if (picked->n < picked->all) {
        (void)snprintf(figure->note, sizeof(figure->note),
                       "%zu of %zu points are shown", picked->n, picked->all);
    }
}

static int add_point_series(struct tmk_plot_figure *figure,
                            const struct tmk_plot_data *data,
                            const struct picked *picked)
{
    char name[256];

    for (size_t i = 0; i < picked->n; i++) {
        tmk_plot_name_point(data, picked->point[i], name, sizeof(name));
        if (tmk_plot_add_series(figure, name) == NULL) {
            return -ENOMEM;
        }
    }
    return 0;
}

/* ---- latencies ---------------------------------------------------------- */

/*
 * The share of operations that took at most x us, as the number of nines: 90 %
 * is 1, 99 % is 2.  Steps that could not be seen are left out.
 */
static int add_latencies(struct tmk_plot_curve *curve,
                         const struct tmk_hist *hist)
{
    const double total = (double)tmk_hist_total(hist);
    const double seen = 0.01;
    double sum = 0;
    double last = -1;

    for (unsigned i = 0; i < TMK_HIST_BUCKETS; i++) {
        const double x = (double)tmk_hist_upper_ns(i) / 1000;
        double y;

        if (hist->counts[i] == 0) {
            continue;
        }
        if (sum <= 0 && tmk_plot_add_spot(curve, x > 0 ? x : 1e-3, 0) == NULL) {
            return -ENOMEM;
        }
        sum += (double)hist->counts[i];
        y = sum < total ? -log10((total - sum) / total) : log10(2 * total);
        if (y - last >= seen || sum >= total) {
            if (tmk_plot_add_spot(curve, x > 0 ? x : 1e-3, y) == NULL) {
                return -ENOMEM;
            }
            last = y;
        }
    }
    return 0;
}

/* "File" of "File creation"; the whole name if it is one word. */
static size_t first_word(const char *name)
{
    return strcspn(name, " ");
}

/* Whether another operation that is shown begins with the same word. */
static size_t count_word(const struct tmk_plot_choice *choice,
                         const struct tmk_plot_point *p, const char *name)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++) {
        n += has_latency(&p->list[i]) &&
             tmk_plot_chosen(choice, p->list[i].name) &&
             first_word(p->list[i].name) == first_word(name) &&
             strncmp(p->list[i].name, name, first_word(name)) == 0;
    }
    return n;
}

enum { TOGETHER = 5 }; /* curves of operations in one panel, at most */

/* How the operations of one point share panels. */
struct sharing {
    size_t n;
    bool words; /* a panel for each first word */
};

static struct sharing share(const struct tmk_plot_choice *choice,
                            const struct tmk_plot_point *p)
{
    struct sharing sharing = {.words = true};

    for (size_t i = 0; i < p->n; i++) {
        const char *name = p->list[i].name;

        if (has_latency(&p->list[i]) && tmk_plot_chosen(choice, name)) {
            const size_t alike = count_word(choice, p, name);

            sharing.n++;
            sharing.words = sharing.words && alike > 1 && alike <= TOGETHER &&
                            name[first_word(name)] == ' ';
        }
    }
    return sharing;
}

static int find_series(struct tmk_plot_figure *figure, const char *title,
                       size_t *series)
{
    for (size_t i = 0; i < figure->n_series; i++) {
        if (strcmp(figure->series[i].title, title) == 0) {
            *series = i;
            return 0;
        }
    }
    *series = figure->n_series;
    return tmk_plot_add_series(figure, title) != NULL ? 0 : -ENOMEM;
}

/* One point: a curve for each operation. */
static int add_operations(struct tmk_plot_figure *figure,
                          const struct tmk_plot_choice *choice,
                          const struct tmk_plot_point *p)
{
    const struct sharing sharing = share(choice, p);
    const size_t panels = (sharing.n + TOGETHER - 1) / TOGETHER;
    size_t shown = 0;
    int err = 0;

    for (size_t i = 0; i < p->n && err == 0; i++) {
        const struct tmk_plot_value *v = &p->list[i];
        const char *name = v->name;
        char title[256] = "";
        struct tmk_plot_panel *panel;
        size_t series;

        if (!has_latency(v) || !tmk_plot_chosen(choice, name)) {
            continue;
        }
        if (sharing.n > TOGETHER && sharing.words) {
            (void)snprintf(title, sizeof(title), "%.*s", (int)first_word(name),
                           name);
            name += first_word(name) + 1;
        } else if (sharing.n > TOGETHER) {
            (void)snprintf(title, sizeof(title), "%zu of %zu",
                           shown * panels / sharing.n + 1, panels);
        } else if (sharing.n == 1) {
            (void)snprintf(title, sizeof(title), "%s", name);
        }
        shown++;
        err = find_series(figure, name, &series);
        panel = err == 0 ? tmk_plot_get_panel(figure, title, false) : NULL;
        if (panel == NULL || tmk_plot_get_curve(panel, series) == NULL) {
            return -ENOMEM;
        }
        err = add_latencies(tmk_plot_get_curve(panel, series), v->latency);
    }
    return err;
}

/* A panel for each operation, and in it a curve for each point. */
static int add_curves(struct tmk_plot_figure *figure,
                      const struct tmk_plot_choice *choice,
                      const struct tmk_plot_point *p, size_t series)
{
    int err = 0;

    for (size_t i = 0; i < p->n && err == 0; i++) {
        const struct tmk_plot_value *v = &p->list[i];
        struct tmk_plot_panel *panel;
        struct tmk_plot_curve *curve;

        if (!has_latency(v) || !tmk_plot_chosen(choice, v->name)) {
            continue;
        }
        panel = tmk_plot_get_panel(figure, v->name, false);
        curve = panel != NULL ? tmk_plot_get_curve(panel, series) : NULL;
        err = curve != NULL ? add_latencies(curve, v->latency) : -ENOMEM;
    }
    return err;
}

int tmk_plot_latency(struct tmk_plot_figure *figure,
                     const struct tmk_plot_choice *choice)
{
    struct picked picked;
    int err;

    pick(&picked, TMK_PLOT_STYLES, figure, choice, has_latency);
    (void)snprintf(figure->x_label, sizeof(figure->x_label), "latency");
    if (picked.n == 1) {
        return add_operations(figure, choice,
                              &choice->data->points[picked.point[0]]);
    }
    err = add_point_series(figure, choice->data, &picked);
    for (size_t i = 0; i < picked.n && err == 0; i++) {
        err = add_curves(figure, choice, &choice->data->points[picked.point[i]],
                         i);
    }
    return err;
}

/* ---- rates over time ---------------------------------------------------- */

static int add_run(struct tmk_plot_curve *curve, const struct tmk_plot_run *run)
{
    size_t n = run->n;

    /* A few operations of a moment say nothing of a rate. */
    if (n > 1 && run->last_s < run->interval_s / 5) {
        n--;
    }
    for (size_t i = 0; i < n; i++) {
        const double from = run->interval_s * (double)i;
        const double to =
            from + (i + 1 < run->n ? run->interval_s : run->last_s);

        if (tmk_plot_add_spot(curve, from, run->rates[i]) == NULL ||
            tmk_plot_add_spot(curve, to, run->rates[i]) == NULL) {
            return -ENOMEM;
        }
    }
    return 0;
}

static int add_runs(struct tmk_plot_figure *figure,
                    const struct tmk_plot_value *v, size_t series)
{
    struct tmk_plot_panel *panel =
        tmk_plot_get_panel(figure, v->name, v->bytes);
    int err = panel != NULL ? 0 : -ENOMEM;

    for (size_t i = 0; i < v->n_runs && err == 0; i++) {
        struct tmk_plot_curve *curve = tmk_plot_add_curve(panel, series);

        err = curve != NULL ? add_run(curve, &v->runs[i]) : -ENOMEM;
    }
    return err;
}

int tmk_plot_time(struct tmk_plot_figure *figure,
                  const struct tmk_plot_choice *choice)
{
    struct picked picked;
    int err;

    pick(&picked, AT_A_TIME, figure, choice, has_runs);
    (void)snprintf(figure->x_label, sizeof(figure->x_label), "time (s)");
    err = add_point_series(figure, choice->data, &picked);
    for (size_t i = 0; i < picked.n; i++) {
        const struct tmk_plot_point *p = &choice->data->points[picked.point[i]];

        for (size_t k = 0; k < p->n && err == 0; k++) {
            if (has_runs(&p->list[k]) &&
                tmk_plot_chosen(choice, p->list[k].name)) {
                err = add_runs(figure, &p->list[k], i);
            }
        }
    }
    return err;
}

/* ---- bars --------------------------------------------------------------- */

static int add_bar(struct tmk_plot_figure *figure,
                   const struct tmk_plot_value *v, size_t series)
{
    struct tmk_plot_panel *panel = tmk_plot_get_panel(figure, "", v->bytes);
    const double around = tmk_stats_ci95(&v->rate);
    struct tmk_plot_curve *curve;
    struct tmk_plot_spot *spot;
    int64_t row;

    if (panel == NULL) {
        return -ENOMEM;
    }
    row = tmk_plot_get_row(panel, v->name);
    curve = tmk_plot_get_curve(panel, series);
    spot = row >= 0 && curve != NULL
               ? tmk_plot_add_spot(curve, v->rate.mean, (double)row)
               : NULL;
    if (spot == NULL) {
        return -ENOMEM;
    }
    spot->spoilt = v->spoilt;
    if (around > 0) {
        spot->low = v->rate.mean - around;
        spot->high = v->rate.mean + around;
    }
    return 0;
}

int tmk_plot_bars(struct tmk_plot_figure *figure,
                  const struct tmk_plot_choice *choice)
{
    struct picked picked;
    int err;

    pick(&picked, TMK_PLOT_STYLES, figure, choice, has_rate);
    err = add_point_series(figure, choice->data, &picked);
    for (size_t i = 0; i < picked.n; i++) {
        const struct tmk_plot_point *p = &choice->data->points[picked.point[i]];

        for (size_t k = 0; k < p->n && err == 0; k++) {
            if (has_rate(&p->list[k]) &&
                tmk_plot_chosen(choice, p->list[k].name)) {
                err = add_bar(figure, &p->list[k], i);
            }
        }
    }
    return err;
}
