#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "base/opt_set.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A NULL-terminated argv, without argv[0]. */
#define ARGS(...)                                                              \
    {                                                                          \
        "mdtest", __VA_ARGS__, NULL                                            \
    }

enum { ARGS_MAX = 8 };

struct seed {
    int given;
    uint64_t value;
};

struct conf {
    unsigned f, c, u, v, warn, k;
    int i, shift;
    int64_t offset;
    uint64_t n, w;
    const char *dir, *save;
    int leftovers;
    struct seed seed;
    int odd;
};

struct engine_conf {
    uint64_t delay;
    unsigned quiet;
};

static const char *const leftovers[] = {"refuse", "clean", "reuse", NULL};

static int seed_parse(void *field, const char *text, const char **want)
{
    struct seed *seed = field;

    if (text != NULL && strspn(text, "0123456789") != strlen(text)) {
        *want = "a seed above 0";
        return -EINVAL;
    }
    seed->given++;
    seed->value = text != NULL ? strtoull(text, NULL, 10) : 0;
    return 0;
}

static void seed_show(const void *field, char *buf, size_t size)
{
    const struct seed *seed = field;

    snprintf(buf, size, "%s", seed->given ? "given" : "");
}

/* Never satisfied; says what it wants only if there is no text, and has words
 * of its own for "even". */
static int odd_parse(void *field, const char *text, const char **want)
{
    (void)field;
    if (text == NULL) {
        *want = "an odd number";
    } else if (strcmp(text, "even") == 0) {
        *want = "even numbers are out";
        return -EBADMSG;
    }
    return -EINVAL;
}

static const struct tmk_opt rows[] = {
    TMK_OPT_FLAG('F', NULL, struct conf, f, "files only"),
    TMK_OPT_FLAG('C', NULL, struct conf, c, "create"),
    TMK_OPT_FLAG('u', NULL, struct conf, u, "unique"),
    TMK_OPT_FLAG('v', NULL, struct conf, v, "verbosity"),
    TMK_OPT_FLAG(0, "warningAsErrors", struct conf, warn, "be strict"),
    TMK_OPT_INT('i', NULL, struct conf, i, "N", 1, 0, "iterations"),
    TMK_OPT_INT('N', "stride", struct conf, shift, "N", -5, 100, "stride"),
    TMK_OPT_I64('G', NULL, struct conf, offset, "N", INT64_MIN, 0, "pattern"),
    TMK_OPT_U64('n', NULL, struct conf, n, "N", 0, 0, "items per rank"),
    TMK_OPT_U64('w', "write", struct conf, w, "BYTES", 2, 4096, "bytes"),
    TMK_OPT_STR('d', NULL, struct conf, dir, "DIR", "where to work"),
    TMK_OPT_STR(0, "saveRankPerformanceDetails", struct conf, save, "FILE",
                "per-rank numbers"),
    TMK_OPT_CHOICE(0, "leftovers", struct conf, leftovers, "HOW", leftovers,
                   "what to do with what is there"),
    {
        .key = 'R',
        .name = "random",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct conf, seed, struct seed),
        .arg = "SEED",
        .help = "random order",
        .parse = seed_parse,
        .show = seed_show,
        .value_optional = true,
    },
    TMK_OPT_CALL('O', "odd", struct conf, odd, int, NULL, odd_parse, seed_show,
                 "odd"),
    {
        .key = 'P',
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct conf, odd, int),
        .help = "odd, too",
        .parse = odd_parse,
        .show = seed_show,
        .value_optional = true,
    },
    {
        .key = 'K',
        .name = "keen",
        .also = "eager",
        .kind = TMK_OPT_KIND_FLAG,
        .offset = TMK_OPT_FIELD(struct conf, k, unsigned),
        .help = "more of it",
        .number_may_follow = true,
    },
};

static const struct tmk_opt engine_rows[] = {
    TMK_OPT_U64(0, "delay-create", struct engine_conf, delay, "USEC", 0, 0,
                "time to waste per create"),
    TMK_OPT_FLAG('Q', "quiet", struct engine_conf, quiet, "say less"),
};

static const struct tmk_opt_gone gone[] = {
    {"-g", "not available here (Lustre)"},
    {"--gpuDirect", "not available here (CUDA)"},
    {"--posix.lustre.", "not available here (Lustre)"},
    {"--S3-", "not built in"},
    {"", "never meant"},
};

struct given {
    struct conf conf;
    struct engine_conf engine;
    char why[512];
};

static int parse_with(struct given *g, int argc, const char *const *argv,
                      size_t why_size)
{
    const struct tmk_opt_table tables[] = {
        {.title = "mdtest",
         .rows = rows,
         .n_rows = COUNT(rows),
         .gone = gone,
         .n_gone = COUNT(gone),
         .conf = &g->conf},
        {.title = "engine DUMMY",
         .prefix = "dummy.",
         .rows = engine_rows,
         .n_rows = COUNT(engine_rows),
         .conf = &g->engine},
    };

    return tmk_opt_parse(tables, COUNT(tables), argc, (char *const *)argv,
                         g->why, why_size);
}

static int parse(struct given *g, const char *const *argv)
{
    int argc = 0;

    memset(g, 0, sizeof(*g));
    g->conf.n = 77;
    while (argv[argc] != NULL) {
        argc++;
    }
    return parse_with(g, argc, argv, sizeof(g->why));
}

/* Check one field's text after a good command line. */
static void expect(const char *const *argv, const struct tmk_opt *row,
                   const char *want)
{
    struct given g;
    char got[64];

    assert_int_equal(parse(&g, argv), 0);
    tmk_opt_show(row, &g.conf, got, sizeof(got));
    assert_string_equal(got, want);
}

static const struct tmk_opt *row_of(char key)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (rows[i].key == key) {
            return &rows[i];
        }
    }
    return NULL;
}

static void every_legal_spelling_gives_its_value(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        char key;
        const char *want;
    } cases[] = {
        {ARGS("-n", "10"), 'n', "10"},
        {ARGS("-n=10"), 'n', "10"},
        {ARGS("-n10"), 'n', "10"},
        {ARGS("-n2k"), 'n', "2048"},
        {ARGS("-n", " 4 k "), 'n', "4096"},
        {ARGS("-n", "1", "-n", "2"), 'n', "2"},
        {ARGS("-Fn", "10"), 'n', "10"},
        {ARGS("-Fn10"), 'n', "10"},
        {ARGS("-Fn10"), 'F', "1"},
        {ARGS("-Fn=10"), 'n', "10"},
        {ARGS("-Fn=10"), 'F', "1"},
        {ARGS("-FCu"), 'u', "1"},
        {ARGS("-n2k"), 'C', "0"},
        {ARGS("-N", "-1"), 'N', "-1"},
        {ARGS("-N-1"), 'N', "-1"},
        {ARGS("--stride", "-2"), 'N', "-2"},
        {ARGS("--stride=3"), 'N', "3"},
        {ARGS("--stride", "100"), 'N', "100"},
        {ARGS("-w", "2"), 'w', "2"},
        {ARGS("--write=4k"), 'w', "4096"},
        {ARGS("-i", "2147483647"), 'i', "2147483647"},
        {ARGS("-G", "-9223372036854775808"), 'G', "-9223372036854775808"},
        {ARGS("-n", "18446744073709551615"), 'n', "18446744073709551615"},
        {ARGS("-d", ""), 'd', ""},
        {ARGS("-d", "-F"), 'd', "-F"},
        {ARGS("-d/tmp/a=b"), 'd', "/tmp/a=b"},
        {ARGS("-d=a=b"), 'd', "a=b"},
        {ARGS("-d==x"), 'd', "=x"},
        {ARGS("-vvv"), 'v', "3"},
        {ARGS("-v", "-vF", "-v"), 'v', "3"},
        {ARGS("-v=3"), 'v', "3"},
        {ARGS("-v=3", "-v"), 'v', "4"},
        {ARGS("-v=4294967295", "-v"), 'v', "4294967295"},
        {ARGS("-F", "-F=0"), 'F', "0"},
        {ARGS("-FC=5"), 'F', "5"},
        {ARGS("-FC=5"), 'C', "5"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        expect(cases[i].argv, row_of(cases[i].key), cases[i].want);
    }
}

static void a_long_flag_counts_and_can_be_set(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        unsigned want;
    } cases[] = {
        {ARGS("--warningAsErrors"), 1},
        {ARGS("--warningAsErrors", "--warningAsErrors"), 2},
        {ARGS("--warningAsErrors", "--warningAsErrors=0"), 0},
    };
    struct given g;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&g, cases[i].argv), 0);
        assert_int_equal(g.conf.warn, cases[i].want);
    }
}

static void a_number_may_follow_a_flag_that_says_so(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        const char *k;
    } cases[] = {
        {ARGS("-K"), "1"},
        {ARGS("-K", "0"), "0"},
        {ARGS("-K", "5"), "5"},
        {ARGS("-KK", "5"), "5"},
        {ARGS("-FK", "5"), "5"},
        {ARGS("-KF"), "1"},
        {ARGS("-K0"), "0"},
        {ARGS("-K12"), "12"},
        {ARGS("-FK5"), "5"},
        {ARGS("-K=5"), "5"},
        {ARGS("--keen", "5"), "5"},
        {ARGS("--keen"), "1"},
        {ARGS("--eager"), "1"},
        {ARGS("--eager=3"), "3"},
        {ARGS("-K", "5", "-K"), "6"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        expect(cases[i].argv, row_of('K'), cases[i].k);
    }
}

static void
an_option_with_optional_value_takes_only_what_is_attached(void **state)
{
    static const struct {
        const char *argv[ARGS_MAX];
        int given;
        uint64_t value;
        unsigned flags;
    } cases[] = {
        {ARGS("-R"), 1, 0, 0},
        {ARGS("-R", "-u"), 1, 0, 1},
        {ARGS("-R5"), 1, 5, 0},
        {ARGS("-R=5"), 1, 5, 0},
        {ARGS("-uR"), 1, 0, 1},
        {ARGS("-Ru"), 1, 0, 1},
        {ARGS("-uR5"), 1, 5, 1},
        {ARGS("-uR=5"), 1, 5, 1},
        {ARGS("--random"), 1, 0, 0},
        {ARGS("--random=5"), 1, 5, 0},
        {ARGS("-R", "--random=5"), 2, 5, 0},
    };
    struct given g;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&g, cases[i].argv), 0);
        assert_int_equal(g.conf.seed.given, cases[i].given);
        assert_true(g.conf.seed.value == cases[i].value);
        assert_int_equal(g.conf.u, cases[i].flags);
    }
}

static void rows_of_every_table_are_found_under_their_prefix(void **state)
{
    static const char *const argv[] =
        ARGS("--dummy.delay-create=4k", "-FQ", "--dummy.quiet", "-n2");
    struct given g;

    (void)state;
    assert_int_equal(parse(&g, argv), 0);
    assert_int_equal(g.engine.delay, 4096);
    assert_int_equal(g.engine.quiet, 2);
    assert_int_equal(g.conf.f, 1);
    assert_int_equal(g.conf.n, 2);
}

static void help_is_asked_for_in_three_ways(void **state)
{
    static const char *const cases[][ARGS_MAX] = {
        ARGS("-h"),
        ARGS("--help"),
        ARGS("-hF"),
        ARGS("-Fh"),
        ARGS("-n", "1", "-h", "stray"),
        ARGS("-h=1"),
    };
    static const char *const value[] = ARGS("-d", "-h");
    struct given g;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&g, cases[i]), TMK_OPT_HELP);
    }
    assert_int_equal(parse(&g, value), 0);
}

static void an_error_names_the_option_and_what_would_be_right(void **state)
{
#define NOT_WHOLE "is not a whole number (10, 4k and 2m are)"
#define NO_PLACE  ": there are no positional arguments"
    static const struct {
        const char *argv[ARGS_MAX];
        const char *why;
    } cases[] = {
        {ARGS("-n", "abc"), "-n: 'abc' " NOT_WHOLE},
        {ARGS("-nF", "2"), "-n: 'F' " NOT_WHOLE},
        {ARGS("-nF=3"), "-n: 'F=3' " NOT_WHOLE},
        {ARGS("-n2=3"), "-n: '2=3' " NOT_WHOLE},
        {ARGS("-n", ""), "-n: '' " NOT_WHOLE},
        {ARGS("-n", "1e6"), "-n: '1e6' " NOT_WHOLE},
        {ARGS("-n", "1.5k"), "-n: '1.5k' " NOT_WHOLE},
        {ARGS("-n", "0x10"), "-n: '0x10' " NOT_WHOLE},
        {ARGS("-Fn10x"), "-n: '10x' " NOT_WHOLE},
        {ARGS("--stride=x"), "--stride: 'x' " NOT_WHOLE},
        {ARGS("-n", "-5"), "-n: -5 is too small (0 is the least)"},
        {ARGS("-n", " -5"), "-n:  -5 is too small (0 is the least)"},
        {ARGS("-n", "99999999999999999999"),
         "-n: 99999999999999999999 is too large (18446744073709551615 is the "
         "most)"},
        {ARGS("-i", "0"), "-i: 0 is too small (1 is the least)"},
        {ARGS("-i=-1"), "-i: -1 is too small (1 is the least)"},
        {ARGS("-i", "99999999999"),
         "-i: 99999999999 is too large (2147483647 is the most)"},
        {ARGS("-i", "99999999999999999999"),
         "-i: 99999999999999999999 is too large (2147483647 is the most)"},
        {ARGS("-N", "-6"), "-N: -6 is too small (-5 is the least)"},
        {ARGS("-N", "-99999999999999999999"),
         "-N: -99999999999999999999 is too small (-5 is the least)"},
        {ARGS("--stride=101"), "--stride: 101 is too large (100 is the most)"},
        {ARGS("-G", "8192p"),
         "-G: 8192p is too large (9223372036854775807 is the most)"},
        {ARGS("-w", "1"), "-w: 1 is too small (2 is the least)"},
        {ARGS("-w", "-1"), "-w: -1 is too small (2 is the least)"},
        {ARGS("-w", "5k"), "-w: 5k is too large (4096 is the most)"},

        {ARGS("-n"), "-n: value missing (-n N)"},
        {ARGS("-Fn"), "-n: value missing (-n N)"},
        {ARGS("-n="), "-n: value missing (-n N)"},
        {ARGS("--write"), "--write: value missing (--write BYTES)"},
        {ARGS("--write="), "--write: value missing (--write BYTES)"},
        {ARGS("-O"), "-O: value missing"},
        {ARGS("-F="), "-F: value missing"},
        {ARGS("-FC="), "-F: value missing"},
        {ARGS("--warningAsErrors="), "--warningAsErrors: value missing"},
        {ARGS("-R="), "-R: value missing (-R SEED)"},
        {ARGS("-Fnu"), "-n: value missing in '-Fnu' (-n must be the last "
                       "letter)"},
        {ARGS("-F=abc"), "-F: 'abc' " NOT_WHOLE},
        {ARGS("-F=-1"), "-F: -1 is too small (0 is the least)"},
        {ARGS("-F=4294967296"),
         "-F: 4294967296 is too large (4294967295 is the most)"},

        {ARGS("-q"), "-q: no such option"},
        {ARGS("-=3"), "-=: no such option in '-=3'"},
        {ARGS("-Fq"), "-q: no such option in '-Fq'"},
        {ARGS("-Fq=0"), "-q: no such option in '-Fq=0'"},
        {ARGS("-qF"), "-q: no such option in '-qF'"},
        {ARGS("-leftovers=x"), "-l: no such option in '-leftovers=x' (is "
                               "--leftovers=x meant?)"},
        {ARGS("--foo"), "--foo: no such option"},
        {ARGS("--foo=3"), "--foo: no such option"},
        {ARGS("--help=1"), "--help: no such option"},
        {ARGS("--=3"), "--: no such option"},
        {ARGS("--n=2"), "--n: no such option (is -n meant?)"},
        {ARGS("--q=2"), "--q: no such option"},

        {ARGS("foo"), "stray word 'foo'" NO_PLACE},
        {ARGS(""), "stray word ''" NO_PLACE},
        {ARGS("-"), "stray word '-'" NO_PLACE},
        {ARGS("--"), "stray word '--'" NO_PLACE},
        {ARGS("-F", "1"), "stray word '1' after -F, which takes no value"},
        {ARGS("-R", "5"), "stray word '5' after -R (is -R5 meant?)"},
        {ARGS("--warningAsErrors", "1"),
         "stray word '1' after --warningAsErrors, which takes no value"},
        {ARGS("--random", "5"),
         "stray word '5' after --random (is --random=5 meant?)"},
        {ARGS("--stride", "5", "6"), "stray word '6'" NO_PLACE},
        {ARGS("-F", "x"), "stray word 'x'" NO_PLACE},
        {ARGS("-F=1", "1"), "stray word '1'" NO_PLACE},
        {ARGS("-K", "5", "5"), "stray word '5'" NO_PLACE},
        {ARGS("-K5x"), "-K: '5x' " NOT_WHOLE},
        {ARGS("-K-5"), "-K: -5 is too small (0 is the least)"},
        {ARGS("-F5"), "-F: takes no value, but has one in '-F5'"},
        {ARGS("-uF-5"), "-F: takes no value, but has one in '-uF-5'"},
        {ARGS("-5"), "-5: no such option"},

        {ARGS("-g"), "-g: not available here (Lustre)"},
        {ARGS("-Fg"), "-g: not available here (Lustre)"},
        {ARGS("-g=1"), "-g: not available here (Lustre)"},
        {ARGS("--gpuDirect"), "--gpuDirect: not available here (CUDA)"},
        {ARGS("--gpuDirect=1"), "--gpuDirect: not available here (CUDA)"},
        {ARGS("--gpuDirector"), "--gpuDirector: no such option"},
        {ARGS("--posix.lustre.pool=a.b"),
         "--posix.lustre.pool: not available here (Lustre)"},
        {ARGS("--posix.lustre"), "--posix.lustre: no such option"},
        {ARGS("--S3-libs3.host=x"), "--S3-libs3.host: not built in"},
        {ARGS("--S3-"), "--S3-: no such option"},

        {ARGS("--leftovers=x"),
         "--leftovers: 'x' is none of: refuse, clean, reuse"},
        {ARGS("--leftovers", ""),
         "--leftovers: '' is none of: refuse, clean, reuse"},
        {ARGS("-R=x"), "-R: 'x' is not a seed above 0"},
        {ARGS("--random=x"), "--random: 'x' is not a seed above 0"},
        {ARGS("-O", "x"), "-O: 'x' is not a legal value"},
        {ARGS("-O", "even"), "-O: even numbers are out"},
        {ARGS("-P"), "-P: value missing (an odd number)"},
    };
    struct given g;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&g, cases[i].argv), -EINVAL);
        assert_string_equal(g.why, cases[i].why);
    }
}

static void a_refused_value_leaves_the_field_alone(void **state)
{
    static const char *const cases[][ARGS_MAX] = {
        ARGS("-n", "abc"),
        ARGS("-n", "-5"),
        ARGS("-nF"),
        ARGS("-n="),
    };
    struct given g;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(parse(&g, cases[i]), -EINVAL);
        assert_int_equal(g.conf.n, 77);
    }
}

static void a_misspelt_long_option_is_guessed(void **state)
{
    static const struct {
        const char *given, *want; /* NULL: nothing */
    } cases[] = {
        {"--leftover=clean", "--leftovers"},
        {"--leftoverz", "--leftovers"},
        {"--letfovers", "--leftovers"},
        {"--left-over", "--leftovers"},
        {"--LEFTOVERS=clean", "--leftovers"},
        {"--left=clean", "--leftovers"}, /* the beginning of no other */
        {"--le=clean", NULL},
        {"--warningsaserror", "--warningAsErrors"},
        {"--warning_as_errors", "--warningAsErrors"},
        {"--saveRankDetails=x", NULL}, /* too far away */
        {"--delay-create=1", "--dummy.delay-create"},
        {"--dummy.delay_create=1", "--dummy.delay-create"},
        {"--delay=1", "--dummy.delay-create"},
        {"--dummy.quit", "--dummy.quiet"},
        {"--eagre", "--eager"},
        {"--summy.quiet", "--dummy.quiet"},
        {"--dummy.", NULL}, /* the beginning of several */
        {"--dummy.q", "--dummy.quiet"},
        {"--stirde=1", "--stride"},
        {"--strode=1", "--stride"},
        {"--strade-=1", NULL}, /* of seven letters one may be wrong */
        {"--wrote=1", "--write"},
        {"--od=1", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *argv[] = {"mdtest", cases[i].given, NULL};
        size_t length = strcspn(cases[i].given, "=");
        char want[128];
        struct given g;

        if (cases[i].want != NULL) {
            snprintf(want, sizeof(want), "%.*s: no such option (is %s meant?)",
                     (int)length, cases[i].given, cases[i].want);
        } else {
            snprintf(want, sizeof(want), "%.*s: no such option", (int)length,
                     cases[i].given);
        }
        assert_int_equal(parse(&g, argv), -EINVAL);
        assert_string_equal(g.why, want);
    }
}

static void the_first_error_is_the_one_that_is_told(void **state)
{
    static const char *const argv[] = ARGS("-F", "-q", "-n", "x", "-u");
    struct given g;

    (void)state;
    assert_int_equal(parse(&g, argv), -EINVAL);
    assert_string_equal(g.why, "-q: no such option");
    assert_int_equal(g.conf.f, 1);
    assert_int_equal(g.conf.u, 0);
}

static void user_text_stays_on_one_line(void **state)
{
    static const struct {
        const char *word, *shown;
    } cases[] = {
        {"a\nb", "a?b"},
        {"\033[31m\r\t\x7f", "?[31m???"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"a\xc2\x85z", "a?z"},
        {"a\xc2\xa0z", "a\xc2\xa0z"},
        {"\xf0\x9f\x98\x80\x80", "\xf0\x9f\x98\x80?"},
        {"cut\xc3", "cut\xc3"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *argv[] = {"mdtest", cases[i].word, NULL};
        struct given g;
        char want[128];

        snprintf(want, sizeof(want),
                 "stray word '%s': there are no positional arguments",
                 cases[i].shown);
        assert_int_equal(parse(&g, argv), -EINVAL);
        assert_string_equal(g.why, want);
    }
}

static void a_long_word_is_cut_before_what_would_be_right(void **state)
{
    static char word[100001];
    static char option[100001];
    const char *stray[] = {"mdtest", word, NULL};
    const char *value[] = {"mdtest", "-n", word, NULL};
    const char *name[] = {"mdtest", option, NULL};
    struct given g;

    (void)state;
    memset(word, 'x', sizeof(word) - 1);
    memset(option, '-', sizeof(option) - 1);
    assert_int_equal(parse(&g, stray), -EINVAL);
    assert_non_null(strstr(g.why, "xxx...': there are no positional"));
    assert_int_equal(parse(&g, value), -EINVAL);
    assert_non_null(strstr(g.why, "xxx...' is not a whole number"));
    assert_int_equal(parse(&g, name), -EINVAL);
    assert_non_null(strstr(g.why, "---...: no such option"));
    assert_true(strlen(g.why) < 128);
}

static void a_cut_never_tears_a_character_apart(void **state)
{
    (void)state;
    for (size_t lead = 0; lead < 4; lead++) {
        char word[200] = "xxx";
        const char *argv[] = {"mdtest", word, NULL};
        struct given g;
        const char *dots;

        for (size_t i = lead; i + 3 < sizeof(word); i += 3) {
            memcpy(word + i, "\xe2\x82\xac", 4);
        }
        assert_int_equal(parse(&g, argv), -EINVAL);
        dots = strstr(g.why, "...");
        assert_non_null(dots);
        assert_memory_equal(dots - 3, "\xe2\x82\xac", 3);
    }
}

static void a_message_is_cut_to_the_buffer(void **state)
{
    static const char *const argv[] = ARGS("foo");
    struct given g;

    (void)state;
    memset(&g, 0, sizeof(g));
    for (size_t size = 0; size < 80; size++) {
        memset(g.why, '#', sizeof(g.why));
        assert_int_equal(parse_with(&g, 2, argv, size), -EINVAL);
        assert_int_equal(g.why[size], '#');
        assert_true(size == 0 || strnlen(g.why, size) < size);
    }
}

static void an_empty_command_line_is_fine(void **state)
{
    static const char *const none[] = {NULL};
    static const char *const hole[] = {"mdtest", "-F", NULL, "-u", NULL};
    static const char *const end[] = {"mdtest", "-n", NULL, "3", NULL};
    struct given g;

    (void)state;
    memset(&g, 0, sizeof(g));
    assert_int_equal(parse_with(&g, 0, none, sizeof(g.why)), 0);
    assert_int_equal(parse_with(&g, 4, hole, sizeof(g.why)), 0);
    assert_int_equal(g.conf.u, 0);
    assert_int_equal(parse_with(&g, 4, end, sizeof(g.why)), -EINVAL);
}

static void no_command_line_crashes_the_parser(void **state)
{
    static const char letters[] = "-=FCuvniNGwdRgOPQhq.k0519 \n\xc3\xbc";
    uint64_t x = 88172645463325252u;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        char words[4][12] = {"", "", "", ""};
        const char *argv[] = {"m",      words[0], words[1],
                              words[2], words[3], NULL};
        struct given g;
        int err;

        for (size_t w = 0; w < COUNT(words); w++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            for (size_t i = 0; i < (x >> 60) % 8; i++) {
                words[w][i] = letters[(x >> (5 * i)) % (sizeof(letters) - 1)];
            }
        }
        err = parse(&g, argv);
        assert_true(err == 0 || err == TMK_OPT_HELP || err == -EINVAL);
        assert_true((err == -EINVAL) == (g.why[0] != '\0'));
        assert_null(strchr(g.why, '\n'));
    }
}

static void choices_beyond_the_message_are_cut(void **state)
{
    static const char long_name[] =
        "a-choice-with-a-name-that-is-longer-than-anyone-would-ever-type-in-"
        "but-which-has-to-be-shown-nevertheless-a-hundred-letters-or-more";
    static const char *const choices[] = {long_name, long_name, long_name,
                                          long_name, "z",       NULL};
    static const struct tmk_opt row[] = {
        TMK_OPT_CHOICE('c', NULL, struct conf, leftovers, "C", choices, "c"),
    };
    static const char *const argv[] = ARGS("-c", "y");
    static const char *const good[] = ARGS("-c", "z");
    struct given g;
    const struct tmk_opt_table table = {
        .title = "t", .rows = row, .n_rows = 1, .conf = &g.conf};

    (void)state;
    memset(&g, 0, sizeof(g));
    assert_int_equal(
        tmk_opt_parse(&table, 1, 3, (char *const *)argv, g.why, sizeof(g.why)),
        -EINVAL);
    assert_true(strlen(g.why) < 300);
    assert_int_equal(
        tmk_opt_parse(&table, 1, 3, (char *const *)good, g.why, sizeof(g.why)),
        0);
    assert_int_equal(g.conf.leftovers, 4);
}

static void every_kind_of_field_is_shown_as_text(void **state)
{
    static const char *const argv[] =
        ARGS("-i7", "-G-5", "-n9", "-dx", "--leftovers=reuse", "-vvR");
    static const struct {
        char key;
        const char *want;
    } cases[] = {
        {'i', "7"}, {'G', "-5"}, {'n', "9"},     {'d', "x"},
        {'v', "2"}, {'F', "0"},  {'R', "given"},
    };
    struct given g;
    char buf[16];

    (void)state;
    assert_int_equal(parse(&g, argv), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        tmk_opt_show(row_of(cases[i].key), &g.conf, buf, sizeof(buf));
        assert_string_equal(buf, cases[i].want);
    }
    tmk_opt_show(&rows[12], &g.conf, buf, sizeof(buf));
    assert_string_equal(buf, "reuse");
    tmk_opt_show(&rows[11], &g.conf, buf, sizeof(buf)); /* NULL string */
    assert_string_equal(buf, "");
    tmk_opt_show(&rows[12], &g.conf, buf, 3);
    assert_string_equal(buf, "re");
    buf[0] = '#';
    tmk_opt_show(&rows[12], &g.conf, buf, 0);
    assert_int_equal(buf[0], '#');
}

static void a_row_found_otherwise_takes_a_value_as_well(void **state)
{
    struct conf conf = {0};
    const struct tmk_opt_table table = {.rows = rows, .conf = &conf};
    char why[128] = "";

    (void)state;
    assert_int_equal(
        tmk_opt_set(&table, &rows[8], "items", "4k", why, sizeof(why)), 0);
    assert_int_equal(conf.n, 4096);
    assert_int_equal(
        tmk_opt_set(&table, &rows[13], "seed", NULL, why, sizeof(why)), 0);
    assert_int_equal(conf.seed.given, 1);
    assert_int_equal(
        tmk_opt_set(&table, &rows[8], "items", "x", why, sizeof(why)), -EINVAL);
    assert_string_equal(why,
                        "items: 'x' is not a whole number (10, 4k and 2m are)");
}

static void help_lists_every_row_with_its_default(void **state)
{
    static const struct tmk_opt few[] = {
        TMK_OPT_FLAG('F', NULL, struct conf, f, "files only"),
        TMK_OPT_FLAG(0, "warningAsErrors", struct conf, warn, "be strict"),
        TMK_OPT_U64('n', NULL, struct conf, n, "N", 0, 0, "items per rank"),
        TMK_OPT_STR('d', "dir", struct conf, dir, "DIR", "where to work"),
        TMK_OPT_STR(0, "saveRankPerformanceDetails", struct conf, save, "FILE",
                    "per-rank numbers"),
        TMK_OPT_INT('i', NULL, struct conf, i, "N", 1, 0, "iterations"),
    };
    static const char want[] =
        "mdtest\n"
        "  -F                          files only\n"
        "  --warningAsErrors           be strict\n"
        "  -n=N                        items per rank [10]\n"
        "  -d, --dir=DIR               where to work [./o?t]\n"
        "  --saveRankPerformanceDetails=FILE\n"
        "                              per-rank numbers\n"
        "  -i=N                        iterations\n" /* 0: not to be given */
        "\n"
        "random\n"
        "  -R, --random[=SEED]         random order\n"
        "\n"
        "twice\n"
        "  -K, --keen, --eager         more of it\n"
        "\n"
        "engine DUMMY\n"
        "  --dummy.delay-create=USEC   time to waste per create [0]\n"
        "  -Q, --dummy.quiet           say less\n";
    struct conf conf = {.n = 10, .dir = "./o\nt"};
    struct engine_conf engine = {0};
    const struct tmk_opt_table tables[] = {
        {.title = "nothing", .conf = &conf},
        {.title = "mdtest", .rows = few, .n_rows = COUNT(few), .conf = &conf},
        {.title = "random", .rows = &rows[13], .n_rows = 1, .conf = &conf},
        {.title = "twice", .rows = &rows[16], .n_rows = 1, .conf = &conf},
        {.title = "engine DUMMY",
         .prefix = "dummy.",
         .rows = engine_rows,
         .n_rows = COUNT(engine_rows),
         .conf = &engine},
    };
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    (void)state;
    assert_non_null(to);
    tmk_opt_help(tables, COUNT(tables), to);
    fclose(to);
    assert_string_equal(text, want);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_spelling_gives_its_value),
        cmocka_unit_test(a_long_flag_counts_and_can_be_set),
        cmocka_unit_test(a_number_may_follow_a_flag_that_says_so),
        cmocka_unit_test(
            an_option_with_optional_value_takes_only_what_is_attached),
        cmocka_unit_test(rows_of_every_table_are_found_under_their_prefix),
        cmocka_unit_test(help_is_asked_for_in_three_ways),
        cmocka_unit_test(an_error_names_the_option_and_what_would_be_right),
        cmocka_unit_test(a_refused_value_leaves_the_field_alone),
        cmocka_unit_test(a_misspelt_long_option_is_guessed),
        cmocka_unit_test(the_first_error_is_the_one_that_is_told),
        cmocka_unit_test(user_text_stays_on_one_line),
        cmocka_unit_test(a_long_word_is_cut_before_what_would_be_right),
        cmocka_unit_test(a_cut_never_tears_a_character_apart),
        cmocka_unit_test(a_message_is_cut_to_the_buffer),
        cmocka_unit_test(an_empty_command_line_is_fine),
        cmocka_unit_test(no_command_line_crashes_the_parser),
        cmocka_unit_test(choices_beyond_the_message_are_cut),
        cmocka_unit_test(every_kind_of_field_is_shown_as_text),
        cmocka_unit_test(a_row_found_otherwise_takes_a_value_as_well),
        cmocka_unit_test(help_lists_every_row_with_its_default),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
