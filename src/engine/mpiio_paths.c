/*
 * mpiio_paths: the plain calls of libc on the paths of MPI-IO.
 */
#include "engine/mpiio_paths.h"

#include <stdio.h>
#include <string.h>

#include "engine/posix_calls.h"

const char *tmk_mpiio_paths_plain(const char *path)
{
    static const char *const systems[] = {
        "ufs:",        "nfs:",    "xfs:",    "lustre:", "panfs:",
        "pvfs2:",      "gpfs:",   "testfs:", "ime:",    "quobyte:",
        "bglockless:", "zoidfs:", "unify:",  "daos:",   "hfs:",
        "sfs:",        "beegfs:", "pvfs:",   "pfs:",    "piofs:",
    };

    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        size_t n = strlen(systems[i]);

        if (strncmp(path, systems[i], n) == 0) {
            return path + n;
        }
    }
    return path;
}

const char *tmk_mpiio_paths_named(const char *path, char *buf, size_t size)
{
    int n;

    if (tmk_mpiio_paths_plain(path) != path || strchr(path, ':') == NULL) {
        return path;
    }
    n = snprintf(buf, size, "ufs:%s", path);
    return n >= 0 && (size_t)n < size ? buf : NULL;
}

int tmk_mpiio_paths_mkdir(struct tmk_engine *e, const char *path, mode_t mode)
{
    return tmk_posix_calls_mkdir(e, tmk_mpiio_paths_plain(path), mode);
}

int tmk_mpiio_paths_rmdir(struct tmk_engine *e, const char *path)
{
    return tmk_posix_calls_rmdir(e, tmk_mpiio_paths_plain(path));
}

int tmk_mpiio_paths_unlink(struct tmk_engine *e, const char *path)
{
    return tmk_posix_calls_unlink(e, tmk_mpiio_paths_plain(path));
}

int tmk_mpiio_paths_rename(struct tmk_engine *e, const char *from,
                           const char *to)
{
    return tmk_posix_calls_rename(e, tmk_mpiio_paths_plain(from),
                                  tmk_mpiio_paths_plain(to));
}

int tmk_mpiio_paths_stat(struct tmk_engine *e, const char *path,
                         struct stat *st)
{
    return tmk_posix_calls_stat(e, tmk_mpiio_paths_plain(path), st);
}

int tmk_mpiio_paths_mknod(struct tmk_engine *e, const char *path, mode_t mode)
{
    return tmk_posix_calls_mknod(e, tmk_mpiio_paths_plain(path), mode);
}

int tmk_mpiio_paths_size(struct tmk_engine *e, const char *path,
                         uint64_t *bytes)
{
    return tmk_posix_calls_size(e, tmk_mpiio_paths_plain(path), bytes);
}

int tmk_mpiio_paths_list(struct tmk_engine *e, const char *path,
                         bool (*visit)(void *arg, const char *name,
                                       bool is_dir),
                         void *arg)
{
    return tmk_posix_calls_list(e, tmk_mpiio_paths_plain(path), visit, arg);
}

int tmk_mpiio_paths_usage(struct tmk_engine *e, const char *path,
                          struct tmk_engine_usage *usage)
{
    return tmk_posix_calls_usage(e, tmk_mpiio_paths_plain(path), usage);
}
