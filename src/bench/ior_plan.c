/*
 * ior_plan: what was asked becomes what will be done.  Pure: all rounding,
 * defaults and contradictions are settled here.
 */
#include "bench/ior_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "base/roots.h"
#include "base/units.h"
#include "base/why.h"
#include "bench/ior_check.h"

/* File systems count bytes of a file in 63 bits, and so do results. */
static const uint64_t most_bytes = INT64_MAX;

/* Where to complain and to remark. */
struct maker {
    struct tmk_ior_plan *plan;
    const struct tmk_ior_here *here;
    struct tmk_ior_notes *notes;
    char *why;
    size_t why_size;
};

struct quoted {
    char text[64];
};

static struct quoted quote(const char *text)
{
    struct quoted q = {0};

    tmk_quote(q.text, sizeof(q.text), text, strlen(text));
    return q;
}

struct size {
    char text[32];
};

static struct size show(uint64_t bytes)
{
    struct size s = {0};

    (void)tmk_units_format_bytes(bytes, s.text, sizeof(s.text));
    return s;
}

/* False if the product is more than `most_bytes`. */
static bool times(uint64_t a, uint64_t b, uint64_t *product)
{
    return !__builtin_mul_overflow(a, b, product) && *product <= most_bytes;
}

static void plan_tasks(struct maker *m)
{
    struct tmk_ior_plan *plan = m->plan;
    int asked = plan->conf->tasks;

    plan->tasks = asked > 0 ? asked : m->here->ranks;
    if (plan->tasks > m->here->ranks) {
        plan->tasks = m->here->ranks;
        tmk_ior_check_note(
            m->notes, "ROUNDED",
            "-N: there are no %d tasks but %d, which take%s part", asked,
            plan->tasks, plan->tasks == 1 ? "s" : "");
    }
}

static void plan_phases(struct tmk_ior_plan *plan)
{
    const struct tmk_ior_conf *conf = plan->conf;
    bool any =
        conf->write || conf->read || conf->check_write || conf->check_read;

    plan->mixes = conf->rwmix >= 0;
    plan->writes = !plan->mixes && (conf->write || !any);
    plan->reads = !plan->mixes && (conf->read || conf->check_read || !any);
    plan->checks_write = conf->check_write != 0;
    plan->checks_read = conf->check_read != 0;
    plan->shared = !conf->file_per_proc;
}

/* ---- paths --------------------------------------------------------------- */

/* Where the last component begins. */
static size_t last_component(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* The directory of -u, without a slash at its end: "/d/3", "./3". */
static int print_dir(const char *root, uint64_t rank, char *buf, size_t size)
{
    size_t n = last_component(root);

    if (n == 0) {
        return snprintf(buf, size, "./%" PRIu64, rank);
    }
    return snprintf(buf, size, "%.*s%" PRIu64, (int)n, root, rank);
}

/* The path of a rank's file, below one of the paths of -o. */
static int make_path(const struct tmk_ior_plan *plan, const char *root,
                     uint64_t rank, int repetition, char *buf, size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    char dir[TMK_IOR_PATH_SIZE + 24];
    char of_rank[24] = "";
    char of_repetition[16] = "";
    int n;

    if (conf->multi_file) {
        (void)snprintf(of_repetition, sizeof(of_repetition), ".%d", repetition);
    }
    if (!plan->shared) {
        (void)snprintf(of_rank, sizeof(of_rank), ".%08" PRIu64, rank);
    }
    if (!plan->shared && conf->unique_dir) {
        (void)print_dir(root, rank, dir, sizeof(dir));
        n = snprintf(buf, size, "%s/%s%s%s", dir, root + last_component(root),
                     of_rank, of_repetition);
    } else {
        n = snprintf(buf, size, "%s%s%s", root, of_rank, of_repetition);
    }
    return n >= 0 && (size_t)n < size ? n : -ENAMETOOLONG;
}

/* The path of -o that a rank's file is below. */
static int root_of(const struct tmk_ior_plan *plan, uint64_t rank, char *buf,
                   size_t size)
{
    uint64_t k = plan->shared ? 0 : rank % plan->n_roots;

    return tmk_roots_get(plan->conf->path, "@", k, buf, size) >= 0
               ? 0
               : -ENAMETOOLONG;
}

int tmk_ior_plan_path(const struct tmk_ior_plan *plan, uint64_t rank,
                      int repetition, char *buf, size_t size)
{
    char root[TMK_IOR_PATH_SIZE];
    int err = root_of(plan, rank, root, sizeof(root));

    return err == 0 ? make_path(plan, root, rank, repetition, buf, size) : err;
}

int tmk_ior_plan_dir(const struct tmk_ior_plan *plan, uint64_t rank, char *buf,
                     size_t size)
{
    char root[TMK_IOR_PATH_SIZE];
    int err = root_of(plan, rank, root, sizeof(root));
    int n;

    if (err != 0) {
        return err;
    }
    if (plan->shared || !plan->conf->unique_dir) {
        return snprintf(buf, size, "%s", "");
    }
    n = print_dir(root, rank, buf, size);
    return n >= 0 && (size_t)n < size ? n : -ENAMETOOLONG;
}

static int refuse_long(struct maker *m)
{
    return tmk_why(m->why, m->why_size, "-o: a path of more than %d bytes",
                   TMK_IOR_PATH_SIZE - 1);
}

/* One of the paths of -o: the last rank and repetition have the longest name.
 */
static int plan_root(struct maker *m, uint64_t k)
{
    const struct tmk_ior_plan *plan = m->plan;
    char root[TMK_IOR_PATH_SIZE];
    char longest[TMK_IOR_PATH_SIZE];
    size_t length;

    if (tmk_roots_get(plan->conf->path, "@", k, root, sizeof(root)) < 0) {
        return refuse_long(m);
    }
    length = strlen(root);
    if (length == 0) {
        return tmk_why(m->why, m->why_size,
                       "-o: the name of the file is empty");
    }
    if (root[length - 1] == '/') {
        return tmk_why(m->why, m->why_size,
                       "-o: '%s' is the name of a directory, not "
                       "of a file",
                       quote(root).text);
    }
    if (make_path(plan, root, (uint64_t)plan->tasks - 1,
                  plan->conf->repetitions - 1, longest, sizeof(longest)) < 0) {
        return refuse_long(m);
    }
    return 0;
}

static int plan_roots(struct maker *m)
{
    struct tmk_ior_plan *plan = m->plan;
    char root[TMK_IOR_PATH_SIZE];
    int64_t n = tmk_roots_get(plan->conf->path, "@", 0, root, sizeof(root));

    if (n == -EINVAL) {
        return tmk_why(m->why, m->why_size,
                       "-o: an empty name in a list of paths "
                       "(\\@ is the character @)");
    }
    if (n < 0) {
        return refuse_long(m);
    }
    if (plan->shared && n > 1) {
        tmk_ior_check_note(m->notes, "NO_EFFECT",
                           "-o: without -F only the first of %" PRId64
                           " paths is used: '%s' (\\@ is the character @)",
                           n, quote(root).text);
        n = 1;
    }
    plan->n_roots = (size_t)n;
    for (uint64_t k = 0; k < plan->n_roots; k++) {
        int err = plan_root(m, k);

        if (err != 0) {
            return err;
        }
    }
    return 0;
}

/* ---- sizes --------------------------------------------------------------- */

/* --total in bytes. */
static int total_wanted(struct maker *m, uint64_t *bytes)
{
    const struct tmk_ior_conf *conf = m->plan->conf;
    double wanted = (double)conf->total.bytes;

    if (conf->total.times_memory > 0.0 && m->here->memory_bytes == 0) {
        return tmk_why(m->why, m->why_size,
                       "--total: the memory of a node is not "
                       "known here: give a size");
    }
    if (conf->total.times_memory > 0.0) {
        wanted = conf->total.times_memory *
                 ((double)m->here->memory_bytes * m->here->nodes +
                  (double)conf->server_memory_bytes);
    }
    if (wanted >= 9.2e18) { /* a little room to round up */
        return tmk_why(m->why, m->why_size,
                       "--total: %.2g bytes are more than fit "
                       "into 63 bits",
                       wanted);
    }
    *bytes =
        conf->total.times_memory > 0.0 ? (uint64_t)wanted : conf->total.bytes;
    return 0;
}

/* --total: as few segments as reach it. */
static int plan_total(struct maker *m)
{
    struct tmk_ior_plan *plan = m->plan;
    uint64_t wanted = 0;
    uint64_t segment; /* of all tasks */
    const char *s;
    int err = total_wanted(m, &wanted);

    if (err != 0 || wanted == 0) {
        return err;
    }
    if (!times(plan->block_bytes, (uint64_t)plan->tasks, &segment)) {
        return 0; /* plan_sizes() says so */
    }
    plan->segments = wanted / segment + (wanted % segment != 0);
    s = plan->segments == 1 ? "" : "s";
    if (wanted % segment == 0) {
        tmk_ior_check_note(m->notes, NULL,
                           "--total: %s in %" PRIu64 " segment%s (-s)",
                           show(wanted).text, plan->segments, s);
    } else {
        tmk_ior_check_note(m->notes, NULL,
                           "--total: %" PRIu64
                           " segment%s (-s), %s more than the %s asked for",
                           plan->segments, s,
                           show(segment - wanted % segment).text,
                           show(wanted).text);
    }
    return 0;
}

static int plan_sizes(struct maker *m)
{
    struct tmk_ior_plan *plan = m->plan;
    uint64_t tasks = (uint64_t)plan->tasks;

    plan->per_block = plan->block_bytes / plan->transfer_bytes;
    if (!times(plan->segments, plan->block_bytes, &plan->rank_bytes) ||
        !times(plan->rank_bytes, tasks, &plan->total_bytes)) {
        return tmk_why(m->why, m->why_size,
                       "-b and -s: blocks of %" PRIu64 " bytes in %" PRIu64
                       " segment%s for %d task%s are more than 2^63-1 bytes",
                       plan->block_bytes, plan->segments,
                       plan->segments == 1 ? "" : "s", plan->tasks,
                       plan->tasks == 1 ? "" : "s");
    }
    plan->per_rank = plan->segments * plan->per_block;
    plan->file_bytes = plan->shared ? plan->total_bytes : plan->rank_bytes;
    return 0;
}

/* -Y of MMAP: the original can sync whole pages alone, we anything. */
static int check_pages(struct maker *m)
{
    const struct tmk_ior_plan *plan = m->plan;
    const uint64_t page = m->here->page_bytes;
    const uint64_t t = plan->transfer_bytes;

    if (plan->conf->semantics != TMK_IOR_AS_IOR_4_1 ||
        plan->conf->fsync_per_write == 0 || page == 0 || t % page == 0 ||
        strcasecmp(plan->conf->api, "MMAP") != 0) {
        return 0;
    }
    return tmk_why(m->why, m->why_size,
                   "--as: the original syncs whole pages of %" PRIu64
                   " bytes with -Y of "
                   "MMAP: a transfer of %" PRIu64
                   " bytes (-t) is no multiple; %" PRIu64 " would be",
                   page, t, t < page ? page : t - t % page);
}

/* What tasks of one node allocate. */
static int check_memory(struct maker *m)
{
    const struct tmk_ior_plan *plan = m->plan;
    const struct tmk_ior_conf *conf = plan->conf;
    const uint64_t memory = m->here->memory_bytes;
    int tasks = m->here->ranks_per_node < plan->tasks ? m->here->ranks_per_node
                                                      : plan->tasks;
    uint64_t bytes;

    if (memory == 0) {
        return 0;
    }
    if (!times(plan->transfer_bytes, (uint64_t)tasks, &bytes) ||
        bytes > memory) {
        return tmk_why(
            m->why, m->why_size,
            "-t: %s for each of %d task%s of a node do not fit into its "
            "memory of %s",
            show(plan->transfer_bytes).text, tasks, tasks == 1 ? "" : "s",
            show(memory).text);
    }
    if (conf->per_node.percent >= 100.0 || conf->per_node.bytes >= memory) {
        return tmk_why(m->why, m->why_size,
                       "-M: leaves nothing of the memory of a node, %s",
                       show(memory).text);
    }
    if (!times(conf->per_task_bytes, (uint64_t)tasks, &bytes) ||
        bytes >= memory) {
        return tmk_why(
            m->why, m->why_size,
            "--memoryPerTask: %s for each of %d task%s leave nothing of the "
            "memory of a node, %s",
            show(conf->per_task_bytes).text, tasks, tasks == 1 ? "" : "s",
            show(memory).text);
    }
    return 0;
}

int tmk_ior_plan_make(struct tmk_ior_plan *plan,
                      const struct tmk_ior_conf *conf,
                      const struct tmk_ior_here *here,
                      struct tmk_ior_notes *notes, char *why, size_t why_size)
{
    struct maker m = {.plan = plan, .here = here, .notes = notes};
    int err;

    m.why = why;
    m.why_size = why_size;
    notes->n = 0;
    *plan = (struct tmk_ior_plan){
        .conf = conf,
        .block_bytes = conf->block_bytes,
        .transfer_bytes = conf->transfer_bytes,
        .segments = conf->segments,
    };
    plan_tasks(&m);
    plan_phases(plan);
    err = plan_roots(&m);
    if (err == 0) {
        err = tmk_ior_check_conf(plan, why, why_size);
    }
    if (err == 0) {
        err = plan_total(&m);
    }
    if (err == 0) {
        err = plan_sizes(&m);
    }
    if (err == 0) {
        err = check_pages(&m);
    }
    if (err == 0) {
        err = check_memory(&m);
    }
    if (err == 0) {
        tmk_ior_check_notes(plan, notes);
    }
    return err;
}
