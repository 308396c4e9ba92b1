/*
 * plot(1): pictures of results, which gnuplot draws; no MPI.
 *
 *     cmd/plot.c              argv in, exit status out       (this file)
 *     bench/plot_data.h       a map of the rest
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/opt.h"
#include "bench/plot_data.h"
#include "bench/plot_draw.h"
#include "bench/plot_plan.h"
#include "bench/plot_read.h"
#include "bench/plot_script.h"
#include "cmd/command.h"

static const char program[] = "treemark plot";

enum { OK, FAILED = 1, REFUSED = 2 };

struct conf {
    const char *output;
    const char *operations;
    int type; /* enum tmk_plot_type */
    unsigned script, terminal;
};

/* In the order of enum tmk_plot_type. */
static const char *const types[] = {"auto", "scaling", "latency",
                                    "time", "bars",    NULL};

static const struct tmk_opt rows[] = {
    TMK_OPT_STR('o', "output", struct conf, output, "FILE",
                "the picture: .svg, .png or .pdf"),
    TMK_OPT_CHOICE(0, "type", struct conf, type, "TYPE", types,
                   "auto, scaling, latency, time or bars"),
    TMK_OPT_STR(0, "operation", struct conf, operations, "NAME,...",
                "only these, by a part of their names"),
    TMK_OPT_FLAG(0, "script", struct conf, script,
                 "print gnuplot's script, with the data, and draw nothing"),
    TMK_OPT_FLAG(0, "terminal", struct conf, terminal, "draw in the terminal"),
};

static void usage(const struct tmk_opt_table *table)
{
    printf("Usage: %s RESULT.json... [-o FILE] [option...]\n\n"
           "Draw results: scaling studies, latencies, rates over time, or the "
           "rates of a run.\nWithout -o the picture has the name of the first "
           "file, and is an SVG in this\ndirectory.\n\n",
           program);
    tmk_opt_help(table, 1, stdout);
}

/* ---- the words ---------------------------------------------------------- */

struct words {
    char **options; /* with argv[0] */
    int n_options;
    char **files;
    int n_files;
};

/* Whether the next word is the value of this one. */
static bool takes_next(const char *word)
{
    static const char *const valued[] = {"-o", "--output", "--type",
                                         "--operation"};

    for (size_t i = 0; i < sizeof(valued) / sizeof(valued[0]); i++) {
        if (strcmp(word, valued[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* Files may stand anywhere; behind "--" there are only files. */
static void sort_words(struct words *w, int argc, char **argv)
{
    bool only_files = false;

    w->options[w->n_options++] = argv[0];
    for (int i = 1; i < argc; i++) {
        if (only_files || argv[i][0] != '-') {
            w->files[w->n_files++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else {
            w->options[w->n_options++] = argv[i];
            if (takes_next(argv[i]) && i + 1 < argc) {
                w->options[w->n_options++] = argv[++i];
            }
        }
    }
}

/* ---- where the picture goes --------------------------------------------- */

static int refuse(const char *why)
{
    fprintf(stderr, "%s: %s\n", program, why);
    return -EINVAL;
}

static bool same_file(const char *a, const char *b)
{
    struct stat one;
    struct stat two;

    return stat(a, &one) == 0 && stat(b, &two) == 0 &&
           one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

static int find_format(const char *output, enum tmk_plot_format *format)
{
    static const char *const endings[] = {[TMK_PLOT_SVG] = ".svg",
                                          [TMK_PLOT_PNG] = ".png",
                                          [TMK_PLOT_PDF] = ".pdf"};
    const size_t length = strlen(output);
    char why[256];

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        if (length > 4 && strcmp(output + length - 4, endings[i]) == 0) {
            *format = (enum tmk_plot_format)i;
            return 0;
        }
    }
    (void)snprintf(why, sizeof(why),
                   "-o: '%.100s' ends in none of .svg, .png and .pdf", output);
    return refuse(why);
}

/* Whether a file is one that gnuplot has drawn: it says so near its begin. */
static bool is_picture(const char *path)
{
    char head[512];
    FILE *from = fopen(path, "re");
    size_t n = from != NULL ? fread(head, 1, sizeof(head) - 1, from) : 0;

    if (from != NULL) {
        (void)fclose(from);
    }
    head[n] = '\0';
    return strstr(head, "Produced by GNUPLOT") != NULL;
}

/* "run.svg" for "results/run.json"; the caller frees.  NULL: it was said why.
 */
static char *default_output(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash != NULL ? slash + 1 : file;
    size_t length = strlen(base);
    char *path = NULL;
    char why[320];

    if (length > 5 && strcmp(base + length - 5, ".json") == 0) {
        length -= 5;
    }
    /* A name such as "-x.svg" would be an option to others. */
    if (asprintf(&path, "%s%.*s.svg", base[0] == '-' ? "./" : "", (int)length,
                 base) < 0) {
        (void)refuse("out of memory");
        return NULL;
    }
    if (access(path, F_OK) == 0 && !is_picture(path)) {
        (void)snprintf(why, sizeof(why),
                       "%.200s is there, and is no picture of gnuplot's: say "
                       "with -o where to draw",
                       path);
        (void)refuse(why);
        free(path);
        return NULL;
    }
    return path;
}

static void measure_terminal(struct tmk_plot_sheet *sheet)
{
    struct winsize size = {0};

    sheet->columns = 80;
    sheet->rows = 24;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 &&
        size.ws_row >= 12) {
        sheet->columns = size.ws_col;
        sheet->rows = size.ws_row - 1u;
    }
    sheet->colours = isatty(STDOUT_FILENO) == 1;
}

/* 0 or -EINVAL, said.  `path` is the caller's to free; NULL = stdout. */
static int find_sheet(const struct conf *conf, const struct words *w,
                      struct tmk_plot_sheet *sheet, char **path)
{
    int err = 0;

    if (conf->terminal != 0) {
        sheet->format = TMK_PLOT_TERMINAL;
        measure_terminal(sheet);
        return conf->output == NULL
                   ? 0
                   : refuse("--terminal draws in no file (-o)");
    }
    if (conf->output != NULL) {
        err = find_format(conf->output, &sheet->format);
        for (int i = 0; i < w->n_files && err == 0; i++) {
            if (same_file(conf->output, w->files[i])) {
                err = refuse("-o: these are the results themselves");
            }
        }
        *path = err == 0 ? strdup(conf->output) : NULL;
    } else if (conf->script == 0) {
        *path = default_output(w->files[0]);
    } else {
        return 0;
    }
    return *path != NULL ? 0 : -EINVAL;
}

/* ---- drawing ------------------------------------------------------------ */

/* A name for gnuplot, to which "|x" is a command and "~x" a home. */
static int script(const struct tmk_plot_figure *figure,
                  struct tmk_plot_sheet *sheet, const char *path)
{
    char *output = NULL;

    if (path != NULL) {
        const bool plain = path[0] == '/';

        if (asprintf(&output, "%s%s", plain ? "" : "./", path) < 0) {
            return refuse("out of memory");
        }
    }
    sheet->output = output;
    tmk_plot_script(stdout, figure, sheet);
    free(output);
    return OK;
}

static int draw(const struct tmk_plot_figure *figure,
                const struct tmk_plot_sheet *sheet, const char *path)
{
    char why[512] = "out of memory";
    int err = tmk_plot_draw(figure, sheet, path, why, sizeof(why));

    if (err == -ENOENT) {
        (void)refuse("gnuplot draws the picture, and is not here: 'apt-get "
                     "install gnuplot-nox' (dnf install gnuplot), or take what "
                     "--script prints to where it is");
        return REFUSED;
    }
    if (err != 0) {
        (void)refuse(why);
        return FAILED;
    }
    if (path != NULL) {
        printf("%s: %s%s%s\n", path, figure->title,
               figure->note[0] != '\0' ? "; " : "", figure->note);
    }
    return OK;
}

static int plot(const struct conf *conf, const struct words *w)
{
    struct tmk_plot_data data = {0};
    struct tmk_plot_figure figure = {0};
    struct tmk_plot_sheet sheet = {0};
    char why[512] = "out of memory";
    char *path = NULL;
    int status = REFUSED;
    int err = 0;

    for (int i = 0; i < w->n_files && err == 0; i++) {
        err = tmk_plot_read(&data, w->files[i], why, sizeof(why));
    }
    if (err == 0) {
        err = tmk_plot_plan(&figure, &data, (enum tmk_plot_type)conf->type,
                            conf->operations, why, sizeof(why));
    }
    if (err != 0) {
        (void)refuse(err == -ENOMEM ? "out of memory" : why);
    } else if (find_sheet(conf, w, &sheet, &path) == 0) {
        status = conf->script != 0 ? script(&figure, &sheet, path)
                                   : draw(&figure, &sheet, path);
    }
    free(path);
    tmk_plot_figure_fini(&figure);
    tmk_plot_data_fini(&data);
    return tmk_command_flush(program, status);
}

int tmk_cmd_plot(int argc, char **argv)
{
    struct conf conf = {0};
    const struct tmk_opt_table table = {.title = "Options",
                                        .rows = rows,
                                        .n_rows =
                                            sizeof(rows) / sizeof(rows[0]),
                                        .conf = &conf};
    struct words w = {.options = calloc((size_t)argc + 1, sizeof(char *)),
                      .files = calloc((size_t)argc + 1, sizeof(char *))};
    char why[512] = "out of memory";
    int status = REFUSED;
    int err = -ENOMEM;

    if (w.options != NULL && w.files != NULL) {
        sort_words(&w, argc, argv);
        err =
            tmk_opt_parse(&table, 1, w.n_options, w.options, why, sizeof(why));
    }
    if (err == TMK_OPT_HELP || (err == 0 && argc == 1)) {
        usage(&table);
        status = tmk_command_flush(program, OK);
    } else if (err != 0) {
        (void)refuse(why);
    } else if (w.n_files == 0) {
        (void)refuse("which results? A file of --json, or of treemark import, "
                     "is to be given");
    } else {
        status = plot(&conf, &w);
    }
    free(w.options);
    free(w.files);
    return status;
}
