/*
 * explain_line: what lines of mdtest and of ior have in common.
 */
#include "bench/explain_line.h"
#include "bench/engine_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "bench/explain_text.h"

/* "<before>'<text>'<after>" */
int tmk_explain_line_refuse(const struct tmk_explain_line *line,
                            const char *before, const char *text,
                            const char *after)
{
    char quoted[80];

    tmk_quote(quoted, sizeof(quoted), text, strlen(text));
    (void)snprintf(line->why, line->why_size, "%s'%s'%s", before, quoted,
                   after);
    return -EINVAL;
}

/* ---- reading ------------------------------------------------------------- */

/* Tables of a program and of its engines; 0 or -ENOMEM. */
int tmk_explain_line_tables(struct tmk_explain_line *line,
                            const struct tmk_opt_table *own,
                            const struct tmk_engine_ops *const *engines)
{
    size_t n = 0;

    line->tables[n++] = *own;
    for (size_t i = 0; engines[i] != NULL && n < TMK_EXPLAIN_TABLES_MAX; i++) {
        if (tmk_engine_table_make(&line->tables[n++], engines[i],
                                  &line->engine_conf[i]) != 0) {
            return -ENOMEM;
        }
    }
    line->n_tables = n;
    return 0;
}

void tmk_explain_line_fini(struct tmk_explain_line *line)
{
    for (size_t i = 0; i < TMK_EXPLAIN_TABLES_MAX; i++) {
        free(line->engine_conf[i]);
    }
    tmk_explain_place_fini(&line->whole);
}

int tmk_explain_line_check_api(const struct tmk_explain_line *line,
                               const char *api,
                               const struct tmk_engine_ops *const *engines)
{
    return tmk_engine_find(engines, api) != NULL
               ? 0
               : tmk_explain_line_refuse(line, "-a: ", api,
                                         " is no storage API that is known");
}

bool tmk_explain_line_is_direct(const struct tmk_explain_line *line,
                                const char *api, void *const *confs)
{
    for (size_t t = 1; t < line->n_tables; t++) {
        const struct tmk_opt_table *table = &line->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            const struct tmk_opt *row = &table->rows[i];
            char text[16];

            if (strcasecmp(table->title, api) == 0 && row->name != NULL &&
                strcmp(row->name, "odirect") == 0) {
                tmk_opt_show(row, confs != NULL ? confs[t] : table->conf, text,
                             sizeof(text));
                return strcmp(text, "0") != 0;
            }
        }
    }
    return false;
}

/* ---- what both have ------------------------------------------------------ */

void tmk_explain_line_say_place(const struct tmk_explain_line *line,
                                const struct tmk_explain_place *place)
{
    const struct tmk_owner_map *map = &place->map;
    FILE *to = line->to;

    if (map->nodes == 1) {
        fprintf(to, "%s on %" PRIu32 " rank%s, on one node\n", line->program,
                map->ranks, tmk_explain_s(map->ranks));
    } else if (map->most_ranks == map->fewest_ranks) {
        fprintf(to,
                "%s on %" PRIu32 " ranks: %" PRIu32 " nodes of %" PRIu32
                ", ranks placed %s\n",
                line->program, map->ranks, map->nodes, map->most_ranks,
                map->block || map->most_ranks == 1 ? "in blocks" : "in turn");
    } else {
        fprintf(to,
                "%s on %" PRIu32 " ranks: %" PRIu32 " nodes of %" PRIu32
                " to %" PRIu32 "\n",
                line->program, map->ranks, map->nodes, map->fewest_ranks,
                map->most_ranks);
    }
    if (!place->ranks_are_said) {
        tmk_explain_say(to, 2,
                        "The line does not say how many ranks there are: one "
                        "is assumed (--nodes, --ppn).");
    } else if (!place->nodes_are_said && map->ranks > 1) {
        tmk_explain_say(to, 2,
                        "The line does not say on how many nodes: one is "
                        "assumed (--nodes; hostfiles are not read).");
    }
    if (line->rest != NULL) {
        char quoted[64];

        tmk_quote(quoted, sizeof(quoted), line->rest, strlen(line->rest));
        tmk_explain_say(to, 2, "Not read: '%s'.", quoted);
    }
}

static size_t say_gone(const struct tmk_explain_line *line)
{
    for (size_t i = 0; i < line->gone.n; i++) {
        tmk_explain_point(line->to, "%s: %s.", line->gone.list[i].text,
                          line->gone.list[i].why);
    }
    return line->gone.n;
}

/* Options that stand for others, or that glued values of 4.1 turn on. */
static size_t say_spellings(const struct tmk_explain_line *line)
{
    static const struct {
        const char *name, *now;
    } renamed[] = {
        {"-B", "--posix.odirect"},       {"-H", "--mpiio.showHints"},
        {"-U", "--mpiio.hintsFileName"}, {"-V", "--mpiio.useFileView"},
        {"-p", "--mpiio.preallocate"},
    };

    size_t n = 0;

    if (strcmp(line->program, "ior") != 0) {
        return 0;
    }
    for (int i = 1; i < line->argc; i++) {
        for (size_t k = 0; k < sizeof(renamed) / sizeof(renamed[0]); k++) {
            if (strncmp(line->argv[i], renamed[k].name, 2) == 0) {
                tmk_explain_point(line->to,
                                  "%s: retired; the same as %s here, and "
                                  "refused by 4.1.",
                                  renamed[k].name, renamed[k].now);
                n++;
            }
        }
    }
    return n;
}

/* "-t1m": 4.1 goes on reading behind the value's first character, and a unit
 * may be a letter of an option of its. */
static size_t say_glued(const struct tmk_explain_line *line)
{
    const char *options =
        strcmp(line->program, "ior") == 0 ? "kKmMgGtT" : "kGtTpP";
    size_t n = 0;

    for (int i = 1; i < line->argc; i++) {
        const char *word = line->argv[i];
        const size_t digits =
            word[0] == '-' && word[1] != '\0' && word[1] != '-'
                ? strspn(word + 2, "0123456789")
                : 0;
        char quoted[32];

        if (digits == 0 || word[2 + digits] == '\0' ||
            strchr(options, word[2 + digits]) == NULL) {
            continue;
        }
        tmk_quote(quoted, sizeof(quoted), word, strlen(word));
        tmk_explain_point(line->to,
                          "%s: here a number and its unit.  4.1 takes the "
                          "letter for the option -%c, too.",
                          quoted, word[2 + digits]);
        n++;
    }
    return n;
}

/* The last heading, and what both programs have below it; how much that is. */
size_t tmk_explain_line_say_words(const struct tmk_explain_line *line)
{
    tmk_explain_head(line->to, "Words that are retired, or mean something else "
                               "elsewhere");
    return say_gone(line) + say_spellings(line) + say_glued(line);
}

void tmk_explain_line_say_none(const struct tmk_explain_line *line, size_t n)
{
    if (n == 0) {
        tmk_explain_point(line->to, "None.");
    }
}

/* Nodes and ranks from here or there: explain's own, else --nodes and --ppn of
 * the line, else the launcher's. */
int tmk_explain_line_place(struct tmk_explain_line *line,
                           struct tmk_explain_launch *launch, int nodes,
                           int ppn)
{
    if (line->asked->nodes != 0 || line->asked->ppn != 0) {
        nodes = line->asked->nodes;
        ppn = line->asked->ppn;
    }
    if (nodes != 0) {
        launch->nodes = (uint32_t)nodes;
        launch->n_hosts = 0;
    }
    if (ppn != 0) {
        launch->ppn = (uint32_t)ppn;
    }
    if (nodes != 0 && ppn != 0) {
        launch->ranks = 0; /* their product */
    }
    return tmk_explain_place_make(launch, &line->whole, line->why,
                                  line->why_size);
}
