#ifndef TMK_BENCH_SCALE_KEPT_H
#define TMK_BENCH_SCALE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/scale_launch.h"

/*
 * Results that are there already.  The business of rank 0.
 */

/*
 * The points of --resume: those that the file has as this study would run them
 * get their entries; *earlier is the text of all tests in it but those that are
 * run again, the caller's, NULL if there are none, and launch->warnings are
 * those of the file.  0, -ENOENT if there is no file, -ENOMEM, or -EINVAL with
 * one line in `why`.
 */
int tmk_scale_kept_read(struct tmk_scale_launch *launch, const char *path,
                        char **earlier, char *why, size_t why_size);

/* Entries of results, whatever made them: the caller's, each to be released. */
struct tmk_scale_shown {
    struct tmk_scale_entry *list; /* owned */
    size_t n;
    char *benchmark;     /* owned */
    struct json_t *runs; /* owned; by their names, those that are shown */
};

/*
 * Add a file, of any kind that has tests on numbers of ranks; those at the same
 * point are repeats.  0, -ENOMEM, or -EINVAL with one line in `why`.
 */
int tmk_scale_shown_read(struct tmk_scale_shown *shown, const char *path,
                         char *why, size_t why_size);

void tmk_scale_shown_fini(struct tmk_scale_shown *shown);

#endif
