/*
 * mpiio_hints: hints for MPI-IO, as they are written for ior.
 */
#include "engine/mpiio_hints.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

static const char blank[] = " \t\r\n\v\f";

void tmk_mpiio_hints_fini(struct tmk_mpiio_hints *hints)
{
    free(hints->text);
    *hints = (struct tmk_mpiio_hints){0};
}

/* One more pair, of texts that need not end with a NUL. */
static int add(struct tmk_mpiio_hints *hints, const char *name, size_t name_n,
               const char *value, size_t value_n)
{
    size_t more = name_n + value_n + 2;
    char *text = realloc(hints->text, hints->length + more);

    if (text == NULL) {
        return -ENOMEM;
    }
    hints->text = text;
    text += hints->length;
    hints->length += more;
    memcpy(text, name, name_n);
    text[name_n] = '\0';
    memcpy(text + name_n + 1, value, value_n);
    text[more - 1] = '\0';
    return 0;
}

/* Its length without the blanks at its end. */
static size_t trimmed(const char *text, size_t n)
{
    while (n > 0 && strchr(blank, text[n - 1]) != NULL) {
        n--;
    }
    return n;
}

/* "name = value", of which the name is not empty.  0, -EINVAL or -ENOMEM. */
static int add_pair(struct tmk_mpiio_hints *hints, const char *text)
{
    const char *equals = strchr(text, '=');
    const char *value;
    size_t name_n;

    if (equals == NULL) {
        return -EINVAL;
    }
    text += strspn(text, blank);
    name_n = trimmed(text, (size_t)(equals - text));
    value = equals + 1 + strspn(equals + 1, blank);
    return name_n != 0
               ? add(hints, text, name_n, value, trimmed(value, strlen(value)))
               : -EINVAL;
}

/* What stands behind IOR_HINT__MPI__ or the other, else NULL. */
static const char *behind_prefix(const char *text)
{
    static const char *const prefixes[] = {"IOR_HINT__MPI__",
                                           "IOR_HINT__GPFS__"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t n = strlen(prefixes[i]);

        if (strncmp(text, prefixes[i], n) == 0) {
            return text + n;
        }
    }
    return NULL;
}

int tmk_mpiio_hints_add_env(struct tmk_mpiio_hints *hints, char *const *env,
                            char *why, size_t why_size)
{
    static const char any[] = "IOR_HINT__";
    int err = 0;

    for (size_t i = 0; env[i] != NULL && err == 0; i++) {
        const char *pair = behind_prefix(env[i]);
        char quoted[128];

        if (strncmp(env[i], any, sizeof(any) - 1) != 0) {
            continue;
        }
        err = pair != NULL ? add_pair(hints, pair) : -EINVAL;
        if (err != 0) {
            tmk_quote(quoted, sizeof(quoted), env[i], strlen(env[i]));
            (void)snprintf(why, why_size,
                           err == -EINVAL
                               ? "%s is no hint: IOR_HINT__MPI__NAME=VALUE is"
                               : "%s: out of memory",
                           quoted);
        }
    }
    return err;
}

/* A line of a file. */
static int add_line(struct tmk_mpiio_hints *hints, const char *line)
{
    const char *pair;

    line += strspn(line, blank);
    if (line[0] == '\0' || line[0] == '#') {
        return 0;
    }
    pair = behind_prefix(line);
    return add_pair(hints, pair != NULL ? pair : line);
}

int tmk_mpiio_hints_add_file(struct tmk_mpiio_hints *hints, const char *path,
                             char *why, size_t why_size)
{
    FILE *from = fopen(path, "r");
    size_t number = 0;
    size_t size = 0;
    char *line = NULL;
    int err = from != NULL ? 0 : -errno;

    while (from != NULL && err == 0) {
        errno = 0; /* tells an error from the end */
        if (getline(&line, &size, from) < 0) {
            err = -errno;
            break;
        }
        number++;
        err = add_line(hints, line);
        if (err == -EINVAL) {
            (void)snprintf(why, why_size,
                           "hints file %s, line %zu: no NAME = VALUE", path,
                           number);
        }
    }
    if (err != 0 && err != -EINVAL) {
        (void)snprintf(why, why_size, "hints file %s: %s", path,
                       strerror(-err));
    }
    free(line);
    if (from != NULL) {
        fclose(from);
    }
    return err;
}

const char *tmk_mpiio_hints_next(const struct tmk_mpiio_hints *hints,
                                 const char *name, const char **value)
{
    if (name == NULL) {
        name = hints->text;
    } else {
        name += strlen(name) + 1;
        name += strlen(name) + 1;
    }
    if (name == NULL || name == hints->text + hints->length) {
        return NULL;
    }
    *value = name + strlen(name) + 1;
    return name;
}

/* What MPI takes. */
static int check(const struct tmk_mpiio_hints *hints, size_t name_size,
                 size_t value_size, char *why, size_t why_size)
{
    const char *value = NULL;
    const char *name = tmk_mpiio_hints_next(hints, NULL, &value);

    if (hints->length > TMK_MPIIO_HINTS_MOST) {
        (void)snprintf(why, why_size, "hints: more than %d bytes",
                       TMK_MPIIO_HINTS_MOST);
        return -EINVAL;
    }
    while (name != NULL) {
        if (strlen(name) >= name_size || strlen(value) >= value_size) {
            char quoted[64];

            tmk_quote(quoted, sizeof(quoted), name, strlen(name));
            (void)snprintf(why, why_size,
                           "hint %s: MPI takes names up to %zu and values up "
                           "to %zu bytes",
                           quoted, name_size - 1, value_size - 1);
            return -EINVAL;
        }
        name = tmk_mpiio_hints_next(hints, name, &value);
    }
    return 0;
}

int tmk_mpiio_hints_read(struct tmk_mpiio_hints *hints, char *const *env,
                         const char *path, size_t name_size, size_t value_size,
                         char *why, size_t why_size)
{
    int err = tmk_mpiio_hints_add_env(hints, env, why, why_size);

    if (err == 0 && path != NULL) {
        err = tmk_mpiio_hints_add_file(hints, path, why, why_size);
    }
    return err != 0 ? err : check(hints, name_size, value_size, why, why_size);
}
