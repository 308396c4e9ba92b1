#ifndef TMK_RUN_OUTPUT_H
#define TMK_RUN_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * A file that a run writes beside its report.  What was there before stays
 * whole until something whole takes its place:
 *
 *     tmk_output_open(path, id, &out)     before the first phase: it can be
 *     tmk_output_anew(out, &to)           written
 *     fprintf(to, ...)
 *     tmk_output_commit(out)              now it is what `path` names
 *     tmk_output_more(out, &to)           ... and more of it, or anew
 *     tmk_output_commit(out)
 *     tmk_output_close(out)               what was not committed is gone
 *
 * A regular file is written as "<path>.tmp.<id>" and renamed over the path; it
 * gets the permissions of the one before, and where the path is a link, what
 * the link leads to is replaced.  A pipe, a device, and a file that the
 * standard output or error goes to already, are written directly: there,
 * commit only flushes, and anew takes nothing back.
 *
 * The business of one rank; nothing here is collective.  Errors are -errno.
 */
struct tmk_output;

/*
 * Check that `path` can be written; "-" is the standard output.  `id` makes the
 * temporary name unlike those of other runs.  Waits a while for the reader of a
 * named pipe.  On success *out is the caller's to close.
 */
int tmk_output_open(const char *path, const char *id, struct tmk_output **out);

/*
 * Open a named pipe to be written.  One that nobody reads would hold us for
 * ever: that is ENXIO after 10 s.  A descriptor, or -1 with errno.
 */
int tmk_output_open_pipe(const char *path);

/* Written in place: what was written once cannot be replaced. */
bool tmk_output_is_direct(const struct tmk_output *out);

/*
 * Begin from nothing, whatever was written or committed.  *to is borrowed
 * until the next call; the caller need not look at its errors: commit does.
 */
int tmk_output_anew(struct tmk_output *out, FILE **to);

/* Go on behind what was written and committed so far. */
int tmk_output_more(struct tmk_output *out, FILE **to);

/*
 * Let `path` name what was written.  If that fails, what it named before is
 * still there, and what was not committed is dropped.
 */
int tmk_output_commit(struct tmk_output *out);

/* Drop what was not committed; release.  NULL is allowed. */
void tmk_output_close(struct tmk_output *out);

#endif
