/*
 * compare_print: the rows as a table, for terminals and for pull requests.
 */
#include <math.h>
#include <string.h>

#include "bench/compare.h"

static const char *verdict(const struct tmk_compare_row *row)
{
    switch (row->verdict) {
    case TMK_COMPARE_FASTER: return "faster";
    case TMK_COMPARE_SLOWER: return "slower";
    case TMK_COMPARE_NOT: return "not comparable";
    case TMK_COMPARE_SAME: break;
    }
    return "no difference shown";
}

/* "52394 op/s", "1.25 GiB/s" */
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
    char a[32];
    char b[32];
    char ratio[16] = "-";
    char interval[48];
    const char *colon = row->verdict == TMK_COMPARE_NOT ? ": " : "";
    const char *why = row->verdict == TMK_COMPARE_NOT ? row->why : "";

    show_rate(row, 0, a, sizeof(a));
    show_rate(row, 1, b, sizeof(b));
    show_interval(row, interval, sizeof(interval));
    if (row->side[0].n != 0 && row->side[1].n != 0 && isfinite(row->ratio)) {
        (void)snprintf(ratio, sizeof(ratio), "%.3f", row->ratio);
    }
    (void)fprintf(to,
                  markdown ? "| %s | %s | %s | %s | %s | %s%s%s |\n"
                           : "%-20s %16s %16s %7s %20s  %s%s%s\n",
                  row->name, a, b, ratio, interval, verdict(row), colon, why);
}

static void print_head(const struct tmk_compare_row *row, bool markdown,
                       FILE *to)
{
    if (markdown) {
        (void)fprintf(to,
                      "\n**%s**\n\n"
                      "| operation | A | B | B / A | 95 %% interval | verdict "
                      "|\n|---|--:|--:|--:|--:|---|\n",
                      row->point);
    } else {
        (void)fprintf(to, "\n%s\n%-20s %16s %16s %7s %20s  %s\n", row->point,
                      "operation", "A", "B", "B / A", "95 % interval",
                      "verdict");
    }
}

void tmk_compare_print(const struct tmk_compare *c, bool markdown, FILE *to)
{
    const char *point = NULL;

    if (c->runs[0] == 1 && c->runs[1] == 1) {
        (void)fputs("A and B are one run each: spread within one run only, not "
                    "that from run to run\n",
                    to);
    }
    if (c->notes != NULL) {
        (void)fputs(c->notes, to);
    }
    for (size_t i = 0; i < c->n; i++) {
        if (point == NULL || strcmp(point, c->rows[i].point) != 0) {
            print_head(&c->rows[i], markdown, to);
            point = c->rows[i].point;
        }
        print_row(&c->rows[i], markdown, to);
    }
}
