/*
 * scale_plan: the points of a study.
 */
#include "bench/scale_plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/why.h"

static bool add(struct tmk_scale_list *list, uint64_t value)
{
    if (list->n == TMK_SCALE_LIST_MAX || value == 0 || value > INT32_MAX) {
        return false;
    }
    for (unsigned i = 0; i < list->n; i++) {
        if (list->values[i] == value) {
            return true;
        }
    }
    list->values[list->n++] = (uint32_t)value;
    return true;
}

/* The number at *s, which is moved behind it; 0 if there is none. */
static uint64_t take(const char **s)
{
    char *end;
    unsigned long long value;

    if (**s < '0' || **s > '9') {
        return 0;
    }
    errno = 0;
    value = strtoull(*s, &end, 10);
    *s = end;
    return errno == 0 ? value : 0;
}

const char *tmk_scale_map_name(const struct tmk_scale_point *point)
{
    return !point->is_path                  ? "grid"
           : point->map == TMK_SCALE_SPREAD ? "spread"
                                            : "pack";
}

int tmk_scale_list_parse(struct tmk_scale_list *list, const char *text)
{
    const char *s = text;

    *list = (struct tmk_scale_list){0};
    for (;;) {
        uint64_t value = take(&s);

        if (!add(list, value)) {
            return -EINVAL;
        }
        if (strncmp(s, "..", 2) == 0) {
            uint64_t last;

            s += 2;
            last = take(&s);
            if (last < value) {
                return -EINVAL;
            }
            while (2 * value < last) {
                value *= 2;
                if (!add(list, value)) {
                    return -EINVAL;
                }
            }
            if (!add(list, last)) {
                return -EINVAL;
            }
        }
        if (*s == '\0') {
            return 0;
        }
        if (*s++ != ',') {
            return -EINVAL;
        }
    }
}

/* Powers of two below `most`, and that. */
static void fill(struct tmk_scale_list *list, uint32_t most)
{
    for (uint32_t value = 1; value < most; value *= 2) {
        (void)add(list, value);
    }
    (void)add(list, most);
}

int tmk_scale_places_init(struct tmk_scale_places *places,
                          const struct tmk_owner_map *map)
{
    uint32_t node = 0;

    *places = (struct tmk_scale_places){
        .map = map, .start = calloc(map->nodes + 1, sizeof(uint32_t))};
    if (places->start == NULL) {
        return -ENOMEM;
    }
    for (uint32_t at = 0; at < map->ranks; at++) {
        while (node < map->node[map->at[at]]) {
            places->start[++node] = at;
        }
    }
    places->start[map->nodes] = map->ranks;
    return 0;
}

void tmk_scale_places_fini(struct tmk_scale_places *places)
{
    free(places->start);
    *places = (struct tmk_scale_places){0};
}

static uint32_t ranks_on(const struct tmk_scale_places *p, uint32_t node)
{
    return p->start[node + 1] - p->start[node];
}

/* The place of a rank among those of its node, from 0. */
static uint32_t place_of(const struct tmk_scale_places *p, uint32_t rank)
{
    return p->map->place[rank] - p->start[p->map->node[rank]];
}

static uint32_t least_on(const struct tmk_scale_places *p, uint32_t nodes)
{
    uint32_t least = UINT32_MAX;

    for (uint32_t node = 0; node < nodes; node++) {
        least = ranks_on(p, node) < least ? ranks_on(p, node) : least;
    }
    return least;
}

/* Deal the ranks of a path to nodes in turn: up to which node the last round
 * comes. */
static void deal(struct tmk_scale_point *point,
                 const struct tmk_scale_places *places)
{
    const uint32_t nodes = places->map->nodes;
    uint32_t left = point->ranks;

    for (uint32_t round = 0; left > 0; round++) {
        uint32_t node = 0;

        for (; node < nodes && left > 0; node++) {
            left -= ranks_on(places, node) > round;
        }
        point->last_round = round;
        point->last_nodes = node;
    }
}

bool tmk_scale_point_has(const struct tmk_scale_point *point,
                         const struct tmk_scale_places *places, uint32_t rank)
{
    const uint32_t place = place_of(places, rank);

    if (point->is_path && point->map == TMK_SCALE_PACK) {
        return places->map->place[rank] < point->ranks;
    }
    if (point->is_path) {
        return place < point->last_round ||
               (place == point->last_round &&
                places->map->node[rank] < point->last_nodes);
    }
    return places->map->node[rank] < point->nodes && place < point->ppn;
}

/* The nodes that a path comes to, and the ranks of the fullest. */
static void measure(struct tmk_scale_point *point,
                    const struct tmk_scale_places *places)
{
    uint32_t here = 0;

    if (point->map == TMK_SCALE_SPREAD) {
        deal(point, places);
    }
    for (uint32_t at = 0; at < places->map->ranks; at++) {
        uint32_t rank = places->map->at[at];

        here = place_of(places, rank) == 0 ? 0 : here;
        if (tmk_scale_point_has(point, places, rank)) {
            point->nodes += here == 0;
            here++;
            point->ppn = here > point->ppn ? here : point->ppn;
        }
    }
}

static int push(struct tmk_scale_plan *plan, const struct tmk_scale_point *p)
{
    if (plan->n == TMK_SCALE_POINTS_MAX) {
        return -E2BIG;
    }
    plan->points[plan->n++] = *p;
    return 0;
}

static int make_path(struct tmk_scale_plan *plan,
                     const struct tmk_scale_ask *ask, unsigned variant,
                     const struct tmk_scale_places *places, char *why,
                     size_t size)
{
    for (unsigned i = 0; i < ask->ranks.n; i++) {
        struct tmk_scale_point point = {
            .ranks = ask->ranks.values[i],
            .is_path = true,
            .map = ask->map,
            .variant = variant,
        };

        if (point.ranks > places->map->ranks) {
            return tmk_why(why, size, "--ranks: %u: there are %u", point.ranks,
                           places->map->ranks);
        }
        measure(&point, places);
        if (push(plan, &point) != 0) {
            return tmk_why(why, size, "more than %d points",
                           TMK_SCALE_POINTS_MAX);
        }
    }
    return 0;
}

static int make_grid(struct tmk_scale_plan *plan,
                     const struct tmk_scale_list *nodes,
                     const struct tmk_scale_list *ppn, bool given,
                     unsigned variant, const struct tmk_scale_places *places,
                     char *why, size_t size)
{
    const struct tmk_owner_map *map = places->map;

    for (unsigned k = 0; k < ppn->n; k++) {
        for (unsigned i = 0; i < nodes->n; i++) {
            struct tmk_scale_point point = {
                .nodes = nodes->values[i],
                .ppn = ppn->values[k],
                .ranks = nodes->values[i] * ppn->values[k],
                .variant = variant,
            };

            if (point.nodes > map->nodes) {
                return tmk_why(why, size, "--nodes: %u: there %s %u",
                               point.nodes, map->nodes == 1 ? "is" : "are",
                               map->nodes);
            }
            if (point.ppn > least_on(places, point.nodes)) {
                if (!given) {
                    continue; /* uneven nodes: not all points are there */
                }
                return tmk_why(
                    why, size,
                    "--ppn: %u: one of the first %u nodes has %u ranks",
                    point.ppn, point.nodes, least_on(places, point.nodes));
            }
            if (push(plan, &point) != 0) {
                return tmk_why(why, size, "more than %d points",
                               TMK_SCALE_POINTS_MAX);
            }
        }
    }
    return 0;
}

int tmk_scale_plan_make(struct tmk_scale_plan *plan,
                        const struct tmk_scale_ask *ask,
                        const struct tmk_scale_places *places, char *why,
                        size_t size)
{
    struct tmk_scale_list nodes = ask->nodes;
    struct tmk_scale_list ppn = ask->ppn;
    int err = 0;

    if (ask->ranks.n != 0 && (nodes.n != 0 || ppn.n != 0)) {
        return tmk_why(why, size,
                       "--ranks is a path, --nodes and --ppn a "
                       "grid: one of the two");
    }
    if (nodes.n == 0) {
        fill(&nodes, places->map->nodes);
    }
    if (ppn.n == 0) {
        fill(&ppn, places->map->most_ranks);
    }
    plan->n = 0;
    for (unsigned v = 0; v < ask->variants && err == 0; v++) {
        err = ask->ranks.n != 0 ? make_path(plan, ask, v, places, why, size)
                                : make_grid(plan, &nodes, &ppn, ask->ppn.n != 0,
                                            v, places, why, size);
    }
    return err;
}

uint64_t tmk_scale_share(uint64_t total, uint32_t ranks, uint64_t unit,
                         uint64_t *left)
{
    uint64_t share = total / ranks;

    share -= unit != 0 ? share % unit : 0;
    if (share == 0 && total != 0) {
        share = unit != 0 ? unit : 1;
    }
    *left = total > share * ranks ? total - share * ranks : 0;
    return share;
}
