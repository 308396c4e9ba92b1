/*
 * ior_cache: memory that may answer in place of storage.
 */
#include "bench/ior_cache.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include "base/units.h"
#include "bench/ior_statusfile.h"
#include "engine/residency.h"
#include "run/caches.h"
#include "run/links.h"
#include "run/say.h"

/* Pieces of a file that are asked about, or asked for, one by one. */
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

/* The parts of its file that this rank lets go of, one after the other. */
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

/* Transfers that follow each other in the file. */
static uint64_t together(const struct tmk_ior_run *run, uint64_t transfers)
{
    const struct tmk_ior_plan *plan = run->plan;

    switch (run->offsets.how.order) {
    case TMK_IOR_SEQUENTIAL: return plan->shared ? plan->per_block : transfers;
    case TMK_IOR_BLOCKS: return plan->per_block;
    default: return 1;
    }
}

/*
 * What this rank will read: its pieces or, where there are more than PIECES_MAX
 * of them, so many that are evenly spread.  How many it is.
 */
static size_t list_parts(const struct tmk_ior_run *run,
                         struct tmk_residency_part *parts)
{
    const uint64_t transfers = tmk_ior_planned(run);
    const uint64_t each = transfers != 0 ? together(run, transfers) : 1;
    const uint64_t pieces = transfers / each + (transfers % each != 0);
    const size_t n = (size_t)(pieces < PIECES_MAX ? pieces : PIECES_MAX);

    for (size_t k = 0; k < n; k++) {
        const uint64_t piece =
            pieces == n ? k
                        : (uint64_t)((double)pieces / (double)n * (double)k);
        const uint64_t from = piece * each;
        const uint64_t left = transfers - from;

        parts[k] = (struct tmk_residency_part){
            .offset = tmk_ior_offsets_random(&run->offsets, from),
            .bytes = (left < each ? left : each) * run->plan->transfer_bytes,
        };
    }
    return n;
}

/* This rank's part: bytes that there are, and that are in memory. */
static int look(const struct tmk_ior_run *run, uint64_t *bytes,
                uint64_t *resident)
{
    struct tmk_residency_part *parts = calloc(PIECES_MAX, sizeof(*parts));
    int err = -ENOMEM;

    if (parts != NULL) {
        err = tmk_residency_of_parts(file_of(run), parts,
                                     list_parts(run, parts), bytes, resident);
    }
    free(parts);
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

bool tmk_ior_cache_is_direct(const struct tmk_ior_run *run)
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
    const bool asks =
        !tmk_ior_cache_is_direct(run) && is_cached(run, file_of(run));
    uint64_t sums[3] = {0, 0, !asks};
    int err = 0;

    (void)files;
    *share = -1.0;
    if (first && evicts(run) && is_cached(run, file_of(run))) {
        evict(run);
    }
    if (first && !tmk_caches_none(&how)) {
        (void)tmk_caches_before_all(&how, job, done);
    }
    tmk_wait_barrier_all(&job->wait);
    if (asks) {
        err = look(run, &sums[0], &sums[1]);
    }
    tmk_wait_allreduce_all(&job->wait, sums, 3, MPI_UINT64_T, MPI_SUM);
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_verbose(job, 1,
                        "what of the data is in memory is not known: %s",
                        strerror(-err));
    } else if (sums[2] == 0 && sums[0] != 0) {
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

/*
 * The size of the data.
 */

/* -M: what is taken of a node. */
static uint64_t node_hog_bytes(const struct tmk_ior_run *run)
{
    const struct tmk_ior_conf *conf = run->plan->conf;

    if (conf->per_node.percent > 0.0) {
        return (uint64_t)((double)run->memory_bytes * conf->per_node.percent /
                          100.0);
    }
    return conf->per_node.bytes;
}

/* What a test reads, if it goes as planned.  Collective. */
static uint64_t bytes_to_read_all(struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    uint64_t limit = conf->wear_out_iterations;
    uint64_t transfers = plan->per_rank;

    if (limit != 0 && limit < transfers) {
        transfers = limit;
    }
    if (!plan->writes && !plan->mixes && conf->status_file != NULL) {
        limit = tmk_ior_statusfile_read_all(run->job, conf->status_file);
        transfers = limit != 0 && limit < transfers ? limit : transfers;
    }
    return transfers * plan->transfer_bytes * (uint64_t)plan->tasks;
}

/* -M, memoryPerTask: what is taken of a node that is full of tasks. */
static uint64_t taken_bytes(const struct tmk_ior_run *run)
{
    const struct tmk_ior_conf *conf = run->plan->conf;

    return node_hog_bytes(run) +
           conf->per_task_bytes * run->job->layout.map.most_ranks;
}

bool tmk_ior_cache_is_around(const struct tmk_ior_run *run)
{
    return tmk_ior_cache_is_direct(run) || evicts(run) ||
           run->plan->conf->drop_caches != NULL ||
           (run->goes_elsewhere && run->job->layout.nodes_on_kernel == 1);
}

static void say_size(struct tmk_ior_run *run, uint64_t data_bytes)
{
    const struct tmk_ior_conf *conf = run->plan->conf;
    const uint64_t taken = taken_bytes(run);
    struct tmk_ior_doubt_size size = {
        .which = run->which,
        .data_bytes = data_bytes,
        .node_memory_bytes = run->memory_bytes,
        .server_memory_bytes = conf->server_memory_bytes,
        .nodes = (int)run->job->layout.map.nodes,
        .around = tmk_ior_cache_is_around(run),
    };

    if (taken != 0 && taken < run->memory_bytes) {
        size.node_memory_bytes -= taken;
        size.taken_by = conf->per_task_bytes != 0 ? "memoryPerTask" : "-M";
    }
    if (is_cached(run, run->dir)) {
        tmk_ior_doubt_size(run->job, &size);
    }
}

/* With a deadline the plan is an upper bound. */
static bool knows_size(const struct tmk_ior_run *run)
{
    return run->plan->conf->deadline_ns == 0;
}

void tmk_ior_cache_notes_all(struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;

    if ((plan->reads || (plan->mixes && plan->conf->rwmix != 0)) &&
        knows_size(run)) {
        say_size(run, bytes_to_read_all(run));
    }
}

void tmk_ior_cache_judge(struct tmk_ior_run *run,
                         const struct tmk_ior_doubt *doubt)
{
    const struct tmk_layout *layout = &run->job->layout;
    const int nodes = (int)layout->map.nodes;
    uint64_t links = 0;

    if (doubt->data_bytes != 0 && !knows_size(run)) {
        say_size(run, doubt->data_bytes);
    }
    if (run->job->rank == 0 && tmk_links_are_needed(run->dir)) {
        /* Nodes of one kernel have the same links. */
        links = tmk_links_bytes_per_s("/sys") * (uint64_t)nodes /
                (uint64_t)layout->nodes_on_kernel;
    }
    tmk_ior_doubt_say(run->job, run->which, doubt, nodes, links);
}

/*
 * Memory that is taken away.
 */

static uint64_t hog_bytes(const struct tmk_ior_run *run)
{
    return run->plan->conf->per_task_bytes +
           node_hog_bytes(run) / (uint64_t)run->job->layout.ranks_on_node;
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
