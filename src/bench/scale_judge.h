#ifndef TMK_BENCH_SCALE_JUDGE_H
#define TMK_BENCH_SCALE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

/* One operation at one point: its mean rate. */
struct tmk_scale_value {
    uint32_t nodes, ppn, ranks;
    double rate; /* 0 = the point has none */
};

/* How an operation grows. */
struct tmk_scale_bound {
    double by_nodes; /* geometric mean of its growth where nodes double and
                        ranks per node stay; 0 = not seen */
    double by_ppn;   /* likewise where ranks per node double; on any nodes */
};

/* Growth is for a doubling: between points that are farther apart, its root. */
struct tmk_scale_bound tmk_scale_bound_of(const struct tmk_scale_value *values,
                                          size_t n);

/*
 * In words: "by nodes, x1.0 with ranks per node, x1.8 with nodes".  What grows
 * by 1.4 (the root of 2) or more in a doubling is what it is bound by.
 */
void tmk_scale_bound_say(const struct tmk_scale_bound *bound, char *buf,
                         size_t size);

/*
 * The least ranks that reach 95 % of the best rate: of the points on one node,
 * or on all of the most nodes.  The index of the value, or n if there is none.
 */
size_t tmk_scale_peak(const struct tmk_scale_value *values, size_t n,
                      bool one_node);

/*
 * Whether the 95 % interval of a rate is within `share` of its mean, as
 * --until-ci wants it.  Where all of its phases were too short to trust, two of
 * them are enough: more would not help.
 */
bool tmk_scale_is_sure(const struct tmk_stats *rate, uint64_t too_short,
                       double share);

#endif
