/*
 * mdtest_trace: --trace, a file of each rank with its calls on the file system.
 *
 * The engine of the launch is put into one that writes its calls down, and
 * taken out again at the end.  As with other output files, what an earlier run
 * wrote stays if this one is refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/mdtest_launch.h"
#include "engine/trace.h"
#include "run/say.h"

enum { BUFFER_BYTES = 1 << 20 };

/* This rank's file, and the engine that writes to it. */
static int begin(struct tmk_mdtest_launch *launch)
{
    struct tmk_mdtest_trace *trace = &launch->trace;
    const struct tmk_engine_ops *traced;
    char path[TMK_ITEM_PATH_SIZE];
    FILE *to;
    int n = snprintf(path, sizeof(path), "%s.%d", launch->conf.trace,
                     launch->job->rank);
    int err;

    if (n < 0 || (size_t)n >= sizeof(path)) {
        return -ENAMETOOLONG;
    }
    err = tmk_output_open(path, launch->job->id, &trace->out);
    if (err == 0) {
        err = tmk_output_more(trace->out, &to);
    }
    if (err != 0) {
        return err;
    }
    trace->buffer = malloc(BUFFER_BYTES);
    if (trace->buffer == NULL) {
        return -ENOMEM;
    }
    (void)setvbuf(to, trace->buffer, _IOFBF, BUFFER_BYTES);
    trace->around =
        tmk_engine_trace_new(launch->ops, launch->engine, to, &traced);
    if (trace->around == NULL) {
        return -ENOMEM;
    }
    trace->ops = launch->ops;
    trace->engine = launch->engine;
    launch->ops = traced;
    launch->engine = trace->around;
    return 0;
}

/* Say the error of the lowest rank that has one; 0 or that.  Collective. */
static int agree_and_say_all(const struct tmk_mdtest_launch *launch, int err)
{
    struct tmk_job *job = launch->job;
    int lowest = job->size +
                 tmk_job_agree_all(job, err != 0 ? job->rank - job->size : 0);

    if (lowest == job->size) {
        return 0;
    }
    err = tmk_job_agree_all(job, job->rank == lowest ? err : 0);
    tmk_say_error(job, "--trace: %s.%d: %s", launch->conf.trace, lowest,
                  strerror(-err));
    return err;
}

int tmk_mdtest_trace_begin_all(struct tmk_mdtest_launch *launch)
{
    int err;

    if (launch->conf.trace == NULL) {
        return 0;
    }
    err = agree_and_say_all(launch, begin(launch));
    if (err == 0) {
        tmk_say_warning(launch->job, "TRACED",
                        "rates include writing down every call (--trace)");
    }
    return err;
}

void tmk_mdtest_trace_end_all(struct tmk_mdtest_launch *launch)
{
    struct tmk_mdtest_trace *trace = &launch->trace;
    int err;

    if (launch->conf.trace == NULL) {
        return;
    }
    if (trace->around != NULL) {
        launch->ops = trace->ops;
        launch->engine = trace->engine;
    }
    err = tmk_engine_trace_free(trace->around);
    /* A rank that waited for a scan to end has not begun. */
    if (tmk_job_max_all(launch->job, launch->begun) != 0) {
        int committed = tmk_output_commit(trace->out);

        err = err != 0 ? err : committed;
        if (agree_and_say_all(launch, err) != 0) {
            launch->result->output_failed = true;
        }
    }
    tmk_output_close(trace->out);
    free(trace->buffer); /* of the stream, until here */
    *trace = (struct tmk_mdtest_trace){0};
}
