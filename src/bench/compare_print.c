/*
 * compare_print: the rows as tables, for terminals and for pull requests.
 */
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/quote.h"
#include "bench/compare_rows.h"

enum { CELL = 320 };

static const char *const verdicts[] = {
    [TMK_COMPARE_SAME] = "no difference shown",
    [TMK_COMPARE_FASTER] = "faster",
    [TMK_COMPARE_SLOWER] = "slower",
    [TMK_COMPARE_NOT] = "not comparable",
};
static_assert(sizeof(verdicts) / sizeof(verdicts[0]) == TMK_COMPARE_VERDICTS,
              "a text per verdict");

/* A text of a file: on one line, and no markup in Markdown. */
static const char *plain(const char *text, bool markdown, char *buf,
                         size_t size)
{
    char quoted[CELL / 2];
    size_t n = 0;

    tmk_quote(quoted, sizeof(quoted), text, strlen(text));
    for (const char *from = quoted; *from != '\0' && n + 3 < size; from++) {
        if (markdown && strchr("\\`*_{}[]<>#|~&$@", *from) != NULL) {
            buf[n++] = '\\';
        }
        buf[n++] = *from;
    }
    buf[n] = '\0';
    return buf;
}

/* "52394 op/s", "1.25 MiB/s" */
static void show_rate(const struct tmk_compare_row *row, int side, char *buf,
                      size_t size)
{
    double mean = row->side[side].mean;

    if (row->side[side].n == 0) {
        (void)snprintf(buf, size, "-");
    } else if (row->bytes) {
        (void)snprintf(buf, size, "%.2f MiB/s", mean / 1048576);
    } else {
        (void)snprintf(buf, size, mean < 1000 ? "%.2f op/s" : "%.0f op/s",
                       mean);
    }
}

static void show_interval(const struct tmk_compare_row *row, char *buf,
                          size_t size)
{
    if (isfinite(row->low) && isfinite(row->high)) {
        (void)snprintf(buf, size, "%+.1f to %+.1f %%", 100 * row->low,
                       100 * row->high);
    } else {
        (void)snprintf(buf, size, "-");
    }
}

static void print_row(const struct tmk_compare_row *row, bool markdown,
                      FILE *to)
{
    const bool is_not = row->verdict == TMK_COMPARE_NOT;
    char name[CELL];
    char why[CELL];
    char a[32];
    char b[32];
    char ratio[32] = "-";
    char interval[64];

    show_rate(row, 0, a, sizeof(a));
    show_rate(row, 1, b, sizeof(b));
    show_interval(row, interval, sizeof(interval));
    if (row->side[0].n != 0 && row->side[1].n != 0 && isfinite(row->ratio)) {
        (void)snprintf(ratio, sizeof(ratio), "%.3f", row->ratio);
    }
    (void)fprintf(to,
                  markdown ? "| %s | %s | %s | %s | %s | %s%s%s |\n"
                           : "%-20s %16s %16s %7s %20s  %s%s%s\n",
                  plain(row->name, markdown, name, sizeof(name)), a, b, ratio,
                  interval, verdicts[row->verdict], is_not ? ": " : "",
                  plain(is_not ? row->why : "", markdown, why, sizeof(why)));
}

static void print_head(const struct tmk_compare_point *point, bool markdown,
                       FILE *to)
{
    char title[CELL];

    (void)plain(point->title, markdown, title, sizeof(title));
    if (markdown) {
        (void)fprintf(to,
                      "\n**%s**\n\n"
                      "| operation | A | B | B / A | B - A, 95 %% | verdict |\n"
                      "|---|--:|--:|--:|--:|---|\n",
                      title);
    } else {
        (void)fprintf(to, "\n%s\n%-20s %16s %16s %7s %20s  %s\n", title,
                      "operation", "A", "B", "B / A", "B - A, 95 %", "verdict");
    }
}

static void print_runs(const struct tmk_compare *c, bool markdown, FILE *to)
{
    const char *strong = markdown ? "**" : "";
    const bool a = c->runs[0] == 1;
    const bool b = c->runs[1] == 1;

    (void)fprintf(to, "A: %u run%s, B: %u run%s\n", c->runs[0], a ? "" : "s",
                  c->runs[1], b ? "" : "s");
    if (a || b) {
        (void)fprintf(
            to,
            "%s%sspread within one run only%s: %s may be as far from the next "
            "run as A is from B.%sGive several files a side, three or more.\n",
            markdown ? "\n" : "", strong, strong,
            a && b ? "each"
            : a    ? "A"
                   : "B",
            markdown ? " " : "\n");
    }
}

static void print_notes(const struct tmk_compare *c, bool markdown, FILE *to)
{
    const json_t *line;
    size_t i;

    if (markdown && c->notes != NULL) {
        (void)fputc('\n', to);
    }
    json_array_foreach(c->notes, i, line)
    {
        char text[2 * CELL];

        (void)fprintf(
            to, "%sdiffers: %s\n", markdown ? "- " : "",
            plain(json_string_value(line), markdown, text, sizeof(text)));
    }
}

static void print_counts(const struct tmk_compare *c, bool markdown, FILE *to)
{
    static const enum tmk_compare_verdict order[] = {
        TMK_COMPARE_SLOWER, TMK_COMPARE_FASTER, TMK_COMPARE_SAME,
        TMK_COMPARE_NOT};
    const char *strong = markdown ? "**" : "";

    (void)fprintf(to, "\n%s", strong);
    for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++) {
        size_t n = 0;

        for (size_t i = 0; i < c->n; i++) {
            n += c->rows[i].verdict == order[k];
        }
        (void)fprintf(to, "%s%zu %s", k != 0 ? ", " : "", n,
                      verdicts[order[k]]);
    }
    (void)fprintf(to, "%s (less than %g %% does not count%s)\n", strong,
                  100 * c->threshold,
                  c->runs[0] == 1 || c->runs[1] == 1
                      ? "; spread within one run only"
                      : "");
}

void tmk_compare_print(const struct tmk_compare *c, bool markdown, FILE *to)
{
    print_runs(c, markdown, to);
    print_notes(c, markdown, to);
    for (size_t k = 0; k < c->n_points; k++) {
        bool begun = false;

        for (size_t i = 0; i < c->n; i++) {
            if (c->rows[i].point == k) {
                if (!begun) {
                    print_head(&c->points[k], markdown, to);
                }
                begun = true;
                print_row(&c->rows[i], markdown, to);
            }
        }
    }
    print_counts(c, markdown, to);
}
