/*
 * match_number: numbers, sizes and ages as find's tests have them.
 */
#include "base/match_number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DAY_S = 86400 };

static const char *const digits = "0123456789";

static enum tmk_match_order take_sign(const char **text)
{
    enum tmk_match_order order = **text == '+'   ? TMK_MATCH_MORE
                                 : **text == '-' ? TMK_MATCH_LESS
                                                 : TMK_MATCH_EQUAL;

    *text += order != TMK_MATCH_EQUAL;
    *text += strspn(*text, " \t");
    return order;
}

/* Digits at *text, which is set behind them. */
static int take_digits(const char **text, uint64_t *n)
{
    const char *p = *text;
    size_t length = strspn(p, digits);

    if (length == 0) {
        return -EINVAL;
    }
    *n = 0;
    for (size_t i = 0; i < length; i++) {
        if (__builtin_mul_overflow(*n, (uint64_t)10, n) ||
            __builtin_add_overflow(*n, (uint64_t)(p[i] - '0'), n)) {
            return -ERANGE;
        }
    }
    *text = p + length;
    return 0;
}

int tmk_match_number_parse(const char *text, struct tmk_match_number *number)
{
    int err;

    number->order = take_sign(&text);
    err = take_digits(&text, &number->n);
    return err != 0 ? err : *text == '\0' ? 0 : -EINVAL;
}

bool tmk_match_number_test(struct tmk_match_number number, uint64_t value)
{
    switch (number.order) {
    case TMK_MATCH_MORE: return value > number.n;
    case TMK_MATCH_LESS: return value < number.n;
    case TMK_MATCH_EQUAL: break;
    }
    return value == number.n;
}

int tmk_match_number_parse_size(const char *text,
                                struct tmk_match_number *number,
                                uint64_t *unit_bytes)
{
    static const struct {
        char letter;
        uint64_t bytes;
    } units[] = {
        {'\0', 512},    {'b', 512},     {'c', 1},       {'w', 2},
        {'k', 1 << 10}, {'M', 1 << 20}, {'G', 1 << 30},
    };
    int err;

    number->order = take_sign(&text);
    err = take_digits(&text, &number->n);
    if (err != 0) {
        return err;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (units[i].letter == *text && (*text == '\0' || text[1] == '\0')) {
            *unit_bytes = units[i].bytes;
            return 0;
        }
    }
    return -EINVAL;
}

bool tmk_match_number_test_size(struct tmk_match_number number,
                                uint64_t unit_bytes, uint64_t size_bytes)
{
    uint64_t units = size_bytes;

    if (unit_bytes != 1) { /* a division costs as much as all the rest */
        units = size_bytes / unit_bytes + (size_bytes % unit_bytes != 0);
    }
    return tmk_match_number_test(number, units);
}

/* Not for negative ones, exponents, hexadecimal or the infinite. */
static int take_decimal(const char *text, double *value)
{
    size_t whole = strspn(text, digits);
    const char *rest = text + whole;
    size_t decimals = 0;

    if (*rest == '.') {
        decimals = strspn(++rest, digits);
        rest += decimals;
    }
    if (whole + decimals == 0 || *rest != '\0') {
        return -EINVAL;
    }
    *value = strtod(text, NULL);
    return 0;
}

int tmk_match_number_parse_age(const char *text, struct tmk_match_time origin,
                               int64_t unit_s, struct tmk_match_window *window)
{
    static const double most_s = 9007199254740992.0; /* 2^53: no fraction */
    enum tmk_match_order order = take_sign(&text);
    struct tmk_match_time back;
    double value;
    double seconds;
    double rest;
    int err = take_decimal(text, &value);

    if (err != 0) {
        return err;
    }
    rest = modf(value * (double)unit_s, &seconds);
    if (seconds >= most_s) {
        return -ERANGE;
    }
    back.s = (int64_t)seconds;
    back.ns = (uint32_t)(rest * 1e9);
    /* GNU find's -mtime -1 goes back a day and a second, for whatever reason
     * it rounds there. */
    if (order == TMK_MATCH_LESS && unit_s == DAY_S) {
        origin.s += DAY_S - 1;
    }
    *window = (struct tmk_match_window){
        /* The older, the earlier. */
        .order = order == TMK_MATCH_MORE   ? TMK_MATCH_LESS
                 : order == TMK_MATCH_LESS ? TMK_MATCH_MORE
                                           : TMK_MATCH_EQUAL,
        .from = tmk_match_time_less(origin, back),
        .length_s = unit_s,
    };
    return 0;
}

bool tmk_match_number_test_window(const struct tmk_match_window *window,
                                  struct tmk_match_time time)
{
    int side = tmk_match_time_compare(time, window->from);
    struct tmk_match_time after;

    switch (window->order) {
    case TMK_MATCH_MORE: return side > 0;
    case TMK_MATCH_LESS: return side < 0;
    case TMK_MATCH_EQUAL: break;
    }
    after = tmk_match_time_less(time, window->from);
    return side > 0 && (after.s < window->length_s ||
                        (after.s == window->length_s && after.ns == 0));
}
