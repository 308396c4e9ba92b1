/*
 * match_glob: shell patterns, most of them as comparisons of bytes.
 *
 *     *abc     -> the literal "abc" at the end
 *     abc*xyz  -> "abcxyz", of which 3 bytes are at the beginning
 */
#include "base/match_glob.h"

#include <fnmatch.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* The pattern as literal runs between stars. */
struct shape {
    size_t stars; /* runs of them */
    bool first, last;
    size_t head; /* literal bytes before the last star */
    bool other;  /* something that only fnmatch knows */
};

static void take_apart(struct shape *s, const char *pattern, char *text,
                       size_t *length)
{
    const char *p = pattern;

    while (*p != '\0') {
        if (*p == '*') {
            s->stars++;
            s->first = s->first || p == pattern;
            s->head = *length;
            p += strspn(p, "*");
            s->last = *p == '\0';
            continue;
        }
        if (*p == '?' || *p == '[') {
            s->other = true;
            return;
        }
        if (*p == '\\' && *++p == '\0') {
            s->other = true; /* what that means is fnmatch's business */
            return;
        }
        text[(*length)++] = *p++;
    }
}

void tmk_match_glob_init(struct tmk_match_glob *glob, const char *pattern,
                         bool fold, char *text)
{
    struct shape s = {0};
    size_t length = 0;

    *glob = (struct tmk_match_glob){
        .kind = TMK_MATCH_GLOB_FNMATCH,
        .fold = fold,
        .pattern = pattern,
        .text = text,
    };
    take_apart(&s, pattern, text, &length);
    text[length] = '\0';
    glob->length = length;
    glob->head = s.head;
    if (s.other || s.stars > 2) {
        return;
    }
    if (s.stars == 0) {
        glob->kind = TMK_MATCH_GLOB_LITERAL;
    } else if (length == 0) {
        glob->kind = TMK_MATCH_GLOB_ALL;
    } else if (s.stars == 2) {
        if (s.first && s.last) {
            glob->kind = TMK_MATCH_GLOB_CONTAINS;
        }
    } else if (s.first) {
        glob->kind = TMK_MATCH_GLOB_SUFFIX;
    } else {
        glob->kind = s.last ? TMK_MATCH_GLOB_PREFIX : TMK_MATCH_GLOB_ENDS;
    }
}

static bool same(const struct tmk_match_glob *glob, const char *text,
                 size_t from, size_t length)
{
    return glob->fold ? strncasecmp(text, glob->text + from, length) == 0
                      : memcmp(text, glob->text + from, length) == 0;
}

bool tmk_match_glob_test(const struct tmk_match_glob *glob, const char *text,
                         size_t length)
{
    size_t n = glob->length;
    size_t head = glob->head;

    switch (glob->kind) {
    case TMK_MATCH_GLOB_ALL: return true;
    case TMK_MATCH_GLOB_LITERAL: return length == n && same(glob, text, 0, n);
    case TMK_MATCH_GLOB_PREFIX: return length >= n && same(glob, text, 0, n);
    case TMK_MATCH_GLOB_SUFFIX:
        return length >= n && same(glob, text + length - n, 0, n);
    case TMK_MATCH_GLOB_ENDS:
        return length >= n && same(glob, text, 0, head) &&
               same(glob, text + length - (n - head), head, n - head);
    case TMK_MATCH_GLOB_CONTAINS:
        /* strstr(3) has no length to go by and is three times as fast as
         * memmem(3) all the same. */
        return (glob->fold ? strcasestr(text, glob->text)
                           : strstr(text, glob->text)) != NULL;
    case TMK_MATCH_GLOB_FNMATCH: break;
    }
    return fnmatch(glob->pattern, text, glob->fold ? FNM_CASEFOLD : 0) == 0;
}
