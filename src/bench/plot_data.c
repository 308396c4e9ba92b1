/*
 * plot_data: the memory of what is read and of what is drawn.
 */
#include "bench/plot_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Room for one more in an array that is doubled when its length is a power of
 * two; the new one is zeroed.  False: no memory, and nothing has changed.
 */
static bool grow(void **list, size_t n, size_t size)
{
    char *more = *list;

    if ((n & (n - 1)) == 0) {
        more = realloc(*list, (n != 0 ? 2 * n : 1) * size);
        if (more == NULL) {
            return false;
        }
        *list = more;
    }
    memset(more + n * size, 0, size);
    return true;
}

/* A pointer to any array, without a cast of what it points to. */
#define GROW(list, n)                                                          \
    do {                                                                       \
        void *all = (list);                                                    \
        if (!grow(&all, (n), sizeof(*(list)))) {                               \
            return NULL;                                                       \
        }                                                                      \
        (list) = all;                                                          \
    } while (0)

struct tmk_plot_source *tmk_plot_add_source(struct tmk_plot_data *data,
                                            const char *file, const char *label,
                                            const char *benchmark,
                                            const char *mode)
{
    struct tmk_plot_source *s;

    GROW(data->sources, data->n_sources);
    s = &data->sources[data->n_sources++];
    s->file = strdup(file);
    s->label = strdup(label != NULL ? label : "");
    s->benchmark = strdup(benchmark);
    s->mode = strdup(mode != NULL ? mode : "");
    return s->file != NULL && s->label != NULL && s->benchmark != NULL &&
                   s->mode != NULL
               ? s
               : NULL;
}

struct tmk_plot_point *tmk_plot_add_point(struct tmk_plot_data *data,
                                          size_t source, const char *vary)
{
    struct tmk_plot_point *p;

    GROW(data->points, data->n_points);
    p = &data->points[data->n_points++];
    p->source = source;
    p->vary = strdup(vary != NULL ? vary : "");
    return p->vary != NULL ? p : NULL;
}

struct tmk_plot_value *tmk_plot_add_value(struct tmk_plot_point *point,
                                          const char *name)
{
    struct tmk_plot_value *v;

    GROW(point->list, point->n);
    v = &point->list[point->n++];
    v->name = strdup(name);
    return v->name != NULL ? v : NULL;
}

void tmk_plot_data_fini(struct tmk_plot_data *data)
{
    for (size_t i = 0; i < data->n_sources; i++) {
        free(data->sources[i].file);
        free(data->sources[i].label);
        free(data->sources[i].benchmark);
        free(data->sources[i].mode);
    }
    for (size_t i = 0; i < data->n_points; i++) {
        struct tmk_plot_point *p = &data->points[i];

        for (size_t k = 0; k < p->n; k++) {
            for (size_t r = 0; r < p->list[k].n_runs; r++) {
                free(p->list[k].runs[r].rates);
            }
            free(p->list[k].runs);
            free(p->list[k].latency);
            free(p->list[k].name);
        }
        free(p->list);
        free(p->vary);
    }
    free(data->sources);
    free(data->points);
    *data = (struct tmk_plot_data){0};
}

struct tmk_plot_series *tmk_plot_add_series(struct tmk_plot_figure *figure,
                                            const char *title)
{
    struct tmk_plot_series *s;

    GROW(figure->series, figure->n_series);
    s = &figure->series[figure->n_series];
    s->colour = figure->n_series % TMK_PLOT_STYLES;
    s->shape = s->colour;
    figure->n_series++;
    s->title = strdup(title);
    return s->title != NULL ? s : NULL;
}

struct tmk_plot_panel *tmk_plot_get_panel(struct tmk_plot_figure *figure,
                                          const char *title, bool bytes)
{
    struct tmk_plot_panel *p;

    for (size_t i = 0; i < figure->n_panels; i++) {
        p = &figure->panels[i];
        if (p->bytes == bytes && strcmp(p->title, title) == 0) {
            return p;
        }
    }
    GROW(figure->panels, figure->n_panels);
    p = &figure->panels[figure->n_panels++];
    p->bytes = bytes;
    p->title = strdup(title);
    return p->title != NULL ? p : NULL;
}

struct tmk_plot_curve *tmk_plot_add_curve(struct tmk_plot_panel *panel,
                                          size_t series)
{
    struct tmk_plot_curve *c;

    GROW(panel->curves, panel->n_curves);
    c = &panel->curves[panel->n_curves++];
    c->series = series;
    return c;
}

struct tmk_plot_curve *tmk_plot_get_curve(struct tmk_plot_panel *panel,
                                          size_t series)
{
    for (size_t i = 0; i < panel->n_curves; i++) {
        if (panel->curves[i].series == series) {
            return &panel->curves[i];
        }
    }
    return tmk_plot_add_curve(panel, series);
}

struct tmk_plot_spot *tmk_plot_add_spot(struct tmk_plot_curve *curve, double x,
                                        double y)
{
    struct tmk_plot_spot *s;

    GROW(curve->spots, curve->n);
    s = &curve->spots[curve->n++];
    s->x = x;
    s->y = y;
    return s;
}

static char **add_row(struct tmk_plot_panel *panel, const char *name)
{
    GROW(panel->rows, panel->n_rows);
    panel->rows[panel->n_rows] = strdup(name);
    return panel->rows[panel->n_rows] != NULL ? panel->rows : NULL;
}

int64_t tmk_plot_get_row(struct tmk_plot_panel *panel, const char *name)
{
    for (size_t i = 0; i < panel->n_rows; i++) {
        if (strcmp(panel->rows[i], name) == 0) {
            return (int64_t)i;
        }
    }
    return add_row(panel, name) != NULL ? (int64_t)panel->n_rows++ : -ENOMEM;
}

void tmk_plot_figure_fini(struct tmk_plot_figure *figure)
{
    for (size_t i = 0; i < figure->n_series; i++) {
        free(figure->series[i].title);
    }
    for (size_t i = 0; i < figure->n_panels; i++) {
        struct tmk_plot_panel *p = &figure->panels[i];

        for (size_t k = 0; k < p->n_curves; k++) {
            free(p->curves[k].spots);
        }
        for (size_t k = 0; k < p->n_rows; k++) {
            free(p->rows[k]);
        }
        free(p->curves);
        free(p->rows);
        free(p->title);
    }
    free(figure->series);
    free(figure->panels);
    *figure = (struct tmk_plot_figure){0};
}
