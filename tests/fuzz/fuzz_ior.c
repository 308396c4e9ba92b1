/*
 * fuzz_ior: what a command line, a directive and a script can do to the options
 * of ior and to its plan.
 *
 *     input -> argv       -> options and directives -> plans -> paths
 *           -> directives
 *           -> a script   -> tests                  -> plans -> paths
 *
 * The input is all three at once: for argv it is cut at newlines.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "bench/ior_plan.h"
#include "bench/ior_script.h"
#include "fuzz/must.h"
#include "unit/ior_given.h"

enum { INPUT_MAX = 8192, WORDS_MAX = 64, LITTLE = 24 };

/* ---- plans --------------------------------------------------------------- */

static void check_path(const struct tmk_ior_plan *plan, uint64_t rank,
                       int repetition)
{
    char path[TMK_IOR_PATH_SIZE];
    char dir[TMK_IOR_PATH_SIZE];
    char little[LITTLE];
    int n = tmk_ior_plan_path(plan, rank, repetition, path, sizeof(path));
    int of_dir = tmk_ior_plan_dir(plan, rank, dir, sizeof(dir));

    MUST(n > 0 && (size_t)n == strlen(path));
    MUST(path[n - 1] != '/');
    MUST(of_dir >= 0 && (size_t)of_dir == strlen(dir));
    MUST((of_dir > 0) == (!plan->shared && plan->conf->unique_dir != 0));
    MUST(of_dir == 0 ||
         (strncmp(path, dir, strlen(dir)) == 0 && path[of_dir] == '/' &&
          strchr(path + of_dir + 1, '/') == NULL));
    n = tmk_ior_plan_path(plan, rank, repetition, little, sizeof(little));
    MUST(n == -ENAMETOOLONG || strcmp(little, path) == 0);
}

static void check_plan(const struct tmk_ior_plan *plan, uint64_t dice)
{
    const struct tmk_ior_conf *conf = plan->conf;
    uint64_t tasks = (uint64_t)plan->tasks;
    uint64_t product;
    char first[TMK_IOR_PATH_SIZE];
    char last[TMK_IOR_PATH_SIZE];

    MUST(plan->tasks >= 1);
    MUST(plan->writes || plan->reads || plan->checks_write || plan->mixes);
    MUST(!plan->checks_read || plan->reads);
    MUST(!plan->mixes || !(plan->writes || plan->reads || plan->checks_write));
    MUST(plan->transfer_bytes > 0);
    MUST(plan->per_block * plan->transfer_bytes == plan->block_bytes);
    MUST(plan->per_block > 0);
    MUST(!__builtin_mul_overflow(plan->segments, plan->per_block, &product));
    MUST(product == plan->per_rank);
    MUST(!__builtin_mul_overflow(plan->segments, plan->block_bytes, &product));
    MUST(product == plan->rank_bytes);
    MUST(!__builtin_mul_overflow(plan->rank_bytes, tasks, &product));
    MUST(product == plan->total_bytes && product <= INT64_MAX);
    MUST(plan->file_bytes ==
         (plan->shared ? plan->total_bytes : plan->rank_bytes));
    MUST(plan->n_roots >= 1 && (!plan->shared || plan->n_roots == 1));
    check_path(plan, 0, 0);
    check_path(plan, tasks - 1, conf->repetitions - 1);
    check_path(plan, dice % tasks, (int)(dice >> 32) % conf->repetitions);
    (void)tmk_ior_plan_path(plan, 0, 0, first, sizeof(first));
    (void)tmk_ior_plan_path(plan, tasks - 1, 0, last, sizeof(last));
    MUST((strcmp(first, last) == 0) == (plan->shared || tasks == 1));
}

static void plan_on(const struct tmk_ior_conf *conf,
                    const struct tmk_ior_here *here, uint64_t dice)
{
    struct tmk_ior_plan plan;
    struct tmk_ior_notes notes;
    char why[256];
    char cut[LITTLE];
    int err;

    memset(why, 'X', sizeof(why));
    err = tmk_ior_plan_make(&plan, conf, here, &notes, why, sizeof(why));
    MUST(err == 0 || err == -EINVAL);
    MUST(notes.n <= TMK_IOR_NOTES_MAX);
    for (size_t i = 0; i < notes.n; i++) {
        must_be_line(notes.list[i].text, sizeof(notes.list[i].text));
    }
    if (err == 0) {
        check_plan(&plan, dice);
        return;
    }
    must_be_line(why, sizeof(why));
    MUST(tmk_ior_plan_make(&plan, conf, here, &notes, cut, sizeof(cut)) == err);
    must_be_line(cut, sizeof(cut));
}

static void plan_all(const struct tmk_ior_conf *conf, uint64_t dice)
{
    static const struct tmk_ior_here machines[] = {
        {1, 1, 1, UINT64_C(1) << 34, 4096},
        {4, 2, 2, UINT64_C(1) << 34, 65536},
        {7, 3, 3, 0, 0},
        {2000000000, 1000, 2000000, UINT64_C(1) << 40, 4096},
    };

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        plan_on(conf, &machines[i], dice);
    }
}

/* ---- options ------------------------------------------------------------- */

/* Values as text: the same of both, whatever room there is. */
static void check_shown(const struct given *a, const struct given *b)
{
    char of_a[256];
    char of_b[256];
    char little[3];

    for (int t = 0; t < GIVEN_TABLES; t++) {
        for (size_t i = 0; i < a->tables[t].n_rows; i++) {
            const struct tmk_opt *row = &a->tables[t].rows[i];

            tmk_opt_show(row, a->tables[t].conf, of_a, sizeof(of_a));
            tmk_opt_show(row, b->tables[t].conf, of_b, sizeof(of_b));
            tmk_opt_show(row, b->tables[t].conf, little, sizeof(little));
            MUST(strcmp(of_a, of_b) == 0);
            MUST(strlen(little) < sizeof(little));
            MUST(strncmp(of_a, little, strlen(little)) == 0);
        }
    }
}

static int read_words(struct given *g, int argc, char **argv, size_t why_size)
{
    given_init(g);
    memset(g->why, 'X', sizeof(g->why));
    g->err = tmk_ior_parse(g->tables, GIVEN_TABLES, argc, argv, &g->texts,
                           g->why, why_size);
    MUST(g->err == 0 || g->err == TMK_OPT_HELP || g->err == -EINVAL);
    MUST(g->conf.reach == NULL);
    if (g->err < 0) {
        must_be_line(g->why, sizeof(g->why));
    }
    return g->err;
}

static void try_words(char *text, size_t size, uint64_t dice)
{
    char *argv[WORDS_MAX + 1] = {"ior"};
    int argc = 1;
    struct given a;
    struct given b;
    int err;

    for (size_t i = 0; i < size && argc < WORDS_MAX; i++) {
        argv[argc++] = text + i;
        while (i < size && text[i] != '\n') {
            i++;
        }
        text[i] = '\0';
    }
    err = read_words(&a, argc, argv, sizeof(a.why));
    MUST(read_words(&b, argc, argv, LITTLE) == err);
    check_shown(&a, &b);
    if (err == 0) {
        plan_all(&a.conf, dice);
    }
    given_fini(&a);
    given_fini(&b);
}

/* ---- directives and scripts ---------------------------------------------- */

static void try_directives(const char *text, size_t size, uint64_t dice)
{
    struct given g;
    struct tmk_ior_texts texts = {.size = size + 1};
    int err;

    texts.buf = malloc(texts.size);
    MUST(texts.buf != NULL);
    given_init(&g);
    err = tmk_ior_directives(g.tables, GIVEN_TABLES, text, tmk_ior_texts_keep,
                             &texts, g.why, sizeof(g.why));
    MUST(err == 0 || err == -EINVAL); /* its strings fit into its size */
    if (err == 0) {
        plan_all(&g.conf, dice);
    } else {
        must_be_line(g.why, sizeof(g.why));
    }
    tmk_ior_texts_fini(&texts);
    given_fini(&g);
}

static void try_script(const char *text, uint64_t dice)
{
    struct given g;
    struct tmk_ior_tests tests = {.n_tables = GIVEN_TABLES};
    size_t ignored = 0;
    int err;

    given_init(&g);
    tests.tables = g.tables;
    tests.conf_bytes = g.conf_bytes;
    err =
        tmk_ior_script_read(&tests, "x", text, &ignored, g.why, sizeof(g.why));
    MUST(err == 0 || err == -EINVAL);
    if (err != 0) {
        must_be_line(g.why, sizeof(g.why));
        MUST(strncmp(g.why, "x:", 2) == 0);
    } else {
        MUST(tests.n > 0);
    }
    for (size_t i = 0; err == 0 && i < tests.n && i < 4; i++) {
        plan_all(tests.confs[i * GIVEN_TABLES], dice);
    }
    tmk_ior_tests_fini(&tests);
    given_fini(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[INPUT_MAX + 1];
    uint64_t dice = size;

    if (size > INPUT_MAX) {
        return 0;
    }
    for (size_t i = 0; i < size; i++) {
        dice = tmk_mix(dice + data[i]);
    }
    memcpy(text, data, size);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\0') {
            text[i] = ' ';
        }
    }
    text[size] = '\0';
    try_script(text, dice);
    try_directives(text, size, dice);
    try_words(text, size, dice);
    return 0;
}
