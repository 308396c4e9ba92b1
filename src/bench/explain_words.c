/*
 * explain_words: a command line, cut into words.
 */
#include "bench/explain_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\r\n";

/* Where a line is read and where its words are written. */
struct cutter {
    const char *from;
    char *to;
};

/* Does something begin here that a shell keeps for itself: > 2> &> < | ; & ? */
static bool is_operator(const char *s)
{
    s += strspn(s, "0123456789");
    return *s != '\0' && strchr("<>", *s) != NULL;
}

static bool is_end(const char *s)
{
    return is_operator(s) || strchr("|;&", *s) != NULL;
}

/* What stands in quotes, to the closing one.  0 or -EINVAL. */
static int cut_quoted(struct cutter *c)
{
    const char quote = *c->from++;

    while (*c->from != quote) {
        if (quote == '"' && *c->from == '\\' && c->from[1] != '\0' &&
            strchr("\"\\$`\n", c->from[1]) != NULL) {
            c->from++;
        }
        if (*c->from == '\0') {
            return -EINVAL;
        }
        *c->to++ = *c->from++;
    }
    c->from++;
    return 0;
}

/* One word.  0 or -EINVAL. */
static int cut_word(struct cutter *c)
{
    while (*c->from != '\0' && strchr(blanks, *c->from) == NULL &&
           strchr("|;&<>", *c->from) == NULL) {
        if (*c->from == '\'' || *c->from == '"') {
            if (cut_quoted(c) != 0) {
                return -EINVAL;
            }
            continue;
        }
        if (*c->from == '\\' && c->from[1] != '\0') {
            c->from++;
        }
        *c->to++ = *c->from++;
    }
    *c->to++ = '\0';
    return 0;
}

/* Blanks, and the ends of lines that are gone on with. */
static void skip_blanks(struct cutter *c)
{
    for (;;) {
        c->from += strspn(c->from, blanks);
        if (strncmp(c->from, "\\\n", 2) != 0) {
            return;
        }
        c->from += 2;
    }
}

int tmk_explain_words_split(const char *line, struct tmk_explain_words *words)
{
    const size_t length = strlen(line);
    struct cutter c = {.from = line};

    *words = (struct tmk_explain_words){0};
    /* Each word takes a blank or the end of the line, which becomes NUL. */
    words->text = malloc(length + 2);
    words->argv = calloc(length / 2 + 2, sizeof(*words->argv));
    if (words->text == NULL || words->argv == NULL) {
        return -ENOMEM;
    }
    c.to = words->text;
    for (;;) {
        skip_blanks(&c);
        if (*c.from == '\0') {
            return 0;
        }
        if (is_end(c.from)) {
            words->rest = c.from;
            return 0;
        }
        words->argv[words->argc++] = c.to;
        if (cut_word(&c) != 0) {
            return -EINVAL;
        }
    }
}

int tmk_explain_words_take(int argc, char *const argv[],
                           struct tmk_explain_words *words)
{
    *words = (struct tmk_explain_words){.argc = argc};
    words->argv = calloc((size_t)argc + 1, sizeof(*words->argv));
    if (words->argv == NULL) {
        return -ENOMEM;
    }
    for (int i = 0; i < argc; i++) {
        words->argv[i] = argv[i];
    }
    return 0;
}

void tmk_explain_words_fini(struct tmk_explain_words *words)
{
    free(words->argv);
    free(words->text);
    *words = (struct tmk_explain_words){0};
}

/* A path's last component up to a version or an ending: "mdtest-4.1", "ior.x".
 */
static bool is_called(const char *word, const char *name)
{
    const char *slash = strrchr(word, '/');
    const char *base = slash != NULL ? slash + 1 : word;
    const size_t length = strcspn(base, "-.");

    return length == strlen(name) && strncasecmp(base, name, length) == 0;
}

static enum tmk_explain_program program_of(const char *word)
{
    if (is_called(word, "mdtest")) {
        return TMK_EXPLAIN_MDTEST;
    }
    return is_called(word, "ior") ? TMK_EXPLAIN_IOR : TMK_EXPLAIN_NONE;
}

/* Does the word stand behind an option, whose value it may be? */
static bool is_behind_option(const struct tmk_explain_words *words, int i)
{
    return i > 0 && words->argv[i - 1][0] == '-';
}

enum tmk_explain_program
tmk_explain_words_program(const struct tmk_explain_words *words, int *at)
{
    int doubtful = words->argc; /* "--wdir /x/mdtest", or "-l mdtest" */

    for (int i = 0; i < words->argc; i++) {
        enum tmk_explain_program program = program_of(words->argv[i]);

        if (program != TMK_EXPLAIN_NONE && !is_behind_option(words, i)) {
            *at = i;
            return program;
        }
        if (program != TMK_EXPLAIN_NONE && doubtful == words->argc) {
            doubtful = i;
        }
    }
    *at = doubtful;
    return doubtful < words->argc ? program_of(words->argv[doubtful])
                                  : TMK_EXPLAIN_NONE;
}
