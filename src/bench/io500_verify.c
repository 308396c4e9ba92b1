/*
 * io500_verify: whether a result has been changed since, by its own hashes and
 * by computing again what it says.
 */
#include "bench/io500_verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ini.h"
#include "bench/io500_hash.h"
#include "bench/io500_score.h"

enum { WORD_MAX = 256 };

/* [SCORE] or [SCOREX] */
struct totals {
    bool is_there;
    char md[WORD_MAX], bw[WORD_MAX], score[WORD_MAX], hash[WORD_MAX];
    bool invalid;
};

/* What result.txt says. */
struct result {
    char version[WORD_MAX], config_hash[WORD_MAX], mode[WORD_MAX];
    char score[TMK_IO500_PHASES][WORD_MAX];
    double seconds[TMK_IO500_PHASES];
    bool ran[TMK_IO500_PHASES];
    struct totals standard, extended;
};

static void take_word(char word[WORD_MAX], const struct tmk_ini_line *line)
{
    (void)snprintf(word, WORD_MAX, "%.*s", (int)line->value_length,
                   line->value);
}

static bool is_key(const struct tmk_ini_line *line, const char *key)
{
    return strlen(key) == line->name_length &&
           strncasecmp(line->name, key, line->name_length) == 0;
}

static void take_run(struct result *r, const struct tmk_ini_line *line)
{
    if (is_key(line, "version")) {
        take_word(r->version, line);
    } else if (is_key(line, "config-hash")) {
        take_word(r->config_hash, line);
    } else if (is_key(line, "mode")) {
        take_word(r->mode, line);
    }
}

static void take_total(struct totals *t, const struct tmk_ini_line *line)
{
    char *mark;

    if (is_key(line, "MD")) {
        take_word(t->md, line);
    } else if (is_key(line, "BW")) {
        take_word(t->bw, line);
    } else if (is_key(line, "hash")) {
        take_word(t->hash, line);
    } else if (is_key(line, "SCORE")) {
        take_word(t->score, line);
        mark = strstr(t->score, " [INVALID]");
        if (mark != NULL) {
            *mark = '\0';
            t->invalid = true;
        }
    }
}

/* Returns the number of a line that is none of an ini file, or 0. */
static unsigned read_result(struct result *r, const char *text)
{
    enum { NOWHERE, RUN, PHASE, SCORE, SCOREX } where = NOWHERE;
    enum tmk_io500_phase phase = TMK_IO500_PHASES;
    struct tmk_ini ini;
    struct tmk_ini_line line;

    *r = (struct result){0};
    tmk_ini_init(&ini, text);
    for (;;) {
        tmk_ini_next(&ini, &line);
        if (line.kind == TMK_INI_END) {
            return 0;
        }
        if (line.kind == TMK_INI_WRONG) {
            return line.number;
        }
        if (line.kind == TMK_INI_SECTION) {
            phase = tmk_io500_phase_find(line.name, line.name_length);
            where = is_key(&line, "run")       ? RUN
                    : is_key(&line, "SCORE")   ? SCORE
                    : is_key(&line, "SCOREX")  ? SCOREX
                    : phase < TMK_IO500_PHASES ? PHASE
                                               : NOWHERE;
            r->standard.is_there = r->standard.is_there || where == SCORE;
            r->extended.is_there = r->extended.is_there || where == SCOREX;
            if (where == PHASE) {
                r->ran[phase] = true;
            }
        } else if (where == RUN) {
            take_run(r, &line);
        } else if (where == SCORE || where == SCOREX) {
            take_total(where == SCORE ? &r->standard : &r->extended, &line);
        } else if (where == PHASE && is_key(&line, "score")) {
            take_word(r->score[phase], &line);
        } else if (where == PHASE && is_key(&line, "t_delta")) {
            r->seconds[phase] = strtod(line.value, NULL);
        }
    }
}

/* The hash of a result that calls itself valid. */
static uint32_t hash_of(const struct result *r, bool extended)
{
    const struct totals *t = extended ? &r->extended : &r->standard;
    uint32_t hash = 0;

    if (!extended) {
        tmk_io500_hash_add(&hash, "version", r->version);
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        enum tmk_io500_phase phase = (enum tmk_io500_phase)i;

        if (tmk_io500_phase_rows[i].group != TMK_IO500_UNSCORED &&
            tmk_io500_phase_is_optional(phase) == extended) {
            tmk_io500_hash_add(&hash, tmk_io500_phase_name(phase),
                               r->score[i][0] != '\0' ? r->score[i]
                                                      : "0.000000");
        }
    }
    tmk_io500_hash_add(&hash, "MD", t->md);
    tmk_io500_hash_add(&hash, "BW", t->bw);
    tmk_io500_hash_add(&hash, "SCORE", t->score);
    return hash;
}

/* Scores have six digits behind the point, and means are of those that had
 * all. */
static bool is_about(double a, double b)
{
    return fabs(a - b) <= 2e-6 + 1e-5 * fabs(b);
}

/* What is being verified. */
struct check {
    const struct tmk_io500_conf *conf;
    const struct result *r;
    FILE *to;
    unsigned errors;
    bool invalid; /* says that it is */
};

static void check_total(struct check *c, bool extended)
{
    const char *name = extended ? "SCOREX" : "SCORE";
    const struct totals *t = extended ? &c->r->extended : &c->r->standard;
    uint32_t hash = hash_of(c->r, extended);
    uint32_t hash_invalid = hash;
    struct tmk_io500_scores scores = {0};
    struct tmk_io500_means means;
    char *end;
    unsigned long read = strtoul(t->hash, &end, 16);

    tmk_io500_hash_add(&hash_invalid, "valid", "NO");
    if (t->hash[0] == '\0' || *end != '\0' ||
        (read != hash && read != hash_invalid)) {
        (void)fprintf(c->to,
                      "ERROR: %s hash expected: \"%" PRIX32 "\" read: \"%s\"\n",
                      extended ? "Extended score" : "Score",
                      t->invalid ? hash_invalid : hash, t->hash);
        c->errors++;
    } else if ((read == hash_invalid) != t->invalid) {
        (void)fprintf(c->to,
                      "ERROR: [%s] %s marked [INVALID], its hash says "
                      "the opposite\n",
                      name, t->invalid ? "is" : "is not");
        c->errors++;
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        scores.score[i] = strtod(c->r->score[i], NULL);
    }
    means = tmk_io500_score_means(&scores, extended);
    if (!is_about(strtod(t->md, NULL), means.md) ||
        !is_about(strtod(t->bw, NULL), means.bw) ||
        !is_about(strtod(t->score, NULL), means.total)) {
        (void)fprintf(c->to,
                      "ERROR: [%s] MD %s, BW %s, SCORE %s: the phases make "
                      "MD %f, BW %f, SCORE %f\n",
                      name, t->md, t->bw, t->score, means.md, means.bw,
                      means.total);
        c->errors++;
    }
    c->invalid = c->invalid || (!extended && t->invalid);
}

/* A run that calls itself valid has taken its time. */
static void check_times(struct check *c)
{
    unsigned least = tmk_io500_least_s(c->conf);

    if (c->r->standard.invalid) {
        return;
    }
    if (tmk_io500_stonewall_s(c->conf) != least) {
        (void)fprintf(c->to, "INVALID: stonewall-time is %" PRId64 ", not %u\n",
                      tmk_io500_stonewall_s(c->conf), least);
        c->invalid = true;
    }
    for (unsigned i = 0; i < TMK_IO500_PHASES; i++) {
        const char *name = tmk_io500_phase_name((enum tmk_io500_phase)i);

        if (tmk_io500_phase_is_optional((enum tmk_io500_phase)i)) {
            continue;
        }
        if (!c->r->ran[i]) {
            (void)fprintf(c->to, "INVALID: %s was not run\n", name);
            c->invalid = true;
        } else if (tmk_io500_phase_rows[i].writes && c->r->seconds[i] < least) {
            (void)fprintf(c->to, "INVALID: %s took %.4f s, the least is %u\n",
                          name, c->r->seconds[i], least);
            c->invalid = true;
        }
    }
}

/* The rest of a text after a word and the blanks behind it; NULL if it does
 * not begin so. */
static const char *after(const char *s, const char *end, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(end - s) < length || strncmp(s, word, length) != 0) {
        return NULL;
    }
    s += length;
    while (s < end && (*s == ' ' || *s == '\t')) {
        s++;
    }
    return s;
}

static const char *after_number(const char *s, const char *end, double *number)
{
    char *behind;

    *number = strtod(s, &behind);
    if (behind == s || behind > end) {
        return NULL;
    }
    while (behind < end && (*behind == ' ' || *behind == '\t')) {
        behind++;
    }
    return behind;
}

static const char *after_word(const char *s, const char *end)
{
    while (s < end && *s != ' ' && *s != '\t') {
        s++;
    }
    return after(s, end, "");
}

/* "Bandwidth 1.7 GiB/s : IOPS 152.8 kiops : TOTAL 16.4" */
static bool parse_totals(const char *s, const char *end,
                         struct tmk_io500_summary_line *line)
{
    s = after(s, end, "Bandwidth");
    s = s != NULL ? after_number(s, end, &line->bw) : NULL;
    s = s != NULL ? after(after_word(s, end), end, ":") : NULL;
    s = s != NULL ? after(s, end, "IOPS") : NULL;
    s = s != NULL ? after_number(s, end, &line->md) : NULL;
    s = s != NULL ? after(after_word(s, end), end, ":") : NULL;
    s = s != NULL ? after(s, end, "TOTAL") : NULL;
    return s != NULL && after_number(s, end, &line->total) != NULL;
}

/* "ior-easy-write 0.46 GiB/s : time 1.07 seconds" */
static bool parse_phase(const char *s, const char *end,
                        struct tmk_io500_summary_line *line)
{
    line->name = s;
    while (s < end && *s != ' ' && *s != '\t') {
        s++;
    }
    line->name_length = (size_t)(s - line->name);
    line->phase = tmk_io500_phase_find(line->name, line->name_length);
    s = after_number(s, end, &line->score);
    s = s != NULL ? after(after_word(s, end), end, ":") : NULL;
    s = s != NULL ? after(s, end, "time") : NULL;
    return s != NULL && line->name_length != 0 &&
           after_number(s, end, &line->seconds) != NULL;
}

bool tmk_io500_summary_parse(const char *text, size_t length,
                             struct tmk_io500_summary_line *line)
{
    static const char mark[] = "[INVALID]";
    const char *end = text + length;
    const char *s = after(text, end, "");
    const char *close;

    *line = (struct tmk_io500_summary_line){.phase = TMK_IO500_PHASES};
    if (s == end || *s != '[') {
        return false;
    }
    close = memchr(s, ']', (size_t)(end - s));
    if (close == NULL) {
        return false;
    }
    line->extended = strncmp(s, "[SCOREX", 7) == 0;
    line->invalid = (close - s >= 8 && strncmp(close - 8, "-invalid", 8) == 0);
    while (end > close && strchr(" \t\r", end[-1]) != NULL) {
        end--;
    }
    if ((size_t)(end - close) > sizeof(mark) - 1 &&
        strncmp(end - (sizeof(mark) - 1), mark, sizeof(mark) - 1) == 0) {
        line->invalid = true;
    }
    s = after(close + 1, end, "");
    return after(s, end, "Bandwidth ") != NULL ? parse_totals(s, end, line)
                                               : parse_phase(s, end, line);
}

static void differs(struct check *c, const char *name, double summary,
                    const char *result)
{
    (void)fprintf(c->to, "ERROR: %s is %f in the summary, %s in the result\n",
                  name, summary, result[0] != '\0' ? result : "nothing");
    c->errors++;
}

static void check_summary(struct check *c, const char *summary)
{
    while (*summary != '\0') {
        size_t length = strcspn(summary, "\n");
        struct tmk_io500_summary_line line;

        if (tmk_io500_summary_parse(summary, length, &line)) {
            const struct totals *t =
                line.extended ? &c->r->extended : &c->r->standard;

            if (line.name_length == 0 && line.total != strtod(t->score, NULL)) {
                differs(c, line.extended ? "SCOREX" : "SCORE", line.total,
                        t->score);
            } else if (line.phase < TMK_IO500_PHASES &&
                       line.score != strtod(c->r->score[line.phase], NULL)) {
                differs(c, tmk_io500_phase_name(line.phase), line.score,
                        c->r->score[line.phase]);
            }
        }
        summary += length + (summary[length] != '\0' ? 1 : 0);
    }
}

enum tmk_io500_verdict tmk_io500_verify(const struct tmk_io500_conf *conf,
                                        const char *result, const char *summary,
                                        const char *version, FILE *to)
{
    struct result r;
    struct check c = {.conf = conf, .r = &r, .to = to};
    unsigned wrong_line = read_result(&r, result);
    uint32_t hash = tmk_io500_conf_hash(conf);
    char text[16];

    if (wrong_line != 0) {
        (void)fprintf(to, "ERROR: line %u is none of a result\n", wrong_line);
        return TMK_IO500_WRONG;
    }
    if (!r.standard.is_there || r.standard.hash[0] == '\0') {
        (void)fprintf(to, "ERROR: no [SCORE] with a hash: the run was not "
                          "finished, or the file is cut\n");
        return TMK_IO500_WRONG;
    }
    if (strcmp(r.version, version) != 0) {
        (void)fprintf(to, "WARNING: version \"%s\" made it, this is \"%s\"\n",
                      r.version, version);
    }
    (void)snprintf(text, sizeof(text), "%" PRIX32, hash);
    if (strcasecmp(text, r.config_hash) != 0) {
        (void)fprintf(to, "ERROR: Configuration hash expected: %s read: %s\n",
                      text, r.config_hash);
        c.errors++;
    }
    check_total(&c, false);
    if (r.extended.is_there) {
        check_total(&c, true);
    }
    if (summary != NULL) {
        check_summary(&c, summary);
    }
    if (c.errors != 0) {
        (void)fprintf(to, "ERROR: the result does not agree with itself or "
                          "its configuration\n");
        return TMK_IO500_WRONG;
    }
    check_times(&c);
    (void)fprintf(to, "[OK]%s\n",
                  c.invalid ? " But this is an invalid run!" : "");
    return c.invalid ? TMK_IO500_INVALID : TMK_IO500_VALID;
}
