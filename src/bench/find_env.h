#ifndef TMK_BENCH_FIND_ENV_H
#define TMK_BENCH_FIND_ENV_H

#include "base/match.h"
#include "bench/find_conf.h"
#include "run/job.h"

/*
 * What the parser of expressions asks: rank 0 finds out for all, so that all
 * compile the same.
 */
struct tmk_find_env {
    struct tmk_job *job;
    struct tmk_find_conf *conf;
};

/* Fill *calls, which borrows *env; the moment is rank 0's.  Every use of them
 * is collective over env->job. */
void tmk_find_env_all(struct tmk_match_env *calls, struct tmk_find_env *env);

#endif
