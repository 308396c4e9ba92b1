#ifndef TMK_ENGINE_MPIIO_VIEW_H
#define TMK_ENGINE_MPIIO_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

/*
 * Where an offset of a shared file is in the view of a rank, which has its
 * blocks alone, one behind the other:
 *
 *     the file          0 1 2  0 1 2  0 1 2    (N = 3, S = 3)
 *     view of rank 1    1 1 1
 *
 * 0, or -EINVAL for bytes that are not all in one block of t->rank.
 */
int tmk_mpiio_view_offset(const struct tmk_engine_transfers *t,
                          uint64_t *offset, size_t bytes);

#endif
