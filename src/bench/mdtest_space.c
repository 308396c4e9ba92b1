/*
 * mdtest_space: does what is planned fit?
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "bench/mdtest_launch.h"
#include "run/say.h"

/* Usage of the file system that a path, or its nearest parent, lies on. */
static int find_usage(struct tmk_mdtest_launch *launch, const char *path,
                      struct tmk_engine_usage *usage)
{
    char near[TMK_ITEM_PATH_SIZE];
    size_t length = strlen(path);
    int err;

    if (launch->ops->usage == NULL || length >= sizeof(near)) {
        return -ENOTSUP;
    }
    memcpy(near, path, length + 1);
    for (;;) {
        err = launch->ops->usage(launch->engine, near, usage);
        if (err != -ENOENT || length == 0) {
            launch->root.exists = err == 0 && strcmp(near, path) == 0;
            return err;
        }
        while (length > 0 && near[length - 1] == '/') {
            length--;
        }
        while (length > 0 && near[length - 1] != '/') {
            length--;
        }
        if (length == 0) {
            (void)snprintf(near, sizeof(near), ".");
        } else {
            near[length] = '\0';
        }
    }
}

/* The part of a total that falls on rank 0's directory of several. */
static uint64_t share(const struct tmk_mdtest_plan *plan, uint64_t total)
{
    uint64_t users = (plan->tasks + plan->roots - 1) / plan->roots;

    return plan->roots == 1
               ? total
               : (uint64_t)((double)total / plan->tasks * (double)users);
}

int tmk_mdtest_space_all(struct tmk_mdtest_launch *launch,
                         const struct tmk_mdtest_plan *plan,
                         struct tmk_job *job)
{
    struct tmk_report_run *report = &launch->report;
    struct tmk_engine_usage usage = {0};
    /* A stonewall makes the plan an upper bound; who calls us as a library may
     * have other bounds. */
    bool bound = plan->conf->stonewall_s != 0 || job->embedded;
    uint64_t bytes = share(plan, plan->bytes);
    uint64_t inodes = share(plan, plan->inodes);
    char need[32];
    char have[32];
    int err = 0;

    if (job->rank == 0 && find_usage(launch, plan->root, &usage) == 0) {
        report->usage_known = true;
        report->size_bytes = usage.size_bytes;
        report->used_bytes = usage.used_bytes;
        report->inodes = usage.inodes;
        report->used_inodes = usage.inodes - usage.free_inodes;
        bool too_big = bytes > usage.free_bytes;
        bool too_many = usage.inodes != 0 && inodes > usage.free_inodes;

        (void)tmk_units_format_bytes(bytes, need, sizeof(need));
        (void)tmk_units_format_bytes(usage.free_bytes, have, sizeof(have));
        if (bound && (too_big || too_many)) {
            tmk_say_warning(job, "MAY_NOT_FIT",
                            "if nothing (-W) ends creation before, up to %s "
                            "and %" PRIu64 " inodes are needed; %s and %" PRIu64
                            " are free in %s",
                            need, inodes, have, usage.free_inodes, plan->root);
        } else if (too_big) {
            tmk_say_error(
                job, "-w, -n: %s of contents do not fit: %s are free in %s",
                need, have, plan->root);
            err = -ENOSPC;
        } else if (too_many) {
            tmk_say_error(job,
                          "-n, -I: %" PRIu64 " inodes are needed, %" PRIu64
                          " are free in %s",
                          inodes, usage.free_inodes, plan->root);
            err = -ENOSPC;
        }
    }
    return tmk_job_agree_all(job, err);
}

void tmk_mdtest_space_notes(struct tmk_mdtest_launch *launch)
{
    const struct tmk_report_run *report = &launch->report;
    double used;

    if (!report->usage_known || report->size_bytes == 0) {
        return;
    }
    used = (double)report->used_bytes / (double)report->size_bytes;
    if (used > 0.9) {
        tmk_say_warning(launch->job, "NEARLY_FULL",
                        "the file system is %.0f%% full: many slow down then",
                        100.0 * used);
    }
}
