#ifndef TMK_BENCH_IOR_SUMMARY_H
#define TMK_BENCH_IOR_SUMMARY_H

#include <stdio.h>
#include <time.h>

#include "bench/ior_row.h"
#include "bench/ior_text.h"
#include "bench/ior_wide.h"

/*
 * -O summaryFormat=JSON and CSV, in the original's members and columns
 * (spec/ior.md 5.5, 5.6).  JSON is one object at the end, and valid whatever a
 * path holds; what is not known is null.  Beside the original's members,
 * results have "iter", and "pass" or "mixed" where there are such.
 */
struct tmk_ior_summary;

/* NULL: out of memory. */
struct tmk_ior_summary *tmk_ior_summary_new(const struct tmk_ior_text_run *run);
/* NULL is allowed. */
void tmk_ior_summary_free(struct tmk_ior_summary *s);

void tmk_ior_summary_test_begin(struct tmk_ior_summary *s,
                                const struct tmk_ior_test *test);
void tmk_ior_summary_row(struct tmk_ior_summary *s,
                         const struct tmk_ior_row *row);
void tmk_ior_summary_test_end(struct tmk_ior_summary *s,
                              const struct tmk_ior_test *test);
/* The whole object; 0 or -errno. */
int tmk_ior_summary_write(struct tmk_ior_summary *s, FILE *to);

void tmk_ior_summary_csv_heading(FILE *to);
void tmk_ior_summary_csv(FILE *to, const struct tmk_ior_row *row, int tasks);

#endif
