/*
 * match_settle: an expression as it will be evaluated.
 *
 *     -true -size 1 -name x -print -false -ls , -type f -name y
 *     -> ( NAME x, BYTES 1, PRINT, false ) , nothing
 *
 * Constants go, and tests whose result nobody looks at; among tests that
 * follow each other in one list the cheap ones come first.  Nothing moves past
 * what has an effect.
 */
#include "base/match_format.h"
#include "base/match_tree.h"

#include <assert.h>

enum { COSTS = 32 };

/* What is dearer costs more; from COST_STAT on somebody must be asked. */
enum {
    COST_DIRENT = 1,
    COST_BYTES = 2,
    COST_FNMATCH = 4,
    COST_PATH = 6,
    COST_REGEX = 9,
    COST_STAT = 16,
    COST_NAMES = 18, /* of owners */
    COST_SIZE = 20,  /* on some file systems the dearest field */
    COST_CALL = 24
};

static struct tmk_match_node *make_constant(struct tmk_match_node *node,
                                            bool value)
{
    node->kind = TMK_MATCH_CONST;
    node->child = NULL;
    node->acts = false;
    node->u.constant = value;
    return node;
}

static bool is_constant(const struct tmk_match_node *node, bool value)
{
    return node->kind == TMK_MATCH_CONST && node->u.constant == value;
}

static void set_acts(struct tmk_match_node *node)
{
    node->acts = node->kind >= TMK_MATCH_PRUNES;
    for (const struct tmk_match_node *c = node->child; c != NULL; c = c->next) {
        node->acts = node->acts || c->acts;
    }
}

/* A list of one is that one. */
static struct tmk_match_node *shortened(struct tmk_match_node *node)
{
    return node->child->next == NULL ? node->child : node;
}

/* Where the tests at the end of a list that have no effect begin, `end`
 * itself not counted. */
static struct tmk_match_node **tail_without_effect(struct tmk_match_node **from,
                                                   struct tmk_match_node *end)
{
    struct tmk_match_node **tail = from;

    for (struct tmk_match_node **p = from; *p != end; p = &(*p)->next) {
        if ((*p)->acts) {
            tail = &(*p)->next;
        }
    }
    return tail;
}

/* AND and OR whose children are simple already: a constant either makes no
 * difference or is the end. */
static struct tmk_match_node *fold_chain(struct tmk_match_node *node)
{
    bool ends = node->kind == TMK_MATCH_OR;
    struct tmk_match_node **p = &node->child;

    while (*p != NULL) {
        if (is_constant(*p, !ends)) {
            *p = (*p)->next;
        } else if (is_constant(*p, ends)) {
            struct tmk_match_node *end = *p;

            end->next = NULL;
            *tail_without_effect(&node->child, end) = end;
            break;
        } else {
            p = &(*p)->next;
        }
    }
    if (node->child == NULL) {
        return make_constant(node, !ends);
    }
    return shortened(node);
}

/* What is left of a node whose result nobody looks at; NULL: nothing. */
static struct tmk_match_node *unused(struct tmk_match_node *node)
{
    while (node->kind == TMK_MATCH_NOT) {
        node = node->child;
    }
    if (!node->acts) {
        return NULL;
    }
    if (tmk_match_is_list(node)) {
        struct tmk_match_node **last = tail_without_effect(&node->child, NULL);

        *last = NULL;
        last = &node->child;
        assert(*last != NULL);
        while ((*last)->next != NULL) {
            last = &(*last)->next;
        }
        *last = unused(*last);
        assert(*last != NULL);
        return shortened(node);
    }
    return node;
}

/* All but the last one are there for their effects. */
static struct tmk_match_node *fold_comma(struct tmk_match_node *node)
{
    struct tmk_match_node **p = &node->child;

    assert(*p != NULL);
    while ((*p)->next != NULL) {
        struct tmk_match_node *next = (*p)->next;
        struct tmk_match_node *left = unused(*p);

        if (left == NULL) {
            *p = next;
        } else {
            *p = left;
            left->next = next;
            p = &left->next;
        }
    }
    return shortened(node);
}

static struct tmk_match_node *fold(struct tmk_match_node *node,
                                   bool contents_first);

/* Fold the children, and take in those of a list of the same kind. */
static void fold_children(struct tmk_match_node *node, bool contents_first)
{
    struct tmk_match_node **p = &node->child;

    while (*p != NULL) {
        struct tmk_match_node *next = (*p)->next;
        struct tmk_match_node *child;

        (*p)->next = NULL;
        child = fold(*p, contents_first);
        if (child->kind == node->kind && tmk_match_is_list(node)) {
            child = child->child;
        }
        *p = child;
        while (*p != NULL) {
            p = &(*p)->next;
        }
        *p = next;
    }
}

static struct tmk_match_node *fold(struct tmk_match_node *node,
                                   bool contents_first)
{
    struct tmk_match_node *result = node;

    fold_children(node, contents_first);
    switch (node->kind) {
    case TMK_MATCH_NOT:
        if (node->child->kind == TMK_MATCH_CONST) {
            return make_constant(node, !node->child->u.constant);
        }
        if (node->child->kind == TMK_MATCH_TYPES) {
            node->child->u.types = ~node->child->u.types;
            return node->child;
        }
        break;
    case TMK_MATCH_AND:
    case TMK_MATCH_OR: result = fold_chain(node); break;
    case TMK_MATCH_COMMA: result = fold_comma(node); break;
    case TMK_MATCH_NAME:
    case TMK_MATCH_PATH:
        if (node->u.glob.kind == TMK_MATCH_GLOB_ALL) {
            return make_constant(node, true);
        }
        break;
    case TMK_MATCH_PRUNES:
        if (contents_first) {
            return make_constant(node, true); /* the contents are done */
        }
        break;
    default: break;
    }
    set_acts(result);
    return result;
}

/* ---- what a test costs and needs -------------------------------------- */

struct price {
    unsigned cost;
    uint32_t needs;
};

static const struct price prices[] = {
    [TMK_MATCH_NAME] = {COST_BYTES, 0},
    [TMK_MATCH_PATH] = {COST_PATH, 0},
    [TMK_MATCH_REGEX] = {COST_REGEX + 1, 0},
    [TMK_MATCH_NAME_REGEX] = {COST_REGEX, 0},
    [TMK_MATCH_TYPES] = {COST_DIRENT, 0},
    [TMK_MATCH_OTHER_TYPES] = {COST_CALL + 2, TMK_MATCH_CALL},
    [TMK_MATCH_INODE] = {COST_DIRENT + 1, TMK_MATCH_INO},
    [TMK_MATCH_LINKS] = {COST_STAT, TMK_MATCH_NLINK},
    [TMK_MATCH_OWNER] = {COST_STAT, TMK_MATCH_UID},
    [TMK_MATCH_GROUP] = {COST_STAT, TMK_MATCH_GID},
    [TMK_MATCH_NO_OWNER] = {COST_NAMES, TMK_MATCH_UID | TMK_MATCH_CALL},
    [TMK_MATCH_NO_GROUP] = {COST_NAMES, TMK_MATCH_GID | TMK_MATCH_CALL},
    [TMK_MATCH_BITS] = {COST_STAT, TMK_MATCH_MODE},
    [TMK_MATCH_BYTES] = {COST_SIZE, TMK_MATCH_SIZE},
    [TMK_MATCH_AGE] = {COST_STAT, 0},
    [TMK_MATCH_USED] = {COST_STAT, TMK_MATCH_ATIME | TMK_MATCH_CTIME},
    [TMK_MATCH_NEWER] = {COST_STAT, 0},
    [TMK_MATCH_SAME] = {COST_STAT - 1, TMK_MATCH_INO},
    [TMK_MATCH_EMPTY] = {COST_CALL + 4, TMK_MATCH_SIZE | TMK_MATCH_CALL},
    [TMK_MATCH_LEADS] = {COST_CALL + 1, TMK_MATCH_CALL},
    [TMK_MATCH_FSTYPE] = {COST_CALL, TMK_MATCH_CALL},
    [TMK_MATCH_MAY] = {COST_CALL + 3, TMK_MATCH_CALL},
    [TMK_MATCH_ACTS] = {0, 0},
};

uint32_t tmk_match_action_needs(const struct tmk_match_action *action)
{
    switch (action->act) {
    case TMK_MATCH_PRINTF: return action->format->needs;
    case TMK_MATCH_LS: return TMK_MATCH_LS_NEEDS;
    default: return 0;
    }
}

static struct price price_of(const struct tmk_match_node *node)
{
    struct price price = prices[node->kind];

    switch (node->kind) {
    case TMK_MATCH_NAME:
        if (node->u.glob.kind == TMK_MATCH_GLOB_FNMATCH) {
            price.cost = COST_FNMATCH;
        }
        break;
    case TMK_MATCH_AGE: price.needs = node->u.age.field; break;
    case TMK_MATCH_NEWER: price.needs = node->u.newer.field; break;
    case TMK_MATCH_ACTS:
        /* Actions are called when everything may be. */
        price.needs = tmk_match_action_needs(node->u.action) &
                      ~(uint32_t)(TMK_MATCH_TYPE | TMK_MATCH_CALL);
        break;
    default: break;
    }
    return price;
}

/* Sort the nodes from *from to `end`, which have no effects. */
static void sort(struct tmk_match_node **from, struct tmk_match_node *end)
{
    struct tmk_match_node *first[COSTS] = {NULL};
    struct tmk_match_node **last[COSTS];

    for (struct tmk_match_node *n = *from; n != end; n = n->next) {
        assert(n->cost < COSTS);
        if (first[n->cost] == NULL) {
            last[n->cost] = &first[n->cost];
        }
        *last[n->cost] = n;
        last[n->cost] = &n->next;
    }
    for (size_t cost = 0; cost < COSTS; cost++) {
        if (first[cost] != NULL) {
            *from = first[cost];
            from = last[cost];
        }
    }
    *from = end;
}

static void order(struct tmk_match_node *list)
{
    struct tmk_match_node **p = &list->child;

    while (*p != NULL) {
        struct tmk_match_node *end = *p;

        if (end->acts) {
            p = &end->next;
            continue;
        }
        while (end != NULL && !end->acts) {
            end = end->next;
        }
        sort(p, end);
        while (*p != end) {
            p = &(*p)->next;
        }
    }
}

static void measure(struct tmk_match *match, struct tmk_match_node *node)
{
    struct price price = {0};

    if (node->child == NULL) {
        price = price_of(node);
    }
    node->cost = price.cost;
    node->needs = price.needs;
    for (struct tmk_match_node *c = node->child; c != NULL; c = c->next) {
        measure(match, c);
        node->cost = c->cost > node->cost ? c->cost : node->cost;
        node->needs |= c->needs;
    }
    if (node->kind == TMK_MATCH_AND || node->kind == TMK_MATCH_OR) {
        order(node);
    }
    if (node->kind == TMK_MATCH_PATH || node->kind == TMK_MATCH_REGEX) {
        match->path_in_tests = true;
    }
}

void tmk_match_settle(struct tmk_match *match, struct tmk_match_node *root)
{
    struct tmk_match_node *folded = fold(root, match->contents_first);
    struct tmk_match_node *left = unused(folded);

    if (left == NULL) {
        left = make_constant(folded, false); /* nothing is ever done */
    }
    measure(match, left);
    match->root = left;
    match->needs = left->needs;
    if (left->kind == TMK_MATCH_AND && left->child->kind == TMK_MATCH_NAME) {
        match->first_name = &left->child->u.glob;
        if (match->first_name->kind == TMK_MATCH_GLOB_CONTAINS &&
            !match->first_name->fold) {
            match->first_text = match->first_name->text;
        }
    }
}
