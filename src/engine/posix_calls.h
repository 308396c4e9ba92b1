#ifndef TMK_ENGINE_POSIX_CALLS_H
#define TMK_ENGINE_POSIX_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "engine/engine.h"

/*
 * What engines share whose files lie in a file system of the kernel: the plain
 * calls of libc, with the contract of the slots in struct tmk_engine_ops.
 *
 * These are such slots; the instance is not looked at.
 */
int tmk_posix_calls_mkdir(struct tmk_engine *e, const char *path, mode_t mode);
int tmk_posix_calls_rmdir(struct tmk_engine *e, const char *path);
int tmk_posix_calls_unlink(struct tmk_engine *e, const char *path);
int tmk_posix_calls_rename(struct tmk_engine *e, const char *from,
                           const char *to);
int tmk_posix_calls_stat(struct tmk_engine *e, const char *path,
                         struct stat *st);
int tmk_posix_calls_mknod(struct tmk_engine *e, const char *path, mode_t mode);
int tmk_posix_calls_sync(struct tmk_engine *e);
int tmk_posix_calls_size(struct tmk_engine *e, const char *path,
                         uint64_t *bytes);
int tmk_posix_calls_list(struct tmk_engine *e, const char *path,
                         bool (*visit)(void *arg, const char *name,
                                       bool is_dir),
                         void *arg);
int tmk_posix_calls_usage(struct tmk_engine *e, const char *path,
                          struct tmk_engine_usage *usage);
/* These as well, where a file is its descriptor. */
int tmk_posix_calls_close(struct tmk_engine *e, intptr_t file);
int tmk_posix_calls_rewind(struct tmk_engine *e, intptr_t file);
int tmk_posix_calls_fsync(struct tmk_engine *e, intptr_t file);

/* create and open with further flags, such as O_DIRECT; the file is its
 * descriptor. */
int tmk_posix_calls_create(const char *path, int more_flags, mode_t mode,
                           intptr_t *file);
int tmk_posix_calls_open(const char *path, enum tmk_engine_access access,
                         int more_flags, intptr_t *file);

/* What an open came to: *file, or -errno. */
int tmk_posix_calls_opened(int fd, intptr_t *file);

/* The flag for an access. */
int tmk_posix_calls_flag(enum tmk_engine_access access);

/* When a transfer that came short is not gone on with. */
enum tmk_posix_calls_rules {
    /* by parts that are no multiple of 512, as the rest would not be aligned */
    TMK_POSIX_CALLS_DIRECT = 1,
    TMK_POSIX_CALLS_SINGLE = 2, /* never */
};

/* Transfers at the current offset, and at a place; `rules` are bits. */
int64_t tmk_posix_calls_write(int fd, const void *buf, size_t bytes,
                              unsigned rules);
int64_t tmk_posix_calls_read(int fd, void *buf, size_t bytes, unsigned rules);
int64_t tmk_posix_calls_pwrite(int fd, const void *buf, size_t bytes,
                               uint64_t offset, unsigned rules);
int64_t tmk_posix_calls_pread(int fd, void *buf, size_t bytes, uint64_t offset,
                              unsigned rules);

/* What pwrite(2) or pread(2) began and returned `n` of, or -1 and errno: as the
 * two above would have ended it. */
int64_t tmk_posix_calls_rest(bool writing, int fd, void *buf, size_t bytes,
                             uint64_t offset, unsigned rules, ssize_t n);

#endif
