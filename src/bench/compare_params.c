/*
 * compare_params: what a test did, so far as its result says so.
 */
#include "bench/compare_params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "bench/compare_command.h"
#include "bench/compare_options.h"
#include "bench/result_file.h"

static void set(json_t *object, const char *name, json_t *value, int *err)
{
    if (json_object_set_new(object, name, value) != 0) {
        *err = -ENOMEM;
    }
}

/* Text of other programs calls some options by other names. */
static const char *own_name(const char *name)
{
    static const char *const names[][2] = {{"xfersize_bytes", "transferSize"},
                                           {"blocksize_bytes", "blockSize"},
                                           {"segments", "segmentCount"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return name;
}

static int add_option(struct tmk_compare_params *p, const char *kind,
                      const char *name, json_t *value)
{
    int err = 0;

    if (strcmp(name, "access") == 0 && json_is_string(value)) {
        const bool single =
            strcmp(json_string_value(value), "file-per-process") == 0;

        set(p->what, "filePerProc", json_integer(single), &err);
        return err;
    }
    switch (tmk_compare_option_of(kind, name)) {
    case TMK_COMPARE_WHAT: set(p->what, name, json_incref(value), &err); break;
    case TMK_COMPARE_HOW: set(p->how, name, json_incref(value), &err); break;
    case TMK_COMPARE_QUIET: break;
    }
    return err;
}

static int add_options(struct tmk_compare_params *p, const char *kind,
                       json_t *options)
{
    const char *name;
    json_t *value;
    int err = 0;

    json_object_foreach(options, name, value)
    {
        if (err == 0 && !json_is_null(value)) {
            err = add_option(p, kind, own_name(name), value);
        }
    }
    return err;
}

/* Of text they are known in all. */
static json_int_t items_of(const json_t *test)
{
    const json_int_t each = tmk_result_file_number(test, "items_per_task");
    const json_int_t all = tmk_result_file_number(test, "items");
    const json_int_t tasks = tmk_result_file_number(test, "tasks");

    return each > 0 || tasks < 1 ? each : all / tasks;
}

/* Where numbers of items are the result of a search, they tell nothing. */
static bool items_are_found(const json_t *options)
{
    const json_t *least = json_object_get(options, "min-time");

    return json_integer_value(least) > 0 ||
           (json_is_string(least) &&
            strcmp(json_string_value(least), "0") != 0);
}

static int add_place(struct tmk_compare_params *p, const json_t *test,
                     const json_t *options)
{
    static const char *const names[] = {"tasks", "nodes", "ranks_per_node"};
    const json_int_t items = items_of(test);
    int err = 0;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        json_int_t n = tmk_result_file_number(test, names[i]);

        if (n > 0) {
            set(p->what, names[i], json_integer(n), &err);
        }
    }
    if (items > 0 && !items_are_found(options)) {
        set(p->what, "items_per_task", json_integer(items), &err);
    }
    return err;
}

const char *tmk_compare_params_kind(const json_t *root, const json_t *test)
{
    const char *benchmark =
        tmk_result_file_text(json_object_get(test, "point"), "benchmark");

    return benchmark != NULL ? benchmark : tmk_result_file_text(root, "kind");
}

/* Of the benchmark: a study has its own at the root, which are no matter. */
static json_t *options_of(const char *kind, const json_t *root,
                          const json_t *test)
{
    const json_t *point = json_object_get(test, "point");
    json_t *options = json_object_get(test, "options");

    if (point != NULL) {
        return tmk_compare_command(kind, json_object_get(point, "command"));
    }
    options = options != NULL ? options : json_object_get(root, "options");
    return options != NULL ? json_incref(options) : json_object();
}

static int add_rest(struct tmk_compare_params *p, const json_t *root,
                    const json_t *test)
{
    json_t *mapping = json_object_get(json_object_get(root, "mpi"), "mapping");
    json_t *hash =
        json_object_get(json_object_get(root, "io500"), "config_hash");
    const json_t *point = json_object_get(test, "point");
    json_t *vary = json_object_get(point, "vary");
    int err = 0;

    if (mapping != NULL) {
        set(p->how, "mapping", json_incref(mapping), &err);
    }
    if (hash != NULL) {
        set(p->how, "config_hash", json_incref(hash), &err);
    }
    if (json_is_string(vary)) {
        set(p->what, "vary", json_incref(vary), &err);
    } else if (point != NULL) {
        set(p->what, "vary", json_string("nothing"), &err);
    }
    return err;
}

/* The words of a search are not among its options. */
static int add_search(struct tmk_compare_params *p, const json_t *root)
{
    const json_t *command =
        json_object_get(json_object_get(root, "run"), "command");
    const char *first = json_string_value(json_array_get(command, 0));
    const char *second = json_string_value(json_array_get(command, 1));
    json_t *words;
    json_t *options;
    int err;

    if (first == NULL) {
        return 0; /* a text does not say */
    }
    words = json_copy((json_t *)command);
    if (second != NULL &&
        (strcmp(second, "find") == 0 || strcmp(second, "pfind") == 0)) {
        json_array_remove(words, 0);
    }
    options = tmk_compare_command("find", words);
    err = options != NULL ? add_options(p, "find", options) : -ENOMEM;
    json_decref(words);
    json_decref(options);
    return err;
}

int tmk_compare_params_of(struct tmk_compare_params *params, const json_t *root,
                          const json_t *test)
{
    const char *kind = tmk_compare_params_kind(root, test);
    json_t *options = options_of(kind, root, test);
    int err = 0;

    *params = (struct tmk_compare_params){.what = json_object(),
                                          .how = json_object()};
    if (params->what == NULL || params->how == NULL || options == NULL) {
        json_decref(options);
        return -ENOMEM;
    }
    err = add_place(params, test, options);
    if (err == 0) {
        err = add_options(params, kind, options);
    }
    if (err == 0) {
        err = add_rest(params, root, test);
    }
    if (err == 0 && strcmp(kind, "find") == 0 &&
        json_object_get(test, "point") == NULL) {
        err = add_search(params, root);
    }
    json_decref(options);
    return err;
}

void tmk_compare_params_fini(struct tmk_compare_params *params)
{
    json_decref(params->what);
    json_decref(params->how);
    *params = (struct tmk_compare_params){.what = NULL};
}

void tmk_compare_params_show(const json_t *value, char *buf, size_t size)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const char *shown = json_is_string(value) ? json_string_value(value) : text;

    shown = shown == NULL ? "?" : shown[0] == '\0' ? "nothing" : shown;
    tmk_quote(buf, size, shown, strlen(shown));
    free(text);
}

size_t tmk_compare_params_differ(const json_t *a, const json_t *b, char *buf,
                                 size_t size)
{
    enum { SHOWN = 3 };
    const char *name;
    json_t *value;
    size_t n = 0;
    size_t used = 0;

    buf[0] = '\0';
    json_object_foreach((json_t *)a, name, value)
    {
        const json_t *theirs = json_object_get(b, name);
        char one[48];
        char other[48];

        if (theirs == NULL || json_equal(value, theirs)) {
            continue;
        }
        tmk_compare_params_show(value, one, sizeof(one));
        tmk_compare_params_show(theirs, other, sizeof(other));
        if (n++ < SHOWN && used < size) {
            int more =
                snprintf(buf + used, size - used, "%s%s is %s in A, %s in B",
                         used != 0 ? "; " : "", name, one, other);

            used += more > 0 ? (size_t)more : 0;
        }
    }
    return n;
}
