/*
 * mpiio_view: offsets of a shared file in the view of one rank.
 */
#include "engine/mpiio_view.h"

#include <errno.h>

int tmk_mpiio_view_offset(const struct tmk_engine_transfers *t,
                          uint64_t *offset, size_t bytes)
{
    uint64_t segment = *offset / t->block_bytes / t->ranks;
    uint64_t begin = (segment * t->ranks + t->rank) * t->block_bytes;

    if (*offset < begin || *offset - begin > t->block_bytes ||
        bytes > t->block_bytes - (*offset - begin)) {
        return -EINVAL;
    }
    *offset = segment * t->block_bytes + (*offset - begin);
    return 0;
}
