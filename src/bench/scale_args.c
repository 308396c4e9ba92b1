/*
 * scale_args: the benchmark's own words, for each point.
 */
#include "bench/scale_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/typo.h"
#include "base/why.h"
#include "bench/engine_tables.h"
#include "bench/ior_directives.h"
#include "bench/mdtest_conf.h"
#include "bench/scale_plan.h"

static const char *const names[] = {
    [TMK_SCALE_MDTEST] = "mdtest",
    [TMK_SCALE_IOR] = "ior",
    [TMK_SCALE_FIND] = "find",
};

const char *tmk_scale_benchmark_name(enum tmk_scale_benchmark benchmark)
{
    return names[benchmark];
}

/* ---- reading ------------------------------------------------------------- */

static int find_benchmark(struct tmk_scale_args *args, char *why, size_t size)
{
    const char *word = args->argc > 0 ? args->argv[0] : "";
    const size_t length = strlen(word);
    const char *near = NULL;
    char quoted[64];

    if (args->argc < 1) {
        return tmk_why(why, size,
                       "which benchmark? It stands behind --: mdtest, ior or "
                       "find, and its options");
    }
    for (unsigned i = 0; i < TMK_SCALE_BENCHMARKS; i++) {
        if (strcmp(word, names[i]) == 0) {
            args->benchmark = (enum tmk_scale_benchmark)i;
            return 0;
        }
        if (tmk_typo_distance(word, length, names[i], 2) <= 2) {
            near = names[i];
        }
    }
    tmk_quote(quoted, sizeof(quoted), word, length);
    return tmk_why(why, size,
                   "'%s' behind -- is no benchmark%s%s%s (mdtest, ior and find "
                   "are)",
                   quoted, near != NULL ? ": is " : "",
                   near != NULL ? near : "", near != NULL ? " meant?" : "");
}

/* An option of the benchmark that the study has itself. */
struct taken {
    bool given;
    const char *why;
};

static int check_taken(const struct tmk_scale_args *args,
                       const struct taken *taken, size_t n, char *why,
                       size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if (taken[i].given) {
            return tmk_why(why, size, "%s: %s", names[args->benchmark],
                           taken[i].why);
        }
    }
    return 0;
}

#define RESULTS "give --json and --csv of the study, before --"
#define DRY_RUN "give --dry-run before --"

/* Up to the first '@', which has other places behind it. */
static void take_path(struct tmk_scale_args *args, const char *path)
{
    (void)snprintf(args->path, sizeof(args->path), "%.*s",
                   (int)strcspn(path, "@"), path);
}

static int read_mdtest(struct tmk_scale_args *args,
                       const struct tmk_engine_ops *const *engines, char *why,
                       size_t size)
{
    struct tmk_mdtest_conf conf;
    struct tmk_engine_tables tables;
    const struct tmk_opt_table own = {
        .title = "mdtest",
        .rows = tmk_mdtest_opts,
        .n_rows = tmk_mdtest_n_opts,
        .gone = tmk_mdtest_gone,
        .n_gone = tmk_mdtest_n_gone,
        .conf = &conf,
    };
    const struct tmk_engine_ops *engine;
    char text[512];
    int err;

    tmk_mdtest_conf_init(&conf);
    err = tmk_engine_tables_make(&tables, &own, engines);
    if (err == 0) {
        err = tmk_opt_parse(tables.tables, tables.n, args->argc, args->argv,
                            text, sizeof(text));
        if (err != 0) {
            err =
                tmk_why(why, size, "mdtest: %s",
                        err == TMK_OPT_HELP ? "--help asks for no run" : text);
        }
    }
    tmk_engine_tables_fini(&tables);
    if (err != 0) {
        return err;
    }
    engine = tmk_engine_find(engines, conf.api);
    args->engine = engine != NULL ? engine->name : "";
    take_path(args, conf.dir);
    args->items = conf.items;
    args->items_per_dir = conf.items_per_dir;
    args->min_time_s = conf.min_time_s;
    args->leaves = conf.create != 0 && conf.remove == 0 &&
                   conf.leftovers == TMK_LEFTOVERS_REFUSE &&
                   strcmp(args->engine, "DUMMY") != 0;
    {
        const struct taken taken[] = {
            {conf.last != 0 || conf.first != 1 || conf.step != 1,
             "-f, -l, -s: the study chooses the ranks (--ranks)"},
            {conf.json != NULL || conf.csv != NULL, RESULTS},
            {conf.dry_run != 0, DRY_RUN},
        };

        return check_taken(args, taken, sizeof(taken) / sizeof(taken[0]), why,
                           size);
    }
}

static int read_ior(struct tmk_scale_args *args,
                    const struct tmk_engine_ops *const *engines, char *why,
                    size_t size)
{
    struct tmk_ior_texts texts = {0};
    struct tmk_ior_conf conf;
    struct tmk_engine_tables tables;
    const struct tmk_opt_table own = {
        .title = "ior",
        .rows = tmk_ior_opts,
        .n_rows = tmk_ior_n_opts,
        .gone = tmk_ior_gone,
        .n_gone = tmk_ior_n_gone,
        .conf = &conf,
    };
    const struct tmk_engine_ops *engine;
    char text[512];
    int err;

    tmk_ior_conf_init(&conf);
    err = tmk_engine_tables_make(&tables, &own, engines);
    if (err == 0) {
        err = tmk_ior_parse(tables.tables, tables.n, args->argc, args->argv,
                            &texts, text, sizeof(text));
        if (err == TMK_OPT_HELP || err == -EINVAL) {
            err =
                tmk_why(why, size, "ior: %s",
                        err == TMK_OPT_HELP ? "--help asks for no run" : text);
        }
    }
    if (err == 0) {
        const struct taken taken[] = {
            {conf.script != NULL, "-f: a study is of one test"},
            {conf.tasks > 0, "-N: the study chooses the ranks (--ranks)"},
            {conf.json != NULL || conf.csv != NULL, RESULTS},
            {conf.dry_run != 0, DRY_RUN},
        };

        engine = tmk_engine_find(engines, conf.api);
        args->engine = engine != NULL ? engine->name : "";
        take_path(args, conf.path);
        args->block_bytes = conf.block_bytes;
        args->transfer_bytes = conf.transfer_bytes;
        err = check_taken(args, taken, sizeof(taken) / sizeof(taken[0]), why,
                          size);
    }
    tmk_engine_tables_fini(&tables);
    tmk_ior_texts_fini(&texts);
    return err;
}

/* The words of an expression are the benchmark's business. */
static int read_find(struct tmk_scale_args *args, char *why, size_t size)
{
    args->engine = "POSIX";
    take_path(args,
              args->argc > 1 && args->argv[1][0] != '-' ? args->argv[1] : ".");
    for (int i = 1; i < args->argc; i++) {
        const char *word = args->argv[i];

        if (strncmp(word, "--json", 6) == 0 || strncmp(word, "--csv", 5) == 0) {
            return tmk_why(why, size, "find: " RESULTS);
        }
        word += word[0] == '-' && word[1] == '-'; /* either will do */
        if (strcmp(word, "-help") == 0 || strcmp(word, "-version") == 0) {
            return tmk_why(why, size, "find: %s asks for no run",
                           args->argv[i]);
        }
        if (strcmp(word, "-delete") == 0) {
            return tmk_why(why, size,
                           "find: -delete: the next point would search what is "
                           "left");
        }
    }
    return 0;
}

int tmk_scale_args_read(struct tmk_scale_args *args, int argc,
                        char *const argv[],
                        const struct tmk_engine_ops *const *engines_mdtest,
                        const struct tmk_engine_ops *const *engines_ior,
                        char *why, size_t size)
{
    int err;

    *args = (struct tmk_scale_args){.argc = argc, .argv = argv, .engine = ""};
    err = find_benchmark(args, why, size);
    if (err != 0) {
        return err;
    }
    switch (args->benchmark) {
    case TMK_SCALE_MDTEST: return read_mdtest(args, engines_mdtest, why, size);
    case TMK_SCALE_IOR: return read_ior(args, engines_ior, why, size);
    case TMK_SCALE_FIND:
    case TMK_SCALE_BENCHMARKS: break;
    }
    return read_find(args, why, size);
}

/* ---- the words of a point ------------------------------------------------ */

/* One more word; takes it over. */
static int push(struct tmk_scale_words *words, char *word)
{
    if (word == NULL) {
        return -ENOMEM;
    }
    words->argv[words->argc++] = word;
    return 0;
}

/* "-n" "33", and what is lost by it. */
static int push_share(struct tmk_scale_words *words, const char *option,
                      uint64_t total, uint64_t share, uint32_t ranks,
                      const char *unit)
{
    const uint64_t together = share * ranks;
    const size_t used = strlen(words->note);
    char number[32];

    (void)snprintf(number, sizeof(number), "%" PRIu64, share);
    if (together != total && used < sizeof(words->note)) {
        (void)snprintf(words->note + used, sizeof(words->note) - used,
                       "%s%s %" PRIu64 "%s over %" PRIu32 " rank%s: %" PRIu64
                       " each, %" PRIu64 " %s",
                       used != 0 ? "; " : "", option, total, unit, ranks,
                       ranks == 1 ? "" : "s", share,
                       together < total ? total - together : together - total,
                       together < total ? "left out" : "more");
    }
    return push(words, strdup(option)) != 0 || push(words, strdup(number)) != 0
               ? -ENOMEM
               : 0;
}

/*
 * With both, a rank's tree keeps its shape: as many directories as -n has of
 * -I.
 */
static int push_items(struct tmk_scale_words *words,
                      const struct tmk_scale_args *args, uint32_t ranks)
{
    uint64_t left;
    uint64_t per_dir = 0;
    uint64_t items = 0;
    int err = 0;

    if (args->items_per_dir != 0) {
        per_dir = tmk_scale_share(args->items_per_dir, ranks, 1, &left);
        err = push_share(words, "-I", args->items_per_dir, per_dir, ranks, "");
    }
    if (args->items != 0) {
        items = per_dir != 0 ? args->items / args->items_per_dir * per_dir
                             : tmk_scale_share(args->items, ranks, 1, &left);
        err = err == 0 ? push_share(words, "-n", args->items, items, ranks, "")
                       : err;
    }
    return err;
}

static int push_shares(struct tmk_scale_words *words,
                       const struct tmk_scale_args *args, uint32_t ranks)
{
    uint64_t left;

    switch (args->benchmark) {
    case TMK_SCALE_MDTEST: return push_items(words, args, ranks);
    case TMK_SCALE_IOR:
        return push_share(words, "-b", args->block_bytes,
                          tmk_scale_share(args->block_bytes, ranks,
                                          args->transfer_bytes, &left),
                          ranks, " bytes");
    case TMK_SCALE_FIND:
    case TMK_SCALE_BENCHMARKS: break;
    }
    return 0;
}

/* Whether a search prints no names, as it is. */
static bool counts(const struct tmk_scale_args *args)
{
    for (int i = 1; i < args->argc; i++) {
        if (strcmp(args->argv[i], "--count") == 0) {
            return true;
        }
    }
    return false;
}

int tmk_scale_words_make(struct tmk_scale_words *words,
                         const struct tmk_scale_args *args, const char *vary,
                         bool strong, uint32_t ranks)
{
    enum { MORE = 8 }; /* --count, --vary, -I and -n with values, NULL */
    int err = 0;

    *words = (struct tmk_scale_words){
        .argv = calloc((size_t)args->argc + MORE, sizeof(char *))};
    if (words->argv == NULL) {
        return -ENOMEM;
    }
    for (int i = 0; i < args->argc && err == 0; i++) {
        err = push(words, strdup(args->argv[i]));
    }
    if (err == 0 && args->benchmark == TMK_SCALE_FIND && !counts(args)) {
        err = push(words, strdup("--count"));
    }
    if (err == 0 && vary != NULL) {
        err = push(words, strdup(vary));
    }
    if (err == 0 && strong) {
        err = push_shares(words, args, ranks);
    }
    return err;
}

void tmk_scale_words_fini(struct tmk_scale_words *words)
{
    for (int i = 0; i < words->argc; i++) {
        free(words->argv[i]);
    }
    free(words->argv);
    *words = (struct tmk_scale_words){0};
}
