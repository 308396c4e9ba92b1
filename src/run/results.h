#ifndef TMK_RUN_RESULTS_H
#define TMK_RUN_RESULTS_H

#include <stdbool.h>

#include "run/job.h"
#include "run/output.h"
#include "run/provenance.h"
#include "run/report.h"
#include "run/report_csv.h"
#include "run/report_json.h"

/*
 * The results of a launch: who writes them, and the files of --json and --csv
 * among them, which every command has.  All 0 is a beginning.
 *
 *     tmk_results_add(r, writer)          the text, if there is one
 *     tmk_results_yield(r, job, json, csv)
 *     tmk_results_open_all(r, job, run, json, csv)   before the first phase
 *     tmk_results_hosts_all(job)
 *     tmk_report_...(r->writers, ...)
 *     tmk_results_close_all(r, job)
 */
enum { TMK_RESULTS_WRITERS_MAX = 8 };

struct tmk_results {
    struct tmk_writer writers[TMK_RESULTS_WRITERS_MAX + 1]; /* NULL ends them */
    /* The rest is the module's own; files are rank 0's. */
    const char *json_path, *csv_path; /* open; borrowed; NULL = not */
    struct tmk_output *json_file;     /* owned */
    struct tmk_report_json json;
    struct tmk_provenance provenance; /* with --json */
    struct tmk_report_csv csv;
};

/* One more writer, behind those that there are. */
void tmk_results_add(struct tmk_results *r, struct tmk_writer writer);

/* Whether results go to the standard output: to "-". */
bool tmk_results_is_standard(const char *path);

/*
 * Where results go to the standard output, text goes to the other: job->out,
 * and the text of mdtest among the writers.  Either path may be NULL.
 */
void tmk_results_yield(struct tmk_results *r, struct tmk_job *job,
                       const char *json, const char *csv);

/*
 * Open the files that are asked for, so that a launch is refused if one cannot
 * be written, and add their writers; `run` has to have its path and tables, and
 * gets the provenance.  A path is NULL if the file is not asked for.  0 or
 * -errno, said; close_all is for both.  Collective.
 */
int tmk_results_open_all(struct tmk_results *r, struct tmk_job *job,
                         struct tmk_report_run *run, const char *json,
                         const char *csv);

/* The name of each node, which writers want: to rank 0.  0 or -ENOMEM, said.
 * Collective. */
int tmk_results_hosts_all(struct tmk_job *job);

/*
 * Finish the files; one that nothing was written to is as it was before.
 * False if something could not be written, which is said.  Nothing is done the
 * second time.  Collective.
 */
bool tmk_results_close_all(struct tmk_results *r, struct tmk_job *job);

/*
 * Say an error of writing a file for an option, which any rank may have met:
 * whether there was none.  Collective.
 */
bool tmk_results_judge_all(struct tmk_job *job, int err, const char *option,
                           const char *path);

#endif
