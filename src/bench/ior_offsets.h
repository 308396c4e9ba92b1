#ifndef TMK_BENCH_IOR_OFFSETS_H
#define TMK_BENCH_IOR_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/order.h"

/*
 * Where each transfer of a rank lies in its file.  N ranks, S segments of one
 * block of B bytes per rank, T bytes a transfer, n = B / T transfers a block;
 * P is the rank whose data is touched.  Pure.
 *
 *     shared file     i N B + P B + j T      segment i, transfer j of a block
 *     file per rank   i B + j T
 *
 *     SEQUENTIAL   in that order
 *     SHUFFLED     -z: every transfer once, in random order.  A shared file:
 *                  all N S n transfers are one permutation, of which P has its
 *                  equal share; a file per rank: its own S n.  Constant memory.
 *     BLOCKS       -z -z: for each segment a random block of the file, whose
 *                  transfers follow each other.  Of `file_bytes`.  When such a
 *                  file is written, the first block (of rank 0; of each rank
 *                  with a file of its own) is the last of the file, so that it
 *                  gets its full length.
 *     LEGACY       -z as in ior 4.1: the same draws from the C library's
 *                  generator, the same order in each segment, and unequal
 *                  shares of a shared file.  Needs memory for as many numbers
 *                  as a segment has transfers of P.
 */
enum tmk_ior_order {
    TMK_IOR_SEQUENTIAL,
    TMK_IOR_SHUFFLED,
    TMK_IOR_BLOCKS,
    TMK_IOR_LEGACY,
};

struct tmk_ior_offsets_how {
    enum tmk_ior_order order;
    bool shared;             /* one file for all ranks */
    uint64_t ranks;          /* N */
    uint64_t segments;       /* S, at least 1 */
    uint64_t block_bytes;    /* B, a multiple of transfer_bytes */
    uint64_t transfer_bytes; /* T */
    uint64_t seed;           /* of SHUFFLED and BLOCKS: mixes what the caller
                                wants mixed, such as the repetition */
    uint32_t legacy_seed;    /* of LEGACY */
    uint64_t file_bytes;     /* BLOCKS */
    bool extends;            /* BLOCKS: see above */
};

struct tmk_ior_offsets {
    struct tmk_ior_offsets_how how;
    uint64_t rank;                /* P */
    uint64_t per_block;           /* n */
    uint64_t count;               /* transfers of P in all; LEGACY may give 0 */
    uint64_t segment_bytes;       /* of the file: B, or N B if shared */
    struct tmk_order permutation; /* SHUFFLED */
    uint64_t blocks;              /* BLOCKS: of the file */
    uint64_t draws;               /* BLOCKS: where its random numbers begin */
    uint64_t *legacy;             /* owned: offsets within a segment */
    uint64_t n_legacy;
};

/*
 * The transfers of rank P.  0; -ENOMEM; -EINVAL if BLOCKS is asked of a file
 * that holds no block.
 */
int tmk_ior_offsets_init(struct tmk_ior_offsets *o,
                         const struct tmk_ior_offsets_how *how, uint64_t rank);

/* Also after a failed init. */
void tmk_ior_offsets_fini(struct tmk_ior_offsets *o);

/* The offset of transfer i < count, found at once; of any order. */
uint64_t tmk_ior_offsets_random(const struct tmk_ior_offsets *o, uint64_t i);

/*
 * Running through them in order costs no division, but for one in each random
 * block: a cursor.  After the last transfer comes the first again.
 */
struct tmk_ior_cursor {
    uint64_t at; /* offset of the next transfer, if it follows the last */
    uint64_t transfer_bytes;
    uint64_t left; /* that follow each other; 0: where the next one lies is to
                      be worked out */
    uint64_t part; /* the next block, LEGACY: this segment */
    uint64_t i;    /* SHUFFLED: the next transfer, LEGACY: of this segment */
    const struct tmk_ior_offsets *offsets;
};

void tmk_ior_cursor_init(struct tmk_ior_cursor *c,
                         const struct tmk_ior_offsets *o);

/* The slow half of tmk_ior_cursor_next(). */
uint64_t tmk_ior_cursor_jump(struct tmk_ior_cursor *c);

/* Offset of the next transfer, which is passed.  count must not be 0. */
static inline uint64_t tmk_ior_cursor_next(struct tmk_ior_cursor *c)
{
    uint64_t at = c->at;

    if (c->left == 0) {
        return tmk_ior_cursor_jump(c);
    }
    c->left--;
    c->at += c->transfer_bytes;
    return at;
}

/*
 * Whose data lies at an offset of the file.  In a shared file that is the rank
 * whose block it is, so that data does not depend on the order it was written
 * in and any order can check it; but under LEGACY it is P itself, if that is
 * an offset of P.  In a file of a rank's own it is P.
 */
uint64_t tmk_ior_offsets_writer(const struct tmk_ior_offsets *o,
                                uint64_t offset);

#endif
