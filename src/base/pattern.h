#ifndef TMK_BASE_PATTERN_H
#define TMK_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The data in files: made from the owner (a rank), the item (its number) and
 * the seed alone, so that any process can tell what a file has to hold.
 *
 * The content is a sequence of 64-bit words in native byte order; g is the
 * seed, o the owner, x the item, j the number of a word.  A length that is no
 * multiple of 8 leaves a tail of 1 to 7 bytes.
 *
 * The first four kinds are the original's, byte by byte; arithmetic wraps as
 * it does there.  Their tail byte at offset n is n % 256, so that files below
 * 8 bytes are all alike.  rand_r is the C library's, and so is the data.
 *
 *     timestamp       o * 2^32 | (g + j), g sign-extended: no trace of x, and
 *                     with a negative g hardly one of o
 *     offset          the same, but word 0 of the k-th 4096 bytes, k from 1,
 *                     is o * 2^32 | (x * k) % 2^32
 *     incompressible  one number of rand_r in all words (it compresses very
 *                     well), but for the words that offset writes, too
 *     random          a generator of 61 bits, started by rand_r with g + o + x
 *
 * The others are ours.  Their tail is the beginning of the next word: files of
 * a few bytes differ as far as so few bytes can.
 *
 *     unique          o % 2^20, x % 2^28 and j % 2^16, scrambled with g in a
 *                     way that can be undone: a word tells where it belongs
 *     noise           differs in every word, nothing of it compresses
 *     place           x is the offset in a file at which the content begins:
 *                     word w of the file is o % 2^20 and w % 2^44, scrambled
 *                     like unique, so that it makes no difference how a file
 *                     is cut into items.  The first bytes of one whose x is no
 *                     multiple of 8 are the end of the word before.
 */
enum tmk_pattern_kind {
    TMK_PATTERN_TIMESTAMP,
    TMK_PATTERN_OFFSET,
    TMK_PATTERN_INCOMPRESSIBLE,
    TMK_PATTERN_RANDOM,
    TMK_PATTERN_UNIQUE,
    TMK_PATTERN_NOISE,
    TMK_PATTERN_PLACE,
    TMK_PATTERN_KINDS
};

struct tmk_pattern {
    enum tmk_pattern_kind kind;
    int32_t seed;
    /*
     * Length of the files as written; 0 = not known.  It says where the tail
     * begins, which matters to those who read less than was written.
     */
    uint64_t bytes;
    /*
     * noise: how far it is to compress, 2 = to a half; 0 and 1 = not at all.
     * The words at the end of each 4096 bytes are 0 then: 512 / compress are
     * left, at least one.
     */
    double compress;
    /*
     * An item is the offset of the content in a file, as place takes it to be
     * anyway: a mismatch is told by its offset in the file.
     */
    bool items_are_offsets;
    /* place: the number of ranks and the length of a file, 0 = not known.
     * What lies within is taken for misplaced, not for garbage. */
    uint64_t owners, file_bytes;
};

/* The kind that a non-empty beginning of its name stands for, or -EINVAL. */
int tmk_pattern_find(const char *text);

/* Static storage. */
const char *tmk_pattern_name(enum tmk_pattern_kind kind);

/*
 * Content is made in two steps: begin writes to buf what all items of an owner
 * share, item turns that, or the content of another item of this owner, into
 * the content of one item; both get the same length.  Item has nothing to do
 * for timestamp, one word in 4096 bytes for offset and incompressible, and
 * all words for the rest.
 *
 * buf need not be aligned.  It gets the first `length` bytes of a file; behind
 * pattern->bytes, where there is no data, it is left alone.
 */
void tmk_pattern_begin(const struct tmk_pattern *pattern, uint64_t owner,
                       void *buf, size_t length);
void tmk_pattern_item(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, void *buf, size_t length);

/* The first place where data is not what it has to be. */
struct tmk_pattern_mismatch {
    uint64_t owner, item;     /* of the content that should be there */
    uint64_t offset;          /* of the word or of the tail, in bytes */
    uint64_t expected, found; /* a tail comes first in memory, then zeros */
    uint64_t bytes;           /* 8, or of a tail how many */
};

/*
 * Whether `length` bytes of `got` are the content of an item, which `want`
 * holds since tmk_pattern_item(), of this length or more.  *bad is written
 * only if they are not.  Where the length as written is not known, two forms
 * of the last bytes % 8 bytes are right: a tail and the beginning of a word.
 */
bool tmk_pattern_same(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, const void *want, const void *got,
                      size_t length, struct tmk_pattern_mismatch *bad);

/*
 * tmk_pattern_item() to `want`, of `length` bytes, and tmk_pattern_same(); but
 * quicker, because `want` is not made use of as long as all is well: it holds
 * the content of an item only if the answer is false.
 */
bool tmk_pattern_check(const struct tmk_pattern *pattern, uint64_t owner,
                       uint64_t item, void *want, const void *got,
                       size_t length, struct tmk_pattern_mismatch *bad);

/* What a word of unique data or of a place says of itself. */
enum {
    TMK_PATTERN_OWNER_BITS = 20,
    TMK_PATTERN_ITEM_BITS = 28,  /* unique */
    TMK_PATTERN_BYTE_BITS = 19,  /* unique: offset in the item */
    TMK_PATTERN_OFFSET_BITS = 47 /* place: offset in the file */
};

struct tmk_pattern_place {
    uint64_t owner;
    uint64_t item;   /* place: 0 */
    uint64_t offset; /* in bytes */
};

/* Every word says something; whether that is true is for others to judge. */
struct tmk_pattern_place tmk_pattern_decode(const struct tmk_pattern *pattern,
                                            uint64_t word);

/*
 * Whether so many words, the first of a file or of 4096 bytes of it, follow
 * each other as those of unique, noise or place do, whatever their seed, rank
 * and item.  Of noise that is compressed by more than 128 this cannot be told.
 */
bool tmk_pattern_follow(const uint64_t *words, size_t n);

enum { TMK_PATTERN_EXPLAIN_SIZE = 192 };

/*
 * A mismatch in words, such as "at byte 8: 0x... expected, 0x... found", or "at
 * offset ..." if items are offsets; cut if it does not fit
 * (TMK_PATTERN_EXPLAIN_SIZE does).  Of unique data that shares its owner, item
 * or offset with what was expected, it adds "that of rank 3, item 17, byte
 * 4096", where what a word cannot hold is taken to be as expected; of place
 * likewise "that of rank 3, offset 4096".  Of the first word of timestamp and
 * offset it adds "what -G 7 gives" if another seed does; other data cannot be
 * told from garbage.
 */
void tmk_pattern_explain(const struct tmk_pattern *pattern,
                         const struct tmk_pattern_mismatch *bad, char *buf,
                         size_t size);

#endif
