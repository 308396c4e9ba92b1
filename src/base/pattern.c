/*
 * pattern: the data in files.  Kinds whose items share most of their words are
 * made by owner and then touched up; the others are streams of words that are
 * made anew for each item.
 */
#include "base/pattern.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"

enum { WORD = sizeof(uint64_t), BLOCK_WORDS = 4096 / WORD };

/* The fields of the words that can be decoded, from below. */
enum {
    INDEX_BITS = TMK_PATTERN_BYTE_BITS - 3,
    UNIQUE_OWNER_SHIFT = INDEX_BITS + TMK_PATTERN_ITEM_BITS,
    PLACE_BITS = TMK_PATTERN_OFFSET_BITS - 3,
};
static_assert(UNIQUE_OWNER_SHIFT + TMK_PATTERN_OWNER_BITS == 64 &&
                  PLACE_BITS + TMK_PATTERN_OWNER_BITS == 64,
              "the fields fill a word");

static const char *const names[] = {
    [TMK_PATTERN_TIMESTAMP] = "timestamp",
    [TMK_PATTERN_OFFSET] = "offset",
    [TMK_PATTERN_INCOMPRESSIBLE] = "incompressible",
    [TMK_PATTERN_RANDOM] = "random",
    [TMK_PATTERN_UNIQUE] = "unique",
    [TMK_PATTERN_NOISE] = "noise",
    [TMK_PATTERN_PLACE] = "place",
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

/* What the seed adds to the words that can be decoded. */
static uint64_t seed_mask(const struct tmk_pattern *pattern)
{
    return tmk_mix(seed_of(pattern) + tmk_mix_step);
}

/* Without the number of the word. */
static uint64_t unique_fields(uint64_t owner, uint64_t item)
{
    return owner << UNIQUE_OWNER_SHIFT | low_bits(item, TMK_PATTERN_ITEM_BITS)
                                             << INDEX_BITS;
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

/* How many words of each block are not 0. */
static size_t noise_kept(const struct tmk_pattern *pattern)
{
    double kept = BLOCK_WORDS;

    if (pattern->compress > 1.0) {
        kept = BLOCK_WORDS / pattern->compress + 0.5;
    }
    return kept < 1.0 ? 1 : (size_t)kept;
}

/* ---- streams ---- */

/* The words of an item, one after the other. */
struct stream {
    enum tmk_pattern_kind kind;
    uint64_t start; /* random: the last word; place: the number of the first */
    uint64_t mask;  /* unique; place: added to the number of a word */
    size_t kept;    /* noise */
};

static struct stream stream_of(const struct tmk_pattern *pattern,
                               uint64_t owner, uint64_t item)
{
    struct stream s = {.kind = pattern->kind};

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP:
    case TMK_PATTERN_OFFSET:
    case TMK_PATTERN_INCOMPRESSIBLE:
    case TMK_PATTERN_KINDS: break; /* are none */
    case TMK_PATTERN_RANDOM:
        s.start = random_start(pattern, owner, item);
        break;
    case TMK_PATTERN_UNIQUE:
        s.start = unique_fields(owner, item);
        s.mask = seed_mask(pattern);
        break;
    case TMK_PATTERN_NOISE:
        s.start = noise_start(pattern, owner, item);
        s.kept = noise_kept(pattern);
        break;
    case TMK_PATTERN_PLACE:
        s.start = item / WORD + (item % WORD != 0);
        s.mask = (owner << PLACE_BITS) + seed_mask(pattern);
        break;
    }
    return s;
}

static void put(unsigned char *to, size_t j, uint64_t word)
{
    memcpy(to + j * WORD, &word, WORD);
}

static void make_random(struct stream *s, unsigned char *to, size_t n)
{
    uint64_t word = s->start;

    for (size_t j = 0; j < n; j++) {
        word = random_next(word);
        put(to, j, word);
    }
    s->start = word;
}

static void make_unique(const struct stream *s, unsigned char *to,
                        uint64_t first, size_t n)
{
    uint64_t fields = s->start;
    uint64_t mask = s->mask;

    for (size_t j = 0; j < n; j++) {
        put(to, j, unique_word(fields, mask, first + j));
    }
}

static void make_noise(const struct stream *s, unsigned char *to,
                       uint64_t first, size_t n)
{
    uint64_t start = s->start;

    for (size_t j = 0; j < n; j++) {
        put(to, j, noise_word(start, first + j));
    }
}

/* Noise, zeros, noise ... */
static void make_compressible(const struct stream *s, unsigned char *to,
                              uint64_t first, size_t n)
{
    while (n > 0) {
        size_t in_block = first % BLOCK_WORDS;
        size_t some =
            in_block < s->kept ? s->kept - in_block : BLOCK_WORDS - in_block;

        if (some > n) {
            some = n;
        }
        if (in_block < s->kept) {
            make_noise(s, to, first, some);
        } else {
            memset(to, 0, some * WORD);
        }
        to += some * WORD;
        first += some;
        n -= some;
    }
}

static void make_place(const struct stream *s, unsigned char *to,
                       uint64_t first, size_t n)
{
    while (n > 0) {
        uint64_t at = low_bits(s->start + first, PLACE_BITS);
        uint64_t left = (UINT64_C(1) << PLACE_BITS) - at;
        uint64_t number = s->mask + at;
        size_t some = left < n ? (size_t)left : n;

        for (size_t j = 0; j < some; j++) {
            put(to, j, tmk_mix_light(number + j));
        }
        to += some * WORD;
        first += some;
        n -= some;
    }
}

/* Words first ... first + n - 1, of random those that come next. */
static void make_words(struct stream *s, unsigned char *to, uint64_t first,
                       size_t n)
{
    switch (s->kind) {
    case TMK_PATTERN_TIMESTAMP:
    case TMK_PATTERN_OFFSET:
    case TMK_PATTERN_INCOMPRESSIBLE:
    case TMK_PATTERN_KINDS: break;
    case TMK_PATTERN_RANDOM: make_random(s, to, n); break;
    case TMK_PATTERN_UNIQUE: make_unique(s, to, first, n); break;
    case TMK_PATTERN_NOISE: make_compressible(s, to, first, n); break;
    case TMK_PATTERN_PLACE: make_place(s, to, first, n); break;
    }
}

/* Word j of an item's content. */
static uint64_t word_at(const struct tmk_pattern *pattern, uint64_t owner,
                        uint64_t item, uint64_t j)
{
    struct stream s = stream_of(pattern, owner, item);
    unsigned char bytes[WORD];
    uint64_t word = 0;

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP: return counted(pattern, owner, j);
    case TMK_PATTERN_OFFSET:
        return j % BLOCK_WORDS == 0 ? block_word(owner, item, j)
                                    : counted(pattern, owner, j);
    case TMK_PATTERN_INCOMPRESSIBLE:
        return j % BLOCK_WORDS == 0 ? block_word(owner, item, j)
                                    : repeated(pattern, owner);
    case TMK_PATTERN_RANDOM:
        for (uint64_t i = 0; i < j; i++) {
            s.start = random_next(s.start);
        }
        break;
    case TMK_PATTERN_UNIQUE:
    case TMK_PATTERN_NOISE:
    case TMK_PATTERN_PLACE:
    case TMK_PATTERN_KINDS: break;
    }
    make_words(&s, bytes, j, 1);
    memcpy(&word, bytes, WORD);
    return word;
}

/* ---- content ---- */

/* A buffer in words. */
struct extent {
    size_t head;       /* bytes before the first whole word */
    unsigned char *at; /* that */
    size_t words;      /* whole ones */
    size_t rest;       /* bytes behind them */
    bool tail;         /* they are the file's tail, by the original's rule */
};

/* Whether the bytes behind the last whole word of a file hold offsets. */
static bool has_tail(const struct tmk_pattern *pattern)
{
    return pattern->kind <= TMK_PATTERN_RANDOM;
}

/* Whether the items of an owner share most of their words. */
static bool is_shared(const struct tmk_pattern *pattern)
{
    return pattern->kind < TMK_PATTERN_RANDOM;
}

/* How many bytes of the word before come first. */
static size_t head_of(const struct tmk_pattern *pattern, uint64_t item,
                      size_t length)
{
    size_t head = (size_t)(-item % WORD);

    if (pattern->kind != TMK_PATTERN_PLACE) {
        return 0;
    }
    return head < length ? head : length;
}

static struct extent extent_of(const struct tmk_pattern *pattern, uint64_t item,
                               void *buf, size_t length)
{
    uint64_t bytes = pattern->bytes;
    struct extent e;

    if (bytes != 0 && length > bytes) {
        length = bytes;
    }
    e.head = head_of(pattern, item, length);
    e.at = (unsigned char *)buf + e.head;
    e.words = (length - e.head) / WORD;
    e.rest = (length - e.head) % WORD;
    e.tail = has_tail(pattern) && (bytes == 0 || e.words == bytes / WORD);
    return e;
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

/* As counted(); what does not change is not read again for each word. */
static void make_counted(const struct tmk_pattern *pattern, uint64_t owner,
                         unsigned char *to, size_t n)
{
    uint64_t upper = owner << 32;
    uint64_t lower = seed_of(pattern);

    for (size_t j = 0; j < n; j++) {
        put(to, j, upper | (lower + j));
    }
}

void tmk_pattern_begin(const struct tmk_pattern *pattern, uint64_t owner,
                       void *buf, size_t length)
{
    struct extent e = extent_of(pattern, 0, buf, length);
    uint64_t word;

    switch (pattern->kind) {
    case TMK_PATTERN_TIMESTAMP:
    case TMK_PATTERN_OFFSET: make_counted(pattern, owner, e.at, e.words); break;
    case TMK_PATTERN_INCOMPRESSIBLE:
        word = repeated(pattern, owner);
        for (size_t j = 0; j < e.words; j++) {
            put(e.at, j, word);
        }
        break;
    case TMK_PATTERN_RANDOM:
    case TMK_PATTERN_UNIQUE:
    case TMK_PATTERN_NOISE:
    case TMK_PATTERN_PLACE:
    case TMK_PATTERN_KINDS: break; /* no word is shared */
    }
    if (e.tail) {
        make_tail(e.at + e.words * WORD, e.words, e.rest);
    } else if (e.rest != 0 && is_shared(pattern)) {
        put_rest(&e, word_at(pattern, owner, 0, e.words));
    }
}

/* The last bytes of the word in which a place begins. */
static void put_head(const struct stream *s, uint64_t item, unsigned char *to,
                     size_t head)
{
    unsigned char bytes[WORD];

    if (head != 0) {
        make_place(s, bytes, UINT64_MAX, 1); /* the one before the first */
        memcpy(to, bytes + item % WORD, head);
    }
}

void tmk_pattern_item(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, void *buf, size_t length)
{
    struct extent e = extent_of(pattern, item, buf, length);
    struct stream s;

    if (pattern->kind == TMK_PATTERN_TIMESTAMP) {
        return;
    }
    if (is_shared(pattern)) {
        for (size_t j = 0; j < e.words; j += BLOCK_WORDS) {
            put(e.at, j, block_word(owner, item, j));
        }
    } else {
        s = stream_of(pattern, owner, item);
        put_head(&s, item, buf, e.head);
        make_words(&s, e.at, 0, e.words);
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
    return memcmp(got, &word, rest) == 0 || memcmp(got, tail, rest) == 0;
}

/* Where the first word, or part of one, is that differs; one does. */
static size_t first_difference(const unsigned char *want,
                               const unsigned char *got, size_t head,
                               size_t length)
{
    size_t at = 0;

    if (memcmp(want, got, head) == 0) {
        at = head;
        while (length - at >= WORD && memcmp(want + at, got + at, WORD) == 0) {
            at += WORD;
        }
    }
    return at;
}

bool tmk_pattern_same(const struct tmk_pattern *pattern, uint64_t owner,
                      uint64_t item, const void *want, const void *got,
                      size_t length, struct tmk_pattern_mismatch *bad)
{
    const unsigned char *w = want;
    const unsigned char *g = got;
    size_t head = head_of(pattern, item, length);
    size_t bytes = WORD;
    size_t at;

    if (memcmp(want, got, length) == 0) {
        return true;
    }
    at = first_difference(w, g, head, length);
    if (at < head) {
        bytes = head;
    } else if (length - at < WORD) {
        bytes = length - at;
        if (pattern->bytes == 0 && has_tail(pattern) &&
            end_is_right(pattern, owner, item, at / WORD, g + at, bytes)) {
            return true;
        }
    }
    *bad = (struct tmk_pattern_mismatch){
        .owner = owner,
        .item = item,
        .offset = at,
        .bytes = bytes,
    };
    memcpy(&bad->expected, w + at, bytes);
    memcpy(&bad->found, g + at, bytes);
    return false;
}

/* Whether they are the bytes of a stream, found out without a second buffer of
 * their length: a small one stays in the nearest cache. */
static bool follows(const struct tmk_pattern *pattern, uint64_t owner,
                    uint64_t item, const unsigned char *got, size_t length)
{
    unsigned char piece[BLOCK_WORDS * WORD];
    struct stream s = stream_of(pattern, owner, item);
    size_t head = head_of(pattern, item, length);
    uint64_t j = 0;

    put_head(&s, item, piece, head);
    if (memcmp(piece, got, head) != 0) {
        return false;
    }
    got += head;
    length -= head;
    while (length > 0) {
        size_t some = length < sizeof(piece) ? length : sizeof(piece);

        make_words(&s, piece, j, (some + WORD - 1) / WORD);
        if (memcmp(piece, got, some) != 0) {
            return false;
        }
        j += BLOCK_WORDS;
        got += some;
        length -= some;
    }
    return true;
}

bool tmk_pattern_check(const struct tmk_pattern *pattern, uint64_t owner,
                       uint64_t item, void *want, const void *got,
                       size_t length, struct tmk_pattern_mismatch *bad)
{
    const bool whole = pattern->bytes == 0 || length <= pattern->bytes;

    if (!is_shared(pattern) && whole &&
        !(has_tail(pattern) && length % WORD != 0) &&
        follows(pattern, owner, item, got, length)) {
        return true;
    }
    tmk_pattern_item(pattern, owner, item, want, length);
    return tmk_pattern_same(pattern, owner, item, want, got, length, bad);
}

/* ---- the way back ---- */

struct tmk_pattern_place tmk_pattern_decode(const struct tmk_pattern *pattern,
                                            uint64_t word)
{
    uint64_t mask = seed_mask(pattern);
    uint64_t fields;

    if (pattern->kind == TMK_PATTERN_PLACE) {
        fields = tmk_mix_light_undo(word) - mask;
        return (struct tmk_pattern_place){
            .owner = fields >> PLACE_BITS,
            .offset = low_bits(fields, PLACE_BITS) * WORD,
        };
    }
    fields = tmk_mix_undo(word) ^ mask;
    return (struct tmk_pattern_place){
        .owner = fields >> UNIQUE_OWNER_SHIFT,
        .item = low_bits(fields >> INDEX_BITS, TMK_PATTERN_ITEM_BITS),
        .offset = low_bits(fields, INDEX_BITS) * WORD,
    };
}

bool tmk_pattern_follow(const uint64_t *words, size_t n)
{
    bool unique = true;
    bool noise = true;
    bool place = true;

    for (size_t i = 1; i < n; i++) {
        uint64_t a = tmk_mix_undo(words[i - 1]);
        uint64_t b = tmk_mix_undo(words[i]);

        unique = unique && (a ^ b) == ((i - 1) ^ i);
        noise = noise && b - a == tmk_mix_step;
        place = place && tmk_mix_light_undo(words[i]) -
                                 tmk_mix_light_undo(words[i - 1]) ==
                             1;
    }
    return unique || noise || place;
}
