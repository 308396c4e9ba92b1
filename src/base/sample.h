#ifndef TMK_BASE_SAMPLE_H
#define TMK_BASE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Operations over time, in constant memory: a fixed number of slots of one
 * width.
 */
enum { TMK_SAMPLE_SLOTS = 128 };

struct tmk_sample_series {
    uint64_t width_ns; /* of a slot */
    size_t n;          /* slots; 0 = not asked for */
    /* That succeeded and ended in each slot; the first begins with the phase.
     * Together they are the operations of the phase. */
    uint64_t operations[TMK_SAMPLE_SLOTS];
};

#endif
