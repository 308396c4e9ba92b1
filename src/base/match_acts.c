/*
 * match_acts: the words of an expression that do something.
 */
#include "base/match_format.h"
#include "base/match_parse.h"

#include <errno.h>
#include <string.h>

/* The index of a file to write, each of which is there once. */
static int output_of(struct tmk_match_parser *p, const char *name, int *index)
{
    int n = 0;

    for (const struct tmk_match_listed *l = p->outputs; l != NULL;
         l = l->next) {
        n++;
    }
    *index = n - 1;
    for (const struct tmk_match_listed *l = p->outputs; l != NULL;
         l = l->next) {
        if (strcmp(l->item, name) == 0) {
            return 0;
        }
        --*index;
    }
    *index = n;
    if (*name == '\0') {
        return tmk_match_wrong(p, "the file to write has no name");
    }
    return tmk_match_list(p, &p->outputs, tmk_match_copy(p->match, name));
}

static int take_format(struct tmk_match_parser *p, const char *text,
                       struct tmk_match_action *action)
{
    const char *why;
    const char *odd;
    int err =
        tmk_match_format_compile(p->match, text, &action->format, &why, &odd);

    if (err == -EINVAL) {
        return tmk_match_wrong_argument(p, text, "%s", why);
    }
    if (err != 0) {
        p->err = err;
        return err;
    }
    if (odd != NULL) {
        tmk_match_warn(p, odd);
    }
    return 0;
}

struct tmk_match_node *tmk_match_word_print(struct tmk_match_parser *p, int how)
{
    struct tmk_match_action *action;
    struct tmk_match_node *node =
        tmk_match_action_node(p, (enum tmk_match_act)how, &action);

    if (node != NULL && how == TMK_MATCH_PRINTF &&
        take_format(p, p->argv[p->at - 1], action) != 0) {
        return NULL;
    }
    return node;
}

struct tmk_match_node *tmk_match_word_fprint(struct tmk_match_parser *p,
                                             int how)
{
    bool has_format = how == TMK_MATCH_PRINTF;
    struct tmk_match_action *action;
    struct tmk_match_node *node =
        tmk_match_action_node(p, (enum tmk_match_act)how, &action);

    if (node == NULL ||
        output_of(p, p->argv[p->at - 1 - has_format], &action->output) != 0 ||
        (has_format && take_format(p, p->argv[p->at - 1], action) != 0)) {
        return NULL;
    }
    return node;
}

struct tmk_match_node *tmk_match_word_delete(struct tmk_match_parser *p,
                                             int how)
{
    struct tmk_match_action *action;

    (void)how;
    p->deletes = true;
    p->match->contents_first = true;
    return tmk_match_action_node(p, TMK_MATCH_DELETE, &action);
}

/* Words up to a ; or, behind {}, a +; 0: there is no end. */
static size_t command_length(const struct tmk_match_parser *p, bool *many)
{
    for (int i = p->at; i < p->argc; i++) {
        const char *word = p->argv[i];

        *many = strcmp(word, "+") == 0 && i > p->at &&
                strstr(p->argv[i - 1], "{}") != NULL;
        if (*many || strcmp(word, ";") == 0) {
            return (size_t)(i - p->at) + 1;
        }
    }
    return 0;
}

/* For many at once there is one {}, the last word. */
static int check_many(struct tmk_match_parser *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *word = p->argv[p->at + (int)i];

        if (strstr(word, "{}") == NULL) {
            continue;
        }
        if (i + 1 < n) {
            return tmk_match_wrong(p, "with + there is one {} only");
        }
        if (strcmp(word, "{}") != 0) {
            return tmk_match_wrong_argument(p, word,
                                            "has to be {} alone, with +");
        }
    }
    return 0;
}

struct tmk_match_node *tmk_match_word_exec(struct tmk_match_parser *p,
                                           int in_dir)
{
    struct tmk_match_action *action;
    struct tmk_match_node *node =
        tmk_match_action_node(p, TMK_MATCH_EXEC, &action);
    const char **words;
    bool many;
    size_t n;

    if (node == NULL) {
        return NULL;
    }
    n = command_length(p, &many);
    if (n < 2) {
        (void)tmk_match_wrong(p, n == 0 ? "a ';' has to end the command"
                                        : "there is no command");
        return NULL;
    }
    n--;
    if (many && (check_many(p, n) != 0 || n < 2)) {
        if (p->err == 0) {
            (void)tmk_match_wrong(p, "there is no command");
        }
        return NULL;
    }
    words = tmk_match_alloc(p->match, (n + 1) * sizeof(*words));
    for (size_t i = 0; words != NULL && i < n; i++) {
        words[i] = tmk_match_copy(p->match, p->argv[p->at + (int)i]);
        if (words[i] == NULL) {
            words = NULL;
        }
    }
    if (words == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    p->at += (int)n + 1;
    action->words = words;
    action->n_words = n;
    action->many = many;
    action->in_dir = in_dir != 0;
    return node;
}
