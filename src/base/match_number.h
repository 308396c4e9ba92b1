#ifndef TMK_BASE_MATCH_NUMBER_H
#define TMK_BASE_MATCH_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/match_time.h"

enum tmk_match_order { TMK_MATCH_EQUAL, TMK_MATCH_MORE, TMK_MATCH_LESS };

/* "5", "+5", "-5". */
struct tmk_match_number {
    enum tmk_match_order order;
    uint64_t n;
};

/*
 * A stretch of time that a moment has to be in.
 *
 *     MORE    later than `from`
 *     LESS    before it
 *     EQUAL   later than it, but by at most `length_s`
 */
struct tmk_match_window {
    enum tmk_match_order order;
    struct tmk_match_time from;
    int64_t length_s;
};

/* Digits, a sign before them; blanks between the two.  0, -EINVAL, -ERANGE. */
int tmk_match_number_parse(const char *text, struct tmk_match_number *number);

bool tmk_match_number_test(struct tmk_match_number number, uint64_t value);

/*
 * The same with a unit of sizes behind it: b (or none) 512 bytes, c 1, w 2, k,
 * M, G.  A size is compared in units, rounded up.
 */
int tmk_match_number_parse_size(const char *text,
                                struct tmk_match_number *number,
                                uint64_t *unit_bytes);

bool tmk_match_number_test_size(struct tmk_match_number number,
                                uint64_t unit_bytes, uint64_t size_bytes);

/*
 * An age in units, with a fraction if need be: "+1.5" is more than that before
 * `origin`.  For days, `unit_s` 86400, ages are rounded down and origin is a
 * day before now or the last midnight; for minutes they are rounded up, and it
 * is now.  0, -EINVAL, -ERANGE.
 */
int tmk_match_number_parse_age(const char *text, struct tmk_match_time origin,
                               int64_t unit_s, struct tmk_match_window *window);

bool tmk_match_number_test_window(const struct tmk_match_window *window,
                                  struct tmk_match_time time);

#endif
