/*
 * pattern: the data in files.  word_at() is the definition; the loops below it
 * are the same, quicker.
 */
#include "base/pattern.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

enum { WORD = sizeof(uint64_t), BLOCK_WORDS = 4096 / WORD };

/* The fields of a unique word, from above. */
enum {
    OWNER_BITS = 20,
    ITEM_BITS = 28,
    INDEX_BITS = 16,
    ITEM_SHIFT = INDEX_BITS,
    OWNER_SHIFT = ITEM_SHIFT + ITEM_BITS
};
static_assert(OWNER_SHIFT + OWNER_BITS == 64, "the fields fill a word");

static const char *const names[] = {
    [TMK_PATTERN_TIMESTAMP] = "timestamp",
    [TMK_PATTERN_OFFSET] = "offset",
    [TMK_PATTERN_INCOMPRESSIBLE] = "incompressible",
    [TMK_PATTERN_RANDOM] = "random",
    [TMK_PATTERN_UNIQUE] = "unique",
    [TMK_PATTERN_NOISE] = "noise",
};
static_assert(sizeof(names) / sizeof(names[0]) == TMK_PATTERN_KINDS,
              "a name per kind");

int tmk_pattern_find(const char *text)
{
    size_t length = strlen(text);

    for (int kind = 0; length > 0 && kind < TMK_PATTERN_KINDS; kind++) {
        if (strncmp(names[kind], text, length) == 0) {
            return kind;
        }
    }
    return -EINVAL;
}

const char *tmk_pattern_name(enum tmk_pattern_kind kind)
{
    return names[kind];
}

/* ---- words ---- */

static uint64_t seed_of(const struct tmk_pattern *pattern)
{
    return (uint64_t)(int64_t)pattern->seed;
}

static uint64_t counted(const struct tmk_pattern *pattern, uint64_t owner,
                        uint64_t j)
{
    return owner << 32 | (seed_of(pattern) + j);
}

static uint64_t repeated(const struct tmk_pattern *pattern, uint64_t owner)
{
    unsigned state = (unsigned)(seed_of(pattern) + owner);
    uint64_t upper = (uint64_t)rand_r(&state);

    return upper << 32 | (uint64_t)rand_r(&state);
}

/* The first word of a block, which tells the items of an owner apart. */
static uint64_t block_word(uint64_t owner, uint64_t item, uint64_t j)
{
    return owner << 32 | (uint32_t)(item * (j / BLOCK_WORDS + 1));
}

static uint64_t random_start(const struct tmk_pattern *pattern, uint64_t owner,
                             uint64_t item)
{
    unsigned state = (unsigned)(seed_of(pattern) + owner + item);

    return (uint64_t)rand_r(&state);
}

static uint64_t random_next(uint64_t word)
{
    return word * 0x9e37fffffffc0001u >> 3;
}

static uint64_t low_bits(uint64_t v, unsigned bits)
{
    return v & (((uint64_t)1 << bits) - 1);
}

static uint64_t unique_mask(const struct tmk_pattern *pattern)
{
    return tmk_mix(seed_of(pattern) + tmk_mix_step);
}

/* Without the number of the word. */
static uint64_t unique_fields(uint64_t owner, uint64_t item)
{
    return owner << OWNER_SHIFT | low_bits(item, ITEM_BITS) << ITEM_SHIFT;
}

/* The mask alone would leave the first bytes in memory to the number. */
static uint64_t unique_word(uint64_t fields, uint64_t mask, uint64_t j)
{
    return tmk_mix((fields | low_bits(j, INDEX_BITS)) ^ mask);
}

/* Where in SplitMix64's one sequence an item has its words. */
static uint64_t noise_start(const struct tmk_pattern *pattern, uint64_t owner,
                            uint64_t item)
{
    uint64_t z = tmk_mix(seed_of(pattern) + tmk_mix_step);

    return tmk_mix(tmk_mix(z + owner) + item);
}

static uint64_t noise_word(uint64_t start, uint64_t j)
{
    return tmk_mix(start + (j + 1) * tmk_mix_step);
}

/* Word j of an item's content. */
static uint64_t word_at(const struct tmk_pattern *pattern, uint64_t owner,
                        uint64_t item, uint64_t j)
{
    uint64_t word = 0;

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP: word = counted(pattern, owner, j); break;
    case TMK_PATTERN_OFFSET:
        word = j % BLOCK_WORDS == 0 ? block_word(owner, item, j)
                                    : counted(pattern, owner, j);
        break;
    case TMK_PATTERN_INCOMPRESSIBLE:
        word = j % BLOCK_WORDS == 0 ? block_word(owner, item, j)
                                    : repeated(pattern, owner);
        break;
    case TMK_PATTERN_RANDOM:
        word = random_start(pattern, owner, item);
        for (uint64_t i = 0; i <= j; i++) {
            word = random_next(word);
        }
        break;
    case TMK_PATTERN_UNIQUE:
        word = unique_word(unique_fields(owner, item), unique_mask(pattern), j);
        break;
    case TMK_PATTERN_NOISE:
        word = noise_word(noise_start(pattern, owner, item), j);
        break;
    case TMK_PATTERN_KINDS: break;
    }
    return word;
}

/* ---- content ---- */

/* A buffer in words. */
struct extent {
    unsigned char *at;
    size_t words; /* whole ones */
    size_t rest;  /* bytes behind them */
    bool tail;    /* they are the file's tail, by the original's rule */
};

/* Whether the bytes behind the last whole word of a file hold offsets. */
static bool has_tail(const struct tmk_pattern *pattern)
{
    return pattern->kind <= TMK_PATTERN_RANDOM;
}

static struct extent extent_of(const struct tmk_pattern *pattern, void *buf,
                               size_t length)
{
    uint64_t bytes = pattern->bytes;
    struct extent e = {.at = buf};

    if (bytes != 0 && length > bytes) {
        length = bytes;
    }
    e.words = length / WORD;
    e.rest = length % WORD;
    e.tail = has_tail(pattern) && (bytes == 0 || e.words == bytes / WORD);
    return e;
}

static void put(const struct extent *e, size_t j, uint64_t word)
{
    memcpy(e->at + j * WORD, &word, WORD);
}

/* The bytes behind the whole words, where they are of another word. */
static void put_rest(const struct extent *e, uint64_t word)
{
    memcpy(e->at + e->words * WORD, &word, e->rest);
}

/* The bytes of a tail behind a number of whole words. */
static void make_tail(unsigned char *to, size_t words, size_t rest)
{
    for (size_t i = 0; i < rest; i++) {
        to[i] = (unsigned char)(words * WORD + i);
    }
}

void tmk_pattern_begin(const struct tmk_pattern *pattern, uint64_t owner,
                       void *buf, size_t length)
{
    struct extent e = extent_of(pattern, buf, length);
    uint64_t word;

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP:
    case TMK_PATTERN_OFFSET:
        for (size_t j = 0; j < e.words; j++) {
            put(&e, j, counted(pattern, owner, j));
        }
        break;
    case TMK_PATTERN_INCOMPRESSIBLE:
        word = repeated(pattern, owner);
        for (size_t j = 0; j < e.words; j++) {
            put(&e, j, word);
        }
        break;
    case TMK_PATTERN_RANDOM:
    case TMK_PATTERN_UNIQUE:
    case TMK_PATTERN_NOISE:
    case TMK_PATTERN_KINDS: break; /* no word is shared */
    }
    if (e.tail) {
        make_tail(e.at + e.words * WORD, e.words, e.rest);
    } else if (e.rest != 0) {
        put_rest(&e, word_at(pattern, owner, 0, e.words));
    }
}

static void fill_random(const struct extent *e, uint64_t word)
{
    for (size_t j = 0; j < e->words; j++) {
        word = random_next(word);
        put(e, j, word);
    }
}

static void fill_unique(const struct extent *e, uint64_t fields, uint64_t mask)
{
    for (size_t j = 0; j < e->words; j++) {
        put(e, j, unique_word(fields, mask, j));
    }
}

static void fill_noise(const struct extent *e, uint64_t start)
{
    for (size_t j = 0; j < e->words; j++) {
        put(e, j, noise_word(start, j));
    }
}

void tmk_pattern_item(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, void *buf, size_t length)
{
    struct extent e = extent_of(pattern, buf, length);

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP: return;
    case TMK_PATTERN_OFFSET:
    case TMK_PATTERN_INCOMPRESSIBLE:
        for (size_t j = 0; j < e.words; j += BLOCK_WORDS) {
            put(&e, j, block_word(owner, item, j));
        }
        break;
    case TMK_PATTERN_RANDOM:
        fill_random(&e, random_start(pattern, owner, item));
        break;
    case TMK_PATTERN_UNIQUE:
        fill_unique(&e, unique_fields(owner, item), unique_mask(pattern));
        break;
    case TMK_PATTERN_NOISE:
        fill_noise(&e, noise_start(pattern, owner, item));
        break;
    case TMK_PATTERN_KINDS: break;
    }
    if (e.rest != 0 && !e.tail) {
        put_rest(&e, word_at(pattern, owner, item, e.words));
    }
}

/* ---- checking ---- */

/* Whether the last bytes are right in one of the forms they may have. */
static bool end_is_right(const struct tmk_pattern *pattern, uint64_t owner,
                         uint64_t item, size_t words, const unsigned char *got,
                         size_t rest)
{
    uint64_t word = word_at(pattern, owner, item, words);
    unsigned char tail[WORD];

    make_tail(tail, words, rest);
    return memcmp(got, &word, rest) == 0 ||
           (has_tail(pattern) && memcmp(got, tail, rest) == 0);
}

bool tmk_pattern_same(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, const void *want, const void *got,
                      size_t length, struct tmk_pattern_mismatch *bad)
{
    const unsigned char *w = want;
    const unsigned char *g = got;
    size_t words = length / WORD;
    size_t rest = length % WORD;
    size_t j = 0;
    size_t bytes;

    if (memcmp(want, got, length) == 0) {
        return true;
    }
    while (j < words && memcmp(w + j * WORD, g + j * WORD, WORD) == 0) {
        j++;
    }
    if (j == words && pattern->bytes == 0 &&
        end_is_right(pattern, owner, item, words, g + j * WORD, rest)) {
        return true;
    }
    bytes = j < words ? WORD : rest;
    *bad = (struct tmk_pattern_mismatch){
        .owner = owner,
        .item = item,
        .offset = j * WORD,
        .bytes = bytes,
    };
    memcpy(&bad->expected, w + j * WORD, bytes);
    memcpy(&bad->found, g + j * WORD, bytes);
    return false;
}

struct tmk_pattern_place tmk_pattern_decode(const struct tmk_pattern *pattern,
                                            uint64_t word)
{
    uint64_t fields = tmk_mix_undo(word) ^ unique_mask(pattern);

    return (struct tmk_pattern_place){
        .owner = fields >> OWNER_SHIFT,
        .item = low_bits(fields >> ITEM_SHIFT, ITEM_BITS),
        .offset = low_bits(fields, INDEX_BITS) * WORD,
    };
}

/* v with its lower bits replaced. */
static uint64_t replaced(uint64_t v, unsigned bits, uint64_t low)
{
    return (v ^ low_bits(v, bits)) | low;
}

/* Whose the found word is; false if it need not be anyone's. */
static bool place_of(const struct tmk_pattern *pattern,
                     const struct tmk_pattern_mismatch *bad,
                     struct tmk_pattern_place *place)
{
    enum { OFFSET_BITS = INDEX_BITS + 3 };
    struct tmk_pattern_place p;

    if (pattern->kind != TMK_PATTERN_UNIQUE || bad->bytes < WORD) {
        return false;
    }
    p = tmk_pattern_decode(pattern, bad->found);
    *place = (struct tmk_pattern_place){
        .owner = replaced(bad->owner, OWNER_BITS, p.owner),
        .item = replaced(bad->item, ITEM_BITS, p.item),
        .offset = replaced(bad->offset, OFFSET_BITS, p.offset),
    };
    return place->owner == bad->owner || place->item == bad->item ||
           place->offset == bad->offset;
}

/* Bytes in the order of memory: "00 01 02". */
static void show_bytes(uint64_t word, uint64_t bytes, char *buf, size_t size)
{
    unsigned char b[WORD];
    size_t used = 0;

    memcpy(b, &word, WORD);
    buf[0] = '\0';
    for (size_t i = 0; i < bytes; i++) {
        int n = snprintf(buf + used, size - used, "%s%02x", i == 0 ? "" : " ",
                         b[i]);

        used += (size_t)n;
    }
}

/*
 * Whether the first word is what timestamp and offset write with another seed,
 * and which: then all words are wrong, and the first is met first.
 */
static bool other_seed(const struct tmk_pattern *pattern,
                       const struct tmk_pattern_mismatch *bad, int32_t *seed)
{
    const bool tells = pattern->kind == TMK_PATTERN_TIMESTAMP ||
                       pattern->kind == TMK_PATTERN_OFFSET;

    *seed = (int32_t)(uint32_t)bad->found;
    return tells && bad->offset == 0 &&
           bad->found == (bad->owner << 32 | (uint64_t)(int64_t)*seed);
}

void tmk_pattern_explain(const struct tmk_pattern *pattern,
                         const struct tmk_pattern_mismatch *bad, char *buf,
                         size_t size)
{
    char expected[3 * WORD];
    char found[3 * WORD];
    char whose[100] = "";
    struct tmk_pattern_place place;
    int32_t seed;

    assert(bad->bytes > 0 && bad->bytes <= WORD);
    if (bad->bytes < WORD) {
        show_bytes(bad->expected, bad->bytes, expected, sizeof(expected));
        show_bytes(bad->found, bad->bytes, found, sizeof(found));
        (void)snprintf(buf, size, "at byte %" PRIu64 ": %s expected, %s found",
                       bad->offset, expected, found);
        return;
    }
    if (other_seed(pattern, bad, &seed)) {
        (void)snprintf(whose, sizeof(whose), ", what -G %" PRId32 " gives",
                       seed);
    } else if (place_of(pattern, bad, &place)) {
        (void)snprintf(whose, sizeof(whose),
                       ", that of rank %" PRIu64 ", item %" PRIu64
                       ", byte %" PRIu64,
                       place.owner, place.item, place.offset);
    }
    (void)snprintf(buf, size,
                   "at byte %" PRIu64 ": 0x%016" PRIx64
                   " expected, 0x%016" PRIx64 " found%s",
                   bad->offset, bad->expected, bad->found, whose);
}
