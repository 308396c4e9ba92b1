#ifndef TMK_ENGINE_RESIDENCY_H
#define TMK_ENGINE_RESIDENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What of a file this node's page cache holds, and letting it go.  Never
 * inside a clock: each call opens the file, for reading, and closes it.
 */

/* How it was found out. */
enum tmk_residency_way {
    TMK_RESIDENCY_CACHESTAT, /* cachestat(2), Linux 6.5 */
    TMK_RESIDENCY_MINCORE,   /* mincore(2) on a mapping, piece by piece */
};

/*
 * Bytes of [offset, offset + bytes) that are in memory, by whole pages and not
 * above `bytes`; what lies beyond the end of the file is not.  0, or -errno;
 * -ENOTSUP where neither way works, -EPERM where the kernel tells only the
 * owner and those who may write to the file.  *way may be NULL.
 */
int tmk_residency_of(const char *path, uint64_t offset, uint64_t bytes,
                     uint64_t *resident, enum tmk_residency_way *way);

/* A part of a file. */
struct tmk_residency_part {
    uint64_t offset, bytes;
};

/*
 * The same of several parts of a file that is opened once: *bytes of them that
 * there are, and what of those is in memory.
 */
int tmk_residency_of_parts(const char *path,
                           const struct tmk_residency_part *parts, size_t n,
                           uint64_t *bytes, uint64_t *resident);

/*
 * Write out what is dirty and ask the kernel to drop the range
 * (posix_fadvise(2) POSIX_FADV_DONTNEED): a hint, which may take effect later
 * or not at all.  What lies within 2 MiB of it may go along, as the kernel
 * drops pieces of that size as a whole.  0 or -errno.
 */
int tmk_residency_evict(const char *path, uint64_t offset, uint64_t bytes);

/*
 * Ask again, every few milliseconds, until nothing of it is left or `wait_ns`
 * have passed.  *resident is what is left.  0, or -errno.
 */
int tmk_residency_evict_wait(const char *path, uint64_t offset, uint64_t bytes,
                             uint64_t wait_ns, uint64_t *resident);

#endif
