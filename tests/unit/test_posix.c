#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"

/* Fresh and empty for every test, which runs inside it. */
struct place {
    char dir[64];
    void *conf, *direct_conf;
    struct tmk_engine *e;
    struct tmk_engine *direct; /* with --posix.odirect */
    void *lock_conf;
    struct tmk_engine *locks; /* with --posix.rangelocks */
};

static const struct tmk_engine_ops *const ops = &tmk_engine_posix;

/* The conf that an option makes. */
static int ask(void *conf, const char *option)
{
    char *const argv[] = {"test", (char *)option, NULL};
    const struct tmk_opt_table table = {.title = "POSIX",
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = conf};
    char why[256];

    return tmk_opt_parse(&table, 1, 2, argv, why, sizeof(why));
}

static int enter(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    int err = -1;

    if (p == NULL) {
        return -1;
    }
    snprintf(p->dir, sizeof(p->dir), "/tmp/test_posix.XXXXXX");
    if (mkdtemp(p->dir) == NULL || chdir(p->dir) != 0) {
        free(p);
        return -1;
    }
    *state = p;
    p->conf = calloc(1, ops->conf_size);
    p->direct_conf = calloc(1, ops->conf_size);
    p->lock_conf = calloc(1, ops->conf_size);
    if (p->conf == NULL || p->direct_conf == NULL || p->lock_conf == NULL) {
        return -1;
    }
    p->e = ops->open_instance(p->conf, 0, &err);
    if (err == 0) {
        err = ask(p->direct_conf, "--posix.odirect");
    }
    if (err == 0) {
        p->direct = ops->open_instance(p->direct_conf, 0, &err);
    }
    if (err == 0) {
        err = ask(p->lock_conf, "--posix.rangelocks");
    }
    if (err == 0) {
        p->locks = ops->open_instance(p->lock_conf, 0, &err);
    }
    return err;
}

static int leave(void **state)
{
    struct place *p = *state;
    int err;

    ops->close_instance(p->e);
    ops->close_instance(p->direct);
    ops->close_instance(p->locks);
    free(p->conf);
    free(p->direct_conf);
    free(p->lock_conf);
    err = chdir("/") == 0 ? rmdir(p->dir) : -1;
    free(p);
    return err;
}

static void put(const struct place *p, const char *path, const char *text)
{
    intptr_t f = -1;
    size_t n = strlen(text);

    assert_int_equal(ops->create(p->e, path, 0600, &f), 0);
    assert_int_equal(ops->write(p->e, f, text, n), n);
    assert_int_equal(ops->close(p->e, f), 0);
}

static void a_missing_path_is_enoent_for_every_call(void **state)
{
    const struct place *p = *state;
    struct tmk_engine_usage usage;
    struct stat st;
    intptr_t f = -7;

    assert_int_equal(ops->mkdir(p->e, "no/x", 0700), -ENOENT);
    assert_int_equal(ops->rmdir(p->e, "no"), -ENOENT);
    assert_int_equal(ops->unlink(p->e, "no"), -ENOENT);
    assert_int_equal(ops->rename(p->e, "no", "on"), -ENOENT);
    assert_int_equal(ops->stat(p->e, "no", &st), -ENOENT);
    assert_int_equal(ops->create(p->e, "no/x", 0600, &f), -ENOENT);
    assert_int_equal(ops->mknod(p->e, "no/x", 0600), -ENOENT);
    assert_int_equal(ops->open(p->e, "no", TMK_ENGINE_READ, &f), -ENOENT);
    assert_int_equal(ops->list(p->e, "no", NULL, NULL), -ENOENT);
    assert_int_equal(ops->usage(p->e, "no", &usage), -ENOENT);
    assert_int_equal(f, -7);
}

static void a_closed_file_is_ebadf_for_every_call(void **state)
{
    const struct place *p = *state;
    char buf[4] = "";

    assert_int_equal(ops->write(p->e, -1, buf, 4), -EBADF);
    assert_int_equal(ops->read(p->e, -1, buf, 4), -EBADF);
    assert_int_equal(ops->pwrite(p->e, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->pread(p->e, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->legacy->pwrite(p->e, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->legacy->pread(p->e, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->pwrite(p->locks, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->pread(p->locks, -1, buf, 4, 0), -EBADF);
    assert_int_equal(ops->rewind(p->e, -1), -EBADF);
    assert_int_equal(ops->fsync(p->e, -1), -EBADF);
    assert_int_equal(ops->close(p->e, -1), -EBADF);
}

static void a_directory_is_made_stated_moved_and_removed(void **state)
{
    const struct place *p = *state;
    struct stat st;

    assert_int_equal(ops->mkdir(p->e, "d", 0700), 0);
    assert_int_equal(ops->mkdir(p->e, "d", 0700), -EEXIST);
    assert_int_equal(ops->rename(p->e, "d", "e"), 0);
    assert_int_equal(ops->stat(p->e, "e", &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(ops->unlink(p->e, "e"), -EISDIR);
    assert_int_equal(ops->rmdir(p->e, "e"), 0);
}

static void a_file_reads_back_what_was_written(void **state)
{
    const struct place *p = *state;
    struct stat st;
    intptr_t f = -1;
    char buf[16] = "";

    put(p, "f", "hello");
    assert_int_equal(ops->stat(p->e, "f", &st), 0);
    assert_true(S_ISREG(st.st_mode) && st.st_size == 5);
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ, &f), 0);
    assert_int_equal(ops->read(p->e, f, buf, 2), 2);
    assert_int_equal(ops->read(p->e, f, buf + 2, 10), 3);
    assert_string_equal(buf, "hello");
    assert_int_equal(ops->read(p->e, f, buf, 10), 0);
    assert_int_equal(ops->read(p->e, f, buf, 0), 0);
    assert_int_equal(ops->fsync(p->e, f), 0);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->sync(p->e), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void a_file_is_read_again_after_rewind(void **state)
{
    const struct place *p = *state;
    intptr_t f = -1;
    char buf[8] = "";

    assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
    assert_int_equal(ops->write(p->e, f, "hello", 5), 5);
    for (int i = 0; i < 2; i++) {
        memset(buf, 0, sizeof(buf));
        assert_int_equal(ops->rewind(p->e, f), 0);
        assert_int_equal(ops->read(p->e, f, buf, 7), 5);
        assert_string_equal(buf, "hello");
    }
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void a_second_create_keeps_what_is_there(void **state)
{
    const struct place *p = *state;
    intptr_t f = -1;
    char buf[8] = "";

    put(p, "f", "hello");
    assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
    assert_int_equal(fcntl((int)f, F_GETFL) & O_ACCMODE, O_RDWR);
    assert_int_equal(ops->read(p->e, f, buf, 5), 5);
    assert_string_equal(buf, "hello");
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void mknod_makes_an_empty_file_once(void **state)
{
    const struct place *p = *state;
    struct stat st;

    assert_int_equal(ops->mknod(p->e, "f", 0400), 0);
    assert_int_equal(ops->stat(p->e, "f", &st), 0);
    assert_true(S_ISREG(st.st_mode) && st.st_size == 0);
    assert_int_equal(st.st_mode & 0777, 0400);
    assert_int_equal(ops->mknod(p->e, "f", 0400), -EEXIST);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void open_gives_the_access_that_was_asked_for(void **state)
{
    static const struct {
        enum tmk_engine_access access;
        int flags;
        int64_t read, wrote; /* of one byte */
    } rows[] = {
        {TMK_ENGINE_READ, O_RDONLY, 1, -EBADF},
        {TMK_ENGINE_WRITE, O_WRONLY, -EBADF, 1},
        {TMK_ENGINE_READ_WRITE, O_RDWR, 1, 1},
    };
    const struct place *p = *state;
    char buf[1];

    put(p, "f", "hello");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        intptr_t f = -1;

        assert_int_equal(ops->open(p->e, "f", rows[i].access, &f), 0);
        assert_int_equal(fcntl((int)f, F_GETFL) & O_ACCMODE, rows[i].flags);
        assert_int_equal(ops->read(p->e, f, buf, 1), rows[i].read);
        assert_int_equal(ops->write(p->e, f, "x", 1), rows[i].wrote);
        assert_int_equal(ops->close(p->e, f), 0);
    }
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void a_name_is_looked_up_in_the_directory_in_use(void **state)
{
    const struct place *p = *state;
    const struct tmk_engine_ops *in = ops->relative;
    struct stat st;
    intptr_t a = -1;
    intptr_t b = -1;
    intptr_t f = -1;

    assert_int_equal(ops->mkdir(p->e, "a", 0700), 0);
    assert_int_equal(ops->mkdir(p->e, "b", 0700), 0);
    assert_int_equal(ops->open_dir(p->e, "a", &a), 0);
    assert_int_equal(in->open_dir(p->e, "b", &b), 0);
    assert_int_equal(fcntl((int)a, F_GETFD), FD_CLOEXEC);

    in->use_dirs(p->e, a, b);
    assert_int_equal(in->mkdir(p->e, "d", 0700), 0);
    assert_int_equal(ops->stat(p->e, "a/d", &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(in->create(p->e, "f", 0600, &f), 0);
    assert_int_equal(fcntl((int)f, F_GETFL) & O_ACCMODE, O_RDWR);
    assert_int_equal(in->write(p->e, f, "hello", 5), 5);
    assert_int_equal(in->close(p->e, f), 0);
    assert_int_equal(in->mknod(p->e, "n", 0600), 0);
    assert_int_equal(in->stat(p->e, "f", &st), 0);
    assert_true(S_ISREG(st.st_mode) && st.st_size == 5);
    assert_int_equal(in->open(p->e, "n", TMK_ENGINE_WRITE, &f), 0);
    assert_int_equal(fcntl((int)f, F_GETFL) & O_ACCMODE, O_WRONLY);
    assert_int_equal(in->close(p->e, f), 0);

    assert_int_equal(in->rename(p->e, "d", "e"), 0);
    assert_int_equal(in->stat(p->e, "e", &st), -ENOENT);
    in->use_dirs(p->e, b, b);
    assert_int_equal(in->stat(p->e, "e", &st), 0);
    assert_int_equal(in->rmdir(p->e, "e"), 0);
    in->use_dirs(p->e, a, a);
    assert_int_equal(in->unlink(p->e, "f"), 0);
    assert_int_equal(in->unlink(p->e, "n"), 0);
    assert_int_equal(in->close_dir(p->e, a), 0);
    assert_int_equal(ops->close_dir(p->e, b), 0);
    assert_int_equal(ops->rmdir(p->e, "a"), 0);
    assert_int_equal(ops->rmdir(p->e, "b"), 0);
}

static void a_missing_name_is_enoent_for_every_call(void **state)
{
    const struct place *p = *state;
    const struct tmk_engine_ops *in = ops->relative;
    struct stat st;
    intptr_t d = -7;
    intptr_t f = -7;

    assert_int_equal(in->open_dir(p->e, "no", &d), -ENOENT);
    put(p, "f", "");
    assert_int_equal(in->open_dir(p->e, "f", &d), -ENOTDIR);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
    assert_int_equal(d, -7);
    assert_int_equal(in->close_dir(p->e, -1), -EBADF);
    /* Without use_dirs it is the current directory, which has nothing. */
    assert_int_equal(in->mkdir(p->e, "no/x", 0700), -ENOENT);
    assert_int_equal(in->rmdir(p->e, "no"), -ENOENT);
    assert_int_equal(in->unlink(p->e, "no"), -ENOENT);
    assert_int_equal(in->rename(p->e, "no", "on"), -ENOENT);
    assert_int_equal(in->stat(p->e, "no", &st), -ENOENT);
    assert_int_equal(in->create(p->e, "no/x", 0600, &f), -ENOENT);
    assert_int_equal(in->mknod(p->e, "no/x", 0600), -ENOENT);
    assert_int_equal(in->open(p->e, "no", TMK_ENGINE_READ, &f), -ENOENT);
    assert_int_equal(f, -7);
}

static void whole_paths_stay_whole_while_a_directory_is_in_use(void **state)
{
    const struct place *p = *state;
    intptr_t d = -1;

    assert_int_equal(ops->mkdir(p->e, "d", 0700), 0);
    assert_int_equal(ops->open_dir(p->e, "d", &d), 0);
    ops->use_dirs(p->e, d, d);
    assert_int_equal(ops->relative->list(p->e, "d", NULL, NULL), 0);
    put(p, "f", "");
    assert_int_equal(ops->mknod(p->e, "n", 0600), 0);
    assert_int_equal(ops->rename(p->e, "f", "g"), 0);
    assert_int_equal(ops->unlink(p->e, "g"), 0);
    assert_int_equal(ops->unlink(p->e, "n"), 0);
    assert_int_equal(ops->close_dir(p->e, d), 0);
    assert_int_equal(ops->rmdir(p->e, "d"), 0);
}

/* Locks or none, by either table. */
static void a_transfer_goes_to_its_place(void **state)
{
    const struct place *p = *state;
    const struct tmk_engine_ops *const tables[] = {ops, ops->legacy};

    for (size_t i = 0; i < 4; i++) {
        const struct tmk_engine_ops *by = tables[i % 2];
        struct tmk_engine *e = i < 2 ? p->e : p->locks;
        uint64_t size = 0;
        char buf[16] = "";
        intptr_t f = -1;

        assert_int_equal(by->create(e, "f", 0600, &f), 0);
        assert_int_equal(by->pwrite(e, f, "world", 5, 6), 5);
        assert_int_equal(by->pwrite(e, f, "hello ", 6, 0), 6);
        assert_int_equal(by->pwrite(e, f, "", 0, 99), 0);
        assert_int_equal(by->size(e, "f", &size), 0);
        assert_int_equal(size, 11);
        assert_int_equal(by->pread(e, f, buf, 5, 6), 5);
        assert_string_equal(buf, "world");
        assert_int_equal(by->pread(e, f, buf, 16, 0), 11);
        assert_memory_equal(buf, "hello world", 11);
        assert_int_equal(by->pread(e, f, buf, 16, 11), 0);
        assert_int_equal(by->pread(e, f, buf, 1, UINT64_MAX), -EINVAL);
        assert_int_equal(by->pwrite(e, f, buf, 1, UINT64_MAX), -EINVAL);
        /* Only the original moves the current offset. */
        assert_int_equal(by->pread(e, f, buf, 2, 4), 2);
        assert_int_equal(lseek((int)f, 0, SEEK_CUR), i % 2 == 0 ? 0 : 6);
        assert_int_equal(by->close(e, f), 0);
        assert_int_equal(by->unlink(e, "f"), 0);
        assert_int_equal(by->size(e, "f", &size), -ENOENT);
    }
}

/* As the loop has them that counts nanoseconds. */
static int64_t write_by_once(struct tmk_engine *e, intptr_t f, const char *text,
                             size_t bytes, uint64_t at)
{
    int64_t n = ops->pwrite_once(e, f, text, bytes, at);

    return n == (int64_t)bytes
               ? n
               : ops->rest(e, f, true, (char *)text, bytes, at, n);
}

static int64_t read_by_once(struct tmk_engine *e, intptr_t f, char *buf,
                            size_t bytes, uint64_t at)
{
    int64_t n = ops->pread_once(e, f, buf, bytes, at);

    return n == (int64_t)bytes ? n : ops->rest(e, f, false, buf, bytes, at, n);
}

static void a_transfer_by_one_call_is_no_other(void **state)
{
    const struct place *p = *state;
    struct tmk_engine *const engines[] = {p->e, p->locks};

    for (size_t i = 0; i < 2; i++) {
        struct tmk_engine *e = engines[i];
        char buf[16] = "";
        intptr_t f = -1;

        assert_int_equal(ops->create(e, "f", 0600, &f), 0);
        assert_int_equal(write_by_once(e, f, "world", 5, 6), 5);
        assert_int_equal(write_by_once(e, f, "hello ", 6, 0), 6);
        assert_int_equal(read_by_once(e, f, buf, 16, 0), 11);
        assert_memory_equal(buf, "hello world", 11);
        assert_int_equal(read_by_once(e, f, buf, 16, 11), 0);
        assert_int_equal(read_by_once(e, f, buf, 1, UINT64_MAX), -EINVAL);
        assert_int_equal(write_by_once(e, -1, "x", 1, 0), -EBADF);
        assert_int_equal(ops->close(e, f), 0);
        assert_int_equal(ops->unlink(e, "f"), 0);
    }
}

static void what_one_call_left_is_gone_on_with(void **state)
{
    const struct place *p = *state;
    struct tmk_engine_transfers transfers = {.single = true};
    char buf[8] = "HE";
    intptr_t f = -1;

    put(p, "f", "hello");
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ_WRITE, &f), 0);
    assert_int_equal(ops->rest(p->e, f, false, buf, 5, 0, 2), 5);
    assert_string_equal(buf, "HEllo");
    errno = EINTR;
    assert_int_equal(ops->rest(p->e, f, true, buf, 5, 0, -1), 5);
    errno = EIO;
    assert_int_equal(ops->rest(p->e, f, true, buf, 5, 0, -1), -EIO);
    assert_int_equal(ops->expect(p->e, &transfers), 0);
    assert_int_equal(ops->rest(p->e, f, false, buf, 5, 0, 2), 2);
    transfers.single = false;
    assert_int_equal(ops->expect(p->e, &transfers), 0);
    assert_int_equal(ops->pread(p->e, f, buf, 8, 0), 5);
    assert_string_equal(buf, "HEllo");
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

/* More than the kernel moves in one call, to where it is not looked at. */
static void a_transfer_may_be_larger_than_two_gib(void **state)
{
    const struct place *p = *state;
    const size_t bytes = ((size_t)3 << 30) + 5;
    void *buf = mmap(NULL, bytes, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    intptr_t f = -1;

    if (buf == MAP_FAILED) {
        skip(); /* the address space is limited */
    }
    assert_int_equal(ops->open(p->e, "/dev/null", TMK_ENGINE_WRITE, &f), 0);
    assert_int_equal(ops->pwrite(p->e, f, buf, bytes, 1), bytes);
    assert_int_equal(ops->legacy->pwrite(p->e, f, buf, bytes, 1), bytes);
    assert_int_equal(ops->write(p->e, f, buf, bytes), bytes);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(munmap(buf, bytes), 0);
}

/* A pipe holds less than the transfer, and nobody empties it. */
static void a_single_attempt_is_not_gone_on_with(void **state)
{
    enum { BYTES = 1000000 };
    const struct place *p = *state;
    struct tmk_engine_transfers transfers = {.single = true};
    char *buf = calloc(1, BYTES);
    int64_t n;
    int ends[2];

    assert_non_null(buf);
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    assert_int_equal(ops->expect(p->e, &transfers), 0);
    n = ops->write(p->e, ends[1], buf, BYTES);
    assert_true(n > 0 && n < BYTES);
    assert_int_equal(ops->read(p->e, ends[0], buf, BYTES), n);
    transfers.single = false;
    assert_int_equal(ops->expect(p->e, &transfers), 0);
    assert_int_equal(ops->write(p->e, ends[1], buf, BYTES), -EAGAIN);
    close(ends[0]);
    close(ends[1]);
    free(buf);
}

/* A child that locks a range, says so, waits for word or a while, writes "x"
 * there and ends.  Returns it, and *word to write to. */
static pid_t lock_in_child(short type, off_t start, off_t bytes, int *word)
{
    enum { NAP_US = 50000 };
    int ready[2];
    int go[2];
    char c = 0;
    pid_t child;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(go), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct flock range = {.l_type = type,
                              .l_whence = SEEK_SET,
                              .l_start = start,
                              .l_len = bytes};
        struct pollfd told = {.fd = go[0], .events = POLLIN};
        int fd = open("f", O_RDWR);

        close(go[1]);
        if (fcntl(fd, F_SETLK, &range) != 0 || write(ready[1], "", 1) != 1 ||
            (word != NULL ? poll(&told, 1, 10000) : usleep(NAP_US)) < 0 ||
            pwrite(fd, "x", 1, start) != 1) {
            _exit(1);
        }
        _exit(0);
    }
    close(ready[1]); /* a child that fails is not waited for */
    assert_int_equal(read(ready[0], &c, 1), 1);
    close(ready[0]);
    close(go[0]);
    if (word != NULL) {
        *word = go[1];
    } else {
        close(go[1]);
    }
    return child;
}

static void end_child(pid_t child)
{
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_locked_range_is_waited_for(void **state)
{
    const struct place *p = *state;
    const struct tmk_engine_ops *const tables[] = {ops, ops->legacy};

    put(p, "f", "hello");
    for (size_t i = 0; i < 5; i++) {
        const struct tmk_engine_ops *by = tables[i % 2];
        pid_t child;
        char buf[8] = "";
        intptr_t f = -1;

        assert_int_equal(by->open(p->locks, "f", TMK_ENGINE_READ_WRITE, &f), 0);
        child = lock_in_child(F_WRLCK, 1, 1, NULL);
        if (i < 2) {
            assert_int_equal(by->pread(p->locks, f, buf, 3, 0), 3);
            assert_string_equal(buf, "hxl");
        } else if (i < 4) {
            assert_int_equal(by->pwrite(p->locks, f, "abc", 3, 0), 3);
        } else {
            assert_int_equal(by->write(p->locks, f, "abc", 3), 3);
        }
        end_child(child);
        assert_int_equal(by->pread(p->e, f, buf, 3, 0), 3);
        assert_string_equal(buf, i < 2 ? "hxl" : "abc");
        assert_int_equal(by->close(p->locks, f), 0);
    }
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void a_range_beside_it_is_not(void **state)
{
    const struct place *p = *state;
    char buf[8] = "";
    intptr_t f = -1;
    int word = -1;
    pid_t child;

    put(p, "f", "hello");
    assert_int_equal(ops->open(p->locks, "f", TMK_ENGINE_READ_WRITE, &f), 0);
    child = lock_in_child(F_WRLCK, 2, 1, &word);
    assert_int_equal(ops->pwrite(p->locks, f, "ab", 2, 0), 2);
    assert_int_equal(ops->pread(p->locks, f, buf, 2, 3), 2);
    assert_int_equal(ops->pread(p->locks, f, buf, 0, 2), 0);
    assert_int_equal(close(word), 0);
    end_child(child);
    child = lock_in_child(F_RDLCK, 0, 0, &word); /* for readers alike */
    assert_int_equal(ops->pread(p->locks, f, buf, 5, 0), 5);
    assert_string_equal(buf, "abxlo");
    assert_int_equal(close(word), 0);
    end_child(child);
    /* Nothing is left locked, or this child would fail. */
    end_child(lock_in_child(F_WRLCK, 0, 0, NULL));
    assert_int_equal(ops->close(p->locks, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void on_alarm(int signal)
{
    (void)signal;
}

/*
 * Through a pipe that a slow child serves in pieces, with a signal every
 * millisecond: transfers come short and are interrupted.
 */
static void a_transfer_goes_on_after_signals_and_short_pieces(void **state)
{
    enum { BYTES = 400000, PIECE = 50000, NAP_US = 5000 };
    const struct place *p = *state;
    const struct itimerval tick = {{0, 1000}, {0, 1000}};
    const struct itimerval stop = {{0, 0}, {0, 0}};
    const struct sigaction act = {.sa_handler = on_alarm};
    char *buf = calloc(1, BYTES);
    int there[2];
    int back[2];
    pid_t child;

    assert_non_null(buf);
    assert_int_equal(pipe(there), 0);
    assert_int_equal(pipe(back), 0);
    assert_true(fcntl(there[1], F_SETPIPE_SZ, 4096) >= 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        size_t left = BYTES;

        while (left > 0) {
            ssize_t n = read(there[0], buf, PIECE);

            usleep(NAP_US);
            if (n <= 0 || write(back[1], buf, (size_t)n) != n) {
                _exit(1);
            }
            left -= (size_t)n;
        }
        _exit(0);
    }
    close(back[1]);
    assert_int_equal(sigaction(SIGALRM, &act, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &tick, NULL), 0);
    /* What the pipes hold bounds what may be under way. */
    for (size_t done = 0; done < BYTES; done += PIECE) {
        int64_t n = ops->write(p->e, there[1], buf, PIECE);

        assert_int_equal(n, PIECE);
        assert_int_equal(ops->read(p->e, back[0], buf, PIECE), PIECE);
    }
    assert_int_equal(ops->read(p->e, back[0], buf, PIECE), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &stop, NULL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(there[0]);
    close(there[1]);
    close(back[0]);
    free(buf);
}

/* A pipe that does not wait runs full, and dry, amid a transfer. */
static void a_transfer_that_fails_halfway_says_why(void **state)
{
    enum { BYTES = 1000000 };
    const struct place *p = *state;
    char *buf = calloc(1, BYTES);
    int ends[2];

    assert_non_null(buf);
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    assert_int_equal(ops->read(p->e, ends[0], buf, BYTES), -EAGAIN);
    /* A part fits, then the pipe is full; read finds that part. */
    assert_int_equal(ops->write(p->e, ends[1], buf, BYTES), -EAGAIN);
    assert_true(read(ends[0], buf, BYTES) > 0);
    assert_int_equal(ops->write(p->e, ends[1], buf, 10), 10);
    assert_int_equal(ops->read(p->e, ends[0], buf, BYTES), -EAGAIN);
    assert_int_equal(ops->write(p->e, ends[1], buf, 0), 0);
    close(ends[0]);
    close(ends[1]);
    free(buf);
}

static void odirect_is_for_every_file_that_is_opened(void **state)
{
    const struct place *p = *state;
    intptr_t f = -1;
    int err = ops->create(p->direct, "f", 0600, &f);

    assert_true(ops->direct(p->direct));
    assert_false(ops->direct(p->e));
    if (err == -EINVAL) {
        (void)ops->unlink(p->e, "f");
        skip(); /* the file system does not take it */
    }
    for (int i = 0; i < 4; i++) {
        const struct tmk_engine_ops *by = i % 2 == 0 ? ops : ops->relative;

        if (i != 0) {
            err = i == 1 ? by->create(p->direct, "f", 0600, &f)
                         : by->open(p->direct, "f", TMK_ENGINE_READ, &f);
        }
        assert_int_equal(err, 0);
        assert_true((fcntl((int)f, F_GETFL) & O_DIRECT) != 0);
        assert_int_equal(ops->close(p->direct, f), 0);
    }
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ, &f), 0);
    assert_int_equal(fcntl((int)f, F_GETFL) & O_DIRECT, 0);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

/* A pipe gives and takes parts of any size. */
static void a_direct_transfer_ends_with_an_odd_part(void **state)
{
    enum { BYTES = 5000, PART = 100, BLOCK = 512 };
    const uint64_t past_all = INT64_MAX - 100; /* the rest is beyond */
    const struct place *p = *state;
    char buf[BYTES] = "";
    intptr_t file;
    int64_t n;
    int ends[2];

    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    assert_true(fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 0);
    assert_int_equal(ops->write(p->direct, ends[1], buf, PART), PART);
    assert_int_equal(ops->read(p->direct, ends[0], buf, BYTES), PART);
    assert_int_equal(ops->write(p->direct, ends[1], buf, BLOCK), BLOCK);
    assert_int_equal(ops->read(p->direct, ends[0], buf, BYTES), -EAGAIN);
    assert_int_equal(ops->write(p->direct, ends[1], buf, PART), PART);
    assert_int_equal(ops->read(p->e, ends[0], buf, BYTES), -EAGAIN);

    assert_int_equal(ops->write(p->direct, ends[1], buf, PART), PART);
    n = ops->write(p->direct, ends[1], buf, BYTES);
    assert_true(n > 0 && n < BYTES && n % BLOCK != 0);
    assert_int_equal(ops->write(p->e, ends[1], buf, BYTES), -EAGAIN);
    close(ends[0]);
    close(ends[1]);

    /* A block of 512 bytes may be a part of one of the file system's: what it
     * will not have after that is no error but missing. */
    put(p, "f", "");
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ, &file), 0);
    assert_int_equal(
        ops->rest(p->direct, file, false, buf, BYTES, past_all, BLOCK), BLOCK);
    assert_int_equal(ops->rest(p->e, file, false, buf, BYTES, past_all, BLOCK),
                     -EINVAL);
    errno = EINVAL;
    assert_int_equal(
        ops->rest(p->direct, file, false, buf, BYTES, past_all, -1), -EINVAL);
    assert_int_equal(ops->close(p->e, file), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

struct seen {
    int files, dirs, limit;
};

static bool see(void *arg, const char *name, bool is_dir)
{
    struct seen *seen = arg;

    assert_string_not_equal(name, ".");
    assert_string_not_equal(name, "..");
    if (is_dir) {
        seen->dirs++;
    } else {
        seen->files++;
    }
    return seen->files + seen->dirs < seen->limit;
}

static void a_listing_tells_files_from_directories(void **state)
{
    const struct place *p = *state;
    struct seen all = {.limit = 99};
    struct seen one = {.limit = 1};
    struct seen none = {.limit = 99};

    assert_int_equal(ops->list(p->e, ".", see, &none), 0);
    assert_int_equal(none.files + none.dirs, 0);
    put(p, "f", "");
    put(p, "g", "");
    assert_int_equal(ops->mkdir(p->e, "d", 0700), 0);
    assert_int_equal(ops->list(p->e, ".", see, &all), 0);
    assert_int_equal(all.files, 2);
    assert_int_equal(all.dirs, 1);
    assert_int_equal(ops->list(p->e, ".", see, &one), 0);
    assert_int_equal(one.files + one.dirs, 1);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
    assert_int_equal(ops->unlink(p->e, "g"), 0);
    assert_int_equal(ops->rmdir(p->e, "d"), 0);
}

static void usage_adds_up(void **state)
{
    const struct place *p = *state;
    struct tmk_engine_usage usage;

    assert_int_equal(ops->usage(p->e, ".", &usage), 0);
    assert_true(usage.size_bytes > 0);
    assert_true(usage.used_bytes + usage.free_bytes <= usage.size_bytes);
    assert_true(usage.free_inodes <= usage.inodes);
}

/* In a child, which may give its rights away. */
static void an_ordinary_user_has_no_reserved_blocks(void **state)
{
    const struct place *p = *state;
    struct tmk_engine_usage before;
    pid_t child;
    int status = -1;

    assert_int_equal(ops->usage(p->e, "/", &before), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct tmk_engine_usage after;
        bool well = geteuid() != 0 || seteuid(65534) == 0;

        well = well && ops->usage(p->e, "/", &after) == 0 &&
               after.size_bytes == before.size_bytes;
        _exit(well ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void close_instance_accepts_null(void **state)
{
    (void)state;
    ops->close_instance(NULL);
    assert_true(ops->stores);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_missing_path_is_enoent_for_every_call),
        IN_PLACE(a_closed_file_is_ebadf_for_every_call),
        IN_PLACE(a_directory_is_made_stated_moved_and_removed),
        IN_PLACE(a_file_reads_back_what_was_written),
        IN_PLACE(a_file_is_read_again_after_rewind),
        IN_PLACE(a_second_create_keeps_what_is_there),
        IN_PLACE(mknod_makes_an_empty_file_once),
        IN_PLACE(open_gives_the_access_that_was_asked_for),
        IN_PLACE(a_name_is_looked_up_in_the_directory_in_use),
        IN_PLACE(a_missing_name_is_enoent_for_every_call),
        IN_PLACE(whole_paths_stay_whole_while_a_directory_is_in_use),
        IN_PLACE(a_transfer_goes_to_its_place),
        IN_PLACE(a_transfer_by_one_call_is_no_other),
        IN_PLACE(what_one_call_left_is_gone_on_with),
        IN_PLACE(a_transfer_may_be_larger_than_two_gib),
        IN_PLACE(a_single_attempt_is_not_gone_on_with),
        IN_PLACE(a_locked_range_is_waited_for),
        IN_PLACE(a_range_beside_it_is_not),
        IN_PLACE(a_transfer_goes_on_after_signals_and_short_pieces),
        IN_PLACE(a_transfer_that_fails_halfway_says_why),
        IN_PLACE(odirect_is_for_every_file_that_is_opened),
        IN_PLACE(a_direct_transfer_ends_with_an_odd_part),
        IN_PLACE(a_listing_tells_files_from_directories),
        IN_PLACE(usage_adds_up),
        IN_PLACE(an_ordinary_user_has_no_reserved_blocks),
        cmocka_unit_test(close_instance_accepts_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
