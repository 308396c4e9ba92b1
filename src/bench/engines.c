/*
 * engines: one line per storage API.
 */
#include "bench/engines.h"

#include <stddef.h>

const struct tmk_engine_ops *const tmk_engines[] = {
    &tmk_engine_posix,
    &tmk_engine_dummy,
    &tmk_engine_mmap,
    &tmk_engine_mpiio,
#ifdef TMK_WITH_URING
    &tmk_engine_uring,
#endif
    NULL,
};

const struct tmk_engine_ops *const tmk_engines_mdtest[] = {
    &tmk_engine_posix,
    &tmk_engine_dummy,
    NULL,
};
