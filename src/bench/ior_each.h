#ifndef TMK_BENCH_IOR_EACH_H
#define TMK_BENCH_IOR_EACH_H

#include "bench/ior_steps.h"

/*
 * What each rank did in a phase that has ended, where somebody asked for it:
 * saveRankPerformanceDetailsCSV, -j, and with -v the transfers of each.  It
 * takes 56 bytes for each rank on rank 0.  Collective.
 */
void tmk_ior_each_all(struct tmk_ior_job *t, const struct tmk_ior_phase *phase);

#endif
