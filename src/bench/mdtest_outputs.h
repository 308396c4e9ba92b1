#ifndef TMK_BENCH_MDTEST_OUTPUTS_H
#define TMK_BENCH_MDTEST_OUTPUTS_H

#include "bench/mdtest_plan.h"
#include "run/job.h"
#include "run/output.h"
#include "run/perop.h"
#include "run/ranks.h"
#include "run/report_details.h"
#include "run/result.h"

struct tmk_mdtest_launch;

/* The files that a launch writes beside its report and its results. */
struct tmk_mdtest_outputs {
    struct tmk_perop perop;          /* --savePerOpDataCSV, on every rank */
    struct tmk_output *details_file; /* --saveRankPerformanceDetails, rank 0 */
    struct tmk_report_details details;
};

/*
 * Open what is asked for, so that the launch is refused if something cannot be
 * written; writers of files are added to launch->results.  `plan` tells the
 * phases, `ranks` how many ranks take part at most.  Returns 0, or -errno,
 * said.  Collective.
 */
int tmk_mdtest_outputs_open_all(struct tmk_mdtest_launch *launch,
                                const struct tmk_mdtest_plan *plan, int ranks);

/*
 * Finish the files.  If something could not be written, that is said and put
 * into launch->result.  Files of a launch that measured nothing are as before.
 * Nothing is done the second time.  Collective.
 */
void tmk_mdtest_outputs_close_all(struct tmk_mdtest_launch *launch);

/*
 * Room for what single ranks do in a test, if any option asks for it.  0 or
 * -ENOMEM, said.  Collective over job.
 */
int tmk_mdtest_outputs_ranks_all(struct tmk_mdtest_launch *launch,
                                 struct tmk_job *job, size_t rows,
                                 struct tmk_ranks *ranks);

/*
 * Room on rank 0 for the latencies of each row of `test`, if an option asks for
 * them; *latency is the caller's to free.  0 or -ENOMEM, said.  Collective over
 * job.
 */
int tmk_mdtest_outputs_latency_all(struct tmk_mdtest_launch *launch,
                                   struct tmk_job *job,
                                   struct tmk_result_test *test,
                                   struct tmk_result_latency **latency);

/*
 * A test is over: its tables, and what single ranks did, to the writers.
 * Collective over job.
 */
void tmk_mdtest_outputs_test_all(struct tmk_mdtest_launch *launch,
                                 struct tmk_job *job, struct tmk_ranks *ranks,
                                 struct tmk_result_test *test);

#endif
