/*
 * ior_tasks: whose data a rank reads.
 *
 * The random permutation stands on the ring of ranks sorted by node.  All turn
 * by the same number of places, which is enough to get far away.  Then pairs of
 * ranks exchange what they got, if that leaves both far enough, in a few
 * rounds: in each, the partner of p is p xor a key, so that anyone can work out
 * what became of any rank.  At last the ranks of each node are shuffled.
 */
#include "bench/ior_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "base/order.h"
#include "base/rand.h"

enum { ROUNDS = 5, DRAWS = 4096 };

/* What is the same for all ranks of a phase. */
struct way {
    const struct tmk_owner_map *map;
    enum tmk_ior_tasks_kind kind;
    uint32_t shift;         /* CONSTANT: places further on in rank order */
    struct tmk_owner owner; /* CONSTANT, if that has a map: in the ring */
    uint32_t seed;          /* of the others */
    uint32_t least;         /* LEGACY: ranks, RANDOM: nodes to go at least */
    uint32_t turn;          /* RANDOM: places in the ring */
    uint32_t keys[ROUNDS];  /* RANDOM: likewise, of the partner */
};

/* ---- constant ---- */

/* Several nodes of as many ranks each, dealt out like cards. */
static bool in_turn(const struct tmk_owner_map *map)
{
    if (map->nodes == 1 || map->most_ranks != map->fewest_ranks) {
        return false;
    }
    for (uint32_t rank = 0; rank < map->ranks; rank++) {
        if (map->node[rank] != rank % map->nodes) {
            return false;
        }
    }
    return true;
}

/* What the original takes for the ranks of a node. */
static uint32_t node_ranks(const struct tmk_ior_tasks *tasks)
{
    return tasks->ranks_on_first != 0 ? tasks->ranks_on_first
                                      : tasks->map->first_node_ranks;
}

static void resolve_constant(struct way *w, const struct tmk_ior_tasks *tasks)
{
    const struct tmk_owner_map *map = tasks->map;
    uint64_t ranks = map->ranks;
    uint64_t shift = 1;

    if (tasks->original) {
        shift = map->block ? node_ranks(tasks) : 1;
    } else if (!in_turn(map)) {
        tmk_owner_init(&w->owner, map, tasks->nodes_on, TMK_OWNER_UNIT_NODE);
        return;
    }
    w->shift = (uint32_t)(tasks->nodes_on % ranks * (shift % ranks) % ranks);
}

static uint32_t constant(const struct way *w, uint32_t rank)
{
    if (w->owner.map != NULL) {
        return tmk_owner_of(&w->owner, rank, 1);
    }
    return (uint32_t)(((uint64_t)rank + w->shift) % w->map->ranks);
}

/* ---- random ---- */

static uint64_t draw(const struct way *w, unsigned i)
{
    return tmk_mix(tmk_mix(w->seed + tmk_mix_step) + (i + 1) * tmk_mix_step);
}

static void resolve_random(struct way *w, uint64_t nodes_on)
{
    const struct tmk_owner_map *map = w->map;
    uint32_t full = map->most_ranks;
    uint32_t passable = map->ranks / full - 1; /* nodes, wherever one stands */
    uint32_t least = 0;                        /* places to turn */
    uint32_t most = map->ranks - 1;
    uint32_t mask = 1;

    w->least = nodes_on < map->nodes ? (uint32_t)nodes_on : map->nodes - 1;
    if (w->least > 0 && passable > 0) {
        w->least = w->least < passable ? w->least : passable;
        least = w->least * full;
        most = map->ranks - full;
    } else if (w->least > 0) { /* one node has more than half of the ranks */
        w->least = 1;
        least = map->ranks - full;
        most = full;
    }
    w->turn = least + (uint32_t)(draw(w, 0) % (most - least + 1));
    while (mask < map->ranks - 1) {
        mask = mask << 1 | 1;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        w->keys[i] = 1 + (uint32_t)(draw(w, i + 1) % mask);
    }
}

/* All these are about places in the ring. */

static uint32_t node_at(const struct tmk_owner_map *map, uint32_t place)
{
    return map->node[map->at[place]];
}

static unsigned is_far(const struct way *w, uint32_t from, uint32_t to)
{
    uint32_t a = node_at(w->map, from);
    uint32_t b = node_at(w->map, to);

    return (b >= a ? b - a : b + (w->map->nodes - a)) >= w->least;
}

/* Heads or tails, for each pair and round. */
static bool toss(const struct way *w, uint32_t place, uint32_t partner,
                 unsigned round)
{
    uint64_t pair = place < partner ? place : partner;

    return (tmk_mix((uint64_t)w->seed << 32 ^ pair << 4 ^ round) & 1) != 0;
}

/* Where a place has got to after so many rounds. */
static uint32_t exchanged(const struct way *w, uint32_t place, unsigned rounds)
{
    uint32_t ranks = w->map->ranks;
    uint32_t partner;
    uint32_t mine;
    uint32_t other;

    if (rounds == 0) {
        return (uint32_t)(((uint64_t)place + w->turn) % ranks);
    }
    rounds--;
    partner = place ^ w->keys[rounds];
    mine = exchanged(w, place, rounds);
    if (partner >= ranks || toss(w, place, partner, rounds)) {
        return mine;
    }
    other = exchanged(w, partner, rounds);
    return is_far(w, place, other) + is_far(w, partner, mine) >=
                   is_far(w, place, mine) + is_far(w, partner, other)
               ? other
               : mine;
}

/* Another place of the same node. */
static uint32_t shuffled_in_node(const struct way *w, uint32_t place)
{
    const struct tmk_owner_map *map = w->map;
    uint32_t node = node_at(map, place);
    uint32_t first = place;
    uint32_t end = place + 1;
    struct tmk_order order;

    while (first > 0 && node_at(map, first - 1) == node) {
        first--;
    }
    while (end < map->ranks && node_at(map, end) == node) {
        end++;
    }
    tmk_order_init(&order, end - first, draw(w, ROUNDS + 1) + node);
    return first + (uint32_t)tmk_order_at(&order, place - first);
}

static uint32_t random_one(const struct way *w, uint32_t rank)
{
    uint32_t place = exchanged(w, w->map->place[rank], ROUNDS);

    return w->map->at[shuffled_in_node(w, place)];
}

/* ---- the original's ---- */

static void resolve_legacy(struct way *w, const struct tmk_ior_tasks *tasks)
{
    uint64_t nodes = w->map->nodes - 1;
    uint64_t least;

    if (tasks->nodes_on < nodes) {
        nodes = tasks->nodes_on;
    }
    /* Where the original finds no end: as far as there is. */
    least = nodes * node_ranks(tasks);
    w->least =
        least < w->map->ranks ? (uint32_t)least : (uint32_t)w->map->ranks - 1;
}

static uint32_t legacy_one(const struct way *w, uint32_t rank)
{
    uint64_t ranks = w->map->ranks;
    uint64_t left = 64 * ranks; /* one in `ranks` draws is right at least */
    struct tmk_rand r;
    uint64_t further;

    tmk_rand_init(&r, w->seed + rank);
    do {
        further = tmk_rand_next(&r) % ranks;
    } while (further < w->least && --left > 0);
    if (further < w->least) {
        further = w->least;
    }
    return (uint32_t)((rank + further) % ranks);
}

/* Who changes places with i in step i of the permutation. */
static uint32_t partner_in_step(struct tmk_rand *r, uint32_t i, uint32_t ranks)
{
    return i + tmk_rand_next(r) % (ranks - i);
}

/* The whole permutation; NULL: out of memory. */
static uint32_t *shuffle(const struct way *w)
{
    uint32_t ranks = w->map->ranks;
    uint32_t *to = calloc(ranks, sizeof(*to));
    struct tmk_rand r;

    if (to == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < ranks; i++) {
        to[i] = i;
    }
    tmk_rand_init(&r, w->seed);
    for (uint32_t i = 0; i + 1 < ranks; i++) {
        uint32_t other = partner_in_step(&r, i, ranks);
        uint32_t kept = to[i];

        to[i] = to[other];
        to[other] = kept;
    }
    return to;
}

/*
 * One element of it, which needs no memory: the steps are undone, last one
 * first.  So many draws at a time are kept; they begin anew for each lot.
 */
static uint32_t shuffle_one(const struct way *w, uint32_t rank)
{
    uint32_t ranks = w->map->ranks;
    uint32_t end = rank + 1 < ranks ? rank + 1 : ranks - 1; /* steps to undo */
    uint32_t others[DRAWS];
    uint32_t at = rank;

    while (end > 0) {
        uint32_t first = (end - 1) / DRAWS * DRAWS;
        struct tmk_rand r;

        tmk_rand_init(&r, w->seed);
        for (uint32_t i = 0; i < end; i++) {
            others[i % DRAWS] = partner_in_step(&r, i, ranks);
        }
        while (end > first) {
            uint32_t other = others[--end % DRAWS];

            if (at == end) {
                at = other;
            } else if (at == other) {
                at = end;
            }
        }
    }
    return at;
}

/* ---- all ---- */

static struct way resolve(const struct tmk_ior_tasks *tasks, int repetition)
{
    struct way w = {
        .map = tasks->map,
        .kind = tasks->kind,
        .seed = (uint32_t)tasks->seed,
    };

    if (tasks->seed < 0) {
        w.seed = 0 - w.seed + (uint32_t)repetition;
    }
    switch (tasks->kind) {
    case TMK_IOR_TASKS_OWN:
    case TMK_IOR_TASKS_SHUFFLE: break;
    case TMK_IOR_TASKS_CONSTANT: resolve_constant(&w, tasks); break;
    case TMK_IOR_TASKS_RANDOM: resolve_random(&w, tasks->nodes_on); break;
    case TMK_IOR_TASKS_LEGACY: resolve_legacy(&w, tasks); break;
    }
    return w;
}

static uint32_t source(const struct way *w, uint32_t rank)
{
    switch (w->kind) {
    case TMK_IOR_TASKS_OWN: break;
    case TMK_IOR_TASKS_CONSTANT: return constant(w, rank);
    case TMK_IOR_TASKS_RANDOM: return random_one(w, rank);
    case TMK_IOR_TASKS_LEGACY: return legacy_one(w, rank);
    case TMK_IOR_TASKS_SHUFFLE: return shuffle_one(w, rank);
    }
    return rank;
}

uint32_t tmk_ior_tasks_source(const struct tmk_ior_tasks *tasks, uint32_t rank,
                              int repetition)
{
    struct way w = resolve(tasks, repetition);

    return source(&w, rank);
}

double tmk_ior_tasks_foreign_share(const struct tmk_ior_tasks *tasks,
                                   int repetition)
{
    struct way w = resolve(tasks, repetition);
    uint32_t *all = w.kind == TMK_IOR_TASKS_SHUFFLE ? shuffle(&w) : NULL;
    uint32_t foreign = 0;

    for (uint32_t rank = 0; rank < w.map->ranks; rank++) {
        uint32_t of = all != NULL ? all[rank] : source(&w, rank);

        foreign += w.map->node[of] != w.map->node[rank];
    }
    free(all);
    return (double)foreign / w.map->ranks;
}

/* How often each file is read, to times[]. */
static void count_legacy(const struct way *w, uint32_t *times)
{
    for (uint32_t rank = 0; rank < w->map->ranks; rank++) {
        times[legacy_one(w, rank)]++;
    }
}

void tmk_ior_tasks_hits(const struct tmk_ior_tasks *tasks, int repetition,
                        uint64_t *hits, uint32_t n)
{
    struct way w = resolve(tasks, repetition);
    uint32_t ranks = w.map->ranks;
    uint32_t *times;

    if (n == 0) {
        return;
    }
    memset(hits, 0, n * sizeof(*hits));
    if (w.kind != TMK_IOR_TASKS_LEGACY) { /* a permutation */
        hits[n > 1] = ranks;
        return;
    }
    times = calloc(ranks, sizeof(*times));
    if (times == NULL) {
        return;
    }
    count_legacy(&w, times);
    for (uint32_t i = 0; i < ranks; i++) {
        hits[times[i] < n ? times[i] : n - 1]++;
    }
    free(times);
}
