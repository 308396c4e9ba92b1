/*
 * mdtest_phases: running a phase, from what goes before its first barrier to
 * what follows from it.
 */
#include "bench/mdtest_phases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_items.h"
#include "bench/mdtest_known.h"
#include "bench/mdtest_marker.h"
#include "bench/mdtest_selfcheck.h"
#include "bench/mdtest_trees.h"
#include "run/caches.h"
#include "run/say.h"
#include "run/shell.h"

/*
 * Running a phase.
 */

/* A command of the user's; failures are counted. */
static void run_command(struct tmk_mdtest_run *run, const char *command)
{
    int status;

    if (command == NULL || command[0] == '\0') {
        return;
    }
    status = tmk_shell_run(command);
    if (status != 0 && run->command_failures++ == 0) {
        run->command_status = status;
        run->command = command;
    }
}

/* Bytes that an operation of a phase moves. */
static uint64_t bytes_of(const struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which)
{
    switch (which) {
    case TMK_MDTEST_FILE_CREATE:
    case TMK_MDTEST_FILE_REMOVE: return run->data.write_bytes;
    case TMK_MDTEST_FILE_READ: return run->data.read_bytes;
    default: return 0;
    }
}

/* Record the operations of a phase, if that is asked for. */
static void record(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_duty duty = tmk_mdtest_known_duty(run, row);
    uint64_t planned = row->target == TMK_MDTEST_TREE ? plan->operations[which]
                                                      : duty.n * plan->items;

    run->bytes = bytes_of(run, which);
    run->records =
        run->perop != NULL &&
        tmk_perop_begin(run->perop, row->name, run->job->size,
                        (int)run->iteration, &run->phase.t0_ns, planned);
}

static void end_record(struct tmk_mdtest_run *run)
{
    if (run->records) {
        tmk_perop_end(run->perop);
        run->records = false;
    }
}

uint64_t tmk_mdtest_phase_limit_ns(const struct tmk_mdtest_conf *conf,
                                   int which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    int limit_s = 0;

    if (row->target == TMK_MDTEST_TREE) {
        return 0;
    }
    switch (row->action) {
    case TMK_MDTEST_CREATE: limit_s = conf->stonewall_s; break;
    case TMK_MDTEST_STAT:
    case TMK_MDTEST_READ: limit_s = conf->stonewall_read_s; break;
    default: break;
    }
    return (uint64_t)limit_s * 1000000000u;
}

/* What does not belong to the measured time, before it. */
static void prepare(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                    struct tmk_item_set *set, bool *found)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_mdtest_duty duty = tmk_mdtest_known_duty(run, row);
    uint32_t rank = (uint32_t)run->job->rank;

    *found = false;
    run->data.detail[0] = '\0';
    run_command(run, plan->conf->cmd_before);
    tmk_mdtest_marker_touch(run->site);
    record(run, which);
    if (row->target == TMK_MDTEST_TREE) {
        run->tree_made = run->tree_made || row->action == TMK_MDTEST_CREATE;
        return;
    }
    tmk_mdtest_data_writes(&run->data, plan->conf->shared ? 0 : rank);
    tmk_mdtest_data_reads(
        &run->data,
        plan->conf->shared ? 0 : tmk_owner_of(&plan->owner, rank, row->hops));
    if (!tmk_mdtest_known_for_all(run, row)) {
        tmk_mdtest_known_learn(run, which, duty.n != 0 ? duty.first : rank);
    }
    if (!tmk_mdtest_known_for_all(run, row) && duty.n != 0) {
        *found = tmk_mdtest_items_stand(run, which, duty.first, set);
    }
    run->name = run->item.path;
}

static struct tmk_phase_how how(const struct tmk_mdtest_run *run,
                                enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    return (struct tmk_phase_how){
        .creates = row->action == TMK_MDTEST_CREATE,
        .max_errors = conf->max_errors,
        .stop_after_ns = tmk_mdtest_phase_limit_ns(conf, (int)which),
        .interval_ns = conf->interval_ns,
        .path = row->target == TMK_MDTEST_TREE ? run->other : run->item.path,
        .detail = run->data.detail,
    };
}

/* The operations, and what is to be done before the last barrier. */
static void operate_all(struct tmk_mdtest_run *run, enum tmk_mdtest_phase which,
                        bool found)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;

    if (which == TMK_MDTEST_TREE_CREATE) {
        run->phase.missed += tmk_mdtest_trees_make(run);
    } else if (which == TMK_MDTEST_TREE_REMOVE) {
        run->phase.missed += tmk_mdtest_trees_remove(run);
    } else {
        tmk_mdtest_items_run_all(run, which, found);
    }
    tmk_phase_close(&run->phase);
    if (conf->sync && run->as_original) {
        run_command(run, "sync");
    } else if (conf->sync) {
        (void)run->ops->sync(run->engine);
    }
    run_command(run, conf->cmd_after);
}

/* What follows from a phase for those after it. */
static void conclude_all(struct tmk_mdtest_run *run,
                         enum tmk_mdtest_phase which,
                         struct tmk_phase_result *result)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const bool tree = row->target == TMK_MDTEST_TREE;

    result->foreign_share = run->plan->foreign_share[which];
    if (!tree && row->action == TMK_MDTEST_CREATE) {
        tmk_mdtest_known_note_all(run, row->target, result);
    }
    if (result->wall.on) {
        result->wall.hit =
            result->wall.sum < run->plan->items * run->plan->tasks;
    }
    if (which == TMK_MDTEST_TREE_CREATE) {
        run->tree_failed = run->phase.failed != 0 || run->phase.missed != 0;
    }
    if (!tree && row->action == TMK_MDTEST_REMOVE) {
        tmk_mdtest_items_remove_strays(run, which);
    }
}

/* Before anything of a phase, on every node. */
static void empty_caches_all(struct tmk_mdtest_run *run,
                             struct tmk_result_caches *done)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    const struct tmk_caches_how how = {
        .sync = conf->sync_fs != 0,
        .remount = conf->remount,
        .drop = conf->drop_caches,
        .path = run->plan->root,
    };

    *done = (struct tmk_result_caches){.on = false};
    if (!tmk_caches_none(&how) &&
        tmk_caches_before_all(&how, run->job, done) != 0) {
        run->remounts_failed++;
    }
}

void tmk_mdtest_phase_all(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which,
                          struct tmk_phase_result *result)
{
    const struct tmk_phase_how asked = how(run, which);
    struct tmk_result_caches caches;
    struct tmk_item_set set;
    bool found;

    empty_caches_all(run, &caches);
    prepare(run, which, &set, &found);
    tmk_phase_begin_all(&run->phase, run->job, &asked);
    operate_all(run, which, found);
    tmk_phase_end_all(&run->phase, result);
    end_record(run);
    conclude_all(run, which, result);
    result->caches = caches;
    tmk_mdtest_selfcheck_all(run, which, result);
}

/*
 * Phases without barriers.
 */

void tmk_mdtest_group_begin_all(struct tmk_mdtest_run *run)
{
    run->n_kept = 0;
    run->epoch_ns = tmk_phase_group_begin_all(run->job);
}

void tmk_mdtest_group_run(struct tmk_mdtest_run *run,
                          enum tmk_mdtest_phase which)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_phase_how asked = how(run, which);
    struct tmk_phase *p = &run->phase;
    struct tmk_item_set set;
    bool found;

    prepare(run, which, &set, &found);
    tmk_phase_begin(p, run->job, &asked, run->epoch_ns);
    operate_all(run, which, found);
    tmk_phase_end(p);
    end_record(run);
    if (row->action == TMK_MDTEST_CREATE) {
        run->incomplete[row->target] = p->failed != 0 || p->missed != 0;
    }
    if (row->action == TMK_MDTEST_REMOVE) {
        tmk_mdtest_items_remove_strays(run, which);
    }
    run->kept[run->n_kept] = *p;
    run->kept_which[run->n_kept++] = which;
}

enum tmk_mdtest_phase
tmk_mdtest_group_combine_all(struct tmk_mdtest_run *run, size_t index,
                             struct tmk_phase_result *result)
{
    run->phase = run->kept[index];
    tmk_phase_combine_all(&run->phase, result);
    result->foreign_share = -1.0;
    return run->kept_which[index];
}

/*
 * Setting up.
 */

/* The original's order of -R: an array, made before anything is timed. */
static int make_list(struct tmk_mdtest_run *run)
{
    uint64_t items = run->plan->items;

    if (!run->as_original || !run->plan->shuffled) {
        return 0;
    }
    run->list = items <= SIZE_MAX / sizeof(*run->list)
                    ? malloc(items * sizeof(*run->list))
                    : NULL;
    return run->list != NULL ? 0 : -ENOMEM;
}

int tmk_mdtest_run_init_all(struct tmk_mdtest_run *run)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    int err = tmk_phase_init(&run->phase);

    run->as_original = conf->semantics == TMK_MDTEST_AS_MDTEST_4_1;
    run->read_access =
        run->as_original ? TMK_ENGINE_READ_WRITE : TMK_ENGINE_READ;
    run->calls = run->ops;
    if (conf->access == TMK_MDTEST_ACCESS_DIRFD) {
        run->calls = run->ops->relative;
        tmk_mdtest_dirs_init(&run->dirs, run->calls, run->engine);
    }
    run->item_calls = run->calls;
    if (err == 0) {
        err = make_list(run);
    }
    if (err == 0) {
        err = tmk_mdtest_data_init(&run->data, conf, run->pattern_seed);
    }
    err = tmk_job_agree_all(run->job, err);
    if (err != 0) {
        tmk_say_error(run->job,
                      "-w, -e, -n: buffers for %" PRIu64 " and %" PRIu64
                      " bytes: %s",
                      conf->write_bytes, conf->read_bytes, strerror(-err));
    }
    return err;
}

void tmk_mdtest_run_fini(struct tmk_mdtest_run *run)
{
    tmk_phase_fini(&run->phase);
    tmk_mdtest_data_fini(&run->data);
    free(run->list);
    run->list = NULL;
}

void tmk_mdtest_run_begin(struct tmk_mdtest_run *run, uint64_t iteration)
{
    uint64_t items = run->plan->items;

    run->iteration = iteration;
    run->tree_made = false;
    run->tree_failed = false;
    for (int i = 0; i < TMK_MDTEST_TARGETS; i++) {
        run->made[i] = (struct tmk_mdtest_made){0};
        run->incomplete[i] = false;
        run->count[i] = items;
        if (run->status != NULL && !run->plan->creates) {
            uint64_t n = tmk_mdtest_status_count(
                run->status, (enum tmk_mdtest_target)i, iteration);

            run->count[i] = n < items ? n : items;
        }
    }
}
