#ifndef TMK_RUN_PROVENANCE_H
#define TMK_RUN_PROVENANCE_H

#include <stddef.h>
#include <stdint.h>

#include "run/job.h"

/*
 * Where a run took place: what may explain a number a year later.  Of rank 0,
 * but for the binding.  Texts are "" where nothing is known; they are cut to
 * their size.
 */
struct tmk_provenance {
    /* the machine */
    char kernel[128]; /* release: uname -r */
    char cpu[128];    /* model of the first core */
    int cores;        /* online */
    uint64_t memory_bytes;
    char clock_source[64];      /* of the kernel */
    double clock_read_ns;       /* what reading tmk_clock_ns() costs */
    double cgroup_cores;        /* CPU quota, in cores; 0 = none */
    uint64_t cgroup_memory;     /* limit in bytes; 0 = none */
    char cpus[256];             /* that rank 0 may use: "0-3,8" */
    int cpus_fewest, cpus_most; /* number that any rank may use */
    /* the scheduler */
    char scheduler[32]; /* "Slurm" */
    char job_id[128];
    char job_name[128];
    char queue[128];
    /* the file system */
    char mount_point[1024];
    char type[64];
    char source[1024];
    char options[1024]; /* of the mount, then of the file system */
    /* what the file system's own tool says of the directory */
    char layout_command[64]; /* without the path */
    char layout[4096];
};

/*
 * Fill *p.  `path` need not be there: its nearest parent counts.  May run the
 * file system's tool, for ten seconds at most.  Collective over job; only
 * rank 0's *p is of use afterwards.
 */
void tmk_provenance_collect_all(struct tmk_provenance *p,
                                const struct tmk_job *job, const char *path);

/* The parts; of one process. */

/*
 * Memory of this node that caches of this process can have, in bytes: all of it
 * or, if that is less, the limit of the control group, which pays for the pages
 * of files that it reads and writes.  0 = not known.
 */
uint64_t tmk_provenance_memory(void);

/* The same of what was found out: the smaller one; either may be 0. */
uint64_t tmk_provenance_least_memory(const struct tmk_provenance *p);

/* The mount that `path` is on, from the text of /proc/self/mountinfo. */
void tmk_provenance_mount(struct tmk_provenance *p, const char *mountinfo,
                          const char *path);

/* The mount that `path`, or its nearest parent that is there, is on. */
void tmk_provenance_find_mount(struct tmk_provenance *p, const char *path);

/* What the tool for p->type says of `path`, if there is one. */
void tmk_provenance_layout(struct tmk_provenance *p, const char *path);

/* The scheduler's job, from the environment. */
void tmk_provenance_scheduler(struct tmk_provenance *p);

/*
 * The smallest limits of a cgroup and its parents.  `root` is where cgroups are
 * mounted, "/sys/fs/cgroup"; `line` is of /proc/self/cgroup: "0::/a/b".
 */
void tmk_provenance_cgroup(struct tmk_provenance *p, const char *root,
                           const char *line);

#endif
