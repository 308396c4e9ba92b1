#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/residency.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { PAGES = 2048, TAIL = 100, READ_AHEAD = 64 };

#define SECONDS_5 5000000000

/* A file of some pages and a bit, just written. */
struct place {
    char dir[64];
    char file[96];
    bool keeps; /* a file system in memory, which evicts nothing */
    uint64_t page, size;
};

static int enter(void **state)
{
    struct place *p = calloc(1, sizeof(*p));
    struct statfs fs;
    char *data;
    int fd;

    if (p == NULL) {
        return -1;
    }
    *state = p;
    p->page = (uint64_t)sysconf(_SC_PAGESIZE);
    p->size = PAGES * p->page + TAIL;
    data = calloc(1, p->size);
    (void)snprintf(p->dir, sizeof(p->dir), "/tmp/test_residency.XXXXXX");
    if (data == NULL || mkdtemp(p->dir) == NULL || statfs(p->dir, &fs) != 0) {
        free(data);
        return -1;
    }
    p->keeps = fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
    (void)snprintf(p->file, sizeof(p->file), "%s/f", p->dir);
    fd = open(p->file, O_RDWR | O_CREAT, 0600);
    if (write(fd, data, p->size) != (ssize_t)p->size) {
        free(data);
        return -1;
    }
    free(data);
    return close(fd);
}

static int leave(void **state)
{
    struct place *p = *state;
    int err = unlink(p->file) == 0 && rmdir(p->dir) == 0 ? 0 : -1;

    free(p);
    return err;
}

static uint64_t resident_of(const struct place *p, uint64_t offset,
                            uint64_t bytes)
{
    uint64_t resident = UINT64_MAX;

    assert_int_equal(tmk_residency_of(p->file, offset, bytes, &resident, NULL),
                     0);
    return resident;
}

/* Ranges of a file that is all there. */
static void check_ranges(const struct place *p)
{
    const uint64_t page = p->page;
    const struct {
        uint64_t offset, bytes, want;
    } rows[] = {
        {0, p->size, p->size},
        {0, UINT64_MAX, p->size},
        {0, 0, 0},
        {0, 1, 1},
        {0, page, page},
        {1, page, page},
        {page - 1, 2, 2},
        {page + 1, 10 * page, 10 * page},
        {PAGES * page, TAIL, TAIL},
        {PAGES * page, 10 * page, TAIL},
        {p->size - 1, 1, 1},
        {p->size - 1, 99, 1},
        {p->size, 1, 0},
        {p->size + page, UINT64_MAX, 0},
        {UINT64_MAX, UINT64_MAX, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(resident_of(p, rows[i].offset, rows[i].bytes),
                         rows[i].want);
    }
}

/* Parts are what they are one by one; what the file has not does not count. */
static void parts_of_a_file_add_up(void **state)
{
    const struct place *p = *state;
    const struct tmk_residency_part parts[] = {
        {0, p->page},
        {7 * p->page, 2 * p->page},
        {PAGES * p->page, p->page},
        {p->size + p->page, p->page},
    };
    uint64_t bytes = 7;
    uint64_t resident = 7;
    uint64_t left;

    assert_int_equal(
        tmk_residency_of_parts(p->file, parts, COUNT(parts), &bytes, &resident),
        0);
    assert_int_equal(bytes, 3 * p->page + TAIL);
    assert_int_equal(resident, bytes);
    assert_int_equal(
        tmk_residency_of_parts(p->file, parts, 0, &bytes, &resident), 0);
    assert_int_equal(bytes, 0);
    assert_int_equal(resident, 0);
    assert_int_equal(
        tmk_residency_of_parts(p->dir, parts, 1, &bytes, &resident), -EINVAL);
    if (p->keeps) {
        return;
    }
    assert_int_equal(tmk_residency_evict_wait(p->file, 1024 * p->page,
                                              UINT64_MAX, SECONDS_5, &left),
                     0);
    assert_int_equal(
        tmk_residency_of_parts(p->file, parts, COUNT(parts), &bytes, &resident),
        0);
    assert_int_equal(bytes, 3 * p->page + TAIL);
    assert_int_equal(resident, 3 * p->page);
}

static void what_was_just_written_is_in_memory(void **state)
{
    check_ranges(*state);
}

static void what_was_evicted_is_not(void **state)
{
    const struct place *p = *state;
    enum tmk_residency_way way;
    uint64_t resident = 7;

    if (p->keeps) {
        skip();
    }
    assert_int_equal(
        tmk_residency_evict_wait(p->file, 0, UINT64_MAX, SECONDS_5, &resident),
        0);
    assert_int_equal(tmk_residency_of(p->file, 0, 1, &(uint64_t){0}, &way), 0);
    /* valgrind, which knows no cachestat, reads the beginning of every file
     * that is mapped. */
    assert_true(resident <=
                (way == TMK_RESIDENCY_CACHESTAT ? 0 : READ_AHEAD * p->page));
    assert_int_equal(resident_of(p, READ_AHEAD * p->page, UINT64_MAX), 0);
    assert_int_equal(tmk_residency_evict(p->file, 0, UINT64_MAX), 0);
    assert_int_equal(tmk_residency_evict(p->file, UINT64_MAX, 1), 0);
}

/* Whole pages go, and what hangs together with them. */
static void eviction_is_of_a_range(void **state)
{
    const struct place *p = *state;
    uint64_t resident = 7;

    if (p->keeps) {
        skip();
    }
    assert_int_equal(tmk_residency_evict_wait(p->file, 4 * p->page + 1, p->page,
                                              SECONDS_5, &resident),
                     0);
    assert_int_equal(resident, 0);
    assert_int_equal(resident_of(p, 4 * p->page, 2 * p->page), 0);
    assert_int_equal(resident_of(p, 1024 * p->page, 8 * p->page), 8 * p->page);
}

static void what_is_read_again_is_in_memory_again(void **state)
{
    const struct place *p = *state;
    uint64_t resident = 7;
    char c;
    int fd;

    if (p->keeps) {
        skip();
    }
    assert_int_equal(
        tmk_residency_evict_wait(p->file, 0, UINT64_MAX, SECONDS_5, &resident),
        0);
    fd = open(p->file, O_RDONLY);
    assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM), 0);
    assert_int_equal(pread(fd, &c, 1, (off_t)(32 * p->page)), 1);
    assert_int_equal(close(fd), 0);
    assert_int_equal(resident_of(p, 32 * p->page, p->page), p->page);
    assert_true(resident_of(p, 0, p->size) < p->size);
}

static void a_file_in_memory_stays_there(void **state)
{
    const struct place *p = *state;
    struct place in_memory = *p;
    struct statfs fs;
    uint64_t resident = 7;
    char *data = calloc(1, p->size);
    int fd;

    assert_non_null(data);
    if (statfs("/dev/shm", &fs) != 0 || fs.f_type != TMPFS_MAGIC) {
        free(data);
        skip();
        return;
    }
    (void)snprintf(in_memory.file, sizeof(in_memory.file),
                   "/dev/shm/test_residency.XXXXXX");
    fd = mkstemp(in_memory.file);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, p->size), p->size);
    free(data);
    assert_int_equal(close(fd), 0);
    assert_int_equal(tmk_residency_evict_wait(in_memory.file, 0, UINT64_MAX,
                                              5000000, &resident),
                     0);
    assert_int_equal(resident, p->size);
    check_ranges(&in_memory);
    assert_int_equal(unlink(in_memory.file), 0);
}

static void what_is_no_file_is_refused(void **state)
{
    const struct place *p = *state;
    uint64_t resident = 7;
    char pipe_path[96];

    (void)snprintf(pipe_path, sizeof(pipe_path), "%s/p", p->dir);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(tmk_residency_of(pipe_path, 0, 1, &resident, NULL),
                     -EINVAL);
    assert_int_equal(tmk_residency_of(p->dir, 0, 1, &resident, NULL), -EINVAL);
    assert_int_equal(tmk_residency_evict(p->dir, 0, 1), -EINVAL);
    assert_int_equal(unlink(pipe_path), 0);
    assert_int_equal(tmk_residency_of(pipe_path, 0, 1, &resident, NULL),
                     -ENOENT);
    assert_int_equal(tmk_residency_evict(pipe_path, 0, 1), -ENOENT);
    assert_int_equal(
        tmk_residency_evict_wait(pipe_path, 0, 1, SECONDS_5, &resident),
        -ENOENT);
    assert_int_equal(resident, 7);
}

/* From now on system call 451 fails. */
static int forbid_cachestat(int err)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 451, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)err),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = COUNT(filter), .filter = filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
               ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
               : -1;
}

/* How a child ends that cannot be given a filter. */
enum { NO_FILTER = 77 };

static int end_of(pid_t child)
{
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void an_older_kernel_tells_the_same(void **state)
{
    const struct place *p = *state;
    pid_t child = fork();
    int end;

    assert_true(child >= 0);
    if (child == 0) {
        enum tmk_residency_way way = TMK_RESIDENCY_CACHESTAT;
        uint64_t resident = 7;

        if (forbid_cachestat(ENOSYS) != 0) {
            _exit(NO_FILTER);
        }
        check_ranges(p);
        if (tmk_residency_of(p->file, 0, 1, &resident, &way) != 0 ||
            way != TMK_RESIDENCY_MINCORE) {
            _exit(1);
        }
        /* A hole: of more pages than are looked at in one piece. */
        if (truncate(p->file, (off_t)(40000 * p->page)) != 0 ||
            tmk_residency_of(p->file, 0, UINT64_MAX, &resident, &way) != 0 ||
            resident < p->size - TAIL || resident > 2 * p->size) {
            _exit(2);
        }
        _exit(0);
    }
    end = end_of(child);
    if (end == NO_FILTER) {
        skip();
    }
    assert_int_equal(end, 0);
}

/* What it does not tell is not made up. */
static void a_stranger_is_told_nothing(void **state)
{
    const struct place *p = *state;
    pid_t child;
    int end;

    if (geteuid() != 0) {
        skip();
    }
    assert_int_equal(chmod(p->dir, 0755), 0);
    assert_int_equal(chmod(p->file, 0644), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        uint64_t resident = 7;
        int err;

        if (forbid_cachestat(ENOSYS) != 0 || seteuid(65534) != 0) {
            _exit(NO_FILTER);
        }
        err = tmk_residency_of(p->file, 0, 1, &resident, NULL);
        _exit(err == -EPERM && resident == 7 ? 0 : 1);
    }
    end = end_of(child);
    if (end == NO_FILTER) {
        skip();
    }
    assert_int_equal(end, 0);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_PLACE(what_was_just_written_is_in_memory),
        IN_PLACE(parts_of_a_file_add_up),
        IN_PLACE(what_was_evicted_is_not),
        IN_PLACE(eviction_is_of_a_range),
        IN_PLACE(what_is_read_again_is_in_memory_again),
        IN_PLACE(a_file_in_memory_stays_there),
        IN_PLACE(what_is_no_file_is_refused),
        IN_PLACE(an_older_kernel_tells_the_same),
        IN_PLACE(a_stranger_is_told_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
