/*
 * Preloaded into the program under test: counts what should not grow with the
 * work, and writes it to TREEMARK_COUNT_TO.<rank> at the end, a line each:
 *
 *     clock 12        readings of a clock
 *     alloc 345       pieces of memory asked for
 *     seek 0          lseek()
 *     process 0       processes and shells started
 *     sleep_ms 0      sleep asked for
 *     peak_kib 9876   most memory at any time
 *
 * With TREEMARK_COUNT_JUMPS in the environment, the time of day goes back and
 * forth by hours.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long clocks, allocs, seeks, processes, slept_us;
static int jumps;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* What the C library's own allocator is called inside. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
    allocs++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    allocs++;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    allocs++;
    return __libc_realloc(p, size);
}

/* Two hours more and less by turns. */
static time_t jump(void)
{
    static atomic_long turn;

    return !jumps ? 0 : ++turn % 2 != 0 ? 7200 : -7200;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
    int result = (int)syscall(SYS_clock_gettime, id, ts);

    clocks++;
    if (id == CLOCK_REALTIME) {
        ts->tv_sec += jump();
    }
    return result;
}

int gettimeofday(struct timeval *tv, void *zone)
{
    struct timespec ts;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &ts);
    tv->tv_sec = ts.tv_sec;
    tv->tv_usec = ts.tv_nsec / 1000;
    return 0;
}

off_t lseek(int fd, off_t offset, int whence)
{
    seeks++;
    return NEXT(lseek)(fd, offset, whence);
}

off64_t lseek64(int fd, off64_t offset, int whence)
{
    seeks++;
    return NEXT(lseek64)(fd, offset, whence);
}

int system(const char *command)
{
    processes++;
    return NEXT(system)(command);
}

FILE *popen(const char *command, const char *how)
{
    processes++;
    return NEXT(popen)(command, how);
}

pid_t fork(void)
{
    processes++;
    return NEXT(fork)();
}

int posix_spawn(pid_t *pid, const char *path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attr, char *const argv[],
                char *const env[])
{
    processes++;
    return NEXT(posix_spawn)(pid, path, actions, attr, argv, env);
}

int posix_spawnp(pid_t *pid, const char *file,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attr, char *const argv[],
                 char *const env[])
{
    processes++;
    return NEXT(posix_spawnp)(pid, file, actions, attr, argv, env);
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    slept_us += wanted->tv_sec * 1000000 + wanted->tv_nsec / 1000;
    return NEXT(nanosleep)(wanted, left);
}

int usleep(useconds_t us)
{
    slept_us += us;
    return NEXT(usleep)(us);
}

unsigned sleep(unsigned seconds)
{
    slept_us += seconds * 1000000L;
    return NEXT(sleep)(seconds);
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *wanted,
                    struct timespec *left)
{
    if (flags == 0) {
        slept_us += wanted->tv_sec * 1000000 + wanted->tv_nsec / 1000;
    }
    return NEXT(clock_nanosleep)(id, flags, wanted, left);
}

__attribute__((constructor)) static void begin(void)
{
    jumps = getenv("TREEMARK_COUNT_JUMPS") != NULL;
}

static long peak_kib(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;

    while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kib = strtol(line + 6, NULL, 10);
        }
    }
    if (f != NULL) {
        fclose(f);
    }
    return kib;
}

__attribute__((destructor)) static void end(void)
{
    const char *to = getenv("TREEMARK_COUNT_TO");
    const char *rank = getenv("PMI_RANK");
    long counted = allocs;
    char path[PATH_MAX];
    FILE *f;

    if (to == NULL || strstr(program_invocation_short_name, "mdtest") == NULL) {
        return;
    }
    snprintf(path, sizeof(path), "%s.%s", to, rank != NULL ? rank : "0");
    f = fopen(path, "w");
    if (f != NULL) {
        fprintf(f,
                "clock %ld\nalloc %ld\nseek %ld\nprocess %ld\nsleep_ms %ld\n"
                "peak_kib %ld\n",
                (long)clocks, counted, (long)seeks, (long)processes,
                slept_us / 1000, peak_kib());
        fclose(f);
    }
}
