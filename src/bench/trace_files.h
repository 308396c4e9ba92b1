#ifndef TMK_BENCH_TRACE_FILES_H
#define TMK_BENCH_TRACE_FILES_H

#include <stdbool.h>

#include "engine/engine.h"
#include "run/job.h"
#include "run/output.h"

/*
 * --trace: a file of each rank with its calls on the file system.  The engine
 * of a launch is put into one that writes its calls down, and taken out again
 * at the end.  All 0 is a beginning.
 */
struct tmk_trace_files {
    const char *prefix;               /* borrowed; NULL = there is no trace */
    const struct tmk_engine_ops *ops; /* of the engine that is traced */
    struct tmk_engine *engine;        /* borrowed meanwhile */
    struct tmk_engine *around;        /* owned; the one that traces */
    struct tmk_output *out;           /* owned */
    char *buffer;                     /* owned; of out's stream */
};

/*
 * Open "<prefix>.<rank>" and let *ops and *engine write their calls to it.  0
 * or -errno, said; end_all is for both.  A NULL prefix: nothing is done.
 * Collective.
 */
int tmk_trace_files_begin_all(struct tmk_trace_files *trace,
                              struct tmk_job *job, const char *prefix,
                              const struct tmk_engine_ops **ops,
                              struct tmk_engine **engine);

/*
 * After the last call: what begin_all did is undone, the file is complete, or
 * as it was before where nothing has `begun`.  False if it could not be
 * written, which is said.  Collective.
 */
bool tmk_trace_files_end_all(struct tmk_trace_files *trace, struct tmk_job *job,
                             bool begun, const struct tmk_engine_ops **ops,
                             struct tmk_engine **engine);

#endif
