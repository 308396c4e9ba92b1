#ifndef TMK_BENCH_IOR_CHECK_H
#define TMK_BENCH_IOR_CHECK_H

#include <stddef.h>

#include "bench/ior_plan.h"

/* What a plan refuses and what it remarks. */

/* Remark, likewise; `code` as in struct tmk_ior_note.  What is too much for
 * the list is left out. */
__attribute__((format(printf, 3, 4))) void
tmk_ior_check_note(struct tmk_ior_notes *notes, const char *code,
                   const char *format, ...);

/*
 * Contradictions between the options of a plan whose conf, tasks and phases
 * are set.  0, or -EINVAL with one line in `why`.
 */
int tmk_ior_check_conf(const struct tmk_ior_plan *plan, char *why, size_t size);

/* Options that do nothing, and units that may be misread. */
void tmk_ior_check_notes(const struct tmk_ior_plan *plan,
                         struct tmk_ior_notes *notes);

#endif
