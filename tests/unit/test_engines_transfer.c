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
#include <unistd.h>

#include "engine/engine.h"

/*
 * What every engine that transfers at an offset does alike, but for MPIIO,
 * which needs MPI.
 */

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { FILE_BYTES = 200003, MIB = 1 << 20 };

static const struct tmk_engine_ops *const engines[] = {
    &tmk_engine_posix,
    &tmk_engine_mmap,
    &tmk_engine_dummy,
#ifdef TMK_WITH_URING
    &tmk_engine_uring,
#endif
};

/* An instance of an engine; without one where the kernel has no such thing. */
struct made {
    const struct tmk_engine_ops *ops;
    void *conf;
    struct tmk_engine *e;
};

static struct made make(const struct tmk_engine_ops *ops, const char *option)
{
    char *const argv[] = {"test", (char *)option, NULL};
    struct made m = {.ops = ops, .conf = calloc(1, ops->conf_size)};
    const struct tmk_opt_table table = {.title = ops->name,
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = m.conf};
    char why[256];
    int err = -1;

    assert_non_null(m.conf);
    if (ops->conf_init != NULL) {
        ops->conf_init(m.conf);
    }
    if (option != NULL) {
        assert_int_equal(tmk_opt_parse(&table, 1, 2, argv, why, sizeof(why)),
                         0);
    }
    m.e = ops->open_instance(m.conf, 0, &err);
    if (err != -ENOSYS && err != -EPERM) {
        assert_int_equal(err, 0);
    }
    return m;
}

static void unmake(struct made m)
{
    m.ops->close_instance(m.e);
    free(m.conf);
}

static void expect(struct made m, uint64_t file_bytes)
{
    const struct tmk_engine_transfers transfers = {
        .writes = true, .ranks = 1, .file_bytes = file_bytes};

    if (m.ops->expect != NULL) {
        assert_int_equal(m.ops->expect(m.e, &transfers), 0);
    }
}

/* Fresh and empty for every test, which runs inside it. */
static int enter(void **state)
{
    char *dir = calloc(1, 64);

    if (dir == NULL) {
        return -1;
    }
    (void)snprintf(dir, 64, "/tmp/test_transfer.XXXXXX");
    if (mkdtemp(dir) == NULL || chdir(dir) != 0) {
        free(dir);
        return -1;
    }
    *state = dir;
    return 0;
}

static int leave(void **state)
{
    int err = chdir("/") == 0 ? rmdir(*state) : -1;

    free(*state);
    return err;
}

/* For each engine that is here. */
static void for_each(void (*check)(struct made m))
{
    for (size_t i = 0; i < COUNT(engines); i++) {
        struct made m = make(engines[i], NULL);

        if (m.e != NULL) {
            check(m);
        }
        unmake(m);
    }
}

/* The byte at a place of the file. */
static char byte_at(uint64_t offset)
{
    return (char)(offset % 251);
}

static char *pattern_of(uint64_t offset, size_t bytes)
{
    char *buf = malloc(bytes != 0 ? bytes : 1);

    assert_non_null(buf);
    for (size_t i = 0; i < bytes; i++) {
        buf[i] = byte_at(offset + i);
    }
    return buf;
}

static const struct {
    uint64_t offset;
    size_t bytes;
} pieces[] = {
    {100001, 100002}, {0, 1}, {1, 4095}, {4096, 4096}, {8192, 91809}, {50, 0},
};

static void check_pieces(struct made m)
{
    const struct tmk_engine_ops *ops = m.ops;
    uint64_t size = 7;
    intptr_t f = -1;

    expect(m, FILE_BYTES);
    assert_int_equal(ops->create(m.e, "f", 0600, &f), 0);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        char *buf = pattern_of(pieces[i].offset, pieces[i].bytes);

        assert_int_equal(
            ops->pwrite(m.e, f, buf, pieces[i].bytes, pieces[i].offset),
            pieces[i].bytes);
        free(buf);
    }
    assert_int_equal(ops->fsync(m.e, f), 0);
    assert_int_equal(ops->close(m.e, f), 0);
    assert_int_equal(ops->size(m.e, "f", &size), 0);
    assert_int_equal(size, ops->stores ? FILE_BYTES : 0);

    assert_int_equal(ops->open(m.e, "f", TMK_ENGINE_READ, &f), 0);
    for (size_t i = 0; i < COUNT(pieces); i++) {
        char *want = pattern_of(pieces[i].offset, pieces[i].bytes);
        char *buf = calloc(1, pieces[i].bytes + 1);

        assert_non_null(buf);
        assert_int_equal(
            ops->pread(m.e, f, buf, pieces[i].bytes, pieces[i].offset),
            pieces[i].bytes);
        if (ops->stores) {
            assert_memory_equal(buf, want, pieces[i].bytes);
        }
        free(buf);
        free(want);
    }
    assert_int_equal(ops->close(m.e, f), 0);
    assert_int_equal(ops->unlink(m.e, "f"), 0);
}

static void what_was_written_at_odd_places_is_read(void **state)
{
    (void)state;
    for_each(check_pieces);
}

static void check_end(struct made m)
{
    static const struct {
        uint64_t offset;
        size_t bytes;
        int64_t want;
    } rows[] = {
        {0, 100, 100}, {99, 1, 1},       {99, 2, 1},  {50, MIB, 50},
        {100, 1, 0},   {1 << 30, 10, 0}, {100, 0, 0},
    };
    char *buf = calloc(1, MIB);
    intptr_t f = -1;

    assert_non_null(buf);
    expect(m, 100);
    assert_int_equal(m.ops->create(m.e, "f", 0600, &f), 0);
    assert_int_equal(m.ops->pwrite(m.e, f, buf, 100, 0), 100);
    assert_int_equal(m.ops->close(m.e, f), 0);
    assert_int_equal(m.ops->open(m.e, "f", TMK_ENGINE_READ, &f), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(
            m.ops->pread(m.e, f, buf, rows[i].bytes, rows[i].offset),
            m.ops->stores ? rows[i].want : (int64_t)rows[i].bytes);
    }
    assert_int_equal(m.ops->close(m.e, f), 0);
    assert_int_equal(m.ops->unlink(m.e, "f"), 0);
    free(buf);
}

static void the_end_of_the_file_ends_a_transfer(void **state)
{
    (void)state;
    for_each(check_end);
}

static void check_missing(struct made m)
{
    uint64_t size = 7;
    struct stat st;
    intptr_t f = -7;

    if (!m.ops->stores) {
        return;
    }
    expect(m, 100);
    assert_int_equal(m.ops->open(m.e, "no", TMK_ENGINE_READ, &f), -ENOENT);
    assert_int_equal(m.ops->open(m.e, "no", TMK_ENGINE_WRITE, &f), -ENOENT);
    assert_int_equal(m.ops->create(m.e, "no/f", 0600, &f), -ENOENT);
    assert_int_equal(m.ops->create(m.e, ".", 0600, &f), -EISDIR);
    assert_int_equal(m.ops->size(m.e, "no", &size), -ENOENT);
    assert_int_equal(m.ops->stat(m.e, "no", &st), -ENOENT);
    assert_int_equal(m.ops->unlink(m.e, "no"), -ENOENT);
    assert_int_equal(m.ops->rmdir(m.e, "no"), -ENOENT);
    assert_int_equal(m.ops->list(m.e, "no", NULL, NULL), -ENOENT);
    assert_int_equal(f, -7);
    assert_int_equal(size, 7);
}

static void a_missing_file_is_enoent(void **state)
{
    (void)state;
    for_each(check_missing);
}

static void check_in_place(struct made m)
{
    char buf[8] = "";
    intptr_t f = -1;

    if (!m.ops->stores) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        expect(m, i == 0 ? 6 : 3);
        assert_int_equal(m.ops->create(m.e, "f", 0600, &f), 0);
        assert_int_equal(i == 0 ? m.ops->pwrite(m.e, f, "abcdef", 6, 0) - 3
                                : m.ops->pwrite(m.e, f, "xyz", 3, 0),
                         3);
        assert_int_equal(m.ops->pread(m.e, f, buf, 6, 0), 6);
        assert_int_equal(m.ops->close(m.e, f), 0);
    }
    assert_string_equal(buf, "xyzdef");
    assert_int_equal(m.ops->unlink(m.e, "f"), 0);
}

static void a_second_create_writes_in_place(void **state)
{
    (void)state;
    for_each(check_in_place);
}

/* An engine that can, on a file system that can. */
static void check_direct(struct made m)
{
    enum { BLOCK = 4096 };
    void *buf = NULL;
    char *odd;
    intptr_t f = -1;
    int err;

    if (posix_memalign(&buf, BLOCK, (size_t)2 * BLOCK) != 0) {
        fail();
    }
    odd = buf;
    memset(buf, 'a', (size_t)2 * BLOCK);
    expect(m, BLOCK);
    assert_true(m.ops->direct(m.e));
    err = m.ops->create(m.e, "f", 0600, &f);
    if (err != -EINVAL) {
        assert_int_equal(err, 0);
        assert_int_equal(m.ops->pwrite(m.e, f, buf, BLOCK, 0), BLOCK);
        assert_int_equal(m.ops->pwrite(m.e, f, buf, 100, 0), -EINVAL);
        assert_int_equal(m.ops->pwrite(m.e, f, buf, BLOCK, 100), -EINVAL);
        assert_int_equal(m.ops->pread(m.e, f, odd + 1, BLOCK, 0), -EINVAL);
        assert_int_equal(m.ops->pread(m.e, f, buf, BLOCK, 100), -EINVAL);
        assert_int_equal(m.ops->pread(m.e, f, odd + BLOCK, BLOCK, 0), BLOCK);
        assert_int_equal(m.ops->close(m.e, f), 0);
    }
    assert_int_equal(m.ops->unlink(m.e, "f"), 0);
    free(buf);
}

static void a_direct_transfer_that_is_not_aligned_is_einval(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(engines); i++) {
        char option[64];
        struct made m;

        if (engines[i]->direct == NULL) {
            continue;
        }
        (void)snprintf(option, sizeof(option), "--%sodirect",
                       engines[i]->prefix);
        m = make(engines[i], option);
        if (m.e != NULL) {
            check_direct(m);
        }
        unmake(m);
        m = make(engines[i], NULL);
        if (m.e != NULL) {
            assert_false(m.ops->direct(m.e));
        }
        unmake(m);
    }
}

static void check_paths(struct made m)
{
    struct tmk_engine_usage usage;
    struct stat st;
    int err;

    assert_int_equal(m.ops->mkdir(m.e, "d", 0700), 0);
    assert_int_equal(m.ops->mknod(m.e, "d/n", 0600), 0);
    assert_int_equal(m.ops->rename(m.e, "d/n", "d/m"), 0);
    assert_int_equal(m.ops->stat(m.e, "d/m", &st), 0);
    assert_int_equal(m.ops->unlink(m.e, "d/m"), 0);
    assert_int_equal(m.ops->rmdir(m.e, "d"), 0);
    err = m.ops->usage(m.e, ".", &usage);
    assert_int_equal(err, m.ops->stores ? 0 : -ENOTSUP);
    assert_int_equal(m.ops->sync(m.e), 0);
}

static void paths_are_what_they_are_for_posix(void **state)
{
    (void)state;
    for_each(check_paths);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_PLACE(what_was_written_at_odd_places_is_read),
        IN_PLACE(the_end_of_the_file_ends_a_transfer),
        IN_PLACE(a_missing_file_is_enoent),
        IN_PLACE(a_second_create_writes_in_place),
        IN_PLACE(a_direct_transfer_that_is_not_aligned_is_einval),
        IN_PLACE(paths_are_what_they_are_for_posix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
