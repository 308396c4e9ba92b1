/*
 * mdtest_status: reading the status file.  Pure: the text is the caller's.
 */
#include "bench/mdtest_status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { DIRECTORIES, SEED, ITERATION, OWNER, HOLE, NOTHING };

/* One line behind the first. */
struct record {
    enum kind kind;
    enum tmk_mdtest_target target;
    uint64_t owner;
    uint64_t iteration;
    uint64_t n;   /* items, or a position */
    int64_t seed; /* of SEED */
};

/* Moves *at to the end of its line, if nothing but blanks is left of it. */
static bool take_end(const char **at)
{
    const char *end = *at + strspn(*at, " \t\r");

    if (*end != '\n' && *end != '\0') {
        return false;
    }
    *at = end;
    return true;
}

/* A number at *at, which moves behind it and one blank that follows. */
static bool take_number(const char **at, uint64_t *n)
{
    char *end;

    if (**at < '0' || **at > '9') {
        return false;
    }
    errno = 0;
    *n = strtoull(*at, &end, 10);
    if (errno != 0 || *n > (UINT64_C(1) << 62)) {
        return false;
    }
    *at = end + (*end == ' ');
    return strchr(" \t\r\n", *end) != NULL; /* or the end of the text */
}

static bool take_word(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0 || (*at)[n] != ' ') {
        return false;
    }
    *at += n + 1;
    return true;
}

/* "files 998" or "directories 990" */
static bool take_items(const char **at, struct record *r)
{
    if (take_word(at, "files")) {
        r->target = TMK_MDTEST_FILES;
    } else if (take_word(at, "directories")) {
        r->target = TMK_MDTEST_DIRS;
    } else {
        return false;
    }
    return take_number(at, &r->n);
}

static bool take_seed(const char **at, struct record *r)
{
    bool minus = **at == '-';
    uint64_t n;

    *at += minus;
    if (!take_number(at, &n) || n > (uint64_t)INT32_MAX + minus) {
        return false;
    }
    r->seed = minus ? -(int64_t)n : (int64_t)n;
    return true;
}

/* One record that is there. */
static bool take_words(const char **at, struct record *r)
{
    if (take_word(at, "seed")) {
        r->kind = SEED;
        return take_seed(at, r);
    }
    if (take_word(at, "iteration")) {
        r->kind = ITERATION;
        return take_number(at, &r->iteration) && take_items(at, r);
    }
    if (take_word(at, "owner")) {
        r->kind = OWNER;
    } else if (take_word(at, "hole")) {
        r->kind = HOLE;
    } else {
        r->kind = DIRECTORIES;
        return take_items(at, r) && r->target == TMK_MDTEST_DIRS;
    }
    return take_number(at, &r->owner) && take_word(at, "iteration") &&
           take_number(at, &r->iteration) && take_items(at, r);
}

/* One line; *at moves to its end. */
static bool take_record(const char **at, struct record *r)
{
    *r = (struct record){.kind = NOTHING};
    return take_end(at) || (take_words(at, r) && take_end(at));
}

/* The text behind the first line. */
static const char *records(const char *text)
{
    const char *end = strchr(text, '\n');

    return end != NULL ? end + 1 : text + strlen(text);
}

/* The next record; false at the end. */
static bool next(const char **at, struct record *r)
{
    if (**at == '\0' || !take_record(at, r)) {
        return false;
    }
    *at += **at == '\n';
    return true;
}

static int refuse(char *why, size_t size, uint64_t line)
{
    (void)snprintf(why, size, "line %" PRIu64 " is none of a status file",
                   line);
    return -EINVAL;
}

static int refuse_hole(char *why, size_t size, uint64_t position, uint64_t most)
{
    (void)snprintf(why, size,
                   "position %" PRIu64 " of a hole is beyond the %" PRIu64
                   " items per task of -n and -I: give those of the creation",
                   position, most);
    return -ERANGE;
}

static int refuse_count(char *why, size_t size, uint64_t n, uint64_t most,
                        const char *what)
{
    (void)snprintf(why, size,
                   "%" PRIu64 " %s are more than the %" PRIu64
                   " per task of -n and -I: give those of the creation",
                   n, what, most);
    return -ERANGE;
}

/* The first line: a number, or -1.  *at moves to its end. */
static int parse_first(const char **at, uint64_t *files)
{
    uint64_t n;

    *at += strspn(*at, " \t");
    if (strncmp(*at, "-1", 2) == 0 &&
        strspn(*at + 2, " \t\r\n") == strlen(*at + 2)) {
        return TMK_MDTEST_STATUS_NONE;
    }
    if (!take_number(at, &n) || !take_end(at)) {
        return -EINVAL;
    }
    *files = n;
    return TMK_MDTEST_STATUS_OK;
}

int tmk_mdtest_status_parse(struct tmk_mdtest_status *status, const char *text,
                            uint64_t most, char *why, size_t size)
{
    const char *at = text;
    struct record r;
    int first;

    *status = (struct tmk_mdtest_status){.text = text};
    first = parse_first(&at, &status->files);
    if (first < 0) {
        return refuse(why, size, 1);
    }
    if (first == TMK_MDTEST_STATUS_NONE) {
        return first;
    }
    if (status->files > most) {
        return refuse_count(why, size, status->files, most, "files");
    }
    at = records(text);
    for (uint64_t line = 2; *at != '\0'; line++) {
        if (!take_record(&at, &r)) {
            return refuse(why, size, line);
        }
        if (r.kind == HOLE && r.n >= most) {
            return refuse_hole(why, size, r.n, most);
        }
        if (r.kind != SEED && r.kind != NOTHING && r.n > most) {
            return refuse_count(why, size, r.n, most,
                                r.target == TMK_MDTEST_DIRS ? "directories"
                                                            : "files");
        }
        if (r.kind == SEED) {
            status->has_seed = true;
            status->seed = (int32_t)r.seed;
        }
        at += *at == '\n';
    }
    return TMK_MDTEST_STATUS_OK;
}

uint64_t tmk_mdtest_status_count(const struct tmk_mdtest_status *status,
                                 enum tmk_mdtest_target target,
                                 uint64_t iteration)
{
    const char *at = records(status->text);
    uint64_t files = status->files;
    uint64_t dirs = UINT64_MAX; /* not told */
    struct record r;

    while (next(&at, &r)) {
        if (r.kind == DIRECTORIES ||
            (r.kind == ITERATION && r.iteration == iteration)) {
            if (r.target == TMK_MDTEST_DIRS) {
                dirs = r.n;
            } else {
                files = r.n;
            }
        }
    }
    return target == TMK_MDTEST_DIRS ? dirs : files;
}

/*
 * One more hole, once and in order; returns the position that is not to be
 * visited any more because there is no room for it, UINT64_MAX if there is.
 */
static uint64_t add_hole(struct tmk_mdtest_made *made, uint64_t position)
{
    uint64_t i = made->n_holes;
    uint64_t last = UINT64_MAX;

    while (i > 0 && made->holes[i - 1] > position) {
        i--;
    }
    if (i > 0 && made->holes[i - 1] == position) {
        return last;
    }
    if (i == TMK_MDTEST_HOLES_MAX) {
        return position;
    }
    if (made->n_holes == TMK_MDTEST_HOLES_MAX) {
        last = made->holes[--made->n_holes];
    }
    memmove(&made->holes[i + 1], &made->holes[i],
            (made->n_holes - i) * sizeof(made->holes[0]));
    made->holes[i] = position;
    made->n_holes++;
    return last;
}

void tmk_mdtest_status_made(const struct tmk_mdtest_status *status,
                            enum tmk_mdtest_target target, uint64_t iteration,
                            uint64_t owner, struct tmk_mdtest_made *made)
{
    const char *at = records(status->text);
    uint64_t end = UINT64_MAX;
    struct record r;

    *made = (struct tmk_mdtest_made){0};
    made->count = tmk_mdtest_status_count(status, target, iteration);
    while (next(&at, &r)) {
        if (r.target != target || r.iteration != iteration ||
            r.owner != owner) {
            continue;
        }
        if (r.kind == OWNER) {
            made->count = r.n;
        } else if (r.kind == HOLE) {
            uint64_t left_out = add_hole(made, r.n);

            end = left_out < end ? left_out : end;
        }
    }
    made->attempted = made->count;
    made->count = end < made->count ? end : made->count;
    while (made->n_holes > 0 && made->holes[made->n_holes - 1] >= made->count) {
        made->n_holes--;
    }
}
