/*
 * The words of a study: its own, and those of the benchmark at each point.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/scale_args.h"
#include "bench/scale_conf.h"
#include "engine/engine.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { WORDS_MAX = 16 };

static const struct tmk_engine_ops *const engines[] = {&tmk_engine_posix,
                                                       &tmk_engine_dummy, NULL};

/* A line cut at blanks. */
struct line {
    char text[256];
    char *words[WORDS_MAX];
    int n;
};

static void cut(struct line *line, const char *text)
{
    char *at = NULL;

    (void)snprintf(line->text, sizeof(line->text), "%s", text);
    line->n = 0;
    for (char *word = strtok_r(line->text, " ", &at); word != NULL;
         word = strtok_r(NULL, " ", &at)) {
        assert_true(line->n < WORDS_MAX);
        line->words[line->n++] = word;
    }
}

static int read_args(struct tmk_scale_args *args, struct line *line,
                     const char *text, char *why, size_t size)
{
    cut(line, text);
    return tmk_scale_args_read(args, line->n, line->words, engines, engines,
                               why, size);
}

static void benchmarks_are_known_with_their_places(void **state)
{
    static const struct {
        const char *line;
        enum tmk_scale_benchmark benchmark;
        const char *path, *engine;
    } rows[] = {
        {"mdtest -n 4 -d /a@/b", TMK_SCALE_MDTEST, "/a", "POSIX"},
        {"mdtest -a DUMMY -I 4 -z 1", TMK_SCALE_MDTEST, "./out", "DUMMY"},
        {"ior -o /x/y -t 1m", TMK_SCALE_IOR, "/x/y", "POSIX"},
        {"ior -O testFile=/q", TMK_SCALE_IOR, "/q", "POSIX"},
        {"find /e -name x", TMK_SCALE_FIND, "/e", "POSIX"},
        {"find -name x", TMK_SCALE_FIND, ".", "POSIX"},
    };
    char why[512];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_args args;
        struct line line;

        assert_int_equal(
            read_args(&args, &line, rows[i].line, why, sizeof(why)), 0);
        assert_int_equal(args.benchmark, rows[i].benchmark);
        assert_string_equal(args.path, rows[i].path);
        assert_string_equal(args.engine, rows[i].engine);
    }
}

static void what_a_study_has_itself_is_refused(void **state)
{
    static const struct {
        const char *line;
        const char *why; /* a part of it */
    } rows[] = {
        {"", "which benchmark?"},
        {"mdtst -n 4", "is mdtest meant?"},
        {"iozone", "(mdtest, ior and find are)"},
        {"mdtest -n 4 -f 1 -l 4 -s 1", "the study chooses the ranks"},
        {"mdtest -n 4 -f 2", "the study chooses the ranks"},
        {"mdtest -n 4 -s 2", "the study chooses the ranks"},
        {"mdtest -n 4 --json x", "give --json and --csv of the study"},
        {"mdtest -n 4 --csv x", "give --json and --csv of the study"},
        {"mdtest -n 4 --dry-run", "give --dry-run before --"},
        {"mdtest -n x", "mdtest: -n: 'x' is not a whole number"},
        {"mdtest --help", "asks for no run"},
        {"ior -f x", "a study is of one test"},
        {"ior -N 2", "the study chooses the ranks"},
        {"ior --json x", "give --json and --csv of the study"},
        {"ior --nothing", "ior: --nothing: no such option"},
        {"find . --json=x", "give --json and --csv of the study"},
        {"find . --help", "find: --help asks for no run"},
        {"find -version", "find: -version asks for no run"},
        {"find . -name x -delete", "would search what is left"},
        {"find . --delete", "would search what is left"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_args args;
        struct line line;
        char why[512] = "";

        assert_int_equal(
            read_args(&args, &line, rows[i].line, why, sizeof(why)), -EINVAL);
        assert_non_null(strstr(why, rows[i].why));
        assert_null(strchr(why, '\n'));
    }
}

/* The words behind the benchmark's own, and the note. */
static void a_total_is_divided_by_the_ranks(void **state)
{
    static const struct {
        const char *line;
        uint32_t ranks;
        const char *words; /* behind those of the line */
        const char *note;
    } rows[] = {
        {"mdtest -n 100", 4, "-n 25", ""},
        {"mdtest -n 100", 3, "-n 33",
         "-n 100 over 3 ranks: 33 each, 1 left out"},
        {"mdtest -n 2", 3, "-n 1", "-n 2 over 3 ranks: 1 each, 1 more"},
        {"mdtest -I 40 -z 1", 4, "-I 10", ""},
        {"mdtest -n 400 -I 100 -z 1 -b 3", 4, "-I 25 -n 100", ""},
        {"mdtest -n 400 -I 100 -z 1 -b 3", 3, "-I 33 -n 132",
         "-I 100 over 3 ranks: 33 each, 1 left out; -n 400 over 3 ranks: 132 "
         "each, 4 left out"},
        {"ior -b 1m -t 64k", 4, "-b 262144", ""},
        {"ior -b 1m -t 64k", 3, "-b 327680",
         "-b 1048576 bytes over 3 ranks: 327680 each, 65536 left out"},
        {"ior -b 64k -t 64k", 4, "-b 65536",
         "-b 65536 bytes over 4 ranks: 65536 each, 196608 more"},
        {"ior -b 100 -t 64k", 1, "-b 65536",
         "-b 100 bytes over 1 rank: 65536 each, 65436 more"},
        {"ior -b 0 -t 64k", 4, "-b 0", ""}, /* to be refused */
        {"ior -b 64k -t 0", 4, "-b 16384", ""},
        {"find . -name x", 4, "--count", ""},
        {"find . --count -name x", 4, "", ""},
    };
    char why[512];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_args args;
        struct tmk_scale_words words;
        struct line line;
        struct line want;

        assert_int_equal(
            read_args(&args, &line, rows[i].line, why, sizeof(why)), 0);
        cut(&want, rows[i].words);
        assert_int_equal(
            tmk_scale_words_make(&words, &args, NULL, true, rows[i].ranks), 0);
        assert_int_equal(words.argc, line.n + want.n);
        assert_null(words.argv[words.argc]);
        for (int k = 0; k < want.n; k++) {
            assert_string_equal(words.argv[line.n + k], want.words[k]);
        }
        assert_string_equal(words.note, rows[i].note);
        tmk_scale_words_fini(&words);
    }
}

static int parse(struct tmk_scale_conf *conf, struct line *line,
                 const char *text, char *why, size_t size)
{
    const struct tmk_opt_table table = {
        .rows = tmk_scale_opts, .n_rows = tmk_scale_n_opts, .conf = conf};
    char all[256];
    int err;

    (void)snprintf(all, sizeof(all), "scale %s", text);
    cut(line, all);
    tmk_scale_conf_init(conf);
    err = tmk_opt_parse(&table, 1, line->n, line->words, why, size);
    return err == 0 ? tmk_scale_conf_check(conf, why, size) : err;
}

static void options_that_do_not_go_together_are_refused(void **state)
{
    static const struct {
        const char *line;
        const char *why; /* NULL = it is fine */
    } rows[] = {
        {"", NULL},
        {"--nodes 1,2..8 --ppn=4 --repeat 3", NULL},
        {"--ranks 1..8 --map spread", NULL},
        {"--resume a --json a", NULL},
        {"--until-ci 5 --max-repeat 30", NULL},
        {"--strong --weak", "one of the two"},
        {"--map spread", "it is for --ranks"},
        {"--until-ci 0", "--until-ci: '0' is not"},
        {"--until-ci 5 --max-repeat 1", "two runs at least"},
        {"--until-ci 5 --repeat 9 --max-repeat 5", "more than --max-repeat"},
        {"--resume a --json b", "are added to the file"},
        {"--resume -", "not the standard output"},
        {"--json - --csv -", "they cannot share a file"},
        {"--nodes 0", "--nodes: '0' is not a list"},
        {"--nodes 4..1", "is not a list"},
        {"--repeat 0", "--repeat: 0 is too small"},
        {"--vary w", "--vary: 'w' is not an option of the benchmark"},
        {"--vary -w=1,,2", "--vary"},
        {"--vary =1", "--vary"},
        {"--vary -=1", "--vary"},
        {"--vary -w=1,11", NULL},
        {"--vary -w=1 --vary -n=2", "is not alone: a study varies one"},
        {"--vary -w=1,2,1", "is not an option and values that differ"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_conf conf;
        struct line line;
        char why[512] = "";
        int err = parse(&conf, &line, rows[i].line, why, sizeof(why));

        assert_int_equal(err, rows[i].why == NULL ? 0 : -EINVAL);
        if (rows[i].why != NULL) {
            assert_non_null(strstr(why, rows[i].why));
        }
    }
}

static void each_value_of_vary_is_a_word(void **state)
{
    static const struct {
        const char *line;
        unsigned n;
        const char *first, *last;
    } rows[] = {
        {"--vary -w=0,4096", 2, "-w=0", "-w=4096"},
        {"--vary=w=0", 1, "-w=0", "-w=0"},
        {"--vary --posix.odirect=0,1", 2, "--posix.odirect=0",
         "--posix.odirect=1"},
        {"--vary table=a,b,c", 3, "--table=a", "--table=c"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_scale_conf conf;
        struct line line;
        char why[512];
        char *first;
        char *last;

        assert_int_equal(parse(&conf, &line, rows[i].line, why, sizeof(why)),
                         0);
        assert_int_equal(conf.vary.n, rows[i].n);
        first = tmk_scale_vary_word(&conf.vary, 0);
        last = tmk_scale_vary_word(&conf.vary, rows[i].n - 1);
        assert_string_equal(first, rows[i].first);
        assert_string_equal(last, rows[i].last);
        free(first);
        free(last);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(benchmarks_are_known_with_their_places),
        cmocka_unit_test(what_a_study_has_itself_is_refused),
        cmocka_unit_test(a_total_is_divided_by_the_ranks),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
        cmocka_unit_test(each_value_of_vary_is_a_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
