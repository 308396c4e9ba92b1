#ifndef TMK_BENCH_ENGINES_H
#define TMK_BENCH_ENGINES_H

#include "engine/engine.h"

/* Every engine that was built in, the default first; NULL-terminated. */
extern const struct tmk_engine_ops *const tmk_engines[];

/* Those of them for mdtest, which reads and writes at a current offset. */
extern const struct tmk_engine_ops *const tmk_engines_mdtest[];

#endif
