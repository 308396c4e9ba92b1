/*
 * opt_near: which option may be meant by one that does not exist.
 */
#include "base/opt_near.h"

#include <stdio.h>
#include <string.h>

#include "base/typo.h"

enum { LENGTH_LEAST = 3 }; /* less is not guessed at */

/* What is looked for and what was found so far. */
struct search {
    const char *name;
    size_t length;
    unsigned most; /* slips that the best one may have */
    unsigned cut;  /* names that begin like this */
    char *buf;
    size_t size;
};

static unsigned slips_allowed(size_t length)
{
    return length < 8 ? 1 : length < 12 ? 2 : 3;
}

/* Judge a name, known by `known` as well as by its whole form. */
static void judge_slips(struct search *s, const char *known, const char *whole)
{
    unsigned slips;

    if (s->most == 0) {
        return;
    }
    slips = tmk_typo_distance(s->name, s->length, known, s->most - 1);
    if (slips < s->most) {
        s->most = slips;
        (void)snprintf(s->buf, s->size, "%s", whole);
    }
}

static void judge_cut(struct search *s, const char *known, const char *whole)
{
    if (strncmp(s->name, known, s->length) == 0) {
        s->cut++;
        (void)snprintf(s->buf, s->size, "%s", whole);
    }
}

/* Judge a long name with its prefix and without. */
static void judge_name(struct search *s, const char *prefix, const char *name,
                       void (*judge)(struct search *s, const char *known,
                                     const char *whole))
{
    char whole[TMK_TYPO_LENGTH_MAX + 1];

    if (name == NULL) {
        return;
    }
    (void)snprintf(whole, sizeof(whole), "%s%s", prefix, name);
    judge(s, whole, whole);
    if (prefix[0] != '\0') {
        judge(s, name, whole);
    }
}

static void
judge_all(struct search *s, const struct tmk_opt_table *tables, size_t n_tables,
          void (*judge)(struct search *s, const char *known, const char *whole))
{
    for (size_t t = 0; t < n_tables; t++) {
        const char *prefix = tables[t].prefix != NULL ? tables[t].prefix : "";

        for (size_t i = 0; i < tables[t].n_rows; i++) {
            judge_name(s, prefix, tables[t].rows[i].name, judge);
            judge_name(s, prefix, tables[t].rows[i].also, judge);
        }
    }
}

bool tmk_opt_near(const struct tmk_opt_table *tables, size_t n_tables,
                  const char *name, size_t length, char *buf, size_t size)
{
    struct search s = {.name = name, .length = length};
    unsigned bound = slips_allowed(length) + 1;

    s.most = bound;
    s.buf = buf;
    s.size = size;
    if (length < LENGTH_LEAST) {
        return false;
    }
    judge_all(&s, tables, n_tables, judge_slips);
    if (s.most < bound) {
        return true;
    }
    judge_all(&s, tables, n_tables, judge_cut);
    return s.cut == 1;
}
