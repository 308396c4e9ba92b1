#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/tree.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
    uint64_t branch, depth;
} shapes[] = {
    {0, 0}, {1, 0}, {7, 0}, {1, 1},  {1, 2},  {1, 9},   {1, 320},
    {2, 1}, {2, 2}, {2, 3}, {2, 9},  {3, 1},  {3, 4},   {4, 4},
    {5, 3}, {7, 2}, {9, 1}, {10, 3}, {16, 2}, {100, 1}, {2, 12},
};

/* A recursive walk, without arithmetic but for the children's numbers. */
struct walk {
    const struct tmk_tree *tree;
    uint64_t pre, post; /* directories met so far */
};

static void visit(struct walk *w, uint64_t dir, uint64_t parent, unsigned level)
{
    assert_int_equal(tmk_tree_at_preorder(w->tree, w->pre), dir);
    assert_int_equal(tmk_tree_preorder(w->tree, dir), w->pre);
    assert_int_equal(tmk_tree_level(w->tree, dir), level);
    if (level > 0) {
        assert_int_equal(tmk_tree_parent(w->tree, dir), parent);
    }
    w->pre++;
    if (level < w->tree->depth) {
        for (uint64_t i = 1; i <= w->tree->branch; i++) {
            visit(w, w->tree->branch * dir + i, dir, level + 1);
        }
    }
    assert_int_equal(tmk_tree_at_postorder(w->tree, w->post), dir);
    w->post++;
}

static void walks_by_arithmetic_equal_recursive_walks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct tmk_tree tree;
        struct walk w = {&tree, 0, 0};

        assert_int_equal(
            tmk_tree_init(&tree, shapes[i].branch, shapes[i].depth), 0);
        visit(&w, 0, 0, 0);
        assert_int_equal(w.pre, tree.dirs);
        assert_int_equal(w.post, tree.dirs);
    }
}

static void the_drawn_example_has_the_drawn_orders(void **state)
{
    static const uint64_t pre[] = {0, 1, 3, 4, 2, 5, 6};
    static const uint64_t post[] = {3, 4, 1, 5, 6, 2, 0};
    struct tmk_tree tree;

    (void)state;
    assert_int_equal(tmk_tree_init(&tree, 2, 2), 0);
    for (size_t i = 0; i < COUNT(pre); i++) {
        assert_int_equal(tmk_tree_at_preorder(&tree, i), pre[i]);
        assert_int_equal(tmk_tree_at_postorder(&tree, i), post[i]);
        assert_int_equal(tmk_tree_preorder(&tree, pre[i]), i);
    }
}

static void the_counts_are_those_of_the_geometric_series(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct tmk_tree tree;
        uint64_t dirs = 0;
        uint64_t width = 1;

        assert_int_equal(
            tmk_tree_init(&tree, shapes[i].branch, shapes[i].depth), 0);
        assert_int_equal(tree.branch, shapes[i].branch);
        assert_int_equal(tree.depth, shapes[i].depth);
        for (unsigned level = 0; level <= tree.depth; level++) {
            assert_int_equal(tree.first[level], dirs);
            dirs += width;
            assert_int_equal(tree.subtree[tree.depth - level], dirs);
            width *= tree.branch;
        }
        assert_int_equal(tree.dirs, dirs);
        assert_int_equal(tree.leaves, dirs - tree.first[tree.depth]);
    }
}

static void trees_that_cannot_be_numbered_are_refused(void **state)
{
    static const struct {
        uint64_t branch, depth;
        int want;
    } rows[] = {
        {0, 0, 0},
        {0, 1, -EINVAL},
        {0, 1000, -EINVAL},
        {1, 320, 0},
        {1, 321, -ERANGE},
        {1, UINT64_MAX, -ERANGE},
        {1, ((uint64_t)1 << 32) + 1, -ERANGE},
        {2, 400, -ERANGE},
        {2, 61, 0}, /* 2^62 - 1 directories */
        {2, 62, -ERANGE},
        {3, 60, -ERANGE},
        {(uint64_t)1 << 40, 1, 0},
        {(uint64_t)1 << 40, 2, -ERANGE},
        {((uint64_t)1 << 62) - 1, 1, 0}, /* 2^62 directories */
        {(uint64_t)1 << 62, 1, -ERANGE},
        {UINT64_MAX, 0, 0},
        {UINT64_MAX, 1, -ERANGE},
        {UINT64_MAX, 2, -ERANGE},
        {(uint64_t)1 << 31, 2, -ERANGE}, /* 2^62 leaves, and more above */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_tree tree;

        assert_int_equal(tmk_tree_init(&tree, rows[i].branch, rows[i].depth),
                         rows[i].want);
    }
}

static void huge_trees_are_walked_without_overflow(void **state)
{
    static const struct {
        uint64_t branch, depth;
    } rows[] = {
        {2, 61},
        {3, 38},
        {10, 18},
        {1000, 6},
        {(uint64_t)1 << 40, 1},
        {((uint64_t)1 << 62) - 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_tree tree;

        assert_int_equal(tmk_tree_init(&tree, rows[i].branch, rows[i].depth),
                         0);
        for (uint64_t j = 0; j <= 1000; j++) {
            uint64_t position = (tree.dirs - 1) / 1000 * j;
            uint64_t dir = tmk_tree_at_preorder(&tree, position);

            assert_true(dir < tree.dirs);
            assert_int_equal(tmk_tree_preorder(&tree, dir), position);
            assert_true(tmk_tree_at_postorder(&tree, position) < tree.dirs);
        }
        assert_int_equal(tmk_tree_at_preorder(&tree, tree.dirs - 1),
                         tree.dirs - 1);
        assert_int_equal(tmk_tree_at_postorder(&tree, tree.dirs - 1), 0);
        assert_int_equal(tmk_tree_at_postorder(&tree, 0),
                         tree.first[tree.depth]);
    }
}

static void a_subtree_is_one_piece_of_both_orders(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct tmk_tree tree;

        assert_int_equal(
            tmk_tree_init(&tree, shapes[i].branch, shapes[i].depth), 0);
        for (uint64_t dir = 0; dir < tree.dirs && dir < 500; dir++) {
            uint64_t n = tree.subtree[tmk_tree_level(&tree, dir)];
            uint64_t pre = tmk_tree_preorder(&tree, dir);
            uint64_t post = tmk_tree_subtree_postorder(&tree, dir);

            assert_int_equal(tmk_tree_at_postorder(&tree, post + n - 1), dir);
            for (uint64_t k = 0; k < n; k++) {
                uint64_t a = tmk_tree_at_preorder(&tree, pre + k);
                uint64_t b = tmk_tree_at_postorder(&tree, post + k);

                while (a > dir) {
                    a = tmk_tree_parent(&tree, a);
                }
                while (b > dir) {
                    b = tmk_tree_parent(&tree, b);
                }
                assert_int_equal(a, dir);
                assert_int_equal(b, dir);
            }
        }
    }
}

static void a_level_is_even_where_all_ranks_get_as_much(void **state)
{
    static const struct {
        uint64_t branch, depth, trees, ranks;
        unsigned want;
    } rows[] = {
        {4, 5, 1, 1, 0},  {4, 5, 1, 2, 1},  {4, 5, 1, 4, 1},
        {4, 5, 1, 8, 2},  {4, 5, 1, 32, 3}, {4, 5, 1, 1024, 5},
        {4, 5, 1, 7, 5}, /* none is: level by level to the end */
        {4, 5, 7, 7, 0},  {4, 5, 3, 6, 1},  {4, 5, 1, 2048, 5},
        {1, 9, 1, 2, 9},  {1, 9, 2, 2, 0},  {0, 0, 1, 2, 0},
        {10, 2, 1, 4, 2}, {10, 1, 1, 4, 1}, {6, 3, 5, 30, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct tmk_tree tree;

        assert_int_equal(tmk_tree_init(&tree, rows[i].branch, rows[i].depth),
                         0);
        assert_int_equal(
            tmk_tree_even_level(&tree, rows[i].trees, rows[i].ranks),
            rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_by_arithmetic_equal_recursive_walks),
        cmocka_unit_test(the_drawn_example_has_the_drawn_orders),
        cmocka_unit_test(the_counts_are_those_of_the_geometric_series),
        cmocka_unit_test(trees_that_cannot_be_numbered_are_refused),
        cmocka_unit_test(huge_trees_are_walked_without_overflow),
        cmocka_unit_test(a_subtree_is_one_piece_of_both_orders),
        cmocka_unit_test(a_level_is_even_where_all_ranks_get_as_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
