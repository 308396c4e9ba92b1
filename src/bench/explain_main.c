/*
 * explain_main: a command line of mdtest or ior in words.
 *
 *     words -> launcher (explain_launch), retired words (explain_gone), options
 *     -> plan -> sentences (explain_mdtest, explain_ior)
 */
#include "bench/explain_main.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "bench/explain_gone.h"
#include "bench/explain_ior.h"
#include "bench/explain_launch.h"
#include "bench/explain_mdtest.h"
#include "bench/explain_text.h"
#include "bench/ior_directives.h"

enum { TABLES_MAX = 16 };

/* A line that is being explained. */
struct line {
    FILE *to;
    const struct tmk_explain_asked *asked;
    const char *program; /* "mdtest" or "ior" */
    int argc;            /* argv[0] names the program */
    char **argv;
    const char *rest;
    struct tmk_explain_place whole; /* all ranks */
    struct tmk_explain_gone gone;
    struct tmk_opt_table tables[TABLES_MAX]; /* the program's own first */
    size_t n_tables;
    void *engine_conf[TABLES_MAX]; /* owned */
    char *why;
    size_t why_size;
};

/* "<before>'<text>'<after>" */
static int refuse(const struct line *line, const char *before, const char *text,
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
static int make_tables(struct line *line, const struct tmk_opt_table *own,
                       const struct tmk_engine_ops *const *engines)
{
    size_t n = 0;

    line->tables[n++] = *own;
    for (size_t i = 0; engines[i] != NULL && n < TABLES_MAX; i++) {
        const struct tmk_engine_ops *ops = engines[i];
        void *conf = calloc(1, ops->conf_size != 0 ? ops->conf_size : 1);

        if (conf == NULL) {
            return -ENOMEM;
        }
        line->engine_conf[i] = conf;
        if (ops->conf_init != NULL) {
            ops->conf_init(conf);
        }
        line->tables[n++] = (struct tmk_opt_table){
            .title = ops->name,
            .prefix = ops->prefix,
            .rows = ops->opts,
            .n_rows = ops->n_opts,
            .conf = conf,
        };
    }
    line->n_tables = n;
    return 0;
}

static void fini(struct line *line)
{
    for (size_t i = 0; i < TABLES_MAX; i++) {
        free(line->engine_conf[i]);
    }
    tmk_explain_place_fini(&line->whole);
}

static int check_api(const struct line *line, const char *api,
                     const struct tmk_engine_ops *const *engines)
{
    return tmk_engine_find(engines, api) != NULL
               ? 0
               : refuse(line, "-a: ", api, " is no storage API that is known");
}

/* Whether --posix.odirect is on. */
static bool is_direct(const struct line *line)
{
    for (size_t t = 1; t < line->n_tables; t++) {
        const struct tmk_opt_table *table = &line->tables[t];

        for (size_t i = 0; i < table->n_rows; i++) {
            const struct tmk_opt *row = &table->rows[i];
            char text[16];

            if (strcmp(table->prefix, "posix.") == 0 && row->name != NULL &&
                strcmp(row->name, "odirect") == 0) {
                tmk_opt_show(row, table->conf, text, sizeof(text));
                return strcmp(text, "0") != 0;
            }
        }
    }
    return false;
}

/* ---- what both have ------------------------------------------------------ */

static void say_place(const struct line *line,
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

static size_t say_gone(const struct line *line)
{
    for (size_t i = 0; i < line->gone.n; i++) {
        tmk_explain_point(line->to, "%s: %s.", line->gone.list[i].text,
                          line->gone.list[i].why);
    }
    return line->gone.n;
}

/* Options that stand for others, or that glued values of 4.1 turn on. */
static size_t say_spellings(const struct line *line)
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
static size_t say_glued(const struct line *line)
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
static size_t say_words(const struct line *line)
{
    tmk_explain_head(line->to, "Words that are retired, or mean something else "
                               "elsewhere");
    return say_gone(line) + say_spellings(line) + say_glued(line);
}

static void say_none(const struct line *line, size_t n)
{
    if (n == 0) {
        tmk_explain_point(line->to, "None.");
    }
}

/* ---- mdtest -------------------------------------------------------------- */

static void say_mdtest(const struct line *line,
                       const struct tmk_explain_place *place,
                       const struct tmk_mdtest_plan *plan)
{
    const bool direct = is_direct(line);
    FILE *to = line->to;
    size_t n;

    say_place(line, place);
    if (plan->conf->last != 0) {
        tmk_explain_say(to, 2,
                        "A scan: %d, then %d more each time, to at most %d "
                        "ranks (-f, -s, -l); this is the last.",
                        plan->conf->first, plan->conf->step, plan->conf->last);
    }
    tmk_explain_head(to, "What is made");
    tmk_explain_mdtest_makes(to, plan);
    tmk_explain_head(to, "Phases of an iteration, one after the other");
    tmk_explain_mdtest_phases(to, plan);
    tmk_explain_head(to, "The stride (-N)");
    tmk_explain_mdtest_stride(to, plan);
    tmk_explain_head(to, "What may be a cache");
    tmk_explain_mdtest_caches(to, plan, direct);
    n = say_words(line);
    say_none(line, n + tmk_explain_mdtest_flags(to, plan));
}

/* The ranks of the last step of a scan; 0: more than there are. */
static uint32_t scan_end(const struct tmk_mdtest_conf *conf, uint32_t ranks)
{
    if (conf->last == 0) {
        return ranks;
    }
    if (conf->first > conf->last || (uint32_t)conf->last > ranks) {
        return 0;
    }
    return (uint32_t)(conf->last - (conf->last - conf->first) % conf->step);
}

static int plan_mdtest(const struct line *line,
                       const struct tmk_mdtest_conf *conf)
{
    struct tmk_mdtest_plan *plan = calloc(1, sizeof(*plan));
    const uint32_t ranks = scan_end(conf, line->whole.map.ranks);
    struct tmk_explain_place place = {.arrays = NULL};
    int err = plan != NULL ? 0 : -ENOMEM;

    if (err == 0 && ranks == 0) {
        (void)snprintf(line->why, line->why_size,
                       "-f, -l: no scan from %d to %d tasks on %" PRIu32
                       " rank%s",
                       conf->first, conf->last, line->whole.map.ranks,
                       tmk_explain_s(line->whole.map.ranks));
        err = -EINVAL;
    }
    if (err == 0) {
        err = tmk_explain_place_first(&line->whole, ranks, &place);
    }
    if (err == 0) {
        err = tmk_mdtest_plan_make(conf, &place.map, plan, line->why,
                                   line->why_size);
    }
    if (err == 0) {
        say_mdtest(line, &place, plan);
    }
    tmk_explain_place_fini(&place);
    free(plan);
    return err;
}

/* Nodes and ranks from here or there: explain's own, else --nodes and --ppn of
 * the line, else the launcher's. */
static int place_ranks(struct line *line, struct tmk_explain_launch *launch,
                       int nodes, int ppn)
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

static int explain_mdtest(struct line *line, struct tmk_explain_launch *launch)
{
    const struct tmk_engine_ops *const *engines = line->asked->engines_mdtest;
    struct tmk_mdtest_conf conf;
    const struct tmk_opt_table own = {
        .title = "mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &conf,
    };
    int err;

    tmk_mdtest_conf_init(&conf);
    err = make_tables(line, &own, engines);
    if (err != 0) {
        return err;
    }
    line->argc = tmk_explain_gone_take(line->tables, line->n_tables, line->argc,
                                       line->argv, &line->gone);
    err = tmk_opt_parse(line->tables, line->n_tables, line->argc, line->argv,
                        line->why, line->why_size);
    if (err == TMK_OPT_HELP) {
        return refuse(line, "", "--help", " asks for no run");
    }
    if (err == 0) {
        err = check_api(line, conf.api, engines);
    }
    if (err == 0) {
        err = place_ranks(line, launch, conf.nodes, conf.ppn);
    }
    return err == 0 ? plan_mdtest(line, &conf) : err;
}

/* ---- ior ----------------------------------------------------------------- */

static void say_ior(const struct line *line,
                    const struct tmk_explain_place *place,
                    const struct tmk_explain_ior *test,
                    const struct tmk_ior_notes *notes)
{
    FILE *to = line->to;
    size_t n;

    say_place(line, place);
    if (test->plan->tasks < (int)line->whole.map.ranks) {
        tmk_explain_say(to, 2, "Of them the first %d take part (-N).",
                        test->plan->tasks);
    }
    tmk_explain_head(to, "Files");
    tmk_explain_ior_files(to, test);
    for (size_t i = 0; i < notes->n; i++) {
        tmk_explain_say(to, 2, "%s.", notes->list[i].text);
    }
    tmk_explain_head(to, "Phases of a repetition, one after the other");
    tmk_explain_ior_phases(to, test);
    tmk_explain_head(to, "Whose data is read (-C, -Q, -Z)");
    tmk_explain_ior_order(to, test);
    tmk_explain_head(to, "What may be a cache");
    tmk_explain_ior_caches(to, test);
    n = say_words(line);
    say_none(line, n + tmk_explain_ior_flags(to, test));
}

static enum tmk_ior_tasks_kind kind_of(const struct tmk_ior_conf *conf)
{
    if (conf->reorder != 0) {
        return TMK_IOR_TASKS_CONSTANT;
    }
    if (conf->reorder_random > 1) {
        return TMK_IOR_TASKS_SHUFFLE;
    }
    if (conf->reorder_random == 1) {
        return conf->semantics == TMK_IOR_AS_IOR_4_1 ? TMK_IOR_TASKS_LEGACY
                                                     : TMK_IOR_TASKS_RANDOM;
    }
    return TMK_IOR_TASKS_OWN;
}

static int plan_ior(const struct line *line, const struct tmk_ior_conf *conf)
{
    const struct tmk_owner_map *all = &line->whole.map;
    const struct tmk_ior_here here = {
        .ranks = (int)all->ranks,
        .nodes = (int)all->nodes,
        .ranks_per_node = (int)all->most_ranks,
    };
    struct tmk_explain_place place = {.arrays = NULL};
    struct tmk_ior_notes notes = {.n = 0};
    struct tmk_ior_plan plan;
    struct tmk_explain_ior test = {.plan = &plan, .direct = is_direct(line)};
    int err = tmk_ior_plan_make(&plan, conf, &here, &notes, line->why,
                                line->why_size);

    if (err == 0) {
        err =
            tmk_explain_place_first(&line->whole, (uint32_t)plan.tasks, &place);
    }
    if (err == 0) {
        test.map = &place.map;
        test.tasks = (struct tmk_ior_tasks){
            .map = &place.map,
            .kind = kind_of(conf),
            .nodes_on = conf->node_offset,
            .seed = conf->reorder_seed,
            .original = conf->semantics == TMK_IOR_AS_IOR_4_1,
            .ranks_on_first = all->first_node_ranks,
        };
        say_ior(line, &line->whole, &test, &notes);
    }
    tmk_explain_place_fini(&place);
    return err;
}

static int explain_ior(struct line *line, struct tmk_explain_launch *launch)
{
    const struct tmk_engine_ops *const *engines = line->asked->engines_ior;
    struct tmk_ior_texts texts = {0};
    struct tmk_ior_conf conf;
    const struct tmk_opt_table own = {
        .title = "ior",
        .rows = tmk_ior_opts,
        .n_rows = tmk_ior_n_opts,
        .gone = tmk_ior_gone,
        .n_gone = tmk_ior_n_gone,
        .conf = &conf,
    };
    int err;

    tmk_ior_conf_init(&conf);
    err = make_tables(line, &own, engines);
    if (err != 0) {
        return err;
    }
    line->argc = tmk_explain_gone_take(line->tables, line->n_tables, line->argc,
                                       line->argv, &line->gone);
    err = tmk_ior_parse(line->tables, line->n_tables, line->argc, line->argv,
                        &texts, line->why, line->why_size);
    if (err == TMK_OPT_HELP) {
        err = refuse(line, "", "--help", " asks for no run");
    }
    if (err == 0 && conf.script != NULL) {
        err = refuse(line, "-f ", conf.script,
                     ": scripts are not read; give their directives with -O");
    }
    if (err == 0) {
        err = check_api(line, conf.api, engines);
    }
    if (err == 0) {
        err = place_ranks(line, launch, conf.num_nodes, conf.tasks_on_node_0);
    }
    if (err == 0) {
        err = plan_ior(line, &conf);
    }
    tmk_ior_texts_fini(&texts);
    return err;
}

int tmk_explain_main(FILE *to, struct tmk_explain_words *words,
                     const struct tmk_explain_asked *asked, char *why,
                     size_t why_size)
{
    struct line line = {
        .to = to,
        .asked = asked,
        .rest = words->rest,
        .why = why,
        .why_size = why_size,
    };
    struct tmk_explain_launch *launch = calloc(1, sizeof(*launch));
    int at = 0;
    enum tmk_explain_program program = tmk_explain_words_program(words, &at);
    int err = launch != NULL ? 0 : -ENOMEM;

    if (err == 0 && program == TMK_EXPLAIN_NONE) {
        err = refuse(&line, "", words->argc > 0 ? words->argv[0] : "",
                     " starts neither mdtest nor ior");
    }
    if (err == 0) {
        err = tmk_explain_launch_read(at, words->argv, launch, why, why_size);
    }
    line.program = program == TMK_EXPLAIN_MDTEST ? "mdtest" : "ior";
    line.argc = words->argc - at;
    line.argv = words->argv + at;
    if (err == 0) {
        err = program == TMK_EXPLAIN_MDTEST ? explain_mdtest(&line, launch)
                                            : explain_ior(&line, launch);
    }
    fini(&line);
    free(launch);
    return err;
}
