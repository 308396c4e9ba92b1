/*
 * compare_read: results from JSON into rows.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare.h"

__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t size,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(why, size, format, args);
    va_end(args);
    return -EINVAL;
}

static const char *word(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

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
    int64_t nodes = number(test, "nodes");
    int64_t n = number(test, "items_per_task");

    if (n > 0) {
        (void)snprintf(items, sizeof(items), ", %" PRId64 " items each", n);
    }
    if (nth > 0) {
        (void)snprintf(again, sizeof(again), ", test %u", nth + 1);
    }
    if (asprintf(&text,
                 "%s: %" PRId64 " task%s on %" PRId64 " node%s (%" PRId64
                 " each)%s%s",
                 kind, number(test, "tasks"),
                 number(test, "tasks") == 1 ? "" : "s", nodes,
                 nodes == 1 ? "" : "s", number(test, "ranks_per_node"), items,
                 again) < 0) {
        return NULL;
    }
    return text;
}

/* A phase of an iteration: one value. */
static int add_phase(struct tmk_compare *c, unsigned side, const char *point,
                     const json_t *phase)
{
    const char *name = word(phase, "name");
    const json_t *bytes = json_object_get(phase, "bandwidth_bytes_per_s");
    const json_t *rate = json_object_get(phase, "rate_per_s");
    struct tmk_compare_row *row;

    if (name == NULL || (!json_is_number(bytes) && !json_is_number(rate))) {
        return 0;
    }
    row = row_of(c, point, name);
    if (row == NULL) {
        return -ENOMEM;
    }
    row->bytes = json_is_number(bytes);
    tmk_stats_add(&row->side[side],
                  json_number_value(row->bytes ? bytes : rate));
    row->spoilt[side] = row->spoilt[side] ||
                        number(phase, "failed_operations") != 0 ||
                        number(phase, "not_tried") != 0 ||
                        json_is_true(json_object_get(phase, "interrupted"));
    return 0;
}

/* Of a test whose single iterations are not known: mean and deviation. */
static int add_summary(struct tmk_compare *c, unsigned side, const char *point,
                       const json_t *summary)
{
    const char *name = word(summary, "name");
    const char *unit = word(summary, "unit");
    const json_t *deviation = json_object_get(summary, "stddev");
    double mean = json_number_value(json_object_get(summary, "mean"));
    int64_t n = number(summary, "n");
    struct tmk_compare_row *row;
    bool bytes = unit != NULL && strcmp(unit, "bytes/s") == 0;

    if (name == NULL || unit == NULL || n < 1 ||
        (strcmp(unit, "op/s") != 0 && !bytes)) {
        return 0;
    }
    row = row_of(c, point, name);
    if (row == NULL) {
        return -ENOMEM;
    }
    if (row->side[side].n != 0) {
        return 0; /* one value a row: bytes come after operations */
    }
    row->bytes = bytes;
    row->side[side] = (struct tmk_stats){
        .n = (uint64_t)n,
        .mean = mean,
        .m2 = json_number_value(deviation) * json_number_value(deviation) *
              (double)(n - 1),
        .min = json_number_value(json_object_get(summary, "min")),
        .max = json_number_value(json_object_get(summary, "max")),
    };
    return 0;
}

static int add_test(struct tmk_compare *c, unsigned side, const char *point,
                    const json_t *test)
{
    json_t *iteration;
    json_t *item;
    size_t i;
    size_t k;
    size_t before = 0;
    int err = 0;

    json_array_foreach(json_object_get(test, "iterations"), i, iteration)
    {
        json_array_foreach(json_object_get(iteration, "phases"), k, item)
        {
            err = err == 0 ? add_phase(c, side, point, item) : err;
            before++;
        }
    }
    if (before == 0) {
        json_array_foreach(json_object_get(test, "summary"), i, item)
        {
            err = err == 0 ? add_summary(c, side, point, item) : err;
        }
    }
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
            same = same && number(other, names[k]) == number(test, names[k]);
        }
        n += same;
    }
    return n;
}

static int add_root(struct tmk_compare *c, unsigned side, const char *path,
                    const json_t *root, char *why, size_t size)
{
    const char *schema = word(root, "schema");
    const char *kind = word(root, "kind");
    json_t *tests = json_object_get(root, "tests");
    size_t i;
    json_t *test;
    int err = 0;

    if (schema == NULL || strncmp(schema, "treemark-", 9) != 0 ||
        kind == NULL) {
        return refuse(why, size, "%s: these are no results of treemark", path);
    }
    if (c->kind == NULL) {
        c->kind = strdup(kind);
    }
    if (c->kind == NULL) {
        return -ENOMEM;
    }
    if (strcmp(c->kind, kind) != 0) {
        return refuse(why, size, "%s: results of %s, those before are of %s",
                      path, kind, c->kind);
    }
    if (json_array_size(tests) == 0) {
        return refuse(why, size, "%s: there is no test in it", path);
    }
    json_array_foreach(tests, i, test)
    {
        char *point = point_of(kind, test, earlier(tests, i));

        err = point == NULL ? -ENOMEM
              : err == 0    ? add_test(c, side, point, test)
                            : err;
        free(point);
    }
    c->runs[side]++;
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
static int note_options(struct tmk_compare *c, const json_t *a, json_t *b)
{
    json_t *theirs = json_object_get(b, "options");
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
    FILE *from = fopen(path, "re");
    json_error_t error;
    unsigned roots = 0;
    int err = 0;

    if (from == NULL) {
        return refuse(why, size, "%s: %s", path, strerror(errno));
    }
    /* One object, or, imported, one a line. */
    while (err == 0) {
        json_t *root;
        int next = fgetc(from);

        while (next == ' ' || next == '\n' || next == '\r' || next == '\t') {
            next = fgetc(from);
        }
        if (next == EOF) {
            break;
        }
        (void)ungetc(next, from);
        root = json_loadf(from, JSON_DISABLE_EOF_CHECK, &error);
        if (root == NULL) {
            err = refuse(why, size, "%s: no JSON, or cut: line %d: %s", path,
                         error.line, error.text);
            break;
        }
        roots++;
        err = add_root(c, side, path, root, why, size);
        if (err == 0 && side == 0 && c->first == NULL) {
            c->first = json_incref(root);
        } else if (err == 0 && side == 1 && c->notes == NULL &&
                   c->first != NULL) {
            err = note_options(c, c->first, root);
        }
        json_decref(root);
    }
    (void)fclose(from);
    return err == 0 && roots == 0 ? refuse(why, size, "%s: it is empty", path)
                                  : err;
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
