#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/errnum.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void every_error_has_a_name(void **state)
{
    static const struct {
        int err;
        const char *want;
    } rows[] = {
        {ENOSPC, "ENOSPC"},
        {EPERM, "EPERM"},
        {ESTALE, "ESTALE"},
        {EDQUOT, "EDQUOT"},
        {999, "E999"},
        {0, "E0"},
        {-5, "E-5"},
        {INT32_MAX, "E2147483647"},
        {INT32_MIN, "E-2147483648"},
    };
    char buf[16];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(tmk_errnum_name(rows[i].err, buf, sizeof(buf)),
                            rows[i].want);
    }
}

static void an_error_is_read_by_name_or_number(void **state)
{
    static const struct {
        const char *name;
        int want;
    } rows[] = {
        {"ENOSPC", ENOSPC},
        {"enospc", ENOSPC},
        {"28", 28},
        {"EWOULDBLOCK", EAGAIN},
        {"EAGAIN", EAGAIN},
        {"EDEADLOCK", EDEADLK},
        {"ENOTSUP", ENOTSUP},
        {"EOPNOTSUPP", EOPNOTSUPP},
        {"ENOSPCX", 0},
        {"NOSPC", 0},
        {"", 0},
        {"0", 0},
        {"-28", 0},
        {"999", 0},
        {"99999", 0},
        {"99999999999999999999", 0},
        {"E999", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(tmk_errnum_parse(rows[i].name), rows[i].want);
    }
}

static void a_name_reads_back_as_its_number(void **state)
{
    char buf[16];

    (void)state;
    for (int err = 1; err < TMK_ERRNUM_SLOTS; err++) {
        const char *name = tmk_errnum_name(err, buf, sizeof(buf));

        assert_int_equal(tmk_errnum_parse(name), name == buf ? 0 : err);
    }
}

static void every_error_of_this_system_has_a_slot(void **state)
{
    char buf[16];

    (void)state;
    for (int err = TMK_ERRNUM_SLOTS; err < 4096; err++) {
        assert_ptr_equal(tmk_errnum_name(err, buf, sizeof(buf)), buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_a_name),
        cmocka_unit_test(an_error_is_read_by_name_or_number),
        cmocka_unit_test(a_name_reads_back_as_its_number),
        cmocka_unit_test(every_error_of_this_system_has_a_slot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
