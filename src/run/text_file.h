#ifndef TMK_RUN_TEXT_FILE_H
#define TMK_RUN_TEXT_FILE_H

#include <stddef.h>

#include "run/job.h"

/*
 * The text of a file of `most` bytes at most, with a NUL behind it: the
 * caller's to free.  0 or -errno (-EFBIG: it is longer; -EILSEQ: there is a NUL
 * in it).  The business of one rank.
 */
int tmk_text_file_read(const char *path, size_t most, char **text);

/*
 * The same on every rank, read by rank 0.  Errors are said, after `what`:
 * "--verify: ". Collective.
 */
int tmk_text_file_read_all(struct tmk_job *job, const char *what,
                           const char *path, size_t most, char **text);

#endif
