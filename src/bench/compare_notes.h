#ifndef TMK_BENCH_COMPARE_NOTES_H
#define TMK_BENCH_COMPARE_NOTES_H

#include <jansson.h>

#include "bench/compare_rows.h"

/*
 * Note in which of these ways a run of a side did a point otherwise than the
 * first run of the side, or, if it is the first, than that of the other side.
 * 0 or -ENOMEM.
 */
int tmk_compare_notes_add(struct tmk_compare *compare,
                          struct tmk_compare_point *point, unsigned side,
                          json_t *how);

#endif
