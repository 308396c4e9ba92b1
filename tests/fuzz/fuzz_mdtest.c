/*
 * fuzz_mdtest: what a command line can do to the options and to the plan.
 *
 *     input -> argv -> options of mdtest and of the engines -> plans for
 *     machines that are not here -> paths of items, plans in words
 *
 * The input is cut into words at NULs if it has any, else at newlines.
 */
#include <errno.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "bench/mdtest_explain.h"
#include "bench/mdtest_plan.h"
#include "engine/engine.h"
#include "fuzz/must.h"
#include "run/job.h"

enum {
    INPUT_MAX = 8192,
    WORDS_MAX = 64,
    WHY_SIZE = 1024,
    STEPS_MAX = 200,
    RANKS_MAX = 7,
    TABLES = 3
};

/* Everything that a command line is read into. */
struct given {
    struct tmk_mdtest_conf conf;
    struct tmk_opt_table tables[TABLES];
    char why[WHY_SIZE];
    int err;
};

struct machine {
    uint32_t node[RANKS_MAX], at[RANKS_MAX], place[RANKS_MAX];
    struct tmk_owner_map map;
};

static void table_of(struct tmk_opt_table *table,
                     const struct tmk_engine_ops *ops)
{
    void *conf = calloc(1, ops->conf_size);

    MUST(conf != NULL);
    if (ops->conf_init != NULL) {
        ops->conf_init(conf);
    }
    *table = (struct tmk_opt_table){
        .title = ops->name,
        .prefix = ops->prefix,
        .rows = ops->opts,
        .n_rows = ops->n_opts,
        .conf = conf,
    };
}

static void given_init(struct given *g)
{
    tmk_mdtest_conf_init(&g->conf);
    g->tables[0] = (struct tmk_opt_table){
        .title = "mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &g->conf,
    };
    table_of(&g->tables[1], &tmk_engine_posix);
    table_of(&g->tables[2], &tmk_engine_dummy);
}

static void given_fini(struct given *g)
{
    free(g->tables[1].conf);
    free(g->tables[2].conf);
}

static void parse(struct given *g, int argc, char **argv)
{
    char cut[24];
    struct given other = {0};

    given_init(g);
    memset(g->why, 'X', sizeof(g->why));
    g->err =
        tmk_opt_parse(g->tables, TABLES, argc, argv, g->why, sizeof(g->why));
    MUST(g->err == 0 || g->err == TMK_OPT_HELP || g->err == -EINVAL);
    if (g->err >= 0) {
        return;
    }
    must_be_line(g->why, sizeof(g->why));
    given_init(&other);
    memset(cut, 'X', sizeof(cut));
    MUST(tmk_opt_parse(other.tables, TABLES, argc, argv, cut, sizeof(cut)) ==
         g->err);
    must_be_line(cut, sizeof(cut));
    given_fini(&other);
}

/* Values as text: the same of both, whatever room there is. */
static void check_shown(const struct given *a, const struct given *b)
{
    char of_a[256];
    char of_b[256];
    char little[3];

    for (int t = 0; t < TABLES; t++) {
        for (size_t i = 0; i < a->tables[t].n_rows; i++) {
            const struct tmk_opt *row = &a->tables[t].rows[i];

            tmk_opt_show(row, a->tables[t].conf, of_a, sizeof(of_a));
            tmk_opt_show(row, b->tables[t].conf, of_b, sizeof(of_b));
            tmk_opt_show(row, b->tables[t].conf, little, sizeof(little));
            MUST(strcmp(of_a, of_b) == 0);
            MUST(strlen(little) < sizeof(little));
            MUST(strncmp(of_a, little, strlen(little)) == 0);
        }
    }
}

/* So many ranks on so many nodes, filled one by one or dealt out. */
static void make_machine(struct machine *m, uint32_t ranks, uint32_t nodes,
                         bool block)
{
    uint32_t per_node = (ranks + nodes - 1) / nodes;

    for (uint32_t r = 0; r < ranks; r++) {
        m->node[r] = block ? r / per_node : r % nodes;
    }
    MUST(tmk_owner_map_init(&m->map, ranks, m->node, m->at, m->place) == 0);
}

static void check_plan(const struct tmk_mdtest_plan *plan)
{
    const uint64_t most = UINT64_C(1) << 62;
    uint64_t product;
    bool any = false;

    MUST(plan->items > 0 && plan->per_dir > 0 && plan->loops > 0);
    MUST(plan->trees > 0 && plan->tree.dirs > 0 && plan->tree.leaves > 0);
    MUST(!__builtin_mul_overflow(plan->items, (uint64_t)plan->tasks, &product));
    MUST(product <= most && plan->distinct <= product);
    MUST(plan->items % plan->loops == 0 && plan->items >= plan->per_dir);
    MUST(plan->longest_path > 1 && plan->longest_path <= TMK_ITEM_PATH_SIZE);
    MUST(plan->roots >= 1 && plan->roots <= plan->tasks);
    MUST(plan->makers <= plan->tasks);
    MUST(tmk_mdtest_plan_rounded(plan) <= plan->conf->items);
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        double share = plan->foreign_share[i];

        any = any || plan->on[i];
        MUST(plan->operations[i] <= most);
        MUST(plan->on[i] == (plan->operations[i] != 0));
        MUST(share == -1.0 || (share >= 0.0 && share <= 1.0));
    }
    MUST(any);
    MUST(!plan->creates || plan->inodes >= plan->distinct);
}

/* The path of the current item is what its numbers say. */
static void check_item(const struct tmk_mdtest_plan *plan, struct tmk_item *it)
{
    char dir[TMK_ITEM_PATH_SIZE];
    const char *name = tmk_item_name(it);
    size_t length = strlen(it->path);
    enum tmk_names_kind kind;
    uint64_t owner;
    uint64_t id;
    int n;

    MUST(length < plan->longest_path);
    MUST(name[-1] == '/');
    MUST(tmk_names_match(name, &kind, &owner, &id));
    MUST(kind == it->set->kind && id == tmk_item_id(it));
    MUST(kind == TMK_NAMES_FILE_SHARED || owner == it->set->owner);
    MUST(it->position < it->set->made && it->visited < it->set->made);
    n = tmk_item_tree_path(it->set, it->loop, it->dir, dir, sizeof(dir));
    MUST(n > 0 && (size_t)n == strlen(dir) && n == name - it->path);
    MUST(memcmp(dir, it->path, (size_t)n) == 0);
    MUST(id / it->set->per_dir == it->dir);
}

static void walk(const struct tmk_mdtest_plan *plan,
                 const struct tmk_item_set *set, enum tmk_item_order order,
                 uint64_t seed)
{
    struct tmk_item it;
    uint64_t loop = 0;
    uint64_t least = 0;
    bool more = true;

    MUST(tmk_item_init(&it, set, order, seed) == 0);
    for (uint64_t i = 0; more && i < STEPS_MAX; i++) {
        if (i % 64 == 0 || i < 3) {
            check_item(plan, &it);
        }
        MUST(it.visited == i);
        MUST(order != TMK_ITEM_CREATION || it.position == i);
        if (order == TMK_ITEM_ASCENDING) {
            least = it.loop == loop ? least : 0;
            MUST(it.loop >= loop && tmk_item_id(&it) >= least);
            loop = it.loop;
            least = tmk_item_id(&it) + 1;
        }
        more = tmk_item_next(&it);
        MUST(more == (i + 1 < set->made));
    }
    check_item(plan, &it);
}

static void walk_listed(const struct tmk_mdtest_plan *plan,
                        const struct tmk_item_set *set, uint64_t seed)
{
    uint64_t list[STEPS_MAX];
    struct tmk_item it;

    if (set->made > STEPS_MAX) {
        return;
    }
    tmk_order_fill_legacy(list, set->made, (uint32_t)seed);
    MUST(tmk_item_init_listed(&it, set, list) == 0);
    do {
        check_item(plan, &it);
    } while (tmk_item_next(&it));
    MUST(it.visited + 1 == set->made);
}

/* A phase as one rank goes through it, and what is said of its stride. */
static void walk_phase(const struct tmk_mdtest_plan *plan,
                       enum tmk_mdtest_phase phase, uint64_t dice)
{
    uint32_t rank = (uint32_t)(dice % plan->tasks);
    uint64_t iteration = dice >> 8 & 1 ? 0 : (uint64_t)plan->conf->iterations;
    uint64_t made = dice >> 9 & 1 ? plan->items : dice % plan->items + 1;
    struct tmk_item_set set = tmk_mdtest_plan_set(
        plan, phase, rank, iteration - (iteration != 0), made);
    const enum tmk_item_order orders[] = {TMK_ITEM_CREATION, TMK_ITEM_ASCENDING,
                                          TMK_ITEM_SHUFFLED};
    char best[32];
    double share;

    MUST(set.owner < plan->tasks && set.tree_owner < plan->tasks);
    if (tmk_mdtest_phase_rows[phase].target == TMK_MDTEST_TREE) {
        char path[TMK_ITEM_PATH_SIZE];
        int n = tmk_item_tree_path(&set, dice % plan->loops,
                                   dice % plan->tree.dirs, path, sizeof(path));

        MUST(n > 0 && (size_t)n < plan->longest_path && path[n - 1] == '/');
        return;
    }
    walk(plan, &set, orders[dice % 3], dice);
    walk_listed(plan, &set, dice);
    share = tmk_mdtest_plan_best_stride(plan, phase, best, sizeof(best));
    MUST(share >= 0.0 && share <= 1.0 && strlen(best) > 0);
    MUST(plan->foreign_share[phase] <= share || plan->conf->stride.n != 0);
    (void)tmk_mdtest_plan_nodes_needed(plan, phase);
}

/* The plan in words: ended lines, as much as fits into memory. */
static void explain(const struct tmk_mdtest_plan *plan)
{
    static const size_t room = 1 << 16;
    char *text = malloc(room);
    struct tmk_job job = {.program = "mdtest"};
    char line[128];
    char quoted[64];

    MUST(text != NULL);
    tmk_mdtest_explain_headline(plan, line, sizeof(line));
    must_be_line(line, sizeof(line));
    tmk_mdtest_explain_quote(plan->root, quoted, sizeof(quoted));
    MUST(strlen(quoted) >= 2 && quoted[0] == '\'');
    job.out = fmemopen(text, room, "w");
    MUST(job.out != NULL);
    job.err = job.out;
    job.warnings = &job.own_warnings;
    tmk_mdtest_explain_notes(&job, plan, false);
    tmk_mdtest_explain_plan(&job, plan);
    MUST(ftell(job.out) > 0);
    MUST(fclose(job.out) == 0);
    MUST(strnlen(text, room) < room);
    free(text);
}

static void plan_on(const struct tmk_mdtest_conf *conf,
                    const struct machine *machine, bool walks, uint64_t dice)
{
    struct tmk_mdtest_plan plan;
    char why[WHY_SIZE];
    char again[WHY_SIZE];
    int err;

    memset(why, 'X', sizeof(why));
    err = tmk_mdtest_plan_make(conf, &machine->map, &plan, why, sizeof(why));
    MUST(err == 0 || err == -EINVAL);
    if (err != 0) {
        must_be_line(why, sizeof(why));
        MUST(tmk_mdtest_plan_make(conf, &machine->map, &plan, again,
                                  sizeof(again)) == err);
        MUST(strcmp(why, again) == 0);
        return;
    }
    check_plan(&plan);
    if (!walks) {
        return;
    }
    for (int i = 0; i < TMK_MDTEST_PHASES; i++) {
        tmk_mdtest_plan_settle(&plan, (uint32_t)(dice % plan.tasks));
        walk_phase(&plan, (enum tmk_mdtest_phase)i,
                   tmk_mix(dice + (uint64_t)i));
    }
    (void)tmk_mdtest_plan_rotates_onto_itself(&plan);
    explain(&plan);
}

/* One machine of each kind; items are walked on one of them. */
static void plan_all(const struct tmk_mdtest_conf *conf, uint64_t dice)
{
    static const struct {
        uint32_t ranks, nodes;
        bool block;
    } machines[] = {
        {1, 1, true}, {4, 1, true}, {4, 2, true},  {4, 2, false}, {4, 3, false},
        {7, 1, true}, {7, 2, true}, {7, 2, false}, {7, 3, true},  {7, 3, false},
    };
    const size_t n = sizeof(machines) / sizeof(machines[0]);

    for (size_t i = 0; i < n; i++) {
        struct machine m;

        make_machine(&m, machines[i].ranks, machines[i].nodes,
                     machines[i].block);
        plan_on(conf, &m, i == dice % n, dice >> 16);
    }
}

/* Cut a text into words in place; returns how many argv got. */
static int cut(char *text, size_t size, char **argv)
{
    char end = memchr(text, '\0', size) != NULL ? '\0' : '\n';
    int argc = 0;

    argv[argc++] = "mdtest";
    for (size_t i = 0; i < size && argc < WORDS_MAX; i++) {
        argv[argc++] = text + i;
        while (i < size && text[i] != end) {
            i++;
        }
        text[i] = '\0';
    }
    argv[argc] = NULL;
    return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[INPUT_MAX + 1];
    char *argv[WORDS_MAX + 1];
    struct given first;
    struct given second;
    uint64_t dice = size;
    int argc;

    if (size > INPUT_MAX) {
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        dice = tmk_mix(dice + data[i]);
    }
    memcpy(text, data, size);
    text[size] = '\0';
    argc = cut(text, size, argv);
    parse(&first, argc, argv);
    parse(&second, argc, argv);
    MUST(first.err == second.err);
    MUST(first.err >= 0 || strcmp(first.why, second.why) == 0);
    if (first.err == 0 || dice % 16 == 0) {
        check_shown(&first, &second);
    }
    if (first.err == 0) {
        plan_all(&first.conf, dice);
    }
    given_fini(&first);
    given_fini(&second);
    return 0;
}
