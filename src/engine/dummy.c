/*
 * Engine DUMMY: stores nothing and succeeds at once, which shows what the
 * benchmark itself costs; or wastes time and fails on request, which shows
 * what the benchmark does then.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/errnum.h"
#include "base/units.h"
#include "engine/engine.h"

enum call {
    CALL_MKDIR,
    CALL_RMDIR,
    CALL_UNLINK,
    CALL_RENAME,
    CALL_STAT,
    CALL_CREATE,
    CALL_MKNOD,
    CALL_OPEN,
    CALL_CLOSE,
    CALL_WRITE,
    CALL_READ,
    CALL_REWIND,
    CALL_FSYNC,
    CALL_SYNC,
    CALL_LIST,
    CALL_OPENDIR,
    CALL_ANY, /* all of them, counted together */
    CALLS
};

static const char *const call_names[] = {
    [CALL_MKDIR] = "mkdir",   [CALL_RMDIR] = "rmdir",
    [CALL_UNLINK] = "unlink", [CALL_RENAME] = "rename",
    [CALL_STAT] = "stat",     [CALL_CREATE] = "create",
    [CALL_MKNOD] = "mknod",   [CALL_OPEN] = "open",
    [CALL_CLOSE] = "close",   [CALL_WRITE] = "write",
    [CALL_READ] = "read",     [CALL_REWIND] = "rewind",
    [CALL_FSYNC] = "fsync",   [CALL_SYNC] = "sync",
    [CALL_LIST] = "list",     [CALL_OPENDIR] = "opendir",
    [CALL_ANY] = "any",
};
static_assert(sizeof(call_names) / sizeof(call_names[0]) == CALLS,
              "a name per call");

enum {
    /* Below this, waking up takes longer than the delay: spin. */
    SLEEP_FROM_NS = 50000,
    FILE_HANDLE = 1
};

/* An hour; longer ones are typing errors. */
#define DELAY_MAX_US 3600000000

/* "CALL:N[:ERRNO]". */
struct fault {
    enum call call;
    int err;    /* positive */
    uint64_t n; /* 0 = not given */
};

struct conf {
    uint64_t delay_create, delay_open, delay_close, delay_sync, delay_xfer;
    uint64_t delay_stat, delay_remove, delay_mkdir, delay_rename; /* us */
    unsigned delay_only_rank0;
    struct fault fail, fail_every;
    int fail_only_rank;        /* -1 = all */
    uint64_t fail_after_bytes; /* 0 = never */
};

struct tmk_engine {
    bool armed;               /* anything to do at all? */
    struct fault once, every; /* n = 0: never */
    uint64_t bytes_left;      /* of fail_after_bytes; UINT64_MAX = no limit */
    uint64_t called[CALLS];
    uint64_t delay_ns[CALLS];
    int slack_ns; /* of this thread's timers before; -1 = not changed */
};

static int fault_parse(void *field, const char *text, const char **want)
{
    struct fault fault = {.err = EIO};
    size_t length = strcspn(text, ":");
    char number[32];
    int call = 0;

    while (call < CALLS && (strncmp(text, call_names[call], length) != 0 ||
                            call_names[call][length] != '\0')) {
        call++;
    }
    if (call == CALLS || text[length] == '\0') {
        *want = "CALL:N[:ERRNO], where CALL is one of mkdir rmdir unlink "
                "rename stat create mknod open close write read rewind fsync "
                "sync list opendir any";
        return -EINVAL;
    }
    fault.call = (enum call)call;
    text += length + 1;

    length = strcspn(text, ":");
    *want = "CALL:N[:ERRNO], where N is a whole number from 1 on";
    if (length >= sizeof(number)) {
        return -EINVAL;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    if (tmk_units_parse_u64(number, &fault.n) != 0 || fault.n == 0) {
        return -EINVAL;
    }
    text += length;

    if (*text == ':') {
        fault.err = tmk_errnum_parse(text + 1);
        if (fault.err == 0) {
            *want = "CALL:N[:ERRNO], where ERRNO is an error such as ENOSPC "
                    "or 28";
            return -EINVAL;
        }
    }
    *(struct fault *)field = fault;
    return 0;
}

static void fault_show(const void *field, char *buf, size_t size)
{
    const struct fault *fault = field;
    char name[16];

    if (fault->n == 0) {
        snprintf(buf, size, "%s", "");
        return;
    }
    snprintf(buf, size, "%s:%ju:%s", call_names[fault->call],
             (uintmax_t)fault->n,
             tmk_errnum_name(fault->err, name, sizeof(name)));
}

#define DELAY(name, field, help)                                               \
    TMK_OPT_U64('\0', name, struct conf, field, "USEC", 0, DELAY_MAX_US, help)

static const struct tmk_opt opts[] = {
    DELAY("delay-create", delay_create, "delay of a create or mknod"),
    DELAY("delay-close", delay_close, "delay of a close"),
    DELAY("delay-sync", delay_sync, "delay of an fsync or sync"),
    DELAY("delay-xfer", delay_xfer, "delay of a read or write"),
    DELAY("delay-stat", delay_stat, "delay of a stat"),
    DELAY("delay-remove", delay_remove, "delay of an unlink or rmdir"),
    DELAY("delay-mkdir", delay_mkdir, "delay of a mkdir"),
    DELAY("delay-open", delay_open, "delay of an open of what is there"),
    DELAY("delay-rename", delay_rename, "delay of a rename"),
    TMK_OPT_FLAG('\0', "delay-only-rank0", struct conf, delay_only_rank0,
                 "delay on rank 0 alone"),
    TMK_OPT_CALL('\0', "fail", struct conf, fail, struct fault,
                 "CALL:N[:ERRNO]", fault_parse, fault_show,
                 "fail the N-th such call of each rank, with EIO"),
    TMK_OPT_CALL('\0', "fail-every", struct conf, fail_every, struct fault,
                 "CALL:N[:ERRNO]", fault_parse, fault_show,
                 "fail every N-th such call of each rank"),
    TMK_OPT_INT('\0', "fail-only-rank", struct conf, fail_only_rank, "RANK", -1,
                0, "fail on this rank alone, -1 = on all"),
    TMK_OPT_U64('\0', "fail-after-bytes", struct conf, fail_after_bytes,
                "BYTES", 0, 0,
                "a rank's writes beyond fail with ENOSPC, 0 = none"),
};

static void dummy_conf_init(void *conf)
{
    *(struct conf *)conf = (struct conf){.fail_only_rank = -1};
}

static void arm_delays(struct tmk_engine *e, const struct conf *conf)
{
    const uint64_t delay_us[CALLS] = {
        [CALL_MKDIR] = conf->delay_mkdir,   [CALL_RMDIR] = conf->delay_remove,
        [CALL_UNLINK] = conf->delay_remove, [CALL_RENAME] = conf->delay_rename,
        [CALL_STAT] = conf->delay_stat,     [CALL_CREATE] = conf->delay_create,
        [CALL_MKNOD] = conf->delay_create,  [CALL_OPEN] = conf->delay_open,
        [CALL_CLOSE] = conf->delay_close,   [CALL_WRITE] = conf->delay_xfer,
        [CALL_READ] = conf->delay_xfer,     [CALL_FSYNC] = conf->delay_sync,
        [CALL_SYNC] = conf->delay_sync,     [CALL_OPENDIR] = conf->delay_open,
    };

    for (size_t i = 0; i < CALLS; i++) {
        e->delay_ns[i] = delay_us[i] * 1000;
        e->armed = e->armed || delay_us[i] != 0;
    }
    /* The kernel may let a sleep last 50 us longer unless it is told not to. */
    if (e->armed) {
        e->slack_ns = prctl(PR_GET_TIMERSLACK);
        (void)prctl(PR_SET_TIMERSLACK, 1UL);
    }
}

static void arm_faults(struct tmk_engine *e, const struct conf *conf)
{
    e->once = conf->fail;
    e->every = conf->fail_every;
    if (conf->fail_after_bytes != 0) {
        e->bytes_left = conf->fail_after_bytes;
    }
    e->armed = e->armed || e->once.n != 0 || e->every.n != 0 ||
               conf->fail_after_bytes != 0;
}

static struct tmk_engine *dummy_open_instance(const void *conf, unsigned index,
                                              int *err)
{
    const struct conf *c = conf;
    struct tmk_engine *e = calloc(1, sizeof(*e));

    if (e == NULL) {
        *err = -ENOMEM;
        return NULL;
    }
    *err = 0;
    e->bytes_left = UINT64_MAX;
    e->slack_ns = -1;
    if (index == 0 || c->delay_only_rank0 == 0) {
        arm_delays(e, c);
    }
    if (c->fail_only_rank < 0 || (unsigned)c->fail_only_rank == index) {
        arm_faults(e, c);
    }
    return e;
}

static void dummy_close_instance(struct tmk_engine *e)
{
    if (e != NULL && e->slack_ns >= 0) {
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)e->slack_ns);
    }
    free(e);
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void waste(uint64_t ns)
{
    struct timespec left = {.tv_sec = (time_t)(ns / 1000000000),
                            .tv_nsec = (long)(ns % 1000000000)};

    if (ns >= SLEEP_FROM_NS) {
        while (nanosleep(&left, &left) != 0 && errno == EINTR) {
            /* a signal is no reason to be early */
        }
    } else if (ns != 0) {
        uint64_t start = now_ns();

        while (now_ns() - start < ns) {
        }
    }
}

/* How often calls of the fault's kind were made. */
static uint64_t called(const struct tmk_engine *e, const struct fault *fault)
{
    return e->called[fault->call];
}

/* Does this fault, which may be none, speak of a call just counted? */
static bool concerns(const struct fault *fault, enum call call)
{
    return fault->n != 0 && (fault->call == call || fault->call == CALL_ANY);
}

/* The slow half of step(). */
static int step_armed(struct tmk_engine *e, enum call call)
{
    e->called[call]++;
    e->called[CALL_ANY]++;
    waste(e->delay_ns[call]);
    if (concerns(&e->once, call) && called(e, &e->once) == e->once.n) {
        return -e->once.err;
    }
    if (concerns(&e->every, call) && called(e, &e->every) % e->every.n == 0) {
        return -e->every.err;
    }
    return 0;
}

/* What every call does first: nothing, unless something was asked for. */
static inline int step(struct tmk_engine *e, enum call call)
{
    return e->armed ? step_armed(e, call) : 0;
}

static int dummy_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return step(e, CALL_MKDIR);
}

static int dummy_rmdir(struct tmk_engine *e, const char *path)
{
    (void)path;
    return step(e, CALL_RMDIR);
}

static int dummy_unlink(struct tmk_engine *e, const char *path)
{
    (void)path;
    return step(e, CALL_UNLINK);
}

static int dummy_rename(struct tmk_engine *e, const char *from, const char *to)
{
    (void)from;
    (void)to;
    return step(e, CALL_RENAME);
}

static int dummy_stat(struct tmk_engine *e, const char *path, struct stat *st)
{
    (void)path;
    *st = (struct stat){.st_nlink = 1}; /* of what type, nobody knows */
    return step(e, CALL_STAT);
}

static int dummy_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    int err = step(e, CALL_CREATE);

    (void)path;
    (void)mode;
    if (err == 0) {
        *file = FILE_HANDLE;
    }
    return err;
}

static int dummy_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return step(e, CALL_MKNOD);
}

static int dummy_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    int err = step(e, CALL_OPEN);

    (void)path;
    (void)access;
    if (err == 0) {
        *file = FILE_HANDLE;
    }
    return err;
}

static int dummy_close(struct tmk_engine *e, intptr_t file)
{
    (void)file;
    return step(e, CALL_CLOSE);
}

/* What a write of so many bytes comes to. */
static int64_t take(struct tmk_engine *e, size_t bytes)
{
    int err = step(e, CALL_WRITE);

    if (err != 0) {
        return err;
    }
    if (e->bytes_left == UINT64_MAX) {
        return (int64_t)bytes;
    }
    if (e->bytes_left == 0 && bytes != 0) {
        return -ENOSPC;
    }
    if (bytes > e->bytes_left) {
        bytes = e->bytes_left;
    }
    e->bytes_left -= bytes;
    return (int64_t)bytes;
}

/* And a read. */
static int64_t give(struct tmk_engine *e, size_t bytes)
{
    int err = step(e, CALL_READ);

    return err != 0 ? err : (int64_t)bytes;
}

static int64_t dummy_write(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes)
{
    (void)file;
    (void)buf;
    return take(e, bytes);
}

static int64_t dummy_read(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes)
{
    (void)file;
    (void)buf;
    return give(e, bytes);
}

static int64_t dummy_pwrite(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes, uint64_t offset)
{
    (void)file;
    (void)buf;
    (void)offset;
    return take(e, bytes);
}

static int64_t dummy_pread(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes, uint64_t offset)
{
    (void)file;
    (void)buf;
    (void)offset;
    return give(e, bytes);
}

static int dummy_rewind(struct tmk_engine *e, intptr_t file)
{
    (void)file;
    return step(e, CALL_REWIND);
}

static int dummy_fsync(struct tmk_engine *e, intptr_t file)
{
    (void)file;
    return step(e, CALL_FSYNC);
}

static int dummy_sync(struct tmk_engine *e)
{
    return step(e, CALL_SYNC);
}

/* Not one of the calls that are counted: those are what is measured. */
static int dummy_size(struct tmk_engine *e, const char *path, uint64_t *bytes)
{
    (void)e;
    (void)path;
    *bytes = 0;
    return 0;
}

/* That of the dummy in ior 4.1, whose place this one takes. */
static const char *dummy_version(void)
{
    return "0.5";
}

static int dummy_list(struct tmk_engine *e, const char *path,
                      bool (*visit)(void *arg, const char *name, bool is_dir),
                      void *arg)
{
    (void)path;
    (void)visit;
    (void)arg;
    return step(e, CALL_LIST);
}

static int dummy_usage(struct tmk_engine *e, const char *path,
                       struct tmk_engine_usage *usage)
{
    (void)e;
    (void)path;
    (void)usage;
    return -ENOTSUP;
}

static int dummy_open_dir(struct tmk_engine *e, const char *path, intptr_t *dir)
{
    int err = step(e, CALL_OPENDIR);

    (void)path;
    if (err == 0) {
        *dir = FILE_HANDLE;
    }
    return err;
}

static int dummy_close_dir(struct tmk_engine *e, intptr_t dir)
{
    (void)e;
    (void)dir;
    return 0;
}

static void dummy_use_dirs(struct tmk_engine *e, intptr_t dir, intptr_t to_dir)
{
    (void)e;
    (void)dir;
    (void)to_dir;
}

const struct tmk_engine_ops tmk_engine_dummy = {
    .name = "DUMMY",
    .prefix = "dummy.",
    .opts = opts,
    .n_opts = sizeof(opts) / sizeof(opts[0]),
    .conf_size = sizeof(struct conf),
    .conf_init = dummy_conf_init,
    .open_instance = dummy_open_instance,
    .close_instance = dummy_close_instance,
    .mkdir = dummy_mkdir,
    .rmdir = dummy_rmdir,
    .unlink = dummy_unlink,
    .rename = dummy_rename,
    .stat = dummy_stat,
    .create = dummy_create,
    .mknod = dummy_mknod,
    .open = dummy_open,
    .close = dummy_close,
    .write = dummy_write,
    .read = dummy_read,
    .pwrite = dummy_pwrite,
    .pread = dummy_pread,
    .rewind = dummy_rewind,
    .fsync = dummy_fsync,
    .sync = dummy_sync,
    .size = dummy_size,
    .version = dummy_version,
    .list = dummy_list,
    .usage = dummy_usage,
    .relative = &tmk_engine_dummy, /* names are not looked at */
    .open_dir = dummy_open_dir,
    .close_dir = dummy_close_dir,
    .use_dirs = dummy_use_dirs,
    .stores = false,
};
