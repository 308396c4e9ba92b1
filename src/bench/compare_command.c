/*
 * compare_command: a command's words, so that other words for the same (-n 100,
 * -n=100) are the same.
 */
#include "bench/compare_command.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/engine_tables.h"
#include "bench/engines.h"
#include "bench/ior_directives.h"
#include "bench/mdtest_conf.h"

static json_t *options(const struct tmk_opt_table *tables, size_t n)
{
    json_t *object = json_object();

    for (size_t t = 0; t < n; t++) {
        for (size_t i = 0; i < tables[t].n_rows; i++) {
            const struct tmk_opt *row = &tables[t].rows[i];
            char name[128];
            char text[1024];

            tmk_opt_name(&tables[t], row, name, sizeof(name));
            tmk_opt_show(row, tables[t].conf, text, sizeof(text));
            /* What is no UTF-8 is a name of a file. */
            json_object_set_new(object, name, json_string(text));
        }
    }
    return object;
}

/* NULL: the words cannot be read. */
static json_t *of_mdtest(int argc, char **argv)
{
    struct tmk_mdtest_conf conf;
    const struct tmk_opt_table own = {.title = "mdtest",
                                      .rows = tmk_mdtest_opts,
                                      .n_rows = tmk_mdtest_n_opts,
                                      .conf = &conf};
    struct tmk_engine_tables tables;
    char why[256];
    json_t *object = NULL;

    tmk_mdtest_conf_init(&conf);
    if (tmk_engine_tables_make(&tables, &own, tmk_engines_mdtest) == 0 &&
        tmk_opt_parse(tables.tables, tables.n, argc, argv, why, sizeof(why)) ==
            0) {
        object = options(tables.tables, tables.n);
    }
    tmk_engine_tables_fini(&tables);
    return object;
}

static json_t *of_ior(int argc, char **argv)
{
    struct tmk_ior_conf conf;
    const struct tmk_opt_table own = {.title = "ior",
                                      .rows = tmk_ior_opts,
                                      .n_rows = tmk_ior_n_opts,
                                      .conf = &conf};
    struct tmk_engine_tables tables;
    struct tmk_ior_texts texts = {0};
    char why[256];
    json_t *object = NULL;

    tmk_ior_conf_init(&conf);
    if (tmk_engine_tables_make(&tables, &own, tmk_engines) == 0 &&
        tmk_ior_parse(tables.tables, tables.n, argc, argv, &texts, why,
                      sizeof(why)) == 0) {
        object = options(tables.tables, tables.n);
    }
    tmk_ior_texts_fini(&texts);
    tmk_engine_tables_fini(&tables);
    return object;
}

/* How many words an option for outputs takes; 0: it is none. */
static int output_words(const char *word)
{
    static const char *const names[] = {
        "--json",      "--csv",       "--label",    "--results-dir",
        "--stonewall", "--interval",  "--stats",    "--percentiles",
        "--count",     "--lazy-stat", "--progress", "--uring"};
    enum { VALUED = 6 };

    for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++) {
        const size_t length = strlen(names[i]);

        if (strncmp(word, names[i], length) == 0 &&
            (word[length] == '\0' || word[length] == '=')) {
            return word[length] == '\0' && i < VALUED ? 2 : 1;
        }
    }
    return 0;
}

/* A path in it is that of the tree, which is another one elsewhere. */
static const char *without_directory(const char *word)
{
    const char *slash = word[0] == '/' ? strrchr(word, '/') : NULL;

    return slash != NULL ? slash + 1 : word;
}

/* Words with blanks between them, from the first that is no path. */
static json_t *of_find(int argc, char **argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool begun = false;
    json_t *object;

    if (to == NULL) {
        return NULL;
    }
    for (int i = 1; i < argc; i++) {
        const int n = output_words(argv[i]);

        if (n != 0) {
            i += n - 1;
            continue;
        }
        begun = begun || argv[i][0] == '-' || strcmp(argv[i], "(") == 0 ||
                strcmp(argv[i], "!") == 0;
        if (begun) {
            (void)fprintf(to, " %s", without_directory(argv[i]));
        }
    }
    object = fclose(to) == 0
                 ? json_pack("{s:s}", "expression", size != 0 ? text + 1 : "")
                 : NULL;
    free(text);
    return object;
}

json_t *tmk_compare_command(const char *benchmark, const json_t *words)
{
    const size_t n = json_array_size(words);
    char **argv = calloc(n + 1, sizeof(*argv));
    json_t *object = NULL;
    int argc = 0;

    if (argv == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        argv[argc] = (char *)json_string_value(json_array_get(words, i));
        argc += argv[argc] != NULL;
    }
    if (argc > 0 && strcmp(benchmark, "mdtest") == 0) {
        object = of_mdtest(argc, argv);
    } else if (argc > 0 && strcmp(benchmark, "ior") == 0) {
        object = of_ior(argc, argv);
    } else if (argc > 0 && strcmp(benchmark, "find") == 0) {
        object = of_find(argc, argv);
    }
    free(argv);
    if (object != NULL) {
        return object;
    }
    return words != NULL ? json_pack("{s:O}", "command", words) : json_object();
}
