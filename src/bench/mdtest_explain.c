/*
 * mdtest_explain: a plan in words: the headline, warnings, --dry-run.
 */
#include "bench/mdtest_explain.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "run/machine.h"
#include "run/say.h"

void tmk_mdtest_explain_quote(const char *path, char *buf, size_t size)
{
    size_t n = 0;

    buf[n++] = '\'';
    /* Room for a quoted quote, the last quote and the end. */
    for (; *path != '\0' && n + 6 < size; path++) {
        if (*path == '\'') {
            memcpy(buf + n, "'\\''", 4);
            n += 4;
        } else {
            buf[n++] = *path;
        }
    }
    buf[n++] = '\'';
    buf[n] = '\0';
}

void tmk_mdtest_explain_clean(const char *dirs, char *buf, size_t size)
{
    char root[TMK_ITEM_PATH_SIZE];
    char quoted[4 * TMK_ITEM_PATH_SIZE + 8]; /* of quotes alone */
    int64_t roots = tmk_mdtest_plan_root(dirs, 0, root, sizeof(root));
    bool dash = dirs[0] == '-' || strstr(dirs, "@-") || strstr(dirs, "\n-");
    size_t used = (size_t)snprintf(buf, size, "treemark clean%s",
                                   dash ? " --" : ""); /* ends the options */

    for (int64_t i = 0; i < roots; i++) {
        size_t length;

        if (tmk_mdtest_plan_root(dirs, (uint64_t)i, root, sizeof(root)) < 0) {
            continue;
        }
        tmk_mdtest_explain_quote(root, quoted, sizeof(quoted));
        length = strlen(quoted);
        if (used + length + 2 > size) {
            return;
        }
        (void)snprintf(buf + used, size - used, " %s", quoted);
        used += length + 1;
    }
}

void tmk_mdtest_explain_headline(const struct tmk_mdtest_plan *plan, char *buf,
                                 size_t size)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const char *what = "files/directories";

    if (!tmk_mdtest_tests(conf, TMK_MDTEST_DIRS)) {
        what = "files";
    } else if (!tmk_mdtest_tests(conf, TMK_MDTEST_FILES)) {
        what = "directories";
    }
    (void)snprintf(buf, size, "%" PRIu32 " tasks, %" PRIu64 " %s", plan->tasks,
                   plan->distinct, what);
}

/* Append to a line, cut if it does not fit. */
__attribute__((format(printf, 3, 4))) static void
append(char *line, size_t size, const char *format, ...)
{
    size_t used = strlen(line);
    va_list args;

    va_start(args, format);
    (void)vsnprintf(line + used, size - used, format, args);
    va_end(args);
}

/* Phases on items that are rotated away from the creator, once per action. */
static bool rotated(const struct tmk_mdtest_plan *plan, int phase)
{
    if (plan->foreign_share[phase] < 0.0) {
        return false;
    }
    for (int i = 0; i < phase; i++) {
        if (plan->foreign_share[i] >= 0.0 &&
            plan->foreign_share[i] == plan->foreign_share[phase] &&
            tmk_mdtest_phase_rows[i].action ==
                tmk_mdtest_phase_rows[phase].action) {
            return false;
        }
    }
    return true;
}

/* "stat 100%, read 0%, removal 0%" */
static void shares(const struct tmk_mdtest_plan *plan, char *line, size_t size)
{
    const char *comma = "";

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (rotated(plan, i)) {
            append(line, size, "%s%s %.0f%%", comma,
                   tmk_mdtest_phase_rows[i].action_name,
                   100.0 * plan->foreign_share[i]);
            comma = ", ";
        }
    }
}

/* "stat -N 1 (100%), read -N 1 (0%; 100% takes 3 nodes), ..." */
static void best_strides(const struct tmk_mdtest_plan *plan, char *line,
                         size_t size)
{
    const char *comma = "";

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        char stride[32];
        double share;
        unsigned nodes;

        if (!rotated(plan, i)) {
            continue;
        }
        nodes = tmk_mdtest_plan_nodes_needed(plan, (enum tmk_mdtest_phase)i);
        if (nodes == 0) {
            continue;
        }
        share = tmk_mdtest_plan_best_stride(plan, (enum tmk_mdtest_phase)i,
                                            stride, sizeof(stride));
        append(line, size, "%s%s -N %s (%.0f%%", comma,
               tmk_mdtest_phase_rows[i].action_name, stride, 100.0 * share);
        if (share < 1.0) {
            append(line, size, "; 100%% takes %u equal nodes", nodes);
        }
        append(line, size, ")");
        comma = ", ";
    }
}

static void rotation_notes(struct tmk_job *job,
                           const struct tmk_mdtest_plan *plan)
{
    char line[384] = "";
    char best[384] = "";

    if (plan->conf->stride.n == 0) {
        return;
    }
    tmk_say(job, "Shifting ranks by %" PRIu64 " for each phase.",
            plan->owner.stride);
    shares(plan, line, sizeof(line));
    if (line[0] == '\0') {
        return;
    }
    if (plan->nodes > 1) {
        tmk_say(job, "Items that no rank of the node touched before: %s", line);
    }
    if (!tmk_mdtest_plan_rotates_onto_itself(plan)) {
        return;
    }
    if (plan->nodes == 1) {
        tmk_say_warning(job, "ROTATION_SELF",
                        "-N is a stride of %" PRIu64 " of %" PRIu32
                        " ranks: each rank keeps its own items",
                        plan->owner.stride, plan->tasks);
        return;
    }
    best_strides(plan, best, sizeof(best));
    tmk_say_warning(job, "ROTATION_SELF",
                    "-N is a stride of %" PRIu64 " of %" PRIu32
                    " ranks on %" PRIu32 " nodes: items from other nodes: "
                    "%s; best: %s",
                    plan->owner.stride, plan->tasks, plan->nodes, line, best);
}

/* Whether caches are emptied, or gone around, before a phase. */
static bool without_cache(const struct tmk_mdtest_conf *conf)
{
    return conf->drop_caches != NULL || conf->remount != NULL;
}

/*
 * Nodes that are asked for what they hold themselves.  Where there is one node
 * only, that is so for names whatever is done, and not worth a word.
 */
static void cache_notes(struct tmk_job *job, const struct tmk_mdtest_plan *plan,
                        bool direct)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const bool rotates = conf->stride.n != 0;
    const bool reads = plan->on[TMK_MDTEST_FILE_READ] &&
                       plan->on[TMK_MDTEST_FILE_CREATE] &&
                       conf->read_bytes != 0;
    const bool asks = plan->on[TMK_MDTEST_FILE_STAT] ||
                      plan->on[TMK_MDTEST_DIR_STAT] ||
                      plan->on[TMK_MDTEST_FILE_READ];

    if (without_cache(conf) || conf->dry_run) {
        return;
    }
    if (reads && !direct && !(rotates && plan->nodes > 1)) {
        tmk_say_warning(job, "CACHED_DATA",
                        "files are read on the node that wrote them, whose "
                        "memory may hold the data");
    }
    if (asks && plan->nodes > 1 && !rotates) {
        tmk_say_warning(job, "SAME_NODE",
                        "without -N every item is visited on the node that "
                        "made it, whose cache may answer");
    }
}

void tmk_mdtest_explain_notes(struct tmk_job *job,
                              const struct tmk_mdtest_plan *plan, bool direct)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    uint64_t rounded = tmk_mdtest_plan_rounded(plan);

    if (job->rank != 0) {
        return; /* only rank 0 speaks: no advice need be worked out */
    }
    if (plan->on[TMK_MDTEST_FILE_READ] && conf->read_bytes == 0) {
        tmk_say_warning(job, "READ_ZERO",
                        "Read bytes is 0, thus, a read test will actually "
                        "just open/close");
    }
    if (conf->fsync && conf->write_bytes == 0) {
        tmk_say_warning(job, "NO_EFFECT",
                        "-y has no effect: nothing is written (-w)");
    }
    if (conf->verify_write && conf->write_bytes == 0) {
        tmk_say_warning(job, "NO_EFFECT",
                        "--verify-write has no effect: nothing is written "
                        "(-w)");
    }
    if (conf->no_barriers) {
        tmk_say(job, "-B: a phase lasts from the first task's begin to the "
                     "last task's end.");
    }
    if (conf->time_unique) {
        tmk_say(job, "-t: no clock is restarted here; it changes nothing.");
    }
    if (conf->shared && plan->on[TMK_MDTEST_FILE_CREATE]) {
        tmk_say(job,
                "-S: every task opens all files, so %" PRIu64
                " operations create %" PRIu64 " files.",
                plan->operations[TMK_MDTEST_FILE_CREATE], plan->distinct);
    }
    if (conf->last == 0 && (conf->first != 1 || conf->step != 1)) {
        tmk_say_warning(job, "NO_EFFECT",
                        "-f and -s have no effect without -l");
    }
    if (conf->stride_unit != TMK_MDTEST_STRIDE_AUTO && conf->stride.n == 0) {
        tmk_say_warning(job, "NO_EFFECT",
                        "--stride-unit has no effect without -N");
    }
    if (conf->interval_ns != 0 && conf->json == NULL && conf->csv == NULL &&
        job->verbosity < 1) {
        tmk_say_warning(job, "NO_EFFECT",
                        "--interval has no effect without -v, --json or --csv");
    }
    if (conf->branch > 1 && conf->depth == 0) {
        tmk_say_warning(job, "NO_EFFECT", "-b has no effect without -z");
    }
    if (rounded != 0) {
        tmk_say_warning(job, "ROUNDED",
                        "-n %" PRIu64 " does not divide evenly over the tree: "
                        "%" PRIu64 " items per task are used",
                        conf->items, plan->items);
    }
    cache_notes(job, plan, direct);
    tmk_machine_notes(job, plan->owner.map, !conf->dry_run);
    rotation_notes(job, plan);
}

/* "rank 0 (node 0) -> rank 4 (node 1)" for the first ranks and the last. */
static void explain_owners(struct tmk_job *job,
                           const struct tmk_mdtest_plan *plan,
                           const struct tmk_mdtest_phase_row *row)
{
    enum { SHOWN = 8 };
    const uint32_t *node = plan->owner.map->node;

    for (uint32_t r = 0; r < plan->tasks; r++) {
        uint32_t owner = tmk_owner_of(&plan->owner, r, row->hops);

        if (r == SHOWN && plan->tasks > SHOWN + 1) {
            tmk_say(job, "     ...");
            r = plan->tasks - 1;
            owner = tmk_owner_of(&plan->owner, r, row->hops);
        }
        tmk_say(job,
                "     rank %" PRIu32 " on node %" PRIu32
                " works on what rank %" PRIu32 " on node %" PRIu32 " made",
                r, node[r], owner, node[owner]);
    }
}

static void explain_phase(struct tmk_job *job,
                          const struct tmk_mdtest_plan *plan, int phase)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];

    tmk_say(job, "   %-22s %" PRIu64 " operations%s", row->name,
            plan->operations[phase],
            row->shuffles && plan->shuffled ? ", in random order" : "");
    if (plan->foreign_share[phase] >= 0.0 && plan->conf->stride.n != 0) {
        tmk_say(job, "     on another node than any before: %.1f%%",
                100.0 * plan->foreign_share[phase]);
        explain_owners(job, plan, row);
    }
}

void tmk_mdtest_explain_plan(struct tmk_job *job,
                             const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    char bytes[32];
    char line[128];

    tmk_mdtest_explain_headline(plan, line, sizeof(line));
    tmk_say(job, "Plan for %" PRIu32 " rank%s on %" PRIu32 " node%s in %s: %s",
            plan->tasks, plan->tasks == 1 ? "" : "s", plan->nodes,
            plan->nodes == 1 ? "" : "s", plan->root, line);
    tmk_say(job, "   iterations             %d", conf->iterations);
    tmk_say(job, "   test directories       %" PRIu64 " per iteration",
            plan->loops);
    tmk_say(job,
            "   trees                  %" PRIu64 " in each, of %" PRIu64
            " directories (%" PRIu64 " leaves)",
            plan->trees, plan->tree.dirs, plan->tree.leaves);
    tmk_say(job,
            "   items                  %" PRIu64 " per task, %" PRIu64
            " of each task in %s",
            plan->items, plan->per_dir,
            conf->leaf_only ? "each leaf" : "each directory");
    tmk_say(job, "   longest path           %zu bytes", plan->longest_path - 1);
    tmk_say(job, "   inodes needed          %" PRIu64 " at most", plan->inodes);
    tmk_say(job, "   bytes of contents      %s",
            tmk_units_format_bytes(plan->bytes, bytes, sizeof(bytes)));
    tmk_say(job, "Phases of an iteration:");
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (plan->on[i]) {
            explain_phase(job, plan, i);
        }
    }
}
