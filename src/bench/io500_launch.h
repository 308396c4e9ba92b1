#ifndef TMK_BENCH_IO500_LAUNCH_H
#define TMK_BENCH_IO500_LAUNCH_H

#include "bench/io500_calls.h"
#include "bench/io500_main.h"
#include "bench/io500_options.h"
#include "bench/io500_record.h"
#include "bench/io500_score.h"
#include "run/result.h"
#include "run/results.h"

enum { TMK_IO500_STAMP_SIZE = 256 };

/* A launch of the suite, alike on all ranks but for files, which are rank
 * 0's. */
struct tmk_io500_launch {
    struct tmk_job *job;
    const struct tmk_io500_parts *parts;
    struct tmk_io500_options options;
    struct tmk_io500_conf conf;
    char *ini_text;   /* owned; the file as it is */
    char version[64]; /* "treemark-0.1.0" */
    int verbosity;
    bool extended;

    /* Where. */
    struct tmk_io500_site site;
    char *datadir, *resultdir; /* owned */
    char timestamp[TMK_IO500_STAMP_SIZE];

    /* What happens. */
    struct tmk_io500_record record;
    struct tmk_io500_calls calls;
    time_t started;
    struct tmk_io500_reasons reasons;             /* of the run */
    bool judged_invalid, judged_invalid_extended; /* by a phase */

    /* Of each phase that is over, in this launch or, resumed, before it. */
    bool over[TMK_IO500_PHASES];
    struct tmk_io500_done done[TMK_IO500_PHASES];
    struct tmk_io500_reasons judged[TMK_IO500_PHASES];
    struct tmk_io500_scores scores;

    /* Results as everywhere; see io500_save.h. */
    struct tmk_results results, more_results;
    char *json_path;     /* owned */
    struct json_t *kept; /* owned; of an earlier launch, whose words are
                            borrowed */
    struct tmk_report_run report;
    struct tmk_result_test test;
    struct tmk_opt_table table;
    struct tmk_phase_result phase;
    char *extra, *earlier; /* owned; JSON of rank 0 */
    struct tmk_result *result;
};

/* A path in the result directory, or the data directory; NULL is out of memory;
 * the caller frees. */
char *tmk_io500_in_results(const struct tmk_io500_launch *launch,
                           const char *name);
char *tmk_io500_in_data(const struct tmk_io500_launch *launch,
                        const char *name);

/* Whether the phase is to be run in this launch. */
bool tmk_io500_is_wanted(const struct tmk_io500_launch *launch,
                         enum tmk_io500_phase phase);

#endif
