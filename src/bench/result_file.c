/*
 * result_file: JSON of results, object by object.
 */
#include "bench/result_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/why.h"

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
    char quoted[64];

    if (schema == NULL || strncmp(schema, "treemark-", 9) != 0 ||
        tmk_result_file_text(root, "kind") == NULL) {
        return tmk_why(why, size, "%s: JSON, but no results of treemark", path);
    }
    if (strcmp(schema, "treemark-result/1") != 0) {
        tmk_quote(quoted, sizeof(quoted), schema, strlen(schema));
        return tmk_why(why, size,
                       "%s: of another schema: %s (treemark-result/1 is read)",
                       path, quoted);
    }
    if (json_array_size(tests) == 0) {
        return tmk_why(why, size, "%s: there is no test in it", path);
    }
    return 0;
}

/* What jansson quotes of the file may be anything, and is left out. */
static int refuse_text(const char *path, json_error_t *error, char *why,
                       size_t size)
{
    char *near = strstr(error->text, " near '");

    if (near != NULL) {
        *near = '\0';
    }
    return tmk_why(why, size,
                   "%s: no JSON, or cut: line %d: %s (treemark import makes "
                   "JSON of text)",
                   path, error->line, error->text);
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
        return tmk_why(why, size, "%s: %s", path, strerror(errno));
    }
    errno = 0;
    while (err == 0 && has_more(from)) {
        json_error_t error;
        json_t *root = json_loadf(from, JSON_DISABLE_EOF_CHECK, &error);

        if (root == NULL) {
            err = refuse_text(path, &error, why, size);
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
        err = tmk_why(why, size, "%s: %s", path,
                      strerror(errno != 0 ? errno : EIO));
    }
    (void)fclose(from);
    return err == 0 && n == 0 ? tmk_why(why, size, "%s: it is empty", path)
                              : err;
}
