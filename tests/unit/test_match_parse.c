#include "unit/match_env.h"

#include <stdlib.h>

#include "base/match_format.h"
#include "base/match_tree.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const kinds[] = {
    [TMK_MATCH_CONST] = "const",
    [TMK_MATCH_NOT] = "not",
    [TMK_MATCH_AND] = "and",
    [TMK_MATCH_OR] = "or",
    [TMK_MATCH_COMMA] = "comma",
    [TMK_MATCH_NAME] = "name",
    [TMK_MATCH_PATH] = "path",
    [TMK_MATCH_REGEX] = "regex",
    [TMK_MATCH_NAME_REGEX] = "name_regex",
    [TMK_MATCH_TYPES] = "type",
    [TMK_MATCH_OTHER_TYPES] = "xtype",
    [TMK_MATCH_INODE] = "inum",
    [TMK_MATCH_LINKS] = "links",
    [TMK_MATCH_OWNER] = "uid",
    [TMK_MATCH_GROUP] = "gid",
    [TMK_MATCH_NO_OWNER] = "nouser",
    [TMK_MATCH_NO_GROUP] = "nogroup",
    [TMK_MATCH_BITS] = "perm",
    [TMK_MATCH_BYTES] = "size",
    [TMK_MATCH_AGE] = "age",
    [TMK_MATCH_USED] = "used",
    [TMK_MATCH_NEWER] = "newer",
    [TMK_MATCH_SAME] = "same",
    [TMK_MATCH_EMPTY] = "empty",
    [TMK_MATCH_LEADS] = "lname",
    [TMK_MATCH_FSTYPE] = "fstype",
    [TMK_MATCH_MAY] = "may",
    [TMK_MATCH_PRUNES] = "prune",
    [TMK_MATCH_QUITS] = "quit",
    [TMK_MATCH_ACTS] = "act",
};

static void show(const struct tmk_match_node *node, char *buf, size_t size)
{
    size_t n;

    if (node->kind == TMK_MATCH_CONST) {
        (void)snprintf(buf, size, "%s", node->u.constant ? "true" : "false");
        return;
    }
    (void)snprintf(buf, size, "%s%s", node->child != NULL ? "(" : "",
                   node->kind == TMK_MATCH_ACTS ? node->u.action->word
                                                : kinds[node->kind]);
    for (const struct tmk_match_node *c = node->child; c != NULL; c = c->next) {
        n = strlen(buf);
        (void)snprintf(buf + n, size - n, " ");
        show(c, buf + n + 1, size - n - 1);
    }
    n = strlen(buf);
    (void)snprintf(buf + n, size - n, "%s", node->child != NULL ? ")" : "");
}

struct tree_row {
    const char *words, *want;
};

static void check_trees(const struct tree_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";
        char got[1024];

        if (match_compile(&w, rows[i].words, &match, why) != 0) {
            fail_msg("%s: %s", rows[i].words, why);
        }
        show(match->root, got, sizeof(got));
        if (strcmp(got, rows[i].want) != 0) {
            fail_msg("%s: %s", rows[i].words, got);
        }
        tmk_match_free(match);
    }
}

static void operators_bind_as_in_find(void **state)
{
    static const struct tree_row rows[] = {
        {"", "-print"},
        {"dir", "-print"},
        {". -uid 1 -gid 1", "(and uid gid -print)"},
        {". -uid 1 -a -gid 1", "(and uid gid -print)"},
        {". -uid 1 -and -gid 1", "(and uid gid -print)"},
        {". -uid 1 -o -gid 1", "(and (or uid gid) -print)"},
        {". -uid 1 -or -gid 1", "(and (or uid gid) -print)"},
        {". -uid 1 -gid 1 -o -links 1 -perm 1",
         "(and (or (and uid gid) (and links perm)) -print)"},
        {". -uid 1 ( -gid 1 -o -links 1 ) -perm 1",
         "(and uid (or gid links) perm -print)"},
        {". ! -uid 1 -gid 1", "(and (not uid) gid -print)"},
        {". -not ( -uid 1 -gid 1 )", "(and (not (and uid gid)) -print)"},
        {". ! ! -uid 1", "(and uid -print)"},
        {". ! ! ! -uid 1", "(and (not uid) -print)"},
        {". ! ( ! -uid 1 )", "(and (not (not uid)) -print)"},
        {". -prune , -uid 1", "(and (comma prune uid) -print)"},
        {". -print , -uid 1 -o -gid 1 -print",
         "(comma -print (or uid (and gid -print)))"},
        {". -uid 1 -print -o -gid 1 -print0 , -ls",
         "(comma (or (and uid -print) (and gid -print0)) -ls)"},
        {". --uid 1 --o --gid 1", "(and (or uid gid) -print)"},
        {"! -uid 1", "(and (not uid) -print)"},
        {"( -uid 1 )", "(and uid -print)"},
        {". -prune", "(and prune -print)"},
        {". -quit", "(and quit -print)"},
        {". -name a -prune -o -print", "(or (and name prune) -print)"},
        {". -delete", "-delete"},
    };

    (void)state;
    check_trees(rows, COUNT(rows));
}

static void what_is_known_beforehand_is_folded(void **state)
{
    static const struct tree_row rows[] = {
        {". -true", "-print"},
        {". -false", "false"},
        {". ! -false", "-print"},
        {". ! -type d -uid 1", "(and type uid -print)"},
        {". ! ( ! -type d )", "(and type -print)"},
        {". -name *", "-print"},
        {". -path * -uid 1", "(and uid -print)"},
        {". -uid 1 -true -gid 1", "(and uid gid -print)"},
        {". -uid 1 -false -gid 1", "false"},
        {". -uid 1 -o -true -o -gid 1", "-print"},
        {". -uid 1 -o -false", "(and uid -print)"},
        {". -false -o -false", "false"},
        {". -true -true", "-print"},
        {". -print -false", "-print"},
        {". ! ( -print -uid 1 -false )", "-print"},
        {". -false -print", "false"},
        {". -print -o -ls", "(or -print -ls)"},
        {". -uid 1 -print -uid 2", "(and uid -print)"},
        {". -uid 1 -print -false -o -ls", "(or (and uid -print false) -ls)"},
        {". -uid 1 , -gid 1", "(and gid -print)"},
        {". -uid 1 , -print", "-print"},
        {". -uid 1 -prune , -gid 1",
         "(and (comma (and uid prune) gid) -print)"},
        {". ! -print , -ls", "(comma -print -ls)"},
        {". -uid 1 -o -print , -ls", "(comma (or uid -print) -ls)"},
        {". ( -print , -uid 1 ) , -ls", "(comma -print -ls)"},
        {". -print ( -uid 1 -o -gid 1 )", "-print"},
        {". ( -print -o -uid 1 ) -a ( -uid 1 -o -gid 1 ) , -ls",
         "(comma -print -ls)"},
        {". -depth -name a -prune", "(and name -print)"},
        {". -depth -prune", "-print"},
        {". -maxdepth 1 -uid 1 -daystart", "(and uid -print)"},
        {". -maxdepth 1", "-print"},
    };

    (void)state;
    check_trees(rows, COUNT(rows));
}

static void cheap_tests_come_first_but_not_past_an_effect(void **state)
{
    static const struct tree_row rows[] = {
        {". -size 1 -name a", "(and name size -print)"},
        {". -newer ref -size 3901c -name *01*", "(and name newer size -print)"},
        {". -size 1 -uid 1 -perm 1", "(and uid perm size -print)"},
        {". -empty -readable -nouser -xtype f -regex a -path b -name [a]? "
         "-name c "
         "-inum 1 -type f",
         "(and type name inum name path regex nouser xtype may empty -print)"},
        {". -fstype x -lname y -samefile ref -links 1",
         "(and same links fstype lname -print)"},
        {". -size 1 -o -name a", "(and (or name size) -print)"},
        {". ( -size 1 -o -name a ) -uid 1", "(and uid (or name size) -print)"},
        {". ! -size 1 -name a", "(and name (not size) -print)"},
        {". -size 1 -print -name a -print0", "(and size -print name -print0)"},
        {". -size 1 -name b -print -uid 1 -name a -print0",
         "(and name size -print name uid -print0)"},
        {". -size 1 -prune -o -name a",
         "(and (or (and size prune) name) -print)"},
        {". -size 1 ( -name a -quit -o -true ) -name b",
         "(and size (or (and name quit) true) name -print)"},
        {". -mtime 1 -amin 1 -cnewer ref -used 1",
         "(and age age newer used -print)"},
    };

    (void)state;
    check_trees(rows, COUNT(rows));
}

static void wrong_words_are_named(void **state)
{
    static const struct {
        const char *words, *why;
    } rows[] = {
        {". -mtimes 3", "-mtimes: no such test (is -mtime meant?)"},
        {". -nmae 3", "-nmae: no such test (is -name meant?)"},
        {". --dept", "--dept: no such test (is -depth meant?)"},
        {". -xyz", "-xyz: no such test"},
        {". -x", "-x: no such test"},
        {". -newerm ref", "-newerm: no such test (is -newer meant?)"},
        {". -executible", "-executible: no such test (is -executable meant?)"},
        {". -ignore_readir_rac",
         "-ignore_readir_rac: no such test (is -ignore_readdir_race meant?)"},
        {". -ok ls ;", "-ok: is not available here"},
        {". -okd", "-okd: no such test"},
        {". -L", "-L: has to come before the start points"},
        {". --", "--: no such test"},
        {". -nam\na", "-nam?a: no such test"},
        {". -name", "-name: an argument is missing"},
        {". -fprintf a", "-fprintf: an argument is missing"},
        {". -newermm", "-newermm: an argument is missing"},
        {". -true b",
         "b: start points come before the expression (or a pattern was not "
         "quoted)"},
        {". -true -",
         "-: start points come before the expression (or a pattern was not "
         "quoted)"},
        {". -true (a",
         "(a: start points come before the expression (or a pattern was not "
         "quoted)"},
        {". -o", "-o: there is nothing before it"},
        {". -a -true", "-a: there is nothing before it"},
        {". -true -a -o -true", "-o: there is nothing before it"},
        {". ( , )", ",: there is nothing before it"},
        {". -true -o", "-o: an expression has to follow"},
        {". -true ,", ",: an expression has to follow"},
        {". !", "!: an expression has to follow"},
        {". (", "(: an expression has to follow"},
        {". ( -true -o )", "-o: an expression has to follow"},
        {". ( )", "(: nothing between the parentheses"},
        {". ( -true", "(: no ')' closes it"},
        {". ( -true ( -false )", "(: no ')' closes it"},
        {". -true )", "): no '(' is open here"},
        {". -true -o )", "): no '(' is open here"},
        {". -true ! )", "): no '(' is open here"},
        {"-O", "-O: a digit has to follow the O"},
        {"-Ox", "-Ox: a digit has to follow the O"},
        {"-O11", "-O11: a digit has to follow the O"},
        {"_", "'': a start point has no name"},
        {". -maxdepth -1", "-maxdepth: '-1' is no number of levels"},
        {". -maxdepth x", "-maxdepth: 'x' is no number of levels"},
        {". -mindepth _", "-mindepth: '' is no number of levels"},
        {". -mindepth 1x", "-mindepth: '1x' is no number of levels"},
        {". -maxdepth 4294967295", "-maxdepth: '4294967295' is too much"},
        {". -maxdepth 99999999999999999999",
         "-maxdepth: '99999999999999999999' is too much"},
        {". -type f,f", "-type: 'f,f' has f twice"},
        {". -type fd", "-type: 'fd' needs commas between the letters"},
        {". -type _",
         "-type: '' has to be letters of fdlpsbc, commas between them"},
        {". -type D",
         "-type: 'D' has to be letters of fdlpsbc, commas between them"},
        {". -xtype f,",
         "-xtype: 'f,' has to be letters of fdlpsbc, commas between them"},
        {". -size 1x",
         "-size: '1x' is no size (a number, then b, c, w, k, M or G)"},
        {". -size 99999999999999999999c",
         "-size: '99999999999999999999c' is too much"},
        {". -links --1", "-links: '--1' is no number, +number or -number"},
        {". -uid root", "-uid: 'root' is no number, +number or -number"},
        {". -mtime x", "-mtime: 'x' is no number, +number or -number"},
        {". -mmin 99999999999999999", "-mmin: '99999999999999999' is too much"},
        {". -used 1.5", "-used: '1.5' is no number, +number or -number"},
        {". -used 4294967296", "-used: '4294967296' is too much"},
        {". -user bob", "-user: 'bob' is the name of no user"},
        {". -user +0", "-user: '+0' is the name of no user"},
        {". -user 1x", "-user: '1x' is the name of no user"},
        {". -group 4294967296", "-group: '4294967296' is the name of no group"},
        {". -perm 888", "-perm: '888' is no mode (644, -u+w, /a+x)"},
        {". -newerxm ref",
         "-newerxm: the letters have to be one of aBcm, then one of aBcmt"},
        {". -newermx ref",
         "-newermx: the letters have to be one of aBcm, then one of aBcmt"},
        {". -newertm ref",
         "-newertm: the letters have to be one of aBcm, then one of aBcmt"},
        {". -newermt now",
         "-newermt: 'now' is no date (2026-12-31, 2026-12-31T23:59:59+01:00, "
         "@SECONDS)"},
        {". -newermB ref", "-newermB: 'ref' does not say when it was made"},
        {". -newer gone",
         "-newer: 'gone' cannot be looked at: No such file or directory"},
        {". -samefile gone",
         "-samefile: 'gone' cannot be looked at: No such file or directory"},
        {". -regextype perl", NULL},
        {". -regex \\(", "-regex: '\\(' is no expression (Unmatched ( or \\()"},
        {". -printf %", "-printf: '%' ends within a directive (%% is a %)"},
        {". -printf %-5", "-printf: '%-5' ends within a directive (%% is a %)"},
        {". -printf %(",
         "-printf: '%(' has a directive that is kept for later"},
        {". -printf %999999999p",
         "-printf: '%999999999p' has a field that is too wide"},
        {". -printf %.999999999p",
         "-printf: '%.999999999p' has a field that is too wide"},
        {". -fprint _", "-fprint: the file to write has no name"},
        {". -fprintf _ a", "-fprintf: the file to write has no name"},
        {". -fprintf a %", "-fprintf: '%' ends within a directive (%% is a %)"},
        {". -exec ls +", "-exec: a ';' has to end the command"},
        {". -exec ls", "-exec: a ';' has to end the command"},
        {". -exec", "-exec: a ';' has to end the command"},
        {". -exec ;", "-exec: there is no command"},
        {". -exec {} +", "-exec: there is no command"},
        {". -exec + ;", NULL}, /* a command called + */
        {". -exec ls {} {} +", "-exec: with + there is one {} only"},
        {". -execdir ls a{} +", "-execdir: 'a{}' has to be {} alone, with +"},
        {". -delete -prune",
         "-delete: contents go first then, and -prune does nothing; -depth "
         "says that this is meant"},
        {"--broken .", "--broken: is broken"},
        {". --broken", "--broken: is broken"},
        {". -true --broken", "--broken: is broken"},
        {". ( --broken", "--broken: is broken"},
        {". ( -true --broken )", "--broken: is broken"},
        {". ! --broken", "--broken: is broken"},
        {". -true --mine2", "--mine2: no such test"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";
        int err = match_compile(&w, rows[i].words, &match, why);

        if (strstr(rows[i].words, "-exec + ;") != NULL) {
            assert_int_equal(err, 0);
            tmk_match_free(match);
            continue;
        }
        assert_null(match);
        assert_int_equal(err, strstr(rows[i].words, "gone") != NULL ? -ENOENT
                                                                    : -EINVAL);
        if (rows[i].why != NULL && strcmp(why, rows[i].why) != 0) {
            fail_msg("%s: %s", rows[i].words, why);
        }
    }
}

static void nesting_has_an_end(void **state)
{
    char *argv[1200];
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match *match;
    char why[MATCH_WHY] = "";
    int n = 0;

    (void)state;
    while (n < 500) {
        argv[n++] = "(";
    }
    argv[n++] = "-uid";
    argv[n++] = "1";
    while (n < 1002) {
        argv[n++] = ")";
    }
    assert_int_equal(tmk_match_compile(&match, n, argv, &env, why, sizeof(why)),
                     0);
    tmk_match_free(match);
    memmove(argv + 1, argv, (size_t)n * sizeof(argv[0]));
    argv[n + 1] = ")";
    assert_int_equal(
        tmk_match_compile(&match, n + 2, argv, &env, why, sizeof(why)),
        -EINVAL);
    assert_string_equal(why, "(: nested deeper than 500");
}

static void a_long_chain_is_no_deep_tree(void **state)
{
    enum { LINKS = 60000 };
    char **argv = calloc(LINKS, 3 * sizeof(*argv));
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match *match;
    char why[MATCH_WHY] = "";
    struct tmk_match_entry e = match_entry("top/zz", 'f');
    uint32_t missing;
    int n = 0;

    (void)state;
    assert_non_null(argv);
    for (int i = 0; i < LINKS - 1; i++) {
        argv[n++] = "-name";
        argv[n++] = i + 2 < LINKS ? "ab" : "zz";
        argv[n++] = "-o";
    }
    assert_int_equal(
        tmk_match_compile(&match, n - 1, argv, &env, why, sizeof(why)), 0);
    assert_int_equal(tmk_match_ahead(match, &e, &missing), TMK_MATCH_YES);
    tmk_match_free(match);
    free(argv);
}

static void options_count_for_the_whole(void **state)
{
    static const struct {
        const char *words;
        struct tmk_match want;
    } rows[] = {
        {".", {.depth_most = UINT32_MAX}},
        {"-P .", {.depth_most = UINT32_MAX}},
        {"-H -L .", {.depth_most = UINT32_MAX, .follow = TMK_MATCH_FOLLOW_ALL}},
        {"-L -H -O3",
         {.depth_most = UINT32_MAX, .follow = TMK_MATCH_FOLLOW_STARTS}},
        {"-L -P -- .", {.depth_most = UINT32_MAX}},
        {". -follow",
         {.depth_most = UINT32_MAX, .follow = TMK_MATCH_FOLLOW_ALL}},
        {". -maxdepth 3 -mindepth 01", {.depth_most = 3, .depth_least = 1}},
        {". -true -o ( -maxdepth 0 )", {.depth_most = 0}},
        {". -depth", {.depth_most = UINT32_MAX, .contents_first = true}},
        {". -d", {.depth_most = UINT32_MAX, .contents_first = true}},
        {". -delete", {.depth_most = UINT32_MAX, .contents_first = true}},
        {". -delete -depth -prune",
         {.depth_most = UINT32_MAX, .contents_first = true}},
        {". -xdev", {.depth_most = UINT32_MAX, .one_device = true}},
        {". -mount", {.depth_most = UINT32_MAX, .one_device = true}},
        {". -ignore_readdir_race",
         {.depth_most = UINT32_MAX, .ignore_race = true}},
        {". -ignore_readdir_race -noignore_readdir_race",
         {.depth_most = UINT32_MAX}},
        {". -noleaf -warn", {.depth_most = UINT32_MAX}},
        {"-help", {.depth_most = UINT32_MAX, .help = true}},
        {"--version", {.depth_most = UINT32_MAX, .version = true}},
        {"--mine . --mine2 x -xdev --mine",
         {.depth_most = UINT32_MAX, .one_device = true}},
        {". ( --mine -xdev --mine )",
         {.depth_most = UINT32_MAX, .one_device = true}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct tmk_match *want = &rows[i].want;
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";

        if (match_compile(&w, rows[i].words, &match, why) != 0) {
            fail_msg("%s: %s", rows[i].words, why);
        }
        if (match->follow != want->follow ||
            match->depth_least != want->depth_least ||
            match->depth_most != want->depth_most ||
            match->contents_first != want->contents_first ||
            match->one_device != want->one_device ||
            match->ignore_race != want->ignore_race ||
            match->help != want->help || match->version != want->version) {
            fail_msg("%s: something differs", rows[i].words);
        }
        assert_int_equal(match->n_starts, 1);
        tmk_match_free(match);
    }
}

static void start_points_end_where_the_expression_begins(void **state)
{
    static const struct {
        const char *words, *starts;
    } rows[] = {
        {"", "."},
        {"-true", "."},
        {"a", "a"},
        {"a b/ //", "a b/ //"},
        {"a - b", "a - b"},
        {"-- a", "a"},
        {"a -true", "a"},
        {"a ! -true", "a"},
        {"a ( -true )", "a"},
        {"( -true )", "."},
        {"!a (b ,c )d", "!a (b ,c )d"},
        {", )", ", )"},
        {"a ) ,", "a ) ,"},
        {"--mine a --mine2 b c --mine", "a c"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";
        char got[128] = "";

        assert_int_equal(match_compile(&w, rows[i].words, &match, why), 0);
        for (size_t k = 0; k < match->n_starts; k++) {
            size_t n = strlen(got);

            (void)snprintf(got + n, sizeof(got) - n, "%s%s", k ? " " : "",
                           match->starts[k]);
        }
        assert_string_equal(got, rows[i].starts);
        tmk_match_free(match);
    }
}

static void the_union_of_what_is_needed_is_known(void **state)
{
    static const struct {
        const char *words;
        uint32_t needs;
        bool path;
    } rows[] = {
        {".", 0, false},
        {". -name a -type f", 0, false},
        {". -path a", 0, true},
        {". -regex a -o -true", 0, false},
        {". -regex a", 0, true},
        {". -printf %p%f%h%H%P%d%y%%", 0, false},
        {". -printf %s", TMK_MATCH_SIZE, false},
        {". -size 1 -newer ref", TMK_MATCH_SIZE | TMK_MATCH_MTIME, false},
        {". -size 1 -false", 0, false},
        {". -mtime 1 -atime 1 -ctime 1 -newerBm ref",
         TMK_MATCH_MTIME | TMK_MATCH_ATIME | TMK_MATCH_CTIME | TMK_MATCH_BTIME,
         false},
        {". -uid 1 -gid 1 -perm 1 -links 1",
         TMK_MATCH_UID | TMK_MATCH_GID | TMK_MATCH_MODE | TMK_MATCH_NLINK,
         false},
        {". -inum 1", TMK_MATCH_INO, false},
        {". -samefile ref", TMK_MATCH_INO, false},
        {". -used 1", TMK_MATCH_ATIME | TMK_MATCH_CTIME, false},
        {". -empty", TMK_MATCH_SIZE | TMK_MATCH_CALL, false},
        {". -xtype f", TMK_MATCH_CALL, false},
        {". -lname a", TMK_MATCH_CALL, false},
        {". -ls", TMK_MATCH_LS_NEEDS & ~(uint32_t)TMK_MATCH_TYPE, false},
        {". -exec ls ; -delete", 0, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";

        assert_int_equal(match_compile(&w, rows[i].words, &match, why), 0);
        if (match->needs != rows[i].needs ||
            match->path_in_tests != rows[i].path) {
            fail_msg("%s: %x %d", rows[i].words, match->needs,
                     match->path_in_tests);
        }
        tmk_match_free(match);
    }
}

static void actions_know_their_words_and_outputs(void **state)
{
    struct match_world w = {0};
    struct tmk_match *match;
    char why[MATCH_WHY] = "";

    (void)state;
    assert_int_equal(
        match_compile(&w,
                      ". -fprint b -fls a -print0 -fprintf b %p -fprint0 a "
                      "-exec cp a{}b x ; -execdir ls -l {} + -exec {} ;",
                      &match, why),
        0);
    assert_int_equal(match->n_outputs, 2);
    assert_string_equal(match->outputs[0], "b");
    assert_string_equal(match->outputs[1], "a");
    assert_int_equal(match->n_actions, 8);
    for (size_t i = 0; i < match->n_actions; i++) {
        static const int outputs[] = {0, 1, -1, 0, 1, -1, -1, -1};
        static const enum tmk_match_act acts[] = {
            TMK_MATCH_PRINT,  TMK_MATCH_LS,     TMK_MATCH_PRINT0,
            TMK_MATCH_PRINTF, TMK_MATCH_PRINT0, TMK_MATCH_EXEC,
            TMK_MATCH_EXEC,   TMK_MATCH_EXEC};

        assert_int_equal(match->actions[i]->index, i);
        assert_int_equal(match->actions[i]->output, outputs[i]);
        assert_int_equal(match->actions[i]->act, acts[i]);
    }
    assert_int_equal(match->actions[5]->n_words, 3);
    assert_string_equal(match->actions[5]->words[1], "a{}b");
    assert_null(match->actions[5]->words[3]);
    assert_false(match->actions[5]->many || match->actions[5]->in_dir);
    assert_int_equal(match->actions[6]->n_words, 3);
    assert_true(match->actions[6]->many && match->actions[6]->in_dir);
    assert_string_equal(match->actions[7]->words[0], "{}");
    tmk_match_free(match);
}

static void odd_things_are_warned_of_unless_not_wanted(void **state)
{
    static const struct {
        const char *words, *want;
    } rows[] = {
        {". -name a/b",
         "-name: a name has no slash, so nothing will match (is -path "
         "meant?)"},
        {". -name /", ""},
        {". -path a/b", ""},
        {". -nowarn -name a/b", ""},
        {". -nowarn -warn -iname /b",
         "-iname: a name has no slash, so nothing will match (is -path "
         "meant?)"},
        {". -printf %Q",
         "-printf: a directive that means nothing is written as it is"},
        {". -printf %T", "-printf: a time needs a second letter"},
        {". -printf %Tq",
         "-printf: a time has a second letter that means nothing"},
        {". -printf \\q",
         "-printf: a backslash before something that needs none"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";

        assert_int_equal(match_compile(&w, rows[i].words, &match, why), 0);
        assert_string_equal(w.warned, rows[i].want);
        tmk_match_free(match);
    }
}

static void references_are_looked_at_as_links_are_followed(void **state)
{
    static const struct {
        const char *words, *want;
    } rows[] = {
        {". -newer ref -samefile born", "lstat:ref lstat:born"},
        {"-L . -newer ref", "stat:ref"},
        {"-H . -anewer ref", "stat:ref"},
        {". -newer ref -follow -cnewer ref", "lstat:ref stat:ref"},
        {". -newerBB born -newerma ref", "lstat:born lstat:ref"},
        {". -newermt @1", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct match_world w = {0};
        struct tmk_match *match;
        char why[MATCH_WHY] = "";

        assert_int_equal(match_compile(&w, rows[i].words, &match, why), 0);
        assert_string_equal(w.said, rows[i].want);
        tmk_match_free(match);
    }
}

static void nothing_needs_more_than_a_table_of_its_own(void **state)
{
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match *match;
    char why[MATCH_WHY] = "";
    char *argv[] = {".",          "--mine", "-mtime", "1", "-newermt",
                    "1970-01-01", "-name",  "a/b",    NULL};

    (void)state;
    env.own_option = NULL;
    env.warn = NULL;
    env.utc_offset_s = NULL;
    assert_int_equal(tmk_match_compile(&match, 8, argv, &env, why, sizeof(why)),
                     -EINVAL);
    assert_string_equal(why, "--mine: no such test");
    argv[1] = "-daystart";
    assert_int_equal(tmk_match_compile(&match, 8, argv, &env, why, sizeof(why)),
                     0);
    tmk_match_free(match);
    tmk_match_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_find),
        cmocka_unit_test(what_is_known_beforehand_is_folded),
        cmocka_unit_test(cheap_tests_come_first_but_not_past_an_effect),
        cmocka_unit_test(wrong_words_are_named),
        cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(a_long_chain_is_no_deep_tree),
        cmocka_unit_test(options_count_for_the_whole),
        cmocka_unit_test(start_points_end_where_the_expression_begins),
        cmocka_unit_test(the_union_of_what_is_needed_is_known),
        cmocka_unit_test(actions_know_their_words_and_outputs),
        cmocka_unit_test(odd_things_are_warned_of_unless_not_wanted),
        cmocka_unit_test(references_are_looked_at_as_links_are_followed),
        cmocka_unit_test(nothing_needs_more_than_a_table_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
