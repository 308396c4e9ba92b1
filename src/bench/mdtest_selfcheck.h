#ifndef TMK_BENCH_MDTEST_SELFCHECK_H
#define TMK_BENCH_MDTEST_SELFCHECK_H

#include "bench/mdtest_phases.h"

/*
 * --check: after a phase that creates or removes, count what is really there
 * and compare it with what the phase says.  The outcome goes into
 * result->check; a mismatch is said.  Other phases are left alone.
 * Collective.
 */
void tmk_mdtest_selfcheck_all(struct tmk_mdtest_run *run,
                              enum tmk_mdtest_phase which,
                              struct tmk_phase_result *result);

#endif
