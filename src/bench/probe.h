#ifndef TMK_BENCH_PROBE_H
#define TMK_BENCH_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/job.h"

/*
 * A file that rank 0 makes, for the other nodes to look for: is this place
 * shared?
 */

/* Whether this rank sees a file.  Asked for a second: NFS remembers what was
 * not there. */
bool tmk_probe_sees(const struct tmk_engine_ops *ops, struct tmk_engine *engine,
                    const char *path);

/*
 * How many nodes do not see the file, which rank 0 has made if `err` is 0
 * there, and which is removed; *sees is this rank's answer.  An error of rank 0
 * is warned of (NO_PROBE), and returned.  Collective.
 */
int tmk_probe_all(struct tmk_job *job, const struct tmk_engine_ops *ops,
                  struct tmk_engine *engine, const char *path, int err,
                  bool *sees, uint64_t *blind);

#endif
