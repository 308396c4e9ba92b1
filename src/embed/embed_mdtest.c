/*
 * embed_mdtest: mdtest_run().
 *
 * Phases come from a listener, so that every rank has them; what is returned
 * is meant for a host that divides and compares, and looks at nothing else: of
 * a phase that failed it must see 0.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/engines.h"
#include "bench/mdtest_main.h"
#include "bench/mdtest_plan.h"
#include "bench/version.h"
#include "embed/embed.h"
#include "run/report.h"
#include "run/say.h"
#include "treemark/mdtest.h"

/* What has been heard. */
struct heard {
    mdtest_results_t *list; /* malloc'ed: becomes the host's */
    size_t n;
    bool planned;
    uint64_t spoilt; /* phases that count as 0 */
};

static const mdtest_test_num_t numbers[TMK_MDTEST_PHASES] = {
    [TMK_MDTEST_TREE_CREATE] = MDTEST_TREE_CREATE_NUM,
    [TMK_MDTEST_DIR_CREATE] = MDTEST_DIR_CREATE_NUM,
    [TMK_MDTEST_DIR_STAT] = MDTEST_DIR_STAT_NUM,
    [TMK_MDTEST_DIR_RENAME] = MDTEST_DIR_RENAME_NUM,
    [TMK_MDTEST_DIR_REMOVE] = MDTEST_DIR_REMOVE_NUM,
    [TMK_MDTEST_FILE_CREATE] = MDTEST_FILE_CREATE_NUM,
    [TMK_MDTEST_FILE_STAT] = MDTEST_FILE_STAT_NUM,
    [TMK_MDTEST_FILE_READ] = MDTEST_FILE_READ_NUM,
    [TMK_MDTEST_FILE_REMOVE] = MDTEST_FILE_REMOVE_NUM,
    [TMK_MDTEST_TREE_REMOVE] = MDTEST_TREE_REMOVE_NUM,
};

static void hear_plan(void *state, int iterations)
{
    struct heard *heard = state;
    size_t n = iterations > 0 ? (size_t)iterations : 1;
    mdtest_results_t *list = calloc(n, sizeof(*list));

    heard->planned = true;
    free(heard->list);
    heard->list = list;
    heard->n = list != NULL ? n : 0;
}

/* A phase that is not to be used. */
static void spoil(mdtest_results_t *r, int t, double time_s)
{
    r->rate[t] = 0.0;
    r->rate_before_barrier[t] = 0.0;
    r->items[t] = 0;
    r->stonewall_item_sum[t] = 0;
    r->stonewall_item_min[t] = 0;
    r->stonewall_last_item[t] = 0;
    r->stonewall_time[t] = time_s; /* a host divides by it */
}

static void take(mdtest_results_t *r, int t, int tasks,
                 const struct tmk_phase_result *p)
{
    const uint64_t n = (uint64_t)tasks;

    r->rate[t] = p->rate_per_s;
    r->rate_before_barrier[t] = tmk_units_per_s(p->operations, p->busy_ns);
    r->items[t] = p->operations;
    r->stonewall_last_item[t] = p->operations / n;
    r->stonewall_time[t] = r->time[t];
    r->stonewall_item_sum[t] = p->operations;
    r->stonewall_item_min[t] = p->operations;
    if (p->wall.on) {
        r->stonewall_time[t] = tmk_units_seconds(p->wall.time_ns);
        r->stonewall_item_sum[t] = p->wall.sum;
        r->stonewall_item_min[t] = p->wall.min * n;
    }
}

static void hear_phase(void *state, int tasks, int phase, int iteration,
                       const struct tmk_phase_result *p)
{
    struct heard *heard = state;
    const int t = (int)numbers[phase];
    mdtest_results_t *r;

    if ((size_t)iteration >= heard->n) {
        return;
    }
    r = &heard->list[iteration];
    r->time[t] = tmk_units_seconds(p->time_ns);
    r->time_before_barrier[t] = tmk_units_seconds(p->busy_ns);
    r->total_errors += p->failed;
    if (p->failed != 0 || p->wrong != 0 || p->missed != 0 || p->full ||
        p->interrupted != 0 || (p->check.on && !p->check.ok)) {
        r->total_errors += p->failed == 0;
        heard->spoilt++;
        spoil(r, t, tmk_units_seconds(p->time_ns + 1));
    } else {
        take(r, t, tasks, p);
    }
}

static int measure_all(struct tmk_embed_call *call, struct heard *heard,
                       struct tmk_result *result)
{
    const struct tmk_mdtest_listener listener = {hear_plan, hear_phase, heard};
    const struct tmk_writer writers[] = {
        {.ops = &tmk_report_text, .state = call->out},
        {.ops = NULL},
    };
    const struct tmk_mdtest_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines_mdtest,
        .writers = writers,
        .listener = &listener,
    };
    int status =
        tmk_mdtest_main_all(call->job, call->argc, call->argv, &parts, result);

    if (heard->spoilt != 0) {
        tmk_say_error(call->job,
                      "for the program that called, the rates of %" PRIu64
                      " phases with failures are 0",
                      heard->spoilt);
    }
    return status;
}

mdtest_results_t *mdtest_run(int argc, char **argv, MPI_Comm comm, FILE *out)
{
    struct tmk_embed_call call;
    struct tmk_result result = {0};
    struct heard heard = {.list = calloc(1, sizeof(*heard.list)), .n = 1};
    int status = TMK_EMBED_REFUSED;
    double time_s;

    if (heard.list == NULL) {
        heard.n = 0;
    }
    if (tmk_embed_begin_all(&call, "mdtest", argc, argv, NULL, comm, out) ==
        0) {
        status = measure_all(&call, &heard, &result);
    }
    time_s = tmk_embed_seconds(&call);
    status = tmk_embed_end_all(&call, status);
    for (size_t i = 0; i < heard.n; i++) {
        mdtest_results_t *r = &heard.list[i];

        if (heard.planned && !tmk_embed_spoilt(&result, status)) {
            continue;
        }
        for (int t = 0; t < MDTEST_LAST_NUM; t++) {
            spoil(r, t, time_s);
        }
        r->total_errors += r->total_errors == 0;
    }
    return heard.list;
}
