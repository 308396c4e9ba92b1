#ifndef TMK_ENGINE_MPIIO_PATHS_H
#define TMK_ENGINE_MPIIO_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "engine/engine.h"

/*
 * Paths that may begin with the name of a kind of file system and a colon, by
 * which MPI-IO is told of it: "ufs:/d/f".
 */

/* The path without that. */
const char *tmk_mpiio_paths_plain(const char *path);

/*
 * The path as MPI_File_open() takes it: ROMIO refuses one with a colon
 * anywhere, unless it begins with such a name.  `buf` is used where that has to
 * be added; NULL if it does not fit.
 */
const char *tmk_mpiio_paths_named(const char *path, char *buf, size_t size);

/* Slots of struct tmk_engine_ops, which do not look at the instance. */
int tmk_mpiio_paths_mkdir(struct tmk_engine *e, const char *path, mode_t mode);
int tmk_mpiio_paths_rmdir(struct tmk_engine *e, const char *path);
int tmk_mpiio_paths_unlink(struct tmk_engine *e, const char *path);
int tmk_mpiio_paths_rename(struct tmk_engine *e, const char *from,
                           const char *to);
int tmk_mpiio_paths_stat(struct tmk_engine *e, const char *path,
                         struct stat *st);
int tmk_mpiio_paths_mknod(struct tmk_engine *e, const char *path, mode_t mode);
int tmk_mpiio_paths_size(struct tmk_engine *e, const char *path,
                         uint64_t *bytes);
int tmk_mpiio_paths_list(struct tmk_engine *e, const char *path,
                         bool (*visit)(void *arg, const char *name,
                                       bool is_dir),
                         void *arg);
int tmk_mpiio_paths_usage(struct tmk_engine *e, const char *path,
                          struct tmk_engine_usage *usage);

#endif
