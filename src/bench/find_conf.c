/*
 * find_conf: the options of find(1) that are no words of its expressions.
 */
#include "bench/find_conf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define STR(n, f, a, h) TMK_OPT_STR(0, n, struct tmk_find_conf, f, a, h)
#define FLAG(n, f, h)   TMK_OPT_FLAG(0, n, struct tmk_find_conf, f, h)

enum { URING_DEPTH = 64 };

static int parse_uring(void *field, const char *text, const char **want)
{
    uint64_t depth = URING_DEPTH;

    *want = "a number up to 1024, or nothing";
    if (text != NULL && (tmk_units_parse_u64(text, &depth) != 0 ||
                         depth > TMK_FIND_URING_MOST)) {
        return -EINVAL;
    }
    *(int *)field = (int)depth;
    return 0;
}

static void show_uring(const void *field, char *buf, size_t size)
{
    int depth = *(const int *)field;

    if (depth < 0) {
        (void)snprintf(buf, size, "auto");
    } else {
        (void)snprintf(buf, size, "%d", depth);
    }
}

const struct tmk_opt tmk_find_opts[] = {
    STR("json", json, "FILE", "results as JSON; - = standard output"),
    STR("csv", csv, "FILE", "results as CSV, appended; - = standard output"),
    STR("label", label, "TEXT", "a name for the run in JSON and CSV"),
    FLAG("stats", stats, "say at the end what was done, and how fast"),
    FLAG("percentiles", percentiles,
         "measure single reads of directories and stats, and say so"),
    FLAG("count", count, "print the number of matches and no names"),
    STR("results-dir", results_dir, "DIR",
        "each rank prints to DIR/RANK.txt, not to the standard output"),
    TMK_OPT_CALL(0, "stonewall", struct tmk_find_conf, stonewall_ns, uint64_t,
                 "SECONDS", tmk_opt_time_parse_seconds,
                 tmk_opt_time_show_seconds, "stop after this time; 0 = never"),
    FLAG("lazy-stat", lazy_stat,
         "take attributes that the client has, even if they may be old"),
    TMK_OPT_NUMBER(0, "interval", struct tmk_find_conf, interval_ns, uint64_t,
                   "SECONDS", tmk_opt_time_parse_interval,
                   tmk_opt_time_show_interval,
                   "count entries in such steps of time, for JSON and CSV"),
    {
        .name = "progress",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_find_conf, progress,
                                struct tmk_opt_progress),
        .arg = "SECONDS",
        .parse = tmk_opt_time_parse_progress,
        .show = tmk_opt_time_show_progress,
        .number = true,
        .value_optional = true,
        .help = "say how far it is every second, or so many; 0 = never",
    },
    {
        .name = "uring",
        .kind = TMK_OPT_KIND_CALL,
        .offset = TMK_OPT_FIELD(struct tmk_find_conf, uring_depth, int),
        .arg = "DEPTH",
        .parse = parse_uring,
        .show = show_uring,
        .value_optional = true,
        .help = "stats at a time, through io_uring; 0 = one by one",
    },
};
const size_t tmk_find_n_opts = sizeof(tmk_find_opts) / sizeof(tmk_find_opts[0]);

static const struct tmk_opt *find_row(const char *word)
{
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < tmk_find_n_opts; i++) {
        const char *name = tmk_find_opts[i].name;

        if (n > 2 && strncmp(word, "--", 2) == 0 && strlen(name) == n - 2 &&
            strncmp(word + 2, name, n - 2) == 0) {
            return &tmk_find_opts[i];
        }
    }
    return NULL;
}

void tmk_find_conf_init(struct tmk_find_conf *conf)
{
    *conf = (struct tmk_find_conf){.uring_depth = -1};
}

int tmk_find_conf_take(struct tmk_find_conf *conf, int argc, char *const *argv,
                       char *why, size_t size)
{
    char program[] = "find";
    const struct tmk_opt *row = find_row(argv[0]);
    const struct tmk_opt_table table = {
        .rows = tmk_find_opts,
        .n_rows = tmk_find_n_opts,
        .conf = conf,
    };
    char *words[4] = {program, argv[0], NULL, NULL};
    int n = 1;

    if (row == NULL) {
        return 0;
    }
    if (row->arg != NULL && !row->value_optional &&
        strchr(argv[0], '=') == NULL && argc > 1) {
        words[2] = argv[1];
        n = 2;
    }
    return tmk_opt_parse(&table, 1, n + 1, words, why, size) == 0 ? n : -EINVAL;
}
