#ifndef TMK_CMD_ENGINES_H
#define TMK_CMD_ENGINES_H

#include "engine/engine.h"

/* Every engine that was built in, the default first; NULL-terminated. */
extern const struct tmk_engine_ops *const tmk_engines[];

#endif
