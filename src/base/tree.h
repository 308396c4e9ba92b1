#ifndef TMK_BASE_TREE_H
#define TMK_BASE_TREE_H

#include <stdint.h>

/*
 * The directory tree as arithmetic.  Directories are numbered breadth-first:
 * the root is 0, the children of k are b*k+1 ... b*k+b.
 *
 *     b = 2, z = 2          0             breadth-first  0 1 2 3 4 5 6
 *                        1     2          pre-order      0 1 3 4 2 5 6
 *                       3 4   5 6         post-order     3 4 1 5 6 2 0
 */
enum { TMK_TREE_DEPTH_MAX = 320 }; /* deeper paths exceed PATH_MAX anyway */

struct tmk_tree {
    uint64_t branch; /* b; 0 is allowed when depth is 0 */
    unsigned depth;  /* z; levels are 0 ... depth */
    uint64_t dirs;   /* in all */
    uint64_t leaves; /* on the last level: b^z */
    uint64_t subtree[TMK_TREE_DEPTH_MAX + 1]; /* dirs below and at level l */
    uint64_t first[TMK_TREE_DEPTH_MAX + 1];   /* first number on level l */
};

/*
 * 0; -EINVAL if branch is 0 with depth > 0; -ERANGE if depth exceeds
 * TMK_TREE_DEPTH_MAX or there are more than 2^62 directories.
 */
int tmk_tree_init(struct tmk_tree *tree, uint64_t branch, uint64_t depth);

/* The directory that `dir` lies in; not for the root. */
uint64_t tmk_tree_parent(const struct tmk_tree *tree, uint64_t dir);

/* 0 for the root, `depth` for leaves. */
unsigned tmk_tree_level(const struct tmk_tree *tree, uint64_t dir);

/* Position of a directory in depth-first pre-order (parent first). */
uint64_t tmk_tree_preorder(const struct tmk_tree *tree, uint64_t dir);

/* The directory at a position of pre-order: the inverse. */
uint64_t tmk_tree_at_preorder(const struct tmk_tree *tree, uint64_t position);

/* The directory at a position of post-order (children first). */
uint64_t tmk_tree_at_postorder(const struct tmk_tree *tree, uint64_t position);

/*
 * Where the subtree of a directory begins: in both orders it is one piece, of
 * subtree[level] positions.  In pre-order that is tmk_tree_preorder() itself.
 */
uint64_t tmk_tree_subtree_postorder(const struct tmk_tree *tree, uint64_t dir);

/*
 * The first level whose directories, those of `trees` trees taken together, can
 * be dealt to so many ranks evenly; all below can, then, by whole subtrees.
 * The last level if none can.  trees * tree->dirs is at most 2^62.
 */
unsigned tmk_tree_even_level(const struct tmk_tree *tree, uint64_t trees,
                             uint64_t ranks);

#endif
