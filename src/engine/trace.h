#ifndef TMK_ENGINE_TRACE_H
#define TMK_ENGINE_TRACE_H

#include <stdio.h>

#include "engine/engine.h"

/*
 * An engine around another one, that writes down each call after it was made,
 * one a line, in the words of POSIX:
 *
 *     mkdir /d/test-dir.0-0
 *     open O_RDWR|O_CREAT /d/test-dir.0-0/file
 *     write 4096 /d/test-dir.0-0/file -> 4096
 *     pwrite 4096 8192 /d/test-dir.0-0/file -> 4096
 *     rename /d/a -> /d/b
 *     stat /d/b -> ENOENT
 *
 * The path is whole, also where a name was relative to a directory and where a
 * call is on an open file.  In it a newline is "\n", a backslash "\\" and any
 * other control character a backslash with three octal digits.  Numbers are
 * bytes and then the offset.  A transfer of which several are under way is
 * written down when it is over.
 */

/*
 * An instance that makes its calls on `engine` by `ops`; both are borrowed, and
 * so is `to`.  *traced is the table to call it by, which goes with it: it has
 * the name of `ops` and the calls that `ops` has, but neither open_instance nor
 * close_instance.  NULL: out of memory.
 */
struct tmk_engine *tmk_engine_trace_new(const struct tmk_engine_ops *ops,
                                        struct tmk_engine *engine, FILE *to,
                                        const struct tmk_engine_ops **traced);

/*
 * Release it, not what it is around.  NULL is allowed.  Returns 0, or -errno
 * of the first line that could not be written; there is none behind it.
 */
int tmk_engine_trace_free(struct tmk_engine *e);

#endif
