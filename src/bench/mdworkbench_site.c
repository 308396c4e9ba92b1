/*
 * mdworkbench_site: -o, and what is in it.
 */
#include "bench/mdworkbench_site.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/units.h"
#include "bench/probe.h"
#include "run/clock.h"
#include "run/say.h"

enum { DIR_MODE = 0775, FILE_MODE = 0664 };

/*
 * Making it.
 */

/* With parents; *made: the last one was not there. */
static int make_path(struct tmk_mdworkbench_run *run, bool *made)
{
    char path[TMK_MDWORKBENCH_PATH_SIZE];
    const size_t n = run->plan->dir_length;
    int err = 0;

    memcpy(path, run->plan->dir, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        path[i] = '\0';
        err = run->ops->mkdir(run->engine, path, DIR_MODE);
        *made = err == 0;
        if (err == -EEXIST || (err != 0 && i < n)) {
            err = 0; /* a parent that cannot be made may well be there */
        }
        if (i < n) {
            path[i] = '/';
        }
    }
    return err;
}

int tmk_mdworkbench_site_make_all(struct tmk_mdworkbench_site *site)
{
    struct tmk_mdworkbench_run *run = site->run;
    bool made = false;
    int err = 0;

    if (run->job->rank == 0) {
        err = make_path(run, &made);
        if (err == 0 && run->ops->stores) {
            struct stat st;

            err = run->ops->stat(run->engine, run->plan->dir, &st);
            if (err == 0 && !S_ISDIR(st.st_mode)) {
                err = -ENOTDIR;
            }
        }
    }
    err = tmk_job_agree_all(run->job, err);
    if (err != 0) {
        tmk_say_error(run->job, "-o %s: %s", run->plan->dir, strerror(-err));
    }
    site->made_dir = tmk_job_max_all(run->job, made) != 0;
    return err;
}

int tmk_mdworkbench_site_share_all(struct tmk_mdworkbench_site *site)
{
    struct tmk_mdworkbench_run *run = site->run;
    struct tmk_job *job = run->job;
    char name[64];
    intptr_t file;
    uint64_t blind;
    bool sees;
    int err;

    if (job->layout.map.nodes < 2 || !run->ops->stores) {
        return 0;
    }
    err = tmk_names_make_id(TMK_NAMES_PROBE, job->id, name, sizeof(name));
    (void)snprintf(run->source + run->plan->dir_length + 1,
                   TMK_MDWORKBENCH_NAME_MAX, "%s", name);
    if (err >= 0 && job->rank == 0) {
        err = run->ops->create(run->engine, run->source, FILE_MODE, &file);
        err = err != 0 ? err : run->ops->close(run->engine, file);
    }
    err = tmk_probe_all(job, run->ops, run->engine, run->source,
                        err < 0 ? err : 0, &sees, &blind);
    if (err != 0) {
        return 0; /* warned of; the phases will tell */
    }
    site->shared = blind == 0 ? "shared" : "per node";
    if (blind == 0) {
        return 0;
    }
    tmk_say_error(job,
                  "-o: %s is not the same directory on all nodes (%" PRIu64
                  " of %" PRIu32 " do not see it)",
                  run->plan->dir, blind, job->layout.map.nodes);
    return -ENOTSUP;
}

int tmk_mdworkbench_site_space_all(struct tmk_mdworkbench_site *site,
                                   struct tmk_report_run *report, bool warns)
{
    struct tmk_mdworkbench_run *run = site->run;
    const struct tmk_mdworkbench_plan *plan = run->plan;
    struct tmk_job *job = run->job;
    struct tmk_engine_usage usage = {0};
    int err = 0;

    if (job->rank == 0 && run->ops->usage != NULL &&
        run->ops->usage(run->engine, plan->dir, &usage) == 0) {
        bool few = usage.inodes != 0 && plan->inodes > usage.free_inodes;
        char need[32];
        char have[32];

        report->usage_known = true;
        report->size_bytes = usage.size_bytes;
        report->used_bytes = usage.used_bytes;
        report->inodes = usage.inodes;
        report->used_inodes = usage.inodes - usage.free_inodes;
        (void)tmk_units_format_bytes(plan->bytes, need, sizeof(need));
        (void)tmk_units_format_bytes(usage.free_bytes, have, sizeof(have));
        if (plan->precreates && (few || plan->bytes > usage.free_bytes)) {
            err = -ENOSPC;
            if (warns) {
                tmk_say_warning(
                    job, "MAY_NOT_FIT",
                    "the sets may not fit: they take %s and "
                    "%" PRIu64 " inodes, and %s and %" PRIu64 " are free in %s",
                    need, plan->inodes, have, usage.free_inodes, plan->dir);
            } else {
                tmk_say_error(job,
                              "-P, -D, -S: the sets do not fit: they take %s "
                              "and %" PRIu64 " inodes, and %s and %" PRIu64
                              " are free in %s",
                              need, plan->inodes, have, usage.free_inodes,
                              plan->dir);
            }
        }
    }
    err = tmk_job_agree_all(job, err);
    return warns ? 0 : err;
}

/*
 * Looking.
 */

/* What was found, and the set that it was found in: the most urgent one, and
 * of those the first, in one number for all ranks. */
enum found {
    FOUND_NOTHING,
    FOUND_SIZE,
    FOUND_LAST_MISSING,
    FOUND_ELSEWHERE,
    FOUND_MORE,
    FOUND_NO_SET,
    FOUND_OBJECTS,
};

#define INDEX_MOST ((UINT64_C(1) << 56) - 1)

static uint64_t pack(enum found found, uint64_t rank, uint64_t sets,
                     uint64_t set)
{
    uint64_t index = rank * sets + set;

    index = index < INDEX_MOST ? index : INDEX_MOST;
    return found == FOUND_NOTHING
               ? 0
               : (uint64_t)found << 56 | (INDEX_MOST - index);
}

/* The path of that set to run->source; what was found. */
static enum found unpack(struct tmk_mdworkbench_run *run, uint64_t word)
{
    const uint64_t sets = run->plan->conf->sets;
    const uint64_t index = INDEX_MOST - (word & INDEX_MOST);

    assert(sets != 0); /* -D has seen to that */
    (void)tmk_mdworkbench_plan_set(run->plan, run->source, index / sets,
                                   index % sets);
    return (enum found)(word >> 56);
}

static bool note_object(void *arg, const char *name, bool is_dir)
{
    bool *found = arg;
    uint64_t object;

    (void)is_dir;
    *found = tmk_mdworkbench_plan_is_object(name, &object);
    return !*found;
}

/* Whether a set of this rank, at run->source, holds objects. */
static bool holds_objects(struct tmk_mdworkbench_run *run)
{
    bool found = false;

    (void)run->ops->list(run->engine, run->source, note_object, &found);
    return found;
}

int tmk_mdworkbench_site_leftovers_all(struct tmk_mdworkbench_site *site,
                                       int leftovers)
{
    struct tmk_mdworkbench_run *run = site->run;
    struct tmk_job *job = run->job;
    const uint64_t sets = run->plan->conf->sets;
    uint64_t found = 0;
    int err;

    run->adopts = true; /* directories that are empty, or reused */
    if (!run->ops->stores) {
        return 0;
    }
    for (uint64_t set = 0; found == 0 && set < sets; set++) {
        (void)tmk_mdworkbench_plan_set(run->plan, run->source,
                                       (uint64_t)job->rank, set);
        if (holds_objects(run)) {
            found = pack(FOUND_OBJECTS, (uint64_t)job->rank, sets, set);
        }
    }
    found = tmk_job_max_all(job, found);
    if (found == 0) {
        return 0;
    }
    (void)unpack(run, found);
    switch (leftovers) {
    case TMK_LEFTOVERS_REUSE:
        tmk_say_warning(job, "REUSED",
                        "%s holds objects already: what is there is written "
                        "over",
                        run->source);
        return 0;
    case TMK_LEFTOVERS_CLEAN:
        err = tmk_mdworkbench_site_sweep_all(site, 0);
        if (err != 0) {
            tmk_say_error(job, "removing what is in %s: %s", run->plan->dir,
                          strerror(-err));
        }
        return err;
    default:
        tmk_say_error(job,
                      "-o: %s holds objects of an earlier run: -3 or "
                      "--leftovers=clean removes them",
                      run->source);
        return -EEXIST;
    }
}

static bool is_there(struct tmk_mdworkbench_run *run, uint64_t owner,
                     uint64_t set, uint64_t object, uint64_t *bytes)
{
    struct stat st;

    (void)tmk_mdworkbench_plan_object(run->plan, run->source, owner, set,
                                      object);
    if (run->ops->stat(run->engine, run->source, &st) != 0) {
        return false;
    }
    *bytes = (uint64_t)st.st_size;
    return true;
}

/* One set of this rank. */
static enum found probe(struct tmk_mdworkbench_run *run, uint64_t set,
                        bool trusts)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;
    const uint64_t owner = (uint64_t)run->job->rank;
    const uint64_t pos = run->pos;
    uint64_t bytes = conf->bytes;
    uint64_t other;
    struct stat st;
    bool first;
    bool last;

    (void)tmk_mdworkbench_plan_set(run->plan, run->source, owner, set);
    if (run->ops->stat(run->engine, run->source, &st) != 0) {
        return FOUND_NO_SET;
    }
    if ((pos > 0 && is_there(run, owner, set, pos - 1, &other)) ||
        is_there(run, owner, set, pos + conf->per_set, &other)) {
        return FOUND_ELSEWHERE;
    }
    if (conf->per_set == 0) {
        return FOUND_NOTHING;
    }
    last = is_there(run, owner, set, pos + conf->per_set - 1, &bytes);
    first = is_there(run, owner, set, pos, &bytes);
    if (!first && !last) {
        return FOUND_ELSEWHERE;
    }
    if (bytes != conf->bytes) {
        return FOUND_SIZE;
    }
    return last || trusts ? FOUND_NOTHING : FOUND_LAST_MISSING;
}

/* Sets of ranks that are not here, or more than -D. */
static bool finds_more(struct tmk_mdworkbench_run *run)
{
    const struct tmk_mdworkbench_plan *plan = run->plan;
    struct stat st;

    (void)tmk_mdworkbench_plan_set(plan, run->source, plan->ranks, 0);
    if (run->ops->stat(run->engine, run->source, &st) == 0) {
        return true;
    }
    (void)tmk_mdworkbench_plan_set(plan, run->source, 0, plan->conf->sets);
    return run->ops->stat(run->engine, run->source, &st) == 0;
}

static void explain(struct tmk_mdworkbench_run *run, enum found found,
                    char *why, size_t size)
{
    const struct tmk_mdworkbench_conf *conf = run->plan->conf;

    switch (found) {
    case FOUND_SIZE:
        (void)snprintf(why, size,
                       "-S: objects in %s do not have %" PRIu64 " bytes",
                       run->source, conf->bytes);
        break;
    case FOUND_LAST_MISSING:
        (void)snprintf(why, size,
                       "-P: %s does not hold %" PRIu64 " objects from %" PRIu64
                       " on",
                       run->source, conf->per_set, run->pos);
        break;
    case FOUND_ELSEWHERE:
        (void)snprintf(why, size,
                       "--run-info-file, -P: %s does not hold the objects "
                       "%" PRIu64 " to %" PRIu64 " alone: -3 removes what "
                       "there is",
                       run->source, run->pos, run->pos + conf->per_set - 1);
        break;
    case FOUND_MORE:
        (void)snprintf(why, size,
                       "-D: %s has sets of more ranks or more sets than "
                       "%" PRIu32 " ranks with %" PRIu64 " each",
                       run->plan->dir, run->plan->ranks, conf->sets);
        break;
    default:
        (void)snprintf(why, size,
                       "-o, -D: there is no %s: were sets made (-1), by as "
                       "many ranks?",
                       run->source);
    }
}

int tmk_mdworkbench_site_probe_all(struct tmk_mdworkbench_site *site,
                                   bool trusts, char *why, size_t size)
{
    struct tmk_mdworkbench_run *run = site->run;
    struct tmk_job *job = run->job;
    const uint64_t sets = run->plan->conf->sets;
    const uint64_t rank = (uint64_t)job->rank;
    uint64_t worst = 0;

    if (!run->ops->stores) {
        return 0;
    }
    if (rank == 0 && finds_more(run)) {
        worst = pack(FOUND_MORE, 0, sets, 0);
    }
    for (uint64_t set = 0; set < sets; set++) {
        uint64_t word = pack(probe(run, set, trusts), rank, sets, set);

        worst = word > worst ? word : worst;
    }
    worst = tmk_job_max_all(job, worst);
    if (worst == 0) {
        return 0;
    }
    explain(run, unpack(run, worst), why, size);
    return -EINVAL;
}

/*
 * Removing.
 */

static bool did_sweep(struct tmk_mdworkbench_run *run,
                      enum tmk_mdworkbench_op op, int err, const char *path)
{
    (void)op;
    (void)err;
    (void)path;
    return run->sweep_until_ns == 0 || tmk_clock_ns() < run->sweep_until_ns;
}

int tmk_mdworkbench_site_sweep_all(struct tmk_mdworkbench_site *site,
                                   uint64_t grace_ns)
{
    struct tmk_mdworkbench_run *run = site->run;
    int err = 0;

    run->sweep_until_ns = grace_ns != 0 ? tmk_clock_ns() + grace_ns : 0;
    if (run->ops->stores) {
        err = tmk_mdworkbench_sweep(run, did_sweep);
    }
    if (err == 0 && !did_sweep(run, TMK_MDWORKBENCH_RMDIR, 0, NULL)) {
        err = -ETIME;
    }
    return tmk_job_agree_all(run->job, err);
}

void tmk_mdworkbench_site_remove_all(struct tmk_mdworkbench_site *site)
{
    struct tmk_mdworkbench_run *run = site->run;
    const struct tmk_mdworkbench_plan *plan = run->plan;
    int err;

    tmk_wait_barrier_all(&run->job->wait);
    if (!site->made_dir) {
        return;
    }
    if (run->job->rank == 0) {
        err = run->ops->rmdir(run->engine, plan->dir);
        if (err != 0 && err != -ENOENT) {
            tmk_say(run->job, "%s is left: %s", plan->dir, strerror(-err));
        }
    }
}
