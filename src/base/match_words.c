/*
 * match_words: the words of an expression, a row for each.
 */
#include "base/match_parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/typo.h"

enum {
    /* of patterns, beside the kind */
    FOLD = 0x100,
    /* of -depth and others */
    DEPTH = 0,
    ONE_DEVICE,
    RACE,
    NO_RACE,
    FOLLOW,
    DAYSTART,
    WARN,
    NO_WARN,
    HELP,
    VERSION,
    NOTHING
};

struct row {
    const char *name; /* behind the dash */
    unsigned args;
    struct tmk_match_node *(*parse)(struct tmk_match_parser *p, int how);
    int how;
};

static struct tmk_match_node *parse_option(struct tmk_match_parser *p, int how)
{
    struct tmk_match *m = p->match;

    switch (how) {
    case DEPTH:
        m->contents_first = true;
        p->depth = true;
        break;
    case ONE_DEVICE: m->one_device = true; break;
    case RACE:
    case NO_RACE: m->ignore_race = how == RACE; break;
    case FOLLOW: m->follow = TMK_MATCH_FOLLOW_ALL; break;
    case DAYSTART: p->daystart = true; break;
    case WARN:
    case NO_WARN: p->quiet = how == NO_WARN; break;
    case HELP: m->help = true; break;
    case VERSION: m->version = true; break;
    default: break;
    }
    return tmk_match_constant(p, true);
}

static struct tmk_match_node *parse_levels(struct tmk_match_parser *p, int most)
{
    struct tmk_match_number number;
    int err = tmk_match_number_parse(tmk_match_argument(p), &number);

    if (err == -EINVAL || tmk_match_argument(p)[0] < '0') {
        (void)tmk_match_wrong_argument(p, tmk_match_argument(p),
                                       "is no number of levels");
        return NULL;
    }
    if (err != 0 || number.n >= UINT32_MAX) {
        (void)tmk_match_wrong_argument(p, tmk_match_argument(p), "is too much");
        return NULL;
    }
    if (most) {
        p->match->depth_most = (uint32_t)number.n;
    } else {
        p->match->depth_least = (uint32_t)number.n;
    }
    return tmk_match_constant(p, true);
}

static struct tmk_match_node *parse_syntax(struct tmk_match_parser *p, int how)
{
    static const struct {
        const char *name;
        unsigned long syntax;
    } types[] = {
        {"findutils-default", RE_SYNTAX_EMACS | RE_DOT_NEWLINE},
        {"emacs", RE_SYNTAX_EMACS},
        {"posix-basic", RE_SYNTAX_POSIX_BASIC},
        {"posix-extended", RE_SYNTAX_POSIX_EXTENDED},
        {"posix-egrep", RE_SYNTAX_POSIX_EGREP},
        {"posix-minimal-basic", RE_SYNTAX_POSIX_MINIMAL_BASIC},
        {"posix-awk", RE_SYNTAX_POSIX_AWK},
        {"gnu-awk", RE_SYNTAX_GNU_AWK},
        {"awk", RE_SYNTAX_AWK},
        {"grep", RE_SYNTAX_GREP},
        {"egrep", RE_SYNTAX_EGREP},
        {"ed", RE_SYNTAX_ED},
        {"sed", RE_SYNTAX_SED},
    };

    (void)how;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i].name, tmk_match_argument(p)) == 0) {
            p->syntax = types[i].syntax;
            return tmk_match_constant(p, true);
        }
    }
    (void)tmk_match_wrong_argument(
        p, tmk_match_argument(p),
        "is none of findutils-default, emacs, posix-basic, posix-extended, "
        "posix-egrep, posix-minimal-basic, posix-awk, gnu-awk, awk, grep, "
        "egrep, ed, sed");
    return NULL;
}

/* ---- tests on the dirent ---------------------------------------------- */

static struct tmk_match_node *parse_glob(struct tmk_match_parser *p, int how)
{
    const char *pattern = tmk_match_argument(p);
    enum tmk_match_kind kind = (enum tmk_match_kind)(how & ~FOLD);

    if (kind == TMK_MATCH_NAME && strchr(pattern, '/') != NULL &&
        strcmp(pattern, "/") != 0) {
        tmk_match_warn(p, "a name has no slash, so nothing will match "
                          "(is -path meant?)");
    }
    return tmk_match_glob_node(p, kind, pattern, (how & FOLD) != 0);
}

static struct tmk_match_node *parse_regex(struct tmk_match_parser *p, int how)
{
    return tmk_match_regex_node(p, TMK_MATCH_REGEX, tmk_match_argument(p),
                                p->syntax | (how == FOLD ? RE_ICASE : 0));
}

static struct tmk_match_node *parse_type(struct tmk_match_parser *p, int kind)
{
    struct tmk_match_node *node = tmk_match_node(p, (enum tmk_match_kind)kind);
    const char *text = tmk_match_argument(p);

    for (size_t i = 0; node != NULL; i += 2) {
        uint32_t bit = tmk_match_type_bit(text[i]);

        if (bit == 0 || text[i] == '\0') {
            (void)tmk_match_wrong_argument(
                p, text, "has to be letters of fdlpsbc, commas between them");
            return NULL;
        }
        if ((node->u.types & bit) != 0) {
            (void)tmk_match_wrong_argument(p, text, "has %c twice", text[i]);
            return NULL;
        }
        node->u.types |= bit;
        if (text[i + 1] == '\0') {
            return node;
        }
        if (text[i + 1] != ',') {
            (void)tmk_match_wrong_argument(p, text,
                                           "needs commas between the letters");
            return NULL;
        }
    }
    return NULL;
}

/* ---- tests on numbers ------------------------------------------------- */

static struct tmk_match_node *parse_number(struct tmk_match_parser *p, int kind)
{
    struct tmk_match_node *node = tmk_match_node(p, (enum tmk_match_kind)kind);
    int err;

    if (node == NULL) {
        return NULL;
    }
    err = tmk_match_number_parse(tmk_match_argument(p), &node->u.number);
    if (err != 0) {
        (void)tmk_match_wrong_number(p, err, "number, +number or -number");
        return NULL;
    }
    return node;
}

static struct tmk_match_node *parse_size(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_BYTES);
    int err;

    (void)how;
    if (node == NULL) {
        return NULL;
    }
    err = tmk_match_number_parse_size(
        tmk_match_argument(p), &node->u.size.number, &node->u.size.unit_bytes);
    if (err != 0) {
        (void)tmk_match_wrong_number(
            p, err, "size (a number, then b, c, w, k, M or G)");
        return NULL;
    }
    return node;
}

/* The name of somebody, or else his number. */
static struct tmk_match_node *parse_owner(struct tmk_match_parser *p, int kind)
{
    bool user = kind == TMK_MATCH_OWNER;
    struct tmk_match_node *node = tmk_match_node(p, (enum tmk_match_kind)kind);
    const char *name = tmk_match_argument(p);
    uint32_t id = 0;

    if (node == NULL) {
        return NULL;
    }
    if ((user ? p->env->user_id : p->env->group_id)(p->env->arg, name, &id) ==
        0) {
        node->u.number.n = id;
        return node;
    }
    if (name[0] < '0' || name[0] > '9' ||
        tmk_match_number_parse(name, &node->u.number) != 0 ||
        node->u.number.n > UINT32_MAX) {
        (void)tmk_match_wrong_argument(p, name, "is the name of no %s",
                                       user ? "user" : "group");
        return NULL;
    }
    return node;
}

static struct tmk_match_node *parse_perm(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_BITS);

    (void)how;
    if (node != NULL &&
        tmk_match_mode_parse(tmk_match_argument(p), &node->u.mode) != 0) {
        (void)tmk_match_wrong_argument(p, tmk_match_argument(p),
                                       "is no mode (644, -u+w, /a+x)");
        return NULL;
    }
    return node;
}

/* ---- other tests ------------------------------------------------------ */

static struct tmk_match_node *parse_same(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_SAME);
    struct tmk_match_reference ref = {0};
    int err =
        p->env->reference(p->env->arg, tmk_match_argument(p),
                          p->match->follow != TMK_MATCH_FOLLOW_NONE, &ref);

    (void)how;
    if (err != 0) {
        (void)tmk_match_wrong_argument(p, tmk_match_argument(p),
                                       "cannot be looked at: %s",
                                       strerror(-err));
        p->err = err;
        return NULL;
    }
    if (node != NULL) {
        node->u.same.dev = ref.dev;
        node->u.same.inode = ref.inode;
    }
    return node;
}

static struct tmk_match_node *parse_fstype(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_FSTYPE);
    const char *copy = tmk_match_copy(p->match, tmk_match_argument(p));

    (void)how;
    if (node == NULL || copy == NULL) {
        p->err = -ENOMEM;
        return NULL;
    }
    node->u.fstype = copy;
    return node;
}

static struct tmk_match_node *parse_may(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_MAY);

    if (node != NULL) {
        node->u.may = how;
    }
    return node;
}

static struct tmk_match_node *parse_true(struct tmk_match_parser *p, int value)
{
    return tmk_match_constant(p, value);
}

/* A kind that needs nothing else. */
static struct tmk_match_node *parse_plain(struct tmk_match_parser *p, int kind)
{
    p->prunes = p->prunes || kind == TMK_MATCH_PRUNES;
    return tmk_match_node(p, (enum tmk_match_kind)kind);
}

static struct tmk_match_node *refuse(struct tmk_match_parser *p, int how)
{
    (void)how;
    (void)tmk_match_wrong(p, "is not available here");
    return NULL;
}

/* ---- the table -------------------------------------------------------- */

static const struct row rows[] = {
    {"amin", 1, tmk_match_word_age, TMK_MATCH_ATIME | TMK_MATCH_MINUTES},
    {"anewer", 1, tmk_match_word_newer, TMK_MATCH_ATIME},
    {"atime", 1, tmk_match_word_age, TMK_MATCH_ATIME},
    {"cmin", 1, tmk_match_word_age, TMK_MATCH_CTIME | TMK_MATCH_MINUTES},
    {"cnewer", 1, tmk_match_word_newer, TMK_MATCH_CTIME},
    {"context", 1, refuse, 0},
    {"ctime", 1, tmk_match_word_age, TMK_MATCH_CTIME},
    {"d", 0, parse_option, DEPTH},
    {"daystart", 0, parse_option, DAYSTART},
    {"delete", 0, tmk_match_word_delete, 0},
    {"depth", 0, parse_option, DEPTH},
    {"empty", 0, parse_plain, TMK_MATCH_EMPTY},
    {"exec", 0, tmk_match_word_exec, false},
    {"execdir", 0, tmk_match_word_exec, true},
    {"executable", 0, parse_may, 1},
    {"false", 0, parse_true, false},
    {"files0-from", 1, refuse, 0},
    {"fls", 1, tmk_match_word_fprint, TMK_MATCH_LS},
    {"follow", 0, parse_option, FOLLOW},
    {"fprint", 1, tmk_match_word_fprint, TMK_MATCH_PRINT},
    {"fprint0", 1, tmk_match_word_fprint, TMK_MATCH_PRINT0},
    {"fprintf", 2, tmk_match_word_fprint, TMK_MATCH_PRINTF},
    {"fstype", 1, parse_fstype, 0},
    {"gid", 1, parse_number, TMK_MATCH_GROUP},
    {"group", 1, parse_owner, TMK_MATCH_GROUP},
    {"help", 0, parse_option, HELP},
    {"ignore_readdir_race", 0, parse_option, RACE},
    {"ilname", 1, parse_glob, TMK_MATCH_LEADS | FOLD},
    {"iname", 1, parse_glob, TMK_MATCH_NAME | FOLD},
    {"inum", 1, parse_number, TMK_MATCH_INODE},
    {"ipath", 1, parse_glob, TMK_MATCH_PATH | FOLD},
    {"iregex", 1, parse_regex, FOLD},
    {"iwholename", 1, parse_glob, TMK_MATCH_PATH | FOLD},
    {"links", 1, parse_number, TMK_MATCH_LINKS},
    {"lname", 1, parse_glob, TMK_MATCH_LEADS},
    {"ls", 0, tmk_match_word_print, TMK_MATCH_LS},
    {"maxdepth", 1, parse_levels, true},
    {"mindepth", 1, parse_levels, false},
    {"mmin", 1, tmk_match_word_age, TMK_MATCH_MTIME | TMK_MATCH_MINUTES},
    {"mount", 0, parse_option, ONE_DEVICE},
    {"mtime", 1, tmk_match_word_age, TMK_MATCH_MTIME},
    {"name", 1, parse_glob, TMK_MATCH_NAME},
    {"newer", 1, tmk_match_word_newer, TMK_MATCH_MTIME},
    {"nogroup", 0, parse_plain, TMK_MATCH_NO_GROUP},
    {"noignore_readdir_race", 0, parse_option, NO_RACE},
    {"noleaf", 0, parse_option, NOTHING},
    {"nouser", 0, parse_plain, TMK_MATCH_NO_OWNER},
    {"nowarn", 0, parse_option, NO_WARN},
    {"ok", 0, refuse, 0},
    {"okdir", 0, refuse, 0},
    {"path", 1, parse_glob, TMK_MATCH_PATH},
    {"perm", 1, parse_perm, 0},
    {"print", 0, tmk_match_word_print, TMK_MATCH_PRINT},
    {"print0", 0, tmk_match_word_print, TMK_MATCH_PRINT0},
    {"printf", 1, tmk_match_word_print, TMK_MATCH_PRINTF},
    {"prune", 0, parse_plain, TMK_MATCH_PRUNES},
    {"quit", 0, parse_plain, TMK_MATCH_QUITS},
    {"readable", 0, parse_may, 4},
    {"regex", 1, parse_regex, 0},
    {"regextype", 1, parse_syntax, 0},
    {"samefile", 1, parse_same, 0},
    {"size", 1, parse_size, 0},
    {"true", 0, parse_true, true},
    {"type", 1, parse_type, TMK_MATCH_TYPES},
    {"uid", 1, parse_number, TMK_MATCH_OWNER},
    {"used", 1, tmk_match_word_used, 0},
    {"user", 1, parse_owner, TMK_MATCH_OWNER},
    {"version", 0, parse_option, VERSION},
    {"warn", 0, parse_option, WARN},
    {"wholename", 1, parse_glob, TMK_MATCH_PATH},
    {"writable", 0, parse_may, 2},
    {"xdev", 0, parse_option, ONE_DEVICE},
    {"xtype", 1, parse_type, TMK_MATCH_OTHER_TYPES},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static const char newer[] = "newer";

/* -newerXY has no row: X and Y are letters. */
static bool is_newer_xy(const char *name)
{
    return strncmp(name, newer, strlen(newer)) == 0 &&
           strlen(name) == strlen(newer) + 2;
}

/* Behind one dash or two. */
static const char *name_of(const char *word)
{
    return word + 1 + (word[1] == '-');
}

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

bool tmk_match_is_word(const char *word)
{
    static const char *const others[] = {"",    "a", "and", "o", "or",
                                         "not", "H", "L",   "P"};
    const char *name = name_of(word);

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(name, others[i]) == 0) {
            return true;
        }
    }
    return find(name) != NULL || is_newer_xy(name);
}

struct tmk_match_node *tmk_match_word(struct tmk_match_parser *p)
{
    const char *name = name_of(p->word);
    const struct row *row = find(name);
    unsigned args = row != NULL ? row->args : 1;

    if (row == NULL && !is_newer_xy(name)) {
        return NULL;
    }
    if ((unsigned)(p->argc - p->at) < args) {
        (void)tmk_match_wrong(p, "an argument is missing");
        return NULL;
    }
    p->at += (int)args;
    if (row == NULL) {
        return tmk_match_word_newer_xy(p, name + strlen(newer));
    }
    return row->parse(p, row->how);
}

int tmk_match_unknown(struct tmk_match_parser *p)
{
    const char *name = name_of(p->word);
    size_t length = strlen(name);
    unsigned most = length < 3 ? 0 : length < 8 ? 1 : 2;
    const char *meant = NULL;

    if (length == 1 && strchr("HLP", *name) != NULL) {
        return tmk_match_wrong(p, "has to come before the start points");
    }
    for (size_t i = 0; i < ROWS && most > 0; i++) {
        unsigned slips = tmk_typo_distance(name, length, rows[i].name, most);

        if (slips <= most && rows[i].parse != refuse) {
            meant = rows[i].name;
            most = slips - (slips > 0);
        }
    }
    if (meant != NULL) {
        return tmk_match_wrong(p, "no such test (is -%s meant?)", meant);
    }
    return tmk_match_wrong(p, "no such test");
}
