/*
 * compare_read: results from JSON into rows.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare.h"
#include "bench/result_file.h"
#include "bench/result_values.h"

/* The row of this point and name; a new one if there is none yet. */
static struct tmk_compare_row *row_of(struct tmk_compare *c, const char *point,
                                      const char *name)
{
    struct tmk_compare_row *row;

    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->rows[i].point, point) == 0 &&
            strcmp(c->rows[i].name, name) == 0) {
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
    row = &c->rows[c->n++];
    *row =
        (struct tmk_compare_row){.point = strdup(point), .name = strdup(name)};
    return row->point != NULL && row->name != NULL ? row : NULL;
}

/* "8 tasks on 2 nodes (4 each), 100 items each" */
static char *point_of(const char *kind, const json_t *test, unsigned nth)
{
    char *text = NULL;
    char items[64] = "";
    char again[32] = "";
    json_int_t nodes = tmk_result_file_number(test, "nodes");
    json_int_t n = tmk_result_file_number(test, "items_per_task");

    if (n > 0) {
        (void)snprintf(items, sizeof(items),
                       ", %" JSON_INTEGER_FORMAT " items each", n);
    }
    if (nth > 0) {
        (void)snprintf(again, sizeof(again), ", test %u", nth + 1);
    }
    if (asprintf(&text,
                 "%s: %" JSON_INTEGER_FORMAT " task%s on %" JSON_INTEGER_FORMAT
                 " node%s (%" JSON_INTEGER_FORMAT " each)%s%s",
                 kind, tmk_result_file_number(test, "tasks"),
                 tmk_result_file_number(test, "tasks") == 1 ? "" : "s", nodes,
                 nodes == 1 ? "" : "s",
                 tmk_result_file_number(test, "ranks_per_node"), items,
                 again) < 0) {
        return NULL;
    }
    return text;
}

/* The operations of a test: each iteration is one value. */
static int add_test(struct tmk_compare *c, unsigned side, const char *point,
                    const json_t *test)
{
    struct tmk_result_values values;
    int err = tmk_result_values_read(&values, test);

    for (size_t i = 0; i < values.n && err == 0; i++) {
        const struct tmk_result_value *value = &values.list[i];
        struct tmk_compare_row *row = row_of(c, point, value->name);

        if (row == NULL) {
            err = -ENOMEM;
            break;
        }
        row->bytes = value->bytes;
        tmk_stats_merge(&row->side[side], &value->rate);
        row->spoilt[side] = row->spoilt[side] || value->failed != 0 ||
                            value->not_tried != 0 || value->interrupted;
    }
    tmk_result_values_fini(&values);
    return err;
}

/* How many earlier tests of the file have the same point. */
static unsigned earlier(const json_t *tests, size_t until)
{
    static const char *const names[] = {"tasks", "nodes", "ranks_per_node",
                                        "items_per_task"};
    const json_t *test = json_array_get(tests, until);
    unsigned n = 0;

    for (size_t i = 0; i < until; i++) {
        const json_t *other = json_array_get(tests, i);
        bool same = true;

        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            same = same && tmk_result_file_number(other, names[k]) ==
                               tmk_result_file_number(test, names[k]);
        }
        n += same;
    }
    return n;
}

/* What a file of one side is read into. */
struct reading {
    struct tmk_compare *compare;
    unsigned side;
    char *why;
    size_t why_size;
};

static int note_options(struct tmk_compare *c, const json_t *a, json_t *theirs);

static int take_root(void *state, const char *path, const json_t *root)
{
    struct reading *r = state;
    struct tmk_compare *c = r->compare;
    const char *kind = tmk_result_file_text(root, "kind");
    const json_t *tests = json_object_get(root, "tests");
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
        (void)snprintf(r->why, r->why_size,
                       "%s: results of %s, those before are of %s", path, kind,
                       c->kind);
        return -EINVAL;
    }
    json_array_foreach(tests, i, test)
    {
        char *point = point_of(kind, test, earlier(tests, i));

        err = point == NULL ? -ENOMEM
              : err == 0    ? add_test(c, r->side, point, test)
                            : err;
        free(point);
    }
    c->runs[r->side]++;
    if (err == 0 && r->side == 0 && c->first == NULL) {
        c->first = json_deep_copy(root);
        err = c->first != NULL ? 0 : -ENOMEM;
    } else if (err == 0 && r->side == 1 && c->notes == NULL &&
               c->first != NULL) {
        err = note_options(c, c->first, json_object_get(root, "options"));
    }
    return err;
}

/* What does not change what is done, nor how. */
static bool is_unimportant(const char *option)
{
    static const char *const names[] = {"json",
                                        "csv",
                                        "label",
                                        "v",
                                        "verbose",
                                        "progress",
                                        "interval",
                                        "percentiles",
                                        "trace",
                                        "d",
                                        "o",
                                        "testFile",
                                        "table",
                                        "i",
                                        "repetitions",
                                        "random-seed",
                                        "G",
                                        "setTimeStampSignature",
                                        "summaryFile",
                                        "saveRankPerformanceDetails",
                                        "savePerOpDataCSV",
                                        "saveRankPerformanceDetailsCSV",
                                        "print-all-procs",
                                        "showRankStatistics",
                                        "f",
                                        "l",
                                        "s",
                                        "Z",
                                        "V",
                                        "y",
                                        "S"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(option, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* What makes it other work: how much, and on what. */
static bool is_work(const char *kind, const char *option)
{
    static const char *const mdtest[] = {"b", "z", "I", "n", "w", "e",
                                         "D", "F", "t", "u", "L", "N",
                                         "c", "T", "C", "E", "r", "U"};
    static const char *const ior[] = {
        "blockSize",    "transferSize", "segmentCount", "filePerProc",
        "randomOffset", "writeFile",    "readFile"};
    const char *const *names = strcmp(kind, "ior") == 0 ? ior : mdtest;
    size_t n = names == ior ? sizeof(ior) / sizeof(ior[0])
                            : sizeof(mdtest) / sizeof(mdtest[0]);

    if (names == mdtest && strcmp(kind, "mdtest") != 0) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(option, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Options in which the first file of each side differs. */
static int note_options(struct tmk_compare *c, const json_t *a, json_t *theirs)
{
    const json_t *ours = json_object_get(a, "options");
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    const char *name;
    json_t *value;

    if (to == NULL) {
        return -ENOMEM;
    }
    json_object_foreach(theirs, name, value)
    {
        const json_t *was = json_object_get(ours, name);
        char *old;
        char *now;

        if (was == NULL || json_equal(was, value) || is_unimportant(name)) {
            continue;
        }
        old = json_dumps(was, JSON_ENCODE_ANY);
        now = json_dumps(value, JSON_ENCODE_ANY);
        (void)fprintf(to, "differs: %s is %s in A, %s in B\n", name,
                      old != NULL ? old : "?", now != NULL ? now : "?");
        if (is_work(c->kind, name) && !c->other_work) {
            c->other_work = true;
            (void)snprintf(c->work, sizeof(c->work), "%s is %s in A, %s in B",
                           name, old != NULL ? old : "?",
                           now != NULL ? now : "?");
        }
        free(old);
        free(now);
    }
    if (fclose(to) != 0) {
        free(text);
        return -ENOMEM;
    }
    free(c->notes);
    c->notes = text;
    return 0;
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
        free(c->rows[i].point);
        free(c->rows[i].name);
    }
    free(c->rows);
    free(c->kind);
    free(c->notes);
    json_decref(c->first);
    *c = (struct tmk_compare){0};
}
