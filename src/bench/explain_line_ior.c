/*
 * explain_line_ior: a line of ior, or a script: read, planned, explained.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/explain_ior.h"
#include "bench/explain_line.h"
#include "bench/explain_text.h"
#include "bench/ior_directives.h"
#include "bench/ior_script.h"

enum { SCRIPT_MAX = 1 << 20 }; /* bytes */

static void say_ior(const struct tmk_explain_line *line,
                    const struct tmk_explain_place *place,
                    const struct tmk_explain_ior *test,
                    const struct tmk_ior_notes *notes)
{
    FILE *to = line->to;
    size_t n;

    tmk_explain_line_say_place(line, place);
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
    n = tmk_explain_line_say_words(line);
    tmk_explain_line_say_none(line, n + tmk_explain_ior_flags(to, test));
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

/* A test that is planned. */
struct planned {
    struct tmk_ior_plan plan;
    struct tmk_ior_notes notes;
    struct tmk_explain_place place; /* of the ranks that take part */
    struct tmk_explain_ior test;
};

static void planned_fini(struct planned *p)
{
    tmk_explain_place_fini(&p->place);
}

/* Test i; release *p whatever comes.  0, -ENOMEM, or -EINVAL with a text. */
static int plan_test(const struct tmk_explain_line *line,
                     const struct tmk_ior_tests *tests, size_t i,
                     struct planned *p)
{
    void *const *confs = tests->confs + i * tests->n_tables;
    const struct tmk_ior_conf *conf = confs[0];
    const struct tmk_owner_map *all = &line->whole.map;
    const struct tmk_ior_here here = {
        .ranks = (int)all->ranks,
        .nodes = (int)all->nodes,
        .ranks_per_node = (int)all->most_ranks,
    };
    int err =
        tmk_explain_line_check_api(line, conf->api, line->asked->engines_ior);

    *p = (struct planned){.test = {.plan = &p->plan}};
    if (err == 0) {
        err = tmk_ior_plan_make(&p->plan, conf, &here, &p->notes, line->why,
                                line->why_size);
    }
    if (err == 0) {
        err = tmk_explain_place_first(&line->whole, (uint32_t)p->plan.tasks,
                                      &p->place);
    }
    if (err != 0) {
        return err;
    }
    p->test.direct = tmk_explain_line_is_direct(line, conf->api, confs);
    p->test.map = &p->place.map;
    p->test.tasks = (struct tmk_ior_tasks){
        .map = &p->place.map,
        .kind = kind_of(conf),
        .nodes_on = conf->node_offset,
        .seed = conf->reorder_seed,
        .original = conf->semantics == TMK_IOR_AS_IOR_4_1,
        .ranks_on_first = all->first_node_ranks,
    };
    return 0;
}

/* All tests, once they have been checked: a line that is refused says nothing
 * else. */
static int explain_tests(const struct tmk_explain_line *line,
                         const struct tmk_ior_tests *tests)
{
    struct planned p;
    int err = 0;

    for (size_t i = 0; err == 0 && i < tests->n; i++) {
        err = plan_test(line, tests, i, &p);
        planned_fini(&p);
    }
    for (size_t i = 0; err == 0 && i < tests->n; i++) {
        err = plan_test(line, tests, i, &p);
        if (err == 0 && tests->n > 1) {
            fprintf(line->to, "%sTest %zu of the script\n", i == 0 ? "" : "\n",
                    i);
        }
        if (err == 0) {
            say_ior(line, &line->whole, &p.test, &p.notes);
        }
        planned_fini(&p);
    }
    return err;
}

/* The text of a script, NUL-terminated, the caller's; NULL with *err. */
static char *read_text(const char *path, int *err)
{
    FILE *from = fopen(path, "re");
    char *text = from != NULL ? malloc(SCRIPT_MAX + 1) : NULL;
    size_t n = 0;

    *err = from == NULL ? -errno : 0;
    if (text != NULL) {
        n = fread(text, 1, SCRIPT_MAX + 1, from);
        *err = ferror(from) ? -errno : 0;
    } else if (*err == 0) {
        *err = -ENOMEM;
    }
    if (*err == 0 && n > SCRIPT_MAX) {
        *err = -EFBIG;
    }
    if (from != NULL) {
        (void)fclose(from);
    }
    if (*err != 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

static int explain_script(const struct tmk_explain_line *line,
                          struct tmk_ior_tests *tests, const char *path)
{
    size_t ignored = 0;
    int err = 0;
    char *text = read_text(path, &err);

    if (text == NULL) {
        if (err != -ENOMEM) {
            (void)snprintf(line->why, line->why_size, "-f %s: %s", path,
                           strerror(-err));
            err = -EINVAL;
        }
        return err;
    }
    err = tmk_ior_script_read(tests, path, text, &ignored, line->why,
                              line->why_size);
    free(text);
    if (err == 0) {
        err = explain_tests(line, tests);
    }
    tmk_ior_tests_fini(tests);
    return err;
}

/* The one test of a line, or those of its script. */
static int explain_parsed(struct tmk_explain_line *line,
                          const struct tmk_ior_conf *conf)
{
    void *own[TMK_EXPLAIN_TABLES_MAX] = {line->tables[0].conf};
    size_t bytes[TMK_EXPLAIN_TABLES_MAX] = {sizeof(*conf)};
    struct tmk_ior_tests tests = {
        .tables = line->tables,
        .n_tables = line->n_tables,
        .conf_bytes = bytes,
    };

    for (size_t t = 1; t < line->n_tables; t++) {
        const size_t size = line->asked->engines_ior[t - 1]->conf_size;

        own[t] = line->tables[t].conf;
        bytes[t] = size != 0 ? size : 1;
    }
    if (conf->script != NULL) {
        return explain_script(line, &tests, conf->script);
    }
    tests.confs = own;
    tests.n = 1;
    return explain_tests(line, &tests);
}

int tmk_explain_line_ior(struct tmk_explain_line *line,
                         struct tmk_explain_launch *launch)
{
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
    err = tmk_explain_line_tables(line, &own, line->asked->engines_ior);
    if (err != 0) {
        return err;
    }
    line->argc = tmk_explain_gone_take(line->tables, line->n_tables, line->argc,
                                       line->argv, &line->gone);
    err = tmk_ior_parse(line->tables, line->n_tables, line->argc, line->argv,
                        &texts, line->why, line->why_size);
    if (err == TMK_OPT_HELP) {
        err = tmk_explain_line_refuse(line, "", "--help", " asks for no run");
    }
    if (err == 0) {
        err = tmk_explain_line_place(line, launch, conf.num_nodes,
                                     conf.tasks_on_node_0);
    }
    if (err == 0) {
        err = explain_parsed(line, &conf);
    }
    tmk_ior_texts_fini(&texts);
    return err;
}
