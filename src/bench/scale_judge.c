/*
 * scale_judge: what a rate grows with.
 */
#include "bench/scale_judge.h"

#include <math.h>
#include <stdio.h>

/* Nearer to twice as much than to the same. */
#define GROWS 1.41421356

#define NEAR_PEAK 0.95

/* The mean growth per doubling between pairs of points that differ in one
 * axis, each with the next one on it. */
static double growth(const struct tmk_scale_value *values, size_t n,
                     bool by_nodes)
{
    double logs = 0;
    double doublings = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tmk_scale_value *a = &values[i];
        const struct tmk_scale_value *next = NULL;

        for (size_t k = 0; k < n; k++) {
            const struct tmk_scale_value *b = &values[k];
            uint32_t from = by_nodes ? a->nodes : a->ppn;
            uint32_t to = by_nodes ? b->nodes : b->ppn;
            bool same = by_nodes ? a->ppn == b->ppn : a->nodes == b->nodes;

            if (same && to > from && b->rate > 0 &&
                (next == NULL || to < (by_nodes ? next->nodes : next->ppn))) {
                next = b;
            }
        }
        if (next != NULL && a->rate > 0) {
            logs += log2(next->rate / a->rate);
            doublings += by_nodes ? log2((double)next->nodes / a->nodes)
                                  : log2((double)next->ppn / a->ppn);
        }
    }
    return doublings > 0 ? exp2(logs / doublings) : 0;
}

struct tmk_scale_bound tmk_scale_bound_of(const struct tmk_scale_value *values,
                                          size_t n)
{
    return (struct tmk_scale_bound){
        .by_nodes = growth(values, n, true),
        .by_ppn = growth(values, n, false),
    };
}

void tmk_scale_bound_say(const struct tmk_scale_bound *bound, char *buf,
                         size_t size)
{
    bool nodes = bound->by_nodes >= GROWS;
    bool ppn = bound->by_ppn >= GROWS;
    char with_ppn[48] = "";
    char with_nodes[48] = "";

    if (bound->by_nodes <= 0 && bound->by_ppn <= 0) {
        (void)snprintf(buf, size,
                       "not seen: it takes points that differ in nodes "
                       "alone, or in ranks per node alone");
        return;
    }
    if (bound->by_ppn > 0) {
        (void)snprintf(with_ppn, sizeof(with_ppn),
                       ", x%.1f with ranks per node", bound->by_ppn);
    }
    if (bound->by_nodes > 0) {
        (void)snprintf(with_nodes, sizeof(with_nodes), ", x%.1f with nodes",
                       bound->by_nodes);
    }
    (void)snprintf(buf, size, "%s%s%s",
                   nodes && ppn                 ? "by ranks"
                   : nodes && bound->by_ppn > 0 ? "by nodes"
                   : nodes                      ? "by nodes or ranks"
                   : ppn && bound->by_nodes > 0 ? "by ranks of a node"
                   : ppn                        ? "by ranks"
                                                : "by what all share",
                   with_ppn, with_nodes);
}

size_t tmk_scale_peak(const struct tmk_scale_value *values, size_t n,
                      bool one_node)
{
    uint32_t nodes = 1;
    double best = 0;
    size_t found = n;

    for (size_t i = 0; i < n && !one_node; i++) {
        nodes = values[i].nodes > nodes ? values[i].nodes : nodes;
    }
    for (size_t i = 0; i < n; i++) {
        if (values[i].nodes == nodes && values[i].rate > best) {
            best = values[i].rate;
        }
    }
    for (size_t i = 0; i < n && best > 0; i++) {
        if (values[i].nodes == nodes && values[i].rate >= NEAR_PEAK * best &&
            (found == n || values[i].ranks < values[found].ranks)) {
            found = i;
        }
    }
    return found;
}

bool tmk_scale_is_sure(const struct tmk_stats *rate, uint64_t too_short,
                       double share)
{
    return rate->n >= 2 && (too_short >= rate->n || !(rate->mean > 0) ||
                            tmk_stats_ci95(rate) <= share * rate->mean);
}
