/*
 * clean_dirs: directories opened without leaving where they are.
 *
 *     root / test-dir.0-0 / mdtest_tree.0 / mdtest_tree.7
 *     given, links allowed | each by openat, O_NOFOLLOW, same mount
 */
#include "bench/clean_dirs.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { OPEN = O_RDONLY | O_DIRECTORY | O_CLOEXEC };

/* A mount of a part of the same file system shows by its number alone. */
static int place_of(int fd, struct tmk_clean_place *place)
{
    struct stat st;

    *place = (struct tmk_clean_place){0};
#ifdef STATX_MNT_ID
    struct statx stx;

    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
              STATX_TYPE | STATX_MNT_ID, &stx) == 0) {
        place->dev = makedev(stx.stx_dev_major, stx.stx_dev_minor);
        if ((stx.stx_mask & STATX_MNT_ID) != 0) {
            place->mount = stx.stx_mnt_id;
        }
        return 0;
    }
#endif
    if (fstat(fd, &st) != 0) {
        return -errno;
    }
    place->dev = st.st_dev;
    return 0;
}

static int open_root(struct tmk_clean_root *root, const char *path)
{
    root->path = path;
    root->fd = open(path, OPEN);
    return root->fd < 0 ? -errno : place_of(root->fd, &root->place);
}

int tmk_clean_dirs_init(struct tmk_clean_dirs *dirs, const char *const *paths,
                        size_t n, size_t *which)
{
    *dirs = (struct tmk_clean_dirs){.roots = calloc(n, sizeof(*dirs->roots))};
    *which = 0;
    if (dirs->roots == NULL) {
        return -ENOMEM;
    }
    for (; *which < n; ++*which) {
        int err = open_root(&dirs->roots[*which], paths[*which]);

        dirs->n_roots += dirs->roots[*which].fd >= 0;
        if (err != 0) {
            return err;
        }
    }
    return 0;
}

static void empty_slot(struct tmk_clean_slot *slot)
{
    if (slot->path != NULL) {
        (void)close(slot->fd);
        free(slot->path);
    }
    *slot = (struct tmk_clean_slot){0};
}

void tmk_clean_dirs_fini(struct tmk_clean_dirs *dirs)
{
    for (size_t i = 0; i < TMK_CLEAN_DIRS_OPEN; i++) {
        empty_slot(&dirs->slots[i]);
    }
    for (size_t i = 0; i < dirs->n_roots; i++) {
        (void)close(dirs->roots[i].fd);
    }
    free(dirs->roots);
    *dirs = (struct tmk_clean_dirs){0};
}

/* The slot of the first `length` bytes of a path; NULL if it is not open. */
static struct tmk_clean_slot *find_slot(struct tmk_clean_dirs *dirs,
                                        size_t root, const char *path,
                                        size_t length)
{
    for (size_t i = 0; i < TMK_CLEAN_DIRS_OPEN; i++) {
        struct tmk_clean_slot *slot = &dirs->slots[i];

        if (slot->path != NULL && slot->root == root &&
            strncmp(slot->path, path, length) == 0 &&
            slot->path[length] == '\0') {
            return slot;
        }
    }
    return NULL;
}

/* In place of the one that was not used for longest.  Takes fd; on an error
 * it is closed. */
static int fill_slot(struct tmk_clean_dirs *dirs, size_t root, const char *path,
                     size_t length, int fd)
{
    struct tmk_clean_slot *slot = &dirs->slots[0];
    char *copy = strndup(path, length);

    if (copy == NULL) {
        (void)close(fd);
        return -ENOMEM;
    }
    for (size_t i = 1; i < TMK_CLEAN_DIRS_OPEN; i++) {
        if (dirs->slots[i].used < slot->used) {
            slot = &dirs->slots[i];
        }
    }
    empty_slot(slot);
    *slot = (struct tmk_clean_slot){copy, root, fd, ++dirs->uses};
    return 0;
}

/* A directory in an open one, on the same mount. */
static int open_below(const struct tmk_clean_root *root, int parent,
                      const char *name)
{
    struct tmk_clean_place place;
    int fd = openat(parent, name, OPEN | O_NOFOLLOW);
    int err;

    if (fd < 0) {
        return -errno;
    }
    err = place_of(fd, &place);
    if (err == 0 &&
        (place.dev != root->place.dev || place.mount != root->place.mount)) {
        err = -EXDEV;
    }
    if (err != 0) {
        (void)close(fd);
        return err;
    }
    return fd;
}

int tmk_clean_dirs_open(struct tmk_clean_dirs *dirs, size_t root,
                        const char *path)
{
    const size_t length = strlen(path);
    struct tmk_clean_slot *slot = NULL;
    size_t at = length; /* what is open reaches to here */
    int fd = dirs->roots[root].fd;

    assert(length < TMK_CLEAN_PATH_SIZE);
    while (at > 0) {
        slot = find_slot(dirs, root, path, at);
        if (slot != NULL) {
            slot->used = ++dirs->uses;
            fd = slot->fd;
            break;
        }
        do {
            at--;
        } while (at > 0 && path[at] != '/');
    }
    while (at < length) {
        size_t from = path[at] == '/' ? at + 1 : at;
        size_t n = strcspn(path + from, "/");
        char name[256];
        int err;

        if (n == 0 || n >= sizeof(name)) {
            return -ENAMETOOLONG;
        }
        memcpy(name, path + from, n);
        name[n] = '\0';
        fd = open_below(&dirs->roots[root], fd, name);
        if (fd < 0) {
            return fd;
        }
        at = from + n;
        err = fill_slot(dirs, root, path, at, fd);
        if (err != 0) {
            return err;
        }
    }
    return fd;
}

void tmk_clean_dirs_close(struct tmk_clean_dirs *dirs, size_t root,
                          const char *path)
{
    struct tmk_clean_slot *slot = find_slot(dirs, root, path, strlen(path));

    if (slot != NULL) {
        empty_slot(slot);
    }
}
