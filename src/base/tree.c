/*
 * The directory tree as arithmetic: with the sizes of the subtrees at hand, a
 * place in a depth-first walk is a number in a mixed-radix system.
 */
#include "base/tree.h"

#include <errno.h>
#include <stdint.h>

static const uint64_t dirs_max = (uint64_t)1 << 62;

int tmk_tree_init(struct tmk_tree *tree, uint64_t branch, uint64_t depth)
{
    uint64_t width = 1; /* directories on the level */
    uint64_t dirs = 1;  /* on it and above */

    if (branch == 0 && depth > 0) {
        return -EINVAL;
    }
    if (depth > TMK_TREE_DEPTH_MAX) {
        return -ERANGE;
    }
    *tree = (struct tmk_tree){.branch = branch, .depth = (unsigned)depth};
    tree->subtree[depth] = 1;
    for (unsigned level = 1; level <= depth; level++) {
        if (width > dirs_max / branch) {
            return -ERANGE;
        }
        width *= branch;
        tree->first[level] = dirs;
        if (width > dirs_max - dirs) {
            return -ERANGE;
        }
        dirs += width;
        tree->subtree[depth - level] = dirs;
    }
    tree->leaves = width;
    tree->dirs = dirs;
    return 0;
}

uint64_t tmk_tree_parent(const struct tmk_tree *tree, uint64_t dir)
{
    return (dir - 1) / tree->branch;
}

unsigned tmk_tree_level(const struct tmk_tree *tree, uint64_t dir)
{
    unsigned level = 0;

    while (level < tree->depth && dir >= tree->first[level + 1]) {
        level++;
    }
    return level;
}

uint64_t tmk_tree_preorder(const struct tmk_tree *tree, uint64_t dir)
{
    uint64_t position = 0;

    /* Before a directory come its parent and its elder siblings' subtrees. */
    for (unsigned level = tmk_tree_level(tree, dir); level > 0; level--) {
        uint64_t parent = tmk_tree_parent(tree, dir);
        uint64_t elder = dir - 1 - parent * tree->branch;

        position += 1 + elder * tree->subtree[level];
        dir = parent;
    }
    return position;
}

uint64_t tmk_tree_at_preorder(const struct tmk_tree *tree, uint64_t position)
{
    uint64_t dir = 0;

    for (unsigned level = 1; position > 0; level++) {
        uint64_t elder = (position - 1) / tree->subtree[level];

        position -= 1 + elder * tree->subtree[level];
        dir = dir * tree->branch + 1 + elder;
    }
    return dir;
}

uint64_t tmk_tree_at_postorder(const struct tmk_tree *tree, uint64_t position)
{
    uint64_t dir = 0;

    for (unsigned level = 1; position < tree->subtree[level - 1] - 1; level++) {
        uint64_t elder = position / tree->subtree[level];

        position -= elder * tree->subtree[level];
        dir = dir * tree->branch + 1 + elder;
    }
    return dir;
}

uint64_t tmk_tree_subtree_postorder(const struct tmk_tree *tree, uint64_t dir)
{
    /* Before it come the same subtrees, but not yet the parents. */
    return tmk_tree_preorder(tree, dir) - tmk_tree_level(tree, dir);
}

unsigned tmk_tree_even_level(const struct tmk_tree *tree, uint64_t trees,
                             uint64_t ranks)
{
    uint64_t all = trees; /* directories on the level */
    unsigned level = 0;

    while (level < tree->depth && all % ranks != 0) {
        all *= tree->branch;
        level++;
    }
    return level;
}
