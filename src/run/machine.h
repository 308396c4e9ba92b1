#ifndef TMK_RUN_MACHINE_H
#define TMK_RUN_MACHINE_H

#include "run/job.h"

/*
 * What is to be said of how the ranks of a map are placed: UNEVEN_NODES, and
 * where they run `here` OVERSUBSCRIBED and nodes that share a kernel.
 */
void tmk_machine_notes(struct tmk_job *job, const struct tmk_owner_map *map,
                       bool here);

/*
 * tmk_job_time_barrier_all().  Where each rank has a core, a barrier is a
 * matter of microseconds; one that takes a time slice waits for somebody else's
 * work.  That is said (BUSY_CORES), and not taken for the cost of a barrier.
 * Collective.
 */
void tmk_machine_time_barrier_all(struct tmk_job *job);

#endif
