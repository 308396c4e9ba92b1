#ifndef TMK_BASE_MATCH_PARSE_H
#define TMK_BASE_MATCH_PARSE_H

#include "base/match_tree.h"

/* What the parser of find, that of pfind and the table of words share. */
struct tmk_match_parser {
    struct tmk_match *match;
    const struct tmk_match_env *env;
    int argc;
    char *const *argv;
    int at;           /* the next word */
    const char *word; /* the one that is dealt with */
    char *why;
    size_t size;
    int err; /* 0, or what ends it all */

    /* Set by words for those behind them. */
    bool daystart, quiet;
    unsigned long syntax; /* of regular expressions */

    bool acts;    /* an action was given: none is implied */
    bool deletes; /* -delete was */
    bool depth, prunes;
    bool tests; /* some other word than an option was */
    unsigned nesting;
    struct tmk_match_listed *actions, *outputs, *starts; /* newest first */
};

/* Something in a list whose length is not known yet. */
struct tmk_match_listed {
    const void *item;
    struct tmk_match_listed *next;
};

/* Set err to -EINVAL and why to "WORD: " and what is said; err. */
int tmk_match_wrong(struct tmk_match_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with "ARGUMENT: " between. */
int tmk_match_wrong_argument(struct tmk_match_parser *p, const char *argument,
                             const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same: the argument is out of range (-ERANGE) or none of those. */
int tmk_match_wrong_number(struct tmk_match_parser *p, int err,
                           const char *what);

/* Say "WORD: " and the text to who cares for warnings. */
void tmk_match_warn(struct tmk_match_parser *p, const char *text);

/* A node, or NULL and err. */
struct tmk_match_node *tmk_match_node(struct tmk_match_parser *p,
                                      enum tmk_match_kind kind);
struct tmk_match_node *tmk_match_constant(struct tmk_match_parser *p,
                                          bool value);
struct tmk_match_node *tmk_match_glob_node(struct tmk_match_parser *p,
                                           enum tmk_match_kind kind,
                                           const char *pattern, bool fold);
struct tmk_match_node *tmk_match_regex_node(struct tmk_match_parser *p,
                                            enum tmk_match_kind kind,
                                            const char *pattern,
                                            unsigned long syntax);
struct tmk_match_node *tmk_match_newer_node(struct tmk_match_parser *p,
                                            uint32_t field, const char *path,
                                            uint32_t field_of_reference);
struct tmk_match_node *tmk_match_action_node(struct tmk_match_parser *p,
                                             enum tmk_match_act act,
                                             struct tmk_match_action **action);

/*
 * `a`, then `b`, as one of AND OR COMMA; either may be NULL, which stands for
 * an error, as the result does.
 */
struct tmk_match_node *tmk_match_join(struct tmk_match_parser *p,
                                      enum tmk_match_kind kind,
                                      struct tmk_match_node *a,
                                      struct tmk_match_node *b);

/* Put an item into one of the parser's lists; 0 or err. */
int tmk_match_list(struct tmk_match_parser *p, struct tmk_match_listed **list,
                   const void *item);

/*
 * What the word argv[at - 1], known to begin with a dash, stands for; `at` is
 * set behind its arguments.  NULL and err 0 if it is no word of find's.
 */
struct tmk_match_node *tmk_match_word(struct tmk_match_parser *p);

/* Is it a word of find's: a test, an action, an option, an operator?  It
 * begins with a dash. */
bool tmk_match_is_word(const char *word);

/* err, and that there is no such word, perhaps which is meant. */
int tmk_match_unknown(struct tmk_match_parser *p);

/* The last argument of the word that is dealt with. */
const char *tmk_match_argument(const struct tmk_match_parser *p);

/* The words that ask for times; `how` is a field of stat and perhaps this. */
enum { TMK_MATCH_MINUTES = 0x10000 };
struct tmk_match_node *tmk_match_word_age(struct tmk_match_parser *p, int how);
struct tmk_match_node *tmk_match_word_used(struct tmk_match_parser *p, int how);
struct tmk_match_node *tmk_match_word_newer(struct tmk_match_parser *p,
                                            int how);
struct tmk_match_node *tmk_match_word_newer_xy(struct tmk_match_parser *p,
                                               const char *letters);

/* The words that act, for the table of words. */
struct tmk_match_node *tmk_match_word_print(struct tmk_match_parser *p,
                                            int how);
struct tmk_match_node *tmk_match_word_fprint(struct tmk_match_parser *p,
                                             int how);
struct tmk_match_node *tmk_match_word_delete(struct tmk_match_parser *p,
                                             int how);
struct tmk_match_node *tmk_match_word_exec(struct tmk_match_parser *p, int how);

/* Begin, and end with a tree (or NULL): *match is set, err returned. */
int tmk_match_begin(struct tmk_match_parser *p);
int tmk_match_end(struct tmk_match_parser *p, struct tmk_match_node *root,
                  struct tmk_match **match);

#endif
