#ifndef TMK_ENGINE_TRACE_LINES_H
#define TMK_ENGINE_TRACE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The lines of a trace (engine/trace.h).  Of a call, `result` is 0, a count or
 * -errno, and what the functions return. */
struct tmk_trace_lines {
    FILE *to; /* borrowed */
    int err;  /* of the first line that could not be written; no more follow */
};

/* "<call>" alone. */
int tmk_trace_lines_plain(struct tmk_trace_lines *lines, const char *call,
                          int result);

/* "<call> <path>": of a name in a directory, which is "" for a whole path. */
int tmk_trace_lines_call(struct tmk_trace_lines *lines, const char *call,
                         const char *dir, const char *name, int result);

/* "<call> <flags><more flags> <path>" */
int tmk_trace_lines_open(struct tmk_trace_lines *lines, const char *call,
                         const char *flags, const char *more_flags,
                         const char *dir, const char *name, int result);

/* "<call> <path> -> <path>" */
int tmk_trace_lines_rename(struct tmk_trace_lines *lines, const char *call,
                           const char *from_dir, const char *from,
                           const char *to_dir, const char *to, int result);

/* "<call> <number> <path>": of a transfer's bytes, or an offset */
int64_t tmk_trace_lines_number(struct tmk_trace_lines *lines, const char *call,
                               uint64_t number, const char *path,
                               int64_t result);

/* "<call> <bytes> <offset> <path>" */
int64_t tmk_trace_lines_place(struct tmk_trace_lines *lines, const char *call,
                              size_t bytes, uint64_t offset, const char *path,
                              int64_t result);

/* Does a name in a directory need a slash before it? */
bool tmk_trace_lines_slash(const char *dir);

#endif
