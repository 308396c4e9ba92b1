#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_plan.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A conf with defaults but for what is said. */
#define CONF(...) CONF_WITH(1, 1, "out", __VA_ARGS__)
#define CONF_WITH(b, i, d, ...)                                                \
    {                                                                          \
        .branch = (b), .iterations = (i), .dir = (d), .first = 1, .step = 1,   \
        __VA_ARGS__                                                            \
    }

enum {
    RANKS_MAX = 64,
    WHY_SIZE = 256,
    CREATE = 1 << TMK_MDTEST_CREATE,
    STAT = 1 << TMK_MDTEST_STAT,
    RENAME = 1 << TMK_MDTEST_RENAME,
    READ = 1 << TMK_MDTEST_READ,
    REMOVE = 1 << TMK_MDTEST_REMOVE,
};

/* A map with arrays of its own. */
struct machine {
    struct tmk_owner_map map;
    uint32_t node[RANKS_MAX], at[RANKS_MAX], place[RANKS_MAX];
};

/* Nodes filled one after the other, or dealt in turn. */
static void machine_init(struct machine *m, uint32_t nodes, uint32_t per_node,
                         bool cyclic)
{
    uint32_t ranks = nodes * per_node;

    assert_true(ranks <= RANKS_MAX);
    tmk_owner_block_nodes(m->node, nodes, per_node);
    for (uint32_t rank = 0; cyclic && rank < ranks; rank++) {
        m->node[rank] = rank % nodes;
    }
    assert_int_equal(
        tmk_owner_map_init(&m->map, ranks, m->node, m->at, m->place), 0);
}

/* -C -T -U -E -r as bits. */
static void select_phases(struct tmk_mdtest_conf *conf, unsigned actions)
{
    conf->create = (actions & CREATE) != 0;
    conf->stat = (actions & STAT) != 0;
    conf->rename = (actions & RENAME) != 0;
    conf->read = (actions & READ) != 0;
    conf->remove = (actions & REMOVE) != 0;
}

static void plan_well(const struct tmk_mdtest_conf *conf,
                      const struct machine *m, struct tmk_mdtest_plan *plan)
{
    char why[WHY_SIZE] = "";

    if (tmk_mdtest_plan_make(conf, &m->map, plan, why, sizeof(why)) != 0) {
        fail_msg("refused: %s", why);
    }
}

/* A file test of 8 items per task with -N n or -N node. */
static struct tmk_mdtest_conf rotating(uint64_t n, bool by_node)
{
    return (struct tmk_mdtest_conf)CONF(.items = 8, .stride = {n, by_node});
}

static void every_phase_has_a_row(void **state)
{
    static const struct {
        const char *name;
        enum tmk_mdtest_target target;
        enum tmk_mdtest_action action;
        unsigned hops;
        enum tmk_item_order order;
        bool shuffles;
    } rows[] = {
        [TMK_MDTEST_TREE_CREATE] = {"Tree creation", TMK_MDTEST_TREE,
                                    TMK_MDTEST_CREATE, 0, TMK_ITEM_CREATION,
                                    false},
        [TMK_MDTEST_DIR_CREATE] = {"Directory creation", TMK_MDTEST_DIRS,
                                   TMK_MDTEST_CREATE, 0, TMK_ITEM_CREATION,
                                   false},
        [TMK_MDTEST_DIR_STAT] = {"Directory stat", TMK_MDTEST_DIRS,
                                 TMK_MDTEST_STAT, 1, TMK_ITEM_ASCENDING, true},
        [TMK_MDTEST_DIR_RENAME] = {"Directory rename", TMK_MDTEST_DIRS,
                                   TMK_MDTEST_RENAME, 1, TMK_ITEM_ASCENDING,
                                   false},
        [TMK_MDTEST_DIR_REMOVE] = {"Directory removal", TMK_MDTEST_DIRS,
                                   TMK_MDTEST_REMOVE, 3, TMK_ITEM_CREATION,
                                   false},
        [TMK_MDTEST_FILE_CREATE] = {"File creation", TMK_MDTEST_FILES,
                                    TMK_MDTEST_CREATE, 0, TMK_ITEM_CREATION,
                                    false},
        [TMK_MDTEST_FILE_STAT] = {"File stat", TMK_MDTEST_FILES,
                                  TMK_MDTEST_STAT, 1, TMK_ITEM_ASCENDING, true},
        [TMK_MDTEST_FILE_READ] = {"File read", TMK_MDTEST_FILES,
                                  TMK_MDTEST_READ, 2, TMK_ITEM_ASCENDING, true},
        [TMK_MDTEST_FILE_REMOVE] = {"File removal", TMK_MDTEST_FILES,
                                    TMK_MDTEST_REMOVE, 3, TMK_ITEM_CREATION,
                                    false},
        [TMK_MDTEST_TREE_REMOVE] = {"Tree removal", TMK_MDTEST_TREE,
                                    TMK_MDTEST_REMOVE, 0, TMK_ITEM_CREATION,
                                    false},
    };

    (void)state;
    assert_int_equal(COUNT(rows), TMK_MDTEST_PHASES);
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[i];

        assert_non_null(row->name);
        assert_non_null(row->action_name);
        assert_string_equal(row->name, rows[i].name);
        assert_int_equal(row->target, rows[i].target);
        assert_int_equal(row->action, rows[i].action);
        assert_int_equal(row->hops, rows[i].hops);
        assert_int_equal(row->order, rows[i].order);
        assert_int_equal(row->shuffles, rows[i].shuffles);
    }
}

/*
 * Items.
 */

static void items_are_counted_as_they_are_created(void **state)
{
    static const struct {
        uint64_t b, z;
        unsigned leaf_only;
        uint64_t n, per_dir; /* -n, -I */
        uint64_t loops, q, items, rounded;
    } rows[] = {
        /* only -n */
        {1, 0, 0, 10, 0, 1, 10, 10, 0},
        {0, 0, 0, 10, 0, 1, 10, 10, 0},
        {9, 0, 0, 10, 0, 1, 10, 10, 0},
        {1, 3, 0, 10, 0, 1, 2, 8, 2},
        {2, 2, 0, 7, 0, 1, 1, 7, 0},
        {2, 2, 0, 20, 0, 1, 2, 14, 6},
        {2, 1, 0, 3, 0, 1, 1, 3, 0},
        {10, 2, 0, 1000, 0, 1, 9, 999, 1},
        /* only -n, in leaves */
        {2, 2, 1, 4, 0, 1, 1, 4, 0},
        {2, 2, 1, 15, 0, 1, 3, 12, 3},
        {3, 2, 1, 10, 0, 1, 1, 9, 1},
        {1, 3, 1, 10, 0, 1, 10, 10, 0},
        {0, 0, 1, 10, 0, 1, 10, 10, 0},
        {5, 0, 1, 10, 0, 1, 10, 10, 0},
        /* only -I */
        {1, 0, 0, 0, 5, 1, 5, 5, 0},
        {2, 2, 0, 0, 5, 1, 5, 35, 0},
        {1, 3, 0, 0, 5, 1, 5, 20, 0},
        {2, 2, 1, 0, 5, 1, 5, 20, 0},
        {1, 3, 1, 0, 5, 1, 5, 5, 0},
        /* both: n / I test directories, loops * I * directories items */
        {1, 0, 0, 12, 3, 4, 3, 12, 0},
        {1, 0, 0, 12, 12, 1, 12, 12, 0},
        {2, 1, 0, 12, 3, 4, 3, 36, 0},
        {2, 2, 0, 12, 4, 3, 4, 84, 0},
        {2, 2, 1, 12, 4, 3, 4, 48, 0},
        {1, 2, 1, 12, 4, 3, 4, 12, 0},
        {2, 2, 0, 3, 1, 3, 1, 21, 0},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 1, 3, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            CONF(.depth = rows[i].z, .leaf_only = rows[i].leaf_only,
                 .items = rows[i].n, .items_per_dir = rows[i].per_dir);
        struct tmk_mdtest_plan plan;

        conf.branch = rows[i].b;
        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.loops, rows[i].loops);
        assert_int_equal(plan.per_dir, rows[i].q);
        assert_int_equal(plan.items, rows[i].items);
        assert_int_equal(tmk_mdtest_plan_rounded(&plan), rows[i].rounded);
        assert_int_equal(plan.operations[TMK_MDTEST_FILE_STAT],
                         3 * rows[i].items);
        assert_int_equal(plan.operations[TMK_MDTEST_DIR_REMOVE],
                         3 * rows[i].items);
        assert_int_equal(plan.operations[TMK_MDTEST_TREE_CREATE],
                         plan.tree.dirs * rows[i].loops);
    }
}

/* Two in each directory: enough for a chain of renames. */
static void without_a_number_min_time_begins_with_few_items(void **state)
{
    static const struct {
        uint64_t depth;
        unsigned leaf_only;
        uint64_t items;
    } rows[] = {{0, 0, 2}, {2, 0, 14}, {2, 1, 8}};
    struct machine m;

    (void)state;
    machine_init(&m, 1, 3, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            CONF_WITH(2, 1, "out", .depth = rows[i].depth,
                      .leaf_only = rows[i].leaf_only, .min_time_s = 1);
        struct tmk_mdtest_plan plan;

        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.items, rows[i].items);
        assert_int_equal(plan.per_dir, 2);
        assert_int_equal(plan.loops, 1);
        assert_int_equal(tmk_mdtest_plan_rounded(&plan), 0);
        assert_true(plan.on[TMK_MDTEST_DIR_RENAME]);
        conf.items = 15;
        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.items + tmk_mdtest_plan_rounded(&plan), 15);
    }
}

/* With -S all tasks use the same files; with -c rank 0 makes those of all. */
static void
operations_are_counted_for_shared_and_for_collective_files(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        uint64_t distinct, inodes, bytes;
        uint64_t dir_create, create, stat, read, remove;
    } rows[] = {
        {CONF(.items = 6, .write_bytes = 10), 24, 26, 240, 24, 24, 24, 24, 24},
        {CONF(.items = 6, .write_bytes = 10, .shared = 1), 6, 8, 60, 0, 24, 24,
         24, 6},
        {CONF(.items = 6, .write_bytes = 10, .shared = 1, .create = 1), 6, 8,
         60, 0, 24, 0, 0, 0},
        {CONF(.items = 6, .items_per_dir = 3, .depth = 1, .write_bytes = 10,
              .shared = 1),
         12, 12 + 4 + 2, 120, 0, 48, 48, 48, 12},
        {CONF(.items = 6, .write_bytes = 10, .collective = 1), 24, 26, 240, 24,
         24, 24, 24, 24},
        {CONF(.items = 6, .files_only = 1, .collective = 1, .unique = 1), 24,
         24 + 4 + 1, 0, 0, 24, 24, 24, 24},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_plan plan;

        plan_well(&rows[i].conf, &m, &plan);
        assert_int_equal(plan.distinct, rows[i].distinct);
        assert_int_equal(plan.inodes, rows[i].inodes);
        assert_int_equal(plan.bytes, rows[i].bytes);
        assert_int_equal(plan.operations[TMK_MDTEST_DIR_CREATE],
                         rows[i].dir_create);
        assert_int_equal(plan.operations[TMK_MDTEST_DIR_REMOVE],
                         rows[i].dir_create);
        assert_int_equal(plan.operations[TMK_MDTEST_FILE_CREATE],
                         rows[i].create);
        assert_int_equal(plan.operations[TMK_MDTEST_FILE_STAT], rows[i].stat);
        assert_int_equal(plan.operations[TMK_MDTEST_FILE_READ], rows[i].read);
        assert_int_equal(plan.operations[TMK_MDTEST_FILE_REMOVE],
                         rows[i].remove);
    }
}

static void trees_are_made_by_each_rank_by_one_or_by_all(void **state)
{
    enum { TASKS = 6 };
    static const struct {
        unsigned unique, collective;
        int tree_mode;
        uint64_t trees, makers;
    } rows[] = {
        {0, 0, TMK_MDTEST_TREE_SERIAL, 1, 1},
        {0, 1, TMK_MDTEST_TREE_SERIAL, 1, 1},
        {1, 0, TMK_MDTEST_TREE_SERIAL, TASKS, TASKS},
        {1, 1, TMK_MDTEST_TREE_SERIAL, TASKS, 1},
        {0, 0, TMK_MDTEST_TREE_PARALLEL, 1, 0},
        {0, 1, TMK_MDTEST_TREE_PARALLEL, 1, 0},
        {1, 0, TMK_MDTEST_TREE_PARALLEL, TASKS, TASKS}, /* that is even */
        {1, 1, TMK_MDTEST_TREE_PARALLEL, TASKS, 0},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, TASKS / 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf = CONF(.items = 6, .unique = rows[i].unique,
                                           .collective = rows[i].collective,
                                           .tree_mode = rows[i].tree_mode);
        struct tmk_mdtest_plan plan;

        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.trees, rows[i].trees);
        assert_int_equal(plan.makers, rows[i].makers);
    }
}

static void the_items_of_a_set_are_those_of_the_plan(void **state)
{
    static const struct tmk_mdtest_conf confs[] = {
        CONF(.items = 10),
        CONF(.items = 20, .depth = 2),
        CONF(.items_per_dir = 3, .depth = 2, .unique = 1),
        CONF(.items = 6, .items_per_dir = 3, .depth = 1),
        CONF(.items = 6, .items_per_dir = 2, .depth = 3, .leaf_only = 1),
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 2, false);
    for (size_t i = 0; i < COUNT(confs); i++) {
        struct tmk_mdtest_plan plan;
        struct tmk_item_set set;

        plan_well(&confs[i], &m, &plan);
        set = tmk_mdtest_plan_set(&plan, TMK_MDTEST_FILE_CREATE, 1, 0,
                                  plan.items);
        assert_int_equal(tmk_item_slots(&set), plan.items);
    }
}

static void operations_add_up_over_tasks_trees_and_loops(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        uint64_t trees, tree_operations, item_operations;
    } rows[] = {
        {CONF(.items = 9), 1, 1, 36},
        {CONF(.items = 9, .depth = 2), 1, 3, 36},
        {CONF(.items = 9, .depth = 2, .unique = 1), 4, 12, 36},
        {CONF(.items = 9, .items_per_dir = 3, .depth = 2), 1, 9, 108},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_plan plan;

        plan_well(&rows[i].conf, &m, &plan);
        assert_int_equal(plan.tasks, 4);
        assert_int_equal(plan.nodes, 2);
        assert_int_equal(plan.trees, rows[i].trees);
        for (int p = 0; p < TMK_MDTEST_PHASES; p++) {
            bool tree = tmk_mdtest_phase_rows[p].target == TMK_MDTEST_TREE;

            assert_true(plan.on[p]);
            assert_int_equal(plan.operations[p], tree
                                                     ? rows[i].tree_operations
                                                     : rows[i].item_operations);
        }
    }
}

/*
 * Refusals.
 */

static void nonsense_is_refused_with_the_option_named(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        const char *option; /* all of these words are in the reason */
        const char *also;
    } rows[] = {
        {CONF(.dirs_only = 1), "-n", "-I"}, /* neither of them */
        {CONF(.items = 12, .items_per_dir = 5), "-n", "-I"},
        {CONF(.items = 3, .items_per_dir = 12), "-n", "-I"},
        {CONF(.items = 12, .items_per_dir = 3, .unique = 1), "-n", "-u"},
        {CONF(.items = 3, .depth = 3), "-n", "4 directories"},
        {CONF_WITH(2, 1, "x", .depth = 2, .items = 6), "-n", "7 directories"},
        {CONF_WITH(2, 1, "x", .depth = 2, .items = 3, .leaf_only = 1), "-n",
         "4 leaves"},
        {CONF_WITH(0, 1, "x", .depth = 1, .items = 6), "-b", "-z"},
        {CONF(.items = 1000, .depth = 321), "-z", "321"},
        {CONF(.items = 1000, .depth = UINT64_C(1) << 62), "-z", ""},
        {CONF_WITH(3, 1, "x", .depth = 60, .items = 9), "-b", "-z"},
        {CONF(.items = UINT64_C(1) << 62), "-n", "2^62"},
        {CONF(.items_per_dir = (UINT64_C(1) << 61) + 1), "-I", "2^62"},
        {CONF(.items = UINT64_C(1) << 62, .items_per_dir = 1), "-n", "2^62"},
        {CONF(.items_per_dir = UINT64_C(1) << 62, .depth = 9), "-I", "2^62"},
        {CONF_WITH(1, 1, "a@b", .items = 8), "-d", ""},
        {CONF_WITH(1, 1, "@", .items = 8), "-d", ""},
        {CONF_WITH(1, 1, "a\nb", .items = 8), "-d", ""},
        {CONF(.items = 8, .read_bytes = 4, .write_bytes = 3), "-e", "-w"},
        {CONF(.items = 8, .read_bytes = 4, .create = 1, .read = 1), "-e", "-w"},
        {CONF(.items = 8, .random = {true, true, 5}, .random_seed = 6),
         "--random-seed", "-R5"},
        {CONF(.items = 8, .stride = {1, true},
              .stride_unit = TMK_MDTEST_STRIDE_RANK),
         "--stride-unit", "-N"},
        {CONF(.items = 8, .nodes = 2), "--nodes", "--dry-run"},
        {CONF(.items = 8, .ppn = 2), "--ppn", "--dry-run"},
        {CONF(.items = 8, .dirs_only = 1, .read = 1), "-E", "-D"},
        {CONF(.items = 8, .files_only = 1, .rename = 1), "-U", "-F"},
        {CONF(.items = 1, .rename = 1), "-U", "2 directories"},
        {CONF(.items = 1, .dirs_only = 1, .rename = 1), "-U", "-n"},
        {CONF(.items = 1, .dirs_only = 1, .rename = 1, .read = 1), "-U", "-n"},
        {CONF(.items = 4, .items_per_dir = 1, .rename = 1), "-U", "-I"},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_plan plan;
        char why[WHY_SIZE] = "";
        int err = tmk_mdtest_plan_make(&rows[i].conf, &m.map, &plan, why,
                                       sizeof(why));

        if (err != -EINVAL || strstr(why, rows[i].option) == NULL ||
            strstr(why, rows[i].also) == NULL) {
            fail_msg("row %zu (%s): %d, \"%s\"", i, rows[i].option, err, why);
        }
        assert_null(strchr(why, '\n'));
    }
}

static void a_directory_in_a_reason_stays_on_one_line(void **state)
{
    const char *dir = "x@\033]0;x\ay@\033]0;x\ay";
    struct tmk_mdtest_conf conf = CONF_WITH(1, 1, dir, .items = 8, .unique = 1);
    struct tmk_mdtest_plan plan;
    struct machine m;
    char why[WHY_SIZE];

    (void)state;
    machine_init(&m, 1, 4, false);
    assert_int_equal(
        tmk_mdtest_plan_make(&conf, &m.map, &plan, why, sizeof(why)), -EINVAL);
    assert_string_equal(why, "-d: '?]0;x?y' is named twice");
}

static void what_is_unusual_but_right_is_not_refused(void **state)
{
    static const struct tmk_mdtest_conf confs[] = {
        CONF(.items = 1),
        CONF(.items = 4, .depth = 3),
        CONF(.items = 8, .dirs_only = 1, .files_only = 1),
        CONF(.items = 8, .read_bytes = 4, .write_bytes = 4),
        /* Files of another launch may be longer ... */
        CONF(.items = 8, .read_bytes = 4, .read = 1),
        CONF(.items = 8, .read_bytes = 4, .create = 1),
        /* ... and directories have no bytes. */
        CONF(.items = 8, .read_bytes = 4, .dirs_only = 1),
        CONF(.items = 8, .random = {true, true, 5}, .random_seed = 5),
        CONF(.items = 8, .random = {.on = true}, .random_seed = 5),
        CONF(.items = 8, .random = {true, true, 5}),
        CONF(.items = 8, .stride = {1, true}),
        CONF(.items = 8, .stride = {1, false},
             .stride_unit = TMK_MDTEST_STRIDE_RANK),
        CONF(.items = 8, .dry_run = 1, .nodes = 2, .ppn = 2),
        CONF_WITH(1, 1, "", .items = 8),
        CONF_WITH(1, 1, "", .items = 320, .depth = 200),
        CONF(.items = (UINT64_C(1) << 61)),
        /* One item cannot be renamed: the rest is done. */
        CONF(.items = 1, .rename = 1, .stat = 1),
        CONF(.items = 1, .dirs_only = 1, .rename = 1, .remove = 1),
    };
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    for (size_t i = 0; i < COUNT(confs); i++) {
        struct tmk_mdtest_plan plan;

        plan_well(&confs[i], &m, &plan);
        assert_int_equal(tmk_mdtest_plan_rounded(&plan),
                         confs[i].depth == 200 ? 119 : 0);
    }
}

static void no_directory_means_the_current_one(void **state)
{
    struct tmk_mdtest_conf conf = CONF_WITH(1, 1, "", .items = 8);
    struct tmk_mdtest_plan plan;
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    plan_well(&conf, &m, &plan);
    assert_string_equal(plan.root, ".");
    conf.dir = "a/b";
    plan_well(&conf, &m, &plan);
    assert_string_equal(plan.root, "a/b");
}

/*
 * Several directories.
 */

static void a_list_of_directories_is_cut_at_each_separator(void **state)
{
    enum { SHOWN = 4 };
    static const struct {
        const char *dir;
        int64_t n;
        const char *names[SHOWN];
    } rows[] = {
        {"", 1, {"."}},
        {"a", 1, {"a"}},
        {"a@b", 2, {"a", "b"}},
        {"a\nb", 2, {"a", "b"}},
        {"/x/y@z@.\n..", 4, {"/x/y", "z", ".", ".."}},
        {"a\\@b", 1, {"a@b"}},
        {"\\@", 1, {"@"}},
        {"\\@@\\@", 2, {"@", "@"}},
        {"a\\@@b", 2, {"a@", "b"}},
        {"a@\\@b", 2, {"a", "@b"}},
        /* A backslash is one otherwise. */
        {"a\\b", 1, {"a\\b"}},
        {"a\\", 1, {"a\\"}},
        {"a\\\\@b", 1, {"a\\@b"}},
        {"a\\\nb", 2, {"a\\", "b"}},
        /* No name of several may be empty. */
        {"@", -EINVAL, {"", ""}},
        {"\n", -EINVAL, {"", ""}},
        {"a@", -EINVAL, {"a", ""}},
        {"@b", -EINVAL, {"", "b"}},
        {"a@@b", -EINVAL, {"a", "", "b"}},
        {"a\n@b", -EINVAL, {"a", "", "b"}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (uint64_t k = 0; k < SHOWN; k++) {
            char name[16] = "untouched";
            int64_t n =
                tmk_mdtest_plan_root(rows[i].dir, k, name, sizeof(name));
            const char *want = rows[i].names[k];

            if (n != rows[i].n ||
                strcmp(name, want != NULL ? want : "untouched") != 0) {
                fail_msg("row %zu, number %ju: %jd, \"%s\"", i, (uintmax_t)k,
                         (intmax_t)n, name);
            }
        }
    }
}

static void a_name_that_does_not_fit_is_cut_and_refused(void **state)
{
    static const struct {
        const char *dir;
        uint64_t k;
        size_t size;
        int64_t n;
        const char *name;
    } rows[] = {
        {"abcd", 0, 5, 1, "abcd"},
        {"abcd", 0, 4, -ENAMETOOLONG, "abc"},
        {"abcd", 0, 1, -ENAMETOOLONG, ""},
        {"a\\@cd", 0, 5, 1, "a@cd"},
        {"a\\@cd", 0, 3, -ENAMETOOLONG, "a@"},
        /* Others may be as long as they like. */
        {"abcdefgh@b", 1, 3, 2, "b"},
        {"a@bcdefgh", 0, 3, 2, "a"},
        {"a@bcdefgh", 1, 3, -ENAMETOOLONG, "bc"},
        {"abcdefgh@b", 0, 3, -ENAMETOOLONG, "ab"},
        {"abcdefgh@", 0, 3, -EINVAL, "ab"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char name[8] = "1234567";

        assert_int_equal(
            tmk_mdtest_plan_root(rows[i].dir, rows[i].k, name, rows[i].size),
            rows[i].n);
        assert_string_equal(name, rows[i].name);
        assert_int_equal(name[rows[i].size],
                         (const char[]){"1234567"}[rows[i].size]);
    }
}

static void ranks_take_directories_in_turn(void **state)
{
    static const char *const roots[] = {"a", "b@c", "/long/d"};
    struct tmk_mdtest_conf conf =
        CONF_WITH(1, 1, "a@b\\@c\n/long/d", .items = 8, .unique = 1);
    struct tmk_mdtest_plan plan;
    struct machine m;

    (void)state;
    machine_init(&m, 1, 8, false);
    plan_well(&conf, &m, &plan);
    assert_int_equal(plan.roots, COUNT(roots));
    assert_string_equal(plan.root, "a");
    for (uint32_t rank = 0; rank < 8; rank++) {
        struct tmk_item_set set;

        tmk_mdtest_plan_settle(&plan, rank);
        assert_string_equal(plan.root, roots[rank % COUNT(roots)]);
        set = tmk_mdtest_plan_set(&plan, TMK_MDTEST_FILE_CREATE, rank, 0, 8);
        assert_string_equal(set.root, roots[rank % COUNT(roots)]);
    }
}

static void a_reason_is_cut_where_there_is_no_room(void **state)
{
    static const struct tmk_mdtest_conf conf = CONF(.dirs_only = 1);
    struct tmk_mdtest_plan plan;
    struct machine m;
    char why[9];

    (void)state;
    machine_init(&m, 1, 2, false);
    assert_int_equal(tmk_mdtest_plan_make(&conf, &m.map, &plan, why, 9),
                     -EINVAL);
    assert_string_equal(why, "nothing ");
}

/*
 * Phases.
 */

static void phases_are_selected_by_action_and_kind(void **state)
{
    enum {
        T = 1 << TMK_MDTEST_TREE_CREATE,
        DC = 1 << TMK_MDTEST_DIR_CREATE,
        DS = 1 << TMK_MDTEST_DIR_STAT,
        DM = 1 << TMK_MDTEST_DIR_RENAME,
        DR = 1 << TMK_MDTEST_DIR_REMOVE,
        FC = 1 << TMK_MDTEST_FILE_CREATE,
        FS = 1 << TMK_MDTEST_FILE_STAT,
        FE = 1 << TMK_MDTEST_FILE_READ,
        FR = 1 << TMK_MDTEST_FILE_REMOVE,
        R = 1 << TMK_MDTEST_TREE_REMOVE,
    };
    static const struct {
        unsigned actions, dirs_only, files_only;
        unsigned on;
        bool creates, removes;
    } rows[] = {
        {0, 0, 0, T | DC | DS | DM | DR | FC | FS | FE | FR | R, true, true},
        {0, 1, 1, T | DC | DS | DM | DR | FC | FS | FE | FR | R, true, true},
        {0, 1, 0, T | DC | DS | DM | DR | R, true, true},
        {0, 0, 1, T | FC | FS | FE | FR | R, true, true},
        {CREATE | STAT | RENAME | READ | REMOVE, 0, 0,
         T | DC | DS | DM | DR | FC | FS | FE | FR | R, true, true},
        {CREATE, 0, 0, T | DC | FC, true, false},
        {STAT, 0, 0, DS | FS, false, false},
        {READ, 0, 0, FE, false, false},
        {RENAME, 0, 0, DM, false, false},
        {RENAME, 1, 0, DM, false, false},
        {REMOVE, 0, 0, DR | FR | R, false, true},
        {CREATE | STAT, 1, 0, T | DC | DS, true, false},
        {STAT | RENAME, 0, 1, FS, false, false},
        {STAT | READ, 1, 0, DS, false, false},
        {CREATE | READ | REMOVE, 0, 1, T | FC | FE | FR | R, true, true},
        {CREATE | RENAME, 0, 0, T | DC | DM | FC, true, false},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            CONF(.items = 8, .dirs_only = rows[i].dirs_only,
                 .files_only = rows[i].files_only);
        struct tmk_mdtest_plan plan;
        unsigned on = 0;

        select_phases(&conf, rows[i].actions);
        plan_well(&conf, &m, &plan);
        for (unsigned p = 0; p < TMK_MDTEST_PHASES; p++) {
            on |= plan.on[p] ? 1u << p : 0;
            assert_int_equal(plan.operations[p] != 0, plan.on[p]);
        }
        assert_int_equal(on, rows[i].on);
        assert_int_equal(plan.creates, rows[i].creates);
        assert_int_equal(plan.removes, rows[i].removes);
    }
}

/* As in the original, a chain is of one test directory. */
static void renaming_takes_two_directories(void **state)
{
    static const struct {
        uint64_t n, per_dir, depth;
        bool on;
    } rows[] = {
        {1, 0, 0, false}, {2, 0, 0, true}, {0, 1, 0, false}, {0, 1, 1, true},
        {4, 1, 0, false}, {4, 2, 0, true}, {4, 1, 1, true},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            CONF(.items = rows[i].n, .items_per_dir = rows[i].per_dir,
                 .depth = rows[i].depth);
        struct tmk_mdtest_plan plan;

        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.on[TMK_MDTEST_DIR_RENAME], rows[i].on);
        assert_true(plan.on[TMK_MDTEST_DIR_STAT]);
    }
}

static void a_seed_or_the_flag_makes_a_random_order(void **state)
{
    struct tmk_mdtest_conf conf = CONF(.items = 8);
    struct tmk_mdtest_plan plan;
    struct machine m;

    (void)state;
    machine_init(&m, 1, 2, false);
    plan_well(&conf, &m, &plan);
    assert_false(plan.shuffled);
    conf.random.on = true;
    plan_well(&conf, &m, &plan);
    assert_true(plan.shuffled);
    conf.random.on = false;
    conf.random_seed = 5;
    plan_well(&conf, &m, &plan);
    assert_true(plan.shuffled);
}

/*
 * Owners.
 */

/* Table 4.2 of the spec: item owner and, with -u, tree, in hops. */
static void phases_touch_owners_and_trees_as_in_the_original(void **state)
{
    static const struct {
        enum tmk_mdtest_phase phase;
        unsigned owner, tree;
    } rows[] = {
        {TMK_MDTEST_DIR_CREATE, 0, 1},  {TMK_MDTEST_DIR_STAT, 1, 2},
        {TMK_MDTEST_DIR_RENAME, 1, 2},  {TMK_MDTEST_DIR_REMOVE, 3, 4},
        {TMK_MDTEST_FILE_CREATE, 0, 1}, {TMK_MDTEST_FILE_STAT, 1, 2},
        {TMK_MDTEST_FILE_READ, 2, 3},   {TMK_MDTEST_FILE_REMOVE, 3, 4},
    };
    static const uint64_t strides[] = {0, 1, 2, 3, 4, 5, 7};
    enum { P = 4 };
    struct machine m;

    (void)state;
    machine_init(&m, 1, P, false);
    for (size_t s = 0; s < COUNT(strides); s++) {
        struct tmk_mdtest_conf conf =
            CONF(.items = 8, .unique = 1, .stride = {.n = strides[s]});
        struct tmk_mdtest_plan plan;

        plan_well(&conf, &m, &plan);
        for (size_t i = 0; i < COUNT(rows); i++) {
            for (uint32_t r = 0; r < P; r++) {
                struct tmk_item_set set =
                    tmk_mdtest_plan_set(&plan, rows[i].phase, r, 5, 6);

                assert_int_equal(set.owner,
                                 (r + rows[i].owner * strides[s]) % P);
                assert_int_equal(set.tree_owner,
                                 (r + rows[i].tree * strides[s]) % P);
            }
        }
        for (uint32_t r = 0; r < P; r++) {
            struct tmk_item_set set =
                tmk_mdtest_plan_set(&plan, TMK_MDTEST_TREE_CREATE, r, 0, 6);

            assert_int_equal(set.tree_owner, r);
            set = tmk_mdtest_plan_set(&plan, TMK_MDTEST_TREE_REMOVE, r, 0, 6);
            assert_int_equal(set.tree_owner, r);
        }
    }
}

/* Appendix A1 of the spec: -n 1 -N 1 -u on 4 ranks, rank 0. */
static void the_paths_of_a_unique_run_are_those_of_the_original(void **state)
{
    static const struct {
        enum tmk_mdtest_phase phase;
        const char *path;
    } rows[] = {
        {TMK_MDTEST_DIR_CREATE, "mdtest_tree.1.0/dir.mdtest.0.0"},
        {TMK_MDTEST_DIR_STAT, "mdtest_tree.2.0/dir.mdtest.1.0"},
        {TMK_MDTEST_DIR_REMOVE, "mdtest_tree.0.0/dir.mdtest.3.0"},
        {TMK_MDTEST_FILE_CREATE, "mdtest_tree.1.0/file.mdtest.0.0"},
        {TMK_MDTEST_FILE_STAT, "mdtest_tree.2.0/file.mdtest.1.0"},
        {TMK_MDTEST_FILE_READ, "mdtest_tree.3.0/file.mdtest.2.0"},
        {TMK_MDTEST_FILE_REMOVE, "mdtest_tree.0.0/file.mdtest.3.0"},
    };
    struct tmk_mdtest_conf conf =
        CONF_WITH(1, 1, "D", .items = 1, .unique = 1, .stride = {.n = 1});
    struct tmk_mdtest_plan plan;
    struct machine m;

    (void)state;
    machine_init(&m, 1, 4, false);
    plan_well(&conf, &m, &plan);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_item_set set =
            tmk_mdtest_plan_set(&plan, rows[i].phase, 0, 0, 1);
        struct tmk_item item;
        char want[128];

        snprintf(want, sizeof(want), "D/test-dir.0-0/%s", rows[i].path);
        assert_int_equal(
            tmk_item_init(&item, &set,
                          tmk_mdtest_phase_rows[rows[i].phase].order, 0),
            0);
        assert_string_equal(item.path, want);
    }
}

static void a_set_is_what_the_plan_says(void **state)
{
    struct tmk_mdtest_conf conf = CONF_WITH(
        1, 1, "D", .items = 12, .items_per_dir = 4, .depth = 2, .leaf_only = 1);
    struct tmk_mdtest_plan plan;
    struct tmk_item_set set;
    struct machine m;

    (void)state;
    machine_init(&m, 1, 4, false);
    plan_well(&conf, &m, &plan);
    set = tmk_mdtest_plan_set(&plan, TMK_MDTEST_FILE_READ, 2, 7, 5);
    assert_string_equal(set.root, "D");
    assert_int_equal(set.iteration, 7);
    assert_int_equal(set.loops, 3);
    assert_ptr_equal(set.tree, &plan.tree);
    assert_true(set.leaf_only);
    assert_false(set.unique);
    assert_int_equal(set.kind, TMK_NAMES_FILE);
    assert_int_equal(set.owner, 2);
    assert_int_equal(set.per_dir, 4);
    assert_int_equal(set.made, 5);
    set = tmk_mdtest_plan_set(&plan, TMK_MDTEST_DIR_RENAME, 2, 7, 5);
    assert_int_equal(set.kind, TMK_NAMES_DIR);
}

/* Whatever is rotated: in each phase every item is visited once, and in the
 * tree in which it was created. */
static void every_item_is_visited_once_where_it_was_created(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        bool cyclic;
    } machines[] = {
        {1, 1, false}, {1, 5, false}, {2, 4, false}, {2, 4, true}, {3, 3, true},
    };

    (void)state;
    for (size_t k = 0; k < COUNT(machines); k++) {
        struct machine m;

        machine_init(&m, machines[k].nodes, machines[k].per_node,
                     machines[k].cyclic);
        for (uint64_t n = 0; n < 8; n++) {
            struct tmk_mdtest_conf conf = rotating(n == 7 ? 1 : n, n == 7);
            struct tmk_mdtest_plan plan;

            conf.unique = 1;
            plan_well(&conf, &m, &plan);
            for (int p = 0; p < TMK_MDTEST_PHASES; p++) {
                uint64_t tree_of[RANKS_MAX];
                bool visited[RANKS_MAX] = {false};

                if (tmk_mdtest_phase_rows[p].target == TMK_MDTEST_TREE) {
                    continue;
                }
                for (uint32_t r = 0; r < m.map.ranks; r++) {
                    struct tmk_item_set set = tmk_mdtest_plan_set(
                        &plan, TMK_MDTEST_FILE_CREATE, r, 0, 8);

                    tree_of[set.owner] = set.tree_owner;
                }
                for (uint32_t r = 0; r < m.map.ranks; r++) {
                    struct tmk_item_set set = tmk_mdtest_plan_set(
                        &plan, (enum tmk_mdtest_phase)p, r, 0, 8);

                    assert_false(visited[set.owner]);
                    visited[set.owner] = true;
                    assert_int_equal(set.tree_owner, tree_of[set.owner]);
                }
            }
        }
    }
}

/*
 * Nodes.
 */

static void the_stride_counts_nodes_ranks_or_the_next_node(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        bool cyclic;
        struct tmk_mdtest_stride stride;
        int unit;
        uint64_t want;
        bool by_node;
    } rows[] = {
        {2, 4, false, {2, false}, TMK_MDTEST_STRIDE_AUTO, 8, false},
        {2, 4, false, {1, false}, TMK_MDTEST_STRIDE_AUTO, 4, false},
        {2, 4, false, {2, false}, TMK_MDTEST_STRIDE_RANK, 2, false},
        {2, 4, true, {2, false}, TMK_MDTEST_STRIDE_AUTO, 2, false},
        {1, 4, false, {3, false}, TMK_MDTEST_STRIDE_AUTO, 3, false},
        {2, 4, false, {0, false}, TMK_MDTEST_STRIDE_AUTO, 0, false},
        {2, 4, false, {1, true}, TMK_MDTEST_STRIDE_AUTO, 4, true},
        {2, 4, true, {1, true}, TMK_MDTEST_STRIDE_AUTO, 4, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf = CONF(.items = 8, .stride = rows[i].stride,
                                           .stride_unit = rows[i].unit);
        struct tmk_mdtest_plan plan;
        struct machine m;

        machine_init(&m, rows[i].nodes, rows[i].per_node, rows[i].cyclic);
        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.owner.stride, rows[i].want);
        assert_int_equal(plan.owner.by_node, rows[i].by_node);
    }
}

static void shares_are_said_for_phases_that_rotate(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        struct tmk_mdtest_stride stride;
        double dir_stat, dir_rename, dir_remove;
        double stat, read, remove;
    } rows[] = {
        {2, 4, {2, false}, 0, 0, 0, 0, 0, 0}, /* the popular mistake */
        {2, 4, {1, false}, 1, 0, 0, 1, 0, 0},
        {2, 4, {1, true}, 1, 0, 0, 1, 0, 0},
        {3, 4, {1, true}, 1, 0, 0, 1, 1, 0},
        {4, 4, {1, true}, 1, 0, 1, 1, 1, 1},
        {4, 4, {4, false}, 0, 0, 0, 0, 0, 0},
        {4, 4, {0, false}, 0, 0, 0, 0, 0, 0},
        {1, 4, {1, false}, 0, 0, 0, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            rotating(rows[i].stride.n, rows[i].stride.by_node);
        struct tmk_mdtest_plan plan;
        struct machine m;
        const double want[TMK_MDTEST_PHASES] = {
            [TMK_MDTEST_TREE_CREATE] = -1,
            [TMK_MDTEST_DIR_CREATE] = -1,
            [TMK_MDTEST_DIR_STAT] = rows[i].dir_stat,
            [TMK_MDTEST_DIR_RENAME] = rows[i].dir_rename,
            [TMK_MDTEST_DIR_REMOVE] = rows[i].dir_remove,
            [TMK_MDTEST_FILE_CREATE] = -1,
            [TMK_MDTEST_FILE_STAT] = rows[i].stat,
            [TMK_MDTEST_FILE_READ] = rows[i].read,
            [TMK_MDTEST_FILE_REMOVE] = rows[i].remove,
            [TMK_MDTEST_TREE_REMOVE] = -1,
        };

        machine_init(&m, rows[i].nodes, rows[i].per_node, false);
        plan_well(&conf, &m, &plan);
        for (int p = 0; p < TMK_MDTEST_PHASES; p++) {
            if (plan.foreign_share[p] != want[p]) {
                fail_msg("row %zu, %s: %g", i, tmk_mdtest_phase_rows[p].name,
                         plan.foreign_share[p]);
            }
        }
    }
}

/* A launch that only reads meets items that only their creator touched. */
static void a_share_counts_the_phases_of_this_launch_alone(void **state)
{
    static const struct {
        unsigned actions;
        enum tmk_mdtest_phase phase;
        double share;
    } rows[] = {
        {STAT, TMK_MDTEST_FILE_STAT, 1},
        {READ, TMK_MDTEST_FILE_READ, 0},
        {REMOVE, TMK_MDTEST_FILE_REMOVE, 1},
        {READ | REMOVE, TMK_MDTEST_FILE_REMOVE, 1},
        {STAT | REMOVE, TMK_MDTEST_FILE_REMOVE, 0},
        {RENAME, TMK_MDTEST_DIR_RENAME, 1},
        {STAT | RENAME, TMK_MDTEST_DIR_RENAME, 0},
        {STAT, TMK_MDTEST_FILE_READ, -1}, /* not on */
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 4, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf = rotating(1, true);
        struct tmk_mdtest_plan plan;

        select_phases(&conf, rows[i].actions);
        plan_well(&conf, &m, &plan);
        assert_true(plan.foreign_share[rows[i].phase] == rows[i].share);
    }
}

/* It is not ranks by turns who touch these items. */
static void no_share_is_said_of_shared_and_collective_items(void **state)
{
    struct machine m;

    (void)state;
    machine_init(&m, 2, 4, false);
    for (int which = 0; which < 3; which++) {
        struct tmk_mdtest_conf conf = rotating(1, true);
        struct tmk_mdtest_plan plan;

        conf.shared = which == 1;
        conf.collective = which == 2;
        plan_well(&conf, &m, &plan);
        for (int p = 0; p < TMK_MDTEST_PHASES; p++) {
            bool said = which == 0 && tmk_mdtest_phase_rows[p].hops != 0;

            assert_int_equal(plan.foreign_share[p] >= 0.0, said);
            assert_true(said || plan.foreign_share[p] == -1.0);
        }
        assert_int_equal(tmk_mdtest_plan_rotates_onto_itself(&plan),
                         which == 0);
    }
}

static void the_best_stride_has_the_largest_share(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        bool cyclic;
        enum tmk_mdtest_phase phase;
        const char *best;
        double share;
    } rows[] = {
        {2, 4, false, TMK_MDTEST_FILE_STAT, "1", 1},
        {2, 4, true, TMK_MDTEST_FILE_STAT, "1", 1},
        {2, 4, false, TMK_MDTEST_FILE_READ, "1", 0},
        {3, 2, false, TMK_MDTEST_FILE_READ, "1", 1},
        {4, 1, false, TMK_MDTEST_FILE_REMOVE, "1", 1},
        {1, 4, false, TMK_MDTEST_FILE_STAT, "1", 0},
        {1, 1, false, TMK_MDTEST_FILE_STAT, "1", 0},
        {40, 1, false, TMK_MDTEST_FILE_REMOVE, "1", 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        /* What was given does not matter. */
        struct tmk_mdtest_conf conf = rotating(2, false);
        struct tmk_mdtest_plan plan;
        struct machine m;
        char best[16] = "";

        machine_init(&m, rows[i].nodes, rows[i].per_node, rows[i].cyclic);
        plan_well(&conf, &m, &plan);
        assert_true(tmk_mdtest_plan_best_stride(&plan, rows[i].phase, best,
                                                sizeof(best)) == rows[i].share);
        assert_string_equal(best, rows[i].best);
    }
}

static void a_stride_in_ranks_is_advised_in_ranks(void **state)
{
    struct tmk_mdtest_conf conf = rotating(3, false);
    struct tmk_mdtest_plan plan;
    struct machine m;
    char best[16];

    (void)state;
    conf.stride_unit = TMK_MDTEST_STRIDE_RANK;
    machine_init(&m, 2, 4, false);
    plan_well(&conf, &m, &plan);
    assert_true(tmk_mdtest_plan_best_stride(&plan, TMK_MDTEST_FILE_STAT, best,
                                            sizeof(best)) == 1.0);
    assert_string_equal(best, "4");
}

/* Pairs of ranks in turn: a number of nodes leads back to the own one. */
static void the_next_node_is_best_where_no_number_is(void **state)
{
    static const uint32_t node[] = {0, 0, 1, 1, 0, 0, 1, 1};
    struct tmk_mdtest_conf conf = rotating(0, false);
    struct tmk_mdtest_plan plan;
    struct machine m;
    char best[16];

    (void)state;
    memcpy(m.node, node, sizeof(node));
    assert_int_equal(
        tmk_owner_map_init(&m.map, COUNT(node), m.node, m.at, m.place), 0);
    plan_well(&conf, &m, &plan);
    assert_true(tmk_mdtest_plan_best_stride(&plan, TMK_MDTEST_FILE_STAT, best,
                                            sizeof(best)) == 1.0);
    assert_string_equal(best, "node");
}

/* The fewest nodes on which the best stride has a share of 1; 0 = none. */
static unsigned fewest_nodes(const struct tmk_mdtest_conf *conf,
                             enum tmk_mdtest_phase phase)
{
    for (unsigned nodes = 2; nodes < 10; nodes++) {
        struct tmk_mdtest_plan plan;
        struct machine m;
        char best[16];

        machine_init(&m, nodes, 2, false);
        plan_well(conf, &m, &plan);
        if (tmk_mdtest_plan_best_stride(&plan, phase, best, sizeof(best)) ==
            1.0) {
            return nodes;
        }
    }
    return 0;
}

static void stat_needs_two_nodes_read_three_and_removal_four(void **state)
{
    struct tmk_mdtest_conf conf = rotating(2, false);
    struct tmk_mdtest_plan plan;
    struct machine m;

    (void)state;
    machine_init(&m, 2, 4, false);
    plan_well(&conf, &m, &plan);
    assert_int_equal(tmk_mdtest_plan_nodes_needed(&plan, TMK_MDTEST_FILE_STAT),
                     2);
    assert_int_equal(tmk_mdtest_plan_nodes_needed(&plan, TMK_MDTEST_FILE_READ),
                     3);
    assert_int_equal(
        tmk_mdtest_plan_nodes_needed(&plan, TMK_MDTEST_FILE_REMOVE), 4);
    assert_int_equal(tmk_mdtest_plan_nodes_needed(&plan, TMK_MDTEST_DIR_STAT),
                     2);
    assert_int_equal(tmk_mdtest_plan_nodes_needed(&plan, TMK_MDTEST_DIR_REMOVE),
                     4);
}

static void the_nodes_needed_are_the_fewest_that_do_for_any_phases(void **state)
{
    enum { ALL = CREATE | STAT | RENAME | READ | REMOVE };
    static const enum tmk_mdtest_phase phases[] = {
        TMK_MDTEST_DIR_STAT,  TMK_MDTEST_DIR_RENAME, TMK_MDTEST_DIR_REMOVE,
        TMK_MDTEST_FILE_STAT, TMK_MDTEST_FILE_READ,  TMK_MDTEST_FILE_REMOVE,
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 4, false);
    for (unsigned actions = 1; actions <= ALL; actions++) {
        struct tmk_mdtest_conf conf = rotating(1, false);
        struct tmk_mdtest_plan plan;

        select_phases(&conf, actions);
        plan_well(&conf, &m, &plan);
        for (size_t i = 0; i < COUNT(phases); i++) {
            unsigned needed;
            unsigned fewest;

            if (!plan.on[phases[i]]) {
                continue;
            }
            needed = tmk_mdtest_plan_nodes_needed(&plan, phases[i]);
            fewest = fewest_nodes(&conf, phases[i]);
            if (needed != fewest) {
                fail_msg("actions %#x, %s: %u instead of %u", actions,
                         tmk_mdtest_phase_rows[phases[i]].name, needed, fewest);
            }
        }
    }
}

static void a_rotation_onto_itself_is_seen(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        struct tmk_mdtest_stride stride;
        unsigned actions;
        bool onto_itself;
    } rows[] = {
        {2, 4, {2, false}, 0, true},    /* the popular mistake */
        {2, 4, {0, false}, 0, false},   /* not asked for */
        {2, 4, {1, true}, STAT, false}, /* does what it should */
        {2, 4, {1, true}, 0, true},     /* read is back on the creator */
        {3, 4, {1, true}, READ, false},
        {4, 4, {1, true}, 0, false}, /* the renamer did stat: not held against
                                        the stride */
        {3, 4, {1, true}, 0, true},
        {2, 4, {1, false}, CREATE, false}, /* nothing visits */
        {1, 4, {1, false}, 0, false},      /* other ranks of one node */
        {1, 4, {4, false}, 0, true},
        {1, 4, {8, false}, 0, true},
        {1, 4, {1, true}, 0, true}, /* the next node is this one */
        {1, 1, {1, false}, 0, false},
        {2, 1, {1, false}, STAT, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf =
            rotating(rows[i].stride.n, rows[i].stride.by_node);
        struct tmk_mdtest_plan plan;
        struct machine m;

        select_phases(&conf, rows[i].actions);
        machine_init(&m, rows[i].nodes, rows[i].per_node, false);
        plan_well(&conf, &m, &plan);
        if (tmk_mdtest_plan_rotates_onto_itself(&plan) != rows[i].onto_itself) {
            fail_msg("row %zu", i);
        }
    }
}

static void nodes_are_crossed_by_a_shared_tree_or_a_stride(void **state)
{
    static const struct {
        uint32_t nodes, per_node;
        unsigned unique, collective;
        uint64_t n;
        bool crosses;
    } rows[] = {
        {1, 4, 0, 0, 0, false}, {1, 4, 1, 0, 1, false}, {1, 4, 1, 1, 1, false},
        {2, 2, 0, 0, 0, true},  {2, 2, 1, 0, 0, false}, {2, 2, 1, 0, 1, true},
        {2, 2, 0, 0, 1, true},  {2, 2, 1, 0, 2, false}, /* a stride of 4 of 4 */
        {2, 2, 1, 1, 0, true}, /* rank 0 makes what others use */
        {2, 2, 1, 1, 2, true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_conf conf = rotating(rows[i].n, false);
        struct tmk_mdtest_plan plan;
        struct machine m;

        conf.unique = rows[i].unique;
        conf.collective = rows[i].collective;
        machine_init(&m, rows[i].nodes, rows[i].per_node, false);
        plan_well(&conf, &m, &plan);
        assert_int_equal(plan.crosses_nodes, rows[i].crosses);
    }
}

/*
 * Space.
 */

static void inodes_and_bytes_are_what_exists_at_once(void **state)
{
    static const struct {
        struct tmk_mdtest_conf conf;
        uint64_t inodes, bytes;
    } rows[] = {
        /* 4 tasks of 6 items, a tree of one directory, a test directory */
        {CONF(.items = 6), 24 + 1 + 1, 0},
        {CONF(.items = 6, .write_bytes = 10), 24 + 2, 240},
        {CONF(.items = 6, .write_bytes = 10, .dirs_only = 1), 24 + 2, 0},
        {CONF_WITH(1, 3, "out", .items = 6, .write_bytes = 10), 24 + 2, 240},
        {CONF(.items = 6, .depth = 2), 24 + 3 + 1, 0},
        {CONF(.items = 6, .depth = 2, .unique = 1), 24 + 4 * 3 + 1, 0},
        {CONF(.items = 6, .items_per_dir = 3), 24 + 2 + 2, 0},
        {CONF(.items = 6, .items_per_dir = 3, .depth = 1), 48 + 4 + 2, 0},
        /* Not removed: directories and files, of every iteration */
        {CONF(.items = 6, .create = 1), 48 + 2, 0},
        {CONF(.items = 6, .create = 1, .stat = 1, .write_bytes = 10), 48 + 2,
         240},
        {CONF(.items = 6, .create = 1, .files_only = 1), 24 + 2, 0},
        {CONF(.items = 6, .create = 1, .dirs_only = 1, .write_bytes = 10),
         24 + 2, 0},
        {CONF_WITH(1, 3, "out", .items = 6, .create = 1, .files_only = 1,
                   .write_bytes = 10),
         UINT64_C(3) * (24 + 2), 720},
        {CONF_WITH(1, 3, "out", .items = 6, .create = 1, .remove = 1), 24 + 2,
         0},
        /* Not created: nothing is needed */
        {CONF(.items = 6, .stat = 1, .write_bytes = 10), 0, 0},
        {CONF(.items = 6, .remove = 1, .write_bytes = 10), 0, 0},
        /* More than can be said is more than there is */
        {CONF(.items = UINT64_C(1) << 59, .write_bytes = 1024),
         (UINT64_C(1) << 61) + 2, UINT64_MAX},
        {CONF_WITH(1, 9, "out", .items = UINT64_C(1) << 59, .create = 1),
         UINT64_MAX, 0},
    };
    struct machine m;

    (void)state;
    machine_init(&m, 2, 2, false);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_mdtest_plan plan;

        plan_well(&rows[i].conf, &m, &plan);
        if (plan.inodes != rows[i].inodes || plan.bytes != rows[i].bytes) {
            fail_msg("row %zu: %ju inodes, %ju bytes", i,
                     (uintmax_t)plan.inodes, (uintmax_t)plan.bytes);
        }
    }
}

/*
 * The longest path of any phase and rank, by walking; with room for "-XX" at
 * the longest name of its kind.
 */
static size_t longest_by_walking(const struct tmk_mdtest_plan *plan,
                                 uint64_t iterations)
{
    size_t longest = 0;

    for (int p = 0; p < TMK_MDTEST_PHASES; p++) {
        if (tmk_mdtest_phase_rows[p].target == TMK_MDTEST_TREE) {
            continue;
        }
        for (uint32_t r = 0; r < plan->tasks; r++) {
            struct tmk_item_set set = tmk_mdtest_plan_set(
                plan, (enum tmk_mdtest_phase)p, r, iterations - 1, plan->items);
            struct tmk_item item;
            bool more = true;

            assert_int_equal(tmk_item_init(&item, &set, TMK_ITEM_CREATION, 0),
                             0);
            for (; more; more = tmk_item_next(&item)) {
                size_t n = strlen(item.path) + 1;

                n += set.kind != TMK_NAMES_FILE ? strlen("-XX") : 0;
                longest = n > longest ? n : longest;
            }
        }
    }
    return longest;
}

static void the_longest_path_covers_every_rank_and_phase(void **state)
{
    static const struct tmk_mdtest_conf confs[] = {
        CONF(.items = 1),
        CONF_WITH(1, 12, "out", .items = 100),
        CONF_WITH(1, 11, "out", .items = 101, .unique = 1),
        CONF(.items = 20, .depth = 12, .unique = 1, .stride = {.n = 3}),
        CONF(.items = 24, .items_per_dir = 2, .depth = 2),
        CONF_WITH(1, 1, "", .items = 1),
        CONF(.items = 100, .shared = 1),
    };
    struct machine m;

    (void)state;
    machine_init(&m, 3, 4, false);
    for (size_t i = 0; i < COUNT(confs); i++) {
        struct tmk_mdtest_plan plan;

        plan_well(&confs[i], &m, &plan);
        assert_int_equal(
            plan.longest_path,
            longest_by_walking(&plan, (uint64_t)confs[i].iterations));
    }
}

/* Whoever it is that uses the one with the longest name. */
static void the_longest_path_covers_every_directory_of_a_list(void **state)
{
    static const char *const lists[] = {
        "a@bbbbbbbbbb@cc",
        "aaaaaaaaaaaa@b@c",
        "a@b@c/c/c/c/c/c",
        "a\\@\\@\\@\\@@bbbbb@c",
    };
    struct machine m;

    (void)state;
    machine_init(&m, 3, 4, false);
    for (size_t i = 0; i < COUNT(lists); i++) {
        struct tmk_mdtest_conf conf =
            CONF_WITH(2, 11, lists[i], .items = 70, .depth = 2, .unique = 1);
        struct tmk_mdtest_plan plan;
        size_t want = 0;

        plan_well(&conf, &m, &plan);
        for (uint32_t k = 0; k < plan.roots; k++) {
            struct tmk_mdtest_plan alone = plan;
            size_t longest;

            tmk_mdtest_plan_settle(&alone, k);
            longest = longest_by_walking(&alone, (uint64_t)conf.iterations);
            want = longest > want ? longest : want;
        }
        assert_int_equal(plan.longest_path, want);
    }
}

static void a_path_that_does_not_fit_is_refused(void **state)
{
    struct tmk_mdtest_conf conf = CONF_WITH(1, 1, "", .items = 1);
    struct tmk_mdtest_plan plan;
    struct machine m;
    char dir[TMK_ITEM_PATH_SIZE + 1];
    char why[WHY_SIZE];
    size_t rest;

    (void)state;
    machine_init(&m, 1, 2, false);
    plan_well(&conf, &m, &plan);
    rest = plan.longest_path - strlen(".");
    conf.dir = dir;
    memset(dir, 'd', sizeof(dir));
    dir[TMK_ITEM_PATH_SIZE - rest] = '\0';
    plan_well(&conf, &m, &plan);
    assert_int_equal(plan.longest_path, TMK_ITEM_PATH_SIZE);
    dir[TMK_ITEM_PATH_SIZE - rest] = 'd';
    dir[TMK_ITEM_PATH_SIZE - rest + 1] = '\0';
    assert_int_equal(
        tmk_mdtest_plan_make(&conf, &m.map, &plan, why, sizeof(why)), -EINVAL);
    assert_non_null(strstr(why, "-d"));
    /* A tree that is too deep for any directory. */
    conf.dir = "d";
    conf.depth = 320;
    conf.items = 1000;
    assert_int_equal(
        tmk_mdtest_plan_make(&conf, &m.map, &plan, why, sizeof(why)), -EINVAL);
    assert_non_null(strstr(why, "-z"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_phase_has_a_row),
        cmocka_unit_test(items_are_counted_as_they_are_created),
        cmocka_unit_test(without_a_number_min_time_begins_with_few_items),
        cmocka_unit_test(
            operations_are_counted_for_shared_and_for_collective_files),
        cmocka_unit_test(trees_are_made_by_each_rank_by_one_or_by_all),
        cmocka_unit_test(the_items_of_a_set_are_those_of_the_plan),
        cmocka_unit_test(operations_add_up_over_tasks_trees_and_loops),
        cmocka_unit_test(nonsense_is_refused_with_the_option_named),
        cmocka_unit_test(a_directory_in_a_reason_stays_on_one_line),
        cmocka_unit_test(what_is_unusual_but_right_is_not_refused),
        cmocka_unit_test(no_directory_means_the_current_one),
        cmocka_unit_test(a_list_of_directories_is_cut_at_each_separator),
        cmocka_unit_test(a_name_that_does_not_fit_is_cut_and_refused),
        cmocka_unit_test(ranks_take_directories_in_turn),
        cmocka_unit_test(a_reason_is_cut_where_there_is_no_room),
        cmocka_unit_test(phases_are_selected_by_action_and_kind),
        cmocka_unit_test(renaming_takes_two_directories),
        cmocka_unit_test(a_seed_or_the_flag_makes_a_random_order),
        cmocka_unit_test(phases_touch_owners_and_trees_as_in_the_original),
        cmocka_unit_test(the_paths_of_a_unique_run_are_those_of_the_original),
        cmocka_unit_test(a_set_is_what_the_plan_says),
        cmocka_unit_test(every_item_is_visited_once_where_it_was_created),
        cmocka_unit_test(the_stride_counts_nodes_ranks_or_the_next_node),
        cmocka_unit_test(shares_are_said_for_phases_that_rotate),
        cmocka_unit_test(a_share_counts_the_phases_of_this_launch_alone),
        cmocka_unit_test(no_share_is_said_of_shared_and_collective_items),
        cmocka_unit_test(the_best_stride_has_the_largest_share),
        cmocka_unit_test(a_stride_in_ranks_is_advised_in_ranks),
        cmocka_unit_test(the_next_node_is_best_where_no_number_is),
        cmocka_unit_test(stat_needs_two_nodes_read_three_and_removal_four),
        cmocka_unit_test(
            the_nodes_needed_are_the_fewest_that_do_for_any_phases),
        cmocka_unit_test(a_rotation_onto_itself_is_seen),
        cmocka_unit_test(nodes_are_crossed_by_a_shared_tree_or_a_stride),
        cmocka_unit_test(inodes_and_bytes_are_what_exists_at_once),
        cmocka_unit_test(the_longest_path_covers_every_rank_and_phase),
        cmocka_unit_test(the_longest_path_covers_every_directory_of_a_list),
        cmocka_unit_test(a_path_that_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
