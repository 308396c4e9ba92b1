/*
 * ior_check: which options go together.
 */
#include "bench/ior_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/pattern.h"
#include "base/units.h"
#include "base/why.h"

void tmk_ior_check_note(struct tmk_ior_notes *notes, const char *code,
                        const char *format, ...)
{
    struct tmk_ior_note *note = &notes->list[notes->n];
    va_list args;

    if (notes->n == TMK_IOR_NOTES_MAX) {
        return;
    }
    notes->n++;
    note->code = code;
    va_start(args, format);
    (void)vsnprintf(note->text, sizeof(note->text), format, args);
    va_end(args);
}

/* Something that is so, and the line that says what is wrong with it. */
struct rule {
    bool broken;
    const char *why;
};

static int check_rules(const struct rule *rules, size_t n, char *why,
                       size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if (rules[i].broken) {
            return tmk_why(why, size, "%s", rules[i].why);
        }
    }
    return 0;
}

static int check_phases(const struct tmk_ior_plan *plan, char *why, size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const bool checks_old_data = !plan->writes && conf->seed == 0;
    const struct rule rules[] = {
        {conf->status_file != NULL && !conf->keep,
         "--stoneWallingStatusFile: tells of files that stay: add -k"},
        {conf->status_file != NULL && plan->writes && !conf->wear_out,
         "--stoneWallingStatusFile: a launch that writes must make all tasks "
         "even: add --stoneWallingWearOut"},
        {plan->mixes && (conf->write || conf->read || conf->check_write ||
                         conf->check_read),
         "--rwmix: is the only phase: leave out -w, -r, -W and -R"},
        {plan->checks_read && checks_old_data,
         "-R: data of another launch cannot be checked without its seed: add "
         "-G (or -w)"},
        {plan->checks_write && checks_old_data,
         "-W: data of another launch cannot be checked without its seed: add "
         "-G (or -w)"},
        {plan->mixes && conf->read_passes > 1,
         "--rwmix: is the only phase: leave out --read-passes"},
        {conf->read_passes > 1 && !plan->reads,
         "--read-passes: nothing is read: add -r"},
    };

    return check_rules(rules, sizeof(rules) / sizeof(rules[0]), why, size);
}

/* B and T; S and N are judged with the sizes of files. */
static int check_sizes(const struct tmk_ior_conf *conf, char *why, size_t size)
{
    uint64_t b = conf->block_bytes;
    uint64_t t = conf->transfer_bytes;

    if (t == 0 || b == 0) {
        return tmk_why(why, size, "%s: 0 bytes are no %s (1 is the least)",
                       t == 0 ? "-t" : "-b", t == 0 ? "transfer" : "block");
    }
    if (t > b) {
        return tmk_why(why, size,
                       "-t: a transfer of %" PRIu64
                       " bytes is larger than a block of %" PRIu64 " (-b)",
                       t, b);
    }
    if (b % t != 0) {
        return tmk_why(why, size,
                       "-b: a block of %" PRIu64
                       " bytes is no multiple of a transfer of %" PRIu64
                       " (-t); %" PRIu64 " would be",
                       b, t, b - b % t);
    }
    if (conf->prefill_bytes != 0 && b % conf->prefill_bytes != 0) {
        return tmk_why(why, size,
                       "--randomPrefill: a block of %" PRIu64
                       " bytes (-b) is no multiple of %" PRIu64,
                       b, conf->prefill_bytes);
    }
    return 0;
}

/* Order of transfers and whose data is read. */
static int check_order(const struct tmk_ior_plan *plan, char *why, size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const bool shuffled = conf->random_offset == 1;
    const bool alone = !plan->shared || plan->tasks == 1;
    const bool checks = plan->checks_read || plan->checks_write;
    const struct rule rules[] = {
        {shuffled && conf->block_bytes == conf->transfer_bytes &&
             conf->segments == 1 && alone && conf->total.bytes == 0 &&
             conf->total.times_memory == 0,
         "-z: one transfer has no order: lower -t or raise -s"},
        {conf->prefill_bytes != 0 && conf->random_offset == 0,
         "--randomPrefill: only with random offsets: add -z"},
        {conf->reorder && conf->reorder_random,
         "-C and -Z: a task reads what either a fixed or a random one wrote: "
         "leave one out"},
        /* Whose data lies where is what the seed says. */
        {shuffled && plan->shared && checks && !plan->writes &&
             conf->random_seed == -1,
         "-z: a shared file of another launch cannot be checked without the "
         "seed of its order: add --random-offset-seed"},
    };

    return check_rules(rules, sizeof(rules) / sizeof(rules[0]), why, size);
}

/* What the original refuses, and what it does not have. */
static int check_original(const struct tmk_ior_plan *plan, char *why,
                          size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const bool random = conf->random_offset != 0;
    const struct rule rules[] = {
        {conf->random_offset == 1 && conf->block_bytes == conf->transfer_bytes,
         "--as: the original has no -z where a block (-b) is one transfer "
         "(-t)"},
        {plan->shared && random && conf->reorder_random,
         "--as: the original has no -Z with -z in a shared file"},
        {plan->shared && random && conf->reorder,
         "--as: the original has no -C with -z in a shared file"},
        {random && plan->checks_read && conf->random_seed == -1,
         "--as: the original checks data (-R) in random order (-z) only with "
         "--random-offset-seed"},
        {random && conf->collective && strcasecmp(conf->api, "MPIIO") == 0,
         "--as: the original has no -c with -z for MPIIO"},
        {conf->unique_dir && conf->file_per_proc && plan->n_roots > 1,
         "--as: the original has no -u with several paths (-o)"},
        {plan->mixes, "--as: the original has no --rwmix"},
    };

    if (conf->semantics != TMK_IOR_AS_IOR_4_1) {
        return 0;
    }
    return check_rules(rules, sizeof(rules) / sizeof(rules[0]), why, size);
}

/* Options of our own. */
static int check_own(const struct tmk_ior_plan *plan, char *why, size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const bool total = conf->total.bytes != 0 || conf->total.times_memory > 0.0;
    const char *both = conf->json != NULL && conf->csv != NULL &&
                               strcmp(conf->json, conf->csv) == 0
                           ? conf->json
                           : NULL;
    const struct rule rules[] = {
        {(conf->per_node.bytes != 0 || conf->per_node.percent > 0.0) &&
             conf->per_task_bytes != 0,
         "-M and --memoryPerTask: memory is occupied by node or by task: leave "
         "one "
         "out"},
        {total && conf->segments != 1,
         "--total: works out the segments: leave out -s"},
        {conf->compress > 1.0 && conf->pattern_kind != TMK_PATTERN_NOISE,
         "--compress: only noise has a ratio: add -l noise"},
        {conf->drop_wait_ns != 0 && conf->fadvise[0] == '\0' &&
             conf->drop_caches == NULL,
         "--drop-wait: nothing is dropped: add --posix.fadvise=dontneed or "
         "--drop-caches"},
        {both != NULL && strcmp(both, "-") == 0,
         "--json and --csv: only one can have the standard output"},
        {both != NULL, "--json and --csv: they cannot share a file"},
    };

    return check_rules(rules, sizeof(rules) / sizeof(rules[0]), why, size);
}

/* What is written beside the data must not be it. */
static int check_outputs(const struct tmk_ior_plan *plan, char *why,
                         size_t size)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const struct {
        const char *option, *path;
    } outputs[] = {
        {"--json", conf->json},
        {"--csv", conf->csv},
        {"--summaryFile", conf->summary_file},
        {"--saveRankPerformanceDetailsCSV", conf->rank_details},
        {"--stoneWallingStatusFile", conf->status_file},
    };
    char path[TMK_IOR_PATH_SIZE];

    if (strcasecmp(conf->api, "DUMMY") == 0 ||
        tmk_ior_plan_path(plan, 0, 0, path, sizeof(path)) < 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        if (outputs[i].path != NULL && strcmp(outputs[i].path, path) == 0) {
            return tmk_why(why, size, "%s: it is the file of the test (-o)",
                           outputs[i].option);
        }
    }
    return 0;
}

int tmk_ior_check_conf(const struct tmk_ior_plan *plan, char *why, size_t size)
{
    int err = check_phases(plan, why, size);

    if (err == 0) {
        err = check_sizes(plan->conf, why, size);
    }
    if (err == 0) {
        err = check_order(plan, why, size);
    }
    if (err == 0) {
        err = check_original(plan, why, size);
    }
    if (err == 0) {
        err = check_own(plan, why, size);
    }
    return err == 0 ? check_outputs(plan, why, size) : err;
}

/* ---- remarks ------------------------------------------------------------- */

/* Options without effect. */
static void note_idle(const struct tmk_ior_plan *plan,
                      struct tmk_ior_notes *notes)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const bool others = conf->reorder || conf->reorder_random;
    const bool checks = plan->checks_read || plan->checks_write;
    const struct rule rules[] = {
        {plan->segments == 0, "-s: 0 segments hold no data: nothing is "
                              "transferred"},
        {conf->unique_dir && plan->shared,
         "-u: has no effect without -F: all tasks share one file"},
        {others && plan->shared && conf->random_offset > 1,
         "-C and -Z: have no effect with -z -z in a shared file: each task "
         "reads "
         "blocks of all"},
        {conf->node_offset != 1 && !others,
         "-Q: has no effect without -C or -Z"},
        {(conf->num_nodes != 0 || conf->tasks_on_node_0 != 0) && !others,
         "--numNodes and --numTasksOnNode0: have no effect without -C or -Z"},
        {conf->reorder_seed != 0 && !conf->reorder_random,
         "-X: has no effect without -Z"},
        {conf->random_seed != -1 && conf->random_offset == 0,
         "--random-offset-seed: has no effect without -z"},
        {conf->prefill_bytes != 0 && !plan->writes && !plan->mixes,
         "--randomPrefill: has no effect: nothing is written"},
        {conf->keep_with_error && !checks,
         "-K: has no effect: nothing is checked (-R, -W)"},
        {conf->quit_on_error && !checks,
         "-q: has no effect: nothing is checked (-R, -W)"},
        {conf->drop_caches != NULL && !plan->reads && !plan->mixes,
         "--drop-caches: has no effect: nothing is read"},
        {conf->server_memory_bytes != 0 && conf->total.times_memory <= 0.0 &&
             !plan->reads && !plan->mixes,
         "--server-memory: has no effect: nothing is read, nor is there "
         "--total=NxRAM"},
        {conf->interval_ns != 0 && conf->json == NULL && conf->csv == NULL &&
             conf->verbose == 0,
         "--interval: has no effect without -v, --json or --csv"},
        /* io500 gives both where it is asked for no stonewall (-D 0). */
        {conf->wear_out && conf->deadline_ns == 0,
         "--stoneWallingWearOut: has no effect without a deadline (-D)"},
        {conf->status_file != NULL && conf->script != NULL,
         "--stoneWallingStatusFile: each test of the script that writes "
         "replaces it"},
    };

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].broken) {
            tmk_ior_check_note(notes, "NO_EFFECT", "%s", rules[i].why);
        }
    }
}

void tmk_ior_check_notes(const struct tmk_ior_plan *plan,
                         struct tmk_ior_notes *notes)
{
    const struct tmk_ior_conf *conf = plan->conf;
    const double day_s = 86400.0;
    double deadline_s = tmk_units_seconds(conf->deadline_ns);

    if (conf->decimal_units) {
        tmk_ior_check_note(notes, NULL,
                           "sizes in kB, MB, GB ... are taken as powers of "
                           "1000, others as powers of 1024 (the original "
                           "knows only these)");
    }
    if (deadline_s > day_s) {
        tmk_ior_check_note(notes, NULL, "-D: %.0f seconds are %.1f days",
                           deadline_s, deadline_s / day_s);
    }
    note_idle(plan, notes);
}
