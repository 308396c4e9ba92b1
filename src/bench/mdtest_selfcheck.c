/*
 * mdtest_selfcheck: what a phase says it did, against what is on disk.
 *
 * Each rank counts a part: its own tree, or every so many directories of a tree
 * that all share.
 */
#include "bench/mdtest_selfcheck.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/item.h"
#include "base/names.h"
#include "run/say.h"

struct tally {
    enum tmk_mdtest_target target;
    uint64_t n;
};

static bool count_item(void *arg, const char *name, bool is_dir)
{
    struct tally *tally = arg;
    enum tmk_names_kind kind;

    (void)is_dir;
    if (tmk_names_match(name, &kind, NULL, NULL)) {
        tally->n +=
            tally->target == TMK_MDTEST_FILES
                ? kind == TMK_NAMES_FILE || kind == TMK_NAMES_FILE_SHARED
                : kind == TMK_NAMES_DIR || kind == TMK_NAMES_DIR_MOVED;
    }
    return true;
}

/* One directory of a tree: the items in it, or itself.  0 or -errno. */
static int count_in(const struct tmk_mdtest_run *run, const char *path,
                    struct tally *tally)
{
    struct stat st;
    int err;

    if (tally->target == TMK_MDTEST_TREE) {
        err = run->ops->stat(run->engine, path, &st);
        tally->n += err == 0;
    } else {
        err = run->ops->list(run->engine, path, count_item, tally);
    }
    return err == -ENOENT ? 0 : err;
}

/* This rank's part of all test directories.  0 or -errno. */
static int count_part(struct tmk_mdtest_run *run, struct tally *tally)
{
    const struct tmk_mdtest_plan *plan = run->plan;
    const struct tmk_job *job = run->job;
    struct tmk_item_set set =
        tmk_mdtest_plan_set(plan, TMK_MDTEST_TREE_CREATE, (uint32_t)job->rank,
                            run->iteration, plan->items);
    uint64_t step = set.unique ? 1 : (uint64_t)job->size;
    uint64_t first = set.unique ? 0 : (uint64_t)job->rank;

    for (uint64_t loop = 0; loop < plan->loops; loop++) {
        for (uint64_t dir = first; dir < plan->tree.dirs; dir += step) {
            int err;

            (void)tmk_item_tree_path(&set, loop, dir, run->other,
                                     sizeof(run->other));
            err = count_in(run, run->other, tally);
            if (err != 0) {
                return err;
            }
        }
    }
    return 0;
}

/*
 * How many there may be.  An operation that failed may have made its item all
 * the same, or removed it; where tasks share files, each file takes as many
 * operations as there are tasks.
 */
static void expect(const struct tmk_mdtest_run *run,
                   const struct tmk_mdtest_phase_row *row,
                   const struct tmk_phase_result *result,
                   struct tmk_result_check *check)
{
    const bool shared =
        run->plan->conf->shared != 0 && row->target == TMK_MDTEST_FILES;
    uint64_t each = shared ? run->plan->tasks : 1;

    if (row->action == TMK_MDTEST_REMOVE) {
        check->most = result->failed + result->missed;
        return;
    }
    check->least = result->operations / each;
    check->most = check->least + result->failed;
    if (run->site->root->reuses) {
        check->most = UINT64_MAX >> 1; /* what was there before counts, too */
    }
}

static void say(struct tmk_mdtest_run *run,
                const struct tmk_mdtest_phase_row *row,
                const struct tmk_result_check *check)
{
    const char *what = row->target == TMK_MDTEST_FILES ? "files"
                       : row->target == TMK_MDTEST_DIRS
                           ? "directories"
                           : "directories of trees";

    if (row->action == TMK_MDTEST_REMOVE) {
        tmk_say_error(run->job,
                      "--check: after %s %" PRIu64
                      " %s are there, not %" PRIu64,
                      row->said, check->found, what, check->most);
    } else {
        tmk_say_error(run->job,
                      "--check: after %s %" PRIu64 " %s are there, not %" PRIu64
                      "%s",
                      row->said, check->found, what, check->least,
                      check->most > check->least ? " or more" : "");
    }
}

void tmk_mdtest_selfcheck_all(struct tmk_mdtest_run *run,
                              enum tmk_mdtest_phase which,
                              struct tmk_phase_result *result)
{
    const struct tmk_mdtest_phase_row *row = &tmk_mdtest_phase_rows[which];
    struct tmk_result_check *check = &result->check;
    struct tally tally = {.target = row->target};
    int err;

    if (run->plan->conf->check == 0 || run->job->interrupted != 0 ||
        (row->action != TMK_MDTEST_CREATE &&
         row->action != TMK_MDTEST_REMOVE)) {
        return;
    }
    err = tmk_job_agree_all(run->job, count_part(run, &tally));
    check->on = true;
    check->found = tmk_job_sum_all(run->job, tally.n);
    expect(run, row, result, check);
    check->ok =
        err == 0 && check->found >= check->least && check->found <= check->most;
    if (err != 0) {
        tmk_say_error(run->job, "--check: counting after %s: %s", row->said,
                      strerror(-err));
    } else if (!check->ok) {
        say(run, row, check);
    }
}
