#ifndef TMK_RUN_MACHINE_H
#define TMK_RUN_MACHINE_H

#include "run/job.h"

/*
 * What is to be said of how the ranks of a map are placed: UNEVEN_NODES, and
 * where they run `here` OVERSUBSCRIBED and nodes that share a kernel.
 */
void tmk_machine_notes(struct tmk_job *job, const struct tmk_owner_map *map,
                       bool here);

#endif
