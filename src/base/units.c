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

/*
 * The power of a thousand or so of the suffix at *s, which is moved behind it.
 * *decimal: it ends in a capital B without an i.
 */
static unsigned suffix_power(const char **s, bool *decimal)
{
    static const char letters[] = "kmgtp";
    unsigned power = 0;

    *decimal = false;
    for (unsigned i = 0; letters[i] != '\0'; i++) {
        if (lower(**s) == letters[i]) {
            power = i + 1;
        }
    }
    if (power == 0) {
        return 0;
    }
    ++*s;
    if (lower(**s) == 'b') {
        *decimal = **s == 'B';
        ++*s;
    } else if (lower((*s)[0]) == 'i' && lower((*s)[1]) == 'b') {
        *s += 2;
    }
    return power;
}

/*
 * The digits at *s, which is moved behind them; *fits: there is room for their
 * number.
 */
static uint64_t digits(const char **s, bool *fits)
{
    uint64_t v = 0;

    *fits = true;
    for (; **s >= '0' && **s <= '9'; ++*s) {
        uint64_t digit = (uint64_t)(**s - '0');

        if (v > (UINT64_MAX - digit) / 10) {
            *fits = false;
        } else {
            v = v * 10 + digit;
        }
    }
    return v;
}

/* A number as it stands in a text. */
struct number {
    bool negative;
    uint64_t whole;          /* before the point */
    bool fits;               /* it does */
    const char *first, *end; /* the digits behind the point; alike: none */
    unsigned power;          /* of 1024, or if `decimal` of 1000 */
    bool decimal;
};

/*
 * The whole text is read before its size is judged: what is no number at all
 * is never "out of range".
 */
static int scan(const char *text, struct number *n)
{
    const char *s = skip_blanks(text);

    n->negative = *s == '-';
    if (*s == '-' || *s == '+') {
        s++;
    }
    if (*s < '0' || *s > '9') {
        return -EINVAL;
    }
    n->whole = digits(&s, &n->fits);
    n->first = s;
    if (*s == '.') {
        n->first = ++s;
        s += strspn(s, "0123456789");
        if (s == n->first) {
            return -EINVAL;
        }
    }
    n->end = s;
    s = skip_blanks(s);
    n->power = suffix_power(&s, &n->decimal);
    return *skip_blanks(s) == '\0' ? 0 : -EINVAL;
}

/* Sign and magnitude of a whole number with a binary suffix. */
static int parse(const char *text, bool *negative, uint64_t *magnitude)
{
    struct number n;
    int err = scan(text, &n);
    unsigned bits;

    if (err != 0 || n.first != n.end) {
        return -EINVAL;
    }
    bits = 10 * n.power;
    if (!n.fits || n.whole > UINT64_MAX >> bits) {
        return -ERANGE;
    }
    *negative = n.negative;
    *magnitude = n.whole << bits;
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

/*
 * The digits behind the point times a unit; false if that is no whole number.
 * Multiplied by hand, last digit first, because there may be any number of
 * them.
 */
static bool multiply_fraction(const struct number *n, uint64_t unit,
                              uint64_t *product)
{
    uint64_t carry = 0;

    for (const char *s = n->end; s > n->first;) {
        carry += (uint64_t)(*--s - '0') * unit;
        if (carry % 10 != 0) {
            return false;
        }
        carry /= 10;
    }
    *product = carry;
    return true;
}

int tmk_units_parse_bytes(const char *text, uint64_t *bytes)
{
    struct number n;
    uint64_t unit = 1;
    uint64_t rest;

    if (scan(text, &n) != 0) {
        return -EINVAL;
    }
    for (unsigned i = 0; i < n.power; i++) {
        unit *= n.decimal ? 1000 : 1024;
    }
    if (!multiply_fraction(&n, unit, &rest)) {
        return -EINVAL;
    }
    if (!n.fits || n.whole > (UINT64_MAX - rest) / unit) {
        return -ERANGE;
    }
    rest += n.whole * unit;
    if (n.negative && rest != 0) {
        return -ERANGE;
    }
    *bytes = rest;
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
