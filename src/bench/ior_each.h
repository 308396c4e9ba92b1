#ifndef TMK_BENCH_IOR_EACH_H
#define TMK_BENCH_IOR_EACH_H

#include "bench/ior_steps.h"

/*
 * What each rank did in a phase that has ended, where somebody asked for it:
 * saveRankPerformanceDetailsCSV, -j, with -v the transfers of each, and with
 * -vvv when it did what.  It takes 96 bytes for each rank on rank 0.
 * Collective.
 */
void tmk_ior_each_all(struct tmk_ior_job *t, const struct tmk_ior_phase *phase);

/*
 * A phase in which several transfers had wrong data: some more of them, those
 * of the lowest ranks, without the very first.  `access` is "read" or the like.
 * Collective.
 */
void tmk_ior_each_wrong_all(struct tmk_ior_job *t, const char *access);

#endif
