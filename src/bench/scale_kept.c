/*
 * scale_kept: points from files of results.
 */
#include "bench/scale_kept.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare_params.h"
#include "bench/result_file.h"
#include "bench/result_values.h"
#include "bench/scale_judge.h"
#include "run/json_value.h"

static const char *text(const json_t *object, const char *name)
{
    return tmk_result_file_text(object, name);
}

static json_int_t number(const json_t *object, const char *name)
{
    return tmk_result_file_number(object, name);
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* ---- resuming ------------------------------------------------------------ */

struct resuming {
    struct tmk_scale_launch *launch;
    FILE *to; /* of earlier tests */
    size_t n_texts;
    char *why;
    size_t why_size;
};

static bool same_words(const json_t *command,
                       const struct tmk_scale_words *words)
{
    if (json_array_size(command) != (size_t)words->argc) {
        return false;
    }
    for (int i = 0; i < words->argc; i++) {
        json_t *word = tmk_json_value_text(words->argv[i]);
        const bool equal =
            json_equal(json_array_get(command, (size_t)i), word) != 0;

        json_decref(word);
        if (!equal) {
            return false;
        }
    }
    return true;
}

static bool is_point(const struct tmk_scale_point *p, const json_t *test)
{
    const char *map = text(json_object_get(test, "point"), "map");

    return number(test, "nodes") == p->nodes &&
           number(test, "ranks_per_node") == p->ppn &&
           number(test, "tasks") == p->ranks &&
           same(map, tmk_scale_map_name(p));
}

/* Whether a test was what entry `at` would be.  0, 1 or -ENOMEM. */
static int matches(const struct tmk_scale_launch *launch, size_t at,
                   const json_t *test)
{
    const struct tmk_scale_entry *entry = &launch->entries[at];
    const json_t *point = json_object_get(test, "point");
    struct tmk_scale_words words;
    int found = 0;

    if (!is_point(&entry->point, test)) {
        return 0;
    }
    if (tmk_scale_words_make(&words,
                             &launch->variants[entry->point.variant].args, NULL,
                             launch->strong, entry->point.ranks) != 0) {
        found = -ENOMEM;
    } else {
        found = same_words(json_object_get(point, "command"), &words);
    }
    tmk_scale_words_fini(&words);
    return found;
}

/* A test is kept as it is. */
static int keep(struct resuming *r, const json_t *test)
{
    char *dumped = json_dumps(test, JSON_COMPACT | JSON_REAL_PRECISION(15));

    if (dumped == NULL) {
        return -ENOMEM;
    }
    (void)fprintf(r->to, "%s%s", r->n_texts++ != 0 ? ",\n  " : "", dumped);
    free(dumped);
    return 0;
}

/* Whether a point was run as often as this study would. */
static bool is_enough(const struct tmk_scale_conf *conf, json_int_t repeats,
                      const struct tmk_result_values *values)
{
    if (repeats < conf->repeat) {
        return false;
    }
    if (conf->until_ci <= 0 || repeats >= conf->max_repeat) {
        return true;
    }
    for (size_t i = 0; i < values->n; i++) {
        const struct tmk_result_value *value = &values->list[i];

        if (!tmk_scale_is_sure(&value->rate, value->too_short,
                               conf->until_ci)) {
            return false;
        }
    }
    return true;
}

/* A test of an entry, if it is one that need not be run again.  0 or
 * -ENOMEM. */
static int take_point(struct resuming *r, struct tmk_scale_entry *entry,
                      const json_t *test)
{
    const json_int_t repeats =
        number(json_object_get(test, "point"), "repeats");
    int err = tmk_result_values_read(&entry->values, test);

    if (err == 0 && is_enough(&r->launch->conf, repeats, &entry->values)) {
        entry->state = TMK_SCALE_DONE;
        return keep(r, test);
    }
    tmk_result_values_fini(&entry->values);
    return err;
}

static int take_test(struct resuming *r, const json_t *test)
{
    struct tmk_scale_launch *launch = r->launch;
    const json_t *point = json_object_get(test, "point");

    if (!same(text(point, "state"), tmk_scale_state_name(TMK_SCALE_DONE))) {
        return 0; /* it is run again, if it is wanted */
    }
    for (size_t i = 0; i < launch->plan.n; i++) {
        struct tmk_scale_entry *entry = &launch->entries[i];
        int found = matches(launch, i, test);

        if (found < 0) {
            return found;
        }
        if (found != 0 && entry->state == TMK_SCALE_NOT_RUN) {
            return take_point(r, entry, test);
        }
        if (found != 0) {
            return 0; /* a second time: one is enough */
        }
    }
    return keep(r, test); /* of another study in the same file */
}

static int take_study(void *state, const char *path, const json_t *root)
{
    struct resuming *r = state;
    size_t i;
    json_t *test;
    int err = 0;

    if (!same(text(root, "kind"), "scale")) {
        (void)snprintf(r->why, r->why_size,
                       "--resume: %s: results of %s, not of a study", path,
                       text(root, "kind"));
        return -EINVAL;
    }
    json_decref(r->launch->warnings);
    r->launch->warnings = json_incref(json_object_get(root, "warnings"));
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        err = err == 0 ? take_test(r, test) : err;
    }
    return err;
}

int tmk_scale_kept_read(struct tmk_scale_launch *launch, const char *path,
                        char **earlier, char *why, size_t why_size)
{
    struct resuming r = {.launch = launch, .why = why, .why_size = why_size};
    char *buf = NULL;
    size_t length = 0;
    FILE *probe = fopen(path, "re");
    int err;

    *earlier = NULL;
    if (probe == NULL && errno == ENOENT) {
        return -ENOENT;
    }
    if (probe != NULL) {
        (void)fclose(probe);
    }
    r.to = open_memstream(&buf, &length);
    if (r.to == NULL) {
        return -ENOMEM;
    }
    err = tmk_result_file_each(path, take_study, &r, why, why_size);
    if (fclose(r.to) != 0) {
        err = -ENOMEM;
    }
    if (err == 0 && r.n_texts != 0) {
        *earlier = buf;
    } else {
        free(buf);
    }
    return err;
}

/* ---- showing ------------------------------------------------------------- */

struct showing {
    struct tmk_scale_shown *shown;
    char *why;
    size_t why_size;
};

static enum tmk_scale_state state_of(const json_t *point)
{
    const char *name = text(point, "state");

    if (point == NULL) {
        return TMK_SCALE_DONE; /* not of a study: whatever it has */
    }
    for (int i = TMK_SCALE_NOT_RUN; i <= TMK_SCALE_INTERRUPTED; i++) {
        if (same(name, tmk_scale_state_name((enum tmk_scale_state)i))) {
            return (enum tmk_scale_state)i;
        }
    }
    return TMK_SCALE_INTERRUPTED;
}

/* The point of a test; nodes that are not known are one. */
static struct tmk_scale_point point_of(const json_t *test)
{
    const char *map = text(json_object_get(test, "point"), "map");
    struct tmk_scale_point p = {
        .nodes = (uint32_t)number(test, "nodes"),
        .ppn = (uint32_t)number(test, "ranks_per_node"),
        .ranks = (uint32_t)number(test, "tasks"),
        .is_path = map != NULL && strcmp(map, "grid") != 0,
        .map = same(map, "spread") ? TMK_SCALE_SPREAD : TMK_SCALE_PACK,
    };

    p.nodes = p.nodes != 0 ? p.nodes : 1;
    p.ranks = p.ranks != 0 ? p.ranks : 1;
    p.ppn = p.ppn != 0 ? p.ppn : (p.ranks + p.nodes - 1) / p.nodes;
    return p;
}

/* Whether a run was shown before: it would be taken for a repeat.  Results of
 * imported text have no name. */
static bool is_shown(struct tmk_scale_shown *shown, const json_t *root)
{
    const char *id = text(json_object_get(root, "run"), "id");
    const bool is = id != NULL && json_object_get(shown->runs, id) != NULL;

    if (shown->runs == NULL) {
        shown->runs = json_object();
    }
    if (id != NULL) {
        (void)json_object_set_new(shown->runs, id, json_true());
    }
    return is;
}

/* The values of one more run at the same point.  0 or -ENOMEM. */
static int merge(struct tmk_result_values *to, struct tmk_result_values *more)
{
    for (size_t i = 0; i < more->n; i++) {
        struct tmk_result_value *from = &more->list[i];
        struct tmk_result_value *list;
        size_t k = 0;

        while (k < to->n && strcmp(to->list[k].name, from->name) != 0) {
            k++;
        }
        if (k < to->n) {
            struct tmk_result_value *value = &to->list[k];

            tmk_stats_merge(&value->rate, &from->rate);
            value->failed += from->failed;
            value->failed_unknown =
                value->failed_unknown || from->failed_unknown;
            value->not_tried += from->not_tried;
            value->interrupted = value->interrupted || from->interrupted;
            value->too_short += from->too_short;
            value->is_tiny = value->is_tiny || from->is_tiny;
            if (value->latency != NULL && from->latency != NULL) {
                tmk_hist_add(value->latency, from->latency);
            }
            if (from->max_ns > value->max_ns) {
                value->max_ns = from->max_ns;
            }
            continue;
        }
        list = realloc(to->list, (to->n + 1) * sizeof(*list));
        if (list == NULL) {
            return -ENOMEM;
        }
        to->list = list;
        to->list[to->n++] = *from;
        *from = (struct tmk_result_value){.name = NULL};
    }
    return 0;
}

/* The entry of a point; a new one if there is none.  NULL: out of memory. */
static struct tmk_scale_entry *entry_of(struct tmk_scale_shown *shown,
                                        const struct tmk_scale_point *p,
                                        const char *vary)
{
    struct tmk_scale_entry *list;

    for (size_t i = 0; i < shown->n; i++) {
        struct tmk_scale_entry *entry = &shown->list[i];

        if (entry->point.nodes == p->nodes && entry->point.ppn == p->ppn &&
            entry->point.ranks == p->ranks && same(entry->vary, vary)) {
            return entry;
        }
    }
    list = realloc(shown->list, (shown->n + 1) * sizeof(*list));
    if (list == NULL) {
        return NULL;
    }
    shown->list = list;
    list += shown->n;
    *list = (struct tmk_scale_entry){.point = *p};
    if (vary != NULL && (list->vary = strdup(vary)) == NULL) {
        return NULL;
    }
    shown->n++;
    return list;
}

/* Results at one point are repeats only if they did the same.  0, -ENOMEM, or
 * -EINVAL with a reason. */
static int check_same(const struct showing *s, struct tmk_scale_entry *entry,
                      const char *path, const json_t *root, const json_t *test)
{
    struct tmk_compare_params params;
    char differs[160];
    char name[96];
    int err = tmk_compare_params_of(&params, root, test);

    if (err == 0 && entry->what == NULL) {
        entry->what = json_incref(params.what);
    } else if (err == 0 &&
               tmk_compare_params_differ(entry->what, params.what, differs,
                                         sizeof(differs)) != 0) {
        tmk_scale_entry_name(entry, name, sizeof(name));
        (void)snprintf(
            s->why, s->why_size,
            "--show: %s: %s has results of different work, which are "
            "no repeats: %s",
            path, name, differs);
        err = -EINVAL;
    }
    tmk_compare_params_fini(&params);
    return err;
}

static int show_test(const struct showing *s, const char *path,
                     const json_t *root, const json_t *test)
{
    struct tmk_scale_shown *shown = s->shown;
    const json_t *point = json_object_get(test, "point");
    const struct tmk_scale_point p = point_of(test);
    const enum tmk_scale_state state = state_of(point);
    struct tmk_result_values values;
    struct tmk_scale_entry *entry = entry_of(shown, &p, text(point, "vary"));
    int err = tmk_result_values_read(&values, test);

    if (err == 0) {
        err = entry != NULL ? check_same(s, entry, path, root, test) : -ENOMEM;
    }
    if (err == 0) {
        err = merge(&entry->values, &values);
    }
    if (err == 0 &&
        (entry->state == TMK_SCALE_NOT_RUN || entry->state == TMK_SCALE_DONE)) {
        entry->state = state;
    }
    tmk_result_values_fini(&values);
    return err;
}

static int show_root(void *state, const char *path, const json_t *root)
{
    struct showing *s = state;
    struct tmk_scale_shown *shown = s->shown;
    const char *kind = text(root, "kind");
    const char *benchmark =
        same(kind, "scale") ? text(json_object_get(root, "scale"), "benchmark")
                            : kind;
    size_t i;
    json_t *test;
    int err = 0;

    if (benchmark == NULL || same(kind, "io500")) {
        (void)snprintf(s->why, s->why_size,
                       "--show: %s: results of %s have no numbers of ranks to "
                       "compare",
                       path, kind);
        return -EINVAL;
    }
    if (shown->benchmark == NULL) {
        shown->benchmark = strdup(benchmark);
    }
    if (shown->benchmark == NULL) {
        return -ENOMEM;
    }
    if (strcmp(shown->benchmark, benchmark) != 0) {
        (void)snprintf(s->why, s->why_size,
                       "--show: %s: results of %s, those before are of %s",
                       path, benchmark, shown->benchmark);
        return -EINVAL;
    }
    if (is_shown(shown, root)) {
        (void)snprintf(s->why, s->why_size,
                       "--show: %s: a run that was there before", path);
        return -EINVAL;
    }
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        err = err == 0 ? show_test(s, path, root, test) : err;
    }
    return err;
}

int tmk_scale_shown_read(struct tmk_scale_shown *shown, const char *path,
                         char *why, size_t why_size)
{
    struct showing s = {.shown = shown, .why = why, .why_size = why_size};

    return tmk_result_file_each(path, show_root, &s, why, why_size);
}

void tmk_scale_shown_fini(struct tmk_scale_shown *shown)
{
    for (size_t i = 0; i < shown->n; i++) {
        tmk_scale_entry_fini(&shown->list[i]);
    }
    free(shown->list);
    free(shown->benchmark);
    json_decref(shown->runs);
    *shown = (struct tmk_scale_shown){.n = 0};
}
