/*
 * The path of the current item, kept in one buffer: within a directory only
 * digits change, between directories only the levels that differ.
 */
#include "base/item.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { DIGITS_MAX = 20 };

/* What a set's paths consist of, besides numbers. */
struct parts {
    size_t root_length; /* without trailing slashes */
    bool slash;         /* between the root and the head */
    char head[TMK_ITEM_STEM_SIZE];
    size_t head_length;
    char step[TMK_ITEM_STEM_SIZE];
    size_t step_length;
    char stem[TMK_ITEM_STEM_SIZE];
    size_t stem_length;
};

/* The name of a kind up to its last number; returns its length. */
static size_t name_stem(enum tmk_names_kind kind, uint64_t a, char *buf)
{
    int n = tmk_names_make(kind, a, 0, buf, TMK_ITEM_STEM_SIZE);

    assert(n > 0 && buf[n - 1] == '0');
    return (size_t)n - 1;
}

static void parts_init(struct parts *p, const struct tmk_item_set *set)
{
    p->root_length = strlen(set->root);
    p->slash = p->root_length > 0;
    while (p->root_length > 0 && set->root[p->root_length - 1] == '/') {
        p->root_length--;
    }
    p->head_length = name_stem(TMK_NAMES_TEST_DIR, set->iteration, p->head);
    p->step_length =
        name_stem(set->unique ? TMK_NAMES_TREE_UNIQUE : TMK_NAMES_TREE,
                  set->tree_owner, p->step);
    p->stem_length = name_stem(set->kind, set->owner, p->stem);
}

static size_t digits(uint64_t v)
{
    char scratch[DIGITS_MAX];

    return tmk_names_digits(scratch, v);
}

/* Length of "<root>/test-dir.0-<loop>/mdtest_tree.0/.../". */
static size_t tree_length(const struct parts *p, const struct tmk_tree *tree,
                          uint64_t loop, uint64_t dir)
{
    size_t length = p->root_length + p->slash + p->head_length + digits(loop) +
                    sizeof("/") - 1;

    for (;; dir = tmk_tree_parent(tree, dir)) {
        length += p->step_length + digits(dir) + sizeof("/") - 1;
        if (dir == 0) {
            return length;
        }
    }
}

/* Write "<root>/test-dir.0-" to buf; returns its length. */
static size_t write_head(const struct parts *p, const char *root, char *buf)
{
    char *end = buf + p->root_length;

    memcpy(buf, root, p->root_length);
    if (p->slash) {
        *end++ = '/';
    }
    memcpy(end, p->head, p->head_length);
    return p->root_length + p->slash + p->head_length;
}

uint64_t tmk_item_dirs(const struct tmk_item_set *set)
{
    return set->leaf_only ? set->tree->leaves : set->tree->dirs;
}

uint64_t tmk_item_slots(const struct tmk_item_set *set)
{
    uint64_t slots;

    if (__builtin_mul_overflow(tmk_item_dirs(set), set->per_dir, &slots) ||
        __builtin_mul_overflow(slots, set->loops, &slots)) {
        return UINT64_MAX;
    }
    return slots;
}

size_t tmk_item_longest(const struct tmk_item_set *set)
{
    struct parts p;
    uint64_t ids;
    size_t length;

    /* The last directory of the last loop has the longest numbers of all. */
    if (__builtin_mul_overflow(set->tree->dirs, set->per_dir, &ids)) {
        return SIZE_MAX;
    }
    parts_init(&p, set);
    length = tree_length(&p, set->tree, set->first_loop + set->loops - 1,
                         set->tree->dirs - 1) +
             p.stem_length + digits(ids - 1) + sizeof("-XX");
    return length <= TMK_ITEM_PATH_SIZE ? length : SIZE_MAX;
}

int tmk_item_tree_path(const struct tmk_item_set *set, uint64_t loop,
                       uint64_t dir, char *buf, size_t size)
{
    struct parts p;
    size_t length;
    char *at;

    parts_init(&p, set);
    loop += set->first_loop;
    length = tree_length(&p, set->tree, loop, dir);
    if (length >= size || length > INT_MAX) {
        return -ENAMETOOLONG;
    }
    at = buf + length;
    *at = '\0';
    for (;; dir = tmk_tree_parent(set->tree, dir)) { /* from behind */
        *--at = '/';
        at -= digits(dir);
        tmk_names_digits(at, dir);
        at -= p.step_length;
        memcpy(at, p.step, p.step_length);
        if (dir == 0) {
            break;
        }
    }
    *--at = '/';
    tmk_names_digits(at - digits(loop), loop);
    write_head(&p, set->root, buf);
    return (int)length;
}

/* The lowest number of a directory that holds items. */
static uint64_t first_dir(const struct tmk_item_set *set)
{
    return set->leaf_only ? set->tree->first[set->tree->depth] : 0;
}

/* The number of the directory at a place in the order of creation. */
static uint64_t dir_at(const struct tmk_item_set *set, uint64_t index)
{
    /* Among the leaves all orders are one. */
    return set->leaf_only ? first_dir(set) + index
                          : tmk_tree_at_preorder(set->tree, index);
}

/* Its inverse. */
static uint64_t index_of(const struct tmk_item_set *set, uint64_t dir)
{
    return set->leaf_only ? dir - first_dir(set)
                          : tmk_tree_preorder(set->tree, dir);
}

/* Write a number and a slash; returns what is behind. */
static char *put_number(char *at, uint64_t number)
{
    at += tmk_names_digits(at, number);
    *at = '/';
    return at + 1;
}

/* Make the path lead to a directory; up to the stem, digits are to follow. */
static void enter(struct tmk_item *it, uint64_t loop, uint64_t dir)
{
    const struct tmk_tree *tree = it->set->tree;
    unsigned level = tmk_tree_level(tree, dir);
    unsigned from = level + 1; /* the first level to write */
    uint64_t k = dir;
    char *end;

    if (it->levels == 0 || loop != it->loop) {
        it->levels = 0;
        end =
            put_number(it->path + it->head_length, it->set->first_loop + loop);
        it->loop_length = (size_t)(end - it->path);
    }
    while (from > 0 && (from > it->levels || it->level[from - 1].dir != k)) {
        it->level[--from].dir = k;
        k = from > 0 ? tmk_tree_parent(tree, k) : 0;
    }
    end = it->path + (from > 0 ? it->level[from - 1].end : it->loop_length);
    for (; from <= level; from++) {
        memcpy(end, it->step, sizeof(it->step)); /* 40: no call */
        end = put_number(end + it->step_length, it->level[from].dir);
        it->level[from].end = (size_t)(end - it->path);
    }
    memcpy(end, it->stem, sizeof(it->stem));
    it->first_digit = end + it->stem_length;
    it->levels = level + 1;
    it->loop = loop;
    it->dir = dir;
}

/* Stand on an item of a directory. */
static void stand(struct tmk_item *it, uint64_t loop, uint64_t index,
                  uint64_t dir, uint64_t offset)
{
    uint64_t per_dir = it->set->per_dir;
    unsigned n;

    if (it->levels == 0 || dir != it->dir || loop != it->loop) {
        enter(it, loop, dir);
    }
    it->dir_index = index;
    it->position = (loop * it->dirs + index) * per_dir + offset;
    n = tmk_names_digits(it->first_digit, dir * per_dir + offset);
    it->first_digit[n] = '\0';
    it->last_digit = it->first_digit + n - 1;
}

/* Stand on a position, wherever that is. */
static void stand_at(struct tmk_item *it, uint64_t position)
{
    uint64_t place = position / it->set->per_dir;
    uint64_t index = place % it->dirs;

    stand(it, place / it->dirs, index, dir_at(it->set, index),
          position % it->set->per_dir);
}

/* Stand on the n-th of a complete set by loop and id. */
static void stand_by_id(struct tmk_item *it, uint64_t n)
{
    const struct tmk_item_set *set = it->set;
    uint64_t place = n / set->per_dir;
    uint64_t dir = first_dir(set) + place % it->dirs;

    stand(it, place / it->dirs, index_of(set, dir), dir, n % set->per_dir);
}

static void stand_shuffled(struct tmk_item *it)
{
    stand_at(it, tmk_order_at(&it->shuffle, it->visited));
}

static void stand_listed(struct tmk_item *it)
{
    uint64_t n = it->list[it->visited];

    assert(n < it->set->made);
    if (it->by_id) {
        stand_by_id(it, n);
    } else {
        stand_at(it, n);
    }
}

/* Stand on the first item of a directory, to walk through it. */
static void stand_first(struct tmk_item *it, uint64_t loop, uint64_t index,
                        uint64_t dir)
{
    uint64_t rest;

    stand(it, loop, index, dir, 0);
    rest = it->set->made - it->position;
    it->left = (rest < it->set->per_dir ? rest : it->set->per_dir) - 1;
}

/* All but standing somewhere. */
static int prepare(struct tmk_item *it, const struct tmk_item_set *set,
                   enum tmk_item_order order)
{
    struct parts p;

    if (set->made == 0) {
        return -ENOENT;
    }
    assert(set->loops > 0 && set->per_dir > 0);
    assert(set->made <= tmk_item_slots(set));
    if (tmk_item_longest(set) == SIZE_MAX) {
        return -ENAMETOOLONG;
    }
    parts_init(&p, set);
    it->set = set;
    it->order = order;
    it->dirs = tmk_item_dirs(set);
    it->visited = 0;
    it->left = 0;
    it->levels = 0;
    it->head_length = write_head(&p, set->root, it->path);
    memcpy(it->step, p.step, sizeof(it->step));
    it->step_length = p.step_length;
    memcpy(it->stem, p.stem, sizeof(it->stem));
    it->stem_length = p.stem_length;
    return 0;
}

int tmk_item_init(struct tmk_item *it, const struct tmk_item_set *set,
                  enum tmk_item_order order, uint64_t seed)
{
    int err = prepare(it, set, order);

    assert(order != TMK_ITEM_LISTED);
    if (err != 0) {
        return err;
    }
    if (order == TMK_ITEM_SHUFFLED) {
        tmk_order_init(&it->shuffle, set->made, seed);
        stand_shuffled(it);
    } else {
        stand_first(it, 0, 0, dir_at(set, 0));
    }
    return 0;
}

int tmk_item_init_at(struct tmk_item *it, const struct tmk_item_set *set,
                     uint64_t position)
{
    int err = prepare(it, set, TMK_ITEM_CREATION);

    if (err != 0) {
        return err;
    }
    assert(position < set->made);
    stand_at(it, position);
    return 0;
}

int tmk_item_init_listed(struct tmk_item *it, const struct tmk_item_set *set,
                         const uint64_t *list)
{
    int err = prepare(it, set, TMK_ITEM_LISTED);

    if (err != 0) {
        return err;
    }
    it->list = list;
    it->by_id = set->made == tmk_item_slots(set);
    stand_listed(it);
    return 0;
}

/* The digits end in 9: carry. */
static void carry(struct tmk_item *it)
{
    char *d = it->last_digit;

    while (d >= it->first_digit && *d == '9') {
        *d-- = '0';
    }
    if (d >= it->first_digit) {
        ++*d;
        return;
    }
    *it->first_digit = '1'; /* 99 -> 100 */
    *++it->last_digit = '0';
    it->last_digit[1] = '\0';
}

/* The next directory in the order of creation. */
static void next_created(struct tmk_item *it)
{
    uint64_t loop = it->loop;
    uint64_t index = it->dir_index + 1;

    if (index == it->dirs) {
        loop++;
        index = 0;
    }
    stand_first(it, loop, index, dir_at(it->set, index));
}

/*
 * The next directory by number that holds an item.  On each level those are
 * the first ones, because on a level pre-order rises with the number: where
 * one was not made, the next level is to be continued with.
 */
static void next_ascending(struct tmk_item *it)
{
    const struct tmk_item_set *set = it->set;
    uint64_t loop = it->loop;
    uint64_t dir = it->dir + 1;
    uint64_t made; /* in this loop and behind it */
    uint64_t index;

    if (dir == set->tree->dirs) {
        loop++;
        dir = first_dir(set);
    }
    made = set->made - loop * it->dirs * set->per_dir;
    index = index_of(set, dir);
    if (index * set->per_dir >= made) {
        dir = set->tree->first[it->levels]; /* this level's number + 1 */
        index = index_of(set, dir);
    }
    stand_first(it, loop, index, dir);
}

void tmk_item_copy(struct tmk_item *to, const struct tmk_item *from)
{
    *to = *from;
    to->first_digit = to->path + (from->first_digit - from->path);
    to->last_digit = to->path + (from->last_digit - from->path);
}

bool tmk_item_next_far(struct tmk_item *it)
{
    if (it->left > 0) {
        it->left--;
        it->position++;
        it->visited++;
        carry(it);
        return true;
    }
    if (it->visited + 1 == it->set->made) {
        return false;
    }
    it->visited++;
    switch (it->order) {
    case TMK_ITEM_CREATION: next_created(it); break;
    case TMK_ITEM_ASCENDING: next_ascending(it); break;
    case TMK_ITEM_SHUFFLED: stand_shuffled(it); break;
    case TMK_ITEM_LISTED: stand_listed(it); break;
    }
    return true;
}
