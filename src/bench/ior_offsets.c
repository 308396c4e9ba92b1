/*
 * ior_offsets: where the transfers of a rank lie in its file.  The transfers of
 * all ranks tile the file in steps of T, so that an order of transfers is an
 * order of numbers.
 */
#include "bench/ior_offsets.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mix.h"
#include "base/rand.h"

/* Ranks that share a file. */
static uint64_t sharers(const struct tmk_ior_offsets_how *how)
{
    return how->shared ? how->ranks : 1;
}

/* P among the sharers of its file. */
static uint64_t place(const struct tmk_ior_offsets *o)
{
    return o->how.shared ? o->rank : 0;
}

/* A sequence of random numbers of each rank's own. */
static uint64_t seed_of_rank(const struct tmk_ior_offsets *o)
{
    return tmk_mix(tmk_mix(o->how.seed + tmk_mix_step) + o->rank);
}

/*
 * Deal out the transfers of a segment as the original does, a draw for each in
 * the order of the file.  P's offsets go to `mine`, if that is not NULL.
 * Returns how many there are.
 */
static uint64_t deal(const struct tmk_ior_offsets *o, struct tmk_rand *r,
                     uint64_t *mine)
{
    const struct tmk_ior_offsets_how *how = &o->how;
    uint64_t n = 0;

    for (uint64_t at = 0; at < o->segment_bytes; at += how->transfer_bytes) {
        if (how->shared && tmk_rand_next(r) % how->ranks != o->rank) {
            continue;
        }
        if (mine != NULL) {
            mine[n] = at;
        }
        n++;
    }
    return n;
}

/* As the original: not every order is equally likely. */
static void shuffle(uint64_t *numbers, uint64_t n, struct tmk_rand *r)
{
    for (uint64_t i = 0; i < n; i++) {
        uint64_t other = tmk_rand_next(r) % n;
        uint64_t kept = numbers[i];

        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

static int init_legacy(struct tmk_ior_offsets *o)
{
    uint32_t seed = o->how.legacy_seed;
    uint64_t n = o->per_block;
    struct tmk_rand r;

    if (o->how.shared) {
        tmk_rand_init(&r, seed);
        n = deal(o, &r, NULL);
    } else {
        seed += (uint32_t)o->rank;
    }
    o->n_legacy = n;
    o->count = n * o->how.segments;
    if (n == 0) {
        return 0;
    }
    o->legacy = calloc(n, sizeof(*o->legacy));
    if (o->legacy == NULL) {
        return -ENOMEM;
    }
    tmk_rand_init(&r, seed);
    (void)deal(o, &r, o->legacy);
    shuffle(o->legacy, n, &r);
    return 0;
}

int tmk_ior_offsets_init(struct tmk_ior_offsets *o,
                         const struct tmk_ior_offsets_how *how, uint64_t rank)
{
    uint64_t per_block = how->block_bytes / how->transfer_bytes;
    int err = 0;

    *o = (struct tmk_ior_offsets){
        .how = *how,
        .rank = rank,
        .per_block = per_block,
        .count = how->segments * per_block,
        .segment_bytes = sharers(how) * how->block_bytes,
    };
    switch (how->order) {
    case TMK_IOR_SEQUENTIAL: break;
    case TMK_IOR_SHUFFLED:
        tmk_order_init(&o->permutation, o->count * sharers(how),
                       how->shared ? how->seed : seed_of_rank(o));
        break;
    case TMK_IOR_BLOCKS:
        o->blocks = how->file_bytes / how->block_bytes;
        o->draws = seed_of_rank(o);
        err = o->blocks == 0 ? -EINVAL : 0;
        break;
    case TMK_IOR_LEGACY: err = init_legacy(o); break;
    }
    return err;
}

void tmk_ior_offsets_fini(struct tmk_ior_offsets *o)
{
    free(o->legacy);
    *o = (struct tmk_ior_offsets){0};
}

/*
 * A block of the file for a segment.  The remainder makes some blocks likelier
 * than others by a part in 2^64 / blocks.
 */
static uint64_t drawn_block(const struct tmk_ior_offsets *o, uint64_t segment)
{
    if (o->how.extends && segment == 0 && place(o) == 0) {
        return o->blocks - 1;
    }
    return tmk_mix(o->draws + (segment + 1) * tmk_mix_step) % o->blocks;
}

/* Where P's block of a segment begins; SEQUENTIAL, BLOCKS. */
static uint64_t block_at(const struct tmk_ior_offsets *o, uint64_t segment)
{
    if (o->how.order == TMK_IOR_BLOCKS) {
        return drawn_block(o, segment) * o->how.block_bytes;
    }
    return segment * o->segment_bytes + place(o) * o->how.block_bytes;
}

/* Transfer i of P in the order of all. */
static uint64_t shuffled(const struct tmk_ior_offsets *o, uint64_t i)
{
    return tmk_order_at(&o->permutation, place(o) * o->count + i) *
           o->how.transfer_bytes;
}

uint64_t tmk_ior_offsets_random(const struct tmk_ior_offsets *o, uint64_t i)
{
    uint64_t at = 0;

    switch (o->how.order) {
    case TMK_IOR_SEQUENTIAL:
    case TMK_IOR_BLOCKS:
        at = block_at(o, i / o->per_block) +
             i % o->per_block * o->how.transfer_bytes;
        break;
    case TMK_IOR_SHUFFLED: at = shuffled(o, i); break;
    case TMK_IOR_LEGACY:
        at = i / o->n_legacy * o->segment_bytes + o->legacy[i % o->n_legacy];
        break;
    }
    return at;
}

void tmk_ior_cursor_init(struct tmk_ior_cursor *c,
                         const struct tmk_ior_offsets *o)
{
    *c = (struct tmk_ior_cursor){
        .offsets = o,
        .transfer_bytes = o->how.transfer_bytes,
    };
}

static uint64_t next_shuffled(struct tmk_ior_cursor *c)
{
    const struct tmk_ior_offsets *o = c->offsets;

    if (c->i == o->count) {
        c->i = 0;
    }
    return shuffled(o, c->i++);
}

static uint64_t next_legacy(struct tmk_ior_cursor *c)
{
    const struct tmk_ior_offsets *o = c->offsets;

    if (c->i == o->n_legacy) {
        c->i = 0;
        c->part++;
    }
    if (c->part == o->how.segments) {
        c->part = 0;
    }
    return c->part * o->segment_bytes + o->legacy[c->i++];
}

uint64_t tmk_ior_cursor_jump(struct tmk_ior_cursor *c)
{
    const struct tmk_ior_offsets *o = c->offsets;
    uint64_t at;

    switch (o->how.order) {
    case TMK_IOR_SHUFFLED: return next_shuffled(c);
    case TMK_IOR_LEGACY: return next_legacy(c);
    default: break;
    }
    if (c->part == o->how.segments) {
        c->part = 0;
    }
    at = block_at(o, c->part++);
    c->at = at + o->how.transfer_bytes;
    c->left = o->per_block - 1;
    return at;
}

uint64_t tmk_ior_offsets_writer(const struct tmk_ior_offsets *o,
                                uint64_t offset)
{
    if (!o->how.shared || o->how.order == TMK_IOR_LEGACY) {
        return o->rank;
    }
    return offset / o->how.block_bytes % o->how.ranks;
}
