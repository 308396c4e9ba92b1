/*
 * mdtest_check: which options go together.
 */
#include "bench/mdtest_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/why.h"

/* Whether two options, or an option and what another says, go together. */
struct pair {
    bool clash;
    const char *why; /* the line that says so */
};

static int check_pairs(const struct pair *pairs, size_t n, char *why,
                       size_t size)
{
    for (size_t i = 0; i < n; i++) {
        if (pairs[i].clash) {
            return tmk_why(why, size, "%s", pairs[i].why);
        }
    }
    return 0;
}

int tmk_mdtest_check_roots(struct tmk_mdtest_plan *plan, char *why, size_t size)
{
    const struct tmk_mdtest_conf *conf = plan->conf;
    int64_t n = tmk_mdtest_plan_root(conf->dir, 0, plan->root_text,
                                     sizeof(plan->root_text));
    char other[TMK_ITEM_PATH_SIZE];
    char quoted[64];

    if (n < 0) {
        return tmk_why(why, size,
                       n == -EINVAL ? "-d: an empty name in a list of "
                                      "directories (\\@ is the character @)"
                                    : "-d: a path of more than %d bytes",
                       TMK_ITEM_PATH_SIZE);
    }
    plan->roots = (uint64_t)n;
    if (n == 1) {
        return 0;
    }
    if (!conf->unique || conf->stride.n != 0 || conf->collective) {
        return tmk_why(why, size,
                       "-d: several directories (joined by @; \\@ is the "
                       "character) %s",
                       !conf->unique         ? "need -u"
                       : conf->stride.n != 0 ? "do not go with -N"
                                             : "do not go with -c");
    }
    if (plan->roots > plan->tasks) {
        return tmk_why(why, size,
                       "-d: %" PRIu64 " directories are more than the %" PRIu32
                       " tasks",
                       plan->roots, plan->tasks);
    }
    for (uint64_t i = 0; i < plan->roots; i++) {
        if (tmk_mdtest_plan_root(conf->dir, i, plan->root_text,
                                 sizeof(plan->root_text)) < 0) {
            return tmk_why(why, size, "-d: a path of more than %d bytes",
                           TMK_ITEM_PATH_SIZE);
        }
        for (uint64_t k = 0; k < i && k < 64; k++) {
            (void)tmk_mdtest_plan_root(conf->dir, k, other, sizeof(other));
            if (strcmp(plan->root_text, other) == 0) {
                tmk_quote(quoted, sizeof(quoted), other, strlen(other));
                return tmk_why(why, size, "-d: '%s' is named twice", quoted);
            }
        }
    }
    return 0;
}

/* Options of the original that contradict each other. */
static int check_original(const struct tmk_mdtest_conf *conf,
                          const bool *selected, char *why, size_t size)
{
    const bool reads =
        selected[TMK_MDTEST_READ] && tmk_mdtest_tests(conf, TMK_MDTEST_FILES);
    const struct pair pairs[] = {
        {conf->no_barriers && conf->stonewall_s != 0,
         "-B: a stonewall (-W) needs barriers"},
        {conf->no_barriers && conf->stonewall_read_s != 0,
         "-B: --stonewall-read needs barriers"},
        {conf->no_barriers && conf->stride.n != 0,
         "-B: without barriers a task may only touch its own items, not -N "
         "other ones"},
        {conf->no_barriers && conf->collective,
         "-B: without barriers rank 0 cannot create for others (-c)"},
        {conf->no_barriers && conf->shared,
         "-B: without barriers tasks cannot use the same files (-S)"},
        {conf->collective && conf->shared,
         "-c: rank 0 does not create for others (-c) what all share (-S)"},
        {conf->unique && conf->shared,
         "-S: all tasks use the same files, so they have no trees of their "
         "own (-u)"},
        {conf->shared && conf->dirs_only && !conf->files_only,
         "-S: only files are shared, so nothing is left to test with -D"},
        {conf->mknod && conf->write_bytes != 0,
         "-k: mknod opens no file to write to (-w)"},
        {conf->mknod && conf->shared,
         "-k: mknod makes a file once, so not all tasks can make it (-S)"},
        {conf->verify_read && !reads,
         "-X: nothing is read that could be checked: add -E (and leave out "
         "-D)"},
        {conf->verify_read && conf->read_bytes == 0,
         "-X: nothing is read that could be checked: give -e"},
    };

    return check_pairs(pairs, sizeof(pairs) / sizeof(pairs[0]), why, size);
}

/* Options of our own. */
static int check_own(const struct tmk_mdtest_conf *conf, const bool *selected,
                     char *why, size_t size)
{
    const bool as = conf->semantics != TMK_MDTEST_AS_TREEMARK;
    const bool creates = selected[TMK_MDTEST_CREATE];
    const bool removes = selected[TMK_MDTEST_REMOVE];
    const bool pilot = conf->min_time_s != 0;
    const char *both = conf->json != NULL && conf->csv != NULL &&
                               strcmp(conf->json, conf->csv) == 0
                           ? conf->json
                           : NULL;
    const struct pair pairs[] = {
        {as && conf->access != TMK_MDTEST_ACCESS_PATH,
         "--as: the original has no --access=dirfd"},
        {as && conf->tree_mode != TMK_MDTEST_TREE_SERIAL,
         "--as: the original has no --tree=parallel"},
        {as && conf->random_remove != 0,
         "--as: the original has no --random-remove"},
        {conf->warmup != 0 && creates != removes,
         "--warmup: the launch must remove what it creates, or create and "
         "remove nothing (-C, -r)"},
        {conf->no_barriers && (conf->drop_caches != NULL ||
                               conf->remount != NULL || conf->sync_fs != 0),
         "-B: without barriers there is no moment for --drop-caches, "
         "--remount and --sync"},
        {conf->no_barriers && conf->check != 0,
         "-B: without barriers there is no moment for --check"},
        {conf->remount != NULL && conf->access == TMK_MDTEST_ACCESS_DIRFD,
         "--remount: --access=dirfd keeps directories open"},
        {both != NULL && strcmp(both, "-") == 0,
         "--json, --csv: only one can have the standard output"},
        {both != NULL, "--json, --csv: they cannot share a file"},
        {pilot && !(creates && removes),
         "--min-time: the launch must create and remove (-C, -r)"},
        {pilot && conf->items_per_dir != 0,
         "--min-time: raises -n, so that -I cannot be fixed"},
        {pilot && (conf->stonewall_s != 0 || conf->stonewall_read_s != 0),
         "--min-time: contradicts -W and --stonewall-read, which cut phases "
         "short"},
        {pilot && conf->status_file != NULL,
         "--min-time: contradicts -x, which fixes the number of items"},
    };

    return check_pairs(pairs, sizeof(pairs) / sizeof(pairs[0]), why, size);
}

int tmk_mdtest_check_conf(const struct tmk_mdtest_conf *conf,
                          const bool *selected, char *why, size_t size)
{
    int err = check_original(conf, selected, why, size);
    if (err == 0) {
        err = check_own(conf, selected, why, size);
    }
    if (err != 0) {
        return err;
    }
    if (selected[TMK_MDTEST_CREATE] && selected[TMK_MDTEST_READ] &&
        tmk_mdtest_tests(conf, TMK_MDTEST_FILES) &&
        conf->read_bytes > conf->write_bytes) {
        return tmk_why(why, size,
                       "-e: %" PRIu64 " bytes cannot be read from files of "
                       "%" PRIu64 " (-w)",
                       conf->read_bytes, conf->write_bytes);
    }
    if (conf->random.seeded && conf->random_seed != 0 &&
        conf->random.seed != conf->random_seed) {
        return tmk_why(why, size,
                       "-R%" PRId64 " and --random-seed %" PRId64 " differ",
                       conf->random.seed, conf->random_seed);
    }
    if (conf->stride.by_node && conf->stride_unit == TMK_MDTEST_STRIDE_RANK) {
        return tmk_why(why, size,
                       "--stride-unit=rank: contradicts -N node; give a number "
                       "to -N");
    }
    if ((conf->nodes != 0 || conf->ppn != 0) && !conf->dry_run) {
        return tmk_why(why, size, "--nodes, --ppn: only with --dry-run");
    }
    return 0;
}
