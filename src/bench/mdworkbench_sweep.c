/*
 * mdworkbench_sweep: remove sets by what there is, not by what should be.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bench/mdworkbench_phases.h"

/* A directory that is being read. */
struct reading {
    struct tmk_mdworkbench_run *run;
    tmk_mdworkbench_did *did;
    uint64_t owner, set;
    uint64_t removed;
    bool over;
    int err; /* the worst */
};

static void note(struct reading *r, int err)
{
    if (err < r->err) {
        r->err = err;
    }
}

static bool visit_object(void *arg, const char *name, bool is_dir)
{
    struct reading *r = arg;
    struct tmk_mdworkbench_run *run = r->run;
    uint64_t object;
    int err;

    if (is_dir || !tmk_mdworkbench_plan_is_object(name, &object)) {
        return true;
    }
    (void)tmk_mdworkbench_plan_object(run->plan, run->target, r->owner, r->set,
                                      object);
    err = run->ops->unlink(run->engine, run->target);
    if (err == -ENOENT) {
        return true;
    }
    note(r, err);
    r->removed += err == 0;
    r->over = !r->did(run, TMK_MDWORKBENCH_DELETE, err, run->target);
    return !r->over;
}

/*
 * A directory that is read while it is changed may leave something out: it is
 * read until nothing more is found.
 */
static void sweep_set(struct reading *r)
{
    struct tmk_mdworkbench_run *run = r->run;
    int err = 0;

    do {
        r->removed = 0;
        (void)tmk_mdworkbench_plan_set(run->plan, run->source, r->owner,
                                       r->set);
        err = run->ops->list(run->engine, run->source, visit_object, r);
    } while (r->removed != 0 && !r->over && err == 0);
    if (err == -ENOTDIR) { /* a file by that name is none of ours */
        return;
    }
    note(r, err);
    if (r->over) {
        return;
    }
    err = run->ops->rmdir(run->engine, run->source);
    if (err != -ENOENT) {
        note(r, err);
        r->over = !r->did(run, TMK_MDWORKBENCH_RMDIR, err, run->source);
    }
}

static bool visit_set(void *arg, const char *name, bool is_dir)
{
    struct reading *r = arg;
    const struct tmk_mdworkbench_plan *plan = r->run->plan;

    (void)is_dir; /* may not be known */
    if (tmk_mdworkbench_plan_is_set(name, &r->owner, &r->set) &&
        r->owner % plan->ranks == (uint64_t)r->run->job->rank) {
        sweep_set(r);
    }
    return !r->over;
}

int tmk_mdworkbench_sweep(struct tmk_mdworkbench_run *run,
                          tmk_mdworkbench_did *did)
{
    struct reading r = {.run = run, .did = did};
    int err;

    tmk_mdworkbench_plan_begin(run->plan, run->source);
    tmk_mdworkbench_plan_begin(run->plan, run->target);
    err = run->ops->list(run->engine, run->plan->dir, visit_set, &r);
    if (err != -ENOENT) {
        note(&r, err);
    }
    return r.err;
}
