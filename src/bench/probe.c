/*
 * probe: is a place on disk shared by nodes?
 */
#include "bench/probe.h"

#include <string.h>

#include "run/say.h"

enum { TRIES = 10, PAUSE_NS = 100000000 };

bool tmk_probe_sees(const struct tmk_engine_ops *ops, struct tmk_engine *engine,
                    const char *path)
{
    struct stat st;

    for (int i = 0; i < TRIES; i++) {
        if (ops->stat(engine, path, &st) == 0) {
            return true;
        }
        tmk_job_sleep(PAUSE_NS);
    }
    return false;
}

int tmk_probe_all(struct tmk_job *job, const struct tmk_engine_ops *ops,
                  struct tmk_engine *engine, const char *path, int err,
                  bool *sees, uint64_t *blind)
{
    *sees = true;
    *blind = 0;
    if (job->rank == 0 && err != 0) {
        (void)ops->unlink(engine, path);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_warning(job, "NO_PROBE",
                        "%s: %s: cannot tell whether nodes share it", path,
                        strerror(-err));
        return err;
    }
    if (job->layout.leads_node) {
        *sees = tmk_probe_sees(ops, engine, path);
    }
    *blind = tmk_job_sum_all(job, !*sees);
    if (job->rank == 0) {
        (void)ops->unlink(engine, path);
    }
    return 0;
}
