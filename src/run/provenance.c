/*
 * provenance: machine, scheduler, file system.
 */
#include "run/provenance.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/clock.h"

/* Text into a field of its size; cut if it is longer. */
#define SET(field, text) set(field, sizeof(field), text)

static void set(char *field, size_t size, const char *text)
{
    size_t n = strnlen(text, size - 1);

    memcpy(field, text, n);
    field[n] = '\0';
}

/*
 * Files of the kernel's.
 */

/* A whole small file as text, without the last newline; "" if it is not
 * there. */
static void read_text(const char *path, char *buf, size_t size)
{
    FILE *f = fopen(path, "r");
    size_t n = 0;

    if (f != NULL) {
        n = fread(buf, 1, size - 1, f);
        fclose(f);
    }
    buf[n] = '\0';
    if (n != 0 && buf[n - 1] == '\n') {
        buf[n - 1] = '\0';
    }
}

/* A large one; the caller's to free, NULL if there is none. */
static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (f == NULL) {
        return NULL;
    }
    if (getdelim(&text, &size, '\0', f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

/* The value of "model name	: X", or of what other processors say. */
static void find_cpu(struct tmk_provenance *p)
{
    static const char *const names[] = {"model name", "cpu model", "Hardware",
                                        "cpu", "uarch"};
    char *text = read_all("/proc/cpuinfo");

    for (size_t i = 0; text != NULL && p->cpu[0] == '\0' &&
                       i < sizeof(names) / sizeof(names[0]);
         i++) {
        size_t length = strlen(names[i]);

        for (char *line = text; line != NULL && *line != '\0';) {
            char *end = strchr(line, '\n');
            size_t gap = length + strspn(line + length, " \t");

            if (strncmp(line, names[i], length) == 0 && line[gap] == ':') {
                line += gap + 1;
                line += strspn(line, " ");
                set(p->cpu,
                    end != NULL && (size_t)(end - line) < sizeof(p->cpu)
                        ? (size_t)(end - line) + 1
                        : sizeof(p->cpu),
                    line);
                break;
            }
            line = end != NULL ? end + 1 : NULL;
        }
    }
    free(text);
}

/* Of several tries the quickest: others were interrupted. */
static double clock_cost_ns(void)
{
    enum { TRIES = 20, READS = 200 };
    uint64_t best = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start_ns = tmk_clock_ns();
        uint64_t took;

        for (int k = 1; k < READS; k++) {
            (void)tmk_clock_ns();
        }
        took = tmk_clock_ns() - start_ns;
        best = took < best ? took : best;
    }
    return (double)best / READS;
}

static void find_memory(struct tmk_provenance *p)
{
    struct sysinfo info;

    if (sysinfo(&info) == 0) {
        p->memory_bytes = (uint64_t)info.totalram * info.mem_unit;
    }
}

static void find_machine(struct tmk_provenance *p)
{
    struct utsname names;

    if (uname(&names) == 0) {
        SET(p->kernel, names.release);
    }
    find_memory(p);
    p->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    find_cpu(p);
    read_text("/sys/devices/system/clocksource/clocksource0/"
              "current_clocksource",
              p->clock_source, sizeof(p->clock_source));
    p->clock_read_ns = clock_cost_ns();
}

/*
 * Limits.
 */

/* One directory of the hierarchy: version 2's control files. */
static void limit_by(struct tmk_provenance *p, const char *dir)
{
    char path[1200];
    char text[64];
    char *rest;
    double quota_us;
    double period_us;
    uint64_t bytes;

    (void)snprintf(path, sizeof(path), "%s/cpu.max", dir);
    read_text(path, text, sizeof(text));
    quota_us = strtod(text, &rest); /* "max": no number */
    period_us = strtod(rest, NULL);
    if (rest != text && quota_us > 0.0 && period_us > 0.0 &&
        (p->cgroup_cores <= 0.0 || quota_us / period_us < p->cgroup_cores)) {
        p->cgroup_cores = quota_us / period_us;
    }
    (void)snprintf(path, sizeof(path), "%s/memory.max", dir);
    read_text(path, text, sizeof(text));
    bytes = strtoull(text, &rest, 10);
    if (rest != text && (p->cgroup_memory == 0 || bytes < p->cgroup_memory)) {
        p->cgroup_memory = bytes;
    }
}

void tmk_provenance_cgroup(struct tmk_provenance *p, const char *root,
                           const char *line)
{
    char dir[1100];
    size_t base = strlen(root);
    const char *own = strncmp(line, "0::", 3) == 0 ? line + 3 : "";

    if (base + strlen(own) >= sizeof(dir)) {
        return;
    }
    (void)snprintf(dir, sizeof(dir), "%s%s", root, own);
    dir[strcspn(dir, "\n")] = '\0';
    for (;;) {
        char *slash;

        limit_by(p, dir);
        slash = strrchr(dir + base, '/');
        if (slash == NULL) {
            return;
        }
        *slash = '\0';
    }
}

/* The line of version 2, or an empty one. */
static void find_limits(struct tmk_provenance *p)
{
    char *text = read_all("/proc/self/cgroup");
    const char *line = text != NULL ? strstr(text, "0::") : NULL;

    tmk_provenance_cgroup(p, "/sys/fs/cgroup", line != NULL ? line : "");
    free(text);
}

uint64_t tmk_provenance_least_memory(const struct tmk_provenance *p)
{
    if (p->cgroup_memory != 0 &&
        (p->memory_bytes == 0 || p->cgroup_memory < p->memory_bytes)) {
        return p->cgroup_memory;
    }
    return p->memory_bytes;
}

uint64_t tmk_provenance_memory(void)
{
    struct tmk_provenance p = {.cores = 0};

    find_memory(&p);
    find_limits(&p);
    return tmk_provenance_least_memory(&p);
}

/* The cores of this process as "0-3,8"; returns how many. */
static int find_cpus(char *buf, size_t size)
{
    cpu_set_t cpus;
    size_t used = 0;

    buf[0] = '\0';
    if (sched_getaffinity(0, sizeof(cpus), &cpus) != 0) {
        return 0;
    }
    for (size_t first = 0; first < CPU_SETSIZE; first++) {
        size_t last = first;

        if (!CPU_ISSET(first, &cpus)) {
            continue;
        }
        while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &cpus)) {
            last++;
        }
        if (used < size) {
            int n = snprintf(buf + used, size - used,
                             last > first ? "%s%zu-%zu" : "%s%zu",
                             used != 0 ? "," : "", first, last);

            used += n > 0 ? (size_t)n : 0;
        }
        first = last;
    }
    return CPU_COUNT(&cpus);
}

/*
 * The scheduler.
 */

/* The value of an environment variable; false if it is not set. */
static bool from_environment(char *field, size_t size, const char *name)
{
    const char *value = name != NULL ? getenv(name) : NULL;

    if (value == NULL || value[0] == '\0') {
        return false;
    }
    set(field, size, value);
    return true;
}

void tmk_provenance_scheduler(struct tmk_provenance *p)
{
    static const struct {
        const char *scheduler;
        const char *id, *name, *queue; /* variables; NULL = none */
    } known[] = {
        {"Slurm", "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION"},
        {"PBS", "PBS_JOBID", "PBS_JOBNAME", "PBS_QUEUE"},
        {"LSF", "LSB_JOBID", "LSB_JOBNAME", "LSB_QUEUE"},
        {"Flux", "FLUX_JOB_ID", NULL, NULL},
        {"Cobalt", "COBALT_JOBID", NULL, "COBALT_QUEUE"},
        {"HTCondor", "CONDOR_JOB_ID", NULL, NULL},
        {"Grid Engine", "JOB_ID", "JOB_NAME", "QUEUE"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (from_environment(p->job_id, sizeof(p->job_id), known[i].id)) {
            SET(p->scheduler, known[i].scheduler);
            (void)from_environment(p->job_name, sizeof(p->job_name),
                                   known[i].name);
            (void)from_environment(p->queue, sizeof(p->queue), known[i].queue);
            return;
        }
    }
}

/*
 * The file system.
 */

/* A word of mountinfo: blanks and the like are \040. */
static void set_unescaped(char *field, size_t size, const char *word)
{
    size_t n = 0;

    for (; *word != '\0' && n + 1 < size; word++) {
        if (word[0] == '\\' && strspn(word + 1, "01234567") >= 3) {
            field[n++] = (char)((word[1] - '0') * 64 + (word[2] - '0') * 8 +
                                (word[3] - '0'));
            word += 3;
        } else {
            field[n++] = *word;
        }
    }
    field[n] = '\0';
}

/* Whether `path` is `dir` or below it. */
static bool is_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);

    if (strcmp(dir, "/") == 0) {
        return path[0] == '/';
    }
    return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/*
 * One line: "36 35 98:0 /root /mount/point rw,noatime master:1 - ext4
 * /dev/root rw,errors=continue".  It counts if its mount point is nearer to the
 * path than those before, or covers one of them.
 */
static void take_mount(struct tmk_provenance *p, char *line, const char *path)
{
    enum { POINT = 4, OPTIONS = 5, WORDS = 6 };
    char *words[WORDS] = {NULL};
    char *rest = strstr(line, " - ");
    char point[sizeof(p->mount_point)];
    char *save = NULL;
    char *type;
    char *source;
    char *options;

    if (rest == NULL) {
        return;
    }
    *rest = '\0';
    words[0] = strtok_r(line, " ", &save);
    for (int i = 1; i < WORDS; i++) {
        words[i] = strtok_r(NULL, " ", &save);
    }
    type = strtok_r(rest + 3, " ", &save);
    source = strtok_r(NULL, " ", &save);
    options = strtok_r(NULL, " ", &save);
    if (words[OPTIONS] == NULL || source == NULL) {
        return;
    }
    set_unescaped(point, sizeof(point), words[POINT]);
    if (!is_below(path, point) || strlen(point) < strlen(p->mount_point)) {
        return;
    }
    SET(p->mount_point, point);
    SET(p->type, type);
    set_unescaped(p->source, sizeof(p->source), source);
    (void)snprintf(p->options, sizeof(p->options), "%s%s%s", words[OPTIONS],
                   options != NULL ? "," : "", options != NULL ? options : "");
}

void tmk_provenance_mount(struct tmk_provenance *p, const char *mountinfo,
                          const char *path)
{
    char *text = strdup(mountinfo);
    char *save = NULL;
    char *line = text != NULL ? strtok_r(text, "\n", &save) : NULL;

    p->mount_point[0] = '\0';
    for (; line != NULL; line = strtok_r(NULL, "\n", &save)) {
        take_mount(p, line, path);
    }
    free(text);
}

/* The nearest parent of `path` that is there, without links; the caller's to
 * free. */
static char *nearest(const char *path)
{
    char near[4096];
    char *slash;

    set(near, sizeof(near), path);
    for (;;) {
        char *real = realpath(near[0] != '\0' ? near : ".", NULL);

        if (real != NULL || near[0] == '\0') {
            return real;
        }
        slash = strrchr(near, '/');
        if (slash == near && slash[1] != '\0') {
            slash[1] = '\0';
        } else if (slash != NULL) {
            *slash = '\0';
        } else {
            near[0] = '\0';
        }
    }
}

/*
 * Tools.
 */

/* Read what comes until the end or the deadline; true at the end. */
static bool read_until(int fd, uint64_t deadline_ns, char *buf, size_t size)
{
    size_t used = 0;

    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        uint64_t now_ns = tmk_clock_ns();
        char spare[512];
        ssize_t n;

        if (now_ns >= deadline_ns ||
            poll(&ready, 1, (int)((deadline_ns - now_ns) / 1000000) + 1) < 0) {
            return false;
        }
        if (ready.revents == 0) {
            continue;
        }
        n = used + 1 < size ? read(fd, buf + used, size - 1 - used)
                            : read(fd, spare, sizeof(spare));
        if (n <= 0) {
            return n == 0;
        }
        if (used + 1 < size) {
            used += (size_t)n;
            buf[used] = '\0';
        }
    }
}

/*
 * Run a program and take what it prints, cut to `size`.  0, or -errno; a status
 * other than 0 is -EIO, one that takes too long is killed: -ETIMEDOUT.
 */
static int capture(char *const *argv, char *buf, size_t size)
{
    const uint64_t limit_ns = 10000000000;
    posix_spawn_file_actions_t actions;
    int pipe_fds[2];
    pid_t pid = 0;
    int status = 0;
    bool ended = false;
    int err;

    buf[0] = '\0';
    if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
        return -errno;
    }
    err = posix_spawn_file_actions_init(&actions);
    if (err == 0) {
        (void)posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
                                               O_RDONLY, 0);
        (void)posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], 1);
        (void)posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
                                               O_WRONLY, 0);
        err = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(pipe_fds[1]);
    if (err == 0) {
        ended = read_until(pipe_fds[0], tmk_clock_ns() + limit_ns, buf, size);
    }
    close(pipe_fds[0]);
    if (err != 0) {
        return -err;
    }
    if (!ended) {
        kill(pid, SIGKILL);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!ended) {
        return -ETIMEDOUT;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

void tmk_provenance_layout(struct tmk_provenance *p, const char *path)
{
    static const struct {
        const char *type; /* as mountinfo has it */
        const char *words[4];
    } tools[] = {
        {"lustre", {"lfs", "getstripe", "-d", NULL}},
        {"lustre", {"lfs", "getdirstripe", NULL}},
        {"beegfs", {"beegfs-ctl", "--getentryinfo", NULL}},
        {"gpfs", {"mmlsattr", "-L", NULL}},
        {"ceph", {"getfattr", "-n", "ceph.dir.layout", NULL}},
        {"fuse.ceph-fuse", {"getfattr", "-n", "ceph.dir.layout", NULL}},
        {"fuse.glusterfs",
         {"getfattr", "-n", "trusted.glusterfs.pathinfo", NULL}},
    };
    size_t used = 0;

    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        char *argv[6] = {NULL};
        char command[sizeof(p->layout_command)] = "";
        char text[sizeof(p->layout)];
        size_t n = 0;

        if (strcmp(tools[i].type, p->type) != 0) {
            continue;
        }
        for (; tools[i].words[n] != NULL; n++) {
            size_t length = strlen(command);

            argv[n] = (char *)(uintptr_t)tools[i].words[n];
            (void)snprintf(command + length, sizeof(command) - length, "%s%s",
                           length != 0 ? " " : "", tools[i].words[n]);
        }
        argv[n] = (char *)(uintptr_t)path;
        if (capture(argv, text, sizeof(text)) != 0) {
            continue;
        }
        n = strlen(p->layout_command);
        (void)snprintf(p->layout_command + n, sizeof(p->layout_command) - n,
                       "%s%s", n != 0 ? "; " : "", command);
        if (used < sizeof(p->layout)) {
            set(p->layout + used, sizeof(p->layout) - used, text);
            used += strlen(p->layout + used);
        }
    }
}

void tmk_provenance_find_mount(struct tmk_provenance *p, const char *path)
{
    char *mountinfo = read_all("/proc/self/mountinfo");
    char *near = nearest(path);

    if (mountinfo != NULL && near != NULL) {
        tmk_provenance_mount(p, mountinfo, near);
    }
    free(near);
    free(mountinfo);
}

static void find_file_system(struct tmk_provenance *p, const char *path)
{
    char *mountinfo = read_all("/proc/self/mountinfo");
    char *near = nearest(path);

    if (mountinfo != NULL && near != NULL) {
        tmk_provenance_mount(p, mountinfo, near);
        tmk_provenance_layout(p, near);
    }
    free(near);
    free(mountinfo);
}

void tmk_provenance_collect_all(struct tmk_provenance *p,
                                const struct tmk_job *job, const char *path)
{
    char own[sizeof(p->cpus)];
    int counts[2];

    *p = (struct tmk_provenance){.cores = 0};
    counts[0] = find_cpus(own, sizeof(own));
    counts[1] = -counts[0];
    tmk_wait_allreduce_all(&job->wait, counts, 2, MPI_INT, MPI_MAX);
    p->cpus_most = counts[0];
    p->cpus_fewest = -counts[1];
    if (job->rank != 0) {
        return;
    }
    SET(p->cpus, own);
    find_machine(p);
    find_limits(p);
    tmk_provenance_scheduler(p);
    find_file_system(p, path);
}
