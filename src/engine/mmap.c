/*
 * Engine MMAP: a file is mapped as a whole, and a transfer is a copy.
 *
 * A file that is to be written gets its full length when it is opened, and its
 * blocks with it, so that a full file system is an error of that call.  What
 * cannot be had later all the same comes as SIGBUS, amid a copy: then that
 * transfer is given up.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/posix_calls.h"

struct conf {
    unsigned madv_pattern, madv_dont_need;
};

static const struct tmk_opt opts[] = {
    TMK_OPT_FLAG('\0', "madv_pattern", struct conf, madv_pattern,
                 "tell the kernel whether transfers are in order"),
    TMK_OPT_FLAG('\0', "madv_dont_need", struct conf, madv_dont_need,
                 "tell the kernel that pages just mapped are not needed"),
};

struct tmk_engine {
    const struct conf *conf;
    struct tmk_engine_transfers transfers;
    bool expects; /* was told of them */
};

/* An open file. */
struct file {
    int fd;
    enum tmk_engine_access access;
    char *map; /* NULL if bytes = 0 */
    uint64_t bytes;
};

static struct file *file_of(intptr_t file)
{
    return (struct file *)file; /* as it was handed out */
}

/*
 * SIGBUS.
 */

/* A copy under way, out of a mapping or into it. */
struct guard {
    sigjmp_buf back;
    const char *map;
    uint64_t bytes;
};

/* What the handler must see. */
static struct {
    struct guard *volatile at; /* NULL = no copy is under way */
    unsigned files;            /* open ones, while which there is a handler */
    struct sigaction before;   /* what was there */
} tmk_mmap_sigbus;

/* A signal that no copy has caused: as if there were no handler of ours. */
static void hand_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *before = &tmk_mmap_sigbus.before;
    bool sent = info->si_code <= 0; /* by a process, not by the hardware */

    if ((before->sa_flags & SA_SIGINFO) != 0) {
        before->sa_sigaction(number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(number);
    } else if (before->sa_handler == SIG_DFL || !sent) {
        /* Ends the process, where the instruction that did it is tried again;
         * a signal that was sent has none. */
        (void)sigaction(number, before, NULL);
        if (sent) {
            (void)raise(number);
        }
    }
}

static void on_sigbus(int number, siginfo_t *info, void *context)
{
    struct guard *guard = tmk_mmap_sigbus.at;
    const char *where = info->si_addr;

    if (guard != NULL && info->si_code > 0 && where >= guard->map &&
        where < guard->map + guard->bytes) {
        siglongjmp(guard->back, 1);
    }
    hand_on(number, info, context);
}

static int begin_catching(void)
{
    /* SA_NODEFER: siglongjmp leaves the mask as it is. */
    struct sigaction action = {
        .sa_sigaction = on_sigbus,
        .sa_flags = SA_SIGINFO | SA_NODEFER,
    };

    sigemptyset(&action.sa_mask);
    if (tmk_mmap_sigbus.files == 0 &&
        sigaction(SIGBUS, &action, &tmk_mmap_sigbus.before) != 0) {
        return -errno;
    }
    tmk_mmap_sigbus.files++;
    return 0;
}

static void end_catching(void)
{
    tmk_mmap_sigbus.files--;
    if (tmk_mmap_sigbus.files == 0) {
        (void)sigaction(SIGBUS, &tmk_mmap_sigbus.before, NULL);
    }
}

/* One of both is in the mapping.  0 or -EIO. */
static int copy(const struct file *f, void *to, const void *from, size_t bytes)
{
    struct guard guard;

    guard.map = f->map;
    guard.bytes = f->bytes;
    if (sigsetjmp(guard.back, 0) != 0) {
        tmk_mmap_sigbus.at = NULL;
        return -EIO;
    }
    tmk_mmap_sigbus.at = &guard;
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(to, from, bytes);
    atomic_signal_fence(memory_order_seq_cst);
    tmk_mmap_sigbus.at = NULL;
    return 0;
}

/*
 * Opening.
 */

static struct tmk_engine *mmap_open_instance(const void *conf, unsigned index,
                                             int *err)
{
    struct tmk_engine *e = calloc(1, sizeof(*e));

    (void)index;
    *err = e != NULL ? 0 : -ENOMEM;
    if (e != NULL) {
        e->conf = conf;
    }
    return e;
}

static void mmap_close_instance(struct tmk_engine *e)
{
    free(e);
}

static int mmap_expect(struct tmk_engine *e,
                       const struct tmk_engine_transfers *transfers)
{
    e->transfers = *transfers;
    e->expects = true;
    return 0;
}

/* Blocks for a range.  A file system that cannot do that makes them later. */
static int reserve(int fd, uint64_t offset, uint64_t bytes)
{
    while (bytes != 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset,
                                   (off_t)bytes) != 0) {
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
            return 0;
        }
        if (errno != EINTR) {
            return -errno;
        }
    }
    return 0;
}

/* Of a shared file each rank reserves an equal share, all at the same time,
 * whose data that will ever be.  What may not be written is not reserved. */
static int reserve_share(const struct tmk_engine_transfers *t, int fd)
{
    uint64_t ranks = t->shared && t->ranks != 0 ? t->ranks : 1;
    uint64_t share = t->file_bytes / ranks + (t->file_bytes % ranks != 0);
    uint64_t rank = t->shared ? t->rank : 0;
    uint64_t offset;

    if (t->may_stop || rank * share >= t->file_bytes) {
        return 0;
    }
    offset = rank * share;
    if (share > t->file_bytes - offset) {
        share = t->file_bytes - offset;
    }
    return reserve(fd, offset, share);
}

/* The length that the file will have.  Never cut: other ranks write to it, or
 * it was there before. */
static int extend(const struct tmk_engine_transfers *t, int fd, uint64_t *bytes)
{
    if (*bytes < t->file_bytes) {
        while (ftruncate(fd, (off_t)t->file_bytes) != 0) {
            if (errno != EINTR) {
                return -errno;
            }
        }
        *bytes = t->file_bytes;
    }
    return reserve_share(t, fd);
}

static void advise(const struct tmk_engine *e, const struct file *f)
{
    if (e->conf->madv_pattern != 0) {
        (void)madvise(f->map, f->bytes,
                      e->transfers.random ? MADV_RANDOM : MADV_SEQUENTIAL);
    }
    if (e->conf->madv_dont_need != 0) {
        (void)madvise(f->map, f->bytes, MADV_DONTNEED);
    }
}

static int map(const struct tmk_engine *e, struct file *f)
{
    bool writes = f->access != TMK_ENGINE_READ;
    struct stat st;
    int err = 0;

    if (fstat(f->fd, &st) != 0) {
        return -errno;
    }
    f->bytes = (uint64_t)st.st_size;
    if (writes && e->expects) {
        err = extend(&e->transfers, f->fd, &f->bytes);
    }
    if (err != 0 || f->bytes == 0) {
        return err;
    }
    f->map = mmap(NULL, f->bytes, writes ? PROT_READ | PROT_WRITE : PROT_READ,
                  MAP_SHARED, f->fd, 0);
    if (f->map == MAP_FAILED) {
        f->map = NULL;
        return -errno;
    }
    advise(e, f);
    return 0;
}

static int mmap_close(struct tmk_engine *e, intptr_t file)
{
    struct file *f = file_of(file);
    int err;

    if (f->map != NULL) {
        (void)munmap(f->map, f->bytes);
    }
    err = tmk_posix_calls_close(e, f->fd);
    free(f);
    end_catching();
    return err;
}

/* Of a descriptor, which is closed on an error. */
static int open_file(struct tmk_engine *e, intptr_t fd,
                     enum tmk_engine_access access, intptr_t *file)
{
    struct file *f = calloc(1, sizeof(*f));
    int err = f != NULL ? begin_catching() : -ENOMEM;

    if (f == NULL || err != 0) {
        (void)tmk_posix_calls_close(e, fd);
        free(f);
        return err;
    }
    *f = (struct file){.fd = (int)fd, .access = access};
    err = map(e, f);
    if (err != 0) {
        (void)mmap_close(e, (intptr_t)f);
        return err;
    }
    *file = (intptr_t)f;
    return 0;
}

static int mmap_create(struct tmk_engine *e, const char *path, mode_t mode,
                       intptr_t *file)
{
    intptr_t fd = -1;
    int err = tmk_posix_calls_create(path, 0, mode, &fd);

    return err != 0 ? err : open_file(e, fd, TMK_ENGINE_READ_WRITE, file);
}

/* What is mapped for writing must be open for reading, too. */
static int mmap_open(struct tmk_engine *e, const char *path,
                     enum tmk_engine_access access, intptr_t *file)
{
    intptr_t fd = -1;
    int err = tmk_posix_calls_open(
        path, access == TMK_ENGINE_WRITE ? TMK_ENGINE_READ_WRITE : access, 0,
        &fd);

    return err != 0 ? err : open_file(e, fd, access, file);
}

/*
 * Transfers.
 */

/* Why a range could not be written to: a file that was cut, blocks that the
 * file system has not, or the device. */
static int why_not(const struct file *f, uint64_t offset, size_t bytes)
{
    struct stat st;
    int err;

    if (fstat(f->fd, &st) != 0 || (uint64_t)st.st_size < offset + bytes) {
        return -EIO;
    }
    err = reserve(f->fd, offset, bytes);
    return err == -ENOSPC || err == -EDQUOT ? err : -EIO;
}

static int64_t mmap_pwrite(struct tmk_engine *e, intptr_t file, const void *buf,
                           size_t bytes, uint64_t offset)
{
    const struct file *f = file_of(file);

    (void)e;
    if (f->access == TMK_ENGINE_READ) {
        return -EBADF;
    }
    if (bytes == 0) {
        return 0;
    }
    if (offset > f->bytes || bytes > f->bytes - offset) {
        return -EFBIG;
    }
    if (copy(f, f->map + offset, buf, bytes) != 0) {
        return why_not(f, offset, bytes);
    }
    return (int64_t)bytes;
}

static int64_t mmap_pread(struct tmk_engine *e, intptr_t file, void *buf,
                          size_t bytes, uint64_t offset)
{
    const struct file *f = file_of(file);
    int err;

    (void)e;
    if (f->access == TMK_ENGINE_WRITE) {
        return -EBADF;
    }
    if (bytes == 0 || offset >= f->bytes) {
        return 0;
    }
    if (bytes > f->bytes - offset) {
        bytes = (size_t)(f->bytes - offset);
    }
    err = copy(f, buf, f->map + offset, bytes);
    return err != 0 ? err : (int64_t)bytes;
}

static int mmap_fsync(struct tmk_engine *e, intptr_t file)
{
    const struct file *f = file_of(file);

    if (f->map == NULL) {
        return tmk_posix_calls_fsync(e, f->fd);
    }
    return msync(f->map, f->bytes, MS_SYNC) == 0 ? 0 : -errno;
}

/* No current offset, and so neither read nor write, nor mdtest. */
const struct tmk_engine_ops tmk_engine_mmap = {
    .name = "MMAP",
    .prefix = "mmap.",
    .opts = opts,
    .n_opts = sizeof(opts) / sizeof(opts[0]),
    .conf_size = sizeof(struct conf),
    .open_instance = mmap_open_instance,
    .close_instance = mmap_close_instance,
    .mkdir = tmk_posix_calls_mkdir,
    .rmdir = tmk_posix_calls_rmdir,
    .unlink = tmk_posix_calls_unlink,
    .rename = tmk_posix_calls_rename,
    .stat = tmk_posix_calls_stat,
    .create = mmap_create,
    .mknod = tmk_posix_calls_mknod,
    .open = mmap_open,
    .close = mmap_close,
    .pwrite = mmap_pwrite,
    .pread = mmap_pread,
    .expect = mmap_expect,
    .fsync = mmap_fsync,
    .sync = tmk_posix_calls_sync,
    .size = tmk_posix_calls_size,
    .list = tmk_posix_calls_list,
    .usage = tmk_posix_calls_usage,
    .stores = true,
};
