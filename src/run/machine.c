/*
 * machine: how ranks are placed, where that changes what numbers mean.
 */
#include "run/machine.h"

#include <inttypes.h>

#include "run/say.h"

void tmk_machine_notes(struct tmk_job *job, const struct tmk_owner_map *map,
                       bool here)
{
    if (map->most_ranks != map->fewest_ranks) {
        tmk_say_warning(job, "UNEVEN_NODES",
                        "nodes have %" PRIu32 " to %" PRIu32
                        " ranks: full nodes hold the others up",
                        map->fewest_ranks, map->most_ranks);
    }
    if (job->layout.nodes_on_kernel > 1 && here) {
        tmk_say(job, "%d nodes share one kernel.", job->layout.nodes_on_kernel);
    }
    if (job->layout.yields && here) {
        tmk_say_warning(job, "OVERSUBSCRIBED",
                        "more ranks than cores on a node (%d on %d here): "
                        "rates include waiting for a core",
                        job->layout.ranks_on_kernel, job->layout.cores);
    }
}

void tmk_machine_time_barrier_all(struct tmk_job *job)
{
    const uint64_t slice_ns = 1000000;

    tmk_job_time_barrier_all(job);
    if (!job->layout.yields && job->barrier_ns > slice_ns) {
        tmk_say_warning(job, "BUSY_CORES",
                        "a barrier takes %.1f ms: other work has the cores, "
                        "and rates include waiting for them",
                        (double)job->barrier_ns / 1000000.0);
        job->barrier_ns = slice_ns;
    }
}
