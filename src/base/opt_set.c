/*
 * opt_set: a text into the field of an option row.
 */
#include "base/opt_set.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "base/quote.h"
#include "base/units.h"

enum { QUOTE_SIZE = 64 }; /* user text in a message, cut beyond */

/* What is set, and where to complain. */
struct setting {
    const struct tmk_opt *row;
    void *field;
    const char *option, *text;
    char *why;
    size_t why_size;
};

struct quoted {
    char text[QUOTE_SIZE];
};

/* Explain an error, cut to the caller's buffer.  Returns -EINVAL. */
__attribute__((format(printf, 2, 3))) static int refuse(const struct setting *s,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(s->why, s->why_size, format, args);
    va_end(args);
    return -EINVAL;
}

static struct quoted quote(const char *text)
{
    struct quoted q = {0};

    tmk_quote(q.text, sizeof(q.text), text, strlen(text));
    return q;
}

/* The number is too far on one side: say where that side ends. */
static int refuse_range(const struct setting *s, int64_t least, uint64_t most,
                        bool below)
{
    struct quoted value = quote(s->text);

    if (below) {
        return refuse(s, "%s: %s is too small (%jd is the least)", s->option,
                      value.text, (intmax_t)least);
    }
    return refuse(s, "%s: %s is too large (%ju is the most)", s->option,
                  value.text, (uintmax_t)most);
}

static int refuse_number(const struct setting *s, int64_t least, uint64_t most,
                         int err)
{
    if (err == -ERANGE) {
        return refuse_range(s, least, most,
                            s->text[strspn(s->text, " \t")] == '-');
    }
    return refuse(s, "%s: '%s' is not a whole number (10, 4k and 2m are)",
                  s->option, quote(s->text).text);
}

/* A signed number of a type that holds lo ... hi, within the row's range. */
static int read_signed(const struct setting *s, int64_t lo, int64_t hi,
                       int64_t *value)
{
    const struct tmk_opt *row = s->row;
    int64_t least = row->min > lo ? row->min : lo;
    int64_t most =
        row->max != 0 && row->max < (uint64_t)hi ? (int64_t)row->max : hi;
    int err = tmk_units_parse_i64(s->text, value);

    if (err != 0) {
        return refuse_number(s, least, (uint64_t)most, err);
    }
    if (*value < least || *value > most) {
        return refuse_range(s, least, (uint64_t)most, *value < least);
    }
    return 0;
}

/* The same for an unsigned number of a type that holds 0 ... hi. */
static int read_unsigned(const struct setting *s, uint64_t hi, uint64_t *value)
{
    const struct tmk_opt *row = s->row;
    int64_t least = row->min > 0 ? row->min : 0;
    uint64_t most = row->max != 0 && row->max < hi ? row->max : hi;
    int err = tmk_units_parse_u64(s->text, value);

    if (err != 0) {
        return refuse_number(s, least, most, err);
    }
    if (*value < (uint64_t)least || *value > most) {
        return refuse_range(s, least, most, *value < (uint64_t)least);
    }
    return 0;
}

static int set_choice(const struct setting *s)
{
    const char *const *choices = s->row->choices;
    char all[256] = "";
    size_t used = 0;

    for (int i = 0; choices[i] != NULL; i++) {
        if (strcmp(s->text, choices[i]) == 0) {
            *(int *)s->field = i;
            return 0;
        }
        if (used < sizeof(all)) {
            used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
                                     i > 0 ? ", " : "", choices[i]);
        }
    }
    return refuse(s, "%s: '%s' is none of: %s", s->option, quote(s->text).text,
                  all);
}

static int set_call(const struct setting *s)
{
    const char *want = NULL;
    int err = s->row->parse(s->field, s->text, &want);

    if (err == 0) {
        return 0;
    }
    if (want == NULL) {
        want = "a legal value";
    }
    if (err == -EBADMSG) {
        return refuse(s, "%s: %s", s->option, want);
    }
    if (s->text == NULL) {
        return refuse(s, "%s: value missing (%s)", s->option, want);
    }
    return refuse(s, "%s: '%s' is not %s", s->option, quote(s->text).text,
                  want);
}

int tmk_opt_set(const struct tmk_opt_table *table, const struct tmk_opt *row,
                const char *option, const char *text, char *why,
                size_t why_size)
{
    struct setting s = {.row = row, .option = option, .text = text};
    void *field = (char *)table->conf + row->offset;
    int64_t number;
    uint64_t count;
    int err = 0;

    s.field = field;
    s.why = why;
    s.why_size = why_size;
    switch (row->kind) {
    case TMK_OPT_KIND_FLAG:
        err = read_unsigned(&s, UINT_MAX, &count);
        if (err == 0) {
            *(unsigned *)field = (unsigned)count;
        }
        break;
    case TMK_OPT_KIND_INT:
        err = read_signed(&s, INT_MIN, INT_MAX, &number);
        if (err == 0) {
            *(int *)field = (int)number;
        }
        break;
    case TMK_OPT_KIND_I64:
        err = read_signed(&s, INT64_MIN, INT64_MAX, &number);
        if (err == 0) {
            *(int64_t *)field = number;
        }
        break;
    case TMK_OPT_KIND_U64:
        err = read_unsigned(&s, UINT64_MAX, &count);
        if (err == 0) {
            *(uint64_t *)field = count;
        }
        break;
    case TMK_OPT_KIND_STR: *(const char **)field = text; break;
    case TMK_OPT_KIND_CHOICE: err = set_choice(&s); break;
    case TMK_OPT_KIND_CALL: err = set_call(&s); break;
    }
    return err;
}
