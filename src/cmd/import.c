/*
 * import(1): text output of mdtest and ior to JSON; no MPI.
 *
 *     cmd/import.c           argv in, exit status out       (this file)
 *     bench/import_text.c    bytes -> lines -> launches
 *     bench/import_mdtest.c  lines of mdtest
 *     bench/import_ior.c     lines of ior
 *     bench/import_ior_opts.c  options of its tests
 *     bench/import_frame.c   lines of both
 *     bench/import_scan.c      patterns, words, numbers
 *     bench/import_launch.c  what a report said
 *     bench/import_json.c    the same as JSON
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/opt.h"
#include "base/quote.h"
#include "bench/import_json.h"
#include "bench/import_text.h"
#include "cmd/command.h"
#include "run/output.h"

static const char program[] = "treemark import";

enum { UNKNOWN_SHOWN = 100, PIECE_BYTES = 65536 };

struct conf {
    const char *output; /* NULL: the standard output */
};

static const struct tmk_opt rows[] = {
    TMK_OPT_STR(0, "output", struct conf, output, "FILE",
                "write to FILE, not to the standard output"),
};

/* Of the file that is being read. */
struct reading {
    const char *name;
    FILE *to;
    uint64_t launches;
    uint64_t unknown;
};

static void usage(const struct tmk_opt_table *table)
{
    printf("Usage: %s [option...] FILE...\n\n"
           "Text output of mdtest 1.9, 3 and 4 and of ior 2.10, 3 and 4 to "
           "JSON, a line for\neach launch; '-' is the standard input.\n\n",
           program);
    tmk_opt_help(table, 1, stdout);
}

static int on_launch(void *state, const struct tmk_import_launch *launch)
{
    struct reading *r = state;

    r->launches++;
    return tmk_import_json(r->to, launch, r->name);
}

static int on_unknown(void *state, uint64_t line,
                      struct tmk_import_scan_text text)
{
    struct reading *r = state;
    char shown[72];

    if (++r->unknown <= UNKNOWN_SHOWN) {
        tmk_quote(shown, sizeof(shown), text.at, text.length);
        fprintf(stderr, "%s: %s:%" PRIu64 ": not understood: '%s'\n", program,
                r->name, line, shown);
    }
    return 0;
}

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* 0 or -errno. */
static int read_pieces(FILE *from, struct tmk_import_text *text, char *piece)
{
    size_t n;

    while ((n = fread(piece, 1, PIECE_BYTES, from)) > 0) {
        int err = tmk_import_text_push(text, piece, n);

        if (err != 0) {
            return err;
        }
    }
    return ferror(from) ? -errno : tmk_import_text_end(text);
}

/* What was written before an error stays written. */
static int read_file(struct reading *r)
{
    static const struct tmk_import_text_ops ops = {.launch = on_launch,
                                                   .unknown = on_unknown};
    FILE *from = is_stdin(r->name) ? stdin : fopen(r->name, "r");
    struct tmk_import_text *text = NULL;
    char *piece = NULL;
    int err;

    if (from == NULL) {
        return -errno;
    }
    text = tmk_import_text_new(&ops, r);
    piece = malloc(PIECE_BYTES);
    err = text != NULL && piece != NULL ? read_pieces(from, text, piece)
                                        : -ENOMEM;
    tmk_import_text_free(text);
    free(piece);
    if (from != stdin) {
        fclose(from);
    }
    return err;
}

/* The exit status of one file. */
static int import_file(struct reading *r)
{
    int err = read_file(r);

    if (r->unknown > UNKNOWN_SHOWN) {
        fprintf(stderr, "%s: %s: %" PRIu64 " more lines are not understood\n",
                program, r->name, r->unknown - UNKNOWN_SHOWN);
    }
    if (err != 0) {
        fprintf(stderr, "%s: %s: %s\n", program, r->name, strerror(-err));
        return 1;
    }
    if (r->launches == 0) {
        fprintf(stderr, "%s: %s: no output of mdtest or ior is in it\n",
                program, r->name);
        return 2;
    }
    return r->unknown != 0 ? 1 : 0;
}

/* Whether all files can be read; tells of each that cannot. */
static bool readable(char *const *files, size_t n)
{
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        struct stat st;
        int err = 0;

        if (is_stdin(files[i])) {
            continue;
        }
        if (access(files[i], R_OK) != 0 || stat(files[i], &st) != 0) {
            err = errno;
        } else if (S_ISDIR(st.st_mode)) {
            err = EISDIR;
        }
        if (err != 0) {
            fprintf(stderr, "%s: %s: %s\n", program, files[i], strerror(err));
            good = false;
        }
    }
    return good;
}

static int import_all(char *const *files, size_t n, const char *path)
{
    struct tmk_output *out = NULL;
    uint64_t launches = 0;
    int status = 0;
    FILE *to = NULL;
    char id[32];
    int err;

    (void)snprintf(id, sizeof(id), "%ld", (long)getpid());
    err = tmk_output_open(path, id, &out);
    if (err == 0) {
        err = tmk_output_anew(out, &to);
    }
    if (err != 0) {
        fprintf(stderr, "%s: --output: %s: %s\n", program, path,
                strerror(-err));
        tmk_output_close(out);
        return 2;
    }
    for (size_t i = 0; i < n; i++) {
        struct reading reading = {.name = files[i], .to = to};
        int of_file = import_file(&reading);

        status = of_file > status ? of_file : status;
        launches += reading.launches;
    }
    /* An earlier file stays where there is nothing to replace it with. */
    err = launches != 0 ? tmk_output_commit(out) : 0;
    if (err != 0) {
        fprintf(stderr, "%s: writing %s: %s\n", program, path, strerror(-err));
        status = status > 1 ? status : 1;
    }
    tmk_output_close(out);
    return status;
}

/*
 * Part the words: options and their values to the front, files behind them.
 * Returns how many are options, argv[0] among them.
 */
static int part_words(int argc, char **argv, char **words, size_t *n_files)
{
    size_t n = 0;
    int options = 0;

    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];

        if (i == 0 || (word[0] == '-' && word[1] != '\0')) {
            if (strcmp(word, "--") == 0) {
                break;
            }
            words[options++] = argv[i];
            if (strcmp(word, "--output") == 0 && i + 1 < argc) {
                words[options++] = argv[++i];
            }
        }
    }
    for (int i = 1, rest = 0; i < argc; i++) {
        const char *word = argv[i];

        if (rest == 0 && strcmp(word, "--") == 0) {
            rest = 1;
        } else if (rest == 0 && strcmp(word, "--output") == 0) {
            i++;
        } else if (rest != 0 || word[0] != '-' || word[1] == '\0') {
            words[(size_t)options + n++] = argv[i];
        }
    }
    *n_files = n;
    return options;
}

int tmk_cmd_import(int argc, char **argv)
{
    struct conf conf = {.output = "-"};
    const struct tmk_opt_table table = {.title = "import",
                                        .rows = rows,
                                        .n_rows =
                                            sizeof(rows) / sizeof(rows[0]),
                                        .conf = &conf};
    char **words = calloc((size_t)argc + 1, sizeof(*words));
    size_t n_files = 0;
    char why[512];
    int options;
    int status = 2;
    int err;

    if (words == NULL) {
        fprintf(stderr, "%s: out of memory\n", program);
        return 1;
    }
    options = part_words(argc, argv, words, &n_files);
    err = tmk_opt_parse(&table, 1, options, words, why, sizeof(why));
    if (err == TMK_OPT_HELP) {
        usage(&table);
        status = 0;
    } else if (err != 0) {
        fprintf(stderr, "%s: %s\n", program, why);
    } else if (n_files == 0) {
        fprintf(stderr,
                "%s: no FILE to read is given ('-' is the standard "
                "input)\n",
                program);
    } else if (readable(words + options, n_files)) {
        status = import_all(words + options, n_files, conf.output);
    }
    free(words);
    return tmk_command_flush(program, status);
}
