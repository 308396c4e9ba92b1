#ifndef TMK_BASE_MATCH_GLOB_H
#define TMK_BASE_MATCH_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* How a pattern is tried: most need no fnmatch(3), which costs ten times as
 * much. */
enum tmk_match_glob_kind {
    TMK_MATCH_GLOB_ALL,      /* * */
    TMK_MATCH_GLOB_LITERAL,  /* abc */
    TMK_MATCH_GLOB_PREFIX,   /* abc* */
    TMK_MATCH_GLOB_SUFFIX,   /* *abc */
    TMK_MATCH_GLOB_CONTAINS, /* *abc* */
    TMK_MATCH_GLOB_ENDS,     /* abc*xyz */
    TMK_MATCH_GLOB_FNMATCH   /* all else */
};

/* A shell pattern, anchored; * stands for any bytes, also for slashes and a
 * dot at the beginning.  No part of it knows a locale. */
struct tmk_match_glob {
    enum tmk_match_glob_kind kind;
    bool fold;           /* A is a */
    const char *pattern; /* as written; borrowed */
    const char *text;    /* literal bytes, without what escapes them */
    size_t length;       /* of the text */
    size_t head;         /* ENDS: bytes of it that begin the name */
};

/*
 * Compile.  `text` is room for strlen(pattern) + 1 bytes, which stay with the
 * glob, as the pattern does.
 */
void tmk_match_glob_init(struct tmk_match_glob *glob, const char *pattern,
                         bool fold, char *text);

/* Does the pattern match this, which is NUL-terminated and has that length? */
bool tmk_match_glob_test(const struct tmk_match_glob *glob, const char *text,
                         size_t length);

#endif
