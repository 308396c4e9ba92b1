/*
 * compare_settle: points that only one side has find their like on the other
 * side; titles.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare_params.h"
#include "bench/compare_rows.h"

/* The point of B alone that differs from this one least, and in how much;
 * n_points: none. */
static size_t most_alike(const struct tmk_compare *c, size_t a, size_t *least,
                         char *why, size_t size)
{
    size_t best = c->n_points;

    *least = SIZE_MAX;
    for (size_t i = 0; i < c->n_points; i++) {
        const struct tmk_compare_point *b = &c->points[i];
        char text[TMK_COMPARE_WHY];
        size_t n;

        if (b->on[0] || !b->on[1] || strcmp(b->kind, c->points[a].kind) != 0) {
            continue;
        }
        n = tmk_compare_params_differ(c->points[a].what, b->what, text,
                                      sizeof(text));
        if (n < *least) {
            *least = n;
            best = i;
            (void)snprintf(why, size, "%s", text);
        }
    }
    return best;
}

/* The row of a point with this name; NULL: none. */
static struct tmk_compare_row *find_row(struct tmk_compare *c, size_t point,
                                        const char *name)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->rows[i].point == point && strcmp(c->rows[i].name, name) == 0) {
            return &c->rows[i];
        }
    }
    return NULL;
}

enum { GONE = -1 };

/* Leave out rows whose point is GONE. */
static void close_up(struct tmk_compare *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->n; i++) {
        if (c->rows[i].point == (size_t)GONE) {
            free(c->rows[i].name);
        } else {
            c->rows[kept++] = c->rows[i];
        }
    }
    c->n = kept;
}

/* Rows of b, which only B has, become B's side of those of a. */
static void join(struct tmk_compare *c, size_t a, size_t b)
{
    for (size_t i = 0; i < c->n; i++) {
        struct tmk_compare_row *row = &c->rows[i];
        struct tmk_compare_row *ours = NULL;

        if (row->point != b) {
            continue;
        }
        ours = find_row(c, a, row->name);
        row->point = ours != NULL ? (size_t)GONE : a;
        if (ours != NULL) {
            ours->side[1] = row->side[1];
            ours->runs[1] = row->runs[1];
            ours->within[1] = row->within[1];
            ours->spoilt[1] = row->spoilt[1];
        }
    }
    close_up(c);
    c->points[a].on[1] = true;
    c->points[b].on[1] = false;
}

static bool is_there(const struct tmk_compare_point *point)
{
    return point->on[0] || point->on[1];
}

/* Whether points differ in what a name stands for. */
static bool tells_apart(const struct tmk_compare *c, const char *name,
                        const json_t *value)
{
    for (size_t i = 0; i < c->n_points; i++) {
        const json_t *other = json_object_get(c->points[i].what, name);

        if (is_there(&c->points[i]) && other != NULL &&
            !json_equal(value, other)) {
            return true;
        }
    }
    return false;
}

static void print_place(const json_t *what, FILE *to)
{
    const json_int_t tasks = json_integer_value(json_object_get(what, "tasks"));
    const json_int_t nodes = json_integer_value(json_object_get(what, "nodes"));
    const json_int_t each =
        json_integer_value(json_object_get(what, "ranks_per_node"));
    const json_int_t items =
        json_integer_value(json_object_get(what, "items_per_task"));

    (void)fprintf(to, "%" JSON_INTEGER_FORMAT " task%s", tasks,
                  tasks == 1 ? "" : "s");
    if (nodes > 0) {
        (void)fprintf(to, " on %" JSON_INTEGER_FORMAT " node%s", nodes,
                      nodes == 1 ? "" : "s");
    }
    if (each > 0) {
        (void)fprintf(to, " (%" JSON_INTEGER_FORMAT " each)", each);
    }
    if (items > 0) {
        (void)fprintf(to, ", %" JSON_INTEGER_FORMAT " items per task", items);
    }
}

static bool is_of_place(const char *name)
{
    return strcmp(name, "tasks") == 0 || strcmp(name, "nodes") == 0 ||
           strcmp(name, "ranks_per_node") == 0 ||
           strcmp(name, "items_per_task") == 0;
}

/* "mdtest: 8 tasks on 2 nodes (4 each), 100 items per task, w 4096" */
static char *title_of(const struct tmk_compare *c,
                      const struct tmk_compare_point *point)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    const char *name;
    json_t *value;

    if (to == NULL) {
        return NULL;
    }
    (void)fprintf(to, "%s: ", point->kind);
    print_place(point->what, to);
    json_object_foreach(point->what, name, value)
    {
        if (!is_of_place(name) && tells_apart(c, name, value)) {
            char shown[64];

            tmk_compare_params_show(value, shown, sizeof(shown));
            (void)fprintf(to, ", %s %s", name, shown);
        }
    }
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Of tests of a run that are alike, the second is called so. */
static int count_title(const struct tmk_compare *c, size_t at, char **title)
{
    unsigned n = 1;
    char *text = NULL;

    for (size_t i = 0; i < at; i++) {
        n += c->points[i].title != NULL &&
             json_equal(c->points[i].what, c->points[at].what);
    }
    if (n == 1) {
        return 0;
    }
    if (asprintf(&text, "%s, no. %u of such tests", *title, n) < 0) {
        return -ENOMEM;
    }
    free(*title);
    *title = text;
    return 0;
}

/* Join points that differ in no more than this; in how much the most alike of
 * the others differ, SIZE_MAX if there are none. */
static size_t join_up_to(struct tmk_compare *c, size_t most)
{
    size_t next = SIZE_MAX;

    for (size_t a = 0; a < c->n_points; a++) {
        struct tmk_compare_point *point = &c->points[a];
        char why[sizeof(point->why)];
        size_t least;
        size_t b;

        if (!point->on[0] || point->on[1]) {
            continue;
        }
        b = most_alike(c, a, &least, why, sizeof(why));
        if (b < c->n_points && least <= most) {
            memcpy(point->why, why, sizeof(why));
            join(c, a, b);
        } else if (least < next) {
            next = least;
        }
    }
    return next;
}

int tmk_compare_settle(struct tmk_compare *c)
{
    size_t most = 0;

    /* Those that are most alike first, so that none is taken by another. */
    while (most != SIZE_MAX) {
        most = join_up_to(c, most);
    }
    for (size_t i = 0; i < c->n_points; i++) {
        char *title = NULL;

        if (!is_there(&c->points[i])) {
            continue;
        }
        title = title_of(c, &c->points[i]);
        if (title == NULL || count_title(c, i, &title) != 0) {
            free(title);
            return -ENOMEM;
        }
        c->points[i].title = title;
    }
    return 0;
}
