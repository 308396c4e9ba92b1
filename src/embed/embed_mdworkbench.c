/*
 * embed_mdworkbench: md_workbench_run().
 */
#include <limits.h>
#include <stdlib.h>

#include "base/units.h"
#include "bench/engines.h"
#include "bench/mdworkbench_main.h"
#include "bench/version.h"
#include "embed/embed.h"
#include "run/result.h"
#include "treemark/md-workbench.h"

enum { LEAST = 2 }; /* results that a host may look at */

static int int_of(uint64_t n)
{
    return n < INT_MAX ? (int)n : INT_MAX;
}

static time_statistics_t
times_of(const uint64_t ns[TMK_MDWORKBENCH_OUTCOME_TIMES])
{
    return (time_statistics_t){
        .min = (float)tmk_units_seconds(ns[0]),
        .q1 = (float)tmk_units_seconds(ns[1]),
        .median = (float)tmk_units_seconds(ns[2]),
        .q3 = (float)tmk_units_seconds(ns[3]),
        .q90 = (float)tmk_units_seconds(ns[4]),
        .q99 = (float)tmk_units_seconds(ns[5]),
        .max = (float)tmk_units_seconds(ns[6]),
    };
}

static mdworkbench_result_t
result_of(const struct tmk_mdworkbench_outcome_phase *p, bool spoilt)
{
    return (mdworkbench_result_t){
        .stats_create = times_of(p->create_ns),
        .stats_read = times_of(p->read_ns),
        .stats_stat = times_of(p->stat_ns),
        .stats_delete = times_of(p->delete_ns),
        .errors = int_of(p->errors),
        .rate = spoilt || p->errors != 0 ? 0.0 : p->rate_per_s,
        .max_op_time = tmk_units_seconds(p->max_op_ns),
        .runtime = tmk_units_seconds(p->time_ns),
        .iterations_done = p->objects,
    };
}

static mdworkbench_results_t *
pack(const struct tmk_mdworkbench_outcome *outcome, bool spoilt)
{
    const size_t n = outcome->phases != NULL ? outcome->count : 0;
    const size_t room = n > LEAST ? n : LEAST;
    mdworkbench_results_t *results =
        calloc(1, sizeof(*results) + room * sizeof(results->result[0]));

    if (results == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        results->result[i] = result_of(&outcome->phases[i], spoilt);
    }
    results->count = (int)n;
    results->errors = int_of(outcome->errors);
    results->errors += spoilt && results->errors == 0;
    return results;
}

mdworkbench_results_t *md_workbench_run(int argc, char **argv, MPI_Comm comm,
                                        FILE *out)
{
    const struct tmk_mdworkbench_parts parts = {
        .version = tmk_version,
        .version_git = tmk_version_git,
        .engines = tmk_engines_mdtest,
        .embedded = true,
    };
    struct tmk_mdworkbench_outcome outcome = {0};
    struct tmk_result result = {0};
    mdworkbench_results_t *results;
    struct tmk_embed_call call;
    int status = TMK_EMBED_REFUSED;
    bool begun = false;

    if (tmk_embed_begin_all(&call, "md-workbench", argc, argv, NULL, comm,
                            out) == 0) {
        status = tmk_mdworkbench_main_all(call.job, call.argc, call.argv,
                                          &parts, &result, &outcome);
        begun = true;
    }
    status = tmk_embed_end_all(&call, status);
    results = pack(&outcome, !begun || tmk_embed_spoilt(&result, status));
    if (begun) {
        tmk_mdworkbench_outcome_fini(&outcome);
    }
    return results;
}
