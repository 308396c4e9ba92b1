/*
 * results: the writers of a launch, and the files of --json and --csv.
 */
#include "run/results.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "run/say.h"

void tmk_results_add(struct tmk_results *r, struct tmk_writer writer)
{
    size_t n = 0;

    while (r->writers[n].ops != NULL) {
        n++;
    }
    assert(n < TMK_RESULTS_WRITERS_MAX);
    r->writers[n] = writer;
}

bool tmk_results_is_standard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

void tmk_results_yield(struct tmk_results *r, struct tmk_job *job,
                       const char *json, const char *csv)
{
    if (!tmk_results_is_standard(json) && !tmk_results_is_standard(csv)) {
        return;
    }
    for (struct tmk_writer *w = r->writers; w->ops != NULL; w++) {
        if (w->ops == &tmk_report_text && w->state == job->out) {
            w->state = job->err;
        }
    }
    job->out = job->err;
}

static int open_json_all(struct tmk_results *r, struct tmk_job *job,
                         struct tmk_report_run *run, const char *path)
{
    int err = 0;

    if (job->rank == 0) {
        err = tmk_output_open(path, job->id, &r->json_file);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--json: %s: %s", path, strerror(-err));
        return err;
    }
    r->json_path = path;
    tmk_provenance_collect_all(&r->provenance, job, run->path);
    run->provenance = &r->provenance;
    r->json = (struct tmk_report_json){.out = r->json_file};
    tmk_results_add(
        r, (struct tmk_writer){.ops = &tmk_report_json, .state = &r->json});
    return 0;
}

static int open_csv_all(struct tmk_results *r, struct tmk_job *job,
                        const struct tmk_report_run *run, const char *path)
{
    int err = 0;

    r->csv.file.fd = -1;
    if (job->rank == 0) {
        err = tmk_report_csv_open(&r->csv, path, run);
    }
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "--csv: %s: %s", path,
                      err == -EINVAL ? "it does not begin with the columns of "
                                       "these results"
                                     : strerror(-err));
        return err;
    }
    r->csv_path = path;
    tmk_results_add(
        r, (struct tmk_writer){.ops = &tmk_report_csv, .state = &r->csv});
    return 0;
}

int tmk_results_open_all(struct tmk_results *r, struct tmk_job *job,
                         struct tmk_report_run *run, const char *json,
                         const char *csv)
{
    int err = 0;

    if (json != NULL) {
        err = open_json_all(r, job, run, json);
    }
    if (err == 0 && csv != NULL) {
        err = open_csv_all(r, job, run, csv);
    }
    return err;
}

int tmk_results_hosts_all(struct tmk_job *job)
{
    int err = tmk_layout_hosts_all(&job->layout, job->comm);

    if (err != 0) {
        tmk_say_error(job, "names of hosts: %s", strerror(-err));
    }
    return err;
}

bool tmk_results_judge_all(struct tmk_job *job, int err, const char *option,
                           const char *path)
{
    err = tmk_job_agree_all(job, err);
    if (err != 0) {
        tmk_say_error(job, "%s: writing %s: %s", option, path, strerror(-err));
    }
    return err == 0;
}

bool tmk_results_close_all(struct tmk_results *r, struct tmk_job *job)
{
    bool fine = true;

    if (r->json_path != NULL) {
        fine = tmk_results_judge_all(job, r->json.err, "--json", r->json_path);
        tmk_report_json_fini(&r->json);
        tmk_output_close(r->json_file);
        r->json_file = NULL;
        r->json_path = NULL;
    }
    if (r->csv_path != NULL) {
        fine = tmk_results_judge_all(job, tmk_report_csv_close(&r->csv),
                                     "--csv", r->csv_path) &&
               fine;
        r->csv_path = NULL;
    }
    return fine;
}
