/*
 * fuzz_match: what a command line can do to the expressions of find, and
 * whether looking ahead at an entry and evaluating it agree.
 *
 * The input is cut into words at newlines; a first word "pfind" makes it one
 * of pfind's.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/match.h"
#include "base/mix.h"
#include "fuzz/must.h"

enum { INPUT_MAX = 1024, WORDS_MAX = 128, WHY_SIZE = 512, ENTRIES = 6 };

/* What was called so far. */
struct world {
    uint64_t seen;
    struct tmk_match_text text;
    bool dirent; /* it told what the entry is: no link was followed */
};

static int reference(void *arg, const char *path, bool follow,
                     struct tmk_match_reference *ref)
{
    (void)arg;
    *ref = (struct tmk_match_reference){
        .dev = 9,
        .inode = follow ? 2 : 1,
        .atime = {1000, 5},
        .mtime = {2000, 0},
        .ctime = {3000, 999999999},
        .btime = {0, TMK_MATCH_NO_TIME},
    };
    return strlen(path) % 2 != 0 ? 0 : -ENOENT;
}

static int id_of(void *arg, const char *name, uint32_t *id)
{
    (void)arg;
    *id = (uint32_t)strlen(name);
    return name[0] == 'r' ? 0 : -ENOENT;
}

static int32_t offset_s(void *arg, int64_t s)
{
    (void)arg;
    return s % 2 == 0 ? 3600 : -1800;
}

static int own_option(void *arg, int argc, char *const *argv, char *why,
                      size_t size)
{
    (void)arg;
    if (strcmp(argv[0], "--bad") == 0) {
        (void)snprintf(why, size, "--bad: no");
        return -EINVAL;
    }
    return strcmp(argv[0], "--own") == 0 ? argc > 1 : 0;
}

static void warn(void *arg, const char *text)
{
    (void)arg;
    must_be_line(text, 256);
}

static void note(struct world *w, uint64_t what)
{
    w->seen = tmk_mix(w->seen + what);
}

static bool act(void *arg, const struct tmk_match_action *action,
                const struct tmk_match_entry *entry);

static bool is_empty_dir(void *arg, const struct tmk_match_entry *entry)
{
    (void)arg;
    return entry->path_length % 2 == 0;
}

static bool may(void *arg, const struct tmk_match_entry *entry, int how)
{
    (void)arg;
    MUST(how == 1 || how == 2 || how == 4);
    return (entry->path_length + (size_t)how) % 3 == 0;
}

static const char *fstype(void *arg, const struct tmk_match_entry *entry)
{
    (void)arg;
    (void)entry;
    return "ext4";
}

static const char *link_target(void *arg, const struct tmk_match_entry *entry)
{
    (void)arg;
    MUST(entry->type == TMK_MATCH_LINK);
    return entry->path_length % 2 == 0 ? "a b/c" : NULL;
}

static char target_type(void *arg, const struct tmk_match_entry *entry)
{
    (void)arg;
    MUST(entry->type == TMK_MATCH_LINK);
    return "fdNL?"[entry->path_length % 5];
}

static char own_type(void *arg, const struct tmk_match_entry *entry)
{
    const struct world *w = arg;

    return (char)(w->dirent ? entry->type : "fdl"[entry->path_length % 3]);
}

static const char *name_of(void *arg, uint32_t id)
{
    (void)arg;
    return id % 2 == 0 ? "root" : NULL;
}

static int32_t zone_of(void *arg, int64_t s, const char **zone)
{
    *zone = "XYZ";
    return offset_s(arg, s);
}

static const struct tmk_match_calls calls = {
    .act = act,
    .is_empty_dir = is_empty_dir,
    .may = may,
    .fstype = fstype,
    .link_target = link_target,
    .target_type = target_type,
    .own_type = own_type,
    .user_name = name_of,
    .group_name = name_of,
    .utc_offset_s = zone_of,
    .now = {100000, 0},
};

static bool act(void *arg, const struct tmk_match_action *action,
                const struct tmk_match_entry *entry)
{
    struct world *w = arg;

    note(w, action->index + 1);
    w->text.length = 0;
    MUST(tmk_match_record(action, entry, &calls, w, &w->text) == 0);
    for (size_t i = 0; i < w->text.length; i++) {
        note(w, (unsigned char)w->text.bytes[i]);
    }
    return action->act < TMK_MATCH_DELETE || entry->path_length % 2 == 0;
}

/* Entry number i, all of it known. */
static struct tmk_match_entry entry_of(size_t i)
{
    static const char *const paths[ENTRIES] = {
        ".", "./f01.c", "./d/.x y", "a/b\nc", "./d/e/\xff\xfe", "//"};
    static const char types[ENTRIES] = {'d', 'f', 'l', 'd', 'c', '\0'};
    struct tmk_match_entry e = {
        .path = paths[i],
        .path_length = strlen(paths[i]),
        .start_length = 1,
        .depth = (uint32_t)i % 3,
        .type = (uint8_t)types[i],
        .inode = 1,
        .have = TMK_MATCH_STATX,
        .mode = 0644U >> i,
        .uid = (uint32_t)i,
        .gid = 5,
        .links = i,
        .size_bytes = i % 2 == 0 ? 0 : UINT64_C(3901) << (i * 10),
        .blocks = 8 * i,
        .dev = 9,
        .rdev_major = 259,
        .rdev_minor = UINT32_MAX,
        .atime = {1000, 6},
        .mtime = {i == 0 ? INT64_MIN : 100000 - 86400 * (int64_t)i, 1},
        .ctime = {i == 0 ? INT64_MAX : 0, 2},
        .btime = {5000, i == 1 ? TMK_MATCH_NO_TIME : 3},
    };

    e.name = tmk_match_base(e.path, &e.name_length);
    return e;
}

/* Only those fields, and rubbish in the others. */
static struct tmk_match_entry masked(const struct tmk_match_entry *whole,
                                     uint32_t have, bool dirent)
{
    struct tmk_match_entry e = *whole;
    const struct tmk_match_time odd = {77, 77};

    e.have = have;
    e.type = dirent || (have & TMK_MATCH_TYPE) != 0 ? e.type : 0;
    e.inode = dirent || (have & TMK_MATCH_INO) != 0 ? e.inode : 0;
    e.dev = (have & TMK_MATCH_INO) != 0 ? e.dev : 777;
    e.mode = (have & TMK_MATCH_MODE) != 0 ? e.mode : 07777;
    e.uid = (have & TMK_MATCH_UID) != 0 ? e.uid : 777;
    e.gid = (have & TMK_MATCH_GID) != 0 ? e.gid : 777;
    e.links = (have & TMK_MATCH_NLINK) != 0 ? e.links : 777;
    e.size_bytes = (have & TMK_MATCH_SIZE) != 0 ? e.size_bytes : 777;
    e.blocks = (have & TMK_MATCH_BLOCKS) != 0 ? e.blocks : 777;
    e.atime = (have & TMK_MATCH_ATIME) != 0 ? e.atime : odd;
    e.mtime = (have & TMK_MATCH_MTIME) != 0 ? e.mtime : odd;
    e.ctime = (have & TMK_MATCH_CTIME) != 0 ? e.ctime : odd;
    e.btime = (have & TMK_MATCH_BTIME) != 0 ? e.btime : odd;
    return e;
}

static unsigned run(const struct tmk_match *match,
                    const struct tmk_match_entry *e, struct world *w,
                    uint64_t *seen)
{
    unsigned outcome;

    w->seen = 0;
    outcome = tmk_match_run(match, e, &calls, w);
    if (e->type != TMK_MATCH_UNKNOWN && e->type != TMK_MATCH_DIR) {
        MUST((outcome & TMK_MATCH_PRUNE) == 0);
    }
    *seen = w->seen;
    return outcome;
}

/* With what looking ahead asks for, and no more, the outcome is the same. */
static void check_entry(const struct tmk_match *match,
                        const struct tmk_match_entry *whole, bool dirent,
                        struct world *w)
{
    struct tmk_match_entry e;
    uint64_t want;
    uint64_t got;
    unsigned outcome;
    uint32_t missing;
    enum tmk_match_answer answer;

    /* What a link is has to be asked for where links are followed. */
    dirent = dirent && (whole->type != TMK_MATCH_LINK ||
                        match->follow == TMK_MATCH_FOLLOW_NONE);
    w->dirent = dirent;
    outcome = run(match, whole, w, &want);
    e = masked(whole, 0, dirent);
    answer = tmk_match_ahead(match, &e, &missing);

    if (answer == TMK_MATCH_NEEDS && (missing & TMK_MATCH_STATX) != 0) {
        MUST((missing & ~match->needs & TMK_MATCH_STATX &
              ~(uint32_t)TMK_MATCH_TYPE) == 0);
        e = masked(whole, missing & TMK_MATCH_STATX, dirent);
        answer = tmk_match_ahead(match, &e, &missing);
        MUST(answer != TMK_MATCH_NEEDS || missing == TMK_MATCH_CALL);
    }
    if (answer == TMK_MATCH_NO) {
        MUST(missing == 0 && want == 0);
        MUST((outcome & ~(unsigned)TMK_MATCH_PRUNE) == 0);
        MUST(outcome == 0 || whole->type == TMK_MATCH_UNKNOWN);
        return;
    }
    MUST((run(match, &e, w, &got) & ~(unsigned)TMK_MATCH_PRUNE) ==
         (outcome & ~(unsigned)TMK_MATCH_PRUNE));
    MUST(got == want);
}

static void check_match(const struct tmk_match *match)
{
    struct world w = {0};

    MUST(match->root != NULL);
    for (size_t i = 0; i < match->n_actions; i++) {
        const struct tmk_match_action *action = match->actions[i];

        MUST(action->index == i && action->word != NULL);
        MUST(action->output >= -1 && action->output < (int)match->n_outputs);
        MUST(action->act != TMK_MATCH_EXEC ||
             (action->n_words > 0 && action->words[action->n_words] == NULL));
    }
    for (size_t i = 0; i < ENTRIES; i++) {
        struct tmk_match_entry e = entry_of(i);

        check_entry(match, &e, true, &w);
        check_entry(match, &e, false, &w);
    }
    tmk_match_text_fini(&w.text);
}

/* Repetitions of repetitions are for those who have the memory. */
static bool is_heavy(const char *text)
{
    int many = 0;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '{' && p[1] != '}') {
            many++;
            if (strspn(p + 1, "0123456789,") > 2) {
                return true;
            }
        }
    }
    return many > 1;
}

static int compile(struct tmk_match **match, int argc, char **argv, char *why)
{
    static const struct tmk_match_env env = {
        .now = {100000, 500000000},
        .reference = reference,
        .user_id = id_of,
        .group_id = id_of,
        .utc_offset_s = offset_s,
        .own_option = own_option,
        .warn = warn,
    };
    struct tmk_match_pfind pfind;

    memset(why, 'X', WHY_SIZE);
    if (argc > 0 && strcmp(argv[0], "pfind") == 0) {
        return tmk_match_pfind(match, &pfind, argc - 1, argv + 1, &env, why,
                               WHY_SIZE);
    }
    return tmk_match_compile(match, argc, argv, &env, why, WHY_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[INPUT_MAX + 1];
    char *argv[WORDS_MAX + 1];
    char why[WHY_SIZE];
    struct tmk_match *match;
    int argc = 0;
    int err;

    if (size > INPUT_MAX) {
        return 0;
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    if (is_heavy(text)) {
        return 0;
    }
    for (char *p = text; p < text + size && argc < WORDS_MAX;
         p += strlen(p) + 1) {
        argv[argc++] = p;
        p[strcspn(p, "\n")] = '\0';
    }
    argv[argc] = NULL;
    err = compile(&match, argc, argv, why);
    MUST(err == 0 || err == -EINVAL || err == -ENOENT);
    MUST((err == 0) == (match != NULL));
    if (err != 0) {
        must_be_line(why, sizeof(why));
        return 0;
    }
    memset(text, 'X', sizeof(text)); /* nothing of it is needed now */
    check_match(match);
    tmk_match_free(match);
    return 0;
}
