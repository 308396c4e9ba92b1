/*
 * ior_script: the tests of a script (-f).
 *
 *     text before                 ignored, counted
 *     IOR START
 *       api=POSIX, blockSize=1m   directives; # begins a comment
 *       testFile='/a, b/c'        quotes hold blanks, commas and #
 *     RUN                         a test of all that was said so far
 *       --posix.odirect=1         the next one begins as the last
 *     RUN
 *     IOR STOP
 *     text behind                 ignored, counted
 */
#include "bench/ior_script.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

static const char blanks[] = " \t\r";

/* A line is these words, whatever their case and the blanks between them. */
static bool is_line(const char *line, const char *words)
{
    const char *s = line + strspn(line, blanks);

    for (const char *w = words; *w != '\0'; w++) {
        if (*w == ' ') {
            if (*s != ' ' && *s != '\t') {
                return false;
            }
            s += strspn(s, blanks);
        } else if (strncasecmp(s, w, 1) == 0) {
            s++;
        } else {
            return false;
        }
    }
    s += strspn(s, blanks);
    return *s == '\0' || *s == '#';
}

static bool is_empty(const char *line)
{
    const char *s = line + strspn(line, blanks);

    return *s == '\0' || *s == '#';
}

/* Keep the structs as they are as one more test, which ends with this line.  0
 * or -ENOMEM. */
static int add_test(struct tmk_ior_tests *tests, size_t line)
{
    struct tmk_ior_conf *conf = tests->tables[0].conf;
    size_t k = tests->n_tables;
    void **confs;

    /* Grown at powers of 2. */
    if ((tests->n & (tests->n - 1)) == 0) {
        size_t n = tests->n != 0 ? 2 * tests->n : 1;

        confs = realloc(tests->confs, n * k * sizeof(*confs));
        if (confs == NULL) {
            return -ENOMEM;
        }
        tests->confs = confs;
    }
    confs = tests->confs + tests->n * k;
    memset(confs, 0, k * sizeof(*confs));
    conf->script_line = line;
    tests->n++; /* what there is of it is released */
    for (size_t i = 0; i < k; i++) {
        size_t bytes = tests->conf_bytes[i];

        confs[i] = calloc(1, bytes != 0 ? bytes : 1);
        if (confs[i] == NULL) {
            return -ENOMEM;
        }
        if (bytes != 0) {
            memcpy(confs[i], tests->tables[i].conf, bytes);
        }
    }
    return 0;
}

enum place { BEFORE_START, INSIDE, AFTER_STOP };

/* How far a script is read. */
struct script {
    struct tmk_ior_tests *tests;
    struct tmk_ior_reach reach;
    enum place place;
    bool said_more; /* since the last RUN */
    size_t line;    /* the one at hand, from 1 */
    size_t ignored;
    char why[512];
};

static int refuse(struct script *s, const char *why)
{
    (void)snprintf(s->why, sizeof(s->why), "%s", why);
    return -EINVAL;
}

static int read_line(struct script *s, const char *line)
{
    if (is_empty(line)) {
        return 0;
    }
    if (s->place == BEFORE_START && is_line(line, "IOR START")) {
        s->place = INSIDE;
        return 0;
    }
    if (s->place != INSIDE) {
        s->ignored++;
        return 0;
    }
    if (is_line(line, "IOR START")) {
        return refuse(s, "IOR START for the second time");
    }
    if (is_line(line, "IOR STOP")) {
        s->place = AFTER_STOP;
        return 0;
    }
    if (is_line(line, "RUN")) {
        s->said_more = false;
        return add_test(s->tests, s->line);
    }
    s->said_more = true;
    return tmk_ior_directives_line(&s->reach, s->tests->n > 0, line, s->why,
                                   sizeof(s->why));
}

/* Read all lines, which are cut in place. */
static int read_lines(struct script *s, char *text)
{
    int err = 0;

    for (char *line = text; line != NULL && err == 0;) {
        char *end = strchr(line, '\n');

        s->line++;
        if (end != NULL) {
            *end = '\0';
        }
        err = read_line(s, line);
        line = end != NULL ? end + 1 : NULL;
    }
    return err;
}

int tmk_ior_script_read(struct tmk_ior_tests *tests, const char *path,
                        const char *text, size_t *ignored, char *why,
                        size_t why_size)
{
    const size_t bytes = strlen(text) + 1;
    struct tmk_ior_texts texts = {.size = bytes};
    struct script s = {
        .tests = tests,
        .reach = {.tables = tests->tables,
                  .n_tables = tests->n_tables,
                  .keep = tmk_ior_texts_keep,
                  .arg = &texts},
        .why = "out of memory",
    };
    char quoted[128];
    int err = -ENOMEM;

    tests->n = 0;
    tests->confs = NULL;
    tests->text = malloc(2 * bytes); /* strings that stay, then the lines */
    if (tests->text != NULL) {
        texts.buf = tests->text;
        memcpy(tests->text + bytes, text, bytes);
        err = read_lines(&s, tests->text + bytes);
    }
    *ignored = s.ignored;
    tmk_quote(quoted, sizeof(quoted), path, strlen(path));
    if (err == 0 && s.place == BEFORE_START) {
        (void)snprintf(why, why_size, "%s: there is no line IOR START", quoted);
        return -EINVAL;
    }
    if (err == 0 && (s.said_more || tests->n == 0)) {
        err = add_test(tests, s.line);
    }
    if (err != 0) {
        (void)snprintf(why, why_size, "%s:%zu: %s", quoted, s.line, s.why);
    }
    return err;
}

void tmk_ior_tests_fini(struct tmk_ior_tests *tests)
{
    for (size_t i = 0; i < tests->n * tests->n_tables; i++) {
        free(tests->confs[i]);
    }
    free((void *)tests->confs);
    free(tests->text);
    tests->confs = NULL;
    tests->text = NULL;
    tests->n = 0;
}
