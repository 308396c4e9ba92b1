#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/below.h"

/* A directory with a/b/c in it, and links to them. */
struct place {
    char path[64];
    struct tmk_below dirs;
};

static void open_place(struct place *p)
{
    const char *paths[1] = {p->path};
    size_t which;

    assert_int_equal(tmk_below_init(&p->dirs, paths, 1, &which), 0);
}

static int begin(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    int dir;

    assert_non_null(p);
    (void)snprintf(p->path, sizeof(p->path), "/tmp/test_below.XXXXXX");
    assert_non_null(mkdtemp(p->path));
    dir = open(p->path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(mkdirat(dir, "a", 0700), 0);
    assert_int_equal(mkdirat(dir, "a/b", 0700), 0);
    assert_int_equal(mkdirat(dir, "a/b/c", 0700), 0);
    assert_int_equal(symlinkat("b", dir, "a/link"), 0);
    close(openat(dir, "a/file", O_CREAT | O_WRONLY, 0600));
    close(dir);
    open_place(p);
    *state = p;
    return 0;
}

static int end(void **state)
{
    struct place *p = *state;
    char command[128];

    tmk_below_fini(&p->dirs);
    tmk_below_fini(&p->dirs);
    (void)snprintf(command, sizeof(command), "rm -rf %s", p->path);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
    free(p);
    return 0;
}

/* Whether an open file is the directory of a path below the place. */
static void check_is(const struct place *p, int fd, const char *path)
{
    char whole[128];
    struct stat want;
    struct stat got;

    (void)snprintf(whole, sizeof(whole), "%s/%s", p->path, path);
    assert_true(fd >= 0);
    assert_int_equal(stat(whole, &want), 0);
    assert_int_equal(fstat(fd, &got), 0);
    assert_int_equal(got.st_ino, want.st_ino);
}

static void directories_are_found_by_path(void **state)
{
    struct place *p = *state;
    static const char *const paths[] = {"a/b/c", "a", "", "a/b", "a/b/c"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        check_is(p, tmk_below_open(&p->dirs, 0, paths[i]), paths[i]);
    }
    /* What is open is not opened again. */
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a/b"),
                     tmk_below_open(&p->dirs, 0, "a/b"));
    assert_int_equal(tmk_below_open(&p->dirs, 0, ""), p->dirs.roots[0].fd);
}

static void links_are_not_followed(void **state)
{
    struct place *p = *state;
    int err = tmk_below_open(&p->dirs, 0, "a/link");

    assert_true(err == -ELOOP || err == -ENOTDIR);
    err = tmk_below_open(&p->dirs, 0, "a/link/c");
    assert_true(err == -ELOOP || err == -ENOTDIR);
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a/file"), -ENOTDIR);
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a/none"), -ENOENT);
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a/none/c"), -ENOENT);
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a//b"), -ENAMETOOLONG);
}

static void another_file_system_is_not_entered(void **state)
{
    const char *paths[1] = {"/"};
    struct tmk_below dirs;
    size_t which;

    (void)state;
    assert_int_equal(tmk_below_init(&dirs, paths, 1, &which), 0);
    assert_int_equal(tmk_below_open(&dirs, 0, "proc"), -EXDEV);
    assert_int_equal(tmk_below_open(&dirs, 0, "proc/self"), -EXDEV);
    assert_true(tmk_below_open(&dirs, 0, "etc") >= 0);
    tmk_below_fini(&dirs);
}

static void more_than_stay_open_can_be_used(void **state)
{
    struct place *p = *state;
    char name[16];

    for (int i = 0; i < 3 * TMK_BELOW_OPEN; i++) {
        (void)snprintf(name, sizeof(name), "a/b/%d", i);
        assert_int_equal(mkdirat(p->dirs.roots[0].fd, name, 0700), 0);
    }
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 3 * TMK_BELOW_OPEN; i++) {
            (void)snprintf(name, sizeof(name), "a/b/%d", i);
            check_is(p, tmk_below_open(&p->dirs, 0, name), name);
        }
    }
    assert_true(tmk_below_open(&p->dirs, 0, "a") < 100);
}

static void a_closed_one_is_looked_for_again(void **state)
{
    struct place *p = *state;
    int dir = p->dirs.roots[0].fd;

    check_is(p, tmk_below_open(&p->dirs, 0, "a/b/c"), "a/b/c");
    tmk_below_close(&p->dirs, 0, "a/b/c");
    tmk_below_close(&p->dirs, 0, "a/b/c");
    assert_int_equal(unlinkat(dir, "a/b/c", AT_REMOVEDIR), 0);
    assert_int_equal(tmk_below_open(&p->dirs, 0, "a/b/c"), -ENOENT);
}

static void a_directory_is_listed_from_its_beginning_each_time(void **state)
{
    struct place *p = *state;
    int dir = tmk_below_open(&p->dirs, 0, "a");

    for (int turn = 0; turn < 3; turn++) {
        DIR *stream = tmk_below_list(dir);
        int n = 0;

        assert_non_null(stream);
        while (readdir(stream) != NULL) {
            n++;
        }
        assert_int_equal(n, 5); /* and . and .. */
        assert_int_equal(closedir(stream), 0);
    }
    check_is(p, dir, "a");
    assert_null(tmk_below_list(-1));
    assert_int_equal(errno, EBADF);
    dir = openat(dir, "file", O_RDONLY);
    assert_true(dir >= 0);
    assert_null(tmk_below_list(dir));
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(close(dir), 0);
}

static void what_is_no_directory_is_told(void **state)
{
    struct place *p = *state;
    char file[128];
    const char *paths[3] = {p->path, file, p->path};
    struct tmk_below dirs;
    size_t which;

    (void)snprintf(file, sizeof(file), "%s/a/file", p->path);
    assert_int_equal(tmk_below_init(&dirs, paths, 3, &which), -ENOTDIR);
    assert_int_equal(which, 1);
    tmk_below_fini(&dirs);
    (void)snprintf(file, sizeof(file), "%s/none", p->path);
    assert_int_equal(tmk_below_init(&dirs, paths, 3, &which), -ENOENT);
    assert_int_equal(which, 1);
    tmk_below_fini(&dirs);
    (void)snprintf(file, sizeof(file), "%s/a/link", p->path); /* is followed */
    assert_int_equal(tmk_below_init(&dirs, paths, 3, &which), 0);
    assert_int_equal(dirs.n_roots, 3);
    tmk_below_fini(&dirs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(directories_are_found_by_path, begin,
                                        end),
        cmocka_unit_test_setup_teardown(links_are_not_followed, begin, end),
        cmocka_unit_test(another_file_system_is_not_entered),
        cmocka_unit_test_setup_teardown(more_than_stay_open_can_be_used, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_closed_one_is_looked_for_again, begin,
                                        end),
        cmocka_unit_test_setup_teardown(
            a_directory_is_listed_from_its_beginning_each_time, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_directory_is_told, begin,
                                        end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
