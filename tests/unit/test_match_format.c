#include "unit/match_env.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* What the first action of an expression writes for an entry. */
static size_t record(char *const *argv, int argc,
                     const struct tmk_match_entry *e, char *got, size_t size)
{
    struct match_world w = {0};
    struct tmk_match_env env = match_env(&w);
    struct tmk_match_text text = {0};
    struct tmk_match *match;
    char why[MATCH_WHY] = "";

    if (tmk_match_compile(&match, argc, argv, &env, why, sizeof(why)) != 0) {
        fail_msg("%s", why);
    }
    assert_int_equal(
        tmk_match_record(match->actions[0], e, &match_calls, &w, &text), 0);
    assert_true(text.length < size);
    if (text.length != 0) {
        memcpy(got, text.bytes, text.length);
    }
    got[text.length] = '\0';
    size = text.length;
    tmk_match_text_fini(&text);
    tmk_match_free(match);
    return size;
}

struct format_row {
    const char *format, *want;
};

static void check_formats(const struct format_row *rows, size_t n,
                          const struct tmk_match_entry *e)
{
    for (size_t i = 0; i < n; i++) {
        char format[128];
        char *argv[] = {".", "-printf", format, NULL};
        char got[512];

        (void)snprintf(format, sizeof(format), "%s|", rows[i].format);
        (void)record(argv, 3, e, got, sizeof(got));
        got[strlen(got) - 1] = '\0';
        if (strcmp(got, rows[i].want) != 0) {
            fail_msg("%s: %s", rows[i].format, got);
        }
    }
}

static void directives_show_what_find_shows(void **state)
{
    static const struct format_row rows[] = {
        {"", ""},
        {"%%", "%"},
        {"a%%b", "a%b"},
        {"%p", "top/sub/f.c"},
        {"%f", "f.c"},
        {"%h", "top/sub"},
        {"%H", "top"},
        {"%P", "sub/f.c"},
        {"%d", "2"},
        {"%s", "600"},
        {"%b", "3"},
        {"%k", "2"},
        {"%S", "2.56"},
        {"%m", "644"},
        {"%M", "-rw-r--r--"},
        {"%u %U", "ann 1000"},
        {"%g %G", "staff 50"},
        {"%n", "2"},
        {"%i", "77"},
        {"%D", "9"},
        {"%y%Y", "ff"},
        {"%l", ""},
        {"%F", "ext4"},
        {"%Z", ""},
        {"%t", "Sun Mar  1 22:32:47.5000000000 2026"},
        {"%a", "Wed Mar  4 06:05:57.5000000000 2026"},
        {"%c", "Wed Mar  4 06:05:37.5000000000 2026"},
        {"%T@", "1772400767.5000000000"},
        {"%A@", "1772600757.5000000000"},
        {"%C@", "1772600737.5000000000"},
        {"%B@", "1772600417.5000000000"},
        {"%TY-%Tm-%Td %TH:%TM:%TS", "2026-03-01 22:32:47.5000000000"},
        {"%TZ%Tz", "CET+0100"},
    };
    struct tmk_match_entry e = match_entry("top/sub/f.c", 'f');

    (void)state;
    check_formats(rows, COUNT(rows), &e);
}

static void fields_are_padded_and_cut(void **state)
{
    static const struct format_row rows[] = {
        {"%12p", "   top/f.txt"},
        {"%-12p", "top/f.txt   "},
        {"%012p", "   top/f.txt"}, /* zeros are for numbers */
        {"%.3p", "top"},
        {"%6.3p", "   top"},
        {"%-6.3p", "top   "},
        {"%.0p", ""},
        {"%6s", "   600"},
        {"%06s", "   600"},
        {"%.2s", "60"},
        {"%5d", "    1"},
        {"%-5d", "1    "},
        {"%05d", "00001"},
        {"%-05d", "1    "},
        {"%+d", "+1"},
        {"% d", " 1"},
        {"%+5d", "   +1"},
        {"%+05d", "+0001"},
        {"%-+5d", "+1   "},
        {"%.3d", "001"},
        {"%5.3d", "  001"},
        {"%-5.3d", "001  "},
        {"%05.3d", "  001"},
        {"%5m", "  644"},
        {"%-5m", "644  "},
        {"%05m", "00644"},
        {"%02m", "644"},
        {"%#m", "0644"},
        {"%#6m", "  0644"},
        {"%#06m", "000644"},
        {"%+m", "644"},
        {"%.6m", "000644"},
        {"%#.2m", "0644"},
        {"%10S", "      2.56"},
        {"%.2S", "2.6"},
        {"%-8.2S", "2.6     "},
        {"%.50S", "2.56"},
        {"%6u%-6g", "   annstaff "},
        {"%20TF", "          2026-03-01"},
        {"%-12TF", "2026-03-01  "},
        {"%.4TF", "2026"},
    };
    struct tmk_match_entry e = match_entry("top/f.txt", 'f');

    (void)state;
    check_formats(rows, COUNT(rows), &e);
}

static void escapes_are_those_of_c(void **state)
{
    static const struct {
        const char *format, *want;
        size_t length;
    } rows[] = {
        {"\\a\\b\\f\\n\\r\\t\\v\\\\", "\a\b\f\n\r\t\v\\", 8},
        {"\\061\\1012\\18",
         "1A2\1"
         "8",
         5},
        {"\\0", "\0", 1},
        {"a\\0b", "a\0b", 3},
        {"\\400", "\0", 1},
        {"\\q", "\\q", 2},
        {"\\", "\\", 1},
        {"a\\cb%p", "a", 1},
        {"\\c", "", 0},
    };
    struct tmk_match_entry e = match_entry("top/f", 'f');

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char format[64];
        char *argv[] = {".", "-printf", format, NULL};
        char got[64];

        (void)snprintf(format, sizeof(format), "%s", rows[i].format);
        assert_int_equal(record(argv, 3, &e, got, sizeof(got)), rows[i].length);
        assert_memory_equal(got, rows[i].want, rows[i].length);
    }
}

static void what_is_no_directive_is_written_as_it_is(void **state)
{
    static const struct format_row rows[] = {
        {"%q", "%q"},
        {"a%5qb", "a%5qb"},
        {"%-.3I", "%-.3I"},
        {"%Tq", "%q"},
        {"%TE", "%E"},
        {"%5Tq", "%q"},
        {"x%qy%p", "x%qytop/f"},
        {"%p%q%p", "top/f%qtop/f"},
    };
    struct tmk_match_entry e = match_entry("top/f", 'f');
    char *argv[] = {".", "-printf", "%p%T", NULL};
    char got[64];

    (void)state;
    check_formats(rows, COUNT(rows), &e);
    (void)record(argv, 3, &e, got, sizeof(got));
    assert_string_equal(got, "top/f%T");
}

/* As GNU find has them. */
static void paths_of_start_points_are_special(void **state)
{
    static const struct {
        const char *path;
        size_t start;
        uint32_t depth;
        const char *want; /* %f %h %H %P */
    } rows[] = {
        {"dir", 3, 0, "dir . dir "},
        {"dir/", 4, 0, "dir/ . dir/ "},
        {"dir//", 5, 0, "dir/ . dir// "},
        {"dir/a", 5, 0, "a dir dir/a "},
        {"/", 1, 0, "/  / "},
        {"/tmp", 1, 1, "tmp  / tmp"},
        {"/tmp", 4, 0, "tmp  /tmp "},
        {".", 1, 0, ". . . "},
        {"./", 2, 0, "./ . ./ "},
        {"./a", 1, 1, "a . . a"},
        {"./a", 2, 1, "a . ./ a"},
        {"dir//a", 5, 1, "a dir/ dir// a"},
        {"dir/a/b", 3, 2, "b dir/a dir a/b"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_entry e = match_entry(rows[i].path, 'd');
        const struct format_row row = {"%f %h %H %P", rows[i].want};

        e.start_length = rows[i].start;
        e.depth = rows[i].depth;
        check_formats(&row, 1, &e);
    }
}

static void links_show_where_they_lead(void **state)
{
    static const struct {
        const char *path;
        struct format_row row;
    } rows[] = {
        {"top/l", {"%y%Y %l", "lf tar get/f.c"}},
        {"top/nowhere", {"%y%Y", "lN"}},
        {"top/circle", {"%Y", "L"}},
        {"top/broken", {"%l", ""}},
        {"top/l", {"%M", "lrw-r--r--"}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_entry e = match_entry(rows[i].path, 'l');

        check_formats(&rows[i].row, 1, &e);
    }
}

static void nothing_known_is_shown_as_it_can_be(void **state)
{
    static const struct format_row rows[] = {
        {"%u %g", "5 6"}, {"%B@%BY", ""}, {"%5BY", "     "}, {"%y%Y", "UU"},
        {"%S", "1"},      {"%.0d", ""},   {"%m", "0"},       {"%#m", "0"},
        {"%.0m", ""},     {"%#.0m", "0"},
    };
    static const struct format_row hole = {"%S", "inf"};
    struct tmk_match_entry e = match_entry("top/f", '\0');

    (void)state;
    e.uid = 5;
    e.gid = 6;
    e.btime.ns = TMK_MATCH_NO_TIME;
    e.size_bytes = 0;
    e.blocks = 0;
    e.mode = 0;
    e.depth = 0;
    check_formats(rows, COUNT(rows), &e);
    e.blocks = 8;
    check_formats(&hole, 1, &e);
}

static void ls_lines_are_those_of_find(void **state)
{
    static const struct {
        const char *path;
        char type;
        const char *want;
    } rows[] = {
        {"top/f", 'f',
         "       77      2 -rw-r--r--   2 ann      staff         600 Mar  1 "
         "22:32 top/f\n"},
        {"top/l", 'l',
         "       77      2 lrw-r--r--   2 ann      staff         600 Mar  1 "
         "22:32 top/l -> tar\\ get/f.c\n"},
        {"top/broken", 'l',
         "       77      2 lrw-r--r--   2 ann      staff         600 Mar  1 "
         "22:32 top/broken\n"},
        {"top/c", 'c',
         "       77      2 crw-r--r--   2 ann      staff      1,   3 Mar  1 "
         "22:32 top/c\n"},
        {"top/b", 'b',
         "       77      2 brw-r--r--   2 ann      staff      1,   3 Mar  1 "
         "22:32 top/b\n"},
        {"top/ \"\\\a\b\f\n\r\t\v\x01\x7f\xff", 'f',
         "       77      2 -rw-r--r--   2 ann      staff         600 Mar  1 "
         "22:32 top/\\ \\\"\\\\\\a\\b\\f\\n\\r\\t\\v\\001\\177\\377\n"},
    };
    char *argv[] = {".", "-ls", NULL};
    char got[512];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_entry e = match_entry(rows[i].path, rows[i].type);

        (void)record(argv, 2, &e, got, sizeof(got));
        assert_string_equal(got, rows[i].want);
    }
}

static void owners_without_a_name_are_numbers(void **state)
{
    char *argv[] = {".", "-ls", NULL};
    struct tmk_match_entry e = match_entry("top/f", 'f');
    char got[512];

    (void)state;
    e.uid = 123;
    e.gid = UINT32_MAX;
    (void)record(argv, 2, &e, got, sizeof(got));
    assert_string_equal(got, "       77      2 -rw-r--r--   2 123      "
                             "4294967295      600 Mar  1 22:32 top/f\n");
}

static void names_end_as_asked(void **state)
{
    char *const print[] = {".", "-print", NULL};
    char *const print0[] = {".", "-print0", NULL};
    char *const delete[] = {".", "-delete", NULL};
    struct tmk_match_entry e = match_entry("top/a\nb", 'f');
    char got[64];

    (void)state;
    assert_int_equal(record(print, 2, &e, got, sizeof(got)), 8);
    assert_memory_equal(got, "top/a\nb\n", 8);
    assert_int_equal(record(print0, 2, &e, got, sizeof(got)), 8);
    assert_memory_equal(got, "top/a\nb\0", 8);
    assert_int_equal(record(delete, 2, &e, got, sizeof(got)), 0);
}

static void braces_stand_for_the_path(void **state)
{
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"", ""},        {"ls", "ls"},
        {"{}", "./a b"}, {"x{}y{}", "x./a by./a b"},
        {"{", "{"},      {"{{}}", "{./a b}"},
        {"{ }", "{ }"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_text text = {0};

        assert_int_equal(tmk_match_text_add(&text, "z", 1), 0);
        assert_int_equal(tmk_match_exec_word(rows[i].word, "./a b", &text), 0);
        assert_int_equal(text.length, strlen(rows[i].want) + 2);
        assert_string_equal(text.bytes + 1, rows[i].want);
        tmk_match_text_fini(&text);
    }
}

static void a_record_that_has_no_room_is_left_out_whole(void **state)
{
    struct match_world w = {0};
    struct tmk_match_text text = {0};
    struct tmk_match_entry e = match_entry("top/f", 'f');
    struct tmk_match *match;
    char why[MATCH_WHY] = "";

    (void)state;
    assert_int_equal(match_compile(&w, ". -print", &match, why), 0);
    assert_int_equal(tmk_match_text_add(&text, "ab", 2), 0);
    e.path_length = SIZE_MAX - 2;
    assert_int_equal(
        tmk_match_record(match->actions[0], &e, &match_calls, &w, &text),
        -ENOMEM);
    assert_int_equal(text.length, 2);
    tmk_match_text_fini(&text);
    tmk_match_free(match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directives_show_what_find_shows),
        cmocka_unit_test(fields_are_padded_and_cut),
        cmocka_unit_test(escapes_are_those_of_c),
        cmocka_unit_test(what_is_no_directive_is_written_as_it_is),
        cmocka_unit_test(paths_of_start_points_are_special),
        cmocka_unit_test(links_show_where_they_lead),
        cmocka_unit_test(nothing_known_is_shown_as_it_can_be),
        cmocka_unit_test(ls_lines_are_those_of_find),
        cmocka_unit_test(owners_without_a_name_are_numbers),
        cmocka_unit_test(names_end_as_asked),
        cmocka_unit_test(braces_stand_for_the_path),
        cmocka_unit_test(a_record_that_has_no_room_is_left_out_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
