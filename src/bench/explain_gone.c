/*
 * explain_gone: words of the past, and of elsewhere.
 *
 * A word is cut up as base/opt does it; what has a row goes by untouched with
 * its value, so that no value is taken for an option.
 */
#include "bench/explain_gone.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

struct scan {
    const struct tmk_opt_table *tables;
    size_t n_tables;
    int argc;
    char **argv;
    int next; /* the word after the one at hand */
    int kept; /* argv[1 .. kept - 1] stay */
    struct tmk_explain_gone *gone;
};

/* Back ends of the originals; those that are here never come to be asked. */
static const char *const elsewhere[] = {
    "AIO",     "BEEGFS",   "CEPHFS",  "CHFS",   "DAOS",  "DFS",
    "FINCHFS", "GFARM",    "GPFS",    "HDF5",   "HDFS",  "IME",
    "LIBNFS",  "NCMPI",    "PLFS",    "PMDK",   "RADOS", "S3",
    "S3-4c",   "S3-libs3", "S3_plus", "S3_EMC", NULL,
};

static const struct tmk_opt *find_key(const struct scan *s, char key)
{
    for (size_t t = 0; t < s->n_tables; t++) {
        for (size_t i = 0; i < s->tables[t].n_rows; i++) {
            if (s->tables[t].rows[i].key == key) {
                return &s->tables[t].rows[i];
            }
        }
    }
    return NULL;
}

/* Is the long name, prefix included, the first `length` bytes of name?  In
 * directives case does not count. */
static bool is_name(const struct tmk_opt_table *table, const char *row_name,
                    const char *name, size_t length, bool any_case)
{
    size_t before = table->prefix != NULL ? strlen(table->prefix) : 0;

    if (row_name == NULL || length != before + strlen(row_name) ||
        (before != 0 && memcmp(name, table->prefix, before) != 0)) {
        return false;
    }
    return any_case ? strncasecmp(name + before, row_name, length - before) == 0
                    : memcmp(name + before, row_name, length - before) == 0;
}

static const struct tmk_opt *find_name(const struct scan *s, const char *name,
                                       size_t length, bool any_case)
{
    for (size_t t = 0; t < s->n_tables; t++) {
        const struct tmk_opt_table *table = &s->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            const struct tmk_opt *row = &table->rows[i];

            if (is_name(table, row->name, name, length, any_case) ||
                is_name(table, row->also, name, length, any_case)) {
                return row;
            }
        }
    }
    return NULL;
}

/* Why a spelling ("-x", "--long") is not to be had; NULL: it was never heard
 * of.  Names that end in '.' or '-' stand for all that begin with them. */
static const char *find_gone(const struct scan *s, const char *spelled,
                             size_t length, bool any_case)
{
    for (size_t t = 0; t < s->n_tables; t++) {
        for (size_t i = 0; i < s->tables[t].n_gone; i++) {
            const struct tmk_opt_gone *gone = &s->tables[t].gone[i];
            const size_t n = strlen(gone->name);
            const bool many =
                gone->name[n - 1] == '.' || gone->name[n - 1] == '-';

            if ((many ? length <= n : length != n) ||
                strcmp(gone->name, "--help") == 0 ||
                strcmp(gone->name, "--version") == 0) {
                continue;
            }
            if (any_case ? strncasecmp(spelled, gone->name, n) == 0
                         : memcmp(spelled, gone->name, n) == 0) {
                return gone->why;
            }
        }
    }
    return NULL;
}

static void add(struct scan *s, const char *text, size_t length,
                const char *value, const char *why)
{
    struct tmk_explain_gone_word *word;
    char whole[512];

    if (s->gone->n == TMK_EXPLAIN_GONE_MAX) {
        return;
    }
    word = &s->gone->list[s->gone->n++];
    (void)snprintf(whole, sizeof(whole), "%.*s%s%s", (int)length, text,
                   value != NULL ? " " : "", value != NULL ? value : "");
    tmk_quote(word->text, sizeof(word->text), whole, strlen(whole));
    (void)snprintf(word->why, sizeof(word->why), "%s", why);
}

/* Neither program has words that stand alone, so one that begins with no dash
 * is the value of what was before it. */
static const char *value_of_gone(struct scan *s)
{
    if (s->next < s->argc && s->argv[s->next][0] != '-') {
        return s->argv[s->next++];
    }
    return NULL;
}

/* A storage API that is not here.  True: nothing is left of the option. */
static bool take_api(struct scan *s, const char *name)
{
    for (size_t i = 0; elsewhere[i] != NULL; i++) {
        if (strcasecmp(name, elsewhere[i]) == 0) {
            add(s, "-a", 2, name,
                "a storage API that is not available here; the rest is "
                "explained as for POSIX");
            return true;
        }
    }
    return false;
}

/* "lustreStripeCount=4,fsync=1": retired keys are cut out of the list.  True:
 * nothing is left of it. */
static bool take_keys(struct scan *s, char *list)
{
    char *from = list;
    char *to = list;

    if (strpbrk(list, "'\"") != NULL) {
        return false; /* commas may be part of a value */
    }
    while (*from != '\0') {
        const size_t length = strcspn(from, ",");
        const size_t blank = strspn(from, " \t");
        const size_t key = strcspn(from + blank, "=, \t");
        char spelled[80] = "";
        const char *why = NULL;

        (void)snprintf(spelled, sizeof(spelled), "--%.*s", (int)key,
                       from + blank);
        if (find_name(s, from + blank, key, true) == NULL) {
            why = find_gone(s, spelled, strlen(spelled), true);
        }
        if (why != NULL) {
            char whole[160];

            (void)snprintf(whole, sizeof(whole), "-O %.*s", (int)length, from);
            add(s, whole, strlen(whole), NULL, why);
        } else {
            if (to != list) {
                *to++ = ',';
            }
            memmove(to, from, length);
            to += length;
        }
        from += length;
        from += *from == ',';
    }
    *to = '\0';
    return to == list;
}

/* What an option's value may hold that is gone.  True: drop the option. */
static bool take_value(struct scan *s, const struct tmk_opt *row, char *value)
{
    if (row->key == 'a') {
        return take_api(s, value);
    }
    return row->key == 'O' && take_keys(s, value);
}

static bool has_next_value(const struct tmk_opt *row)
{
    return row->kind != TMK_OPT_KIND_FLAG &&
           !(row->kind == TMK_OPT_KIND_CALL && row->value_optional);
}

static void keep(struct scan *s, char *word, char *value)
{
    s->argv[s->kept++] = word;
    if (value != NULL) {
        s->argv[s->kept++] = value;
    }
}

static void scan_long(struct scan *s, char *word)
{
    const size_t length = strcspn(word, "=");
    const struct tmk_opt *row = find_name(s, word + 2, length - 2, false);
    const char *why = row == NULL ? find_gone(s, word, length, false) : NULL;
    char *value = word[length] == '=' ? word + length + 1 : NULL;

    if (row != NULL && value == NULL && has_next_value(row) &&
        s->next < s->argc) {
        char *next = s->argv[s->next++];

        if (!take_value(s, row, next)) {
            keep(s, word, next);
        }
    } else if (row != NULL && value != NULL && take_value(s, row, value)) {
        return;
    } else if (why != NULL) {
        add(s, word, strlen(word), value == NULL ? value_of_gone(s) : NULL,
            why);
    } else {
        keep(s, word, NULL);
    }
}

/* A cluster of letters, the last of which may have a value. */
static void scan_short(struct scan *s, char *word)
{
    char *to = word + 1;

    for (char *from = word + 1; *from != '\0'; from++) {
        const char letter[2] = {'-', *from};
        const struct tmk_opt *row = find_key(s, *from);
        const char *why =
            row == NULL ? find_gone(s, letter, sizeof(letter), false) : NULL;

        if (why != NULL) {
            const bool last = from[1] == '\0';

            add(s, letter, sizeof(letter), last ? value_of_gone(s) : NULL, why);
            if (from[1] == '=' || (from[1] >= '0' && from[1] <= '9')) {
                break; /* the rest was its value */
            }
            continue;
        }
        *to++ = *from;
        if (row == NULL || *from == '=') {
            memmove(to, from + 1, strlen(from + 1) + 1);
            keep(s, word, NULL); /* not understood: left for base/opt */
            return;
        }
        if (row->kind != TMK_OPT_KIND_FLAG) {
            const bool attached = from[1] != '\0';
            char *value = attached ? from + 1 + (from[1] == '=') : NULL;

            if (!attached && has_next_value(row) && s->next < s->argc) {
                value = s->argv[s->next++];
            }
            if (value != NULL && take_value(s, row, value)) {
                to--; /* the letter goes, too */
                break;
            }
            if (attached) {
                memmove(to, from + 1, strlen(from + 1) + 1);
                keep(s, word, NULL);
                return;
            }
            *to = '\0';
            keep(s, word, value);
            return;
        }
    }
    *to = '\0';
    if (to > word + 1) {
        keep(s, word, NULL);
    }
}

int tmk_explain_gone_take(const struct tmk_opt_table *tables, size_t n_tables,
                          int argc, char *argv[], struct tmk_explain_gone *gone)
{
    struct scan s = {
        .tables = tables,
        .n_tables = n_tables,
        .argc = argc,
        .argv = argv,
        .next = 1,
        .kept = 1,
        .gone = gone,
    };

    gone->n = 0;
    while (s.next < s.argc) {
        char *word = s.argv[s.next++];

        if (word[0] != '-' || word[1] == '\0') {
            keep(&s, word, NULL);
        } else if (word[1] == '-') {
            scan_long(&s, word);
        } else {
            scan_short(&s, word);
        }
    }
    argv[s.kept] = NULL;
    return s.kept;
}
