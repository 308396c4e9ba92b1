#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/mpiio_hints.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PAIRS = 4 };

/* They are these, "name=value" each, up to NULL. */
static void check(const struct tmk_mpiio_hints *hints, const char *const *want)
{
    const char *value = NULL;
    const char *name = NULL;

    for (size_t i = 0; want[i] != NULL; i++) {
        char pair[4200];

        name = tmk_mpiio_hints_next(hints, name, &value);
        assert_non_null(name);
        (void)snprintf(pair, sizeof(pair), "%s=%s", name, value);
        assert_string_equal(pair, want[i]);
    }
    assert_null(tmk_mpiio_hints_next(hints, name, &value));
}

static void hints_come_from_the_environment(void **state)
{
    static const struct {
        const char *env[PAIRS];
        const char *want[PAIRS];
        const char *why; /* NULL = it is well */
    } rows[] = {
        {{NULL}, {NULL}, NULL},
        {{"HOME=/", "IOR_HINT=1", "XIOR_HINT__MPI__a=b"}, {NULL}, NULL},
        {{"IOR_HINT__MPI__cb_nodes=1", "HOME=/", "IOR_HINT__GPFS__x=y=z"},
         {"cb_nodes=1", "x=y=z"},
         NULL},
        {{"IOR_HINT__MPI__a="}, {"a="}, NULL},
        {{"IOR_HINT__MPI__=b"},
         {NULL},
         "IOR_HINT__MPI__=b is no hint: IOR_HINT__MPI__NAME=VALUE is"},
        {{"IOR_HINT__PVFS__a=b"},
         {NULL},
         "IOR_HINT__PVFS__a=b is no hint: IOR_HINT__MPI__NAME=VALUE is"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mpiio_hints hints = {0};
        char why[256] = "";
        int err = tmk_mpiio_hints_add_env(&hints, (char *const *)rows[i].env,
                                          why, sizeof(why));

        assert_int_equal(err, rows[i].why != NULL ? -EINVAL : 0);
        assert_string_equal(why, rows[i].why != NULL ? rows[i].why : "");
        check(&hints, rows[i].want);
        tmk_mpiio_hints_fini(&hints);
    }
}

/* A file with this text; the caller removes it. */
static void write_file(char *path, size_t size, const char *text)
{
    FILE *to;
    int fd;

    (void)snprintf(path, size, "/tmp/test_mpiio_hints.XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    to = fdopen(fd, "w");
    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

static void hints_come_from_a_file(void **state)
{
    static const struct {
        const char *text;
        const char *want[PAIRS];
        unsigned wrong; /* number of the line, 0 = it is well */
    } rows[] = {
        {"", {NULL}, 0},
        {"# nothing\n\n   \n  # = \n", {NULL}, 0},
        {"a=b", {"a=b"}, 0},
        {" romio_cb_write =  enable \r\nIOR_HINT__MPI__cb_nodes=2\n",
         {"romio_cb_write=enable", "cb_nodes=2"},
         0},
        {"a = b c\na=d\n", {"a=b c", "a=d"}, 0},
        {"a=\n", {"a="}, 0},
        {"a=b\nc\n", {"a=b"}, 2},
        {"=b\n", {NULL}, 1},
        {"IOR_HINT__MPI__ = b\n", {NULL}, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mpiio_hints hints = {0};
        char path[64];
        char want[256] = "";
        char why[256] = "";

        write_file(path, sizeof(path), rows[i].text);
        if (rows[i].wrong != 0) {
            (void)snprintf(want, sizeof(want),
                           "hints file %s, line %u: no NAME = VALUE", path,
                           rows[i].wrong);
        }
        assert_int_equal(
            tmk_mpiio_hints_add_file(&hints, path, why, sizeof(why)),
            rows[i].wrong != 0 ? -EINVAL : 0);
        assert_string_equal(why, want);
        check(&hints, rows[i].want);
        tmk_mpiio_hints_fini(&hints);
        assert_int_equal(unlink(path), 0);
    }
}

static void there_may_be_any_number_of_any_length(void **state)
{
    enum { MANY = 300 };
    const char *env[MANY + 1] = {NULL};
    struct tmk_mpiio_hints hints = {0};
    char why[256] = "";
    char *longest = calloc(1, 4200);

    (void)state;
    assert_non_null(longest);
    (void)snprintf(longest, 4200, "IOR_HINT__MPI__long=%04000d", 0);
    for (size_t i = 0; i < MANY; i++) {
        env[i] = longest;
    }
    assert_int_equal(
        tmk_mpiio_hints_add_env(&hints, (char *const *)env, why, sizeof(why)),
        0);
    for (size_t i = 0; i < MANY; i++) {
        env[i] = longest + strlen("IOR_HINT__MPI__");
    }
    check(&hints, env);
    tmk_mpiio_hints_fini(&hints);
    for (size_t i = 0; i < MANY; i++) {
        env[i] = longest;
    }
    assert_int_equal(tmk_mpiio_hints_read(&hints, (char *const *)env, NULL,
                                          5000, 5000, why, sizeof(why)),
                     -EINVAL);
    assert_string_equal(why, "hints: more than 1048576 bytes");
    tmk_mpiio_hints_fini(&hints);
    free(longest);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    struct tmk_mpiio_hints hints = {0};
    const char *value = NULL;
    char why[256] = "";

    (void)state;
    assert_int_equal(
        tmk_mpiio_hints_add_file(&hints, "/no/such", why, sizeof(why)),
        -ENOENT);
    assert_string_equal(why, "hints file /no/such: No such file or directory");
    assert_int_equal(tmk_mpiio_hints_add_file(&hints, "/", why, sizeof(why)),
                     -EISDIR);
    assert_string_equal(why, "hints file /: Is a directory");
    assert_null(tmk_mpiio_hints_next(&hints, NULL, &value));
    tmk_mpiio_hints_fini(&hints);
}

static void both_are_read_and_the_file_has_the_last_word(void **state)
{
    static const char *const env[] = {"IOR_HINT__MPI__a=1",
                                      "IOR_HINT__MPI__bb=22", NULL};
    static const char *const want[] = {"a=1", "bb=22", "a=333", NULL};
    struct tmk_mpiio_hints hints = {0};
    char path[64];
    char why[256] = "";

    (void)state;
    write_file(path, sizeof(path), "a = 333\n");
    assert_int_equal(tmk_mpiio_hints_read(&hints, (char *const *)env, path, 3,
                                          4, why, sizeof(why)),
                     0);
    check(&hints, want);
    tmk_mpiio_hints_fini(&hints);
    assert_int_equal(tmk_mpiio_hints_read(&hints, (char *const *)env, NULL, 2,
                                          4, why, sizeof(why)),
                     -EINVAL);
    assert_string_equal(
        why, "hint bb: MPI takes names up to 1 and values up to 3 bytes");
    tmk_mpiio_hints_fini(&hints);
    assert_int_equal(tmk_mpiio_hints_read(&hints, (char *const *)env, path, 3,
                                          3, why, sizeof(why)),
                     -EINVAL);
    assert_string_equal(
        why, "hint a: MPI takes names up to 2 and values up to 2 bytes");
    tmk_mpiio_hints_fini(&hints);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(tmk_mpiio_hints_read(&hints, (char *const *)env, path, 9,
                                          9, why, sizeof(why)),
                     -ENOENT);
    tmk_mpiio_hints_fini(&hints);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_come_from_the_environment),
        cmocka_unit_test(hints_come_from_a_file),
        cmocka_unit_test(there_may_be_any_number_of_any_length),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(both_are_read_and_the_file_has_the_last_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
