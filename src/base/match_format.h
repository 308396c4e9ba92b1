#ifndef TMK_BASE_MATCH_FORMAT_H
#define TMK_BASE_MATCH_FORMAT_H

#include "base/match.h"

/* What -printf writes: pieces, one behind the other. */
struct tmk_match_piece {
    char letter; /* of the directive; 0: the bytes in `text` */
    char part;   /* of a time: the second letter */
    bool left, alternate, zeros, plus, blank; /* flags - # 0 + and blank */
    size_t width;
    size_t precision; /* SIZE_MAX: none */
    const char *text;
    size_t length;
};

struct tmk_match_format {
    const struct tmk_match_piece *pieces;
    size_t n_pieces;
    uint32_t needs; /* enum tmk_match_field */
};

/*
 * Compile a format into memory of the match.  0, -EINVAL with *why (static),
 * -ENOMEM.  What is no directive is written as it is, and *odd says why if
 * that is worth a warning; else it is NULL.
 */
int tmk_match_format_compile(struct tmk_match *match, const char *text,
                             const struct tmk_match_format **format,
                             const char **why, const char **odd);

/* Append what it writes for an entry.  0 or -ENOMEM; then part of it may be
 * there. */
int tmk_match_format_add(const struct tmk_match_format *format,
                         const struct tmk_match_entry *entry,
                         const struct tmk_match_calls *calls, void *arg,
                         struct tmk_match_text *text);

/* The line of -ls. */
int tmk_match_format_ls(const struct tmk_match_entry *entry,
                        const struct tmk_match_calls *calls, void *arg,
                        struct tmk_match_text *text);

/* What the line of -ls needs. */
enum {
    TMK_MATCH_LS_NEEDS = TMK_MATCH_TYPE | TMK_MATCH_MODE | TMK_MATCH_NLINK |
                         TMK_MATCH_UID | TMK_MATCH_GID | TMK_MATCH_MTIME |
                         TMK_MATCH_INO | TMK_MATCH_SIZE | TMK_MATCH_BLOCKS
};

#endif
