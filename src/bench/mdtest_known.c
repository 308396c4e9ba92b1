/*
 * mdtest_known: what creation made, and who has to know.
 */
#include "bench/mdtest_known.h"

#include <string.h>

uint64_t tmk_mdtest_known_slots(const struct tmk_mdtest_plan *plan)
{
    return plan->items / plan->loops;
}

uint64_t tmk_mdtest_known_turn(const struct tmk_mdtest_plan *plan)
{
    return plan->conf->stonewall_s != 0 ? 1 : tmk_mdtest_known_slots(plan);
}

bool tmk_mdtest_known_for_all(const struct tmk_mdtest_run *run,
                              const struct tmk_mdtest_phase_row *row)
{
    return run->plan->conf->collective && (row->action == TMK_MDTEST_CREATE ||
                                           row->action == TMK_MDTEST_REMOVE);
}

void tmk_mdtest_known_made_for(const struct tmk_mdtest_run *run,
                               enum tmk_mdtest_target target, uint64_t owner,
                               struct tmk_mdtest_made *made)
{
    tmk_mdtest_made_for(&run->made[target], owner, run->plan->tasks,
                        tmk_mdtest_known_turn(run->plan), made);
}

struct tmk_mdtest_duty
tmk_mdtest_known_duty(const struct tmk_mdtest_run *run,
                      const struct tmk_mdtest_phase_row *row)
{
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    uint32_t rank = (uint32_t)run->job->rank;
    const bool removes = row->action == TMK_MDTEST_REMOVE;

    if (tmk_mdtest_known_for_all(run, row)) {
        return (struct tmk_mdtest_duty){0, rank == 0 ? run->plan->tasks : 0};
    }
    if (conf->shared && removes) {
        return (struct tmk_mdtest_duty){0, rank == 0};
    }
    return (struct tmk_mdtest_duty){rank, 1};
}

/* Everything that the plan, or the status file, says. */
static void all_made(const struct tmk_mdtest_run *run,
                     enum tmk_mdtest_target target, uint64_t owner,
                     struct tmk_mdtest_made *made)
{
    if (run->status != NULL && !run->plan->creates) {
        tmk_mdtest_status_made(run->status, target, run->iteration, owner,
                               made);
        if (made->count > run->plan->items) {
            made->count = run->plan->items;
        }
    } else {
        made->count = run->count[target];
        made->n_holes = 0;
    }
    made->attempted = made->count;
}

void tmk_mdtest_known_learn(struct tmk_mdtest_run *run,
                            enum tmk_mdtest_phase which, uint32_t rank)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    const struct tmk_mdtest_conf *conf = run->plan->conf;
    const struct tmk_owner *owner = &run->plan->owner;
    uint32_t theirs = tmk_owner_of(owner, rank, row->hops);
    struct tmk_mdtest_made *made = &run->made[row->target];
    uint64_t items = run->plan->items;

    if (row->action == TMK_MDTEST_CREATE) {
        run->theirs.count = items;
        run->theirs.n_holes = 0;
    } else if (!run->incomplete[row->target]) {
        all_made(run, row->target, conf->shared ? 0 : theirs, &run->theirs);
    } else if (conf->collective) {
        tmk_mdtest_known_made_for(run, row->target, theirs, &run->theirs);
    } else if (conf->shared || conf->no_barriers) {
        run->theirs = *made;
    } else {
        tmk_wait_exchange(&run->job->wait, made,
                          (int)tmk_owner_visitor(owner, rank, row->hops),
                          &run->theirs, (int)theirs, (int)sizeof(run->theirs));
    }
}

/* The lowest of the ranks that came furthest gives its holes to all. */
static void furthest_all(struct tmk_mdtest_run *run,
                         struct tmk_mdtest_made *made)
{
    const struct tmk_job *job = run->job;
    uint64_t furthest = tmk_job_max_all(job, made->count);
    bool mine = made->count == furthest;
    uint64_t turn =
        tmk_job_max_all(job, mine ? (uint64_t)(job->size - job->rank) : 0);

    if (turn != (uint64_t)(job->size - job->rank)) {
        memset(made, 0, sizeof(*made));
    }
    tmk_wait_allreduce_all(&job->wait, made, (int)sizeof(*made), MPI_BYTE,
                           MPI_BOR);
}

/* Of files that all tasks make (-S), a hole is where none could. */
static void unite_all(struct tmk_mdtest_run *run, struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_made mine = *made;
    uint8_t missing[TMK_MDTEST_HOLES_MAX];
    uint64_t n = 0;

    furthest_all(run, made);
    memset(missing, 1, sizeof(missing));
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        missing[i] = tmk_mdtest_made_within(&mine, made->holes[i], 1) == 0;
    }
    tmk_wait_allreduce_all(&run->job->wait, missing, (int)sizeof(missing),
                           MPI_BYTE, MPI_BAND);
    for (uint64_t i = 0; i < made->n_holes && i < TMK_MDTEST_HOLES_MAX; i++) {
        if (missing[i]) {
            made->holes[n++] = made->holes[i];
        }
    }
    if (made->n_holes <= TMK_MDTEST_HOLES_MAX) {
        made->n_holes = n;
    }
}

void tmk_mdtest_known_note_all(struct tmk_mdtest_run *run,
                               enum tmk_mdtest_target target,
                               struct tmk_phase_result *result)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    struct tmk_mdtest_made *made = &run->made[target];
    struct tmk_phase_wall *wall = &result->wall;

    run->incomplete[target] = result->failed != 0 || result->missed != 0;
    if (plan->conf->collective) {
        tmk_wait_bcast_all(&run->job->wait, made, (int)sizeof(*made), MPI_BYTE);
        tmk_mdtest_known_made_for(run, target, 0, &run->theirs);
        wall->max = run->theirs.count;
        tmk_mdtest_known_made_for(run, target, plan->tasks - 1, &run->theirs);
        wall->min = run->theirs.count;
    }
    if (wall->on) {
        run->count[target] = wall->max;
    }
    if (plan->conf->shared && run->incomplete[target]) {
        unite_all(run, made);
    }
}
