#ifndef TMK_BENCH_EXPLAIN_TEXT_H
#define TMK_BENCH_EXPLAIN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Sentences on lines of 79 columns; words are never torn apart. */

/* A heading, with an empty line before it. */
void tmk_explain_head(FILE *to, const char *text);

/* A paragraph, with so many blanks before each line. */
__attribute__((format(printf, 3, 4))) void
tmk_explain_say(FILE *to, unsigned indent, const char *format, ...);

/* The same with "- " before it, and its lines two columns further in. */
__attribute__((format(printf, 2, 3))) void
tmk_explain_point(FILE *to, const char *format, ...);

/* A point to be made if something is so. */
struct tmk_explain_if {
    bool so;
    const char *text;
};

/* Make those that are so, each a point; returns how many. */
size_t tmk_explain_points(FILE *to, const struct tmk_explain_if *rows,
                          size_t n);

/* A cell of a table: a heading, or "16 (1)", a rank and its node. */
void tmk_explain_cell(FILE *to, const char *text);
void tmk_explain_cell_rank(FILE *to, uint32_t rank, const uint32_t *node);

/* "" for one, else "s". */
const char *tmk_explain_s(uint64_t n);

#endif
