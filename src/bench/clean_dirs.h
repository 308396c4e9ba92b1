#ifndef TMK_BENCH_CLEAN_DIRS_H
#define TMK_BENCH_CLEAN_DIRS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Directories below some given ones, opened a component at a time: never
 * through a symbolic link, never into another file system or mount.  Those
 * opened last are kept open.
 */
enum { TMK_CLEAN_PATH_SIZE = 8192, TMK_CLEAN_DIRS_OPEN = 16 };

/* Where something is: which mount of which file system. */
struct tmk_clean_place {
    uint64_t dev, mount; /* mount 0: the system does not say */
};

struct tmk_clean_root {
    const char *path; /* as given; borrowed */
    int fd;
    struct tmk_clean_place place;
};

struct tmk_clean_slot {
    char *path; /* owned; below the root; NULL = unused */
    size_t root;
    int fd;
    uint64_t used; /* the greatest: last */
};

struct tmk_clean_dirs {
    struct tmk_clean_root *roots; /* owned */
    size_t n_roots;
    struct tmk_clean_slot slots[TMK_CLEAN_DIRS_OPEN];
    uint64_t uses;
};

/*
 * Open the given directories, which may be or go through links.  0, or -errno
 * with *which saying of which; release all the same.
 */
int tmk_clean_dirs_init(struct tmk_clean_dirs *dirs, const char *const *paths,
                        size_t n, size_t *which);

void tmk_clean_dirs_fini(struct tmk_clean_dirs *dirs);

/*
 * A directory by its path below a root ("": the root itself).  An open file
 * that stays ours and is valid until the next call, or -errno: -ELOOP or
 * -ENOTDIR for what is no directory (any more), -EXDEV for another file
 * system.
 */
int tmk_clean_dirs_open(struct tmk_clean_dirs *dirs, size_t root,
                        const char *path);

/* Forget a directory that is about to be removed. */
void tmk_clean_dirs_close(struct tmk_clean_dirs *dirs, size_t root,
                          const char *path);

#endif
