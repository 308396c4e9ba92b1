/*
 * ior_progress: what a person is told while phases run.
 */
#include "bench/ior_steps.h"
#include "bench/ior_wide.h"
#include "run/report_lines.h"

/* SIGUSR1: the last table as it is, in the middle of a phase. */
static void partial_report(void *arg, FILE *to)
{
    const struct tmk_ior_launch *launch = arg;
    const struct tmk_ior_job *t = launch->reported;
    struct tmk_ior_wide lines[TMK_IOR_WIDE_MAX];

    if (t == NULL) {
        return;
    }
    tmk_report_lines_partial(to, "repetition", &t->result);
    tmk_ior_wide_print(lines, tmk_ior_wide_make(lines, &t->text), to);
}

void tmk_ior_progress_init_all(struct tmk_ior_launch *launch)
{
    struct tmk_progress *progress = &launch->progress;
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, 0);

    tmk_progress_init_all(progress, launch->job,
                          tmk_progress_period_ns(launch->job, &conf->progress));
    tmk_progress_on_report(progress, partial_report, launch);
    launch->job->progress = progress;
}

void tmk_ior_progress_fini_all(struct tmk_ior_launch *launch)
{
    launch->job->progress = NULL;
    tmk_progress_fini_all(&launch->progress, launch->job);
}
