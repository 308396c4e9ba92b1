/*
 * slowfs: a file system that takes its time, for benchmarks; needs libfuse 3.
 *
 *     slowfs DIR MOUNTPOINT MICROSECONDS [MICROSECONDS]
 *
 * Shows what is in DIR; every look-up of attributes takes so long, and every
 * removal of a file the second time; several do not wait for each other.  Runs
 * until it is unmounted.
 */
#define FUSE_USE_VERSION 31

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct slow {
    int dir;
    long look_up_us, removal_us;
};

static const struct slow *self(void)
{
    return fuse_get_context()->private_data;
}

/* "/a/b" as a name in DIR. */
static const char *below(const char *path)
{
    return path[1] != '\0' ? path + 1 : ".";
}

static void delay(long us)
{
    const struct timespec t = {us / 1000000, us % 1000000 * 1000};

    nanosleep(&t, NULL);
}

static int slow_getattr(const char *path, struct stat *st,
                        struct fuse_file_info *info)
{
    (void)info;
    delay(self()->look_up_us);
    return fstatat(self()->dir, below(path), st, AT_SYMLINK_NOFOLLOW) == 0
               ? 0
               : -errno;
}

static int slow_readdir(const char *path, void *buf, fuse_fill_dir_t fill,
                        off_t offset, struct fuse_file_info *info,
                        enum fuse_readdir_flags flags)
{
    int fd = openat(self()->dir, below(path), O_RDONLY | O_DIRECTORY);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;

    (void)offset;
    (void)info;
    (void)flags;
    if (dir == NULL) {
        return -errno;
    }
    while ((entry = readdir(dir)) != NULL) {
        struct stat st = {
            .st_ino = entry->d_ino,
            .st_mode = (mode_t)entry->d_type << 12,
        };

        if (fill(buf, entry->d_name, &st, 0, 0) != 0) {
            break;
        }
    }
    closedir(dir);
    return 0;
}

static int slow_unlink(const char *path)
{
    delay(self()->removal_us);
    return unlinkat(self()->dir, below(path), 0) == 0 ? 0 : -errno;
}

static int slow_rmdir(const char *path)
{
    return unlinkat(self()->dir, below(path), AT_REMOVEDIR) == 0 ? 0 : -errno;
}

static void *slow_init(struct fuse_conn_info *conn, struct fuse_config *config)
{
    conn->want &= ~(unsigned)FUSE_CAP_READDIRPLUS;
    conn->max_background = 256;
    config->use_ino = 1;
    config->readdir_ino = 1;
    config->attr_timeout = 0;
    config->entry_timeout = 0;
    config->negative_timeout = 0;
    return fuse_get_context()->private_data;
}

int main(int argc, char **argv)
{
    static const struct fuse_operations ops = {
        .getattr = slow_getattr,
        .readdir = slow_readdir,
        .unlink = slow_unlink,
        .rmdir = slow_rmdir,
        .init = slow_init,
    };
    char foreground[] = "-f";
    char option[] = "-o";
    char threads[] = "max_threads=256,max_idle_threads=256";
    char *words[] = {argv[0], foreground, option, threads, NULL, NULL};
    struct slow slow;

    if (argc != 4 && argc != 5) {
        fprintf(stderr,
                "usage: slowfs DIR MOUNTPOINT MICROSECONDS [MICROSECONDS]\n");
        return 2;
    }
    slow.look_up_us = strtol(argv[3], NULL, 10);
    slow.removal_us = argc == 5 ? strtol(argv[4], NULL, 10) : slow.look_up_us;
    slow.dir = open(argv[1], O_RDONLY | O_DIRECTORY);
    if (slow.dir < 0) {
        perror(argv[1]);
        return 1;
    }
    words[4] = argv[2];
    return fuse_main(5, words, &ops, &slow);
}
