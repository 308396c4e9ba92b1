/*
 * match_record: what printing actions write for an entry, and the words of
 * commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/match_format.h"
#include "base/match_mode.h"

enum { LINE_ROOM = 512 };

/* A name as C would write it, blanks escaped, too. */
static int add_escaped(struct tmk_match_text *text, const char *name,
                       size_t length)
{
    static const char plain[] = " \"\\\a\b\f\n\r\t\v";
    static const char letter[] = " \"\\abfnrtv";
    int err = 0;

    for (size_t i = 0; i < length && err == 0; i++) {
        unsigned char c = (unsigned char)name[i];
        const char *at = strchr(plain, c);
        char escape[8];

        if (at != NULL) {
            (void)snprintf(escape, sizeof(escape), "\\%c", letter[at - plain]);
        } else if (c < 0x20 || c >= 0x7f) {
            (void)snprintf(escape, sizeof(escape), "\\%03o", c);
        } else {
            (void)snprintf(escape, sizeof(escape), "%c", c);
        }
        err = tmk_match_text_add(text, escape, strlen(escape));
    }
    return err;
}

/* A name, or else a number, with a blank behind it. */
static int add_owner(struct tmk_match_text *text, const char *name, uint32_t id)
{
    char number[16];
    int err;

    (void)snprintf(number, sizeof(number), "%u", id);
    name = name != NULL ? name : number;
    err = tmk_match_text_pad(text, name, strlen(name), 8, true);
    return err != 0 ? err : tmk_match_text_add(text, " ", 1);
}

static int add_string(struct tmk_match_text *text, const char *string)
{
    return tmk_match_text_add(text, string, strlen(string));
}

/* The size, or the numbers of a device, and the time. */
static int add_size_and_time(const struct tmk_match_entry *e,
                             const struct tmk_match_calls *calls, void *arg,
                             struct tmk_match_text *text)
{
    bool device = e->type == TMK_MATCH_CHAR || e->type == TMK_MATCH_BLOCK;
    const char *zone = "";
    char time[TMK_MATCH_TIME_ROOM];
    char line[LINE_ROOM];

    (void)tmk_match_time_format_ls(e->mtime, calls->now,
                                   calls->utc_offset_s(arg, e->mtime.s, &zone),
                                   time, sizeof(time));
    if (device) {
        (void)snprintf(line, sizeof(line), "%3u, %3u %s ", e->rdev_major,
                       e->rdev_minor, time);
    } else {
        (void)snprintf(line, sizeof(line), "%8llu %s ",
                       (unsigned long long)e->size_bytes, time);
    }
    return add_string(text, line);
}

int tmk_match_format_ls(const struct tmk_match_entry *e,
                        const struct tmk_match_calls *calls, void *arg,
                        struct tmk_match_text *text)
{
    bool link = e->type == TMK_MATCH_LINK;
    uint64_t kib = e->blocks / 2 + e->blocks % 2;
    char mode[TMK_MATCH_MODE_ROOM];
    char line[LINE_ROOM];
    const char *target;
    int err;

    tmk_match_mode_format((char)e->type, e->mode, mode);
    (void)snprintf(line, sizeof(line), "%9llu %6llu %s %3llu ",
                   (unsigned long long)e->inode, (unsigned long long)kib, mode,
                   (unsigned long long)e->links);
    err = add_string(text, line);
    err =
        err != 0 ? err : add_owner(text, calls->user_name(arg, e->uid), e->uid);
    err = err != 0 ? err
                   : add_owner(text, calls->group_name(arg, e->gid), e->gid);
    err = err != 0 ? err : add_size_and_time(e, calls, arg, text);
    err = err != 0 ? err : add_escaped(text, e->path, e->path_length);
    target = link && err == 0 ? calls->link_target(arg, e) : NULL;
    if (target != NULL) {
        err = add_string(text, " -> ");
        err = err != 0 ? err : add_escaped(text, target, strlen(target));
    }
    return err != 0 ? err : add_string(text, "\n");
}

static int add_record(const struct tmk_match_action *action,
                      const struct tmk_match_entry *entry,
                      const struct tmk_match_calls *calls, void *arg,
                      struct tmk_match_text *text)
{
    int err;

    switch (action->act) {
    case TMK_MATCH_PRINT:
    case TMK_MATCH_PRINT0:
        err = tmk_match_text_add(text, entry->path, entry->path_length);
        return err != 0
                   ? err
                   : tmk_match_text_add(
                         text, action->act == TMK_MATCH_PRINT ? "\n" : "\0", 1);
    case TMK_MATCH_PRINTF:
        return tmk_match_format_add(action->format, entry, calls, arg, text);
    case TMK_MATCH_LS: return tmk_match_format_ls(entry, calls, arg, text);
    default: return 0;
    }
}

int tmk_match_record(const struct tmk_match_action *action,
                     const struct tmk_match_entry *entry,
                     const struct tmk_match_calls *calls, void *arg,
                     struct tmk_match_text *text)
{
    size_t before = text->length;
    int err = add_record(action, entry, calls, arg, text);

    if (err != 0) {
        text->length = before;
    }
    return err;
}

int tmk_match_exec_word(const char *word, const char *path,
                        struct tmk_match_text *text)
{
    size_t before = text->length;
    const char *at;
    int err = 0;

    while (err == 0 && (at = strstr(word, "{}")) != NULL) {
        err = tmk_match_text_add(text, word, (size_t)(at - word));
        err = err != 0 ? err : add_string(text, path);
        word = at + 2;
    }
    err = err != 0 ? err : tmk_match_text_add(text, word, strlen(word) + 1);
    if (err != 0) {
        text->length = before;
    }
    return err;
}
