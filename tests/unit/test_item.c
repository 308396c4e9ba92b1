#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/item.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* An item by the book: found by recursion, its path written by snprintf. */
struct expected {
    char path[512];
    uint64_t loop, dir, id;
    uint64_t position;
};

struct book {
    const struct tmk_item_set *set;
    struct expected *items;
    uint64_t n, cap;
    char dirs[64][512]; /* of the current directory's ancestors, by level */
};

static void number_dir(const struct tmk_item_set *set, uint64_t dir, char *buf,
                       size_t size)
{
    if (set->unique) {
        snprintf(buf, size, "mdtest_tree.%" PRIu64 ".%" PRIu64, set->tree_owner,
                 dir);
    } else {
        snprintf(buf, size, "mdtest_tree.%" PRIu64, dir);
    }
}

static void note_item(struct book *b, uint64_t loop, unsigned level,
                      uint64_t dir, uint64_t id)
{
    const struct tmk_item_set *set = b->set;
    struct expected *e = &b->items[b->n];
    int n;

    assert_true(b->n < b->cap);
    e->loop = loop;
    e->dir = dir;
    e->id = id;
    e->position = b->n++;
    if (set->kind == TMK_NAMES_FILE_SHARED) {
        n = snprintf(e->path, sizeof(e->path), "%s/file.mdtest.shared.%" PRIu64,
                     b->dirs[level], id);
    } else {
        n = snprintf(e->path, sizeof(e->path),
                     "%s/%s.mdtest.%" PRIu64 ".%" PRIu64, b->dirs[level],
                     set->kind == TMK_NAMES_FILE ? "file" : "dir", set->owner,
                     id);
    }
    assert_true(n > 0 && (size_t)n < sizeof(e->path));
}

static void note_dir(struct book *b, uint64_t loop, unsigned level,
                     uint64_t dir)
{
    const struct tmk_item_set *set = b->set;
    unsigned up = level > 0 ? level - 1 : 0;
    char root[512];
    char name[80];

    number_dir(set, dir, name, sizeof(name));
    snprintf(root, sizeof(root), "%s/test-dir.%" PRIu64 "-%" PRIu64, set->root,
             set->iteration, loop);
    if (snprintf(b->dirs[level], sizeof(b->dirs[level]), "%.400s/%s",
                 level > 0 ? b->dirs[up] : root, name) < 0) {
        fail();
    }
    if (!set->leaf_only || level == set->tree->depth) {
        for (uint64_t i = 0; i < set->per_dir; i++) {
            note_item(b, loop, level, dir, dir * set->per_dir + i);
        }
    }
    for (uint64_t i = 1; level < set->tree->depth && i <= set->tree->branch;
         i++) {
        note_dir(b, loop, level + 1, dir * set->tree->branch + i);
    }
}

static void book_init(struct book *b, const struct tmk_item_set *set)
{
    b->set = set;
    b->n = 0;
    b->cap = tmk_item_slots(set);
    b->items = calloc(b->cap, sizeof(*b->items));
    assert_non_null(b->items);
    for (uint64_t loop = 0; loop < set->loops; loop++) {
        note_dir(b, loop, 0, 0);
    }
    assert_int_equal(b->n, b->cap);
}

static int by_loop_and_id(const void *a, const void *b)
{
    const struct expected *x = a;
    const struct expected *y = b;

    if (x->loop != y->loop) {
        return x->loop < y->loop ? -1 : 1;
    }
    return (x->id > y->id) - (x->id < y->id);
}

static int by_position(const void *a, const void *b)
{
    const struct expected *x = a;
    const struct expected *y = b;

    return (x->position > y->position) - (x->position < y->position);
}

/* What the cursor says of its item beside the path. */
static void check_item(struct tmk_item *it, const struct expected *e)
{
    const char *slash = strrchr(e->path, '/');

    assert_string_equal(it->path, e->path);
    assert_non_null(slash);
    assert_string_equal(tmk_item_name(it), slash + 1);
    assert_int_equal(tmk_item_id(it), e->id);
    assert_int_equal(it->loop, e->loop);
    assert_int_equal(it->dir, e->dir);
    assert_int_equal(it->position, e->position);
}

/* The cursor names items[0 ... made-1] in that order. */
static void check_walk(const struct tmk_item_set *set, const struct book *b,
                       enum tmk_item_order order)
{
    static struct tmk_item it;

    assert_int_equal(tmk_item_init(&it, set, order, 0), 0);
    for (uint64_t i = 0; i < set->made; i++) {
        const struct expected *e = &b->items[i];

        check_item(&it, e);
        assert_int_equal(it.visited, i);
        assert_int_equal(tmk_item_next(&it), i + 1 < set->made);
    }
    assert_false(tmk_item_next(&it));
    assert_string_equal(it.path, b->items[set->made - 1].path);
    assert_int_equal(it.position, b->items[set->made - 1].position);
    assert_int_equal(it.visited, set->made - 1);
}

/* The cursor names each of items[0 ... made-1] once, in some order. */
static void check_shuffle(const struct tmk_item_set *set, const struct book *b,
                          uint64_t seed)
{
    static struct tmk_item it;
    bool *seen = calloc(set->made + 1, sizeof(*seen));
    uint64_t n = 0;

    assert_non_null(seen);
    assert_int_equal(tmk_item_init(&it, set, TMK_ITEM_SHUFFLED, seed), 0);
    do {
        const struct expected *e;

        assert_true(it.position < set->made);
        assert_false(seen[it.position]);
        seen[it.position] = true;
        e = &b->items[it.position];
        check_item(&it, e);
        assert_int_equal(it.visited, n);
        n++;
    } while (tmk_item_next(&it));
    assert_int_equal(n, set->made);
    assert_string_equal(it.path, b->items[it.position].path);
    free(seen);
}

/* The cursor names items[list[0]], items[list[1]] ... */
static void check_list(const struct tmk_item_set *set, const struct book *b,
                       uint32_t seed)
{
    static struct tmk_item it;
    uint64_t *list = calloc(set->made + 1, sizeof(*list));

    assert_non_null(list);
    tmk_order_fill_legacy(list, set->made, seed);
    assert_int_equal(tmk_item_init_listed(&it, set, list), 0);
    for (uint64_t i = 0; i < set->made; i++) {
        const struct expected *e = &b->items[list[i]];

        check_item(&it, e);
        assert_int_equal(it.visited, i);
        assert_int_equal(tmk_item_next(&it), i + 1 < set->made);
    }
    assert_false(tmk_item_next(&it));
    check_item(&it, &b->items[list[set->made - 1]]);
    free(list);
}

static void check_all_orders(struct tmk_item_set *set, struct book *b,
                             uint64_t made)
{
    bool complete = made == b->n;

    set->made = made;
    check_walk(set, b, TMK_ITEM_CREATION);
    check_shuffle(set, b, made);
    check_shuffle(set, b, made + 1);
    if (!complete) {
        check_list(set, b, (uint32_t)made);
    }
    qsort(b->items, made, sizeof(*b->items), by_loop_and_id);
    check_walk(set, b, TMK_ITEM_ASCENDING);
    if (complete) {
        check_list(set, b, (uint32_t)made);
    }
    qsort(b->items, made, sizeof(*b->items), by_position);
}

static const struct {
    uint64_t branch, depth, per_dir, loops;
} shapes[] = {
    {0, 0, 1, 1},  {0, 0, 1, 12},  {1, 0, 120, 1}, {1, 0, 1003, 2},
    {1, 3, 4, 1},  {1, 12, 3, 2},  {2, 1, 1, 3},   {2, 2, 3, 1},
    {2, 2, 7, 11}, {2, 4, 2, 2},   {3, 2, 9, 1},   {3, 3, 1, 2},
    {5, 2, 4, 1},  {11, 1, 10, 2}, {12, 2, 1, 1},
};

static void set_of(struct tmk_item_set *set, size_t shape,
                   struct tmk_tree *tree, unsigned variant)
{
    static const enum tmk_names_kind kinds[] = {TMK_NAMES_FILE, TMK_NAMES_DIR,
                                                TMK_NAMES_FILE_SHARED};

    assert_int_equal(
        tmk_tree_init(tree, shapes[shape].branch, shapes[shape].depth), 0);
    *set = (struct tmk_item_set){
        .root = "/tmp/D",
        .iteration = variant == 3 ? 27 : variant,
        .loops = shapes[shape].loops,
        .tree = tree,
        .leaf_only = variant % 2 == 1,
        .unique = variant / 2 % 2 == 1,
        .tree_owner = 10,
        .kind = kinds[(variant + shape) % COUNT(kinds)],
        .owner = 7,
        .per_dir = shapes[shape].per_dir,
    };
}

static void complete_sets_are_walked_as_by_the_book(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            struct tmk_item_set set;
            struct tmk_tree tree;
            static struct book b;

            set_of(&set, i, &tree, variant);
            book_init(&b, &set);
            check_all_orders(&set, &b, tmk_item_slots(&set));
            free(b.items);
        }
    }
}

static void incomplete_sets_are_walked_as_by_the_book(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            struct tmk_item_set set;
            struct tmk_tree tree;
            static struct book b;
            uint64_t step;

            set_of(&set, i, &tree, variant);
            book_init(&b, &set);
            step = 1 + tmk_item_slots(&set) / 40;
            for (uint64_t made = 1; made < b.n; made += step) {
                check_all_orders(&set, &b, made);
            }
            free(b.items);
        }
    }
}

/* Appendix A2 of the specification: -n 4 -z 2 -b 2 -L -F on one rank. */
static void the_leaf_only_trace_of_the_original_is_reproduced(void **state)
{
    static const char *const files[] = {
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.1/mdtest_tree.3/"
        "file.mdtest.0.3",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.1/mdtest_tree.4/"
        "file.mdtest.0.4",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/mdtest_tree.5/"
        "file.mdtest.0.5",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/mdtest_tree.6/"
        "file.mdtest.0.6",
    };
    static const char *const dirs[] = {
        "D/test-dir.0-0/mdtest_tree.0/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.1/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.1/mdtest_tree.3/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.1/mdtest_tree.4/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/mdtest_tree.5/",
        "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/mdtest_tree.6/",
    };
    static const int removed[] = {2, 3, 1, 5, 6, 4, 0}; /* places in dirs[] */
    static const enum tmk_item_order orders[] = {TMK_ITEM_CREATION,
                                                 TMK_ITEM_ASCENDING};
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .leaf_only = true,
        .kind = TMK_NAMES_FILE,
        .per_dir = 1,
        .made = 4,
    };
    static struct tmk_item it;
    char buf[128];

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 2), 0);
    for (size_t o = 0; o < COUNT(orders); o++) {
        assert_int_equal(tmk_item_init(&it, &set, orders[o], 0), 0);
        for (size_t i = 0; i < COUNT(files); i++) {
            assert_string_equal(it.path, files[i]);
            assert_int_equal(tmk_item_next(&it), i + 1 < COUNT(files));
        }
    }
    for (size_t i = 0; i < COUNT(dirs); i++) {
        assert_int_equal(tmk_item_tree_path(&set, 0,
                                            tmk_tree_at_preorder(&tree, i), buf,
                                            sizeof(buf)),
                         strlen(dirs[i]));
        assert_string_equal(buf, dirs[i]);
        assert_true(tmk_item_tree_path(&set, 0, tmk_tree_at_postorder(&tree, i),
                                       buf, sizeof(buf)) > 0);
        assert_string_equal(buf, dirs[removed[i]]);
    }
}

/* samples/traces/loops-n4-I2.txt, rank 0 */
static void every_loop_directory_has_the_same_ids(void **state)
{
    static const char *const files[] = {
        "D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
        "D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.1",
        "D/test-dir.0-1/mdtest_tree.0/file.mdtest.0.0",
        "D/test-dir.0-1/mdtest_tree.0/file.mdtest.0.1",
    };
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 2,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 2,
        .made = 4,
    };
    static struct tmk_item it;

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 1, 0), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_ASCENDING, 0), 0);
    for (size_t i = 0; i < COUNT(files); i++) {
        assert_string_equal(it.path, files[i]);
        assert_int_equal(tmk_item_next(&it), i + 1 < COUNT(files));
    }
}

static void
nested_unique_directories_bear_the_name_of_the_tree_owner(void **state)
{
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .leaf_only = true,
        .unique = true,
        .tree_owner = 12,
        .kind = TMK_NAMES_FILE,
        .owner = 3,
        .per_dir = 1,
        .made = 2,
    };
    static struct tmk_item it;
    char buf[128];

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 1), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0), 0);
    assert_string_equal(it.path, "D/test-dir.0-0/mdtest_tree.12.0/"
                                 "mdtest_tree.12.1/file.mdtest.3.1");
    assert_int_equal(tmk_item_tree_path(&set, 0, 2, buf, sizeof(buf)), 49);
    assert_string_equal(buf,
                        "D/test-dir.0-0/mdtest_tree.12.0/mdtest_tree.12.2/");
}

static void a_root_is_followed_by_one_slash(void **state)
{
    static const struct {
        const char *root, *item, *dir;
    } rows[] = {
        {"D", "D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "D/test-dir.0-0/mdtest_tree.0/"},
        {"D/", "D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "D/test-dir.0-0/mdtest_tree.0/"},
        {"D//", "D/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "D/test-dir.0-0/mdtest_tree.0/"},
        {"a/./b", "a/./b/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "a/./b/test-dir.0-0/mdtest_tree.0/"},
        {"/", "/test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "/test-dir.0-0/mdtest_tree.0/"},
        {"", "test-dir.0-0/mdtest_tree.0/file.mdtest.0.0",
         "test-dir.0-0/mdtest_tree.0/"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        static struct tmk_item it;
        struct tmk_tree tree;
        char buf[128];
        struct tmk_item_set set = {
            .root = rows[i].root,
            .loops = 1,
            .tree = &tree,
            .kind = TMK_NAMES_FILE,
            .per_dir = 1,
            .made = 1,
        };

        assert_int_equal(tmk_tree_init(&tree, 0, 0), 0);
        assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0), 0);
        assert_string_equal(it.path, rows[i].item);
        assert_int_equal(tmk_item_tree_path(&set, 0, 0, buf, sizeof(buf)),
                         strlen(rows[i].dir));
        assert_string_equal(buf, rows[i].dir);
        assert_int_equal(tmk_item_longest(&set),
                         strlen(rows[i].item) + sizeof("-XX"));
    }
}

static void a_copy_moves_apart_from_what_it_was_made_of(void **state)
{
    static struct tmk_item it;
    static struct tmk_item copy;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_DIR,
        .owner = 9,
        .per_dir = 20,
        .made = 20,
    };

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 0, 0), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0), 0);
    for (int i = 0; i < 8; i++) {
        assert_true(tmk_item_next(&it));
    }
    tmk_item_copy(&copy, &it);
    assert_true(tmk_item_next(&copy));
    assert_true(tmk_item_next(&copy)); /* 9 to 10: a digit more */
    assert_true(tmk_item_next(&copy));
    assert_string_equal(it.path, "D/test-dir.0-0/mdtest_tree.0/dir.mdtest.9.8");
    assert_string_equal(copy.path,
                        "D/test-dir.0-0/mdtest_tree.0/dir.mdtest.9.11");
    assert_true(tmk_item_next(&it));
    assert_string_equal(it.path, "D/test-dir.0-0/mdtest_tree.0/dir.mdtest.9.9");
    assert_int_equal(copy.position, 11);
    assert_string_equal(tmk_item_name(&it), "dir.mdtest.9.9");
    assert_string_equal(tmk_item_name(&copy), "dir.mdtest.9.11");
    assert_int_equal(tmk_item_id(&copy), 11);
}

static void carries_count_like_printf_for_a_million_items(void **state)
{
    static struct tmk_item it;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_DIR,
        .owner = 9,
        .per_dir = 1000002,
        .made = 1000002,
    };

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 0, 0), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_ASCENDING, 0), 0);
    for (uint64_t i = 0; i < set.made; i++) {
        char want[80];

        snprintf(want, sizeof(want),
                 "D/test-dir.0-0/mdtest_tree.0/dir.mdtest.9.%" PRIu64, i);
        if (strcmp(it.path, want) != 0 || it.position != i ||
            it.left != set.made - 1 - i) {
            fail_msg("%s is not %s", it.path, want);
        }
        assert_int_equal(tmk_item_next(&it), i + 1 < set.made);
    }
}

/* Appendix A7 of the specification: -n 5 -F -R --random-seed=5, rank 1 */
static void the_shuffled_trace_of_the_original_is_reproduced(void **state)
{
    static const char *const names[] = {"file.mdtest.1.3", "file.mdtest.1.4",
                                        "file.mdtest.1.1", "file.mdtest.1.2",
                                        "file.mdtest.1.0"};
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .owner = 1,
        .per_dir = 5,
        .made = 5,
    };
    static struct tmk_item it;
    uint64_t list[5];

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 0, 0), 0);
    tmk_order_fill_legacy(list, 5, 5 + 1);
    assert_int_equal(tmk_item_init_listed(&it, &set, list), 0);
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_string_equal(tmk_item_name(&it), names[i]);
        assert_int_equal(tmk_item_next(&it), i + 1 < COUNT(names));
    }
}

/* Breadth-first, not in the order of creation; -L begins with id 9. */
static void a_list_counts_by_loop_and_id(void **state)
{
    static const uint64_t list[] = {0, 1, 2, 3, 4, 5, 6, 7, 20, 13};
    static const struct {
        uint64_t loop, dir, id, position;
    } all[] = {
        {0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 1, 3, 3},  {0, 2, 4, 8},
        {0, 2, 5, 9}, {0, 3, 6, 4}, {0, 3, 7, 5}, {1, 3, 6, 18}, {0, 6, 13, 13},
    };
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 2,
        .tree = &tree,
        .kind = TMK_NAMES_DIR,
        .per_dir = 2,
        .made = 28,
    };
    static struct tmk_item it;

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 2), 0);
    assert_int_equal(tmk_item_init_listed(&it, &set, list), 0);
    for (size_t i = 0; i < COUNT(list); i++) {
        assert_int_equal(it.loop, all[i].loop);
        assert_int_equal(it.dir, all[i].dir);
        assert_int_equal(tmk_item_id(&it), all[i].id);
        assert_int_equal(it.position, all[i].position);
        if (i + 1 < COUNT(list)) {
            assert_true(tmk_item_next(&it));
        }
    }
    set.leaf_only = true;
    set.per_dir = 3;
    set.made = 24;
    assert_int_equal(tmk_item_init_listed(&it, &set, list), 0);
    assert_int_equal(tmk_item_id(&it), 9);
    assert_int_equal(it.dir, 3);
}

static void a_set_of_nothing_has_no_first_item(void **state)
{
    static struct tmk_item it;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 1,
    };

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 0, 0), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0), -ENOENT);
    assert_int_equal(tmk_item_init_listed(&it, &set, NULL), -ENOENT);
}

static void paths_are_refused_from_the_first_byte_too_many(void **state)
{
    static struct tmk_item it;
    static char root[5000];
    static char buf[5000];
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = root,
        .loops = 11, /* so that the last has two digits */
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 3,
        .made = 1,
    };
    const char *rest = "/test-dir.0-10/mdtest_tree.0/mdtest_tree.3/"
                       "file.mdtest.0.11-XX";
    size_t fits = TMK_ITEM_PATH_SIZE - 1 - strlen(rest);

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 3, 1), 0);
    memset(root, 'r', fits);
    assert_int_equal(tmk_item_longest(&set), TMK_ITEM_PATH_SIZE);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0), 0);
    set.made = tmk_item_slots(&set);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_SHUFFLED, 0), 0);
    while (tmk_item_next(&it)) {
        assert_true(strlen(it.path) + sizeof("-XX") <= TMK_ITEM_PATH_SIZE);
    }
    root[fits] = 'r';
    assert_int_equal(tmk_item_longest(&set), SIZE_MAX);
    for (int order = TMK_ITEM_CREATION; order <= TMK_ITEM_SHUFFLED; order++) {
        assert_int_equal(
            tmk_item_init(&it, &set, (enum tmk_item_order)order, 0),
            -ENAMETOOLONG);
    }
    assert_int_equal(tmk_item_init_listed(&it, &set, NULL), -ENAMETOOLONG);
    assert_int_equal(tmk_item_tree_path(&set, 10, 3, buf, sizeof(buf)),
                     fits + 1 + 43);
}

static void
a_tree_path_that_does_not_fit_is_refused_without_overrun(void **state)
{
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 1,
    };
    const char *want = "D/test-dir.0-0/mdtest_tree.0/mdtest_tree.2/";
    size_t length = strlen(want);

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 1), 0);
    for (size_t size = 0; size <= length + 1; size++) {
        char buf[64];

        memset(buf, '#', sizeof(buf));
        assert_int_equal(tmk_item_tree_path(&set, 0, 2, buf, size),
                         size > length ? (int)length : -ENAMETOOLONG);
        assert_int_equal(buf[size], '#');
        if (size > length) {
            assert_string_equal(buf, want);
        }
    }
}

static void the_longest_path_is_the_length_of_the_longest(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            static struct tmk_item it;
            struct tmk_item_set set;
            struct tmk_tree tree;
            size_t longest = 0;

            set_of(&set, i, &tree, variant);
            set.made = tmk_item_slots(&set);
            assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_ASCENDING, 0),
                             0);
            do {
                size_t length = strlen(it.path);

                longest = length > longest ? length : longest;
            } while (tmk_item_next(&it));
            assert_int_equal(tmk_item_longest(&set), longest + sizeof("-XX"));
        }
    }
}

static void counts_beyond_64_bits_are_capped_and_refused(void **state)
{
    static struct tmk_item it;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 1,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = (uint64_t)1 << 60,
        .made = 1,
    };

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 4, 2), 0);
    assert_int_equal(tmk_item_dirs(&set), 21);
    assert_int_equal(tmk_item_slots(&set), UINT64_MAX);
    assert_int_equal(tmk_item_longest(&set), SIZE_MAX);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_CREATION, 0),
                     -ENAMETOOLONG);
    set.leaf_only = true;
    assert_int_equal(tmk_item_dirs(&set), 16);
    set.per_dir = (uint64_t)1 << 59;
    assert_int_equal(tmk_item_slots(&set), (uint64_t)1 << 63);
    set.loops = 2;
    assert_int_equal(tmk_item_slots(&set), UINT64_MAX);
}

static void
a_set_of_more_than_64_bits_of_items_is_walked_as_far_as_made(void **state)
{
    static struct tmk_item it;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = UINT64_MAX,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 2,
        .made = 16,
    };
    uint64_t n = 1;

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 2), 0);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_ASCENDING, 0), 0);
    while (tmk_item_next(&it)) {
        n++;
    }
    assert_int_equal(n, 16);
    assert_string_equal(it.path,
                        "D/test-dir.0-1/mdtest_tree.0/file.mdtest.0.1");
}

static void the_deepest_chain_that_fits_is_walked(void **state)
{
    static struct tmk_item it;
    struct tmk_tree tree;
    struct tmk_item_set set = {
        .root = "D",
        .loops = 2,
        .tree = &tree,
        .kind = TMK_NAMES_FILE,
        .per_dir = 1,
    };
    uint64_t depth = TMK_TREE_DEPTH_MAX;
    uint64_t n = 1;

    (void)state;
    do {
        assert_int_equal(tmk_tree_init(&tree, 1, depth--), 0);
    } while (tmk_item_longest(&set) == SIZE_MAX);
    assert_true(tree.depth > 200);
    set.made = tmk_item_slots(&set);
    assert_int_equal(tmk_item_init(&it, &set, TMK_ITEM_ASCENDING, 0), 0);
    assert_string_equal(tmk_item_name(&it), "file.mdtest.0.0");
    while (tmk_item_next(&it)) {
        n++;
    }
    assert_int_equal(n, 2 * tree.dirs);
    assert_int_equal(tmk_item_id(&it), tree.dirs - 1);
    assert_string_equal(tmk_item_name(&it), strrchr(it.path, '/') + 1);
    assert_int_equal(strlen(it.path) + sizeof("-XX"), tmk_item_longest(&set));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_sets_are_walked_as_by_the_book),
        cmocka_unit_test(incomplete_sets_are_walked_as_by_the_book),
        cmocka_unit_test(the_leaf_only_trace_of_the_original_is_reproduced),
        cmocka_unit_test(every_loop_directory_has_the_same_ids),
        cmocka_unit_test(
            nested_unique_directories_bear_the_name_of_the_tree_owner),
        cmocka_unit_test(a_root_is_followed_by_one_slash),
        cmocka_unit_test(carries_count_like_printf_for_a_million_items),
        cmocka_unit_test(the_shuffled_trace_of_the_original_is_reproduced),
        cmocka_unit_test(a_list_counts_by_loop_and_id),
        cmocka_unit_test(a_set_of_nothing_has_no_first_item),
        cmocka_unit_test(paths_are_refused_from_the_first_byte_too_many),
        cmocka_unit_test(
            a_tree_path_that_does_not_fit_is_refused_without_overrun),
        cmocka_unit_test(the_longest_path_is_the_length_of_the_longest),
        cmocka_unit_test(counts_beyond_64_bits_are_capped_and_refused),
        cmocka_unit_test(
            a_set_of_more_than_64_bits_of_items_is_walked_as_far_as_made),
        cmocka_unit_test(a_copy_moves_apart_from_what_it_was_made_of),
        cmocka_unit_test(the_deepest_chain_that_fits_is_walked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
