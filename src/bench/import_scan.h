#ifndef TMK_BENCH_IMPORT_SCAN_H
#define TMK_BENCH_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Lines of other programs' reports, compared with patterns.  Pure, and
 * whatever the locale.
 */

enum { TMK_IMPORT_SCAN_NUMBERS = 8, TMK_IMPORT_SCAN_TEXTS = 4 };

/* A piece of a line; not ended by a NUL. */
struct tmk_import_scan_text {
    const char *at;
    size_t length;
};

struct tmk_import_scan_number {
    double value;  /* NAN: "inf", "nan" or no number */
    int decimals;  /* digits after the point */
    int64_t whole; /* -1: not a whole number below 2^63 */
};

/* What the captures of a pattern found, in order; the first ones, if there are
 * more than fit. */
struct tmk_import_scan {
    size_t n_numbers, n_texts;
    struct tmk_import_scan_number numbers[TMK_IMPORT_SCAN_NUMBERS];
    struct tmk_import_scan_text texts[TMK_IMPORT_SCAN_TEXTS];
};

/*
 * Whether the whole line is what the pattern says; blanks around it do not
 * count.  In a pattern
 *     a blank   is one or more blanks
 *     _         is blanks, or nothing
 *     #         is a number, captured
 *     $         is a word up to a blank, captured
 *     *         is the rest of the line, which may be empty, captured
 * and anything else stands for itself.
 */
bool tmk_import_scan(struct tmk_import_scan_text line, const char *pattern,
                     struct tmk_import_scan *found);

/*
 * Whether the line is the heading, or its beginning with at least so many
 * whole words.  Only words count, not the blanks between them.
 */
bool tmk_import_scan_heading(struct tmk_import_scan_text line,
                             const char *heading, size_t least);

/* Whether the text is this one. */
bool tmk_import_scan_is(struct tmk_import_scan_text text, const char *what);

/* Without blanks at its ends. */
struct tmk_import_scan_text
tmk_import_scan_trim(struct tmk_import_scan_text text);

/* Cut the first word off; its length is 0 at the end. */
struct tmk_import_scan_text
tmk_import_scan_word(struct tmk_import_scan_text *rest);

/* Whether all of the word is a number; "inf" and "nan" are. */
bool tmk_import_scan_number(struct tmk_import_scan_text word,
                            struct tmk_import_scan_number *number);

/*
 * The same of the last word of a line that may have been cut: "8." is a number,
 * too.
 */
bool tmk_import_scan_last_number(struct tmk_import_scan_text word,
                                 struct tmk_import_scan_number *number);

/*
 * "07/22/2015 09:34:24" or "Wed Jul 22 12:01:16 2015" as
 * "2015-07-22T09:34:24": a local time, wherever that was.
 */
enum { TMK_IMPORT_SCAN_MOMENT_SIZE = 20 };
bool tmk_import_scan_moment(struct tmk_import_scan_text text,
                            char moment[TMK_IMPORT_SCAN_MOMENT_SIZE]);

#endif
