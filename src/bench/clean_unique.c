/*
 * clean_unique: directories of ior -u.  A number is anybody's name for a
 * directory, so all that one holds is looked at before any of it is removed.
 */
#include "bench/clean_unique.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "bench/clean_ior.h"

/* What a directory holds. */
struct contents {
    uint64_t files;   /* of ior */
    bool named;       /* some entry is called as a file of ior */
    char other[256];  /* the first that is none, by name, type or data; "" */
    char unread[256]; /* what could not be opened; "" */
};

/* The directory at work. */
struct place {
    size_t root;
    const char *name;
    uint64_t rank;
    DIR *stream;
};

static bool goes_on(const struct tmk_clean_unique *how)
{
    return how->poll(how->arg);
}

static const char *root_of(const struct tmk_clean_unique *how,
                           const struct place *place)
{
    return how->dirs->roots[place->root].path;
}

static void fail(const struct tmk_clean_unique *how, int err,
                 const struct place *place, const char *name)
{
    tmk_clean_tally_failed(how->tally, err, root_of(how, place), place->name,
                           name);
}

/* Nothing else is opened: a device may do something then. */
static bool is_regular(int dir, const struct dirent *entry)
{
    struct stat st;

    if (entry->d_type != DT_UNKNOWN) {
        return entry->d_type == DT_REG;
    }
    return fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(st.st_mode);
}

/* The next entry but "." and ".."; NULL at the end, or with errno. */
static const struct dirent *next_entry(DIR *stream)
{
    const struct dirent *entry;

    do {
        errno = 0;
        entry = readdir(stream);
    } while (entry != NULL && (strcmp(entry->d_name, ".") == 0 ||
                               strcmp(entry->d_name, "..") == 0));
    return entry;
}

/* Whether an entry is a file of ior: 1, 0, or -errno. */
static int judge(const struct place *place, const struct dirent *entry)
{
    int dir = dirfd(place->stream);
    int ours = 0;

    if (is_regular(dir, entry)) {
        ours = tmk_clean_ior_file(dir, entry->d_name);
    }
    return ours;
}

/* Look at everything, or until it is clear that the directory stays.  0 or
 * -errno; 1 if it was broken off. */
static int look(const struct tmk_clean_unique *how, const struct place *place,
                struct contents *c)
{
    const struct dirent *entry;

    *c = (struct contents){.files = 0};
    while ((entry = next_entry(place->stream)) != NULL) {
        bool named = tmk_names_of_ior_rank(entry->d_name, place->rank);
        int ours = 0;

        c->named = c->named || named;
        if (named && c->other[0] == '\0') {
            ours = judge(place, entry);
        }
        if (ours < 0 && ours != -ENOENT) {
            (void)snprintf(c->unread, sizeof(c->unread), "%s", entry->d_name);
            return ours;
        }
        if (ours == 0 && c->other[0] == '\0') {
            (void)snprintf(c->other, sizeof(c->other), "%s", entry->d_name);
        }
        c->files += ours > 0;
        if (c->named && c->other[0] != '\0') {
            return 0;
        }
        if (!goes_on(how)) {
            return 1;
        }
    }
    return -errno;
}

/* Remove the files; how many went, or -errno, counted, if one stays. */
static int64_t remove_files(const struct tmk_clean_unique *how,
                            const struct place *place)
{
    int64_t removed = 0;
    const struct dirent *entry;

    rewinddir(place->stream);
    while ((entry = next_entry(place->stream)) != NULL) {
        const char *name = entry->d_name;
        int err = 0;

        if (tmk_names_of_ior_rank(name, place->rank)) {
            err = judge(place, entry); /* again: it may be another by now */
        }
        if (err == 0) { /* it came meanwhile */
            tmk_clean_tally_foreign(how->tally, root_of(how, place),
                                    place->name, name);
            return -EEXIST;
        }
        if (err > 0) {
            err = unlinkat(dirfd(place->stream), name, 0) != 0 ? -errno : 0;
        }
        if (err != 0 && err != -ENOENT) {
            fail(how, err, place, name);
            return err;
        }
        removed++;
        how->tally->sums[TMK_CLEAN_FILES] += err == 0;
        if (!goes_on(how)) {
            return -EINTR;
        }
    }
    return removed;
}

/* Files, then the directory itself; a listing may have missed some. */
static void remove_all(const struct tmk_clean_unique *how,
                       const struct place *place)
{
    int64_t removed;
    int err;

    do {
        int above;

        removed = remove_files(how, place);
        if (removed < 0) {
            return;
        }
        tmk_below_close(how->dirs, place->root, place->name);
        above = tmk_below_open(how->dirs, place->root, "");
        err = above < 0 ? above : 0;
        if (err == 0 && unlinkat(above, place->name, AT_REMOVEDIR) != 0) {
            err = -errno;
        }
    } while (removed != 0 && (err == -ENOTEMPTY || err == -EEXIST));
    how->tally->sums[TMK_CLEAN_DIRS] += err == 0;
    if (err != 0 && err != -ENOENT) {
        fail(how, err, place, "");
    }
}

/* An empty directory is ior's if it has ior's mode. */
static bool is_of_ior(const struct place *place)
{
    struct stat st;

    return fstat(dirfd(place->stream), &st) == 0 && (st.st_mode & 0777) == 0700;
}

static void decide(const struct tmk_clean_unique *how,
                   const struct place *place)
{
    struct contents c;
    int err = look(how, place, &c);

    if (err > 0) {
        return;
    }
    if (err != 0) {
        fail(how, err, place, c.unread);
    } else if (c.other[0] != '\0' && c.named) {
        tmk_clean_tally_foreign(how->tally, root_of(how, place), place->name,
                                c.other);
    } else if (c.other[0] != '\0' || (c.files == 0 && !is_of_ior(place))) {
        tmk_clean_tally_other(how->tally, root_of(how, place), "", place->name);
    } else if (how->dry) {
        how->tally->sums[TMK_CLEAN_FILES] += c.files;
        how->tally->sums[TMK_CLEAN_DIRS]++;
    } else {
        remove_all(how, place);
    }
}

void tmk_clean_unique(const struct tmk_clean_unique *how, size_t root,
                      const char *name)
{
    struct place place = {.root = root, .name = name};
    int fd = tmk_below_open(how->dirs, root, name);

    if (!tmk_names_of_ior_dir(name, &place.rank) || fd == -ENOENT) {
        return;
    }
    if (fd == -ELOOP || fd == -ENOTDIR || fd == -EXDEV || fd == -EACCES) {
        tmk_clean_tally_other(how->tally, root_of(how, &place), "", name);
        return;
    }
    if (fd < 0) {
        fail(how, fd, &place, "");
        return;
    }
    place.stream = tmk_below_list(fd);
    if (place.stream == NULL) {
        fail(how, -errno, &place, "");
        return;
    }
    decide(how, &place);
    (void)closedir(place.stream);
}
