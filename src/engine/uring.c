/*
 * Engine URING: as POSIX, but with several transfers under way through
 * io_uring.  Built where liburing is.
 *
 * The kernel is entered once for a transfer: reap() hands over what was
 * submitted since the last time and waits, in one call.
 */
#include "engine/engine.h"

#ifdef TMK_WITH_URING

#    include <errno.h>
#    include <fcntl.h>
#    include <liburing.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <sys/uio.h>

#    include "engine/posix_calls.h"

struct conf {
    int depth;
    unsigned odirect;
};

enum { DEPTH_DEFAULT = 8, DEPTH_MOST = 4096 };

static const struct tmk_opt opts[] = {
    TMK_OPT_INT('\0', "depth", struct conf, depth, "N", 1, DEPTH_MOST,
                "transfers under way at a time"),
    TMK_OPT_FLAG('\0', "odirect", struct conf, odirect,
                 "create and open files with O_DIRECT"),
};

static void uring_conf_init(void *conf)
{
    *(struct conf *)conf = (struct conf){.depth = DEPTH_DEFAULT};
}

/* In place of a file that the kernel holds: there is none, or nobody knows. */
enum { NONE = -1, LOST = -2 };

enum {
    FILES = 4,                /* that the kernel holds for us */
    PIECE_BYTES = 0x7ffff000, /* that it moves in one transfer */
};

/* A transfer that was submitted. */
struct transfer {
    bool pending, writing;
    int fd;
    char *buf;
    size_t bytes;
    uint64_t offset;
};

struct tmk_engine {
    struct io_uring ring;
    bool direct;
    unsigned rules; /* of transfers that come short */
    unsigned depth, pending;
    struct transfer *transfers; /* owned; one for each slot */
    bool holds_files;
    int files[FILES]; /* as the kernel holds them; -1: none */
    struct iovec
        *bufs; /* owned; as it holds them, one for each slot; or NULL */
    char told[128];
};

/*
 * Instances.
 */

/* A ring by the flags that spare most, of those that this kernel has. */
static int make_ring(struct io_uring *ring, unsigned depth)
{
    static const unsigned flags[] = {
#    ifdef IORING_SETUP_DEFER_TASKRUN
        IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
#    endif
#    ifdef IORING_SETUP_COOP_TASKRUN
        IORING_SETUP_COOP_TASKRUN,
#    endif
        0,
    };
    int err = -EINVAL;

    for (size_t i = 0; err == -EINVAL && i < sizeof(flags) / sizeof(flags[0]);
         i++) {
        err = io_uring_queue_init(depth, ring, flags[i]);
    }
    return err;
}

static struct tmk_engine *uring_open_instance(const void *conf, unsigned index,
                                              int *err)
{
    const struct conf *c = conf;
    unsigned depth = (unsigned)c->depth;
    unsigned workers[2] = {depth, depth};
    struct tmk_engine *e = calloc(1, sizeof(*e));
    struct transfer *transfers = calloc(depth, sizeof(*transfers));

    (void)index;
    *err = e != NULL && transfers != NULL ? 0 : -ENOMEM;
    if (*err == 0) {
        *err = make_ring(&e->ring, depth);
    }
    if (*err != 0) {
        free(transfers);
        free(e);
        return NULL;
    }
    e->direct = c->odirect != 0;
    e->rules = e->direct ? TMK_POSIX_CALLS_DIRECT : 0;
    e->depth = depth;
    e->transfers = transfers;
    for (int i = 0; i < FILES; i++) {
        e->files[i] = NONE;
    }
    e->holds_files = io_uring_register_files(&e->ring, e->files, FILES) == 0;
    /* What cannot go on at once waits in a thread of the kernel's, of which
     * there are 4 per core by default. */
    (void)io_uring_register_iowq_max_workers(&e->ring, workers);
#    ifdef IO_URING_VERSION_MAJOR
    (void)io_uring_register_ring_fd(&e->ring);
#    endif
    return e;
}

static int uring_reap(struct tmk_engine *e, unsigned *slot, int64_t *result);

static void uring_close_instance(struct tmk_engine *e)
{
    unsigned slot;
    int64_t result;

    if (e == NULL) {
        return;
    }
    /* What is under way would move data when the buffers are gone. */
    while (e->pending > 0 && uring_reap(e, &slot, &result) == 0) {
    }
    io_uring_queue_exit(&e->ring);
    free(e->transfers);
    free(e->bufs);
    free(e);
}

static int uring_expect(struct tmk_engine *e,
                        const struct tmk_engine_transfers *transfers)
{
    e->rules &= ~(unsigned)TMK_POSIX_CALLS_SINGLE;
    if (transfers->single) {
        e->rules |= TMK_POSIX_CALLS_SINGLE;
    }
    return 0;
}

static bool uring_direct(const struct tmk_engine *e)
{
    return e->direct;
}

static const char *uring_describe(struct tmk_engine *e)
{
    return e->told[0] != '\0' ? e->told : NULL;
}

/*
 * Files.
 */

/* Where the kernel holds a file, or -1. */
static int place_of(const struct tmk_engine *e, int fd)
{
    for (int i = 0; e->holds_files && i < FILES; i++) {
        if (e->files[i] == fd) {
            return i;
        }
    }
    return -1;
}

/* Have it hold a file in a place.  One that it does not hold is looked up in
 * each transfer. */
static void hold(struct tmk_engine *e, int fd)
{
    int place = place_of(e, NONE);

    if (place >= 0 && io_uring_register_files_update(&e->ring, (unsigned)place,
                                                     &fd, 1) == 1) {
        e->files[place] = fd;
    }
}

static void release(struct tmk_engine *e, int fd)
{
    const int none = -1;
    int place = place_of(e, fd);

    if (place >= 0) {
        e->files[place] = io_uring_register_files_update(
                              &e->ring, (unsigned)place, &none, 1) == 1
                              ? NONE
                              : LOST;
    }
}

static int opened(struct tmk_engine *e, int err, const intptr_t *file)
{
    if (err == 0) {
        hold(e, (int)*file);
    }
    return err;
}

static int uring_create(struct tmk_engine *e, const char *path, mode_t mode,
                        intptr_t *file)
{
    int flags = e->direct ? O_DIRECT : 0;

    return opened(e, tmk_posix_calls_create(path, flags, mode, file), file);
}

static int uring_open(struct tmk_engine *e, const char *path,
                      enum tmk_engine_access access, intptr_t *file)
{
    int flags = e->direct ? O_DIRECT : 0;

    return opened(e, tmk_posix_calls_open(path, access, flags, file), file);
}

static int uring_close(struct tmk_engine *e, intptr_t file)
{
    release(e, (int)file);
    return tmk_posix_calls_close(e, file);
}

/*
 * One transfer at a time.
 */

static int64_t uring_pwrite(struct tmk_engine *e, intptr_t file,
                            const void *buf, size_t bytes, uint64_t offset)
{
    return tmk_posix_calls_pwrite((int)file, buf, bytes, offset, e->rules);
}

static int64_t uring_pread(struct tmk_engine *e, intptr_t file, void *buf,
                           size_t bytes, uint64_t offset)
{
    return tmk_posix_calls_pread((int)file, buf, bytes, offset, e->rules);
}

/*
 * Several.
 */

static unsigned uring_depth(const struct tmk_engine *e)
{
    return e->depth;
}

/* Buffers that the kernel may not lock in memory are mapped in each transfer.
 */
static int uring_buffers(struct tmk_engine *e, void *const *bufs, unsigned n,
                         size_t bytes)
{
    struct iovec *list;
    int err;

    if (n > e->depth) {
        return -EINVAL;
    }
    if (e->bufs != NULL) {
        (void)io_uring_unregister_buffers(&e->ring);
        free(e->bufs);
        e->bufs = NULL;
    }
    e->told[0] = '\0';
    if (n == 0) {
        return 0;
    }
    list = calloc(e->depth, sizeof(*list));
    if (list == NULL) {
        return -ENOMEM;
    }
    for (unsigned i = 0; i < n; i++) {
        list[i] = (struct iovec){.iov_base = bufs[i], .iov_len = bytes};
    }
    err = io_uring_register_buffers(&e->ring, list, n);
    if (err == 0) {
        e->bufs = list;
        return 0;
    }
    free(list);
    (void)snprintf(e->told, sizeof(e->told),
                   "io_uring: buffers are not locked in memory: %s\n",
                   strerror(-err));
    return 0;
}

/* Put a transfer into the ring. */
static int push(struct tmk_engine *e, struct transfer *t)
{
    size_t slot = (size_t)(t - e->transfers);
    const struct iovec *held = e->bufs != NULL ? &e->bufs[slot] : NULL;
    bool fixed =
        held != NULL && t->buf == held->iov_base && t->bytes <= held->iov_len;
    unsigned bytes =
        (unsigned)(t->bytes < PIECE_BYTES ? t->bytes : PIECE_BYTES);
    struct io_uring_sqe *sqe = io_uring_get_sqe(&e->ring);
    int place = place_of(e, t->fd);
    int fd = place >= 0 ? place : t->fd;

    if (sqe == NULL) {
        return -EAGAIN;
    }
    if (t->writing && fixed) {
        io_uring_prep_write_fixed(sqe, fd, t->buf, bytes, t->offset, (int)slot);
    } else if (t->writing) {
        io_uring_prep_write(sqe, fd, t->buf, bytes, t->offset);
    } else if (fixed) {
        io_uring_prep_read_fixed(sqe, fd, t->buf, bytes, t->offset, (int)slot);
    } else {
        io_uring_prep_read(sqe, fd, t->buf, bytes, t->offset);
    }
    if (place >= 0) {
        io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
    }
    io_uring_sqe_set_data(sqe, t);
    return 0;
}

static int uring_submit(struct tmk_engine *e, intptr_t file, bool writing,
                        unsigned slot, void *buf, size_t bytes, uint64_t offset)
{
    struct transfer *t;
    int err;

    if (slot >= e->depth) {
        return -EINVAL;
    }
    t = &e->transfers[slot];
    if (t->pending) {
        return -EBUSY;
    }
    *t = (struct transfer){
        .writing = writing,
        .fd = (int)file,
        .buf = buf,
        .bytes = bytes,
        .offset = offset,
    };
    err = push(e, t);
    if (err == 0) {
        t->pending = true;
        e->pending++;
    }
    return err;
}

/* One that is over, after handing over what is in the ring. */
static int take(struct io_uring *ring, struct io_uring_cqe **cqe)
{
    if (io_uring_sq_ready(ring) == 0 && io_uring_peek_cqe(ring, cqe) == 0) {
        return 0;
    }
    for (;;) {
        int err = io_uring_submit_and_wait(ring, 1);

        /* EAGAIN, EBUSY: the kernel is short of something for now. */
        if (err < 0 && err != -EINTR && err != -EAGAIN && err != -EBUSY) {
            return err;
        }
        if (io_uring_peek_cqe(ring, cqe) == 0) {
            return 0;
        }
    }
}

static int uring_reap(struct tmk_engine *e, unsigned *slot, int64_t *result)
{
    struct transfer *t;
    int err;

    if (e->pending == 0) {
        return -EINVAL;
    }
    do {
        struct io_uring_cqe *cqe;

        err = take(&e->ring, &cqe);
        if (err != 0) {
            return err;
        }
        t = io_uring_cqe_get_data(cqe);
        *result = cqe->res;
        io_uring_cqe_seen(&e->ring, cqe);
        /* A signal met it in a thread of the kernel's: once more. */
        if (*result == -EINTR) {
            err = push(e, t);
        }
    } while (*result == -EINTR && err == 0);
    t->pending = false;
    e->pending--;
    *slot = (unsigned)(t - e->transfers);
    return 0;
}

/* No current offset, and so neither read nor write, nor mdtest. */
const struct tmk_engine_ops tmk_engine_uring = {
    .name = "URING",
    .prefix = "uring.",
    .opts = opts,
    .n_opts = sizeof(opts) / sizeof(opts[0]),
    .conf_size = sizeof(struct conf),
    .conf_init = uring_conf_init,
    .open_instance = uring_open_instance,
    .close_instance = uring_close_instance,
    .mkdir = tmk_posix_calls_mkdir,
    .rmdir = tmk_posix_calls_rmdir,
    .unlink = tmk_posix_calls_unlink,
    .rename = tmk_posix_calls_rename,
    .stat = tmk_posix_calls_stat,
    .create = uring_create,
    .mknod = tmk_posix_calls_mknod,
    .open = uring_open,
    .close = uring_close,
    .pwrite = uring_pwrite,
    .pread = uring_pread,
    .depth = uring_depth,
    .buffers = uring_buffers,
    .submit = uring_submit,
    .reap = uring_reap,
    .expect = uring_expect,
    .fsync = tmk_posix_calls_fsync,
    .sync = tmk_posix_calls_sync,
    .size = tmk_posix_calls_size,
    .describe = uring_describe,
    .list = tmk_posix_calls_list,
    .usage = tmk_posix_calls_usage,
    .direct = uring_direct,
    .stores = true,
};

#endif
