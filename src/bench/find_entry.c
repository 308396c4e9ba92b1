/*
 * find_entry: statx and what else an expression asks of the system.
 */
#include "bench/find_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "engine/statx_ring.h"
#include "run/clock.h"

enum { STAT_UNITS = 8, MANY_UNITS = 64 }; /* of work, where an entry is 1 */

/* How an entry is named to the system: a start point by its path. */
static const char *name_of(const struct tmk_find_walk *w,
                           const struct tmk_match_entry *e)
{
    return w->fd == AT_FDCWD ? e->path : e->name;
}

static bool is_followed(const struct tmk_find_walk *w,
                        const struct tmk_match_entry *e)
{
    return w->match->follow == TMK_MATCH_FOLLOW_ALL ||
           (w->match->follow == TMK_MATCH_FOLLOW_STARTS && e->depth == 0);
}

static uint8_t type_of(unsigned mode)
{
    switch (mode & S_IFMT) {
    case S_IFIFO: return TMK_MATCH_FIFO;
    case S_IFCHR: return TMK_MATCH_CHAR;
    case S_IFDIR: return TMK_MATCH_DIR;
    case S_IFBLK: return TMK_MATCH_BLOCK;
    case S_IFREG: return TMK_MATCH_FILE;
    case S_IFLNK: return TMK_MATCH_LINK;
    case S_IFSOCK: return TMK_MATCH_SOCKET;
    default: return TMK_MATCH_UNKNOWN;
    }
}

static struct tmk_match_time moment(const struct statx_timestamp *t, bool known)
{
    return (struct tmk_match_time){
        .s = t->tv_sec,
        .ns = known ? t->tv_nsec : TMK_MATCH_NO_TIME,
    };
}

static void take(struct tmk_match_entry *e, const struct statx *st,
                 uint32_t mask)
{
    e->type = type_of(st->stx_mode);
    e->mode = st->stx_mode & 07777;
    e->inode = st->stx_ino;
    e->uid = st->stx_uid;
    e->gid = st->stx_gid;
    e->links = st->stx_nlink;
    e->size_bytes = st->stx_size;
    e->blocks = st->stx_blocks;
    e->dev = makedev(st->stx_dev_major, st->stx_dev_minor);
    e->rdev_major = st->stx_rdev_major;
    e->rdev_minor = st->stx_rdev_minor;
    e->atime = moment(&st->stx_atime, true);
    e->mtime = moment(&st->stx_mtime, true);
    e->ctime = moment(&st->stx_ctime, true);
    e->btime = moment(&st->stx_btime, (st->stx_mask & STATX_BTIME) != 0);
    e->have |= (st->stx_mask | mask) & TMK_MATCH_STATX;
}

int tmk_find_stat(struct tmk_find_walk *w, struct tmk_match_entry *e,
                  uint32_t mask)
{
    const bool follows = is_followed(w, e);
    int flags = AT_NO_AUTOMOUNT | (w->lazy_stat ? AT_STATX_DONT_SYNC : 0);
    uint64_t start_ns = w->stat_ns != NULL ? tmk_clock_ns() : 0;
    struct statx st;
    int err;

    mask &= TMK_MATCH_STATX;
    err = statx(w->fd, name_of(w, e),
                flags | (follows ? 0 : AT_SYMLINK_NOFOLLOW), mask, &st);
    if (err != 0 && follows && (errno == ENOENT || errno == ENOTDIR)) {
        err =
            statx(w->fd, name_of(w, e), flags | AT_SYMLINK_NOFOLLOW, mask, &st);
    }
    err = err != 0 ? -errno : 0;
    if (w->stat_ns != NULL) {
        tmk_hist_record(w->stat_ns, tmk_clock_ns() - start_ns);
    }
    w->sums[TMK_FIND_STATS]++;
    w->units += STAT_UNITS;
    if (w->slow && tmk_clock_coarse_ns() != w->tick_ns) {
        w->units += MANY_UNITS; /* others have waited for a while */
    }
    if (err == 0) {
        take(e, &st, mask);
    }
    return err;
}

void tmk_find_stat_begin(struct tmk_find_walk *w,
                         const struct tmk_match_entry *e, uint32_t mask,
                         void *user)
{
    int flags = AT_NO_AUTOMOUNT | (w->lazy_stat ? AT_STATX_DONT_SYNC : 0) |
                (is_followed(w, e) ? 0 : AT_SYMLINK_NOFOLLOW);

    tmk_statx_ring_push(w->ring, w->fd, e->name, flags, mask & TMK_MATCH_STATX,
                        user);
    w->sums[TMK_FIND_STATS]++;
}

int tmk_find_stat_end(struct tmk_find_walk *w, struct tmk_match_entry *e,
                      uint32_t mask, int err, const struct statx *st)
{
    if (err != 0 && is_followed(w, e)) {
        return tmk_find_stat(w, e, mask); /* the link itself, maybe */
    }
    if (err == 0) {
        take(e, st, mask & TMK_MATCH_STATX);
    }
    w->units += STAT_UNITS;
    return err;
}

uint64_t tmk_find_device(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 ? st.st_dev : 0;
}

/*
 * Calls.
 */

static bool is_empty_dir(void *arg, const struct tmk_match_entry *e)
{
    struct tmk_find_walk *w = arg;
    struct tmk_dents dents;
    struct tmk_dent dent;
    bool empty = true;
    int fd = openat(w->fd, name_of(w, e),
                    O_RDONLY | O_DIRECTORY | O_CLOEXEC |
                        (is_followed(w, e) ? 0 : O_NOFOLLOW));
    int err = fd < 0 ? -errno : tmk_dents_init(&dents, 4096);

    if (fd < 0) {
        tmk_find_failed(w, err, e->path);
        return false;
    }
    if (err == 0) {
        err = tmk_dents_begin(&dents, fd);
        while (err == 0 && empty) {
            int more = tmk_dents_fill(&dents);

            if (more <= 0) {
                err = more;
                break;
            }
            empty = !tmk_dents_next(&dents, &dent);
        }
        tmk_dents_fini(&dents);
    }
    (void)close(fd);
    if (err != 0) {
        tmk_find_failed(w, err, e->path);
    }
    return err == 0 && empty;
}

static bool may(void *arg, const struct tmk_match_entry *e, int how)
{
    const struct tmk_find_walk *w = arg;

    return faccessat(w->fd, name_of(w, e), how, 0) == 0;
}

/*
 * A line of mountinfo, "36 35 98:0 /root /point ... - ext4 ...": its type, if
 * it is of this device.
 */
static bool take_mount(char *line, uint64_t dev, char *type, size_t size)
{
    char *rest = strstr(line, " - ");
    char *at = line;
    unsigned numbers[2];

    if (rest == NULL) {
        return false;
    }
    for (int skip = 0; skip < 2; skip++) {
        at = strchr(at, ' ');
        if (at == NULL) {
            return false;
        }
        at++;
    }
    numbers[0] = (unsigned)strtoul(at, &at, 10);
    numbers[1] = *at == ':' ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
    if (makedev(numbers[0], numbers[1]) != dev) {
        return false;
    }
    rest += strlen(" - ");
    (void)snprintf(type, size, "%.*s", (int)strcspn(rest, " \n"), rest);
    return true;
}

/* The type of the file system with this device, from the table of mounts. */
/* The device of an entry, which a dirent does not tell. */
static uint64_t device_of(struct tmk_find_walk *w,
                          const struct tmk_match_entry *e)
{
    struct stat st;

    if ((e->have & TMK_MATCH_STATX) != 0) {
        return e->dev;
    }
    return fstatat(w->fd, name_of(w, e), &st,
                   is_followed(w, e) ? 0 : AT_SYMLINK_NOFOLLOW) == 0
               ? st.st_dev
               : 0;
}

static const char *fstype(void *arg, const struct tmk_match_entry *e)
{
    struct tmk_find_walk *w = arg;
    const uint64_t dev = device_of(w, e);
    char line[4096];
    FILE *f;

    if (w->fstype[0] != '\0' && w->fstype_dev == dev) {
        return w->fstype;
    }
    f = fopen("/proc/self/mountinfo", "re");
    w->fstype[0] = '\0';
    w->fstype_dev = dev;
    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        (void)take_mount(line, dev, w->fstype, sizeof(w->fstype));
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    return w->fstype;
}

static const char *link_target(void *arg, const struct tmk_match_entry *e)
{
    struct tmk_find_walk *w = arg;
    ssize_t n =
        readlinkat(w->fd, name_of(w, e), w->target, sizeof(w->target) - 1);

    if (n < 0) {
        if (errno != EINVAL) {
            tmk_find_failed(w, -errno, e->path);
        }
        return NULL;
    }
    w->target[n] = '\0';
    return w->target;
}

/* A letter of -xtype, of what is behind a link or of the link itself. */
static char letter_of(const struct tmk_find_walk *w,
                      const struct tmk_match_entry *e, int flags)
{
    struct stat st;

    if (fstatat(w->fd, name_of(w, e), &st, flags) == 0) {
        return (char)type_of(st.st_mode);
    }
    return errno == ENOENT || errno == ENOTDIR ? 'N'
           : errno == ELOOP                    ? 'L'
                                               : '?';
}

static char target_type(void *arg, const struct tmk_match_entry *e)
{
    return letter_of(arg, e, 0);
}

static char own_type(void *arg, const struct tmk_match_entry *e)
{
    return letter_of(arg, e, AT_SYMLINK_NOFOLLOW);
}

static const char *user_name(void *arg, uint32_t id)
{
    struct tmk_find_walk *w = arg;

    return tmk_find_names_get(w->users, id);
}

static const char *group_name(void *arg, uint32_t id)
{
    struct tmk_find_walk *w = arg;

    return tmk_find_names_get(w->groups, id);
}

static int32_t utc_offset_s(void *arg, int64_t s, const char **zone)
{
    time_t t = (time_t)s;
    struct tm tm;

    (void)arg;
    if (localtime_r(&t, &tm) == NULL) {
        *zone = "UTC";
        return 0;
    }
    *zone = tm.tm_zone;
    return (int32_t)tm.tm_gmtoff;
}

void tmk_find_entry_calls(struct tmk_match_calls *calls)
{
    calls->is_empty_dir = is_empty_dir;
    calls->may = may;
    calls->fstype = fstype;
    calls->link_target = link_target;
    calls->target_type = target_type;
    calls->own_type = own_type;
    calls->user_name = user_name;
    calls->group_name = group_name;
    calls->utc_offset_s = utc_offset_s;
}
