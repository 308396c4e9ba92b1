/*
 * phase_part: one kind of operation of a phase that has several.
 */
#include "run/phase_part.h"

void tmk_phase_part_begin(struct tmk_phase *part, const struct tmk_phase *whole,
                          bool creates)
{
    const struct tmk_phase_how how = {
        .creates = creates && whole->how.creates,
        .detail = whole->how.detail,
    };

    tmk_phase_begin(part, whole->job, &how, whole->epoch_ns);
    part->alone = false;
    part->t0_ns = whole->t0_ns;
    part->last_ns = whole->t0_ns;
    part->poll_ns = UINT64_MAX;
}

void tmk_phase_part_fail_at(struct tmk_phase *whole, struct tmk_phase *part,
                            int err, const char *path, uint64_t now)
{
    const bool creates = whole->how.creates;
    const char *before = whole->how.path;

    part->how.path = path;
    tmk_phase_did_at(part, err, now);
    whole->how.path = path;
    whole->how.creates = part->how.creates;
    tmk_phase_did_at(whole, err, now);
    whole->how.creates = creates;
    whole->how.path = before;
}

void tmk_phase_part_combine_all(struct tmk_phase *part,
                                const struct tmk_phase *whole,
                                struct tmk_phase_result *result)
{
    part->t1_ns = whole->t1_ns;
    part->t2_ns = whole->t2_ns;
    tmk_phase_combine_all(part, result);
}
