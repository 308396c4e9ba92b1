#ifndef TMK_BENCH_EXPLAIN_LINE_H
#define TMK_BENCH_EXPLAIN_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/opt.h"
#include "bench/explain_gone.h"
#include "bench/explain_launch.h"
#include "bench/explain_main.h"

enum { TMK_EXPLAIN_TABLES_MAX = 16 };

/* A line that is being explained. */
struct tmk_explain_line {
    FILE *to;
    const struct tmk_explain_asked *asked;
    const char *program; /* "mdtest" or "ior" */
    int argc;            /* argv[0] names the program */
    char **argv;
    const char *rest;
    struct tmk_explain_place whole; /* all ranks */
    struct tmk_explain_gone gone;
    struct tmk_opt_table
        tables[TMK_EXPLAIN_TABLES_MAX]; /* the program's own first */
    size_t n_tables;
    void *engine_conf[TMK_EXPLAIN_TABLES_MAX]; /* owned */
    char *why;
    size_t why_size;
};

/* "<before>'<text>'<after>" into line->why; -EINVAL. */
int tmk_explain_line_refuse(const struct tmk_explain_line *line,
                            const char *before, const char *text,
                            const char *after);

/* The tables of a program and of its engines.  0 or -ENOMEM. */
int tmk_explain_line_tables(struct tmk_explain_line *line,
                            const struct tmk_opt_table *own,
                            const struct tmk_engine_ops *const *engines);

/* 0, or -EINVAL if there is no such engine. */
int tmk_explain_line_check_api(const struct tmk_explain_line *line,
                               const char *api,
                               const struct tmk_engine_ops *const *engines);

/*
 * Nodes and ranks: explain's own numbers, else those that the line gives to the
 * program (0 = none), else the launcher's.  0 or -errno.
 */
int tmk_explain_line_place(struct tmk_explain_line *line,
                           struct tmk_explain_launch *launch, int nodes,
                           int ppn);

/* Whether the storage API is told to go around the page cache (its odirect),
 * in these structs, one of each table; NULL: those of the tables. */
bool tmk_explain_line_is_direct(const struct tmk_explain_line *line,
                                const char *api, void *const *confs);

/* The first lines: ranks, nodes, what is assumed. */
void tmk_explain_line_say_place(const struct tmk_explain_line *line,
                                const struct tmk_explain_place *place);

/* The last heading, and what both programs have below it; how much that is. */
size_t tmk_explain_line_say_words(const struct tmk_explain_line *line);

/* "None." if there was nothing. */
void tmk_explain_line_say_none(const struct tmk_explain_line *line, size_t n);

void tmk_explain_line_fini(struct tmk_explain_line *line);

/* mdtest's and ior's: read the rest of the line and explain it. */
int tmk_explain_line_mdtest(struct tmk_explain_line *line,
                            struct tmk_explain_launch *launch);
int tmk_explain_line_ior(struct tmk_explain_line *line,
                         struct tmk_explain_launch *launch);

#endif
