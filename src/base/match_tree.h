#ifndef TMK_BASE_MATCH_TREE_H
#define TMK_BASE_MATCH_TREE_H

/*
 * What the files match_*.c share: the tree that an expression becomes.
 *
 *     name x -o ( ! size 1 , print )
 *
 *     OR -> NAME -> COMMA         -> next
 *                     |           |  child
 *                    NOT -> PRINT
 *                     |
 *                    SIZE
 */
#include <regex.h>

#include "base/match.h"
#include "base/match_glob.h"
#include "base/match_mode.h"
#include "base/match_number.h"

enum tmk_match_kind {
    TMK_MATCH_CONST,
    TMK_MATCH_NOT,
    TMK_MATCH_AND, /* of two or more */
    TMK_MATCH_OR,
    TMK_MATCH_COMMA,
    /* tests */
    TMK_MATCH_NAME,
    TMK_MATCH_PATH,
    TMK_MATCH_REGEX, /* on the path */
    TMK_MATCH_NAME_REGEX,
    TMK_MATCH_TYPES,
    TMK_MATCH_OTHER_TYPES,
    TMK_MATCH_INODE,
    TMK_MATCH_LINKS,
    TMK_MATCH_OWNER,
    TMK_MATCH_GROUP,
    TMK_MATCH_NO_OWNER,
    TMK_MATCH_NO_GROUP,
    TMK_MATCH_BITS,
    TMK_MATCH_BYTES,
    TMK_MATCH_AGE,
    TMK_MATCH_USED,
    TMK_MATCH_NEWER,
    TMK_MATCH_SAME,
    TMK_MATCH_EMPTY,
    TMK_MATCH_LEADS,
    TMK_MATCH_FSTYPE,
    TMK_MATCH_MAY,
    /* what has an effect */
    TMK_MATCH_PRUNES,
    TMK_MATCH_QUITS,
    TMK_MATCH_ACTS
};

struct tmk_match_regex {
    struct re_pattern_buffer buffer;
    struct tmk_match_regex *next;
};

struct tmk_match_node {
    enum tmk_match_kind kind;
    bool acts;      /* it or what is below has an effect */
    unsigned cost;  /* what is cheaper is tried first */
    uint32_t needs; /* fields; of inner nodes the union */
    struct tmk_match_node *child, *next;
    union {
        struct tmk_match_node *last; /* of a list, while it is read */
        bool constant;
        struct tmk_match_glob glob; /* NAME, PATH, LEADS */
        struct tmk_match_regex *regex;
        uint32_t types;                 /* by tmk_match_type_bit() */
        struct tmk_match_number number; /* INODE, LINKS, OWNER, GROUP */
        struct tmk_match_mode mode;
        struct {
            struct tmk_match_number number;
            uint64_t unit_bytes;
        } size;
        struct {
            uint32_t field; /* one of the times; not for USED */
            struct tmk_match_window window;
        } age;
        struct {
            uint32_t field;
            bool whole_s; /* pfind's rule: not before, in seconds */
            struct tmk_match_time than;
        } newer;
        struct {
            uint64_t dev, inode;
        } same;
        const char *fstype;
        int may;
        const struct tmk_match_action *action;
    } u;
};

/* Zeroed memory that lives as long as the expression; NULL: there is none. */
void *tmk_match_alloc(struct tmk_match *match, size_t bytes);

/* A copy, likewise. */
char *tmk_match_copy(struct tmk_match *match, const char *text);

/* The bit of a letter of -type, or of TMK_MATCH_UNKNOWN; 0 if it is none. */
uint32_t tmk_match_type_bit(char letter);

/* Is it a list of children, AND OR COMMA? */
bool tmk_match_is_list(const struct tmk_match_node *node);

/*
 * Simplify and order a tree whose parser has set kind, child, next and u;
 * needs, cost and acts are set.  What cannot be seen is left out.  Sets the
 * match's root and what follows from it.
 */
void tmk_match_settle(struct tmk_match *match, struct tmk_match_node *root);

/* Fields that an action needs. */
uint32_t tmk_match_action_needs(const struct tmk_match_action *action);

#endif
