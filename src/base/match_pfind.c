/*
 * match_pfind: the words of pfind(1), to the same tree as find's.
 *
 *     DIR -newer F -size Nc -name P -C
 *     -> ! -type d -name P -newer F -size Nc, count
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/match_parse.h"
#include "base/opt_time.h"
#include "base/units.h"

enum { QUEUE_LEAST = 10, SPLIT_MOST = 2 };

/* What was asked for; of several the last one counts. */
struct asked {
    struct tmk_match_pfind *pfind;
    const char *newer, *size, *name, *regex;
    bool empty, deletes;
};

struct letter {
    char letter;
    bool value;
    int (*take)(struct tmk_match_parser *p, struct tmk_match_pfind *pfind,
                char letter, const char *value);
};

static int take_flag(struct tmk_match_parser *p, struct tmk_match_pfind *pfind,
                     char letter, const char *value)
{
    bool on = value == NULL || strcmp(value, "1") == 0;

    if (!on && strcmp(value, "0") != 0) {
        return tmk_match_wrong(p, "a flag is 0 or 1");
    }
    switch (letter) {
    case 'C': pfind->count_only = on; break;
    case 'E': pfind->delete_dirs = on; break;
    case 'N': pfind->prefer_next = on; break;
    case 'P': pfind->by_rank = on; break;
    case 'e': pfind->delete_matches = on; break;
    default: pfind->verbosity = on ? pfind->verbosity + 1 : 0; break;
    }
    return 0;
}

static int take_number(struct tmk_match_parser *p,
                       struct tmk_match_pfind *pfind, char letter,
                       const char *value)
{
    uint64_t n;

    if (tmk_units_parse_u64(value, &n) != 0) {
        return tmk_match_wrong_argument(p, value, "is no number");
    }
    switch (letter) {
    case 'H':
        if (n > SPLIT_MOST) {
            return tmk_match_wrong_argument(p, value, "has to be 0, 1 or 2");
        }
        pfind->split = (unsigned)n;
        break;
    case 'M': pfind->batch_entries = n; break;
    default:
        if (n < QUEUE_LEAST) {
            return tmk_match_wrong_argument(p, value, "has to be at least %d",
                                            QUEUE_LEAST);
        }
        pfind->queue_items = n;
        break;
    }
    return 0;
}

static int take_limit(struct tmk_match_parser *p, struct tmk_match_pfind *pfind,
                      char letter, const char *value)
{
    const char *want;

    (void)letter;
    if (tmk_opt_time_parse_seconds(&pfind->limit_ns, value, &want) != 0) {
        return tmk_match_wrong_argument(p, value, "is not %s", want);
    }
    return 0;
}

static int take_rates(struct tmk_match_parser *p, struct tmk_match_pfind *pfind,
                      char letter, const char *value)
{
    (void)letter;
    if (strcmp(value, "rates") != 0) {
        return tmk_match_wrong_argument(p, value, "has to be rates");
    }
    pfind->rates = true;
    return 0;
}

static int take_dir(struct tmk_match_parser *p, struct tmk_match_pfind *pfind,
                    char letter, const char *value)
{
    (void)letter;
    if (*value == '\0') {
        return tmk_match_wrong(p, "the directory has no name");
    }
    pfind->results_dir = value;
    return 0;
}

static const struct letter letters[] = {
    {'C', false, take_flag},  {'D', true, take_rates},
    {'E', false, take_flag},  {'H', true, take_number},
    {'M', true, take_number}, {'N', false, take_flag},
    {'P', false, take_flag},  {'e', false, take_flag},
    {'q', true, take_number}, {'r', true, take_dir},
    {'s', true, take_limit},  {'v', false, take_flag},
};

/* The next word, which is the argument of this one; NULL and err. */
static const char *argument(struct tmk_match_parser *p)
{
    if (p->at == p->argc) {
        (void)tmk_match_wrong(p, "an argument is missing");
        return NULL;
    }
    return p->argv[p->at++];
}

/* A dash and a letter, perhaps "=VALUE": never more letters. */
static const struct letter *find_letter(const char *word)
{
    if (word[2] != '\0' && word[2] != '=') {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
        if (letters[i].letter == word[1]) {
            return &letters[i];
        }
    }
    return NULL;
}

static int take_letter(struct tmk_match_parser *p, struct asked *asked,
                       const struct letter *letter)
{
    const char *value = p->word[2] == '=' ? p->word + 3 : NULL;

    if (letter->value && value == NULL) {
        value = argument(p);
        if (value == NULL) {
            return p->err;
        }
    }
    return letter->take(p, asked->pfind, letter->letter, value);
}

/* With one dash or two. */
static bool is(const char *word, const char *name)
{
    return strcmp(word + 1 + (word[1] == '-'), name) == 0;
}

/* Words that take an argument: 1 taken, 0 it is none of them, or err. */
static int take_test(struct tmk_match_parser *p, struct asked *asked)
{
    const struct {
        const char *name;
        const char **to;
    } rows[] = {
        {"newer", &asked->newer},
        {"size", &asked->size},
        {"name", &asked->name},
        {"regex", &asked->regex},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!is(p->word, rows[i].name)) {
            continue;
        }
        if (rows[i].to == &asked->name || rows[i].to == &asked->regex) {
            asked->name = NULL; /* they take turns */
            asked->regex = NULL;
        }
        *rows[i].to = argument(p);
        return *rows[i].to != NULL ? 1 : p->err;
    }
    return 0;
}

/* Words without an argument: was it one? */
static bool take_word(struct tmk_match_parser *p, struct asked *asked)
{
    const char *word = p->word;

    if (is(word, "h") || is(word, "help")) {
        p->match->help = true;
    } else if (is(word, "version")) {
        p->match->version = true;
    } else if (is(word, "pfind-ctime")) {
        asked->pfind->ctime_rule = true;
    } else if (is(word, "empty")) {
        asked->empty = true;
    } else if (is(word, "delete")) {
        asked->deletes = true;
    } else if (is(word, "depth")) {
        p->match->contents_first = true;
    } else {
        return false;
    }
    return true;
}

/* What begins with a dash. */
static int take_option(struct tmk_match_parser *p, struct asked *asked)
{
    const struct letter *letter = find_letter(p->word);
    int taken;

    p->at++;
    if (letter != NULL) {
        return take_letter(p, asked, letter);
    }
    taken = take_test(p, asked);
    if (taken != 0) {
        return taken < 0 ? taken : 0;
    }
    if (take_word(p, asked)) {
        return 0;
    }
    if (p->env->own_option != NULL) {
        p->at--;
        taken = p->env->own_option(p->env->arg, p->argc - p->at,
                                   p->argv + p->at, p->why, p->size);
        p->at += taken > 0 ? taken : 0;
        p->err = taken < 0 ? taken : 0;
        if (taken != 0) {
            return p->err;
        }
    }
    return tmk_match_wrong(p, "no such option");
}

static int take_start(struct tmk_match_parser *p)
{
    if (p->starts != NULL) {
        return tmk_match_wrong(p, "there is a directory already");
    }
    if (*p->word == '\0') {
        return tmk_match_wrong(p, "the directory has no name");
    }
    p->at++;
    return tmk_match_list(p, &p->starts, tmk_match_copy(p->match, p->word));
}

static int take_all(struct tmk_match_parser *p, struct asked *asked)
{
    while (p->at < p->argc && p->err == 0) {
        p->word = p->argv[p->at];
        if (p->word[0] == '-' && p->word[1] != '\0') {
            (void)take_option(p, asked);
        } else {
            (void)take_start(p);
        }
    }
    if (p->err == 0 && p->starts == NULL && !p->match->help &&
        !p->match->version) {
        p->word = NULL; /* the program is named anyway */
        return tmk_match_wrong(p, "a directory is missing");
    }
    return p->err;
}

/* ---- the tree --------------------------------------------------------- */

static struct tmk_match_node *no_directory(struct tmk_match_parser *p)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_NOT);
    struct tmk_match_node *type = tmk_match_node(p, TMK_MATCH_TYPES);

    if (node == NULL || type == NULL) {
        return NULL;
    }
    type->u.types = tmk_match_type_bit(TMK_MATCH_DIR);
    node->child = type;
    return node;
}

static struct tmk_match_node *name_node(struct tmk_match_parser *p,
                                        const char *name)
{
    p->word = "-name";
    if (strpbrk(name, "*?[") == NULL) {
        tmk_match_warn(p, "without a * it stands for the whole name here");
    }
    return tmk_match_glob_node(p, TMK_MATCH_NAME, name, false);
}

static struct tmk_match_node *size_node(struct tmk_match_parser *p,
                                        const char *size)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_BYTES);
    size_t digits = strspn(size, "0123456789");

    p->word = "-size";
    if (node == NULL) {
        return NULL;
    }
    if (digits == 0 || strcmp(size + digits, "c") != 0 ||
        tmk_match_number_parse_size(size, &node->u.size.number,
                                    &node->u.size.unit_bytes) != 0) {
        (void)tmk_match_wrong_argument(
            p, size, "is no number of bytes with a c behind it");
        return NULL;
    }
    return node;
}

static struct tmk_match_node *newer_node(struct tmk_match_parser *p,
                                         const struct asked *asked)
{
    bool ctime = asked->pfind->ctime_rule;
    uint32_t field = ctime ? TMK_MATCH_CTIME : TMK_MATCH_MTIME;
    struct tmk_match_node *node;

    p->word = "-newer";
    node = tmk_match_newer_node(p, field, asked->newer, field);
    if (node != NULL) {
        node->u.newer.whole_s = ctime;
    }
    return node;
}

static struct tmk_match_node *action_node(struct tmk_match_parser *p,
                                          enum tmk_match_act act,
                                          const char *word)
{
    struct tmk_match_action *action;

    p->word = word;
    return tmk_match_action_node(p, act, &action);
}

/* The tree so far, and one more in the chain; after an error the rest is only
 * left out, and the first message stays. */
static void add(struct tmk_match_parser *p, struct tmk_match_node **root,
                struct tmk_match_node *node)
{
    *root = tmk_match_join(p, TMK_MATCH_AND, *root, node);
}

static struct tmk_match_node *tests_of(struct tmk_match_parser *p,
                                       const struct asked *asked)
{
    struct tmk_match_node *root = no_directory(p);

    if (asked->name != NULL) {
        add(p, &root, name_node(p, asked->name));
    }
    if (asked->regex != NULL) {
        p->word = "-regex";
        add(p, &root,
            tmk_match_regex_node(p, TMK_MATCH_NAME_REGEX, asked->regex,
                                 RE_SYNTAX_POSIX_BASIC));
    }
    if (asked->size != NULL && root != NULL) {
        add(p, &root, size_node(p, asked->size));
    }
    if (asked->empty) {
        add(p, &root, tmk_match_node(p, TMK_MATCH_EMPTY));
    }
    if (asked->newer != NULL && root != NULL) {
        add(p, &root, newer_node(p, asked));
    }
    return root;
}

static struct tmk_match_node *tree_of(struct tmk_match_parser *p,
                                      const struct asked *asked)
{
    struct tmk_match_node *root = tests_of(p, asked);

    if (asked->pfind->count_only) {
        add(p, &root, action_node(p, TMK_MATCH_COUNT, "-C"));
    } else if (!asked->deletes) {
        add(p, &root, action_node(p, TMK_MATCH_PRINT, "-print"));
    }
    if (asked->deletes || asked->pfind->delete_matches) {
        add(p, &root, action_node(p, TMK_MATCH_DELETE, "-delete"));
    }
    return root;
}

int tmk_match_pfind(struct tmk_match **match, struct tmk_match_pfind *pfind,
                    int argc, char *const *argv,
                    const struct tmk_match_env *env, char *why, size_t size)
{
    struct tmk_match_parser p = {
        .env = env, .argc = argc, .argv = argv, .size = size};
    struct asked asked = {.pfind = pfind};
    struct tmk_match_node *root = NULL;

    *pfind = (struct tmk_match_pfind){0};
    p.why = why;
    if (tmk_match_begin(&p) == 0 && take_all(&p, &asked) == 0) {
        root = tree_of(&p, &asked);
        p.match->follow = TMK_MATCH_FOLLOW_STARTS;
        p.match->contents_first = p.match->contents_first || pfind->delete_dirs;
    }
    return tmk_match_end(&p, root, match);
}
