#ifndef TMK_BENCH_MDWORKBENCH_LOG_H
#define TMK_BENCH_MDWORKBENCH_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/mdworkbench_phases.h"

/*
 * -L: the time of every operation, in the files of md-workbench:
 *
 *     <prefix>-<waiting factor>-<iteration>-<kind>.csv      rank 0's
 *     <prefix>-<waiting factor>-<iteration>-<kind>-all.csv  of all ranks, in
 * turn
 *
 * with lines "time,runtime": start since the begin of the phase, and how long
 * it took, in seconds.  Rank 0 writes.  All 0: nothing is asked for.
 */
struct tmk_mdworkbench_log {
    struct tmk_job *job;
    const struct tmk_mdworkbench_plan *plan;
    bool on;   /* asked for */
    bool lost; /* a file could not be written, or there was no memory */
    struct tmk_mdworkbench_samples samples[TMK_MDWORKBENCH_OPS];
};

/* See that files can be written.  0 or -errno, said.  Collective. */
int tmk_mdworkbench_log_open_all(struct tmk_mdworkbench_log *log,
                                 struct tmk_job *job,
                                 const struct tmk_mdworkbench_plan *plan);

/* Before a phase: run->samples.  Collective. */
void tmk_mdworkbench_log_begin_all(struct tmk_mdworkbench_log *log,
                                   struct tmk_mdworkbench_run *run,
                                   enum tmk_mdworkbench_kind kind);

/* After it: write.  What is lost is said.  Collective. */
void tmk_mdworkbench_log_end_all(struct tmk_mdworkbench_log *log,
                                 struct tmk_mdworkbench_run *run,
                                 const struct tmk_mdworkbench_phase *phase);

#endif
