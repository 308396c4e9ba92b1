#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/match_mode.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* As GNU find's mode parser has them, which is that of chmod with umask 0. */
static void modes_are_read_as_chmod_reads_them(void **state)
{
    static const struct {
        const char *text;
        enum tmk_match_bits how;
        uint32_t file, dir;
    } rows[] = {
        {"0", TMK_MATCH_BITS_EXACT, 0, 0},
        {"644", TMK_MATCH_BITS_EXACT, 0644, 0644},
        {"00644", TMK_MATCH_BITS_EXACT, 0644, 0644},
        {"7777", TMK_MATCH_BITS_EXACT, 07777, 07777},
        {"-4000", TMK_MATCH_BITS_ALL, 04000, 04000},
        {"-0", TMK_MATCH_BITS_ALL, 0, 0},
        {"/222", TMK_MATCH_BITS_ANY, 0222, 0222},
        {"/000", TMK_MATCH_BITS_ALL, 0, 0}, /* no bit is asked for */
        {"/u=", TMK_MATCH_BITS_ALL, 0, 0},
        {"u=rw", TMK_MATCH_BITS_EXACT, 0600, 0600},
        {"=", TMK_MATCH_BITS_EXACT, 0, 0},
        {"=rx", TMK_MATCH_BITS_EXACT, 0555, 0555},
        {"+w", TMK_MATCH_BITS_EXACT, 0222, 0222},
        {"=755", TMK_MATCH_BITS_EXACT, 0755, 0755},
        {"-=755", TMK_MATCH_BITS_ALL, 0755, 0755},
        {"-+755", TMK_MATCH_BITS_ALL, 0755, 0755},
        {"=7,u-x", TMK_MATCH_BITS_EXACT, 07, 07},
        {"a=rwX,u-w,g=u", TMK_MATCH_BITS_EXACT, 0446, 0557},
        {"a+X", TMK_MATCH_BITS_EXACT, 0, 0111},
        {"u=x,a+X", TMK_MATCH_BITS_EXACT, 0111, 0111},
        {"ug+s", TMK_MATCH_BITS_EXACT, 06000, 06000},
        {"o+s", TMK_MATCH_BITS_EXACT, 0, 0},
        {"+s", TMK_MATCH_BITS_EXACT, 06000, 06000},
        {"o+t", TMK_MATCH_BITS_EXACT, 01000, 01000},
        {"u+t", TMK_MATCH_BITS_EXACT, 0, 0},
        {"+t", TMK_MATCH_BITS_EXACT, 01000, 01000},
        {"u=rwx,g=u", TMK_MATCH_BITS_EXACT, 0770, 0770},
        {"u=rwx,g=u-w,o=g", TMK_MATCH_BITS_EXACT, 0755, 0755},
        {"u=rwx,u-g", TMK_MATCH_BITS_EXACT, 0700, 0700},
        {"o=w,a=o", TMK_MATCH_BITS_EXACT, 0222, 0222},
        {"/u+w,g+w", TMK_MATCH_BITS_ANY, 0220, 0220},
        {"ugoa=rwxst", TMK_MATCH_BITS_EXACT, 07777, 07777},
        {"u=rw+x-w", TMK_MATCH_BITS_EXACT, 0500, 0500},
        {"g+w-w", TMK_MATCH_BITS_EXACT, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_mode mode;

        assert_int_equal(tmk_match_mode_parse(rows[i].text, &mode), 0);
        assert_int_equal(mode.how, rows[i].how);
        if (mode.file != rows[i].file || mode.dir != rows[i].dir) {
            fail_msg("%s: %o %o", rows[i].text, mode.file, mode.dir);
        }
    }
}

static void what_is_no_mode_is_refused(void **state)
{
    static const char *const rows[] = {
        "",       "-",      "/",    "8",        "644x", " 644",
        "17777",  "017777", "u",    "t",        "s",    "rw",
        "-rw",    ",u=r",   "u=r,", "u=r,,g=w", "u=q",  "u=rr8",
        "u=755",  "g=7",    "+755", "+8",       "+222", "=758",
        "=17777", "u=ug",   "z+r",  "u+r x",    "-u",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_mode mode;

        if (tmk_match_mode_parse(rows[i], &mode) != -EINVAL) {
            fail_msg("'%s' was taken", rows[i]);
        }
    }
}

static void bits_are_compared_exactly_all_or_any(void **state)
{
    static const struct {
        const char *text;
        uint32_t bits;
        bool file, dir;
    } rows[] = {
        {"644", 0644, true, true},     {"644", 0744, false, false},
        {"644", 0100644, true, true},  {"-644", 0744, true, true},
        {"-644", 0600, false, false},  {"/222", 0200, true, true},
        {"/222", 0555, false, false},  {"/0", 0, true, true},
        {"0", 0, true, true},          {"0", 1, false, false},
        {"-0", 0777, true, true},      {"-4000", 04755, true, true},
        {"-4000", 0755, false, false}, {"a=rX", 0444, true, false},
        {"a=rX", 0555, false, true},   {"/a+X", 0001, false, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_match_mode mode;

        assert_int_equal(tmk_match_mode_parse(rows[i].text, &mode), 0);
        assert_int_equal(tmk_match_mode_test(&mode, false, rows[i].bits),
                         rows[i].file);
        assert_int_equal(tmk_match_mode_test(&mode, true, rows[i].bits),
                         rows[i].dir);
    }
}

static void modes_are_written_as_ls_writes_them(void **state)
{
    static const struct {
        char type;
        uint32_t bits;
        const char *want;
    } rows[] = {
        {'f', 0644, "-rw-r--r--"},  {'d', 0755, "drwxr-xr-x"},
        {'l', 0777, "lrwxrwxrwx"},  {'p', 0, "p---------"},
        {'f', 04711, "-rws--x--x"}, {'f', 04600, "-rwS------"},
        {'f', 02755, "-rwxr-sr-x"}, {'f', 02745, "-rwxr-Sr-x"},
        {'d', 01777, "drwxrwxrwt"}, {'d', 01770, "drwxrwx--T"},
        {'s', 07777, "srwsrwsrwt"}, {'\0', 0, "?---------"},
        {'c', 0600, "crw-------"},  {'b', 0060, "b---rw----"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char buf[TMK_MATCH_MODE_ROOM];

        tmk_match_mode_format(rows[i].type, rows[i].bits, buf);
        assert_string_equal(buf, rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_read_as_chmod_reads_them),
        cmocka_unit_test(what_is_no_mode_is_refused),
        cmocka_unit_test(bits_are_compared_exactly_all_or_any),
        cmocka_unit_test(modes_are_written_as_ls_writes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
