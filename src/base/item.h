#ifndef TMK_BASE_ITEM_H
#define TMK_BASE_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/order.h"
#include "base/tree.h"

/*
 * The items of one owner and the path of the current one, moved from item to
 * item by incrementing its digits in place:
 *
 *     <root>/test-dir.0-1/mdtest_tree.0/mdtest_tree.2/file.mdtest.7.41
 *     '----- head -----'  '- level 0 -' '- level 1 -' '-- stem --' digits
 *
 * Ids are global to a loop directory: tree directory k holds ids k*q ...
 * k*q+q-1, where q = per_dir.  An item also has a position: its place in the
 * order of creation, which goes loop by loop, pre-order over the directories,
 * ascending ids in each.  What an incomplete creation made is always the first
 * `made` positions.
 */
enum { TMK_ITEM_PATH_SIZE = 4096, TMK_ITEM_STEM_SIZE = 40 };

struct tmk_item_set {
    const char *root;            /* -d; borrowed */
    uint64_t iteration;          /* of test-dir.<iteration>-<loop> */
    uint64_t loops;              /* test directories, >= 1 */
    uint64_t first_loop;         /* the number of the first of them */
    const struct tmk_tree *tree; /* borrowed */
    bool leaf_only;              /* only leaves hold items */
    bool unique;                 /* mdtest_tree.<tree_owner>.<k> */
    uint64_t tree_owner;         /* used if unique */
    enum tmk_names_kind kind;    /* TMK_NAMES_FILE, _FILE_SHARED or _DIR */
    uint64_t owner;              /* the rank in the item's name */
    uint64_t per_dir;            /* q, >= 1 */
    uint64_t made;               /* how many exist, <= tmk_item_slots() */
};

enum tmk_item_order {
    TMK_ITEM_CREATION,  /* by position */
    TMK_ITEM_ASCENDING, /* loop by loop by id: breadth-first */
    TMK_ITEM_SHUFFLED,  /* positions in a shuffled order */
    TMK_ITEM_LISTED,    /* as a list says: see tmk_item_init_listed() */
};

struct tmk_item {
    /* Of the current item, and room for copies of a fixed size. */
    char path[TMK_ITEM_PATH_SIZE + TMK_ITEM_STEM_SIZE];
    uint64_t position; /* of the current item */
    uint64_t left;     /* items after this one in this directory */
    char *first_digit, *last_digit;
    uint64_t visited; /* items before this one */
    const struct tmk_item_set *set;
    enum tmk_item_order order;
    struct tmk_order shuffle;
    const uint64_t *list; /* if listed; borrowed */
    bool by_id;           /* the list counts by loop and id, not position */
    uint64_t dirs;        /* tmk_item_dirs() */
    uint64_t loop;        /* of the current directory */
    uint64_t dir;         /* number of the current directory */
    uint64_t dir_index;   /* its place in the order of creation of its loop */
    size_t head_length;   /* of "<root>/test-dir.<iteration>-" */
    size_t loop_length;   /* of that with "<loop>/" */
    char step[TMK_ITEM_STEM_SIZE]; /* "mdtest_tree." before each number */
    size_t step_length;
    char stem[TMK_ITEM_STEM_SIZE]; /* "file.mdtest.7." before the id */
    size_t stem_length;
    unsigned levels; /* how many of level[] the path holds now */
    struct {
        uint64_t dir;
        size_t end; /* length of the path with this directory's '/' */
    } level[TMK_TREE_DEPTH_MAX + 1];
};

/* Directories that hold items, in one loop. */
uint64_t tmk_item_dirs(const struct tmk_item_set *set);

/*
 * Items in all when the creation was complete: loops * dirs * per_dir, or
 * UINT64_MAX if that is more.
 */
uint64_t tmk_item_slots(const struct tmk_item_set *set);

/*
 * Stand on the first item of an order, not LISTED.  `seed` is for SHUFFLED
 * alone.  The set must outlive the item.  Returns 0; -ENOENT if made is 0;
 * -ENAMETOOLONG if the longest path of the set does not fit (checked here, so
 * that moving on cannot fail).
 */
int tmk_item_init(struct tmk_item *it, const struct tmk_item_set *set,
                  enum tmk_item_order order, uint64_t seed);

/*
 * The same for LISTED: list[i], i < set->made, says which item comes i-th.
 * That is the list[i]-th by loop and id if the set is complete (made is
 * tmk_item_slots()), else the one at position list[i]; either way the list
 * holds numbers below made.  It is borrowed and must outlive the item.
 */
int tmk_item_init_listed(struct tmk_item *it, const struct tmk_item_set *set,
                         const uint64_t *list);

/*
 * Stand on one position of the order of creation and do not move on: for those
 * who go from owner to owner.  Likewise.
 */
int tmk_item_init_at(struct tmk_item *it, const struct tmk_item_set *set,
                     uint64_t position);

/* Stand where `from` stands; the two then move apart. */
void tmk_item_copy(struct tmk_item *to, const struct tmk_item *from);

/* Slow half of tmk_item_next(): another directory, a new digit, a shuffle. */
bool tmk_item_next_far(struct tmk_item *it);

/* Move on to the next item; false (and no move) after the last one. */
static inline bool tmk_item_next(struct tmk_item *it)
{
    char *d = it->last_digit;

    if (it->left == 0 || *d == '9') {
        return tmk_item_next_far(it);
    }
    ++*d;
    it->left--;
    it->position++;
    it->visited++;
    return true;
}

/* The id in the current item's name. */
static inline uint64_t tmk_item_id(const struct tmk_item *it)
{
    uint64_t first = (it->loop * it->dirs + it->dir_index) * it->set->per_dir;

    return it->dir * it->set->per_dir + (it->position - first);
}

/*
 * The current item's name, for access relative to its directory: the end of
 * it->path behind the last '/'.  It stays where it is, and the directory the
 * same, until it->loop or it->dir changes.
 */
static inline char *tmk_item_name(struct tmk_item *it)
{
    return it->path + it->level[it->levels - 1].end;
}

/*
 * The longest path (bytes, NUL included) that a set can produce, with room for
 * "-XX", or SIZE_MAX if it exceeds TMK_ITEM_PATH_SIZE or an id 64 bits.
 */
size_t tmk_item_longest(const struct tmk_item_set *set);

/*
 * The path of tree directory `dir` of a loop, with a trailing '/', as the
 * original makes and removes it.  Returns its length or -ENAMETOOLONG.
 */
int tmk_item_tree_path(const struct tmk_item_set *set, uint64_t loop,
                       uint64_t dir, char *buf, size_t size);

#endif
