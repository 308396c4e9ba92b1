#ifndef TMK_RUN_REPORT_H
#define TMK_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "base/opt.h"
#include "run/job.h"
#include "run/provenance.h"
#include "run/result.h"

/*
 * Results are data; a writer is a view.  The bench announces what happens, the
 * report hands it to every writer.  Only rank 0 calls writers; nothing here is
 * inside a clock.
 */

/* What is known when a run begins.  All pointers are borrowed. */
struct tmk_report_run {
    const struct tmk_job *job;
    const char *banner;      /* "mdtest-4.1.0+treemark-0.1.0" */
    const char *kind;        /* of benchmark: "mdtest" */
    const char *version;     /* "0.1.0" */
    const char *version_git; /* "" = not known */
    const char *label;       /* of the user's; NULL = none */
    const char *semantics;   /* whose calls and orders: "treemark" */
    time_t started;
    int argc;
    char *const *argv;
    const struct tmk_opt_table *tables; /* the options, as resolved */
    size_t n_tables;
    const char *path;
    const char *engine;
    const char *shared; /* how nodes see path: "shared", "per node", "mixed";
                           NULL = not asked */
    const struct tmk_provenance *provenance; /* NULL = was not asked for */
    bool usage_known; /* of the file system that path lies on */
    uint64_t size_bytes, used_bytes;
    uint64_t inodes, used_inodes; /* 0: the file system reports none */
    bool rates, times;            /* which tables are wanted */
    bool tables_1_9;              /* in the layout of mdtest 1.9 */
    bool rank_columns;            /* with statistics over ranks */
    /* JSON of the bench's own, one more member: "\"io500\": {...}"; it may be
     * another one for each phase.  NULL = none. */
    const char *extra;
    /* JSON of phases that an earlier launch has run, with commas between them:
     * the first of the first test.  NULL = none. */
    const char *earlier;
    /* Likewise of whole tests, before the first.  NULL = none. */
    const char *earlier_tests;
};

/* Calls in the order in which they are made; a NULL slot is not called. */
struct tmk_writer_ops {
    void (*begin)(void *state, const struct tmk_report_run *run);
    /* `headline`: "4 tasks, 16 files" */
    void (*test_begin)(void *state, const struct tmk_result_test *test,
                       const char *headline);
    void (*phase)(void *state, const struct tmk_result_test *test,
                  const struct tmk_result_row *row, int iteration,
                  const struct tmk_phase_result *phase);
    /*
     * After the iterations, rates and times as the run wants them: before a
     * table, iteration by iteration, what each rank did, if that is wanted;
     * the table.
     */
    void (*table_ranks)(void *state, const struct tmk_result_test *test,
                        const struct tmk_result_ranks *ranks, bool rates);
    void (*table)(void *state, const struct tmk_report_run *run,
                  const struct tmk_result_test *test, bool rates);
    /* Below the tables, if that is wanted: latencies of each row. */
    void (*latency)(void *state, const struct tmk_report_run *run,
                    const struct tmk_result_test *test);
    /* What each rank did, for writers without tables, if that is wanted. */
    void (*ranks)(void *state, const struct tmk_result_test *test,
                  const struct tmk_result_ranks *ranks);
    void (*test_end)(void *state, const struct tmk_report_run *run,
                     const struct tmk_result_test *test);
    void (*end)(void *state, const struct tmk_report_run *run,
                const struct tmk_result *result);
};

struct tmk_writer {
    const struct tmk_writer_ops *ops; /* NULL ends an array of writers */
    void *state;
};

/* One walk: the same event to every writer; nothing on ranks but 0. */
void tmk_report_begin(const struct tmk_writer *writers,
                      const struct tmk_report_run *run);
void tmk_report_test_begin(const struct tmk_writer *writers,
                           const struct tmk_report_run *run,
                           const struct tmk_result_test *test,
                           const char *headline);
void tmk_report_phase(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test,
                      const struct tmk_result_row *row, int iteration,
                      const struct tmk_phase_result *phase);
void tmk_report_table_ranks(const struct tmk_writer *writers,
                            const struct tmk_report_run *run,
                            const struct tmk_result_test *test,
                            const struct tmk_result_ranks *ranks, bool rates);
void tmk_report_table(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test, bool rates);
void tmk_report_latency(const struct tmk_writer *writers,
                        const struct tmk_report_run *run,
                        const struct tmk_result_test *test);
void tmk_report_ranks(const struct tmk_writer *writers,
                      const struct tmk_report_run *run,
                      const struct tmk_result_test *test,
                      const struct tmk_result_ranks *ranks);
void tmk_report_test_end(const struct tmk_writer *writers,
                         const struct tmk_report_run *run,
                         const struct tmk_result_test *test);
void tmk_report_end(const struct tmk_writer *writers,
                    const struct tmk_report_run *run,
                    const struct tmk_result *result);

/* mdtest's text; state is a FILE *. */
extern const struct tmk_writer_ops tmk_report_text;

#endif
