#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>

#include "base/opt.h"
#include "engine/engine.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct tmk_engine_ops *const ops = &tmk_engine_dummy;

enum { OPTIONS_MAX = 4 };

/* A conf made by a command line; the caller frees. */
static void *conf_of(const char *const *options, char *why, size_t size)
{
    void *conf = calloc(1, ops->conf_size);
    const char *argv[OPTIONS_MAX + 2] = {"test"};
    const struct tmk_opt_table table = {.title = "DUMMY",
                                        .prefix = ops->prefix,
                                        .rows = ops->opts,
                                        .n_rows = ops->n_opts,
                                        .conf = conf};
    int argc = 1;

    assert_non_null(conf);
    ops->conf_init(conf);
    while (argc <= OPTIONS_MAX && options[argc - 1] != NULL) {
        argv[argc] = options[argc - 1];
        argc++;
    }
    why[0] = '\0';
    tmk_opt_parse(&table, 1, argc, (char *const *)argv, why, size);
    return conf;
}

/* An instance and its conf, which goes with it. */
struct made {
    void *conf;
    struct tmk_engine *e;
};

static struct made make(const char *const *options, unsigned index)
{
    char why[256];
    struct made m = {.conf = conf_of(options, why, sizeof(why))};
    int err = -1;

    assert_string_equal(why, "");
    m.e = ops->open_instance(m.conf, index, &err);
    assert_int_equal(err, 0);
    assert_non_null(m.e);
    return m;
}

static void unmake(struct made m)
{
    ops->close_instance(m.e);
    free(m.conf);
}

static bool never(void *arg, const char *name, bool is_dir)
{
    (void)arg;
    (void)name;
    (void)is_dir;
    return true;
}

static const char *const names[] = {
    "mkdir", "rmdir", "unlink", "rename", "stat", "create", "open",   "close",
    "write", "read",  "fsync",  "sync",   "list", "mknod",  "rewind", "opendir",
};

/* Make the named call by a table; 0 or -errno. */
static int call_by(const struct tmk_engine_ops *by, struct tmk_engine *e,
                   size_t which)
{
    struct stat st;
    intptr_t f = 0;
    char buf[10] = "";
    int64_t n;

    switch (which) {
    case 0: return by->mkdir(e, "x", 0700);
    case 1: return by->rmdir(e, "x");
    case 2: return by->unlink(e, "x");
    case 3: return by->rename(e, "x", "y");
    case 4: return by->stat(e, "x", &st);
    case 5: return by->create(e, "x", 0600, &f);
    case 6: return by->open(e, "x", TMK_ENGINE_READ, &f);
    case 7: return by->close(e, f);
    case 8: n = by->write(e, f, buf, sizeof(buf)); break;
    case 9: n = by->read(e, f, buf, sizeof(buf)); break;
    case 10: return by->fsync(e, f);
    case 11: return by->sync(e);
    case 12: return by->list(e, "x", never, NULL);
    case 13: return by->mknod(e, "x", 0400);
    case 14: return by->rewind(e, f);
    default: return by->open_dir(e, "x", &f);
    }
    assert_true(n < 0 || n == sizeof(buf));
    return n < 0 ? (int)n : 0;
}

static int call(struct tmk_engine *e, size_t which)
{
    return call_by(ops, e, which);
}

static void every_call_succeeds_when_nothing_was_asked_for(void **state)
{
    static const char *const none[] = {NULL};
    struct made m = make(none, 0);
    struct tmk_engine_usage usage;
    struct stat st;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_int_equal(call(m.e, i), 0);
    }
    assert_int_equal(ops->stat(m.e, "x", &st), 0);
    assert_int_equal(st.st_mode, 0);
    assert_int_equal(ops->usage(m.e, "x", &usage), -ENOTSUP);
    assert_false(ops->stores);
    unmake(m);
    ops->close_instance(NULL);
}

static void the_nth_call_fails_and_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char option[64] = "--dummy.fail=";
        const char *const options[] = {option, NULL};
        struct made m;

        strncat(option, names[i], 16);
        strncat(option, ":3:ENOSPC", 16);
        m = make(options, 5);
        for (int round = 1; round <= 6; round++) {
            for (size_t j = 0; j < COUNT(names); j++) {
                assert_int_equal(call(m.e, j),
                                 round == 3 && i == j ? -ENOSPC : 0);
            }
        }
        unmake(m);
    }
}

static void the_relative_table_counts_with_the_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char option[64] = "--dummy.fail=";
        const char *const options[] = {option, NULL};
        struct made m;

        strncat(option, names[i], 16);
        strncat(option, ":4", 16);
        m = make(options, 0);
        for (int round = 1; round <= 6; round++) {
            const struct tmk_engine_ops *by =
                round % 2 == 0 ? ops->relative : ops;

            by->use_dirs(m.e, 1, 1);
            assert_int_equal(call_by(by, m.e, i), round == 4 ? -EIO : 0);
            assert_int_equal(by->close_dir(m.e, 1), 0);
        }
        unmake(m);
    }
}

static void failures_come_as_ordered(void **state)
{
    static const struct {
        const char *options[OPTIONS_MAX];
        unsigned index;
        const char *want; /* of stat, mkdir, stat, mkdir...: x = failed */
    } rows[] = {
        {{"--dummy.fail=stat:1"}, 0, "x......."},
        {{"--dummy.fail=stat:2"}, 0, "..x....."},
        {{"--dummy.fail=stat:99"}, 0, "........"},
        {{"--dummy.fail=any:2"}, 0, ".x......"},
        {{"--dummy.fail=any:3:28"}, 0, "..x....."},
        {{"--dummy.fail-every=stat:2"}, 0, "..x...x."},
        {{"--dummy.fail-every=mkdir:1"}, 0, ".x.x.x.x"},
        {{"--dummy.fail-every=any:3"}, 0, "..x..x.."},
        {{"--dummy.fail=stat:1", "--dummy.fail-every=mkdir:2"}, 0, "x..x...x"},
        {{"--dummy.fail=stat:1", "--dummy.fail=stat:3"}, 0, "....x..."},
        {{"--dummy.fail=stat:1", "--dummy.fail-only-rank=3"}, 0, "........"},
        {{"--dummy.fail=stat:1", "--dummy.fail-only-rank=3"}, 3, "x......."},
        {{"--dummy.fail=stat:1", "--dummy.fail-only-rank=0"}, 0, "x......."},
        {{"--dummy.fail=stat:1", "--dummy.fail-only-rank=-1"}, 9, "x......."},
        {{"--dummy.fail=close:1"}, 0, "........"},
        {{"--dummy.fail-after-bytes=1"}, 0, "........"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made m = make(rows[i].options, rows[i].index);

        for (size_t j = 0; rows[i].want[j] != '\0'; j++) {
            int err = call(m.e, j % 2 == 0 ? 4 : 0);

            assert_int_equal(err != 0, rows[i].want[j] == 'x');
        }
        unmake(m);
    }
}

static void a_failure_is_eio_or_what_was_asked_for(void **state)
{
    static const struct {
        const char *options[OPTIONS_MAX];
        int want;
    } rows[] = {
        {{"--dummy.fail=stat:1"}, -EIO},
        {{"--dummy.fail=stat:1:ENOSPC"}, -ENOSPC},
        {{"--dummy.fail=any:1:estale"}, -ESTALE},
        {{"--dummy.fail-every=stat:1"}, -EIO},
        {{"--dummy.fail-every=stat:1:28"}, -28},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct made m = make(rows[i].options, 0);

        assert_int_equal(call(m.e, 4), rows[i].want);
        unmake(m);
    }
}

static void a_full_disk_takes_what_fits_and_then_nothing(void **state)
{
    static const struct {
        const char *limit;
        int64_t want[4]; /* of four writes of 10 bytes */
    } rows[] = {
        {"--dummy.fail-after-bytes=0", {10, 10, 10, 10}},
        {"--dummy.fail-after-bytes=25", {10, 10, 5, -ENOSPC}},
        {"--dummy.fail-after-bytes=20", {10, 10, -ENOSPC, -ENOSPC}},
        {"--dummy.fail-after-bytes=1", {1, -ENOSPC, -ENOSPC, -ENOSPC}},
    };
    static const char *const elsewhere[] = {"--dummy.fail-after-bytes=1",
                                            "--dummy.fail-only-rank=1", NULL};
    char buf[10] = "";
    struct made m;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const options[] = {rows[i].limit, NULL};

        m = make(options, 0);
        for (size_t j = 0; j < COUNT(rows[i].want); j++) {
            assert_int_equal(ops->write(m.e, 1, buf, sizeof(buf)),
                             rows[i].want[j]);
        }
        assert_int_equal(ops->write(m.e, 1, buf, 0), 0);
        assert_int_equal(ops->read(m.e, 1, buf, sizeof(buf)), sizeof(buf));
        unmake(m);
    }
    m = make(elsewhere, 0);
    assert_int_equal(ops->write(m.e, 1, buf, sizeof(buf)), sizeof(buf));
    unmake(m);
}

static uint64_t now_us(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static void a_transfer_to_a_place_counts_with_the_others(void **state)
{
    static const char *const options[] = {"--dummy.fail=write:2",
                                          "--dummy.fail-every=read:2:ENXIO",
                                          "--dummy.fail-after-bytes=24", NULL};
    static const char *const slow[] = {"--dummy.delay-xfer=2000", NULL};
    struct made m = make(options, 0);
    uint64_t start;
    uint64_t size = 7;
    char buf[10] = "";

    (void)state;
    assert_int_equal(ops->write(m.e, 1, buf, 10), 10);
    assert_int_equal(ops->pwrite(m.e, 1, buf, 10, 1ull << 60), -EIO);
    assert_int_equal(ops->pwrite(m.e, 1, buf, 10, 0), 10);
    assert_int_equal(ops->pwrite(m.e, 1, buf, 10, 0), 4);
    assert_int_equal(ops->pwrite(m.e, 1, buf, 10, 0), -ENOSPC);
    assert_int_equal(ops->read(m.e, 1, buf, 10), 10);
    assert_int_equal(ops->pread(m.e, 1, buf, 10, 1ull << 60), -ENXIO);
    assert_int_equal(ops->pread(m.e, 1, buf, 10, 5), 10);
    assert_int_equal(ops->size(m.e, "x", &size), 0);
    assert_int_equal(size, 0);
    assert_string_equal(ops->version(), "0.5");
    unmake(m);

    m = make(slow, 0);
    start = now_us();
    assert_int_equal(ops->pwrite(m.e, 1, buf, 10, 0), 10);
    assert_int_equal(ops->pread(m.e, 1, buf, 10, 0), 10);
    assert_true(now_us() - start + 1 >= 4000);
    unmake(m);
}

static void a_failed_open_gives_no_file(void **state)
{
    static const char *const options[] = {"--dummy.fail-every=any:2", NULL};
    struct made m = make(options, 0);
    intptr_t f = -7;

    (void)state;
    assert_int_equal(ops->create(m.e, "x", 0600, &f), 0);
    assert_true(f >= 0);
    f = -7;
    assert_int_equal(ops->create(m.e, "x", 0600, &f), -EIO);
    assert_int_equal(f, -7);
    assert_int_equal(ops->open(m.e, "x", TMK_ENGINE_WRITE, &f), 0);
    assert_true(f >= 0);
    f = -7;
    assert_int_equal(ops->open(m.e, "x", TMK_ENGINE_WRITE, &f), -EIO);
    assert_int_equal(f, -7);
    unmake(m);
}

static void on_alarm(int signal)
{
    (void)signal;
}

/* Only the lower bound is certain: the machine may be busy. */
static void a_delay_is_never_cut_short(void **state)
{
    static const struct {
        const char *option;
        size_t calls[2]; /* both are delayed */
        uint64_t least_us;
    } rows[] = {
        {"--dummy.delay-create=2000", {5, 13}, 2000},
        {"--dummy.delay-close=2000", {7, 7}, 2000},
        {"--dummy.delay-sync=2000", {10, 11}, 2000},
        {"--dummy.delay-xfer=2000", {8, 9}, 2000},
        {"--dummy.delay-stat=2000", {4, 4}, 2000},
        {"--dummy.delay-remove=2000", {1, 2}, 2000},
        {"--dummy.delay-mkdir=2000", {0, 0}, 2000},
        {"--dummy.delay-open=2000", {6, 15}, 2000},
        {"--dummy.delay-rename=2000", {3, 3}, 2000},
        {"--dummy.delay-stat=49", {4, 4}, 49},
        {"--dummy.delay-stat=50", {4, 4}, 50},
    };
    const struct itimerval tick = {{0, 500}, {0, 500}};
    const struct itimerval stop = {{0, 0}, {0, 0}};
    const struct sigaction act = {.sa_handler = on_alarm};

    (void)state;
    assert_int_equal(sigaction(SIGALRM, &act, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &tick, NULL), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const options[] = {rows[i].option, NULL};
        struct made m = make(options, 3);

        for (size_t j = 0; j < 2; j++) {
            uint64_t start = now_us();

            assert_int_equal(call(m.e, rows[i].calls[j]), 0);
            /* Both readings are rounded down. */
            assert_true(now_us() - start + 1 >= rows[i].least_us);
        }
        unmake(m);
    }
    assert_int_equal(setitimer(ITIMER_REAL, &stop, NULL), 0);
}

static void sleeps_are_exact_while_there_are_delays(void **state)
{
    static const char *const delays[] = {"--dummy.delay-stat=2000", NULL};
    static const char *const none[] = {NULL};
    int before = prctl(PR_GET_TIMERSLACK);
    struct made m;

    (void)state;
    assert_true(before > 1);
    m = make(none, 0);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), before);
    unmake(m);
    m = make(delays, 0);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), 1);
    unmake(m);
    assert_int_equal(prctl(PR_GET_TIMERSLACK), before);
}

static void only_rank_0_delays_if_so_ordered(void **state)
{
    static const char *const options[] = {"--dummy.delay-stat=1000000",
                                          "--dummy.delay-only-rank0", NULL};
    static const char *const brief[] = {"--dummy.delay-stat=2000",
                                        "--dummy.delay-only-rank0", NULL};
    struct made m = make(options, 1);
    uint64_t start = now_us();

    (void)state;
    assert_int_equal(call(m.e, 4), 0);
    assert_true(now_us() - start < 1000000);
    unmake(m);
    m = make(brief, 0);
    start = now_us();
    assert_int_equal(call(m.e, 4), 0);
    assert_true(now_us() - start + 1 >= 2000);
    unmake(m);
}

static void a_bad_order_says_what_would_be_right(void **state)
{
    static const struct {
        const char *option, *why;
    } rows[] = {
        {"--dummy.fail=x:1", "where CALL is one of mkdir rmdir unlink"},
        {"--dummy.fail=sta:1", "where CALL is one of"},
        {"--dummy.fail=stats:1", "where CALL is one of"},
        {"--dummy.fail=:1", "where CALL is one of"},
        {"--dummy.fail=stat", "is not CALL:N[:ERRNO]"},
        {"--dummy.fail=stat:", "where N is a whole number from 1 on"},
        {"--dummy.fail=stat:0", "where N is a whole number"},
        {"--dummy.fail=stat:-1", "where N is a whole number"},
        {"--dummy.fail=stat:x", "where N is a whole number"},
        {"--dummy.fail=stat::EIO", "where N is a whole number"},
        {"--dummy.fail=stat:000000000000000000000000000000000000001",
         "where N is a whole number"},
        {"--dummy.fail=stat:1:", "such as ENOSPC"},
        {"--dummy.fail=stat:1:EWHAT", "such as ENOSPC"},
        {"--dummy.fail=stat:1:0", "such as ENOSPC"},
        {"--dummy.fail=stat:1:EIO:2", "such as ENOSPC"},
        {"--dummy.fail-every=stat:1:9999", "such as ENOSPC"},
        {"--dummy.fail-only-rank=-2", "-1 is the least"},
        {"--dummy.delay-stat=4000000000", "3600000000 is the most"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *const options[] = {rows[i].option, NULL};
        char why[256];
        void *conf = conf_of(options, why, sizeof(why));

        assert_non_null(strstr(why, rows[i].why));
        free(conf);
    }
}

static void an_order_is_shown_as_it_was_given(void **state)
{
    static const char *const options[] = {"--dummy.fail=stat:2k",
                                          "--dummy.fail-every=any:3:28", NULL};
    static const struct {
        const char *name, *want;
    } rows[] = {
        {"fail", "stat:2048:EIO"},
        {"fail-every", "any:3:ENOSPC"},
        {"fail-only-rank", "-1"},
    };
    static const char *const none[] = {NULL};
    char why[256];
    char buf[64];
    void *conf = conf_of(options, why, sizeof(why));
    void *empty = conf_of(none, why, sizeof(why));

    (void)state;
    for (size_t i = 0; i < ops->n_opts; i++) {
        for (size_t j = 0; j < COUNT(rows); j++) {
            if (strcmp(ops->opts[i].name, rows[j].name) == 0) {
                tmk_opt_show(&ops->opts[i], conf, buf, sizeof(buf));
                assert_string_equal(buf, rows[j].want);
            }
        }
        if (strcmp(ops->opts[i].name, "fail") == 0) {
            tmk_opt_show(&ops->opts[i], empty, buf, sizeof(buf));
            assert_string_equal(buf, "");
        }
    }
    free(conf);
    free(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_succeeds_when_nothing_was_asked_for),
        cmocka_unit_test(the_nth_call_fails_and_no_other),
        cmocka_unit_test(the_relative_table_counts_with_the_other),
        cmocka_unit_test(failures_come_as_ordered),
        cmocka_unit_test(a_failure_is_eio_or_what_was_asked_for),
        cmocka_unit_test(a_full_disk_takes_what_fits_and_then_nothing),
        cmocka_unit_test(a_transfer_to_a_place_counts_with_the_others),
        cmocka_unit_test(a_failed_open_gives_no_file),
        cmocka_unit_test(a_delay_is_never_cut_short),
        cmocka_unit_test(sleeps_are_exact_while_there_are_delays),
        cmocka_unit_test(only_rank_0_delays_if_so_ordered),
        cmocka_unit_test(a_bad_order_says_what_would_be_right),
        cmocka_unit_test(an_order_is_shown_as_it_was_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
