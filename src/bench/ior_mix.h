#ifndef TMK_BENCH_IOR_MIX_H
#define TMK_BENCH_IOR_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "bench/ior_text.h"
#include "run/job.h"
#include "run/result.h"

/*
 * --rwmix: what was read and what was written in one phase, each for itself.
 * The phase counts both together.
 */
struct tmk_ior_mix;

/* NULL: out of memory. */
struct tmk_ior_mix *tmk_ior_mix_new(void);
/* NULL is allowed. */
void tmk_ior_mix_free(struct tmk_ior_mix *mix);

/* A phase begins. */
void tmk_ior_mix_begin(struct tmk_ior_mix *mix);

/* A transfer of this rank has ended after `took_ns`; 0 or -errno. */
void tmk_ior_mix_count(struct tmk_ior_mix *mix, bool writing, int err,
                       uint64_t bytes, uint64_t took_ns);

/*
 * After the phase, whose times are known: its sides, over all ranks.  Their
 * latencies are those of `mix` until the next phase begins.  Collective.
 */
void tmk_ior_mix_combine_all(struct tmk_ior_mix *mix, struct tmk_job *job,
                             struct tmk_ior_phase *phase);

/* Latencies of one more phase; those of none are fine. */
void tmk_ior_mix_add(struct tmk_result_latency *to,
                     const struct tmk_result_latency *more);

#endif
