/*
 * plot_plan: which picture, and what it is called.
 */
#include "bench/plot_plan.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "base/why.h"
#include "bench/plot_curves.h"
#include "bench/plot_data.h"
#include "bench/plot_scaling.h"

struct type_row {
    const char *name;
    const char *what; /* in titles */
    int (*plan)(struct tmk_plot_figure *figure,
                const struct tmk_plot_choice *choice);
};

static const struct type_row types[] = {
    [TMK_PLOT_SCALING] = {"scaling", "scaling", tmk_plot_scaling},
    [TMK_PLOT_LATENCY] = {"latency", "latency", tmk_plot_latency},
    [TMK_PLOT_TIME] = {"time", "rate over time", tmk_plot_time},
    [TMK_PLOT_BARS] = {"bars", "rates", tmk_plot_bars},
};

/* ---- which operations --------------------------------------------------- */

/* Of one tree, by one rank: seldom what is meant, unless it is said. */
static bool is_tree(const char *name)
{
    return strncmp(name, "Tree ", 5) == 0;
}

/* Whether `word`, of so many bytes, is somewhere in the name. */
static bool is_in(const char *name, const char *word, size_t length)
{
    for (; *name != '\0' && strlen(name) >= length; name++) {
        if (strncasecmp(name, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* "create" is in "creation", too, and "remove" in "removal". */
static bool is_meant(const char *name, const char *word, size_t length)
{
    return is_in(name, word, length) ||
           (length > 4 && tolower((unsigned char)word[length - 1]) == 'e' &&
            is_in(name, word, length - 1));
}

/* The next word between commas, without blanks around it; false: no more. */
static bool next_word(const char **list, const char **word, size_t *length)
{
    while (**list == ',' || **list == ' ') {
        (*list)++;
    }
    *word = *list;
    *length = strcspn(*list, ",");
    *list += *length;
    while (*length > 0 && (*word)[*length - 1] == ' ') {
        (*length)--;
    }
    return *length != 0;
}

bool tmk_plot_chosen(const struct tmk_plot_choice *choice, const char *name)
{
    const char *list = choice->operations;
    const char *word;
    size_t length;

    if (list == NULL) {
        return !is_tree(name);
    }
    while (next_word(&list, &word, &length)) {
        if (is_meant(name, word, length) &&
            (!is_tree(name) || is_in(word, "tree", 4))) {
            return true;
        }
    }
    return false;
}

/* Whether no earlier value has this name. */
static bool is_new(const struct tmk_plot_data *d, size_t point, size_t value)
{
    const char *name = d->points[point].list[value].name;

    for (size_t i = 0; i <= point; i++) {
        for (size_t k = 0; k < d->points[i].n; k++) {
            if (i == point && k == value) {
                return true;
            }
            if (strcmp(d->points[i].list[k].name, name) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Names of operations, each once, with commas; cut if there are too many. */
static void list_operations(const struct tmk_plot_data *d, char *buf,
                            size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (size_t i = 0; i < d->n_points; i++) {
        for (size_t k = 0; k < d->points[i].n; k++) {
            const char *name = d->points[i].list[k].name;

            if (!is_new(d, i, k) || used + strlen(name) + 8 > size) {
                continue;
            }
            used += (size_t)snprintf(buf + used, size - used, "%s%s",
                                     used != 0 ? ", " : "", name);
        }
    }
}

/* Each word of --operation has to be in some name. */
static int check_operations(const struct tmk_plot_data *d,
                            const char *operations, char *why, size_t size)
{
    const char *list = operations;
    const char *word;
    size_t length;
    char all[320];
    char quoted[64];
    bool any = false;

    list_operations(d, all, sizeof(all));
    while (operations != NULL && next_word(&list, &word, &length)) {
        bool found = false;

        any = true;
        for (size_t i = 0; i < d->n_points; i++) {
            for (size_t k = 0; k < d->points[i].n; k++) {
                found =
                    found || is_meant(d->points[i].list[k].name, word, length);
            }
        }
        if (!found) {
            tmk_quote(quoted, sizeof(quoted), word, length);
            return tmk_why(why, size,
                           "--operation: there is no '%s' in these results, "
                           "but: %s",
                           quoted, all);
        }
    }
    return operations == NULL || any
               ? 0
               : tmk_why(why, size, "--operation: which? There are: %s", all);
}

/* ---- names -------------------------------------------------------------- */

/* The name of a file without its directory and its ending. */
static void base_of(const char *file, char *buf, size_t size)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash != NULL ? slash + 1 : file;
    size_t length = strlen(base);

    if (length > 5 && strcmp(base + length - 5, ".json") == 0) {
        length -= 5;
    }
    tmk_quote(buf, size, base, length);
}

static bool label_is_unique(const struct tmk_plot_data *d, size_t source)
{
    for (size_t i = 0; i < d->n_sources; i++) {
        if (i != source &&
            strcmp(d->sources[i].label, d->sources[source].label) == 0) {
            return false;
        }
    }
    return d->sources[source].label[0] != '\0';
}

void tmk_plot_name_source(const struct tmk_plot_data *d, size_t source,
                          char *buf, size_t size)
{
    const struct tmk_plot_source *s = &d->sources[source];
    size_t before = 0; /* in the same file */
    size_t same = 0;
    size_t used;

    if (label_is_unique(d, source)) {
        tmk_quote(buf, size, s->label, strlen(s->label));
        return;
    }
    for (size_t i = 0; i < d->n_sources; i++) {
        if (strcmp(d->sources[i].file, s->file) == 0) {
            before += i < source;
            same++;
        }
    }
    base_of(s->file, buf, size);
    used = strlen(buf);
    if (same > 1 && used + 24 < size) {
        (void)snprintf(buf + used, size - used, " %zu", before + 1);
    }
}

bool tmk_plot_varies(const struct tmk_plot_data *d)
{
    for (size_t i = 1; i < d->n_points; i++) {
        if (strcmp(d->points[i].vary, d->points[0].vary) != 0) {
            return true;
        }
    }
    return false;
}

static bool place_varies(const struct tmk_plot_data *d)
{
    for (size_t i = 1; i < d->n_points; i++) {
        if (d->points[i].tasks != d->points[0].tasks ||
            d->points[i].nodes != d->points[0].nodes) {
            return true;
        }
    }
    return false;
}

/* "4 ranks on 2 nodes" */
static void place_of(const struct tmk_plot_point *p, char *buf, size_t size)
{
    char nodes[48] = "";

    if (p->nodes != 0) {
        (void)snprintf(nodes, sizeof(nodes), " on %" PRIu64 " node%s", p->nodes,
                       p->nodes == 1 ? "" : "s");
    }
    (void)snprintf(buf, size, "%" PRIu64 " rank%s%s", p->tasks,
                   p->tasks == 1 ? "" : "s", nodes);
}

void tmk_plot_name_point(const struct tmk_plot_data *d, size_t point, char *buf,
                         size_t size)
{
    const struct tmk_plot_point *p = &d->points[point];
    const char *comma = "";
    size_t used;

    buf[0] = '\0';
    if (d->n_sources > 1) {
        tmk_plot_name_source(d, p->source, buf, size);
        comma = ", ";
    }
    used = strlen(buf);
    if (tmk_plot_varies(d) && p->vary[0] != '\0') {
        (void)snprintf(buf + used, size - used, "%s%s", comma, p->vary);
        comma = ", ";
        used = strlen(buf);
    }
    if (place_varies(d) && p->tasks != 0) {
        char place[96];

        place_of(p, place, sizeof(place));
        (void)snprintf(buf + used, size - used, "%s%s", comma, place);
    }
}

/* ---- the picture -------------------------------------------------------- */

static bool one_benchmark(const struct tmk_plot_data *d)
{
    for (size_t i = 1; i < d->n_sources; i++) {
        if (strcmp(d->sources[i].benchmark, d->sources[0].benchmark) != 0) {
            return false;
        }
    }
    return true;
}

/* "mdtest, before the upgrade: latency, 4 ranks on 2 nodes" */
static void entitle(struct tmk_plot_figure *f, const struct tmk_plot_data *d)
{
    const struct tmk_plot_source *s = &d->sources[0];
    char label[80] = "";
    char benchmark[40];
    char place[100] = "";
    const char *mode = f->type != TMK_PLOT_SCALING      ? ""
                       : strcmp(s->mode, "weak") == 0   ? "weak "
                       : strcmp(s->mode, "strong") == 0 ? "strong "
                                                        : "";

    tmk_quote(benchmark, sizeof(benchmark), s->benchmark, strlen(s->benchmark));
    if (d->n_sources == 1) {
        tmk_quote(label, sizeof(label), s->label, strlen(s->label));
    }
    if (f->type != TMK_PLOT_SCALING && !place_varies(d) &&
        d->points[0].tasks != 0) {
        place_of(&d->points[0], place, sizeof(place));
    }
    (void)snprintf(f->title, sizeof(f->title), "%s%s%s: %s%s%s%s",
                   one_benchmark(d) ? benchmark : "results",
                   label[0] != '\0' ? ", " : "", label, mode,
                   types[f->type].what, place[0] != '\0' ? ", " : "", place);
}

/* Whether a panel has several curves of one series. */
static bool has_iterations(const struct tmk_plot_figure *f)
{
    for (size_t i = 0; i < f->n_panels; i++) {
        for (size_t k = 1; k < f->panels[i].n_curves; k++) {
            if (f->panels[i].curves[k].series ==
                f->panels[i].curves[k - 1].series) {
                return true;
            }
        }
    }
    return false;
}

/* What has been drawn needs to be said. */
static void look_at_spots(struct tmk_plot_figure *f)
{
    for (size_t i = 0; i < f->n_panels; i++) {
        for (size_t k = 0; k < f->panels[i].n_curves; k++) {
            const struct tmk_plot_curve *c = &f->panels[i].curves[k];

            for (size_t s = 0; s < c->n; s++) {
                f->spoilt = f->spoilt || c->spots[s].spoilt;
                f->errors = f->errors || c->spots[s].high > 0;
            }
        }
    }
}

static void add_note(struct tmk_plot_figure *f, const char *text)
{
    const size_t used = strlen(f->note);

    (void)snprintf(f->note + used, sizeof(f->note) - used, "%s%s",
                   used != 0 ? "; " : "", text);
}

static void annotate(struct tmk_plot_figure *f)
{
    look_at_spots(f);
    if (f->type == TMK_PLOT_TIME && has_iterations(f)) {
        add_note(f, "each iteration is a line");
    }
    if (f->errors) {
        add_note(f, "means with 95 % intervals");
    }
    if (f->type == TMK_PLOT_SCALING) {
        add_note(f, "dashed grey: ideal");
    }
    if (f->spoilt) {
        add_note(f, f->type == TMK_PLOT_BARS ? "x: something failed"
                                             : "crosses: something failed");
    }
}

/* Whether some curve goes from one point to another. */
static bool has_scaling(const struct tmk_plot_figure *f)
{
    for (size_t i = 0; i < f->n_panels; i++) {
        for (size_t k = 0; k < f->panels[i].n_curves; k++) {
            if (f->panels[i].curves[k].n > 1) {
                return true;
            }
        }
    }
    return false;
}

static bool has_panels(const struct tmk_plot_figure *f)
{
    return f->n_panels != 0 && (f->type != TMK_PLOT_SCALING || has_scaling(f));
}

static int try_type(struct tmk_plot_figure *f,
                    const struct tmk_plot_choice *choice,
                    enum tmk_plot_type type)
{
    tmk_plot_figure_fini(f);
    f->type = type;
    return types[type].plan(f, choice);
}

/* "bars, latency": what could be drawn of these results. */
static int list_types(const struct tmk_plot_choice *choice, char *buf,
                      size_t size)
{
    size_t used = 0;

    buf[0] = '\0';
    for (enum tmk_plot_type type = TMK_PLOT_SCALING; type <= TMK_PLOT_BARS;
         type++) {
        struct tmk_plot_figure f = {0};
        const int err = try_type(&f, choice, type);

        if (err == 0 && has_panels(&f)) {
            used += (size_t)snprintf(buf + used, size - used, "%s%s",
                                     used != 0 ? ", " : "", types[type].name);
        }
        tmk_plot_figure_fini(&f);
        if (err != 0) {
            return err;
        }
    }
    return 0;
}

static int nothing(const struct tmk_plot_choice *choice,
                   enum tmk_plot_type type, char *why, size_t size)
{
    static const char *const missing[] = {
        [TMK_PLOT_SCALING] = "no operation has rates at two numbers of ranks",
        [TMK_PLOT_LATENCY] = "no latencies are known",
        [TMK_PLOT_TIME] =
            "no rates over time are known (runs with --interval have them)",
        [TMK_PLOT_BARS] = "there are no rates",
    };
    char others[64];
    int err = list_types(choice, others, sizeof(others));

    if (err != 0) {
        return err;
    }
    if (others[0] == '\0') {
        return tmk_why(
            why, size,
            "there is nothing to draw in these results: no rates, no "
            "latencies");
    }
    return tmk_why(why, size, "--type=%s: %s; there is: %s", types[type].name,
                   missing[type], others);
}

/* Studies scale; --interval was given to see it; a run has at least rates. */
static int plan_auto(struct tmk_plot_figure *f,
                     const struct tmk_plot_choice *choice)
{
    static const enum tmk_plot_type order[] = {TMK_PLOT_SCALING, TMK_PLOT_TIME,
                                               TMK_PLOT_BARS, TMK_PLOT_LATENCY};
    int err = 0;

    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        err = try_type(f, choice, order[i]);
        if (err != 0 || has_panels(f)) {
            break;
        }
    }
    return err;
}

/* The first point with the same value of --vary. */
static size_t first_of(const struct tmk_plot_data *d, size_t point)
{
    size_t i = 0;

    while (strcmp(d->points[i].vary, d->points[point].vary) != 0) {
        i++;
    }
    return i;
}

static bool goes_before(const struct tmk_plot_data *d, size_t a, size_t b)
{
    const struct tmk_plot_point *p = &d->points[a];
    const struct tmk_plot_point *q = &d->points[b];

    if (p->source != q->source) {
        return p->source < q->source;
    }
    if (first_of(d, a) != first_of(d, b)) {
        return first_of(d, a) < first_of(d, b);
    }
    return p->tasks != q->tasks ? p->tasks < q->tasks : p->ppn < q->ppn;
}

/* A study may have been run in any order. */
static void sort_points(struct tmk_plot_data *d)
{
    for (size_t i = 1; i < d->n_points; i++) {
        for (size_t k = i; k > 0 && goes_before(d, k, k - 1); k--) {
            const struct tmk_plot_point point = d->points[k];

            d->points[k] = d->points[k - 1];
            d->points[k - 1] = point;
        }
    }
}

int tmk_plot_plan(struct tmk_plot_figure *figure, struct tmk_plot_data *data,
                  enum tmk_plot_type type, const char *operations, char *why,
                  size_t size)
{
    const struct tmk_plot_choice choice = {.data = data,
                                           .operations = operations};
    int err;

    *figure = (struct tmk_plot_figure){0};
    sort_points(data);
    err = check_operations(data, operations, why, size);
    if (err != 0) {
        return err;
    }
    err = type == TMK_PLOT_AUTO ? plan_auto(figure, &choice)
                                : try_type(figure, &choice, type);
    if (err != 0) {
        return err;
    }
    if (!has_panels(figure)) {
        return nothing(&choice, figure->type, why, size);
    }
    if (figure->n_panels > TMK_PLOT_PANELS_MAX) {
        char all[320];

        list_operations(data, all, sizeof(all));
        return tmk_why(why, size,
                       "%zu panels are too many for a picture (%d are not): "
                       "choose with --operation; there are: %s",
                       figure->n_panels, TMK_PLOT_PANELS_MAX, all);
    }
    entitle(figure, data);
    annotate(figure);
    return 0;
}
