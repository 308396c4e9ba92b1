/*
 * explain_mdtest_doubt: what a stride comes to, and what a number may be.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "bench/explain_launch.h"
#include "bench/explain_mdtest.h"
#include "bench/explain_text.h"

enum { LIST_SIZE = 384 };

#define S tmk_explain_s

/* ---- the stride ---------------------------------------------------------- */

/* The first phase of an action that is on, and in which ranks visit each
 * other's items; -1: none. */
static int phase_of(const struct tmk_mdtest_plan *plan,
                    enum tmk_mdtest_action action)
{
    if (action == TMK_MDTEST_REMOVE &&
        (plan->conf->collective || plan->conf->shared)) {
        return -1; /* rank 0 does it alone */
    }
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (plan->on[i] && tmk_mdtest_phase_rows[i].action == action &&
            tmk_mdtest_phase_rows[i].hops != 0) {
            return i;
        }
    }
    return -1;
}

/* Whether anything but creation is done to items. */
static bool visits_any(const struct tmk_mdtest_plan *plan)
{
    for (int a = 0; a < TMK_MDTEST_ACTIONS; a++) {
        if (phase_of(plan, (enum tmk_mdtest_action)a) >= 0) {
            return true;
        }
    }
    return false;
}

/* "stat 100%, read 0%, removal 0%"; directories and files are alike but for
 * what was visited before, of which the later phase knows more. */
static void list_shares(const struct tmk_mdtest_plan *plan, char *line,
                        size_t size)
{
    size_t used = 0;

    line[0] = '\0';
    for (int i = 0; i < TMK_MDTEST_PHASES && used < size; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        if (plan->on[i] && plan->foreign_share[i] >= 0.0) {
            used += (size_t)snprintf(line + used, size - used, "%s%s %.0f%%",
                                     used != 0 ? ", " : "", row->said,
                                     100.0 * plan->foreign_share[i]);
        }
    }
}

/* Who visits whose. */
static void say_table(FILE *to, const struct tmk_mdtest_plan *plan)
{
    static const struct {
        enum tmk_mdtest_action action;
        const char *head;
    } columns[] = {
        {TMK_MDTEST_STAT, "stats"},
        {TMK_MDTEST_RENAME, "renames"},
        {TMK_MDTEST_READ, "reads"},
        {TMK_MDTEST_REMOVE, "removes"},
    };
    const size_t n = sizeof(columns) / sizeof(columns[0]);
    const struct tmk_owner_map *map = plan->owner.map;
    bool all = true;

    tmk_explain_say(to, 2, "Who visits what %s (nodes in brackets):",
                    plan->conf->collective ? "bears which rank's number"
                                           : "which rank made");
    tmk_explain_cell(to, "rank");
    for (size_t k = 0; k < n; k++) {
        if (phase_of(plan, columns[k].action) >= 0) {
            tmk_explain_cell(to, columns[k].head);
        }
    }
    fputc('\n', to);
    for (uint32_t r = 0; r < map->ranks; r++) {
        if (!tmk_explain_place_shows(map, r)) {
            all = false;
            continue;
        }
        tmk_explain_cell_rank(to, r, map->node);
        for (size_t k = 0; k < n; k++) {
            const int phase = phase_of(plan, columns[k].action);

            if (phase >= 0) {
                tmk_explain_cell_rank(
                    to,
                    tmk_owner_of(&plan->owner, r,
                                 tmk_mdtest_phase_rows[phase].hops),
                    map->node);
            }
        }
        fputc('\n', to);
    }
    if (!all) {
        tmk_explain_cell(to, "...");
        fputc('\n', to);
    }
}

/* What -N counts. */
static void say_unit(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const struct tmk_owner_map *map = plan->owner.map;

    if (conf->stride.by_node) {
        tmk_explain_say(to, 2,
                        "-N node: each phase goes %" PRIu64
                        " places on in the ring of ranks sorted by node, so "
                        "many as the fullest node has: to the next node, "
                        "wherever ranks are placed.",
                        plan->owner.stride);
    } else if (conf->stride_unit == TMK_MDTEST_STRIDE_RANK) {
        tmk_explain_say(to, 2,
                        "-N %" PRIu64 " counts ranks (--stride-unit=rank).",
                        conf->stride.n);
    } else if (map->nodes == 1) {
        tmk_explain_say(to, 2,
                        "-N %" PRIu64 " counts ranks: there is one node.",
                        conf->stride.n);
    } else if (map->block) {
        tmk_explain_say(
            to, 2,
            "-N %" PRIu64 " counts nodes: rank 1 is on the node of "
            "rank 0, so that -N is multiplied by the %" PRIu32
            " ranks of that node.  The stride is %" PRIu64 " ranks.",
            conf->stride.n, map->first_node_ranks, plan->owner.stride);
    } else {
        tmk_explain_say(to, 2,
                        "-N %" PRIu64 " counts ranks: rank 1 is on another "
                        "node than rank 0, so that -N is not multiplied by the "
                        "ranks of a node.",
                        conf->stride.n);
    }
}

/* -N as mdtest 1.9 had it, where that differs. */
static void say_1_9(FILE *to, const struct tmk_mdtest_plan *plan)
{
    struct tmk_mdtest_conf conf = *plan->conf;
    struct tmk_mdtest_plan other;
    char why[LIST_SIZE];
    char line[LIST_SIZE];

    if (conf.stride.by_node || conf.stride_unit == TMK_MDTEST_STRIDE_RANK ||
        plan->owner.stride == conf.stride.n) {
        return;
    }
    conf.stride_unit = TMK_MDTEST_STRIDE_RANK;
    if (tmk_mdtest_plan_make(&conf, plan->owner.map, &other, why,
                             sizeof(why)) != 0) {
        return;
    }
    other.on[TMK_MDTEST_DIR_RENAME] = false; /* it had none */
    list_shares(&other, line, sizeof(line));
    tmk_explain_say(to, 2,
                    "mdtest 1.9 counted ranks: there the stride is %" PRIu64
                    " (here with --stride-unit=rank)%s%s.",
                    other.owner.stride,
                    line[0] != '\0'
                        ? ", and items that no rank of the node touched "
                          "before are: "
                        : "",
                    line);
}

/* The best -N for each action. */
static void say_best(FILE *to, const struct tmk_mdtest_plan *plan)
{
    static const enum tmk_mdtest_action actions[] = {
        TMK_MDTEST_STAT, TMK_MDTEST_READ, TMK_MDTEST_REMOVE};

    if (plan->nodes == 1 || plan->conf->collective || plan->conf->shared) {
        return;
    }
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        const int phase = phase_of(plan, actions[i]);
        const char *name;
        char stride[32];
        double share;
        unsigned nodes;

        if (phase < 0 || plan->foreign_share[phase] == 1.0) {
            continue;
        }
        name = tmk_mdtest_phase_rows[phase].action_name;
        nodes =
            tmk_mdtest_plan_nodes_needed(plan, (enum tmk_mdtest_phase)phase);
        share = tmk_mdtest_plan_best_stride(plan, (enum tmk_mdtest_phase)phase,
                                            stride, sizeof(stride));
        if (share <= plan->foreign_share[phase]) {
            tmk_explain_point(to,
                              "%s: no other -N is better on %" PRIu32
                              " nodes; for 100%% it takes %u equal ones.",
                              name, plan->nodes, nodes);
        } else {
            tmk_explain_point(to, "%s: -N %s would make that %.0f%%.", name,
                              stride, 100.0 * share);
        }
    }
}

void tmk_explain_mdtest_stride(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const uint64_t turn = plan->owner.stride % plan->tasks;
    char line[LIST_SIZE];

    if (plan->tasks == 1) {
        tmk_explain_say(to, 2,
                        "There is one rank, and it works on its own "
                        "items.");
        return;
    }
    if (conf->stride.n == 0) {
        tmk_explain_say(to, 2,
                        "There is no -N: in each phase every rank works on its "
                        "own items.");
    } else if (!visits_any(plan)) {
        say_unit(to, plan);
        tmk_explain_say(to, 2,
                        "In no phase of this launch do ranks visit "
                        "items%s.",
                        conf->unique && turn != 0
                            ? ": -N only says in whose trees they are made"
                            : ", so that -N changes nothing");
        return;
    } else {
        say_unit(to, plan);
        if (turn == 0) {
            tmk_explain_say(to, 2,
                            "That is a whole turn of the %" PRIu32
                            " ranks, or several: every rank works on its own "
                            "items, as without -N.%s",
                            plan->tasks,
                            tmk_mdtest_plan_rotates_onto_itself(plan)
                                ? "  Runs say so (ROTATION_SELF); mdtest 4.1 "
                                  "does not."
                                : "");
        } else if (plan->owner.stride != turn) {
            tmk_explain_say(
                to, 2, "Of %" PRIu32 " ranks that is the same as %" PRIu64 ".",
                plan->tasks, turn);
        }
        if (turn != 0 && !conf->shared) {
            say_table(to, plan);
        }
        say_1_9(to, plan);
    }
    list_shares(plan, line, sizeof(line));
    if (plan->nodes > 1 && line[0] != '\0') {
        tmk_explain_say(to, 2,
                        "Items that no rank of the node touched before, in "
                        "this launch: %s.",
                        line);
        say_best(to, plan);
    }
    if (conf->shared || conf->collective) {
        tmk_explain_say(to, 2, "%s",
                        conf->shared
                            ? "-S: all ranks visit the same files, whatever -N "
                              "says."
                            : "-c: the node of rank 0 has made everything, "
                              "whatever -N says.");
    }
}

/* ---- caches -------------------------------------------------------------- */

static bool any_stat(const struct tmk_mdtest_plan *plan)
{
    return plan->on[TMK_MDTEST_DIR_STAT] || plan->on[TMK_MDTEST_FILE_STAT];
}

/* Whether caches are emptied before each phase, and by what. */
static const char *emptied_by(const struct tmk_mdtest_conf *conf)
{
    if (conf->drop_caches != NULL) {
        return "--drop-caches";
    }
    return conf->remount != NULL ? "--remount" : NULL;
}

static void doubt_writing(FILE *to, const struct tmk_mdtest_plan *plan,
                          bool direct)
{
    const struct tmk_mdtest_conf *conf = plan->conf;

    if (!plan->on[TMK_MDTEST_FILE_CREATE] && !plan->on[TMK_MDTEST_DIR_CREATE]) {
        return;
    }
    if (conf->sync) {
        tmk_explain_point(to,
                          "Creation: -Y calls sync(2) on every rank within "
                          "each phase, so that what was made is written out.");
        return;
    }
    if (plan->on[TMK_MDTEST_FILE_CREATE] && conf->write_bytes != 0 &&
        !conf->fsync && !direct) {
        tmk_explain_point(to,
                          "File creation: the data need not have left the "
                          "node's memory when the clock stops (-y would call "
                          "fsync on each file).");
    }
    if (!(conf->fsync && conf->write_bytes != 0)) {
        tmk_explain_point(to,
                          "Creation: the clock stops when the calls have "
                          "returned.  Whether new names are on a disk by then "
                          "is up to the file system (-Y adds sync(2)).");
    }
}

static void doubt_visits(FILE *to, const struct tmk_mdtest_plan *plan)
{
    char line[LIST_SIZE];

    if (!any_stat(plan) && !plan->on[TMK_MDTEST_FILE_READ]) {
        return;
    }
    if (plan->nodes == 1) {
        tmk_explain_point(to,
                          "There is one node.  What is visited was made there%s"
                          ", and its memory may answer.  -N moves items from "
                          "rank to rank, but not out of the node.",
                          plan->creates ? " a moment before" : "");
        return;
    }
    if (plan->conf->shared || plan->conf->collective) {
        tmk_explain_point(to, "%s",
                          plan->conf->shared
                              ? "Every node visits all files (-S): after the "
                                "first of its ranks, its memory may answer."
                              : "The node of rank 0 made all names (-c): its "
                                "own ranks may be answered from its memory.");
        return;
    }
    list_shares(plan, line, sizeof(line));
    if (plan->owner.stride % plan->tasks == 0) {
        tmk_explain_point(
            to, "Every item is visited by the rank that made it, and the "
                "memory of its node may answer: then the rate is that of the "
                "node, not of the file system.");
        return;
    }
    tmk_explain_point(to,
                      "Items that the node has touched before may be answered "
                      "from its memory.  New to the node are: %s.",
                      line);
}

static void doubt_reading(FILE *to, const struct tmk_mdtest_plan *plan,
                          bool direct)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const double share = plan->foreign_share[TMK_MDTEST_FILE_READ];

    if (!plan->on[TMK_MDTEST_FILE_READ]) {
        return;
    }
    if (conf->read_bytes == 0) {
        tmk_explain_point(to, "File read: no data is read (no -e).");
    } else if (direct) {
        tmk_explain_point(to, "File read: data goes around the page cache "
                              "(O_DIRECT); names do not.");
    } else if (plan->nodes == 1 || share < 1.0) {
        tmk_explain_point(to,
                          "File read: the page cache of the node that wrote a "
                          "file may hold its data%s.",
                          plan->nodes > 1 && share > 0.0 ? ", for a part of "
                                                           "the files"
                                                         : "");
    }
}

/* Launches that only do a part. */
static void doubt_parts(FILE *to, const struct tmk_mdtest_plan *plan)
{
    if (!plan->creates && !plan->conf->shared) {
        tmk_explain_point(to,
                          "This launch creates nothing: it visits what one "
                          "with -C has left.  Whether caches still hold that "
                          "depends on what was done in between.%s",
                          plan->owner.stride % plan->tasks != 0
                              ? "  -N applies as in a whole launch: stat goes "
                                "one stride on, read two, removal three."
                              : "");
    }
}

void tmk_explain_mdtest_caches(FILE *to, const struct tmk_mdtest_plan *plan,
                               bool direct)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const char *emptied = emptied_by(conf);
    bool visits = any_stat(plan) || plan->on[TMK_MDTEST_FILE_READ];

    doubt_writing(to, plan, direct);
    if (emptied != NULL) {
        tmk_explain_point(to,
                          "%s runs on every node before each phase, outside of "
                          "its time: what nodes hold is gone, if it succeeds "
                          "(the result says).",
                          emptied);
    } else {
        doubt_visits(to, plan);
        doubt_reading(to, plan, direct);
        doubt_parts(to, plan);
    }
    if (visits) {
        tmk_explain_point(to,
                          "A server that is asked may answer from its own "
                          "memory: only more items than that holds, or time "
                          "and other work in between, change it.");
    }
    if (conf->iterations == 1) {
        tmk_explain_point(to, "One iteration (-i 1): its Std Dev of 0 says "
                              "nothing about how sure a rate is.");
    }
}

/* ---- flags --------------------------------------------------------------- */

size_t tmk_explain_mdtest_flags(FILE *to, const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    const struct tmk_explain_if rows[] = {
        {conf->no_barriers != 0,
         "-B: a flag, as in 1.9: no barriers between phases.  In 4.1 it takes "
         "the next word for its value and ends the run."},
        {conf->random.seeded,
         "-R with a number: the seed, as in 1.9.  4.1 ignores the number."},
        {conf->random_seed != 0 && !conf->random.on,
         "--random-seed without -R: one random order for all ranks."},
        {conf->time_unique != 0,
         "-t: changes nothing.  In 4.1 it leaves a barrier within the time of "
         "creation with -u."},
        {plan->loops > 1,
         "-n with -I: 4.1 counts -n items per rank, whatever the tree; 1.9 "
         "lets -I alone count."},
        {conf->shared != 0 && plan->removes,
         "-S: 4.1 counts a removal for every rank, although rank 0 alone "
         "removes; here each is counted once."},
        {conf->delay_s != 0,
         "-p: every rank sleeps before the directory tests and again before "
         "the file tests, outside of all times.  In 4.1 only rank 0 sleeps; "
         "the others wait in a barrier."},
        {conf->stonewall_s != 0 && conf->branch > 1,
         "-W with -b above 1: 4.1 refuses it."},
        {conf->stonewall_s != 0 && plan->on[TMK_MDTEST_DIR_CREATE],
         "-W stops the creation of directories, too.  4.1 reports wrong counts "
         "for them."},
        {conf->unique != 0 && plan->tasks > 1 && plan->trees > 1,
         "-u: tree rates count the directories of all trees.  4.1 divides one "
         "tree by the time of all."},
        {plan->on[TMK_MDTEST_FILE_READ] &&
             conf->semantics == TMK_MDTEST_AS_TREEMARK,
         "File read: files are opened read-only.  4.1 opens them for reading "
         "and writing (--as=mdtest-4.1 does so)."},
    };

    return tmk_explain_points(to, rows, sizeof(rows) / sizeof(rows[0]));
}
