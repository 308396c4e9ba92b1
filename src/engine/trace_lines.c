/*
 * trace_lines: what a trace says of each call.
 */
#include "engine/trace_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/errnum.h"

/* Control characters, and what would make them ambiguous. */
static const char special[] =
    "\\\001\002\003\004\005\006\007\010\t\n\013\014\r\016\017\020\021\022\023"
    "\024\025\026\027\030\031\032\033\034\035\036\037\177";

static void put_text(struct tmk_trace_lines *lines, const char *text)
{
    size_t n = strcspn(text, special);

    while (text[n] != '\0') {
        unsigned char c = (unsigned char)text[n];

        (void)fwrite(text, 1, n, lines->to);
        if (c == '\\') {
            (void)fputs("\\\\", lines->to);
        } else if (c == '\n') {
            (void)fputs("\\n", lines->to);
        } else {
            (void)fprintf(lines->to, "\\%03o", c);
        }
        text += n + 1;
        n = strcspn(text, special);
    }
    (void)fputs(text, lines->to);
}

/* Does a name in a directory need a slash before it? */
bool tmk_trace_lines_slash(const char *dir)
{
    size_t n = strlen(dir);

    return n != 0 && dir[n - 1] != '/';
}

/* A name in a directory, which is "" for a whole path. */
static void put_path(struct tmk_trace_lines *lines, const char *dir,
                     const char *name)
{
    put_text(lines, dir);
    if (tmk_trace_lines_slash(dir)) {
        (void)fputc('/', lines->to);
    }
    put_text(lines, name);
}

/* The result where there is more to say than that it went well. */
static void put_result(struct tmk_trace_lines *lines, int64_t result)
{
    char name[32];

    if (result < 0) {
        (void)fprintf(lines->to, " -> %s",
                      tmk_errnum_name((int)-result, name, sizeof(name)));
    } else if (result > 0) {
        (void)fprintf(lines->to, " -> %" PRId64, result);
    }
    (void)fputc('\n', lines->to);
    if (ferror(lines->to) != 0) {
        lines->err = errno != 0 ? -errno : -EIO;
    }
}

int tmk_trace_lines_plain(struct tmk_trace_lines *lines, const char *call,
                          int result)
{
    if (lines->err == 0) {
        (void)fputs(call, lines->to);
        put_result(lines, result);
    }
    return result;
}

int tmk_trace_lines_call(struct tmk_trace_lines *lines, const char *call,
                         const char *dir, const char *name, int result)
{
    if (lines->err == 0) {
        (void)fprintf(lines->to, "%s ", call);
        put_path(lines, dir, name);
        put_result(lines, result);
    }
    return result;
}

int tmk_trace_lines_open(struct tmk_trace_lines *lines, const char *call,
                         const char *flags, const char *more_flags,
                         const char *dir, const char *name, int result)
{
    if (lines->err == 0) {
        (void)fprintf(lines->to, "%s %s%s ", call, flags, more_flags);
        put_path(lines, dir, name);
        put_result(lines, result);
    }
    return result;
}

int tmk_trace_lines_rename(struct tmk_trace_lines *lines, const char *call,
                           const char *from_dir, const char *from,
                           const char *to_dir, const char *to, int result)
{
    if (lines->err == 0) {
        (void)fprintf(lines->to, "%s ", call);
        put_path(lines, from_dir, from);
        (void)fputs(" -> ", lines->to);
        put_path(lines, to_dir, to);
        put_result(lines, result);
    }
    return result;
}

int64_t tmk_trace_lines_number(struct tmk_trace_lines *lines, const char *call,
                               uint64_t number, const char *path,
                               int64_t result)
{
    if (lines->err == 0) {
        (void)fprintf(lines->to, "%s %" PRIu64 " ", call, number);
        put_text(lines, path);
        put_result(lines, result);
    }
    return result;
}

int64_t tmk_trace_lines_place(struct tmk_trace_lines *lines, const char *call,
                              size_t bytes, uint64_t offset, const char *path,
                              int64_t result)
{
    if (lines->err == 0) {
        (void)fprintf(lines->to, "%s %zu %" PRIu64 " ", call, bytes, offset);
        put_text(lines, path);
        put_result(lines, result);
    }
    return result;
}
