/*
 * match_eval: asking an expression about an entry.
 *
 * Looking ahead has three results, no, yes and maybe, and notes whether an
 * effect may be reached at all: without one nothing is to be done, whatever is
 * not known.
 */
#include "base/match_tree.h"

#include <string.h>

enum verdict { NO, YES, MAYBE };

static bool is_known_dir(const struct tmk_match_entry *e)
{
    return e->type == TMK_MATCH_DIR;
}

/* Only directories are entered, and then -prune counts. */
static bool may_be_dir(const struct tmk_match_entry *e)
{
    return e->type == TMK_MATCH_UNKNOWN || is_known_dir(e);
}

static bool regex_matches(const struct tmk_match_node *node,
                          const struct tmk_match_entry *e)
{
    struct tmk_match_regex *regex = node->u.regex;

    if (node->kind == TMK_MATCH_NAME_REGEX) {
        return re_search(&regex->buffer, e->name, (regoff_t)e->name_length, 0,
                         (regoff_t)e->name_length, NULL) >= 0;
    }
    return re_match(&regex->buffer, e->path, (regoff_t)e->path_length, 0,
                    NULL) == (regoff_t)e->path_length;
}

static struct tmk_match_time time_of(const struct tmk_match_entry *e,
                                     uint32_t field)
{
    switch (field) {
    case TMK_MATCH_ATIME: return e->atime;
    case TMK_MATCH_CTIME: return e->ctime;
    case TMK_MATCH_BTIME: return e->btime;
    default: return e->mtime;
    }
}

static bool is_newer(const struct tmk_match_node *node,
                     const struct tmk_match_entry *e)
{
    struct tmk_match_time time = time_of(e, node->u.newer.field);

    if (time.ns == TMK_MATCH_NO_TIME) {
        return false;
    }
    if (node->u.newer.whole_s) {
        return time.s >= node->u.newer.than.s;
    }
    return tmk_match_time_compare(time, node->u.newer.than) > 0;
}

/* Read after it was last changed, and how many days: where they are equal to
 * something, the first moment of a day counts and not the last, other than
 * with -mtime and as GNU find has it. */
static bool was_used(const struct tmk_match_node *node,
                     const struct tmk_match_entry *e)
{
    const struct tmk_match_window *window = &node->u.age.window;
    struct tmk_match_time after = tmk_match_time_less(e->atime, e->ctime);

    if (after.s < 0) {
        return false;
    }
    if (window->order == TMK_MATCH_EQUAL) {
        return after.s >= window->from.s &&
               after.s - window->from.s < window->length_s;
    }
    return tmk_match_number_test_window(window, after);
}

/* Tests for which the fields of stat suffice. */
static bool holds_by_stat(const struct tmk_match_node *node,
                          const struct tmk_match_entry *e)
{
    switch (node->kind) {
    case TMK_MATCH_INODE:
        return tmk_match_number_test(node->u.number, e->inode);
    case TMK_MATCH_LINKS:
        return tmk_match_number_test(node->u.number, e->links);
    case TMK_MATCH_OWNER: return tmk_match_number_test(node->u.number, e->uid);
    case TMK_MATCH_GROUP: return tmk_match_number_test(node->u.number, e->gid);
    case TMK_MATCH_BITS:
        return tmk_match_mode_test(&node->u.mode, is_known_dir(e), e->mode);
    case TMK_MATCH_BYTES:
        return tmk_match_number_test_size(
            node->u.size.number, node->u.size.unit_bytes, e->size_bytes);
    case TMK_MATCH_AGE:
        return tmk_match_number_test_window(&node->u.age.window,
                                            time_of(e, node->u.age.field));
    case TMK_MATCH_USED: return was_used(node, e);
    case TMK_MATCH_NEWER: return is_newer(node, e);
    default: /* TMK_MATCH_SAME */
        return e->inode == node->u.same.inode && e->dev == node->u.same.dev;
    }
}

/* Tests on the dirent, what it says being known. */
static bool holds_by_dirent(const struct tmk_match_node *node,
                            const struct tmk_match_entry *e)
{
    switch (node->kind) {
    case TMK_MATCH_CONST: return node->u.constant;
    case TMK_MATCH_NAME:
        return tmk_match_glob_test(&node->u.glob, e->name, e->name_length);
    case TMK_MATCH_PATH:
        return tmk_match_glob_test(&node->u.glob, e->path, e->path_length);
    case TMK_MATCH_REGEX:
    case TMK_MATCH_NAME_REGEX: return regex_matches(node, e);
    default: return (tmk_match_type_bit((char)e->type) & node->u.types) != 0;
    }
}

/* ---- looking ahead ---------------------------------------------------- */

struct ahead {
    const struct tmk_match *match;
    const struct tmk_match_entry *entry;
    uint32_t missing;
    bool effect; /* one may be reached */
    bool sure;   /* what is looked at now is reached */
    bool over;   /* -quit is reached */
};

static enum verdict verdict(bool holds)
{
    return holds ? YES : NO;
}

static enum verdict lack(struct ahead *a, uint32_t needs)
{
    a->missing |= needs & ~a->entry->have;
    return MAYBE;
}

/* By its fields, if they are there. */
static enum verdict by_stat(struct ahead *a, const struct tmk_match_node *node,
                            uint32_t needs)
{
    if ((needs & ~a->entry->have) != 0) {
        return lack(a, needs);
    }
    return verdict(holds_by_stat(node, a->entry));
}

static bool is_type_unknown(const struct tmk_match_entry *e)
{
    return e->type == TMK_MATCH_UNKNOWN && (e->have & TMK_MATCH_TYPE) == 0;
}

/*
 * The inode number of a directory's dirent is that of a place something may be
 * mounted on, not of what is mounted there.
 */
static bool is_inode_known(const struct tmk_match_entry *e)
{
    return (e->have & TMK_MATCH_INO) != 0 ||
           (e->inode != 0 && e->type != TMK_MATCH_DIR &&
            e->type != TMK_MATCH_UNKNOWN);
}

/* -xtype: what is no link is no other either. */
static enum verdict look_other(struct ahead *a,
                               const struct tmk_match_node *node)
{
    const struct tmk_match_entry *e = a->entry;

    if (is_type_unknown(e)) {
        return lack(a, TMK_MATCH_TYPE | TMK_MATCH_CALL);
    }
    if (e->type == TMK_MATCH_LINK ||
        ((e->have & TMK_MATCH_TYPE) != 0 &&
         a->match->follow != TMK_MATCH_FOLLOW_NONE)) {
        return lack(a, TMK_MATCH_CALL);
    }
    return verdict(holds_by_dirent(node, e));
}

/* Tests that a call decides, if type and size leave anything to decide. */
static enum verdict look_call(struct ahead *a,
                              const struct tmk_match_node *node)
{
    const struct tmk_match_entry *e = a->entry;
    bool unknown = is_type_unknown(e);

    switch (node->kind) {
    case TMK_MATCH_OTHER_TYPES: return look_other(a, node);
    case TMK_MATCH_LEADS:
        if (unknown) {
            return lack(a, TMK_MATCH_TYPE | TMK_MATCH_CALL);
        }
        return e->type == TMK_MATCH_LINK ? lack(a, TMK_MATCH_CALL) : NO;
    case TMK_MATCH_EMPTY:
        if (unknown) {
            return lack(a, TMK_MATCH_TYPE | node->needs);
        }
        if (e->type == TMK_MATCH_FILE) {
            return (e->have & TMK_MATCH_SIZE) != 0 ? verdict(e->size_bytes == 0)
                                                   : lack(a, TMK_MATCH_SIZE);
        }
        return is_known_dir(e) ? lack(a, TMK_MATCH_CALL) : NO;
    default: return lack(a, node->needs);
    }
}

static enum verdict look_test(struct ahead *a,
                              const struct tmk_match_node *node)
{
    const struct tmk_match_entry *e = a->entry;

    switch (node->kind) {
    case TMK_MATCH_CONST:
    case TMK_MATCH_NAME:
    case TMK_MATCH_PATH:
    case TMK_MATCH_REGEX:
    case TMK_MATCH_NAME_REGEX: return verdict(holds_by_dirent(node, e));
    case TMK_MATCH_TYPES:
        return is_type_unknown(e) ? lack(a, TMK_MATCH_TYPE)
                                  : verdict(holds_by_dirent(node, e));
    case TMK_MATCH_INODE:
        return is_inode_known(e) ? verdict(holds_by_stat(node, e))
                                 : lack(a, TMK_MATCH_INO);
    case TMK_MATCH_SAME:
        if (is_inode_known(e) && e->inode != node->u.same.inode) {
            return NO;
        }
        return by_stat(a, node, node->needs);
    case TMK_MATCH_BITS:
        /* Directories have bits of their own. */
        return by_stat(a, node,
                       node->needs | (is_type_unknown(e) ? TMK_MATCH_TYPE : 0));
    default:
        return (node->needs & TMK_MATCH_CALL) != 0
                   ? look_call(a, node)
                   : by_stat(a, node, node->needs);
    }
}

/* Whether an action may fail, and so decide what comes after it. */
static bool acts_by_call(const struct tmk_match_action *action)
{
    return action->act == TMK_MATCH_DELETE || action->act == TMK_MATCH_EXEC;
}

static uint32_t action_lacks(const struct tmk_match_action *action,
                             const struct tmk_match_entry *e)
{
    uint32_t needs = tmk_match_action_needs(action);

    if (!is_type_unknown(e)) {
        needs &= ~(uint32_t)TMK_MATCH_TYPE;
    }
    return needs & ~e->have & TMK_MATCH_STATX;
}

static enum verdict look_effect(struct ahead *a,
                                const struct tmk_match_node *node)
{
    switch (node->kind) {
    case TMK_MATCH_PRUNES:
        a->effect = a->effect || may_be_dir(a->entry);
        return YES;
    case TMK_MATCH_QUITS:
        a->effect = true;
        a->over = a->sure;
        return YES;
    default: break;
    }
    a->effect = true;
    a->missing |= action_lacks(node->u.action, a->entry);
    return acts_by_call(node->u.action) ? MAYBE : YES;
}

static enum verdict look(struct ahead *a, const struct tmk_match_node *node);

/* AND, OR, COMMA: after a maybe the rest may be reached. */
static enum verdict look_list(struct ahead *a,
                              const struct tmk_match_node *node)
{
    enum verdict ends = node->kind == TMK_MATCH_AND ? NO : YES;
    enum verdict result = node->kind == TMK_MATCH_AND ? YES : NO;
    bool sure = a->sure;

    for (const struct tmk_match_node *c = node->child; c != NULL && !a->over;
         c = c->next) {
        enum verdict v = look(a, c);

        if (node->kind == TMK_MATCH_COMMA) {
            result = v;
            continue;
        }
        if (v == ends) {
            result = v;
            break;
        }
        if (v == MAYBE) {
            result = MAYBE;
            a->sure = false;
        }
    }
    a->sure = sure;
    return result;
}

static enum verdict look(struct ahead *a, const struct tmk_match_node *node)
{
    enum verdict v;

    if (node->kind == TMK_MATCH_NOT) {
        v = look(a, node->child);
        return v == MAYBE ? v : verdict(v == NO);
    }
    if (tmk_match_is_list(node)) {
        return look_list(a, node);
    }
    return node->kind >= TMK_MATCH_PRUNES ? look_effect(a, node)
                                          : look_test(a, node);
}

/*
 * The tests that a chain begins with are asked here at a fraction of the cost:
 * most entries of most trees fail in one of them, or lack what one needs.
 * MAYBE: that is not known yet, and *missing says what it takes; YES: the rest
 * of the chain decides.
 */
static enum verdict look_first(const struct tmk_match_node *root,
                               const struct tmk_match_entry *e,
                               uint32_t *missing)
{
    uint32_t lacks = 0;

    if (root->kind != TMK_MATCH_AND) {
        return YES;
    }
    for (const struct tmk_match_node *c = root->child;; c = c->next) {
        bool holds;

        switch (c->kind) {
        case TMK_MATCH_NAME:
            holds = tmk_match_glob_test(&c->u.glob, e->name, e->name_length);
            break;
        case TMK_MATCH_TYPES:
            if (e->type == TMK_MATCH_UNKNOWN) {
                return YES;
            }
            holds = (tmk_match_type_bit((char)e->type) & c->u.types) != 0;
            break;
        case TMK_MATCH_LINKS:
        case TMK_MATCH_OWNER:
        case TMK_MATCH_GROUP:
        case TMK_MATCH_BYTES:
        case TMK_MATCH_AGE:
        case TMK_MATCH_NEWER:
            if ((c->needs & ~e->have) != 0) {
                lacks |= c->needs & ~e->have;
                continue;
            }
            holds = holds_by_stat(c, e);
            break;
        case TMK_MATCH_ACTS:
            if (lacks == 0 || c->next != NULL || is_type_unknown(e) ||
                acts_by_call(c->u.action)) {
                return YES;
            }
            *missing = lacks | action_lacks(c->u.action, e);
            return MAYBE;
        default: return YES; /* at the latest there is an effect */
        }
        if (!holds) {
            return NO;
        }
    }
}

bool tmk_match_pattern_fails(const struct tmk_match *match, const char *name)
{
    return !tmk_match_glob_test(match->first_name, name, strlen(name));
}

enum tmk_match_answer tmk_match_ahead(const struct tmk_match *match,
                                      const struct tmk_match_entry *entry,
                                      uint32_t *missing)
{
    struct ahead a = {.match = match, .entry = entry, .sure = true};

    *missing = 0;
    if (entry->depth < match->depth_least) {
        return TMK_MATCH_NO;
    }
    switch (look_first(match->root, entry, missing)) {
    case NO: return TMK_MATCH_NO;
    case MAYBE: return TMK_MATCH_NEEDS;
    default: break;
    }
    (void)look(&a, match->root);
    if (!a.effect) {
        return TMK_MATCH_NO;
    }
    *missing = a.missing;
    return a.missing != 0 ? TMK_MATCH_NEEDS : TMK_MATCH_YES;
}

/* ---- doing it --------------------------------------------------------- */

struct run {
    const struct tmk_match *match;
    const struct tmk_match_entry *entry;
    const struct tmk_match_calls *calls;
    void *arg;
    unsigned outcome;
};

static bool leads(const struct run *r, const struct tmk_match_node *node)
{
    const char *target;

    if (r->entry->type != TMK_MATCH_LINK) {
        return false;
    }
    target = r->calls->link_target(r->arg, r->entry);
    return target != NULL &&
           tmk_match_glob_test(&node->u.glob, target, strlen(target));
}

static bool is_empty(const struct run *r)
{
    if (r->entry->type == TMK_MATCH_FILE) {
        return r->entry->size_bytes == 0;
    }
    return is_known_dir(r->entry) && r->calls->is_empty_dir(r->arg, r->entry);
}

static bool is_other(const struct run *r, const struct tmk_match_node *node)
{
    const struct tmk_match_entry *e = r->entry;
    bool followed =
        r->match->follow == TMK_MATCH_FOLLOW_ALL ||
        (r->match->follow == TMK_MATCH_FOLLOW_STARTS && e->depth == 0);
    char type = (char)e->type;

    if (followed) {
        type = r->calls->own_type(r->arg, e);
    } else if (type == TMK_MATCH_LINK) {
        type = r->calls->target_type(r->arg, e);
        type = (char)(type == 'N' ? TMK_MATCH_LINK : type);
    }
    return (tmk_match_type_bit(type) & node->u.types) != 0;
}

static bool holds_by_call(const struct run *r,
                          const struct tmk_match_node *node)
{
    const struct tmk_match_entry *e = r->entry;

    switch (node->kind) {
    case TMK_MATCH_OTHER_TYPES: return is_other(r, node);
    case TMK_MATCH_NO_OWNER: return r->calls->user_name(r->arg, e->uid) == NULL;
    case TMK_MATCH_NO_GROUP:
        return r->calls->group_name(r->arg, e->gid) == NULL;
    case TMK_MATCH_EMPTY: return is_empty(r);
    case TMK_MATCH_LEADS: return leads(r, node);
    case TMK_MATCH_FSTYPE:
        return strcmp(r->calls->fstype(r->arg, e), node->u.fstype) == 0;
    default: return r->calls->may(r->arg, e, node->u.may);
    }
}

static bool run_effect(struct run *r, const struct tmk_match_node *node)
{
    switch (node->kind) {
    case TMK_MATCH_PRUNES:
        r->outcome |= may_be_dir(r->entry) ? TMK_MATCH_PRUNE : 0;
        return true;
    case TMK_MATCH_QUITS: r->outcome |= TMK_MATCH_QUIT; return true;
    default:
        r->outcome |= TMK_MATCH_ACTED;
        return r->calls->act(r->arg, node->u.action, r->entry);
    }
}

static bool run(struct run *r, const struct tmk_match_node *node)
{
    bool result = node->kind == TMK_MATCH_AND;

    switch (node->kind) {
    case TMK_MATCH_NOT: return !run(r, node->child);
    case TMK_MATCH_AND:
    case TMK_MATCH_OR:
    case TMK_MATCH_COMMA:
        for (const struct tmk_match_node *c = node->child;
             c != NULL && (r->outcome & TMK_MATCH_QUIT) == 0; c = c->next) {
            result = run(r, c);
            if (node->kind != TMK_MATCH_COMMA &&
                result == (node->kind == TMK_MATCH_OR)) {
                break;
            }
        }
        return result;
    case TMK_MATCH_CONST:
    case TMK_MATCH_NAME:
    case TMK_MATCH_PATH:
    case TMK_MATCH_REGEX:
    case TMK_MATCH_NAME_REGEX:
    case TMK_MATCH_TYPES: return holds_by_dirent(node, r->entry);
    default: break;
    }
    if (node->kind >= TMK_MATCH_PRUNES) {
        return run_effect(r, node);
    }
    return (node->needs & TMK_MATCH_CALL) != 0 ? holds_by_call(r, node)
                                               : holds_by_stat(node, r->entry);
}

unsigned tmk_match_run(const struct tmk_match *match,
                       const struct tmk_match_entry *entry,
                       const struct tmk_match_calls *calls, void *arg)
{
    struct run r = {.match = match, .entry = entry, .calls = calls, .arg = arg};

    if (entry->depth < match->depth_least) {
        return 0;
    }
    (void)run(&r, match->root);
    return r.outcome;
}
