/*
 * "4k" <-> 4096: numbers with binary suffixes, sizes and rates for readers.
 */
#include "base/units.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t') {
        s++;
    }
    return s;
}

/* Lower case of an ASCII letter; nothing else becomes a letter. */
static int lower(char c)
{
    return c | 0x20;
}

/* Bits to shift by for the suffix at *s, which is moved behind it. */
static unsigned suffix_bits(const char **s)
{
    static const char letters[] = "kmgtp";
    unsigned bits = 0;

    for (unsigned i = 0; letters[i] != '\0'; i++) {
        if (lower(**s) == letters[i]) {
            bits = 10 * (i + 1);
        }
    }
    if (bits == 0) {
        return 0;
    }
    ++*s;
    if (lower(**s) == 'b') {
        ++*s;
    } else if (lower((*s)[0]) == 'i' && lower((*s)[1]) == 'b') {
        *s += 2;
    }
    return bits;
}

/*
 * Sign and magnitude of a number.  The whole text is read before its size is
 * judged: what is no number at all is never "out of range".
 */
static int parse(const char *text, bool *negative, uint64_t *magnitude)
{
    const char *s = skip_blanks(text);
    uint64_t v = 0;
    bool fits = true;
    unsigned bits;

    *negative = *s == '-';
    if (*s == '-' || *s == '+') {
        s++;
    }
    if (*s < '0' || *s > '9') {
        return -EINVAL;
    }
    for (; *s >= '0' && *s <= '9'; s++) {
        uint64_t digit = (uint64_t)(*s - '0');

        if (v > (UINT64_MAX - digit) / 10) {
            fits = false;
        } else {
            v = v * 10 + digit;
        }
    }
    s = skip_blanks(s);
    bits = suffix_bits(&s);
    if (*skip_blanks(s) != '\0') {
        return -EINVAL;
    }
    if (!fits || v > UINT64_MAX >> bits) {
        return -ERANGE;
    }
    *magnitude = v << bits;
    return 0;
}

int tmk_units_parse_i64(const char *text, int64_t *value)
{
    bool negative;
    uint64_t v;
    int err = parse(text, &negative, &v);

    if (err != 0) {
        return err;
    }
    if (v > (uint64_t)INT64_MAX + (negative ? 1 : 0)) {
        return -ERANGE;
    }
    if (negative && v != 0) {
        /* In two steps, because -INT64_MIN does not exist. */
        *value = -(int64_t)(v - 1) - 1;
    } else {
        *value = (int64_t)v;
    }
    return 0;
}

int tmk_units_parse_u64(const char *text, uint64_t *value)
{
    bool negative;
    uint64_t v;
    int err = parse(text, &negative, &v);

    if (err != 0) {
        return err;
    }
    if (negative && v != 0) {
        return -ERANGE;
    }
    *value = v;
    return 0;
}

/* What a suffix multiplies by, and what follows it. */
static uint64_t suffix_factor(const char **s)
{
    const char *from = *s;
    unsigned bits = suffix_bits(s);
    uint64_t factor = UINT64_C(1) << bits;

    if (bits != 0 && *s == from + 2 && from[1] == 'B') {
        factor = 1;
        for (unsigned i = 0; i < bits; i += 10) {
            factor *= 1000;
        }
    }
    return factor;
}

int tmk_units_parse_bytes(const char *text, uint64_t *bytes)
{
    const char *s = text;
    char number[64];
    uint64_t whole;
    uint64_t tenths = 0; /* of 10^-n */
    uint64_t one = 1;    /* 10^n */
    uint64_t factor;
    size_t n = strcspn(text, ".");
    size_t end;

    if (text[n] != '.') {
        end = strcspn(text, "kKmMgGtTpP");
        n = end;
    } else {
        end = n + 1 + strspn(text + n + 1, "0123456789");
        for (s = text + n + 1; s < text + end && one < UINT64_C(1000000000000);
             s++) {
            tenths = tenths * 10 + (uint64_t)(*s - '0');
            one *= 10;
        }
    }
    if (n >= sizeof(number) || end == n + 1) {
        return -EINVAL;
    }
    memcpy(number, text, n);
    number[n] = '\0';
    if (tmk_units_parse_u64(number, &whole) != 0) {
        return tmk_units_parse_u64(number, &whole);
    }
    s = skip_blanks(text + end);
    factor = suffix_factor(&s);
    if (*skip_blanks(s) != '\0' || (factor == 1 && tenths != 0)) {
        return -EINVAL;
    }
    if (whole > (UINT64_MAX - factor) / factor) {
        return -ERANGE;
    }
    *bytes = whole * factor +
             (uint64_t)((double)tenths * (double)factor / (double)one);
    return 0;
}

char *tmk_units_format_bytes(uint64_t bytes, char *buf, size_t size)
{
    static const char *const names[] = {"KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    uint64_t tenths = 0;
    unsigned i;

    if (bytes < 1024) {
        snprintf(buf, size, "%u %s", (unsigned)bytes,
                 bytes == 1 ? "byte" : "bytes");
        return buf;
    }
    for (i = 0;; i++) { /* ends: 2^64 bytes are 16 EiB */
        unsigned bits = 10 * (i + 1);
        uint64_t unit = (uint64_t)1 << bits;

        tenths = (bytes >> bits) * 10 +
                 (((bytes & (unit - 1)) * 10 + unit / 2) >> bits);
        if (tenths < 10240) { /* not "1024.0 KiB" */
            break;
        }
    }
    snprintf(buf, size, "%u.%u %s", (unsigned)(tenths / 10),
             (unsigned)(tenths % 10), names[i]);
    return buf;
}

double tmk_units_per_s(uint64_t operations, uint64_t elapsed_ns)
{
    return elapsed_ns != 0 ? (double)operations * 1e9 / (double)elapsed_ns
                           : 0.0;
}

double tmk_units_seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}
