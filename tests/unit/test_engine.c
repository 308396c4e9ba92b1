#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"

static const struct tmk_engine_ops one = {.name = "POSIX"};
static const struct tmk_engine_ops two = {.name = "DUMMY"};

static void an_engine_is_found_whatever_the_case(void **state)
{
    static const struct tmk_engine_ops *const engines[] = {&one, &two, NULL};
    static const struct tmk_engine_ops *const none[] = {NULL};
    static const struct {
        const char *name;
        const struct tmk_engine_ops *want;
    } rows[] = {
        {"POSIX", &one}, {"posix", &one},  {"Dummy", &two},
        {"", NULL},      {"POSIXX", NULL}, {"POSI", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_ptr_equal(tmk_engine_find(engines, rows[i].name), rows[i].want);
        assert_null(tmk_engine_find(none, rows[i].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_is_found_whatever_the_case),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
