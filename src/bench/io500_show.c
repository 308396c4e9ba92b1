/*
 * io500_show: what the suite says without a run.
 */
#include "bench/io500_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/io500_main.h"
#include "bench/io500_phases.h"
#include "bench/io500_places.h"
#include "bench/io500_verify.h"
#include "run/say.h"
#include "run/text_file.h"

enum { STATUS_OK, STATUS_FAILED, STATUS_REFUSED };

enum { RESULT_MOST = 16 << 20 };

int tmk_io500_show_verdict_all(struct tmk_io500_launch *launch)
{
    struct tmk_job *job = launch->job;
    const char *path = launch->options.verify;
    enum tmk_io500_verdict verdict;
    char *result = NULL;
    char *summary = NULL;
    char *beside = NULL;
    const char *slash = strrchr(path, '/');
    int dir = slash != NULL ? (int)(slash - path + 1) : 0;

    if (tmk_text_file_read_all(job, "--verify: ", path, RESULT_MOST, &result) !=
        0) {
        return STATUS_REFUSED;
    }
    if (job->rank == 0 &&
        asprintf(&beside, "%.*sresult_summary.txt", dir, path) >= 0) {
        (void)tmk_text_file_read(beside, RESULT_MOST, &summary);
        free(beside);
    }
    verdict = TMK_IO500_VALID;
    if (job->rank == 0) {
        verdict = tmk_io500_verify(&launch->conf, result, summary,
                                   launch->version, job->out);
    }
    free(result);
    free(summary);
    switch ((enum tmk_io500_verdict)tmk_job_max_all(job, verdict)) {
    case TMK_IO500_VALID: return STATUS_OK;
    case TMK_IO500_INVALID: return TMK_IO500_STATUS_INVALID;
    case TMK_IO500_WRONG: break;
    }
    return STATUS_FAILED;
}

void tmk_io500_show_list(const struct tmk_io500_launch *launch)
{
    struct tmk_io500_conf conf;

    if (launch->job->rank == 0) {
        tmk_io500_conf_init(&conf);
        tmk_io500_conf_list(&conf, launch->options.list_mandatory == 0,
                            launch->job->out);
    }
}

void tmk_io500_show_plan(struct tmk_io500_launch *launch)
{
    struct tmk_io500_need need = tmk_io500_need_of(launch);
    struct tmk_job *job = launch->job;

    tmk_say(job, "data:    %s", launch->datadir);
    tmk_say(job, "results: %s", launch->resultdir);
    tmk_say(job,
            "needs up to %.1f GiB and %.0f files, and at least %" PRId64
            " s for each write phase",
            need.bytes / (1 << 30), need.inodes,
            tmk_io500_stonewall_s(&launch->conf));
    for (size_t i = 0; i < launch->reasons.n; i++) {
        tmk_say(job, "INVALID: %s (%s)", launch->reasons.list[i].text,
                launch->reasons.list[i].code);
    }
    tmk_io500_phases_explain(launch);
}
