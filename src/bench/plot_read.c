/*
 * plot_read: results from JSON into points.
 */
#include "bench/plot_read.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/why.h"
#include "bench/compare_params.h"
#include "bench/plot_data.h"
#include "bench/result_file.h"
#include "bench/result_values.h"

static double number(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* 0 if it is none, or not known. */
static uint64_t count(const json_t *object, const char *name)
{
    const json_int_t n = tmk_result_file_number(object, name);

    return n > 0 ? (uint64_t)n : 0;
}

static struct tmk_plot_value *value_of(struct tmk_plot_point *point,
                                       const char *name)
{
    for (size_t i = 0; i < point->n; i++) {
        if (strcmp(point->list[i].name, name) == 0) {
            return &point->list[i];
        }
    }
    return NULL;
}

/* What --interval counted in a phase; operations of ior are so many bytes. */
static int add_run(struct tmk_plot_value *value, const json_t *phase)
{
    const json_t *intervals = json_object_get(phase, "intervals");
    const json_t *counts = json_object_get(intervals, "operations");
    const double interval_s = number(intervals, "seconds");
    const double operations = number(phase, "operations");
    const double left_s = number(phase, "time_s");
    const size_t n = json_array_size(counts);
    double each = 1;
    struct tmk_plot_run *runs;
    struct tmk_plot_run *run;

    if (n == 0 || !(interval_s > 0)) {
        return 0;
    }
    if (value->bytes) {
        each = operations > 0 ? number(phase, "bytes") / operations : 0;
    }
    runs = realloc(value->runs, (value->n_runs + 1) * sizeof(*runs));
    if (runs == NULL) {
        return -ENOMEM;
    }
    value->runs = runs;
    run = &runs[value->n_runs];
    *run =
        (struct tmk_plot_run){.interval_s = interval_s,
                              .last_s = left_s - interval_s * (double)(n - 1),
                              .rates = calloc(n, sizeof(*run->rates)),
                              .n = n};
    if (run->rates == NULL) {
        return -ENOMEM;
    }
    value->n_runs++;
    if (!(run->last_s > 0) || run->last_s > interval_s) {
        run->last_s = interval_s;
    }
    for (size_t i = 0; i < n; i++) {
        run->rates[i] = json_number_value(json_array_get(counts, i)) * each /
                        (i + 1 == n ? run->last_s : interval_s);
    }
    return 0;
}

static int add_runs(struct tmk_plot_point *point, const json_t *test)
{
    json_t *iteration;
    json_t *phase;
    size_t i;
    size_t k;
    int err = 0;

    json_array_foreach(json_object_get(test, "iterations"), i, iteration)
    {
        json_array_foreach(json_object_get(iteration, "phases"), k, phase)
        {
            const char *name = tmk_result_file_text(phase, "name");
            struct tmk_plot_value *value =
                name != NULL ? value_of(point, name) : NULL;

            if (value != NULL && err == 0) {
                err = add_run(value, phase);
            }
        }
    }
    return err;
}

static int add_values(struct tmk_plot_point *point, const json_t *test,
                      bool spoilt)
{
    struct tmk_result_values values;
    int err = tmk_result_values_read(&values, test);

    for (size_t i = 0; i < values.n && err == 0; i++) {
        struct tmk_result_value *from = &values.list[i];
        struct tmk_plot_value *to = tmk_plot_add_value(point, from->name);

        if (to == NULL) {
            err = -ENOMEM;
            break;
        }
        to->bytes = from->bytes;
        to->spoilt = spoilt || from->failed != 0 || from->not_tried != 0 ||
                     from->interrupted;
        to->rate = from->rate;
        to->latency = from->latency;
        from->latency = NULL;
    }
    tmk_result_values_fini(&values);
    return err == 0 ? add_runs(point, test) : err;
}

/*
 * What sets this test apart from others: the value of --vary; of ior, whose
 * tests may differ in anything, its number.
 */
static int add_test(struct tmk_plot_data *data, size_t source,
                    const json_t *test, bool numbered, size_t nth)
{
    const json_t *point = json_object_get(test, "point");
    const char *vary = tmk_result_file_text(point, "vary");
    const char *map = tmk_result_file_text(point, "map");
    const char *state = tmk_result_file_text(point, "state");
    char name[32];
    struct tmk_plot_point *p;

    if (vary == NULL && numbered) {
        (void)snprintf(name, sizeof(name), "test %zu", nth);
        vary = name;
    }
    p = tmk_plot_add_point(data, source, vary);
    if (p == NULL) {
        return -ENOMEM;
    }
    p->tasks = count(test, "tasks");
    p->nodes = count(test, "nodes");
    p->ppn = count(test, "ranks_per_node");
    p->grid = map != NULL && strcmp(map, "grid") == 0;
    return add_values(p, test, state != NULL && strcmp(state, "done") != 0);
}

/* Whether two tests have the same number of ranks. */
static bool has_twins(const json_t *tests)
{
    for (size_t i = 0; i < json_array_size(tests); i++) {
        for (size_t k = 0; k < i; k++) {
            if (tmk_result_file_number(json_array_get(tests, i), "tasks") ==
                tmk_result_file_number(json_array_get(tests, k), "tasks")) {
                return true;
            }
        }
    }
    return false;
}

/* What files are read into. */
struct reading {
    struct tmk_plot_data *data;
    char *why;
    size_t why_size;
};

static bool same_point(const json_t *a, const json_t *b)
{
    static const char *const members[] = {"tasks", "nodes", "ranks_per_node"};
    const json_t *p = json_object_get(a, "point");
    const json_t *q = json_object_get(b, "point");

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (tmk_result_file_number(a, members[i]) !=
            tmk_result_file_number(b, members[i])) {
            return false;
        }
    }
    return json_is_object(p) && json_is_object(q) &&
           json_equal(json_object_get(p, "vary"), json_object_get(q, "vary"));
}

/* Tests at one point are repeats, if they did the same: --resume may have put
 * two studies into a file.  0, -ENOMEM, or -EINVAL with a text. */
static int check_repeats(const struct reading *r, const char *path,
                         const json_t *root, const json_t *a, const json_t *b)
{
    struct tmk_compare_params first;
    struct tmk_compare_params second = {.what = NULL};
    char differs[160];
    int err = tmk_compare_params_of(&first, root, a);

    if (err == 0) {
        err = tmk_compare_params_of(&second, root, b);
    }
    if (err == 0 && tmk_compare_params_differ(first.what, second.what, differs,
                                              sizeof(differs)) != 0) {
        err = tmk_why(r->why, r->why_size,
                      "%s: results of different work at one point, which are "
                      "no repeats: %s",
                      path, differs);
    }
    tmk_compare_params_fini(&first);
    tmk_compare_params_fini(&second);
    return err;
}

static int check_study(const struct reading *r, const char *path,
                       const json_t *root, const json_t *tests)
{
    const size_t n = json_array_size(tests);
    int err = 0;

    for (size_t i = 0; i < n && err == 0; i++) {
        for (size_t k = 0; k < i; k++) {
            const json_t *a = json_array_get(tests, k);
            const json_t *b = json_array_get(tests, i);

            if (same_point(a, b)) { /* and so with those before, if any */
                err = check_repeats(r, path, root, a, b);
                break;
            }
        }
    }
    return err;
}

static int take_root(void *state, const char *path, const json_t *root)
{
    const struct reading *r = state;
    struct tmk_plot_data *data = r->data;
    const json_t *tests = json_object_get(root, "tests");
    const json_t *study = json_object_get(root, "scale");
    const char *kind = tmk_result_file_text(root, "kind");
    const char *label =
        tmk_result_file_text(json_object_get(root, "run"), "label");
    const char *benchmark = tmk_result_file_text(study, "benchmark");
    const bool numbered = strcmp(kind, "ior") == 0 && has_twins(tests);
    json_t *test;
    size_t i;
    int err = 0;

    if (study != NULL) {
        err = check_study(r, path, root, tests);
    }
    if (err != 0) {
        return err;
    }
    if (tmk_plot_add_source(data, path, label,
                            benchmark != NULL ? benchmark : kind,
                            tmk_result_file_text(study, "mode")) == NULL) {
        return -ENOMEM;
    }
    json_array_foreach(tests, i, test)
    {
        /* A study that was killed in the middle of a point. */
        if (study != NULL && !json_is_object(json_object_get(test, "point"))) {
            continue;
        }
        if (err == 0) {
            err = add_test(data, data->n_sources - 1, test, numbered, i);
        }
    }
    return err;
}

int tmk_plot_read(struct tmk_plot_data *data, const char *path, char *why,
                  size_t why_size)
{
    struct reading r = {.data = data, .why = why, .why_size = why_size};

    (void)snprintf(why, why_size, "out of memory");
    return tmk_result_file_each(path, take_root, &r, why, why_size);
}
