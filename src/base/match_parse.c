/*
 * match_parse: the words of find(1), as GNU find reads them.
 *
 *     list  = or { "," or }
 *     or    = and { -o and }
 *     and   = not { [-a] not }
 *     not   = { ! } ( "(" list ")" | word [arguments] )
 */
#include "base/match_parse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

enum { NESTING_MOST = 500, SHOWN = 80 };

static int say(struct tmk_match_parser *p, const char *argument,
               const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static int say(struct tmk_match_parser *p, const char *argument,
               const char *format, va_list args)
{
    char word[SHOWN + 2] = "";
    char shown[SHOWN] = "";
    char text[256];

    if (p->word != NULL) {
        if (*p->word != '\0') {
            tmk_quote(word, SHOWN, p->word, strlen(p->word));
        } else {
            (void)snprintf(word, sizeof(word), "''");
        }
        (void)snprintf(word + strlen(word), sizeof(word) - strlen(word), ": ");
    }
    if (argument != NULL) {
        tmk_quote(shown, sizeof(shown), argument, strlen(argument));
    }
    (void)vsnprintf(text, sizeof(text), format, args);
    (void)snprintf(p->why, p->size, "%s%s%s%s%s", word,
                   argument != NULL ? "'" : "", shown,
                   argument != NULL ? "' " : "", text);
    p->err = -EINVAL;
    return p->err;
}

int tmk_match_wrong(struct tmk_match_parser *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)say(p, NULL, format, args);
    va_end(args);
    return p->err;
}

int tmk_match_wrong_argument(struct tmk_match_parser *p, const char *argument,
                             const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)say(p, argument, format, args);
    va_end(args);
    return p->err;
}

int tmk_match_wrong_number(struct tmk_match_parser *p, int err,
                           const char *what)
{
    return tmk_match_wrong_argument(p, tmk_match_argument(p),
                                    err == -ERANGE ? "is too much" : "is no %s",
                                    what);
}

void tmk_match_warn(struct tmk_match_parser *p, const char *text)
{
    char word[SHOWN];
    char line[256];

    if (p->env->warn == NULL || p->quiet) {
        return;
    }
    tmk_quote(word, sizeof(word), p->word, strlen(p->word));
    (void)snprintf(line, sizeof(line), "%s: %s", word, text);
    p->env->warn(p->env->arg, line);
}

int tmk_match_list(struct tmk_match_parser *p, struct tmk_match_listed **list,
                   const void *item)
{
    struct tmk_match_listed *listed =
        tmk_match_alloc(p->match, sizeof(*listed));

    if (item == NULL || listed == NULL) {
        p->err = -ENOMEM;
        return p->err;
    }
    listed->item = item;
    listed->next = *list;
    *list = listed;
    return 0;
}

/* ---- grammar ---------------------------------------------------------- */

static const char *peek(const struct tmk_match_parser *p)
{
    return p->at < p->argc ? p->argv[p->at] : NULL;
}

/* Is the word this one, with one dash or two? */
static bool is(const char *word, const char *what)
{
    if (word == NULL) {
        return false;
    }
    return strcmp(word, what) == 0 ||
           (what[0] == '-' && word[0] == '-' && strcmp(word + 1, what) == 0);
}

static bool is_or(const char *word)
{
    return is(word, "-o") || is(word, "-or");
}

static bool is_and(const char *word)
{
    return is(word, "-a") || is(word, "-and");
}

static bool is_not(const char *word)
{
    return is(word, "!") || is(word, "-not");
}

/* Leave out options of the caller's. */
static int skip_own(struct tmk_match_parser *p)
{
    const char *word;

    while ((word = peek(p)) != NULL && word[0] == '-' && word[1] != '\0' &&
           p->env->own_option != NULL && !tmk_match_is_word(word)) {
        int taken = p->env->own_option(p->env->arg, p->argc - p->at,
                                       p->argv + p->at, p->why, p->size);

        if (taken < 0) {
            p->err = taken;
            return p->err;
        }
        if (taken == 0) {
            break;
        }
        p->at += taken;
    }
    return 0;
}

static struct tmk_match_node *parse_list(struct tmk_match_parser *p);

static struct tmk_match_node *parse_parentheses(struct tmk_match_parser *p)
{
    struct tmk_match_node *list;

    p->word = p->argv[p->at++];
    if (p->nesting == NESTING_MOST) {
        (void)tmk_match_wrong(p, "nested deeper than %d", NESTING_MOST);
        return NULL;
    }
    if (skip_own(p) != 0) {
        return NULL;
    }
    if (is(peek(p), ")")) {
        (void)tmk_match_wrong(p, "nothing between the parentheses");
        return NULL;
    }
    p->nesting++;
    list = parse_list(p);
    p->nesting--;
    if (list == NULL) {
        return NULL;
    }
    if (!is(peek(p), ")")) {
        p->word = "(";
        (void)tmk_match_wrong(p, "no ')' closes it");
        return NULL;
    }
    p->at++;
    return list;
}

/* One test, action or option. */
static struct tmk_match_node *parse_primary(struct tmk_match_parser *p)
{
    const char *word = peek(p);
    struct tmk_match_node *node;

    if (word == NULL || (is(word, ")") && p->nesting > 0)) {
        (void)tmk_match_wrong(p, "an expression has to follow");
        return NULL;
    }
    if (is(word, "(")) {
        return parse_parentheses(p);
    }
    p->word = word;
    if (is_or(word) || is_and(word) || is(word, ",")) {
        (void)tmk_match_wrong(p, "there is nothing before it");
        return NULL;
    }
    if (is(word, ")")) {
        (void)tmk_match_wrong(p, "no '(' is open here");
        return NULL;
    }
    if (word[0] != '-' || word[1] == '\0') {
        (void)tmk_match_wrong(p, "start points come before the expression "
                                 "(or a pattern was not quoted)");
        return NULL;
    }
    p->at++;
    node = tmk_match_word(p);
    if (node == NULL && p->err == 0) {
        (void)tmk_match_unknown(p);
    }
    return node;
}

static struct tmk_match_node *parse_not(struct tmk_match_parser *p)
{
    struct tmk_match_node *node;
    struct tmk_match_node *negation;
    bool negated = false;

    while (skip_own(p) == 0 && is_not(peek(p))) {
        p->word = p->argv[p->at++];
        negated = !negated;
    }
    if (p->err != 0) {
        return NULL;
    }
    node = parse_primary(p);
    if (node == NULL || !negated) {
        return node;
    }
    negation = tmk_match_node(p, TMK_MATCH_NOT);
    if (negation != NULL) {
        negation->child = node;
    }
    return negation;
}

static struct tmk_match_node *parse_and(struct tmk_match_parser *p)
{
    struct tmk_match_node *node = parse_not(p);

    while (node != NULL && skip_own(p) == 0) {
        const char *word = peek(p);

        if (word == NULL || is_or(word) || is(word, ",") || is(word, ")")) {
            return node;
        }
        if (is_and(word)) {
            p->word = p->argv[p->at++];
        }
        node = tmk_match_join(p, TMK_MATCH_AND, node, parse_not(p));
    }
    return NULL;
}

static struct tmk_match_node *parse_or(struct tmk_match_parser *p)
{
    struct tmk_match_node *node = parse_and(p);

    while (node != NULL && is_or(peek(p))) {
        p->word = p->argv[p->at++];
        node = tmk_match_join(p, TMK_MATCH_OR, node, parse_and(p));
    }
    return node;
}

static struct tmk_match_node *parse_list(struct tmk_match_parser *p)
{
    struct tmk_match_node *node = parse_or(p);

    while (node != NULL && is(peek(p), ",")) {
        p->word = p->argv[p->at++];
        node = tmk_match_join(p, TMK_MATCH_COMMA, node, parse_or(p));
    }
    return node;
}

/* ---- what comes before the expression --------------------------------- */

static bool take_follow(struct tmk_match_parser *p, const char *word)
{
    if (strcmp(word, "-P") == 0) {
        p->match->follow = TMK_MATCH_FOLLOW_NONE;
    } else if (strcmp(word, "-H") == 0) {
        p->match->follow = TMK_MATCH_FOLLOW_STARTS;
    } else if (strcmp(word, "-L") == 0) {
        p->match->follow = TMK_MATCH_FOLLOW_ALL;
    } else {
        return false;
    }
    return true;
}

/* -H -L -P, -O and --. */
static int parse_leading(struct tmk_match_parser *p)
{
    while (skip_own(p) == 0) {
        const char *word = peek(p);

        if (word == NULL) {
            return 0;
        }
        p->word = word;
        if (strcmp(word, "--") == 0) {
            p->at++;
            return 0;
        }
        if (strncmp(word, "-O", 2) == 0) {
            if (word[2] < '0' || word[2] > '9' || word[3] != '\0') {
                return tmk_match_wrong(p, "a digit has to follow the O");
            }
        } else if (!take_follow(p, word)) {
            return 0;
        }
        p->at++;
    }
    return p->err;
}

/* A ) or , is the name of a file where no expression has begun. */
static bool begins_expression(const char *word)
{
    if (word[0] == '-') {
        return word[1] != '\0';
    }
    return strcmp(word, "(") == 0 || strcmp(word, "!") == 0;
}

static int parse_starts(struct tmk_match_parser *p)
{
    const char *word;

    while (skip_own(p) == 0 && (word = peek(p)) != NULL &&
           !begins_expression(word)) {
        p->word = word;
        if (*word == '\0') {
            return tmk_match_wrong(p, "a start point has no name");
        }
        if (tmk_match_list(p, &p->starts, tmk_match_copy(p->match, word)) !=
            0) {
            return p->err;
        }
        p->at++;
    }
    if (p->err == 0 && p->starts == NULL) {
        return tmk_match_list(p, &p->starts, ".");
    }
    return p->err;
}

static struct tmk_match_node *parse_expression(struct tmk_match_parser *p)
{
    struct tmk_match_node *root;

    if (parse_leading(p) != 0 || parse_starts(p) != 0) {
        return NULL;
    }
    if (peek(p) == NULL) {
        return tmk_match_constant(p, true);
    }
    root = parse_list(p);
    if (root != NULL && peek(p) != NULL) {
        p->word = peek(p);
        (void)tmk_match_wrong(p, "no '(' is open here");
        return NULL;
    }
    if (root != NULL && p->deletes && p->prunes && !p->depth) {
        p->word = "-delete";
        (void)tmk_match_wrong(
            p, "contents go first then, and -prune does nothing; "
               "-depth says that this is meant");
        return NULL;
    }
    return root;
}

/* Without an action, print what matches. */
static struct tmk_match_node *imply_print(struct tmk_match_parser *p,
                                          struct tmk_match_node *root)
{
    struct tmk_match_action *action;

    if (root == NULL || p->acts) {
        return root;
    }
    p->word = "-print";
    return tmk_match_join(p, TMK_MATCH_AND, root,
                          tmk_match_action_node(p, TMK_MATCH_PRINT, &action));
}

int tmk_match_compile(struct tmk_match **match, int argc, char *const *argv,
                      const struct tmk_match_env *env, char *why, size_t size)
{
    struct tmk_match_parser p = {
        .env = env, .argc = argc, .argv = argv, .size = size};
    struct tmk_match_node *root = NULL;

    p.why = why;
    if (tmk_match_begin(&p) == 0) {
        root = imply_print(&p, parse_expression(&p));
    }
    return tmk_match_end(&p, root, match);
}
