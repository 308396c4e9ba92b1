#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"

#ifdef TMK_WITH_URING

#    define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum {
    BLOCK = 4096,
    BLOCKS = 64,
    DEPTH_MOST = 32,
    LITTLE = 5 * BLOCK, /* enough for a ring */
    LAST = 7 * BLOCK,   /* of 8 blocks */
};

static const struct tmk_engine_ops *const ops = &tmk_engine_uring;

/* An instance that runs inside a directory of its own, which is empty. */
struct made {
    void *conf;
    struct tmk_engine *e;
    char dir[64];
    void *bufs[DEPTH_MOST];
};

/* Into *state; ends the case where the kernel has no io_uring. */
static struct made *make(void **state, int depth, bool direct)
{
    struct made *m = *state;
    char option[32];
    char *const argv[] = {"test", option, direct ? "--uring.odirect" : NULL,
                          NULL};
    const struct tmk_opt_table table = {.title = "URING",
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = m->conf};
    char why[256];
    int err = -1;

    ops->close_instance(m->e);
    m->e = NULL;
    ops->conf_init(m->conf);
    (void)snprintf(option, sizeof(option), "--uring.depth=%d", depth);
    assert_int_equal(
        tmk_opt_parse(&table, 1, direct ? 3 : 2, argv, why, sizeof(why)), 0);
    m->e = ops->open_instance(m->conf, 0, &err);
    if (err == -ENOSYS || err == -EPERM) {
        skip();
    }
    assert_int_equal(err, 0);
    assert_int_equal(ops->depth(m->e), depth);
    return m;
}

static int enter(void **state)
{
    struct made *m = calloc(1, sizeof(*m));

    if (m == NULL) {
        return -1;
    }
    *state = m;
    (void)snprintf(m->dir, sizeof(m->dir), "/tmp/test_uring.XXXXXX");
    m->conf = calloc(1, ops->conf_size);
    for (size_t i = 0; i < DEPTH_MOST; i++) {
        if (posix_memalign(&m->bufs[i], BLOCK, BLOCK) != 0) {
            return -1;
        }
        memset(m->bufs[i], 0, BLOCK); /* valgrind does not see the kernel */
    }
    return m->conf != NULL && mkdtemp(m->dir) != NULL && chdir(m->dir) == 0
               ? 0
               : -1;
}

static int leave(void **state)
{
    struct made *m = *state;
    int err;

    ops->close_instance(m->e);
    (void)unlink("f");
    for (size_t i = 0; i < DEPTH_MOST; i++) {
        free(m->bufs[i]);
    }
    err = chdir("/") == 0 ? rmdir(m->dir) : -1;
    free(m->conf);
    free(m);
    return err;
}

/* Move all blocks of the file, as many at a time as there are slots. */
static void move_all(struct made *m, intptr_t f, bool writing, unsigned depth)
{
    unsigned block_of[DEPTH_MOST];
    bool seen[BLOCKS] = {false};
    unsigned next = 0;
    unsigned done = 0;

    while (done < BLOCKS) {
        unsigned slot = 99;
        int64_t n = 0;

        if (next < BLOCKS && next < depth) {
            slot = next; /* not used yet */
        } else {
            assert_int_equal(ops->reap(m->e, &slot, &n), 0);
            assert_in_range(slot, 0, depth - 1);
            assert_int_equal(n, BLOCK);
            assert_false(seen[block_of[slot]]);
            seen[block_of[slot]] = true;
            if (!writing) {
                const char *buf = m->bufs[slot];

                assert_int_equal(buf[0], block_of[slot]);
                assert_int_equal(buf[BLOCK - 1], block_of[slot]);
            }
            done++;
        }
        if (next < BLOCKS) {
            /* in no order */
            block_of[slot] = next * 37 % BLOCKS;
            memset(m->bufs[slot], writing ? (int)block_of[slot] : 'x', BLOCK);
            assert_int_equal(ops->submit(m->e, f, writing, slot, m->bufs[slot],
                                         BLOCK,
                                         (uint64_t)block_of[slot] * BLOCK),
                             0);
            next++;
        }
    }
}

static void all_that_was_submitted_is_reaped(void **state)
{
    static const struct {
        unsigned depth;
        bool direct, announced;
    } rows[] = {
        {1, false, false}, {1, false, true}, {8, false, true},
        {32, false, true}, {32, true, true}, {7, true, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made *m = make(state, (int)rows[i].depth, rows[i].direct);
        intptr_t f = -1;
        int err = ops->create(m->e, "f", 0600, &f);

        if (rows[i].direct && err == -EINVAL) {
            continue; /* the file system does not take it */
        }
        assert_int_equal(err, 0);
        if (rows[i].announced) {
            assert_int_equal(ops->buffers(m->e, m->bufs, rows[i].depth, BLOCK),
                             0);
        }
        move_all(m, f, true, rows[i].depth);
        assert_int_equal(ops->close(m->e, f), 0);
        assert_int_equal(ops->open(m->e, "f", TMK_ENGINE_READ, &f), 0);
        move_all(m, f, false, rows[i].depth);
        assert_int_equal(ops->buffers(m->e, NULL, 0, 0), 0);
        move_all(m, f, false, rows[i].depth);
        assert_int_equal(ops->close(m->e, f), 0);
        assert_int_equal(ops->unlink(m->e, "f"), 0);
    }
}

static void a_result_is_a_part_or_an_error(void **state)
{
    struct made *m = make(state, 4, false);
    unsigned slot = 99;
    int64_t n = 0;
    intptr_t f = -1;

    assert_int_equal(ops->create(m->e, "f", 0600, &f), 0);
    assert_int_equal(ops->pwrite(m->e, f, "hello", 5, 0), 5);
    assert_int_equal(ops->buffers(m->e, m->bufs, 4, BLOCK), 0);
    assert_int_equal(ops->submit(m->e, f, false, 2, m->bufs[2], BLOCK, 1), 0);
    assert_int_equal(ops->reap(m->e, &slot, &n), 0);
    assert_int_equal(slot, 2);
    assert_int_equal(n, 4);
    assert_memory_equal(m->bufs[2], "ello", 4);
    assert_int_equal(ops->submit(m->e, f, false, 0, m->bufs[0], BLOCK, 5), 0);
    assert_int_equal(ops->reap(m->e, &slot, &n), 0);
    assert_int_equal(slot, 0);
    assert_int_equal(n, 0);
    assert_int_equal(ops->close(m->e, f), 0);

    assert_int_equal(ops->open(m->e, "f", TMK_ENGINE_READ, &f), 0);
    assert_int_equal(ops->submit(m->e, f, true, 3, m->bufs[3], 5, 0), 0);
    assert_int_equal(ops->reap(m->e, &slot, &n), 0);
    assert_int_equal(slot, 3);
    assert_int_equal(n, -EBADF);
    assert_int_equal(ops->close(m->e, f), 0);
}

static void what_cannot_be_submitted_is_refused(void **state)
{
    struct made *m = make(state, 2, false);
    unsigned slot = 99;
    int64_t n = 0;
    intptr_t f = -1;

    assert_int_equal(ops->create(m->e, "f", 0600, &f), 0);
    assert_int_equal(ops->reap(m->e, &slot, &n), -EINVAL);
    assert_int_equal(ops->buffers(m->e, m->bufs, 3, BLOCK), -EINVAL);
    assert_int_equal(ops->submit(m->e, f, true, 2, m->bufs[0], 5, 0), -EINVAL);
    assert_int_equal(ops->submit(m->e, f, true, 1, m->bufs[0], 5, 0), 0);
    assert_int_equal(ops->submit(m->e, f, true, 1, m->bufs[0], 5, 0), -EBUSY);
    assert_int_equal(ops->reap(m->e, &slot, &n), 0);
    assert_int_equal(slot, 1);
    assert_int_equal(n, 5);
    assert_int_equal(ops->reap(m->e, &slot, &n), -EINVAL);
    assert_int_equal(ops->close(m->e, f), 0);
}

/* Its number may be that of another file before. */
static void each_file_is_its_own(void **state)
{
    enum { FILES = 10 };
    struct made *m = make(state, 1, false);
    intptr_t files[FILES];
    char name[] = "a";

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < FILES; i++) {
            unsigned slot = 99;
            int64_t n = 0;

            name[0] = (char)('a' + i);
            assert_int_equal(ops->create(m->e, name, 0600, &files[i]), 0);
            memset(m->bufs[0], 'a' + i, BLOCK);
            assert_int_equal(
                ops->submit(m->e, files[i], true, 0, m->bufs[0], 1, 0), 0);
            assert_int_equal(ops->reap(m->e, &slot, &n), 0);
            assert_int_equal(n, 1);
        }
        for (int i = 0; i < FILES; i++) {
            char c = '\0';

            name[0] = (char)('a' + i);
            assert_int_equal(ops->pread(m->e, files[i], &c, 1, 0), 1);
            assert_int_equal(c, 'a' + i);
            assert_int_equal(ops->close(m->e, files[i]), 0);
            assert_int_equal(ops->unlink(m->e, name), 0);
        }
    }
}

static void what_is_under_way_is_over_when_the_instance_is_closed(void **state)
{
    struct made *m = make(state, 8, false);
    char c = '\0';
    intptr_t f = -1;

    assert_int_equal(ops->create(m->e, "f", 0600, &f), 0);
    for (unsigned i = 0; i < 8; i++) {
        memset(m->bufs[i], 'a' + (int)i, BLOCK);
        assert_int_equal(ops->submit(m->e, f, true, i, m->bufs[i], BLOCK,
                                     (uint64_t)i * BLOCK),
                         0);
    }
    ops->close_instance(m->e);
    m->e = NULL;
    assert_int_equal(pread((int)f, &c, 1, LAST), 1);
    assert_int_equal(c, 'h');
    assert_int_equal(close((int)f), 0);
}

/* In a child, which gives its rights away. */
static void memory_that_may_not_be_locked_is_used_all_the_same(void **state)
{
    struct made *m = *state;
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit little = {LITTLE, LITTLE};
        unsigned slot = 99;
        int64_t n = 0;
        intptr_t f = -1;
        int err = -1;

        if (chmod(m->dir, 0777) != 0 || setrlimit(RLIMIT_MEMLOCK, &little) ||
            (geteuid() == 0 && setuid(65534) != 0)) {
            _exit(77);
        }
        ops->conf_init(m->conf);
        m->e = ops->open_instance(m->conf, 0, &err);
        if (err != 0) { /* older kernels lock the ring, too */
            _exit(77);
        }
        if (ops->create(m->e, "f", 0600, &f) != 0 ||
            ops->describe(m->e) != NULL ||
            ops->buffers(m->e, m->bufs, 8, BLOCK) != 0 ||
            ops->describe(m->e) == NULL ||
            strstr(ops->describe(m->e), "not locked in memory: ") == NULL ||
            ops->submit(m->e, f, true, 0, m->bufs[0], BLOCK, 0) != 0 ||
            ops->reap(m->e, &slot, &n) != 0 || n != BLOCK) {
            _exit(1);
        }
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void close_instance_accepts_null(void **state)
{
    (void)state;
    ops->close_instance(NULL);
    assert_null(ops->write);
    assert_null(ops->read);
}

int main(void)
{
#    define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_PLACE(all_that_was_submitted_is_reaped),
        IN_PLACE(a_result_is_a_part_or_an_error),
        IN_PLACE(what_cannot_be_submitted_is_refused),
        IN_PLACE(each_file_is_its_own),
        IN_PLACE(what_is_under_way_is_over_when_the_instance_is_closed),
        IN_PLACE(memory_that_may_not_be_locked_is_used_all_the_same),
        cmocka_unit_test(close_instance_accepts_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    puts("built without liburing");
    return 77;
}

#endif
