/*
 * mdtest_visit: the measured loops.
 *
 * visit() is the whole of it where nothing but the operation is to be done;
 * visit_watched() is the same where something goes beside it.
 */
#include "bench/mdtest_visit.h"

static uint64_t visit(struct tmk_mdtest_run *run, tmk_mdtest_operation *op,
                      uint64_t end)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        tmk_phase_did(p, op(run, it->path));
    } while (!tmk_phase_over(p) && it->visited + 1 < end && tmk_item_next(it));
    return it->visited + 1;
}

int tmk_mdtest_enter(struct tmk_mdtest_run *run)
{
    struct tmk_item *it = &run->item;
    intptr_t dir;
    int err;

    if (run->calls == run->ops) {
        return 0;
    }
    run->name = tmk_item_name(it);
    err = tmk_mdtest_dirs_get(&run->dirs, it, &dir);
    if (err == 0) {
        run->calls->use_dirs(run->engine, dir, dir);
    }
    return err;
}

/* One item. */
static void watch_item(struct tmk_mdtest_run *run,
                       const struct tmk_mdtest_watch *watch)
{
    const struct tmk_mdtest_steps *steps = &watch->steps;
    struct tmk_phase *p = &run->phase;
    uint64_t end_ns;
    int err = tmk_mdtest_enter(run);

    if (err != 0 && watch->creates) {
        tmk_mdtest_made_miss(&run->made[watch->target],
                             run->first_position + run->item.position);
    }
    if (err == 0 && steps->fill != NULL) {
        err = steps->fill(run);
    }
    if (watch->aside) {
        tmk_phase_resume(p);
    }
    if (err == 0) {
        err = steps->op(run, run->name);
    }
    end_ns = tmk_clock_ns();
    if (err == 0 && steps->check != NULL) {
        err = steps->check(run);
    }
    if (!watch->second) {
        tmk_mdtest_did(run, err, end_ns);
    } else if (err != 0) {
        tmk_phase_spoil(p, err);
    }
}

static uint64_t visit_watched(struct tmk_mdtest_run *run,
                              const struct tmk_mdtest_watch *watch,
                              uint64_t end)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;

    do {
        if (!tmk_mdtest_made_is_hole(watch->made, it->position)) {
            watch_item(run, watch);
        }
        if (watch->second) {
            tmk_phase_look(p);
        }
    } while (!tmk_phase_over(p) && it->visited + 1 < end && tmk_item_next(it));
    return it->visited + 1;
}

uint64_t tmk_mdtest_visit(struct tmk_mdtest_run *run,
                          const struct tmk_mdtest_watch *watch, uint64_t end)
{
    bool plain = !watch->aside && !watch->second && !run->records &&
                 run->calls == run->ops && watch->made->n_holes == 0;

    return plain ? visit(run, watch->steps.op, end)
                 : visit_watched(run, watch, end);
}

struct tmk_mdtest_watch
tmk_mdtest_watch_phase(const struct tmk_mdtest_run *run,
                       enum tmk_mdtest_phase which,
                       const struct tmk_mdtest_made *made)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    struct tmk_mdtest_watch watch = {
        .steps = tmk_mdtest_operations_choose(run, which),
        .target = row->target,
        .made = made,
        .creates = row->action == TMK_MDTEST_CREATE,
    };

    watch.aside = watch.steps.fill != NULL || watch.steps.check != NULL;
    return watch;
}
