/*
 * match_build: nodes of an expression, and its beginning and end.
 */
#include "base/match_parse.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tmk_match_begin(struct tmk_match_parser *p)
{
    p->word = "";
    p->syntax = RE_SYNTAX_EMACS;
    p->match = calloc(1, sizeof(*p->match));
    if (p->match == NULL) {
        p->err = -ENOMEM;
        return p->err;
    }
    p->match->depth_most = UINT32_MAX;
    return 0;
}

/* The list, oldest first, as an array; NULL: no memory. */
static const void **array_of(struct tmk_match *match,
                             const struct tmk_match_listed *list, size_t *n)
{
    const void **array;
    size_t count = 0;

    for (const struct tmk_match_listed *l = list; l != NULL; l = l->next) {
        count++;
    }
    array = tmk_match_alloc(match, (count + 1) * sizeof(*array));
    if (array == NULL) {
        return NULL;
    }
    *n = count;
    for (; list != NULL; list = list->next) {
        array[--count] = list->item;
    }
    return array;
}

int tmk_match_end(struct tmk_match_parser *p, struct tmk_match_node *root,
                  struct tmk_match **match)
{
    struct tmk_match *m = p->match;

    *match = NULL;
    if (root != NULL && p->err == 0) {
        m->starts = (const char *const *)array_of(m, p->starts, &m->n_starts);
        m->outputs =
            (const char *const *)array_of(m, p->outputs, &m->n_outputs);
        m->actions = (const struct tmk_match_action *const *)array_of(
            m, p->actions, &m->n_actions);
        if (m->starts == NULL || m->outputs == NULL || m->actions == NULL) {
            p->err = -ENOMEM;
        }
    }
    if (root == NULL || p->err != 0) {
        if (p->err == -ENOMEM) {
            (void)snprintf(p->why, p->size, "%s", strerror(ENOMEM));
        }
        tmk_match_free(m);
        return p->err;
    }
    tmk_match_settle(m, root);
    *match = m;
    return 0;
}

const char *tmk_match_argument(const struct tmk_match_parser *p)
{
    return p->argv[p->at - 1];
}

struct tmk_match_node *tmk_match_node(struct tmk_match_parser *p,
                                      enum tmk_match_kind kind)
{
    struct tmk_match_node *node = tmk_match_alloc(p->match, sizeof(*node));

    if (node == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    node->kind = kind;
    return node;
}

struct tmk_match_node *tmk_match_constant(struct tmk_match_parser *p,
                                          bool value)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_CONST);

    if (node != NULL) {
        node->u.constant = value;
    }
    return node;
}

struct tmk_match_node *tmk_match_glob_node(struct tmk_match_parser *p,
                                           enum tmk_match_kind kind,
                                           const char *pattern, bool fold)
{
    struct tmk_match_node *node = tmk_match_node(p, kind);
    char *copy = tmk_match_copy(p->match, pattern);
    char *text = tmk_match_alloc(p->match, strlen(pattern) + 1);

    if (node == NULL || copy == NULL || text == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    tmk_match_glob_init(&node->u.glob, copy, fold, text);
    return node;
}

struct tmk_match_node *tmk_match_regex_node(struct tmk_match_parser *p,
                                            enum tmk_match_kind kind,
                                            const char *pattern,
                                            unsigned long syntax)
{
    struct tmk_match_node *node = tmk_match_node(p, kind);
    struct tmk_match_regex *regex = tmk_match_alloc(p->match, sizeof(*regex));
    reg_syntax_t before;
    const char *wrong;

    if (node == NULL || regex == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    /* From here on tmk_match_free() has to see it. */
    regex->next = p->match->regexes;
    p->match->regexes = regex;
    /* Speeds up searching; without it there is just no such help. */
    regex->buffer.fastmap = malloc(UCHAR_MAX + 1);
    before = re_set_syntax(syntax | RE_NO_SUB);
    wrong = re_compile_pattern(pattern, strlen(pattern), &regex->buffer);
    re_set_syntax(before);
    if (wrong != NULL) {
        (void)tmk_match_wrong_argument(p, pattern, "is no expression (%s)",
                                       wrong);
        return NULL;
    }
    node->u.regex = regex;
    return node;
}

static int reference_time(struct tmk_match_parser *p, const char *path,
                          uint32_t field, struct tmk_match_time *time)
{
    struct tmk_match_reference ref = {0};
    int err = p->env->reference(
        p->env->arg, path, p->match->follow != TMK_MATCH_FOLLOW_NONE, &ref);

    if (err != 0) {
        (void)tmk_match_wrong_argument(p, path, "cannot be looked at: %s",
                                       strerror(-err));
        p->err = err;
        return err;
    }
    *time = field == TMK_MATCH_ATIME   ? ref.atime
            : field == TMK_MATCH_CTIME ? ref.ctime
            : field == TMK_MATCH_BTIME ? ref.btime
                                       : ref.mtime;
    if (time->ns == TMK_MATCH_NO_TIME) {
        return tmk_match_wrong_argument(p, path,
                                        "does not say when it was made");
    }
    return 0;
}

struct tmk_match_node *tmk_match_newer_node(struct tmk_match_parser *p,
                                            uint32_t field, const char *path,
                                            uint32_t field_of_reference)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_NEWER);

    if (node == NULL) {
        return NULL;
    }
    node->u.newer.field = field;
    if (reference_time(p, path, field_of_reference, &node->u.newer.than) != 0) {
        return NULL;
    }
    return node;
}

struct tmk_match_node *tmk_match_action_node(struct tmk_match_parser *p,
                                             enum tmk_match_act act,
                                             struct tmk_match_action **action)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_ACTS);
    struct tmk_match_action *a = tmk_match_alloc(p->match, sizeof(*a));

    if (a == NULL || node == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    a->act = act;
    a->output = -1;
    a->index =
        p->actions == NULL
            ? 0
            : ((const struct tmk_match_action *)p->actions->item)->index + 1;
    a->word = tmk_match_copy(p->match, p->word);
    if (a->word == NULL) {
        p->err = -ENOMEM;
    }
    if (p->err != 0 || tmk_match_list(p, &p->actions, a) != 0) {
        return NULL;
    }
    p->acts = true;
    node->u.action = a;
    *action = a;
    return node;
}

struct tmk_match_node *tmk_match_join(struct tmk_match_parser *p,
                                      enum tmk_match_kind kind,
                                      struct tmk_match_node *a,
                                      struct tmk_match_node *b)
{
    struct tmk_match_node *list = a;

    if (a == NULL || b == NULL) {
        return NULL;
    }
    if (a->kind != kind) {
        list = tmk_match_node(p, kind);
        if (list == NULL) {
            return NULL;
        }
        list->child = a;
        list->u.last = a;
    }
    list->u.last->next = b;
    list->u.last = b;
    return list;
}
