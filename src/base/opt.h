#ifndef TMK_BASE_OPT_H
#define TMK_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Options as rows: one row says the spellings, the field of the conf struct
 * that takes the value, its legal range and the help text.  The same rows
 * parse a command line, print --help and dump a configuration.
 *
 * Spellings, as the original mdtest has them, its defects left out:
 *   -n 10   -n=10   -n10   --name value   --name=value
 *   -FCu (a cluster of flags; a valued letter may come last: -Fn 10, -Fn10)
 *   -v -vvv -v=3 -F=0 (a flag counts; "=N" sets it)
 *   -v 1 -v1 (flags that may be followed by a number; the same as -v=1)
 *   -R -R5 -R-5 -R=5 (a value that may be left out is attached if it is there)
 * The value after a valued option is taken whatever it looks like (-N -1).
 * A repeated option: the last one wins, flags add up.  There are no
 * positional arguments.
 */
enum tmk_opt_kind {
    TMK_OPT_KIND_FLAG,   /* unsigned; counts */
    TMK_OPT_KIND_INT,    /* int */
    TMK_OPT_KIND_I64,    /* int64_t */
    TMK_OPT_KIND_U64,    /* uint64_t */
    TMK_OPT_KIND_STR,    /* const char *; borrowed from argv */
    TMK_OPT_KIND_CHOICE, /* int; index into `choices` */
    TMK_OPT_KIND_CALL,   /* whatever `parse` and `show` know */
};

struct tmk_opt {
    char key;         /* -x; 0 = none */
    const char *name; /* --long name; NULL = none */
    const char *also; /* a second long name; NULL = none */
    enum tmk_opt_kind kind;
    size_t offset;    /* of the field in the conf struct */
    const char *arg;  /* metavariable in help: "N", "BYTES"; NULL = flag */
    const char *help; /* one line, lower case, no full stop */
    int64_t min;      /* INT I64 U64: smallest legal value */
    uint64_t max;     /* largest legal value; 0 = what the type holds */
    const char *const *choices; /* CHOICE: NULL-terminated */
    /*
     * CALL: text into the field.  0, or -EINVAL with *want saying what would
     * be right ("a number or 'node'"), or -EBADMSG with *want saying all that
     * follows "-x: ".  With `value_optional`, text is NULL when the option
     * came without an attached value.
     */
    int (*parse)(void *field, const char *text, const char **want);
    /* CALL: the field as text for dumps. */
    void (*show)(const void *field, char *buf, size_t size);
    bool number; /* CALL: what is shown is a number, in results as well, if it
                    looks like one */
    bool value_optional; /* CALL: -R, -R5, -R=5; never the next argument */
    /* FLAG: old command lines say "-v 1" or "-B1" for "-v=1" and "-B=1"; a
     * number that follows is taken so */
    bool number_may_follow;
};

/* 0, but compiles only if T.f has exactly the type `want`. */
#define TMK_OPT_IS(T, f, want)                                                 \
    (0 * sizeof(char[_Generic(((T *)0)->f, want : 1, default : -1)]))
#define TMK_OPT_FIELD(T, f, want) (offsetof(T, f) + TMK_OPT_IS(T, f, want))

#define TMK_OPT_FLAG(k, n, T, f, h)                                            \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_FLAG,                    \
        .offset = TMK_OPT_FIELD(T, f, unsigned), .help = (h)                   \
    }
#define TMK_OPT_INT(k, n, T, f, a, lo, hi, h)                                  \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_INT,                     \
        .offset = TMK_OPT_FIELD(T, f, int), .arg = (a), .min = (lo),           \
        .max = (hi), .help = (h)                                               \
    }
#define TMK_OPT_I64(k, n, T, f, a, lo, hi, h)                                  \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_I64,                     \
        .offset = TMK_OPT_FIELD(T, f, int64_t), .arg = (a), .min = (lo),       \
        .max = (hi), .help = (h)                                               \
    }
#define TMK_OPT_U64(k, n, T, f, a, lo, hi, h)                                  \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_U64,                     \
        .offset = TMK_OPT_FIELD(T, f, uint64_t), .arg = (a), .min = (lo),      \
        .max = (hi), .help = (h)                                               \
    }
#define TMK_OPT_STR(k, n, T, f, a, h)                                          \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_STR,                     \
        .offset = TMK_OPT_FIELD(T, f, const char *), .arg = (a), .help = (h)   \
    }
#define TMK_OPT_CHOICE(k, n, T, f, a, c, h)                                    \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_CHOICE,                  \
        .offset = TMK_OPT_FIELD(T, f, int), .arg = (a), .choices = (c),        \
        .help = (h)                                                            \
    }
#define TMK_OPT_CALL(k, n, T, f, type, a, p, s, h)                             \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_CALL,                    \
        .offset = TMK_OPT_FIELD(T, f, type), .arg = (a), .parse = (p),         \
        .show = (s), .help = (h)                                               \
    }
/* CALL, of a number */
#define TMK_OPT_NUMBER(k, n, T, f, type, a, p, s, h)                           \
    {                                                                          \
        .key = (k), .name = (n), .kind = TMK_OPT_KIND_CALL,                    \
        .offset = TMK_OPT_FIELD(T, f, type), .arg = (a), .parse = (p),         \
        .show = (s), .number = true, .help = (h)                               \
    }

/*
 * Spellings that are known but not to be had: retired, of a back end that is
 * not here, or not so (--help=1).  `name` is "-x", "--long" or a prefix that
 * ends in '.' or '-', such as "--posix.lustre."; `why` completes
 * "mdtest: -x: ".
 */
struct tmk_opt_gone {
    const char *name;
    const char *why;
};

/* Rows and the struct they fill; `prefix` ("dummy.") goes before long names. */
struct tmk_opt_table {
    const char *title;  /* heading in --help */
    const char *prefix; /* NULL = none */
    const struct tmk_opt *rows;
    size_t n_rows;
    const struct tmk_opt_gone *gone; /* NULL = none */
    size_t n_gone;
    void *conf;
};

enum { TMK_OPT_HELP = 1 }; /* -h or --help as a token was met */

/*
 * Read argv[1..argc-1] into the tables' structs (which hold the defaults).
 * Returns 0, TMK_OPT_HELP, or -EINVAL with one line in `why` that names the
 * option, quotes the value and says what would be right, without a newline:
 *     "-n: 'abc' is not a whole number (10, 4k and 2m are)"
 *     "-i: 0 is too small (1 is the least)"
 *     "--foo: no such option"      "--tre: no such option (is --tree meant?)"
 *     "stray word 'x': there are no positional arguments"
 *     "stray word '5' after -F, which takes no value"
 * argv is not changed.  Stops at the first error.
 */
int tmk_opt_parse(const struct tmk_opt_table *tables, size_t n_tables, int argc,
                  char *const argv[], char *why, size_t why_size);

/* Every row: spellings, metavariable, help, current value as the default. */
void tmk_opt_help(const struct tmk_opt_table *tables, size_t n_tables,
                  FILE *to);

/* What results call a row: "n", "tree", "posix.odirect"; cut if too long. */
void tmk_opt_name(const struct tmk_opt_table *table, const struct tmk_opt *row,
                  char *buf, size_t size);

/* The row's field as text ("10", "refuse", ""); always NUL-terminated. */
void tmk_opt_show(const struct tmk_opt *row, const void *conf, char *buf,
                  size_t size);

#endif
