#ifndef TMK_BENCH_FIND_OUTPUT_H
#define TMK_BENCH_FIND_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/match_text.h"
#include "run/job.h"
#include "run/queue.h"

/*
 * Records of many ranks, whole.  What goes to the standard output is sent to
 * rank 0 in notes of the queue, which writes it; files of -fprint and the like
 * are appended to by each rank, a record or several in one write.
 */
struct tmk_find_output; /* opaque */

/*
 * `names` are the files of the expression, `dir` is where each rank has a file
 * <rank>.txt in place of the standard output (NULL: none), made if missing.
 * Files are emptied first.  Returns 0, or -errno with *which naming what could
 * not be opened.  All borrowed; alike on all ranks.  Collective.
 */
int tmk_find_output_new_all(struct tmk_find_output **output,
                            struct tmk_job *job, const char *const *names,
                            size_t n, const char *dir, const char **which);

/* NULL is allowed. */
void tmk_find_output_free(struct tmk_find_output *output);

/* The text that a record for file `index` (-1: standard output) is appended
 * to; tmk_find_output_end() follows. */
struct tmk_match_text *tmk_find_output_text(struct tmk_find_output *output,
                                            int index);

/* A record is whole; it is written if there is enough. */
void tmk_find_output_end(struct tmk_find_output *output,
                         struct tmk_queue *queue, int index);

/* Write what there is of whole records, before a command writes; what waits on
 * other ranks than 0 is on its way then. */
void tmk_find_output_flush(struct tmk_find_output *output,
                           struct tmk_queue *queue);

/* It is `now_ns`: what has waited for long is written. */
void tmk_find_output_look(struct tmk_find_output *output,
                          struct tmk_queue *queue, uint64_t now_ns);

/* A note that counts down a record of another rank.  0 or -errno. */
int tmk_find_output_tell(struct tmk_queue *queue, int rank, uint64_t record);

/* A note came in.  True if it was such a one, with its record. */
bool tmk_find_output_told(struct tmk_find_output *output, const void *note,
                          size_t bytes, uint64_t *record);

/* "find: 'path': why" on the standard error, for the first of a rank. */
void tmk_find_output_say(struct tmk_find_output *output, const char *why,
                         const char *path, uint64_t said_before);

/* Write all that is left.  After the queue has run; there are no records any
 * more then.  Collective. */
void tmk_find_output_finish_all(struct tmk_find_output *output);

/* The first error of writing on this rank; 0 = none. */
int tmk_find_output_failed(const struct tmk_find_output *output);

#endif
