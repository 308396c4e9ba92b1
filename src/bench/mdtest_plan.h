#ifndef TMK_BENCH_MDTEST_PLAN_H
#define TMK_BENCH_MDTEST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/item.h"
#include "base/owner.h"
#include "base/tree.h"
#include "bench/mdtest_conf.h"

/* The phases, in the order in which an iteration runs them. */
enum tmk_mdtest_phase {
    TMK_MDTEST_TREE_CREATE,
    TMK_MDTEST_DIR_CREATE,
    TMK_MDTEST_DIR_STAT,
    TMK_MDTEST_DIR_RENAME,
    TMK_MDTEST_DIR_REMOVE,
    TMK_MDTEST_FILE_CREATE,
    TMK_MDTEST_FILE_STAT,
    TMK_MDTEST_FILE_READ,
    TMK_MDTEST_FILE_REMOVE,
    TMK_MDTEST_TREE_REMOVE,
    TMK_MDTEST_PHASES
};

/* What a phase works on. */
enum tmk_mdtest_target {
    TMK_MDTEST_TREE,
    TMK_MDTEST_DIRS,
    TMK_MDTEST_FILES,
    TMK_MDTEST_TARGETS
};

/* What a phase does; -C -T -U -E -r select by this. */
enum tmk_mdtest_action {
    TMK_MDTEST_CREATE,
    TMK_MDTEST_STAT,
    TMK_MDTEST_RENAME,
    TMK_MDTEST_READ,
    TMK_MDTEST_REMOVE,
    TMK_MDTEST_DEFAULT_ACTIONS, /* those above run if none is asked for */
    TMK_MDTEST_ACTIONS = TMK_MDTEST_DEFAULT_ACTIONS
};

/* A phase is a row: a new operation is one more row and its function. */
struct tmk_mdtest_phase_row {
    const char *name; /* in tables */
    /* In messages, which must not look like rows to a parser. */
    const char *said;        /* "file stat" */
    const char *action_name; /* "stat" */
    enum tmk_mdtest_target target;
    enum tmk_mdtest_action action;
    unsigned hops; /* rotations away from the creator */
    enum tmk_item_order order;
    bool shuffles; /* -R applies */
};

extern const struct tmk_mdtest_phase_row
    tmk_mdtest_phase_rows[TMK_MDTEST_PHASES];

/* Whether -D, -F and -S leave a target in: trees always. */
bool tmk_mdtest_tests(const struct tmk_mdtest_conf *conf,
                      enum tmk_mdtest_target target);

/* What will be done by one test (a number of tasks).  Const once made. */
struct tmk_mdtest_plan {
    const struct tmk_mdtest_conf *conf;
    const char *root; /* of the rank that works; points into root_text */
    char root_text[TMK_ITEM_PATH_SIZE];
    uint64_t roots; /* directories that -d names */
    uint32_t tasks, nodes;
    struct tmk_tree tree;
    bool on[TMK_MDTEST_PHASES];
    bool creates, removes;
    uint64_t loops;    /* test directories per iteration */
    uint64_t per_dir;  /* items of a task in a directory */
    uint64_t items;    /* of each kind, per task and iteration */
    uint64_t trees;    /* in each test directory */
    uint64_t makers;   /* ranks 0 ... makers - 1 each make trees alone; 0: all
                          ranks share the directories of each level */
    uint64_t distinct; /* items of each kind, per iteration over all tasks */
    struct tmk_owner owner;
    bool crosses_nodes; /* a node needs what another node made */
    bool shuffled;
    /* Share of items from other nodes, see tmk_owner_foreign_share();
     * -1 where that means nothing (creation, trees). */
    double foreign_share[TMK_MDTEST_PHASES];
    uint64_t operations[TMK_MDTEST_PHASES]; /* of all tasks, per iteration */
    uint64_t inodes;                        /* most that exist at once */
    uint64_t bytes;                         /* likewise, file contents alone */
    size_t longest_path;                    /* bytes */
};

/*
 * Decide.  `map` says where ranks sit; it is borrowed by plan->owner, and so
 * is conf by the plan.  Returns 0, or -EINVAL with one line in `why` that
 * names the option and says what would be right.
 */
int tmk_mdtest_plan_make(const struct tmk_mdtest_conf *conf,
                         const struct tmk_owner_map *map,
                         struct tmk_mdtest_plan *plan, char *why,
                         size_t why_size);

/* -d as it is for a rank: number rank modulo the directories that it names. */
void tmk_mdtest_plan_settle(struct tmk_mdtest_plan *plan, uint32_t rank);

/*
 * Number k of the directories that -d names, joined by '@' or newlines, with
 * "\\@" for '@' itself; an empty -d is ".".  Returns how many there are,
 * -EINVAL if one of several is empty, -ENAMETOOLONG if number k does not fit.
 */
int64_t tmk_mdtest_plan_root(const char *dir, uint64_t k, char *buf,
                             size_t size);

/* Items of each kind that -n asked for but that do not fit the tree evenly. */
uint64_t tmk_mdtest_plan_rounded(const struct tmk_mdtest_plan *plan);

/*
 * The items that a rank works on in a phase on items.  `made` is how many of
 * its owner's items exist.
 */
struct tmk_item_set tmk_mdtest_plan_set(const struct tmk_mdtest_plan *plan,
                                        enum tmk_mdtest_phase phase,
                                        uint32_t rank, uint64_t iteration,
                                        uint64_t made);

/*
 * The -N that is best for a phase: with the largest foreign share among
 * 1 ... nodes - 1 (32 at most; with --stride-unit=rank times the ranks of a
 * node) and "node".  Writes "1" or "node" to buf and
 * returns the share.
 */
double tmk_mdtest_plan_best_stride(const struct tmk_mdtest_plan *plan,
                                   enum tmk_mdtest_phase phase, char *buf,
                                   size_t size);

/*
 * Nodes, equally full, that it takes for a foreign share of 1 in a phase on
 * items; 0 if no number of them does, because the same rank was there before.
 */
unsigned tmk_mdtest_plan_nodes_needed(const struct tmk_mdtest_plan *plan,
                                      enum tmk_mdtest_phase phase);

/*
 * Whether -N was given and does not do what people give it for: on several
 * nodes, some phase touches items that its own node touched before, where
 * more nodes or another stride could do better; on one node, ranks keep their
 * own items.
 */
bool tmk_mdtest_plan_rotates_onto_itself(const struct tmk_mdtest_plan *plan);

#endif
