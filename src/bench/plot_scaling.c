/*
 * plot_scaling: rates by ranks or nodes; a panel for each operation.
 *
 * Points that belong to one study, or single runs that together make one, are a
 * group.  A grid has a curve for each number of ranks per node, a path only
 * one.
 */
#include "bench/plot_scaling.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_data.h"
#include "bench/plot_plan.h"

enum { IDEALS_MAX = 4 }; /* in one panel: more are only in the way */

struct scaling {
    struct tmk_plot_figure *figure;
    const struct tmk_plot_choice *choice;
    const struct tmk_plot_data *data;
    size_t *group; /* of each source: the first source of it */
    bool *grid;    /* of each group */
    bool by_nodes; /* x is nodes, otherwise ranks */
    bool split;    /* a panel for each value of --vary */
};

static size_t group_of(const struct scaling *s, size_t point)
{
    return s->group[s->data->points[point].source];
}

static bool is_single(const struct tmk_plot_data *d, size_t source)
{
    uint64_t tasks = 0;

    for (size_t i = 0; i < d->n_points; i++) {
        if (d->points[i].source == source) {
            if (tasks != 0 && d->points[i].tasks != tasks) {
                return false;
            }
            tasks = d->points[i].tasks;
        }
    }
    return true;
}

/*
 * Whether labels name groups: some single runs have the same one, and not all
 * of them.
 */
static bool labels_name(const struct tmk_plot_data *d)
{
    size_t singles = 0;
    size_t labels = 0;

    for (size_t i = 0; i < d->n_sources; i++) {
        bool first = true;

        if (!is_single(d, i)) {
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            first = first &&
                    (!is_single(d, k) ||
                     strcmp(d->sources[k].label, d->sources[i].label) != 0);
        }
        singles++;
        labels += first;
    }
    return labels > 1 && labels < singles;
}

static void find_groups(struct scaling *s)
{
    const struct tmk_plot_data *d = s->data;
    const bool labels = labels_name(d);

    for (size_t i = 0; i < d->n_sources; i++) {
        s->group[i] = i;
        for (size_t k = 0; k < i && is_single(d, i); k++) {
            if (is_single(d, k) &&
                strcmp(d->sources[k].benchmark, d->sources[i].benchmark) == 0 &&
                (!labels ||
                 strcmp(d->sources[k].label, d->sources[i].label) == 0)) {
                s->group[i] = k;
                break;
            }
        }
    }
}

/* How many numbers of ranks per node a group has. */
static size_t count_ppn(const struct scaling *s, size_t group, size_t *points)
{
    const struct tmk_plot_data *d = s->data;
    size_t n = 0;

    *points = 0;
    for (size_t i = 0; i < d->n_points; i++) {
        bool first = group_of(s, i) == group;

        *points += first;
        for (size_t k = 0; k < i && first; k++) {
            first =
                group_of(s, k) != group || d->points[k].ppn != d->points[i].ppn;
        }
        n += first;
    }
    return n;
}

/* Nodes and ranks per node both change, each for itself. */
static bool is_grid(const struct scaling *s, size_t group)
{
    const struct tmk_plot_data *d = s->data;
    bool alike = false; /* other nodes, the same ranks on each */
    bool said = true;
    size_t points;
    const size_t ppn = count_ppn(s, group, &points);

    for (size_t i = 0; i < d->n_points; i++) {
        if (group_of(s, i) != group) {
            continue;
        }
        if (d->points[i].nodes == 0 || d->points[i].ppn == 0) {
            return false;
        }
        said = said && d->points[i].grid;
        for (size_t k = 0; k < i; k++) {
            alike = alike || (group_of(s, k) == group &&
                              d->points[k].ppn == d->points[i].ppn &&
                              d->points[k].nodes != d->points[i].nodes);
        }
    }
    return alike && ppn > 1 &&
           (said || (is_single(d, group) && 2 * ppn <= points));
}

/* The ranks per node never change: nodes say more. */
static bool only_nodes(const struct tmk_plot_data *d)
{
    bool change = false;

    for (size_t i = 0; i < d->n_points; i++) {
        const struct tmk_plot_point *p = &d->points[i];

        if (p->nodes == 0 || p->ppn != d->points[0].ppn ||
            p->tasks != p->nodes * p->ppn) {
            return false;
        }
        change = change || p->nodes != d->points[0].nodes;
    }
    return change;
}

/* Whether two points are on one curve. */
static bool same_curve(const struct scaling *s, size_t a, size_t b)
{
    const struct tmk_plot_point *p = &s->data->points[a];
    const struct tmk_plot_point *q = &s->data->points[b];

    return group_of(s, a) == group_of(s, b) &&
           (s->split || strcmp(p->vary, q->vary) == 0) &&
           (!s->grid[group_of(s, a)] || p->ppn == q->ppn);
}

/* Whether one ideal line does for both. */
static bool same_study(const struct scaling *s, size_t a, size_t b)
{
    return group_of(s, a) == group_of(s, b) &&
           strcmp(s->data->points[a].vary, s->data->points[b].vary) == 0;
}

static void name_series(const struct scaling *s, size_t point, char *buf,
                        size_t size)
{
    const struct tmk_plot_point *p = &s->data->points[point];
    const char *comma = "";
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < s->data->n_sources; i++) {
        if (s->group[i] != s->group[0]) {
            tmk_plot_name_source(s->data, p->source, buf, size);
            comma = ", ";
            break;
        }
    }
    used = strlen(buf);
    if (!s->split && tmk_plot_varies(s->data) && p->vary[0] != '\0') {
        (void)snprintf(buf + used, size - used, "%s%s", comma, p->vary);
        comma = ", ";
        used = strlen(buf);
    }
    if (s->grid[group_of(s, point)]) {
        (void)snprintf(buf + used, size - used, "%s%" PRIu64 " per node", comma,
                       p->ppn);
    }
}

/* The series of each point. */
static int find_series(struct scaling *s, size_t *series)
{
    const struct tmk_plot_data *d = s->data;
    char name[256];

    for (size_t i = 0; i < d->n_points; i++) {
        size_t k = 0;

        while (k < i && !same_curve(s, k, i)) {
            k++;
        }
        if (k < i) {
            series[i] = series[k];
            continue;
        }
        series[i] = s->figure->n_series;
        name_series(s, i, name, sizeof(name));
        if (tmk_plot_add_series(s->figure, name) == NULL) {
            return -ENOMEM;
        }
    }
    return 0;
}

static double x_of(const struct scaling *s, size_t point)
{
    return (double)(s->by_nodes ? s->data->points[point].nodes
                                : s->data->points[point].tasks);
}

static const struct tmk_plot_value *value_of(const struct tmk_plot_point *p,
                                             const char *name, bool bytes)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->list[i].bytes == bytes && strcmp(p->list[i].name, name) == 0 &&
            p->list[i].rate.n != 0 && p->list[i].rate.mean > 0) {
            return &p->list[i];
        }
    }
    return NULL;
}

/* The place of x among the spots; a new one if there is none. */
static struct tmk_plot_spot *spot_at(struct tmk_plot_curve *curve, double x)
{
    size_t at = 0;

    if (tmk_plot_add_spot(curve, x, 0) == NULL) {
        return NULL;
    }
    while (curve->spots[at].x < x) {
        at++;
    }
    memmove(&curve->spots[at + 1], &curve->spots[at],
            (curve->n - 1 - at) * sizeof(*curve->spots));
    curve->spots[at] = (struct tmk_plot_spot){.x = x};
    return &curve->spots[at];
}

static void panel_name(const struct scaling *s, size_t point, const char *name,
                       char *buf, size_t size)
{
    const bool vary = s->split && s->data->points[point].vary[0] != '\0';

    (void)snprintf(buf, size, "%s%s%s", name, vary ? ", " : "",
                   vary ? s->data->points[point].vary : "");
}

/*
 * All runs of one operation at one point, which were repeated: those in which
 * nothing failed, if there are any.
 */
static int add_point(const struct scaling *s, const size_t *series,
                     size_t point, const struct tmk_plot_value *value)
{
    const struct tmk_plot_data *d = s->data;
    struct tmk_stats rate = {0};
    bool spoilt = true;
    char name[256];
    struct tmk_plot_panel *panel;
    struct tmk_plot_curve *curve;
    struct tmk_plot_spot *spot;

    for (size_t i = 0; i < d->n_points; i++) {
        const struct tmk_plot_value *v =
            value_of(&d->points[i], value->name, value->bytes);

        if (v == NULL || series[i] != series[point] ||
            x_of(s, i) != x_of(s, point) || !same_study(s, i, point) ||
            (v->spoilt && !spoilt)) {
            continue;
        }
        if (i < point && v->spoilt == value->spoilt) {
            return 0; /* that one has taken this one as well */
        }
        if (!v->spoilt && spoilt) {
            spoilt = false;
            rate = (struct tmk_stats){0};
        }
        tmk_stats_merge(&rate, &v->rate);
    }
    if (value->spoilt && !spoilt) {
        return 0;
    }
    panel_name(s, point, value->name, name, sizeof(name));
    panel = tmk_plot_get_panel(s->figure, name, value->bytes);
    curve = panel != NULL ? tmk_plot_get_curve(panel, series[point]) : NULL;
    spot = curve != NULL ? spot_at(curve, x_of(s, point)) : NULL;
    if (spot == NULL) {
        return -ENOMEM;
    }
    spot->y = rate.mean;
    spot->spoilt = spoilt;
    if (tmk_stats_ci95(&rate) > 0) {
        spot->low = rate.mean - tmk_stats_ci95(&rate);
        spot->high = rate.mean + tmk_stats_ci95(&rate);
    }
    return 0;
}

/* Which points a series has; any of them. */
static size_t point_of(const size_t *series, size_t which)
{
    size_t i = 0;

    while (series[i] != which) {
        i++;
    }
    return i;
}

/* The first point of each study goes before all others of it. */
static void find_ideals(const struct scaling *s, const size_t *series,
                        struct tmk_plot_panel *panel)
{
    size_t n = 0;

    for (size_t i = 0; i < panel->n_curves; i++) {
        struct tmk_plot_curve *c = &panel->curves[i];
        const size_t own = point_of(series, c->series);
        bool first = true;

        for (size_t k = 0; k < panel->n_curves; k++) {
            const struct tmk_plot_curve *other = &panel->curves[k];
            const double x = other->spots[0].x;

            if (k != i && same_study(s, own, point_of(series, other->series)) &&
                (x < c->spots[0].x || (x <= c->spots[0].x && k < i))) {
                first = false;
            }
        }
        if (first && n++ < IDEALS_MAX) {
            c->ideal_x = c->spots[0].x;
            c->ideal_y = c->spots[0].y;
        }
    }
    for (size_t i = 1; i < panel->n_curves && n > IDEALS_MAX; i++) {
        panel->curves[i].ideal_x = 0;
    }
}

static int add_all(struct scaling *s, size_t *series)
{
    const struct tmk_plot_data *d = s->data;
    int err = find_series(s, series);

    for (size_t i = 0; i < d->n_points && err == 0; i++) {
        for (size_t k = 0; k < d->points[i].n && err == 0; k++) {
            const struct tmk_plot_value *v = &d->points[i].list[k];

            if (v->rate.n != 0 && v->rate.mean > 0 && d->points[i].tasks != 0 &&
                tmk_plot_chosen(s->choice, v->name)) {
                err = add_point(s, series, i, v);
            }
        }
    }
    for (size_t i = 0; i < s->figure->n_panels && err == 0; i++) {
        find_ideals(s, series, &s->figure->panels[i]);
    }
    return err;
}

/* Without any colour twice, if that can be had by more panels. */
static void count_series(struct scaling *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->data->n_points; i++) {
        bool first = true;

        for (size_t k = 0; k < i && first; k++) {
            first = !same_curve(s, k, i);
        }
        n += first;
    }
    s->split = n > TMK_PLOT_STYLES && tmk_plot_varies(s->data);
}

int tmk_plot_scaling(struct tmk_plot_figure *figure,
                     const struct tmk_plot_choice *choice)
{
    const struct tmk_plot_data *d = choice->data;
    struct scaling s = {.figure = figure, .choice = choice, .data = d};
    size_t *series = calloc(d->n_points + 1, sizeof(*series));
    int err = -ENOMEM;

    s.group = calloc(d->n_sources + 1, sizeof(*s.group));
    s.grid = calloc(d->n_sources + 1, sizeof(*s.grid));
    if (s.group != NULL && s.grid != NULL && series != NULL) {
        find_groups(&s);
        for (size_t i = 0; i < d->n_sources; i++) {
            s.grid[i] = is_grid(&s, i);
        }
        s.by_nodes = only_nodes(d);
        count_series(&s);
        err = add_all(&s, series);
    }
    if (s.by_nodes) {
        (void)snprintf(figure->x_label, sizeof(figure->x_label),
                       "nodes, %" PRIu64 " rank%s on each", d->points[0].ppn,
                       d->points[0].ppn == 1 ? "" : "s");
    } else {
        (void)snprintf(figure->x_label, sizeof(figure->x_label), "ranks");
    }
    free(s.group);
    free(s.grid);
    free(series);
    return err;
}
