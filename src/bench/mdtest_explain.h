#ifndef TMK_BENCH_MDTEST_EXPLAIN_H
#define TMK_BENCH_MDTEST_EXPLAIN_H

#include <stddef.h>

#include "bench/mdtest_plan.h"
#include "run/job.h"

/* A plan in words. */

/* A path as a shell takes it: 'it'\\''s'; cut if it does not fit. */
void tmk_mdtest_explain_quote(const char *path, char *buf, size_t size);

enum { TMK_MDTEST_EXPLAIN_CLEAN_SIZE = 8192 };

/*
 * "treemark clean 'a' 'b'" for -d a@b: the command, as a shell takes it, that
 * removes what a run left.  Directories that do not fit are left out.
 */
void tmk_mdtest_explain_clean(const char *dirs, char *buf, size_t size);

/* "4 tasks, 16 files/directories", as the original prints it. */
void tmk_mdtest_explain_headline(const struct tmk_mdtest_plan *plan, char *buf,
                                 size_t size);

/* Lines and warnings about rotation, rounding, caches and the machine, said on
 * rank 0 before a test.  `direct`: data goes around the page cache. */
void tmk_mdtest_explain_notes(struct tmk_job *job,
                              const struct tmk_mdtest_plan *plan, bool direct);

/* The whole plan, for --dry-run: phases, who touches whose items on which
 * node, directories, files, inodes, bytes; said on rank 0. */
void tmk_mdtest_explain_plan(struct tmk_job *job,
                             const struct tmk_mdtest_plan *plan);

#endif
