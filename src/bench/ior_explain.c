/*
 * ior_explain: what a test would do (--dryRun).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "base/units.h"
#include "bench/ior_launch.h"
#include "bench/ior_map.h"
#include "run/say.h"

/* A number of bytes, and in words. */
static void say_bytes(struct tmk_job *job, const char *what, uint64_t bytes)
{
    char text[32];

    tmk_say(job, "   %-22s %" PRIu64 " (%s)", what, bytes,
            tmk_units_format_bytes(bytes, text, sizeof(text)));
}

static void say_phases(struct tmk_job *job, const struct tmk_ior_plan *plan)
{
    const struct tmk_ior_conf *conf = plan->conf;
    char text[256] = "";

    (void)snprintf(
        text, sizeof(text), "%s%s%s%s%s",
        plan->mixes ? "reads and writes, mixed; " : "",
        plan->writes ? "write; " : "",
        plan->checks_write ? "check what was written; " : "",
        plan->reads ? (plan->checks_read ? "read and check; " : "read; ") : "",
        (plan->writes || plan->mixes) && conf->keep == 0 ? "remove; " : "");
    text[strlen(text) > 2 ? strlen(text) - 2 : 0] = '\0';
    tmk_say(job, "   %-22s %s", "phases", text);
}

void tmk_ior_test_explain(struct tmk_ior_launch *launch, size_t i)
{
    struct tmk_job *job = launch->job;
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, i);
    const struct tmk_ior_here here = {
        .ranks = job->size,
        .nodes = (int)job->layout.map.nodes,
        .ranks_per_node = (int)job->layout.map.most_ranks,
        .memory_bytes = launch->memory_bytes,
    };
    struct tmk_ior_plan plan;
    struct tmk_ior_notes notes = {.n = 0};
    char path[TMK_IOR_PATH_SIZE];
    char why[256];

    if (tmk_ior_plan_make(&plan, conf, &here, &notes, why, sizeof(why)) != 0) {
        return; /* said before */
    }
    (void)tmk_ior_plan_path(&plan, 0, 0, path, sizeof(path));
    tmk_say(job, "Plan of test %zu for %d of %d ranks on %d node%s, by %s", i,
            plan.tasks, here.ranks, here.nodes, here.nodes == 1 ? "" : "s",
            conf->api);
    tmk_say(job, "   %-22s %s%s", "files",
            plan.shared ? "one for all: " : "one for each, the first is ",
            path);
    say_phases(job, &plan);
    tmk_say(job, "   %-22s %d", "repetitions", conf->repetitions);
    tmk_say(job, "   %-22s %" PRIu64 " of %" PRIu64 " bytes for each rank",
            "transfers", plan.per_rank, plan.transfer_bytes);
    tmk_say(job, "   %-22s %" PRIu64 " of %" PRIu64 " bytes", "segments",
            plan.segments, plan.block_bytes);
    say_bytes(job, "bytes of a file", plan.file_bytes);
    say_bytes(job, "bytes in all", plan.total_bytes);
    tmk_say(job, "   %-22s %s", "data",
            tmk_pattern_name((enum tmk_pattern_kind)conf->pattern_kind));
    for (size_t k = 0; k < notes.n; k++) {
        tmk_say(job, "   %s", notes.list[k].text);
    }
}
