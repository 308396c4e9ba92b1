/*
 * ior_fill: files are written out of the time, for a phase that wants them
 * whole.
 */
#include "bench/ior_fill.h"

#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "bench/ior_ends.h"
#include "run/clock.h"
#include "run/failures.h"
#include "run/say.h"

bool tmk_ior_fill_all(struct tmk_ior_job *t, uint64_t transfer_bytes,
                      uint64_t limit_ns)
{
    const struct tmk_ior_how how = {.access = TMK_IOR_WRITE,
                                    .limit_ns = limit_ns};
    struct tmk_ior_run *run = &t->run;
    const uint64_t usual_bytes = t->plan.transfer_bytes;
    struct tmk_ior_phase phase;
    int err;

    t->plan.transfer_bytes = transfer_bytes;
    err = tmk_ior_steps_aim_all(t, &how, true);
    if (err == 0) {
        err = tmk_job_agree_all(t->job, tmk_ior_run_resize(run));
    }
    if (err == 0) {
        tmk_ior_steps_progress(t, "fill");
        tmk_ior_phase_all(run, &how, &phase, &t->phase);
        tmk_progress_end(&t->launch->progress);
        t->launch->result->failed_operations += t->phase.failed;
        t->full = t->full || (t->phase.full && t->phase.failed != 0);
        tmk_failures_say(t->launch->job, &t->phase, "fill", "filling the file",
                         t->launch->said[TMK_IOR_ROW_WRITE]);
        tmk_ior_ends_phase(t, "fill", &phase, &t->phase);
    }
    t->plan.transfer_bytes = usual_bytes;
    if (tmk_job_agree_all(t->job, tmk_ior_run_resize(run)) != 0) {
        err = -ENOMEM;
    }
    if (err != 0) {
        tmk_say_error(t->job, "filling %s: %s", run->path, strerror(-err));
        t->launch->result->broken_off = true;
    }
    return err == 0 && !tmk_ior_steps_gave_up(t);
}

/* How long files may be filled: until -D, if the mix can keep to what is there
 * then, and until -T.  0 = for ever. */
static uint64_t fill_limit_ns(const struct tmk_ior_job *t)
{
    const struct tmk_ior_conf *conf = t->plan.conf;
    uint64_t limit_ns = conf->random_offset == 0 ? conf->deadline_ns : 0;

    if (conf->max_time_ns != 0) {
        const uint64_t past_ns = tmk_clock_ns() - t->launch->began_ns;
        const uint64_t left_ns =
            past_ns < conf->max_time_ns ? conf->max_time_ns - past_ns : 1;

        limit_ns = limit_ns == 0 || left_ns < limit_ns ? left_ns : limit_ns;
    }
    return limit_ns;
}

bool tmk_ior_fill_whole_all(struct tmk_ior_job *t, uint64_t *limit)
{
    const struct tmk_ior_plan *plan = &t->plan;
    char text[32];
    uint64_t lacks;

    (void)tmk_units_format_bytes(plan->total_bytes, text, sizeof(text));
    tmk_say(t->job,
            "--rwmix: files are missing or short: %s are written first, out of "
            "the time%s",
            text,
            plan->conf->deadline_ns == 0     ? ""
            : plan->conf->random_offset == 0 ? ", until -D at most"
                                             : ", even beyond -D, for -z");
    if (!tmk_ior_fill_all(t, plan->transfer_bytes, fill_limit_ns(t)) ||
        tmk_ior_ends_late_all(t, t->run.repetition, TMK_IOR_ROW_MIX)) {
        return false;
    }
    if (!t->phase.wall.hit) {
        return true;
    }
    lacks = tmk_job_max_all(t->job, plan->per_rank - t->run.marks.transfers);
    *limit = lacks < plan->per_rank ? plan->per_rank - lacks : 1;
    (void)tmk_units_format_bytes(*limit * plan->transfer_bytes *
                                     (uint64_t)t->job->size,
                                 text, sizeof(text));
    tmk_say(t->job, "--rwmix: -D ended that: the mix keeps to the first %s",
            text);
    return true;
}
