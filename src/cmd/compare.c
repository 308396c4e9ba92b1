/*
 * compare(1): two sides of results, and which differences count; no MPI.
 *
 *     cmd/compare.c            argv in, exit status out       (this file)
 *     bench/compare_read.c     JSON -> points and rows
 *     bench/compare_params.c     what a test did, and how
 *     bench/compare_command.c    words of a command -> options
 *     bench/compare_options.c    which options make other work of it; pure
 *     bench/compare_notes.c      the same work done in another way
 *     bench/compare_settle.c   points of one side find their like
 *     bench/compare_judge.c    rows -> verdicts; pure
 *     bench/compare_print.c    the tables
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"
#include "bench/compare_rows.h"
#include "cmd/command.h"

static const char program[] = "treemark compare";

enum { OK, FAILED, REFUSED, REGRESSION = 3, NOTHING = 5 };

enum { TEXT, MARKDOWN };

struct conf {
    double threshold; /* 0.05 = 5 % */
    int format;
};

static int parse_percent(void *field, const char *text, const char **want)
{
    char *end;
    double percent = strtod(text, &end);

    end += *end == '%';
    if (end == text || *end != '\0' || !(percent >= 0 && percent <= 1000)) {
        *want = "a number of percent, 0 to 1000";
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
    printf("Usage: %s [option...] A.json[,A2.json...] B.json[,B2.json...]\n\n"
           "Which operations of B are slower or faster than those of A.  "
           "Several files of a\nside count as repeats.\n\n",
           program);
    tmk_opt_help(table, 1, stdout);
    puts("\nExit status: 0 nothing is slower, 3 something is, 5 nothing is "
         "comparable, 2 the\nrequest was wrong.");
}

static int complain(int err, const char *why)
{
    fprintf(stderr, "%s: %s\n", program,
            err == -ENOMEM ? "out of memory" : why);
    return err == -ENOMEM ? FAILED : REFUSED;
}

/* The files of a side, with commas between them. */
static int read_side(struct tmk_compare *c, unsigned side, char *list,
                     char *why, size_t size)
{
    int err = 0;

    for (char *path = list; path != NULL && err == 0;) {
        char *comma = strchr(path, ',');

        if (comma != NULL) {
            *comma = '\0';
        }
        if (path[0] == '\0') {
            (void)snprintf(why, size, "%c: a file has no name",
                           side == 0 ? 'A' : 'B');
            err = -EINVAL;
        } else {
            err = tmk_compare_read(c, side, path, why, size);
        }
        path = comma != NULL ? comma + 1 : NULL;
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
    char why[512] = "";
    int status = REFUSED;
    int err = read_side(&c, 0, a, why, sizeof(why));

    if (err == 0) {
        err = read_side(&c, 1, b, why, sizeof(why));
    }
    if (err == 0) {
        err = tmk_compare_settle(&c);
    }
    if (err == 0) {
        err = tmk_compare_judge(&c, conf->threshold);
    }
    if (err == 0) {
        tmk_compare_print(&c, conf->format == MARKDOWN, stdout);
        status = status_of(&c);
    } else {
        status = complain(err, why);
    }
    tmk_compare_fini(&c);
    return status;
}

/*
 * Part the words: options and their values into `words`, behind argv[0], files
 * into `files`, of which there is room for two.  How many words; how many files
 * there are in *n_files.
 */
static int part_words(int argc, char **argv, char **words, char **files,
                      int *n_files)
{
    bool rest = false; /* behind -- */
    int n = 0;

    words[n++] = argv[0];
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];

        if (!rest && strcmp(word, "--") == 0) {
            rest = true;
        } else if (rest || word[0] != '-') {
            if (*n_files < TMK_COMPARE_SIDES) {
                files[*n_files] = word;
            }
            ++*n_files;
        } else {
            words[n++] = word;
            if ((strcmp(word, "--threshold") == 0 ||
                 strcmp(word, "--format") == 0) &&
                i + 1 < argc) {
                words[n++] = argv[++i];
            }
        }
    }
    return n;
}

int tmk_cmd_compare(int argc, char **argv)
{
    struct conf conf = {.threshold = 0.05};
    const struct tmk_opt_table table = {.title = "Options",
                                        .rows = rows,
                                        .n_rows =
                                            sizeof(rows) / sizeof(rows[0]),
                                        .conf = &conf};
    char **words = calloc((size_t)argc + 1, sizeof(*words));
    char *files[TMK_COMPARE_SIDES] = {NULL};
    char why[512];
    int n_files = 0;
    int status = REFUSED;
    int err;

    if (words == NULL) {
        return complain(-ENOMEM, NULL);
    }
    err =
        tmk_opt_parse(&table, 1, part_words(argc, argv, words, files, &n_files),
                      words, why, sizeof(why));
    if (err == 0 && n_files != TMK_COMPARE_SIDES) {
        (void)snprintf(why, sizeof(why),
                       "two sides are compared, A.json and B.json (several "
                       "files of a side with commas between them); %d %s given",
                       n_files, n_files == 1 ? "is" : "are");
        err = -EINVAL;
    }
    if (err == TMK_OPT_HELP) {
        usage(&table);
        status = OK;
    } else {
        status =
            err != 0 ? complain(err, why) : compare(&conf, files[0], files[1]);
    }
    free(words);
    return tmk_command_flush(program, status);
}
