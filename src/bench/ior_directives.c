/*
 * ior_directives: "blockSize=1m, testFile='/a, b'", by which -O and scripts set
 * what options set.
 */
#include "bench/ior_directives.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/opt_near.h"
#include "base/opt_set.h"
#include "base/quote.h"

enum { QUOTE_SIZE = 64 }; /* user text in a message, cut beyond */

static const char blanks[] = " \t\r";

/* Where directives go and where to complain. */
struct reader {
    const struct tmk_ior_reach *reach;
    bool in_script; /* comments are possible */
    bool later;     /* a test of the script is complete */
    char *why;
    size_t why_size;
};

/* A key and its value, slices of the text; a NULL value: there was no '='. */
struct directive {
    const char *key, *value;
    size_t key_length, value_length;
    bool quoted;
};

struct quoted {
    char text[QUOTE_SIZE];
};

struct found {
    const struct tmk_opt_table *table;
    const struct tmk_opt *row; /* NULL: nothing was found */
};

/* Explain an error, cut to the caller's buffer.  Returns -EINVAL. */
__attribute__((format(printf, 2, 3))) static int refuse(const struct reader *r,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(r->why, r->why_size, format, args);
    va_end(args);
    return -EINVAL;
}

static struct quoted quote(const char *text, size_t length)
{
    struct quoted q = {0};

    tmk_quote(q.text, sizeof(q.text), text, length);
    return q;
}

/* ---- strings that stay --------------------------------------------------- */

char *tmk_ior_texts_keep(void *texts, size_t bytes)
{
    struct tmk_ior_texts *t = texts;

    if (bytes > t->size - t->used) {
        return NULL;
    }
    t->used += bytes;
    return t->buf + t->used - bytes;
}

void tmk_ior_texts_fini(struct tmk_ior_texts *texts)
{
    free(texts->buf);
    *texts = (struct tmk_ior_texts){0};
}

/* ---- finding rows -------------------------------------------------------- */

/* Is a name, prefix included, these bytes, whatever their case? */
static bool is_name(const char *prefix, const char *row_name, const char *name,
                    size_t length)
{
    size_t before = prefix != NULL ? strlen(prefix) : 0;

    return row_name != NULL && length == before + strlen(row_name) &&
           (before == 0 || strncasecmp(name, prefix, before) == 0) &&
           strncasecmp(name + before, row_name, length - before) == 0;
}

static const struct tmk_opt *find_in(const struct tmk_opt *rows, size_t n,
                                     const char *prefix, const char *name,
                                     size_t length)
{
    for (size_t i = 0; i < n; i++) {
        if (is_name(prefix, rows[i].name, name, length) ||
            is_name(prefix, rows[i].also, name, length)) {
            return &rows[i];
        }
    }
    return NULL;
}

const struct tmk_opt *tmk_ior_directive_row(const char *name, size_t length)
{
    return find_in(tmk_ior_opts, tmk_ior_n_opts, NULL, name, length);
}

static bool is_long(const struct directive *d)
{
    return d->key_length > 2 && memcmp(d->key, "--", 2) == 0;
}

static bool is_letter(const struct directive *d)
{
    return d->key_length == 2 && d->key[0] == '-' && d->key[1] != '-';
}

static struct found find(const struct reader *r, const struct directive *d)
{
    size_t dashes = is_long(d) ? 2 : 0;

    for (size_t t = 0; t < r->reach->n_tables; t++) {
        const struct tmk_opt_table *table = &r->reach->tables[t];
        const struct tmk_opt *row = NULL;

        if (!is_letter(d)) {
            row = find_in(table->rows, table->n_rows, table->prefix,
                          d->key + dashes, d->key_length - dashes);
        }
        for (size_t i = 0; is_letter(d) && i < table->n_rows; i++) {
            row = table->rows[i].key == d->key[1] ? &table->rows[i] : row;
        }
        if (row != NULL) {
            return (struct found){table, row};
        }
    }
    return (struct found){NULL, NULL};
}

/* Why a key is not to be had; NULL: never heard of it. */
static const char *find_gone(const struct reader *r, const struct directive *d)
{
    char spelled[QUOTE_SIZE];
    int n = snprintf(spelled, sizeof(spelled), "%s%.*s",
                     d->key[0] == '-' ? "" : "--", (int)d->key_length, d->key);

    if (n < 0 || (size_t)n >= sizeof(spelled)) {
        return NULL;
    }
    for (size_t t = 0; t < r->reach->n_tables; t++) {
        for (size_t i = 0; i < r->reach->tables[t].n_gone; i++) {
            const struct tmk_opt_gone *gone = &r->reach->tables[t].gone[i];
            size_t length = strlen(gone->name);
            bool many = gone->name[length - 1] == '.' || /* "--hdf5." */
                        gone->name[length - 1] == '-';
            int differs = is_letter(d) ? strcmp(spelled, gone->name)
                          : many ? strncasecmp(spelled, gone->name, length)
                                 : strcasecmp(spelled, gone->name);

            if (differs == 0) {
                return gone->why;
            }
        }
    }
    return NULL;
}

/* ---- one directive ------------------------------------------------------- */

/* Old scripts switch off what they do not want: the manual's example lists
 * every key there was. */
static bool asks_for_nothing(const struct directive *d)
{
    static const char alignment[] = "setAlignment";
    const size_t n = sizeof(alignment) - 1;

    return d->value != NULL && d->value_length == 1 &&
           (d->value[0] == '0' || (d->value[0] == '1' && d->key_length == n &&
                                   strncasecmp(d->key, alignment, n) == 0));
}

static int refuse_unknown(const struct reader *r, const struct directive *d)
{
    const char *why = find_gone(r, d);
    size_t dashes = is_long(d) ? 2 : 0;
    struct quoted key = quote(d->key, d->key_length);
    char near[QUOTE_SIZE];

    if (why != NULL && d->key[0] != '-' && asks_for_nothing(d)) {
        return 0;
    }
    if (why != NULL) {
        return refuse(r, "%s: %s", key.text, why);
    }
    if (!is_letter(d) &&
        tmk_opt_near(r->reach->tables, r->reach->n_tables, d->key + dashes,
                     d->key_length - dashes, near, sizeof(near))) {
        return refuse(r, "%s: no such directive (is %s%s meant?)", key.text,
                      dashes != 0 ? "--" : "", near);
    }
    return refuse(r, "%s: no such directive", key.text);
}

/* Is it of the launch, not of a test? */
static bool is_of_launch(const struct tmk_opt *row)
{
    static const char *const names[] = {
        "json",
        "csv",
        "label",
        "trace",
        "progress",
        "grace",
        "dryRun",
        "summaryFormat",
        "summaryFile",
        "saveRankPerformanceDetailsCSV",
        "savePerOpDataCSV",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (row->name != NULL && strcmp(row->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* May this row be set by a directive, here? */
static int check_row(const struct reader *r, struct found f, const char *option)
{
    bool own = f.table == &r->reach->tables[0];

    if (own && f.row->key == 'f') {
        return refuse(r, "%s: a script cannot be named by a directive", option);
    }
    if (own && f.row->key == 'O') {
        return refuse(r, "%s: directives need no option among directives",
                      option);
    }
    if (own && r->later && is_of_launch(f.row)) {
        return refuse(r,
                      "%s: concerns all tests: it must stand before the first "
                      "RUN",
                      option);
    }
    return 0;
}

static int apply(const struct reader *r, const struct directive *d)
{
    struct found f = find(r, d);
    struct quoted option = quote(d->key, d->key_length);
    char *text = NULL;
    int err;

    if (f.row == NULL) {
        return refuse_unknown(r, d);
    }
    err = check_row(r, f, option.text);
    if (err != 0) {
        return err;
    }
    if (d->value == NULL && d->key[0] == '-' && f.row->value_optional) {
        return tmk_opt_set(f.table, f.row, option.text, NULL, r->why,
                           r->why_size);
    }
    if (d->value == NULL && d->key[0] == '-' &&
        f.row->kind == TMK_OPT_KIND_FLAG) {
        return tmk_opt_set(f.table, f.row, option.text, "1", r->why,
                           r->why_size);
    }
    if (d->value == NULL || (d->value_length == 0 && !d->quoted)) {
        return refuse(r, "%s: value missing (%s=%s)", option.text, option.text,
                      f.row->arg != NULL ? f.row->arg : "1");
    }
    text = r->reach->keep(r->reach->arg, d->value_length + 1);
    if (text == NULL) {
        (void)refuse(r, "out of memory");
        return -ENOMEM;
    }
    memcpy(text, d->value, d->value_length);
    text[d->value_length] = '\0';
    return tmk_opt_set(f.table, f.row, option.text, text, r->why, r->why_size);
}

/* ---- lists --------------------------------------------------------------- */

/* Does the directive, or the whole list, end here? */
static bool is_end(const struct reader *r, char c)
{
    return c == '\0' || c == ',' || (c == '#' && r->in_script);
}

/* The value at *s, which is moved behind it. */
static int cut_value(const struct reader *r, struct directive *d,
                     const char **s)
{
    const char *at = *s;
    const char *close;

    d->quoted = *at == '\'' || *at == '"';
    if (!d->quoted) {
        d->value = at;
        d->value_length = strcspn(at, ",# \t\r");
        *s = at + d->value_length;
        return 0;
    }
    close = strchr(at + 1, *at);
    if (close == NULL) {
        return refuse(r, "%s: the quote %c is not closed",
                      quote(d->key, d->key_length).text, *at);
    }
    d->value = at + 1;
    d->value_length = (size_t)(close - d->value);
    *s = close + 1;
    return 0;
}

/* Something follows the value that is neither a comma nor the end. */
static int refuse_rest(const struct reader *r, const struct directive *d,
                       const char *rest)
{
    struct quoted key = quote(d->key, d->key_length);

    if (*rest == '#') {
        return refuse(r, "%s: '#' begins a comment: put the value in quotes",
                      key.text);
    }
    return refuse(r,
                  "%s: stray '%s' after the value (a comma between "
                  "directives, or quotes around a value with blanks)",
                  key.text, quote(rest, strcspn(rest, ",")).text);
}

/* Read the directive at *s, which is moved behind it. */
static int read_one(const struct reader *r, const char **s)
{
    struct directive d = {.key = *s, .key_length = strcspn(*s, "=,# \t\r")};
    int err = 0;

    *s += d.key_length;
    *s += strspn(*s, blanks);
    if (d.key_length == 0) {
        return refuse(r, "'%s': a directive has a name before the '='",
                      quote(d.key, strcspn(d.key, ",")).text);
    }
    if (**s == '=') {
        ++*s;
        *s += strspn(*s, blanks);
        err = cut_value(r, &d, s);
        *s += strspn(*s, blanks);
    } else if (!is_end(r, **s)) {
        return refuse(r, "%s: '=' missing before '%s'",
                      quote(d.key, d.key_length).text,
                      quote(*s, strcspn(*s, ",")).text);
    }
    if (err == 0 && !is_end(r, **s)) {
        err = refuse_rest(r, &d, *s);
    }
    return err == 0 ? apply(r, &d) : err;
}

/* Read all directives; *n counts them. */
static int read_list(const struct reader *r, const char *text, size_t *n)
{
    const char *s = text;

    for (;;) {
        int err;

        s += strspn(s, ", \t\r\n");
        if (*s == '\0' || (*s == '#' && r->in_script)) {
            return 0;
        }
        err = read_one(r, &s);
        if (err != 0) {
            return err;
        }
        ++*n;
    }
}

/* The same while other names of engines' options find these tables. */
static int read_reaching(const struct reader *r, const char *text, size_t *n)
{
    struct tmk_ior_conf *conf = r->reach->tables[0].conf;
    const struct tmk_ior_reach *before = conf->reach;
    int err;

    conf->reach = r->reach;
    err = read_list(r, text, n);
    conf->reach = before;
    return err;
}

int tmk_ior_directives(const struct tmk_opt_table *tables, size_t n_tables,
                       const char *text, char *(*keep)(void *arg, size_t bytes),
                       void *arg, char *why, size_t why_size)
{
    const struct tmk_ior_reach reach = {
        .tables = tables,
        .n_tables = n_tables,
        .keep = keep,
        .arg = arg,
    };
    struct reader r = {.reach = &reach, .why_size = why_size};
    size_t n = 0;
    int err;

    r.why = why;
    err = read_reaching(&r, text, &n);
    if (err == 0 && n == 0) {
        err = refuse(&r, "no directive (segmentCount=3,fsync=1 are)");
    }
    return err;
}

int tmk_ior_directives_line(const struct tmk_ior_reach *reach, bool later,
                            const char *line, char *why, size_t why_size)
{
    struct reader r = {
        .reach = reach,
        .in_script = true,
        .later = later,
        .why_size = why_size,
    };
    size_t n = 0;

    r.why = why;
    return read_reaching(&r, line, &n);
}

int tmk_ior_parse(const struct tmk_opt_table *tables, size_t n_tables, int argc,
                  char *const argv[], struct tmk_ior_texts *texts, char *why,
                  size_t why_size)
{
    struct tmk_ior_conf *conf = tables[0].conf;
    const struct tmk_ior_reach reach = {
        .tables = tables,
        .n_tables = n_tables,
        .keep = tmk_ior_texts_keep,
        .arg = texts,
    };
    size_t bytes = 1;
    int err;

    assert(tables[0].rows == tmk_ior_opts);
    for (int i = 1; i < argc && argv[i] != NULL; i++) {
        bytes += strlen(argv[i]) + 1;
    }
    *texts = (struct tmk_ior_texts){.buf = malloc(bytes), .size = bytes};
    if (texts->buf == NULL) {
        (void)snprintf(why, why_size, "out of memory");
        return -ENOMEM;
    }
    conf->reach = &reach;
    err = tmk_opt_parse(tables, n_tables, argc, argv, why, why_size);
    conf->reach = NULL;
    return err;
}
