/*
 * match_time: dates without a clock, a locale or a database of time zones.
 *
 * Days are counted in eras of 400 years that begin on 1 March, so that the
 * odd day is the last one.
 */
#include "base/match_time.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    DAY_S = 86400,
    ERA_YEARS = 400,
    ERA_DAYS = 146097,
    EPOCH_DAYS = 719468, /* from 1 March of year 0 */
    LS_OLD_S = 180 * DAY_S,
    LS_AHEAD_S = 3600
};

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

int tmk_match_time_compare(struct tmk_match_time a, struct tmk_match_time b)
{
    if (a.s != b.s) {
        return a.s < b.s ? -1 : 1;
    }
    return a.ns < b.ns ? -1 : a.ns > b.ns;
}

struct tmk_match_time tmk_match_time_less(struct tmk_match_time a,
                                          struct tmk_match_time b)
{
    struct tmk_match_time less = {.ns = a.ns - b.ns};
    bool borrow = a.ns < b.ns;

    if (__builtin_sub_overflow(a.s, b.s, &less.s) ||
        __builtin_sub_overflow(less.s, (int64_t)borrow, &less.s)) {
        less.s = a.s < b.s ? INT64_MIN : INT64_MAX;
        less.ns = 0;
        return less;
    }
    less.ns += borrow ? 1000000000 : 0;
    return less;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from the epoch to a date; year of at most some 2^38. */
static int64_t days_to(int64_t year, unsigned month, unsigned day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = floor_div(y, ERA_YEARS);
    int64_t of_era = y - era * ERA_YEARS;
    int64_t of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 +
                      (int64_t)day - 1;

    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           EPOCH_DAYS;
}

struct tmk_match_date tmk_match_time_date(int64_t s, int32_t offset_s)
{
    struct tmk_match_date d;
    int64_t day = floor_div(s, DAY_S);
    int64_t of_day = (s % DAY_S + DAY_S) % DAY_S + offset_s;
    int64_t era, of_era, year, of_year, month;

    day += floor_div(of_day, DAY_S);
    of_day -= floor_div(of_day, DAY_S) * DAY_S;
    d.weekday = (unsigned)((day % 7 + 11) % 7); /* a Thursday */
    era = floor_div(day + EPOCH_DAYS, ERA_DAYS);
    of_era = day + EPOCH_DAYS - era * ERA_DAYS;
    year = (of_era - of_era / 1460 + of_era / 36524 - of_era / (ERA_DAYS - 1)) /
           365;
    of_year = of_era - (365 * year + year / 4 - year / 100);
    month = (5 * of_year + 2) / 153;
    d.day = (unsigned)(of_year - (153 * month + 2) / 5 + 1);
    d.month = (unsigned)(month < 10 ? month + 3 : month - 9);
    d.year = year + era * ERA_YEARS + (d.month <= 2);
    d.yearday = (unsigned)(day - days_to(d.year, 1, 1));
    d.hour = (unsigned)(of_day / 3600);
    d.minute = (unsigned)(of_day / 60 % 60);
    d.second = (unsigned)(of_day % 60);
    return d;
}

int64_t tmk_match_time_second(const struct tmk_match_date *date)
{
    return days_to(date->year, date->month, date->day) * DAY_S +
           (int64_t)(date->hour * 3600 + date->minute * 60 + date->second);
}

/* ---- reading ---------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Exactly `n` digits. */
static bool digits(const char **p, unsigned n, unsigned *value)
{
    *value = 0;
    for (unsigned i = 0; i < n; i++) {
        if (!is_digit(**p)) {
            return false;
        }
        *value = *value * 10 + (unsigned)(*(*p)++ - '0');
    }
    return true;
}

/* What follows a point: at most nine digits count. */
static bool fraction(const char **p, uint32_t *ns)
{
    uint32_t unit = 100000000;

    *ns = 0;
    if (**p != '.') {
        return true;
    }
    ++*p;
    if (!is_digit(**p)) {
        return false;
    }
    for (; is_digit(**p); ++*p) {
        *ns += unit * (uint32_t)(**p - '0');
        unit /= 10;
    }
    return true;
}

/* Behind the @. */
static int parse_epoch(const char *p, struct tmk_match_time *time)
{
    bool minus = *p == '-';
    uint64_t s = 0;

    p += minus;
    if (!is_digit(*p)) {
        return -EINVAL;
    }
    for (; is_digit(*p); p++) {
        s = s * 10 + (uint64_t)(*p - '0');
        if (s > INT64_MAX / 16) {
            return -EINVAL;
        }
    }
    if (!fraction(&p, &time->ns) || *p != '\0') {
        return -EINVAL;
    }
    time->s = minus ? -(int64_t)s : (int64_t)s;
    if (minus && time->ns != 0) {
        time->s--;
        time->ns = 1000000000 - time->ns;
    }
    return 0;
}

/* "Z", "UTC", "+01", "+0130", "+01:30"; *offset_s is 0 without one. */
static bool parse_zone(const char *p, int32_t *offset_s, bool *given)
{
    unsigned hours;
    unsigned minutes = 0;
    bool minus;

    *offset_s = 0;
    *given = *p != '\0';
    p += *p == ' ';
    if (!*given || strcmp(p, "Z") == 0 || strcmp(p, "UTC") == 0) {
        return true;
    }
    if (*p != '+' && *p != '-') {
        return false;
    }
    minus = *p++ == '-';
    if (!digits(&p, 2, &hours)) {
        return false;
    }
    p += *p == ':' && p[1] != '\0';
    if (*p != '\0' && !digits(&p, 2, &minutes)) {
        return false;
    }
    *offset_s = (int32_t)(hours * 3600 + minutes * 60);
    *offset_s = minus ? -*offset_s : *offset_s;
    return *p == '\0' && hours <= 24 && minutes < 60;
}

static bool parse_clock(const char **p, struct tmk_match_date *d, uint32_t *ns)
{
    if (**p != 'T' && **p != ' ') {
        return true;
    }
    if (**p == ' ' && !is_digit((*p)[1])) {
        return true; /* a zone */
    }
    ++*p;
    if (!digits(p, 2, &d->hour) || *(*p)++ != ':' ||
        !digits(p, 2, &d->minute)) {
        return false;
    }
    if (**p == ':') {
        ++*p;
        if (!digits(p, 2, &d->second) || !fraction(p, ns)) {
            return false;
        }
    }
    return d->hour < 24 && d->minute < 60 && d->second < 60;
}

static bool parse_day(const char **p, struct tmk_match_date *d)
{
    static const unsigned char length[] = {31, 28, 31, 30, 31, 30,
                                           31, 31, 30, 31, 30, 31};
    unsigned year;

    if (!digits(p, 4, &year) || *(*p)++ != '-' || !digits(p, 2, &d->month) ||
        *(*p)++ != '-' || !digits(p, 2, &d->day)) {
        return false;
    }
    d->year = year;
    return d->month >= 1 && d->month <= 12 && d->day >= 1 &&
           d->day <= length[d->month - 1] +
                         (unsigned)(d->month == 2 && is_leap(d->year));
}

int tmk_match_time_parse(const char *text,
                         int32_t (*offset_s)(void *arg, int64_t s), void *arg,
                         struct tmk_match_time *time)
{
    struct tmk_match_date d = {0};
    int32_t offset;
    bool given;
    int64_t s;

    *time = (struct tmk_match_time){0};
    if (*text == '@') {
        return parse_epoch(text + 1, time);
    }
    if (!parse_day(&text, &d) || !parse_clock(&text, &d, &time->ns) ||
        !parse_zone(text, &offset, &given)) {
        return -EINVAL;
    }
    s = tmk_match_time_second(&d);
    if (!given && offset_s != NULL) {
        /* Near a change of clocks the second guess is the better one. */
        offset = offset_s(arg, s - offset_s(arg, s));
    }
    time->s = s - offset;
    return 0;
}

/* ---- writing ---------------------------------------------------------- */

static unsigned hour12(const struct tmk_match_date *d)
{
    return d->hour % 12 == 0 ? 12 : d->hour % 12;
}

/* The week of ISO 8601 and its year. */
static unsigned iso_week(const struct tmk_match_date *d, int64_t *year)
{
    int monday = (int)(d->weekday + 6) % 7;
    int week = ((int)d->yearday - monday + 10) / 7;

    *year = d->year;
    if (week == 0) {
        unsigned before = is_leap(d->year - 1) ? 366 : 365;

        --*year;
        return (unsigned)((int)(d->yearday + before) - monday + 10) / 7;
    }
    if (week == 53 &&
        (int)d->yearday - monday + 3 >= (is_leap(d->year) ? 366 : 365)) {
        ++*year;
        return 1;
    }
    return (unsigned)week;
}

static unsigned two_digits(int64_t year)
{
    return (unsigned)((year % 100 + 100) % 100);
}

/* The letters that stand for other ones. */
static int compound(char letter, const struct tmk_match_date *d, uint32_t ns,
                    const char *zone, char *buf, size_t size)
{
    const char *day = days[d->weekday];
    const char *month = months[d->month - 1];

    switch (letter) {
    case 'c':
        return snprintf(buf, size, "%.3s %.3s %2u %02u:%02u:%02u %lld", day,
                        month, d->day, d->hour, d->minute, d->second,
                        (long long)d->year);
    case 'D':
    case 'x':
        return snprintf(buf, size, "%02u/%02u/%02u", d->month, d->day,
                        two_digits(d->year));
    case 'F':
        return snprintf(buf, size, "%lld-%02u-%02u", (long long)d->year,
                        d->month, d->day);
    case 'r':
        return snprintf(buf, size, "%02u:%02u:%02u %s", hour12(d), d->minute,
                        d->second, d->hour < 12 ? "AM" : "PM");
    case 'R': return snprintf(buf, size, "%02u:%02u", d->hour, d->minute);
    case 'T':
    case 'X':
        return snprintf(buf, size, "%02u:%02u:%02u.%09u0", d->hour, d->minute,
                        d->second, ns);
    case '+':
        return snprintf(buf, size, "%lld-%02u-%02u+%02u:%02u:%02u.%09u0",
                        (long long)d->year, d->month, d->day, d->hour,
                        d->minute, d->second, ns);
    case 'Z': return snprintf(buf, size, "%s", zone);
    default: return 0;
    }
}

static int years_and_weeks(char letter, const struct tmk_match_date *d,
                           char *buf, size_t size)
{
    int64_t year;
    unsigned week = iso_week(d, &year);

    switch (letter) {
    case 'C':
        return snprintf(buf, size, "%02lld",
                        (long long)floor_div(d->year, 100));
    case 'g': return snprintf(buf, size, "%02u", two_digits(year));
    case 'G': return snprintf(buf, size, "%lld", (long long)year);
    case 'U':
        return snprintf(buf, size, "%02u", (d->yearday + 7 - d->weekday) / 7);
    case 'V': return snprintf(buf, size, "%02u", week);
    case 'W':
        return snprintf(buf, size, "%02u",
                        (d->yearday + 7 - (d->weekday + 6) % 7) / 7);
    case 'y': return snprintf(buf, size, "%02u", two_digits(d->year));
    case 'Y': return snprintf(buf, size, "%lld", (long long)d->year);
    default: return 0;
    }
}

static int days_and_hours(char letter, const struct tmk_match_date *d,
                          char *buf, size_t size)
{
    const char *day = days[d->weekday];
    const char *month = months[d->month - 1];

    switch (letter) {
    case 'a': return snprintf(buf, size, "%.3s", day);
    case 'A': return snprintf(buf, size, "%s", day);
    case 'b':
    case 'h': return snprintf(buf, size, "%.3s", month);
    case 'B': return snprintf(buf, size, "%s", month);
    case 'd': return snprintf(buf, size, "%02u", d->day);
    case 'e': return snprintf(buf, size, "%2u", d->day);
    case 'H': return snprintf(buf, size, "%02u", d->hour);
    case 'I': return snprintf(buf, size, "%02u", hour12(d));
    case 'j': return snprintf(buf, size, "%03u", d->yearday + 1);
    case 'k': return snprintf(buf, size, "%2u", d->hour);
    case 'l': return snprintf(buf, size, "%2u", hour12(d));
    case 'm': return snprintf(buf, size, "%02u", d->month);
    case 'M': return snprintf(buf, size, "%02u", d->minute);
    case 'p': return snprintf(buf, size, "%s", d->hour < 12 ? "AM" : "PM");
    case 'P': return snprintf(buf, size, "%s", d->hour < 12 ? "am" : "pm");
    case 'u':
        return snprintf(buf, size, "%u", d->weekday == 0 ? 7 : d->weekday);
    case 'w': return snprintf(buf, size, "%u", d->weekday);
    default: return 0;
    }
}

static size_t written(int n, size_t size)
{
    return (size_t)n < size ? (size_t)n : size - 1;
}

size_t tmk_match_time_format(char letter, struct tmk_match_time time,
                             int32_t offset_s, const char *zone, char *buf,
                             size_t size)
{
    struct tmk_match_date d = tmk_match_time_date(time.s, offset_s);
    unsigned off = (unsigned)(offset_s < 0 ? -offset_s : offset_s);
    int n = 0;

    switch (letter) {
    case '@':
        n = snprintf(buf, size, "%lld.%09u0", (long long)time.s, time.ns);
        break;
    case 's': n = snprintf(buf, size, "%lld", (long long)time.s); break;
    case 'S': n = snprintf(buf, size, "%02u.%09u0", d.second, time.ns); break;
    case 'n': n = snprintf(buf, size, "\n"); break;
    case 't': n = snprintf(buf, size, "\t"); break;
    case 'z':
        n = snprintf(buf, size, "%c%02u%02u", offset_s < 0 ? '-' : '+',
                     off / 3600, off / 60 % 60);
        break;
    default:
        n = compound(letter, &d, time.ns, zone, buf, size);
        n = n != 0 ? n : years_and_weeks(letter, &d, buf, size);
        n = n != 0 ? n : days_and_hours(letter, &d, buf, size);
        break;
    }
    return written(n, size);
}

size_t tmk_match_time_format_long(struct tmk_match_time time, int32_t offset_s,
                                  char *buf, size_t size)
{
    struct tmk_match_date d = tmk_match_time_date(time.s, offset_s);

    return written(snprintf(buf, size,
                            "%.3s %.3s %2u %02u:%02u:%02u.%09u0 %lld",
                            days[d.weekday], months[d.month - 1], d.day, d.hour,
                            d.minute, d.second, time.ns, (long long)d.year),
                   size);
}

size_t tmk_match_time_format_ls(struct tmk_match_time time,
                                struct tmk_match_time now, int32_t offset_s,
                                char *buf, size_t size)
{
    struct tmk_match_date d = tmk_match_time_date(time.s, offset_s);
    struct tmk_match_time age = tmk_match_time_less(now, time);
    const char *month = months[d.month - 1];

    if (age.s >= LS_OLD_S || age.s < -LS_AHEAD_S) {
        return written(snprintf(buf, size, "%.3s %2u %5lld", month, d.day,
                                (long long)d.year),
                       size);
    }
    return written(snprintf(buf, size, "%.3s %2u %02u:%02u", month, d.day,
                            d.hour, d.minute),
                   size);
}
