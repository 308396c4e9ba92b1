#ifndef TMK_BENCH_EXPLAIN_MAIN_H
#define TMK_BENCH_EXPLAIN_MAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/explain_words.h"
#include "engine/engine.h"

/* What is known beside the line itself. */
struct tmk_explain_asked {
    int nodes, ppn; /* 0 = as the line says */
    const struct tmk_engine_ops *const *engines_mdtest; /* NULL-terminated */
    const struct tmk_engine_ops *const *engines_ior;
};

/*
 * Explain a command line of mdtest or ior in words.  Touches nothing and starts
 * no MPI.  Words of the line may be changed.  Returns 0; -ENOMEM; or -EINVAL
 * with one line in `why`, and nothing written to `to`.
 */
int tmk_explain_main(FILE *to, struct tmk_explain_words *words,
                     const struct tmk_explain_asked *asked, char *why,
                     size_t why_size);

#endif
