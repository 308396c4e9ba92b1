/*
 * result_file: JSON of results, object by object.
 */
#include "bench/result_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static int refuse(char *why, size_t size,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(why, size, format, args);
    va_end(args);
    return -EINVAL;
}

const char *tmk_result_file_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

json_int_t tmk_result_file_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static int check(const char *path, const json_t *root, char *why, size_t size)
{
    const char *schema = tmk_result_file_text(root, "schema");
    const json_t *tests = json_object_get(root, "tests");

    if (schema == NULL || strncmp(schema, "treemark-", 9) != 0 ||
        tmk_result_file_text(root, "kind") == NULL) {
        return refuse(why, size, "%s: these are no results of treemark", path);
    }
    if (strcmp(schema, "treemark-result/1") != 0) {
        return refuse(why, size, "%s: of another schema: %s", path, schema);
    }
    if (json_array_size(tests) == 0) {
        return refuse(why, size, "%s: there is no test in it", path);
    }
    return 0;
}

/* Whether there is something behind white space; it is not taken. */
static bool has_more(FILE *from)
{
    int next = fgetc(from);

    while (next == ' ' || next == '\n' || next == '\r' || next == '\t') {
        next = fgetc(from);
    }
    return next != EOF && ungetc(next, from) != EOF;
}

int tmk_result_file_each(const char *path, tmk_result_file_take *take,
                         void *state, char *why, size_t size)
{
    FILE *from = fopen(path, "re");
    unsigned n = 0;
    int err = 0;

    if (from == NULL) {
        return refuse(why, size, "%s: %s", path, strerror(errno));
    }
    while (err == 0 && has_more(from)) {
        json_error_t error;
        json_t *root = json_loadf(from, JSON_DISABLE_EOF_CHECK, &error);

        if (root == NULL) {
            err = refuse(why, size, "%s: no JSON, or cut: line %d: %s", path,
                         error.line, error.text);
            break;
        }
        n++;
        err = check(path, root, why, size);
        if (err == 0) {
            err = take(state, path, root);
        }
        json_decref(root);
    }
    if (err == 0 && ferror(from)) {
        err = refuse(why, size, "%s: %s", path,
                     strerror(errno != 0 ? errno : EIO));
    }
    (void)fclose(from);
    return err == 0 && n == 0 ? refuse(why, size, "%s: it is empty", path)
                              : err;
}
