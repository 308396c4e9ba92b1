#ifndef TMK_ENGINE_BELOW_H
#define TMK_ENGINE_BELOW_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Directories below some given ones, opened a component at a time, so that a
 * path may have any length, and never through a symbolic link, nor into
 * another mount, unless that is allowed.  Those opened last are kept open.
 */
enum { TMK_BELOW_OPEN = 16 };

/* Where something is: which mount of which file system. */
struct tmk_below_place {
    uint64_t dev, mount; /* mount 0: the system does not say */
};

struct tmk_below_root {
    const char *path; /* as given; borrowed */
    int fd;           /* -1: not open yet */
    struct tmk_below_place place;
};

struct tmk_below_slot {
    char *path; /* owned; below the root; NULL = unused */
    size_t root;
    int fd;
    uint64_t used; /* the greatest: last */
};

/* What is allowed below the given directories. */
struct tmk_below_how {
    bool other_mounts;
    bool links;
    bool strict_roots; /* these themselves may not be links either */
};

struct tmk_below {
    struct tmk_below_how how;
    struct tmk_below_root *roots; /* owned */
    size_t n_roots;
    struct tmk_below_slot slots[TMK_BELOW_OPEN];
    uint64_t uses;
};

/*
 * Open the given directories, which may be or go through links.  0, or -errno
 * with *which saying of which; release all the same.
 */
int tmk_below_init(struct tmk_below *dirs, const char *const *paths, size_t n,
                   size_t *which);

/*
 * The same, but each is opened when it is first needed, and what is allowed is
 * up to the caller.  0 or -ENOMEM.
 */
int tmk_below_init_lazy(struct tmk_below *dirs, const char *const *paths,
                        size_t n, const struct tmk_below_how *how);

void tmk_below_fini(struct tmk_below *dirs);

/*
 * A directory by its path below a root ("": the root itself).  An open file
 * that stays ours and is valid until the next call, its offset anywhere, or
 * -errno: -ELOOP or -ENOTDIR for what is no directory (any more), -EXDEV for
 * another mount.
 */
int tmk_below_open(struct tmk_below *dirs, size_t root, const char *path);

/*
 * The entries of an open directory, from its beginning: the caller's to close,
 * while `dir` stays open.  NULL with errno.
 */
DIR *tmk_below_list(int dir);

/* Forget a directory that is about to be removed. */
void tmk_below_close(struct tmk_below *dirs, size_t root, const char *path);

#endif
