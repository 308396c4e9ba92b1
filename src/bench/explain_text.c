/*
 * explain_text: sentences into lines.
 */
#include "bench/explain_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { COLUMNS = 79, TEXT_SIZE = 16384 };

void tmk_explain_head(FILE *to, const char *text)
{
    fprintf(to, "\n%s\n", text);
}

static void fill(FILE *to, unsigned indent, const char *first, const char *text)
{
    unsigned column = indent;

    fprintf(to, "%*s%s", (int)(indent - (unsigned)strlen(first)), "", first);
    while (*text != '\0') {
        const unsigned length = (unsigned)strcspn(text, " ");
        const char *gap = column > indent ? " " : "";

        if (column > indent && column + 1 + length > COLUMNS) {
            fprintf(to, "\n%*s", (int)indent, "");
            column = indent;
            gap = "";
        }
        fprintf(to, "%s%.*s", gap, (int)length, text);
        column += length + (gap[0] != '\0');
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void tmk_explain_say(FILE *to, unsigned indent, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fill(to, indent, "", text);
}

void tmk_explain_point(FILE *to, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    fill(to, 4, "- ", text);
}

size_t tmk_explain_points(FILE *to, const struct tmk_explain_if *rows, size_t n)
{
    size_t made = 0;

    for (size_t i = 0; i < n; i++) {
        if (rows[i].so) {
            tmk_explain_point(to, "%s", rows[i].text);
            made++;
        }
    }
    return made;
}

void tmk_explain_cell(FILE *to, const char *text)
{
    fprintf(to, "%15s", text);
}

void tmk_explain_cell_rank(FILE *to, uint32_t rank, const uint32_t *node)
{
    char text[32];

    (void)snprintf(text, sizeof(text), "%" PRIu32 " (%" PRIu32 ")", rank,
                   node[rank]);
    tmk_explain_cell(to, text);
}

const char *tmk_explain_s(uint64_t n)
{
    return n == 1 ? "" : "s";
}
