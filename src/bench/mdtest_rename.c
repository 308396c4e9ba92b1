/*
 * mdtest_rename: chains of renames.
 */
#include "bench/mdtest_rename.h"

#include <stdio.h>
#include <string.h>

#include "bench/mdtest_known.h"
#include "bench/mdtest_visit.h"
#include "run/clock.h"

/* run->other: the name that the current item has amid a chain of renames. */
static void name_moved(struct tmk_mdtest_run *run)
{
    (void)snprintf(run->other, sizeof(run->other), "%.*s-XX",
                   (int)(sizeof(run->other) - 4), run->item.path);
}

/* The name behind the last slash. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* The current item gets the name run->other. */
static int move_out(struct tmk_mdtest_run *run)
{
    int err = tmk_mdtest_enter(run);

    if (err != 0 || run->calls == run->ops) {
        return err != 0
                   ? err
                   : run->ops->rename(run->engine, run->item.path, run->other);
    }
    return run->calls->rename(run->engine, run->name, last_name(run->other));
}

/* The current item gets the name that run->hole stands on. */
static int move_item(struct tmk_mdtest_run *run)
{
    intptr_t from;
    intptr_t to;
    int err;

    if (run->calls == run->ops) {
        return run->ops->rename(run->engine, run->item.path, run->hole.path);
    }
    err = tmk_mdtest_dirs_get(&run->dirs, &run->item, &from);
    if (err == 0) {
        err = tmk_mdtest_dirs_get(&run->dirs, &run->hole, &to);
    }
    if (err != 0) {
        return err;
    }
    run->calls->use_dirs(run->engine, from, to);
    return run->calls->rename(run->engine, tmk_item_name(&run->item),
                              tmk_item_name(&run->hole));
}

/* What was moved out gets the name that run->hole stands on: by whole paths,
 * because its directory may be closed by now. */
static int move_back(struct tmk_mdtest_run *run)
{
    return run->ops->rename(run->engine, run->other, run->hole.path);
}

/* Move on to an item that was made; false at the end of the loop directory. */
static bool next_made(struct tmk_item *it, const struct tmk_mdtest_made *made,
                      uint64_t chain_loop)
{
    do {
        if (!tmk_item_next(it) || it->loop != chain_loop) {
            return false;
        }
    } while (tmk_mdtest_made_is_hole(made, it->position));
    return true;
}

/*
 * Rename the directories of one loop in a chain: x0 -> "x0-XX", x1 -> x0, ...
 * and "x0-XX" to the name that is missing in the end.  run->item stands on x0
 * and moves; run->hole follows it at the missing name.  The last item is not
 * touched, as in the original.  `n` is how many items the loop has.
 */
static void rename_chain(struct tmk_mdtest_run *run, uint64_t n,
                         const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;
    struct tmk_item *hole = &run->hole;
    const uint64_t loop = it->loop;
    int err;

    name_moved(run);
    err = move_out(run);
    tmk_mdtest_did(run, err, tmk_clock_ns());
    if (err != 0) {
        return;
    }
    for (uint64_t i = 2; i < n && !tmk_phase_over(p); i++) {
        if (!next_made(it, made, loop)) {
            break;
        }
        err = move_item(run);
        tmk_mdtest_did(run, err, tmk_clock_ns());
        while (err == 0 && hole->position != it->position) {
            (void)tmk_item_next(hole);
        }
    }
    p->how.path = run->other; /* should this one fail, it is named */
    err = move_back(run);
    tmk_mdtest_did(run, err, tmk_clock_ns());
    p->how.path = it->path;
}

uint64_t tmk_mdtest_rename_chains(struct tmk_mdtest_run *run,
                                  const struct tmk_mdtest_made *made)
{
    struct tmk_phase *p = &run->phase;
    struct tmk_item *it = &run->item;
    uint64_t planned = 0;
    uint64_t loop = 0;
    bool more = !tmk_mdtest_made_is_hole(made, it->position) ||
                next_made(it, made, it->loop);

    while (more && !tmk_phase_over(p)) {
        uint64_t slots = tmk_mdtest_known_slots(run->plan);
        uint64_t n = tmk_mdtest_made_within(made, it->loop * slots, slots);

        loop = it->loop;
        tmk_item_copy(&run->hole, it);
        if (n >= 2) {
            planned += n;
            rename_chain(run, n, made);
        }
        /* On to the next loop directory. */
        do {
            more = tmk_item_next(it);
        } while (more && (it->loop == loop ||
                          tmk_mdtest_made_is_hole(made, it->position)));
    }
    return planned;
}

void tmk_mdtest_rename_remove_moved(struct tmk_mdtest_run *run,
                                    const struct tmk_item_set *set,
                                    uint64_t deadline_ns)
{
    const int signal = tmk_job_signal();

    if (tmk_item_init(&run->item, set, TMK_ITEM_CREATION, 0) != 0) {
        return;
    }
    do {
        name_moved(run);
        (void)run->ops->rmdir(run->engine, run->other);
    } while (tmk_job_signal() == signal && tmk_clock_ns() < deadline_ns &&
             tmk_item_next(&run->item));
}
