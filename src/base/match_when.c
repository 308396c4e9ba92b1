/*
 * match_when: the words of an expression that ask for times.
 */
#include <errno.h>
#include <string.h>

#include "base/match_parse.h"

enum { DAY_S = 86400, MINUTE_S = 60 };

/* What ages are measured from: see tmk_match_number_parse_age(). */
static struct tmk_match_time origin(const struct tmk_match_parser *p,
                                    bool minutes)
{
    struct tmk_match_time t = p->env->now;
    int64_t of_day;

    if (p->daystart) {
        int32_t offset = p->env->utc_offset_s != NULL
                             ? p->env->utc_offset_s(p->env->arg, t.s)
                             : 0;

        of_day = ((t.s % DAY_S + offset) % DAY_S + DAY_S) % DAY_S;
        t.s += DAY_S - of_day;
        t.ns = 0;
    }
    t.s -= minutes ? 0 : DAY_S;
    return t;
}

struct tmk_match_node *tmk_match_word_age(struct tmk_match_parser *p, int how)
{
    bool minutes = (how & TMK_MATCH_MINUTES) != 0;
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_AGE);
    int err;

    if (node == NULL) {
        return NULL;
    }
    node->u.age.field = (uint32_t)(how & ~TMK_MATCH_MINUTES);
    err = tmk_match_number_parse_age(tmk_match_argument(p), origin(p, minutes),
                                     minutes ? MINUTE_S : DAY_S,
                                     &node->u.age.window);
    if (err != 0) {
        (void)tmk_match_wrong_number(p, err, "number, +number or -number");
        return NULL;
    }
    return node;
}

/* Days between the last change and the last reading, rounded up. */
struct tmk_match_node *tmk_match_word_used(struct tmk_match_parser *p, int how)
{
    struct tmk_match_node *node = tmk_match_node(p, TMK_MATCH_USED);
    struct tmk_match_number number;
    int err = tmk_match_number_parse(tmk_match_argument(p), &number);

    (void)how;
    if (node == NULL) {
        return NULL;
    }
    if (err != 0 || number.n > UINT32_MAX) {
        (void)tmk_match_wrong_number(p, err == 0 ? -ERANGE : err,
                                     "number, +number or -number");
        return NULL;
    }
    node->u.age.window = (struct tmk_match_window){
        .order = number.order,
        .from.s =
            ((int64_t)number.n - (number.order == TMK_MATCH_EQUAL ? 1 : 0)) *
            DAY_S,
        .length_s = DAY_S,
    };
    return node;
}

struct tmk_match_node *tmk_match_word_newer(struct tmk_match_parser *p, int how)
{
    return tmk_match_newer_node(p, (uint32_t)how, tmk_match_argument(p),
                                TMK_MATCH_MTIME);
}

/* The field of a letter of -newerXY, 0 if it has none. */
static uint32_t field_of(char letter)
{
    switch (letter) {
    case 'a': return TMK_MATCH_ATIME;
    case 'B': return TMK_MATCH_BTIME;
    case 'c': return TMK_MATCH_CTIME;
    case 'm': return TMK_MATCH_MTIME;
    default: return 0;
    }
}

struct tmk_match_node *tmk_match_word_newer_xy(struct tmk_match_parser *p,
                                               const char *letters)
{
    uint32_t field = field_of(letters[0]);
    struct tmk_match_node *node;

    if (field == 0 || (field_of(letters[1]) == 0 && letters[1] != 't')) {
        (void)tmk_match_wrong(p, "the letters have to be one of aBcm, then "
                                 "one of aBcmt");
        return NULL;
    }
    if (letters[1] != 't') {
        return tmk_match_newer_node(p, field, tmk_match_argument(p),
                                    field_of(letters[1]));
    }
    node = tmk_match_node(p, TMK_MATCH_NEWER);
    if (node == NULL) {
        return NULL;
    }
    node->u.newer.field = field;
    if (tmk_match_time_parse(tmk_match_argument(p), p->env->utc_offset_s,
                             p->env->arg, &node->u.newer.than) != 0) {
        (void)tmk_match_wrong_argument(
            p, tmk_match_argument(p),
            "is no date (2026-12-31, 2026-12-31T23:59:59+01:00, @SECONDS)");
        return NULL;
    }
    return node;
}
