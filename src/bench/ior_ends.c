/*
 * ior_ends: why less is done than was asked for.
 */
#include "bench/ior_ends.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/errnum.h"
#include "run/clock.h"
#include "run/say.h"

struct place {
    char text[64];
};

/* "write of repetition 0", where there are several tests with theirs. */
static struct place place_of(const struct tmk_ior_job *t, const char *name,
                             int repetition)
{
    struct place p;

    if (t->launch->tests.n > 1) {
        (void)snprintf(p.text, sizeof(p.text), "%s of test %d, repetition %d",
                       name, t->text.id, repetition);
    } else {
        (void)snprintf(p.text, sizeof(p.text), "%s of repetition %d", name,
                       repetition);
    }
    return p;
}

bool tmk_ior_ends_late_all(struct tmk_ior_job *t, int repetition, int row)
{
    const uint64_t most_ns = t->plan.conf->max_time_ns;
    const uint64_t took_ns = tmk_clock_ns() - t->launch->began_ns;

    if (t->late || most_ns == 0) {
        return t->late;
    }
    t->late = tmk_job_max_all(t->job, took_ns > most_ns) != 0;
    if (t->late) {
        tmk_say_warning(
            t->job, "TIME_LIMIT",
            "-T: the time is over before the %s, which is left out, and what "
            "would follow it",
            place_of(t, tmk_ior_steps_name(row), repetition).text);
    }
    return t->late;
}

/* An error of a phase that will not pass; NULL: there was none. */
static const char *lasting_error(const struct tmk_phase_result *p, char *buf,
                                 size_t size)
{
    static const int lasting[] = {ENOSPC, EDQUOT, EROFS, ESTALE, ENOTCONN, EIO};

    for (size_t i = 0; p->full && i < sizeof(lasting) / sizeof(lasting[0]);
         i++) {
        if (p->failed_by[lasting[i]] != 0) {
            return tmk_errnum_name(lasting[i], buf, size);
        }
    }
    return NULL;
}

void tmk_ior_ends_phase(struct tmk_ior_job *t, const char *name,
                        const struct tmk_ior_phase *phase,
                        const struct tmk_phase_result *p)
{
    const struct tmk_ior_plan *plan = &t->plan;
    const bool follows = plan->reads || plan->mixes || plan->checks_write ||
                         t->run.repetition + 1 < plan->conf->repetitions;
    const struct place place = place_of(t, name, t->run.repetition);
    char buf[32];
    const char *lasting = lasting_error(p, buf, sizeof(buf));
    char why[64] = "";

    if (lasting != NULL) {
        (void)snprintf(why, sizeof(why), "%s, which lasts", lasting);
    } else if (p->missed != 0 && p->wrong != 0 &&
               plan->conf->quit_on_error != 0) {
        (void)snprintf(why, sizeof(why), "wrong data (-q)");
    } else if (p->missed != 0 && phase->many_errors) {
        (void)snprintf(
            why, sizeof(why), "%" PRIu64 " failure%s of a task (--max-errors)",
            plan->conf->max_errors, plan->conf->max_errors == 1 ? "" : "s");
    } else {
        return;
    }
    tmk_say_warning(t->job, "GAVE_UP",
                    "%s: ended by %s: %" PRIu64 " transfer%s not tried%s",
                    place.text, why, p->missed, p->missed == 1 ? "" : "s",
                    lasting != NULL && follows
                        ? ", and what would follow is left out"
                        : "");
}

void tmk_ior_ends_limit(struct tmk_ior_job *t)
{
    if (t->status_limit != 0 && t->status_limit < t->plan.per_rank) {
        tmk_say(t->job,
                "--stoneWallingStatusFile %s: of %" PRIu64
                " transfers of each task %" PRIu64 " are read",
                t->plan.conf->status_file, t->plan.per_rank, t->status_limit);
    }
}
