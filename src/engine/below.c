/*
 * below: directories opened without leaving where they are.
 *
 *     root / test-dir.0-0 / mdtest_tree.0 / mdtest_tree.7
 *     given, links allowed | each by openat, O_NOFOLLOW, same mount
 */
#include "engine/below.h"

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
static int place_of(int fd, struct tmk_below_place *place)
{
    struct stat st;

    *place = (struct tmk_below_place){0};
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

static int open_root(const struct tmk_below_how *how,
                     struct tmk_below_root *root)
{
    root->fd = openat(AT_FDCWD, root->path,
                      how->strict_roots ? OPEN | O_NOFOLLOW : OPEN);
    return root->fd < 0 ? -errno : place_of(root->fd, &root->place);
}

int tmk_below_init(struct tmk_below *dirs, const char *const *paths, size_t n,
                   size_t *which)
{
    const struct tmk_below_how strict = {.links = false};
    int err = tmk_below_init_lazy(dirs, paths, n, &strict);

    for (*which = 0; err == 0 && *which < n; ++*which) {
        err = open_root(&dirs->how, &dirs->roots[*which]);
        if (err != 0) {
            break;
        }
    }
    return err;
}

int tmk_below_init_lazy(struct tmk_below *dirs, const char *const *paths,
                        size_t n, const struct tmk_below_how *how)
{
    *dirs = (struct tmk_below){
        .how = *how, .roots = calloc(n != 0 ? n : 1, sizeof(*dirs->roots))};
    if (dirs->roots == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        dirs->roots[i] = (struct tmk_below_root){.path = paths[i], .fd = -1};
    }
    dirs->n_roots = n;
    return 0;
}

static void empty_slot(struct tmk_below_slot *slot)
{
    if (slot->path != NULL) {
        (void)close(slot->fd);
        free(slot->path);
    }
    *slot = (struct tmk_below_slot){0};
}

void tmk_below_fini(struct tmk_below *dirs)
{
    for (size_t i = 0; i < TMK_BELOW_OPEN; i++) {
        empty_slot(&dirs->slots[i]);
    }
    for (size_t i = 0; i < dirs->n_roots; i++) {
        if (dirs->roots[i].fd >= 0) {
            (void)close(dirs->roots[i].fd);
        }
    }
    free(dirs->roots);
    *dirs = (struct tmk_below){0};
}

/* The slot of the first `length` bytes of a path; NULL if it is not open. */
static struct tmk_below_slot *find_slot(struct tmk_below *dirs, size_t root,
                                        const char *path, size_t length)
{
    for (size_t i = 0; i < TMK_BELOW_OPEN; i++) {
        struct tmk_below_slot *slot = &dirs->slots[i];

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
static int fill_slot(struct tmk_below *dirs, size_t root, const char *path,
                     size_t length, int fd)
{
    struct tmk_below_slot *slot = &dirs->slots[0];
    char *copy = strndup(path, length);

    if (copy == NULL) {
        (void)close(fd);
        return -ENOMEM;
    }
    for (size_t i = 1; i < TMK_BELOW_OPEN; i++) {
        if (dirs->slots[i].used < slot->used) {
            slot = &dirs->slots[i];
        }
    }
    empty_slot(slot);
    *slot = (struct tmk_below_slot){copy, root, fd, ++dirs->uses};
    return 0;
}

/* A directory in an open one. */
static int open_below(const struct tmk_below *dirs, size_t root, int parent,
                      const char *name)
{
    const struct tmk_below_place *home = &dirs->roots[root].place;
    struct tmk_below_place place;
    int fd = openat(parent, name, dirs->how.links ? OPEN : OPEN | O_NOFOLLOW);
    int err;

    if (fd < 0) {
        return -errno;
    }
    if (dirs->how.other_mounts) {
        return fd;
    }
    err = place_of(fd, &place);
    if (err == 0 && (place.dev != home->dev || place.mount != home->mount)) {
        err = -EXDEV;
    }
    if (err != 0) {
        (void)close(fd);
        return err;
    }
    return fd;
}

int tmk_below_open(struct tmk_below *dirs, size_t root, const char *path)
{
    const size_t length = strlen(path);
    struct tmk_below_slot *slot = NULL;
    size_t at = length; /* what is open reaches to here */
    int fd = dirs->roots[root].fd;

    if (fd < 0) {
        int err = open_root(&dirs->how, &dirs->roots[root]);

        if (err != 0) {
            return err;
        }
        fd = dirs->roots[root].fd;
    }
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
        fd = open_below(dirs, root, fd, name);
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

void tmk_below_close(struct tmk_below *dirs, size_t root, const char *path)
{
    struct tmk_below_slot *slot = find_slot(dirs, root, path, strlen(path));

    if (slot != NULL) {
        empty_slot(slot);
    }
}

DIR *tmk_below_list(int dir)
{
    int copy = fcntl(dir, F_DUPFD_CLOEXEC, 0);
    DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;

    if (stream != NULL) {
        rewinddir(stream); /* where `dir` was read before */
    } else if (copy >= 0) {
        int err = errno;

        (void)close(copy);
        errno = err;
    }
    return stream;
}
