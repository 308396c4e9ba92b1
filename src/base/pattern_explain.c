/*
 * pattern_explain: what is wrong with data, in words.
 */
#include "base/pattern.h"

#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORD = sizeof(uint64_t) };

/* v with its lower bits replaced. */
static uint64_t replaced(uint64_t v, unsigned bits, uint64_t low)
{
    return v >> bits << bits | low;
}

/* Whether a word of place data may stand somewhere in the files. */
static bool is_within(const struct tmk_pattern *pattern,
                      const struct tmk_pattern_place *place)
{
    return place->owner < pattern->owners &&
           place->offset < pattern->file_bytes;
}

/* Whose the found word is; false if it need not be anyone's. */
static bool place_of(const struct tmk_pattern *pattern,
                     const struct tmk_pattern_mismatch *bad,
                     struct tmk_pattern_place *place)
{
    const bool in_file = pattern->kind == TMK_PATTERN_PLACE;
    uint64_t offset = bad->offset + (in_file ? bad->item : 0);
    struct tmk_pattern_place p;

    if ((pattern->kind != TMK_PATTERN_UNIQUE && !in_file) ||
        bad->bytes < WORD) {
        return false;
    }
    p = tmk_pattern_decode(pattern, bad->found);
    *place = (struct tmk_pattern_place){
        .owner = replaced(bad->owner, TMK_PATTERN_OWNER_BITS, p.owner),
        .item = replaced(bad->item, TMK_PATTERN_ITEM_BITS, p.item),
        .offset = replaced(
            offset, in_file ? TMK_PATTERN_OFFSET_BITS : TMK_PATTERN_BYTE_BITS,
            p.offset),
    };
    return place->owner == bad->owner || place->offset == offset ||
           (in_file ? is_within(pattern, place) : place->item == bad->item);
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

/* What is to be said of a whole word that was found; "" = nothing. */
static void say_whose(const struct tmk_pattern *pattern,
                      const struct tmk_pattern_mismatch *bad, char *buf,
                      size_t size)
{
    struct tmk_pattern_place place;
    int32_t seed;

    buf[0] = '\0';
    if (other_seed(pattern, bad, &seed)) {
        (void)snprintf(buf, size, ", what -G %" PRId32 " gives", seed);
    } else if (!place_of(pattern, bad, &place)) {
        return;
    } else if (pattern->kind == TMK_PATTERN_PLACE) {
        (void)snprintf(buf, size, ", that of rank %" PRIu64 ", offset %" PRIu64,
                       place.owner, place.offset);
    } else {
        (void)snprintf(buf, size,
                       ", that of rank %" PRIu64 ", item %" PRIu64
                       ", byte %" PRIu64,
                       place.owner, place.item, place.offset);
    }
}

void tmk_pattern_explain(const struct tmk_pattern *pattern,
                         const struct tmk_pattern_mismatch *bad, char *buf,
                         size_t size)
{
    const bool in_file =
        pattern->items_are_offsets || pattern->kind == TMK_PATTERN_PLACE;
    uint64_t at = bad->offset + (in_file ? bad->item : 0);
    char expected[3 * WORD];
    char found[3 * WORD];
    char whose[100] = "";

    assert(bad->bytes > 0 && bad->bytes <= WORD);
    if (bad->bytes < WORD) {
        show_bytes(bad->expected, bad->bytes, expected, sizeof(expected));
        show_bytes(bad->found, bad->bytes, found, sizeof(found));
    } else {
        (void)snprintf(expected, sizeof(expected), "0x%016" PRIx64,
                       bad->expected);
        (void)snprintf(found, sizeof(found), "0x%016" PRIx64, bad->found);
        say_whose(pattern, bad, whose, sizeof(whose));
    }
    (void)snprintf(buf, size, "at %s %" PRIu64 ": %s expected, %s found%s",
                   in_file ? "offset" : "byte", at, expected, found, whose);
}
