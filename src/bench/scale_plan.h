#ifndef TMK_BENCH_SCALE_PLAN_H
#define TMK_BENCH_SCALE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/owner.h"

enum { TMK_SCALE_LIST_MAX = 64, TMK_SCALE_POINTS_MAX = 1024 };

/* Numbers from a list, "1,2,4" or with "..", which doubles: "1,2,4..512". */
struct tmk_scale_list {
    unsigned n; /* 0 = not given */
    uint32_t values[TMK_SCALE_LIST_MAX];
};

/* 0 or -EINVAL. */
int tmk_scale_list_parse(struct tmk_scale_list *list, const char *text);

enum tmk_scale_map { TMK_SCALE_PACK, TMK_SCALE_SPREAD };

struct tmk_scale_point;

/* What results call it: "grid", "pack", "spread". */
const char *tmk_scale_map_name(const struct tmk_scale_point *point);

/* What is asked for. */
struct tmk_scale_ask {
    struct tmk_scale_list nodes, ppn; /* a grid */
    struct tmk_scale_list ranks;      /* or a path */
    enum tmk_scale_map map;           /* of the path */
    unsigned variants;                /* of --vary; 1 at least */
};

/* One point: which ranks work. */
struct tmk_scale_point {
    uint32_t nodes;
    uint32_t ppn; /* on the fullest node */
    uint32_t ranks;
    bool is_path; /* `ranks` of a path, by `map` */
    enum tmk_scale_map map;
    uint32_t last_round, last_nodes; /* of a path that is spread: as far as the
                                        last of the rounds comes */
    unsigned variant;                /* of --vary */
};

struct tmk_scale_plan {
    struct tmk_scale_point points[TMK_SCALE_POINTS_MAX];
    size_t n;
};

/* Ranks node by node: where each node begins in the map's ring. */
struct tmk_scale_places {
    const struct tmk_owner_map *map; /* borrowed */
    uint32_t *start;                 /* owned; nodes + 1 of them */
};

/* 0 or -ENOMEM. */
int tmk_scale_places_init(struct tmk_scale_places *places,
                          const struct tmk_owner_map *map);
void tmk_scale_places_fini(struct tmk_scale_places *places);

/*
 * All points, in the order in which they are shown: variants, then ranks per
 * node, then nodes.  What was not given is all powers of two up to what there
 * is, and what there is itself.  0, or -EINVAL with `why`: "--nodes: 8: there
 * are 4 nodes".
 */
int tmk_scale_plan_make(struct tmk_scale_plan *plan,
                        const struct tmk_scale_ask *ask,
                        const struct tmk_scale_places *places, char *why,
                        size_t why_size);

/*
 * Whether a rank works at a point: of a grid, the first `ppn` ranks of the
 * first nodes; of a path, ranks are dealt to nodes in turn (spread), or fill
 * node after node (pack).  Rank 0 always does.
 */
bool tmk_scale_point_has(const struct tmk_scale_point *point,
                         const struct tmk_scale_places *places, uint32_t rank);

/*
 * A rank's part of a total: the whole part of total / ranks, as a multiple of
 * `unit`, which it is at least.  *left is what nobody gets.  A total of 0 stays
 * 0, and a unit of 0, which the benchmark will refuse, is none.
 */
uint64_t tmk_scale_share(uint64_t total, uint32_t ranks, uint64_t unit,
                         uint64_t *left);

#endif
