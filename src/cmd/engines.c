/*
 * engines: one line per storage API.
 */
#include "cmd/engines.h"

#include <stddef.h>

const struct tmk_engine_ops *const tmk_engines[] = {
    &tmk_engine_posix,
    &tmk_engine_dummy,
    NULL,
};
