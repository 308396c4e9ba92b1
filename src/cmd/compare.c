/*
 * compare(1): two sides of results, and which differences count; no MPI.
 *
 *     cmd/compare.c          argv in, exit status out       (this file)
 *     bench/compare_read.c   JSON -> rows
 *     bench/compare_judge.c  rows -> verdicts; pure
 *     bench/compare_print.c  the table
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "bench/compare.h"
#include "cmd/command.h"

static const char program[] = "treemark compare";

enum { OK, REFUSED = 2, REGRESSION = 3, NOTHING = 5 };

enum { TEXT, MARKDOWN };

struct conf {
    double threshold; /* 0.05 = 5 % */
    int format;
};

static int parse_percent(void *field, const char *text, const char **want)
{
    char *end;
    double percent = strtod(text, &end);

    if (end == text || *end != '\0' || !(percent >= 0 && percent <= 1000)) {
        *want = "a number of percent";
        return -EINVAL;
    }
    *(double *)field = percent / 100;
    return 0;
}

static void show_percent(const void *field, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%g", *(const double *)field * 100);
}

static const char *const formats[] = {"text", "markdown", NULL};

static const struct tmk_opt rows[] = {
    TMK_OPT_CALL(0, "threshold", struct conf, threshold, double, "PERCENT",
                 parse_percent, show_percent,
                 "smaller differences do not count"),
    TMK_OPT_CHOICE(0, "format", struct conf, format, "FORMAT", formats,
                   "text, or markdown for pull requests"),
};

static void usage(const struct tmk_opt_table *table)
{
    printf("Usage: %s A.json[,A2.json...] B.json[,B2.json...] [option...]\n\n"
           "Which operations of B are faster or slower than those of A.  "
           "Several files of a\nside count as repetitions.\n\n",
           program);
    tmk_opt_help(table, 1, stdout);
}

/* The files of a side, with commas between them. */
static int read_side(struct tmk_compare *c, unsigned side, char *list)
{
    char why[512] = "out of memory";
    int err = 0;

    for (char *path = list; path != NULL && err == 0;) {
        char *comma = strchr(path, ',');

        if (comma != NULL) {
            *comma = '\0';
        }
        err = tmk_compare_read(c, side, path, why, sizeof(why));
        path = comma != NULL ? comma + 1 : NULL;
    }
    if (err != 0) {
        fprintf(stderr, "%s: %s\n", program, why);
    }
    return err;
}

static int status_of(const struct tmk_compare *c)
{
    int status = NOTHING;

    for (size_t i = 0; i < c->n; i++) {
        if (c->rows[i].verdict == TMK_COMPARE_SLOWER) {
            return REGRESSION;
        }
        if (c->rows[i].verdict != TMK_COMPARE_NOT) {
            status = OK;
        }
    }
    return status;
}

static int compare(const struct conf *conf, char *a, char *b)
{
    struct tmk_compare c = {0};
    int status = REFUSED;

    if (read_side(&c, 0, a) == 0 && read_side(&c, 1, b) == 0) {
        if (tmk_compare_judge(&c, conf->threshold) != 0) {
            fprintf(stderr, "%s: out of memory\n", program);
        } else {
            tmk_compare_print(&c, conf->format == MARKDOWN, stdout);
            status = status_of(&c);
        }
    }
    tmk_compare_fini(&c);
    return tmk_command_flush(program, status);
}

int tmk_cmd_compare(int argc, char **argv)
{
    struct conf conf = {.threshold = 0.05};
    const struct tmk_opt_table table = {.title = "Options",
                                        .rows = rows,
                                        .n_rows =
                                            sizeof(rows) / sizeof(rows[0]),
                                        .conf = &conf};
    char why[512];
    int files = 1;
    int err;

    while (files < argc && argv[files][0] != '-') {
        files++;
    }
    err = tmk_opt_parse(&table, 1, argc - files + 1, argv + files - 1, why,
                        sizeof(why));
    if (err == TMK_OPT_HELP || argc == 1) {
        usage(&table);
        return tmk_command_flush(program, OK);
    }
    if (err != 0) {
        fprintf(stderr, "%s: %s\n", program, why);
        return REFUSED;
    }
    if (files != 3) {
        fprintf(stderr,
                "%s: two sides are compared, A.json and B.json, before any "
                "option; %d given\n",
                program, files - 1);
        return REFUSED;
    }
    return compare(&conf, argv[1], argv[2]);
}
