/*
 * limit: what the kernel lets a search do, by hand.
 *
 *     limit PROCESSES PATTERN SIZE NEWER DIR
 *
 * Counts the regular files below DIR whose name holds PATTERN, and, unless SIZE
 * is negative, have SIZE bytes and are newer than the file NEWER: openat, raw
 * getdents64 with 256 KiB, statx of names that pass.  PATTERN "" is every name.
 * Processes share a list of directories.  Prints "seconds matches entries".
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 262144, DIRS_MAX = 262144, TEXT_MAX = 64 << 20 };

struct shared {
    atomic_flag lock;
    atomic_long busy; /* directories on the list or being read */
    size_t n;
    size_t used;
    _Atomic uint64_t matches, entries;
    uint32_t at[DIRS_MAX];
    char text[TEXT_MAX];
};

struct record {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
};

static void lock(struct shared *s)
{
    while (atomic_flag_test_and_set_explicit(&s->lock, memory_order_acquire)) {
    }
}

static void unlock(struct shared *s)
{
    atomic_flag_clear_explicit(&s->lock, memory_order_release);
}

static void push(struct shared *s, const char *dir, const char *name)
{
    lock(s);
    s->at[s->n++] = (uint32_t)s->used;
    s->used +=
        (size_t)snprintf(s->text + s->used, sizeof(s->text) - s->used, "%s%s%s",
                         dir, name[0] != '\0' ? "/" : "", name) +
        1;
    atomic_fetch_add(&s->busy, 1);
    unlock(s);
}

static void read_dir(struct shared *s, const char *path, char *buf,
                     const char *pattern, int64_t size,
                     const struct statx *newer)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    uint64_t matches = 0;
    uint64_t entries = 0;
    long n;

    while ((n = syscall(SYS_getdents64, fd, buf, BUFFER)) > 0) {
        for (long at = 0; at < n;) {
            const struct record *r = (const struct record *)(void *)(buf + at);
            struct statx st;

            at += r->bytes;
            if (r->name[0] == '.' &&
                (r->name[1] == '\0' ||
                 (r->name[1] == '.' && r->name[2] == '\0'))) {
                continue;
            }
            entries++;
            if (r->type == DT_DIR) {
                push(s, path, r->name);
                continue;
            }
            if (strstr(r->name, pattern) == NULL) {
                continue;
            }
            if (size >= 0) {
                if (statx(fd, r->name, AT_SYMLINK_NOFOLLOW,
                          STATX_SIZE | STATX_MTIME, &st) != 0 ||
                    (int64_t)st.stx_size != size ||
                    st.stx_mtime.tv_sec < newer->stx_mtime.tv_sec ||
                    (st.stx_mtime.tv_sec == newer->stx_mtime.tv_sec &&
                     st.stx_mtime.tv_nsec <= newer->stx_mtime.tv_nsec)) {
                    continue;
                }
            }
            matches++;
        }
    }
    close(fd);
    atomic_fetch_add(&s->matches, matches);
    atomic_fetch_add(&s->entries, entries);
}

static void work(struct shared *s, const char *pattern, int64_t size,
                 const struct statx *newer)
{
    static char path[65536];
    char *buf = malloc(BUFFER);

    while (atomic_load(&s->busy) != 0) {
        bool got = false;

        lock(s);
        if (s->n != 0) {
            (void)snprintf(path, sizeof(path), "%s", s->text + s->at[--s->n]);
            if (s->n == 0) {
                s->used = 0;
            }
            got = true;
        }
        unlock(s);
        if (got) {
            read_dir(s, path, buf, pattern, size, newer);
            atomic_fetch_sub(&s->busy, 1);
        }
    }
    free(buf);
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct shared *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct statx newer = {.stx_size = 0};
    double start;
    int processes;

    if (argc != 6 || s == MAP_FAILED) {
        fprintf(stderr, "usage: limit PROCESSES PATTERN SIZE NEWER DIR\n");
        return 2;
    }
    processes = (int)strtol(argv[1], NULL, 10);
    (void)statx(AT_FDCWD, argv[4], 0, STATX_MTIME, &newer);
    start = now_s();
    push(s, argv[5], "");
    for (int i = 1; i < processes; i++) {
        if (fork() == 0) {
            work(s, argv[2], strtoll(argv[3], NULL, 10), &newer);
            _exit(0);
        }
    }
    work(s, argv[2], strtoll(argv[3], NULL, 10), &newer);
    while (wait(NULL) > 0) {
    }
    printf("%.6f %llu %llu\n", now_s() - start, (unsigned long long)s->matches,
           (unsigned long long)s->entries);
    return 0;
}
