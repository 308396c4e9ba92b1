#ifndef TMK_BASE_MATCH_TIME_H
#define TMK_BASE_MATCH_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TMK_MATCH_NO_TIME = 0x7fffffff, /* in `ns`: there is no such time */
    TMK_MATCH_TIME_ROOM = 128       /* more than any of the texts below */
};

/* A moment: seconds since the epoch, rounded down, and what is left. */
struct tmk_match_time {
    int64_t s;
    uint32_t ns;
};

/* A moment on a calendar (Gregorian, also before there was one). */
struct tmk_match_date {
    int64_t year;
    unsigned month; /* 1..12 */
    unsigned day;   /* 1..31 */
    unsigned hour, minute, second;
    unsigned weekday; /* 0: Sunday */
    unsigned yearday; /* 0: 1 January */
};

/* -1, 0 or 1 as a is before, at or after b. */
int tmk_match_time_compare(struct tmk_match_time a, struct tmk_match_time b);

/* a - b; held at the ends of int64_t in seconds. */
struct tmk_match_time tmk_match_time_less(struct tmk_match_time a,
                                          struct tmk_match_time b);

/* The date of a second, `offset_s` to the east of Greenwich. */
struct tmk_match_date tmk_match_time_date(int64_t s, int32_t offset_s);

/* The second of a date in UTC; weekday and yearday are not looked at. */
int64_t tmk_match_time_second(const struct tmk_match_date *date);

/*
 * Read a moment: "@SECONDS[.FRACTION]", "YYYY-MM-DD", or that with " " or "T"
 * and "HH:MM[:SS[.FRACTION]]" behind it, and at the end "Z", "UTC" or
 * "+HH[[:]MM]", perhaps behind a blank.  Without one of these it is local time:
 * `offset_s` (NULL: UTC) is given `arg` and a second and says by how much local
 * time is ahead. Returns 0 or -EINVAL.
 */
int tmk_match_time_parse(const char *text,
                         int32_t (*offset_s)(void *arg, int64_t s), void *arg,
                         struct tmk_match_time *time);

/*
 * A part of a date as find's -printf "%T" + letter has it, in the C locale:
 * seconds have ten decimals.  `offset_s` and `zone`: local time.  Writes at
 * most `size` bytes with the NUL and returns the length, 0 if there is no such
 * letter (none gives an empty text but P, which is never empty here).
 */
size_t tmk_match_time_format(char letter, struct tmk_match_time time,
                             int32_t offset_s, const char *zone, char *buf,
                             size_t size);

/* As ctime(3) with ten decimals: "Wed Mar  4 05:06:07.0890000000 2026". */
size_t tmk_match_time_format_long(struct tmk_match_time time, int32_t offset_s,
                                  char *buf, size_t size);

/* As ls -l: "Mar  4 05:06", or "Mar  4  2026" if it is long ago or ahead. */
size_t tmk_match_time_format_ls(struct tmk_match_time time,
                                struct tmk_match_time now, int32_t offset_s,
                                char *buf, size_t size);

#endif
