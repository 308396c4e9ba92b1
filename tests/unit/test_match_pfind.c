#include "unit/match_env.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int compile(struct match_world *w, const char *words,
                   struct tmk_match **match, struct tmk_match_pfind *pfind,
                   char *why)
{
    struct tmk_match_env env = match_env(w);
    char line[256];
    char *argv[MATCH_WORDS_MOST + 1];
    int argc;

    (void)snprintf(line, sizeof(line), "%s", words);
    argc = match_cut(line, argv);
    return tmk_match_pfind(match, pfind, argc, argv, &env, why, MATCH_WHY);
}

static void options_may_stand_anywhere(void **state)
{
    static const struct {
        const char *words;
        struct tmk_match_pfind want;
    } rows[] = {
        {"d", {0}},
        {"d -C", {.count_only = true}},
        {"-C d", {.count_only = true}},
        {"-C=1 d", {.count_only = true}},
        {"-C -C=0 d", {0}},
        {"d -P -N -E -e",
         {.by_rank = true,
          .prefer_next = true,
          .delete_dirs = true,
          .delete_matches = true}},
        {"d -v -v -v", {.verbosity = 3}},
        {"d -v -v=0 -v", {.verbosity = 1}},
        {"d -D rates", {.rates = true}},
        {"d -D=rates", {.rates = true}},
        {"d -s 300", {.limit_ns = 300000000000}},
        {"d -s 0.5", {.limit_ns = 500000000}},
        {"d -s=0", {0}},
        {"d -q 10000", {.queue_items = 10000}},
        {"d -q=10k", {.queue_items = 10240}},
        {"d -M 1", {.batch_entries = 1}},
        {"d -H 2", {.split = 2}},
        {"d --pfind-ctime", {.ctime_rule = true}},
        {"d --mine2 x --mine", {0}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        struct tmk_match_pfind pfind;
        char why[MATCH_WHY] = "";

        if (compile(&w, rows[i].words, &match, &pfind, why) != 0) {
            fail_msg("%s: %s", rows[i].words, why);
        }
        assert_memory_equal(&pfind, &rows[i].want, sizeof(pfind));
        assert_int_equal(match->n_starts, 1);
        assert_string_equal(match->starts[0], "d");
        tmk_match_free(match);
    }
}

static void a_dash_is_a_directory(void **state)
{
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match *match;
    struct tmk_match_pfind pfind;
    char why[MATCH_WHY] = "";
    char *argv[] = {"-", "--mine", NULL};

    (void)state;
    assert_int_equal(
        tmk_match_pfind(&match, &pfind, 2, argv, &env, why, sizeof(why)), 0);
    assert_string_equal(match->starts[0], "-");
    tmk_match_free(match);
    env.own_option = NULL;
    assert_int_equal(
        tmk_match_pfind(&match, &pfind, 2, argv, &env, why, sizeof(why)),
        -EINVAL);
    assert_string_equal(why, "--mine: no such option");
}

static void results_go_where_r_says(void **state)
{
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match *match;
    struct tmk_match_pfind pfind;
    char why[MATCH_WHY] = "";
    char *argv[] = {"d", "-r", "out", NULL};

    (void)state;
    assert_int_equal(
        tmk_match_pfind(&match, &pfind, 3, argv, &env, why, sizeof(why)), 0);
    assert_string_equal(pfind.results_dir, "out");
    tmk_match_free(match);
}

static void help_needs_no_directory(void **state)
{
    static const char *const rows[] = {"-h", "--help", "-help", "--version"};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        struct tmk_match_pfind pfind;
        char why[MATCH_WHY] = "";

        assert_int_equal(compile(&w, rows[i], &match, &pfind, why), 0);
        assert_true(match->help || match->version);
        assert_int_equal(match->n_starts, 0);
        tmk_match_free(match);
    }
}

static void wrong_words_are_named(void **state)
{
    static const struct {
        const char *words, *why;
    } rows[] = {
        {"", "a directory is missing"},
        {"-C", "a directory is missing"},
        {"d e", "e: there is a directory already"},
        {"_", "'': the directory has no name"},
        {"d -print", "-print: no such option"},
        {"d -depht", "-depht: no such option"},
        {"d -newermt @1", "-newermt: no such option"},
        {"d -vv", "-vv: no such option"},
        {"d -CP", "-CP: no such option"},
        {"d -x", "-x: no such option"},
        {"d -type f", "-type: no such option"},
        {"d --broken", "--broken: is broken"},
        {"d --mine2", "--mine2: no such option"},
        {"d -name", "-name: an argument is missing"},
        {"d -q", "-q: an argument is missing"},
        {"d -C=2", "-C=2: a flag is 0 or 1"},
        {"d -D fast", "-D: 'fast' has to be rates"},
        {"d -q 9", "-q: '9' has to be at least 10"},
        {"d -q x", "-q: 'x' is no number"},
        {"d -M -1", "-M: '-1' is no number"},
        {"d -H 3", "-H: '3' has to be 0, 1 or 2"},
        {"d -s 1m", "-s: '1m' is not a number of seconds (60 and 0.5 are)"},
        {"d -s _", "-s: '' is not a number of seconds (60 and 0.5 are)"},
        {"d -r _", "-r: the directory has no name"},
        {"d -size 6", "-size: '6' is no number of bytes with a c behind it"},
        {"d -size 6k", "-size: '6k' is no number of bytes with a c behind it"},
        {"d -size +5c",
         "-size: '+5c' is no number of bytes with a c behind it"},
        {"d -size c", "-size: 'c' is no number of bytes with a c behind it"},
        {"d -size 0x6c",
         "-size: '0x6c' is no number of bytes with a c behind it"},
        {"d -size 99999999999999999999c",
         "-size: '99999999999999999999c' is no number of bytes with a c "
         "behind it"},
        {"d -size 1x -newer gone",
         "-size: '1x' is no number of bytes with a c behind it"},
        {"d -regex \\( -size 1x",
         "-regex: '\\(' is no expression (Unmatched ( or \\()"},
        {"d -newer gone",
         "-newer: 'gone' cannot be looked at: No such file or directory"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        struct tmk_match_pfind pfind;
        char why[MATCH_WHY] = "";
        int err = compile(&w, rows[i].words, &match, &pfind, why);

        assert_null(match);
        assert_int_equal(err, strstr(rows[i].why, "gone") != NULL ? -ENOENT
                                                                  : -EINVAL);
        if (strcmp(why, rows[i].why) != 0) {
            fail_msg("%s: %s", rows[i].words, why);
        }
    }
}

static void what_matches_is_what_pfind_finds(void **state)
{
    /* A file of 600 bytes that was changed 200000 s ago (its status 30 s
     * ago); ref: 200 s, its status 300 s. */
    static const struct {
        const char *words, *path;
        char type;
        const char *said;
    } rows[] = {
        {"d", "top/f01", 'f', "-print"},
        {"d", "top/f01", 'd', ""},
        {"d", "top/f01", 'l', "-print"},
        {"d -C", "top/f01", 'f', "-C"},
        {"d -C", "top/f01", 'd', ""},
        {"d -name *01*", "top/f01", 'f', "-print"},
        {"d -name 01", "top/f01", 'f', ""},
        {"d -name f??", "top/f01", 'f', "-print"},
        {"d -regex 0[1]", "top/f01", 'f', "-print"},
        {"d -regex ^f", "top/f01", 'f', "-print"},
        {"d -regex ^0", "top/f01", 'f', ""},
        {"d -regex top", "top/f01", 'f', ""},
        {"d -regex \\(x\\|1\\)$", "top/f01", 'f', "-print"},
        {"d -regex x -name f*", "top/f01", 'f', "-print"},
        {"d -name x -regex f", "top/f01", 'f', "-print"},
        {"d -name x -name f*", "top/f01", 'f', "-print"},
        {"d -size 600c", "top/f01", 'f', "-print"},
        {"d -size 1c -size 600c", "top/f01", 'f', "-print"},
        {"d -size 601c", "top/f01", 'f', ""},
        {"d -newer ref", "top/f01", 'f', ""},
        {"d -newer ref --pfind-ctime", "top/f01", 'f', "-print"},
        {"d --pfind-ctime -newer ref", "top/f01", 'f', "-print"},
        {"d -empty", "top/f01", 'f', ""},
        {"d -empty", "top/void", 'd', ""},
        {"d -e", "top/f01", 'f', "-print -delete"},
        {"d -e -C", "top/f01", 'f', "-C -delete"},
        {"d -delete", "top/f01", 'f', "-delete"},
        {"d -delete -C", "top/f01", 'f', "-C -delete"},
        {"d -delete", "top/f01", 'd', ""},
        {"d -depth", "top/f01", 'f', "-print"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        struct tmk_match_pfind pfind;
        char why[MATCH_WHY] = "";
        struct tmk_match_entry e = match_entry(rows[i].path, rows[i].type);

        assert_int_equal(compile(&w, rows[i].words, &match, &pfind, why), 0);
        w.said[0] = '\0';
        (void)tmk_match_run(match, &e, &match_calls, &w);
        if (strcmp(w.said, rows[i].said) != 0) {
            fail_msg("%s on %s: %s", rows[i].words, rows[i].path, w.said);
        }
        tmk_match_free(match);
    }
}

static void the_old_rule_is_whole_seconds_and_no_earlier(void **state)
{
    static const struct {
        const char *words;
        struct tmk_match_time time;
        bool want;
    } rows[] = {
        {"d -newer ref --pfind-ctime", {MATCH_NOW_S - 300, 0}, true},
        {"d -newer ref --pfind-ctime", {MATCH_NOW_S - 301, 999999999}, false},
        {"d -newer ref", {MATCH_NOW_S - 200, 500000000}, false},
        {"d -newer ref", {MATCH_NOW_S - 200, 500000001}, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        struct tmk_match_pfind pfind;
        char why[MATCH_WHY] = "";
        struct tmk_match_entry e = match_entry("top/f", 'f');

        assert_int_equal(compile(&w, rows[i].words, &match, &pfind, why), 0);
        assert_int_equal(match->needs,
                         pfind.ctime_rule ? TMK_MATCH_CTIME : TMK_MATCH_MTIME);
        e.ctime = rows[i].time;
        e.mtime = rows[i].time;
        assert_int_equal(tmk_match_run(match, &e, &match_calls, &w) != 0,
                         rows[i].want);
        tmk_match_free(match);
    }
}

static void the_predicate_of_io500_needs_little(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match;
    struct tmk_match_pfind pfind;
    char why[MATCH_WHY] = "";
    struct tmk_match_entry e = match_entry("top/f01", 'f');
    uint32_t missing;

    (void)state;
    assert_int_equal(compile(&w,
                             "d -newer ref -size 3901c -name *01* -C -q 10000",
                             &match, &pfind, why),
                     0);
    assert_int_equal(match->needs, TMK_MATCH_SIZE | TMK_MATCH_MTIME);
    assert_false(match->path_in_tests);
    assert_false(match->contents_first);
    assert_string_equal(w.warned, "");
    e.have = 0;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NEEDS);
    assert_int_equal(missing, TMK_MATCH_SIZE | TMK_MATCH_MTIME);
    e.type = TMK_MATCH_DIR;
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NO);
    e.type = TMK_MATCH_FILE;
    e.name = "f02";
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_NO);
    tmk_match_free(match);
}

static void a_name_without_a_star_is_warned_of(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match;
    struct tmk_match_pfind pfind;
    char why[MATCH_WHY] = "";

    (void)state;
    assert_int_equal(compile(&w, "d -name 01", &match, &pfind, why), 0);
    assert_string_equal(w.warned,
                        "-name: without a * it stands for the whole name here");
    tmk_match_free(match);
}

static void depth_goes_for_contents_first(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match;
    struct tmk_match_pfind pfind;
    char why[MATCH_WHY] = "";

    (void)state;
    assert_int_equal(compile(&w, "d -depth", &match, &pfind, why), 0);
    assert_true(match->contents_first);
    tmk_match_free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_may_stand_anywhere),
        cmocka_unit_test(a_dash_is_a_directory),
        cmocka_unit_test(results_go_where_r_says),
        cmocka_unit_test(help_needs_no_directory),
        cmocka_unit_test(wrong_words_are_named),
        cmocka_unit_test(what_matches_is_what_pfind_finds),
        cmocka_unit_test(the_old_rule_is_whole_seconds_and_no_earlier),
        cmocka_unit_test(the_predicate_of_io500_needs_little),
        cmocka_unit_test(a_name_without_a_star_is_warned_of),
        cmocka_unit_test(depth_goes_for_contents_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
