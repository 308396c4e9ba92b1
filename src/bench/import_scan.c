/*
 * import_scan: lines compared with patterns, words cut off, numbers read.
 */
#include "bench/import_scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

bool tmk_import_scan_is(struct tmk_import_scan_text text, const char *what)
{
    return strlen(what) == text.length &&
           memcmp(text.at, what, text.length) == 0;
}

struct tmk_import_scan_text
tmk_import_scan_trim(struct tmk_import_scan_text text)
{
    while (text.length > 0 && blank(text.at[0])) {
        text.at++;
        text.length--;
    }
    while (text.length > 0 && blank(text.at[text.length - 1])) {
        text.length--;
    }
    return text;
}

struct tmk_import_scan_text
tmk_import_scan_word(struct tmk_import_scan_text *rest)
{
    struct tmk_import_scan_text word = tmk_import_scan_trim(*rest);
    size_t n = 0;

    while (n < word.length && !blank(word.at[n])) {
        n++;
    }
    rest->length -= (size_t)(word.at + n - rest->at);
    rest->at = word.at + n;
    word.length = n;
    return word;
}

/*
 * Numbers.
 */

/*
 * mantissa * 10^-decimals, correctly rounded where both are doubles, which
 * holds for all that the programs print but numbers of more than 15 digits.
 */
static double scale(uint64_t mantissa, int exponent)
{
    long double value = (long double)mantissa;
    double power = 1.0;

    if (exponent < 0 && exponent >= -22 && mantissa <= UINT64_C(1) << 53) {
        for (int i = exponent; i < 0; i++) {
            power *= 10.0;
        }
        return (double)mantissa / power;
    }
    return (double)(value * powl(10.0L, (long double)exponent));
}

/* Digits into a mantissa; those that do not fit are only counted. */
static size_t digits(struct tmk_import_scan_text text, size_t at,
                     uint64_t *mantissa, int *dropped)
{
    size_t n = 0;

    for (; at + n < text.length && digit(text.at[at + n]); n++) {
        if (*mantissa < UINT64_C(1000000000000000000)) {
            *mantissa = *mantissa * 10 + (uint64_t)(text.at[at + n] - '0');
        } else {
            (*dropped)++;
        }
    }
    return n;
}

/* How much of the text's beginning is digits, a point and digits; 0 = none. */
static size_t decimal(struct tmk_import_scan_text text,
                      struct tmk_import_scan_number *number)
{
    bool minus = text.length > 0 && text.at[0] == '-';
    size_t at = minus ? 1 : 0;
    uint64_t mantissa = 0;
    int dropped = 0;
    size_t before;
    size_t after = 0;

    if (text.length > 400) {
        text.length = 400; /* longer than any double */
    }
    before = digits(text, at, &mantissa, &dropped);
    if (before == 0) {
        return 0;
    }
    at += before;
    if (at < text.length && text.at[at] == '.') {
        after = digits(text, at + 1, &mantissa, &dropped);
        at += after != 0 ? after + 1 : 0;
    }
    *number = (struct tmk_import_scan_number){
        .value = scale(mantissa, dropped - (int)after),
        .decimals = (int)after,
        .whole = -1,
    };
    if (after == 0 && dropped == 0 && !minus && mantissa <= INT64_MAX) {
        number->whole = (int64_t)mantissa;
    }
    if (minus) {
        number->value = -number->value;
    }
    return at;
}

bool tmk_import_scan_number(struct tmk_import_scan_text word,
                            struct tmk_import_scan_number *number)
{
    static const char *const names[] = {"inf", "-inf", "nan", "-nan"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (tmk_import_scan_is(word, names[i])) {
            *number = (struct tmk_import_scan_number){
                .value = (double)NAN, .decimals = 0, .whole = -1};
            return true;
        }
    }
    return word.length > 0 && decimal(word, number) == word.length;
}

bool tmk_import_scan_last_number(struct tmk_import_scan_text word,
                                 struct tmk_import_scan_number *number)
{
    if (word.length > 1 && word.at[word.length - 1] == '.') {
        word.length--;
    }
    return tmk_import_scan_number(word, number);
}

/*
 * Patterns.
 */

static void capture_text(struct tmk_import_scan *found, const char *at,
                         size_t length)
{
    if (found->n_texts < TMK_IMPORT_SCAN_TEXTS) {
        found->texts[found->n_texts++] =
            (struct tmk_import_scan_text){.at = at, .length = length};
    }
}

/* The length of what one character of a pattern finds, or -1. */
static long find(struct tmk_import_scan_text text, char c,
                 struct tmk_import_scan *found)
{
    struct tmk_import_scan_text rest = text;
    struct tmk_import_scan_number number;
    size_t n = 0;

    switch (c) {
    case ' ':
    case '_':
        while (n < text.length && blank(text.at[n])) {
            n++;
        }
        return n == 0 && c == ' ' ? -1 : (long)n;
    case '#':
        n = decimal(text, &number);
        if (n != 0 && found->n_numbers < TMK_IMPORT_SCAN_NUMBERS) {
            found->numbers[found->n_numbers++] = number;
        }
        return n != 0 ? (long)n : -1;
    case '$':
        if (text.length == 0 || blank(text.at[0])) {
            return -1;
        }
        n = tmk_import_scan_word(&rest).length;
        capture_text(found, text.at, n);
        return (long)n;
    default: return text.length > 0 && text.at[0] == c ? 1 : -1;
    }
}

bool tmk_import_scan(struct tmk_import_scan_text line, const char *pattern,
                     struct tmk_import_scan *found)
{
    struct tmk_import_scan_text text = tmk_import_scan_trim(line);

    found->n_numbers = 0;
    found->n_texts = 0;
    for (; *pattern != '\0'; pattern++) {
        long n;

        if (*pattern == '*') {
            text = tmk_import_scan_trim(text);
            capture_text(found, text.at, text.length);
            return true;
        }
        n = find(text, *pattern, found);
        if (n < 0) {
            return false;
        }
        text.at += n;
        text.length -= (size_t)n;
    }
    return text.length == 0;
}

bool tmk_import_scan_heading(struct tmk_import_scan_text line,
                             const char *heading, size_t least)
{
    struct tmk_import_scan_text want = {heading, strlen(heading)};

    for (size_t whole = 0;; whole++) {
        struct tmk_import_scan_text got = tmk_import_scan_word(&line);
        struct tmk_import_scan_text word = tmk_import_scan_word(&want);
        bool cut = got.length < word.length;

        if (got.length == 0) {
            return whole >= least;
        }
        if (got.length > word.length ||
            memcmp(got.at, word.at, got.length) != 0) {
            return false;
        }
        if (cut) {
            return whole >= least && tmk_import_scan_trim(line).length == 0;
        }
    }
}

/*
 * Times of day.
 */

static bool two(const char *at, int *value)
{
    *value = 0;
    if (!digit(at[0]) || !digit(at[1])) {
        return false;
    }
    *value = (at[0] - '0') * 10 + (at[1] - '0');
    return true;
}

/* "12:01:16" */
static bool time_of_day(struct tmk_import_scan_text word)
{
    int hour;
    int minute;
    int second;

    return word.length == 8 && word.at[2] == ':' && word.at[5] == ':' &&
           two(word.at, &hour) && two(word.at + 3, &minute) &&
           two(word.at + 6, &second) && hour < 24 && minute < 60 && second < 61;
}

/* A month by its English name, from 1; 0 = none. */
static int month_of(struct tmk_import_scan_text word)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    for (int i = 0; word.length == 3 && i < 12; i++) {
        if (memcmp(names + (size_t)i * 3, word.at, 3) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static bool year_of(struct tmk_import_scan_text word, int *year)
{
    int century;
    int rest;

    if (word.length != 4 || !two(word.at, &century) ||
        !two(word.at + 2, &rest)) {
        return false;
    }
    *year = century * 100 + rest;
    return true;
}

static bool day_of(struct tmk_import_scan_text word, int *day)
{
    char padded[2] = {'0', '0'};

    if (word.length == 0 || word.length > 2) {
        return false;
    }
    memcpy(padded + 2 - word.length, word.at, word.length);
    return two(padded, day);
}

bool tmk_import_scan_moment(struct tmk_import_scan_text text,
                            char moment[TMK_IMPORT_SCAN_MOMENT_SIZE])
{
    struct tmk_import_scan_text words[5] = {{NULL, 0}};
    struct tmk_import_scan_text clock;
    size_t n = 0;
    int year = 0;
    int month = 0;
    int day = 0;
    bool good;

    while (n < 5 && (words[n] = tmk_import_scan_word(&text)).length > 0) {
        n++;
    }
    clock = words[n == 5 ? 3 : 1];
    if (tmk_import_scan_word(&text).length > 0 || (n != 2 && n != 5) ||
        !time_of_day(clock)) {
        return false;
    }
    if (n == 5) {
        month = month_of(words[1]);
        good = day_of(words[2], &day) && year_of(words[4], &year);
    } else {
        const char *date = words[0].at;

        good = words[0].length == 10 && two(date, &month) && date[2] == '/' &&
               two(date + 3, &day) && date[5] == '/' &&
               year_of((struct tmk_import_scan_text){date + 6, 4}, &year);
    }
    if (!good || month < 1 || month > 12 || day < 1 || day > 31) {
        return false;
    }
    (void)snprintf(moment, TMK_IMPORT_SCAN_MOMENT_SIZE, "%04u-%02u-%02uT%.8s",
                   (unsigned)year % 10000u, (unsigned)month % 100u,
                   (unsigned)day % 100u, clock.at);
    return true;
}
