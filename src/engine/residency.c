/*
 * residency: what the page cache holds of a file.
 *
 * cachestat(2) counts pages in the kernel; where that is not there, mincore(2)
 * tells of each page of a mapping, which is looked at through a window so that
 * a file of any size costs neither address space nor memory.
 */
#include "engine/residency.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    WINDOW_PAGES = 16384, /* 64 MiB of pages of 4 KiB */
    NAP_NS = 2000000,
    PIECE_BYTES = 2 << 20, /* the kernel's largest pieces of a file */
};

/* cachestat(2): headers and libraries are older than that.  The number is the
 * same on all machines. */
enum { CACHESTAT = 451 };

struct range {
    uint64_t offset, bytes;
};

struct cachestat {
    uint64_t cached, dirty, under_writeback, evicted, recently_evicted;
};

/* A part of an open file, which ends where the file does. */
struct part {
    int fd;
    uint64_t page_bytes;
    uint64_t size; /* of the file */
    uint64_t offset, bytes;
    bool to_the_end;
    bool ours; /* the kernel tells its owner and who may write to it */
};

/* A file, of which no part is chosen.  The caller closes fd; there is none
 * after an error. */
static int open_file(struct part *part, const char *path)
{
    struct stat st;
    /* O_NONBLOCK: a pipe is no file, and nothing to wait for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    *part = (struct part){
        .fd = fd,
        .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
    };
    if (fd < 0) {
        return -errno;
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return -EINVAL;
    }
    part->size = (uint64_t)st.st_size;
    part->ours = st.st_uid == geteuid() ||
                 faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
    return 0;
}

static void choose(struct part *part, uint64_t offset, uint64_t bytes)
{
    part->offset = offset;
    part->bytes = offset < part->size ? part->size - offset : 0;
    part->to_the_end = bytes >= part->bytes;
    if (!part->to_the_end) {
        part->bytes = bytes;
    }
}

static int open_part(struct part *part, const char *path, uint64_t offset,
                     uint64_t bytes)
{
    int err = open_file(part, path);

    if (err == 0) {
        choose(part, offset, bytes);
    }
    return err;
}

/* Its first byte, or that of the page it lies in. */
static uint64_t first_page(const struct part *part)
{
    return part->offset - part->offset % part->page_bytes;
}

static int count_cachestat(const struct part *part, uint64_t *pages)
{
    struct range range = {part->offset, part->bytes};
    struct cachestat stat = {0};

    if (syscall(CACHESTAT, part->fd, &range, &stat, 0) != 0) {
        return -errno;
    }
    *pages = stat.cached;
    return 0;
}

static int count_mincore(const struct part *part, uint64_t *pages)
{
    uint64_t window = WINDOW_PAGES * part->page_bytes;
    uint64_t end = part->offset + part->bytes;
    unsigned char resident[WINDOW_PAGES];

    /* Others are told that everything is there. */
    if (!part->ours) {
        return -EPERM;
    }
    *pages = 0;
    for (uint64_t at = first_page(part); at < end; at += window) {
        size_t bytes = (size_t)(end - at < window ? end - at : window);
        size_t n = (size_t)((bytes + part->page_bytes - 1) / part->page_bytes);
        void *map =
            mmap(NULL, bytes, PROT_READ, MAP_SHARED, part->fd, (off_t)at);
        int err = 0;

        if (map == MAP_FAILED) {
            return -errno;
        }
        if (mincore(map, bytes, resident) != 0) {
            err = -errno;
        }
        munmap(map, bytes);
        if (err != 0) {
            return err;
        }
        for (size_t i = 0; i < n; i++) {
            *pages += resident[i] & 1;
        }
    }
    return 0;
}

/* Whether this file system or kernel has no such call. */
static bool is_missing(int err)
{
    return err == -ENOSYS || err == -EOPNOTSUPP || err == -ENODEV;
}

static int count(const struct part *part, uint64_t *resident,
                 enum tmk_residency_way *way)
{
    uint64_t pages = 0;
    int err = 0;

    *way = TMK_RESIDENCY_CACHESTAT;
    if (part->bytes != 0) { /* of 0 the kernel takes all */
        err = count_cachestat(part, &pages);
        if (is_missing(err)) {
            *way = TMK_RESIDENCY_MINCORE;
            err = count_mincore(part, &pages);
        }
    }
    if (err != 0) {
        return is_missing(err) ? -ENOTSUP : err;
    }
    *resident = pages <= part->bytes / part->page_bytes
                    ? pages * part->page_bytes
                    : part->bytes;
    return 0;
}

int tmk_residency_of(const char *path, uint64_t offset, uint64_t bytes,
                     uint64_t *resident, enum tmk_residency_way *way)
{
    enum tmk_residency_way by;
    struct part part;
    int err = open_part(&part, path, offset, bytes);

    if (err != 0) {
        return err;
    }
    err = count(&part, resident, &by);
    close(part.fd);
    if (err == 0 && way != NULL) {
        *way = by;
    }
    return err;
}

int tmk_residency_of_parts(const char *path,
                           const struct tmk_residency_part *parts, size_t n,
                           uint64_t *bytes, uint64_t *resident)
{
    struct part part;
    int err = open_file(&part, path);

    *bytes = 0;
    *resident = 0;
    if (err != 0) {
        return err;
    }
    for (size_t i = 0; err == 0 && i < n; i++) {
        enum tmk_residency_way way;
        uint64_t in_memory = 0;

        choose(&part, parts[i].offset, parts[i].bytes);
        err = count(&part, &in_memory, &way);
        *bytes += part.bytes;
        *resident += in_memory;
    }
    close(part.fd);
    return err;
}

int tmk_residency_evict(const char *path, uint64_t offset, uint64_t bytes)
{
    struct part part;
    int err = open_part(&part, path, offset, bytes);

    if (err != 0) {
        return err;
    }
    /* Only what is clean can go. */
    if (fsync(part.fd) != 0 && errno != EINVAL && errno != EROFS) {
        err = -errno;
    }
    if (err == 0 && part.bytes != 0) {
        /* Pieces of which a part is asked for would stay. */
        uint64_t from = part.offset - part.offset % PIECE_BYTES;
        uint64_t end = part.offset + part.bytes + PIECE_BYTES - 1;

        end -= end % PIECE_BYTES;
        err = -posix_fadvise(part.fd, (off_t)from,
                             part.to_the_end ? 0 : (off_t)(end - from),
                             POSIX_FADV_DONTNEED);
    }
    close(part.fd);
    return err;
}

static uint64_t now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

int tmk_residency_evict_wait(const char *path, uint64_t offset, uint64_t bytes,
                             uint64_t wait_ns, uint64_t *resident)
{
    uint64_t start = now_ns();
    int err;

    for (;;) {
        err = tmk_residency_evict(path, offset, bytes);
        if (err == 0) {
            err = tmk_residency_of(path, offset, bytes, resident, NULL);
        }
        if (err != 0 || *resident == 0 || now_ns() - start >= wait_ns) {
            return err;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
}
