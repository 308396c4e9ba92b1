/*
 * ior_explain: what a test would do (--dryRun).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pattern.h"
#include "base/units.h"
#include "bench/ior_cache.h"
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

/* "rank 0 on node 0 reads what rank 4 on node 1 wrote", of the first ranks and
 * the last. */
static void say_sources(struct tmk_job *job, const struct tmk_ior_tasks *tasks,
                        const char *what, const char *reads)
{
    enum { SHOWN = 8 };
    const struct tmk_owner_map *map = tasks->map;
    const uint32_t n = (uint32_t)job->size;

    tmk_say(job, "   %-22s %.1f%% of another node", what,
            100.0 * tmk_ior_tasks_foreign_share(tasks, 0));
    for (uint32_t r = 0; r < n && job->rank == 0; r++) {
        uint32_t source;

        if (r == SHOWN && n > SHOWN + 1) {
            tmk_say(job, "     ...");
            r = n - 1;
        }
        source = tmk_ior_tasks_source(tasks, r, 0);
        tmk_say(job,
                "     rank %" PRIu32 " on node %" PRIu32
                " %s what rank %" PRIu32 " on node %" PRIu32 " wrote",
                r, map->node[r], reads, source, map->node[source]);
    }
}

/* Whose data is read, if it is not each rank's own. */
static void say_order(struct tmk_job *job, const struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    struct tmk_ior_tasks tasks = run->tasks;

    if (tasks.kind == TMK_IOR_TASKS_OWN ||
        (plan->shared && plan->conf->random_offset > 1)) {
        return;
    }
    if (plan->reads) {
        say_sources(job, &tasks, "whose data is read", "reads");
    }
    if (plan->checks_write) {
        tasks.nodes_on++;
        say_sources(job, &tasks, "whose data is checked", "checks");
    }
}

/* What is to be written and what there is. */
static void say_space(struct tmk_job *job, const struct tmk_ior_run *run)
{
    const struct tmk_ior_plan *plan = run->plan;
    struct tmk_engine_usage usage;
    char need[32];
    char have[32];

    if (!run->ops->stores || (!plan->writes && !plan->mixes)) {
        return;
    }
    (void)tmk_units_format_bytes(plan->total_bytes, need, sizeof(need));
    if (plan->n_roots > 1 || run->ops->usage == NULL || job->rank != 0 ||
        run->ops->usage(run->engine, run->dir, &usage) != 0) {
        tmk_say(job, "   %-22s %s%s", "space needed", need,
                plan->conf->deadline_ns != 0 ? " at most" : "");
        return;
    }
    (void)tmk_units_format_bytes(usage.free_bytes, have, sizeof(have));
    tmk_say(job, "   %-22s %s%s; %s are free in %s%s", "space needed", need,
            plan->conf->deadline_ns != 0 ? " at most" : "", have, run->dir,
            plan->total_bytes > usage.free_bytes ? ", not enough" : "");
}

/* What depends on where the ranks are.  Collective over run->job. */
static int explain_run_all(struct tmk_ior_launch *launch, size_t i,
                           struct tmk_ior_run *run)
{
    const struct tmk_ior_conf *conf = run->plan->conf;
    struct tmk_ior_map map;
    int err = tmk_ior_map_init(&map, run->job, conf, launch->fake_nodes,
                               launch->fake_ranks);

    for (size_t k = 0; err == 0 && launch->parts->engines[k] != NULL; k++) {
        if (launch->parts->engines[k] == run->ops) {
            run->engine = run->ops->open_instance(
                launch->tests.confs[i * launch->tests.n_tables + k + 1],
                (unsigned)run->job->rank, &err);
        }
    }
    err = tmk_job_agree_all(run->job, err);
    if (err == 0) {
        run->tasks = tmk_ior_map_tasks(&map, conf);
        run->goes_elsewhere =
            tmk_ior_tasks_foreign_share(&run->tasks, 0) >= 1.0;
        run->memory_bytes = launch->memory_bytes;
        tmk_ior_run_find_dir(run);
        say_order(run->job, run);
        say_space(run->job, run);
        tmk_ior_map_notes(&map, run->job, run);
        tmk_ior_cache_notes_all(run);
    }
    if (run->engine != NULL) {
        run->ops->close_instance(run->engine);
    }
    tmk_ior_map_fini(&map);
    return err;
}

/* The same for the ranks that take part.  Collective. */
static void explain_ranks_all(struct tmk_ior_launch *launch, size_t i,
                              const struct tmk_ior_plan *plan)
{
    struct tmk_ior_run *run = calloc(1, sizeof(*run));
    struct tmk_job *job = launch->job;
    struct tmk_job sub = {0};
    int err = tmk_job_agree_all(job, run != NULL ? 0 : -ENOMEM);

    if (err == 0 && run != NULL) {
        run->job = job;
        run->plan = plan;
        run->ops = tmk_engine_find(launch->parts->engines, plan->conf->api);
        if (launch->tests.n > 1) {
            (void)snprintf(run->which, sizeof(run->which), "test %zu: ", i);
        }
        if (plan->tasks != job->size) {
            err = tmk_job_sub_all(job, plan->tasks, &sub);
            run->job = &sub;
        }
        if (err == 0 && run->job->size != 0) {
            err = explain_run_all(launch, i, run);
        }
        if (run->job == &sub) {
            tmk_job_fini_all(&sub);
        }
    }
    if (err != 0) {
        tmk_say_error(job, "--dryRun: %s", strerror(-err));
    }
    free(run);
}

void tmk_ior_test_explain_all(struct tmk_ior_launch *launch, size_t i)
{
    struct tmk_job *job = launch->job;
    const struct tmk_ior_conf *conf = tmk_ior_launch_conf(launch, i);
    const struct tmk_ior_here here = tmk_ior_launch_here(launch);
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
    explain_ranks_all(launch, i, &plan);
}
