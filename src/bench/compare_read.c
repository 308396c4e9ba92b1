/*
 * compare_read: results from JSON into points and rows.
 */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "bench/compare_notes.h"
#include "bench/compare_params.h"
#include "bench/compare_rows.h"
#include "bench/result_file.h"
#include "bench/result_values.h"

/* What a file of one side is read into. */
struct reading {
    struct tmk_compare *compare;
    unsigned side;
    unsigned run; /* counts from 1 over all files */
    char *why;
    size_t why_size;
};

/* The row of this point and name; a new one if there is none yet. */
static struct tmk_compare_row *row_of(struct tmk_compare *c, size_t point,
                                      const char *name)
{
    struct tmk_compare_row *row;

    for (size_t i = 0; i < c->n; i++) {
        if (c->rows[i].point == point && strcmp(c->rows[i].name, name) == 0) {
            return &c->rows[i];
        }
    }
    if (c->n == c->space) {
        size_t space = c->space != 0 ? 2 * c->space : 16;
        struct tmk_compare_row *rows = realloc(c->rows, space * sizeof(*rows));

        if (rows == NULL) {
            return NULL;
        }
        c->rows = rows;
        c->space = space;
    }
    row = &c->rows[c->n];
    *row = (struct tmk_compare_row){.point = point, .name = strdup(name)};
    if (row->name == NULL) {
        return NULL;
    }
    c->n++;
    return row;
}

/* Whether a point may be that of a test: nothing that is known of both
 * differs, and no other test of the run has it. */
static bool fits(const struct tmk_compare_point *point, const char *kind,
                 const json_t *what, unsigned run)
{
    char unused[8];

    return point->taken != run && strcmp(point->kind, kind) == 0 &&
           tmk_compare_params_differ(point->what, what, unused,
                                     sizeof(unused)) == 0;
}

/* Another point, the last one; 0 or -ENOMEM. */
static int new_point(struct tmk_compare *c, const char *kind, json_t *what)
{
    struct tmk_compare_point *points =
        realloc(c->points, (c->n_points + 1) * sizeof(*points));

    if (points == NULL) {
        return -ENOMEM;
    }
    c->points = points;
    points[c->n_points] = (struct tmk_compare_point){
        .kind = strdup(kind),
        .what = json_incref(what),
    };
    return points[c->n_points++].kind != NULL ? 0 : -ENOMEM;
}

/* Why the values of a test are no result; NULL: they are. */
static const char *spoilt_test(const json_t *root, const json_t *test)
{
    const json_t *point = json_object_get(test, "point");
    const char *state = tmk_result_file_text(point, "state");

    if (strcmp(tmk_result_file_text(root, "kind"), "scale") != 0) {
        return NULL;
    }
    if (state == NULL || strcmp(state, "interrupted") == 0) {
        return "the point was interrupted";
    }
    if (strcmp(state, "timed out") == 0) {
        return "the point timed out";
    }
    return strcmp(state, "failed") == 0 ? "the point failed" : NULL;
}

static const char *spoilt_value(const struct tmk_result_value *value)
{
    return value->interrupted      ? "it was interrupted"
           : value->failed != 0    ? "operations failed"
           : value->not_tried != 0 ? "operations were left out"
           : value->is_tiny        ? "it took less than 1 ms"
                                   : NULL;
}

/* The operations of a test: each iteration is one value. */
static int add_values(const struct reading *r, size_t point, const json_t *test,
                      const char *spoilt)
{
    struct tmk_result_values values;
    int err = tmk_result_values_read(&values, test);

    for (size_t i = 0; i < values.n && err == 0; i++) {
        const struct tmk_result_value *value = &values.list[i];
        struct tmk_compare_row *row = row_of(r->compare, point, value->name);
        const char *why = spoilt != NULL ? spoilt : spoilt_value(value);

        if (row == NULL) {
            err = -ENOMEM;
            break;
        }
        row->bytes = value->bytes;
        tmk_stats_merge(&row->side[r->side], &value->rate);
        tmk_stats_add(&row->runs[r->side], value->rate.mean);
        row->within[r->side] += value->rate.m2;
        if (row->spoilt[r->side] == NULL) {
            row->spoilt[r->side] = why;
        }
    }
    tmk_result_values_fini(&values);
    return err;
}

static int add_test(struct reading *r, const json_t *root, const json_t *test)
{
    struct tmk_compare *c = r->compare;
    const char *kind = tmk_compare_params_kind(root, test);
    struct tmk_compare_params params;
    int err = tmk_compare_params_of(&params, root, test);
    size_t at = 0;

    while (err == 0 && at < c->n_points &&
           !fits(&c->points[at], kind, params.what, r->run)) {
        at++;
    }
    if (err == 0 && at == c->n_points) {
        err = new_point(c, kind, params.what);
    }
    if (err == 0) {
        struct tmk_compare_point *point = &c->points[at];

        point->taken = r->run;
        point->on[r->side] = true;
        err = tmk_compare_notes_add(c, point, r->side, params.how);
    }
    if (err == 0) {
        err = add_values(r, at, test, spoilt_test(root, test));
    }
    tmk_compare_params_fini(&params);
    return err;
}

static int take_root(void *state, const char *path, const json_t *root)
{
    struct reading *r = state;
    struct tmk_compare *c = r->compare;
    const char *kind = tmk_result_file_text(root, "kind");
    size_t i;
    json_t *test;
    int err = 0;

    if (c->kind == NULL) {
        c->kind = strdup(kind);
    }
    if (c->kind == NULL) {
        return -ENOMEM;
    }
    if (strcmp(c->kind, kind) != 0) {
        char quoted[32];

        tmk_quote(quoted, sizeof(quoted), kind, strlen(kind));
        (void)snprintf(r->why, r->why_size,
                       "%s: results of %s, those before are of %s", path,
                       quoted, c->kind);
        return -EINVAL;
    }
    c->runs[r->side]++;
    r->run = c->runs[0] + c->runs[1];
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        err = err == 0 ? add_test(r, root, test) : err;
    }
    return err;
}

int tmk_compare_read(struct tmk_compare *c, unsigned side, const char *path,
                     char *why, size_t size)
{
    struct reading reading = {
        .compare = c, .side = side, .why = why, .why_size = size};

    return tmk_result_file_each(path, take_root, &reading, why, size);
}

void tmk_compare_fini(struct tmk_compare *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->rows[i].name);
    }
    for (size_t i = 0; i < c->n_points; i++) {
        free(c->points[i].title);
        free(c->points[i].kind);
        json_decref(c->points[i].what);
        json_decref(c->points[i].how[0]);
        json_decref(c->points[i].how[1]);
    }
    free(c->rows);
    free(c->points);
    free(c->kind);
    json_decref(c->notes);
    *c = (struct tmk_compare){0};
}
