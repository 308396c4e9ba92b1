/*
 * trace_files: --trace, a file of each rank with its calls on the file system.
 *
 * As with other output files, what an earlier run wrote stays if this one is
 * refused.
 */
#include "bench/trace_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/trace.h"
#include "run/say.h"

enum { BUFFER_BYTES = 1 << 20, PATH_SIZE = 4096 };

/* This rank's file, and the engine that writes to it. */
static int begin(struct tmk_trace_files *trace, const struct tmk_job *job,
                 const struct tmk_engine_ops **ops, struct tmk_engine **engine)
{
    const struct tmk_engine_ops *traced;
    char path[PATH_SIZE];
    FILE *to;
    int n = snprintf(path, sizeof(path), "%s.%d", trace->prefix, job->rank);
    int err;

    if (n < 0 || (size_t)n >= sizeof(path)) {
        return -ENAMETOOLONG;
    }
    err = tmk_output_open(path, job->id, &trace->out);
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
    trace->around = tmk_engine_trace_new(*ops, *engine, to, &traced);
    if (trace->around == NULL) {
        return -ENOMEM;
    }
    trace->ops = *ops;
    trace->engine = *engine;
    *ops = traced;
    *engine = trace->around;
    return 0;
}

/* Say the error of the lowest rank that has one; 0 or that.  Collective. */
static int agree_and_say_all(const struct tmk_trace_files *trace,
                             struct tmk_job *job, int err)
{
    int lowest = job->size +
                 tmk_job_agree_all(job, err != 0 ? job->rank - job->size : 0);

    if (lowest == job->size) {
        return 0;
    }
    err = tmk_job_agree_all(job, job->rank == lowest ? err : 0);
    tmk_say_error(job, "--trace: %s.%d: %s", trace->prefix, lowest,
                  strerror(-err));
    return err;
}

int tmk_trace_files_begin_all(struct tmk_trace_files *trace,
                              struct tmk_job *job, const char *prefix,
                              const struct tmk_engine_ops **ops,
                              struct tmk_engine **engine)
{
    int err;

    trace->prefix = prefix;
    if (prefix == NULL) {
        return 0;
    }
    err = agree_and_say_all(trace, job, begin(trace, job, ops, engine));
    if (err == 0) {
        tmk_say_warning(job, "TRACED",
                        "rates include writing down every call (--trace)");
    }
    return err;
}

bool tmk_trace_files_end_all(struct tmk_trace_files *trace, struct tmk_job *job,
                             bool begun, const struct tmk_engine_ops **ops,
                             struct tmk_engine **engine)
{
    bool written = true;
    int err;

    if (trace->prefix == NULL) {
        return true;
    }
    if (trace->around != NULL) {
        *ops = trace->ops;
        *engine = trace->engine;
    }
    err = tmk_engine_trace_free(trace->around);
    /* A rank that waited for a scan to end has not begun. */
    if (tmk_job_max_all(job, begun) != 0) {
        int committed = tmk_output_commit(trace->out);

        err = err != 0 ? err : committed;
        written = agree_and_say_all(trace, job, err) == 0;
    }
    tmk_output_close(trace->out);
    free(trace->buffer); /* of the stream, until here */
    *trace = (struct tmk_trace_files){0};
    return written;
}
