#ifndef TMK_BENCH_EXPLAIN_IOR_H
#define TMK_BENCH_EXPLAIN_IOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "bench/ior_plan.h"
#include "bench/ior_tasks.h"

/*
 * What a test of ior does, in sentences.  Pure.
 *
 *     explain_ior         files, where data lies, phase by phase who does what
 *     explain_ior_doubt   caches, flags that mean something else
 */
struct tmk_explain_ior {
    const struct tmk_ior_plan *plan;
    const struct tmk_owner_map *map; /* of the ranks that take part */
    struct tmk_ior_tasks tasks;      /* of reading */
    bool direct;                     /* odirect of the API */
};

/* Files, and where in them data lies. */
void tmk_explain_ior_files(FILE *to, const struct tmk_explain_ior *test);

/* Each phase of a repetition. */
void tmk_explain_ior_phases(FILE *to, const struct tmk_explain_ior *test);

/* Whose data is read: -C, -Q, -Z. */
void tmk_explain_ior_order(FILE *to, const struct tmk_explain_ior *test);

/* What a cache may hold. */
void tmk_explain_ior_caches(FILE *to, const struct tmk_explain_ior *test);

/* Flags of this line that other versions take for something else; how many. */
size_t tmk_explain_ior_flags(FILE *to, const struct tmk_explain_ior *test);

/* The same test with the tasks of -W, which reads one node further on. */
struct tmk_ior_tasks
tmk_explain_ior_checking(const struct tmk_explain_ior *test);

#endif
