#ifndef TMK_TESTS_UNIT_MATCH_ENV_H
#define TMK_TESTS_UNIT_MATCH_ENV_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/match.h"

/*
 * A world for expressions: now is Wed Mar 4 05:06:07.5 2026 UTC, local time an
 * hour ahead; the file "ref" has times 100 s (a), 200 s (m), 300 s (c) before
 * now and no time of birth; "born" has one, 400 s before; others are not
 * there.  User "root" is 0, "ann" 1000; group "staff" is 50, "1000" is 7.
 */
enum { MATCH_NOW_S = 1772600767, MATCH_WORDS_MOST = 64, MATCH_WHY = 512 };

struct match_world {
    char said[1024];  /* what was called, in order */
    char warned[512]; /* the last warning */
    bool act_fails;
};

static inline struct tmk_match_time match_ago(int64_t s)
{
    return (struct tmk_match_time){MATCH_NOW_S - s, 500000000};
}

static inline void match_say(struct match_world *w, const char *text)
{
    size_t n = strlen(w->said);

    (void)snprintf(w->said + n, sizeof(w->said) - n, "%s%s", n ? " " : "",
                   text);
}

static inline int match_reference(void *arg, const char *path, bool follow,
                                  struct tmk_match_reference *ref)
{
    char text[64];

    (void)snprintf(text, sizeof(text), "%s:%s", follow ? "stat" : "lstat",
                   path);
    match_say(arg, text);
    if (strcmp(path, "ref") != 0 && strcmp(path, "born") != 0) {
        return -ENOENT;
    }
    *ref = (struct tmk_match_reference){
        .dev = 9,
        .inode = 77,
        .atime = match_ago(100),
        .mtime = match_ago(200),
        .ctime = match_ago(300),
        .btime = {0, TMK_MATCH_NO_TIME},
    };
    if (strcmp(path, "born") == 0) {
        ref->btime = match_ago(400);
    }
    return 0;
}

static inline int match_user_id(void *arg, const char *name, uint32_t *id)
{
    (void)arg;
    *id = strcmp(name, "ann") == 0 ? 1000 : 0;
    return *id == 1000 || strcmp(name, "root") == 0 ? 0 : -ENOENT;
}

static inline int match_group_id(void *arg, const char *name, uint32_t *id)
{
    (void)arg;
    *id = strcmp(name, "1000") == 0 ? 7 : 50;
    return *id == 7 || strcmp(name, "staff") == 0 ? 0 : -ENOENT;
}

static inline int32_t match_env_offset_s(void *arg, int64_t s)
{
    (void)arg;
    (void)s;
    return 3600;
}

/* --mine, --mine2 WORD and --broken are options of ours. */
static inline int match_own_option(void *arg, int argc, char *const *argv,
                                   char *why, size_t size)
{
    (void)arg;
    if (strcmp(argv[0], "--broken") == 0) {
        (void)snprintf(why, size, "--broken: is broken");
        return -EINVAL;
    }
    if (strcmp(argv[0], "--mine2") == 0) {
        return argc < 2 ? 0 : 2;
    }
    return strcmp(argv[0], "--mine") == 0;
}

static inline void match_warn(void *arg, const char *text)
{
    struct match_world *w = arg;

    (void)snprintf(w->warned, sizeof(w->warned), "%s", text);
}

static inline struct tmk_match_env match_env(struct match_world *w)
{
    return (struct tmk_match_env){
        .now = {MATCH_NOW_S, 500000000},
        .arg = w,
        .reference = match_reference,
        .user_id = match_user_id,
        .group_id = match_group_id,
        .utc_offset_s = match_env_offset_s,
        .own_option = match_own_option,
        .warn = match_warn,
    };
}

/* Cut a line into words at single blanks, "_" standing for an empty one. */
static inline int match_cut(char *line, char **argv)
{
    int argc = 0;

    for (char *p = line; p != NULL && *p != '\0'; argc++) {
        char *end = strchr(p, ' ');

        assert_true(argc < MATCH_WORDS_MOST);
        argv[argc] = p;
        if (end != NULL) {
            *end++ = '\0';
        }
        if (strcmp(p, "_") == 0) {
            *p = '\0';
        }
        p = end;
    }
    argv[argc] = NULL;
    return argc;
}

/* Compile a line of words in such a world. */
static inline int match_compile(struct match_world *w, const char *words,
                                struct tmk_match **match, char *why)
{
    struct tmk_match_env env = match_env(w);
    char line[1024];
    char *argv[MATCH_WORDS_MOST + 1];
    int argc;

    assert_true(strlen(words) < sizeof(line));
    (void)snprintf(line, sizeof(line), "%s", words);
    argc = match_cut(line, argv);
    return tmk_match_compile(match, argc, argv, &env, why, MATCH_WHY);
}

/* ---- evaluation ------------------------------------------------------- */

static inline bool match_act(void *arg, const struct tmk_match_action *action,
                             const struct tmk_match_entry *entry)
{
    struct match_world *w = arg;

    (void)entry;
    match_say(w, action->word);
    return !w->act_fails;
}

static inline bool match_is_empty_dir(void *arg,
                                      const struct tmk_match_entry *entry)
{
    match_say(arg, "dir?");
    return strcmp(entry->name, "void") == 0;
}

static inline bool match_may(void *arg, const struct tmk_match_entry *entry,
                             int how)
{
    char text[16];

    (void)snprintf(text, sizeof(text), "may%d?", how);
    match_say(arg, text);
    return (entry->mode & (unsigned)how) != 0;
}

static inline const char *match_fstype(void *arg,
                                       const struct tmk_match_entry *entry)
{
    (void)entry;
    match_say(arg, "fs?");
    return "ext4";
}

/* Links are named for what they lead to; "broken" cannot be read. */
static inline const char *match_link_target(void *arg,
                                            const struct tmk_match_entry *entry)
{
    match_say(arg, "link?");
    return strcmp(entry->name, "broken") != 0 ? "tar get/f.c" : NULL;
}

static inline char match_target_type(void *arg,
                                     const struct tmk_match_entry *entry)
{
    match_say(arg, "target?");
    if (strcmp(entry->name, "nowhere") == 0) {
        return 'N';
    }
    return (char)(strcmp(entry->name, "circle") == 0 ? 'L' : 'f');
}

static inline char match_own_type(void *arg,
                                  const struct tmk_match_entry *entry)
{
    (void)entry;
    match_say(arg, "own?");
    return 'l';
}

static inline const char *match_user_name(void *arg, uint32_t id)
{
    (void)arg;
    return id == 0 ? "root" : id == 1000 ? "ann" : NULL;
}

static inline const char *match_group_name(void *arg, uint32_t id)
{
    (void)arg;
    return id == 50 ? "staff" : NULL;
}

static inline int32_t match_offset_s(void *arg, int64_t s, const char **zone)
{
    (void)arg;
    (void)s;
    *zone = "CET";
    return 3600;
}

static const struct tmk_match_calls match_calls = {
    .act = match_act,
    .is_empty_dir = match_is_empty_dir,
    .may = match_may,
    .fstype = match_fstype,
    .link_target = match_link_target,
    .target_type = match_target_type,
    .own_type = match_own_type,
    .user_name = match_user_name,
    .group_name = match_group_name,
    .utc_offset_s = match_offset_s,
    .now = {MATCH_NOW_S, 500000000},
};

/*
 * An entry below the start point "top", of which all is known: 600 bytes, mode
 * 644, of ann and staff, atime 10 s, mtime 200000 s, ctime 30 s before now.
 */
static inline struct tmk_match_entry match_entry(const char *path, char type)
{
    struct tmk_match_entry e = {
        .path = path,
        .path_length = strlen(path),
        .start_length = 3,
        .type = (uint8_t)type,
        .inode = 77,
        .have = TMK_MATCH_STATX,
        .mode = 0644,
        .uid = 1000,
        .gid = 50,
        .links = 2,
        .size_bytes = 600,
        .blocks = 3,
        .dev = 9,
        .rdev_major = 1,
        .rdev_minor = 3,
        .atime = match_ago(10),
        .mtime = match_ago(200000),
        .ctime = match_ago(30),
        .btime = match_ago(350),
    };

    e.name = tmk_match_base(path, &e.name_length);
    for (const char *p = path; *p != '\0'; p++) {
        e.depth += *p == '/';
    }
    return e;
}

/* What is left of it when only the dirent was read. */
static inline struct tmk_match_entry
match_dirent(const struct tmk_match_entry *whole)
{
    return (struct tmk_match_entry){
        .name = whole->name,
        .name_length = whole->name_length,
        .path = whole->path,
        .path_length = whole->path_length,
        .start_length = whole->start_length,
        .depth = whole->depth,
        .type = whole->type,
        .inode = whole->inode,
    };
}

#endif
