/*
 * ior_cache: memory that may answer in place of storage.
 */
#include "bench/ior_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/units.h"
#include "engine/residency.h"
#include "run/caches.h"
#include "run/links.h"
#include "run/say.h"

/* Pieces of a shared file that are asked about one by one. */
enum { PIECES_MAX = 4096 };

/* Whether the kernel's page cache is between us and storage. */
static bool is_cached(const struct tmk_ior_run *run, const char *path)
{
    static const unsigned long memory[] = {0x01021994, 0x858458f6};
    struct statfs fs;

    if (!run->ops->stores || statfs(path, &fs) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++) {
        if ((unsigned long)fs.f_type == memory[i]) {
            return false; /* tmpfs, ramfs: memory is the storage */
        }
    }
    return true;
}

/* The file, as libc knows it. */
static const char *file_of(const struct tmk_ior_run *run)
{
    return run->ops->plain_path != NULL ? run->ops->plain_path(run->path)
                                        : run->path;
}

/* The parts of its file that this rank touches, one after the other. */
struct pieces {
    uint64_t first, step, bytes, n;
};

static struct pieces pieces_of(const struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    struct pieces p = {0, 0, plan->file_bytes, 1};

    if (plan->shared && plan->segments <= PIECES_MAX &&
        plan->conf->random_offset == 0) {
        p.first = (uint64_t)run->source * plan->block_bytes;
        p.step = (uint64_t)run->job->size * plan->block_bytes;
        p.bytes = plan->block_bytes;
        p.n = plan->segments;
    }
    return p;
}

/* This rank's part: bytes that there are, and that are in memory. */
static int look(const struct tmk_ior_run *run, uint64_t *bytes,
                uint64_t *resident)
{
    const struct pieces p = pieces_of(run);
    uint64_t size;
    struct stat st;
    int err = 0;

    if (stat(file_of(run), &st) != 0) {
        return -errno;
    }
    size = (uint64_t)st.st_size; /* a write may have been stopped */
    for (uint64_t i = 0; err == 0 && i < p.n; i++) {
        const uint64_t from = p.first + i * p.step;
        uint64_t in_memory = 0;

        if (from >= size) {
            break;
        }

        err = tmk_residency_of(file_of(run), p.first + i * p.step, p.bytes,
                               &in_memory, NULL);
        *resident += in_memory;
        *bytes += size - from < p.bytes ? size - from : p.bytes;
    }
    return err;
}

static bool evicts(const struct tmk_ior_run *run)
{
    const char *how = run->plan->conf->fadvise;

    return how != NULL && strcmp(how, "dontneed") == 0;
}

/* Ask the kernel to let go of this rank's part, and wait for it. */
static void evict(const struct tmk_ior_run *run)
{
    const struct pieces p = pieces_of(run);
    const uint64_t wait_ns = run->plan->conf->drop_wait_ns;

    for (uint64_t i = 0; i < p.n; i++) {
        uint64_t left;

        if (wait_ns != 0) {
            (void)tmk_residency_evict_wait(file_of(run), p.first + i * p.step,
                                           p.bytes, wait_ns, &left);
        } else {
            (void)tmk_residency_evict(file_of(run), p.first + i * p.step,
                                      p.bytes);
        }
    }
}

/* Whether data goes around the page cache. */
static bool is_direct(const struct tmk_ior_run *run)
{
    return run->ops->direct != NULL && run->ops->direct(run->engine);
}

void tmk_ior_cache_before_read_all(struct tmk_ior_run *run,
                                   const struct tmk_ior_files *files,
                                   bool first, struct tmk_result_caches *done,
                                   double *share)
{
    struct tmk_job *job = run->job;
    const struct tmk_caches_how how = {
        .sync = run->plan->conf->drop_caches != NULL, /* dirty pages stay */
        .drop = run->plan->conf->drop_caches,
        .path = run->dir,
    };
    uint64_t sums[3] = {0, 0, 0};

    (void)files;
    *share = -1.0;
    if (first && evicts(run) && is_cached(run, file_of(run))) {
        evict(run);
    }
    if (!tmk_caches_none(&how)) {
        (void)tmk_caches_before_all(&how, job, done);
    }
    tmk_wait_barrier_all(&job->wait);
    if (is_direct(run) || !is_cached(run, file_of(run)) ||
        look(run, &sums[0], &sums[1]) != 0) {
        sums[2] = 1;
    }
    tmk_wait_allreduce_all(&job->wait, sums, 3, MPI_UINT64_T, MPI_SUM);
    if (sums[2] == 0 && sums[0] != 0) {
        *share = (double)sums[1] / (double)sums[0];
    }
}

void tmk_ior_cache_after_write_all(struct tmk_ior_run *run,
                                   const struct tmk_ior_files *files)
{
    (void)files;
    if (evicts(run) && is_cached(run, file_of(run))) {
        evict(run);
    }
    if (evicts(run)) {
        tmk_wait_barrier_all(&run->job->wait);
    }
}

void tmk_ior_cache_notes(struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    const struct tmk_ior_doubt_size size = {
        .data_bytes = plan->total_bytes,
        .node_memory_bytes = run->memory_bytes,
        .server_memory_bytes = plan->conf->server_memory_bytes,
        .nodes = (int)run->job->layout.map.nodes,
        .around = is_direct(run) || evicts(run) ||
                  plan->conf->drop_caches != NULL || run->goes_elsewhere,
    };

    if (plan->reads && is_cached(run, run->dir)) {
        tmk_ior_doubt_size(run->job, &size);
    }
}

void tmk_ior_cache_judge(struct tmk_ior_run *run,
                         const struct tmk_ior_doubt *doubt)
{
    uint64_t links = 0;

    if (run->job->rank == 0 && tmk_links_are_needed(run->dir)) {
        links = tmk_links_bytes_per_s("/sys") *
                (uint64_t)run->job->layout.map.nodes;
    }
    tmk_ior_doubt_say(run->job, doubt, (int)run->job->layout.map.nodes, links);
}

/*
 * Memory that is taken away.
 */

static uint64_t hog_bytes(const struct tmk_ior_run *run)
{
    const struct tmk_ior_conf *conf = run->plan->conf;
    uint64_t node = conf->per_node.bytes;

    if (conf->per_node.percent > 0.0) {
        node = (uint64_t)((double)run->memory_bytes * conf->per_node.percent /
                          100.0);
    }
    return conf->per_task_bytes +
           node / (uint64_t)run->job->layout.ranks_on_node;
}

int tmk_ior_cache_hog_all(struct tmk_ior_run *run, void **memory,
                          uint64_t *bytes)
{
    struct tmk_job *job = run->job;
    const uint64_t want = hog_bytes(run);
    const uint64_t have =
        run->memory_bytes / (uint64_t)job->layout.ranks_on_node;
    int err = 0;

    *memory = NULL;
    *bytes = 0;
    if (run->memory_bytes != 0 && want > have / 100 * 95) {
        err = -ENOMEM; /* the kernel would end somebody for it */
    } else if (want != 0) {
        void *m = mmap(NULL, want, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

        if (m == MAP_FAILED) {
            err = -errno;
        } else {
            *memory = m;
            *bytes = want;
            memset(m, 1, want);
            if (mlock(m, want) != 0) { /* it may be swapped out, then */
                tmk_say_verbose(job, 1, "-M: memory cannot be locked: %s",
                                strerror(errno));
            }
        }
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        char text[32];

        (void)tmk_units_format_bytes(want, text, sizeof(text));
        tmk_say_error(job, "-M and --memoryPerTask: %s for each task: %s", text,
                      strerror(-err));
        tmk_ior_cache_unhog(*memory, *bytes);
        *memory = NULL;
    }
    return err;
}

void tmk_ior_cache_unhog(void *memory, uint64_t bytes)
{
    if (memory != NULL) {
        (void)munmap(memory, bytes);
    }
}
