#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/engine.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum {
    PAGE = 65536,
    PAGES_2 = 2 * PAGE,
    PAGES_4 = 4 * PAGE
}; /* of any machine */

static const struct tmk_engine_ops *const ops = &tmk_engine_mmap;

/* Fresh and empty for every test, which runs inside it. */
struct place {
    char dir[64];
    void *conf;
    struct tmk_engine *e;
};

static int ask_for_advice(void *conf)
{
    char *const argv[] = {"test", "--mmap.madv_pattern",
                          "--mmap.madv_dont_need", NULL};
    const struct tmk_opt_table table = {.title = "MMAP",
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = conf};
    char why[256];

    return tmk_opt_parse(&table, 1, 3, argv, why, sizeof(why));
}

static int enter(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    int err = -1;

    if (p == NULL) {
        return -1;
    }
    snprintf(p->dir, sizeof(p->dir), "/tmp/test_mmap.XXXXXX");
    p->conf = calloc(1, ops->conf_size);
    if (p->conf == NULL || mkdtemp(p->dir) == NULL || chdir(p->dir) != 0) {
        free(p->conf);
        free(p);
        return -1;
    }
    *state = p;
    p->e = ops->open_instance(p->conf, 0, &err);
    return err;
}

static int leave(void **state)
{
    struct place *p = *state;
    int err;

    ops->close_instance(p->e);
    free(p->conf);
    err = chdir("/") == 0 ? rmdir(p->dir) : -1;
    free(p);
    return err;
}

static void expect(const struct place *p, uint64_t file_bytes)
{
    const struct tmk_engine_transfers transfers = {
        .writes = true, .ranks = 1, .file_bytes = file_bytes};

    assert_int_equal(ops->expect(p->e, &transfers), 0);
}

static intptr_t create(const struct place *p, uint64_t file_bytes)
{
    intptr_t f = -1;

    expect(p, file_bytes);
    assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
    return f;
}

static void close_and_remove(const struct place *p, intptr_t f)
{
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

/* Whether this file system gives blocks before they are written. */
static bool reserves(void)
{
    int fd = open("r", O_RDWR | O_CREAT, 0600);
    bool can = fallocate(fd, 0, 0, 1) == 0;

    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink("r"), 0);
    return can;
}

static void a_file_has_its_length_from_the_start(void **state)
{
    static const struct {
        uint64_t before, told, want;
    } rows[] = {
        {0, 0, 0},
        {0, 100000, 100000},
        {10, 100000, 100000},
        {100000, 100000, 100000},
        {200000, 100000, 200000}, /* what is there is not cut */
    };
    const struct place *p = *state;

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t size = 7;
        struct stat st;
        intptr_t f = create(p, rows[i].before);

        assert_int_equal(ops->close(p->e, f), 0);
        expect(p, rows[i].told);
        assert_int_equal(i % 2 == 0
                             ? ops->create(p->e, "f", 0600, &f)
                             : ops->open(p->e, "f", TMK_ENGINE_WRITE, &f),
                         0);
        assert_int_equal(ops->size(p->e, "f", &size), 0);
        assert_int_equal(size, rows[i].want);
        assert_int_equal(ops->stat(p->e, "f", &st), 0);
        assert_true(!reserves() ||
                    (uint64_t)st.st_blocks * 512 >= rows[i].told);
        assert_int_equal(ops->fsync(p->e, f), 0);
        close_and_remove(p, f);
    }
}

/* All ranks reserve together, whatever the rank. */
static void the_ranks_reserve_a_shared_file_together(void **state)
{
    const struct place *p = *state;
    struct tmk_engine_transfers transfers = {
        .shared = true, .writes = true, .ranks = 3, .file_bytes = 1000001};
    struct stat st;
    blkcnt_t blocks = -1;

    if (!reserves()) {
        skip();
    }
    for (uint64_t rank = 0; rank < transfers.ranks; rank++) {
        intptr_t f = -1;

        transfers.rank = rank;
        assert_int_equal(ops->expect(p->e, &transfers), 0);
        assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
        assert_int_equal(ops->close(p->e, f), 0);
        assert_int_equal(ops->stat(p->e, "f", &st), 0);
        assert_int_equal(st.st_size, 1000001);
        assert_true(st.st_blocks > blocks);
        blocks = st.st_blocks;
    }
    assert_true(blocks * 512 >= 1000001);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

/* It may end before all of it is written. */
static void what_a_deadline_may_cut_is_not_reserved(void **state)
{
    enum { GIB = 1 << 30 };
    const struct place *p = *state;
    const struct tmk_engine_transfers transfers = {
        .writes = true, .may_stop = true, .ranks = 1, .file_bytes = GIB};
    struct stat st;
    intptr_t f = -1;

    assert_int_equal(ops->expect(p->e, &transfers), 0);
    assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
    assert_int_equal(ops->stat(p->e, "f", &st), 0);
    assert_true(st.st_blocks * 512 < 1 << 20);
    assert_int_equal(ops->pwrite(p->e, f, "x", 1, GIB - 1), 1);
    close_and_remove(p, f);
}

static void a_transfer_stays_within_the_mapping(void **state)
{
    const struct place *p = *state;
    char buf[8] = "";
    intptr_t f = create(p, 10);

    assert_int_equal(ops->pwrite(p->e, f, "abcd", 4, 6), 4);
    assert_int_equal(ops->pwrite(p->e, f, "abcd", 4, 7), -EFBIG);
    assert_int_equal(ops->pwrite(p->e, f, "abcd", 4, UINT64_MAX), -EFBIG);
    assert_int_equal(ops->pwrite(p->e, f, "", 0, 99), 0);
    assert_int_equal(ops->pread(p->e, f, buf, 8, 8), 2);
    assert_memory_equal(buf, "cd", 2);
    assert_int_equal(ops->pread(p->e, f, buf, 8, 10), 0);
    assert_int_equal(ops->pread(p->e, f, buf, 8, UINT64_MAX), 0);
    close_and_remove(p, f);
}

static void a_file_of_which_nothing_was_told_is_what_it_is(void **state)
{
    const struct place *p = *state;
    char buf[4] = "";
    intptr_t f = -1;

    assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
    assert_int_equal(ops->pwrite(p->e, f, "x", 1, 0), -EFBIG);
    assert_int_equal(ops->pread(p->e, f, buf, 1, 0), 0);
    assert_int_equal(ops->fsync(p->e, f), 0);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(truncate("f", 3), 0);
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ_WRITE, &f), 0);
    assert_int_equal(ops->pwrite(p->e, f, "xyz", 3, 0), 3);
    assert_int_equal(ops->pread(p->e, f, buf, 4, 0), 3);
    assert_string_equal(buf, "xyz");
    close_and_remove(p, f);
}

static void access_is_what_was_asked_for(void **state)
{
    const struct place *p = *state;
    char buf[4] = "";
    intptr_t f = create(p, 3);

    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ, &f), 0);
    assert_int_equal(ops->pwrite(p->e, f, "x", 1, 0), -EBADF);
    assert_int_equal(ops->pread(p->e, f, buf, 3, 0), 3);
    assert_int_equal(ops->fsync(p->e, f), 0);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_WRITE, &f), 0);
    assert_int_equal(ops->pwrite(p->e, f, "x", 1, 0), 1);
    assert_int_equal(ops->pread(p->e, f, buf, 3, 0), -EBADF);
    close_and_remove(p, f);
}

static void a_cut_file_is_eio_and_no_end(void **state)
{
    const struct place *p = *state;
    char *buf = calloc(2, PAGE);
    intptr_t f = create(p, PAGES_4);

    assert_non_null(buf);
    memset(buf, 'a', PAGE);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(ops->pwrite(p->e, f, buf, PAGE, PAGES_2), PAGE);
        assert_int_equal(truncate("f", PAGE), 0);
        assert_int_equal(ops->pwrite(p->e, f, buf, PAGE, PAGES_2), -EIO);
        assert_int_equal(ops->pread(p->e, f, buf, PAGES_2, 0), -EIO);
        assert_int_equal(ops->pwrite(p->e, f, buf, PAGE, 0), PAGE);
        assert_int_equal(truncate("f", PAGES_4), 0);
        assert_int_equal(ops->pread(p->e, f, buf, PAGE, PAGES_2), PAGE);
        assert_int_equal(buf[0], 0);
        memset(buf, 'a', PAGE);
    }
    free(buf);
    close_and_remove(p, f);
}

/*
 * In a child, in a small file system: what became of a file of `file_bytes`
 * there.  -1: it could not be tried.
 */
static int in_small_place(struct place *p, uint64_t file_bytes, bool may_stop)
{
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        const struct tmk_engine_transfers transfers = {.writes = true,
                                                       .may_stop = may_stop,
                                                       .ranks = 1,
                                                       .file_bytes =
                                                           file_bytes};
        char buf[4096] = "full";
        intptr_t f = -1;
        int64_t n;

        if (unshare(CLONE_NEWNS) != 0 ||
            mount("none", "/", "none", MS_PRIVATE | MS_REC, NULL) != 0 ||
            mount("tmpfs", p->dir, "tmpfs", 0, "size=1m") != 0 ||
            chdir(p->dir) != 0) {
            _exit(77);
        }
        (void)ops->expect(p->e, &transfers);
        n = ops->create(p->e, "f", 0600, &f);
        for (uint64_t at = 0; n >= 0 && at < file_bytes; at += sizeof(buf)) {
            n = ops->pwrite(p->e, f, buf, sizeof(buf), at);
            if (n < 0 && ops->pwrite(p->e, f, buf, 4, 0) != 4) {
                _exit(78); /* what was there is there */
            }
        }
        _exit(n < 0 ? (int)-n : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) != 77 ? WEXITSTATUS(status) : -1;
}

static void a_full_file_system_is_enospc(void **state)
{
    struct place *p = *state;
    int end = in_small_place(p, 512 << 10, false);

    if (end < 0) {
        skip(); /* not for us to mount */
    }
    assert_int_equal(end, 0);
    assert_int_equal(in_small_place(p, 2 << 20, false), ENOSPC);
    assert_int_equal(in_small_place(p, 2 << 20, true), ENOSPC);
}

/* How often a handler of somebody else was called. */
static volatile sig_atomic_t handed_on;

static void count(int signal)
{
    (void)signal;
    handed_on++;
}

static void count_with_info(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    handed_on += info->si_code <= 0 ? 10 : 100;
}

/* Whether there is a handler other than before, which a sanitizer may have. */
static bool is_ours(const struct sigaction *before)
{
    struct sigaction now;

    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    return (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction != before->sa_sigaction;
}

static void the_handler_is_there_while_a_file_is_open(void **state)
{
    const struct place *p = *state;
    struct sigaction before;
    struct tmk_engine *other;
    intptr_t f;
    intptr_t g = -1;
    int err = -1;

    assert_int_equal(sigaction(SIGBUS, NULL, &before), 0);
    f = create(p, 100);
    assert_true(is_ours(&before));
    other = ops->open_instance(p->conf, 1, &err);
    assert_int_equal(err, 0);
    assert_int_equal(ops->open(other, "f", TMK_ENGINE_READ, &g), 0);
    assert_int_equal(ops->open(other, "no", TMK_ENGINE_READ, &g), -ENOENT);
    assert_int_equal(ops->close(p->e, f), 0);
    assert_true(is_ours(&before));
    assert_int_equal(ops->close(other, g), 0);
    assert_false(is_ours(&before));
    /* A directory is opened, and then not mapped. */
    assert_int_equal(ops->open(other, ".", TMK_ENGINE_READ, &g), -ENODEV);
    assert_false(is_ours(&before));
    ops->close_instance(other);
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void a_signal_of_another_cause_is_handed_on(void **state)
{
    const struct place *p = *state;
    struct sigaction action = {.sa_handler = count};
    struct sigaction before;
    intptr_t f;

    sigemptyset(&action.sa_mask);
    assert_int_equal(sigaction(SIGBUS, &action, &before), 0);
    f = create(p, 100);
    handed_on = 0;
    assert_int_equal(raise(SIGBUS), 0);
    assert_int_equal(handed_on, 1);
    close_and_remove(p, f);

    action.sa_sigaction = count_with_info;
    action.sa_flags = SA_SIGINFO;
    assert_int_equal(sigaction(SIGBUS, &action, NULL), 0);
    f = create(p, 100);
    assert_int_equal(raise(SIGBUS), 0);
    assert_int_equal(handed_on, 11);
    close_and_remove(p, f);

    action.sa_handler = SIG_IGN;
    action.sa_flags = 0;
    assert_int_equal(sigaction(SIGBUS, &action, NULL), 0);
    f = create(p, 100);
    assert_int_equal(raise(SIGBUS), 0);
    assert_true(is_ours(&action));
    close_and_remove(p, f);
    assert_int_equal(sigaction(SIGBUS, &before, NULL), 0);
}

/* Sent, or by a mapping of somebody else. */
static void a_signal_that_nobody_wants_ends_the_process(void **state)
{
    const struct place *p = *state;

    for (int i = 0; i < 2; i++) {
        int status = -1;
        pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0) {
            static const struct sigaction plain = {.sa_handler = SIG_DFL};
            static const struct rlimit no_core = {0, 0};
            volatile char *map;
            int fd;

            (void)setrlimit(RLIMIT_CORE, &no_core);
            (void)sigaction(SIGBUS, &plain, NULL);
            (void)create(p, 100);
            if (i == 0) {
                (void)raise(SIGBUS);
            }
            fd = open("f", O_RDWR);
            map = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
            if (ftruncate(fd, 0) != 0) {
                _exit(1);
            }
            _exit(map[0]);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGBUS);
    }
    assert_int_equal(ops->unlink(p->e, "f"), 0);
}

static void advice_changes_no_data(void **state)
{
    const struct place *p = *state;

    assert_int_equal(ask_for_advice(p->conf), 0);
    for (int i = 0; i < 2; i++) {
        const struct tmk_engine_transfers transfers = {
            .writes = true, .random = i == 1, .ranks = 1, .file_bytes = 100000};
        char buf[8] = "";
        intptr_t f = -1;

        assert_int_equal(ops->expect(p->e, &transfers), 0);
        assert_int_equal(ops->create(p->e, "f", 0600, &f), 0);
        assert_int_equal(ops->pwrite(p->e, f, "hello", 5, 70000), 5);
        assert_int_equal(ops->close(p->e, f), 0);
        assert_int_equal(ops->open(p->e, "f", TMK_ENGINE_READ, &f), 0);
        assert_int_equal(ops->pread(p->e, f, buf, 5, 70000), 5);
        assert_string_equal(buf, "hello");
        close_and_remove(p, f);
    }
}

static void there_is_no_current_offset(void **state)
{
    (void)state;
    assert_null(ops->write);
    assert_null(ops->read);
    assert_null(ops->rewind);
    assert_true(ops->stores);
    ops->close_instance(NULL);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_PLACE(a_file_has_its_length_from_the_start),
        IN_PLACE(the_ranks_reserve_a_shared_file_together),
        IN_PLACE(what_a_deadline_may_cut_is_not_reserved),
        IN_PLACE(a_transfer_stays_within_the_mapping),
        IN_PLACE(a_file_of_which_nothing_was_told_is_what_it_is),
        IN_PLACE(access_is_what_was_asked_for),
        IN_PLACE(a_cut_file_is_eio_and_no_end),
        IN_PLACE(a_full_file_system_is_enospc),
        IN_PLACE(the_handler_is_there_while_a_file_is_open),
        IN_PLACE(a_signal_of_another_cause_is_handed_on),
        IN_PLACE(a_signal_that_nobody_wants_ends_the_process),
        IN_PLACE(advice_changes_no_data),
        cmocka_unit_test(there_is_no_current_offset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
