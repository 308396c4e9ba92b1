#ifndef TMK_BENCH_IOR_FILL_H
#define TMK_BENCH_IOR_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ior_steps.h"

/*
 * Write everything once in order, which is no result: with so many bytes a
 * transfer, and for so long; 0 = no limit.  False if nothing should follow.
 * Collective.
 */
bool tmk_ior_fill_all(struct tmk_ior_job *t, uint64_t transfer_bytes,
                      uint64_t limit_ns);

/*
 * --rwmix: make files whole, or as much of them as there is time for, which is
 * said: *limit is then how many transfers of each rank are there; it stays as
 * it is if all are.  False if nothing should follow.  Collective.
 */
bool tmk_ior_fill_whole_all(struct tmk_ior_job *t, uint64_t *limit);

#endif
