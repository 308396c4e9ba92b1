/*
 * mdtest_plan: what was asked becomes what will be done.  Pure: all rounding,
 * defaults and contradictions are settled here.
 */
#include "bench/mdtest_plan.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/roots.h"
#include "base/why.h"
#include "bench/mdtest_check.h"

#define CREATION  TMK_ITEM_CREATION
#define ASCENDING TMK_ITEM_ASCENDING

const struct tmk_mdtest_phase_row tmk_mdtest_phase_rows[] = {
    [TMK_MDTEST_TREE_CREATE] = {"Tree creation", "tree creation",
                                "tree creation", TMK_MDTEST_TREE,
                                TMK_MDTEST_CREATE, 0, CREATION, false},
    [TMK_MDTEST_DIR_CREATE] = {"Directory creation", "directory creation",
                               "creation", TMK_MDTEST_DIRS, TMK_MDTEST_CREATE,
                               0, CREATION, false},
    [TMK_MDTEST_DIR_STAT] = {"Directory stat", "directory stat", "stat",
                             TMK_MDTEST_DIRS, TMK_MDTEST_STAT, 1, ASCENDING,
                             true},
    [TMK_MDTEST_DIR_RENAME] = {"Directory rename", "directory rename", "rename",
                               TMK_MDTEST_DIRS, TMK_MDTEST_RENAME, 1, ASCENDING,
                               false},
    [TMK_MDTEST_DIR_REMOVE] = {"Directory removal", "directory removal",
                               "removal", TMK_MDTEST_DIRS, TMK_MDTEST_REMOVE, 3,
                               CREATION, false},
    [TMK_MDTEST_FILE_CREATE] = {"File creation", "file creation", "creation",
                                TMK_MDTEST_FILES, TMK_MDTEST_CREATE, 0,
                                CREATION, false},
    [TMK_MDTEST_FILE_STAT] = {"File stat", "file stat", "stat",
                              TMK_MDTEST_FILES, TMK_MDTEST_STAT, 1, ASCENDING,
                              true},
    [TMK_MDTEST_FILE_READ] = {"File read", "file read", "read",
                              TMK_MDTEST_FILES, TMK_MDTEST_READ, 2, ASCENDING,
                              true},
    [TMK_MDTEST_FILE_REMOVE] = {"File removal", "file removal", "removal",
                                TMK_MDTEST_FILES, TMK_MDTEST_REMOVE, 3,
                                CREATION, false},
    [TMK_MDTEST_TREE_REMOVE] = {"Tree removal", "tree removal", "tree removal",
                                TMK_MDTEST_TREE, TMK_MDTEST_REMOVE, 0, CREATION,
                                false},
};
static_assert(sizeof(tmk_mdtest_phase_rows) /
                      sizeof(tmk_mdtest_phase_rows[0]) ==
                  TMK_MDTEST_PHASES,
              "a row per phase");

/* Counts above this overflow somewhere; nobody has such a file system. */
static const uint64_t most = UINT64_C(1) << 62;

/* a * b, or UINT64_MAX where that exceeds `most`. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;

    if (__builtin_mul_overflow(a, b, &product) || product > most) {
        return UINT64_MAX;
    }
    return product;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a > most || b > most || a + b > most ? UINT64_MAX : a + b;
}

bool tmk_mdtest_tests(const struct tmk_mdtest_conf *conf,
                      enum tmk_mdtest_target target)
{
    switch (target) {
    case TMK_MDTEST_DIRS:
        return !conf->shared && (conf->dirs_only || !conf->files_only);
    case TMK_MDTEST_FILES: return conf->files_only || !conf->dirs_only;
    default: return true;
    }
}

static bool tests_dirs(const struct tmk_mdtest_conf *conf)
{
    return tmk_mdtest_tests(conf, TMK_MDTEST_DIRS);
}

static bool tests_files(const struct tmk_mdtest_conf *conf)
{
    return tmk_mdtest_tests(conf, TMK_MDTEST_FILES);
}

/* Which of -C -T -U -E -r are in force: all of them if none is given. */
static void select_actions(const struct tmk_mdtest_conf *conf, bool *selected)
{
    const bool given[TMK_MDTEST_ACTIONS] = {
        [TMK_MDTEST_CREATE] = conf->create != 0,
        [TMK_MDTEST_STAT] = conf->stat != 0,
        [TMK_MDTEST_RENAME] = conf->rename != 0,
        [TMK_MDTEST_READ] = conf->read != 0,
        [TMK_MDTEST_REMOVE] = conf->remove != 0,
    };
    bool any = false;

    for (int a = 0; a < TMK_MDTEST_ACTIONS; a++) {
        any = any || given[a];
    }
    for (int a = 0; a < TMK_MDTEST_ACTIONS; a++) {
        selected[a] = given[a] || (!any && a < TMK_MDTEST_DEFAULT_ACTIONS);
    }
}

/* Items of each kind that one task renames in one chain. */
static uint64_t chain(const struct tmk_mdtest_plan *plan)
{
    return plan->items / plan->loops;
}

static int plan_phases(struct tmk_mdtest_plan *plan, char *why, size_t size)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    bool selected[TMK_MDTEST_ACTIONS];
    bool any = false;

    select_actions(conf, selected);
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        plan->on[i] =
            tmk_mdtest_tests(conf, row->target) && selected[row->action];
        if (row->action == TMK_MDTEST_RENAME && chain(plan) < 2) {
            plan->on[i] = false; /* as in the original */
        }
        any = any || plan->on[i];
    }
    plan->creates = selected[TMK_MDTEST_CREATE];
    plan->removes = selected[TMK_MDTEST_REMOVE];
    if (!any && conf->rename != 0 && tests_dirs(conf)) {
        return tmk_why(why, size,
                       "-U: nothing to rename: at least 2 directories per task "
                       "are needed (-n, -I)");
    }
    if (!any) {
        return tmk_why(why, size,
                       "nothing to do: the phases asked for (-C -T -E -r -U) "
                       "do not exist for %s",
                       tests_dirs(conf) ? "directories (-D)" : "files (-F)");
    }
    return 0;
}

/* Spec 1.8, with the items counted being the items created. */
static int plan_items(struct tmk_mdtest_plan *plan, char *why, size_t size)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    uint64_t dirs = conf->leaf_only ? plan->tree.leaves : plan->tree.dirs;

    plan->loops = 1;
    if (conf->items == 0 && conf->items_per_dir == 0 && conf->min_time_s == 0) {
        return tmk_why(why, size,
                       "nothing to do: give the items per task (-n) or per "
                       "directory (-I)");
    }
    if (conf->items != 0 && conf->items_per_dir != 0) {
        if (conf->unique) {
            return tmk_why(why, size,
                           "-n and -I: only one of them goes with -u");
        }
        if (conf->items % conf->items_per_dir != 0) {
            return tmk_why(why, size,
                           "-n: %" PRIu64 " is no multiple of -I %" PRIu64,
                           conf->items, conf->items_per_dir);
        }
        plan->loops = conf->items / conf->items_per_dir;
    }
    plan->per_dir = conf->items_per_dir;
    if (conf->items_per_dir == 0 && conf->items == 0) {
        plan->per_dir = 2; /* where --min-time begins; enough to rename */
    } else if (conf->items_per_dir == 0) {
        plan->per_dir = conf->items / dirs;
        if (plan->per_dir == 0) {
            return tmk_why(why, size,
                           "-n: %" PRIu64 " items are fewer than the %" PRIu64
                           " %s of the tree (-b, -z)",
                           conf->items, dirs,
                           conf->leaf_only ? "leaves" : "directories");
        }
    }
    plan->items = times(times(dirs, plan->per_dir), plan->loops);
    if (times(plan->items, plan->tasks) == UINT64_MAX ||
        times(times(plan->tree.dirs, plan->loops), plan->trees) == UINT64_MAX) {
        return tmk_why(why, size,
                       "-n, -I, -b, -z: more than 2^62 items or directories");
    }
    return 0;
}

static void plan_owner(struct tmk_mdtest_plan *plan,
                       const struct tmk_owner_map *map)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    enum tmk_owner_unit unit = TMK_OWNER_UNIT_AUTO;

    if (conf->stride.by_node) {
        unit = TMK_OWNER_UNIT_NODE;
    } else if (conf->stride_unit == TMK_MDTEST_STRIDE_RANK) {
        unit = TMK_OWNER_UNIT_RANK;
    }
    tmk_owner_init(&plan->owner, map, conf->stride.n, unit);
    plan->crosses_nodes =
        plan->nodes > 1 && (!conf->unique || conf->collective ||
                            plan->owner.stride % plan->tasks != 0);
}

/* Hop counts at which a phase's items were touched before, the creator's 0
 * first; returns how many, all different. */
static size_t earlier_hops(const struct tmk_mdtest_plan *plan,
                           enum tmk_mdtest_phase phase, unsigned *before)
{
    enum tmk_mdtest_target target = tmk_mdtest_phase_rows[phase].target;
    size_t n = 0;

    before[n++] = 0;
    for (int i = 0; i < (int)phase; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];
        bool known = row->target != target || !plan->on[i];

        for (size_t k = 0; k < n && !known; k++) {
            known = before[k] == row->hops;
        }
        if (!known) {
            before[n++] = row->hops;
        }
    }
    return n;
}

static double foreign_share(const struct tmk_mdtest_plan *plan,
                            const struct tmk_owner *owner,
                            enum tmk_mdtest_phase phase)
{
    unsigned before[TMK_MDTEST_PHASES];
    size_t n = earlier_hops(plan, phase, before);

    return tmk_owner_foreign_share(owner, tmk_mdtest_phase_rows[phase].hops,
                                   before, n);
}

static void plan_shares(struct tmk_mdtest_plan *plan)
{
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        plan->foreign_share[i] = -1.0;
        /* With -S and -c it is not ranks by turns who touch an item. */
        if (plan->on[i] && tmk_mdtest_phase_rows[i].hops != 0 &&
            !plan->conf->shared && !plan->conf->collective) {
            plan->foreign_share[i] =
                foreign_share(plan, &plan->owner, (enum tmk_mdtest_phase)i);
        }
    }
}

static void plan_totals(struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    uint64_t items = times(plan->items, plan->tasks);
    uint64_t dirs = times(times(plan->tree.dirs, plan->loops), plan->trees);
    uint64_t distinct = conf->shared ? plan->items : items;
    uint64_t rounds = plan->removes ? 1 : (uint64_t)conf->iterations;
    uint64_t kinds = 1;

    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        plan->operations[i] = 0;
        if (plan->on[i]) {
            plan->operations[i] =
                row->action == TMK_MDTEST_REMOVE ? distinct : items;
        }
        if (plan->on[i] && row->target == TMK_MDTEST_TREE) {
            plan->operations[i] = dirs;
        }
    }
    plan->distinct = distinct;
    if (!plan->creates) {
        return;
    }
    if (!plan->removes && tests_dirs(conf) && tests_files(conf)) {
        kinds = 2; /* they stay side by side */
    }
    plan->inodes =
        times(plus(times(distinct, kinds), plus(dirs, plan->loops)), rounds);
    if (tests_files(conf)) {
        plan->bytes = times(times(distinct, conf->write_bytes), rounds);
    }
}

int64_t tmk_mdtest_plan_root(const char *dir, uint64_t k, char *buf,
                             size_t size)
{
    return tmk_roots_get(dir[0] != '\0' ? dir : ".", "@\n", k, buf, size);
}

void tmk_mdtest_plan_settle(struct tmk_mdtest_plan *plan, uint32_t rank)
{
    assert(plan->roots > 0);
    (void)tmk_mdtest_plan_root(plan->conf->dir, rank % plan->roots,
                               plan->root_text, sizeof(plan->root_text));
    plan->root = plan->root_text;
}

/* The longest path of all: of the last rank, iteration and item. */
static int plan_paths(struct tmk_mdtest_plan *plan, char *why, size_t size)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    /* "dir.mdtest.0.0-XX" is longer than "file.mdtest.0.0", which is shorter
     * than "file.mdtest.shared.0". */
    enum tmk_mdtest_phase phase =
        conf->shared ? TMK_MDTEST_FILE_CREATE : TMK_MDTEST_DIR_CREATE;
    struct tmk_item_set set =
        tmk_mdtest_plan_set(plan, phase, plan->tasks - 1,
                            (uint64_t)conf->iterations - 1, plan->items);

    set.owner = plan->tasks - 1;
    set.tree_owner = plan->tasks - 1;
    for (uint64_t i = 0; i < plan->roots; i++) {
        size_t longest;

        tmk_mdtest_plan_settle(plan, (uint32_t)i);
        longest = tmk_item_longest(&set);
        if (longest > plan->longest_path) {
            plan->longest_path = longest;
        }
    }
    tmk_mdtest_plan_settle(plan, 0);
    if (plan->longest_path > TMK_ITEM_PATH_SIZE) {
        return tmk_why(why, size,
                       "-d, -z: paths would be longer than the %d bytes that "
                       "the system allows",
                       TMK_ITEM_PATH_SIZE);
    }
    return 0;
}

int tmk_mdtest_plan_make(const struct tmk_mdtest_conf *conf,
                         const struct tmk_owner_map *map,
                         struct tmk_mdtest_plan *plan, char *why,
                         size_t why_size)
{
    bool selected[TMK_MDTEST_ACTIONS];
    int err;

    select_actions(conf, selected);
    err = tmk_mdtest_check_conf(conf, selected, why, why_size);
    if (err != 0) {
        return err;
    }
    *plan = (struct tmk_mdtest_plan){
        .conf = conf,
        .tasks = map->ranks,
        .nodes = map->nodes,
        .trees = conf->unique ? map->ranks : 1,
        .shuffled = conf->random.on || conf->random_seed != 0,
    };
    plan->makers = plan->trees;
    if (conf->collective || !conf->unique) {
        plan->makers = conf->tree_mode == TMK_MDTEST_TREE_PARALLEL ? 0 : 1;
    }
    err = tmk_mdtest_check_roots(plan, why, why_size);
    if (err != 0) {
        return err;
    }
    tmk_mdtest_plan_settle(plan, 0);
    err = tmk_tree_init(&plan->tree, conf->branch, conf->depth);
    if (err == -EINVAL) {
        return tmk_why(why, why_size,
                       "-b: 0 branches make no tree of depth %" PRIu64 " (-z)",
                       conf->depth);
    }
    if (err != 0) {
        return tmk_why(why, why_size,
                       "-z, -b: a tree of depth %" PRIu64 " and branching "
                       "factor %" PRIu64 " is too deep or too large",
                       conf->depth, conf->branch);
    }
    err = plan_items(plan, why, why_size);
    if (err == 0) {
        err = plan_phases(plan, why, why_size);
    }
    if (err != 0) {
        return err;
    }
    plan_owner(plan, map);
    plan_shares(plan);
    plan_totals(plan);
    return plan_paths(plan, why, why_size);
}

uint64_t tmk_mdtest_plan_rounded(const struct tmk_mdtest_plan *plan)
{
    const struct tmk_mdtest_conf *conf = plan->conf;

    return conf->items_per_dir == 0 && conf->items != 0
               ? conf->items - plan->items
               : 0;
}

struct tmk_item_set tmk_mdtest_plan_set(const struct tmk_mdtest_plan *plan,
                                        enum tmk_mdtest_phase phase,
                                        uint32_t rank, uint64_t iteration,
                                        uint64_t made)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[phase];

    enum tmk_names_kind kind = TMK_NAMES_DIR;

    if (row->target == TMK_MDTEST_FILES) {
        kind = plan->conf->shared ? TMK_NAMES_FILE_SHARED : TMK_NAMES_FILE;
    }
    /* The items of owner x lie in tree x + N: one hop further than the owner
     * (spec 4.2). */
    return (struct tmk_item_set){
        .root = plan->root,
        .iteration = iteration,
        .loops = plan->loops,
        .tree = &plan->tree,
        .leaf_only = plan->conf->leaf_only != 0,
        .unique = plan->conf->unique != 0,
        .tree_owner = row->target == TMK_MDTEST_TREE
                          ? rank
                          : tmk_owner_of(&plan->owner, rank, row->hops + 1),
        .kind = kind,
        .owner = tmk_owner_of(&plan->owner, rank, row->hops),
        .per_dir = plan->per_dir,
        .made = made,
    };
}

double tmk_mdtest_plan_best_stride(const struct tmk_mdtest_plan *plan,
                                   enum tmk_mdtest_phase phase, char *buf,
                                   size_t size)
{
    enum { CANDIDATES = 32 };
    const struct tmk_owner_map *map = plan->owner.map;
    const bool ranks = plan->conf->stride_unit == TMK_MDTEST_STRIDE_RANK;
    enum tmk_owner_unit unit =
        ranks ? TMK_OWNER_UNIT_RANK : TMK_OWNER_UNIT_AUTO;
    uint32_t step = ranks ? map->first_node_ranks : 1;
    double best = -1.0;
    uint32_t last = plan->nodes > 1 ? plan->nodes - 1 : 1;

    if (last > CANDIDATES) {
        last = CANDIDATES;
    }
    for (uint32_t i = 1; i <= last + 1; i++) {
        bool by_node = i == last + 1;
        /* -N as it would be given: in nodes, or in ranks if those count. */
        uint32_t n = by_node ? 1 : i * step;
        struct tmk_owner owner;
        double share;

        tmk_owner_init(&owner, map, n, by_node ? TMK_OWNER_UNIT_NODE : unit);
        share = foreign_share(plan, &owner, phase);
        if (share > best) {
            best = share;
            (void)snprintf(buf, size, by_node ? "node" : "%" PRIu32, n);
        }
    }
    return best;
}

/* Whether so many hops from one of before[] are whole rounds of the nodes. */
static bool meets(unsigned hops, const unsigned *before, size_t n,
                  unsigned nodes)
{
    for (size_t i = 0; i < n; i++) {
        unsigned apart = hops > before[i] ? hops - before[i] : before[i] - hops;

        if (apart % nodes == 0) {
            return true;
        }
    }
    return false;
}

unsigned tmk_mdtest_plan_nodes_needed(const struct tmk_mdtest_plan *plan,
                                      enum tmk_mdtest_phase phase)
{
    unsigned hops = tmk_mdtest_phase_rows[phase].hops;
    unsigned before[TMK_MDTEST_PHASES];
    size_t n = earlier_hops(plan, phase, before);
    unsigned nodes = 2;

    if (meets(hops, before, n, UINT_MAX)) {
        return 0;
    }
    while (meets(hops, before, n, nodes)) {
        nodes++;
    }
    return nodes;
}

bool tmk_mdtest_plan_rotates_onto_itself(const struct tmk_mdtest_plan *plan)
{
    if (plan->conf->stride.n == 0 || plan->tasks < 2) {
        return false;
    }
    if (plan->nodes == 1) {
        return plan->owner.stride % plan->tasks == 0;
    }
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        if (plan->foreign_share[i] >= 0.0 && plan->foreign_share[i] < 1.0 &&
            tmk_mdtest_plan_nodes_needed(plan, (enum tmk_mdtest_phase)i) != 0) {
            return true;
        }
    }
    return false;
}
