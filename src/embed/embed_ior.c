/*
 * embed_ior: ior_run().
 *
 * Phases come from a listener, so that every rank has them.  They are kept as
 * they come, and put into one block at the end.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "bench/engines.h"
#include "bench/ior_main.h"
#include "bench/ior_text.h"
#include "bench/version.h"
#include "embed/embed.h"
#include "run/result.h"
#include "treemark/ior.h"

/* What has been heard: repetitions of all tests, one after the other. */
struct heard {
    int *tests; /* owned; repetitions of each */
    size_t n_tests;
    IOR_results_t *list; /* owned */
    size_t n;
    bool no_memory;
};

/* 0 or -1: no memory. */
static int grow(struct heard *heard, int repetitions)
{
    const size_t more = repetitions > 0 ? (size_t)repetitions : 1;
    int *tests = realloc(heard->tests, (heard->n_tests + 1) * sizeof(*tests));
    IOR_results_t *list;

    if (tests == NULL) {
        return -1;
    }
    heard->tests = tests;
    list = realloc(heard->list, (heard->n + more) * sizeof(*list));
    if (list == NULL) {
        return -1;
    }
    heard->list = list;
    memset(list + heard->n, 0, more * sizeof(*list));
    tests[heard->n_tests++] = (int)more;
    heard->n += more;
    return 0;
}

static void hear_plan(void *state, int test, int repetitions)
{
    struct heard *heard = state;

    (void)test; /* in order */
    if (grow(heard, repetitions) != 0) {
        heard->no_memory = true;
    }
}

/* The first repetition of a test; NULL: it was not planned. */
static IOR_results_t *first_of(const struct heard *heard, int test)
{
    size_t at = 0;

    if (heard->no_memory || (size_t)test >= heard->n_tests) {
        return NULL;
    }
    for (int i = 0; i < test; i++) {
        at += (size_t)heard->tests[i];
    }
    return heard->list + at;
}

static void add_errors(IOR_results_t *r, uint64_t more)
{
    r->errors = more < (uint64_t)(INT_MAX - r->errors) ? r->errors + (int)more
                                                       : INT_MAX;
}

static IOR_point_t point_of(const struct tmk_ior_phase *phase, int tasks,
                            uint64_t bytes)
{
    const bool walled = phase->result->wall.on;
    const double time_s = tmk_units_seconds(phase->total_ns + 1);
    const long long mean = (long long)bytes / tasks;

    return (IOR_point_t){
        .time = time_s,
        .pairs_accessed = phase->pairs_accessed,
        .stonewall_time = walled ? tmk_units_seconds(phase->wall_ns) : time_s,
        .stonewall_min_data_accessed =
            walled ? (long long)phase->wall_min_bytes : mean,
        .stonewall_avg_data_accessed =
            walled ? (long long)phase->wall_avg_bytes : mean,
        .stonewall_total_data_accessed =
            walled ? (long long)phase->wall_total_bytes : (long long)bytes,
        .aggFileSizeFromStat =
            phase->stat_known ? (long long)phase->stat_bytes : 0,
        .aggFileSizeFromXfer = (long long)bytes,
        .aggFileSizeForBW = (long long)bytes,
    };
}

/* Of what failed a host sees no bytes. */
static void spoil(IOR_point_t *point, double time_s)
{
    *point = (IOR_point_t){.time = time_s, .stonewall_time = time_s};
}

static void hear_phase(void *state, int test, int tasks,
                       const struct tmk_ior_phase *phase, bool timed)
{
    struct heard *heard = state;
    const struct tmk_phase_result *p = phase->result;
    IOR_results_t *r = first_of(heard, test);
    const bool bad = p->failed != 0 || p->wrong != 0 || p->missed != 0 ||
                     p->full || p->interrupted != 0;
    uint64_t errors = p->failed + (bad && p->failed == 0);

    if (r == NULL || phase->repetition >= heard->tests[test]) {
        return;
    }
    add_errors(r, errors);
    r += phase->repetition;
    if (phase->repetition != 0) {
        add_errors(r, errors);
    }
    if (!timed) {
        return;
    }
    switch (phase->access) {
    case TMK_IOR_WRITE:
        r->write = point_of(phase, tasks, phase->moved_bytes);
        break;
    case TMK_IOR_READ:
        r->read = point_of(phase, tasks, phase->moved_bytes);
        break;
    case TMK_IOR_MIX:
        r->write =
            point_of(phase, tasks, phase->moved_bytes - phase->read_bytes);
        r->read = point_of(phase, tasks, phase->read_bytes);
        break;
    case TMK_IOR_REMOVE: break;
    }
    if (bad && phase->access != TMK_IOR_READ) {
        spoil(&r->write, tmk_units_seconds(phase->total_ns + 1));
    }
    if (bad && phase->access != TMK_IOR_WRITE) {
        spoil(&r->read, tmk_units_seconds(phase->total_ns + 1));
    }
}

/* One block: tests, then their results.  NULL: no memory. */
static IOR_test_t *pack(const struct heard *heard)
{
    const size_t heads = heard->n_tests * sizeof(IOR_test_t);
    IOR_test_t *tests = calloc(1, heads + heard->n * sizeof(IOR_results_t));
    IOR_results_t *results;

    if (tests == NULL) {
        return NULL;
    }
    results = (IOR_results_t *)(void *)(tests + heard->n_tests);
    memcpy(results, heard->list, heard->n * sizeof(*results));
    for (size_t i = 0; i < heard->n_tests; i++) {
        tests[i].results = results;
        tests[i].repetitions = heard->tests[i];
        tests[i].next = i + 1 < heard->n_tests ? &tests[i + 1] : NULL;
        results += heard->tests[i];
    }
    return tests;
}

static int measure_all(struct tmk_embed_call *call, struct heard *heard,
                       struct tmk_result *result)
{
    const struct tmk_ior_listener listener = {hear_plan, hear_phase, heard};
    const struct tmk_ior_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines,
        .listener = &listener,
    };

    return tmk_ior_main_all(call->job, call->argc, call->argv, &parts, result);
}

IOR_test_t *ior_run(int argc, char **argv, MPI_Comm comm, FILE *out)
{
    struct tmk_embed_call call;
    struct tmk_result result = {0};
    struct heard heard = {0};
    IOR_test_t *tests;
    int status = TMK_EMBED_REFUSED;
    double time_s;
    bool nothing;

    if (tmk_embed_begin_all(&call, "ior", argc, argv, NULL, comm, out) == 0) {
        status = measure_all(&call, &heard, &result);
    }
    time_s = tmk_embed_seconds(&call);
    status = tmk_embed_end_all(&call, status);
    nothing = heard.n_tests == 0;
    if (nothing && grow(&heard, 1) != 0) {
        heard.no_memory = true;
    }
    if (nothing || tmk_embed_spoilt(&result, status)) {
        for (size_t i = 0; i < heard.n; i++) {
            spoil(&heard.list[i].write, time_s);
            spoil(&heard.list[i].read, time_s);
            heard.list[i].errors += heard.list[i].errors == 0;
        }
    }
    tests = heard.no_memory ? NULL : pack(&heard);
    free(heard.tests);
    free(heard.list);
    return tests;
}
