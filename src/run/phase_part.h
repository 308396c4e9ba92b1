#ifndef TMK_RUN_PHASE_PART_H
#define TMK_RUN_PHASE_PART_H

#include <stdint.h>

#include "run/phase.h"

/*
 * A phase with several kinds of operations.  Each is counted in the phase and,
 * by itself, in the part that is of its kind; the time of a part is that of
 * the phase.
 *
 *     tmk_phase_begin_all(whole, job, &how);
 *     tmk_phase_part_begin(part, whole, creates)           for each part
 *     tmk_phase_part_did_at(whole, part, op(path), path, tmk_clock_ns())
 *     tmk_phase_close(whole);
 *     tmk_phase_end_all(whole, &result);
 *     tmk_phase_part_combine_all(part, whole, &result_of_part)
 *
 * Only the whole looks around; `creates`: ENOSPC and the like of this kind
 * stop the whole on every rank, if it creates at all.
 */
void tmk_phase_part_begin(struct tmk_phase *part, const struct tmk_phase *whole,
                          bool creates);

/* The slow half of tmk_phase_part_did_at(). */
void tmk_phase_part_fail_at(struct tmk_phase *whole, struct tmk_phase *part,
                            int err, const char *path, uint64_t now);

/*
 * An operation on `path` (read if it failed) ended at `now`, with 0 or -errno:
 * it began when the one before ended, or at the last tmk_phase_resume() or
 * tmk_phase_skip() of the whole.
 */
static inline void tmk_phase_part_did_at(struct tmk_phase *whole,
                                         struct tmk_phase *part, int err,
                                         const char *path, uint64_t now)
{
    part->other_ns += whole->last_ns - part->last_ns;
    part->last_ns = whole->last_ns;
    if (err != 0) {
        tmk_phase_part_fail_at(whole, part, err, path, now);
        return;
    }
    tmk_phase_did_at(part, 0, now);
    tmk_phase_did_at(whole, 0, now);
}

/* After the whole has ended; the result is as that of tmk_phase_end_all().
 * Collective. */
void tmk_phase_part_combine_all(struct tmk_phase *part,
                                const struct tmk_phase *whole,
                                struct tmk_phase_result *result);

#endif
