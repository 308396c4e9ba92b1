/*
 * scale_conf: the options of a study, one row each.
 */
#include "bench/scale_conf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt_time.h"

enum { REPEATS_MOST = 10000, MAX_REPEAT = 20 };

static int parse_list(void *field, const char *text, const char **want)
{
    if (tmk_scale_list_parse(field, text) != 0) {
        *want = "a list of numbers (1,2,4 or 1,2,4..64, which doubles)";
        return -EINVAL;
    }
    return 0;
}

static void show_list(const void *field, char *buf, size_t size)
{
    const struct tmk_scale_list *list = field;
    size_t used = 0;

    buf[0] = '\0';
    for (unsigned i = 0; i < list->n && used < size; i++) {
        int n = snprintf(buf + used, size - used, "%s%" PRIu32,
                         i == 0 ? "" : ",", list->values[i]);

        used += n > 0 ? (size_t)n : 0;
    }
}

/* Whether the value behind the last one was named before: their points could
 * not be told apart. */
static bool is_there(const struct tmk_scale_vary *vary)
{
    const size_t length = vary->lengths[vary->n];

    for (unsigned i = 0; i < vary->n; i++) {
        if (vary->lengths[i] == length &&
            memcmp(vary->values[i], vary->values[vary->n], length) == 0) {
            return true;
        }
    }
    return false;
}

static int parse_vary(void *field, const char *text, const char **want)
{
    struct tmk_scale_vary *vary = field;
    const char *s = strchr(text, '=');

    if (vary->n != 0) {
        *want = "alone: a study varies one option";
        return -EINVAL;
    }
    *vary = (struct tmk_scale_vary){.option = text};
    *want = "an option of the benchmark and its values, -w=0,4096";
    if (s == NULL || s == text + strspn(text, "-")) {
        return -EINVAL;
    }
    vary->option_length = (size_t)(s - text);
    do {
        s++;
        if (vary->n == TMK_SCALE_VALUES_MAX) {
            *want = "an option and 64 values at most";
            return -EINVAL;
        }
        vary->values[vary->n] = s;
        vary->lengths[vary->n] = strcspn(s, ",");
        s += vary->lengths[vary->n];
        if (vary->lengths[vary->n] == 0) {
            return -EINVAL;
        }
        if (is_there(vary)) {
            *want = "an option and values that differ";
            return -EINVAL;
        }
        vary->n++;
    } while (*s == ',');
    return 0;
}

static void show_vary(const void *field, char *buf, size_t size)
{
    const struct tmk_scale_vary *vary = field;
    size_t used = 0;
    int n = 0;

    buf[0] = '\0';
    if (vary->n == 0) {
        return;
    }
    n = snprintf(buf, size, "%.*s", (int)vary->option_length, vary->option);
    for (unsigned i = 0; i < vary->n && n > 0; i++) {
        used += (size_t)n;
        if (used >= size) {
            return;
        }
        n = snprintf(buf + used, size - used, "%s%.*s", i == 0 ? "=" : ",",
                     (int)vary->lengths[i], vary->values[i]);
    }
}

static int parse_percent(void *field, const char *text, const char **want)
{
    char *end;
    double percent = strtod(text, &end);

    if (end == text || *end != '\0' || !(percent > 0 && percent <= 100)) {
        *want = "a number of percent above 0, up to 100";
        return -EINVAL;
    }
    *(double *)field = percent / 100;
    return 0;
}

static void show_percent(const void *field, char *buf, size_t size)
{
    double share = *(const double *)field;

    buf[0] = '\0';
    if (share > 0) {
        (void)snprintf(buf, size, "%g", share * 100);
    }
}

#define FLAG(k, n, f, h) TMK_OPT_FLAG(k, n, struct tmk_scale_conf, f, h)
#define STR(n, f, a, h)  TMK_OPT_STR(0, n, struct tmk_scale_conf, f, a, h)
#define INT(n, f, a, m, h)                                                     \
    TMK_OPT_INT(0, n, struct tmk_scale_conf, f, a, 1, m, h)
#define LIST(n, f, h)                                                          \
    TMK_OPT_CALL(0, n, struct tmk_scale_conf, f, struct tmk_scale_list,        \
                 "LIST", parse_list, show_list, h)

static const char *const maps[] = {"pack", "spread", NULL};

const struct tmk_opt tmk_scale_opts[] = {
    LIST("nodes", nodes,
         "numbers of nodes: 1,2,4..64; default: 1, 2, 4... all"),
    LIST("ppn", ppn, "ranks on each of them; default: 1, 2, 4... all"),
    LIST("ranks", ranks, "numbers of ranks, in place of --nodes and --ppn"),
    TMK_OPT_CHOICE(0, "map", struct tmk_scale_conf, map, "HOW", maps,
                   "--ranks: fill node after node, or spread over all"),
    TMK_OPT_CALL(0, "vary", struct tmk_scale_conf, vary, struct tmk_scale_vary,
                 "OPTION=a,b,c", parse_vary, show_vary,
                 "every point with each value of the benchmark's option"),
    FLAG(0, "strong", strong, "the work is divided among the ranks of a point"),
    FLAG(0, "weak", weak, "the work is that of each rank; the default"),
    INT("repeat", repeat, "N", REPEATS_MOST, "runs of each point"),
    TMK_OPT_CALL(0, "until-ci", struct tmk_scale_conf, until_ci, double,
                 "PERCENT", parse_percent, show_percent,
                 "repeat until 95 % intervals are within so much of the means"),
    INT("max-repeat", max_repeat, "N", REPEATS_MOST,
        "but so often at most, with --until-ci"),
    FLAG(0, "shuffle", shuffle, "run the points in random order"),
    TMK_OPT_I64(0, "shuffle-seed", struct tmk_scale_conf, shuffle_seed, "N", 0,
                0, "in the order of this seed; 0 = another one each time"),
    FLAG(0, "warmup", warmup, "run each point once before it counts"),
    FLAG(0, "peak", peak, "name the fewest ranks that come near the best rate"),
    TMK_OPT_CALL(0, "timeout", struct tmk_scale_conf, timeout_ns, uint64_t,
                 "SECONDS", tmk_opt_time_parse_seconds,
                 tmk_opt_time_show_seconds,
                 "end a point after this time and go on; 0 = never"),
    STR("resume", resume, "FILE",
        "skip points that are in FILE, and add the others to it"),
    STR("show", show, "FILE,...", "print the tables of results; run nothing"),
    STR("json", json, "FILE", "results as JSON; - is the standard output"),
    STR("csv", csv, "FILE", "results as CSV, appended; - likewise"),
    STR("label", label, "TEXT", "name of the study in JSON and CSV"),
    FLAG(0, "dry-run", dry_run,
         "print the points and their commands; run none"),
    FLAG('v', "verbose", verbose, "print what the benchmarks say, too"),
};

const size_t tmk_scale_n_opts =
    sizeof(tmk_scale_opts) / sizeof(tmk_scale_opts[0]);

void tmk_scale_conf_init(struct tmk_scale_conf *conf)
{
    *conf = (struct tmk_scale_conf){.repeat = 1, .max_repeat = MAX_REPEAT};
}

char *tmk_scale_vary_word(const struct tmk_scale_vary *vary, unsigned nth)
{
    const char *dashes = vary->option[0] == '-'     ? ""
                         : vary->option_length == 1 ? "-"
                                                    : "--";
    char *word;

    if (asprintf(&word, "%s%.*s=%.*s", dashes, (int)vary->option_length,
                 vary->option, (int)vary->lengths[nth],
                 vary->values[nth]) < 0) {
        return NULL;
    }
    return word;
}

int tmk_scale_conf_check(const struct tmk_scale_conf *conf, char *why,
                         size_t size)
{
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {conf->strong != 0 && conf->weak != 0,
         "--strong, --weak: one of the two"},
        {conf->map != TMK_SCALE_PACK && conf->ranks.n == 0,
         "--map: it is for --ranks"},
        {conf->until_ci > 0 && conf->max_repeat < 2,
         "--until-ci, --max-repeat: an interval takes two runs at least"},
        {conf->until_ci > 0 && conf->repeat > conf->max_repeat,
         "--repeat: more than --max-repeat"},
        {conf->resume != NULL && conf->json != NULL &&
             strcmp(conf->resume, conf->json) != 0,
         "--resume, --json: results are added to the file that is resumed"},
        {conf->resume != NULL && strcmp(conf->resume, "-") == 0,
         "--resume: a file is read and written, not the standard output"},
        {conf->resume != NULL && conf->resume[0] == '\0',
         "--resume: the name of the file is empty"},
        {conf->json != NULL && conf->csv != NULL &&
             strcmp(conf->json, conf->csv) == 0,
         "--json, --csv: they cannot share a file"},
    };

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].wrong) {
            (void)snprintf(why, size, "%s", rules[i].why);
            return -EINVAL;
        }
    }
    return 0;
}
