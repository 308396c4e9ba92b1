#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "engine/engine.h"
#include "engine/trace.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* An engine, traced to memory. */
struct traced {
    const struct tmk_engine_ops *inner_ops;
    void *conf;
    struct tmk_engine *inner;
    FILE *to;
    char *text;
    size_t size;
    const struct tmk_engine_ops *ops;
    struct tmk_engine *e;
};

/* `option` may be NULL; `to` is closed at the end, NULL = memory. */
static void begin(struct traced *t, const struct tmk_engine_ops *inner,
                  const char *option, FILE *to)
{
    const char *argv[] = {"test", option, NULL};
    int err = -1;
    char why[256];
    struct tmk_opt_table table = {.title = inner->name,
                                  .prefix = inner->prefix,
                                  .rows = inner->opts,
                                  .n_rows = inner->n_opts};

    *t = (struct traced){.inner_ops = inner,
                         .conf = calloc(1, inner->conf_size)};
    assert_non_null(t->conf);
    if (inner->conf_init != NULL) {
        inner->conf_init(t->conf);
    }
    table.conf = t->conf;
    assert_int_equal(tmk_opt_parse(&table, 1, option != NULL ? 2 : 1,
                                   (char *const *)argv, why, sizeof(why)),
                     0);
    t->inner = inner->open_instance(t->conf, 0, &err);
    assert_int_equal(err, 0);
    t->to = to != NULL ? to : open_memstream(&t->text, &t->size);
    assert_non_null(t->to);
    t->e = tmk_engine_trace_new(inner, t->inner, t->to, &t->ops);
    assert_non_null(t->e);
}

/* What was written so far. */
static const char *text_of(struct traced *t)
{
    assert_int_equal(fflush(t->to), 0);
    return t->text;
}

static void end(struct traced *t, int want)
{
    assert_int_equal(tmk_engine_trace_free(t->e), want);
    fclose(t->to);
    free(t->text);
    t->inner_ops->close_instance(t->inner);
    free(t->conf);
}

static bool never(void *arg, const char *name, bool is_dir)
{
    (void)arg;
    (void)name;
    (void)is_dir;
    return true;
}

/* Every call on a path, by either table. */
static void call_all(const struct traced *t, const struct tmk_engine_ops *by,
                     int want)
{
    struct stat st;
    intptr_t f = -1;

    assert_int_equal(by->mkdir(t->e, "d", 0700), want);
    assert_int_equal(by->rename(t->e, "d", "e"), want);
    assert_int_equal(by->rmdir(t->e, "e"), want);
    assert_int_equal(by->mknod(t->e, "n", 0400), want);
    assert_int_equal(by->stat(t->e, "n", &st), want);
    assert_int_equal(by->unlink(t->e, "n"), want);
    for (int i = 0; i < 4; i++) {
        int err =
            i == 0 ? by->create(t->e, "f", 0600, &f)
                   : by->open(t->e, "f", (enum tmk_engine_access)(i - 1), &f);

        assert_int_equal(err, want);
        if (err == 0) {
            assert_int_equal(by->close(t->e, f), 0);
        }
    }
}

static void every_call_is_a_line_in_order(void **state)
{
    struct tmk_engine_usage usage;
    char buf[16] = "";
    struct traced t;
    uint64_t size = 1;
    intptr_t f = -1;

    (void)state;
    begin(&t, &tmk_engine_dummy, NULL, NULL);
    call_all(&t, t.ops, 0);
    assert_int_equal(t.ops->create(t.e, "/a/f", 0600, &f), 0);
    assert_int_equal(t.ops->write(t.e, f, buf, 16), 16);
    assert_int_equal(t.ops->rewind(t.e, f), 0);
    assert_int_equal(t.ops->read(t.e, f, buf, 16), 16);
    assert_int_equal(t.ops->read(t.e, f, buf, 0), 0);
    assert_int_equal(t.ops->pwrite(t.e, f, buf, 16, 1ull << 40), 16);
    assert_int_equal(t.ops->pread(t.e, f, buf, 8, 0), 8);
    assert_int_equal(t.ops->size(t.e, "/a/f", &size), 0);
    assert_string_equal(t.ops->version(), "0.5");
    assert_int_equal(t.ops->fsync(t.e, f), 0);
    assert_int_equal(t.ops->close(t.e, f), 0);
    assert_int_equal(t.ops->sync(t.e), 0);
    assert_int_equal(t.ops->list(t.e, "/a", never, NULL), 0);
    assert_int_equal(t.ops->usage(t.e, "/a", &usage), -ENOTSUP);
    assert_string_equal(text_of(&t), "mkdir d\n"
                                     "rename d -> e\n"
                                     "rmdir e\n"
                                     "mknod n\n"
                                     "stat n\n"
                                     "unlink n\n"
                                     "open O_RDWR|O_CREAT f\n"
                                     "close f\n"
                                     "open O_RDONLY f\n"
                                     "close f\n"
                                     "open O_WRONLY f\n"
                                     "close f\n"
                                     "open O_RDWR f\n"
                                     "close f\n"
                                     "open O_RDWR|O_CREAT /a/f\n"
                                     "write 16 /a/f -> 16\n"
                                     "lseek 0 /a/f\n"
                                     "read 16 /a/f -> 16\n"
                                     "read 0 /a/f\n"
                                     "pwrite 16 1099511627776 /a/f -> 16\n"
                                     "pread 8 0 /a/f -> 8\n"
                                     "stat /a/f\n"
                                     "fsync /a/f\n"
                                     "close /a/f\n"
                                     "sync\n"
                                     "opendir /a\n"
                                     "statvfs /a -> EOPNOTSUPP\n");
    end(&t, 0);
}

static void a_name_is_joined_to_the_directory_in_use(void **state)
{
    const struct tmk_engine_ops *by;
    struct traced t;
    struct stat st;
    intptr_t a = -1;
    intptr_t b = -1;

    (void)state;
    begin(&t, &tmk_engine_dummy, NULL, NULL);
    by = t.ops->relative;
    assert_int_equal(by->stat(t.e, "x", &st), 0);
    assert_int_equal(by->open_dir(t.e, "/a", &a), 0);
    assert_int_equal(by->open_dir(t.e, "/b/", &b), 0);
    by->use_dirs(t.e, a, b);
    call_all(&t, by, 0);
    by->use_dirs(t.e, b, b);
    assert_int_equal(by->stat(t.e, "x", &st), 0);
    assert_int_equal(t.ops->stat(t.e, "/c/x", &st), 0);
    assert_int_equal(by->close_dir(t.e, a), 0);
    assert_int_equal(by->close_dir(t.e, b), 0);
    assert_string_equal(text_of(&t), "fstatat x\n"
                                     "open O_RDONLY|O_DIRECTORY /a\n"
                                     "open O_RDONLY|O_DIRECTORY /b/\n"
                                     "mkdirat /a/d\n"
                                     "renameat /a/d -> /b/e\n"
                                     "unlinkat AT_REMOVEDIR /a/e\n"
                                     "mknodat /a/n\n"
                                     "fstatat /a/n\n"
                                     "unlinkat /a/n\n"
                                     "openat O_RDWR|O_CREAT /a/f\n"
                                     "close /a/f\n"
                                     "openat O_RDONLY /a/f\n"
                                     "close /a/f\n"
                                     "openat O_WRONLY /a/f\n"
                                     "close /a/f\n"
                                     "openat O_RDWR /a/f\n"
                                     "close /a/f\n"
                                     "fstatat /b/x\n"
                                     "stat /c/x\n"
                                     "close /a\n"
                                     "close /b/\n");
    end(&t, 0);
}

static void a_failure_is_passed_on_and_written_down(void **state)
{
    const struct tmk_engine_ops *by;
    char buf[16] = "";
    struct traced t;
    intptr_t f = -7;
    intptr_t g = -7;

    (void)state;
    begin(&t, &tmk_engine_dummy, "--dummy.fail-every=any:1:ENOSPC", NULL);
    call_all(&t, t.ops, -ENOSPC);
    by = t.ops->relative;
    assert_int_equal(by->open_dir(t.e, "/a", &f), -ENOSPC);
    assert_int_equal(f, -7);
    assert_int_equal(t.ops->sync(t.e), -ENOSPC);
    assert_string_equal(text_of(&t), "mkdir d -> ENOSPC\n"
                                     "rename d -> e -> ENOSPC\n"
                                     "rmdir e -> ENOSPC\n"
                                     "mknod n -> ENOSPC\n"
                                     "stat n -> ENOSPC\n"
                                     "unlink n -> ENOSPC\n"
                                     "open O_RDWR|O_CREAT f -> ENOSPC\n"
                                     "open O_RDONLY f -> ENOSPC\n"
                                     "open O_WRONLY f -> ENOSPC\n"
                                     "open O_RDWR f -> ENOSPC\n"
                                     "open O_RDONLY|O_DIRECTORY /a -> ENOSPC\n"
                                     "sync -> ENOSPC\n");
    end(&t, 0);

    begin(&t, &tmk_engine_dummy, "--dummy.fail-after-bytes=20", NULL);
    assert_int_equal(t.ops->create(t.e, "f", 0600, &g), 0);
    assert_int_equal(t.ops->write(t.e, g, buf, 16), 16);
    assert_int_equal(t.ops->write(t.e, g, buf, 16), 4);
    assert_int_equal(t.ops->write(t.e, g, buf, 16), -ENOSPC);
    assert_string_equal(text_of(&t), "open O_RDWR|O_CREAT f\n"
                                     "write 16 f -> 16\n"
                                     "write 16 f -> 4\n"
                                     "write 16 f -> ENOSPC\n");
    end(&t, 0); /* with the file open */

    begin(&t, &tmk_engine_dummy, "--dummy.fail=close:1:EIO", NULL);
    assert_int_equal(t.ops->open(t.e, "f", TMK_ENGINE_READ, &g), 0);
    assert_int_equal(t.ops->close(t.e, g), -EIO);
    assert_string_equal(text_of(&t), "open O_RDONLY f\nclose f -> EIO\n");
    end(&t, 0);
}

static void a_path_stays_on_its_line(void **state)
{
    static const struct {
        const char *path, *want;
    } rows[] = {
        {"", "stat \n"},
        {"a b -> c", "stat a b -> c\n"},
        {"\n", "stat \\n\n"},
        {"a\nb\n", "stat a\\nb\\n\n"},
        {"a\\nb", "stat a\\\\nb\n"},
        {"\001\t\x1b[7m\x7f", "stat \\001\\011\\033[7m\\177\n"},
        {"\xc3\xa4\xff", "stat \xc3\xa4\xff\n"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct traced t;
        struct stat st;

        begin(&t, &tmk_engine_dummy, NULL, NULL);
        assert_int_equal(t.ops->stat(t.e, rows[i].path, &st), 0);
        assert_string_equal(text_of(&t), rows[i].want);
        end(&t, 0);
    }
}

/* DUMMY gives all of them the same number. */
static void files_that_are_open_at_once_keep_their_paths(void **state)
{
    enum { FILES = 40 };
    intptr_t files[FILES];
    char want[32];
    struct traced t;

    (void)state;
    begin(&t, &tmk_engine_dummy, NULL, NULL);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < FILES; i++) {
            (void)snprintf(want, sizeof(want), "f%d", i);
            assert_int_equal(t.ops->create(t.e, want, 0600, &files[i]), 0);
        }
        for (int i = 0; i < FILES; i++) {
            assert_int_equal(t.ops->close(t.e, files[i]), 0);
            (void)snprintf(want, sizeof(want), "\nclose f%d\n", i);
            assert_non_null(strstr(text_of(&t), want));
        }
    }
    end(&t, 0);
}

static int64_t legacy_pwrite(struct tmk_engine *e, intptr_t file,
                             const void *buf, size_t bytes, uint64_t offset)
{
    return offset == 0 ? tmk_engine_dummy.pwrite(e, file, buf, bytes, offset)
                       : -EIO;
}

static int legacy_create(struct tmk_engine *e, const char *path, mode_t mode,
                         intptr_t *file)
{
    int err = tmk_engine_dummy.create(e, path, mode, file);

    return err == 0 ? -EDOM : err; /* so that it is known */
}

static void calls_of_the_original_seek_first(void **state)
{
    static const char want[] = "open O_RDWR|O_CREAT f\n"
                               "lseek 0 f\n"
                               "write 16 f -> 16\n"
                               "lseek 9 f\n"
                               "write 16 f -> EIO\n"
                               "lseek 8 f\n"
                               "read 16 f -> 16\n";
    struct tmk_engine_ops legacy = tmk_engine_dummy;
    struct tmk_engine_ops ops = tmk_engine_dummy;
    char buf[16] = "";
    struct traced t;
    intptr_t f = -1;

    (void)state;
    ops.legacy = &legacy;
    legacy.pwrite = legacy_pwrite;
    begin(&t, &ops, NULL, NULL);
    assert_int_equal(t.ops->legacy->create(t.e, "f", 0600, &f), 0);
    assert_int_equal(t.ops->legacy->pwrite(t.e, f, buf, 16, 0), 16);
    assert_int_equal(t.ops->legacy->pwrite(t.e, f, buf, 16, 9), -EIO);
    assert_int_equal(t.ops->legacy->pread(t.e, f, buf, 16, 8), 16);
    assert_string_equal(text_of(&t), want);
    end(&t, 0);

    /* or are its own in another way */
    legacy = tmk_engine_dummy;
    legacy.create = legacy_create;
    begin(&t, &ops, NULL, NULL);
    assert_int_equal(t.ops->create(t.e, "f", 0600, &f), 0);
    assert_int_equal(t.ops->legacy->pwrite(t.e, f, buf, 16, 9), 16);
    assert_int_equal(t.ops->legacy->create(t.e, "g", 0600, &f), -EDOM);
    assert_string_equal(text_of(&t), "open O_RDWR|O_CREAT f\n"
                                     "pwrite 16 9 f -> 16\n"
                                     "open O_RDWR|O_CREAT g -> EDOM\n");
    end(&t, 0);
}

enum { DEPTH = 3 };

static unsigned deep(const struct tmk_engine *e)
{
    (void)e;
    return DEPTH;
}

static int take_buffers(struct tmk_engine *e, void *const *bufs, unsigned n,
                        size_t bytes)
{
    (void)e;
    (void)bufs;
    return n == DEPTH && bytes == 16 ? 0 : -EINVAL;
}

static int take_one(struct tmk_engine *e, intptr_t file, bool writing,
                    unsigned slot, void *buf, size_t bytes, uint64_t offset)
{
    (void)e;
    (void)file;
    (void)writing;
    (void)buf;
    (void)bytes;
    (void)offset;
    return slot == 1 ? -EBUSY : 0;
}

static int give_one(struct tmk_engine *e, unsigned *slot, int64_t *result)
{
    (void)e;
    *slot = *result == 7 ? 2 : 0;
    *result = *slot == 2 ? 16 : -EIO;
    return 0;
}

static int tell(struct tmk_engine *e,
                const struct tmk_engine_transfers *transfers)
{
    (void)e;
    return transfers->single ? -EINVAL : 0;
}

static const char *say(struct tmk_engine *e)
{
    (void)e;
    return "said\n";
}

static void transfers_under_way_are_lines_when_they_are_over(void **state)
{
    struct tmk_engine_ops ops = tmk_engine_dummy;
    void *bufs[DEPTH] = {NULL};
    char buf[16] = "";
    struct traced t;
    unsigned slot = 9;
    int64_t n = 7;
    intptr_t f = -1;

    (void)state;
    ops.depth = deep;
    ops.buffers = take_buffers;
    ops.submit = take_one;
    ops.reap = give_one;
    ops.expect = tell;
    ops.describe = say;
    begin(&t, &ops, NULL, NULL);
    assert_int_equal(t.ops->expect(t.e, &(struct tmk_engine_transfers){0}), 0);
    assert_int_equal(
        t.ops->expect(t.e, &(struct tmk_engine_transfers){.single = true}),
        -EINVAL);
    assert_string_equal(t.ops->describe(t.e), "said\n");
    assert_int_equal(t.ops->depth(t.e), DEPTH);
    assert_int_equal(t.ops->create(t.e, "f", 0600, &f), 0);
    assert_int_equal(t.ops->buffers(t.e, bufs, DEPTH, 16), 0);
    assert_int_equal(t.ops->submit(t.e, f, true, 0, buf, 16, 32), 0);
    assert_int_equal(t.ops->submit(t.e, f, true, 1, buf, 8, 99), -EBUSY);
    assert_int_equal(t.ops->submit(t.e, f, false, 2, buf, 16, 48), 0);
    assert_int_equal(t.ops->reap(t.e, &slot, &n), 0);
    assert_int_equal(slot, 2);
    assert_int_equal(n, 16);
    assert_int_equal(t.ops->reap(t.e, &slot, &n), 0);
    assert_int_equal(slot, 0);
    assert_int_equal(n, -EIO);
    assert_string_equal(text_of(&t), "open O_RDWR|O_CREAT f\n"
                                     "pwrite 8 99 f -> EBUSY\n"
                                     "pread 16 48 f -> 16\n"
                                     "pwrite 16 32 f -> EIO\n");
    end(&t, 0);
}

static bool yes(const struct tmk_engine *e)
{
    (void)e;
    return true;
}

static void odirect_is_among_the_flags(void **state)
{
    struct tmk_engine_ops direct = tmk_engine_dummy;
    struct traced t;
    intptr_t f = -1;

    (void)state;
    direct.direct = yes;
    begin(&t, &direct, NULL, NULL);
    assert_true(t.ops->direct(t.e));
    assert_int_equal(t.ops->create(t.e, "f", 0600, &f), 0);
    assert_int_equal(t.ops->relative->open(t.e, "f", TMK_ENGINE_READ, &f), 0);
    assert_string_equal(text_of(&t), "open O_RDWR|O_CREAT|O_DIRECT f\n"
                                     "openat O_RDONLY|O_DIRECT f\n");
    end(&t, 0);
}

static void what_the_engine_cannot_do_its_trace_cannot(void **state)
{
    struct tmk_engine_ops less = tmk_engine_dummy;
    struct traced t;

    (void)state;
    less.mknod = NULL;
    less.usage = NULL;
    less.relative = NULL;
    begin(&t, &less, NULL, NULL);
    assert_null(t.ops->mknod);
    assert_null(t.ops->usage);
    assert_null(t.ops->relative);
    assert_null(t.ops->direct);
    assert_null(t.ops->legacy);
    assert_null(t.ops->depth);
    assert_null(t.ops->expect);
    assert_non_null(t.ops->mkdir);
    assert_string_equal(t.ops->name, "DUMMY");
    assert_false(t.ops->stores);
    end(&t, 0);

    begin(&t, &tmk_engine_posix, NULL, NULL);
    assert_true(t.ops->stores && t.ops->relative->stores);
    end(&t, 0);
}

/* Calls go on; their results are not those of the trace. */
static void a_line_that_cannot_be_written_is_the_last(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct traced t;
    struct stat st;

    (void)state;
    assert_non_null(full);
    setbuf(full, NULL);
    begin(&t, &tmk_engine_dummy, NULL, full);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(t.ops->stat(t.e, "x", &st), 0);
    }
    call_all(&t, t.ops, 0);
    end(&t, -ENOSPC);
    assert_int_equal(tmk_engine_trace_free(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_is_a_line_in_order),
        cmocka_unit_test(a_name_is_joined_to_the_directory_in_use),
        cmocka_unit_test(a_failure_is_passed_on_and_written_down),
        cmocka_unit_test(a_path_stays_on_its_line),
        cmocka_unit_test(files_that_are_open_at_once_keep_their_paths),
        cmocka_unit_test(calls_of_the_original_seek_first),
        cmocka_unit_test(transfers_under_way_are_lines_when_they_are_over),
        cmocka_unit_test(odirect_is_among_the_flags),
        cmocka_unit_test(what_the_engine_cannot_do_its_trace_cannot),
        cmocka_unit_test(a_line_that_cannot_be_written_is_the_last),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
