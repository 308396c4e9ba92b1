/*
 * Option rows: a command line into structs, --help and values as text.
 *
 * A token is cut up from left to right, at the first '=' and after the first
 * letter that takes a value:
 *
 *     --name=value    -n2k    -n=2k    -FCn 10    -FCn10    -FC=0
 *       name value     n 2k    n 2k     F C n 10   F C n 10  F and C set to 0
 *
 * What was attached to a letter is its value to the end of the token, and
 * never looked at as letters again.
 */
#include "base/opt.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "base/opt_near.h"
#include "base/opt_set.h"
#include "base/quote.h"

enum {
    SPELLING_SIZE = 64, /* an option in a message */
    HELP_COLUMN = 30
};

/* A row and the table it stands in. */
struct found {
    const struct tmk_opt_table *table;
    const struct tmk_opt *row; /* NULL: nothing was found */
};

/* The option at hand as the user wrote it, printable. */
struct spelling {
    char text[SPELLING_SIZE];
};

/* What a token ended in without a value; no row: it had one. */
struct flag {
    struct found found;
    struct spelling option;
};

/* Where we are in the command line and where to complain. */
struct reader {
    const struct tmk_opt_table *tables;
    size_t n_tables;
    int argc;
    char *const *argv;
    int next; /* the argv element that a valued option may take */
    struct flag flag;
    char *why;
    size_t why_size;
};

/* Does a number begin here? */
static bool is_number(const char *s)
{
    s += *s == '-';
    return *s >= '0' && *s <= '9';
}

/* Explain an error, cut to the caller's buffer.  Returns -EINVAL. */
__attribute__((format(printf, 2, 3))) static int refuse(const struct reader *r,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->why, r->why_size, format, args);
    va_end(args);
    return -EINVAL;
}

/* Spell the option that `length` bytes of a token name. */
static struct spelling spell(const char *token, size_t length)
{
    struct spelling s = {0};

    tmk_quote(s.text, sizeof(s.text), token, length);
    return s;
}

static struct spelling spell_key(char key)
{
    const char token[2] = {'-', key};

    return spell(token, sizeof(token));
}

static struct found find_key(const struct reader *r, char key)
{
    for (size_t t = 0; t < r->n_tables; t++) {
        const struct tmk_opt_table *table = &r->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            if (table->rows[i].key == key) {
                return (struct found){table, &table->rows[i]};
            }
        }
    }
    return (struct found){NULL, NULL};
}

/* Is the long name, prefix included, the first `length` bytes of name? */
static bool is_name(const char *prefix, const char *row_name, const char *name,
                    size_t length)
{
    size_t before = prefix != NULL ? strlen(prefix) : 0;

    return row_name != NULL && length == before + strlen(row_name) &&
           (before == 0 || memcmp(name, prefix, before) == 0) &&
           memcmp(name + before, row_name, length - before) == 0;
}

static struct found find_name(const struct reader *r, const char *name,
                              size_t length)
{
    for (size_t t = 0; t < r->n_tables; t++) {
        const struct tmk_opt_table *table = &r->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            if (is_name(table->prefix, table->rows[i].name, name, length) ||
                is_name(table->prefix, table->rows[i].also, name, length)) {
                return (struct found){table, &table->rows[i]};
            }
        }
    }
    return (struct found){NULL, NULL};
}

/* A name in the table of those not to be had that ends like this stands for
 * all that begin with it. */
static bool is_prefix(const char *name, size_t n)
{
    return n > 0 && (name[n - 1] == '.' || name[n - 1] == '-');
}

/*
 * Why a spelling ("-x", "--long") is not to be had, itself or as one of many;
 * NULL: never heard of it.
 */
static const char *find_gone(const struct reader *r, const char *spelled,
                             size_t length, bool many)
{
    for (size_t t = 0; t < r->n_tables; t++) {
        for (size_t i = 0; i < r->tables[t].n_gone; i++) {
            const struct tmk_opt_gone *gone = &r->tables[t].gone[i];
            size_t n = strlen(gone->name);

            if (is_prefix(gone->name, n) == many &&
                (many ? length > n : length == n) &&
                memcmp(spelled, gone->name, n) == 0) {
                return gone->why;
            }
        }
    }
    return NULL;
}

static void *field_of(struct found f)
{
    return (char *)f.table->conf + f.row->offset;
}

/* Does the option go without a value as well as with one? */
static bool is_optional(const struct tmk_opt *row)
{
    return row->kind == TMK_OPT_KIND_CALL && row->value_optional;
}

/* Put a value into its field; NULL for an option that came without its own. */
static int set_value(const struct reader *r, struct found f, const char *option,
                     const char *text)
{
    return tmk_opt_set(f.table, f.row, option, text, r->why, r->why_size);
}

static int refuse_missing(const struct reader *r, const char *option,
                          const struct tmk_opt *row)
{
    if (row->arg == NULL) {
        return refuse(r, "%s: value missing", option);
    }
    return refuse(r, "%s: value missing (%s %s)", option, option, row->arg);
}

/* Take a value that was attached with '='. */
static int take_after_equals(const struct reader *r, struct found f,
                             const char *option, const char *text)
{
    if (*text == '\0') {
        return refuse_missing(r, option, f.row);
    }
    return set_value(r, f, option, text);
}

/* Take the next argv element as the value, whatever it looks like. */
static int take_next(struct reader *r, struct found f, const char *option)
{
    if (r->next >= r->argc || r->argv[r->next] == NULL) {
        return refuse_missing(r, option, f.row);
    }
    return set_value(r, f, option, r->argv[r->next++]);
}

static int count_flag(struct found f)
{
    unsigned *count = field_of(f);

    if (*count < UINT_MAX) {
        ++*count;
    }
    return 0;
}

/* A long option that no row has: of the past, misspelt, or unknown. */
static int refuse_long(const struct reader *r, const char *token, size_t length)
{
    struct spelling option = spell(token, length);
    const char *why = find_gone(r, token, length, false);
    char near[SPELLING_SIZE];

    if (why == NULL && tmk_opt_near(r->tables, r->n_tables, token + 2,
                                    length - 2, near, sizeof(near))) {
        return refuse(r, "%s: no such option (is --%s meant?)", option.text,
                      near);
    }
    if (why == NULL) {
        why = find_gone(r, token, length, true);
    }
    if (why != NULL) {
        return refuse(r, "%s: %s", option.text, why);
    }
    if (length == 3 && find_key(r, token[2]).row != NULL) {
        return refuse(r, "%s: no such option (is -%c meant?)", option.text,
                      token[2]);
    }
    return refuse(r, "%s: no such option", option.text);
}

static int read_long(struct reader *r, const char *token)
{
    const char *name = token + 2;
    size_t length = strcspn(name, "=");
    struct spelling option = spell(token, length + 2);
    struct found f = find_name(r, name, length);

    if (f.row != NULL) {
        if (name[length] == '=') {
            return take_after_equals(r, f, option.text, name + length + 1);
        }
        r->flag = (struct flag){f, option};
        if (f.row->kind == TMK_OPT_KIND_FLAG) {
            return count_flag(f);
        }
        if (is_optional(f.row)) {
            return set_value(r, f, option.text, NULL);
        }
        r->flag.found.row = NULL;
        return take_next(r, f, option.text);
    }
    if (strcmp(token, "--help") == 0) {
        return TMK_OPT_HELP;
    }
    return refuse_long(r, token, length + 2);
}

/* Is it --name or --name=value, but for the dashes? */
static bool is_long_name(const struct reader *r, const char *text)
{
    return find_name(r, text, strcspn(text, "=")).row != NULL;
}

/* A letter that no row has: help, an option of the past, or an error. */
static int refuse_letter(const struct reader *r, const char *token,
                         const char *at)
{
    struct spelling option = spell_key(*at);
    struct spelling whole = spell(token, strlen(token));
    const char letter[2] = {'-', *at};
    const char *why;

    if (*at == 'h') {
        return TMK_OPT_HELP;
    }
    why = find_gone(r, letter, sizeof(letter), false);
    if (why != NULL) {
        return refuse(r, "%s: %s", option.text, why);
    }
    if (is_long_name(r, token + 1)) {
        return refuse(r, "%s: no such option in '%s' (is -%s meant?)",
                      option.text, whole.text, whole.text);
    }
    if (at > token + 1 && is_number(at)) {
        return refuse(r, "%s: takes no value, but has one in '%s'",
                      spell_key(at[-1]).text, whole.text);
    }
    if (token[2] == '\0') {
        return refuse(r, "%s: no such option", option.text);
    }
    return refuse(r, "%s: no such option in '%s'", option.text, whole.text);
}

/*
 * The value of the letter whose attached text starts at `rest`.  Behind other
 * letters only a number or '=' can be a value: "-Fn10", but not "-Fnu".
 */
static int read_letter_value(struct reader *r, struct found f,
                             const char *token, const char *rest)
{
    struct spelling option = spell_key(rest[-1]);
    bool first = rest == token + 2;

    if (*rest == '\0') {
        return take_next(r, f, option.text);
    }
    if (*rest == '=') {
        return take_after_equals(r, f, option.text, rest + 1);
    }
    if (first || is_number(rest)) {
        return set_value(r, f, option.text, rest);
    }
    if (is_long_name(r, token + 1)) {
        return refuse(r, "%s: value missing in '%s' (is -%s meant?)",
                      option.text, spell(token, strlen(token)).text,
                      spell(token, strlen(token)).text);
    }
    return refuse(r, "%s: value missing in '%s' (-%c must be the last letter)",
                  option.text, spell(token, strlen(token)).text, rest[-1]);
}

/* Is the token letters of flags and then '='?  Then it sets all of them. */
static bool is_flags_with_value(const struct reader *r, const char *token)
{
    size_t i;

    for (i = 1; token[i] != '\0' && token[i] != '='; i++) {
        struct found f = find_key(r, token[i]);

        if (f.row == NULL || f.row->kind != TMK_OPT_KIND_FLAG) {
            return false;
        }
    }
    return i > 1 && token[i] == '=';
}

/* Is what follows the letter its value? */
static bool takes_value(const struct tmk_opt *row, const char *rest)
{
    if (row->kind == TMK_OPT_KIND_FLAG) {
        return row->number_may_follow && is_number(rest);
    }
    return !is_optional(row) || *rest == '=' || is_number(rest);
}

static int read_short(struct reader *r, const char *token)
{
    const char *flags_value =
        is_flags_with_value(r, token) ? strchr(token, '=') : NULL;
    int err = 0;

    for (const char *s = token + 1; *s != '\0' && err == 0; s++) {
        struct found f = find_key(r, *s);

        if (s == flags_value) {
            break;
        }
        if (f.row == NULL) {
            return refuse_letter(r, token, s);
        }
        if (flags_value != NULL) {
            err = take_after_equals(r, f, spell_key(*s).text, flags_value + 1);
        } else if (takes_value(f.row, s + 1)) {
            return read_letter_value(r, f, token, s + 1);
        } else {
            err = is_optional(f.row) ? set_value(r, f, spell_key(*s).text, NULL)
                                     : count_flag(f);
            r->flag = (struct flag){f, spell_key(*s)};
        }
    }
    return err;
}

/* "-v 1" is "-v=1" where the row says so; other stray words are refused. */
static int read_stray(struct reader *r, const char *word, struct flag flag)
{
    const struct tmk_opt *row = flag.found.row;
    const char *option = flag.option.text;
    struct spelling s = spell(word, strlen(word));

    if (row == NULL || !is_number(word)) {
        return refuse(r, "stray word '%s': there are no positional arguments",
                      s.text);
    }
    if (row->number_may_follow) {
        return set_value(r, flag.found, option, word);
    }
    if (is_optional(row)) {
        return refuse(r, "stray word '%s' after %s (is %s%s%s meant?)", s.text,
                      option, option, option[1] == '-' ? "=" : "", s.text);
    }
    return refuse(r, "stray word '%s' after %s, which takes no value", s.text,
                  option);
}

int tmk_opt_parse(const struct tmk_opt_table *tables, size_t n_tables, int argc,
                  char *const argv[], char *why, size_t why_size)
{
    struct reader r = {
        .tables = tables,
        .n_tables = n_tables,
        .argc = argc,
        .argv = argv,
        .next = 1,
    };
    int err = 0;

    r.why = why;
    r.why_size = why_size;
    while (err == 0 && r.next < argc && argv[r.next] != NULL) {
        const char *token = argv[r.next++];
        struct flag flag = r.flag;

        r.flag.found.row = NULL;
        if (token[0] != '-' || token[1] == '\0' || strcmp(token, "--") == 0) {
            err = read_stray(&r, token, flag);
        } else if (token[1] == '-') {
            err = read_long(&r, token);
        } else {
            err = read_short(&r, token);
        }
    }
    return err;
}

void tmk_opt_show(const struct tmk_opt *row, const void *conf, char *buf,
                  size_t size)
{
    const void *field = (const char *)conf + row->offset;
    const char *text = "";

    if (size == 0) {
        return;
    }
    buf[0] = '\0';
    switch (row->kind) {
    case TMK_OPT_KIND_FLAG:
        snprintf(buf, size, "%u", *(const unsigned *)field);
        return;
    case TMK_OPT_KIND_INT:
        snprintf(buf, size, "%d", *(const int *)field);
        return;
    case TMK_OPT_KIND_I64:
        snprintf(buf, size, "%jd", (intmax_t) * (const int64_t *)field);
        return;
    case TMK_OPT_KIND_U64:
        snprintf(buf, size, "%ju", (uintmax_t) * (const uint64_t *)field);
        return;
    case TMK_OPT_KIND_STR: text = *(const char *const *)field; break;
    case TMK_OPT_KIND_CHOICE: text = row->choices[*(const int *)field]; break;
    case TMK_OPT_KIND_CALL: row->show(field, buf, size); return;
    }
    snprintf(buf, size, "%s", text != NULL ? text : "");
}

/* "-x, --long=ARG"; returns its length. */
static size_t print_spelling(const struct tmk_opt_table *table,
                             const struct tmk_opt *row, FILE *to)
{
    const char *prefix = table->prefix != NULL ? table->prefix : "";
    int n = 0;

    if (row->key != '\0') {
        n += fprintf(to, "-%c%s", row->key, row->name != NULL ? ", " : "");
    }
    if (row->name != NULL) {
        n += fprintf(to, "--%s%s", prefix, row->name);
    }
    if (row->also != NULL) {
        n += fprintf(to, ", --%s%s", prefix, row->also);
    }
    if (row->arg != NULL) {
        n += fprintf(to, row->value_optional ? "[=%s]" : "=%s", row->arg);
    }
    return n > 0 ? (size_t)n : 0;
}

void tmk_opt_name(const struct tmk_opt_table *table, const struct tmk_opt *row,
                  char *buf, size_t size)
{
    const char *prefix = table->prefix != NULL ? table->prefix : "";

    if (row->name != NULL) {
        (void)snprintf(buf, size, "%s%s", prefix, row->name);
    } else {
        (void)snprintf(buf, size, "%s%c", prefix, row->key);
    }
}

/* Whether the value could be given, and does not only mean that none was. */
static bool is_told(const struct tmk_opt_table *table,
                    const struct tmk_opt *row)
{
    const void *field = (const char *)table->conf + row->offset;

    return row->kind != TMK_OPT_KIND_FLAG &&
           (row->kind != TMK_OPT_KIND_INT || *(const int *)field >= row->min);
}

static void print_row(const struct tmk_opt_table *table,
                      const struct tmk_opt *row, FILE *to)
{
    char value[256];
    char quoted[256];
    size_t column = 2;

    fputs("  ", to);
    column += print_spelling(table, row, to);
    if (column + 2 > HELP_COLUMN) {
        fputc('\n', to);
        column = 0;
    }
    fprintf(to, "%*s%s", (int)(HELP_COLUMN - column), "", row->help);
    if (is_told(table, row)) {
        tmk_opt_show(row, table->conf, value, sizeof(value));
        tmk_quote(quoted, sizeof(quoted), value, strlen(value));
        if (quoted[0] != '\0') {
            fprintf(to, " [%s]", quoted);
        }
    }
    fputc('\n', to);
}

void tmk_opt_help(const struct tmk_opt_table *tables, size_t n_tables, FILE *to)
{
    bool first = true;

    for (size_t t = 0; t < n_tables; t++) {
        if (tables[t].n_rows == 0) {
            continue;
        }
        fprintf(to, "%s%s\n", first ? "" : "\n", tables[t].title);
        first = false;
        for (size_t i = 0; i < tables[t].n_rows; i++) {
            print_row(&tables[t], &tables[t].rows[i], to);
        }
    }
}
